"""Texts as a file has them, often glyph by glyph, in; runs that a reader takes for one out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from generator.geometry import around
from generator.units import pt_to_mm

if TYPE_CHECKING:
    from generator.preflight.painted import PaintedText

_SAME_SIZE: Final = 0.01  # pt
_CLOSE: Final = 0.5
"""Em between two glyphs of one run."""


def joined(glyphs: Sequence[PaintedText]) -> Iterator[PaintedText]:
    """Runs of what was set glyph by glyph: alike, in a row and close together."""
    run: PaintedText | None = None
    for glyph in glyphs:
        if run is None or not _continues(run, glyph):
            if run is not None:
                yield run
            run = glyph
            continue
        empty = not (run.box.width and run.box.height)
        box = (
            glyph.box if empty else around((run.box, glyph.box)) if glyph.words.strip() else run.box
        )
        run = replace(run, box=box, words=run.words + glyph.words)
    if run is not None:
        yield run


def _continues(run: PaintedText, glyph: PaintedText) -> bool:
    if (run.font, run.colour, run.alpha, run.mode, run.turn) != (
        glyph.font,
        glyph.colour,
        glyph.alpha,
        glyph.mode,
        glyph.turn,
    ) or abs(run.size_pt - glyph.size_pt) > _SAME_SIZE:
        return False
    if not glyph.words.strip() or not run.words.strip():
        return True
    em = pt_to_mm(run.size_pt)
    return (
        run.box.grown(em * _CLOSE).overlaps(glyph.box)
        and run.turn % 180 == 0
        and (abs(run.box.bottom - glyph.box.bottom) < em * _CLOSE)
    )
