"""Set text as values: glyphs at their places in runs, runs and icons in lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Struct

from generator.fonts import FontFile


class Glyph(NamedTuple):
    """A glyph of a font by its number: how far the pen moves on and where beside it the glyph
    stands, in font units, y upwards. `text` is what it shows; of the glyphs that show something
    together the first, from left to right, has it all."""

    id: int
    text: str
    advance: int
    dx: int = 0
    dy: int = 0


class Stretch(NamedTuple):
    """The glyphs of a word in a run, and the white before it, em: a `space`, or only how its first
    letter is kerned."""

    glyphs: tuple[Glyph, ...]
    white: float = 0.0
    space: bool = False


class Run(Struct, frozen=True, tag=True):
    """Text of one look: x of its left edge in its box and its advance, mm. `text` is in reading
    order, the words in `stretches` stand from left to right."""

    x: float
    width: float
    text: str
    font: FontFile
    size_pt: float
    right_to_left: bool = False
    stretches: tuple[Stretch, ...] = ()


class InlineIcon(Struct, frozen=True, tag=True):
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
