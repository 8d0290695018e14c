"""Pages in; findings about marks that are not at the trim, and what no printer reaches, out."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from generator.diagnostics import Severity
from generator.geometry import Point, Rect, bounds
from generator.model.pack import Backs
from generator.model.sheet import Layer, Side
from generator.model.stock import Shape
from generator.preflight.finding import Finding
from generator.preflight.manifest_reader import Expected
from generator.preflight.matching import PLACE_TOLERANCE, PageMatch, distance
from generator.preflight.outline import outline
from generator.preflight.reading import PageRead, Stroke
from generator.preflight.subject import Subject

_NEAR: Final = 1.0
"""mm within which a mark is taken for one of an edge, and not of something else."""
_ROOM: Final = 5.0
"""mm that surely hold a mark, with ruler or slug beside it."""
_STRAIGHT: Final = (Shape.RECTANGLE, Shape.ROUNDED)
MARGIN_TOLERANCE: Final = 0.05
"""mm; papers.yaml gives margins to the tenth."""


def cut_marks(subject: Subject) -> Iterator[Finding]:
    """GP814: every edge of a trim has a cut mark, a fold or a die line within 0.02 mm.

    Stickers may stand without, on labels that are cut already, and pieces that fill the printable
    area leave no room for some: a warning. What is folded before it is cut has its marks on the
    fronts, as has what is printed on both sides. Of a free outline the box is measured.
    """
    folded = subject.expected is not None and subject.expected.backs is Backs.GUTTERFOLD
    for match in subject.matched:
        page = match.read
        free = [p.die for p in match.expected.placements if p.die is not None]
        upright = _places(page, free, (Layer.CUT, Layer.FOLD), upright=True)
        level = _places(page, free, (Layer.CUT, Layer.FOLD), upright=False)
        boxes = [line.box for line in page.outlines if line.layer == Layer.CUT]
        cuts = [line for line in page.strokes if line.layer == Layer.CUT]
        if match.expected.side is Side.BACK and not (upright or level or boxes):
            continue
        yield from _strays(subject, match, free)
        yield from _crossing(subject, match, cuts)
        for placement in match.expected.placements:
            if not placement.marked or (folded and placement.side is Side.BACK):
                continue
            if placement.shape is Shape.PATH:
                yield from _free(subject, match, placement, boxes)
                continue
            if placement.shape is Shape.HEXAGON and _goes_round(placement, cuts):
                continue
            off = _off(placement, upright, level, boxes)
            if off is None:
                continue
            if off > _NEAR and not _has_room(match, placement):
                message = f"the {placement} leaves no room for some of its cut marks"
                fault = subject.fault("GP814", message, _BY_EYE, page.number, placement)
                yield replace(fault, severity=Severity.WARNING)
                continue
            beside = f"is cut {off:.2f} mm beside its edge"
            message = f"the {placement} {beside if off < _NEAR else 'has no cut mark at its edge'}"
            yield subject.fault("GP814", message, _AGAIN, page.number, placement)


def _free(
    subject: Subject, match: PageMatch, placement: Expected, boxes: list[Rect]
) -> Iterator[Finding]:
    """A free outline has its die line, on the front and where it is to be."""
    if placement.die is None or placement.poster is not None:
        return
    edges = _edges(placement.die)
    off = min((_apart(edges, die) for die in boxes), default=float("inf"))
    if off > PLACE_TOLERANCE:
        near = off < _NEAR
        where = f"lies {off:.2f} mm beside its place" if near else "has no die line at its place"
        message = f"the outline of the {placement} {where}"
        yield subject.fault("GP814", message, _AGAIN, match.read.number, placement)


def _strays(subject: Subject, match: PageMatch, free: Sequence[Rect]) -> Iterator[Finding]:
    """Marks that are beside the edge that they are for: who cuts along them cuts into a piece.
    Folds are no such marks: a sheet may be folded as near to its pieces as one likes."""
    boxes = [placement.finished for placement in match.expected.placements]
    across = sorted(edge for box in boxes for edge in (box.x, box.right))
    down = sorted(edge for box in boxes for edge in (box.y, box.bottom))
    for upright, edges, what in ((True, across, "an upright"), (False, down, "a level")):
        for mark in _places(match.read, free, (Layer.CUT,), upright=upright):
            off = _to_nearest(mark, edges)
            if PLACE_TOLERANCE < off < _NEAR:
                message = f"{what} cut mark is {off:.2f} mm beside the edge it is for"
                yield subject.fault("GP814", message, _AGAIN, match.read.number)


def printable(subject: Subject) -> Iterator[Finding]:
    """GP812: all pieces and the ruler lie where a printer with the paper's margin prints."""
    for match in subject.matched:
        page, margin = match.read, match.expected.margin
        area = Rect(0, 0, page.width, page.height).grown(-margin)
        for placement in match.expected.placements:
            if not area.contains(placement.finished, MARGIN_TOLERANCE):
                message = f"the {placement} reaches into the {margin:g} mm that stay white"
                yield subject.fault("GP812", message, _UNREACHED, page.number, placement)
        ruler = match.expected.ruler or ()
        if not all(area.contains(Rect(end.x, end.y, 0, 0), MARGIN_TOLERANCE) for end in ruler):
            message = f"the ruler reaches into the {margin:g} mm that stay white"
            fault = subject.fault("GP812", message, _BY_HAND, page.number)
            yield replace(fault, severity=Severity.WARNING)


