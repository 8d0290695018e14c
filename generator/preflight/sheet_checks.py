"""Checks pages as sheets: their sizes and boxes, what lies on what, whether all pieces are cut as
their stock is; and of posters, which are one sheet of many pages, that these meet and show all of
it, tell how they are glued, and have the marks by which they are cut and laid. It is long, since a
poster is checked along each of its seams.

What a page of a poster shows is not believed of the manifest alone, but follows from its
neighbours."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from generator.diagnostics import Severity
from generator.geometry import ORIGIN, Point, Rect, Size, around, bounds, format_mm, polygon_overlap
from generator.model.catalogue import Paper, Shape, Stock
from generator.model.face import PdfLayer, Side
from generator.model.manifest import PosterEntry
from generator.outlines import flattened, polygon
from generator.preflight.checking import (
    AGAIN,
    AT_FULL_SIZE,
    PLACE_TOLERANCE,
    Finding,
    PageMatch,
    Subject,
    distance,
)
from generator.preflight.manifest_reader import Expected, ExpectedFile, ExpectedPage
from generator.preflight.mark_checks import OddMark
from generator.preflight.page_reader import DrawnPath, LineStroke, PageRead

SIZE_TOLERANCE: Final = 0.05
"""mm; a printer driver takes a page for its paper within several times as much."""
BOX_TOLERANCE: Final = 0.01
_EXPORTED: Final = "export it again, with its trim and bleed boxes, upright and at full size"
_AS_IT_WAS: Final = "build the pack again: papers.yaml, or the manifest, was changed since it was"
_OTHERWISE: Final = "build the pack again: what it is made of, or its manifest, was changed"
_SAME: Final = 0.01
_OFF_OUTLINE: Final = 0.1
"""mm by which corners of a curve that was made straight may be apart."""
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


def page_sizes(subject: Subject) -> Iterator[Finding]:
    """GP801: every page, as a viewer shows it, is its paper, and the paper what it is where it is
    known."""
    paper = subject.expected.paper if subject.expected else None
    for match in subject.matched:
        page, want = match.read, match.expected
        for message in _other_paper(want, paper) if paper else ():
            yield subject.fault("GP801", message, _AS_IT_WAS, page.number)
        sizes = {"the page": (page.width, page.height)}
        if (page.crop.width, page.crop.height) != (page.width, page.height):
            sizes["its CropBox"] = (page.crop.width, page.crop.height)
        for what, (width, height) in sizes.items():
            if max(abs(width - want.width), abs(height - want.height)) > SIZE_TOLERANCE:
                message = (
                    f"{what} is {_size(width, height)}, its paper {_size(want.width, want.height)}"
                )
                yield subject.fault("GP801", message, AT_FULL_SIZE, page.number)
        if page.turned:
            message = f"the page is turned by {page.turned}°"
            yield subject.fault("GP801", message, AT_FULL_SIZE, page.number)


def _other_paper(page: ExpectedPage, paper: Paper) -> Iterator[str]:
    """In what the manifest's paper is not that of papers.yaml."""
    sides, known = sorted((page.width, page.height)), sorted((paper.size.width, paper.size.height))
    if max(abs(a - b) for a, b in zip(sides, known, strict=True)) > SIZE_TOLERANCE:
        yield f"the manifest has {_size(*sides)} for {paper.title}, papers.yaml {_size(*known)}"
    if abs(page.margin - paper.margin) > BOX_TOLERANCE:
        yield (
            f"the manifest has {format_mm(page.margin)} mm for the margin of {paper.title},"
            f" papers.yaml {format_mm(paper.margin)} mm"
        )


def page_boxes(subject: Subject) -> Iterator[Finding]:
    """GP802: TrimBox and BleedBox are there, one inside the other inside the page; the TrimBox is
    what the pieces take, the BleedBox what their art takes. Of a stranger's page no CropBox may cut
    into what is printed."""
    hint = AT_FULL_SIZE if subject.expected else _EXPORTED
    for page, made in zip(subject.pages, subject.pdf.pages, strict=True):
        if subject.expected is None:
            yield from _odd_page(subject, page, float(made.obj.get("/UserUnit", 1)))
        if page.trim is not None and page.bleed is not None:
            messages = _unnested(page.trim, page.bleed, Rect(0, 0, page.width, page.height))
            for message in messages:
                yield subject.fault("GP802", message, hint, page.number)
            cropped = min(page.width, page.height) > 0 and not page.crop.contains(
                page.trim, BOX_TOLERANCE
            )
            if subject.expected is None and cropped and not _is_flat(page.trim):
                message = (
                    "the CropBox leaves out a part of the TrimBox: most programs print no more"
                )
                yield subject.fault("GP802", message, "make it as large as the page", page.number)
        elif subject.profile is None:  # who wants them asks for them
            flat = min(page.width, page.height) <= 0
            missing = "width or height" if flat else "BleedBox" if page.trim else "TrimBox"
            yield subject.fault("GP802", f"the page has no {missing}", hint, page.number)
    for match in subject.matched:
        pieces, read = match.expected.placements, match.read
        for name, box, around_them in (
            ("TrimBox", read.trim, [piece.finished for piece in pieces]),
            ("BleedBox", read.bleed, [piece.art for piece in pieces]),
        ):
            if (
                box
                and around_them
                and not _is_around(box, around_them, Rect(0, 0, read.width, read.height))
            ):
                whose = "pieces" if name == "TrimBox" else "art of the pieces"
                message = f"the {name} is not the box around the {whose}"
                yield subject.fault("GP802", message, AT_FULL_SIZE, read.number)


