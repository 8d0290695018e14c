"""Copies of many stocks in, sheets on which different ones stand side by side in rows out.

Rows waste less than a grid or shelves of one stock each where hardly two pieces have one size. They
are filled first fit by decreasing height (Coffman, Garey, Johnson and Tarjan, 1980).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from generator.geometry import Rect, Size
from generator.impose.forme import Cell, Copy, Guide, Job, Leaf, guide_of, leaf, ways
from generator.impose.grid import spread
from generator.impose.run import BAND, FAIR_MARK
from generator.model.stock import Stock
from generator.sums import summed

_EPSILON: Final = 1e-6

Turn = Callable[[Size], bool]
"""Whether a piece of this size is turned by a quarter, if it fits so."""
_TURNS: Final[tuple[Turn, ...]] = (
    lambda _: False,
    lambda size: size.height > size.width,
    lambda size: size.width > size.height,
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A copy in a row, turned or not; `gutter` is the gap to another of its stock, mm."""

    copy: Copy
    stock: Stock
    trim: Size
    rotation: int
    gutter: float

    @property
    def marked(self) -> bool:
        """True when crop marks stand around it."""
        return guide_of(self.stock) is Guide.CROP

    def gap_to(self, other: Slot) -> float:
        """mm to a neighbour: where either has crop marks there is room for those of both."""
        if self.stock == other.stock:
            return self.gutter
        return _apart(self.stock.bleed, other.stock.bleed, marked=self.marked or other.marked)

    def bleed_to(self, other: Slot | None) -> float:
        """mm of bleed that shows towards a neighbour."""
        bleed = self.stock.bleed
        alike = other is not None and self.stock == other.stock
        return min(bleed, self.gutter / 2) if alike else bleed


@dataclass(frozen=True)
class Row:
    """Slots from left to right, the highest first, mm."""

    slots: Sequence[Slot] = ()

    @property
    def height(self) -> float:
        """Of the highest trim."""
        return self.slots[0].trim.height

    @cached_property
    def bleed(self) -> float:
        """The most that any has."""
        return max(slot.stock.bleed for slot in self.slots)

    @cached_property
    def marked(self) -> bool:
        """True when crop marks stand around any."""
        return any(slot.marked for slot in self.slots)

    @property
    def gaps(self) -> list[float]:
        """Between the trims."""
        return [left.gap_to(right) for left, right in pairwise(self.slots)]

    @cached_property
    def trims(self) -> float:
        """The widths of all trims."""
        return summed(slot.trim.width for slot in self.slots)

    @cached_property
    def width(self) -> float:
        """From the first bleed to the last."""
        outer = self.slots[0].stock.bleed + self.slots[-1].stock.bleed
        return outer + self.trims + summed(self.gaps)

    def gap_to(self, below: Row) -> float:
        """mm to the next row."""
        return _apart(self.bleed, below.bleed, marked=self.marked or below.marked)


MAX_OPEN: Final = 40
"""Sheets that are looked at for room for one more piece: the last ones that were begun."""


def in_rows(job: Job, copies: Sequence[Copy]) -> tuple[Leaf, ...]:
    """The copies, which all fit a row, on as few sheets as any way of turning pieces and paper
    takes."""
    tries = (_filled(job, page, copies, turn) for turn in _TURNS for page in ways(job.paper))
    return min(tries, key=len)


def fits_a_row(job: Job, stock: Stock) -> bool:
    """True when a stock can stand in a row, upright or turned, whichever way the paper lies."""
    return all(
        any(size.fits_in(_room(job, page, stock.bleed)) for size in (stock.trim, stock.trim.turned))
        for page in ways(job.paper)
    )


def _room(job: Job, page: Size, bleed: float) -> Size:
    """What trims may take on a page, with this bleed around them all."""
    edge = job.paper.margin + FAIR_MARK + bleed
    return Size(page.width - 2 * edge, page.height - 2 * (edge + BAND))


def _filled(job: Job, page: Size, copies: Sequence[Copy], turn: Turn) -> tuple[Leaf, ...]:
    slots = [_slot(job, page, copy, turn) for copy in copies]
    stocks = {stock: place for place, stock in enumerate(dict.fromkeys(s.stock for s in slots))}
    room = _room(job, page, 0)
    pages: list[list[Row]] = []
    for slot in sorted(slots, key=lambda s: (-s.trim.height, -s.trim.width, stocks[s.stock])):
        _stand(slot, pages, room)
    return tuple(_leaf(job, page, rows) for rows in pages)


def _slot(job: Job, page: Size, copy: Copy, turn: Turn) -> Slot:
    stock = copy.piece.front.stock
    gutter = 2 * stock.bleed if job.print_.gutter is None else job.print_.gutter
    either = [Slot(copy, stock, stock.trim, 0, gutter)]
    either.insert(0 if turn(stock.trim) else 1, Slot(copy, stock, stock.trim.turned, 90, gutter))
    room = _room(job, page, stock.bleed)
    return next(slot for slot in either if slot.trim.fits_in(room))


def _stand(slot: Slot, pages: list[list[Row]], room: Size) -> None:
    """Put a slot into the first row or onto the first page that takes it, else onto a new one."""
    for rows in pages[-MAX_OPEN:]:
        for place, row in enumerate((*rows, Row())):
            if row.trims + slot.trim.width > room.width + _EPSILON:
                continue  # most rows are full, and that is seen without their gaps
            longer = Row([*row.slots, slot])
            after = [*rows[:place], longer, *rows[place + 1 :]]
            if longer.width <= room.width + _EPSILON and _height(after) <= room.height + _EPSILON:
                rows[:] = after
                return
    pages.append([Row([slot])])


def _apart(bleed: float, other: float, *, marked: bool) -> float:
    """mm between trims with these bleeds, and crop marks if any."""
    return bleed + other + (2 * FAIR_MARK if marked else 0.0)


def _height(rows: Sequence[Row]) -> float:
    """From the first row's bleed to the last one's, mm."""
    gaps = (above.gap_to(below) for above, below in pairwise(rows))
    return rows[0].bleed + summed(row.height for row in rows) + summed(gaps) + rows[-1].bleed


def _leaf(job: Job, page: Size, rows: Sequence[Row]) -> Leaf:
    y = (page.height - _height(rows)) / 2 + rows[0].bleed
    cells: list[Cell] = []
    for i, row in enumerate(rows):
        cells += _cells(row, page, y)
        y += row.height + (row.gap_to(rows[i + 1]) if i + 1 < len(rows) else 0)
    return leaf(page, cells, [slot.copy for row in rows for slot in row.slots], job.backs)


def _cells(row: Row, page: Size, y: float) -> list[Cell]:
    x = (page.width - row.width) / 2 + row.slots[0].stock.bleed
    cells = []
    for left, slot, right in zip(
        (None, *row.slots), row.slots, (*row.slots[1:], None), strict=False
    ):
        trim, bleed = Rect(x, y, slot.trim.width, slot.trim.height), slot.stock.bleed
        before, after = (slot.bleed_to(other) for other in (left, right))
        cells.append(Cell(trim, spread(trim, before, bleed, after, bleed), slot.rotation))
        x += slot.trim.width + (slot.gap_to(right) if right else 0)
    return cells
