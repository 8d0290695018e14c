"""A specimen in, where its words left a trace in its pixels out."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import ImageChops

from generator.geometry import Rect, around
from generator.preflight.faces import Specimen
from generator.preflight.painted import PaintedText
from generator.preflight.raster import DPI, Raster, Trace
from generator.units import MM_PER_INCH, pt_to_mm

PIXEL: Final = MM_PER_INCH / DPI
"""mm."""
_BLUR: Final = 1.3 * PIXEL
"""mm that the pixels at the end of a run may lack of it."""
_LOOSE: Final = 0.025
"""Em that PDFium's box of a run may be wider than its ink: it holds the points that curves are
drawn by, rounded up. Of a code of 60 pt that is more than the pixels may lack."""
_CORNER: Final = 0.5
"""Em of a letter turned by 45° that the corner of its upright box reaches beyond it."""
_AROUND: Final = 4 * PIXEL
"""mm around all words that are compared."""
_GAP: Final = 0.6
"""Em that may be free between two letters of a run: a word space, wide."""


@dataclass(frozen=True, slots=True)
class Lettering:
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

    def _gap(self, run: PaintedText, box: Rect, part: Trace) -> Rect | None:
        """The widest hole in a run, if it is too wide for a space."""
        limit = _GAP * pt_to_mm(run.size_pt) + 2 * PIXEL
        level = is_level(run)
        along = (box.width / part.size[0]) if level else (box.height / part.size[1])
        if len(run.words) < 2 or limit > (box.width if level else box.height):
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
    return (_LOOSE + _CORNER * slant) * pt_to_mm(run.size_pt)


def _seen_box(run: PaintedText) -> Rect:
    """Its box, but no smaller than the pixels that it may be in."""
    box = run.box
    return box.grown(PIXEL / 2) if min(box.width, box.height) < 2 * PIXEL else box


def is_level(run: PaintedText) -> bool:
    """True when its line is level on the page, whichever side is up."""
    return min(run.turn % 180, -run.turn % 180) < 1


@lru_cache(maxsize=1)  # each check of a face asks for it
def lettering(specimen: Specimen) -> Lettering:
    """What the words of a face add to its pixels."""
    boxes = [run.box for run in specimen.painted.texts]
    place = around(boxes).grown(_AROUND) if boxes else Rect(0, 0, 0, 0)
    seen, ground = specimen.seen.cut(place), specimen.ground.cut(place)
    r, g, b = ImageChops.difference(seen.image, ground.image).split()
    strongest = ImageChops.lighter(ImageChops.lighter(r, g), b)
    return Lettering(Raster(strongest, seen.box))


def _longest(profile: bytes) -> tuple[int, int]:
    """Start and length of the longest row of zeros."""
    holes = (hole.span() for hole in re.finditer(rb"\0+", profile))
    start, end = max(holes, key=lambda span: span[1] - span[0], default=(0, 0))
    return start, end - start
