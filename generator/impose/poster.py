"""Lays pieces larger than their paper over pages to trim and glue: each shows a part.

A page is trimmed where it has a neighbour to the left or above, and laid over that neighbour's
strip. The seam is where the trimmed edge comes to lie: every mark stands on the far side of it, in
what is cut off or covered, and at one place of the poster on all the pages that meet there. At its
foot each page has its name, a small map with this page filled, and in words what to do with it.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from msgspec import Struct

from generator.diagnostics import Diagnostic, Outcome
from generator.geometry import Point, Rect, Size, pt_to_mm
from generator.impose.page_layout import (
    LEAST_MARK,
    Copy,
    Grid,
    Guide,
    Job,
    Leaf,
    PageCell,
    PageLayout,
    PlacedFace,
    by_stock,
    copies_of,
    extents,
    guide_of,
    in_mm,
    lone_grid,
    printable_box,
    ways,
)
from generator.model.catalogue import Paper, Stock
from generator.model.face import LineMark, PdfLayer, PosterPage, Side, TextMark

EDGE: Final = 2.5
"""mm that a page shows beyond the poster's own edge at least: bleed, and room for cut marks."""
BITE: Final = 2.0
"""mm of the overlap that are cut off the upper page, so that a cut that drifts shows no white."""
FOOT: Final = 14.5
"""mm at the lower end of a page for its name, the key map, words, ruler and slug."""
LEAST_STEP: Final = 10.0
"""mm of the poster that a page must add to be worth its paper."""
_EPSILON: Final = 1e-6


class Windows(Struct, frozen=True):
    """Equal windows along one axis of a poster, mm from the trim's start: `first` is negative,
    beyond the trim. Neighbours repeat `overlap`."""

    trim: float
    first: float
    length: float
    overlap: float
    count: int

    @property
    def step(self) -> float:
        """From one window to the next."""
        return self.length - self.overlap

    @property
    def bite(self) -> float:
        """What of a window's start is cut off where it has a neighbour before it."""
        return min(BITE, self.overlap / 3)

    def start(self, number: int) -> float:
        """Where a window starts; they count from 0."""
        return self.first + number * self.step

    def seam(self, number: int) -> float:
        """Where a page ends before the next begins, once they are glued; 0 and `count` are the
        ends of the trim."""
        if number in (0, self.count):
            return 0.0 if number == 0 else self.trim
        return self.start(number) + self.bite


class Tiling(Struct, frozen=True):
    """A poster cut into pages that lie one way; `area` is where on a page its windows stand."""

    page: Size
    area: Rect
    across: Windows
    down: Windows

    @property
    def count(self) -> int:
        """Pages of one poster."""
        return self.across.count * self.down.count

    @property
    def window(self) -> Rect:
        """The window on the page, in the middle of its area."""
        width, height = self.across.length, self.down.length
        left, above = (self.area.width - width) / 2, (self.area.height - height) / 2
        return Rect(self.area.x + left, self.area.y + above, width, height)

    def places(self) -> Iterator[tuple[int, int]]:
        """Row and column of each page, from 0, row by row."""
        return product(range(self.down.count), range(self.across.count))


def windows(trim: float, bleed: float, room: float, overlap: float) -> Windows | None:
    """The fewest equal windows of at most `room` mm over a trim and what is shown around it; None
    when a page would add less than `LEAST_STEP`."""
    step = room - overlap
    if step < LEAST_STEP:
        return None
    count = max(1, math.ceil((trim + 2 * EDGE - overlap) / step - _EPSILON))
    most = (count * step + overlap - trim) / 2
    edge = min(max(EDGE, bleed), most)
    length = (trim + 2 * edge + (count - 1) * overlap) / count
    return Windows(trim, -edge, length, overlap, count)


