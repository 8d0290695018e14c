"""Words for tracks of one cell a tile: letters S, L and R in the order of travel.

A circuit has many words. **Turning** it, or starting or driving it differently, changes nothing:
any tile may be first (the word rotates). Driven the other way, the word is read backwards with L
and R exchanged. **Mirroring** exchanges L and R; it counts as the same only on request. The
canonical word is that of the travel that turns left (anticlockwise), and of its rotations the first
in the order S < L < R.
"""

from __future__ import annotations

from typing import Final

from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.inventory import curve_ways, straight_ways
from generator.tracks.pieces import TileGrid

_PLENTY: Final = 10_000
_EXCHANGED: Final = str.maketrans("LR", "RL")
_RANKED: Final = str.maketrans("SLR", "012")


def net_turn(word: str) -> int:
    """Return the number of left curves minus that of right ones."""
    return word.count("L") - word.count("R")


def mirrored(word: str) -> str:
    """Return the word of the mirror image."""
    return word.translate(_EXCHANGED)


def backwards(word: str) -> str:
    """Return the word of the same track driven the other way."""
    return mirrored(word[::-1])


def _rank(word: str) -> str:
    return word.translate(_RANKED)


def canonical(word: str, *, mirror: bool = False) -> str:
    """Return the one word for all that mean the same circuit, up to turning (and mirroring)."""
    ways = [word, backwards(word)]
    if mirror:
        ways += [mirrored(word), word[::-1]]
    left = [way for way in ways if net_turn(way) >= 0]
    rotations = {way[i:] + way[:i] for way in left for i in range(len(way))}
    return min(rotations, key=_rank, default="")


def laid(grid: TileGrid, word: str) -> Course:
    """Return the course of a word, of as many tiles of one cell as it takes."""
    straights = Tile("S", straight_ways(grid), owned=_PLENTY)
    curves = Tile("C", curve_ways(grid), owned=_PLENTY)
    return lay(grid, [(straights if x == "S" else curves, CourseEntry("", x)) for x in word])
