"""What a pack says of a tile in: its grid, size and shape; the tile as courses know it out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from generator.tracks.courses import Way
from generator.tracks.grids import HEXAGONS, OCTAGONS, Grid
from generator.tracks.pieces import LEFT, RIGHT, Piece, bend, taper

MOST_CELLS: Final = 60
"""Cells along a piece, lanes across it and rows from a bend's corner may be at most so many."""
LETTERS: Final = {0: "S", LEFT: "L", RIGHT: "R"}


@dataclass(frozen=True, slots=True)
class Measures:
    """A tile's shape. `pitch` and `kerb` in mm; `turn` in curves to the left (-1, 0, 1) as it is
    drawn; `length` in cells, `enters` and `leaves` in lanes, `radius` in rows. `side` is where it
    widens or narrows, LEFT or RIGHT. `either_way` says that it can also be entered by its exit.
    """

    grid: Grid
    pitch: float
    turn: int = 0
    length: int = 1
    enters: int = 1
    leaves: int = 1
    side: int = RIGHT
    radius: int = 0
    kerb: float = 0.0
    either_way: bool = False

    @property
    def is_cell(self) -> bool:
        """True for a tile that is one polygon of its grid, without anything around it."""
        lanes = self.enters == self.leaves == 1
        return lanes and self.length == 1 and self.radius == 0 and self.kerb == 0

    @property
    def reaches_beyond(self) -> bool:
        """True for a tile that is cut wider than its cells: by its kerb, or straight along the tips
        of its hexagons, with what lies between them."""
        return self.kerb > 0 or (self.grid is HEXAGONS and not self.is_cell)

    @property
    def widest_kerb(self) -> float:
        """How wide its kerb can be, mm: between two tracks with one row of cells between them there
        is room for both kerbs, and none reaches round a bend's corner into the piece before it."""
        room = 0.5
        if self.grid is HEXAGONS:
            room = math.sqrt(3) / 2 - 1 / math.sqrt(3)
        elif self.grid is OCTAGONS or (self.turn and not self.radius):
            room = 0.0
        return room * self.pitch

    def piece(self) -> Piece:
        """Its lanes, as it is drawn. Raises ValueError, in plain words, for what cannot be."""
        if self.grid is OCTAGONS and max(self.enters, self.leaves, self.length) > 1:
            raise ValueError("octagons are tiles of one cell")
        if self.kerb > self.widest_kerb:
            most = math.floor(self.widest_kerb * 100) / 100
            told = f"{most:g} mm is the widest that fits" if most else "there is no room for one"
            raise ValueError(f"a kerb of {self.kerb:g} mm: {told}")
        if not self.turn:
            if self.radius:
                raise ValueError("a straight has no radius")
            return taper(self.grid, self.length, self.enters, self.leaves, self.side)
        if self.length != 1:
            raise ValueError("a bend has no length of its own: it follows from its radius")
        if self.enters != self.leaves:
            raise ValueError("a bend does not widen or narrow")
        if self.radius + self.enters > MOST_CELLS:
            raise ValueError(f"a bend of more than {MOST_CELLS} rows")
        piece = bend(self.grid, self.turn, self.radius, self.enters)
        if not all(piece.lanes):
            raise ValueError("a bend so narrow has a lane without any cell: enlarge its radius")
        return piece

    def ways(self) -> dict[str, Way]:
        """The ways through it, by letter. Raises ValueError, in plain words, for what cannot be."""
        piece = self.piece()
        ways = {LETTERS[self.turn]: Way(piece)}
        if not self.either_way:
            return ways
        if self.enters != self.leaves:
            raise ValueError("a piece that widens one way narrows the other: it has but one way")
        if self.turn:
            # Turned until its exit lies where its entry was.
            back = self.turn * (self.grid.turns // 2 - 1) % self.grid.turns
            if self.grid is HEXAGONS and self.enters % 2 == 0:
                raise ValueError("a bend of an even number of hexagon lanes has but one way")
            ways[LETTERS[-self.turn]] = Way(
                bend(self.grid, -self.turn, self.radius, self.enters), back
            )
        return ways
