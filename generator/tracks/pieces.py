"""Grids of tiles, and pieces: ways through tiles as exact cells, by lane.

A grid has regular polygons of one unit across flats. The next tile is always one unit away along
one of `turns` directions, and every place is a whole-number combination of the first few of them:
axial coordinates for hexagons, Cartesian ones for squares. For octagons, (a, b, c, d) stands for a
+ bζ + cζ² + dζ³ with ζ = e^(iπ/4). Octagons do not tile the plane, but nothing is ever rounded.

Two polygons overlap if they share more than an edge. Cells of a lattice do so only if they are the
same cell. Octagons do so if their middles are less than one unit apart along every direction.

A piece is entered at the origin with heading 0. Its lanes lie side by side, lane 0 leftmost. On
hexagons, odd lanes begin half a cell ahead. The port, where two pieces meet, is the straight line
half a cell before the first cell of lane 0. All ports of one width are alike.

In a bend, each lane goes straight, turns once around a corner of the grid, and goes straight again.
A bend of one lane and radius 0 is a single cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from generator.geometry import Point, summed

Vector = tuple[int, ...]
LEFT: Final = 1
RIGHT: Final = -1


def total(*vectors: Vector) -> Vector:
    """Add vectors."""
    return tuple(map(summed, zip(*vectors, strict=True)))


def times(vector: Vector, factor: int) -> Vector:
    """Multiply a vector."""
    return tuple(factor * v for v in vector)


@dataclass(frozen=True, slots=True)
class TileGrid:
    """A grid: the directions in a full turn, and whether its polygons fill the plane (`lattice`).

    `unit` is the last axis turned left once, as a combination of the axes. `directions` are the
    steps to the next tile by heading.
    """

    name: str
    turns: int
    unit: Vector
    lattice: bool
    directions: tuple[Vector, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        steps = [(1, *self.origin[1:])]
        while len(steps) < self.turns:
            steps.append(self.turned(steps[-1]))
        object.__setattr__(self, "directions", tuple(steps))

    @property
    def angle(self) -> int:
        """Return the degrees of a curve."""
        return 360 // self.turns

    @property
    def origin(self) -> Vector:
        """Return the place of the first tile."""
        return (0,) * len(self.unit)

    def turned(self, vector: Vector) -> Vector:
        """Turn a vector left by one curve, exactly."""
        last = vector[-1]
        shifted = (0, *vector[:-1])
        return tuple(s + last * u for s, u in zip(shifted, self.unit, strict=True))

    def rotated(self, vector: Vector, steps: int) -> Vector:
        """Turn a vector left by so many curves."""
        found = self.origin
        for axis, length in enumerate(vector):
            # The first directions are the axes.
            found = total(found, times(self.directions[(axis + steps) % self.turns], length))
        return found

    def distance(self, vector: Vector) -> float:
        """Return the length of a vector, in cells."""
        at = self.point(vector, 1.0)
        return math.hypot(at.x, at.y)

    def point(self, vector: Vector, size: float) -> Point:
        """Return the place on the page (y down), mm, for cells of this size across flats."""
        x = summed(v * math.cos(2 * math.pi * k / self.turns) for k, v in enumerate(vector))
        y = summed(v * math.sin(2 * math.pi * k / self.turns) for k, v in enumerate(vector))
        return Point(x * size, -y * size)


HEXAGONS: Final = TileGrid("hexagon", 6, (-1, 1), lattice=True)
SQUARES: Final = TileGrid("square", 4, (-1, 0), lattice=True)
OCTAGONS: Final = TileGrid("octagon", 8, (-1, 0, 0, 0), lattice=False)

GRIDS: Final = {tiles.name: tiles for tiles in (HEXAGONS, SQUARES, OCTAGONS)}


class TrackPiece(Struct, frozen=True):
    """A way through a tile: the cells of each lane in the order of travel, lane 0 leftmost.

    `exit` is where lane 0 goes on in the next piece, `turn` the heading there. `first` is the lane
    of its left port end: a piece that widens to the left has lanes before it. `corners` has the
    index of the cell where each lane turns.
    """

    grid: TileGrid
    lanes: tuple[tuple[Vector, ...], ...]
    exit: Vector
    turn: int
    enters: int
    leaves: int
    first: int = 0
    corners: tuple[int, ...] = ()

    @property
    def cells(self) -> tuple[Vector, ...]:
        """Return every cell of every lane."""
        return tuple(cell for lane in self.lanes for cell in lane)

    @property
    def through(self) -> range:
        """Return the lanes that run from port to port."""
        ahead = self.grid.directions[self.turn % self.grid.turns]
        out = next(n for n, lane in enumerate(self.lanes) if total(lane[-1], ahead) == self.exit)
        return range(max(self.first, out), min(self.first + self.enters, out + self.leaves))

    @property
    def middle(self) -> float:
        """Return its length in cells: the mean of the lanes that run through."""
        return sum(len(self.lanes[n]) for n in self.through) / len(self.through)


class Way(Struct, frozen=True):
    """A way through a tile, and how many curves to the left its art is turned."""

    piece: TrackPiece
    art: int = 0


def across(grid: TileGrid, lane: int) -> Vector:
    """Return the first cell of a lane, from lane 0 at the origin."""
    directions = grid.directions
    if grid is HEXAGONS:
        ahead, behind = times(directions[5], -(-lane // 2)), times(directions[4], lane // 2)
        return total(ahead, behind)
    return times(directions[-grid.turns // 4], lane)


def straight(grid: TileGrid, length: int = 1, width: int = 1) -> TrackPiece:
    """Return a straight of so many cells."""
    return taper(grid, length, width, width, RIGHT)


def bend(grid: TileGrid, side: int, radius: int = 0, width: int = 1) -> TrackPiece:
    """Return a bend to the LEFT or RIGHT, its innermost lane `radius` rows from the corner. Raises
    ValueError if it cannot be."""
    if grid is OCTAGONS and (radius or width > 1):
        raise ValueError("octagons do not lie side by side: they have one lane and radius 0")
    if radius < 0 or width < 1 or (width > 1 and radius == 0):
        raise ValueError("a bend of several lanes turns about a corner at least one row away")
    rows = [radius + (lane if side == LEFT else width - 1 - lane) for lane in range(width)]
    starts = [across(grid, lane) for lane in range(width)]
    counts = [_before_and_after(grid, rows[0], row, lane) for lane, row in enumerate(rows)]
    steps = grid.directions
    onward = steps[side % grid.turns]
    lanes = tuple(
        tuple(_run(start, steps[0], before))
        + tuple(_run(total(start, times(steps[0], before - 1), onward), onward, after))
        for start, (before, after) in zip(starts, counts, strict=True)
    )
    before, after = counts[0]
    exit_ = total(starts[0], times(steps[0], before - 1), times(onward, after + 1))
    corners = tuple(before - 1 for before, _ in counts)
    return TrackPiece(grid, lanes, exit_, side, width, width, corners=corners)


def _before_and_after(grid: TileGrid, outermost: int, row: int, lane: int) -> tuple[int, int]:
    """Return how many cells a lane goes straight, with the corner, and how many after it.

    `outermost` is the row of lane 0. On hexagons, cells of odd rows lie half a cell off.
    """
    if grid is not HEXAGONS:
        return row + 1, row
    odd = outermost % 2
    first = odd + lane % 2
    following = (odd or 2) + lane % 2
    return (row - first) // 2 + 1, (row + following) // 2 - 1


def taper(grid: TileGrid, length: int, enters: int, leaves: int, side: int) -> TrackPiece:
    """Return a straight that widens or narrows on one side, halfway along. Raises ValueError if a
    lane would have no cell."""
    if length < 1 or min(enters, leaves) < 1:
        raise ValueError("a piece is at least one cell long and one lane wide")
    if enters != leaves and length < 2:
        raise ValueError("a piece that widens or narrows is at least two cells long")
    first = leaves - enters if side == LEFT else 0
    shift = -first
    lanes = range(min(0, shift), max(enters, shift + leaves))
    ahead = grid.directions[0]
    exit_ = total(times(ahead, length), across(grid, shift))
    cells = []
    for lane in lanes:
        start = across(grid, lane)
        after = total(exit_, across(grid, lane - shift))
        count = next(n for n in range(length + 2) if total(start, times(ahead, n)) == after)
        run = list(_run(start, ahead, count))
        begin, end = 0, count
        if not 0 <= lane < enters:
            begin = count // 2
        elif not shift <= lane < shift + leaves:
            end = count - count // 2
        cells.append(tuple(run[begin:end]))
    first = max(first, 0)
    return TrackPiece(grid, tuple(cells), exit_, 0, enters, leaves, first)


def _run(start: Vector, step: Vector, count: int) -> tuple[Vector, ...]:
    return tuple(total(start, times(step, n)) for n in range(count))


MOST_CELLS: Final = 60
LETTERS: Final = {0: "S", LEFT: "L", RIGHT: "R"}


class BorderCut(Struct, frozen=True):
    """The cut of a tile along its borders: kerb and slack, in cells."""

    kerb: float
    slack: float = 0.0


class TileMeasures(Struct, frozen=True):
    """A tile's shape. `pitch`, `kerb` and `slack` in mm; `turn` in curves to the left (-1, 0, 1) as
    it is drawn; `length` in cells, `enters` and `leaves` in lanes, `radius` in rows; `side` is LEFT
    or RIGHT."""

    grid: TileGrid
    pitch: float
    turn: int = 0
    length: int = 1
    enters: int = 1
    leaves: int = 1
    side: int = RIGHT
    radius: int = 0
    kerb: float = 0.0
    slack: float = 0.0
    either_way: bool = False

    @property
    def is_cell(self) -> bool:
        """Return True for a single cell without a kerb."""
        lanes = self.enters == self.leaves == 1
        return lanes and self.length == 1 and self.radius == 0 and self.kerb == 0

    @property
    def cut(self) -> BorderCut | None:
        """Return its cut, or None for a single cell."""
        return None if self.is_cell else BorderCut(self.kerb / self.pitch, self.slack / self.pitch)

    @property
    def widest_kerb(self) -> float:
        """Return the widest possible kerb, mm: two kerbs fit in one row of cells between two
        tracks, and none reaches into the piece before a bend."""
        room = 0.5
        if self.grid is HEXAGONS:
            room = math.sqrt(3) / 2 - 1 / math.sqrt(3)
        elif self.grid is OCTAGONS or (self.turn and not self.radius):
            room = 0.0
        return room * self.pitch

    def piece(self) -> TrackPiece:
        """Return its piece as it is drawn. Raises ValueError with the reason if it cannot be."""
        if self.grid is OCTAGONS and max(self.enters, self.leaves, self.length) > 1:
            raise ValueError("octagons are tiles of one cell")
        if self.kerb > self.widest_kerb:
            most = math.floor(self.widest_kerb * 100) / 100
            told = f"{most:g} mm is the widest that fits" if most else "there is no room for one"
            raise ValueError(f"a kerb of {self.kerb:g} mm: {told}")
        if not self.turn:
            if self.radius:
                raise ValueError("a straight has no radius")
            return taper(self.grid, self.length, self.enters, self.leaves, self.side)
        if self.length != 1:
            raise ValueError("a bend has no length of its own: it follows from its radius")
        if self.enters != self.leaves:
            raise ValueError("a bend does not widen or narrow")
        if self.radius + self.enters > MOST_CELLS:
            raise ValueError(f"a bend of more than {MOST_CELLS} rows")
        piece = bend(self.grid, self.turn, self.radius, self.enters)
        if not all(piece.lanes):
            raise ValueError("a bend so narrow has a lane without any cell: enlarge its radius")
        return piece

    def ways(self) -> dict[str, Way]:
        """Return the ways through it, by letter. Raises ValueError with the reason."""
        piece = self.piece()
        ways = {LETTERS[self.turn]: Way(piece)}
        if not self.either_way:
            return ways
        if self.enters != self.leaves:
            raise ValueError("a piece that widens one way narrows the other: it has but one way")
        if self.turn:
            # Turn it until its exit lies at its former entry.
            back = self.turn * (self.grid.turns // 2 - 1) % self.grid.turns
            if self.grid is HEXAGONS and self.enters % 2 == 0:
                raise ValueError("a bend of an even number of hexagon lanes has but one way")
            ways[LETTERS[-self.turn]] = Way(
                bend(self.grid, -self.turn, self.radius, self.enters), back
            )
        return ways


PieceForm = tuple[tuple[tuple[Vector, ...], ...], Vector, int, int, int]


def form(piece: TrackPiece) -> PieceForm:
    """Return what makes two pieces the same: lanes, exit, turn and widths."""
    return piece.lanes, piece.exit, piece.turn, piece.enters, piece.leaves


def backwards(piece: TrackPiece) -> PieceForm | None:
    """Return the form of a piece entered by its exit, or None if it changes the width."""
    if piece.enters != piece.leaves:
        return None
    grid = piece.grid
    half = grid.turns // 2
    origin = piece.lanes[-1][-1]

    def seen(cell: Vector) -> Vector:
        return grid.rotated(total(cell, times(origin, -1)), -piece.turn - half)

    lanes = tuple(tuple(map(seen, lane[::-1])) for lane in reversed(piece.lanes))
    beyond = seen(total(piece.lanes[-1][0], grid.directions[half]))
    return lanes, beyond, -piece.turn, piece.leaves, piece.enters


def are_mirrored(one: TrackPiece, other: TrackPiece) -> bool:
    """Return True if the pieces have the same measures to opposite sides."""
    if (one.turn, one.enters, one.leaves) != (-other.turn, other.enters, other.leaves):
        return False
    grid, width = one.grid, one.enters
    if one.turn:
        return any(
            bend(grid, one.turn, radius, width) == one
            and bend(grid, -one.turn, radius, width) == other
            for radius in range(width > 1, len(one.cells) + 2)
        )
    length = max(map(len, one.lanes))
    return any(
        taper(grid, n, width, one.leaves, side) == one
        and taper(grid, n, width, one.leaves, -side) == other
        for n in range(max(1, length - 1, (width != one.leaves) * 2), length + 2)
        for side in (LEFT, RIGHT)
    )
