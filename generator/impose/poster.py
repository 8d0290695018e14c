"""Lays pieces larger than their paper over several pages, to be trimmed and glued.

A page is trimmed towards its neighbours on the left and above, and glued over their strips. The
seam is the trimmed edge. All marks are beyond it, in what is cut off or covered. At the foot of
each page are its name, a map of all pages, and what to do with it in words.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
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
"""mm beyond the poster's own edge, at least: bleed, and room for cut marks."""
BITE: Final = 2.0
"""mm of the overlap that are cut off the upper page, so that a crooked cut shows no white."""
FOOT: Final = 14.5
"""mm at the foot of a page for its name, map, words, ruler and slug."""
LEAST_STEP: Final = 10.0
"""mm that a page must add to the poster."""
_EPSILON: Final = 1e-6


class Windows(Struct, frozen=True):
    """Equal windows along one axis of a poster, mm from the trim's start.

    `first` is negative, as the first window begins before the trim. Neighbours share `overlap`.
    """

    trim: float
    first: float
    length: float
    overlap: float
    count: int

    @property
    def step(self) -> float:
        """Return the distance from one window to the next."""
        return self.length - self.overlap

    @property
    def bite(self) -> float:
        """Return what is cut off the start of a window with a neighbour before it."""
        return min(BITE, self.overlap / 3)

    def start(self, number: int) -> float:
        """Return the start of a window, counted from 0."""
        return self.first + number * self.step

    def seam(self, number: int) -> float:
        """Return the seam before a window; 0 and `count` are the ends of the trim."""
        if number in (0, self.count):
            return 0.0 if number == 0 else self.trim
        return self.start(number) + self.bite


class Tiling(Struct, frozen=True):
    """A poster cut into pages; `area` is the part of a page for its window."""

    page: Size
    area: Rect
    across: Windows
    down: Windows

    @property
    def count(self) -> int:
        """Return the number of pages."""
        return self.across.count * self.down.count

    @property
    def window(self) -> Rect:
        """Return the window, in the middle of its area."""
        width, height = self.across.length, self.down.length
        left, above = (self.area.width - width) / 2, (self.area.height - height) / 2
        return Rect(self.area.x + left, self.area.y + above, width, height)

    def places(self) -> Iterator[tuple[int, int]]:
        """Yield row and column of each page, from 0, row by row."""
        return product(range(self.down.count), range(self.across.count))


def windows(trim: float, bleed: float, room: float, overlap: float) -> Windows | None:
    """Return the fewest windows of at most `room` mm over a trim and its edges.

    Return None if a page would add less than `LEAST_STEP`.
    """
    step = room - overlap
    if step < LEAST_STEP:
        return None
    count = max(1, math.ceil((trim + 2 * EDGE - overlap) / step - _EPSILON))
    most = (count * step + overlap - trim) / 2
    edge = min(max(EDGE, bleed), most)
    length = (trim + 2 * edge + (count - 1) * overlap) / count
    return Windows(trim, -edge, length, overlap, count)


def best_tiling(stock: Stock, paper: Paper, overlap: float) -> Tiling | None:
    """Return the tiling with fewer pages; upright paper wins between equals."""
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
"""mm between the poster's own edge and its cut marks."""
_HALO: Final = 0.5
"""mm of white around a mark, so that it shows on any art."""
_SHORT: Final = 0.1
"""Part of a diamond's side that is left out beside visible art."""
_LABEL_PT: Final = 6.5
_LABEL_GROUND: Final = 3.4
_NARROWEST: Final = 4.4
"""mm of a covered strip with room for words."""
_CHARACTER: Final = 0.58
_WHITE: Final = 1.0
_Line = tuple[Point, Point]
LabelMark = LineMark | TextMark


class PageNeighbours(Struct, frozen=True):
    """The sides of a page that have neighbours."""

    left: bool
    above: bool
    right: bool
    below: bool


