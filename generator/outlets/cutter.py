"""Cutting machines: lines to cut and crease as SVG, DXF and spot colours, with sheets to print."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

import pikepdf
from msgspec import Struct
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, Pdf
from PIL import Image

from generator import impose
from generator.build import PrintRun
from generator.diagnostics import Diagnostic, Outcome, warning
from generator.export import Canvas
from generator.geometry import MM_PER_INCH, PT_PER_MM, Point, Size, bounds, format_mm
from generator.model.catalogue import Cutter, Paper, PrinterProfile
from generator.model.face import LineMark, PdfLayer, Placement, PrintedPiece, Sheet, Side
from generator.model.pack import Backs, Layout, Print
from generator.model.painted import Segment
from generator.outlets.shipment import (
    Lot,
    Outlet,
    PictureOrder,
    Shipment,
    Shipped,
    left_out,
)
from generator.outlines import die, polylines
from generator.writing import save

_STEPS: Final = 16
"""Lines for a curve in a DXF; a corner of 10 mm is then off by 0.012 mm at most."""
_HAIRLINE: Final = 0.1
"""mm, the width of lines on the screen."""


class CutKind(StrEnum):
    """Kinds of lines: creased, cut down to the backing, or cut through."""

    CREASE = "Crease"
    KISS = "Kiss cut"
    THROUGH = "Cut"


class _Pen(NamedTuple):
    """Colours and layers for a kind of line."""

    colour: str
    dxf_layer: str
    dxf_colour: int
    spot: str
    inks: tuple[int, int, int, int]


_PENS: Final = {
    CutKind.CREASE: _Pen("#00a000", "CREASE", 3, "Crease", (1, 0, 1, 0)),
    CutKind.KISS: _Pen("#0050ff", "KISSCUT", 5, "CutContour", (0, 1, 0, 0)),
    CutKind.THROUGH: _Pen("#ff0000", "CUT", 1, "CutContour", (0, 1, 0, 0)),
}
# ezdxf would add 27 MB to each installation, and read its settings from the current folder.
_DXF_HEAD: Final = (
    *((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (0, "ENDSEC")),
    *((0, "SECTION"), (2, "ENTITIES")),
)


class Contour(Struct, frozen=True):
    """A line that the machine follows on a sheet."""

    cut: CutKind
    segments: tuple[Segment, ...]

    @property
    def is_closed(self) -> bool:
        """Return True for an outline."""
        return self.segments[-1][0] == "Z"

    @property
    def points(self) -> list[Point]:
        """Return the corners of the line, with curves as many short lines."""
        return polylines(self.segments, _STEPS)[0]


def contours_of(sheet: Sheet, stickers: Collection[str]) -> tuple[Contour, ...]:
    """Return the lines on the front of a sheet: creases, then the holes and outline of each piece.

    Kinds in `stickers` are cut down to their backing.
    """
    placed = [p for p in sheet.placements if p.side is Side.FRONT and p.poster is None]
    creases = [crease for placement in placed for crease in _creases(placement)]
    return (*creases, *(cut for p in placed for cut in _outlines(p, p.face.kind in stickers)))


def is_cut(sheet: Sheet) -> bool:
    """Return True for a sheet with registration marks."""
    return any(mark.layer is PdfLayer.REGISTRATION for mark in sheet.marks)


def _outlines(placement: Placement, sticker: bool) -> list[Contour]:
    cut = CutKind.KISS if sticker else CutKind.THROUGH
    parts: list[list[Segment]] = []
    for segment in die(placement.face.stock):
        if segment[0] == "M":
            parts.append([])
        parts[-1].append(_placed(segment, placement))

    def area(outline: Contour) -> float:
        box = bounds(outline.points)
        return box.width * box.height

    return sorted((Contour(cut, tuple(part)) for part in parts if len(part) > 1), key=area)


def _creases(placement: Placement) -> Iterator[Contour]:
    for fold in placement.face.stock.folds:
        start, end = ("M", (fold.start.x, fold.start.y)), ("L", (fold.end.x, fold.end.y))
        yield Contour(CutKind.CREASE, (_placed(start, placement), _placed(end, placement)))


def _placed(segment: Segment, placement: Placement) -> Segment:
    """Move a step of an outline from its trim to its place on the page."""
    step, numbers = segment
    trim, centre = placement.face.stock.trim, placement.trim.centre
    middle = Point(trim.width / 2, trim.height / 2)
    moved: list[float] = []
    for x, y in zip(numbers[::2], numbers[1::2], strict=True):
        turned = Point(x, y).turned(placement.rotation, middle)
        moved += (turned.x + centre.x - middle.x, turned.y + centre.y - middle.y)
    return step, tuple(moved)


def _numbers(points: Iterable[float]) -> str:
    return " ".join(map(format_mm, points))


def as_svg(title: str, sheet: Sheet, contours: Sequence[Contour]) -> str:
    """Return a drawing of the sheet's size, with a layer for the marks and for each kind of cut."""
    size = sheet.size
    wide, high = format_mm(size.width), format_mm(size.height)
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg"'
        ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
        f' width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}">',
        f"<title>{title}</title>",
    ]
    marks = [
        f'<path d="M {_numbers((m.start.x, m.start.y))} L {_numbers((m.end.x, m.end.y))}"'
        f' stroke-width="{format_mm(m.width)}"/>'
        for m in sheet.marks
        if isinstance(m, LineMark) and m.layer is PdfLayer.REGISTRATION
    ]
    if marks:
        parts += [_layer("Regmarks", "#000000"), *marks, "</g>"]
    for cut, some in groupby(sorted(contours, key=_rank), key=lambda one: one.cut):
        lines = [f'<path d="{_svg_path(one)}" stroke-width="{_HAIRLINE}"/>' for one in some]
        parts += [_layer(cut, _PENS[cut].colour), *lines, "</g>"]
    return "\n".join((*parts, "</svg>\n"))


