"""The marks of a sheet: crop marks, fold ticks, die lines, and what a cutter finds it by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from fontTools.pens.transformPen import TransformPen

from generator.geometry import Point, Rect, Size, bounds, format_mm
from generator.impose.page_layout import (
    FOLD_DASH,
    LEAST_MARK,
    MARK_GREY,
    Crease,
    Guide,
    PageCell,
    PageLayout,
    PlacedFace,
    Polygon,
)
from generator.impose.ruler_and_slug import ruler_and_slug
from generator.model.catalogue import Fold, Registration, Stock
from generator.model.face import LineMark, Mark, PathMark, PdfLayer, Side, TextMark
from generator.outlines import SegmentPen, outline, trace

_EPSILON: Final = 1e-6


MARK_LENGTH: Final = 4.0
"""mm of a crop mark, unless there is less room."""
MARK_OFFSET: Final = 3.0
"""mm between trim and crop mark, unless bleed or room ask for another distance."""
MARK_WIDTH: Final = 0.15


def marks_of(
    layout: PageLayout,
    area: Rect,
    wordings: Sequence[str],
    registration: Registration | None = None,
) -> tuple[Mark, ...]:
    """Return all marks of a page; `wordings` are its slug in ever fewer words.

    Fronts have registration marks, except for posters.
    """
    art = tuple(item.cell.art for item in layout.faces)
    is_cut = layout.side is Side.FRONT and all(item.poster is None for item in layout.faces)
    found_by, taken = registered(layout.page, registration) if registration and is_cut else ((), ())
    clear_of = (*art, *layout.keep_clear, *map(_box_of, layout.lines), *taken)
    edge = ruler_and_slug(layout.page, area, clear_of, wordings)
    crops = (item.cell for item in layout.faces if item.guide is Guide.CROP)
    creases = (*layout.creases, *_creases(layout.faces))
    return (
        *layout.lines,
        *_outside((*crops, *layout.crop), creases, art, (*edge.boxes, *taken), area),
        *_dies(layout.faces),
        *(PathMark(PdfLayer.CUT, _line(cut), MARK_WIDTH, MARK_GREY) for cut in layout.cuts),
        *_inner_folds(layout.faces),
        *edge.marks,
        *found_by,
    )


class Clearance:
    """Measures how far a mark may run before it meets art, a box or the end of the area."""

    def __init__(self, art: Sequence[Rect], boxes: Sequence[Rect], area: Rect) -> None:
        self._pad = MARK_WIDTH / 2
        self._level = (tuple(art), tuple(boxes), area)
        self._upright = (tuple(map(_swapped, art)), tuple(map(_swapped, boxes)), _swapped(area))
        self._lanes: dict[tuple[bool, float], tuple[list[Rect], list[Rect]]] = {}

    def reach(self, start: Point, dx: int, dy: int) -> float:
        """Return the free length from a point in one of four directions, mm.

        Only half of the way to other art counts; the other half is for its own mark.
        """
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
        """Return what is in the way of marks along a line; many marks share one."""
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


def crop_marks(cuts: Iterable[PageCell], clear: Clearance) -> list[LineMark]:
    """Return two marks along the cuts at each corner of each trim, where there is room."""
    marks = (mark for cell in cuts for mark in _corner_marks(cell, clear))
    return list(dict.fromkeys(marks))


def fold_ticks(creases: Iterable[Crease], clear: Clearance) -> list[LineMark]:
    """Return dashed ticks past both ends of level and upright creases."""
    ticks: list[LineMark] = []
    for crease in creases:
        for end, other in ((crease.start, crease.end), (crease.end, crease.start)):
            dx, dy = _sign(end.x - other.x), _sign(end.y - other.y)
            bleed = _bleed_beyond(crease.art, end, dx, dy)
            for start, stop in _tick(end, (dx, dy), bleed, clear):
                mark = LineMark(PdfLayer.FOLD, start, stop, MARK_WIDTH, MARK_GREY, FOLD_DASH)
                ticks.append(mark)
    return list(dict.fromkeys(ticks))


def _corner_marks(cell: PageCell, clear: Clearance) -> Iterator[LineMark]:
    trim, art = cell.trim, cell.art
    for dx, x in ((-1, trim.x), (1, trim.right)):
        for dy, y in ((-1, trim.y), (1, trim.bottom)):
            corner = Point(x, y)
            for step in ((dx, 0), (0, dy)):
                bleed = _bleed_beyond(art, corner, *step)
                for start, end in _tick(corner, step, bleed, clear):
                    yield LineMark(PdfLayer.CUT, start, end, MARK_WIDTH, MARK_GREY)


def _tick(
    corner: Point, step: tuple[int, int], bleed: float, clear: Clearance
) -> Iterator[tuple[Point, Point]]:
    """Yield a mark past the bleed, if there is room for one that is long enough."""
    dx, dy = step
    free = clear.reach(corner.moved(dx * bleed, dy * bleed), dx, dy)
    offset = max(MARK_OFFSET, bleed)
    end = min(bleed + free, offset + MARK_LENGTH)
    start = max(bleed, min(offset, end - MARK_LENGTH))
    if end - start >= LEAST_MARK - _EPSILON:
        yield _along(corner, step, start), _along(corner, step, end)


def _along(corner: Point, step: tuple[int, int], by: float) -> Point:
    return Point(round(corner.x + step[0] * by, 4), round(corner.y + step[1] * by, 4))


def _bleed_beyond(art: Rect, point: Point, dx: int, dy: int) -> float:
    """Return the length of art past a point in one of four directions, mm."""
    if dx:
        return (art.right - point.x) if dx > 0 else (point.x - art.x)
    return (art.bottom - point.y) if dy > 0 else (point.y - art.y)


def _distance(box: Rect, x: float, step: int) -> float:
    """Return the distance from x to a box; infinite if the box is behind."""
    near, far = (box.x, box.right) if step > 0 else (-box.right, -box.x)
    here = x * step
    return near - here if far > here + _EPSILON else float("inf")


def _swapped(box: Rect) -> Rect:
    return Rect(box.y, box.x, box.height, box.width)


def _sign(value: float) -> int:
    return 0 if abs(value) < _EPSILON else (1 if value > 0 else -1)


def die_line(stock: Stock, cell: PageCell) -> str:
    """Return the outline of a stock on the page, as path data of absolute M, L, C and Z, mm.

    Raises ValueError for a path that cannot be read.
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
    """Return a point of the trim on the page."""
    middle = Point(stock.trim.width / 2, stock.trim.height / 2)
    turned = point.turned(cell.rotation, middle)
    centre = cell.trim.centre
    return turned.moved(centre.x - middle.x, centre.y - middle.y)


