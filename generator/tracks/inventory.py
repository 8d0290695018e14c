"""Tiles as they are owned: the moves that a search may make of them, names for what it lays out,
and what counting them shows without a search, such as why they make no circuit.

Tiles of one **shape** (the same ways through them, cut alike) stand in for each other:
numbers, art and start spaces make no other circuit. A **move** is a shape laid one way, so a
circuit is a cyclic word of moves; only when it is to be read do its tiles get their names.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise, product
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from generator.geometry import summed
from generator.tracks.courses import Course, CourseEntry, Tile, lay, solids
from generator.tracks.pieces import (
    HEXAGONS,
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


def straights_and_curves(grid: TileGrid, straights: int, curves: int) -> Inventory:
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


_MOST_CHOICES: Final = 5_000
"""Of how often each move between two widths is taken."""


class TileChoice(Struct, frozen=True):
    """How many of each shape a circuit takes at most and at least, and how many tiles in all it may
    then have."""

    most: tuple[int, ...]
    least: tuple[int, ...]
    lengths: frozenset[int]


def choices(
    inventory: Inventory, counts: Sequence[int], most: int, least: Sequence[int] = ()
) -> Iterator[TileChoice]:
    """What circuits may take of so many of each shape, at least so many: a choice for each that
    they can take of those that lead from one width to another. As far as counting tells, they can
    turn a full circle, lead over an even number of cells where the grid asks for that, and lead
    back to each width as often as away from it."""
    moves, turns = inventory.moves, inventory.grid.turns
    least = least or (0,) * len(counts)
    if any(few > many for few, many in zip(least, counts, strict=True)):
        return
    known: dict[frozenset[int | None], npt.NDArray[np.bool_]] = {}
    for widths, tapers in _widenings(inventory, counts):
        taken = [n * (_width(inventory, at) in widths) for at, n in enumerate(counts)]
        needed = [n * (_width(inventory, at) in widths) for at, n in enumerate(least)]
        if widths not in known:
            known[widths] = _reached(inventory, taken, most, needed)
        number = summed(count for _, count in tapers)
        turn = summed(moves[n].piece.turn * count for n, count in tapers)
        odd = summed(_odd(inventory, n) * count for n, count in tapers) % 2
        found = np.zeros(most + 1, np.bool_)
        for home in (turns - turn, -turns - turn):
            if number <= most and abs(home) <= most:
                found[number:] |= known[widths][: most + 1 - number, most + home, odd]
        for n, count in tapers:
            taken[moves[n].shape] += count
            needed[moves[n].shape] += count
        if found.any() and all(n >= asked for n, asked in zip(needed, least, strict=True)):
            lengths = frozenset(map(int, np.flatnonzero(found)))
            yield TileChoice(tuple(taken), tuple(needed), lengths)


def _width(inventory: Inventory, shape: int) -> int | None:
    """How many lanes a shape has that is left by as many as it is entered by; None for others."""
    pieces = [move.piece for move in inventory.moves if move.shape == shape]
    return pieces[0].enters if all(piece.enters == piece.leaves for piece in pieces) else None


def _widenings(
    inventory: Inventory, counts: Sequence[int]
) -> Iterator[tuple[frozenset[int | None], tuple[tuple[int, int], ...]]]:
    """The widths that a circuit can have, and how often it takes each move from one to another: as
    many lead to a width as away from it, and all hang together. Where there are too many choices
    to go through, all widths, and None as if the moves between them were like others."""
    moves = inventory.moves
    widening = [n for n, move in enumerate(moves) if _width(inventory, move.shape) is None]
    ranges = [range(counts[moves[n].shape] + 1) for n in widening]
    every = frozenset(move.piece.enters for move in moves)
    if math.prod(map(len, ranges)) > _MOST_CHOICES:
        yield every | {None}, ()
        return
    yield from ((frozenset({width}), ()) for width in sorted(every))
    for choice in product(*ranges):
        taken = tuple((n, count) for n, count in zip(widening, choice, strict=True) if count)
        used, balance = Counter[int](), Counter[int]()
        for n, count in taken:
            used[moves[n].shape] += count
            balance[moves[n].piece.enters] -= count
            balance[moves[n].piece.leaves] += count
        owned = all(count <= counts[shape] for shape, count in used.items())
        if taken and owned and not any(balance.values()):
            joined = {moves[taken[0][0]].piece.enters}
            for _ in taken:
                for n, _ in taken:
                    ends = {moves[n].piece.enters, moves[n].piece.leaves}
                    joined |= ends if joined & ends else set()
            if joined == set(balance):
                yield frozenset(joined), taken


def why_none(inventory: Inventory, length: int) -> str:
    """What counting shows against a circuit of so many tiles; nothing if it shows nothing."""
    grid, turns = inventory.grid, inventory.grid.turns
    curves = summed(
        shape.owned
        for number, shape in enumerate(inventory.shapes)
        if any(move.piece.turn for move in inventory.moves if move.shape == number)
    )
    if curves < turns:
        needed = f"it takes {turns} curves of {grid.angle}° to come round"
        return f"{needed}, and there {'is' if curves == 1 else 'are'} {curves or 'none'}"
    owned = [shape.owned for shape in inventory.shapes]
    reached = _reached(inventory, owned, length)[length]
    if not reached[[length + turns, length - turns]].any():
        return f"{length} of them cannot turn by 360° in all, however they are laid"
    if not reached[[length + turns, length - turns], 0].any():
        return f"on {grid.name}s a lap takes an even number of cells, and these take an odd one"
    if length == inventory.owned:
        for width in sorted({move.piece.enters for move in inventory.moves}):
            ins, outs = _changes(inventory, width)
            if ins != outs:
                lanes = f"{width} lane{'' if width == 1 else 's'}"
                return f"{ins} tiles lead to {lanes} and {outs} away from there, if all are laid"
    return ""


def most_on_table(inventory: Inventory, width: float, height: float) -> int:
    """How many of the tiles lie on a table of so many cells at most, by their areas."""
    areas: list[float] = []
    for number, shape in enumerate(inventory.shapes):
        move = next(move for move in inventory.moves if move.shape == number)
        corners = solids(move.piece, move.cut)[0].corners
        ring = pairwise((*corners, corners[0]))
        areas += [abs(math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in ring)) / 2] * shape.owned
    return sum(covered <= width * height for covered in accumulate(sorted(areas)))


def _changes(inventory: Inventory, width: int) -> tuple[int, int]:
    """How many tiles lead from another width to this one, and from this one to another."""
    ins = outs = 0
    for number, shape in enumerate(inventory.shapes):
        pieces = [move.piece for move in inventory.moves if move.shape == number]
        if len(pieces) == 1 and pieces[0].enters != pieces[0].leaves:
            ins += shape.owned * (pieces[0].leaves == width)
            outs += shape.owned * (pieces[0].enters == width)
    return ins, outs


def _reached(
    inventory: Inventory, counts: Sequence[int], most: int, least: Sequence[int] = ()
) -> npt.NDArray[np.bool_]:
    """By number of tiles, by curves to the left and `most` more, by even or odd cells of the way:
    whether so many tiles can come to that, `least` of each shape among them. Of hexagons no number
    of cells is ruled out."""
    reached = np.zeros((most + 1, 2 * most + 1 + 2 * inventory.grid.turns, 2), np.bool_)
    reached[0, most, 0] = True
    for shape, count in enumerate(counts):
        ways = {
            (move.piece.turn, _odd(inventory, number))
            for number, move in enumerate(inventory.moves)
            if move.shape == shape
        }
        for number in range(min(count, most)):
            before = reached.copy()
            if least and number < least[shape]:
                reached[:] = False
            for turn, odd in ways:
                part = np.roll(before[:-1], turn, axis=1)
                reached[1:] |= np.roll(part, odd, axis=2)
    return reached


def _odd(inventory: Inventory, move: int) -> int:
    """1 where a move leads over an odd number of cells, on grids where that tells."""
    return 0 if inventory.grid is HEXAGONS else summed(inventory.moves[move].piece.exit) % 2
