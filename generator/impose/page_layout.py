"""What layouts lay out: faces in their cells, rows and columns of these, one layout a page; long,
since what printer and knife need is what rows and columns share out.

In a grid of one stock this is done with the room beside the trims:

- With a given gutter, neighbours share it halfway; a gutter of 0 makes one cut for two pieces.

- Without one, every piece keeps its whole bleed and so the gutter is two bleeds. Where that leaves
out one more piece that would fit, the bleed narrows evenly, to `LEAST_BLEED` at worst, to take it
in. That is how nine poker cards come onto A4.

- At both ends there is room for a crop mark and, where asked, for a band of ruler or slug. Where it
is short, marks shrink to `FAIR_MARK`, then the bleed to `LEAST_BLEED`, then marks to `LEAST_MARK`.
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
"""mm of bleed that a cut by hand needs to leave no white edge."""
LEAST_MARK: Final = 1.0
"""mm below which a crop mark is no help."""
FAIR_MARK: Final = 1.5
"""mm that the outer bleed leaves to crop marks where room is short."""
BAND: Final = 4.0
"""mm that a ruler or slug takes off the printable length at each end."""
FOLD_CLEARANCE: Final = 0.5
"""mm between the fold of a sheet and the art on either side of it."""
FOLD_DASH: Final = (1.0, 0.6)
"""On and off, mm, of every fold line."""

RULERS: Final = ((100, 4), (50, 2))
"""Lengths in millimetres and in inches; the shorter pair is for papers too small for the other."""
LABEL_ROOM: Final = 8.5
"""mm behind the scales, for what they are of in words."""


def ruler_length(ruler: tuple[int, int]) -> float:
    """mm from the zero of a ruler to the end of its labels."""
    return max(ruler[0], ruler[1] * MM_PER_INCH) + LABEL_ROOM


class Flip(Enum):
    """How a sheet turns over (or folds): about its upright or about its level middle line."""

    SIDEWAYS = auto()
    ENDWAYS = auto()


class Guide(Enum):
    """What shows where to cut: crop marks at the corners, a die line around, lines that
    the layout has for all its pieces together, or nothing: of a back, for its front has them; of a
    sticker, for none may stand on its label."""

    CROP = auto()
    DIE = auto()
    SHARED = auto()
    NONE = auto()
    LABEL = auto()

    @property
    def is_drawn(self) -> bool:
        """True when the piece is cut or folded where this is printed."""
        return self not in (Guide.NONE, Guide.LABEL)


Polygon = tuple[Point, ...]
"""The corners of a convex polygon, clockwise, mm; or of an open line."""


class PageCell(Struct, frozen=True):
    """A place on a page, mm: the upright box of the turned trim, the part of the page that the
    art may cover, and the clockwise turn of the face in degrees. Where `edge` has corners, the art
    covers that convex polygon only, and `art` is its box."""

    trim: Rect
    art: Rect
    rotation: int = 0
    edge: Polygon = ()

    def moved(self, by: Point) -> PageCell:
        """The cell shifted by a vector."""
        return replace(
            self,
            trim=self.trim.moved(by.x, by.y),
            art=self.art.moved(by.x, by.y),
            edge=tuple(corner.moved(by.x, by.y) for corner in self.edge),
        )

    def behind(self, page: Size, flip: Flip) -> PageCell:
        """The cell that comes to lie behind this one when the page is turned over or folded.

        Its face stands upright for one who turns the component over from left to right: an
        upward direction at angle t goes to -t in a mirror that stands, to 180 - t in one that
        lies.
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
    """A face in its cell; `side` is the face's own, whichever page it is on; `poster` says which
    part of it, if it runs over several."""

    face: Face
    copy: int
    side: Side
    cell: PageCell
    guide: Guide
    poster: PosterPage | None = None

    def moved(self, by: Point) -> PlacedFace:
        """The item shifted by a vector."""
        page = self.poster
        if page is not None:
            page = replace(page, shown=page.shown.moved(by.x, by.y))
        return replace(self, cell=self.cell.moved(by), poster=page)


class Crease(Struct, frozen=True):
    """A fold line from edge to edge of a trim and the art that it crosses, on the page, mm."""

    start: Point
    end: Point
    art: Rect


class PageLayout(Struct, frozen=True):
    """One page to be: items, further cells to cut out, creases, marks drawn as
    they are, boxes that ruler and slug keep out of, lines to cut along, what the slug says of this
    page and the end of its label."""

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
"""The layouts of one sheet of paper: its front and, in duplex, its back."""


