"""The marks of a sheet: crop marks, fold ticks and die lines, all outside of any art but the last;
ruler and slug in the first free place; long, since where one mark stands no other may.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from fontTools.pens.transformPen import TransformPen
from msgspec import Struct

from generator.geometry import MM_PER_INCH, Point, Rect, Size, bounds, format_mm, pt_to_mm
from generator.impose.page_layout import (
    FOLD_DASH,
    LABEL_ROOM,
    LEAST_MARK,
    RULERS,
    Crease,
    Guide,
    PageCell,
    PageLayout,
    PlacedFace,
    Polygon,
    ruler_length,
)
from generator.model.catalogue import Fold, Registration, Stock
from generator.model.face import LineMark, Mark, PathMark, PdfLayer, Side, TextMark
from generator.outlines import SegmentPen, outline, trace

_EPSILON: Final = 1e-6


class MarkStyle(Struct, frozen=True):
    """How marks look, mm. A crop mark starts `offset` from the trim, and never inside bleed; it
    moves closer and shortens where room is short. `grey` runs from 0, black, to 1, white."""

    length: float = 4.0
    offset: float = 3.0
    width: float = 0.15
    grey: float = 0.5


def marks_of(
    layout: PageLayout,
    area: Rect,
    wordings: Sequence[str],
    style: MarkStyle,
    registration: Registration | None = None,
) -> tuple[Mark, ...]:
    """All marks of a page whose printable part is `area`; `wordings` are its slug in ever fewer
    words. A front that is not part of a poster has marks for `registration`."""
    art = tuple(item.cell.art for item in layout.faces)
    is_cut = layout.side is Side.FRONT and all(item.poster is None for item in layout.faces)
    found_by, taken = registered(layout.page, registration) if registration and is_cut else ((), ())
    clear_of = (*art, *layout.keep_clear, *map(_box_of, layout.lines), *taken)
    edge = _ruler_and_slug(layout.page, area, clear_of, wordings, style.grey)
    crops = (item.cell for item in layout.faces if item.guide is Guide.CROP)
    creases = (*layout.creases, *_creases(layout.faces))
    return (
        *layout.lines,
        *_outside((*crops, *layout.crop), creases, art, (*edge.boxes, *taken), area, style=style),
        *_dies(layout.faces, style),
        *(PathMark(PdfLayer.CUT, _line(cut), style.width, style.grey) for cut in layout.cuts),
        *_inner_folds(layout.faces, style),
        *edge.marks,
        *found_by,
    )


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


def registered(page: Size, marks: Registration) -> tuple[tuple[LineMark, ...], tuple[Rect, ...]]:
    """The marks that a cutter finds a page by, and the boxes that they need for themselves."""
    left, top = marks.inset, marks.inset
    right, bottom = page.width - marks.inset, page.height - marks.inset
    angles = (*_angle(right, top, -1, 1, marks), *_angle(left, bottom, 1, -1, marks))
    if marks.square:
        middle = top + marks.square / 2
        square = _registration(left, middle, left + marks.square, middle, marks.square)
        lines = (square, *angles)
    else:
        lines = (*_angle(left, top, 1, 1, marks), *angles, *_angle(right, bottom, -1, -1, marks))
    return lines, tuple(_inked(line).grown(marks.clear) for line in lines)


def _angle(x: float, y: float, dx: int, dy: int, marks: Registration) -> tuple[LineMark, ...]:
    """Return the legs of an angle, which lead from its outer corner in these directions."""
    half, legs = marks.thickness / 2, marks.length
    (x1, x2), (y1, y2) = sorted((x, x + dx * legs)), sorted((y, y + dy * legs))
    return (
        _registration(x1, y + dy * half, x2, y + dy * half, marks.thickness),
        _registration(x + dx * half, y1, x + dx * half, y2, marks.thickness),
    )


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


def _box_of(mark: LineMark | TextMark) -> Rect:
    """What a mark takes, to keep ruler and slug off it; who sets text keeps its box clear."""
    return bounds((mark.at,)) if isinstance(mark, TextMark) else bounds((mark.start, mark.end))


def _line(cut: Polygon) -> str:
    """Path data of a line to cut along; one that ends where it starts is closed."""
    closed = cut[0] == cut[-1]
    corners = cut[:-1] if closed else cut
    points = " L ".join(f"{format_mm(p.x)} {format_mm(p.y)}" for p in corners)
    return f"M {points} Z" if closed else f"M {points}"


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


_TOUCH: Final = 1e-6
"""mm that boxes may share and count as apart."""


class FreeSpace(Struct, frozen=True):
    """A place for something that reads along a line: a box on the page, mm, and whether it reads
    upwards there instead of from left to right."""

    box: Rect
    upwards: bool

    def at(self, along: float, across: float) -> Point:
        """A point of the thing, by its distance from the start and from the top, mm."""
        if self.upwards:
            return Point(round(self.box.x + across, 4), round(self.box.bottom - along, 4))
        return Point(round(self.box.x + along, 4), round(self.box.y + across, 4))

    @property
    def rotation(self) -> int:
        """Clockwise turn of text, degrees."""
        return 270 if self.upwards else 0


def find_space(
    size: Size, within: Rect, taken: Sequence[Rect], bottom_first: bool = False
) -> FreeSpace | None:
    """The first free place inside an area: at its top or bottom, at its sides reading upwards,
    then in a gutter between taken boxes. None when there is none."""
    ends = _at_ends(size, within, bottom_first)
    for spaces in (ends, _at_sides(size.turned, within), _in_gutters(size, within, taken)):
        for space in spaces:
            if within.contains(space.box) and not any(space.box.overlaps(box) for box in taken):
                return space
    return None


def _at_ends(size: Size, within: Rect, bottom_first: bool) -> Iterator[FreeSpace]:
    ys = (within.y, within.bottom - size.height)
    for y in reversed(ys) if bottom_first else ys:
        for x in (within.x, within.right - size.width):
            yield FreeSpace(Rect(x, y, size.width, size.height), upwards=False)


def _at_sides(size: Size, within: Rect) -> Iterator[FreeSpace]:
    for x in (within.x, within.right - size.width):
        for y in (within.bottom - size.height, within.y):
            yield FreeSpace(Rect(x, y, size.width, size.height), upwards=True)


def _in_gutters(size: Size, within: Rect, taken: Sequence[Rect]) -> Iterator[FreeSpace]:
    """Free places right of or below something: a gutter starts where a box ends."""
    edges = {(box.x, box.y, box.right, box.bottom) for box in taken}
    xs = sorted({within.x} | {round(right, 6) for _, _, right, _ in edges})
    ys = sorted({within.y} | {round(bottom, 6) for _, _, _, bottom in edges})
    for upwards, box in ((False, size), (True, size.turned)):
        for y in ys:
            start, end = y + _TOUCH, y + box.height - _TOUCH
            beside = [(x, right) for x, top, right, low in edges if top < end and start < low]
            for x in _free(xs, box.width, beside):
                yield FreeSpace(Rect(x, y, box.width, box.height), upwards)


def _free(
    xs: Sequence[float], width: float, beside: Sequence[tuple[float, float]]
) -> Iterator[float]:
    """Those x from which nothing starts or goes on for `width` mm; what one box covers is
    skipped."""
    beyond = -math.inf
    for x in xs:
        if x < beyond:
            continue
        end = x + width - _TOUCH
        covering = [right for left, right in beside if left < end and x < right - _TOUCH]
        if not covering:
            yield x
        else:
            beyond = max(covering) - _TOUCH


RULER_HEIGHT: Final = 3.5
"""mm across both scales."""
_LABEL_GAP: Final = 1.2
_LABEL_PT: Final = 4.5
_LINE_GAP: Final = 0.3
_TICK: Final = 0.9
_END_TICK: Final = 1.6


def ruler_marks(space: FreeSpace, ruler: tuple[int, int], grey: float) -> Iterator[Mark]:
    """Two scales back to back: centimetres with ticks up, half inches with ticks down."""
    mm, inches = ruler
    centimetres = [i * 10.0 for i in range(mm // 10 + 1)]
    half_inches = [i * MM_PER_INCH / 2 for i in range(2 * inches + 1)]
    label = ruler_length(ruler) - LABEL_ROOM + _LABEL_GAP
    upper, lower = (RULER_HEIGHT - _LINE_GAP) / 2, (RULER_HEIGHT + _LINE_GAP) / 2
    yield from _scale(space, upper, -1, centimetres, grey)
    yield TextMark(PdfLayer.GUIDES, space.at(label, upper), f"{mm} mm", _LABEL_PT, space.rotation)
    yield from _scale(space, lower, 1, half_inches, grey)
    yield TextMark(
        PdfLayer.GUIDES,
        space.at(label, RULER_HEIGHT - 0.1),
        f"{inches} in",
        _LABEL_PT,
        space.rotation,
    )


def _scale(
    space: FreeSpace, line: float, out: int, ticks: list[float], grey: float
) -> Iterator[Mark]:
    yield LineMark(PdfLayer.GUIDES, space.at(0, line), space.at(ticks[-1], line), grey=grey)
    for tick in ticks:
        length = _END_TICK if tick in (0, ticks[-1]) else _TICK
        tip = space.at(tick, line + out * length)
        yield LineMark(PdfLayer.GUIDES, space.at(tick, line), tip, grey=grey)


CLEARANCE: Final = 0.4
"""mm that ruler and slug keep from art at the very least."""
_PAGE_EDGE: Final = 1.0
"""mm that they keep from the paper's edge when the printable area has no room."""
_SLUG_SIZES: Final = (6.0, 5.0)
_CHARACTER: Final = 0.58
"""Width of a character of the slug in em, on the large side for any sans."""


