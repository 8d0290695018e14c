"""The words of one line, in em, in; its runs at their places, in millimetres, out."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.model.lines import InlineIcon, Line, Run, Stretch
from generator.sums import summed
from generator.text.paragraph import Measured
from generator.text.shaper import Shaper, Word
from generator.text.unicode import visual_order
from generator.text.words import ICON_BEARING
from generator.units import pt_to_mm


@dataclass(slots=True)
class Item:
    """A run in the making, em: text in a font, an icon, or (neither) white."""

    level: int
    width: float
    text: str = ""
    font: Shaper | None = None
    icon: str = ""
    stretches: list[Stretch] = field(default_factory=list)


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
                item.stretches.append(Stretch(part.glyphs, white, bool(space)))
            else:
                if white:
                    items.append(Item(level, white))
                opening = [Stretch(part.glyphs)]
                item = Item(part.level, part.width, part.text, part.font, part.icon, opening)
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
            stretches = _backwards(item.stretches) if backwards else item.stretches
            file = item.font.file
            runs.append(Run(x, width, item.text, file, size_pt, backwards, tuple(stretches)))
        elif item.icon:
            top = y - (0.5 + cap / 2) * size
            bearing = ICON_BEARING * size
            width = item.width * size - 2 * bearing
            runs.append(InlineIcon(item.icon, x + bearing, top, width, size))
        x += item.width * size
    return Line(y, left, x - left, tuple(runs))


def _backwards(stretches: list[Stretch]) -> list[Stretch]:
    """The words of a run from right to left, in the order in which they stand."""
    behind = [*stretches[1:], Stretch(())]
    return [
        Stretch(one.glyphs, other.white, other.space)
        for one, other in zip(reversed(stretches), reversed(behind), strict=True)
    ]