class Job(Struct, frozen=True):
    """What there is to impose."""

    print_: Print
    pieces: tuple[PrintedPiece, ...]
    paper: Paper
    backs: Backs
    label_sheet: LabelSheet | None = None


def flip_of(page: Size, backs: Backs) -> Flip:
    """How a duplex printer turns a page of this size over for these backs."""
    upright = page.height >= page.width
    return Flip.SIDEWAYS if upright == (backs is Backs.DUPLEX_LONG) else Flip.ENDWAYS


def printable_box(page: Size, margin: float) -> Rect:
    """The part of a page that a printer with this margin reaches."""
    return Rect(0, 0, page.width, page.height).grown(-margin)


def ways(paper: Paper) -> tuple[Size, ...]:
    """The ways a paper can lie: upright, then on its side."""
    return (paper.size, paper.size.turned)


def copies_of(pieces: Sequence[PrintedPiece]) -> tuple[Copy, ...]:
    """Every copy of every piece, in order."""
    return tuple(Copy(piece, n) for piece in pieces for n in range(1, piece.copies + 1))


def by_stock(pieces: Sequence[PrintedPiece]) -> dict[Stock, list[PrintedPiece]]:
    """Pieces by the stock of their front, stocks in order of appearance."""
    groups: dict[Stock, list[PrintedPiece]] = {}
    for piece in pieces:
        groups.setdefault(piece.front.stock, []).append(piece)
    return groups


def in_parts(copies: Sequence[Copy], size: int) -> list[Sequence[Copy]]:
    """Copies in parts of at most `size`."""
    return [copies[i : i + size] for i in range(0, len(copies), size)]


def guide_of(stock: Stock) -> Guide:
    """Straight and rounded cards get crop marks, other shapes their die line."""
    return Guide.CROP if stock.shape in (Shape.RECTANGLE, Shape.ROUNDED) else Guide.DIE


def leaf(page: Size, cells: Sequence[PageCell], copies: Sequence[Copy], backs: Backs) -> Leaf:
    """A sheet with copies in its cells, in order, and in duplex its back; no more than fit."""
    filled = tuple(zip(copies, cells, strict=False))
    front = PageLayout(page, Side.FRONT, tuple(front_item(copy, cell) for copy, cell in filled))
    if backs is Backs.NONE:
        return (front,)
    flip = flip_of(page, backs)
    return front, PageLayout(page, Side.BACK, back_items(filled, page, flip))


def front_item(copy: Copy, cell: PageCell) -> PlacedFace:
    """The front of a copy, to be cut out."""
    face = copy.piece.front
    return PlacedFace(face, copy.number, Side.FRONT, cell, guide_of(face.stock))


def back_items(
    filled: Sequence[tuple[Copy, PageCell]], page: Size, flip: Flip
) -> tuple[PlacedFace, ...]:
    """The backs behind fronts; a piece without one leaves its place empty."""
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
    """One page: fronts before the fold, backs beyond it, where folding brings each behind its
    front; no more copies than there are cells. Crop marks stand beyond the backs too: there is no
    room for them at the fold, and a cut across it needs a mark at either end."""
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
    """Across the middle of the page, ending where ruler or slug may stand."""
    x, y = page.width / 2, page.height / 2
    inset = 2 * BAND
    if fold is Flip.SIDEWAYS:
        ends = Point(x, inset), Point(x, page.height - inset)
    else:
        ends = Point(inset, y), Point(page.width - inset, y)
    return LineMark(PdfLayer.FOLD, *ends, dash=FOLD_DASH)


def too_large(job: Job, stock: Stock, piece: PrintedPiece) -> Diagnostic:
    """GP601: a stock that its paper cannot hold, at the first piece of it."""
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
    """A size for people: `63.5 × 88.9 mm`."""
    return f"{format_mm(round(size.width, 2))} × {format_mm(round(size.height, 2))} mm"


_EPSILON: Final = 1e-6


