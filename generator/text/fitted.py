"""What fitting hands on: lines at their places, what their ink fills, what went wrong."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.geometry import Rect
from generator.model.lines import Line
from generator.text.shaper import Word
from generator.text.style import TextStyle
from generator.text.unicode import visual_order
from generator.units import pt_to_mm

SIZE_STEP_PT: Final = 0.1
_KEPT: Final = 256


@dataclass(frozen=True, slots=True)
class Overflow:
    """How much of a text stands outside its box at its smallest size, mm: the lines by
    `height`, the widest stretch that cannot be parted, `word`, by `width`."""

    height: float = 0.0
    word: str = ""
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class FittedText:
    """A set text. Places are from the top-left corner of its box, mm; `used` is what its ink
    fills, `size_pt` the size it came out in, `height` that of the lowest box that holds it.

    `missing` are characters that no listed font has and `unknown_icons` names that the icons do
    not have, each with its first index in the text. Both are printed as well as can be.
    """

    lines: tuple[Line, ...]
    used: Rect
    size_pt: float
    overflow: Overflow | None = None
    missing: tuple[tuple[str, int], ...] = ()
    unknown_icons: tuple[tuple[str, int], ...] = ()
    height: float = 0.0


def sizes(style: TextStyle) -> tuple[float, ...]:
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


def ink(lines: Iterable[Line], words: Iterable[Sequence[Word]], size_pt: float) -> Rect:
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
