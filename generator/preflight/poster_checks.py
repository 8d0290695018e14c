"""Checks the pages of posters: that they meet and show all of it, tell how they are glued, and have
the marks by which they are cut and laid.

What a page shows is not believed of the manifest alone, but follows from its neighbours."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from generator.geometry import ORIGIN, Point, Rect, Size, bounds
from generator.model.catalogue import Shape
from generator.model.face import PdfLayer, Side
from generator.model.manifest import PosterEntry
from generator.preflight.checking import (
    AGAIN,
    PLACE_TOLERANCE,
    Finding,
    PageMatch,
    Subject,
    distance,
)
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.mark_checks import OddMark
from generator.preflight.page_reader import DrawnPath, LineStroke

_CODE: Final = "GP815"
_BITE: Final = 2.0
"""mm that are cut off the page that goes on top; a third of a narrow overlap."""
_LEAST_NAME: Final = 8.0
"""pt of a page's name."""
_CELL, _DARK = 1.0, 0.4
"""mm of the line that is a page on the map of all, at least, and its grey at most."""
_MAP_TOLERANCE: Final = 0.1
_OUTER_GAP: Final = 1.0
"""mm from a poster's own edge to its cut marks."""
_MARK_ROOM, _FOOT_HEIGHT = 2.5, 14.0
"""mm in which there is room for a cut mark, and which the foot of a page takes."""
_ON_TOP: Final = re.compile(r"^([A-Z]+[0-9]+) goes on top here$")


def posters(subject: Subject) -> Iterator[Finding]:
    """The pages of a poster have the names of their places, meet at the seams, show all of it, and
    repeat as much of each other as there is glue on."""
    found: dict[tuple[str, str, int], dict[tuple[int, int], PageMatch]] = defaultdict(dict)
    for match in subject.matched:
        for placed in match.expected.placements:
            if placed.poster and placed.poster.rows * placed.poster.columns > 1:
                found[placed.piece][placed.poster.row, placed.poster.column] = match
                for message in _misnamed(match, placed):
                    yield subject.fault(_CODE, message, AGAIN, match.read.number, placed)
    expected = subject.expected
    overlap = expected.rules.overlap_mm if expected and expected.rules else None
    by = expected.offsets[Side.FRONT] if expected else ORIGIN
    for piece, pages in found.items():
        for place, match in pages.items():
            placed = _piece_on(match, piece)
            for way in _WAYS:
                beyond = pages.get((place[0] + way.down, place[1] + way.across))
                after = _piece_on(beyond, piece) if beyond else None
                lost = _lost_at_edge(match, placed, way, by)
                for message in _misfits(placed, after, way, overlap, lost):
                    yield subject.fault(_CODE, message, AGAIN, match.read.number, placed)


def _piece_on(match: PageMatch, piece: tuple[str, str, int]) -> Expected:
    return next(placed for placed in match.expected.placements if placed.piece == piece)


class _ToNextPage(NamedTuple):
    """From one page of a poster to the next."""

    across: int
    down: int

    def ends(self, box: Rect) -> tuple[float, float]:
        """Where a box begins and ends this way."""
        return (box.x, box.right) if self.across else (box.y, box.bottom)


_WAYS: Final = (_ToNextPage(1, 0), _ToNextPage(0, 1))


def _lost_at_edge(match: PageMatch, placed: Expected, way: _ToNextPage, by: Point) -> float:
    """mm of its pages that a poster may lose this way at the edge of the paper, by being laid out
    for a printer whose ink lands beside its place."""
    page, shift = match.expected, by.x if way.across else by.y
    size = page.width if way.across else page.height
    start, end = way.ends(placed.art)
    at_edge = start < PLACE_TOLERANCE if shift > 0 else end > size - PLACE_TOLERANCE
    return abs(shift) if at_edge else 0.0


def _misfits(
    one: Expected, after: Expected | None, way: _ToNextPage, overlap: float | None, lost: float
) -> Iterator[str]:
    """How a page of a poster and the next do not go together, or the first or last is too short;
    `lost` are mm that pages may have less of."""
    (start, end), (first, last) = way.ends(_in_trim(one, one.box)), way.ends(_shown(one))
    page = one.poster
    assert page is not None
    number, count = (page.column, page.columns) if way.across else (page.row, page.rows)
    if number == 1 and first > start + PLACE_TOLERANCE:
        yield f"the {one}: the first page begins {first - start:.2f} mm inside of it"
    if number == count and last < end - PLACE_TOLERANCE:
        yield f"the {one}: the last page ends {end - last:.2f} mm inside of it"
    if after is None:
        return
    seam, next_seam = last, way.ends(_shown(after))[0]
    if abs(seam - next_seam) > PLACE_TOLERANCE:
        yield f"the {one}: two pages leave {next_seam - seam:+.2f} mm between them"
    art, next_art = (way.ends(_in_trim(page, page.art)) for page in (one, after))
    shared = art[1] - next_art[0]
    if overlap is None:
        return
    if not overlap - lost - PLACE_TOLERANCE <= shared <= overlap + PLACE_TOLERANCE:
        yield f"the {one}: two pages repeat {shared:.2f} mm of each other, not {overlap:g} mm"
    elif next_seam - next_art[0] < min(_BITE, overlap / 3) - lost - PLACE_TOLERANCE:
        yield f"the {one}: of the page on top too little is cut off"


