"""The marks of a sheet: crop marks, fold ticks and die lines, all outside of any art but the last.

From the layout of a page it makes the finished sheet, printer profile, ruler and slug included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from fontTools.pens.transformPen import TransformPen
from msgspec import Struct
from msgspec.structs import replace

from generator.geometry import ORIGIN, Point, Rect, Size, bounds, format_mm
from generator.impose.page_layout import (
    FOLD_DASH,
    LEAST_MARK,
    Crease,
    Guide,
    Job,
    PageCell,
    PageLayout,
    PlacedFace,
    Polygon,
    printable_box,
)
from generator.impose.slug import ruler_and_slug
from generator.model.catalogue import Fold, PrinterProfile, PrinterStretch, Registration, Stock
from generator.model.sheet import (
    LineMark,
    Mark,
    PathMark,
    PdfLayer,
    Placement,
    Sheet,
    Side,
    TextMark,
)
from generator.outlines import SegmentPen, outline, trace

_EPSILON: Final = 1e-6


class MarkStyle(Struct, frozen=True):
    """How marks look, mm. A crop mark starts `offset` from the trim, and never inside bleed; it
    moves closer and shortens where room is short. `grey` runs from 0, black, to 1, white."""

    length: float = 4.0
    offset: float = 3.0
    width: float = 0.15
    grey: float = 0.5


class Clearance:
    """How far a mark may run before it meets art, another mark or the end of the printable area."""

    def __init__(
        self, art: Sequence[Rect], boxes: Sequence[Rect], area: Rect, style: MarkStyle
    ) -> None:
        self._pad = style.width / 2
        self._level = (tuple(art), tuple(boxes), area)
        self._upright = (tuple(map(_swapped, art)), tuple(map(_swapped, boxes)), _swapped(area))
        self._lanes: dict[tuple[bool, float], tuple[list[Rect], list[Rect]]] = {}

    def reach(self, start: Point, dx: int, dy: int) -> float:
        """mm free from a point in one of the four directions. Of the space towards other art only
        half counts: the other half is for the mark that comes from there."""
        upright = dx == 0
        x, y = (start.y, start.x) if upright else (start.x, start.y)
        step = dy if upright else dx
        art, boxes = self._lane(upright, y)
        area = (self._upright if upright else self._level)[2]
        if not area.y - _EPSILON <= y <= area.bottom + _EPSILON:
            return 0.0
        free = area.right - x if step > 0 else x - area.x
        for box in boxes:
            free = min(free, _distance(box, x, step))
        for box in art:
            free = min(free, _distance(box, x, step) / 2)
        return max(free, 0.0)

    def _lane(self, upright: bool, y: float) -> tuple[list[Rect], list[Rect]]:
        """What stands in the way of a mark along a line; kept, as many marks share a line."""
        key = (upright, round(y, 4))
        if key not in self._lanes:
            art, boxes, _ = self._upright if upright else self._level
            self._lanes[key] = (
                [box for box in art if self._meets(box, y)],
                [box for box in boxes if self._meets(box, y)],
            )
        return self._lanes[key]

    def _meets(self, box: Rect, y: float) -> bool:
        return box.y - self._pad + _EPSILON < y < box.bottom + self._pad - _EPSILON


def crop_marks(cuts: Iterable[PageCell], clear: Clearance, style: MarkStyle) -> list[LineMark]:
    """Two marks at each corner of each trim, along the cuts, wherever there is room for them."""
    marks = (mark for cell in cuts for mark in _corner_marks(cell, clear, style))
    return list(dict.fromkeys(marks))


def fold_ticks(creases: Iterable[Crease], clear: Clearance, style: MarkStyle) -> list[LineMark]:
    """Dashed ticks past both ends of creases, which run level or upright."""
    ticks: list[LineMark] = []
    for crease in creases:
        for end, other in ((crease.start, crease.end), (crease.end, crease.start)):
            dx, dy = _sign(end.x - other.x), _sign(end.y - other.y)
            bleed = _bleed_beyond(crease.art, end, dx, dy)
            for start, stop in _tick(end, (dx, dy), bleed, clear, style):
                mark = LineMark(PdfLayer.FOLD, start, stop, style.width, style.grey, FOLD_DASH)
                ticks.append(mark)
    return list(dict.fromkeys(ticks))


def _corner_marks(cell: PageCell, clear: Clearance, style: MarkStyle) -> Iterator[LineMark]:
    trim, art = cell.trim, cell.art
    for dx, x in ((-1, trim.x), (1, trim.right)):
        for dy, y in ((-1, trim.y), (1, trim.bottom)):
            corner = Point(x, y)
            for step in ((dx, 0), (0, dy)):
                bleed = _bleed_beyond(art, corner, *step)
                for start, end in _tick(corner, step, bleed, clear, style):
                    yield LineMark(PdfLayer.CUT, start, end, style.width, style.grey)


def _tick(
    corner: Point, step: tuple[int, int], bleed: float, clear: Clearance, style: MarkStyle
) -> Iterator[tuple[Point, Point]]:
    """A mark that starts past the bleed and ends where the room does, if that is long enough."""
    dx, dy = step
    free = clear.reach(corner.moved(dx * bleed, dy * bleed), dx, dy)
    offset = max(style.offset, bleed)
    end = min(bleed + free, offset + style.length)
    start = max(bleed, min(offset, end - style.length))
    if end - start >= LEAST_MARK - _EPSILON:
        yield _along(corner, step, start), _along(corner, step, end)


def _along(corner: Point, step: tuple[int, int], by: float) -> Point:
    return Point(round(corner.x + step[0] * by, 4), round(corner.y + step[1] * by, 4))


def _bleed_beyond(art: Rect, point: Point, dx: int, dy: int) -> float:
    """mm of art past a point in one of the four directions."""
    if dx:
        return (art.right - point.x) if dx > 0 else (point.x - art.x)
    return (art.bottom - point.y) if dy > 0 else (point.y - art.y)


def _distance(box: Rect, x: float, step: int) -> float:
    """From x to a box ahead; infinite when the box lies behind."""
    near, far = (box.x, box.right) if step > 0 else (-box.right, -box.x)
    here = x * step
    return near - here if far > here + _EPSILON else float("inf")


def _swapped(box: Rect) -> Rect:
    return Rect(box.y, box.x, box.height, box.width)


def _sign(value: float) -> int:
    return 0 if abs(value) < _EPSILON else (1 if value > 0 else -1)


def die_line(stock: Stock, cell: PageCell) -> str:
    """The outline of a stock on the page, as path data of absolute M, L, C and Z, mm.

    Raises ValueError when the stock's own path cannot be read.
    """
    pen = SegmentPen()
    origin, right, down = (on_page(stock, cell, Point(*p)) for p in ((0, 0), (1, 0), (0, 1)))
    onto_page = (
        *(right.x - origin.x, right.y - origin.y),
        *(down.x - origin.x, down.y - origin.y),
        *(origin.x, origin.y),
    )
    trace(stock, outline(stock), TransformPen(pen, onto_page))
    commands: list[str] = []
    start = ""
    for step, values in pen.segments:
        numbers = " ".join(map(format_mm, values))
        if step == "M":
            start = numbers
        elif step == "Z" and commands[-1] == f"L {start}":  # Z draws the last line itself
            commands.pop()
        commands.append(f"{step} {numbers}".rstrip())
    return " ".join(commands)


def on_page(stock: Stock, cell: PageCell, point: Point) -> Point:
    """A point of the trim on the page, turned as the cell's face is."""
    middle = Point(stock.trim.width / 2, stock.trim.height / 2)
    turned = point.turned(cell.rotation, middle)
    centre = cell.trim.centre
    return turned.moved(centre.x - middle.x, centre.y - middle.y)


