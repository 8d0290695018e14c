"""A paragraph's measured words; the places where its lines may end, and its lines, out.

Everything is in em, so it is done once whatever size the text ends up in.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from generator.text.breaking import WHOLE, Breaks, Place
from generator.text.hyphenate import Hyphenator
from generator.text.shaper import Word
from generator.text.typeface import HYPHEN, Typeface

MAX_PARTED: Final = 250
"""Letters of a word that may be parted: each of its points is two words to shape."""


@dataclass(slots=True)
class Measured:
    """A paragraph, measured; `base` is its direction, 1 for right to left.

    `spaces[i]` is the level of the space behind word i, or None when there is none; `glue[i]` is
    how far word i + 1 stands from word i, kerning included. `faces[i]` is the typeface of a word
    of one look, None for others; such a word may be parted at `soft[i]`, its soft hyphens.
    """

    base: int
    gap: bool
    words: list[Word] = field(default_factory=list)
    spaces: list[int | None] = field(default_factory=list)
    glue: list[float] = field(default_factory=list)
    faces: list[Typeface | None] = field(default_factory=list)
    soft: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def breaks(self, hyphenate: Hyphenator | None = None) -> Breaks:
        """The places where lines may end; with a hyphenator, inside words as well."""
        ends, begins, spaces_to_end, spaces_to_begin = [0.0], [0.0], [0], [0]
        places: list[Place] = [(-1, WHOLE)]
        start, spaces = 0.0, 0
        parted = hyphenate is not None or bool(self.soft)
        of_words = zip(self.words, self.glue, self.spaces, strict=True)
        for i, (word, glue, space) in enumerate(of_words):
            end = start + word.width
            if parted and (points := self._points(i, hyphenate)):
                for letters, head, tail in self._parted(i, points):
                    ends.append(start + head)
                    begins.append(end - tail)
                    spaces_to_end.append(spaces)
                    spaces_to_begin.append(spaces)
                    places.append((i, letters))
            start = end + glue
            ends.append(end)
            begins.append(start)
            spaces_to_end.append(spaces)
            if space is not None:
                spaces += 1
            spaces_to_begin.append(spaces)
            places.append((i, WHOLE))
        return Breaks(ends, begins, spaces_to_end, spaces_to_begin, places)

    def _parted(self, i: int, points: tuple[int, ...]) -> list[tuple[int, float, float]]:
        """The points at which it makes sense to part word i: letters before, the width of what is
        before with its hyphen and of what is after. One further on that is no further right, the
        end of the word for one, is always better."""
        useful: list[tuple[int, float, float]] = []
        widest = self.words[i].width
        for letters in reversed(points):
            head = self._part(i, 0, letters).width
            if head <= widest:
                useful.append((letters, head, self._part(i, letters, WHOLE).width))
                widest = head
        return useful[::-1]

    def _points(self, i: int, hyphenate: Hyphenator | None) -> tuple[int, ...]:
        if len(self.words[i].text) > MAX_PARTED:
            return ()
        soft = self.soft.get(i, ())
        if soft or hyphenate is None or self.faces[i] is None:
            return soft
        return hyphenate(self.words[i].text)

    def line(self, breaks: Breaks, start: int, end: int) -> tuple[int, list[Word]]:
        """The words of the line between two places, and the number of the first."""
        first, cut_from = breaks.places[start]
        last, cut_to = breaks.places[end]
        if cut_from == WHOLE:
            first, cut_from = first + 1, 0
        words = self.words[first : last + 1]
        if cut_to != WHOLE:
            words[-1] = self._part(last, cut_from if first == last else 0, cut_to)
        if cut_from and (first != last or cut_to == WHOLE):
            words[0] = self._part(first, cut_from, WHOLE)
        return first, words

    def _part(self, i: int, start: int, end: int) -> Word:
        """Some letters of a word, with a hyphen unless they are its last."""
        face, word = self.faces[i], self.words[i]
        assert face is not None
        text = word.text[start:] if end == WHOLE else word.text[start:end] + HYPHEN
        level = word.parts[0].level
        return at_level(face.word(text, level % 2 == 1), level)


def at_level(word: Word, level: int) -> Word:
    """The word running in the direction of a level of UAX #9."""
    if word.parts and word.parts[0].level == level:
        return word
    return replace(word, parts=tuple(replace(part, level=level) for part in word.parts))
