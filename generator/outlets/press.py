"""Presses that print in four inks: a PDF/X of each deck, read back clause by clause."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pikepdf
from pikepdf import Dictionary, Name, Pdf, Stream

from generator import export
from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.export import Inks, PressInfo
from generator.model.face import Face
from generator.model.pack import Pack
from generator.outlets.shipment import Asked, Lot, Shipment, Shipped, left_out, paths_fault, refuse
from generator.press import MAX_PIXELS
from generator.units import MM_PER_INCH, PT_PER_MM

DPI: Final = 300
"""As `export.write_press` draws."""
SWOP: Final = Inks("swop3-240", "CGATS TR 003", "SWOP grade 3 coated, ANSI/CGATS/SWOP TR 003-2007")
FOGRA: Final = Inks("fogra39-240", "FOGRA39", "Offset on coated paper, ISO 12647-2:2004/Amd 1")
_MOST_INK: Final = 2.405
"""Of full ink, as much as the profiles let through, and half a step of rounding."""
_TOUCH: Final = 0.02
"""pt."""
_PAINTS: Final = ("g", "G", "rg", "RG", "cs", "CS", "sc", "SC", "scn", "SCN", "sh", "gs", "BI")
"""Operators that paint in other colours than four inks, or through something."""


class Press:
    """The outlet that a press is: how its pages are bound, how much bleed they have, mm."""

    def __init__(
        self, name: str, title: str, standard: str, inks: Inks, bleed: float, *, in_turn: bool
    ) -> None:
        self.name, self.title = name, title
        self._standard, self._inks, self._bleed, self._in_turn = standard, inks, bleed, in_turn

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: Asked) -> Mapping[str, float]:
        """The press's own."""
        return {lot.kind.name: self._bleed for lot in lots}

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """A PDF a deck, each copy a page; read back."""
        said: list[Diagnostic] = []
        large = [lot for lot in shipment.lots if _is_too_large(lot, self._bleed)]
        why = f"at {DPI} dpi it has more than {MAX_PIXELS / 1e6:.0f} million pixels"
        said += (left_out(lot, self.title, why, "print it as a poster at home") for lot in large)
        lots = [lot for lot in shipment.lots if lot not in large]
        files = [one for lot in _named(lots) for one in self._files(*lot)]
        refuse(paths_fault((name for name, *_ in files), shipment.pack.span))
        order = shipment.order
        shipped: list[Shipped] = []
        for name, lot, pages in files:
            info = PressInfo(f"{shipment.pack.title}: {lot.kind.title}", self._standard, self._inks)
            target = shipment.folder / name
            with tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
                made = export.write_press(
                    pages,
                    shipment.fonts,
                    target,
                    info,
                    Path(scratch),
                    roots=shipment.roots,
                    jobs=order.jobs,
                    cache=order.cache,
                )
            said += made.diagnostics
            if not made.ok:
                return Outcome((), tuple(said))
            wrong = next(faults_of(target, info, lot, self._bleed, len(pages)), "")
            if wrong:
                hint = "this should not be: please tell us"
                fault = Diagnostic(lot.kind.span, "GP716", f"{name}: {wrong}", hint)
                raise GridpressError(fault)
            shipped.append(Shipped(name))
        return Outcome(tuple(shipped), tuple(dict.fromkeys(said)))

    def _files(self, name: str, lot: Lot) -> Iterator[tuple[str, Lot, list[Face | None]]]:
        """The files of a lot: its pages, a blank one for a back that is not there."""
        fronts: list[Face | None] = [p.front for p in lot.pieces for _ in range(p.copies)]
        backs = [p.back for p in lot.pieces for _ in range(p.copies)]
        if self._in_turn:
            both = zip(backs, fronts, strict=True)
            yield f"{name}.pdf", lot, [side for pair in both for side in pair]
            return
        yield f"{name}-fronts.pdf", lot, fronts
        if any(backs):
            yield f"{name}-backs.pdf", lot, backs


PRESSES: Final = (
    Press("drivethru", "DriveThruCards", "PDF/X-1a:2003", SWOP, 3.175, in_turn=True),
    Press("press", "the press", "PDF/X-4", FOGRA, 3.0, in_turn=False),
)


def _is_too_large(lot: Lot, bleed: float) -> bool:
    """True for pages of more pixels than can be worked with."""
    width, height = (side + 2 * bleed for side in (lot.stock.trim.width, lot.stock.trim.height))
    return width * height * (DPI / MM_PER_INCH) ** 2 > MAX_PIXELS


def _named(lots: Sequence[Lot]) -> Iterator[tuple[str, Lot]]:
    """Lots by their kinds; those of one kind on several stocks are counted."""
    many = Counter(lot.kind.name for lot in lots)
    seen = Counter[str]()
    for lot in lots:
        name = lot.kind.name
        seen[name] += 1
        yield (name if many[name] == 1 else f"{name}-{seen[name]}"), lot


# -- the file read back ----------------------------------------------------------------------------


