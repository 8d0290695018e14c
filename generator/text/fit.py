"""Fits a text into a box, or on one line, in the largest size possible, and returns lines, ink and
SVG."""

from __future__ import annotations

import functools
import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from generator.fonts import FontLibrary
from generator.geometry import Rect, format_mm, pt_to_mm, summed
from generator.model.face import InlineIcon, TextLine, TextRun, WordStretch
from generator.text.direction import visual_order
from generator.text.line_breaking import EPSILON, BreakingRules, Breaks, best_lines
from generator.text.markup import Align, Paragraph, StyledText, TextStyle, VAlign, parse_markup
from generator.text.paragraph import (
    ICON_BEARING,
    IconSource,
    MeasuredParagraph,
    MeasuredText,
    measure_text,
)
from generator.text.shaper import Shaper, Word

# A line this white (see Breaks.white) is worth a hyphen: a third of a ragged one, or 0.3 em
# more between the words of a justified one.
_TOO_WHITE: Final = {False: 0.33, True: 0.6}
ALL: Final = (0, None)
"""Lines from one number to before another: all."""


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
    lines: tuple[int, int | None] = ALL,
) -> FittedText:
    """Set a text in a box in the largest size that fits, from the style's size down to its smallest
    in steps of 0.1 pt; if none fits, the smallest with `overflow`. Without a height only the width
    counts. Only `lines` are set, from one number to before another, at the top. See docs/text.md.

    Raises GridpressError (GP403) for an unknown font family, ValueError for an unknown `align` or
    `valign`.
    """
    measured = measure_text(parse_markup(text, rich), style, fonts, icons)
    box = _BoxedText(measured, width_mm, height_mm, Align(align or style.align), VAlign(valign))
    return box.fitted(lines)


class _SetLine(Struct, frozen=True):
    """A line without a place, em: its items and their advance, its words, its baseline below the
    first, and the part of white at its left."""

    items: list[_LinePart]
    advance: float
    words: list[Word]
    y: float
    side: float


