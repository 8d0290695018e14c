"""Checks what comes to the cut: marks and die lines beside the trim, what no printer reaches,
bleed, borders that drift, edges of colour and thin frames along it. It is long, since a knife that
is off shows all of these at one place."""

from __future__ import annotations

import math
import statistics
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Severity
from generator.geometry import Point, Rect, around, bounds, distance_out, format_mm
from generator.model.catalogue import Edge, Shape
from generator.model.face import PdfLayer, Side
from generator.model.pack import Backs
from generator.outlines import polygon
from generator.preflight.checking import PLACE_TOLERANCE, Finding, PageMatch, Subject, distance
from generator.preflight.faces import FaceFinding, Specimen
from generator.preflight.manifest_reader import Expected
from generator.preflight.page_objects import Colour
from generator.preflight.page_reader import LineStroke, PageRead
from generator.preflight.raster import PAPER
from generator.preflight.rim_lines import BLED, FURTHEST, REACH, RimEdge, RimLine
from generator.preflight.rims import LEAST, STEP, RimSide, go_round

_NEAR: Final = 1.0
"""mm within which a mark is taken for one of an edge, and not of something else."""
_ROOM: Final = 5.0
"""mm that surely hold a mark, with ruler or slug beside it."""
_STRAIGHT: Final = (Shape.RECTANGLE, Shape.ROUNDED)
_MARGIN_TOLERANCE: Final = 0.05
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
        upright = _places(page, free, (PdfLayer.CUT, PdfLayer.FOLD), upright=True)
        level = _places(page, free, (PdfLayer.CUT, PdfLayer.FOLD), upright=False)
        boxes = [line.box for line in page.outlines if line.layer == PdfLayer.CUT]
        cuts = [line for line in page.strokes if line.layer == PdfLayer.CUT]
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
        for mark in _places(match.read, free, (PdfLayer.CUT,), upright=upright):
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
            if not area.contains(placement.finished, _MARGIN_TOLERANCE):
                message = f"the {placement} reaches into the {margin:g} mm that stay white"
                yield subject.fault("GP812", message, _UNREACHED, page.number, placement)
        ruler = match.expected.ruler or ()
        if not all(area.contains(Rect(end.x, end.y, 0, 0), _MARGIN_TOLERANCE) for end in ruler):
            message = f"the ruler reaches into the {margin:g} mm that stay white"
            fault = subject.fault("GP812", message, _BY_HAND, page.number)
            yield replace(fault, severity=Severity.WARNING)


def _crossing(subject: Subject, match: PageMatch, cuts: Sequence[LineStroke]) -> Iterator[Finding]:
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
    page: PageRead, free: Sequence[Rect], layers: Sequence[PdfLayer], *, upright: bool
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


def _goes_round(placement: Expected, cuts: Sequence[LineStroke]) -> bool:
    """True when every edge of a hexagon has its line, which may be its neighbour's too."""
    corners, around = polygon(placement.box, placement.shape), placement.box.grown(1.0)
    near = [cut for cut in cuts if around.contains(Rect(cut.start.x, cut.start.y, 0, 0))]
    return all(
        any(_is_same(start, end, cut) or _is_same(end, start, cut) for cut in near)
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True)
    )


def _is_same(start: Point, end: Point, cut: LineStroke) -> bool:
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


_PACE: Final = 0.75
"""mm between two places along the cut."""
_INSIDE: Final = 0.5
"""mm inside the cut where a face is looked at; a knife is rarely off by more."""
_SHORT_OF: Final = 0.4
"""mm before the end of the bleed: pixels at the very end are half paper."""
_BARE_SHARE: Final = 0.02
"""Of the cut may lack its bleed: a thin line of art that ends there."""
_TIP: Final = 5
"""Places one behind the other, 3 mm and more, without bleed that are no tips of rays or lines; tips
are told where they are `_TIPS_SHARE` of the cut."""
_TIPS_SHARE: Final = 0.1
_UNEVEN: Final = 2.0
"""Drifts that a border must be wide, or one side of it comes out three times the other."""
_BORDER_LEAST: Final = 0.4  # mm: thinner ones are lines of the art
_BORDER_MOST: Final = 6.0
_BORDER_SPREAD: Final = 0.35  # mm by which a border's width may vary
_LOOK: Final = 0.25
"""mm between two looks into the face: a pixel."""
_SAME: Final = 24
"""Levels of a channel up to which two pixels are one colour."""


class _OutlinePoint(Struct, frozen=True):
    """A place on the outline of the trim, and the direction out of it."""

    at: Point
    out: Point

    def moved(self, by: float) -> Point:
        return Point(self.at.x + self.out.x * by, self.at.y + self.out.y * by)