def _svg_path(contour: Contour) -> str:
    return " ".join(f"{step} {_numbers(points)}".strip() for step, points in contour.segments)


def _layer(name: str, colour: str) -> str:
    return (
        f'<g id="{name.replace(" ", "-")}" inkscape:groupmode="layer" inkscape:label="{name}"'
        f' fill="none" stroke="{colour}">'
    )


def _rank(contour: Contour) -> int:
    return list(CutKind).index(contour.cut)


def as_dxf(size: Size, contours: Sequence[Contour]) -> str:
    """Return the same as DXF R12 in mm; y points up from the lower left of the page."""
    tags: list[tuple[int, object]] = [*_DXF_HEAD]
    for one in sorted(contours, key=_rank):
        layer, colour = _PENS[one.cut].dxf_layer, _PENS[one.cut].dxf_colour
        points = [(round(p.x, 4), round(size.height - p.y, 4)) for p in one.points]
        if one.is_closed and points[-1] == points[0]:
            points.pop()
        tags += [(0, "POLYLINE"), (8, layer), (62, colour), (66, 1), *_at(0.0, 0.0)]
        tags.append((70, int(one.is_closed)))
        for x, y in points:
            tags += [(0, "VERTEX"), (8, layer), *_at(x, y)]
        tags += [(0, "SEQEND"), (8, layer)]
    tags += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code}\n{value}\n" for code, value in tags)


def _at(x: float, y: float) -> tuple[tuple[int, float], ...]:
    return (10, x), (20, y), (30, 0.0)


def add_spots(pdf: Pdf, page: pikepdf.Page, height: float, contours: Sequence[Contour]) -> None:
    """Draw the contours on a page of this height, mm, in spot colours that plotters know."""
    resources = page.obj.Resources
    spaces, parts = Dictionary(), ["q 0.25 w /Overprinted gs"]
    for one in sorted(contours, key=_rank):
        spot, inks = _PENS[one.cut].spot, list(_PENS[one.cut].inks)
        tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=inks, N=1)
        spaces[f"/{spot}"] = Array([Name.Separation, Name(f"/{spot}"), Name.DeviceCMYK, tint])
        parts += [f"/{spot} CS 1 SCN", *_pdf_path(one, height), "S"]
    resources.ColorSpace = spaces
    resources.ExtGState = Dictionary(Overprinted=Dictionary(Type=Name.ExtGState, OP=True, OPM=1))
    drawn = page.obj.Contents.read_bytes()
    page.obj.Contents = pdf.make_stream(drawn + "\n".join((*parts, "Q\n")).encode())


def _pdf_path(contour: Contour, height: float) -> Iterator[str]:
    operators = {"M": "m", "L": "l", "C": "c", "Z": "h"}
    for step, points in contour.segments:
        flipped = (height - v if i % 2 else v for i, v in enumerate(points))
        yield " ".join((*(f"{v * PT_PER_MM:.4f}" for v in flipped), operators[step]))


PLOTTER: Final = "plotter"
"""Folder of PDFs that contain their contours."""
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
"""Clockwise, unlike Pillow's rotations."""


