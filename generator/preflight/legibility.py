"""Measures where text left ink on a face, and how well it is told from what is behind it.

Relative luminance and contrast ratio: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
and #dfn-contrast-ratio. PDFium knows no colour of text that is painted with a gradient or a
pattern, and says white: there the colours of its pixels count.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, cast

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageChops

from generator.fonts import is_unseen
from generator.geometry import MM_PER_INCH, Rect, around, pt_to_mm, summed
from generator.pdf_forms import DPI
from generator.preflight.faces import Specimen
from generator.preflight.page_objects import Colour
from generator.preflight.painted import STROKED, PaintedText
from generator.preflight.raster import PixelTrace, Raster

_FLARE: Final = 0.05
"""Light that comes off black as well."""


@lru_cache(maxsize=1 << 15)
def luminance(colour: Colour) -> float:
    """Relative luminance, 0 for black to 1 for white."""
    r, g, b = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in colour)
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@lru_cache(maxsize=1 << 15)
def contrast(one: Colour, other: Colour) -> float:
    """The ratio of two colours, 1 for the same to 21 for black and white."""
    a, b = luminance(one) + _FLARE, luminance(other) + _FLARE
    return max(a, b) / min(a, b)


def laid_over(colour: Colour, opaque: float, ground: Colour) -> Colour:
    """A colour painted on another, 0 to 1 opaque."""
    if opaque == 1:
        return colour
    r, g, b = (round(c * opaque + g * (1 - opaque)) for c, g in zip(colour, ground, strict=True))
    return r, g, b


PIXEL: Final = MM_PER_INCH / DPI
"""mm."""
_BLUR: Final = 1.3 * PIXEL
"""mm that the pixels at the end of a run may lack of it."""
_LOOSE: Final = 0.025
"""Em that PDFium's box of a run may be wider than its ink: it holds the points that curves are
drawn by, rounded up. Of a code of 60 pt that is more than the pixels may lack."""
_BESIDE: Final = 0.15
"""Em of white beside a sign, such as an emoji: a sign without ink that follows has the box end
behind that."""
_CORNER: Final = 0.5
"""Em of a letter turned by 45° that the corner of its upright box reaches beyond it."""
_AROUND: Final = 4 * PIXEL
"""mm around all words that are compared."""
_GAP: Final = 0.6
"""Em that may be free between two letters of a run: a word space, wide."""


class WordPixels(Struct, frozen=True):
    """By how much each pixel differs from the same without the words, 0 to 255."""

    raster: Raster

    def strength(self, run: PaintedText) -> int:
        """The largest difference that a run makes; 0 when it leaves no trace."""
        return self.raster.ends(_seen_box(run))[0][1]

    def lost(self, run: PaintedText) -> Rect | None:
        """The largest part of a run, as wide or as high as it, that left no trace; mm."""
        box = run.box.cut_to(self.raster.box)
        if not (box.width and box.height):
            return run.box
        place = box.grown(PIXEL).cut_to(self.raster.box)  # pixels may be off by one
        wide = self.raster.trace(place)
        traced = wide.box
        if traced is None:
            return run.box
        across, down = place.width / wide.size[0], place.height / wide.size[1]
        left = place.x + traced[0] * across - box.x
        top = place.y + traced[1] * down - box.y
        right = box.right - place.x - traced[2] * across
        bottom = box.bottom - place.y - traced[3] * down
        sides = (left, right, top, bottom)
        if max(sides) <= _BLUR + _looseness(run):
            return self._gap(run, place, wide)
        rests = (
            Rect(box.x, box.y, left, box.height),
            Rect(box.right - right, box.y, right, box.height),
            Rect(box.x, box.y, box.width, top),
            Rect(box.x, box.bottom - bottom, box.width, bottom),
        )
        return rests[sides.index(max(sides))]

    def _gap(self, run: PaintedText, box: Rect, part: PixelTrace) -> Rect | None:
        """The widest hole in a run, if it is too wide for a space."""
        limit = _GAP * pt_to_mm(run.size_pt) + 2 * PIXEL
        level = is_level(run)
        along = (box.width / part.size[0]) if level else (box.height / part.size[1])
        if len(run.words.strip()) < 2 or limit > (box.width if level else box.height):
            return None
        profile = part.profile(level=level)
        if bytes(int(limit / along) + 1) not in profile:  # no row of zeros is too long
            return None
        start, length = _longest(profile)
        if level:
            return Rect(box.x + start * along, box.y, length * along, box.height)
        return Rect(box.x, box.y + start * along, box.width, length * along)


def _looseness(run: PaintedText) -> float:
    """mm that the box of a run may be wider than its ink: most where the run is turned half-way
    between level and upright, and its box has four empty corners."""
    slant = abs(math.sin(math.radians(2 * run.turn)))
    beside = 0.0 if run.words.isascii() or not any(map(is_unseen, run.words)) else _BESIDE
    return (_LOOSE + _CORNER * slant + beside) * pt_to_mm(run.size_pt)


def _seen_box(run: PaintedText) -> Rect:
    """Its box, but no smaller than the pixels that it may be in."""
    box = run.box
    return box.grown(PIXEL / 2) if min(box.width, box.height) < 2 * PIXEL else box


def is_level(run: PaintedText) -> bool:
    """True when its line is level on the page, whichever side is up."""
    return min(run.turn % 180, -run.turn % 180) < 1


@lru_cache(maxsize=1)  # each check of a face asks for it
def lettering(specimen: Specimen) -> WordPixels:
    """What the words of a face add to its pixels."""
    boxes = [run.box for run in specimen.painted.texts]
    place = around(boxes).grown(_AROUND) if boxes else Rect(0, 0, 0, 0)
    seen, ground = specimen.seen.cut(place), specimen.ground.cut(place)
    r, g, b = ImageChops.difference(seen.image, ground.image).split()
    strongest = ImageChops.lighter(ImageChops.lighter(r, g), b)
    return WordPixels(Raster(strongest, seen.box))


def _longest(profile: bytes) -> tuple[int, int]:
    """Start and length of the longest row of zeros."""
    holes = (hole.span() for hole in re.finditer(rb"\0+", profile))
    start, end = max(holes, key=lambda span: span[1] - span[0], default=(0, 0))
    return start, end - start


WHITE: Final = (255, 255, 255)
_SEEN: Final = 24
"""Levels of 255 by which a pixel must differ from the ground to be ink."""


def is_shaded(specimen: Specimen, run: PaintedText, box: Rect) -> bool:
    """True when something in a box, mm, is darker than what is behind the words: white is not.
    Other words in the place, such as a shadow, would be that as well, and nothing is told then."""
    if run.colour != WHITE or run.stroke is not None or _meets_others(specimen, run):
        return False
    darker = ImageChops.subtract(specimen.ground.part(box), specimen.seen.part(box))
    ends: Any = darker.getextrema()
    return any(most > _SEEN for _, most in ends)


def shade(specimen: Specimen, place: Rect) -> Colour | None:
    """The colour, in a place, that differs most from what is behind it; None without any ink."""
    seen, ground = specimen.seen.part(place), specimen.ground.part(place)
    off, colour = max(
        (summed(abs(a - b) for a, b in zip(here, behind, strict=True)), here)
        for here, behind in zip(_pixels(seen), _pixels(ground), strict=True)
    )
    return colour if off > _SEEN else None


def _meets_others(specimen: Specimen, run: PaintedText) -> bool:
    return any(
        other.colour != WHITE and other.box.overlaps(run.box) for other in specimen.painted.texts
    )


def _pixels(part: Any) -> list[Colour]:
    data = part.tobytes()
    return list(zip(data[::3], data[1::3], data[2::3], strict=True))


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


class Legibility(Struct, frozen=True):
    """The contrast of the worst letter of a run, and what it needs; its two colours, and where it
    stands, mm."""

    ratio: float
    needed: float
    colour: Colour
    ground: Colour
    place: Rect


def illegible(specimen: Specimen, letters: WordPixels, run: PaintedText) -> Legibility | None:
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
    paint = _RunPaint(run, opaque)
    if min(paint.contrast(c) for _, c in _colours(specimen.ground.part(box))) >= needed:
        return None
    spots = ((_typical(specimen.ground, paint, spot), spot) for spot in _ems(run, box))
    worst, place = min(spots, key=lambda found: paint.contrast(found[0]))
    ratio = paint.contrast(worst)
    return Legibility(ratio, needed, paint.best(worst), worst, place) if ratio < needed else None


def are_clear(specimen: Specimen, letters: WordPixels, runs: Sequence[PaintedText]) -> bool:
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
            ink = _RunPaint(replace(run, colour=colour), 1.0)
            ground = _typical(specimen.ground, ink, spot)
            found.append(Legibility(ink.contrast(ground), needed, colour, ground, spot))
    worst = min(found, key=lambda seen: seen.ratio, default=None)
    return worst if worst and worst.ratio < needed else None


def contrast_at(specimen: Specimen, run: PaintedText, place: Rect) -> float:
    """The contrast of a run's colour with what is behind it in a place, mm, as of one letter."""
    paint = _RunPaint(run, run.alpha / 255)
    return paint.contrast(_typical(specimen.ground, paint, place))


def is_painted(run: PaintedText) -> bool:
    """False for what is there only to be searched and copied."""
    return run.mode not in INVISIBLE and run.alpha > 0


class _RunPaint:
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


def _opacity(run: PaintedText, box: Rect, letters: WordPixels, channels: _Ends) -> float:
    """How opaque a run is painted, 0 to 1, by the file; by its pixels where they are fainter by
    far, as behind a soft mask."""
    opaque, seen = run.alpha / 255, letters.strength(run)
    if seen >= _FAINT * 255 or run.mode in STROKED or min(box.width, box.height) < _DOT:
        return opaque
    due = max(abs(c - end) for c, ends in zip(run.colour, channels, strict=True) for end in ends)
    return seen / due if 0 < seen < _FAINT * due * opaque else opaque


def _typical(ground: Raster, paint: _RunPaint, place: Rect) -> Colour:
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
