"""A length and the room on a page in, the windows through which its pages show it out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from generator.geometry import Rect, Size
from generator.impose.forme import printable, ways
from generator.model.stock import Paper, Stock

EDGE: Final = 2.5
"""mm that a page shows beyond the poster's own edge at least: bleed, and room for cut marks."""
BITE: Final = 2.0
"""mm of the overlap that are cut off the upper page, so that a cut that drifts shows no white."""
FOOT: Final = 14.5
"""mm at the lower end of a page for its name, the key map, words, ruler and slug."""
LEAST_STEP: Final = 10.0
"""mm of the poster that a page must add to be worth its paper."""
_EPSILON: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Windows:
    """Equal windows along one axis of a poster, mm from the trim's start: `first` is negative,
    beyond the trim. Neighbours repeat `overlap`."""

    trim: float
    first: float
    length: float
    overlap: float
    count: int

    @property
    def step(self) -> float:
        """From one window to the next."""
        return self.length - self.overlap

    @property
    def bite(self) -> float:
        """What of a window's start is cut off where it has a neighbour before it."""
        return min(BITE, self.overlap / 3)

    def start(self, number: int) -> float:
        """Where a window starts; they count from 0."""
        return self.first + number * self.step

    def seam(self, number: int) -> float:
        """Where a page ends before the next begins, once they are glued; 0 and `count` are the
        ends of the trim."""
        if number in (0, self.count):
            return 0.0 if number == 0 else self.trim
        return self.start(number) + self.bite


@dataclass(frozen=True, slots=True)
class Tiling:
    """A poster cut into pages that lie one way; `area` is where on a page its windows stand."""

    page: Size
    area: Rect
    across: Windows
    down: Windows

    @property
    def count(self) -> int:
        """Pages of one poster."""
        return self.across.count * self.down.count

    @property
    def window(self) -> Rect:
        """The window on the page, in the middle of its area."""
        width, height = self.across.length, self.down.length
        left, above = (self.area.width - width) / 2, (self.area.height - height) / 2
        return Rect(self.area.x + left, self.area.y + above, width, height)

    def places(self) -> Iterator[tuple[int, int]]:
        """Row and column of each page, from 0, row by row."""
        return product(range(self.down.count), range(self.across.count))


def windows(trim: float, bleed: float, room: float, overlap: float) -> Windows | None:
    """The fewest equal windows of at most `room` mm over a trim and what is shown around it; None
    when a page would add less than `LEAST_STEP`."""
    step = room - overlap
    if step < LEAST_STEP:
        return None
    count = max(1, math.ceil((trim + 2 * EDGE - overlap) / step - _EPSILON))
    most = (count * step + overlap - trim) / 2
    edge = min(max(EDGE, bleed), most)
    length = (trim + 2 * edge + (count - 1) * overlap) / count
    return Windows(trim, -edge, length, overlap, count)


def best_tiling(stock: Stock, paper: Paper, overlap: float) -> Tiling | None:
    """The way of the paper that takes fewer pages; of equals the upright one."""
    found: list[Tiling] = []
    for page in ways(paper):
        whole = printable(page, paper.margin)
        area = Rect(whole.x, whole.y, whole.width, whole.height - FOOT)
        across = windows(stock.trim.width, stock.bleed, area.width, overlap)
        down = windows(stock.trim.height, stock.bleed, area.height, overlap)
        if across and down:
            found.append(Tiling(page, area, across, down))
    return min(found, key=lambda tiling: tiling.count, default=None)
