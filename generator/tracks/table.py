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
