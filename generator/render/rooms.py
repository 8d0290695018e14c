"""Outlines in a box in, what they leave free out: circles that fill it, and the box that the field
inside of them has room for. So scenery stands around a track, and its name within.

The box is looked at in a raster of `_ACROSS` points along its longer side; how far a point is from
an outline is exact. All lengths in mm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from generator.render.shapes import number, parts, size
from generator.sandbox import Budget, described

_ACROSS: Final = 160
_PRICE: Final = 2_000
"""Steps of a template that a look at a box takes, and each corner of an outline one more."""
MOST_CORNERS: Final = 20_000
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_DIGITS: Final = 2

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Room = tuple[float, float, float, bool]
"""Middle and radius of a circle, and whether it lies inside a ring of outlines."""


class RoomHelpers:
    """`rooms` and `clearing` for templates; they pay from the budget of what is drawn."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def rooms(
        self,
        outlines: Any,
        x: Any,
        y: Any,
        w: Any,
        h: Any,
        least: Any = 5.0,
        most: Any = 50.0,
        gap: Any = 0.0,
    ) -> tuple[Room, ...]:
        """Circles that fill what outlines (path data of straight lines) leave free of a box, the
        largest first: of `least` to `most` mm radius, `gap` mm from outlines."""
        field = self._field(outlines, x, y, w, h)
        apart, smallest = number(gap, "gap"), size(least, "least")
        return tuple(field.circles(smallest, size(most, "most"), apart))

    def clearing(
        self, outlines: Any, x: Any, y: Any, w: Any, h: Any, ratio: Any, gap: Any = 0.0
    ) -> tuple[float, float, float]:
        """The middle and the width of the widest box, `ratio` times as high as wide, that outlines
        leave free within the ring that they form, `gap` mm from them; width 0 where there is
        none."""
        field = self._field(outlines, x, y, w, h)
        return field.widest(size(ratio, "ratio"), number(gap, "gap"))

    def _field(self, outlines: Any, x: Any, y: Any, w: Any, h: Any) -> _Field:
        polygons = _polygons(outlines)
        corners = sum(len(polygon) for polygon in polygons)
        if corners > MOST_CORNERS:
            raise ValueError(f"outlines of more than {MOST_CORNERS:,} corners")
        self._budget.step(_PRICE + corners)
        wide, high = size(w, "w"), size(h, "h")
        return _Field(polygons, (number(x, "x"), number(y, "y"), wide, high))


def _polygons(outlines: Any) -> list[Floats]:
    if isinstance(outlines, str) or not isinstance(outlines, Iterable):
        raise TypeError(f"outlines must be a list of path data, not {described(outlines)}")
    found = []
    for outline in outlines:
        if not isinstance(outline, str):
            raise TypeError(f"an outline must be path data, not {described(outline)}")
        numbers = [number(float(found), "a corner") for found in _NUMBER.findall(outline)]
        parts(len(numbers), "corners of an outline")
        if len(numbers) >= 6 and len(numbers) % 2 == 0:
            found.append(np.array(numbers).reshape(-1, 2))
    return found


