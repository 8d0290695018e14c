"""Lays pages in spreads of a saddle-stitched booklet: fold the stack once, staple the fold."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Outcome
from generator.geometry import Point, Size
from generator.impose.page_layout import (
    AxisExtent,
    Copy,
    Crease,
    Flip,
    Grid,
    Guide,
    Job,
    Leaf,
    PageCell,
    PageLayout,
    PlacedFace,
    flip_of,
    lone_grid,
    spread,
    too_large,
    ways,
)
from generator.model.catalogue import Stock
from generator.model.pack import Backs
from generator.model.sheet import PrintedPiece, Side

BookletPage = Copy | None


def booklet(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """The fronts in order are the pages, made up to a multiple of four with blank ones at the end;
    one booklet for each copy.

    Errors: GP601 when two pages do not fit side by side, GP213 when pages differ in size.
    """
    stocks = list(dict.fromkeys(piece.front.stock for piece in job.pieces))
    if len({stock.trim for stock in stocks}) > 1:
        return Outcome((), (_uneven(job, stocks),))
    opened = _opened(job, stocks[0])
    if opened is None:
        return Outcome((), (too_large(job, stocks[0], job.pieces[0]),))
    booklets = max(piece.copies for piece in job.pieces)
    return Outcome(
        tuple(
            _leaf(job, opened, sheet)
            for number in range(1, booklets + 1)
            for sheet in signature(_pages(job.pieces, number))
        )
    )


def signature(
    pages: Sequence[BookletPage],
) -> list[tuple[tuple[BookletPage, BookletPage], tuple[BookletPage, BookletPage]]]:
    """For each sheet, outermost first, what is left and right on its front and on its back.

    Of n pages sheet i carries n - 2i and 2i + 1 in front, 2i + 2 and n - 2i - 1 behind.
    """
    padded = [*pages, *[None] * (-len(pages) % 4)]
    n = len(padded)
    return [
        ((padded[n - 1 - i], padded[i]), (padded[i + 1], padded[n - 2 - i]))
        for i in range(0, n // 2, 2)
    ]


def _pages(pieces: Sequence[PrintedPiece], number: int) -> list[BookletPage]:
    return [Copy(piece, number) for piece in pieces if piece.copies >= number]


def _opened(job: Job, stock: Stock) -> Grid | None:
    """The two pages of a side as one trim in the middle of the paper, which lies on its side if
    it can."""
    wide = AxisExtent(2 * stock.trim.width, stock.bleed)
    high = AxisExtent(stock.trim.height, stock.bleed)
    return lone_grid(reversed(ways(job.paper)), job.paper.margin, (wide, high))


def _leaf(
    job: Job,
    opened: Grid,
    sheet: tuple[tuple[BookletPage, BookletPage], tuple[BookletPage, BookletPage]],
) -> Leaf:
    whole = opened.cells()[0]
    left, right = _halves(whole)
    front, back = sheet
    page = opened.page
    fronts = _items(front, (left, right), Side.FRONT)
    # Turned over, what stood right is behind what stands left, so the right cell's back is left.
    flip = _flip(job.backs, page)
    backs = _items(back, (right.behind(page, flip), left.behind(page, flip)), Side.BACK)
    top, foot = Point(right.trim.x, whole.trim.y), Point(right.trim.x, whole.trim.bottom)
    return (
        PageLayout(page, Side.FRONT, fronts, (whole,), (Crease(top, foot, whole.art),)),
        PageLayout(page, Side.BACK, backs),
    )


def _items(
    pages: tuple[BookletPage, BookletPage], cells: tuple[PageCell, PageCell], side: Side
) -> tuple[PlacedFace, ...]:
    return tuple(
        PlacedFace(page.piece.front, page.number, side, cell, Guide.NONE)
        for page, cell in zip(pages, cells, strict=True)
        if page is not None
    )


def _flip(backs: Backs, page: Size) -> Flip:
    """Without a word on how the printer turns the paper, both sides are upright."""
    duplex = backs in (Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT)
    return flip_of(page, backs) if duplex else Flip.SIDEWAYS


def _halves(whole: PageCell) -> tuple[PageCell, PageCell]:
    """The left and the right page, with no bleed at the spine between them."""
    trim, art = whole.trim, whole.art
    width = trim.width / 2
    left = replace(trim, width=width)
    right = left.moved(width, 0)
    above, below = trim.y - art.y, art.bottom - trim.bottom
    return (
        PageCell(left, spread(left, trim.x - art.x, above, 0, below)),
        PageCell(right, spread(right, 0, above, art.right - trim.right, below)),
    )


def _uneven(job: Job, stocks: Sequence[Stock]) -> Diagnostic:
    names = ", ".join(stock.name for stock in stocks)
    return Diagnostic(
        job.print_.span,
        "GP213",
        f"the pages of booklet {job.print_.name!r} are of different sizes (stocks {names})",
        "give all the kinds of a booklet one stock, or make a print of each",
    )
