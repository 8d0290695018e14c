"""A grid in, the tiles of one cell that the letters of a word stand for out: S, L and R."""

from __future__ import annotations

from generator.tracks.courses import Way
from generator.tracks.grids import Grid
from generator.tracks.pieces import LEFT, RIGHT, bend, straight


def straight_ways(grid: Grid) -> dict[str, Way]:
    """The one way through a straight cell."""
    return {"S": Way(straight(grid))}


def curve_ways(grid: Grid) -> dict[str, Way]:
    """The two ways through a curved cell, whose art turns left when entered from below: to turn
    right it is entered by its other port, which must first be turned to where the first was."""
    return {"L": Way(bend(grid, LEFT)), "R": Way(bend(grid, RIGHT), grid.turns // 2 - 1)}
