"""A table in, which courses may lie on it, turned as needed, out: many at once, never too few."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from generator.tracks.conflicts import solids
from generator.tracks.homeward import Ints, points
from generator.tracks.inventory import Move
from generator.tracks.packed_moves import Packing

_ANGLES: Final = 24


class Table:
    """A table of so many cells, on which a circuit of these moves lies, turned somehow."""

    def __init__(
        self, packing: Packing, moves: Sequence[Move], width: float, height: float
    ) -> None:
        self.packing = packing
        around = 2 * min(map(_reach_around, moves), default=0.0)
        width, height = width - around, height - around
        angles = np.linspace(0.0, math.pi, _ANGLES, endpoint=False)
        self.along = np.stack((np.cos(angles), np.sin(angles)), axis=1)
        # Between two of the angles the box is a little smaller than at one of them.
        more = math.hypot(width, height) * math.sin(math.pi / _ANGLES / 2)
        self.width, self.height = width + more, height + more

    def holds(self, behind: Ints, place: Ints) -> Any:
        """For each column: tiles at the places behind and at this one may lie on it."""
        least, most = np.zeros((2, len(place), _ANGLES))
        for row in (*behind, place):
            onto = np.stack(points(self.packing, row), axis=1) @ self.along.T
            np.minimum(least, onto, out=least)
            np.maximum(most, onto, out=most)
        wide = most - least
        high = np.roll(wide, -_ANGLES // 2, axis=1)
        return ((wide <= self.width) & (high <= self.height)).any(axis=1)


def _reach_around(move: Move) -> float:
    """How far a tile reaches beyond its place at least, whichever way one looks, in cells."""
    corners = np.array(solids(move.piece, move.cut)[0].corners)
    sides = np.roll(corners, -1, axis=0) - corners
    # Of each side the nearest point to the place, which is inside.
    part = -(corners * sides).sum(axis=1) / (sides * sides).sum(axis=1)
    nearest = corners + np.clip(part, 0.0, 1.0)[:, None] * sides
    return float(np.hypot(nearest[:, 0], nearest[:, 1]).min())