def faults_of(path: Path, info: PressInfo, lot: Lot, bleed: float, pages: int) -> Iterator[str]:
    """Where a file breaks its standard, or is not what was wanted, clause by clause."""
    old = info.standard != "PDF/X-4"
    with Pdf.open(path) as pdf:
        yield from _of_info(pdf, info, old)
        yield from _of_catalogue(pdf, old)
        if len(pdf.pages) != pages:
            yield f"{len(pdf.pages)} pages, not {pages}"
        for number, page in enumerate(pdf.pages, 1):
            yield from (f"page {number}: {wrong}" for wrong in _of_page(page.obj, lot, bleed))
        seen = set[tuple[int, int]]()
        for one in pdf.objects:
            if isinstance(one, Stream | Dictionary) and one.objgen not in seen:
                seen.add(one.objgen)
                yield from _of_object(one)


def _of_info(pdf: Pdf, info: PressInfo, old: bool) -> Iterator[str]:
    """What the file says of itself."""
    if pdf.pdf_version != ("1.4" if old else "1.6"):
        yield f"it is PDF {pdf.pdf_version}"
    if pdf.is_encrypted:
        yield "it is encrypted"
    told = pdf.docinfo
    for key in ("/Title", "/Creator", "/Producer", "/CreationDate", "/ModDate"):
        if key not in told:
            yield f"Info lacks {key}"
    if told.get("/Trapped") not in (Name("/True"), Name("/False")):
        yield "Info does not say whether it is trapped"
    if str(told.get("/GTS_PDFXVersion")) != info.standard:
        yield f"Info does not say {info.standard}"
    if "/ID" not in pdf.trailer:
        yield "the trailer has no ID"
    if not old and "GTS_PDFXVersion" not in str(pdf.open_metadata()):
        yield "XMP does not say that it is PDF/X-4"


def _of_catalogue(pdf: Pdf, old: bool) -> Iterator[str]:
    """The output intent, and what no press wants."""
    intents = list(pdf.Root.get("/OutputIntents", ()))
    if len(intents) != 1 or intents[0].S != Name.GTS_PDFX:
        yield "it has not one output intent"
    elif intents[0].DestOutputProfile.read_bytes()[12:20] != b"prtrCMYK":
        yield "its output intent has no profile of a press in four inks"
    forbidden = ("/AcroForm", "/OpenAction", "/AA", "/Names", *(("/OCProperties",) if old else ()))
    for key in forbidden:
        if key in pdf.Root:
            yield f"the catalogue has {key}"


def _of_page(page: Any, lot: Lot, bleed: float) -> Iterator[str]:
    trim = lot.stock.trim
    whole = [0.0, 0.0, *((side + 2 * bleed) * PT_PER_MM for side in (trim.width, trim.height))]
    inset = bleed * PT_PER_MM
    cut = [inset, inset, whole[2] - inset, whole[3] - inset]
    for key, wanted in (("/MediaBox", whole), ("/BleedBox", whole), ("/TrimBox", cut)):
        box = [float(side) for side in page.get(key, ())]
        if len(box) != 4 or max(abs(a - b) for a, b in zip(box, wanted, strict=True)) > _TOUCH:
            yield f"{key} is not of trim and bleed"
    for key in ("/ArtBox", "/Annots", "/Group", "/AA", "/Rotate"):
        if key in page:
            yield f"it has {key}"


def _of_object(one: Any) -> Iterator[str]:
    """Fonts, pictures and what is painted."""
    match one.get("/Subtype"), one.get("/Type"):
        case Name.Image, _:
            yield from _of_picture(one)
        case Name.Form, _:
            if "/Group" in one:
                yield "a form is a transparency group"
            yield from _of_operators(one)
        case _, Name.Page:
            yield from _of_operators(one)
        case _, Name.ExtGState:
            yield "a graphics state can be transparent"
        case _, Name.FontDescriptor:
            if not any(key in one for key in ("/FontFile", "/FontFile2", "/FontFile3")):
                yield f"the font {one.get('/FontName')} is not embedded"
        case _:
            return


def _of_picture(image: Any) -> Iterator[str]:
    if image.get("/ColorSpace") != Name.DeviceCMYK:
        yield "a picture is not in four inks"
        return
    if "/SMask" in image or "/Mask" in image:
        yield "a picture is transparent"
    inks = np.frombuffer(image.read_bytes(), dtype=np.uint8).reshape(-1, 4)
    most = int(inks.sum(axis=1, dtype=np.int32).max()) / 255
    if most > _MOST_INK:
        yield f"{100 * most:.0f} % of ink on a picture; {100 * _MOST_INK:.0f} % are the most"


def _of_operators(painted: Any) -> Iterator[str]:
    for step in pikepdf.parse_content_stream(painted):
        operator = str(step.operator)
        if operator in _PAINTS:
            yield f"something is painted by {operator}, not in four inks"
        elif operator in ("k", "K"):
            most = math.fsum(float(ink) for ink in step.operands)
            if most > _MOST_INK:
                yield f"{100 * most:.0f} % of ink in letters"
