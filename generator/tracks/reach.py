"""Moves in; how far so many turning tiles can lead at most, however they are laid, out.

Straights between them change nothing: headings follow from the turns alone, so a row of tiles leads
no further than its straights and, laid without them, its other tiles do together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from generator.tracks.packed import PackedMove, Packing

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