def _odd_page(subject: Subject, page: PageRead, unit: float) -> Iterator[Finding]:
    """What programs read in more than one way in a page of another program."""
    if page.turned % 90:
        message = f"the page is turned by {page.turned}°, and only quarter turns are known"
        yield subject.fault("GP802", message, _EXPORTED, page.number)
    if unit > 0 and unit != 1:
        message = (
            f"the page counts in {unit:g} points (UserUnit): a program that does not know that"
            f" prints it at {100 / unit:.0f} % of its size"
        )
        fault = subject.fault("GP802", message, _EXPORTED, page.number)
        yield replace(fault, severity=Severity.WARNING)


def _unnested(trim: Rect, bleed: Rect, paper: Rect) -> Iterator[str]:
    """What is wrong with the boxes of a page."""
    boxes = {"TrimBox": trim, "BleedBox": bleed, "page": paper}
    flat = [name for name, box in boxes.items() if _is_flat(box)]
    if flat:
        whose = "" if "page" in flat else " of the page"
        what = "page" if "page" in flat else " and the ".join(flat)
        yield f"the {what}{whose} has no width or height"
        return
    for inner, outer in (("TrimBox", "BleedBox"), ("BleedBox", "page")):
        if not boxes[outer].contains(boxes[inner], BOX_TOLERANCE):
            yield f"the {inner} reaches out of the {outer}"


def _is_flat(box: Rect) -> bool:
    return min(box.width, box.height) <= 0


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
            depth = polygon_overlap(polygon(one.box, one.shape), polygon(other.box, other.shape))
            if depth > PLACE_TOLERANCE:
                message = f"the {one} and the {other} overlap by {depth:.2f} mm"
                yield subject.fault("GP803", message, page=number, placed=one)
            elif bled_on := _bled_on(one, other):
                message = f"the bleed of the {bled_on[0]} covers part of the {bled_on[1]}"
                yield subject.fault("GP803", message, page=number, placed=bled_on[1])


def _is_around(box: Rect, others: Sequence[Rect], paper: Rect) -> bool:
    """Whether it is the box around some others, as far as that is on the page."""
    right = around(others).cut_to(paper)
    return box.contains(right, PLACE_TOLERANCE) and right.contains(box, PLACE_TOLERANCE)


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
            trim = polygon(victim.box, victim.shape)
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


def copies(subject: Subject) -> Iterator[Finding]:
    """All copies of a piece are cut and folded alike."""
    first: dict[tuple[str, str, str], Expected] = {}
    for match in subject.matched:
        for placed in match.expected.placements:
            one = first.setdefault((*placed.piece[:2], placed.face), placed)
            if placed.poster is None and (what := _unlike(placed, one)):
                message = f"the {placed} has {what} than copy {one.copy} of it"
                yield subject.fault("GP815", message, AGAIN, match.read.number, placed)


def as_defined(subject: Subject) -> Iterator[Finding]:
    """Pieces have the size, shape and free outline of their stock, and the pages of posters repeat
    as much as the pack has it, if its definitions are at hand."""
    expected, told = subject.expected, set[str]()
    if expected is None:
        return
    repeated = expected.rules and expected.rules.overlap_mm
    if expected.overlap is not None and repeated and abs(repeated - expected.overlap) > _SAME:
        message = f"pages repeat {repeated:g} mm of each other, pack.yaml has {expected.overlap:g}"
        yield subject.fault("GP815", message, _OTHERWISE)
    for match in subject.matched:
        for placed in match.expected.placements:
            stock = expected.stocks.get(placed.kind)
            what = _unlike_stock(placed, stock) if stock and placed.kind not in told else ""
            if stock and what:
                told.add(placed.kind)
                message = f"the {placed} has another {what} than its stock, {stock.name}"
                yield subject.fault("GP815", message, _OTHERWISE, match.read.number, placed)


def _unlike_stock(placed: Expected, stock: Stock) -> str:
    """In what a piece is not its stock."""
    sides, known = (placed.width, placed.height), (stock.trim.width, stock.trim.height)
    if not _near(sides[::-1] if placed.rotation % 180 else sides, known):
        return "size"
    if placed.shape is not stock.shape:
        return "shape"
    if placed.shape is Shape.PATH and placed.side is Side.FRONT and placed.contour:
        here = [placed.upright(Rect(p.x, p.y, 0, 0)) for p in placed.contour]
        corners = [Point(place.x, place.y) for place in here]
        if any(_farther(corner, corners) for corner in flattened(stock.path)):
            return "outline"
    return ""


def _farther(corner: Point, others: Sequence[Point]) -> bool:
    return min(distance(corner, other) for other in others) > _OFF_OUTLINE


def _unlike(one: Expected, other: Expected) -> str:
    """In what two copies of a face are not cut alike."""
    sizes = (
        (placed.height, placed.width) if placed.rotation % 180 else (placed.width, placed.height)
        for placed in (one, other)
    )
    if one.shape is not other.shape or not _near(*sizes):
        return "another size or shape"
    if abs(one.bleed - other.bleed) > PLACE_TOLERANCE:
        return "another bleed"
    if one.folds_mm != other.folds_mm:
        return "other folds"
    if one.side is Side.FRONT and one.contour and other.contour:
        ways = ([each.upright(Rect(p.x, p.y, 0, 0)) for p in each.contour] for each in (one, other))
        if not _near(*([v for place in way for v in (place.x, place.y)] for way in ways)):
            return "another outline"
    return ""


def _near(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) <= PLACE_TOLERANCE for a, b in zip(one, other, strict=True)
    )


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
