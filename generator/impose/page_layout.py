"""Cells on a page, and the grids that share out its room.

- With a given gutter, neighbours share it halfway; a gutter of 0 makes one cut for two pieces.

- Without one, the gutter is two bleeds. If one more piece would fit with less, the bleed narrows
evenly to take it in, to `LEAST_BLEED` at worst. That is how nine poker cards come onto A4.

- Both ends have room for a crop mark and, if asked, for a band of ruler or slug. If room is short,
marks shrink to `FAIR_MARK`, then the bleed to `LEAST_BLEED`, then marks to `LEAST_MARK`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic
from generator.geometry import MM_PER_INCH, Point, Rect, Size, format_mm
from generator.model.catalogue import LabelSheet, Paper, Shape, Stock
from generator.model.face import Face, LineMark, PdfLayer, PosterPage, PrintedPiece, Side, TextMark
from generator.model.pack import Backs, Layout, Print

LEAST_BLEED: Final = 1.0
"""mm of bleed for a cut by hand without a white edge."""
LEAST_MARK: Final = 1.0
"""mm; a shorter crop mark is of no use."""
MARK_GREY: Final = 0.5
"""Grey of all marks; 0 is black."""
FAIR_MARK: Final = 1.5
"""mm that the outer bleed leaves for crop marks if room is short."""
BAND: Final = 4.0
"""mm for a ruler or slug at each end of the printable area."""
FOLD_CLEARANCE: Final = 0.5
"""mm between the fold of a sheet and the art on either side of it."""
FOLD_DASH: Final = (1.0, 0.6)
"""Dashes of fold lines: on and off, mm."""
RULERS: Final = ((100, 4), (50, 2))
"""Lengths in mm and in inches; the shorter pair is for small papers."""
LABEL_ROOM: Final = 8.5
"""mm behind the scales for their labels."""


def ruler_length(ruler: tuple[int, int]) -> float:
    """Return the length of a ruler with its labels, mm."""
    return max(ruler[0], ruler[1] * MM_PER_INCH) + LABEL_ROOM


class Flip(Enum):
    """Turns of a sheet, or folds: about its upright or its level middle line."""

    SIDEWAYS = auto()
    ENDWAYS = auto()


class Guide(Enum):
    """Guides for cutting: crop marks, a die line, or lines that pieces share.

    Backs have nothing, as their fronts have it; nor have stickers, as it would be on the label.
    """

    CROP = auto()
    DIE = auto()
    SHARED = auto()
    NONE = auto()
    LABEL = auto()

    @property
    def is_drawn(self) -> bool:
        """Return True if the piece is cut or folded along these marks."""
        return self not in (Guide.NONE, Guide.LABEL)


Polygon = tuple[Point, ...]
"""The corners of a convex polygon, clockwise, or of an open line; mm."""


class PageCell(Struct, frozen=True):
    """A place on a page, mm: the box of the turned trim, and the box that the art may cover.

    `rotation` turns the face clockwise, degrees. If `edge` has corners, the art covers only that
    polygon, and `art` is the box around it.
    """

    trim: Rect
    art: Rect
    rotation: int = 0
    edge: Polygon = ()

    def moved(self, by: Point) -> PageCell:
        """Return the cell moved by a vector."""
        return replace(
            self,
            trim=self.trim.moved(by.x, by.y),
            art=self.art.moved(by.x, by.y),
            edge=tuple(corner.moved(by.x, by.y) for corner in self.edge),
        )

    def behind(self, page: Size, flip: Flip) -> PageCell:
        """Return the cell behind this one when the page is turned over or folded.

        Its face is upright for somebody who turns the component over from left to right: an upward
        direction at angle t becomes -t in an upright mirror, and 180 - t in a level one.
        """
        turn = -self.rotation if flip is Flip.SIDEWAYS else 180 - self.rotation
        return PageCell(
            _mirrored(self.trim, page, flip),
            _mirrored(self.art, page, flip),
            turn % 360,
            tuple(_mirrored_point(corner, page, flip) for corner in reversed(self.edge)),
        )


class Copy(Struct, frozen=True):
    """One copy of a piece; copies count from 1."""

    piece: PrintedPiece
    number: int


class PlacedFace(Struct, frozen=True):
    """A face in its cell, or the part of it on this page of a poster.

    `side` is the side of the component, whichever page it is on.
    """

    face: Face
    copy: int
    side: Side
    cell: PageCell
    guide: Guide
    poster: PosterPage | None = None

    def moved(self, by: Point) -> PlacedFace:
        """Return the face moved by a vector."""
        page = self.poster
        if page is not None:
            page = replace(page, shown=page.shown.moved(by.x, by.y))
        return replace(self, cell=self.cell.moved(by), poster=page)


class Crease(Struct, frozen=True):
    """A fold line from edge to edge of a trim, and the art that it crosses, mm."""

    start: Point
    end: Point
    art: Rect


class PageLayout(Struct, frozen=True):
    """A page without its marks: faces, further cells with crop marks, creases, lines to draw.

    Ruler and slug keep out of the boxes in `keep_clear`; `note` is part of the slug, `name` of the
    page's label.
    """

    page: Size
    side: Side
    faces: tuple[PlacedFace, ...]
    crop: tuple[PageCell, ...] = ()
    creases: tuple[Crease, ...] = ()
    lines: tuple[LineMark | TextMark, ...] = ()
    keep_clear: tuple[Rect, ...] = ()
    cuts: tuple[Polygon, ...] = ()
    note: str = ""
    name: str = ""


Leaf = tuple[PageLayout, ...]
"""The front and, in duplex, the back of a sheet."""


class Job(Struct, frozen=True):
    """A print to impose on one paper."""

    print_: Print
    pieces: tuple[PrintedPiece, ...]
    paper: Paper
    backs: Backs
    label_sheet: LabelSheet | None = None


def flip_of(page: Size, backs: Backs) -> Flip:
    """Return how a duplex printer turns a page of this size over."""
    upright = page.height >= page.width
    return Flip.SIDEWAYS if upright == (backs is Backs.DUPLEX_LONG) else Flip.ENDWAYS


def printable_box(page: Size, margin: float) -> Rect:
    """Return the part of a page inside the printer's margin."""
    return Rect(0, 0, page.width, page.height).grown(-margin)