def crease(stock: Stock, cell: PageCell, fold: Fold) -> Crease:
    """A fold of a stock on the page."""
    return Crease(on_page(stock, cell, fold.start), on_page(stock, cell, fold.end), cell.art)


def crosses_trim(stock: Stock, fold: Fold) -> bool:
    """True for a level or upright fold from one edge of the trim to the other, which can be shown
    by ticks outside of the art."""
    (x1, y1), (x2, y2) = sorted(((fold.start.x, fold.start.y), (fold.end.x, fold.end.y)))
    level = abs(y1 - y2) < _EPSILON and x1 <= _EPSILON and x2 >= stock.trim.width - _EPSILON
    upright = abs(x1 - x2) < _EPSILON and y1 <= _EPSILON and y2 >= stock.trim.height - _EPSILON
    return level or upright


class Slug(Struct, frozen=True):
    """What the line on every sheet says of the file: pack title, version, file name, and DRAFT of a
    file with pictures that may be too coarse."""

    title: str
    version: str
    file: str
    is_draft: bool = False


def finished(
    layout: PageLayout,
    job: Job,
    numbers: tuple[int, int],
    duplex: bool,
    *,
    profile: PrinterProfile,
    slug: Slug,
    style: MarkStyle,
    registration: Registration | None = None,
) -> Sheet:
    """A sheet of a job: `numbers` are its own and how many there are, `duplex` says that there are
    back pages too. A front that is not part of a poster has marks for `registration`.

    What the printer shifts is shifted the other way, marks with their faces; ruler and slug stay,
    and so do registration marks, as a cutter takes the rest from them.
    """
    paper, number = job.paper, numbers[0]
    moved = _shifted(layout, profile)
    art = tuple(item.cell.art for item in moved.faces)
    area = printable_box(layout.page, paper.margin)
    is_cut = layout.side is Side.FRONT and all(item.poster is None for item in moved.faces)
    found_by, taken = registered(layout.page, registration) if registration and is_cut else ((), ())
    clear_of = (*art, *moved.keep_clear, *map(_box_of, moved.lines), *taken)
    told = ("{} of {}".format(*numbers), str(layout.side) if duplex else "", layout.note)
    wordings = _wordings(job, slug, *told)
    edge = ruler_and_slug(layout.page, area, clear_of, wordings, style.grey)
    crops = (item.cell for item in moved.faces if item.guide is Guide.CROP)
    creases = (*moved.creases, *_creases(moved.faces))
    marks: tuple[Mark, ...] = (
        *moved.lines,
        *_outside((*crops, *moved.crop), creases, art, (*edge.boxes, *taken), area, style=style),
        *_dies(moved.faces, style),
        *(PathMark(PdfLayer.CUT, _line(cut), style.width, style.grey) for cut in moved.cuts),
        *_inner_folds(moved.faces, style),
        *edge.marks,
        *found_by,
    )
    label = " ".join(filter(None, (str(number), str(layout.side) if duplex else "", layout.name)))
    placements = tuple(_placement(item, layout.page) for item in moved.faces)
    _, stretch = lands(profile, layout.side)
    return Sheet(paper, layout.page, layout.side, number, label, placements, marks, stretch)


