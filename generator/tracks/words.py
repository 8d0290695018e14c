"""Words for tracks: letters S, L and R in travel order in; the same track's other words out.

A circuit has many words. **Turning** it, or starting or driving it differently, changes nothing:
any tile may be first (the word rotates), and driven the other way the word is read backwards with
L and R exchanged. **Mirroring** exchanges L and R; it counts as the same only where asked for.
The canonical word is of the travel that turns left (anticlockwise), and of its rotations the first
in the order S < L < R.
"""

from __future__ import annotations

from typing import Final

LETTERS: Final = "SLR"
TURN: Final = {"S": 0, "L": 1, "R": -1}
_EXCHANGED: Final = str.maketrans("LR", "RL")
_RANKED: Final = str.maketrans(LETTERS, "012")


class WordError(ValueError):
    """A word with a letter that is no tile; `column` counts from 1 in the text as written."""

    def __init__(self, letter: str, column: int) -> None:
        super().__init__(f"{letter!r} at column {column} is no tile: S straight, L left, R right")
        self.column = column


def parsed(text: str) -> str:
    """The word in capitals without spaces, e.g. `s L l S` → `SLLS`. Raises WordError."""
    for column, letter in enumerate(text, 1):
        if not letter.isspace() and letter.upper() not in LETTERS:
            raise WordError(letter, column)
    return "".join(text.upper().split())


def net_turn(word: str) -> int:
    """How many more curves turn left than right."""
    return word.count("L") - word.count("R")


def mirrored(word: str) -> str:
    """The word of the mirror image."""
    return word.translate(_EXCHANGED)


def backwards(word: str) -> str:
    """The word of the same track driven the other way."""
    return mirrored(word[::-1])


def _rank(word: str) -> str:
    return word.translate(_RANKED)


def canonical(word: str, *, mirror: bool = False) -> str:
    """The one word of all that mean the same circuit, up to turning (and mirroring)."""
    ways = [word, backwards(word)]
    if mirror:
        ways += [mirrored(word), word[::-1]]
    left = [way for way in ways if net_turn(way) >= 0]
    rotations = {way[i:] + way[:i] for way in left for i in range(len(way))}
    return min(rotations, key=_rank, default="")
