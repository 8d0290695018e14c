"""Boxes to cut out and creases in, crop marks and fold ticks out: all outside of any art."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.geometry import Point, Rect
from generator.impose.forme import Cell, Crease
from generator.impose.run import LEAST_MARK
from generator.model.sheet import Layer, LineMark

FOLD_DASH: Final = (1.0, 0.6)
"""On and off, mm, of every fold line."""
_EPSILON: Final = 1e-6


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """How marks look, mm. A crop mark starts `offset` from the trim, and never inside bleed; it
    moves closer and shortens where room is short. `grey` runs from 0, black, to 1, white."""

    length: float = 4.0
    offset: float = 3.0
    width: float = 0.15
    grey: float = 0.5


class Clearance:
    """How far a mark may run before it meets art, furniture or the end of the printable area."""

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


def crop_marks(cuts: Iterable[Cell], clear: Clearance, style: MarkStyle) -> list[LineMark]:
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
                mark = LineMark(Layer.FOLD, start, stop, style.width, style.grey, FOLD_DASH)
                ticks.append(mark)
    return list(dict.fromkeys(ticks))


def _corner_marks(cell: Cell, clear: Clearance, style: MarkStyle) -> Iterator[LineMark]:
    trim, art = cell.trim, cell.art
    for dx, x in ((-1, trim.x), (1, trim.right)):
        for dy, y in ((-1, trim.y), (1, trim.bottom)):
            corner = Point(x, y)
            for step in ((dx, 0), (0, dy)):
                bleed = _bleed_beyond(art, corner, *step)
                for start, end in _tick(corner, step, bleed, clear, style):
                    yield LineMark(Layer.CUT, start, end, style.width, style.grey)


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