def registered(page: Size, marks: Registration) -> tuple[tuple[LineMark, ...], tuple[Rect, ...]]:
    """The marks that a cutter finds a page by, and the boxes that they need for themselves."""
    half, legs = marks.thickness / 2, marks.length
    left, top = marks.inset, marks.inset
    right, bottom = page.width - marks.inset, page.height - marks.inset
    middle = top + marks.square / 2
    lines = (
        _registration(left, middle, left + marks.square, middle, marks.square),
        _registration(right - legs, top + half, right, top + half, marks.thickness),
        _registration(right - half, top, right - half, top + legs, marks.thickness),
        _registration(left, bottom - half, left + legs, bottom - half, marks.thickness),
        _registration(left + half, bottom - legs, left + half, bottom, marks.thickness),
    )
    return lines, tuple(_inked(line).grown(marks.clear) for line in lines)


def _registration(x1: float, y1: float, x2: float, y2: float, width: float) -> LineMark:
    return LineMark(PdfLayer.REGISTRATION, Point(x1, y1), Point(x2, y2), width)


def _inked(line: LineMark) -> Rect:
    """What a level or upright line covers."""
    box, half = bounds((line.start, line.end)), line.width / 2
    if box.height:
        return Rect(box.x - half, box.y, line.width, box.height)
    return Rect(box.x, box.y - half, box.width, line.width)


@lru_cache(maxsize=16)
def _outside(
    crops: tuple[PageCell, ...],
    creases: tuple[Crease, ...],
    art: tuple[Rect, ...],
    boxes: tuple[Rect, ...],
    area: Rect,
    *,
    style: MarkStyle,
) -> tuple[LineMark, ...]:
    """All marks that stand outside of the art; kept, as most sheets of a print are alike."""
    clear = Clearance(art, boxes, area, style)
    return (*crop_marks(crops, clear, style), *fold_ticks(creases, clear, style))


def lands(profile: PrinterProfile, side: Side) -> tuple[Point, PrinterStretch]:
    """Where a printer puts the ink of a side: how far off, and how stretched."""
    if side is Side.FRONT:
        return profile.front, profile.front_stretch
    return profile.back, profile.back_stretch


