"""A field's pattern and a text in, whether they match: never so slowly that it matters.

Patterns come from strangers, and backtracking can take for ever. So a repeated group may hold a
repeat only where each round begins with a character that the rest of it cannot take, as in
`[a-z]+(-[a-z]+)*`; a pattern has few open repeats, and the text it is tried on is short.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Sequence
from typing import Final

MAX_PATTERN: Final = 200
MAX_REPEATS: Final = 4
MAX_TESTED: Final = 200

_ITEM: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_REPEATS: Final = frozenset("*+{")
_CHARACTERS: Final = tuple(map(chr, range(32, 0x250)))


@functools.lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A regular expression. Raises ValueError, saying what is wrong with it."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"longer than {MAX_PATTERN} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise ValueError(str(error)) from error
    # Escapes and classes never repeat; they are looked at in one piece each.
    if _repeats(_ITEM.findall(pattern)) > MAX_REPEATS:
        raise ValueError(f"more than {MAX_REPEATS} repeats (*, +, {{}})")
    return compiled


def matches(pattern: str, text: str) -> bool:
    """True when the pattern describes the whole text, which must not be over `MAX_TESTED` long."""
    return len(text) <= MAX_TESTED and compile_pattern(pattern).fullmatch(text) is not None


def _repeats(items: Sequence[str]) -> int:
    """How many open repeats a valid pattern has. Raises ValueError for a repeat of repeats."""
    count = 0
    opened: list[int] = []
    group: Sequence[str] = ()  # what is in the group that has just been closed
    for i, item in enumerate(items):
        if item == "(":
            opened.append(i + 1)
        elif item == ")":
            group = items[opened.pop() : i]
            continue
        elif item in _REPEATS:
            count += 1
            if not (_REPEATS | {"|", "?"}).isdisjoint(_inside(group)) and not _is_delimited(group):
                raise ValueError("a group with repeats or alternatives is itself repeated")
        group = ()
    return count


def _inside(group: Sequence[str]) -> Sequence[str]:
    """A group's items without the `?:` of one that captures nothing."""
    return group[2:] if list(group[:2]) == ["?", ":"] else group


def _is_delimited(group: Sequence[str]) -> bool:
    """True when a group's first item takes one character that no other item of it takes."""
    first, *rest = _inside(group)
    if not rest or rest[0] in "*+?{" or not {"(", "|"}.isdisjoint(rest) or first in "(|?":
        return False
    try:
        delimiters = [c for c in _CHARACTERS if re.fullmatch(first, c)]
        others = [re.compile(item) for item in rest if item not in "*+?{}"]
    except re.error:
        return False
    taken = any(other.fullmatch(c) for other in others for c in delimiters)
    return bool(delimiters) and not taken
