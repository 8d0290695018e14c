"""Tiles as they are owned in, the moves that a search may make and names for what it lays out.

Tiles of one **shape** (the same ways through them, cut alike) stand in for each other:
numbers, art and start spaces make no other circuit. A **move** is a shape laid one way, so a
circuit is a cyclic word of moves; only when it is to be read do its tiles get their names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from generator.geometry import summed
from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.pieces import (
    LEFT,
    RIGHT,
    BorderCut,
    TileGrid,
    TrackPiece,
    Way,
    are_mirrored,
    backwards,
    bend,
    form,
    straight,
)

_COUNT: Final = re.compile(r"(\d{1,3})\s*+(?:[x×]\s*+(?=[A-Za-z]))?([A-Za-z]+)[\s,;+]*")
_CURVES: Final = frozenset(("c", "curve", "curves"))
_STRAIGHTS: Final = frozenset(("s", "straight", "straights"))


class CountError(ValueError):
    """Counts that cannot be read; `offset` is where in the text, from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def parse_counts(text: str) -> tuple[int, int]:
    """How many straights and curves: `6S 8C`, in any order. Raises CountError."""
    number = {"s": 0, "c": 0}
    at = len(text) - len(text.lstrip())
    while at < len(text):
        found = _COUNT.match(text, at)
        if found is None:
            raise CountError(f"{text[at:].split(maxsplit=1)[0]!r} is no count of tiles", at)
        word = found[2].lower()
        if word not in _CURVES | _STRAIGHTS:
            raise CountError(f"{found[2]!r} is no kind of tile", found.start(2))
        number["c" if word in _CURVES else "s"] += int(found[1])
        at = found.end()
    return number["s"], number["c"]


def straight_ways(grid: TileGrid) -> dict[str, Way]:
    """The one way through a straight cell."""
    return {"S": Way(straight(grid))}


