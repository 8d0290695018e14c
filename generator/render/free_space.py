"""Finds the free space around outlines in a box: circles that fill it, and the widest box inside a
ring of outlines. Templates use it to place scenery around a track and a name within.

The box becomes a raster of `_ACROSS` points along its longer side; distances from the points to
outlines are exact. Lengths are in mm.
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
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_DIGITS: Final = 2

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
RasterWindow = tuple[slice, slice]
"""Rows and columns of a raster."""
FreeCircle = tuple[float, float, float, bool]
"""Middle and radius of a circle, and whether it lies inside a ring of outlines."""


def rooms(
    outlines: Any,
    x: Any,
    y: Any,
    w: Any,
    h: Any,
    least: Any = 5.0,
    most: Any = 50.0,
    gap: Any = 0.0,
) -> tuple[FreeCircle, ...]:
    """Return circles that fill the space around outlines (path data of straight lines) in a box,
    the largest first. Their radius is `least` to `most` mm, their distance from outlines `gap`."""
    apart, smallest, largest = number(gap, "gap"), size(least, "least"), size(most, "most")
    field = _field(outlines, x, y, w, h, apart + largest)
    return tuple(field.circles(smallest, largest, apart))


def clearing(
    outlines: Any, x: Any, y: Any, w: Any, h: Any, ratio: Any, gap: Any = 0.0
) -> tuple[float, float, float]:
    """Return the middle and width of the widest free box inside a ring of outlines, `ratio` times
    as high as wide and `gap` mm from them. The width is 0 if there is no such box."""
    shape, apart = size(ratio, "ratio"), number(gap, "gap")
    return _field(outlines, x, y, w, h, apart).widest(shape, apart)


def _field(outlines: Any, x: Any, y: Any, w: Any, h: Any, reach: float) -> _DistanceField:
    """Return the raster of a box, with distances up to `reach`."""
    wide, high = size(w, "w"), size(h, "h")
    field = _DistanceField((number(x, "x"), number(y, "y"), wide, high))
    for polygon in _polygons(outlines):
        field.put(polygon, field.near(polygon, max(0.0, reach)))
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
    """The raster of a box: the distance of each point from the nearest outline (negative on one)
    and from the box's edges, and whether a ring of outlines encloses it."""

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
        """Return the window of points that are within `reach` of a polygon."""
        (left, top), (right, bottom) = polygon.min(axis=0) - reach, polygon.max(axis=0) + reach
        rows, columns = (
            slice(*np.searchsorted(along, (least, most)))
            for along, least, most in ((self._ys, top, bottom), (self._xs, left, right))
        )
        return rows, columns

    def put(self, polygon: Floats, near: RasterWindow) -> None:
        """Add an outline; only the points near it change."""
        x, y = self.x[near], self.y[near]
        for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            far = self.far[near]
            np.minimum(far, _to_side(x, y, start, end), out=far)
        self._covered[near] |= _within(x, y, polygon)

    def close(self) -> None:
        """Find the enclosed points, after the last outline."""
        self.far[self._covered] = -1.0
        self.inside = ~self._covered & ~_reached(~self._covered)

    def circles(self, least: float, most: float, gap: float) -> list[FreeCircle]:
        """Return the largest circle that fits, then the largest beside it, and so on."""
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
        """Return the widest enclosed box, found by bisection."""
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
    """Return the distance of each point from a side of an outline."""
    along = end - start
    length = float(along @ along)
    dx, dy = x - start[0], y - start[1]
    share = np.clip((dx * along[0] + dy * along[1]) / length, 0.0, 1.0) if length else 0.0
    far: Floats = np.hypot(dx - share * along[0], dy - share * along[1])
    return far


def _within(x: Floats, y: Floats, polygon: Floats) -> Flags:
    """Return which points are inside a polygon: a ray to the right crosses it an odd number of
    times."""
    odd = np.zeros(x.shape, dtype=np.bool_)
    for (x1, y1), (x2, y2) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if y1 == y2:
            continue
        crosses = (y < y1) != (y < y2)
        odd ^= crosses & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return odd


def _empty_box(sums: npt.NDArray[np.int64], rows: int, columns: int) -> tuple[int, int] | None:
    """Return the row and column of the most central free box of this size. `sums` is the
    summed-area table of the free points."""
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
    """Return the free points connected with the edge of the box."""
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