def best_tiling(stock: Stock, paper: Paper, overlap: float) -> Tiling | None:
    """The way of the paper that takes fewer pages; of equals the upright one."""
    found: list[Tiling] = []
    for page in ways(paper):
        whole = printable_box(page, paper.margin)
        area = Rect(whole.x, whole.y, whole.width, whole.height - FOOT)
        across = windows(stock.trim.width, stock.bleed, area.width, overlap)
        down = windows(stock.trim.height, stock.bleed, area.height, overlap)
        if across and down:
            found.append(Tiling(page, area, across, down))
    return min(found, key=lambda tiling: tiling.count, default=None)


TICK: Final = 4.0
"""mm of a cut mark."""
_OUTER_GAP: Final = 1.0
"""mm from the poster's own edge to its cut marks."""
_HALO: Final = 0.5
"""mm of white under a mark, so that it shows on any art."""
_SHORT: Final = 0.1
"""Of a side of a diamond that is left out beside what stays in sight."""
_LABEL_PT: Final = 6.5
_LABEL_GROUND: Final = 3.4
_NARROWEST: Final = 4.4
"""mm of a covered strip that has room for words."""
_CHARACTER: Final = 0.58
_WHITE: Final = 1.0
_Line = tuple[Point, Point]
LabelMark = LineMark | TextMark


class PageNeighbours(Struct, frozen=True):
    """What a page has on each side: a neighbour or not."""

    left: bool
    above: bool
    right: bool
    below: bool


def seam_marks(
    shown: Rect, sides: PageNeighbours, area: Rect, size: float, straight: bool
) -> Iterator[LineMark]:
    """Cut marks and alignment diamonds at the corners of what a page shows when all is glued.

    `area` is what the printer reaches, `size` from the middle of a diamond to its tips, mm. The
    poster's own edges have cut marks where the stock is `straight`; other stocks have their die
    line.
    """
    ticks: list[_Line] = []
    diamonds: list[_Line] = []
    for dx, x in ((-1, shown.x), (1, shown.right)):
        for dy, y in ((-1, shown.y), (1, shown.bottom)):
            corner = Point(x, y)
            beside = sides.left if dx < 0 else sides.right
            over = sides.above if dy < 0 else sides.below
            if beside or straight:
                ticks += _tick(corner, 0, dy, _gap(over), area)
            if over or straight:
                ticks += _tick(corner, dx, 0, _gap(beside), area)
            if beside or over:
                diamonds += _diamond(corner, (dx * size, dy * size), (beside, over))
    lines = [(PdfLayer.CUT, line) for line in ticks] + [
        (PdfLayer.GUIDES, line) for line in diamonds
    ]
    yield from (LineMark(layer, *ends, _HALO, _WHITE) for layer, ends in lines)
    yield from (LineMark(layer, *ends) for layer, ends in lines)


def glue_labels(window: Rect, shown: Rect, right: str, below: str) -> Iterator[LabelMark]:
    """In each strip that a neighbour will cover, the name of that neighbour."""
    strip = window.right - shown.right
    if right and strip >= _NARROWEST:
        x, y = shown.right + strip / 2, shown.centre.y
        yield from _label(Point(x, y), f"{right} goes on top here", shown.height, upwards=True)
    strip = window.bottom - shown.bottom
    if below and strip >= _NARROWEST:
        x, y = shown.centre.x, shown.bottom + strip / 2
        yield from _label(Point(x, y), f"{below} goes on top here", shown.width, upwards=False)


def _gap(seam: bool) -> float:
    """At a seam a mark starts at the corner; at the poster's own edge a knife may drift."""
    return 0.0 if seam else _OUTER_GAP


def _tick(corner: Point, dx: int, dy: int, gap: float, area: Rect) -> Iterator[_Line]:
    """A cut mark out of a corner, as long as there is room for it."""
    start = corner.moved(dx * gap, dy * gap)
    reach = corner.moved(dx * (gap + TICK), dy * (gap + TICK))
    end = Point(
        min(max(reach.x, area.x), area.right) if dx else reach.x,
        min(max(reach.y, area.y), area.bottom) if dy else reach.y,
    )
    if (end.x - start.x) * dx + (end.y - start.y) * dy >= LEAST_MARK:
        yield _rounded(start), _rounded(end)