Boxes = tuple[Rect, ...]
FreeRoom = tuple[Rect, Boxes]
"""An area, and what in it is taken."""


class _BoxedMarks(Struct, frozen=True):
    """Marks and the boxes that they take, which other marks keep out of."""

    marks: tuple[Mark, ...] = ()
    boxes: tuple[Rect, ...] = ()


def _ruler_and_slug(
    page: Size, area: Rect, art: Sequence[Rect], wordings: Sequence[str], grey: float
) -> _BoxedMarks:
    """Ruler and slug for a page whose printable part is `area`, clear of all art.

    `wordings` are the slug in ever fewer words; the first that finds a place is set. Each
    stands at an edge of the printable area or in a gutter and leaves room for crop marks; else it
    takes their room; else it stands in the paper's margin, which not every printer reaches; where
    there is room in none of these it is left out.
    """
    rooms = _rooms(area, Rect(0, 0, page.width, page.height).grown(-_PAGE_EDGE), tuple(art))
    ruler = _ruler(rooms, grey)
    standing = tuple(box.grown(CLEARANCE) for box in ruler.boxes)
    slug = _slug(tuple((within, taken + standing) for within, taken in rooms), wordings)
    return _BoxedMarks(ruler.marks + slug.marks, ruler.boxes + slug.boxes)


