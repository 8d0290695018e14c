"""Circuits with their tiles and measures, and which of them a player wants."""

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

_DEGREES: Final = 1.0
"""Degrees between two tries to fit a circuit on a table."""


class Demands(Struct, frozen=True):
    """Rules of a kind of tiles for every circuit: start grids, finish lines, and if the line
    may lie directly after the grid. None means any number."""

    grids: int | None = None
    finishes: int | None = None
    finish_after_grid: bool = True


class Wishes(Struct, frozen=True):
    """Wishes of a player: tiles by their calls, fewest and most bends, a table in mm, and
    straights before the start."""

    having: tuple[str, ...] = ()
    bends: tuple[int, int] | None = None
    table: tuple[float, float] | None = None
    straights: int = 0


class Candidate(Struct, frozen=True, dict=True):
    """A circuit from its start on, perhaps with its tiles given; `pitch` in mm."""

    inventory: Inventory
    word: TileWord
    pitch: float
    given: tuple[tuple[Tile, str], ...] | None = None

    @cached_property
    def tiles(self) -> tuple[tuple[Tile, str], ...]:
        """Return the tiles in order, each with the letter of its way."""
        return self.given or tuple(self.inventory.tiles(self.word))

    @property
    def named(self) -> str:
        """Return the course to paste."""
        if self.inventory.has_no_calls:
            return " ".join(self.inventory.letters(self.word))
        return " ".join(token(tile, letter) for tile, letter in self.tiles)

    @cached_property
    def course(self) -> Course:
        """Lay the circuit."""
        return lay(
            self.inventory.grid, [(tile, CourseEntry("", letter)) for tile, letter in self.tiles]
        )

    @cached_property
    def bends(self) -> int:
        """Return how many of its tiles turn."""
        return sum(self.inventory.moves[n].piece.turn != 0 for n in self.word)

    @cached_property
    def cells(self) -> float:
        """Return its length along the middle."""
        return math.fsum(self.inventory.moves[n].piece.middle for n in self.word)

    @cached_property
    def outline(self) -> Any:
        """Return the corners of all its tiles, x and y in mm."""
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
        """Return the width and height in mm that it needs, turned by each degree."""
        angles = np.radians(np.arange(0.0, 180.0, _DEGREES))
        along = np.outer(np.cos(angles), self.outline[:, 0])
        along += np.outer(np.sin(angles), self.outline[:, 1])
        wide = along.max(axis=1) - along.min(axis=1)
        return np.stack((wide, np.roll(wide, -len(angles) // 2)))

    @cached_property
    def table(self) -> tuple[float, float]:
        """Return the smallest table, the longer side first."""
        wide, high = self.boxes[:, int(np.argmin(self.boxes[0] * self.boxes[1]))]
        return max(float(wide), float(high)), min(float(wide), float(high))

    def fits(self, width: float, height: float) -> bool:
        """Return True if it fits on a table, turned as needed."""
        wide, high = self.boxes
        return bool(((wide <= width) & (high <= height)).any())

    @cached_property
    def symmetry(self) -> int:
        """Return in how many ways it can lie on itself, turned or mirrored."""
        seen = [_looks(self.inventory, n) for n in self.word]
        back = [(turn, length, ends, begins) for turn, length, begins, ends in reversed(seen)]
        return sum(seen[n:] + seen[:n] == other for n in range(len(seen)) for other in (seen, back))

    @cached_property
    def variety(self) -> float:
        """Return the share of its rows of three tiles that differ."""
        word = self.word + self.word[:2]
        return len({word[n : n + 3] for n in range(len(self.word))}) / len(self.word)

    @cached_property
    def features(self) -> Any:
        """Return numbers for its shape, the same however it is turned, mirrored or begun."""
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


def most_different(found: Sequence[Candidate], number: int) -> list[Candidate]:
    """Return the circuits that differ most: the first, then the furthest from all those chosen."""
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
    """Picks the circuits that meet demands and wishes. All begin with the tiles in `begun`."""

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
        """Return how many of each shape a circuit may and must have, for each choice of a grid
        and a finish line."""
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
        """Return the grids or lines that can be the only one: the wished one, if any."""
        wished = [tile for tile in tiles if tile.call in self.wishes.having]
        if len({tile.call for tile in wished}) > 1:
            return []
        return list(wished or tiles)

    @property
    def most(self) -> int:
        """Return how many tiles the demands allow."""
        return max((summed(most) for most, _ in self.stocks), default=0)

    @property
    def why_fewer(self) -> str:
        """Return why no circuit has more than `most` tiles."""
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
        """Return True if so many tiles of those taken can have as many bends as wished."""
        if self.wishes.bends is None:
            return True
        bending = {m.shape for m in self.inventory.moves if m.piece.turn}
        bends = summed(count for shape, count in enumerate(taken) if shape in bending)
        least, most = self.wishes.bends
        return max(least, length - (summed(taken) - bends)) <= min(most, bends, length)

    def candidate(self, word: TileWord) -> Candidate | None:
        """Return the circuit of a word if it meets all demands and wishes."""
        wishes = self.wishes
        if wishes.bends is not None:
            bends = len(word) - summed(self.is_straight[n] for n in word)
            if not wishes.bends[0] <= bends <= wishes.bends[1]:
                return None
        for found in self._named(word):
            if wishes.having and not {t.call for t, _ in found.tiles}.issuperset(wishes.having):
                continue
            if wishes.table is not None and not found.fits(*wishes.table):
                return None
            return found
        return None

    def _named(self, word: TileWord) -> Iterator[Candidate]:
        """Yield the word from each possible start."""
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
        """Yield the word with each place for the grid and the line, from `begun` or the grid on."""
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
            # Best, the line is just before the grid.
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
        """Yield a tile for each move: grid and line at their places, plain tiles elsewhere. Stop
        early if there are too few."""
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
