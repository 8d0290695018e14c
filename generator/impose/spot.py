"""A size and what is taken on a page in, the first free place for it out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.geometry import Point, Rect, Size

_TOUCH: Final = 1e-6
"""mm that boxes may share and count as apart."""


@dataclass(frozen=True, slots=True)
class Spot:
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


def find_spot(
    size: Size, within: Rect, taken: Sequence[Rect], bottom_first: bool = False
) -> Spot | None:
    """The first free place inside an area: at its top or bottom, at its sides reading upwards,
    then in a gutter between taken boxes. None when there is none."""
    ends = _at_ends(size, within, bottom_first)
    for spots in (ends, _at_sides(size.turned, within), _in_gutters(size, within, taken)):
        for spot in spots:
            if within.contains(spot.box) and not any(spot.box.overlaps(box) for box in taken):
                return spot
    return None


def _at_ends(size: Size, within: Rect, bottom_first: bool) -> Iterator[Spot]:
    ys = (within.y, within.bottom - size.height)
    for y in reversed(ys) if bottom_first else ys:
        for x in (within.x, within.right - size.width):
            yield Spot(Rect(x, y, size.width, size.height), upwards=False)


def _at_sides(size: Size, within: Rect) -> Iterator[Spot]:
    for x in (within.x, within.right - size.width):
        for y in (within.bottom - size.height, within.y):
            yield Spot(Rect(x, y, size.width, size.height), upwards=True)


def _in_gutters(size: Size, within: Rect, taken: Sequence[Rect]) -> Iterator[Spot]:
    """Free places right of or below something: a gutter starts where a box ends."""
    edges = {(box.x, box.y, box.right, box.bottom) for box in taken}
    xs = sorted({within.x} | {round(right, 6) for _, _, right, _ in edges})
    ys = sorted({within.y} | {round(bottom, 6) for _, _, _, bottom in edges})
    for upwards, box in ((False, size), (True, size.turned)):
        for y in ys:
            start, end = y + _TOUCH, y + box.height - _TOUCH
            beside = [(x, right) for x, top, right, low in edges if top < end and start < low]
            for x in _free(xs, box.width, beside):
                yield Spot(Rect(x, y, box.width, box.height), upwards)


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