def curve_ways(grid: TileGrid) -> dict[str, Way]:
    """The two ways through a curved cell, whose art turns left when entered from below: to turn
    right it is entered by its other port, which must first be turned to where the first was."""
    return {"L": Way(bend(grid, LEFT)), "R": Way(bend(grid, RIGHT), grid.turns // 2 - 1)}


TileWord = tuple[int, ...]
"""Moves by their index in the inventory, in the order of travel."""


class TileShape(Struct, frozen=True):
    """Tiles that can stand in for each other: first those with a finish line, then those with a
    start, then as they were given."""

    tiles: tuple[Tile, ...]

    @property
    def owned(self) -> int:
        """How many there are in all."""
        return summed(tile.owned for tile in self.tiles)


class Move(Struct, frozen=True):
    """A shape, by its index, laid one way; `letter` is what its first tile calls that way."""

    shape: int
    letter: str
    piece: TrackPiece
    cut: BorderCut | None


class Inventory(Struct, frozen=True):
    """What may be laid. For each move `back` is the one that goes through the same tile the other
    way, and `mirror` the one that is its mirror image; None where there is none."""

    grid: TileGrid
    shapes: tuple[TileShape, ...]
    moves: tuple[Move, ...]
    back: tuple[int | None, ...]
    mirror: tuple[int | None, ...]

    @property
    def owned(self) -> int:
        """How many tiles there are in all."""
        return summed(shape.owned for shape in self.shapes)

    def tiles(self, word: TileWord) -> Iterator[tuple[Tile, str]]:
        """A tile for each move, with the letter of its way. Each shape's tiles come in their order,
        but no second one with a finish line while there are others; of a word that takes more than
        there are, the last one again and again."""
        free = [{n: tile.owned for n, tile in enumerate(shape.tiles)} for shape in self.shapes]
        finished = False
        for number in word:
            move = self.moves[number]
            tiles, left = self.shapes[move.shape].tiles, free[move.shape]
            able = [n for n in left if left[n] > 0] or [len(tiles) - 1]
            chosen = min(able, key=lambda n: finished and tiles[n].finish)
            left[chosen] -= 1
            tile = tiles[chosen]
            finished = finished or tile.finish
            yield tile, self.letter(tile, number)

    def letter(self, tile: Tile, number: int) -> str:
        """What a tile calls the way of a move."""
        wanted = form(self.moves[number].piece)
        return next(k for k, way in tile.ways.items() if form(way.piece) == wanted)

    def move_of(self, tile: Tile, letter: str) -> int:
        """The move that lays a tile so."""
        wanted = form(tile.ways[letter].piece)
        return next(
            number
            for number, move in enumerate(self.moves)
            if form(move.piece) == wanted and tile in self.shapes[move.shape].tiles
        )

    def course(self, word: TileWord) -> Course:
        """The course of a word."""
        return lay(self.grid, [(tile, CourseEntry("", way)) for tile, way in self.tiles(word)])

    def named(self, word: TileWord) -> str:
        """A word as a course is written: `1 9L 10L 2 …`."""
        return " ".join(token(tile, letter) for tile, letter in self.tiles(word))

    @property
    def has_no_calls(self) -> bool:
        """True for tiles that are only counted."""
        return not any(tile.call for shape in self.shapes for tile in shape.tiles)

    def spaced(self, word: TileWord) -> str:
        """Its letters, as a course of tiles without calls is written."""
        letters = [move.letter for move in self.moves]
        return " ".join([letters[number] for number in word])

    def letters(self, word: TileWord) -> str:
        """A word by the letters of its ways alone: `SLLSLL`."""
        return "".join(self.moves[number].letter for number in word)


def token(tile: Tile, letter: str) -> str:
    """How a course calls a tile: with the letter of its way where it has several; a tile without a
    call by that letter alone."""
    return f"{tile.call}{letter}" if len(tile.ways) > 1 or not tile.call else tile.call


def inventory_of(grid: TileGrid, tiles: Iterable[Tile]) -> Inventory:
    """All the tiles that are owned, by shape. Shapes with a finish line or start come first, so
    that a circuit begins with one; the others as they were given."""
    alike: dict[object, list[Tile]] = {}
    for tile in tiles:
        if tile.owned > 0:
            ways = frozenset(form(way.piece) for way in tile.ways.values())
            alike.setdefault((ways, tile.cut), []).append(tile)
    shapes = [TileShape(tuple(sorted(found, key=_standing))) for found in alike.values()]
    shapes.sort(key=lambda shape: _standing(shape.tiles[0]))
    moves = tuple(
        Move(number, letter, way.piece, shape.tiles[0].cut)
        for number, shape in enumerate(shapes)
        for letter, way in shape.tiles[0].ways.items()
    )
    return Inventory(grid, tuple(shapes), moves, _backs(moves), _mirrors(moves))


def counted(grid: TileGrid, straights: int, curves: int) -> Inventory:
    """Straights and curves of one cell, as many as there are of each; they have no calls."""
    tiles = [
        Tile("", straight_ways(grid), owned=straights),
        Tile("", curve_ways(grid), owned=curves),
    ]
    return inventory_of(grid, tiles)


def _standing(tile: Tile) -> tuple[bool, bool]:
    return not tile.finish, not tile.starts


def _backs(moves: Sequence[Move]) -> tuple[int | None, ...]:
    known = {(move.shape, form(move.piece)): number for number, move in enumerate(moves)}
    found = ((move.shape, backwards(move.piece)) for move in moves)
    return tuple(known.get((shape, back)) if back else None for shape, back in found)


def _mirrors(moves: Sequence[Move]) -> tuple[int | None, ...]:
    """Each move has one mirror image at most, and is that one's: where measures differ that make
    no difference, there are several that it could be. A shape that can be gone both ways is no
    mirror image of one that cannot."""
    found: list[int | None] = [None] * len(moves)
    ways = Counter(move.shape for move in moves)
    for one, move in enumerate(moves):
        for other in range(one, len(moves)):
            free = found[one] is None and found[other] is None
            image = moves[other]
            alike = move.cut == image.cut and ways[move.shape] == ways[image.shape]
            if free and alike and are_mirrored(move.piece, image.piece):
                found[one], found[other] = other, one
    return tuple(found)