def ways(paper: Paper) -> tuple[Size, ...]:
    """Return the paper upright and on its side."""
    return (paper.size, paper.size.turned)


def copies_of(pieces: Sequence[PrintedPiece]) -> tuple[Copy, ...]:
    """Return every copy of every piece, in order."""
    return tuple(Copy(piece, n) for piece in pieces for n in range(1, piece.copies + 1))


def by_stock(pieces: Sequence[PrintedPiece]) -> dict[Stock, list[PrintedPiece]]:
    """Group pieces by the stock of their front, in order of appearance."""
    groups: dict[Stock, list[PrintedPiece]] = {}
    for piece in pieces:
        groups.setdefault(piece.front.stock, []).append(piece)
    return groups


def in_parts(copies: Sequence[Copy], size: int) -> list[Sequence[Copy]]:
    """Split copies into parts of at most `size`."""
    return [copies[i : i + size] for i in range(0, len(copies), size)]


def guide_of(stock: Stock) -> Guide:
    """Return crop marks for straight and rounded cards, a die line for other shapes."""
    return Guide.CROP if stock.shape in (Shape.RECTANGLE, Shape.ROUNDED) else Guide.DIE


def leaf(page: Size, cells: Sequence[PageCell], copies: Sequence[Copy], backs: Backs) -> Leaf:
    """Return a sheet with copies in its cells, and in duplex its back."""
    filled = tuple(zip(copies, cells, strict=False))
    front = PageLayout(page, Side.FRONT, tuple(front_item(copy, cell) for copy, cell in filled))
    if backs is Backs.NONE:
        return (front,)
    flip = flip_of(page, backs)
    return front, PageLayout(page, Side.BACK, back_items(filled, page, flip))


def front_item(copy: Copy, cell: PageCell) -> PlacedFace:
    """Place the front of a copy."""
    face = copy.piece.front
    return PlacedFace(face, copy.number, Side.FRONT, cell, guide_of(face.stock))