def _diamond(corner: Point, out: tuple[float, float], seams: tuple[bool, bool]) -> Iterator[_Line]:
    """Three sides of a diamond at most: none in the part that stays in sight. Those that end there
    stop short of it, with the white under them."""
    right, down = out
    beside, over = corner.moved(right, 0), corner.moved(0, down)
    under = corner.moved(_SHORT * right, (_SHORT - 1) * down)
    across = corner.moved((_SHORT - 1) * right, _SHORT * down)
    yield _rounded(beside), _rounded(over)
    if seams[0]:
        yield _rounded(beside), _rounded(under)
    if seams[1]:
        yield _rounded(over), _rounded(across)


def _label(middle: Point, text: str, length: float, *, upwards: bool) -> Iterator[LabelMark]:
    """Words on white along a strip, if they fit `length`."""
    half = len(text) * _CHARACTER * pt_to_mm(_LABEL_PT) / 2
    if 2 * half > length:
        return
    drop = 0.35 * pt_to_mm(_LABEL_PT)
    ends = ((0, -half), (0, half)) if upwards else ((-half, 0), (half, 0))
    start, end = (middle.moved(*by) for by in ends)
    yield LineMark(PdfLayer.GUIDES, start, end, _LABEL_GROUND, _WHITE)
    at = middle.moved(drop, 0) if upwards else middle.moved(0, drop)
    yield TextMark(PdfLayer.GUIDES, at, text, _LABEL_PT, 270 if upwards else 0, "middle")


def _rounded(point: Point) -> Point:
    return Point(round(point.x, 4), round(point.y, 4))


HEIGHT: Final = 7.5
"""mm."""
_NAME_PT: Final = 18.0
_SIZES: Final = (6.0, 5.0)
_LINES: Final = 3
_WORD_CHARACTER: Final = 0.55
"""Width of a character in em, on the large side for words."""
_NAME_CHARACTER: Final = 0.66
"""The same for capitals and digits."""
_GAP: Final = 3.0
_WIDEST_MAP: Final = 26.0
_GREY: Final = 0.45
_FILL: Final = 0.15


def page_name(row: int, column: int) -> str:
    """A letter for the row, a number for the column, both counted from 0: `B3`; AA follows Z."""
    letters = ""
    rest = row + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{column + 1}"


def foot(box: Rect, tiling: Tiling, row: int, column: int) -> Iterator[LabelMark]:
    """The marks that fill the box, `HEIGHT` mm high, from the left as far as they need."""
    name = page_name(row, column)
    yield TextMark(PdfLayer.GUIDES, Point(box.x, box.bottom - 1.2), name, _NAME_PT)
    x = box.x + len(name) * _NAME_CHARACTER * pt_to_mm(_NAME_PT) + _GAP
    grid = _map_box(Rect(x, box.y, _WIDEST_MAP, box.height), tiling)
    yield from _map(grid, tiling, row, column)
    x = grid.right + _GAP
    yield from _words(Rect(x, box.y, box.right - x, box.height), tiling, row, column)


def _map_box(room: Rect, tiling: Tiling) -> Rect:
    width = tiling.across.count * tiling.across.length
    height = tiling.down.count * tiling.down.length
    scale = min(room.width / width, room.height / height)
    return Rect(room.x, room.y, width * scale, height * scale)


def _map(box: Rect, tiling: Tiling, row: int, column: int) -> Iterator[LineMark]:
    """All pages of the poster, this one dark."""
    across, down = box.width / tiling.across.count, box.height / tiling.down.count
    y = box.y + (row + 0.5) * down
    left, right = box.x + column * across, box.x + (column + 1) * across
    yield LineMark(PdfLayer.GUIDES, Point(left, y), Point(right, y), down, _FILL)
    for number in range(tiling.across.count + 1):
        x = box.x + number * across
        yield LineMark(PdfLayer.GUIDES, Point(x, box.y), Point(x, box.bottom), grey=_GREY)
    for number in range(tiling.down.count + 1):
        y = box.y + number * down
        yield LineMark(PdfLayer.GUIDES, Point(box.x, y), Point(box.right, y), grey=_GREY)