class _BoxedText(Struct, frozen=True):
    """A measured text and its box, mm."""

    text: MeasuredText
    width: float
    height: float | None
    align: Align
    valign: VAlign

    def fitted(self, which: tuple[int, int | None]) -> FittedText:
        """Return some lines of the text in the largest size that fits."""
        whole, tried = self.text.breaks, _sizes(self.text.style.size_pt, self.text.style.min_pt)
        breaks = whole
        if self.text.style.hyphenate and not self._fits(whole, tried[0]):
            breaks = tuple(map(self.text.hyphenated, range(len(whole))))
        first = bisect_left(tried, True, hi=len(tried) - 1, key=lambda s: self._fits(breaks, s))
        size = tried[first]
        overflow = None if self._fits(breaks, size) else self._overflow(breaks, size)
        lines = self._lines(whole if self._fits(whole, size) else breaks, size)
        lines = lines[slice(*which)]
        lines = [replace(line, y=line.y - lines[0].y) for line in lines]
        placed = self._placed(lines, size)
        used = _ink_box(placed, [line.words for line in lines], size)
        text = self.text
        height = text.ascent + lines[-1].y + text.descent if lines else 0.0
        return FittedText(
            placed,
            used,
            size,
            overflow,
            text.missing,
            text.unknown_icons,
            height * pt_to_mm(size),
        )

    def _fits(self, breaks: Sequence[Breaks], size_pt: float) -> bool:
        width = _in_em(self.width, size_pt)
        if any(part.widest > width + EPSILON for part in breaks):
            return False
        if self.height is None or not breaks:
            return True
        return self._depth(breaks, width) <= _in_em(self.height, size_pt) + EPSILON

    def _depth(self, breaks: Sequence[Breaks], width: float) -> float:
        """Return the height of the text, em, from its tallest ink to its deepest."""
        style = self.text.style
        lines = summed(max(1, part.count(width)) for part in breaks)
        gaps = summed(paragraph.gap for paragraph in self.text.paragraphs)
        below_first = (lines - 1 + gaps * style.paragraph_gap) * style.leading if lines else 0.0
        return self.text.ascent + below_first + self.text.descent

    def _overflow(self, breaks: Sequence[Breaks], size_pt: float) -> Overflow:
        size, width = pt_to_mm(size_pt), _in_em(self.width, size_pt)
        height = 0.0
        if self.height is not None:
            height = max(0.0, self._depth(breaks, width) * size - self.height)
        paragraph, part = max(
            zip(self.text.paragraphs, breaks, strict=True), key=lambda pair: pair[1].widest
        )
        if part.widest <= width + EPSILON:
            return Overflow(height)
        _, words = paragraph.line(part, *part.widest_line())
        return Overflow(height, words[0].text, part.widest * size - self.width)

    def _lines(self, breaks: Sequence[Breaks], size_pt: float) -> list[_SetLine]:
        style = self.text.style
        width = _in_em(self.width, size_pt)
        lines: list[_SetLine] = []
        y = 0.0
        for i, paragraph in enumerate(self.text.paragraphs):
            y += style.leading * style.paragraph_gap * paragraph.gap
            part, places = self._broken(i, breaks[i], width)
            for start, end in pairwise((0, *places)):
                first, words = paragraph.line(part, start, end)
                stretch = 0.0
                if self.align is Align.JUSTIFY and end != places[-1]:
                    stretch = part.stretch(start, end, width)
                items, advance = _set_line(paragraph, first, words, stretch)
                lines.append(_SetLine(items, advance, words, y, self._side(paragraph)))
                y += style.leading
        return lines

    def _broken(self, i: int, breaks: Breaks, width: float) -> tuple[Breaks, list[int]]:
        """Return where the lines of paragraph i end. Words are hyphenated only where that saves a
        line or fills one that is too white."""
        whole = self.text.breaks[i]
        if whole.widest <= width + EPSILON and whole.count(width) == breaks.count(width):
            breaks = whole
        justified = self.align is Align.JUSTIFY
        rules = BreakingRules(justified, balanced=self.align is Align.CENTER)
        places = best_lines(breaks, width, rules)
        if breaks is whole and self.text.style.hyphenate:
            whites = (whole.white(*line, width, justified) for line in pairwise((0, *places[:-1])))
            if any(share > _TOO_WHITE[justified] for share in whites):
                breaks = self.text.hyphenated(i)
                places = best_lines(breaks, width, rules)
        return breaks, places

    def _side(self, paragraph: MeasuredParagraph) -> float:
        """Return the part of a line's white at its left."""
        if self.align in (Align.START, Align.JUSTIFY):
            return float(paragraph.base)
        return {Align.LEFT: 0.0, Align.CENTER: 0.5, Align.RIGHT: 1.0}[self.align]

    def _placed(self, lines: list[_SetLine], size_pt: float) -> tuple[TextLine, ...]:
        if not lines:
            return ()
        size, cap = pt_to_mm(size_pt), self.text.face.cap
        first = self._first_baseline(lines, size)
        return tuple(
            _place_line(
                line.items,
                line.side * (self.width - line.advance * size),
                first + line.y * size,
                size_pt,
                cap,
            )
            for line in lines
        )

    def _first_baseline(self, lines: list[_SetLine], size: float) -> float:
        """Return the first baseline. At the top or bottom, ascenders or descenders touch the box,
        or taller ink, such as accented capitals. In the middle, the space above capitals equals
        that below the last baseline, if all ink stays inside."""
        face = self.text.face
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


SHARE_BEFORE: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}
_TOUCH: Final = 1e-6
"""Rounding beyond a width, mm."""


