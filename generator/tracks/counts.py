"""How many straights and curves there are, in words, in; the two numbers out."""

from __future__ import annotations

import re
from typing import Final

_COUNT: Final = re.compile(r"(\d{1,3})\s*+(?:[x×]\s*+(?=[A-Za-z]))?([A-Za-z]+)[\s,;+]*")
_CURVES: Final = frozenset(("c", "curve", "curves"))
_STRAIGHTS: Final = frozenset(("s", "straight", "straights"))


class CountError(ValueError):
    """Counts that cannot be read; `offset` is where in the text, from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def counts(text: str) -> tuple[int, int]:
    """How many straights and curves: `6S 8C`, in any order. Raises CountError."""
    number = {"s": 0, "c": 0}
    at = len(text) - len(text.lstrip())
    while at < len(text):
        found = _COUNT.match(text, at)
        if found is None:
            raise CountError(f"{text[at:].split(maxsplit=1)[0]!r} is no count of tiles", at)
        word = found[2].lower()
        if word not in _CURVES | _STRAIGHTS:
            raise CountError(f"{found[2]!r} is no kind of tile", found.start(2))
        number["c" if word in _CURVES else "s"] += int(found[1])
        at = found.end()
    return number["s"], number["c"]
