"""Grids that tiles lie on, and tiles as exact cells of them, with their lanes by each way through.

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

A piece is entered at the origin with heading 0. Its lanes lie side by side, lane 0 the leftmost. On
hexagons neighbouring lanes are half a cell apart along the track, so the first cells of lanes 0, 1,
2 … stand in a zigzag: each odd one half a cell ahead. The **port**, where two pieces meet, is the
straight line half a cell before the first cell of lane 0: it runs between two cells of every even
lane and halves a cell of every odd one. Every port is alike, so any two of the same width fit, and
each is cut with one straight cut.

A bend turns about a corner of the grid: each lane goes straight, turns once and goes straight
again, as the sides of a hexagonal (or square) ring do. A bend of one lane and radius 0 is a single
cell, which is how tiles of one hexagon, square or octagon fit in.
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


class TrackPiece(Struct, frozen=True):
    """A way through a tile: the cells of each lane in travel order, lane 0 the leftmost.

    `exit` is where lane 0 goes on in the next piece, `turn` the heading there, in curves to the
    left; `enters` and `leaves` are the widths of its two ports, in lanes. A piece that widens to
    the left has lanes before the one it is entered by, `lanes[first]`. Where lanes turn, `corners`
    has for each the index of the cell in which it does.
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
        """Every cell of every lane."""
        return tuple(cell for lane in self.lanes for cell in lane)

    @property
    def through(self) -> range:
        """The indices of the lanes that run from port to port."""
        ahead = self.grid.directions[self.turn % self.grid.turns]
        out = next(n for n, lane in enumerate(self.lanes) if total(lane[-1], ahead) == self.exit)
        return range(max(self.first, out), min(self.first + self.enters, out + self.leaves))

    @property
    def middle(self) -> float:
        """Its length along the middle, in cells: the mean of the lanes that run through."""
        return sum(len(self.lanes[n]) for n in self.through) / len(self.through)


class Way(Struct, frozen=True):
    """A way through a tile, and by how many curves its art is turned left to go it."""

    piece: TrackPiece
    art: int = 0


def across(grid: TileGrid, lane: int) -> Vector:
    """The first cell of a lane, counted to the right from lane 0 at the origin."""
    directions = grid.directions
    if grid is HEXAGONS:
        ahead, behind = times(directions[5], -(-lane // 2)), times(directions[4], lane // 2)
        return total(ahead, behind)
    return times(directions[-grid.turns // 4], lane)


def straight(grid: TileGrid, length: int = 1, width: int = 1) -> TrackPiece:
    """So many cells straight on."""
    return taper(grid, length, width, width, RIGHT)


def bend(grid: TileGrid, side: int, radius: int = 0, width: int = 1) -> TrackPiece:
    """One curve to the LEFT or RIGHT, its innermost lane `radius` rows from the corner.

    Raises ValueError for a bend that has no cells in some lane, or that its grid does not know.
    """
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
    """How many cells a lane goes straight, the corner with them, and how many after it.

    `outermost` is the row of lane 0. On hexagons a cell of row m lies at a whole or half number
    along the track, as m is even or odd, with the corner's at m/2: in halves of a cell, the port
    is at the corner of the grid, or one half before it and one behind.
    """
    if grid is not HEXAGONS:
        return row + 1, row
    odd = outermost % 2
    first = odd + lane % 2
    following = (odd or 2) + lane % 2
    return (row - first) // 2 + 1, (row + following) // 2 - 1


def taper(grid: TileGrid, length: int, enters: int, leaves: int, side: int) -> TrackPiece:
    """A straight that widens or narrows on one side, halfway along.

    Raises ValueError where a lane would have no cell.
    """
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
"""Cells along a piece, lanes across it and rows from a bend's corner may be at most so many."""
LETTERS: Final = {0: "S", LEFT: "L", RIGHT: "R"}


class BorderCut(Struct, frozen=True):
    """A tile that is cut along borders, not along its cells: the kerb beside its lanes, and how
    deep its outline may lie on another one's. Both in cells."""

    kerb: float
    slack: float = 0.0


class TileMeasures(Struct, frozen=True):
    """A tile's shape. `pitch` and `kerb` in mm; `turn` in curves to the left (-1, 0, 1) as it is
    drawn; `length` in cells, `enters` and `leaves` in lanes, `radius` in rows. `side` is where it
    widens or narrows, LEFT or RIGHT. `slack` is how deep its outline may lie on another's, mm.
    `either_way` says that it can also be entered by its exit.
    """

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
        """True for a tile that is one polygon of its grid, without anything around it."""
        lanes = self.enters == self.leaves == 1
        return lanes and self.length == 1 and self.radius == 0 and self.kerb == 0

    @property
    def cut(self) -> BorderCut | None:
        """How it is cut out where that is not along the sides of a cell of its grid."""
        return None if self.is_cell else BorderCut(self.kerb / self.pitch, self.slack / self.pitch)

    @property
    def widest_kerb(self) -> float:
        """How wide its kerb can be, mm: between two tracks with one row of cells between them there
        is room for both kerbs, and none reaches round a bend's corner into the piece before it."""
        room = 0.5
        if self.grid is HEXAGONS:
            room = math.sqrt(3) / 2 - 1 / math.sqrt(3)
        elif self.grid is OCTAGONS or (self.turn and not self.radius):
            room = 0.0
        return room * self.pitch

    def piece(self) -> TrackPiece:
        """Its lanes, as it is drawn. Raises ValueError, in plain words, for what cannot be."""
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
        """The ways through it, by letter. Raises ValueError, in plain words, for what cannot be."""
        piece = self.piece()
        ways = {LETTERS[self.turn]: Way(piece)}
        if not self.either_way:
            return ways
        if self.enters != self.leaves:
            raise ValueError("a piece that widens one way narrows the other: it has but one way")
        if self.turn:
            # Turned until its exit lies where its entry was.
            back = self.turn * (self.grid.turns // 2 - 1) % self.grid.turns
            if self.grid is HEXAGONS and self.enters % 2 == 0:
                raise ValueError("a bend of an even number of hexagon lanes has but one way")
            ways[LETTERS[-self.turn]] = Way(
                bend(self.grid, -self.turn, self.radius, self.enters), back
            )
        return ways


PieceForm = tuple[tuple[tuple[Vector, ...], ...], Vector, int, int, int]


def form(piece: TrackPiece) -> PieceForm:
    """What makes two pieces the same: their lanes, where they lead, their widths."""
    return piece.lanes, piece.exit, piece.turn, piece.enters, piece.leaves


def backwards(piece: TrackPiece) -> PieceForm | None:
    """The form of a piece entered by its exit; None for one that widens or narrows.

    On hexagons no piece has this form if its lanes are three, five …: the middle ones are half a
    cell ahead of their neighbours, and gone through backwards half a cell behind.
    """
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
    """True when one has the measures of the other, and bends or widens to the other side.

    Of an odd number of lanes on hexagons, and of any on squares, it is the exact mirror image.
    """
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
