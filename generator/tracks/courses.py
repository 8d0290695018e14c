"""Tiles and the order in which they are laid in, a course with every tile's exact place out.

A tile may be gone through in several ways: a curve of one cell turns left when entered by one of
its ports, right by the other. A course lists tiles in the order of travel. Those without a place of
their own are laid onto the one before; the first lies at the origin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from generator.tracks.grids import Grid, Vector, times, total
from generator.tracks.pieces import Piece


@dataclass(frozen=True, slots=True)
class Way:
    """A way through a tile, and by how many curves its art is turned left to go it."""

    piece: Piece
    art: int = 0


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile as its owner has it. `call` is its name in courses, `ways` are by letter (S, L, R; a
    tile with one way has it under ""), `owned` how many of it there are.

    `kerbs` says that it is cut wider than its cells, so that it cannot lie close beside another.
    `starts` is how many vehicles can start on it, `finish` whether its finish line is printed,
    `marks` how many marks on it take a marker.
    """

    call: str
    ways: Mapping[str, Way]
    owned: int = 1
    kerbs: bool = False
    starts: int = 0
    finish: bool = False
    marks: int = 0


@dataclass(frozen=True, slots=True)
class Laying:
    """One entry of a course: which tile, gone through which way, where if that is said."""

    call: str
    way: str = ""
    place: Vector | None = None
    heading: int | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile on the table: its number in the course from 1, its way, its place and heading."""

    number: int
    tile: Tile
    way: Way
    letter: str
    place: Vector
    heading: int

    @property
    def piece(self) -> Piece:
        """Its lanes, as if it lay at the origin."""
        return self.way.piece

    def on_table(self, cell: Vector) -> Vector:
        """Where a cell of its piece lies."""
        return total(self.place, self.piece.grid.rotated(cell, self.heading))

    @property
    def cells(self) -> tuple[Vector, ...]:
        """Every cell it covers."""
        return tuple(self.on_table(cell) for cell in self.piece.cells)

    @property
    def ground(self) -> tuple[Vector, ...]:
        """Every cell on which nothing else can lie."""
        return tuple(self.on_table(cell) for cell in self.piece.ground)

    @property
    def end(self) -> Vector:
        """Where the tile after it is to lie."""
        return self.on_table(self.piece.exit)

    @property
    def onward(self) -> int:
        """The heading that it leads to."""
        return (self.heading + self.piece.turn) % self.piece.grid.turns

    def __str__(self) -> str:
        return f"{self.tile.call} (tile {self.number})"


@dataclass(frozen=True, slots=True)
class Joint:
    """Where one tile leads into the next: how far apart, in cells, and turned left by how much."""

    before: Laid
    after: Laid
    cells: float
    degrees: int

    @property
    def meets(self) -> bool:
        """True when the ports are at one place and one heading, whatever their widths."""
        return self.cells == 0 and self.degrees == 0


@dataclass(frozen=True, slots=True)
class Course:
    """Tiles on a grid in the order of travel."""

    grid: Grid
    tiles: tuple[Laid, ...]

    @property
    def joints(self) -> tuple[Joint, ...]:
        """Between each two tiles that follow each other, the last one's to the first left out."""
        return tuple(_joint(self.grid, *pair) for pair in pairwise(self.tiles))

    @property
    def closing(self) -> Joint | None:
        """From the last tile to the first; None for a course without tiles."""
        return _joint(self.grid, self.tiles[-1], self.tiles[0]) if self.tiles else None

    @property
    def is_closed(self) -> bool:
        """True when the last tile leads into the first."""
        return self.closing is not None and self.closing.meets

    @property
    def overlaps(self) -> tuple[tuple[Laid, Laid], ...]:
        """Every two tiles that lie on each other, be it with their kerbs."""
        return tuple(_overlapping(self))

    @property
    def is_circuit(self) -> bool:
        """True when every tile leads into the next, the last into the first, and none overlaps."""
        return self.is_closed and all(j.meets for j in self.joints) and not self.overlaps

    def turned(self, steps: int) -> Course:
        """The course turned left by so many curves, as a whole."""
        tiles = (
            replace(
                laid,
                place=self.grid.rotated(laid.place, steps),
                heading=(laid.heading + steps) % self.grid.turns,
            )
            for laid in self.tiles
        )
        return Course(self.grid, tuple(tiles))

    def without(self, numbers: frozenset[int]) -> Course:
        """The course pushed together without these tiles."""
        kept = [laid for laid in self.tiles if laid.number not in numbers]
        return lay(self.grid, [(laid.tile, Laying("", laid.letter)) for laid in kept])


def lay(grid: Grid, tiles: Sequence[tuple[Tile, Laying]]) -> Course:
    """Lay tiles in order. Raises KeyError for a way that a tile does not have."""
    laid: list[Laid] = []
    place, heading = grid.origin, 0
    for number, (tile, laying) in enumerate(tiles, 1):
        if laying.place is not None:
            place, heading = laying.place, (laying.heading or 0) % grid.turns
        way = tile.ways[laying.way]
        laid.append(Laid(number, tile, way, laying.way, place, heading))
        place, heading = laid[-1].end, laid[-1].onward
    return Course(grid, tuple(laid))


def _joint(grid: Grid, before: Laid, after: Laid) -> Joint:
    apart = total(after.place, times(before.end, -1))
    turn = (after.heading - before.onward) % grid.turns * grid.angle
    return Joint(before, after, grid.distance(apart), turn - 360 if turn > 180 else turn)


def _overlapping(course: Course) -> Iterator[tuple[Laid, Laid]]:
    """Cells are compared with those of the tiles before; of a lattice through a table of who lies
    where. A tile with kerbs reaches into the cells around its own, which only the tiles before and
    after it may have."""
    if not course.grid.lattice:
        yield from _overlapping_polygons(course)
        return
    last = len(course.tiles)
    have_kerbs = any(laid.tile.kerbs for laid in course.tiles)
    taken: dict[Vector, Laid] = {}
    for laid in course.tiles:
        on: dict[int, Laid] = {}
        cells = laid.ground
        for cell in cells:
            found = taken.get(cell)
            if found is not None:
                on[found.number] = found
            for step in course.grid.around if have_kerbs else ():
                near = taken.get(total(cell, step))
                if near is not None and (laid.tile.kerbs or near.tile.kerbs):
                    apart = laid.number - near.number
                    if apart > 1 and apart != last - 1:
                        on[near.number] = near
        for other in on.values():
            yield other, laid
        taken.update(dict.fromkeys(cells, laid))


def _overlapping_polygons(course: Course) -> Iterator[tuple[Laid, Laid]]:
    for index, laid in enumerate(course.tiles):
        for other in course.tiles[:index]:
            pairs = ((a, b) for a in laid.cells for b in other.cells)
            if any(course.grid.overlap(total(a, times(b, -1))) for a, b in pairs):
                yield other, laid