def back_items(
    filled: Sequence[tuple[Copy, PageCell]], page: Size, flip: Flip
) -> tuple[PlacedFace, ...]:
    """Place the backs behind their fronts."""
    return tuple(
        PlacedFace(copy.piece.back, copy.number, Side.BACK, cell.behind(page, flip), Guide.NONE)
        for copy, cell in filled
        if copy.piece.back is not None
    )


def _mirrored_point(point: Point, page: Size, flip: Flip) -> Point:
    if flip is Flip.SIDEWAYS:
        return Point(page.width - point.x, point.y)
    return Point(point.x, page.height - point.y)


def _mirrored(box: Rect, page: Size, flip: Flip) -> Rect:
    if flip is Flip.SIDEWAYS:
        return Rect(page.width - box.right, box.y, box.width, box.height)
    return Rect(box.x, page.height - box.bottom, box.width, box.height)


def folded_leaf(page: Size, cells: Sequence[PageCell], copies: Sequence[Copy], fold: Flip) -> Leaf:
    """Return a page with fronts before the fold, and backs beyond it.

    Backs have crop marks, too: a cut across the fold needs a mark at either end.
    """
    filled = tuple(zip(copies, cells, strict=False))
    fronts = tuple(front_item(copy, cell) for copy, cell in filled)
    cut = (item.cell.behind(page, fold) for item in fronts if item.guide is Guide.CROP)
    return (
        PageLayout(
            page,
            Side.FRONT,
            fronts + back_items(filled, page, fold),
            crop=tuple(cut),
            lines=(_fold_line(page, fold),),
        ),
    )


def _fold_line(page: Size, fold: Flip) -> LineMark:
    """Return the fold across the middle of the page, with room for ruler and slug at its ends."""
    x, y = page.width / 2, page.height / 2
    inset = 2 * BAND
    if fold is Flip.SIDEWAYS:
        ends = Point(x, inset), Point(x, page.height - inset)
    else:
        ends = Point(inset, y), Point(page.width - inset, y)
    return LineMark(PdfLayer.FOLD, *ends, dash=FOLD_DASH)


def too_large(job: Job, stock: Stock, piece: PrintedPiece) -> Diagnostic:
    """Return GP601 for a stock too large for the paper, at its first piece."""
    paper = job.paper
    most = Size(paper.size.width - 2 * paper.margin, paper.size.height - 2 * paper.margin)
    limit, hint = "", "choose a larger paper for the print or a smaller stock for the kind"
    if job.print_.layout in (Layout.NUP, Layout.NESTED):
        hint += ", or have the print split it over several pages with split: true"
    if job.print_.layout is Layout.BOOKLET:
        most = Size(most.height / 2, most.width)
        limit = ", two pages side by side"
    elif job.backs is Backs.GUTTERFOLD:
        most = Size(most.width, most.height / 2 - FOLD_CLEARANCE)
        limit = ", folded in the middle with the back beyond the fold"
        hint = f"{hint}, or backs: duplex-long, which does not halve the sheet"
    title = piece.front.kind
    return Diagnostic(
        piece.front.span,
        "GP601",
        f"{title} {piece.front.component!r} is {in_mm(stock.trim)} (stock {stock.name}), too large"
        f" for {paper.title} ({in_mm(paper.size)}){limit}: the most that fits is {in_mm(most)}",
        hint,
    )


def in_mm(size: Size) -> str:
    """Return a size as text: `63.5 × 88.9 mm`."""
    return f"{format_mm(round(size.width, 2))} × {format_mm(round(size.height, 2))} mm"


_EPSILON: Final = 1e-6


class Spacing(Struct, frozen=True):
    """Equal trims in a row along one axis, mm.

    The bleed is `low` before the first, `high` after the last, and `inner` towards neighbours.
    """

    first: float
    trim: float
    gap: float
    count: int
    inner: float
    low: float
    high: float

    @property
    def length(self) -> float:
        """Return the length from the first trim to the last."""
        return self.count * self.trim + (self.count - 1) * self.gap

    @property
    def shown(self) -> float:
        """Return the least bleed anywhere."""
        return min(self.low, self.high, self.inner if self.count > 1 else self.low)

    def spans(self) -> tuple[tuple[float, float, float], ...]:
        """Return the start of each trim, and the bleed before and after it."""
        last = self.count - 1
        return tuple(
            (
                self.first + i * (self.trim + self.gap),
                self.inner if i else self.low,
                self.inner if i < last else self.high,
            )
            for i in range(self.count)
        )


