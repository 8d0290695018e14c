"""Moves packed into whole numbers, quick to add and compare, and the table on which they are laid.

A vector is packed into one number, digit by digit, so that adding numbers adds the vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from generator.tracks.grids import TileGrid, Vector, total
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


def packed(grid: TileGrid, moves: Sequence[Move], length: int) -> tuple[Packing, list[PackedMove]]:
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


def _turned(grid: TileGrid, move: Move, have_kerbs: bool) -> _Turned:
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


class MoveTable(Protocol):
    """What has been laid so far, in order."""

    def lay(self, depth: int, move: PackedMove, place: int, heading: int) -> bool:
        """Take off all from number `depth` on (from 0) and lay a move there; False, and it is not
        laid, when it lies on another or crowds its kerb."""


def table(packing: Packing, length: int) -> MoveTable:
    """An empty table for circuits of so many tiles."""
    return _Lattice(length) if packing.grid.lattice else _Plane(packing)


class _Lattice:
    """Cells are taken or free. Where tiles have kerbs, it is looked up who lies around a tile;
    those that follow each other, the first and the last among them, belong together."""

    def __init__(self, length: int) -> None:
        self.last = length - 1
        self.taken: set[int] = set()
        self.depths: dict[int, int] = {}
        self.path: list[tuple[list[int], bool]] = []

    def lay(self, depth: int, move: PackedMove, place: int, heading: int) -> bool:
        path = self.path
        while len(path) > depth:
            cells, _ = path.pop()
            self.taken.difference_update(cells)
            if self.depths:
                for cell in cells:
                    del self.depths[cell]
        cells = [place + cell for cell in move.cells[heading]]
        if not self.taken.isdisjoint(cells):
            return False
        beside = move.beside[heading]
        if beside:
            if self._crowds(depth, move.kerbs, beside, place):
                return False
            self.depths.update(dict.fromkeys(cells, depth))
        self.taken.update(cells)
        path.append((cells, move.kerbs))
        return True

    def _crowds(self, depth: int, kerbs: bool, beside: tuple[int, ...], place: int) -> bool:
        depths, path = self.depths, self.path
        for cell in beside:
            near = depths.get(place + cell)
            if near is None or not 1 < depth - near < self.last:
                continue
            if kerbs or path[near][1]:
                return True
        return False


class _Plane:
    """Polygons overlap or not by how far they are apart, which is remembered."""

    def __init__(self, packing: Packing) -> None:
        self.packing = packing
        self.known: dict[int, bool] = {}
        self.path: list[list[int]] = []

    def lay(self, depth: int, move: PackedMove, place: int, heading: int) -> bool:
        del self.path[depth:]
        known = self.known
        cells = [place + cell for cell in move.cells[heading]]
        for before in self.path:
            for other in before:
                for cell in cells:
                    apart = cell - other
                    if apart not in known:
                        packing = self.packing
                        known[apart] = packing.grid.overlap(packing.unpack(apart))
                    if known[apart]:
                        return False
        self.path.append(cells)
        return True
