"""Set lines: put together from words, with the ink that they fill, and as SVG."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

from msgspec import Struct, field

from generator.geometry import Rect, format_mm, pt_to_mm, summed
from generator.model.face import InlineIcon, TextLine, TextRun, WordStretch
from generator.text.breaking import visual_order
from generator.text.markup import TextStyle
from generator.text.paragraph import ICON_BEARING, MeasuredParagraph
from generator.text.shaper import Shaper, Word

SIZE_STEP_PT: Final = 0.1
_KEPT: Final = 256


class Overflow(Struct, frozen=True):
    """How much of a text stands outside its box at its smallest size, mm: the lines by
    `height`, the widest stretch that cannot be parted, `word`, by `width`."""

    height: float = 0.0
    word: str = ""
    width: float = 0.0


class FittedText(Struct, frozen=True):
    """A set text. Places are from the top-left corner of its box, mm; `used` is what its ink
    fills, `size_pt` the size it came out in, `height` that of the lowest box that holds it.

    `missing` are characters that no listed font has and `unknown_icons` names that the icons do
    not have, each with its first index in the text. Both are printed as well as can be.
    """

    lines: tuple[TextLine, ...]
    used: Rect
    size_pt: float
    overflow: Overflow | None = None
    missing: tuple[tuple[str, int], ...] = ()
    unknown_icons: tuple[tuple[str, int], ...] = ()
    height: float = 0.0


def sizes_to_try(style: TextStyle) -> tuple[float, ...]:
    """The sizes to try, largest first, pt: the style's own, then 0.1 pt less each, its smallest."""
    return _sizes(style.size_pt, style.min_pt)


@functools.lru_cache(_KEPT)
def _sizes(largest: float, smallest: float) -> tuple[float, ...]:
    steps = max(0, math.ceil((largest - smallest) / SIZE_STEP_PT - 1e-6))
    larger = [round(largest - SIZE_STEP_PT * step, 4) for step in range(steps)]
    return (*larger, float(min(largest, smallest)))


def _overhangs(words: Sequence[Word]) -> tuple[float, float]:
    """How far the ink of a line reaches beyond its two ends, em."""
    levels = [word.parts[0].level for word in words]
    if not any(levels):
        return words[0].left, words[-1].right
    order = visual_order(levels)
    return words[order[0]].left, words[order[-1]].right


def ink_box(lines: Iterable[TextLine], words: Iterable[Sequence[Word]], size_pt: float) -> Rect:
    """The rectangle around the ink of lines, given the words of each; empty for no ink."""
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


class LinePart(Struct):
    """A run in the making, em: text in a font, an icon, or (neither) white."""

    level: int
    width: float
    text: str = ""
    font: Shaper | None = None
    icon: str = ""
    stretches: list[WordStretch] = field(default_factory=list)


def set_line(
    measured: MeasuredParagraph, first: int, words: list[Word], stretch: float
) -> tuple[list[LinePart], float]:
    """Join what has one look into items, from left to right, each space `stretch` em wider;
    `first` is the first word's number. Also their width."""
    items: list[LinePart] = []
    item = LinePart(0, 0.0)
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
                    items.append(LinePart(level, white))
                opening = [WordStretch(part.glyphs)]
                item = LinePart(part.level, part.width, part.text, part.font, part.icon, opening)
                items.append(item)
            white, space = 0.0, ""
        white, behind = measured.glue[i], measured.spaces[i]
        if behind is not None:
            white, space, level = white + stretch, " ", behind
    if any(item.level for item in items):
        items = [items[i] for i in visual_order([item.level for item in items])]
    return items, summed(item.width for item in items)


def place_line(items: list[LinePart], x: float, y: float, size_pt: float, cap: float) -> TextLine:
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
    """The words of a run from right to left, in the order in which they stand."""
    behind = [*stretches[1:], WordStretch(())]
    return [
        WordStretch(one.glyphs, other.white, other.space)
        for one, other in zip(reversed(stretches), reversed(behind), strict=True)
    ]


_RIGHT_TO_LEFT_MARK: Final = "\u200f"


def to_svg(lines: Sequence[TextLine], x: float, y: float, colour: str) -> str:
    """The lines, their places from (x, y), mm, without the icons in them."""
    runs = [(run, line.y) for line in lines for run in line.runs if isinstance(run, TextRun)]
    return _text(runs, x, y, colour)


def _text(runs: list[tuple[TextRun, float]], x: float, y: float, colour: str) -> str:
    """A text element in the look of its first run; a tspan says where it differs."""
    if not runs:
        return ""
    base, _ = runs[0]
    look = {"fill": colour, **base.font.svg, "font-size": f"{pt_to_mm(base.size_pt):.5f}"}
    spans: list[str] = []
    for run, baseline in runs:
        other = ""
        if run.font is not base.font:
            other = _attributes(_difference(run.font.svg, base.font.svg))
        text = escape(run.text, quote=False)
        if run.right_to_left:
            text = f"{_RIGHT_TO_LEFT_MARK}{text}{_RIGHT_TO_LEFT_MARK}"
        place = f'x="{format_mm(x + run.x)}" y="{format_mm(y + baseline)}"'
        spans.append(f"<tspan {place}{other}>{text}</tspan>")
    return f"<text{_attributes(look)}>{''.join(spans)}</text>"


def _difference(look: Mapping[str, str], base: Mapping[str, str]) -> dict[str, str]:
    """What must be said to get from one look to another; what only the base says is undone."""
    undone = dict.fromkeys(base.keys() - look.keys(), "normal")
    return {name: value for name, value in look.items() if base.get(name) != value} | undone


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items())