class AxisExtent(Struct, frozen=True):
    """The trim and bleed of a piece along one axis, and the gutter, if it is set; mm."""

    trim: float
    bleed: float
    gutter: float | None = None

    @property
    def least(self) -> float:
        """Return the least bleed that is needed."""
        return min(self.bleed, LEAST_BLEED)


def centred(
    page: float, margin: float, extent: AxisExtent, band: float = 0.0, limit: int | None = None
) -> Spacing | None:
    """Lay as many as fit in the middle of the page; None if not even one fits.

    `band` is kept free at either end. Without a band, a single piece may take all the room between
    the margins, even that for marks.
    """
    room = page - 2 * margin
    count, gap = _fit(room, extent, band, ends=2, limit=limit)
    if count == 0 and band == 0 and extent.trim <= room + _EPSILON:
        count = 1
    if count == 0:
        return None
    length = count * extent.trim + (count - 1) * gap
    outer = _outer(extent, (room - length) / 2 - band)
    inner = min(extent.bleed, gap / 2)
    return Spacing((page - length) / 2, extent.trim, gap, count, inner, outer, outer)


def before_fold(
    page: float, margin: float, extent: AxisExtent, band: float = 0.0
) -> Spacing | None:
    """Lay as many as fit between the margin and the fold; None if not even one fits.

    They are close to the fold, where a slanting fold does the least harm.
    """
    room = page / 2 - margin - FOLD_CLEARANCE
    count, gap = _fit(room, extent, band, ends=1)
    if count == 0 and band == 0 and extent.trim <= room + _EPSILON:
        count = 1
    if count == 0:
        return None
    length = count * extent.trim + (count - 1) * gap
    spare = room - length - band
    at_fold = min(_outer(extent, (spare + FAIR_MARK) / 2), max(spare, 0.0))
    first = page / 2 - FOLD_CLEARANCE - at_fold - length
    inner = min(extent.bleed, gap / 2)
    return Spacing(first, extent.trim, gap, count, inner, _outer(extent, spare - at_fold), at_fold)


def _fit(
    room: float, extent: AxisExtent, band: float, *, ends: int, limit: int | None = None
) -> tuple[int, float]:
    """Return how many fit, and their gap; each of the `ends` has room for a mark and the band."""
    edge, fair_edge = ends * (LEAST_MARK + band), ends * (FAIR_MARK + band)
    most = math.inf if limit is None else limit
    if extent.gutter is not None:
        free = room - edge - 2 * extent.least + extent.gutter
        count = math.floor(free / (extent.trim + extent.gutter) + _EPSILON)
        return int(min(max(count, 0), most)), extent.gutter
    pitch = extent.trim + 2 * extent.bleed
    count = max(math.floor((room - edge) / pitch + _EPSILON), 0)
    one_more = count + 1
    if one_more > most:
        return int(most), 2 * extent.bleed
    if one_more * (extent.trim + 2 * extent.least) + edge > room + _EPSILON:
        return count, 2 * extent.bleed
    share = (room - one_more * extent.trim - fair_edge) / (2 * one_more)
    return one_more, 2 * min(extent.bleed, max(extent.least, share))


def _outer(extent: AxisExtent, room: float) -> float:
    """Return the bleed at an end with this much room for bleed and mark."""
    least = min(extent.least, max(room, 0.0))
    return min(extent.bleed, max(least, room - FAIR_MARK))


RULER_WORTH: Final = 0.25
"""Share of a sheet's pieces that room for ruler and slug may cost."""