def _words(box: Rect, tiling: Tiling, row: int, column: int) -> Iterator[TextMark]:
    """The fullest wording that fits, in the larger size if it can be."""
    for text in _wordings(tiling, row, column):
        for size in _SIZES:
            em = pt_to_mm(size)
            lines = textwrap.wrap(text, max(1, int(box.width / (_WORD_CHARACTER * em))))
            if len(lines) <= _LINES:
                step = HEIGHT / _LINES
                for number, line in enumerate(lines):
                    at = Point(box.x, box.y + number * step + 0.8 * em)
                    yield TextMark(PdfLayer.GUIDES, at, line, size)
                return


def _wordings(tiling: Tiling, row: int, column: int) -> tuple[str, ...]:
    sides = neighbours_of(tiling, row, column)
    cut = [word for word, seam in (("left", sides.left), ("upper", sides.above)) if seam]
    before = [page_name(row, column - 1)] if sides.left else []
    before += [page_name(row - 1, column)] if sides.above else []
    keep = [word for word, seam in (("right", sides.right), ("lower", sides.below)) if seam]
    after = [page_name(row, column + 1)] if sides.right else []
    after += [page_name(row + 1, column)] if sides.below else []
    edges = "edges" if len(cut) > 1 else "edge"
    strips = "strips" if len(keep) > 1 else "strip"
    comes = "come" if len(after) > 1 else "comes"
    onto, first, last = " and ".join(before), " and ".join(cut), " and ".join(keep)
    short = f"Cut the {first} {edges}; glue onto {onto}." if cut else "Start with this page."
    if cut:
        full = (
            f"Cut off the {first} {edges} from mark to mark. Glue the page onto {onto}: its corners"
            " come to the middles of the diamonds there."
        )
    else:
        full = "Start with this page; go on row by row."
    if keep:
        full += f" Leave the {last} {strips}: {' and '.join(after)} {comes} on top."
    return f"{full} The outer edges are cut last of all.", full, short


def neighbours_of(tiling: Tiling, row: int, column: int) -> PageNeighbours:
    """Where a page has neighbours."""
    return PageNeighbours(
        column > 0, row > 0, column < tiling.across.count - 1, row < tiling.down.count - 1
    )


MOST_PAGES: Final = 200
"""Of one poster: more is a misprint, or a wall."""
MOST_IN_ALL: Final = 2_000
"""Of all copies of all posters in one file."""
_SLUG_LINE: Final = 5.0
"""mm at the very foot of a page for ruler and slug."""


