"""A page of a poster in; where to cut it, where to lay the next one on it and which, out.

A page is trimmed where it has a neighbour to the left or above, and laid over that neighbour's
strip. The seam is where the trimmed edge comes to lie: every mark stands on the far side of it, in
what is cut off or covered, and at one place of the poster on all the pages that meet there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from generator.geometry import Point, Rect
from generator.impose.run import LEAST_MARK
from generator.model.sheet import Layer, LineMark, TextMark
from generator.units import pt_to_mm

TICK: Final = 4.0
"""mm of a cut mark."""
_OUTER_GAP: Final = 1.0
"""mm from the poster's own edge to its cut marks."""
_HALO: Final = 0.5
"""mm of white under a mark, so that it shows on any art."""
_SHORT: Final = 0.1
"""Of a side of a diamond that is left out beside what stays in sight."""
_LABEL_PT: Final = 6.5
_LABEL_GROUND: Final = 3.4
_NARROWEST: Final = 4.4
"""mm of a covered strip that has room for words."""
_CHARACTER: Final = 0.58
_WHITE: Final = 1.0
_Line = tuple[Point, Point]
Label = LineMark | TextMark


@dataclass(frozen=True, slots=True)
class Sides:
    """What a page has on each side: a neighbour or not."""

    left: bool
    above: bool
    right: bool
    below: bool


def seam_marks(
    shown: Rect, sides: Sides, area: Rect, size: float, straight: bool
) -> Iterator[LineMark]:
    """Cut marks and alignment diamonds at the corners of what a page shows when all is glued.

    `area` is what the printer reaches, `size` from the middle of a diamond to its tips, mm. The
    poster's own edges have cut marks where the stock is `straight`; other stocks have their die
    line.
    """
    ticks: list[_Line] = []
    diamonds: list[_Line] = []
    for dx, x in ((-1, shown.x), (1, shown.right)):
        for dy, y in ((-1, shown.y), (1, shown.bottom)):
            corner = Point(x, y)
            beside = sides.left if dx < 0 else sides.right
            over = sides.above if dy < 0 else sides.below
            if beside or straight:
                ticks += _tick(corner, 0, dy, _gap(over), area)
            if over or straight:
                ticks += _tick(corner, dx, 0, _gap(beside), area)
            if beside or over:
                diamonds += _diamond(corner, (dx * size, dy * size), (beside, over))
    lines = [(Layer.CUT, line) for line in ticks] + [(Layer.GUIDES, line) for line in diamonds]
    yield from (LineMark(layer, *ends, _HALO, _WHITE) for layer, ends in lines)
    yield from (LineMark(layer, *ends) for layer, ends in lines)


def glue_labels(window: Rect, shown: Rect, right: str, below: str) -> Iterator[Label]:
    """In each strip that a neighbour will cover, the name of that neighbour."""
    strip = window.right - shown.right
    if right and strip >= _NARROWEST:
        x, y = shown.right + strip / 2, shown.centre.y
        yield from _label(Point(x, y), f"{right} goes on top here", shown.height, upwards=True)
    strip = window.bottom - shown.bottom
    if below and strip >= _NARROWEST:
        x, y = shown.centre.x, shown.bottom + strip / 2
        yield from _label(Point(x, y), f"{below} goes on top here", shown.width, upwards=False)


def _gap(seam: bool) -> float:
    """At a seam a mark starts at the corner; at the poster's own edge a knife may drift."""
    return 0.0 if seam else _OUTER_GAP


def _tick(corner: Point, dx: int, dy: int, gap: float, area: Rect) -> Iterator[_Line]:
    """A cut mark out of a corner, as long as there is room for it."""
    start = corner.moved(dx * gap, dy * gap)
    reach = corner.moved(dx * (gap + TICK), dy * (gap + TICK))
    end = Point(
        min(max(reach.x, area.x), area.right) if dx else reach.x,
        min(max(reach.y, area.y), area.bottom) if dy else reach.y,
    )
    if (end.x - start.x) * dx + (end.y - start.y) * dy >= LEAST_MARK:
        yield _rounded(start), _rounded(end)


def _diamond(corner: Point, out: tuple[float, float], seams: tuple[bool, bool]) -> Iterator[_Line]:
    """Three sides of a diamond at most: none in the part that stays in sight. Those that end there
    stop short of it, with the white under them."""
    right, down = out
    beside, over = corner.moved(right, 0), corner.moved(0, down)
    under = corner.moved(_SHORT * right, (_SHORT - 1) * down)
    across = corner.moved((_SHORT - 1) * right, _SHORT * down)
    yield _rounded(beside), _rounded(over)
    if seams[0]:
        yield _rounded(beside), _rounded(under)
    if seams[1]:
        yield _rounded(over), _rounded(across)


def _label(middle: Point, text: str, length: float, *, upwards: bool) -> Iterator[Label]:
    """Words on white along a strip, if they fit `length`."""
    half = len(text) * _CHARACTER * pt_to_mm(_LABEL_PT) / 2
    if 2 * half > length:
        return
    drop = 0.35 * pt_to_mm(_LABEL_PT)
    ends = ((0, -half), (0, half)) if upwards else ((-half, 0), (half, 0))
    start, end = (middle.moved(*by) for by in ends)
    yield LineMark(Layer.GUIDES, start, end, _LABEL_GROUND, _WHITE)
    at = middle.moved(drop, 0) if upwards else middle.moved(0, drop)
    yield TextMark(Layer.GUIDES, at, text, _LABEL_PT, 270 if upwards else 0, "middle")


def _rounded(point: Point) -> Point:
    return Point(round(point.x, 4), round(point.y, 4))