def fit_line(
    text: str,
    style: TextStyle,
    width_mm: float | None = None,
    *,
    rich: bool,
    fonts: FontLibrary,
    icons: IconSource = frozenset(),
    anchor: str = "start",
) -> FittedText:
    """Set a text on one line, as large as style and width allow, its baseline at y = 0, its start,
    middle or end (`anchor`) at x = 0. Line ends become spaces.

    Raises GridpressError (GP403) for an unknown font family.
    """
    measured = _one_line(text, style, rich, fonts, icons)
    advance = _advance(measured)
    room = float("inf") if width_mm is None else width_mm + _TOUCH
    tried = _sizes(style.size_pt, style.min_pt)
    size = next((size for size in tried if advance * pt_to_mm(size) <= room), tried[-1])
    width = advance * pt_to_mm(size)
    overflow = Overflow(word=text, width=width - room) if width > room else None
    placed, words = [], []
    for paragraph in measured.paragraphs:
        items, _ = _set_line(paragraph, 0, paragraph.words, 0.0)
        placed.append(
            _place_line(items, -SHARE_BEFORE[anchor] * width, 0.0, size, measured.face.cap)
        )
        words.append(paragraph.words)
    used = _ink_box(placed, words, size)
    return FittedText(tuple(placed), used, size, overflow, measured.missing, measured.unknown_icons)


def measure(
    text: str,
    style: TextStyle,
    fonts: FontLibrary,
    *,
    rich: bool = False,
    icons: IconSource = frozenset(),
) -> float:
    """Return the width of a text on one line at its style's size, mm."""
    return _advance(_one_line(text, style, rich, fonts, icons)) * pt_to_mm(style.size_pt)


def _one_line(
    text: str, style: TextStyle, rich: bool, fonts: FontLibrary, icons: IconSource
) -> MeasuredText:
    pieces: list[StyledText] = []
    for paragraph in parse_markup(text, rich):
        if pieces:
            pieces.append(StyledText(" ", paragraph.pieces[0].start))
        pieces += paragraph.pieces
    line = [Paragraph(tuple(pieces), gap=False)] if pieces else []
    return measure_text(line, style, fonts, icons)


def _advance(measured: MeasuredText) -> float:
    return summed(part.ends[-1] for part in measured.breaks)


_SIZE_STEP_PT: Final = 0.1
_KEPT: Final = 256


class Overflow(Struct, frozen=True):
    """The excess of a text over its box at the smallest size, mm: of lines by `height`, of the
    widest unbroken `word` by `width`."""

    height: float = 0.0
    word: str = ""
    width: float = 0.0


class FittedText(Struct, frozen=True):
    """A set text. Places count from the top-left corner of its box, mm; `used` is its ink, `height`
    that of the lowest box that holds it.

    `missing` are characters that no font has and `unknown_icons` names without icons, each with its
    first index.
    """

    lines: tuple[TextLine, ...]
    used: Rect
    size_pt: float
    overflow: Overflow | None = None
    missing: tuple[tuple[str, int], ...] = ()
    unknown_icons: tuple[tuple[str, int], ...] = ()
    height: float = 0.0


@functools.lru_cache(_KEPT)
def _sizes(largest: float, smallest: float) -> tuple[float, ...]:
    """Return the sizes to try, pt, the largest first."""
    steps = max(0, math.ceil((largest - smallest) / _SIZE_STEP_PT - 1e-6))
    larger = [round(largest - _SIZE_STEP_PT * step, 4) for step in range(steps)]
    return (*larger, float(min(largest, smallest)))


def _overhangs(words: Sequence[Word]) -> tuple[float, float]:
    """Return the reach of a line's ink beyond its ends, em."""
    levels = [word.parts[0].level for word in words]
    if not any(levels):
        return words[0].left, words[-1].right
    order = visual_order(levels)
    return words[order[0]].left, words[order[-1]].right


def _ink_box(lines: Iterable[TextLine], words: Iterable[Sequence[Word]], size_pt: float) -> Rect:
    """Return the rectangle around the ink of lines with these words; empty for no ink."""
    size = pt_to_mm(size_pt)
    boxes = [
        (
            line.x - left * size,
            line.y - max([word.top for word in of_line]) * size,
            line.x + line.width + right * size,
            line.y + max([word.bottom for word in of_line]) * size,
        )
        for line, of_line in zip(lines, words, strict=True)
        if of_line
        for left, right in (_overhangs(of_line),)
    ]
    if not boxes:
        return Rect(0.0, 0.0, 0.0, 0.0)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    left, top = min(lefts), min(tops)
    return Rect(left, top, max(rights) - left, max(bottoms) - top)


