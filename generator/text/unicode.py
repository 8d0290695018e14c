"""Text in; where its lines and characters may be parted, and which way they run, out.

Line breaks are those of UAX #14, by ICU; levels those of UAX #9, by python-bidi.
"""

from __future__ import annotations

import re
from typing import Any, Final

from bidi import algorithm
from icu4py.breakers import LineBreaker

from generator.text.markup import OBJECT

# Hebrew, Arabic and their neighbours, their presentation forms, the right-to-left blocks beyond
# the BMP, and the right-to-left mark.
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff\u200f]"
)


_UNASSIGNED: Final = "L"
"""The direction of what Unicode has no character for: no font has one either."""


def boundaries(breaker: Any, text: str) -> list[int]:
    """The ends of an ICU breaker's segments as indexes into `text` (ICU counts in UTF-16)."""
    ends = [end for _, end in breaker.segments()]
    if not ends or ends[-1] == len(text):
        return ends
    index = 0
    by_unit: dict[int, int] = {}
    for i, char in enumerate(text):
        by_unit[index] = i
        index += 2 if char > "\uffff" else 1
    by_unit[index] = len(text)
    return [by_unit[end] for end in ends]


def line_breaks(text: str, lang: str) -> list[int]:
    """Where a line may end, as indexes; an icon behaves like a letter, so that `2{coin}.` stays
    together and icons part only at spaces."""
    return boundaries(LineBreaker(text.replace(OBJECT, "x"), lang), text)


def runs_right_to_left(text: str) -> bool:
    """True when anything in the text runs from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


def levels(text: str) -> tuple[int, list[int]]:
    """The paragraph's level (0 left to right, 1 right to left) and that of each character."""
    base = algorithm.get_base_level(text)
    storage = algorithm.get_empty_storage()
    storage["base_level"] = base
    storage["base_dir"] = "R" if base else "L"
    algorithm.get_embedding_levels(text, storage)
    chars = storage["chars"]
    for index, char in enumerate(chars):
        char["index"] = index
        char["type"] = char["type"] or _UNASSIGNED
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    found = [base] * len(text)
    for char in storage["chars"]:
        found[char["index"]] = char["level"]
    return base, found


def visual_order(levels: list[int]) -> list[int]:
    """Rule L2 of UAX #9: the indexes of a line's items from left to right."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = reversed(order[start:end])
            start = end + 1
    return order
