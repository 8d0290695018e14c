"""A text, a style and a box in; lines at their places, in the largest size that fits, out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from generator.fonts import FontLibrary
from generator.model.lines import Line
from generator.sums import summed
from generator.text.breaking import EPSILON, Breaks, Manner, best_lines
from generator.text.copy import Copy, IconSource, measure_copy
from generator.text.fitted import FittedText, Overflow, ink, sizes
from generator.text.lines import Item, place_line, set_line
from generator.text.paragraph import Measured
from generator.text.shaper import Word
from generator.text.style import Align, TextStyle, VAlign
from generator.units import pt_to_mm

# A line this white (see Breaks.white) is worth a hyphen: a third of a ragged one, or 0.3 em
# more between the words of a justified one.
TOO_WHITE: Final = {False: 0.33, True: 0.6}


def fit_text(
    text: str,
    style: TextStyle,
    width_mm: float,
    height_mm: float | None,
    *,
    rich: bool,
    fonts: FontLibrary,
    icons: IconSource = frozenset(),
    align: str | None = None,
    valign: str = "top",
) -> FittedText:
    """Set a text in a box, in the largest size from the style's own down to its smallest, in
    steps of 0.1 pt, at which it fits; at the smallest, with `overflow`, when none does. Without a
    height only the width counts. docs/text.md has the rules.

    Raises GridpressError (GP403) for an unknown font family, ValueError for an `align` or
    `valign` that is none.
    """
    copy = measure_copy(text, style, rich=rich, fonts=fonts, icons=icons)
    return _Box(copy, width_mm, height_mm, Align(align or style.align), VAlign(valign)).fitted()


@dataclass(frozen=True, slots=True)
class _SetLine:
    """A line before it has a place, em: its items and their advance, its words, its baseline
    below the first one, the share of white at its left."""

    items: list[Item]
    advance: float
    words: list[Word]
    y: float
    side: float


@dataclass(frozen=True, slots=True)
class _Box:
    """A measured text in the box that it is to fit, mm."""

    copy: Copy
    width: float
    height: float | None
    align: Align
    valign: VAlign

    def fitted(self) -> FittedText:
        """The text in the largest size that fits."""
        whole, tried = self.copy.breaks, sizes(self.copy.style)
        breaks = whole
        if self.copy.style.hyphenate and not self._fits(whole, tried[0]):
            breaks = tuple(map(self.copy.hyphenated, range(len(whole))))
        first = bisect_left(tried, True, hi=len(tried) - 1, key=lambda s: self._fits(breaks, s))
        size = tried[first]
        overflow = None if self._fits(breaks, size) else self._overflow(breaks, size)
        lines = self._lines(whole if self._fits(whole, size) else breaks, size)
        placed = self._placed(lines, size)
        used = ink(placed, [line.words for line in lines], size)
        copy = self.copy
        height = copy.ascent + lines[-1].y + copy.descent if lines else 0.0
        return FittedText(
            placed,
            used,
            size,
            overflow,
            copy.missing,
            copy.unknown_icons,
            height * pt_to_mm(size),
        )

    def _fits(self, breaks: Sequence[Breaks], size_pt: float) -> bool:
        width = _in_em(self.width, size_pt)
        if any(part.widest > width + EPSILON for part in breaks):
            return False
        if self.height is None:
            return True
        return self._depth(breaks, width) <= _in_em(self.height, size_pt) + EPSILON

    def _depth(self, breaks: Sequence[Breaks], width: float) -> float:
        """How high the text is, em, from its tallest ink to its deepest."""
        style = self.copy.style
        lines = summed(max(1, part.count(width)) for part in breaks)
        gaps = summed(paragraph.gap for paragraph in self.copy.paragraphs)
        below_first = (lines - 1 + gaps * style.paragraph_gap) * style.leading if lines else 0.0
        return self.copy.ascent + below_first + self.copy.descent

    def _overflow(self, breaks: Sequence[Breaks], size_pt: float) -> Overflow:
        size, width = pt_to_mm(size_pt), _in_em(self.width, size_pt)
        height = 0.0
        if self.height is not None:
            height = max(0.0, self._depth(breaks, width) * size - self.height)
        paragraph, part = max(
            zip(self.copy.paragraphs, breaks, strict=True), key=lambda pair: pair[1].widest
        )
        if part.widest <= width + EPSILON:
            return Overflow(height)
        _, words = paragraph.line(part, *part.widest_line())
        return Overflow(height, words[0].text, part.widest * size - self.width)

    def _lines(self, breaks: Sequence[Breaks], size_pt: float) -> list[_SetLine]:
        style = self.copy.style
        width = _in_em(self.width, size_pt)
        lines: list[_SetLine] = []
        y = 0.0
        for i, paragraph in enumerate(self.copy.paragraphs):
            y += style.leading * style.paragraph_gap * paragraph.gap
            part, places = self._broken(i, breaks[i], width)
            for start, end in pairwise((0, *places)):
                first, words = paragraph.line(part, start, end)
                stretch = 0.0
                if self.align is Align.JUSTIFY and end != places[-1]:
                    stretch = part.stretch(start, end, width)
                items, advance = set_line(paragraph, first, words, stretch)
                lines.append(_SetLine(items, advance, words, y, self._side(paragraph)))
                y += style.leading
        return lines

    def _broken(self, i: int, breaks: Breaks, width: float) -> tuple[Breaks, list[int]]:
        """The places where the lines of paragraph i end, and what they are places of. Words are
        parted where that saves a line or fills one that is too white, nowhere else."""
        whole = self.copy.breaks[i]
        if whole.widest <= width + EPSILON and whole.count(width) == breaks.count(width):
            breaks = whole
        justified = self.align is Align.JUSTIFY
        manner = Manner(justified, balanced=self.align is Align.CENTER)
        places = best_lines(breaks, width, manner)
        if breaks is whole and self.copy.style.hyphenate:
            whites = (whole.white(*line, width, justified) for line in pairwise((0, *places[:-1])))
            if any(share > TOO_WHITE[justified] for share in whites):
                breaks = self.copy.hyphenated(i)
                places = best_lines(breaks, width, manner)
        return breaks, places

    def _side(self, paragraph: Measured) -> float:
        """The share of a line's white that stands at its left."""
        if self.align in (Align.START, Align.JUSTIFY):
            return float(paragraph.base)
        return {Align.LEFT: 0.0, Align.CENTER: 0.5, Align.RIGHT: 1.0}[self.align]

    def _placed(self, lines: list[_SetLine], size_pt: float) -> tuple[Line, ...]:
        if not lines:
            return ()
        size, cap = pt_to_mm(size_pt), self.copy.face.cap
        first = self._first_baseline(lines, size)
        return tuple(
            place_line(
                line.items,
                line.side * (self.width - line.advance * size),
                first + line.y * size,
                size_pt,
                cap,
            )
            for line in lines
        )

    def _first_baseline(self, lines: list[_SetLine], size: float) -> float:
        """At the top and the bottom the typeface's ascenders and descenders touch the box, or
        taller and deeper ink (an accented capital) where the line has it. In the middle the
        space above the first line's capitals equals that below the last baseline, as long as
        all ink stays inside."""
        face = self.copy.face
        highest = max([face.ascent, *(word.top for word in lines[0].words)]) * size
        if self.height is None or self.valign is VAlign.TOP:
            return highest
        deepest = max([face.descent, *(word.bottom for word in lines[-1].words)]) * size
        height = lines[-1].y * size
        lowest = self.height - deepest - height
        if self.valign is VAlign.BOTTOM:
            return max(highest, lowest)
        return max(highest, min(lowest, (self.height + face.cap * size - height) / 2))


def _in_em(mm: float, size_pt: float) -> float:
    return mm / pt_to_mm(size_pt)
