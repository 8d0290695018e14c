"""What layouts lay out: faces in their cells, one layout a page; what printer and knife need."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic
from generator.geometry import Point, Rect, Size, format_mm
from generator.model.catalogue import LabelSheet, Paper, Shape, Stock
from generator.model.face import Face
from generator.model.pack import Backs, Layout, Print
from generator.model.sheet import LineMark, PdfLayer, PosterPage, PrintedPiece, Side, TextMark

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
    front; no more copies than there are cells."""
    filled = tuple(zip(copies, cells, strict=False))
    fronts = tuple(front_item(copy, cell) for copy, cell in filled)
    backs = back_items(filled, page, fold)
    return (PageLayout(page, Side.FRONT, fronts + backs, lines=(_fold_line(page, fold),)),)


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