def seam_marks(
    shown: Rect, sides: PageNeighbours, area: Rect, size: float, straight: bool
) -> Iterator[LineMark]:
    """Yield cut marks and diamonds at the corners of what a page shows when all is glued.

    `size` is from the middle of a diamond to its tips, mm. A `straight` stock has cut marks at the
    poster's own edges, too; other stocks have their die line.
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
    """Yield the name of a neighbour in each strip that it will cover."""
    strip = window.right - shown.right
    if right and strip >= _NARROWEST:
        x, y = shown.right + strip / 2, shown.centre.y
        yield from _label(Point(x, y), f"{right} goes on top here", shown.height, upwards=True)
    strip = window.bottom - shown.bottom
    if below and strip >= _NARROWEST:
        x, y = shown.centre.x, shown.bottom + strip / 2
        yield from _label(Point(x, y), f"{below} goes on top here", shown.width, upwards=False)


def _gap(seam: bool) -> float:
    return 0.0 if seam else _OUTER_GAP


def _tick(corner: Point, dx: int, dy: int, gap: float, area: Rect) -> Iterator[_Line]:
    """Yield a cut mark out of a corner, as long as there is room."""
    start = corner.moved(dx * gap, dy * gap)
    reach = corner.moved(dx * (gap + TICK), dy * (gap + TICK))
    end = Point(
        min(max(reach.x, area.x), area.right) if dx else reach.x,
        min(max(reach.y, area.y), area.bottom) if dy else reach.y,
    )
    if (end.x - start.x) * dx + (end.y - start.y) * dy >= LEAST_MARK:
        yield _rounded(start), _rounded(end)


def _diamond(corner: Point, out: tuple[float, float], seams: tuple[bool, bool]) -> Iterator[_Line]:
    """Yield up to three sides of a diamond; they stop short of the visible part."""
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
    """Yield words on white along a strip, if they fit `length`."""
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
"""mm of the foot."""
_NAME_PT: Final = 18.0
_SIZES: Final = (6.0, 5.0)
_LINES: Final = 3
_WORD_CHARACTER: Final = 0.55
"""Width of a character in em, wide for words."""
_NAME_CHARACTER: Final = 0.66
"""Width of capitals and digits."""
_GAP: Final = 3.0
_WIDEST_MAP: Final = 26.0
_GREY: Final = 0.45
_FILL: Final = 0.15


def page_name(row: int, column: int) -> str:
    """Return a letter for the row and a number for the column, such as B3; AA follows Z."""
    letters = ""
    rest = row + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{column + 1}"


def foot(box: Rect, tiling: Tiling, row: int, column: int) -> Iterator[LabelMark]:
    """Yield name, map and words in a box of `HEIGHT` mm."""
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
    """Draw all pages of the poster, this one dark."""
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
    """Yield the fullest wording that fits, in the larger size if possible."""
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
    """Return the neighbours of a page."""
    return PageNeighbours(
        column > 0, row > 0, column < tiling.across.count - 1, row < tiling.down.count - 1
    )


MOST_PAGES: Final = 200
"""Pages of one poster."""
_SLUG_LINE: Final = 5.0
"""mm below the foot for ruler and slug."""


def poster(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Lay every copy of every front over as many pages as it takes.

    Errors: GP608 for a stock of more than `MOST_PAGES`.
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
    """Return a page; the window has the same place on each."""
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
            *seam_marks(finished, sides, tiling.area, tiling.across.bite, straight),
            *glue_labels(window, finished, right, below),
            *foot(block, tiling, row, column),
        ),
        keep_clear=(Rect(area.x, area.y, area.width, area.height - _SLUG_LINE),),
        note=f"{_title(copy)} · page {page_name(row, column)}",
        name=page_name(row, column),
    )


def _shown(trim: Rect, art: Rect, tiling: Tiling, row: int, column: int) -> Rect:
    """Return the visible art: up to the seams, and all of it at the poster's own edges."""
    sides = neighbours_of(tiling, row, column)
    left = trim.x + tiling.across.seam(column) if sides.left else art.x
    above = trim.y + tiling.down.seam(row) if sides.above else art.y
    right = trim.x + tiling.across.seam(column + 1) if sides.right else art.right
    below = trim.y + tiling.down.seam(row + 1) if sides.below else art.bottom
    return Rect(left, above, right - left, below - above)


def _title(copy: Copy) -> str:
    name = copy.piece.front.component
    return f"{name}, copy {copy.number}" if copy.piece.copies > 1 else name


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
