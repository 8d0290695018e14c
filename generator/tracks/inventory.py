"""The tiles that you own, and the moves that a search can make with them.

Tiles of one **shape** (the same ways through them, cut alike) are interchangeable. A **move** is a
shape laid one way, and a circuit is a cyclic word of moves. Words get tiles only when printed.
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
    """Counts that cannot be read; `offset` is the place in the text, from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def parse_counts(text: str) -> tuple[int, int]:
    """Return the numbers of straights and curves in a text such as `6S 8C`. Raises CountError."""
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
    """Return the one way through a straight cell."""
    return {"S": Way(straight(grid))}


def curve_ways(grid: TileGrid) -> dict[str, Way]:
    """Return the two ways through a curved cell, drawn turning left."""
    return {"L": Way(bend(grid, LEFT)), "R": Way(bend(grid, RIGHT), grid.turns // 2 - 1)}


TileWord = tuple[int, ...]
"""Numbers of moves of an inventory, in the order of travel."""


class TileShape(Struct, frozen=True):
    """Interchangeable tiles: first those with a finish line, then those with a start."""

    tiles: tuple[Tile, ...]

    @property
    def owned(self) -> int:
        """Return how many there are."""
        return summed(tile.owned for tile in self.tiles)


class Move(Struct, frozen=True):
    """A shape, by its number, laid one way; `letter` is that way of its first tile."""

    shape: int
    letter: str
    piece: TrackPiece
    cut: BorderCut | None


class Inventory(Struct, frozen=True):
    """The tiles that can be laid. For each move, `back` is the same tile driven the other way, and
    `mirror` its mirror image, or None."""

    grid: TileGrid
    shapes: tuple[TileShape, ...]
    moves: tuple[Move, ...]
    back: tuple[int | None, ...]
    mirror: tuple[int | None, ...]

    @property
    def owned(self) -> int:
        """Return how many tiles there are."""
        return summed(shape.owned for shape in self.shapes)

    def tiles(self, word: TileWord) -> Iterator[tuple[Tile, str]]:
        """Yield a tile for each move, with the letter of its way. A second finish line is laid
        only if no other tile is left."""
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
        """Return the letter that a tile has for a move."""
        wanted = form(self.moves[number].piece)
        return next(k for k, way in tile.ways.items() if form(way.piece) == wanted)

    def move_of(self, tile: Tile, letter: str) -> int:
        """Return the move that lays a tile this way."""
        wanted = form(tile.ways[letter].piece)
        return next(
            number
            for number, move in enumerate(self.moves)
            if form(move.piece) == wanted and tile in self.shapes[move.shape].tiles
        )

    def course(self, word: TileWord) -> Course:
        """Lay a word."""
        return lay(self.grid, [(tile, CourseEntry("", way)) for tile, way in self.tiles(word)])

    @property
    def has_no_calls(self) -> bool:
        """Return True for counted tiles."""
        return not any(tile.call for shape in self.shapes for tile in shape.tiles)

    def letters(self, word: TileWord) -> str:
        """Return the letters of a word, such as `SLLSLL`."""
        return "".join(self.moves[number].letter for number in word)


def token(tile: Tile, letter: str) -> str:
    """Return a tile as a course names it, with the letter of its way if it has several."""
    return f"{tile.call}{letter}" if len(tile.ways) > 1 or not tile.call else tile.call


def inventory_of(grid: TileGrid, tiles: Iterable[Tile]) -> Inventory:
    """Sort the owned tiles by shape. Shapes with a finish line or start come first, so that
    circuits begin with one."""
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


def straights_and_curves(grid: TileGrid, straights: int, curves: int) -> Inventory:
    """Return an inventory of counted straights and curves of one cell."""
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
    """Pair each move with its mirror image. Shapes match only if they have as many ways."""
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