def _shifted(layout: PageLayout, profile: PrinterProfile) -> PageLayout:
    """The layout against the printer's measured offset of that side."""
    offset, _ = lands(profile, layout.side)
    if offset == ORIGIN:
        return layout
    by = Point(-offset.x, -offset.y)
    return replace(
        layout,
        faces=tuple(item.moved(by) for item in layout.faces),
        crop=tuple(cell.moved(by) for cell in layout.crop),
        creases=tuple(
            Crease(c.start.moved(by.x, by.y), c.end.moved(by.x, by.y), c.art.moved(by.x, by.y))
            for c in layout.creases
        ),
        lines=tuple(_mark_moved(mark, by) for mark in layout.lines),
        cuts=tuple(tuple(p.moved(by.x, by.y) for p in cut) for cut in layout.cuts),
    )


def _mark_moved(mark: LineMark | TextMark, by: Point) -> LineMark | TextMark:
    if isinstance(mark, TextMark):
        return replace(mark, at=mark.at.moved(by.x, by.y))
    return replace(mark, start=mark.start.moved(by.x, by.y), end=mark.end.moved(by.x, by.y))


def _box_of(mark: LineMark | TextMark) -> Rect:
    """What a mark takes, to keep ruler and slug off it; who sets text keeps its box clear."""
    return bounds((mark.at,)) if isinstance(mark, TextMark) else bounds((mark.start, mark.end))


def _line(cut: Polygon) -> str:
    """Path data of a line to cut along; one that ends where it starts is closed."""
    closed = cut[0] == cut[-1]
    corners = cut[:-1] if closed else cut
    points = " L ".join(f"{format_mm(p.x)} {format_mm(p.y)}" for p in corners)
    return f"M {points} Z" if closed else f"M {points}"


def _wordings(job: Job, slug: Slug, count: str, side: str, note: str) -> tuple[str, ...]:
    """The slug in full and in ever fewer words for small papers."""
    sheet = f"sheet {count}, {side}" if side else f"sheet {count}"
    sheet = f"{sheet} · {note}" if note else sheet
    name = f"{slug.title} {slug.version}"
    media = [job.label_sheet.title] if job.label_sheet else []
    media += [job.print_.media] if job.print_.media else []
    scale = "print at 100 %, no scaling"
    wordings = (
        (name, slug.file, sheet, job.paper.title, *media, scale),
        (name, slug.file, sheet, job.paper.title, scale),
        (name, sheet, job.paper.title, scale),
        (sheet, scale),
        (sheet,),
    )
    draft = ("DRAFT",) if slug.is_draft else ()
    return tuple(" · ".join((*draft, *words)) for words in wordings)


def _dies(items: tuple[PlacedFace, ...], style: MarkStyle) -> list[PathMark]:
    return [
        PathMark(
            PdfLayer.CUT,
            die_line(item.face.stock, item.cell),
            style.width,
            style.grey,
            item.cell.art if item.poster else None,
        )
        for item in items
        if item.guide is Guide.DIE
    ]


def _creases(items: tuple[PlacedFace, ...]) -> list[Crease]:
    return [
        crease(item.face.stock, item.cell, fold)
        for item in items
        if item.guide.is_drawn and item.cell.art.contains(item.cell.trim)
        for fold in item.face.stock.folds
        if crosses_trim(item.face.stock, fold)
    ]


def _inner_folds(items: tuple[PlacedFace, ...], style: MarkStyle) -> list[LineMark]:
    """Folds that end inside the trim, or slant, cannot be shown from outside: they are drawn."""
    return [
        LineMark(
            PdfLayer.FOLD,
            on_page(item.face.stock, item.cell, fold.start),
            on_page(item.face.stock, item.cell, fold.end),
            style.width,
            style.grey,
            FOLD_DASH,
        )
        for item in items
        if item.guide.is_drawn and item.cell.art.contains(item.cell.trim)
        for fold in item.face.stock.folds
        if not crosses_trim(item.face.stock, fold)
    ]


def _placement(item: PlacedFace, page: Size) -> Placement:
    trim, bleed = item.cell.trim, item.face.stock.bleed
    clip = item.cell.art.cut_to(Rect(0, 0, page.width, page.height))
    return Placement(
        face=item.face,
        copy=item.copy,
        side=item.side,
        x=trim.x,
        y=trim.y,
        width=trim.width,
        height=trim.height,
        rotation=item.cell.rotation,
        bleed=bleed,
        clip=None if clip == trim.grown(bleed) and not item.cell.edge else clip,
        edge=item.cell.edge,
        poster=item.poster,
        marked=item.guide is not Guide.LABEL,
    )
