"""Layouts: a family of tiles and a word in, each tile's place, gaps and overlaps out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from generator.tracks.tiles import Tiles, Vector
from generator.tracks.words import TURN


@dataclass(frozen=True, slots=True)
class Laid:
    """One tile on the table: its number from 1, letter, place, and the heading it is entered by."""

    number: int
    letter: str
    place: Vector
    heading: int

    def __str__(self) -> str:
        return f"tile {self.number} ({self.letter})"


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two tiles that lie on each other."""

    first: Laid
    second: Laid

    def __str__(self) -> str:
        return f"{self.second} lies on {self.first}"


@dataclass(frozen=True, slots=True)
class Gap:
    """The last tile does not lead into the first: tile widths between, degrees turned left."""

    last: Laid
    first: Laid
    widths: float
    degrees: int

    def mm(self, size: float) -> float:
        """The gap in mm for tiles `size` mm across flats."""
        return self.widths * size

    def __str__(self) -> str:
        parts = [f"by {self.widths:.2f} tile widths"] if self.widths else []
        parts += [f"by a turn of {self.degrees}°"] if self.degrees else []
        return f"{self.last} misses {self.first} {' and '.join(parts)}"


@dataclass(frozen=True, slots=True)
class Layout:
    """Tiles laid one after another; `end` and `heading` are where the next tile would lie."""

    family: Tiles
    tiles: tuple[Laid, ...]
    end: Vector
    heading: int

    @property
    def gap(self) -> Gap | None:
        """What keeps the circuit from closing; None for a closed or an empty one."""
        if not self.tiles or (self.end == self.family.origin and self.heading == 0):
            return None
        turn = self.heading * self.family.angle
        degrees = turn - 360 if turn > 180 else turn
        widths = self.family.distance(self.end)
        return Gap(self.tiles[-1], self.tiles[0], widths, degrees)

    @property
    def overlaps(self) -> tuple[Overlap, ...]:
        """Every two tiles that lie on each other."""
        return tuple(
            Overlap(first, second)
            for first, second in combinations(self.tiles, 2)
            if self.family.overlap(_apart(first.place, second.place))
        )

    @property
    def is_circuit(self) -> bool:
        """True when the tiles close and none lies on another."""
        return bool(self.tiles) and self.gap is None and not self.overlaps


def _apart(one: Vector, other: Vector) -> Vector:
    return tuple(b - a for a, b in zip(one, other, strict=True))


def laid(family: Tiles, word: str) -> Layout:
    """Lays a word (as `words.parsed` returns it) from the origin, heading 0."""
    steps = family.directions
    place, heading = family.origin, 0
    tiles: list[Laid] = []
    for number, letter in enumerate(word, 1):
        tiles.append(Laid(number, letter, place, heading))
        heading = (heading + TURN[letter]) % family.turns
        place = tuple(a + b for a, b in zip(place, steps[heading], strict=True))
    return Layout(family, tuple(tiles), place, heading)
