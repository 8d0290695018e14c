"""Moves on a grid in, their cells and ends as single whole numbers out, quick to add and compare.

A vector is packed into one number, digit by digit, so that adding numbers adds the vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from generator.tracks.grids import Grid, Vector, total
from generator.tracks.inventory import Move

_ROOM = 4
"""`base` exceeds twice the largest coordinate of a difference of two sums."""


@dataclass(frozen=True, slots=True)
class Packing:
    """How vectors become numbers: `base` exceeds twice any coordinate that may occur."""

    grid: Grid
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
    """A move; by heading where it leads, which cells it covers and, where kerbs may be in the way,
    which are around those."""

    shape: int
    turn: int
    enters: int
    leaves: int
    kerbs: bool
    exits: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    beside: tuple[tuple[int, ...], ...]


def packed(grid: Grid, moves: Sequence[Move], length: int) -> tuple[Packing, list[PackedMove]]:
    """The moves for words of so many."""
    have_kerbs = any(move.kerbs for move in moves)
    turned = [_turned(grid, move, have_kerbs) for move in moves]
    far = max(
        (
            abs(v)
            for exits, cells, beside in turned
            for vector in chain(exits, *cells, *beside)
            for v in vector
        ),
        default=1,
    )
    packing = Packing(grid, _ROOM * (length + 1) * (far + 1) + 1)
    pack = packing.pack
    return packing, [
        PackedMove(
            move.shape,
            move.piece.turn,
            move.piece.enters,
            move.piece.leaves,
            move.kerbs,
            tuple(map(pack, exits)),
            tuple(tuple(map(pack, each)) for each in cells),
            tuple(tuple(map(pack, each)) for each in beside),
        )
        for move, (exits, cells, beside) in zip(moves, turned, strict=True)
    ]


_Turned = tuple[list[Vector], list[list[Vector]], list[list[Vector]]]


def _turned(grid: Grid, move: Move, have_kerbs: bool) -> _Turned:
    """Exit, cells and, if there are kerbs, cells around them at each heading."""
    own = move.piece.ground
    steps = grid.around if have_kerbs else ()
    beside = {total(cell, step) for cell in own for step in steps} - set(own)
    exits, cells, rings = [move.piece.exit], [list(own)], [sorted(beside)]
    for _ in range(1, grid.turns):
        exits.append(grid.turned(exits[-1]))
        cells.append([grid.turned(cell) for cell in cells[-1]])
        rings.append([grid.turned(cell) for cell in rings[-1]])
    return exits, cells, rings
