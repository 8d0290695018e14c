"""Pages in, findings about their sizes, boxes, rulers and what lies on what out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.geometry import Rect, around
from generator.model.sheet import Layer
from generator.model.stock import Shape
from generator.preflight.finding import Finding
from generator.preflight.manifest_reader import Expected
from generator.preflight.matching import PLACE_TOLERANCE, PageMatch, distance
from generator.preflight.outline import outline, overlap, polygon_overlap
from generator.preflight.reading import PageRead
from generator.preflight.subject import Subject
from generator.units import MM_PER_INCH, format_mm

SIZE_TOLERANCE: Final = 0.05
"""mm; a printer driver takes a page for its paper within several times as much."""
BOX_TOLERANCE: Final = 0.01
RULER_TOLERANCE: Final = 0.1
SCALES: Final = (100.0, 50.0)
"""mm of the scales that a sheet may carry."""
_INCH_SCALES: Final = (4 * MM_PER_INCH, 2 * MM_PER_INCH)
_LEAST_SCALE: Final = 40.0
_AT_FULL_SIZE: Final = "build it again, and do not let another program scale or crop it"


def page_sizes(subject: Subject) -> Iterator[Finding]:
    """GP801: every page, as a viewer shows it, is its paper."""
    for match in subject.matched:
        page, want = match.read, match.expected
        sizes = {"the page": (page.width, page.height)}
        if (page.crop.width, page.crop.height) != (page.width, page.height):
            sizes["its CropBox"] = (page.crop.width, page.crop.height)
        for what, (width, height) in sizes.items():
            if max(abs(width - want.width), abs(height - want.height)) > SIZE_TOLERANCE:
                message = (
                    f"{what} is {_size(width, height)}, its paper {_size(want.width, want.height)}"
                )
                yield subject.fault("GP801", message, _AT_FULL_SIZE, page.number)
        if page.turned:
            message = f"the page is turned by {page.turned}°"
            yield subject.fault("GP801", message, _AT_FULL_SIZE, page.number)


def page_boxes(subject: Subject) -> Iterator[Finding]:
    """GP802: TrimBox and BleedBox are there, one inside the other inside the page; the TrimBox is
    what the pieces take."""
    for page in subject.pages:
        if page.trim is None or page.bleed is None:
            missing = "TrimBox" if page.trim is None else "BleedBox"
            yield subject.fault("GP802", f"the page has no {missing}", _AT_FULL_SIZE, page.number)
            continue
        paper = Rect(0, 0, page.width, page.height)
        boxes = {"TrimBox": page.trim, "BleedBox": page.bleed, "page": paper}
        for inner, outer in (("TrimBox", "BleedBox"), ("BleedBox", "page")):
            if not boxes[outer].contains(boxes[inner], BOX_TOLERANCE):
                message = f"the {inner} reaches out of the {outer}"
                yield subject.fault("GP802", message, _AT_FULL_SIZE, page.number)
    for match in subject.matched:
        trim = match.read.trim
        pieces = _around(match)
        if (
            trim
            and pieces
            and not (
                trim.contains(pieces, PLACE_TOLERANCE) and pieces.contains(trim, PLACE_TOLERANCE)
            )
        ):
            message = "the TrimBox is not the box around the pieces"
            yield subject.fault("GP802", message, _AT_FULL_SIZE, match.read.number)


def placements(subject: Subject) -> Iterator[Finding]:
    """GP803: no piece reaches over another or out of the page, and none is bled on."""
    for match in subject.matched:
        number = match.read.number
        paper = Rect(0, 0, match.read.width, match.read.height)
        for placement in match.expected.placements:
            if not paper.contains(placement.finished, PLACE_TOLERANCE):
                message = f"the {placement} at {_place(placement)} reaches out of the page"
                yield subject.fault("GP803", message, page=number, placed=placement)
        for one, other in _neighbours(match.expected.placements):
            depth = overlap(one.box, one.shape, other.box, other.shape)
            if depth > PLACE_TOLERANCE:
                message = f"the {one} and the {other} overlap by {depth:.2f} mm"
                yield subject.fault("GP803", message, page=number, placed=one)
            elif bled_on := _bled_on(one, other):
                message = f"the bleed of the {bled_on[0]} covers part of the {bled_on[1]}"
                yield subject.fault("GP803", message, page=number, placed=bled_on[1])


def rulers(subject: Subject) -> Iterator[Finding]:
    """GP805: the ruler is as long as it says, and where the manifest has it."""
    promised = {match.read.number: match.expected.ruler for match in subject.matched}
    for page in subject.pages:
        scales = [
            stroke
            for stroke in page.strokes
            if stroke.layer == Layer.GUIDES and stroke.length > _LEAST_SCALE
        ]
        ends = promised.get(page.number)
        if ends is not None:
            length = distance(*ends)
            drawn = any(
                distance(scale.start, ends[0]) <= RULER_TOLERANCE
                and distance(scale.end, ends[1]) <= RULER_TOLERANCE
                for scale in scales
            )
            if not drawn or not _is_scale(length):
                yield subject.fault("GP805", _ruler_fault(page), _AT_FULL_SIZE, page.number)
        elif scales and not any(_is_scale(scale.length) for scale in scales):
            yield subject.fault("GP805", _ruler_fault(page), _AT_FULL_SIZE, page.number)


def _is_scale(length: float) -> bool:
    return any(abs(length - scale) <= RULER_TOLERANCE for scale in SCALES)


def _ruler_fault(page: PageRead) -> str:
    """What a page has in the place of its ruler: the inch scale beside it does not count."""
    lengths = [
        stroke.length
        for stroke in page.strokes
        if stroke.layer == Layer.GUIDES
        and stroke.length > _LEAST_SCALE
        and not any(abs(stroke.length - scale) <= RULER_TOLERANCE for scale in _INCH_SCALES)
    ]
    if not lengths:
        return "the ruler is missing"
    nearest = min(lengths, key=lambda length: abs(length - SCALES[0]))
    if _is_scale(nearest):
        return "the ruler is not where the manifest has it"
    return f"the ruler is {nearest:.2f} mm long, not {SCALES[0]:.0f} mm"


def _around(match: PageMatch) -> Rect | None:
    """The box around the pieces, as far as it is on the page."""
    boxes = [placement.finished for placement in match.expected.placements]
    if not boxes:
        return None
    return around(boxes).cut_to(Rect(0, 0, match.read.width, match.read.height))


def _neighbours(pieces: tuple[Expected, ...]) -> Iterator[tuple[Expected, Expected]]:
    """All pairs whose art may meet."""
    by_place = sorted(pieces, key=lambda piece: piece.art.x)
    for index, one in enumerate(by_place):
        for other in by_place[index + 1 :]:
            if other.art.x > one.art.right:
                break
            if one.art.overlaps(other.art):
                yield one, other


def _bled_on(one: Expected, other: Expected) -> tuple[Expected, Expected] | None:
    """Of two pieces the one that bleeds and the one bled on, if any. Of shapes that are not
    straight only those are looked at whose art ends along an outline of its own."""
    straight = (Shape.RECTANGLE, Shape.ROUNDED)
    for bleeding, victim in ((one, other), (other, one)):
        if bleeding.outline:
            trim = outline(victim.box, victim.shape)
            if polygon_overlap(bleeding.outline, trim) > PLACE_TOLERANCE:
                return bleeding, victim
    if one.shape not in straight or other.shape not in straight:
        return None
    for bleeding, victim in ((one, other), (other, one)):
        if bleeding.art.overlaps(victim.box, PLACE_TOLERANCE):
            return bleeding, victim
    return None


def _size(width: float, height: float) -> str:
    return f"{width:.2f} × {height:.2f} mm"


def _place(placement: Expected) -> str:
    return f"({format_mm(placement.box.x)}, {format_mm(placement.box.y)}) mm"
