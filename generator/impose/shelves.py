"""Rests of several stocks in, sheets on which they share rows out: small parts waste no paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from generator.geometry import Rect, Size
from generator.impose.forme import Cell, Copy, Job, Leaf, leaf, ways
from generator.impose.grid import spread
from generator.impose.run import BAND, FAIR_MARK, Blank, Run, centred

MAX_OPEN: Final = 200
"""Sheets that are looked at for room for one more row: the last ones that were begun."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """A row of one stock: its columns, height and bleed, mm, and the copies on it."""

    across: Run
    height: float
    bleed: float
    gutter: float
    copies: tuple[Copy, ...]

    def gap_to(self, below: Shelf) -> float:
        """mm to the next shelf; between stocks there is room for both shelves' crop marks."""
        if self.across == below.across and self.height == below.height:
            return self.gutter
        return self.bleed + below.bleed + 2 * FAIR_MARK


@dataclass(slots=True)
class _Page:
    """Shelves one below the other, and their trims and the gaps between them, mm."""

    shelves: list[Shelf] = field(default_factory=list)
    trims: float = 0.0
    gaps: float = 0.0

    def height_with(self, shelf: Shelf) -> float:
        """From the first shelf's bleed to that of one more, mm."""
        first = self.shelves[0] if self.shelves else shelf
        return first.bleed + (self.trims + shelf.height) + self._gaps_with(shelf) + shelf.bleed

    def add(self, shelf: Shelf) -> None:
        """Put one more below the others."""
        self.gaps = self._gaps_with(shelf)
        self.trims += shelf.height
        self.shelves.append(shelf)

    def _gaps_with(self, shelf: Shelf) -> float:
        return self.gaps + (self.shelves[-1].gap_to(shelf) if self.shelves else 0.0)


def shelve(job: Job, rests: Sequence[Sequence[Copy]]) -> tuple[Leaf, ...] | None:
    """The rests on shared sheets, higher stocks first, on whichever way of the paper takes fewer
    sheets; None when a stock does not fit so."""
    best: tuple[Leaf, ...] | None = None
    for page in ways(job.paper):
        leaves = _shelved(job, page, rests)
        if leaves is not None and (best is None or len(leaves) < len(best)):
            best = leaves
    return best


def _shelved(job: Job, page: Size, rests: Sequence[Sequence[Copy]]) -> tuple[Leaf, ...] | None:
    room = page.height - 2 * job.paper.margin - 2 * (BAND + FAIR_MARK)
    pages: list[_Page] = []
    for rest in sorted(rests, key=lambda copies: -copies[0].piece.front.stock.trim.height):
        for shelf in _shelves_of(job, page, rest):
            if shelf is None or _Page().height_with(shelf) > room:
                return None
            begun = (begun for begun in pages[-MAX_OPEN:] if begun.height_with(shelf) <= room)
            fitting = next(begun, None)
            if fitting is None:
                fitting = _Page()
                pages.append(fitting)
            fitting.add(shelf)
    return tuple(_leaf(job, page, filled) for filled in pages)


def _shelves_of(job: Job, page: Size, rest: Sequence[Copy]) -> list[Shelf | None]:
    stock = rest[0].piece.front.stock
    across = centred(
        page.width, job.paper.margin, Blank(stock.trim.width, stock.bleed, job.print_.gutter)
    )
    if across is None:
        return [None]
    gutter = 2 * stock.bleed if job.print_.gutter is None else job.print_.gutter
    return [
        Shelf(across, stock.trim.height, stock.bleed, gutter, tuple(rest[i : i + across.count]))
        for i in range(0, len(rest), across.count)
    ]


def _leaf(job: Job, page: Size, filled: _Page) -> Leaf:
    shelves = filled.shelves
    height = shelves[0].bleed + filled.trims + filled.gaps + shelves[-1].bleed
    y = (page.height - height) / 2 + shelves[0].bleed
    cells: list[Cell] = []
    for i, shelf in enumerate(shelves):
        above = shelves[i - 1].gap_to(shelf) if i else 2 * shelf.bleed
        below = shelf.gap_to(shelves[i + 1]) if i + 1 < len(shelves) else 2 * shelf.bleed
        bleeds = min(shelf.bleed, above / 2), min(shelf.bleed, below / 2)
        for (x, left, right), _ in zip(shelf.across.spans(), shelf.copies, strict=False):
            trim = Rect(x, y, shelf.across.trim, shelf.height)
            cells.append(Cell(trim, spread(trim, left, bleeds[0], right, bleeds[1])))
        y += shelf.height + below
    copies = [copy for shelf in shelves for copy in shelf.copies]
    return leaf(page, cells, copies, job.backs)
