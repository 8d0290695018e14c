"""Pages in; findings about marks that are not at the trim, and what no printer reaches, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from generator.geometry import Point, Rect, bounds
from generator.model.pack import Backs
from generator.model.sheet import Layer, Side
from generator.model.stock import Shape
from generator.preflight.expectation import Expected
from generator.preflight.finding import Finding
from generator.preflight.matching import PLACE_TOLERANCE, PageMatch, distance
from generator.preflight.outline import outline
from generator.preflight.reading import PageRead, Stroke
from generator.preflight.subject import Subject

_NEAR: Final = 1.0
"""mm within which a mark is taken for one of an edge, and not of something else."""
MARGIN_TOLERANCE: Final = 0.05
"""mm; papers.yaml gives margins to the tenth."""


def cut_marks(subject: Subject) -> Iterator[Finding]:
    """GP814: every edge of a trim has a cut mark, a fold or a die line within 0.02 mm.

    A page without any, such as a sheet of labels that are cut already, has nothing to measure. What
    is folded before it is cut has its marks on the fronts. Of a free outline the box is measured.
    """
    folded = subject.expected is not None and subject.expected.backs is Backs.GUTTERFOLD
    for match in subject.matched:
        page = match.read
        free = [p.die for p in match.expected.placements if p.die is not None]
        upright = _places(page, free, upright=True)
        level = _places(page, free, upright=False)
        boxes = [line.box for line in page.outlines if line.layer == Layer.CUT]
        cuts = [line for line in page.strokes if line.layer == Layer.CUT]
        if not (upright or level or boxes):
            continue
        yield from _strays(subject, match, upright, level)
        for placement in match.expected.placements:
            if folded and placement.side is Side.BACK:
                continue
            if placement.shape is Shape.PATH:
                yield from _free(subject, match, placement, boxes)
                continue
            if placement.shape is Shape.HEXAGON and _goes_round(placement, cuts):
                continue
            off = _off(placement, upright, level, boxes)
            if off is not None:
                where = (
                    "has no cut mark at its edge"
                    if off == float("inf")
                    else (f"is cut {off:.2f} mm beside its edge")
                )
                message = f"the {placement} {where}"
                yield subject.fault("GP814", message, _AGAIN, match.read.number, placement)


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


def _strays(
    subject: Subject, match: PageMatch, upright: list[float], level: list[float]
) -> Iterator[Finding]:
    """Marks that are beside the edge that they are for: who cuts along them cuts into a piece."""
    boxes = [placement.finished for placement in match.expected.placements]
    across = [edge for box in boxes for edge in (box.x, box.right)]
    down = [edge for box in boxes for edge in (box.y, box.bottom)]
    for marks, edges, what in ((upright, across, "an upright"), (level, down, "a level")):
        for mark in marks:
            off = min((abs(mark - edge) for edge in edges), default=0.0)
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
                yield subject.fault("GP812", message, _AGAIN, page.number, placement)
        ruler = match.expected.ruler or ()
        if not all(area.contains(Rect(end.x, end.y, 0, 0), MARGIN_TOLERANCE) for end in ruler):
            message = f"the ruler reaches into the {margin:g} mm that stay white"
            yield subject.fault("GP812", message, _AGAIN, page.number)


_AGAIN: Final = "build the pack again, or give the paper its true margin in papers.yaml"


def _places(page: PageRead, free: Sequence[Rect], *, upright: bool) -> list[float]:
    """x of the upright cut and fold lines, or y of the level ones, mm; those inside of the `free`
    outlines are parts of these."""
    found = set()
    for stroke in page.strokes:
        if stroke.layer not in (Layer.CUT, Layer.FOLD):
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
        min((abs(mark - edge) for mark in marks), default=float("inf"))
        for edge, marks, told in zip(edges, (upright, level, upright, level), measured, strict=True)
        if told
    )
    off = min(by_die, by_marks)
    return None if off <= PLACE_TOLERANCE else off


def _straight(placement: Expected) -> tuple[bool, bool, bool, bool]:
    """Whether the left, upper, right and lower edge is cut along a straight line: those of straight
    shapes are, and the seams of a poster."""
    if placement.shape in (Shape.RECTANGLE, Shape.ROUNDED):
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


def _edges(box: Rect) -> tuple[float, float, float, float]:
    return box.x, box.y, box.right, box.bottom


def _apart(edges: tuple[float, ...], die: Rect) -> float:
    return max(abs(a - b) for a, b in zip(edges, _edges(die), strict=True))