class Spacing(Struct, frozen=True):
    """Equal trims in a row along one axis, mm from the page's edge. Bleed shows `low` before the
    first, `high` after the last and `inner` towards neighbours."""

    first: float
    trim: float
    gap: float
    count: int
    inner: float
    low: float
    high: float

    @property
    def length(self) -> float:
        """From the first trim's start to the last one's end."""
        return self.count * self.trim + (self.count - 1) * self.gap

    @property
    def shown(self) -> float:
        """The least bleed that shows anywhere."""
        return min(self.low, self.high, self.inner if self.count > 1 else self.low)

    def spans(self) -> tuple[tuple[float, float, float], ...]:
        """For each trim its start, the bleed before it and the bleed after it."""
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
    """What is to stand in a row: its trim and bleed along the axis, a set gutter if any, mm."""

    trim: float
    bleed: float
    gutter: float | None = None

    @property
    def least(self) -> float:
        """The bleed that must show."""
        return min(self.bleed, LEAST_BLEED)


def centred(
    page: float, margin: float, extent: AxisExtent, band: float = 0.0, limit: int | None = None
) -> Spacing | None:
    """As many as fit between the margins, in the middle of the page; None when not even one.

    `band` is kept free at either end. One alone may take all the room there is between the
    margins, marks or not, unless a band is asked for.
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
    """As many as fit between the margin and a fold across the middle of the page, close to the
    fold, where a slanting fold does the least harm; None when not even one."""
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
    """How many and how far apart; a mark and the band are kept free at each of the `ends`."""
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
    """The bleed at an end with this much room for bleed and mark."""
    least = min(extent.least, max(room, 0.0))
    return min(extent.bleed, max(least, room - FAIR_MARK))


RULER_WORTH: Final = 0.25
"""The share of a sheet's pieces that room for ruler and slug may cost."""


class Grid(Struct, frozen=True):
    """Rows and columns of one stock on a page; faces are turned clockwise by `rotation`. With a
    `fold` the grid holds the fronts and the backs come to the other side of the fold."""

    page: Size
    across: Spacing
    down: Spacing
    ruled: bool
    rotation: int = 0
    fold: Flip | None = None

    @property
    def count(self) -> int:
        """How many pieces it takes."""
        return self.across.count * self.down.count

    @property
    def shown(self) -> float:
        """The least bleed that shows anywhere, mm."""
        return min(self.across.shown, self.down.shown)

    def cells(self) -> tuple[PageCell, ...]:
        """The cells, row by row from the top left."""
        return tuple(cell for span in self.down.spans() for cell in row(self, span))


def row(grid: Grid, span: tuple[float, float, float]) -> Iterator[PageCell]:
    """The cells of one row."""
    y, above, below = span
    for x, before, after in grid.across.spans():
        trim = Rect(x, y, grid.across.trim, grid.down.trim)
        yield PageCell(trim, bleed_box(trim, before, above, after, below), grid.rotation)


def bleed_box(trim: Rect, left: float, top: float, right: float, bottom: float) -> Rect:
    """A trim with the bleed that shows on each side."""
    return Rect(trim.x - left, trim.y - top, trim.width + left + right, trim.height + top + bottom)


def best_grid(stock: Stock, paper: Paper, gutter: float | None) -> Grid | None:
    """The grid with the most pieces; of equals the one with more bleed, then upright paper.

    Room for ruler and slug is kept at the top and bottom or at the sides, unless that would cost
    more than `RULER_WORTH` of the pieces. None when nothing fits.
    """
    return _best(_centred_grids(ways(paper), paper.margin, extents(stock, gutter)))


def best_folded_grid(stock: Stock, paper: Paper, gutter: float | None) -> Grid | None:
    """The same for sheets folded in the middle: half of the page holds the fronts."""
    return _best(_folded_grids(stock, paper, gutter))


def lone_grid(
    pages: Iterable[Size], margin: float, around: tuple[AxisExtent, AxisExtent]
) -> Grid | None:
    """One piece of this width and height in the middle of a page, with room for ruler and slug if
    it can be; of equals the one on the first of the pages. None when it does not fit."""
    grids = _centred_grids(pages, margin, around, limit=1)
    return max(grids, key=lambda grid: (grid.ruled, round(grid.shown, 3)), default=None)


def extents(stock: Stock, gutter: float | None = None) -> tuple[AxisExtent, AxisExtent]:
    """What a stock takes across a page and down it."""
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
    """The bands (at the sides, at the ends) that a ruler and slug may have, best first."""
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


def _best(grids: Iterable[Grid]) -> Grid | None:
    return max(grids, key=_merit, default=None)


def _merit(grid: Grid) -> tuple[float, bool, float, bool, bool]:
    upright = grid.page.height >= grid.page.width
    worth = grid.count if grid.ruled else grid.count * (1 - RULER_WORTH)
    return worth, grid.ruled, round(grid.shown, 3), grid.rotation == 0, upright
