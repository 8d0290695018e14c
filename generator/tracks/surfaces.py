"""A course in, the surface that is raced on out: every space, how far along it lies, which way.

How far along a space lies is measured in cells along the middle of the track: a lane on the outside
of a bend has more spaces for the same stretch, so each of them counts for less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.tracks.courses import Course, Laid
from generator.tracks.grids import Vector


@dataclass(frozen=True, slots=True)
class Space:
    """A cell of the track: the number of its tile, its lane and step there, how far along the
    course its middle lies, in cells, and the heading of the lane where it leaves it."""

    cell: Vector
    tile: int
    lane: int
    step: int
    along: float
    heading: int


@dataclass(frozen=True, slots=True)
class Surface:
    """The spaces by cell, the length of a lap in cells, and where each tile begins (by number)."""

    spaces: Mapping[Vector, Space]
    lap: float
    begins: tuple[float, ...]

    def ahead(self, behind: Vector, before: Vector) -> float:
        """How many cells the second space lies before the first, by the shorter way round."""
        apart = (self.spaces[before].along - self.spaces[behind].along) % self.lap
        return apart if apart <= self.lap / 2 else apart - self.lap


def surface(course: Course) -> Surface:
    """The surface of a course; where tiles overlap, the first has the space."""
    spaces: dict[Vector, Space] = {}
    begins: list[float] = []
    along = 0.0
    for laid in course.tiles:
        begins.append(along)
        for space in _spaces(laid, along):
            spaces.setdefault(space.cell, space)
        along += laid.piece.middle
    return Surface(spaces, along, tuple(begins))


def _spaces(laid: Laid, along: float) -> Iterator[Space]:
    piece, turns = laid.piece, laid.piece.grid.turns
    entering = range(piece.first, piece.first + piece.enters)
    for number, lane in enumerate(piece.lanes):
        through = number in piece.through
        whole = len(lane) if through else piece.middle
        before = 0.0 if through or number in entering else whole - len(lane)
        for step, cell in enumerate(lane):
            turned = piece.turn if piece.corners and step >= piece.corners[number] else 0
            at = along + (before + step + 0.5) * piece.middle / whole
            heading = (laid.heading + turned) % turns
            yield Space(laid.on_table(cell), laid.number, number, step, at, heading)