class _Field:
    """The points of a box's raster: where they are, how far from the nearest outline (below 0 on
    one) and within the box, and which lie inside a ring."""

    def __init__(self, polygons: list[Floats], box: tuple[float, float, float, float]) -> None:
        left, top, wide, high = box
        self.step = max(wide, high) / _ACROSS
        columns, rows = (max(2, round(side / self.step)) for side in (wide, high))
        xs = left + (np.arange(columns) + 0.5) * wide / columns
        ys = top + (np.arange(rows) + 0.5) * high / rows
        self.x, self.y = np.meshgrid(xs, ys)
        edges = (self.x - left, left + wide - self.x, self.y - top, top + high - self.y)
        self.inner: Floats = np.minimum.reduce(edges)
        self.far = np.full(self.x.shape, float(max(wide, high)))
        covered = np.zeros(self.x.shape, dtype=np.bool_)
        for polygon in polygons:
            for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
                np.minimum(self.far, self._to_side(start, end), out=self.far)
            covered |= self._within(polygon)
        self.far[covered] = -1.0
        self.inside = ~covered & ~_reached(~covered)

    def _to_side(self, start: Floats, end: Floats) -> Floats:
        """How far each point is from a side of an outline."""
        along = end - start
        length = float(along @ along)
        dx, dy = self.x - start[0], self.y - start[1]
        share = np.clip((dx * along[0] + dy * along[1]) / length, 0.0, 1.0) if length else 0.0
        far: Floats = np.hypot(dx - share * along[0], dy - share * along[1])
        return far

    def _within(self, polygon: Floats) -> Flags:
        """Which points an outline holds: a line to the right crosses it an odd number of times."""
        odd = np.zeros(self.x.shape, dtype=np.bool_)
        for (x1, y1), (x2, y2) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            if y1 == y2:
                continue
            crosses = (self.y < y1) != (self.y < y2)
            odd ^= crosses & (self.x < (x2 - x1) * (self.y - y1) / (y2 - y1) + x1)
        return odd

    def circles(self, least: float, most: float, gap: float) -> list[Room]:
        """The largest circle that fits, then the next one beside it, and so on."""
        free = np.minimum.reduce((self.far - gap, self.inner, np.full(self.x.shape, float(most))))
        found: list[Room] = []
        while True:
            # In whole micrometres, so that of equals the first is taken on every machine.
            row, column = np.unravel_index(int(np.argmax(np.round(free, 3))), free.shape)
            r = float(free[row, column])
            if r < least:
                return found
            parts(len(found) + 1, "rooms")
            x, y = float(self.x[row, column]), float(self.y[row, column])
            inside = bool(self.inside[row, column])
            found.append((round(x, _DIGITS), round(y, _DIGITS), round(r - 0.01, _DIGITS), inside))
            np.minimum(free, np.hypot(self.x - x, self.y - y) - r, out=free)

    def widest(self, ratio: float, gap: float) -> tuple[float, float, float]:
        """Of boxes whose every point is inside, by halving the width again and again."""
        free = self.inside & (self.far >= gap)
        sums = np.zeros((free.shape[0] + 1, free.shape[1] + 1), dtype=np.int64)
        sums[1:, 1:] = free.cumsum(axis=0).cumsum(axis=1)
        best = 0.0, 0.0, 0.0
        shortest, longest = 1, free.shape[1]
        while shortest <= longest:
            columns = (shortest + longest) // 2
            rows = max(1, round(columns * ratio))
            spot = _empty_box(sums, rows, columns)
            if spot is None:
                longest = columns - 1
                continue
            row, column = spot
            x = float(self.x[0, column] + self.x[0, column + columns - 1]) / 2
            y = float(self.y[row, 0] + self.y[row + rows - 1, 0]) / 2
            best = round(x, _DIGITS), round(y, _DIGITS), round((columns - 1) * self.step, _DIGITS)
            shortest = columns + 1
        return best


def _empty_box(sums: npt.NDArray[np.int64], rows: int, columns: int) -> tuple[int, int] | None:
    """Row and column of a box of points that are all free, the one in the middle of those that
    there are; `sums` are of the free points above and to the left."""
    if rows >= sums.shape[0] or columns >= sums.shape[1]:
        return None
    inner = sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns]
    spots = np.argwhere(inner + sums[:-rows, :-columns] == rows * columns)
    if not len(spots):
        return None
    middle = spots.mean(axis=0)
    row, column = spots[int(np.argmin(np.abs(spots - middle).sum(axis=1)))]
    return int(row), int(column)


def _reached(free: Flags) -> Flags:
    """The free points that can be walked to from the edge of the box."""
    found = np.zeros_like(free)
    found[0], found[-1], found[:, 0], found[:, -1] = free[0], free[-1], free[:, 0], free[:, -1]
    while True:
        wider = found.copy()
        wider[1:] |= found[:-1]
        wider[:-1] |= found[1:]
        wider[:, 1:] |= found[:, :-1]
        wider[:, :-1] |= found[:, 1:]
        wider &= free
        if (wider == found).all():
            return found
        found = wider
