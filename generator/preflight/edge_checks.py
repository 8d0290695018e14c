"""What runs along the cut of a face in; findings about colours that end there, and about thin
frames beside it, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from generator.diagnostics import Severity
from generator.geometry import around
from generator.model.catalogue import Edge
from generator.preflight.faces import FaceFinding, Specimen
from generator.preflight.rim_lines import FURTHEST, REACH, RimEdge, RimLine
from generator.preflight.rims import LEAST, STEP, RimSide

_BLED: Final = 0.8
"""mm from the cut of a face with bleed where a frame is told: it is cut where it should be."""
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


class _Told(NamedTuple):
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
    reach = _BLED if specimen.look.bleed else FURTHEST
    found: list[_Told] = []
    lines: list[tuple[RimSide, RimLine]] = []
    for side, edge, line, pictured in specimen.rim:
        if _is_bound(specimen, side):
            continue
        if line is not None and line.share >= _ALONG and line.nearest <= reach + _PIXEL:
            lines.append((side, line))
            continue
        if edge is not None and not (_is_paper(specimen, edge) or _is_tab(specimen, side, edge)):
            found.append(_Told(side, edge, pictured))
    framed = _framed(lines)
    if framed:
        yield _frame(specimen, framed)
    sides = [side for side, _ in framed]
    found = [told for told in found if told.side not in sides]
    yield from _edges(specimen, [told for told in found if _is_meant(told, found)])


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
    if min(edge.outer) < _PALE:
        return False
    return bool(specimen.look.bleed) or specimen.look.edge is Edge.WHITE


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
    along = _along([side for side, _ in framed])
    message = f"a thin frame runs along {along}, {_where(near)}, {wide:.1f} mm wide"
    place = around([side.place for side, _ in framed])
    return specimen.finding("GP811", message, _INWARD, severity=Severity.WARNING, place=place)


def _along(sides: Sequence[RimSide]) -> str:
    names = [side.name for side in sides]
    if not all(names) or len(names) == 4:
        return "the whole edge" if all(names) or sides[0].closed else "the edge"
    return f"the {' and '.join(names)} edge"


def _where(at: float) -> str:
    return "at the cut" if abs(at) < _AT else f"{abs(at):.1f} mm from the cut"


def _edges(specimen: Specimen, found: Sequence[_Told]) -> Iterator[FaceFinding]:
    """What is told of edges: of those along most of a side; else of the longest part."""
    most = [told for told in found if told.long]
    if most:
        nearest = min((told.edge.at for told in most), key=abs)
        yield _edge(specimen, _along([told.side for told in most]), nearest, most)
    elif found:
        longest = max((told.edge for told in found), key=lambda edge: edge.length)
        names = filter(None, (told.side.name for told in found))
        where = "the edge" if not all(t.side.name for t in found) else (
            f"the {' and of the '.join(names)} edge"
        )  # fmt: skip
        yield _edge(specimen, f"{longest.length:.0f} mm of {where}", longest.at, found)


def _edge(specimen: Specimen, along: str, at: float, found: Sequence[_Told]) -> FaceFinding:
    message = f"an edge of colour runs along {along}, {_where(at)}"
    place = around([told.side.place for told in found])
    return specimen.finding(
        "GP811", message, _ON_TO_THE_END, severity=Severity.WARNING, place=place
    )


def _is_meant(told: _Told, others: Sequence[_Told]) -> bool:
    """False for what only happens to be there: a picture's own line on one side, stripes of which
    one begins at the cut, a short line of the art."""
    side, edge, pictured = told
    same = [o for o in others if o.side is not side and abs(o.edge.at - edge.at) <= _AS_FAR]
    if side.length < LEAST and not (told.long and any(o.long for o in same)):
        return False  # what is small comes near its cut by itself
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


def _faces(one: _Told, other: _Told) -> bool:
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
