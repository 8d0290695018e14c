"""Plain words for what a font can do in; its OpenType features out.

Names and tags are those of the OpenType specification 1.9, registered features.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

_ALWAYS: Final = {"lnum": 1}
"""Figures as high as capitals: in text an old-style 1 reads as I, and a 0 as o."""
_WORDS: Final[Mapping[str, Mapping[str, int]]] = {
    "lining": {"lnum": 1},
    "old-style": {"onum": 1, "lnum": 0},
    "tabular": {"tnum": 1},
    "proportional": {"pnum": 1},
    "slashed-zero": {"zero": 1},
    "fractions": {"frac": 1},
    "ordinals": {"ordn": 1},
    "superscript": {"sups": 1},
    "subscript": {"subs": 1},
    "small-capitals": {"smcp": 1},
    "all-small-capitals": {"smcp": 1, "c2sc": 1},
    "capital-forms": {"case": 1},
    "titling": {"titl": 1},
    "swashes": {"swsh": 1},
    "more-ligatures": {"dlig": 1},
    "no-ligatures": {"liga": 0, "clig": 0},
    "no-kerning": {"kern": 0},
}
_SETS: Final = {f"set-{number}": {f"ss{number:02}": 1} for number in range(1, 21)}
FEATURES: Final[Mapping[str, Mapping[str, int]]] = {**_WORDS, **_SETS}
"""What a style may ask for: each word with the features that it sets."""


def features(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """The features of a style that asks for these words, by their tags, in order; what comes
    later wins. Figures are lining ones unless others are asked for."""
    wanted = dict(_ALWAYS)
    for word in words:
        wanted |= FEATURES[word]
    return tuple(sorted(wanted.items()))


def needed(word: str) -> tuple[str, ...]:
    """The features that a font must have for a word to change anything; none for what only
    switches off, and for what fonts mostly do without."""
    if word in ("lining", "proportional", "old-style"):
        return ()
    return tuple(tag for tag, value in FEATURES[word].items() if value)