def _rooms(area: Rect, page: Rect, art: Boxes) -> tuple[FreeRoom, ...]:
    near = tuple(box.grown(CLEARANCE) for box in art)
    far = tuple(box.grown(LEAST_MARK) for box in art)
    return ((area, far), (area, near), (page, near))


@lru_cache(maxsize=16)
def _ruler(rooms: tuple[FreeRoom, ...], grey: float) -> _BoxedMarks:
    """The ruler; kept, as it stands in the same place on most sheets of a print."""
    *printable, margin = rooms
    for ruler, (within, taken) in (*product(RULERS, printable), *product(RULERS, (margin,))):
        space = find_space(Size(ruler_length(ruler), RULER_HEIGHT), within, taken)
        if space is not None:
            return _BoxedMarks(tuple(ruler_marks(space, ruler, grey)), (space.box,))
    return _BoxedMarks()


def _slug(rooms: tuple[FreeRoom, ...], wordings: Sequence[str]) -> _BoxedMarks:
    for within, taken in rooms:
        for text in wordings:
            for size in _SLUG_SIZES:
                em = pt_to_mm(size)
                box = Size(len(text) * _CHARACTER * em, 1.2 * em)
                space = find_space(box, within, taken, bottom_first=True)
                if space is not None:
                    at = space.at(0, 0.9 * em)
                    mark = TextMark(PdfLayer.GUIDES, at, text, size, space.rotation)
                    return _BoxedMarks((mark,), (space.box,))
    return _BoxedMarks()