def crease(stock: Stock, cell: PageCell, fold: Fold) -> Crease:
    """Return a fold of a stock on the page."""
    return Crease(on_page(stock, cell, fold.start), on_page(stock, cell, fold.end), cell.art)


def crosses_trim(stock: Stock, fold: Fold) -> bool:
    """Return True for a level or upright fold from edge to edge, which ticks outside can show."""
    (x1, y1), (x2, y2) = sorted(((fold.start.x, fold.start.y), (fold.end.x, fold.end.y)))
    level = abs(y1 - y2) < _EPSILON and x1 <= _EPSILON and x2 >= stock.trim.width - _EPSILON
    upright = abs(x1 - x2) < _EPSILON and y1 <= _EPSILON and y2 >= stock.trim.height - _EPSILON
    return level or upright


def registered(page: Size, marks: Registration) -> tuple[tuple[LineMark, ...], tuple[Rect, ...]]:
    """Return the registration marks for a cutter, and the boxes to keep clear around them."""
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
    """Return the legs of an angle, which run from its outer corner in these directions."""
    half, legs = marks.thickness / 2, marks.length
    (x1, x2), (y1, y2) = sorted((x, x + dx * legs)), sorted((y, y + dy * legs))
    return (
        _registration(x1, y + dy * half, x2, y + dy * half, marks.thickness),
        _registration(x + dx * half, y1, x + dx * half, y2, marks.thickness),
    )


def _registration(x1: float, y1: float, x2: float, y2: float, width: float) -> LineMark:
    return LineMark(PdfLayer.REGISTRATION, Point(x1, y1), Point(x2, y2), width)


def _inked(line: LineMark) -> Rect:
    """Return the box of a level or upright line."""
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
) -> tuple[LineMark, ...]:
    """Return crop marks and fold ticks; most sheets of a print share them."""
    clear = Clearance(art, boxes, area)
    return (*crop_marks(crops, clear), *fold_ticks(creases, clear))


def _box_of(mark: LineMark | TextMark) -> Rect:
    """Return the box that keeps ruler and slug off a mark; layouts keep text clear themselves."""
    return bounds((mark.at,)) if isinstance(mark, TextMark) else bounds((mark.start, mark.end))


def _line(cut: Polygon) -> str:
    """Return the path data of a line to cut along, closed if it ends where it starts."""
    closed = cut[0] == cut[-1]
    corners = cut[:-1] if closed else cut
    points = " L ".join(f"{format_mm(p.x)} {format_mm(p.y)}" for p in corners)
    return f"M {points} Z" if closed else f"M {points}"


def _dies(items: tuple[PlacedFace, ...]) -> list[PathMark]:
    return [
        PathMark(
            PdfLayer.CUT,
            die_line(item.face.stock, item.cell),
            MARK_WIDTH,
            MARK_GREY,
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


def _inner_folds(items: tuple[PlacedFace, ...]) -> list[LineMark]:
    """Draw folds on the art that end inside the trim or slant, as ticks cannot show them."""
    return [
        LineMark(
            PdfLayer.FOLD,
            on_page(item.face.stock, item.cell, fold.start),
            on_page(item.face.stock, item.cell, fold.end),
            MARK_WIDTH,
            MARK_GREY,
            FOLD_DASH,
        )
        for item in items
        if item.guide.is_drawn and item.cell.art.contains(item.cell.trim)
        for fold in item.face.stock.folds
        if not crosses_trim(item.face.stock, fold)
    ]
