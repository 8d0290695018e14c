"""Cutting machines: the sheets of a build with their marks, and for each where it is cut; pictures
of whole sheets for a program that prints and cuts by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from pikepdf import ObjectStreamMode, Pdf
from PIL import Image

from generator import impose
from generator.diagnostics import Diagnostic, GridpressError, Outcome, warning
from generator.export import Canvas
from generator.model.pack import Backs, Layout, Pack, Print
from generator.model.sheet import PrintedPiece, Sheet, Side
from generator.model.stock import Cutter, Paper, PrinterProfile, Stock
from generator.outlets.contours import (
    Contour,
    add_spots,
    as_dxf,
    as_svg,
    contours_of,
    is_cut,
    misplaced,
)
from generator.outlets.shipment import ExportOptions, Lot, PictureOrder, Shipment, Shipped, left_out
from generator.print_runs import PrintRun
from generator.units import MM_PER_INCH
from generator.writing import save

PLOTTER: Final = "plotter"
"""The folder of PDFs with contours in them."""
DPI: Final = 300
_UNCUT: Final = {
    Layout.LABELS: "its labels are cut already",
    Layout.BOOKLET: "it is folded and stapled",
    Layout.POSTER: "its pages are glued together",
}
_TURNS: Final = {
    90: Image.Transpose.ROTATE_270,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_90,
}
"""Clockwise, as the library does not count."""


class CuttingMachines:
    """The outlet of those who own one."""

    name = "cutter"
    title = "the cutting machine"

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
        """Every kind as it is."""
        return {}

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """For each machine a folder: PDFs with its marks, and beside them an SVG and a DXF for
        each sheet; or pictures for its program. PDFs with contours as spot colours for plotters."""
        said = list(_left_out(shipment))
        stickers = {lot.kind.name for lot in shipment.lots if lot.stickers}
        for cutter in shipment.catalogue.cutters.values():
            if cutter.marks is not None:
                made = _sheets(shipment, cutter, stickers)
            else:
                made = _pictures(shipment, cutter, stickers)
            said += made.diagnostics
            if not made.ok:
                return Outcome((), tuple(said))
        files = sorted(p for p in shipment.folder.rglob("*") if p.is_file())
        paths = [path.relative_to(shipment.folder).as_posix() for path in files]
        is_any = any(path.endswith(".svg") for path in paths)
        return Outcome(tuple(map(Shipped, paths)) if is_any else (), tuple(dict.fromkeys(said)))


def _left_out(shipment: Shipment) -> Iterator[Diagnostic]:
    """GP712 for each print that no machine cuts."""
    wanted = {lot.kind.name for lot in shipment.lots}
    for print_ in shipment.pack.prints:
        if print_.layout in _UNCUT and wanted & set(print_.kinds):
            message = f"{print_.title}: not cut by a machine, as {_UNCUT[print_.layout]}"
            hint = "print it with gridpress build"
            yield warning(print_.span, "GP712", message, hint)


# -- sheets with marks -----------------------------------------------------------------------------


def _sheets(shipment: Shipment, cutter: Cutter, stickers: set[str]) -> Outcome[None]:
    printed = shipment.printed(cutter.name, marks=cutter.name)
    if printed.value is None:
        return Outcome(None, printed.diagnostics)
    (shipment.folder / PLOTTER).mkdir(exist_ok=True)
    for run in printed.value.runs:
        if any(map(is_cut, run.sheets)):
            _cut(run, shipment, cutter, stickers)
        else:
            (shipment.folder / cutter.name / run.file_name).unlink()
    return Outcome(None, printed.diagnostics)


def _cut(run: PrintRun, shipment: Shipment, cutter: Cutter, stickers: set[str]) -> None:
    """The cutting files of a printed file. Raises GridpressError (GP716) where the file, read
    back, does not show its pieces where they are cut."""
    folder = shipment.folder / cutter.name
    digits = len(str(run.sheets[-1].number))
    with Pdf.open(folder / run.file_name) as pdf:
        faults: list[str] = []
        for page, sheet in zip(pdf.pages, run.sheets, strict=True):
            if sheet.side is not Side.FRONT or not is_cut(sheet):
                continue
            contours = contours_of(sheet, stickers)
            faults += misplaced(page, sheet, contours)
            stem = run.file_name.removesuffix(".pdf")
            name = f"{stem}-{sheet.number:0{digits}}"
            title = f"{shipment.pack.title} · {name}"
            _write(shipment, f"{cutter.name}/{name}", title, sheet, contours)
            add_spots(pdf, page, sheet.size.height, contours)
        if faults:
            hint = "this should not be: please tell us"
            raise GridpressError(
                Diagnostic(run.print_.span, "GP716", f"{run.file_name}: {faults[0]}", hint)
            )
        save(
            pdf,
            shipment.folder / PLOTTER / run.file_name,
            min_version="1.7",
            object_stream_mode=ObjectStreamMode.generate,
            deterministic_id=True,
        )


def _write(
    shipment: Shipment, stem: str, title: str, sheet: Sheet, contours: Sequence[Contour]
) -> None:
    target = shipment.folder / stem
    svg = as_svg(escape(title, quote=False), sheet, contours)
    target.with_name(f"{target.name}.svg").write_text(svg, encoding="utf-8", newline="\n")
    dxf = as_dxf(sheet.size, contours)
    target.with_name(f"{target.name}.dxf").write_text(dxf, encoding="ascii", newline="\r\n")


# -- pictures for a program that prints ------------------------------------------------------------


def _pictures(shipment: Shipment, cutter: Cutter, stickers: set[str]) -> Outcome[None]:
    """A picture of each sheet, transparent where nothing is, and where it is cut."""
    assert cutter.area is not None
    said: list[Diagnostic] = []
    imposed: list[tuple[str, Sheet]] = []
    for print_ in shipment.pack.prints:
        lots = [lot for lot in shipment.lots if lot.kind.name in print_.kinds]
        if print_.layout not in _UNCUT and lots:
            said += [too for lot in lots for too in _too_large(lot, cutter)]
            fitting = [lot for lot in lots if not list(_too_large(lot, cutter))]
            imposed += _imposed(print_, fitting, cutter)
    drawings: dict[str, PictureOrder] = {}
    for _, sheet in imposed:
        for placed in sheet.placements:
            face = placed.face
            canvas = _canvas(face.stock)
            path = f"{cutter.name}/{face.kind}-{face.component}-{face.sha256[:8]}.png"
            drawings[face.sha256] = PictureOrder(face, canvas, path, 0)
    if not drawings:
        return Outcome(None, tuple(said))
    drawn = shipment.draw(list(drawings.values()))
    said += drawn.diagnostics
    if not drawn.ok:
        return Outcome(None, tuple(said))
    for name, sheet in imposed:
        stem = f"{cutter.name}/{name}"
        _compose(shipment, f"{stem}.png", sheet, drawings)
        title = f"{shipment.pack.title} · {name}"
        _write(shipment, stem, title, sheet, contours_of(sheet, stickers))
    for drawing in drawings.values():
        (shipment.folder / drawing.path).unlink()
    return Outcome(None, tuple(said))


def _too_large(lot: Lot, cutter: Cutter) -> Iterator[Diagnostic]:
    assert cutter.area is not None
    trim = lot.stock.trim
    if not (trim.fits_in(cutter.area) or trim.turned.fits_in(cutter.area)):
        area = f"{cutter.area.width:.0f} × {cutter.area.height:.0f} mm"
        why = f"it is larger than {area}"
        yield left_out(lot, cutter.title, why, "print it with marks, or cut it by hand")


def _imposed(print_: Print, lots: Sequence[Lot], cutter: Cutter) -> Iterator[tuple[str, Sheet]]:
    """The sheets of a print, fronts alone, and what each is called."""
    assert cutter.area is not None
    paper = Paper(cutter.name, cutter.title, cutter.area, margin=0.0)
    pieces = [PrintedPiece(p.front, None, p.copies) for lot in lots for p in lot.pieces]
    slug = impose.Slug("", "", "")
    laid = impose.impose(print_, pieces, paper, Backs.NONE, profile=PrinterProfile(), slug=slug)
    digits = len(str(len(laid.value)))
    for sheet in laid.value:
        yield f"{print_.name}-{sheet.number:0{digits}}", sheet


def _canvas(stock: Stock) -> Canvas:
    width, height = (
        max(1, round(side * DPI / MM_PER_INCH)) for side in (stock.trim.width, stock.trim.height)
    )
    return Canvas(width, height, DPI, stock.shape, cut=True)


def _compose(
    shipment: Shipment, path: str, sheet: Sheet, drawings: Mapping[str, PictureOrder]
) -> None:
    scale = DPI / MM_PER_INCH
    size = round(sheet.size.width * scale), round(sheet.size.height * scale)
    whole = Image.new("RGBA", size, (255, 255, 255, 0))
    for placed in sheet.placements:
        with Image.open(shipment.folder / drawings[placed.face.sha256].path) as opened:
            piece = opened.convert("RGBA")
            profile = opened.info.get("icc_profile")
        if placed.rotation % 360:
            piece = piece.transpose(_TURNS[placed.rotation % 360])
        at = round(placed.x * scale), round(placed.y * scale)
        whole.paste(piece, at, piece)
    whole.save(shipment.folder / path, "PNG", dpi=(DPI, DPI), icc_profile=profile)