def _in_trim(placed: Expected, box: Rect) -> Rect:
    """A box on the page from the corner of the face that a page shows a part of."""
    return box.moved(-placed.x, -placed.y)


def _shown(placed: Expected) -> Rect:
    assert placed.poster is not None
    return _in_trim(placed, placed.poster.shown)


def _misnamed(match: PageMatch, placed: Expected) -> Iterator[str]:
    """What is wrong with the name of a page, and with those on the strips that others cover."""
    page = placed.poster
    assert page is not None
    name = _name(page.row, page.column)
    words = {line.words.strip(): line for line in match.read.words}
    if name not in words or not match.expected.label.endswith(name):
        place = f"row {page.row}, column {page.column}"
        yield f"the page of the {placed} in {place} is not named {name}"
    for text, line in words.items():
        told = _ON_TOP.match(text)
        if told:
            upright = line.turn % 180 > 45
            beside = _name(page.row + (not upright), page.column + upright)
            if told[1] != beside:
                yield f"{told[1]} is to be glued on top of {name}, where {beside} comes"


def odd_poster(match: PageMatch, expected: ExpectedFile) -> Iterator[OddMark]:
    """GP814, GP815: what a page of a poster lacks of its cut marks and diamonds, and what it tells
    wrongly of how to glue it, whatever the manifest says of its marks."""
    number, overlap = match.read.number, expected.rules and expected.rules.overlap_mm
    for placed in match.expected.placements:
        if placed.poster is None or placed.poster.rows * placed.poster.columns == 1:
            continue
        for message in _lost_cuts(match, placed, _surely_printed(match, expected)):
            yield OddMark(number, PdfLayer.CUT, "GP814", message)
        lost = [*_lost_diamonds(match, placed, overlap)] if overlap else []
        for message in (*lost, *_misplaced(match, placed)):
            yield OddMark(number, PdfLayer.GUIDES, _CODE, message)


def _misplaced(match: PageMatch, placed: Expected) -> Iterator[str]:
    """Words on strips that are on none, a name that is too small, and a map of the pages on which
    another is dark."""
    page = placed.poster
    assert page is not None
    shown, art, name = page.shown, placed.art, _name(page.row, page.column)
    for line in match.read.words:
        if _ON_TOP.match(line.words.strip()):
            upright, (x, y) = line.turn % 180 > 45, (line.at.x, line.at.y)
            beside = shown.right < x < art.right if upright else shown.bottom < y < art.bottom
            if not beside:
                yield f"‘{line.words.strip()}’ is not on the strip that will be covered"
        elif line.words.strip() == name and line.size_pt < _LEAST_NAME:
            yield f"the name of the page, {name}, is {line.size_pt:.1f} pt small"
    yield from _misdirected(match, page)


def _misdirected(match: PageMatch, page: PosterEntry) -> Iterator[str]:
    """A map of the pages of a poster on which another is dark."""
    level = [s for s in match.read.strokes if s.layer == PdfLayer.GUIDES and _is_level(s)]
    for cell in filter(_is_dark_cell, match.read.paths):
        start, end = (points[0] for _, points in cell.steps)
        wide = distance(start, end)
        grid = [
            line
            for line in level
            if abs(line.length - page.columns * wide) < _MAP_TOLERANCE
            and abs(line.start.y - start.y) < (page.rows + 1) * cell.pen.width
            and line.start.x - _MAP_TOLERANCE < start.x < line.end.x
            and line.start != start  # of one column the dark cell is as long
        ]
        if len(grid) != page.rows + 1:
            yield "the map of the pages has more of them, or fewer, than the poster"
            continue
        column = round((start.x - grid[0].start.x) / wide) + 1
        row = sum(line.start.y < start.y for line in grid)
        if (row, column) != (page.row, page.column):
            here = _name(page.row, page.column)
            yield f"on the map of the pages {_name(row, column)} is dark, and this is {here}"


def _is_dark_cell(path: DrawnPath) -> bool:
    return len(path.steps) == 2 and path.pen.width > _CELL and max(path.pen.colour) < _DARK