class _LinePart(Struct):
    """Text in a font, an icon, or (neither) white, em."""

    level: int
    width: float
    text: str = ""
    font: Shaper | None = None
    icon: str = ""
    stretches: list[WordStretch] = field(default_factory=list)


def _set_line(
    measured: MeasuredParagraph, first: int, words: list[Word], stretch: float
) -> tuple[list[_LinePart], float]:
    """Join words of one look into items, from left to right, with spaces `stretch` em wider.
    `first` is the number of the first word. Also return their width."""
    items: list[_LinePart] = []
    item = _LinePart(0, 0.0)
    white, space, level = 0.0, "", 0
    for i, word in enumerate(words, first):
        for part in word.parts:
            if (
                part.font is item.font is not None
                and part.level == item.level
                and (not space or level == part.level)
            ):
                item.text += space + part.text
                item.width += white + part.width
                item.stretches.append(WordStretch(part.glyphs, white, bool(space)))
            else:
                if white:
                    items.append(_LinePart(level, white))
                opening = [WordStretch(part.glyphs)]
                item = _LinePart(part.level, part.width, part.text, part.font, part.icon, opening)
                items.append(item)
            white, space = 0.0, ""
        white, behind = measured.glue[i], measured.spaces[i]
        if behind is not None:
            white, space, level = white + stretch, " ", behind
    if any(item.level for item in items):
        items = [items[i] for i in visual_order([item.level for item in items])]
    return items, summed(item.width for item in items)


def _place_line(items: list[_LinePart], x: float, y: float, size_pt: float, cap: float) -> TextLine:
    """Items to runs: x is the line's left edge and y its baseline in the box, mm; `cap` is the
    height of a capital, em."""
    size = pt_to_mm(size_pt)
    runs: list[TextRun | InlineIcon] = []
    left = x
    for item in items:
        if item.font is not None:
            width, backwards = item.width * size, item.level % 2 == 1
            stretches = _backwards(item.stretches) if backwards else item.stretches
            file = item.font.file
            runs.append(TextRun(x, width, item.text, file, size_pt, backwards, tuple(stretches)))
        elif item.icon:
            top = y - (0.5 + cap / 2) * size
            bearing = ICON_BEARING * size
            width = item.width * size - 2 * bearing
            runs.append(InlineIcon(item.icon, x + bearing, top, width, size))
        x += item.width * size
    return TextLine(y, left, x - left, tuple(runs))


def _backwards(stretches: list[WordStretch]) -> list[WordStretch]:
    """Return the words of a right-to-left run in the order they are seen."""
    behind = [*stretches[1:], WordStretch(())]
    return [
        WordStretch(one.glyphs, other.white, other.space)
        for one, other in zip(reversed(stretches), reversed(behind), strict=True)
    ]


_RIGHT_TO_LEFT_MARK: Final = "\u200f"


def to_svg(lines: Sequence[TextLine], x: float, y: float, colour: str) -> str:
    """Return lines as SVG, their places from (x, y), mm, without their icons."""
    spans: list[str] = []
    for line in lines:
        for run in line.runs:
            if isinstance(run, TextRun):
                place = {"x": format_mm(x + run.x), "y": format_mm(y + line.y)}
                look = {**run.font.svg, "font-size": f"{pt_to_mm(run.size_pt):.5f}"}
                text = escape(run.text, quote=False)
                if run.right_to_left:
                    text = f"{_RIGHT_TO_LEFT_MARK}{text}{_RIGHT_TO_LEFT_MARK}"
                spans.append(f"<tspan{_attributes(place | look)}>{text}</tspan>")
    fill = {} if colour == "inherit" else {"fill": colour}
    return f"<text{_attributes(fill)}>{''.join(spans)}</text>" if spans else ""


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items())
