"""Presses that print in four inks: a PDF/X of each deck, read back clause by clause: what it says
of itself, its boxes, and all that its pages show. What is not known to be harmless is a fault."""

from __future__ import annotations

import math
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pikepdf
from msgspec import Struct, field
from pikepdf import Name, Pdf, PdfError, Stream

from generator import export
from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.export import Inks, PressInfo
from generator.geometry import MM_PER_INCH, PT_PER_MM, Size
from generator.model.face import Face
from generator.model.pack import Pack
from generator.outlets.images import MAX_PIXELS
from generator.outlets.shipment import (
    ExportOptions,
    Lot,
    Outlet,
    Shipment,
    Shipped,
    left_out,
    paths_fault,
    refuse,
)

DPI: Final = 300
"""As `export.write_press` draws."""
SWOP: Final = Inks("swop3-240", "CGATS TR 003", "SWOP grade 3 coated, ANSI/CGATS/SWOP TR 003-2007")
FOGRA: Final = Inks("fogra39-240", "FOGRA39", "Offset on coated paper, ISO 12647-2:2004/Amd 1")


class Press(Outlet):
    """The outlet that a press is: how its pages are bound, how much bleed they have, mm."""

    def __init__(
        self, name: str, title: str, standard: str, inks: Inks, bleed: float, *, in_turn: bool
    ) -> None:
        self.name, self.title = name, title
        self._standard, self._inks, self._bleed, self._in_turn = standard, inks, bleed, in_turn

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
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
            wrong = next(standard_faults(target, info, lot.stock.trim, self._bleed, len(pages)), "")
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


_MOST_INK: Final = 2.405
"""Of full ink, as much as the profiles let through, and half a step of rounding."""
_TOUCH: Final = 0.02
"""pt."""
_OPERATORS: Final = frozenset(
    "q Q cm w J j M d ri i m l c v y h re W W* n f F f* S s B B* b b* k K Do"
    " BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T* Tj TJ ' \" BMC BDC EMC MP DP BX EX".split()
)
"""Those that paint in four inks, or lead up to it; graphics states are left to nobody, as they can
be transparent or print over what lies below."""
_RESOURCES: Final = ("/XObject", "/Font", "/ProcSet", "/Properties")
_OF_FILE: Final = ("/AcroForm", "/OpenAction", "/AA", "/Names", "/Collection", "/NeedsRendering")
_OF_PAGE: Final = ("/ArtBox", "/Annots", "/Group", "/AA", "/Rotate", "/UserUnit", "/CropBox")
_OF_PICTURE: Final = ("/SMask", "/Mask", "/SMaskInData", "/Alternates", "/OPI")
_AS_READ: Final = ("/Decode", "/DecodeParms")
"""What lets a picture be read otherwise than as its pixels stand."""
_PIECE: Final = 1 << 22
"""Bytes of a picture that are looked at together."""
_FONT_FILES: Final = ("/FontFile", "/FontFile2", "/FontFile3")


def standard_faults(
    path: Path, info: PressInfo, trim: Size, bleed: float, pages: int
) -> Iterator[str]:
    """Where a file breaks its standard, or is not what was wanted: so many pages of a trim and a
    bleed, mm."""
    old = info.standard != "PDF/X-4"
    try:
        with Pdf.open(path) as pdf:
            yield from _of_info(pdf, info, old)
            yield from _of_catalogue(pdf, info, old)
            if len(pdf.pages) != pages:
                yield f"{len(pdf.pages)} pages, not {pages}"
            if any(isinstance(o, Stream) and "/Filter" in o and not o.Length for o in pdf.objects):
                yield "it has a stream of no bytes that is said to be packed"
            walk = _Walk()
            for number, page in enumerate(pdf.pages, 1):
                wrong = (*_of_boxes(page.obj, trim, bleed), *walk.painted(page.obj))
                yield from (f"page {number}: {one}" for one in wrong)
    except (PdfError, KeyError, AttributeError, TypeError, ValueError, zlib.error) as error:
        yield f"no reader gets to its end: {error}"


def _of_info(pdf: Pdf, info: PressInfo, old: bool) -> Iterator[str]:
    """What the file says of itself."""
    if pdf.pdf_version != ("1.4" if old else "1.6"):
        yield f"it is PDF {pdf.pdf_version}"
    if pdf.is_encrypted:
        yield "it is encrypted"
    told = pdf.docinfo
    for key in ("/Title", "/Creator", "/Producer", "/CreationDate", "/ModDate"):
        if not str(told.get(key, "")):
            yield f"Info lacks {key}"
    if told.get("/Trapped") not in (Name("/True"), Name("/False")):
        yield "Info does not say whether it is trapped"
    if str(told.get("/GTS_PDFXVersion")) != info.standard:
        yield f"Info does not say {info.standard}"
    if len(pdf.trailer.get("/ID", ())) != 2:
        yield "the trailer has no ID"
    if not old and pdf.open_metadata().get("pdfxid:GTS_PDFXVersion") != info.standard:
        yield f"XMP does not say that it is {info.standard}"


