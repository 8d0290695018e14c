"""Items of a text in a row, such as rows or entries, and the text between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

_BLANK: Final = re.compile(r"[ \t]*,?\s*")


class Splice(NamedTuple):
    """A part of a text, and what takes its place."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Return a text with parts replaced. They lie apart; equal places keep their order."""
    made, at = [], 0
    for start, end, new in sorted(splices, key=lambda splice: splice[:2]):
        made += [text[at:start], new]
        at = end
    return "".join((*made, text[at:]))


class Slots(Struct, frozen=True):
    """The places of items in a text. When items change places, the text between them stays."""

    text: str
    places: Sequence[tuple[int, int]]
    usual: str
    """The text to write between two items if the file has no example."""

    def reordered(self, order: Sequence[int]) -> list[Splice]:
        """Return the splices for another order."""
        parts = [self.text[start:end] for start, end in self.places]
        moved = ((to, at) for to, at in enumerate(order) if parts[at] != parts[to])
        return [Splice(*self.places[to], parts[at]) for to, at in moved]

    def inserted(self, at: int, items: Sequence[str]) -> Splice:
        """Return the splice for more items before the item `at`, or after the last."""
        at = min(at, len(self.places))
        between = self._between(at)
        if at < len(self.places):
            place = self.places[at][0]
            return Splice(place, place, "".join(f"{item}{between}" for item in items))
        place = self.places[-1][1]
        return Splice(place, place, "".join(f"{between}{item}" for item in items))

    def removed(self, at: int) -> Splice:
        """Return the splice that leaves one of several items out, with the blanks on one side."""
        start, end = self.places[at]
        if at + 1 < len(self.places) and _BLANK.fullmatch(self._gap(at)):
            return Splice(start, self.places[at + 1][0], "")
        if at and _BLANK.fullmatch(self._gap(at - 1)):
            return Splice(self.places[at - 1][1], end, "")
        if at + 1 < len(self.places):
            blank = _BLANK.match(self.text, end)
            return Splice(start, blank.end() if blank else end, "")
        return Splice(len(self.text[:start].rstrip()), end, "")

    def _gap(self, at: int) -> str:
        """Return the text after the item `at`."""
        return self.text[self.places[at][1] : self.places[at + 1][0]]

    def _between(self, at: int) -> str:
        """Return the text between two items near the item `at`."""
        near = [gap for n in (at - 1, at, at - 2) if 0 <= n < len(self.places) - 1
                if _BLANK.fullmatch(gap := self._gap(n))]  # fmt: skip
        if near:
            return Counter(near).most_common(1)[0][0]
        every = (self._gap(n) for n in range(len(self.places) - 1))
        return next((gap for gap in every if _BLANK.fullmatch(gap)), self.usual)