def bleed(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP811: art that comes to the cut goes on to the end of the bleed."""
    look = specimen.look
    if not look.bleed or (look.shape is Shape.PATH and not look.contour):
        return
    if look.shape in _STRAIGHT and _is_inked_around(specimen):
        return
    cuts = [(cut, _end_of_bleed(specimen, cut)) for cut in _along(specimen)]
    cuts = [(cut, end) for cut, end in cuts if end >= 2 * _SHORT_OF]  # others bleed on instead
    ends = _inked(specimen, (cut.moved(end - _SHORT_OF) for cut, end in cuts))
    inside = _inked(specimen, (cut.moved(-_INSIDE) for cut, _ in cuts))
    total, empty = len(cuts), sum(not (a or b) for a, b in zip(inside, ends, strict=True))
    steps = round(look.bleed / _PACE) + 1
    lacking = [inked and not _near(ends, at, steps) for at, inked in enumerate(inside)]
    if 0 < lacking.count(True) <= _TIPS_SHARE * len(cuts):
        lacking = _without_tips(lacking)
    gaps = [cut for cut, lacks in zip(cuts, lacking, strict=True) if lacks]
    reaches = [(cut, end, _reach(specimen, cut, end)) for cut, end in gaps]
    # where there is ink further out, as of the next dot of a screen, art goes on
    short = [(cut, reach) for cut, end, reach in reaches if reach < end - _SHORT_OF]
    bare = len(short)
    reach = min((reach for _, reach in short), default=0.0)
    if total and bare > _BARE_SHARE * total:
        message = (
            f"the art stops {reach:.1f} mm past the cut on {100 * bare / total:.0f} % of the edge, "
            f"its bleed is {format_mm(round(look.bleed, 2))} mm"
        )
        hint = "draw the ground on to the end of the bleed, or a white rim shows at the cut"
        place = bounds([cut.at for cut, _ in short])
        yield specimen.finding("GP811", message, hint, place=place)
    elif look.edge is Edge.INK and total and empty > total / 2:
        message = f"{100 * empty / total:.0f} % of the edge is white paper"
        hint = "draw a ground that fills the bleed, or give the stock edge: white if it is meant so"
        yield specimen.finding("GP811", message, hint, severity=Severity.WARNING)


def _without_tips(lacking: list[bool]) -> list[bool]:
    """Those of a closed row that stand among `_TIP` or more of them, one behind the other."""
    count = len(lacking)
    ahead = [len([*takewhile(bool, _from(lacking, at, 1))]) for at in range(count)]
    behind = [len([*takewhile(bool, _from(lacking, at, -1))]) for at in range(count)]
    return [a + b - 1 >= _TIP for a, b in zip(ahead, behind, strict=True)]


def _from(row: list[bool], at: int, way: int) -> Iterator[bool]:
    """A closed row once around, from there on."""
    return (row[(at + way * step) % len(row)] for step in range(len(row)))


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
    if width is not None and width < _UNEVEN * drift:
        message = f"your drift is {drift:g} mm, this {width:.1f} mm border will look uneven"
        hint = f"make it at least {_UNEVEN * drift:g} mm wide, or let the art run over the cut"
        yield specimen.finding("GP813", message, hint, severity=Severity.WARNING)


def _is_inked_around(specimen: Specimen) -> bool:
    """True when no pixel along the end of the bleed is paper: the usual case, seen at a glance."""
    end = specimen.look.art.grown(-_SHORT_OF)
    return all(
        not specimen.seen.cut(line).has_paper()
        for line in (
            Rect(end.x, end.y, end.width, 0),
            Rect(end.x, end.bottom, end.width, 0),
            Rect(end.x, end.y, 0, end.height),
            Rect(end.right, end.y, 0, end.height),
        )
    )


def _along(specimen: Specimen) -> Iterator[_OutlinePoint]:
    art = specimen.look.art
    look = specimen.look
    corners = list(look.contour or polygon(look.box, look.shape))
    for start, end in pairwise([*corners, corners[0]]):
        length = math.dist((start.x, start.y), (end.x, end.y))
        if not length:
            continue
        across, down = (end.x - start.x) / length, (end.y - start.y) / length
        count = max(1, int(length / _PACE))
        for index in range(count):
            walked = (index + 0.5) * length / count
            at = Point(start.x + across * walked, start.y + down * walked)
            if not specimen.look.poster or art.contains(Rect(at.x, at.y, 0, 0)):
                yield _OutlinePoint(at, Point(down, -across))


def _end_of_bleed(specimen: Specimen, cut: _OutlinePoint) -> float:
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


def _reach(specimen: Specimen, cut: _OutlinePoint, end: float) -> float:
    """How far past the cut there is ink, mm."""
    steps = [_PACE / 4 * index for index in range(int(4 * end / _PACE) + 1)]
    inked = _inked(specimen, map(cut.moved, steps))
    return max((step for step, ink in zip(steps, inked, strict=True) if ink), default=0.0)


def _border(specimen: Specimen) -> float | None:
    """The width of a border of one colour that goes all round, mm; None when there is none."""
    widths: list[float] = []
    bare = 0
    for cut in _along(specimen):
        colour = specimen.seen.at(cut.moved(-_INSIDE / 2))
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


def _depth(specimen: Specimen, cut: _OutlinePoint, colour: Colour) -> float | None:
    """How deep the colour at the cut goes into the face, mm, if it ends within a border's width."""
    for index in range(1, int(_BORDER_MOST / _LOOK)):
        seen = specimen.seen.at(cut.moved(-_LOOK * index))
        if max(abs(a - b) for a, b in zip(seen, colour, strict=True)) > _SAME:
            return _LOOK * (index - 0.5)
    return None


def _inked(specimen: Specimen, points: Iterable[Point]) -> list[bool]:
    return [min(colour) < PAPER for colour in specimen.seen.colours(points)]


_PIXEL: Final = 0.06
"""mm that pixels may be off."""
_PALE: Final = 240
"""Of a colour that is paper."""
_ALONG: Final = 0.6
"""Of a side that an edge runs along; what crosses the cut is on less of it."""
_UNBROKEN: Final = 0.35
"""Of a side: a scene may have as much in pieces."""
_END: Final = 5.0
"""mm of a side along which a shape ends at the cut, even if that is not most of it; of a large one
a twelfth. A band does, on both sides that face each other; on one alone it may be a line of the
art."""
_LONE_END: Final = 10.0
"""The same of one side alone; of a small one a third, of a large one an eighth."""
_AS_FAR: Final = 0.25
"""mm by which the lines of a frame may lie otherwise on two sides."""
_BENT: Final = 0.45
"""Of a side of a free outline, which art often follows for a while."""
_CORNER: Final = 2.5
"""mm between the ends of two sides that meet."""
_AT: Final = 0.15
"""mm from the cut that are told as at it."""


class _FoundEdge(NamedTuple):
    """An edge of a side."""

    side: RimSide
    edge: RimEdge
    pictured: bool

    @property
    def long(self) -> bool:
        """True where it runs along most of its side, and much of that without a break."""
        edge = self.edge
        return edge.share >= _ALONG and edge.length >= _UNBROKEN * self.side.length


def edges(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP811: no edge of colour and no thin frame runs along the cut: a knife is off by as much as
    they lie beside it, and leaves a rim of the other colour, or a frame on one side only. A line on
    one side, or on two that face each other, is what a ruler or a strip is made of."""
    reach = BLED if specimen.look.bleed else FURTHEST
    found: list[_FoundEdge] = []
    lines: list[tuple[RimSide, RimLine]] = []
    for side, edge, line, pictured in specimen.rim:
        if _is_bound(specimen, side):
            continue
        if line is not None and line.share >= _ALONG and line.nearest <= reach + _PIXEL:
            lines.append((side, line))
            continue
        if edge is not None and not (_is_paper(specimen, edge) or _is_tab(specimen, side, edge)):
            found.append(_FoundEdge(side, edge, pictured))
    framed = _framed(lines)
    if framed:
        yield _frame(specimen, framed)
    sides = [side for side, _ in framed]
    found = [told for told in found if told.side not in sides]
    yield from _told_of(
        specimen, [told for told in found if _is_meant(told, found, specimen.look.contour)]
    )


def _is_bound(specimen: Specimen, side: RimSide) -> bool:
    """True for a side that is no cut, as the spine of a booklet is folded."""
    look = specimen.look
    if not look.bound or side.out is None:
        return False
    beyond = side.place.moved(side.out.x * STEP, side.out.y * STEP)
    return not look.art.contains(beyond, STEP / 2)


def _is_paper(specimen: Specimen, edge: RimEdge) -> bool:
    """True where art ends at white paper: it has no bleed, which is told; or it has none to have,
    and the edge of its stock is white."""
    if specimen.look.bleed:
        return min(edge.outer) >= PAPER
    return min(edge.outer) >= _PALE and specimen.look.edge is Edge.WHITE


def _is_tab(specimen: Specimen, side: RimSide, edge: RimEdge) -> bool:
    """True where a free outline that is folded is white within: that is a tab without ink, which is
    glued or tucked in, and beyond it is what its neighbour bleeds to. Nobody sees its rim."""
    return side.out is None and bool(specimen.look.folds) and min(edge.inner) >= _PALE


_Line = tuple[RimSide, RimLine]


def _framed(lines: Sequence[_Line]) -> list[_Line]:
    """Those that are a frame: lines that go around a corner, as far from the cut on the one side as
    on the other, or all around."""
    return [
        (side, line)
        for side, line in lines
        if side.closed
        or any(
            _meet(side, other) and abs(line.at - its.at) <= _AS_FAR for other, its in lines
        )
    ]  # fmt: skip


def _meet(one: RimSide, other: RimSide) -> bool:
    """True for two sides at a corner."""
    if one.out is None or other.out is None:
        return one is not other and one.place.grown(_CORNER).overlaps(other.place)
    return bool(one.out.x) != bool(other.out.x)


def _frame(specimen: Specimen, framed: Sequence[_Line]) -> FaceFinding:
    wide = max(line.width for _, line in framed)
    near = min(line.nearest for _, line in framed)
    along = _named([side for side, _ in framed])
    message = f"a thin frame runs along {along}, {_where(near)}, {wide:.1f} mm wide"
    place = around([side.place for side, _ in framed])
    return specimen.finding("GP811", message, _INWARD, severity=Severity.WARNING, place=place)


def _named(sides: Sequence[RimSide]) -> str:
    names = [side.name for side in sides]
    if not all(names) or len(names) == 4:
        return "the whole edge" if all(names) or sides[0].closed else "the edge"
    return f"the {' and '.join(names)} edge"


def _where(at: float) -> str:
    return "at the cut" if abs(at) < _AT else f"{abs(at):.1f} mm from the cut"


def _told_of(specimen: Specimen, found: Sequence[_FoundEdge]) -> Iterator[FaceFinding]:
    """What is told of edges: of those along most of a side; else of the longest part."""
    most = [told for told in found if told.long]
    if most:
        nearest = min((told.edge.at for told in most), key=abs)
        yield _edge(specimen, _named([told.side for told in most]), nearest, most)
    elif found:
        longest = max((told.edge for told in found), key=lambda edge: edge.length)
        names = filter(None, (told.side.name for told in found))
        where = "the edge" if not all(t.side.name for t in found) else (
            f"the {' and of the '.join(names)} edge"
        )  # fmt: skip
        yield _edge(specimen, f"{longest.length:.0f} mm of {where}", longest.at, found)


def _edge(specimen: Specimen, along: str, at: float, found: Sequence[_FoundEdge]) -> FaceFinding:
    message = f"an edge of colour runs along {along}, {_where(at)}"
    place = around([told.side.place for told in found])
    return specimen.finding(
        "GP811", message, _ON_TO_THE_END, severity=Severity.WARNING, place=place
    )


def _is_meant(told: _FoundEdge, others: Sequence[_FoundEdge], outline: Sequence[Point]) -> bool:
    """False for what only happens to be there: a picture's own line on one side, stripes of which
    one begins at the cut, a short line of the art."""
    side, edge, pictured = told
    same = [o for o in others if o.side is not side and abs(o.edge.at - edge.at) <= _AS_FAR]
    if side.length < LEAST and not (told.long and any(o.long for o in same)):
        return False  # what is small comes near its cut by itself
    round_ = [one.side for one in (told, *same) if one.long]
    if side.length < LEAST and outline and not go_round(round_, outline):
        return False
    if pictured and not (told.long and any(o.long for o in same)):
        return False
    if edge.repeats and not (told.long and any(_meet(side, other.side) for other in same)):
        return False
    alone = min(max(_LONE_END, side.length / 8), max(_END, side.length / 3))
    if side.out is None:
        alone = max(alone, _BENT * side.length)
    if told.long or edge.length >= alone:
        return True
    return edge.length >= max(_END, side.length / 12) and any(_faces(told, other) for other in same)


def _faces(one: _FoundEdge, other: _FoundEdge) -> bool:
    """True for the same part of two sides that face each other."""
    names = {one.side.name, other.side.name}
    if names not in ({"upper", "lower"}, {"left", "right"}):
        return False
    return max(abs(one.edge.start - other.edge.start), abs(one.edge.end - other.edge.end)) < REACH


_ON_TO_THE_END: Final = (
    "draw what comes to the cut on to the end of the bleed, or end it 1 mm inside: a knife that is"
    " off by a hair leaves a rim of the other colour"
)
_INWARD: Final = (
    "move it 2 mm or more inside, or do without: a knife that is off by a hair leaves it on one"
    " side and not on the other"
)
