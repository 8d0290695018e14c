"""Tiles that are left in; whether they can still lead home, and from where, out.

A circuit is home when its next tile would lie on its first: at place 0, heading 0, as wide. For the
last tiles of a circuit the places from which they can lead there are worked out and remembered:
for each remainder of the tiles, or, where an inventory has too many of those, for any tiles of it.
Further from the end, a circuit must only be near enough and have the curves to turn back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import prod
from typing import Final

from generator.tracks.packed_moves import PackedMove, Packing
from generator.units import summed

_DIRECTIONS: Final = 8
"""Looked at within one curve; between two of them the farthest point is hardly further."""


class Reach:
    """The farthest that turning tiles lead, in cells: a bound that is never too small."""

    def __init__(self, packing: Packing, moves: Sequence[PackedMove]) -> None:
        grid = packing.grid
        step = math.tau / grid.turns / _DIRECTIONS
        self.turns = grid.turns
        self.widest = 1 / math.cos(step / 2)
        self.bends: list[tuple[int, list[list[float]]]] = []
        turning = {move.shape for move in moves if move.turn}
        for move in moves:
            # A tile that can also be gone straight through counts as one that turns.
            if move.shape in turning:
                exits = [grid.point(packing.unpack(number), 1.0) for number in move.exits]
                onto = [
                    [at.x * math.cos(n * step) - at.y * math.sin(n * step) for at in exits]
                    for n in range(_DIRECTIONS)
                ]
                self.bends.append((move.turn, onto))
        # By direction and heading: the farthest that the tiles counted so far lead that way.
        self.ahead = [[0.0] * self.turns for _ in range(_DIRECTIONS)]
        self.farthest = [0.0]

    def of(self, bends: int) -> float:
        """How far so many turning tiles lead at most."""
        while len(self.farthest) <= bends and self.bends:
            self.ahead = [
                [
                    max(
                        onto[n][heading] + after[(heading + turn) % self.turns]
                        for turn, onto in self.bends
                    )
                    for heading in range(self.turns)
                ]
                for n, after in enumerate(self.ahead)
            ]
            self.farthest.append(max(map(max, self.ahead)) * self.widest)
        return self.farthest[min(bends, len(self.farthest) - 1)]


_REMAINDERS: Final = 3_000
_PLACES: Final = 60_000
_BEYOND_HALF: Final = 2
_NEAR: Final = 1e-6
_NONE: Final[frozenset[int]] = frozenset()

Left = int
"""How many tiles of each shape are left, as one number: see `Remainders`."""


class Remainders:
    """How many of each shape are left, as the digits of one number."""

    def __init__(self, counts: Sequence[int]) -> None:
        self.bases = [count + 1 for count in counts]
        self.units = [prod(self.bases[:shape]) for shape in range(len(counts))]
        self.all: Left = summed(n * unit for n, unit in zip(counts, self.units, strict=True))
        self.number = prod(self.bases)

    def of(self, left: Left, shape: int) -> int:
        """How many of a shape are left."""
        return left // self.units[shape] % self.bases[shape]


class Homeward:
    """Ways home for circuits of `length` tiles that begin `width` lanes wide."""

    def __init__(
        self,
        packing: Packing,
        moves: Sequence[PackedMove],
        remainders: Remainders,
        length: int,
        width: int,
    ) -> None:
        self.packing, self.moves, self.remainders = packing, moves, remainders
        self.turns, self.width = packing.grid.turns, width
        self.exact = remainders.number <= _REMAINDERS
        self.known: dict[tuple[Left, int, int, int], frozenset[int]] = {}
        self.bounds: dict[tuple[Left, int], tuple[int, int, float]] = {}
        self.distances: dict[int, float] = {}
        self.reach = Reach(packing, moves)
        self.turning: dict[int, list[int]] = {}
        self.far: dict[int, float] = {}
        for move in moves:
            self.turning.setdefault(move.shape, []).append(move.turn)
            self.far[move.shape] = packing.grid.distance(packing.unpack(move.exits[0]))
        self.most = length // 2 + _BEYOND_HALF
        if not self.exact:
            self.most = self._affordable(self.most)

    def can(self, left: Left, todo: int, turn: int, width: int, place: int) -> bool:
        """False when no `todo` of the tiles left lead home from this place, `turn` curves to the
        left in all, entered `width` lanes wide. True may be too hopeful."""
        if todo <= self.most and self.exact:
            return place in self._places(left, todo, turn, width)
        key = (left, todo)
        if key not in self.bounds:
            self.bounds[key] = self._bounds(left, todo)
        least, largest, far = self.bounds[key]
        if not least <= turn <= largest:
            return False
        if todo <= self.most:
            return place in self._places(0, todo, turn, width)
        if place not in self.distances:
            packing = self.packing
            self.distances[place] = packing.grid.distance(packing.unpack(place))
        return self.distances[place] <= far

    def _places(self, left: Left, todo: int, turn: int, width: int) -> frozenset[int]:
        """From where `todo` tiles lead home; `left` counts only if it is exact."""
        if not todo:
            return frozenset({0}) if not turn and width == self.width else _NONE
        if abs(turn) > todo:
            return _NONE
        key = (left, todo, turn, width)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = frozenset(self._before(left, todo, turn, width))
        return found

    def _before(self, left: Left, todo: int, turn: int, width: int) -> set[int]:
        # The heading follows from the curves left, as the last tile leads out at heading 0.
        heading = -turn % self.turns
        remainders, found = self.remainders, set[int]()
        for move in self.moves:
            if move.enters != width or (self.exact and not remainders.of(left, move.shape)):
                continue
            after = left - remainders.units[move.shape] if self.exact else 0
            step = move.exits[heading]
            onward = self._places(after, todo - 1, turn - move.turn, move.leaves)
            found.update(place - step for place in onward)
        return found

    def _affordable(self, most: int) -> int:
        """For how many tiles, up to so many, the places are few enough to work them all out."""
        widths = {move.enters for move in self.moves}
        number = 0
        for todo in range(1, most + 1):
            number += sum(
                len(self._places(0, todo, turn, width))
                for turn in range(-todo, todo + 1)
                for width in widths
            )
            if number > _PLACES:
                return todo
        return most

    def _bounds(self, left: Left, todo: int) -> tuple[int, int, float]:
        """How far `todo` of the tiles turn at least and at most, and how far they reach."""
        tiles = [s for s in self.turning for _ in range(self.remainders.of(left, s))]
        least = summed(sorted(min(self.turning[s]) for s in tiles)[:todo])
        largest = summed(sorted(max(self.turning[s]) for s in tiles)[-todo:])
        far = sorted((self.far[s] for s in tiles if not any(self.turning[s])), reverse=True)
        bends = len(tiles) - len(far)
        reaches = (
            summed(far[: todo - n]) + self.reach.of(n)
            for n in range(max(0, todo - len(far)), min(bends, todo) + 1)
        )
        return least, largest, max(reaches) + _NEAR
