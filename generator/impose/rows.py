"""Rows of several stocks on shared sheets.

Rows waste less than grids if hardly two pieces have the same size. They are filled first fit by
decreasing height (Coffman, Garey, Johnson and Tarjan, 1980). Shelves are rows of one stock each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, TypeVar

from msgspec import Struct

from generator.geometry import Rect, Size, summed
from generator.impose.page_layout import (
    BAND,
    FAIR_MARK,
    AxisExtent,
    Copy,
    Guide,
    Job,
    Leaf,
    PageCell,
    Spacing,
    bleed_box,
    centred,
    guide_of,
    leaf,
    ways,
)
from generator.model.catalogue import Stock

_EPSILON: Final = 1e-6

Turn = Callable[[Size], bool]
"""Tells whether to turn a piece of this size, if it fits when turned."""
_TURNS: Final[tuple[Turn, ...]] = (
    lambda _: False,
    lambda size: size.height > size.width,
    lambda size: size.width > size.height,
)


class Slot(Struct, frozen=True):
    """A stock in a row, turned or not; `gutter` is the gap to another piece of it, mm."""

    stock: Stock
    trim: Size
    rotation: int
    gutter: float

    @property
    def marked(self) -> bool:
        """Return True for a stock with crop marks."""
        return guide_of(self.stock) is Guide.CROP

    def gap_to(self, other: Slot) -> float:
        """Return the gap to a neighbour, mm, with room for crop marks if either has some."""
        if self is other:
            return self.gutter
        return _apart(self.stock.bleed, other.stock.bleed, marked=self.marked or other.marked)

    def bleed_to(self, other: Slot | None) -> float:
        """Return the bleed towards a neighbour, mm."""
        bleed = self.stock.bleed
        return min(bleed, self.gutter / 2) if self is other else bleed


class Row(Struct, frozen=True, dict=True):
    """Copies from left to right, the highest first, each with the slot of its stock."""

    slots: tuple[Slot, ...]
    copies: tuple[Copy, ...]

    @property
    def height(self) -> float:
        """Return the height of the highest trim."""
        return self.slots[0].trim.height

    @cached_property
    def trims(self) -> float:
        """Return the width of all trims, mm."""
        return summed(slot.trim.width for slot in self.slots)

    @cached_property
    def gaps(self) -> float:
        """Return the width of all gaps, mm."""
        return summed(one.gap_to(other) for one, other in pairwise(self.slots))

    @cached_property
    def bleed(self) -> float:
        """Return the largest bleed, mm."""
        return max(slot.stock.bleed for slot in self.slots)

    @cached_property
    def marked(self) -> bool:
        """Return True if any copy has crop marks."""
        return any(slot.marked for slot in self.slots)

    def width_with(self, slot: Slot) -> float:
        """Return the width of the row with one more copy and its bleed, mm."""
        outer = self.slots[0].stock.bleed + slot.stock.bleed
        return outer + (self.trims + slot.trim.width) + (self.gaps + self.slots[-1].gap_to(slot))

    def followed_by(self, copy: Copy, slot: Slot) -> Row:
        """Return the row with one more copy at the right end."""
        return Row((*self.slots, slot), (*self.copies, copy))

    def gap_to(self, below: Row) -> float:
        """Return the gap to the next row, mm."""
        return _apart(self.bleed, below.bleed, marked=self.marked or below.marked)

    def cells(self, page: Size, y: float, _above: float, _below: float) -> Iterator[PageCell]:
        """Yield the cells of the copies, in the middle of a page, with their trims at `y`."""
        first, last = self.slots[0].stock.bleed, self.slots[-1].stock.bleed
        x = (page.width - (first + last + self.trims + self.gaps)) / 2 + first
        lefts, rights = (None, *self.slots), (*self.slots[1:], None)
        for left, slot, right in zip(lefts, self.slots, rights, strict=False):
            trim, bleed = Rect(x, y, slot.trim.width, slot.trim.height), slot.stock.bleed
            before, after = (slot.bleed_to(other) for other in (left, right))
            yield PageCell(trim, bleed_box(trim, before, bleed, after, bleed), slot.rotation)
            x += slot.trim.width + (slot.gap_to(right) if right else 0)


class Shelf(Struct, frozen=True):
    """A row of one stock in the columns of its grid."""

    across: Spacing
    height: float
    bleed: float
    gutter: float
    copies: tuple[Copy, ...]

    def gap_to(self, below: Shelf) -> float:
        """Return the gap to the next shelf, mm, with room for crop marks between stocks."""
        if self.across == below.across and self.height == below.height:
            return self.gutter
        return _apart(self.bleed, below.bleed, marked=True)

    def cells(self, _page: Size, y: float, above: float, below: float) -> Iterator[PageCell]:
        """Yield the cells of the copies with their trims at `y` and these gaps above and below."""
        over, under = min(self.bleed, above / 2), min(self.bleed, below / 2)
        for (x, left, right), _ in zip(self.across.spans(), self.copies, strict=False):
            trim = Rect(x, y, self.across.trim, self.height)
            yield PageCell(trim, bleed_box(trim, left, over, right, under))


AnyRow = TypeVar("AnyRow", Row, Shelf)


def in_rows(job: Job, stacks: Sequence[Sequence[Copy]], most: int) -> tuple[Leaf, ...] | None:
    """Lay copies of several stocks, which all fit a row, on as few sheets as possible.

    All ways of turning pieces and paper are tried. Return None if each takes more than `most`.
    """
    best: tuple[Size, list[list[Row]]] | None = None
    for turn in _TURNS:
        for page in ways(job.paper):
            slots = [_slot(job, page, copies[0].piece.front.stock, turn) for copies in stacks]
            pages = _filled(job, page, stacks, slots, most)
            if pages is not None and len(pages) <= most:
                best, most = (page, pages), len(pages) - 1
    return best and tuple(_leaf(job, best[0], rows) for rows in best[1])


def fits_a_row(job: Job, stock: Stock) -> bool:
    """Return True if a stock fits a row, upright or turned, whichever way the paper lies."""
    return all(
        any(size.fits_in(_room(job, page, stock.bleed)) for size in (stock.trim, stock.trim.turned))
        for page in ways(job.paper)
    )


def _room(job: Job, page: Size, bleed: float) -> Size:
    """Return the room for trims on a page with this bleed around them."""
    edge = job.paper.margin + FAIR_MARK + bleed
    return Size(page.width - 2 * edge, page.height - 2 * (edge + BAND))


def _filled(
    job: Job, page: Size, stacks: Sequence[Sequence[Copy]], slots: Sequence[Slot], most: int
) -> list[list[Row]] | None:
    """Lay the copies in rows, first fit by decreasing height; None if that takes too many pages."""
    room = _room(job, page, 0)
    pages: list[list[Row]] = []
    by_height = sorted(
        zip(slots, stacks, strict=True), key=lambda s: (-s[0].trim.height, -s[0].trim.width)
    )
    for slot, copies in by_height:
        at = 0
        for copy in copies:
            while at < len(pages) and not _put_in(copy, slot, pages[at], room):
                at += 1  # no later copy fits this page, either
            if at == len(pages):
                pages.append([Row((slot,), (copy,))])
            if len(pages) > most:
                return None
    return pages


def _slot(job: Job, page: Size, stock: Stock, turn: Turn) -> Slot:
    gutter = 2 * stock.bleed if job.print_.gutter is None else job.print_.gutter
    either = [Slot(stock, stock.trim, 0, gutter)]
    either.insert(0 if turn(stock.trim) else 1, Slot(stock, stock.trim.turned, 90, gutter))
    room = _room(job, page, stock.bleed)
    return next(slot for slot in either if slot.trim.fits_in(room))


def _put_in(copy: Copy, slot: Slot, rows: list[Row], room: Size) -> bool:
    """Put a copy into the first row of a page with room, else into a new row below them."""
    for after in _longer(copy, slot, rows, room.width + _EPSILON):
        if _height(after) <= room.height + _EPSILON:
            rows[:] = after
            return True
    return False


def _longer(copy: Copy, slot: Slot, rows: Sequence[Row], widest: float) -> Iterator[list[Row]]:
    for place, row in enumerate(rows):
        if row.width_with(slot) <= widest:
            yield [*rows[:place], row.followed_by(copy, slot), *rows[place + 1 :]]
    yield [*rows, Row((slot,), (copy,))]


def _apart(bleed: float, other: float, *, marked: bool) -> float:
    """Return the gap between trims with these bleeds, mm, with room for crop marks."""
    return bleed + other + (2 * FAIR_MARK if marked else 0.0)


def _height(rows: Sequence[AnyRow]) -> float:
    """Return the height of rows with the bleed above and below, mm."""
    trims = summed(row.height for row in rows)
    return rows[0].bleed + trims + summed(_gaps(rows)) + rows[-1].bleed


def _gaps(rows: Sequence[AnyRow]) -> list[float]:
    return [above.gap_to(below) for above, below in pairwise(rows)]


def _leaf(job: Job, page: Size, rows: Sequence[AnyRow]) -> Leaf:
    """Return a sheet with rows in the middle of the page."""
    gaps: list[float] = _gaps(rows)
    y = (page.height - _height(rows)) / 2 + rows[0].bleed
    cells: list[PageCell] = []
    for row, above, below in zip(rows, (math.inf, *gaps), (*gaps, math.inf), strict=True):
        cells += row.cells(page, y, above, below)
        y += row.height + below
    return leaf(page, cells, [copy for row in rows for copy in row.copies], job.backs)


def shelve(job: Job, rests: Sequence[Sequence[Copy]]) -> tuple[Leaf, ...] | None:
    """Lay the rests of several stocks on shared sheets, higher stocks first.

    The paper lies the way that takes fewer sheets. Return None if a stock does not fit.
    """
    best: tuple[Leaf, ...] | None = None
    for page in ways(job.paper):
        leaves = _shelved(job, page, rests)
        if leaves is not None and (best is None or len(leaves) < len(best)):
            best = leaves
    return best


def _shelved(job: Job, page: Size, rests: Sequence[Sequence[Copy]]) -> tuple[Leaf, ...] | None:
    room = page.height - 2 * job.paper.margin - 2 * (BAND + FAIR_MARK)
    pages: list[list[Shelf]] = []
    for rest in sorted(rests, key=lambda copies: -copies[0].piece.front.stock.trim.height):
        for shelf in _shelves_of(job, page, rest):
            if shelf is None or _height([shelf]) > room:
                return None
            fitting = next((rows for rows in pages if _height([*rows, shelf]) <= room), None)
            if fitting is None:
                pages.append([shelf])
            else:
                fitting.append(shelf)
    return tuple(_leaf(job, page, rows) for rows in pages)


def _shelves_of(job: Job, page: Size, rest: Sequence[Copy]) -> list[Shelf | None]:
    stock = rest[0].piece.front.stock
    across = centred(
        page.width, job.paper.margin, AxisExtent(stock.trim.width, stock.bleed, job.print_.gutter)
    )
    if across is None:
        return [None]
    gutter = 2 * stock.bleed if job.print_.gutter is None else job.print_.gutter
    return [
        Shelf(across, stock.trim.height, stock.bleed, gutter, tuple(rest[i : i + across.count]))
        for i in range(0, len(rest), across.count)
    ]
