"""A text and a style in; one line at its place, or only its width, out."""

from __future__ import annotations

from typing import Final

from generator.fonts import FontLibrary
from generator.sums import summed
from generator.text.copy import Copy, IconSource, measure_paragraphs
from generator.text.fitted import FittedText, Overflow, ink, sizes
from generator.text.lines import place_line, set_line
from generator.text.markup import Paragraph, Piece, parse
from generator.text.style import TextStyle
from generator.units import pt_to_mm

_SHARE_BEFORE: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}
_TOUCH: Final = 1e-6
"""What rounding may put outside of a width, mm."""


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
    """Set a text as one line, as large as its style and the width allow: its baseline at y = 0,
    its start, middle or end (`anchor`) at x = 0. Line ends in it become spaces.

    Raises GridpressError (GP403) for an unknown font family, ValueError for an unknown `anchor`.
    """
    if anchor not in _SHARE_BEFORE:
        raise ValueError(f"{anchor!r} is not start, middle or end")
    copy = _one_line(text, style, rich, fonts, icons)
    advance = _advance(copy)
    room = float("inf") if width_mm is None else width_mm + _TOUCH
    tried = sizes(style)
    size = next((size for size in tried if advance * pt_to_mm(size) <= room), tried[-1])
    width = advance * pt_to_mm(size)
    overflow = Overflow(word=text, width=width - room) if width > room else None
    placed, words = [], []
    for measured in copy.paragraphs:
        items, _ = set_line(measured, 0, measured.words, 0.0)
        placed.append(place_line(items, -_SHARE_BEFORE[anchor] * width, 0.0, size, copy.face.cap))
        words.append(measured.words)
    used = ink(placed, words, size)
    return FittedText(tuple(placed), used, size, overflow, copy.missing, copy.unknown_icons)


def measure(
    text: str,
    style: TextStyle,
    fonts: FontLibrary,
    *,
    rich: bool = False,
    icons: IconSource = frozenset(),
) -> float:
    """The width of a text on one line at its style's own size, mm."""
    return _advance(_one_line(text, style, rich, fonts, icons)) * pt_to_mm(style.size_pt)


def _one_line(
    text: str, style: TextStyle, rich: bool, fonts: FontLibrary, icons: IconSource
) -> Copy:
    pieces: list[Piece] = []
    for paragraph in parse(text, rich):
        if pieces:
            pieces.append(Piece(" ", paragraph.pieces[0].start))
        pieces += paragraph.pieces
    line = [Paragraph(tuple(pieces), gap=False)] if pieces else []
    return measure_paragraphs(line, style, fonts, icons)


def _advance(copy: Copy) -> float:
    return summed(part.ends[-1] for part in copy.breaks)