def _of_catalogue(pdf: Pdf, info: PressInfo, old: bool) -> Iterator[str]:
    """The output intent, and what no press wants."""
    intents = list(pdf.Root.get("/OutputIntents", ()))
    if len(intents) != 1 or intents[0].get("/S") != Name.GTS_PDFX:
        yield "it has not one output intent"
    else:
        profile = intents[0].get("/DestOutputProfile")
        if not isinstance(profile, Stream) or profile.read_bytes()[12:20] != b"prtrCMYK":
            yield "its output intent has no profile of a press in four inks"
        elif profile.get("/N") != 4:
            yield "the profile of its output intent is not said to be of four inks"
        if str(intents[0].get("/OutputConditionIdentifier")) != info.inks.condition:
            yield f"its output intent is not {info.inks.condition}"
    for key in (*_OF_FILE, *(("/OCProperties",) if old else ())):
        if key in pdf.Root:
            yield f"the catalogue has {key}"


def _of_boxes(page: Any, trim: Size, bleed: float) -> Iterator[str]:
    whole = [0.0, 0.0, *((side + 2 * bleed) * PT_PER_MM for side in (trim.width, trim.height))]
    inset = bleed * PT_PER_MM
    cut = [inset, inset, whole[2] - inset, whole[3] - inset]
    for key, wanted in (("/MediaBox", whole), ("/BleedBox", whole), ("/TrimBox", cut)):
        box = [float(side) for side in page.get(key, ())]
        if len(box) != 4 or max(abs(a - b) for a, b in zip(box, wanted, strict=True)) > _TOUCH:
            yield f"{key} is not of trim and bleed"
    for key in _OF_PAGE:
        if key in page:
            yield f"it has {key}"


class _Walk(Struct):
    """Through all that pages show, each thing once."""

    seen: set[tuple[int, int]] = field(default_factory=set)

    def painted(self, of: Any) -> Iterator[str]:
        """What is wrong with a page or a form, and with what it uses."""
        yield from _of_operators(of)
        resources = of.get("/Resources", {})
        for key in resources:
            if key == "/ExtGState":
                yield "a graphics state can be transparent"
            elif key not in _RESOURCES:
                yield f"it uses {key}"
        for font in resources.get("/Font", {}).values():
            if self._is_new(font):
                yield from _of_font(font)
        for shown in resources.get("/XObject", {}).values():
            if self._is_new(shown):
                yield from self._shown(shown)

    def _is_new(self, one: Any) -> bool:
        is_new = not one.is_indirect or one.objgen not in self.seen
        self.seen.add(one.objgen)
        return is_new

    def _shown(self, shown: Any) -> Iterator[str]:
        if shown.get("/Subtype") == Name.Image:
            yield from _of_picture(shown)
        elif shown.get("/Subtype") == Name.Form:
            for key in ("/Group", "/OPI", "/Ref", "/PS"):
                if key in shown:
                    yield f"a form has {key}"
            yield from self.painted(shown)
        else:
            yield f"it shows something of {shown.get('/Subtype')}"


def _of_font(font: Any) -> Iterator[str]:
    described = font.get("/DescendantFonts", [font])[0]
    if not any(key in described.get("/FontDescriptor", {}) for key in _FONT_FILES):
        yield f"the font {font.get('/BaseFont')} is not embedded"


def _of_picture(image: Any) -> Iterator[str]:
    if image.get("/ColorSpace") != Name.DeviceCMYK or image.get("/BitsPerComponent") != 8:
        yield "a picture is not in four inks"
        return
    for key in _OF_PICTURE:
        if key in image:
            yield f"a picture has {key}: it can be transparent, or another"
    for key in _AS_READ:
        if key in image:
            yield f"a picture has {key}: its pixels are not as they stand"
    if image.get("/Filter") != Name.FlateDecode:
        yield f"a picture is kept as {image.get('/Filter')}"
        return
    size, most = _measured(image.read_raw_bytes())
    if size != image.Width * image.Height * 4:
        yield "a picture has more or fewer pixels than it says"
    elif most > _MOST_INK:
        yield f"{100 * most:.0f} % of ink on a picture; {100 * _MOST_INK:.0f} % are the most"


def _measured(packed: bytes) -> tuple[int, float]:
    """How many bytes the four inks of all pixels take, and the most ink of one; piece by piece, as
    pictures can be as large as posters."""
    packer, size, most, rest = zlib.decompressobj(), 0, 0, b""
    while piece := packer.decompress(packed, _PIECE):
        packed = packer.unconsumed_tail
        size, piece = size + len(piece), rest + piece
        rest = piece[len(piece) // 4 * 4 :]
        c, m, y, k = np.frombuffer(piece, np.uint8, len(piece) // 4 * 4).reshape(-1, 4).T
        most = max(most, int((np.add(c, m, dtype=np.uint16) + y + k).max(initial=0)))
    return size, most / 255


def _of_operators(painted: Any) -> Iterator[str]:
    for step in pikepdf.parse_content_stream(painted):
        operator = str(step.operator)
        if operator not in _OPERATORS:
            yield f"something is painted by {operator}, not in four inks"
        elif operator in ("k", "K"):
            most = math.fsum(float(ink) for ink in step.operands)
            if most > _MOST_INK:
                yield f"{100 * most:.0f} % of ink in letters or lines"
