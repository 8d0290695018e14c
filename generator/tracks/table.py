"""Packed moves laid one after another in; whether each lies clear of those before out."""

from __future__ import annotations

from typing import Protocol

from generator.tracks.packed import PackedMove, Packing


class Table(Protocol):
    """What has been laid so far, in order."""

    def lay(self, depth: int, move: PackedMove, place: int, heading: int) -> bool:
        """Take off all from number `depth` on (from 0) and lay a move there; False, and it is not
        laid, when it lies on another or crowds its kerb."""


def table(packing: Packing, length: int) -> Table:
    """An empty table for circuits of so many tiles."""
    return _Lattice(length) if packing.grid.lattice else _Plane(packing)


class _Lattice:
    """Cells are taken or free. Kerbs are looked up beside a tile's cells; those of tiles that
    follow each other, the first and the last among them, belong together."""

    def __init__(self, length: int) -> None:
        self.last = length - 1
        self.taken: set[int] = set()
        self.kerbs: dict[int, int] = {}
        self.path: list[tuple[list[int], bool]] = []

    def lay(self, depth: int, move: PackedMove, place: int, heading: int) -> bool:
        path = self.path
        while len(path) > depth:
            cells, kerbs = path.pop()
            self.taken.difference_update(cells)
            if kerbs:
                for cell in cells:
                    del self.kerbs[cell]
        cells = [place + cell for cell in move.cells[heading]]
        if not self.taken.isdisjoint(cells):
            return False
        if move.kerbs:
            if self.kerbs and not self._uncrowded(depth, move.beside[heading], place):
                return False
            self.kerbs.update(dict.fromkeys(cells, depth))
        self.taken.update(cells)
        path.append((cells, move.kerbs))
        return True

    def _uncrowded(self, depth: int, beside: tuple[int, ...], place: int) -> bool:
        kerbs = self.kerbs
        for cell in beside:
            near = kerbs.get(place + cell)
            if near is not None and depth - near > 1 and depth - near != self.last:
                return False
        return True


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
