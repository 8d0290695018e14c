"""Finds the direction of text (UAX #9) with python-bidi, and with the rules of Unicode 6.3 for
isolates and brackets, which it does not have."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bidi import algorithm
from bidi.mirror import MIRRORED

# Hebrew, Arabic and their neighbours, their presentation forms, the right-to-left blocks beyond
# the BMP, the right-to-left mark and the right-to-left isolate.
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff\u200f\u2067]"
)
_UNASSIGNED: Final = "L"
"""The direction of unassigned characters."""
_ISOLATE: Final = re.compile("[\u2066-\u2069]")
_BASES: Final = {"\u2066": 0, "\u2067": 1}
_END: Final = "\u2069"
_NEUTRAL, _NOTHING = "\ufffc", "\u200b"
"""Replace the ends and the content of an isolate."""
_BRACKETS: Final = {
    one: other
    for one, other in MIRRORED.items()
    if (unicodedata.category(one), unicodedata.category(other)) == ("Ps", "Pe")
}
_STRONG: Final = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
"""The direction of characters beside brackets; numbers count as right to left."""


def runs_right_to_left(text: str) -> bool:
    """Return True if any of the text runs from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


def bidi_levels(text: str, base: int | None = None) -> tuple[int, list[int]]:
    """Return the paragraph's level (0 left to right, 1 right to left; given, or of its first
    letter) and the level of each character."""
    isolates = list(_isolates(text))
    plain = _ISOLATE.sub(_NEUTRAL, text)
    for start, end in isolates:
        plain = f"{plain[:start]}{_NOTHING * (end - start)}{plain[end:]}"
    if base is None:
        base = algorithm.get_base_level(plain)
    found = _plain_levels(plain, base)
    for start, end in isolates:
        around = found[start - 1]
        own, inside = bidi_levels(text[start:end], _BASES.get(text[start - 1]))
        deeper = around + 1 + (around + 1 + own) % 2 - own
        found[start:end] = [level + deeper for level in inside]
    return base, found


def _isolates(text: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the outermost isolates' contents."""
    depth = start = 0
    for sign in _ISOLATE.finditer(text):
        if sign[0] != _END:
            depth += 1
            start = sign.end() if depth == 1 else start
        elif depth:
            depth -= 1
            if not depth:
                yield start, sign.start()
    if depth:
        yield start, len(text)


def _plain_levels(text: str, base: int) -> list[int]:
    """Return the levels of a text without isolates."""
    storage = algorithm.get_empty_storage()
    storage["base_level"] = base
    storage["base_dir"] = "R" if base else "L"
    algorithm.get_embedding_levels(text, storage)
    for index, char in enumerate(storage["chars"]):
        char["index"] = index
        char["type"] = char["type"] or _UNASSIGNED
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    for run in storage["runs"]:
        start = run["start"]
        _resolve_brackets(storage["chars"][start : start + run["length"]], run["sor"])
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    found = [base] * len(text)
    for char in storage["chars"]:
        found[char["index"]] = char["level"]
    return found


def _resolve_brackets(chars: Sequence[dict[str, Any]], before: str) -> None:
    """Apply rule N0: a pair of brackets takes the direction of its content and of what comes
    before."""
    for first, last in sorted(_bracket_pairs(chars)):
        along = "LR"[chars[first]["level"] % 2]
        inside = {_STRONG.get(char["type"], "") for char in chars[first + 1 : last]} - {""}
        if not inside:
            continue
        strong = (_STRONG[c["type"]] for c in chars[first::-1] if c["type"] in _STRONG)
        way = along if along in inside else next(strong, before)
        chars[first]["type"] = chars[last]["type"] = way


def _bracket_pairs(chars: Sequence[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    waiting: list[tuple[str, int]] = []
    for index, char in enumerate(chars):
        if char["type"] != "ON":
            continue
        if char["ch"] in _BRACKETS:
            waiting.append((_BRACKETS[char["ch"]], index))
            continue
        for place in range(len(waiting) - 1, -1, -1):
            if waiting[place][0] == char["ch"]:
                yield waiting[place][1], index
                del waiting[place:]
                break


def visual_order(levels: list[int]) -> list[int]:
    """Return the indexes of a line's items from left to right (rule L2)."""
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
