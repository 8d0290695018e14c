"""A word and a language in; where it may be parted with a hyphen out.

Only words all in lower case are parted, so that no name is; at least 2 letters stay before the
hyphen and 3 come after it. Points that would change the spelling are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pyphen

from generator.fonts import FontLibrary

BEFORE: Final = 2
AFTER: Final = 3

_CORE: Final = re.compile(r"\W*([^\W\d_]+)\W*(?<!-)")

Hyphenator = Callable[[str], tuple[int, ...]]


def hyphenator(lang: str, library: FontLibrary) -> Hyphenator:
    """Word to indexes before which a hyphen may stand, kept in the library. A language that has
    no patterns parts nothing."""
    key = (hyphenator, lang)
    found = library.cache.get(key)
    if found is None:
        found = library.cache[key] = _new_hyphenator(lang)
    return found


def _new_hyphenator(lang: str) -> Hyphenator:
    name = pyphen.language_fallback(lang.replace("-", "_"))
    patterns: Any = pyphen.Pyphen(lang=name, left=BEFORE, right=AFTER) if name else None
    known: dict[str, tuple[int, ...]] = {}

    def positions(word: str) -> tuple[int, ...]:
        points = known.get(word)
        if points is None:
            points = known[word] = _positions(word, patterns) if patterns else ()
        return points

    return positions


def _positions(word: str, patterns: Any) -> tuple[int, ...]:
    match = _CORE.fullmatch(word)
    if match is None or not match[1].islower():
        return ()
    return tuple(match.start(1) + int(p) for p in patterns.positions(match[1]) if not p.data)
