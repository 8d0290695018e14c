"""Two pieces where they lie in, whether both can lie there out: outlines must not overlap.

Nothing else counts: neither whose neighbours they are, nor which cells their borders cut across.
Each outline is first drawn in by half of what its tile may lie on another, and by a hair, so that
what only touches is apart. Tiles of one cell, and others cut along their cells, are compared cell
by cell, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from generator.tracks.borders import borders, cell_corners
from generator.tracks.grids import TileGrid, Vector
from generator.tracks.pieces import Cut, TrackPiece

_HAIR: Final = 1e-4
"""In cells: no overlap, though two outlines that touch are not quite equal as worked out."""


_XY = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Solid:
    """What a piece covers at a heading, from its place: its outline drawn in with the box around
    it (left, low, right, high), and the middles of its cells."""

    corners: tuple[_XY, ...]
    middles: tuple[_XY, ...]
    box: tuple[float, float, float, float]


def solids(piece: TrackPiece, cut: Cut | None) -> tuple[Solid, ...]:
    """What a piece covers, by heading."""
    grid = piece.grid
    if cut is None and len(piece.cells) == 1:
        corners = [(p.x, p.y) for p in cell_corners(grid, 1.0)]
    else:
        left, right = borders(piece, 1.0, cut.kerb if cut else 0.0)
        corners = [(p.x, p.y) for p in (*left, *reversed(right))]
    drawn = _drawn_in(corners, _HAIR + (cut.slack / 2 if cut else 0.0))
    middles = [(p.x, p.y) for p in (grid.point(cell, 1.0) for cell in piece.cells)]
    found = []
    for heading in range(grid.turns):
        angle = -math.tau * heading / grid.turns
        outline = _turned(drawn, angle)
        found.append(Solid(outline, _turned(middles, angle), _box(outline)))
    return tuple(found)


def _box(corners: Iterable[_XY]) -> tuple[float, float, float, float]:
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def clash(one: Solid, other: Solid, dx: float, dy: float) -> bool:
    """True when the two overlap, the second lying so far from the first."""
    left, low, right, high = other.box
    west, south, east, north = one.box
    if left + dx > east or right + dx < west or low + dy > north or high + dy < south:
        return False
    there = [(x + dx, y + dy) for x, y in other.corners]
    middles = [(x + dx, y + dy) for x, y in other.middles]
    if any(_holds(one.corners, at) for at in (*middles, *there)):
        return True
    if any(_holds(there, at) for at in (*one.middles, *one.corners)):
        return True
    return _cross(one.corners, there)


def _turned(points: Iterable[_XY], angle: float) -> tuple[_XY, ...]:
    cos, sin = math.cos(angle), math.sin(angle)
    return tuple((x * cos - y * sin, x * sin + y * cos) for x, y in points)


def _drawn_in(corners: Sequence[_XY], by: float) -> tuple[_XY, ...]:
    """The outline with each of its sides moved inwards."""
    corners = [
        at for before, at in pairwise((corners[-1], *corners)) if math.dist(before, at) > _HAIR
    ]
    ring = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    area = math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in ring)
    inwards = math.copysign(by, area)
    found = []
    for (before, at), (_, after) in zip((ring[-1], *ring[:-1]), ring, strict=True):
        one, other = _direction(before, at), _direction(at, after)
        # Where two sides meet, both are moved: along the line that halves their angle.
        scale = inwards / (1 + one[0] * other[0] + one[1] * other[1])
        found.append(
            (at[0] - (one[1] + other[1]) * scale, at[1] + (one[0] + other[0]) * scale),
        )
    return tuple(found)


def _direction(start: _XY, end: _XY) -> _XY:
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _holds(corners: Sequence[_XY], at: _XY) -> bool:
    """True for a point inside."""
    x, y = at
    inside = False
    x1, y1 = corners[-1]
    for x2, y2 in corners:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
        x1, y1 = x2, y2
    return inside


def _sides(corners: Sequence[_XY]) -> Iterator[tuple[float, float, float, float]]:
    for (x1, y1), (x2, y2) in pairwise((*corners, corners[0])):
        yield x1, y1, x2, y2


def _cross(one: Sequence[_XY], other: Sequence[_XY]) -> bool:
    """True when a side of one runs through a side of the other."""
    left, right = min(x for x, _ in one), max(x for x, _ in one)
    low, high = min(y for _, y in one), max(y for _, y in one)
    near = [
        side
        for side in _sides(other)
        if not (
            max(side[0], side[2]) < left
            or min(side[0], side[2]) > right
            or max(side[1], side[3]) < low
            or min(side[1], side[3]) > high
        )
    ]
    for ax, ay, bx, by in _sides(one) if near else ():
        ux, uy = bx - ax, by - ay
        for cx, cy, dx, dy in near:
            after, before = ux * (dy - ay) - uy * (dx - ax), ux * (cy - ay) - uy * (cx - ax)
            if (before > 0) == (after > 0):
                continue
            vx, vy = dx - cx, dy - cy
            if (vx * (ay - cy) > vy * (ax - cx)) != (vx * (by - cy) > vy * (bx - cx)):
                return True
    return False


@lru_cache(maxsize=500)
def _solids(piece: TrackPiece, cut: Cut | None) -> tuple[Solid, ...]:
    return solids(piece, cut)


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece as it lies: cut so, at a place, with a heading."""

    piece: TrackPiece
    cut: Cut | None
    place: Vector
    heading: int

    def clashes(self, other: Lying) -> bool:
        """True when it cannot lie there while the other does."""
        grid = self.piece.grid
        apart = tuple(b - a for a, b in zip(self.place, other.place, strict=True))
        if self.cut is None and other.cut is None:
            return cells_overlap(grid, self.cells, other.cells, apart)
        solid = _solids(self.piece, self.cut)[self.heading]
        at = grid.point(apart, 1.0)
        return clash(solid, _solids(other.piece, other.cut)[other.heading], at.x, at.y)

    @property
    def cells(self) -> tuple[Vector, ...]:
        """Its cells, from its place."""
        return tuple(self.piece.grid.rotated(cell, self.heading) for cell in self.piece.cells)


def cells_overlap(
    grid: TileGrid, cells: Sequence[Vector], others: Sequence[Vector], apart: Vector
) -> bool:
    """True when a cell lies on another, the others moved so far. Exact."""
    for a in cells:
        for b in others:
            if grid.overlap(tuple(y + d - x for x, y, d in zip(a, b, apart, strict=True))):
                return True
    return False