class Grid(Struct, frozen=True):
    """Rows and columns of one stock on a page, or of its fronts before a `fold`."""

    page: Size
    across: Spacing
    down: Spacing
    ruled: bool
    rotation: int = 0
    fold: Flip | None = None

    @property
    def count(self) -> int:
        """Return the number of pieces."""
        return self.across.count * self.down.count

    @property
    def shown(self) -> float:
        """Return the least bleed anywhere, mm."""
        return min(self.across.shown, self.down.shown)

    def cells(self) -> tuple[PageCell, ...]:
        """Return the cells, row by row from the top left."""
        cells: list[PageCell] = []
        for y, above, below in self.down.spans():
            for x, before, after in self.across.spans():
                trim = Rect(x, y, self.across.trim, self.down.trim)
                box = bleed_box(trim, before, above, after, below)
                cells.append(PageCell(trim, box, self.rotation))
        return tuple(cells)


def bleed_box(trim: Rect, left: float, top: float, right: float, bottom: float) -> Rect:
    """Return a trim with its bleed on each side."""
    return Rect(trim.x - left, trim.y - top, trim.width + left + right, trim.height + top + bottom)


def best_grid(stock: Stock, paper: Paper, gutter: float | None) -> Grid | None:
    """Return the grid with the most pieces, then the most bleed, then upright paper.

    It has room for ruler and slug, unless that would cost more than `RULER_WORTH` of the pieces.
    """
    grids = _centred_grids(ways(paper), paper.margin, extents(stock, gutter))
    return max(grids, key=_merit, default=None)


def best_folded_grid(stock: Stock, paper: Paper, gutter: float | None) -> Grid | None:
    """Return the best grid for the half of a page before its fold."""
    return max(_folded_grids(stock, paper, gutter), key=_merit, default=None)


def lone_grid(
    pages: Iterable[Size], margin: float, around: tuple[AxisExtent, AxisExtent]
) -> Grid | None:
    """Lay one piece in the middle of a page, with room for ruler and slug if possible.

    The first of equal pages wins.
    """
    grids = _centred_grids(pages, margin, around, limit=1)
    return max(grids, key=lambda grid: (grid.ruled, round(grid.shown, 3)), default=None)


def extents(stock: Stock, gutter: float | None = None) -> tuple[AxisExtent, AxisExtent]:
    """Return the extents of a stock across and down a page."""
    across, down = stock.trim.width, stock.trim.height
    return AxisExtent(across, stock.bleed, gutter), AxisExtent(down, stock.bleed, gutter)


def _centred_grids(
    pages: Iterable[Size],
    margin: float,
    around: tuple[AxisExtent, AxisExtent],
    limit: int | None = None,
) -> Iterator[Grid]:
    wide, high = around
    for page in pages:
        for side, end in bands_of(page, margin):
            across = centred(page.width, margin, wide, side, limit)
            down = centred(page.height, margin, high, end, limit)
            if across and down:
                yield Grid(page, across, down, side + end > 0)


def bands_of(page: Size, margin: float) -> tuple[tuple[float, float], ...]:
    """Return the bands for ruler and slug at the sides and at the ends, best first."""
    area = printable_box(page, margin)
    shortest = ruler_length(RULERS[-1])
    ends = ((0.0, BAND),) if area.width >= shortest else ()
    sides = ((BAND, 0.0),) if area.height >= shortest else ()
    return (*ends, *sides, (0.0, 0.0))


def _folded_grids(stock: Stock, paper: Paper, gutter: float | None) -> Iterator[Grid]:
    for page in ways(paper):
        for fold in Flip:
            for rotation in (0, 270):
                around = extents(stock, gutter)
                wide, high = around if rotation == 0 else around[::-1]
                along = before_fold if fold is Flip.SIDEWAYS else centred
                upright = before_fold if fold is Flip.ENDWAYS else centred
                for side, end in bands_of(page, paper.margin):
                    across = along(page.width, paper.margin, wide, side)
                    down = upright(page.height, paper.margin, high, end)
                    if across and down:
                        yield Grid(page, across, down, side + end > 0, rotation, fold)


def _merit(grid: Grid) -> tuple[float, bool, float, bool, bool]:
    upright = grid.page.height >= grid.page.width
    worth = grid.count if grid.ruled else grid.count * (1 - RULER_WORTH)
    return worth, grid.ruled, round(grid.shown, 3), grid.rotation == 0, upright
