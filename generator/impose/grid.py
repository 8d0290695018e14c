"""Rows and columns of one stock on a page: how many fit, where they stand and what bleed shows.

How the room beside the trims is shared out:

- With a given gutter, neighbours share it halfway; a gutter of 0 makes one cut for two pieces.

- Without one, every piece keeps its whole bleed and so the gutter is two bleeds. Where that leaves
out one more piece that would fit, the bleed narrows evenly, to `LEAST_BLEED` at worst, to take it
in. That is how nine poker cards come onto A4.

- At both ends there is room for a crop mark and, where asked, for a band of ruler or slug. Where it
is short, marks shrink to `FAIR_MARK`, then the bleed to `LEAST_BLEED`, then marks to `LEAST_MARK`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from generator.geometry import Rect, Size
from generator.impose.page_layout import (
    BAND,
    FAIR_MARK,
    FOLD_CLEARANCE,
    LEAST_BLEED,
    LEAST_MARK,
    Flip,
    PageCell,
    printable_box,
    ways,
)
from generator.impose.slug import RULERS, ruler_length
from generator.model.catalogue import Paper, Stock

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
        yield PageCell(trim, spread(trim, before, above, after, below), grid.rotation)


def spread(trim: Rect, left: float, top: float, right: float, bottom: float) -> Rect:
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