def _is_level(stroke: LineStroke) -> bool:
    return abs(stroke.start.y - stroke.end.y) < PLACE_TOLERANCE


class _Corner(NamedTuple):
    """A corner of what a page of a poster shows in the end: which way is out, and whether another
    page comes beside it, and over or under it."""

    at: Point
    out: tuple[int, int]
    beside: bool
    over: bool


def _corners(placed: Expected) -> Iterator[_Corner]:
    page, box = placed.poster, placed.finished
    assert page is not None
    for dx, x in ((-1, box.x), (1, box.right)):
        for dy, y in ((-1, box.y), (1, box.bottom)):
            beside = page.column > 1 if dx < 0 else page.column < page.columns
            over = page.row > 1 if dy < 0 else page.row < page.rows
            yield _Corner(Point(x, y), (dx, dy), beside, over)


def _lost_diamonds(match: PageMatch, placed: Expected, overlap: float) -> Iterator[str]:
    """Corners at seams that have no diamond, by which the next page is laid: its side farthest from
    the corner."""
    size, drawn = min(_BITE, overlap / 3), match.read.strokes
    for corner in _corners(placed):
        (x, y), (dx, dy) = (corner.at.x, corner.at.y), corner.out
        tips = Point(x + dx * size, y), Point(x, y + dy * size)
        if (corner.beside or corner.over) and not any(
            max(map(distance, (line.start, line.end), ends)) <= PLACE_TOLERANCE
            for line in drawn
            if line.layer == PdfLayer.GUIDES
            for ends in (tips, tips[::-1])
        ):
            yield f"the {placed}: no diamond is drawn at its corner ({x:.1f}, {y:.1f}) mm"


def _surely_printed(match: PageMatch, expected: ExpectedFile) -> Rect:
    """Where a page has its marks, whatever room it leaves to a printer whose ink lands beside its
    place or is stretched."""
    page, by = match.expected, expected.offsets[match.expected.side]
    size = Size(page.width, page.height)
    shifts = [max(abs(each.x), abs(each.y)) for each in expected.offsets.values()]
    stretches = [each.farthest(size) for each in expected.stretches.values()]
    spared = page.margin + max(shifts, default=0.0) + max(stretches, default=0.0)
    area = Rect(0, 0, page.width, page.height).grown(-spared).moved(-by.x, -by.y)
    return Rect(area.x, area.y, area.width, area.height - _FOOT_HEIGHT)


def _lost_cuts(match: PageMatch, placed: Expected, area: Rect) -> Iterator[str]:
    """Corners with room for cut marks in an area that have none; lines that are none of these."""
    straight, lost = placed.shape in (Shape.RECTANGLE, Shape.ROUNDED), False
    cuts, marks = [s for s in match.read.strokes if s.layer == PdfLayer.CUT], set[int]()
    for corner in _corners(placed):
        for out, seam, other in (
            (Point(0, corner.out[1]), corner.beside, corner.over),
            (Point(corner.out[0], 0), corner.over, corner.beside),
        ):
            gap = 0.0 if other else _OUTER_GAP
            start = corner.at.moved(out.x * gap, out.y * gap)
            end = start.moved(out.x * _MARK_ROOM, out.y * _MARK_ROOM)
            found = [line for line in cuts if _is_mark_from(line, start, end)]
            marks.update(map(id, found))
            if (seam or straight) and not found and area.contains(bounds((start, end))):
                at = f"({corner.at.x:.1f}, {corner.at.y:.1f}) mm"
                side, lost = "level" if out.x else "upright", True
                yield f"the {placed}: the {side} cut mark at its corner {at} is missing"
    for line in cuts if straight and not lost else ():
        if id(line) not in marks:
            yield (
                f"the {placed}: a line that is no cut mark is drawn from"
                f" ({line.start.x:.1f}, {line.start.y:.1f}) mm"
            )


def _is_mark_from(line: LineStroke, start: Point, end: Point) -> bool:
    """Whether a line begins at a place and goes on towards another."""
    level = abs(start.y - end.y) < PLACE_TOLERANCE
    way = line.end.x - line.start.x if level else line.end.y - line.start.y
    off = line.end.y - line.start.y if level else line.end.x - line.start.x
    wanted = end.x - start.x if level else end.y - start.y
    near = distance(line.start, start) <= PLACE_TOLERANCE
    return near and abs(off) <= PLACE_TOLERANCE and way * wanted > 0


def _name(row: int, column: int) -> str:
    """A letter for the row, AA after Z, and a number for the column, both counted from 1."""
    letters = ""
    while row:
        row, letter = divmod(row - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{column}"
