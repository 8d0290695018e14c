"""Finds the room that outlines in a box leave free: circles that fill it, and the box that the
field inside of them has room for. So scenery stands around a track, and its name within.

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
from generator.sandbox import described

_ACROSS: Final = 160
MOST_CORNERS: Final = 20_000
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_DIGITS: Final = 2

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
RasterWindow = tuple[slice, slice]
"""Rows and columns of a raster."""
FreeCircle = tuple[float, float, float, bool]
"""Middle and radius of a circle, and whether it lies inside a ring of outlines."""


class RoomHelpers:
    """`rooms` and `clearing` for templates."""

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
    ) -> tuple[FreeCircle, ...]:
        """Circles that fill what outlines (path data of straight lines) leave free of a box, the
        largest first: of `least` to `most` mm radius, `gap` mm from outlines."""
        apart, smallest, largest = number(gap, "gap"), size(least, "least"), size(most, "most")
        field = self._field(outlines, x, y, w, h, apart + largest)
        return tuple(field.circles(smallest, largest, apart))

    def clearing(
        self, outlines: Any, x: Any, y: Any, w: Any, h: Any, ratio: Any, gap: Any = 0.0
    ) -> tuple[float, float, float]:
        """The middle and the width of the widest box, `ratio` times as high as wide, that outlines
        leave free within the ring that they form, `gap` mm from them; width 0 where there is
        none."""
        shape, apart = size(ratio, "ratio"), number(gap, "gap")
        return self._field(outlines, x, y, w, h, apart).widest(shape, apart)

    def _field(self, outlines: Any, x: Any, y: Any, w: Any, h: Any, reach: float) -> _DistanceField:
        """The box, in which distances count up to `reach`."""
        polygons = _polygons(outlines)
        if sum(len(polygon) for polygon in polygons) > MOST_CORNERS:
            raise ValueError(f"outlines of more than {MOST_CORNERS:,} corners")
        wide, high = size(w, "w"), size(h, "h")
        field = _DistanceField((number(x, "x"), number(y, "y"), wide, high))
        for polygon in polygons:
            near = field.near(polygon, max(0.0, reach))
            field.put(polygon, near)
        field.close()
        return field


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


class _DistanceField:
    """The points of a box's raster: where they are, how far from the nearest outline (below 0 on
    one) and within the box, and which lie inside a ring."""

    def __init__(self, box: tuple[float, float, float, float]) -> None:
        left, top, wide, high = box
        self.step = max(wide, high) / _ACROSS
        columns, rows = (max(2, round(side / self.step)) for side in (wide, high))
        self._xs = left + (np.arange(columns) + 0.5) * wide / columns
        self._ys = top + (np.arange(rows) + 0.5) * high / rows
        self.x, self.y = np.meshgrid(self._xs, self._ys)
        edges = (self.x - left, left + wide - self.x, self.y - top, top + high - self.y)
        self.inner: Floats = np.minimum.reduce(edges)
        self.far = np.full(self.x.shape, float(max(wide, high)))
        self._covered = np.zeros(self.x.shape, dtype=np.bool_)

    def near(self, polygon: Floats, reach: float) -> RasterWindow:
        """The points that are not further from an outline than `reach`, and some more."""
        (left, top), (right, bottom) = polygon.min(axis=0) - reach, polygon.max(axis=0) + reach
        rows, columns = (
            slice(*np.searchsorted(along, (least, most)))
            for along, least, most in ((self._ys, top, bottom), (self._xs, left, right))
        )
        return rows, columns

    def put(self, polygon: Floats, near: RasterWindow) -> None:
        """Put an outline among the points near to it."""
        x, y = self.x[near], self.y[near]
        for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            far = self.far[near]
            np.minimum(far, _to_side(x, y, start, end), out=far)
        self._covered[near] |= _within(x, y, polygon)

    def close(self) -> None:
        """All outlines are put: what lies inside of them is known now."""
        self.far[self._covered] = -1.0
        self.inside = ~self._covered & ~_reached(~self._covered)

    def circles(self, least: float, most: float, gap: float) -> list[FreeCircle]:
        """The largest circle that fits, then the next one beside it, and so on."""
        free = np.minimum.reduce((self.far - gap, self.inner, np.full(self.x.shape, float(most))))
        found: list[FreeCircle] = []
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


def _to_side(x: Floats, y: Floats, start: Floats, end: Floats) -> Floats:
    """How far each point is from a side of an outline."""
    along = end - start
    length = float(along @ along)
    dx, dy = x - start[0], y - start[1]
    share = np.clip((dx * along[0] + dy * along[1]) / length, 0.0, 1.0) if length else 0.0
    far: Floats = np.hypot(dx - share * along[0], dy - share * along[1])
    return far


def _within(x: Floats, y: Floats, polygon: Floats) -> Flags:
    """Which points an outline holds: a line to the right crosses it an odd number of times."""
    odd = np.zeros(x.shape, dtype=np.bool_)
    for (x1, y1), (x2, y2) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if y1 == y2:
            continue
        crosses = (y < y1) != (y < y2)
        odd ^= crosses & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return odd


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
    walled = np.pad(free, 1)
    across = walled.shape[1]
    inner = np.zeros_like(walled)
    inner[2:-2, 2:-2] = True
    left = walled.ravel().tolist()
    waiting = np.flatnonzero(walled & ~inner).tolist()
    while waiting:
        point = waiting.pop()
        if left[point]:
            left[point] = False
            waiting += (point - across, point - 1, point + 1, point + across)
    reached: Flags = walled & ~np.array(left).reshape(walled.shape)
    return reached[1:-1, 1:-1]
