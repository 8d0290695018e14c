"""Where text may be parted, and which of those places make the best lines.

Unicode says where lines may end (UAX #14, by ICU) and which way text runs (UAX #9, by
python-bidi); pyphen where a word may take a hyphen. Lines are the fewest that the width allows,
and among those the best: the least sum, over the lines, of the square of the white left on each,
as in Knuth and Plass, "Breaking paragraphs into lines" (1981), with a price on hyphens and on a
single word left on the last line. Lengths are in em.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from operator import sub
from typing import Any, Final

import pyphen
from bidi import algorithm
from icu4py.breakers import LineBreaker
from msgspec import Struct

from generator.fonts import FontLibrary
from generator.text.markup import OBJECT

EPSILON: Final = 1e-6

# In the currency of one wholly white line.
HYPHEN_COST: Final = 0.1
SECOND_HYPHEN_COST: Final = 0.3
WIDOW_COST: Final = 0.6

# A justified line whose words stand this many em further apart counts as a white line.
WORST_STRETCH: Final = 0.5


BreakPlace = tuple[int, int]
"""Where a line may end: the number of a word and how many of its letters come before, WHOLE for
all of them. Anything else means that a hyphen is printed."""

WHOLE: Final = -1


class Breaks:
    """The places where the lines of one paragraph may end, in order; the last is its end.

    They count from 1, and 0 is the paragraph's start: a line from place i to place k fills
    ends[k] − begins[i] and has spaces_to_end[k] − spaces_to_begin[i] word spaces. Neither `ends`
    nor `begins` falls from one place to the next. `widest` is the widest stretch without a break.
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
        """The fewest lines that a width allows; a stretch without a break may stand out."""
        return len(self.latest(width)) - 1

    def latest(self, width: float) -> list[int]:
        """The last place that each of the fewest lines can end at, after the start (0)."""
        ends, begins, total = self.ends, self.begins, len(self.ends) - 1
        found, place = [0], 0
        while place < total:
            place = max(place + 1, bisect_right(ends, begins[place] + width + EPSILON) - 1)
            found.append(place)
        return found

    def earliest(self, width: float) -> list[int]:
        """The first place that each of them can end at, so that the rest still fits."""
        ends, begins, place = self.ends, self.begins, len(self.ends) - 1
        found = [place]
        while place > 0:
            place = min(place - 1, bisect_left(begins, ends[place] - width - EPSILON))
            found.append(place)
        return found[::-1]

    def widest_line(self) -> tuple[int, int]:
        """The places around the widest stretch without a break."""
        places = range(1, len(self.ends))
        end = max(places, key=lambda k: self.ends[k] - self.begins[k - 1])
        return end - 1, end

    def spaces(self, start: int, end: int) -> int:
        """The word spaces of a line."""
        return self.spaces_to_end[end] - self.spaces_to_begin[start]

    def stretch(self, start: int, end: int, width: float) -> float:
        """How much wider each space of a line must be to fill a width; none if it has none."""
        spaces = self.spaces(start, end)
        return max(0.0, width - self.ends[end] + self.begins[start]) / spaces if spaces else 0.0

    def white(self, start: int, end: int, width: float, justified: bool) -> float:
        """How white a line is: 0 for a full line, 1 for an empty one or, justified, for one whose
        words stand WORST_STRETCH further apart; below 0 when it does not fit."""
        left = width - self.ends[end] + self.begins[start] + EPSILON
        if not justified or left < 0.0:
            return left / max(width, EPSILON)
        return left / (max(self.spaces(start, end), 1) * WORST_STRETCH)


class BreakingRules(Struct, frozen=True):
    """How lines are judged: `justified` by the spaces between words, else by the white at their
    end; `balanced` when the last line counts like the others."""

    justified: bool = False
    balanced: bool = False


def best_lines(breaks: Breaks, width: float, manner: BreakingRules) -> list[int]:
    """The places at which the lines end. Of every line only the places between the first and the
    last possible are tried; the best way to each of them is built on those to the line before."""
    costs = {0: 0.0}
    origins: dict[int, int] = {}
    ends, begins, scale = breaks.ends, breaks.begins, 1 / max(width, EPSILON)
    total, justified = len(ends) - 1, manner.justified
    windows = zip(breaks.earliest(width)[1:], breaks.latest(width)[1:], strict=True)
    for first, last in windows:
        before, costs = costs, {}
        for place in range(first, last + 1):
            room = width - ends[place] + EPSILON
            judged = manner.balanced or place != total
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


BEFORE: Final = 2
AFTER: Final = 3

_CAPITAL_NOUNS: Final = frozenset(("de", "gsw", "lb", "nds"))
"""Languages in which any noun begins with a capital. In others such a word is a name, or begins a
sentence, and is not parted."""
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
    language, *region = lang.lower().replace("-", "_").split("_")  # whatever case it is written in
    parts = (part.upper() if len(part) == 2 else part.title() for part in region)
    name = pyphen.language_fallback("_".join((language, *parts)))
    nouns = language in _CAPITAL_NOUNS
    patterns: Any = pyphen.Pyphen(lang=name, left=BEFORE, right=AFTER) if name else None
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


def bidi_levels(text: str) -> tuple[int, list[int]]:
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
