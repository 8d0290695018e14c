"""A printed face in; findings about what comes to its cut out: bleed, and borders that drift.

Pixels along the outline of the trim are compared: just inside the cut, and at the end of the bleed.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from generator.diagnostics import Severity
from generator.geometry import Point, Rect
from generator.model.stock import Edge, Shape
from generator.preflight.faces import FaceFinding, Specimen
from generator.preflight.outline import distance_out, outline
from generator.preflight.page_objects import Colour
from generator.preflight.raster import PAPER

STEP: Final = 0.75
"""mm between two places along the cut."""
INSIDE: Final = 0.5
"""mm inside the cut where a face is looked at; a knife is rarely off by more."""
SHORT_OF: Final = 0.4
"""mm before the end of the bleed: pixels at the very end are half paper."""
BARE_SHARE: Final = 0.02
"""Of the cut may lack its bleed: a thin line of art that ends there."""
UNEVEN: Final = 2.0
"""Drifts that a border must be wide, or one side of it comes out three times the other."""
_STRAIGHT: Final = (Shape.RECTANGLE, Shape.ROUNDED)
_BORDER_LEAST: Final = 0.4  # mm: thinner ones are lines of the art
_BORDER_MOST: Final = 6.0
_BORDER_SPREAD: Final = 0.35  # mm by which a border's width may vary
_LOOK: Final = 0.25  # mm between two looks into the face: a pixel
_SAME: Final = 24  # difference of a channel up to which two pixels are one colour


@dataclass(frozen=True, slots=True)
class _Cut:
    """A place on the outline of the trim, and the direction out of it."""

    at: Point
    out: Point

    def moved(self, by: float) -> Point:
        return Point(self.at.x + self.out.x * by, self.at.y + self.out.y * by)


def bleed(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP811: art that comes to the cut goes on to the end of the bleed."""
    look = specimen.look
    if not look.bleed or look.shape is Shape.PATH:
        return
    if look.shape in _STRAIGHT and _is_inked_around(specimen):
        return
    cuts = [(cut, _end_of_bleed(specimen, cut)) for cut in _along(specimen)]
    cuts = [(cut, end) for cut, end in cuts if end >= 2 * SHORT_OF]  # others bleed on instead
    ends = [not _is_paper(specimen, cut.moved(end - SHORT_OF)) for cut, end in cuts]
    inside = [not _is_paper(specimen, cut.moved(-INSIDE)) for cut, _ in cuts]
    total, empty = len(cuts), sum(not (a or b) for a, b in zip(inside, ends, strict=True))
    short = [
        cuts[index]
        for index, inked in enumerate(inside)
        if inked and not _near(ends, index, round(look.bleed / STEP) + 1)
    ]
    bare = len(short)
    reach = min((_reach(specimen, cut, end) for cut, end in short), default=0.0)
    if total and bare > BARE_SHARE * total:
        message = (
            f"the art stops {reach:.1f} mm past the cut on {100 * bare / total:.0f} % of the edge, "
            f"its bleed is {look.bleed:g} mm"
        )
        hint = "draw the ground on to the end of the bleed, or a white rim shows at the cut"
        yield specimen.finding("GP811", message, hint)
    elif look.edge is Edge.INK and total and empty > total / 2:
        message = f"{100 * empty / total:.0f} % of the edge is white paper"
        hint = "draw a ground that fills the bleed, or give the stock edge: white if it is meant so"
        yield specimen.finding("GP811", message, hint, severity=Severity.WARNING)


def _near(inked: list[bool], index: int, steps: int) -> bool:
    """True when there is ink within some steps along the outline: what crosses the cut at a slant,
    as stripes do, leaves the bleed beside the place where it came in."""
    count = len(inked)
    return any(inked[(index + step) % count] for step in range(-steps, steps + 1))


def borders(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP813: a border along the cut is wide enough for how far the printer drifts."""
    drift = specimen.look.drift
    if not drift or specimen.look.shape not in _STRAIGHT:
        return
    width = _border(specimen)
    if width is not None and width < UNEVEN * drift:
        message = f"your drift is {drift:g} mm, this {width:.1f} mm border will look uneven"
        hint = f"make it at least {UNEVEN * drift:g} mm wide, or let the art run over the cut"
        yield specimen.finding("GP813", message, hint, severity=Severity.WARNING)


def _is_inked_around(specimen: Specimen) -> bool:
    """True when no pixel along the end of the bleed is paper: the usual case, seen at a glance."""
    end = specimen.look.art.grown(-SHORT_OF)
    return all(
        not specimen.seen.cut(line).has_paper()
        for line in (
            Rect(end.x, end.y, end.width, 0),
            Rect(end.x, end.bottom, end.width, 0),
            Rect(end.x, end.y, 0, end.height),
            Rect(end.right, end.y, 0, end.height),
        )
    )


def _along(specimen: Specimen) -> Iterator[_Cut]:
    art = specimen.look.art
    corners = list(outline(specimen.look.box, specimen.look.shape))
    for start, end in pairwise([*corners, corners[0]]):
        length = math.dist((start.x, start.y), (end.x, end.y))
        if not length:
            continue
        across, down = (end.x - start.x) / length, (end.y - start.y) / length
        count = max(1, int(length / STEP))
        for index in range(count):
            walked = (index + 0.5) * length / count
            at = Point(start.x + across * walked, start.y + down * walked)
            if not specimen.look.poster or art.contains(Rect(at.x, at.y, 0, 0)):
                yield _Cut(at, Point(down, -across))


def _end_of_bleed(specimen: Specimen, cut: _Cut) -> float:
    """How far from the cut the face is drawn here, mm."""
    art, end = specimen.look.art, specimen.look.bleed
    for at, out, low, high in (
        (cut.at.x, cut.out.x, art.x, art.right),
        (cut.at.y, cut.out.y, art.y, art.bottom),
    ):
        if out:
            end = min(end, ((high if out > 0 else low) - at) / out)
    if specimen.look.outline:
        end = min(end, distance_out(cut.at, cut.out, specimen.look.outline))
    return end


def _reach(specimen: Specimen, cut: _Cut, end: float) -> float:
    """How far past the cut there is ink, mm."""
    steps = [STEP / 4 * index for index in range(int(4 * end / STEP) + 1)]
    return max((step for step in steps if not _is_paper(specimen, cut.moved(step))), default=0.0)


def _border(specimen: Specimen) -> float | None:
    """The width of a border of one colour that goes all round, mm; None when there is none."""
    widths: list[float] = []
    bare = 0
    for cut in _along(specimen):
        colour = specimen.seen.at(cut.moved(-INSIDE / 2))
        depth = _depth(specimen, cut, colour)
        if depth is None:
            bare += 1
        else:
            widths.append(depth)
    if not widths or bare > len(widths) / 10:
        return None
    middle = statistics.fmean(widths)
    alike = sum(abs(width - middle) <= _BORDER_SPREAD for width in widths)
    return middle if alike >= 0.85 * (len(widths) + bare) and middle >= _BORDER_LEAST else None


def _depth(specimen: Specimen, cut: _Cut, colour: Colour) -> float | None:
    """How deep the colour at the cut goes into the face, mm, if it ends within a border's width."""
    for index in range(1, int(_BORDER_MOST / _LOOK)):
        seen = specimen.seen.at(cut.moved(-_LOOK * index))
        if max(abs(a - b) for a, b in zip(seen, colour, strict=True)) > _SAME:
            return _LOOK * (index - 0.5)
    return None


def _is_paper(specimen: Specimen, point: Point) -> bool:
    return min(specimen.seen.at(point)) >= PAPER