class CuttingMachines(Outlet):
    """The outlet for cutting machines."""

    name = "cutter"
    title = "the cutting machine"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Write a folder for each machine, and one of PDFs with contours for plotters.

        A machine that looks for marks gets PDFs with an SVG and a DXF for each sheet; one that
        prints by itself gets pictures of sheets.
        """
        findings = list(_left_out(shipment))
        stickers = {lot.kind.name for lot in shipment.lots if lot.stickers}
        for cutter in shipment.catalogue.cutters.values():
            if cutter.marks is not None:
                made = _sheets(shipment, cutter, stickers)
            else:
                made = _pictures(shipment, cutter, stickers)
            findings += made.diagnostics
            if not made.ok:
                return Outcome((), tuple(findings))
        files = sorted(p for p in shipment.folder.rglob("*") if p.is_file())
        paths = [path.relative_to(shipment.folder).as_posix() for path in files]
        is_any = any(path.endswith(".svg") for path in paths)
        return Outcome(tuple(map(Shipped, paths)) if is_any else (), tuple(dict.fromkeys(findings)))


def _left_out(shipment: Shipment) -> Iterator[Diagnostic]:
    """Yield GP712 for each print that no machine cuts."""
    wanted = {lot.kind.name for lot in shipment.lots}
    for print_ in shipment.pack.prints:
        if print_.layout in _UNCUT and wanted & set(print_.kinds):
            message = f"{print_.title}: not cut by a machine, because {_UNCUT[print_.layout]}"
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
    """Write the cutting files for a PDF, and the PDF for plotters."""
    folder = shipment.folder / cutter.name
    digits = len(str(run.sheets[-1].number))
    with Pdf.open(folder / run.file_name) as pdf:
        for page, sheet in zip(pdf.pages, run.sheets, strict=True):
            if sheet.side is not Side.FRONT or not is_cut(sheet):
                continue
            contours = contours_of(sheet, stickers)
            stem = run.file_name.removesuffix(".pdf")
            name = f"{stem}-{sheet.number:0{digits}}"
            title = f"{shipment.pack.title} · {name}"
            _write(shipment, f"{cutter.name}/{name}", title, sheet, contours)
            add_spots(pdf, page, sheet.size.height, contours)
        for_plotter = shipment.folder / PLOTTER / run.file_name
        if for_plotter.exists():  # made for an earlier machine
            return
        save(
            pdf,
            for_plotter,
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
    """Write a picture of each sheet, transparent between its pieces, with the lines to cut."""
    assert cutter.area is not None
    findings: list[Diagnostic] = []
    imposed: list[tuple[str, Sheet]] = []
    for print_ in shipment.pack.prints:
        lots = [lot for lot in shipment.lots if lot.kind.name in print_.kinds]
        if print_.layout not in _UNCUT and lots:
            large = [lot for lot in lots if not _fits(lot.stock.trim, cutter.area)]
            why = f"it is larger than {cutter.area.width:.0f} × {cutter.area.height:.0f} mm"
            hint = "print it with marks, or cut it by hand"
            findings += (left_out(lot, cutter.title, why, hint) for lot in large)
            imposed += _imposed(print_, [lot for lot in lots if lot not in large], cutter)
    drawings: dict[str, PictureOrder] = {}
    for _, sheet in imposed:
        for placed in sheet.placements:
            face = placed.face
            canvas = Canvas.cut_out(face.stock, DPI)
            path = f"{cutter.name}/{face.kind}-{face.component}-{face.sha256[:8]}.png"
            drawings[face.sha256] = PictureOrder(face, canvas, path, 0)
    if not drawings:
        return Outcome(None, tuple(findings))
    drawn = shipment.draw(list(drawings.values()))
    findings += drawn.diagnostics
    if not drawn.ok:
        return Outcome(None, tuple(findings))
    for name, sheet in imposed:
        stem = f"{cutter.name}/{name}"
        _compose(shipment, f"{stem}.png", sheet, drawings)
        title = f"{shipment.pack.title} · {name}"
        _write(shipment, stem, title, sheet, contours_of(sheet, stickers))
    for drawing in drawings.values():
        (shipment.folder / drawing.path).unlink()
    return Outcome(None, tuple(findings))


def _fits(trim: Size, area: Size) -> bool:
    return trim.fits_in(area) or trim.turned.fits_in(area)


def _imposed(print_: Print, lots: Sequence[Lot], cutter: Cutter) -> Iterator[tuple[str, Sheet]]:
    """Yield the fronts of a print on sheets of the cutter's area, with their names."""
    assert cutter.area is not None
    paper = Paper(cutter.name, cutter.title, cutter.area, margin=0.0)
    pieces = [PrintedPiece(p.front, None, p.copies) for lot in lots for p in lot.pieces]
    slug = impose.Slug("", "", "")
    laid = impose.impose(print_, pieces, paper, Backs.NONE, profile=PrinterProfile(), slug=slug)
    digits = len(str(len(laid.value)))
    for sheet in laid.value:
        yield f"{print_.name}-{sheet.number:0{digits}}", sheet


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