def _crossing(subject: Subject, match: PageMatch, cuts: Sequence[Stroke]) -> Iterator[Finding]:
    """Cut marks inside of a straight piece: who cuts along them cuts it in two."""
    lines = [bounds((cut.start, cut.end)).grown(PLACE_TOLERANCE) for cut in cuts]
    for placement in match.expected.placements:
        inner = placement.finished.grown(-_NEAR)
        wide = min(inner.width, inner.height) > 0 and placement.shape in _STRAIGHT
        if wide and any(line.overlaps(inner) for line in lines):
            message = f"a cut mark runs into the {placement}"
            yield subject.fault("GP814", message, _AGAIN, match.read.number, placement)


def _has_room(match: PageMatch, placement: Expected) -> bool:
    """False for a piece in a row, and in a column, of which one leaves no room for marks at its
    ends; ruler and slug may stand there too."""
    page, margin = match.read, match.expected.margin
    own, taken = placement.art, [other.art for other in match.expected.placements]
    row = [art for art in taken if art.y < own.bottom and own.y < art.bottom]
    column = [art for art in taken if art.x < own.right and own.x < art.right]
    across = max(min(a.x for a in row), page.width - max(a.right for a in row))
    down = max(min(a.y for a in column), page.height - max(a.bottom for a in column))
    return placement.shape not in _STRAIGHT or min(across, down) - margin > _ROOM


_AGAIN: Final = "build the pack again, and do not let another program change the file"
_UNREACHED: Final = (
    "if your printer prints there, give the paper its true margin in papers.yaml; else take a"
    " smaller piece or larger paper"
)
_BY_HAND: Final = "the pieces leave no room for it: measure a piece instead"
_BY_EYE: Final = "cut along the edge of the art, or take larger paper or a smaller piece"


def _places(
    page: PageRead, free: Sequence[Rect], layers: Sequence[Layer], *, upright: bool
) -> list[float]:
    """x of the upright lines of some layers, or y of the level ones, mm; those inside of the
    `free` outlines are parts of these."""
    found = set()
    for stroke in page.strokes:
        if stroke.layer not in layers:
            continue
        along = bounds((stroke.start, stroke.end))
        if any(die.contains(along, _NEAR) for die in free):
            continue
        dx, dy = abs(stroke.start.x - stroke.end.x), abs(stroke.start.y - stroke.end.y)
        if upright and dx < PLACE_TOLERANCE < dy:
            found.add(stroke.start.x)
        elif not upright and dy < PLACE_TOLERANCE < dx:
            found.add(stroke.start.y)
    return sorted(found)


def _off(
    placement: Expected, upright: list[float], level: list[float], boxes: list[Rect]
) -> float | None:
    """How far the nearest cut is from an edge of the trim, mm, if too far; None when it is not."""
    box = placement.finished
    edges = _edges(box)
    by_die = min((_apart(edges, die) for die in boxes), default=float("inf"))
    if by_die <= PLACE_TOLERANCE:
        return None
    measured = _straight(placement)
    if not any(measured):
        return by_die if placement.poster is None else None
    by_marks = max(
        _to_nearest(edge, marks)
        for edge, marks, told in zip(edges, (upright, level, upright, level), measured, strict=True)
        if told
    )
    off = min(by_die, by_marks)
    return None if off <= PLACE_TOLERANCE else off


def _straight(placement: Expected) -> tuple[bool, bool, bool, bool]:
    """Whether the left, upper, right and lower edge is cut along a straight line: those of straight
    shapes are, and the seams of a poster."""
    if placement.shape in _STRAIGHT:
        return (True, True, True, True)
    page = placement.poster
    if page is None:
        return (False, False, False, False)
    return (page.column > 1, page.row > 1, page.column < page.columns, page.row < page.rows)


def _goes_round(placement: Expected, cuts: Sequence[Stroke]) -> bool:
    """True when every edge of a hexagon has its line, which may be its neighbour's too."""
    corners, around = outline(placement.box, placement.shape), placement.box.grown(1.0)
    near = [cut for cut in cuts if around.contains(Rect(cut.start.x, cut.start.y, 0, 0))]
    return all(
        any(_is_same(start, end, cut) or _is_same(end, start, cut) for cut in near)
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True)
    )


def _is_same(start: Point, end: Point, cut: Stroke) -> bool:
    return (
        distance(start, cut.start) <= PLACE_TOLERANCE and distance(end, cut.end) <= PLACE_TOLERANCE
    )


def _to_nearest(place: float, others: Sequence[float]) -> float:
    """How far it is to the nearest of others, in order; without end if there is none."""
    at = bisect_left(others, place)
    return min((abs(place - other) for other in others[max(at - 1, 0) : at + 1]), default=math.inf)


def _edges(box: Rect) -> tuple[float, float, float, float]:
    return box.x, box.y, box.right, box.bottom


def _apart(edges: tuple[float, ...], die: Rect) -> float:
    return max(abs(a - b) for a, b in zip(edges, _edges(die), strict=True))
