"""Moves packed into whole numbers, quick to add and compare, and the table on which they are laid.

A vector is packed into one number, digit by digit, so that adding numbers adds the vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from generator.tracks.conflicts import Lying
from generator.tracks.grids import TileGrid, Vector
from generator.tracks.inventory import Move

_ROOM = 4
"""`base` exceeds twice the largest coordinate of a difference of two sums."""


@dataclass(frozen=True, slots=True)
class Packing:
    """How vectors become numbers: `base` exceeds twice any coordinate that may occur."""

    grid: TileGrid
    base: int

    def pack(self, vector: Vector) -> int:
        """The vector's number."""
        number = 0
        for coordinate in reversed(vector):
            number = number * self.base + coordinate
        return number

    def unpack(self, number: int) -> Vector:
        """The number's vector."""
        half, found = self.base // 2, []
        for _ in self.grid.unit:
            digit = (number + half) % self.base - half
            found.append(digit)
            number = (number - digit) // self.base
        return tuple(found)


@dataclass(frozen=True, slots=True)
class PackedMove:
    """A move; by heading where it leads and which cells it covers."""

    shape: int
    turn: int
    enters: int
    leaves: int
    exits: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]


def packed(grid: TileGrid, moves: Sequence[Move], length: int) -> tuple[Packing, list[PackedMove]]:
    """The moves for words of so many."""
    turned = [_turned(grid, move) for move in moves]
    far = max(
        (abs(v) for exits, cells in turned for vec in chain(exits, *cells) for v in vec), default=1
    )
    packing = Packing(grid, _ROOM * (length + 1) * (far + 1) + 1)
    pack = packing.pack
    return packing, [
        PackedMove(
            move.shape,
            move.piece.turn,
            move.piece.enters,
            move.piece.leaves,
            tuple(map(pack, exits)),
            tuple(tuple(map(pack, each)) for each in cells),
        )
        for move, (exits, cells) in zip(moves, turned, strict=True)
    ]


def _turned(grid: TileGrid, move: Move) -> tuple[list[Vector], list[list[Vector]]]:
    """Exit and cells at each heading."""
    exits, cells = [move.piece.exit], [list(move.piece.cells)]
    for _ in range(1, grid.turns):
        exits.append(grid.turned(exits[-1]))
        cells.append([grid.turned(cell) for cell in cells[-1]])
    return exits, cells


class MoveTable(Protocol):
    """What has been laid so far, in order."""

    def lay(self, depth: int, number: int, place: int, heading: int) -> bool:
        """Take off all from number `depth` on (from 0) and lay the move of that number there;
        False, and it is not laid, when it would lie on another."""


def table(packing: Packing, moves: Sequence[Move], steps: Sequence[PackedMove]) -> MoveTable:
    """An empty table for these moves."""
    if packing.grid.lattice and all(move.cut is None for move in moves):
        return _Lattice(steps)
    return _Outlines(packing, moves)


class _Lattice:
    """Cells are taken or free."""

    def __init__(self, steps: Sequence[PackedMove]) -> None:
        self.steps = steps
        self.taken: set[int] = set()
        self.path: list[list[int]] = []

    def lay(self, depth: int, number: int, place: int, heading: int) -> bool:
        path = self.path
        while len(path) > depth:
            self.taken.difference_update(path.pop())
        cells = [place + cell for cell in self.steps[number].cells[heading]]
        if not self.taken.isdisjoint(cells):
            return False
        self.taken.update(cells)
        path.append(cells)
        return True


class _Outlines:
    """Two moves clash or not by how they lie to each other, which is remembered."""

    def __init__(self, packing: Packing, moves: Sequence[Move]) -> None:
        self.packing, self.moves = packing, moves
        self.known: dict[tuple[int, int, int, int, int], bool] = {}
        self.path: list[tuple[int, int, int]] = []

    def lay(self, depth: int, number: int, place: int, heading: int) -> bool:
        del self.path[depth:]
        known = self.known
        for before, at, turned in self.path:
            key = (before, turned, number, heading, place - at)
            clashes = known.get(key)
            if clashes is None:
                clashes = known[key] = self._clash(*key)
            if clashes:
                return False
        self.path.append((number, place, heading))
        return True

    def _clash(self, one: int, turned: int, other: int, heading: int, apart: int) -> bool:
        origin = self.packing.grid.origin
        lying = Lying(self.moves[one].piece, self.moves[one].cut, origin, turned)
        piece, cut = self.moves[other].piece, self.moves[other].cut
        return lying.clashes(Lying(piece, cut, self.packing.unpack(apart), heading))
