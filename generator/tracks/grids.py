"""Grids that track tiles lie on: a name in, exact places, directions and overlaps out.

A grid is of regular polygons, one unit across their flats; from the middle of one to the next it is
always one unit along one of `turns` directions, and every middle is a whole combination of the
first few of them:

- hexagons and squares: axial and Cartesian whole numbers, cells of a lattice;
- octagons (45° curves): (a, b, c, d) stands for a + bζ + cζ² + dζ³ with ζ = e^(iπ/4), whose real
  part is a + (b − d)/√2. Octagons do not tile the plane, but nothing is ever rounded.

Two polygons overlap when they share more than an edge. Cells of a lattice do only when they are the
same cell. Octagons, which all lie alike, do when their middles are less than one unit apart as seen
along every one of the directions (the difference of two equal centrally symmetric polygons is the
polygon twice as large).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from generator.geometry import Point, summed

Vector = tuple[int, ...]


def total(*vectors: Vector) -> Vector:
    """The sum of the vectors."""
    return tuple(map(summed, zip(*vectors, strict=True)))


def times(vector: Vector, factor: int) -> Vector:
    """The vector so many times as long."""
    return tuple(factor * v for v in vector)


@dataclass(frozen=True, slots=True)
class TileGrid:
    """A grid: name, directions in a full turn, and whether its polygons fill the plane.

    `unit` is how one turn to the left acts on the last coordinate's axis: that axis becomes this
    combination of the axes (the polynomial of the root of unity, e.g. ζ² = ζ − 1 for hexagons).
    `directions` are the steps to the next tile by heading, turning left from heading 0; `around`
    those to every cell that touches one, of squares also at a corner.
    """

    name: str
    turns: int
    unit: Vector
    lattice: bool
    directions: tuple[Vector, ...] = field(init=False, repr=False, compare=False)
    around: tuple[Vector, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        steps = [(1, *self.origin[1:])]
        while len(steps) < self.turns:
            steps.append(self.turned(steps[-1]))
        corners = map(total, steps, (*steps[1:], steps[0])) if self.turns == 4 else ()
        object.__setattr__(self, "directions", tuple(steps))
        object.__setattr__(self, "around", (*steps, *corners))

    @property
    def angle(self) -> int:
        """Degrees by which a curve turns."""
        return 360 // self.turns

    @property
    def origin(self) -> Vector:
        """The place of the first tile."""
        return (0,) * len(self.unit)

    def turned(self, vector: Vector) -> Vector:
        """The vector turned left by one curve, exactly."""
        last = vector[-1]
        shifted = (0, *vector[:-1])
        return tuple(s + last * u for s, u in zip(shifted, self.unit, strict=True))

    def rotated(self, vector: Vector, steps: int) -> Vector:
        """The vector turned left by so many curves; to the right if negative."""
        found = self.origin
        for axis, length in enumerate(vector):
            # The first directions are the axes.
            found = total(found, times(self.directions[(axis + steps) % self.turns], length))
        return found

    def overlap(self, apart: Vector) -> bool:
        """True when two tiles with centres so far apart share more than an edge. Exact."""
        if self.lattice:
            return not any(apart)
        for _ in range(self.turns):
            a, b, _c, d = apart
            if not _less_than_two(2 * a, b - d):
                return False
            apart = self.turned(apart)
        return True

    def distance(self, vector: Vector) -> float:
        """Length of the vector, in tile widths."""
        at = self.point(vector, 1.0)
        return math.hypot(at.x, at.y)

    def point(self, vector: Vector, size: float) -> Point:
        """Where a tile's centre lies on the page (y down), mm, for tiles `size` mm across flats."""
        x = summed(v * math.cos(2 * math.pi * k / self.turns) for k, v in enumerate(vector))
        y = summed(v * math.sin(2 * math.pi * k / self.turns) for k, v in enumerate(vector))
        return Point(x * size, -y * size)


def _less_than_two(p: int, q: int) -> bool:
    """p + q√2 < 2, in whole numbers only."""
    p -= 2
    if q == 0 or (p < 0) == (q < 0):
        return p < 0
    return p * p > 2 * q * q if p < 0 else p * p < 2 * q * q


HEXAGONS: Final = TileGrid("hexagon", 6, (-1, 1), lattice=True)
SQUARES: Final = TileGrid("square", 4, (-1, 0), lattice=True)
OCTAGONS: Final = TileGrid("octagon", 8, (-1, 0, 0, 0), lattice=False)

GRIDS: Final = {tiles.name: tiles for tiles in (HEXAGONS, SQUARES, OCTAGONS)}
