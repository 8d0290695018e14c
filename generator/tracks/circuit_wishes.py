"""What a player wishes of a circuit: whether one is so, how it is called and what it measures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Final

import numpy as np
from msgspec import Struct

from generator.geometry import summed
from generator.tracks.courses import Course, CourseEntry, Solid, Tile, lay, solids
from generator.tracks.inventory import Inventory, TileWord, token

_EACH: Final = 1.0
"""Degrees between two ways in which a circuit is tried on a table."""


class Demands(Struct, frozen=True):
    """What a family of tiles asks of every circuit: how many start grids and finish lines it has,
    and whether a finish line may come directly after the grid. None is not asked."""

    grids: int | None = None
    finishes: int | None = None
    finish_after_grid: bool = True


class Wishes(Struct, frozen=True):
    """What a player asks for: calls of tiles that it must have, how many bends, a table of so many
    mm that it fits on, turned as needed, whether it looks the same turned or in the mirror, how
    many straights come before the start. Nothing of it by default."""

    having: tuple[str, ...] = ()
    bends: tuple[int, int] | None = None
    table: tuple[float, float] | None = None
    symmetric: bool = False
    straights: int = 0


class Candidate(Struct, frozen=True, dict=True):
    """A circuit with its tiles named, from its start on; `pitch` in mm."""

    inventory: Inventory
    word: TileWord
    pitch: float
    given: tuple[tuple[Tile, str], ...] | None = None

    @cached_property
    def tiles(self) -> tuple[tuple[Tile, str], ...]:
        """The tiles in order, each with the letter of its way."""
        return self.given or tuple(self.inventory.tiles(self.word))

    @property
    def named(self) -> str:
        """As a course is written."""
        if self.inventory.has_no_calls:
            return self.inventory.spaced(self.word)
        return " ".join(token(tile, letter) for tile, letter in self.tiles)

    @cached_property
    def course(self) -> Course:
        """As it is laid."""
        return lay(
            self.inventory.grid, [(tile, CourseEntry("", letter)) for tile, letter in self.tiles]
        )

    @cached_property
    def bends(self) -> int:
        """How many of its tiles turn."""
        return sum(self.inventory.moves[n].piece.turn != 0 for n in self.word)

    @cached_property
    def cells(self) -> float:
        """How long it is along the middle."""
        return math.fsum(self.inventory.moves[n].piece.middle for n in self.word)

    @cached_property
    def outline(self) -> Any:
        """The corners of all its tiles, x and y in mm."""
        known: dict[int, tuple[Solid, ...]] = {}
        found: list[tuple[float, float]] = []
        grid = self.inventory.grid
        for laid, number in zip(self.course.tiles, self.word, strict=True):
            move = self.inventory.moves[number]
            if number not in known:
                known[number] = solids(move.piece, move.cut)
            at = grid.point(laid.place, 1.0)
            found += [(x + at.x, y + at.y) for x, y in known[number][laid.heading].corners]
        return np.array(found) * self.pitch

    @cached_property
    def boxes(self) -> Any:
        """Width and height of the table that it takes, mm, turned by each degree."""
        angles = np.radians(np.arange(0.0, 180.0, _EACH))
        along = np.outer(np.cos(angles), self.outline[:, 0])
        along += np.outer(np.sin(angles), self.outline[:, 1])
        wide = along.max(axis=1) - along.min(axis=1)
        return np.stack((wide, np.roll(wide, -len(angles) // 2)))

    @cached_property
    def table(self) -> tuple[float, float]:
        """Of these boxes the smallest, the longer side first."""
        wide, high = self.boxes[:, int(np.argmin(self.boxes[0] * self.boxes[1]))]
        return max(float(wide), float(high)), min(float(wide), float(high))

    def fits(self, width: float, height: float) -> bool:
        """True where it fits on a table, turned as needed."""
        wide, high = self.boxes
        return bool(((wide <= width) & (high <= height)).any())

    @cached_property
    def symmetry(self) -> int:
        """In how many ways it comes to lie on itself, turned or in the mirror."""
        seen = [_looks(self.inventory, n) for n in self.word]
        back = [(turn, length, ends, begins) for turn, length, begins, ends in reversed(seen)]
        return sum(seen[n:] + seen[:n] == other for n in range(len(seen)) for other in (seen, back))

    @cached_property
    def variety(self) -> float:
        """How many different rows of three tiles it has, of as many as it could have."""
        word = self.word + self.word[:2]
        return len({word[n : n + 3] for n in range(len(self.word))}) / len(self.word)

    @cached_property
    def features(self) -> Any:
        """Its shape in numbers that are the same however it is turned, mirrored or begun: how much
        of it comes round so many times."""
        grid = self.inventory.grid
        at = [grid.point(laid.place, 1.0) for laid in self.course.tiles]
        points = np.array([complex(p.x, p.y) for p in at])
        steps = np.abs(np.diff(np.append(points, points[0])))
        along = np.concatenate(([0.0], np.cumsum(steps)))
        even = np.linspace(0.0, along[-1], 64, endpoint=False)
        closed = np.append(points, points[0])
        ring = np.interp(even, along, closed.real) + 1j * np.interp(even, along, closed.imag)
        waves = np.abs(np.fft.fft(ring - ring.mean()))
        some = np.sort(np.stack((waves[1:9], waves[-1:-9:-1])), axis=0).ravel()
        return some / max(float(np.hypot.reduce(some)), 1e-9)


def _looks(inventory: Inventory, number: int) -> tuple[int, int, int, int]:
    piece = inventory.moves[number].piece
    return piece.turn, len(piece.cells), piece.enters, piece.leaves


RANKS: Final[Mapping[str, Callable[[Candidate], float]]] = {
    "area": lambda one: one.table[0] * one.table[1],
    "length": lambda one: -one.cells,
    "bends": lambda one: -one.bends,
    "variety": lambda one: -one.variety,
    "symmetry": lambda one: -one.symmetry,
}
"""The best first: the smallest table, the longest way, most bends, most variety, most symmetry."""


def most_different(found: Sequence[Candidate], number: int) -> list[Candidate]:
    """Those that differ most from each other: the first, then always the one that is furthest from
    all that were taken."""
    if len(found) <= number:
        return list(found)
    features = np.stack([one.features for one in found])
    taken = [0]
    apart = np.linalg.norm(features - features[0], axis=1)
    while len(taken) < number:
        taken.append(int(np.argmax(apart)))
        apart = np.minimum(apart, np.linalg.norm(features - features[taken[-1]], axis=1))
    return [found[n] for n in sorted(taken)]


NamedCircuits = tuple[tuple[Tile, str], ...]


class Chooser:
    """Names circuits, and says which are as they should be. `begun` are the first tiles of each."""

    def __init__(
        self,
        inventory: Inventory,
        demands: Demands,
        wishes: Wishes,
        pitch: float,
        begun: NamedCircuits = (),
    ) -> None:
        self.inventory, self.demands, self.wishes, self.pitch = inventory, demands, wishes, pitch
        self.begun = begun
        self.is_straight = [move.piece.turn == 0 for move in inventory.moves]
        self.asks = demands.grids is not None or demands.finishes is not None
        self.letters = [
            [inventory.letter(tile, number) for tile in inventory.shapes[move.shape].tiles]
            for number, move in enumerate(inventory.moves)
        ]

    @cached_property
    def stocks(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """How many of each shape may be laid and must be, for each choice of a grid and a line
        where that is demanded, with the tiles that are wished for; none where one is missing."""
        demands, shapes = self.demands, self.inventory.shapes
        tiles = [tile for shape in shapes for tile in shape.tiles]
        grids = self._one_of([t for t in tiles if t.starts]) if demands.grids else [None]
        lines = self._one_of([t for t in tiles if t.finish]) if demands.finishes else [None]

        def number(tile: Tile, grid: Tile | None, line: Tile | None) -> int:
            many = tile.owned
            for asked, is_one, chosen in (
                (demands.grids, bool(tile.starts), grid),
                (demands.finishes, tile.finish, line),
            ):
                if asked is not None and is_one:
                    many = min(many, int(tile is chosen))
            return many

        found = set()
        for grid, line in product(grids, lines):
            must = {*self.wishes.having, *(one.call for one in (grid, line) if one is not None)}
            most = (summed(number(t, grid, line) for t in shape.tiles) for shape in shapes)
            least = (len(must & {tile.call for tile in shape.tiles}) for shape in shapes)
            found.add((tuple(most), tuple(least)))
        return tuple(sorted(found))

    def _one_of(self, tiles: Sequence[Tile]) -> list[Tile | None]:
        """Of grids or lines those that can be the only one: one that is wished for, if any is."""
        wished = [tile for tile in tiles if tile.call in self.wishes.having]
        if len({tile.call for tile in wished}) > 1:
            return []
        return list(wished or tiles)

    @property
    def most(self) -> int:
        """How many tiles a circuit can have at most, by what is demanded of it."""
        return max((summed(most) for most, _ in self.stocks), default=0)

    @property
    def why_fewer(self) -> str:
        """Why no circuit has more than `most` tiles: what is demanded, and what there is of it."""
        tiles = [tile for shape in self.inventory.shapes for tile in shape.tiles]
        told = []
        for asked, name, some in (
            (self.demands.grids, "start grid", [tile for tile in tiles if tile.starts]),
            (self.demands.finishes, "finish line", [tile for tile in tiles if tile.finish]),
        ):
            there = summed(tile.owned for tile in some)
            if asked is not None and asked != there:
                told.append(f"{asked or 'no'} {name} ({there or 'none'} are there)")
        return f"a race here needs {' and '.join(told)}"

    def may_bend(self, taken: Sequence[int], length: int) -> bool:
        """True where so many tiles, of so many of each shape, can have as many bends as wished."""
        if self.wishes.bends is None:
            return True
        bending = {m.shape for m in self.inventory.moves if m.piece.turn}
        bends = summed(count for shape, count in enumerate(taken) if shape in bending)
        least, most = self.wishes.bends
        return max(least, length - (summed(taken) - bends)) <= min(most, bends, length)

    def candidate(self, word: TileWord) -> Candidate | None:
        """The circuit of a word, from its start on, if it is as it should be."""
        wishes = self.wishes
        if wishes.bends is not None:
            bends = len(word) - summed(self.is_straight[n] for n in word)
            if not wishes.bends[0] <= bends <= wishes.bends[1]:
                return None
        for found in self._named(word):
            if wishes.having and not {t.call for t, _ in found.tiles}.issuperset(wishes.having):
                continue
            if wishes.symmetric and found.symmetry < 2:
                return None
            if wishes.table is not None and not found.fits(*wishes.table):
                return None
            return found
        return None

    def _named(self, word: TileWord) -> Iterator[Candidate]:
        """The word from its start on, with its tiles."""
        straights = self.wishes.straights
        if self.asks or self.begun:
            yield from self._raced(word)
        elif not straights:
            yield Candidate(self.inventory, word, self.pitch)
        else:
            for at in range(len(word)):
                turned = word[at:] + word[:at]
                if all(self.is_straight[n] for n in turned[-straights:]):
                    yield Candidate(self.inventory, turned, self.pitch)
                    return

    def _raced(self, word: TileWord) -> Iterator[Candidate]:
        """With a grid and a line where they can be; begun as it is to begin, or at the grid."""
        shapes, moves, demands = self.inventory.shapes, self.inventory.moves, self.demands
        has_grid = [any(tile.starts for tile in shape.tiles) for shape in shapes]
        has_line = [any(tile.finish for tile in shape.tiles) for shape in shapes]
        count, straights = len(word), self.wishes.straights
        grids: list[int | None] = [n for n, m in enumerate(word) if has_grid[moves[m].shape]]
        lines: list[int | None] = [n for n, m in enumerate(word) if has_line[moves[m].shape]]
        for grid in grids if demands.grids else [None]:
            before = [(grid or 0) - 1 - n for n in range(straights)]
            if not all(self.is_straight[word[n]] for n in before):
                continue
            begin = 0 if self.begun else grid or 0
            turned = word[begin:] + word[:begin]
            # The line as far behind the grid as can be: just before it, when driven.
            for line in sorted(
                lines if demands.finishes else [None],
                key=lambda at: ((at or 0) - (grid or 0)) % count,
                reverse=True,
            ):
                follows = None not in (grid, line) and ((line or 0) - (grid or 0)) % count == 1
                if follows and not demands.finish_after_grid:
                    continue
                roles = ((grid, "grid"), (line, "line"))
                at = {(n - begin) % count: "" for n, _ in roles if n is not None}
                for place, role in roles:
                    if place is not None:
                        at[(place - begin) % count] += role
                tiles = tuple(self._tiles(turned, at))
                if len(tiles) == count:
                    yield Candidate(self.inventory, turned, self.pitch, tiles)

    def _tiles(self, word: TileWord, roles: Mapping[int, str]) -> Iterator[tuple[Tile, str]]:
        """A tile for each move: a grid and a line where they are to be, plain tiles elsewhere.
        Fewer than the word has where these do not suffice."""
        shapes, moves, demands = self.inventory.shapes, self.inventory.moves, self.demands
        laid = [moves[number].shape for number in word]
        used = Counter(
            (shape, tile.call) for shape, (tile, _) in zip(laid, self.begun, strict=False)
        )
        for at, (number, shape) in enumerate(zip(word, laid, strict=True)):
            role = roles.get(at, "")
            able = list(zip(shapes[shape].tiles, self.letters[number], strict=True))
            if at < len(self.begun):
                able = [self.begun[at]]
            for tile, letter in able:
                if (
                    (demands.grids is None or bool(tile.starts) == ("grid" in role))
                    and (demands.finishes is None or tile.finish == ("line" in role))
                    and (at < len(self.begun) or used[shape, tile.call] < tile.owned)
                ):
                    used[shape, tile.call] += at >= len(self.begun)
                    yield tile, letter
                    break
            else:
                return
