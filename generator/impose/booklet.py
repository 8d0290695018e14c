"""Lays the pages of booklets in spreads, so that the stack is folded once and stapled."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Outcome
from generator.geometry import Point
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
    bleed_box,
    flip_of,
    lone_grid,
    too_large,
    ways,
)
from generator.model.catalogue import Stock
from generator.model.face import Side
from generator.model.pack import Backs

BookletPage = Copy | None
"""None is a blank page."""
_Pair = tuple[BookletPage, BookletPage]
"""The pages at the left and the right of one side."""


def booklet(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Lay fronts as the pages of booklets, one booklet for each copy, with blank pages at the end.

    Errors: GP601 if two pages do not fit side by side, GP213 if pages differ in size.
    """
    stocks = list(dict.fromkeys(piece.front.stock for piece in job.pieces))
    if len({stock.trim for stock in stocks}) > 1:
        names = ", ".join(stock.name for stock in stocks)
        message = (
            f"the pages of booklet {job.print_.name!r} are of different sizes (stocks {names})"
        )
        hint = "give all the kinds of a booklet one stock, or make a print of each"
        return Outcome((), (Diagnostic(job.print_.span, "GP213", message, hint),))
    opened = _opened(job, stocks[0])
    if opened is None:
        return Outcome((), (too_large(job, stocks[0], job.pieces[0]),))
    leaves: list[Leaf] = []
    for number in range(1, max(piece.copies for piece in job.pieces) + 1):
        pages = [Copy(piece, number) for piece in job.pieces if piece.copies >= number]
        leaves += (_leaf(job, opened, sheet) for sheet in signature(pages))
    return Outcome(tuple(leaves))


def signature(pages: Sequence[BookletPage]) -> list[tuple[_Pair, _Pair]]:
    """Return the pages on the front and back of each sheet, outermost first.

    With n pages, sheet i has n - 2i and 2i + 1 in front, 2i + 2 and n - 2i - 1 behind.
    """
    padded = [*pages, *[None] * (-len(pages) % 4)]
    n = len(padded)
    return [
        ((padded[n - 1 - i], padded[i]), (padded[i + 1], padded[n - 2 - i]))
        for i in range(0, n // 2, 2)
    ]


def _opened(job: Job, stock: Stock) -> Grid | None:
    """Return a grid of two pages as one trim, with the paper on its side if possible."""
    wide = AxisExtent(2 * stock.trim.width, stock.bleed)
    high = AxisExtent(stock.trim.height, stock.bleed)
    return lone_grid(reversed(ways(job.paper)), job.paper.margin, (wide, high))


def _leaf(job: Job, opened: Grid, sheet: tuple[_Pair, _Pair]) -> Leaf:
    whole = opened.cells()[0]
    left, right = _halves(whole)
    front, back = sheet
    page = opened.page
    fronts = _items(front, (left, right), Side.FRONT)
    duplex = job.backs in (Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT)
    flip = flip_of(page, job.backs) if duplex else Flip.SIDEWAYS
    # The left page of the back is behind the right page of the front.
    backs = _items(back, (right.behind(page, flip), left.behind(page, flip)), Side.BACK)
    top, foot = Point(right.trim.x, whole.trim.y), Point(right.trim.x, whole.trim.bottom)
    return (
        PageLayout(page, Side.FRONT, fronts, (whole,), (Crease(top, foot, whole.art),)),
        PageLayout(page, Side.BACK, backs),
    )


def _items(pages: _Pair, cells: tuple[PageCell, PageCell], side: Side) -> tuple[PlacedFace, ...]:
    return tuple(
        PlacedFace(page.piece.front, page.number, side, cell, Guide.NONE)
        for page, cell in zip(pages, cells, strict=True)
        if page is not None
    )


def _halves(whole: PageCell) -> tuple[PageCell, PageCell]:
    """Return the left and the right page, without bleed at the spine."""
    trim, art = whole.trim, whole.art
    width = trim.width / 2
    left = replace(trim, width=width)
    right = left.moved(width, 0)
    above, below = trim.y - art.y, art.bottom - trim.bottom
    return (
        PageCell(left, bleed_box(left, trim.x - art.x, above, 0, below)),
        PageCell(right, bleed_box(right, 0, above, art.right - trim.right, below)),
    )
