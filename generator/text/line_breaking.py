"""Finds the best ends for the lines of a paragraph.

ICU gives line breaks (UAX #14), pyphen hyphens. Lines are the fewest that the width allows, and of
those the best: the least sum of the squared white of lines (Knuth and Plass, "Breaking paragraphs
into lines", 1981), with a cost for hyphens and for a single word on the last line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from operator import sub
from typing import Any, Final

import pyphen
from icu4py.breakers import LineBreaker
from msgspec import Struct

from generator.fonts import FontLibrary
from generator.text.markup import OBJECT
from generator.text.shaper import boundaries

EPSILON: Final = 1e-6

# In the currency of one wholly white line.
HYPHEN_COST: Final = 0.1
SECOND_HYPHEN_COST: Final = 0.3
WIDOW_COST: Final = 0.6

# A justified line whose words stand this many em further apart counts as a white line.
_WORST_STRETCH: Final = 0.5


BreakPlace = tuple[int, int]
"""A line end: the number of a word and the letters before it, WHOLE for all; otherwise a hyphen is
printed."""

WHOLE: Final = -1


class Breaks:
    """The places where the lines of a paragraph may end, in order; the last is its end.

    Place 0 is its start. A line from place i to place k is ends[k] − begins[i] wide and has
    spaces_to_end[k] − spaces_to_begin[i] spaces. Neither `ends` nor `begins` ever falls. `widest`
    is the widest unbroken text.
    """

    def __init__(
        self,
        ends: list[float],
        begins: list[float],
        spaces_to_end: list[int],
        spaces_to_begin: list[int],
        places: list[BreakPlace],
    ) -> None:
        self.ends = ends
        self.begins = begins
        self.spaces_to_end = spaces_to_end
        self.spaces_to_begin = spaces_to_begin
        self.places = places
        self.widest = max(map(sub, ends[1:], begins), default=0.0)

    def count(self, width: float) -> int:
        """Return the fewest lines for a width; unbroken text may be wider."""
        return len(self.latest(width)) - 1

    def latest(self, width: float) -> list[int]:
        """Return the last place at which each of the fewest lines can end, after the start (0)."""
        ends, begins, total = self.ends, self.begins, len(self.ends) - 1
        found, place = [0], 0
        while place < total:
            place = max(place + 1, bisect_right(ends, begins[place] + width + EPSILON) - 1)
            found.append(place)
        return found

    def earliest(self, width: float) -> list[int]:
        """Return the first place at which each can end, so that the rest still fits."""
        ends, begins, place = self.ends, self.begins, len(self.ends) - 1
        found = [place]
        while place > 0:
            place = min(place - 1, bisect_left(begins, ends[place] - width - EPSILON))
            found.append(place)
        return found[::-1]

    def widest_line(self) -> tuple[int, int]:
        """Return the places around the widest unbroken text."""
        places = range(1, len(self.ends))
        end = max(places, key=lambda k: self.ends[k] - self.begins[k - 1])
        return end - 1, end

    def spaces(self, start: int, end: int) -> int:
        """Return the number of spaces in a line."""
        return self.spaces_to_end[end] - self.spaces_to_begin[start]

    def stretch(self, start: int, end: int, width: float) -> float:
        """Return how much wider each space must be to fill a width; 0 without spaces."""
        spaces = self.spaces(start, end)
        return max(0.0, width - self.ends[end] + self.begins[start]) / spaces if spaces else 0.0

    def white(self, start: int, end: int, width: float, justified: bool) -> float:
        """Return the white of a line: 0 for a full line, 1 for an empty one or, justified, for
        spaces _WORST_STRETCH wider; negative if it does not fit."""
        left = width - self.ends[end] + self.begins[start] + EPSILON
        if not justified or left < 0.0:
            return left / max(width, EPSILON)
        return left / (max(self.spaces(start, end), 1) * _WORST_STRETCH)


class BreakingRules(Struct, frozen=True):
    """The measure of lines: `justified` by the spaces between words, else by the white at their
    end; `balanced` if the last line counts."""

    justified: bool = False
    balanced: bool = False


def best_lines(breaks: Breaks, width: float, rules: BreakingRules) -> list[int]:
    """Return the places where the lines end. Each line tries only the places between its first and
    last possible end, from those of the line before."""
    costs = {0: 0.0}
    origins: dict[int, int] = {}
    ends, begins, scale = breaks.ends, breaks.begins, 1 / max(width, EPSILON)
    total, justified = len(ends) - 1, rules.justified
    windows = zip(breaks.earliest(width)[1:], breaks.latest(width)[1:], strict=True)
    for first, last in windows:
        before, costs = costs, {}
        for place in range(first, last + 1):
            room = width - ends[place] + EPSILON
            judged = rules.balanced or place != total
            priced = place == total or breaks.places[place][1] != WHOLE
            best = float("inf")
            for start, so_far in before.items():
                white = room + begins[start]
                if white < 0.0 and start != place - 1:
                    continue
                cost = so_far
                if judged:
                    share = white * scale
                    if justified:
                        share = breaks.white(start, place, width, justified=True)
                    cost += share * share
                if priced:
                    cost += _price(breaks, start, place)
                if cost < best:
                    best, origins[place] = cost, start
            costs[place] = best
    chosen = [total]
    while origins.get(chosen[-1]):
        chosen.append(origins[chosen[-1]])
    return chosen[::-1]


def _price(breaks: Breaks, start: int, end: int) -> float:
    if breaks.places[end][1] != WHOLE:
        return HYPHEN_COST if breaks.places[start][1] == WHOLE else SECOND_HYPHEN_COST
    if end < len(breaks.ends) - 1 or start == 0 or breaks.spaces(start, end):
        return 0.0
    return WIDOW_COST


_BEFORE: Final = 2
_AFTER: Final = 3

_CAPITAL_NOUNS: Final = frozenset(("de", "gsw", "lb", "nds"))
"""Languages that write nouns with capitals. In others a capital means a name or a sentence, and the
word is not hyphenated."""
_CORE: Final = re.compile(r"\W*([^\W\d_]+)\W*(?<!-)")

Hyphenator = Callable[[str], tuple[int, ...]]


def hyphenator(lang: str, library: FontLibrary) -> Hyphenator:
    """Return a function from a word to the indexes where a hyphen may be, kept in the library; for
    a language without patterns, nowhere."""
    key = (hyphenator, lang)
    found = library.cache.get(key)
    if found is None:
        found = library.cache[key] = _new_hyphenator(lang)
    return found


def _new_hyphenator(lang: str) -> Hyphenator:
    language, *region = lang.lower().replace("-", "_").split("_")  # whatever case it is written in
    parts = (part.upper() if len(part) == 2 else part.title() for part in region)
    name = pyphen.language_fallback("_".join((language, *parts)))
    nouns = language in _CAPITAL_NOUNS
    patterns: Any = pyphen.Pyphen(lang=name, left=_BEFORE, right=_AFTER) if name else None
    known: dict[str, tuple[int, ...]] = {}

    def positions(word: str) -> tuple[int, ...]:
        points = known.get(word)
        if points is None:
            points = known[word] = _positions(word, patterns, nouns) if patterns else ()
        return points

    return positions


def _positions(word: str, patterns: Any, nouns: bool) -> tuple[int, ...]:
    match = _CORE.fullmatch(word)
    if match is None or not match[1][nouns:].islower():
        return ()
    return tuple(match.start(1) + int(p) for p in patterns.positions(match[1]) if not p.data)


def line_breaks(text: str, lang: str) -> list[int]:
    """Return the indexes where a line may end. An icon behaves like a letter, so that `2{coin}.`
    keeps together and icons break only at spaces. A minus before a number stays with it, also when
    it is written as a dash."""
    signs = {found.end() for found in _SIGN.finditer(text)}
    found = boundaries(LineBreaker(text.replace(OBJECT, "x"), lang), text)
    return [index for index in found if index not in signs] if signs else found


_SIGN: Final = re.compile(r"(?<![^\s(])[–—−-](?=\d)")
