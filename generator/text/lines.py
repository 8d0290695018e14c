"""The words of one line, in em, in; its runs at their places, in millimetres, out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from generator.fonts import FontFile
from generator.sums import summed
from generator.text.paragraph import Measured
from generator.text.shaper import Glyph, Shaper, Word
from generator.text.unicode import visual_order
from generator.text.words import ICON_BEARING
from generator.units import pt_to_mm


class Gap(NamedTuple):
    """White between two words of a run, em: a `space`, or only how their letters are kerned."""

    width: float
    space: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look: x of its left edge in its box and its advance, mm. `text` is in reading
    order, `stretches` are the glyphs of its words, and what is between them, from left to right.
    """

    x: float
    width: float
    text: str
    font: FontFile
    size_pt: float
    right_to_left: bool = False
    stretches: tuple[tuple[Glyph, ...] | Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class InlineIcon:
    """An icon in a line: its top-left corner in the box, its width and height, mm."""

    name: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its baseline below the top of its box, its left edge and advance, mm; its runs
    from left to right."""

    y: float
    x: float
    width: float
    runs: tuple[Run | InlineIcon, ...]


@dataclass(slots=True)
class Item:
    """A run in the making, em: text in a font, an icon, or (neither) white."""

    level: int
    width: float
    text: str = ""
    font: Shaper | None = None
    icon: str = ""
    stretches: list[tuple[Glyph, ...] | Gap] = field(default_factory=list)


def set_line(
    measured: Measured, first: int, words: list[Word], stretch: float
) -> tuple[list[Item], float]:
    """Join what has one look into items, from left to right, each space `stretch` em wider;
    `first` is the first word's number. Also their width."""
    items: list[Item] = []
    item = Item(0, 0.0)
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
                if white or space:
                    item.stretches.append(Gap(white, bool(space)))
                item.stretches.append(part.glyphs)
            else:
                if white:
                    items.append(Item(level, white))
                item = Item(part.level, part.width, part.text, part.font, part.icon, [part.glyphs])
                items.append(item)
            white, space = 0.0, ""
        white, behind = measured.glue[i], measured.spaces[i]
        if behind is not None:
            white, space, level = white + stretch, " ", behind
    if any(item.level for item in items):
        items = [items[i] for i in visual_order([item.level for item in items])]
    return items, summed(item.width for item in items)


def place_line(items: list[Item], x: float, y: float, size_pt: float, cap: float) -> Line:
    """Items to runs: x is the line's left edge and y its baseline in the box, mm; `cap` is the
    height of a capital, em."""
    size = pt_to_mm(size_pt)
    runs: list[Run | InlineIcon] = []
    left = x
    for item in items:
        if item.font is not None:
            width, backwards = item.width * size, item.level % 2 == 1
            glyphs = tuple(item.stretches[::-1] if backwards else item.stretches)
            runs.append(Run(x, width, item.text, item.font.file, size_pt, backwards, glyphs))
        elif item.icon:
            top = y - (0.5 + cap / 2) * size
            bearing = ICON_BEARING * size
            width = item.width * size - 2 * bearing
            runs.append(InlineIcon(item.icon, x + bearing, top, width, size))
        x += item.width * size
    return Line(y, left, x - left, tuple(runs))