def poster(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Every copy of every front over as many pages as it takes; one that fits a page is a page.

    Errors: GP608 for each stock that takes more than `MOST_PAGES`, and for all copies together
    when they take more than `MOST_IN_ALL`.
    """
    faults: list[Diagnostic] = []
    plans: dict[Stock, Grid | Tiling] = {}
    for stock, pieces in by_stock(job.pieces).items():
        plan = lone_grid(ways(job.paper), job.paper.margin, extents(stock)) or best_tiling(
            stock, job.paper, job.print_.overlap
        )
        if plan is None or plan.count > MOST_PAGES:
            faults.append(_too_many(job, stock, pieces[0].front.component, plan))
        else:
            plans[stock] = plan
    if faults:
        return Outcome((), tuple(faults))
    if (found := _too_many_in_all(job, plans)) is not None:
        return Outcome((), (found,))
    leaves: list[Leaf] = []
    for copy in copies_of(job.pieces):
        plan = plans[copy.piece.front.stock]
        if isinstance(plan, Grid):
            leaves.append((_single(copy, plan),))
        else:
            leaves += [(_page(job, copy, plan, *place),) for place in plan.places()]
    return Outcome(tuple(leaves))


def _single(copy: Copy, grid: Grid) -> PageLayout:
    (cell,) = grid.cells()
    face = copy.piece.front
    whole = PosterPage(1, 1, 1, 1, cell.art)
    item = PlacedFace(face, copy.number, Side.FRONT, cell, guide_of(face.stock), whole)
    return PageLayout(grid.page, Side.FRONT, (item,), note=_title(copy))


def _page(job: Job, copy: Copy, tiling: Tiling, row: int, column: int) -> PageLayout:
    """One page: the face lies so that its window comes to the same place on every page."""
    face, window = copy.piece.front, tiling.window
    straight = guide_of(face.stock) is Guide.CROP
    trim = Rect(
        window.x - tiling.across.start(column),
        window.y - tiling.down.start(row),
        face.stock.trim.width,
        face.stock.trim.height,
    )
    art = window.cut_to(trim.grown(face.stock.bleed))
    shown = _shown(trim, art, tiling, row, column)
    place = PosterPage(row + 1, column + 1, tiling.down.count, tiling.across.count, shown)
    guide = Guide.NONE if straight else Guide.DIE
    item = PlacedFace(face, copy.number, Side.FRONT, PageCell(trim, art), guide, place)
    area = printable_box(tiling.page, job.paper.margin)
    sides, finished = neighbours_of(tiling, row, column), trim.cut_to(shown)
    block = Rect(area.x, area.bottom - _SLUG_LINE - HEIGHT, area.width, HEIGHT)
    right = page_name(row, column + 1) if sides.right else ""
    below = page_name(row + 1, column) if sides.below else ""
    return PageLayout(
        tiling.page,
        Side.FRONT,
        (item,),
        lines=(
            # What is cut off at a seam has room for half of a diamond.
            *seam_marks(finished, sides, tiling.area, tiling.across.bite, straight),
            *glue_labels(window, finished, right, below),
            *foot(block, tiling, row, column),
        ),
        keep_clear=(Rect(area.x, area.y, area.width, area.height - _SLUG_LINE),),
        note=f"{_title(copy)} · page {page_name(row, column)}",
        name=page_name(row, column),
    )


def _shown(trim: Rect, art: Rect, tiling: Tiling, row: int, column: int) -> Rect:
    """What of the art stays in sight: up to the seams, and all of it at the poster's own edges."""
    sides = neighbours_of(tiling, row, column)
    left = trim.x + tiling.across.seam(column) if sides.left else art.x
    above = trim.y + tiling.down.seam(row) if sides.above else art.y
    right = trim.x + tiling.across.seam(column + 1) if sides.right else art.right
    below = trim.y + tiling.down.seam(row + 1) if sides.below else art.bottom
    return Rect(left, above, right - left, below - above)


def _title(copy: Copy) -> str:
    name = copy.piece.front.component
    return f"{name}, copy {copy.number}" if copy.piece.copies > 1 else name


def _too_many_in_all(job: Job, plans: Mapping[Stock, Grid | Tiling]) -> Diagnostic | None:
    pages = 0
    for piece in job.pieces:
        plan = plans[piece.front.stock]
        pages += piece.copies * (1 if isinstance(plan, Grid) else plan.count)
        if pages > MOST_IN_ALL:
            front = piece.front
            message = (
                f"{front.kind} {front.component!r}: with its {piece.copies:,} copies the posters "
                f"of this print take {pages:,} pages of {job.paper.title}; "
                f"{MOST_IN_ALL:,} are the most"
            )
            return Diagnostic(front.span, "GP608", message, "print fewer copies of a poster")
    return None


def _too_many(job: Job, stock: Stock, component: str, plan: Grid | Tiling | None) -> Diagnostic:
    piece = next(p for p in job.pieces if p.front.component == component)
    paper, overlap = job.paper, job.print_.overlap
    takes = (
        f"would take {plan.count} pages of {paper.title}, the most is {MOST_PAGES}"
        if plan
        else f"cannot be cut into pages of {paper.title} that overlap by {overlap:g} mm"
    )
    return Diagnostic(
        piece.front.span,
        "GP608",
        f"{piece.front.kind} {component!r} is {in_mm(stock.trim)} (stock {stock.name}): {takes}",
        "choose a larger paper for the print, less overlap, or a smaller stock for the kind",
    )
