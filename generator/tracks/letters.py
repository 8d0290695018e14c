"""A grid in, the tiles of one cell that the letters of a word stand for out: S, L and R."""

from __future__ import annotations

from typing import Final

from generator.tracks.courses import Course, Laying, Tile, Way, lay
from generator.tracks.grids import Grid
from generator.tracks.pieces import LEFT, RIGHT, bend, straight

STRAIGHT, CURVE = "S", "C"
_PLENTY: Final = 10_000


def straight_ways(grid: Grid) -> dict[str, Way]:
    """The one way through a straight cell."""
    return {"S": Way(straight(grid))}


def curve_ways(grid: Grid) -> dict[str, Way]:
    """The two ways through a curved cell, whose art turns left when entered from below: to turn
    right it is entered by its other port, which must first be turned to where the first was."""
    return {"L": Way(bend(grid, LEFT)), "R": Way(bend(grid, RIGHT), grid.turns // 2 - 1)}


def laid(grid: Grid, word: str) -> Course:
    """The course of a word (as `words.parsed` returns it), of as many tiles as it takes."""
    straights = Tile(STRAIGHT, straight_ways(grid), owned=_PLENTY)
    curves = Tile(CURVE, curve_ways(grid), owned=_PLENTY)
    return lay(grid, [(straights if x == "S" else curves, Laying("", x)) for x in word])
