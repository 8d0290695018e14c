"""A run of text and the pixels behind it in, how well it is told from them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from PIL import Image

from generator.geometry import Rect, around
from generator.preflight.contrast import contrast, laid_over, luminance
from generator.preflight.faces import Specimen
from generator.preflight.lettering import PIXEL, Lettering, is_level
from generator.preflight.page_objects import Colour
from generator.preflight.painted import STROKED, PaintedText
from generator.preflight.raster import Raster
from generator.preflight.shading import WHITE, is_shaded, shade
from generator.sums import summed
from generator.units import pt_to_mm

NEEDED: Final = 4.5
"""Contrast that text needs: WCAG 2.2, success criterion 1.4.3 (AA)."""
NEEDED_LARGE: Final = 3.0
LARGE_PT: Final = 14.0
"""pt from which text is large; WCAG says so of bold text and asks 18 pt of others, for screens."""
INVISIBLE: Final = (3, 7)
"""Text rendering modes that paint nothing (PDF 1.7, table 106)."""
_ROUNDING_PT: Final = 0.02
_BAD_SHARE: Final = 0.25
"""Of the ground of a letter that may have less contrast: what lies in the corners of its box."""
_DOT: Final = 3 * PIXEL
"""mm; by the pixels of something smaller, such as a full stop, nothing can be told."""
_FAINT: Final = 0.4
"""Of the difference that a colour should make to pixels; less, and it is painted through a mask."""


_Ends = tuple[tuple[int, int], ...]
"""The least and the most of red, green and blue that are in some pixels."""


@dataclass(frozen=True, slots=True)
class Legibility:
    """The contrast of the worst letter of a run, and what it needs; its two colours, and where it
    stands, mm."""

    ratio: float
    needed: float
    colour: Colour
    ground: Colour
    place: Rect


def illegible(specimen: Specimen, letters: Lettering, run: PaintedText) -> Legibility | None:
    """How badly a run is read at its worst letter, None when that is well enough: at one em of it
    a quarter of the ground or more has too little contrast. What is not painted is not judged."""
    box = run.box.cut_to(specimen.ground.box)
    if not (is_painted(run) and box.width and box.height):
        return None
    needed = NEEDED_LARGE if run.size_pt >= LARGE_PT - _ROUNDING_PT else NEEDED
    if is_shaded(specimen, run, box):
        return _shaded(specimen, run, box, needed)
    ends = specimen.ground.ends(box)
    opaque = _opacity(run, box, letters, ends)
    if opaque == 1 and run.stroke is None and _is_clear(run, ends, needed):
        return None
    paint = _Paint(run, opaque)
    if min(paint.contrast(c) for _, c in _colours(specimen.ground.part(box))) >= needed:
        return None
    spots = ((_typical(specimen.ground, paint, spot), spot) for spot in _ems(run, box))
    worst, place = min(spots, key=lambda found: paint.contrast(found[0]))
    ratio = paint.contrast(worst)
    return Legibility(ratio, needed, paint.best(worst), worst, place) if ratio < needed else None


def are_clear(specimen: Specimen, letters: Lettering, runs: Sequence[PaintedText]) -> bool:
    """True when all the runs of a text stand out from all that is behind any of them: for most
    text that is enough to know."""
    first = runs[0]
    if first.colour == WHITE:  # it may be the colours of a gradient
        return False
    box = around([run.box for run in runs]).cut_to(specimen.ground.box)
    if not (box.width and box.height):
        return False
    return _is_clear(first, specimen.ground.ends(box), NEEDED) and all(
        run.colour == first.colour
        and run.stroke is None
        and run.alpha == 255
        and letters.strength(run) >= _FAINT * 255
        for run in runs
    )


def _shaded(specimen: Specimen, run: PaintedText, box: Rect, needed: float) -> Legibility | None:
    """The same of a run in the colours of a gradient, each em by its own."""
    found = []
    for spot in _ems(run, box):
        colour = shade(specimen, spot)
        if colour is not None:
            ink = _Paint(replace(run, colour=colour), 1.0)
            ground = _typical(specimen.ground, ink, spot)
            found.append(Legibility(ink.contrast(ground), needed, colour, ground, spot))
    worst = min(found, key=lambda seen: seen.ratio, default=None)
    return worst if worst and worst.ratio < needed else None


def contrast_at(specimen: Specimen, run: PaintedText, place: Rect) -> float:
    """The contrast of a run's colour with what is behind it in a place, mm, as of one letter."""
    paint = _Paint(run, run.alpha / 255)
    return paint.contrast(_typical(specimen.ground, paint, place))


def is_painted(run: PaintedText) -> bool:
    """False for what is there only to be searched and copied."""
    return run.mode not in INVISIBLE and run.alpha > 0


class _Paint:
    """What a run is painted with: the colours of its letters and of their outlines."""

    def __init__(self, run: PaintedText, opaque: float) -> None:
        self._opaque = opaque
        filled = run.mode not in STROKED or run.mode in (2, 6)
        self._colours = [run.colour] if filled else []
        if run.stroke is not None:
            self._colours.append(run.stroke)

    def best(self, ground: Colour) -> Colour:
        """The colour, as seen on a ground, that stands out most from it."""
        seen = (laid_over(colour, self._opaque, ground) for colour in self._colours)
        return max(seen, key=lambda colour: contrast(colour, ground), default=ground)

    def contrast(self, ground: Colour) -> float:
        """With a ground, of the colour that stands out most."""
        return contrast(self.best(ground), ground)


def _is_clear(run: PaintedText, channels: _Ends, needed: float) -> bool:
    """True when a colour stands out from everything between the darkest and the lightest that a
    ground could hold: quick, and for most text enough."""
    dark, light = (cast(Colour, tuple(ends[end] for ends in channels)) for end in (0, 1))
    between = luminance(dark) <= luminance(run.colour) <= luminance(light)
    return not between and min(contrast(run.colour, end) for end in (dark, light)) >= needed


def _opacity(run: PaintedText, box: Rect, letters: Lettering, channels: _Ends) -> float:
    """How opaque a run is painted, 0 to 1, by the file; by its pixels where they are fainter by
    far, as behind a soft mask."""
    opaque, seen = run.alpha / 255, letters.strength(run)
    if seen >= _FAINT * 255 or run.mode in STROKED or min(box.width, box.height) < _DOT:
        return opaque
    due = max(abs(c - end) for c, ends in zip(run.colour, channels, strict=True) for end in ends)
    return seen / due if 0 < seen < _FAINT * due * opaque else opaque


def _typical(ground: Raster, paint: _Paint, place: Rect) -> Colour:
    """The colour behind a letter with which a quarter of its ground has no more contrast."""
    colours = _colours(ground.part(place))
    left = _BAD_SHARE * summed(count for count, _ in colours)
    by_contrast = sorted(colours, key=lambda found: paint.contrast(found[1]))
    for count, colour in by_contrast:
        left -= count
        if left < 0:
            return colour
    return by_contrast[-1][1]


def _ems(run: PaintedText, box: Rect) -> Iterator[Rect]:
    """A run in pieces of one em along its line."""
    level = is_level(run)
    length = box.width if level else box.height
    count = max(1, round(length / pt_to_mm(run.size_pt)))
    step = length / count
    for number in range(count):
        if level:
            yield Rect(box.x + number * step, box.y, step, box.height)
        else:
            yield Rect(box.x, box.y + number * step, box.width, step)


def _colours(part: Image.Image) -> list[tuple[int, Colour]]:
    """How often each colour is in some pixels."""
    return cast(list[tuple[int, Colour]], part.getcolors(part.width * part.height))
