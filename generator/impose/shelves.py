"""Rests of several stocks in, sheets on which they share rows out: small parts waste no paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.geometry import Rect, Size
from generator.impose.forme import Cell, Copy, Job, Leaf, leaf, ways
from generator.impose.grid import spread
from generator.impose.run import BAND, FAIR_MARK, Blank, Run, centred
from generator.sums import summed


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
    pages: list[list[Shelf]] = []
    for rest in sorted(rests, key=lambda copies: -copies[0].piece.front.stock.trim.height):
        for shelf in _shelves_of(job, page, rest):
            if shelf is None or _height([shelf]) > room:
                return None
            for shelves in pages:
                if _height([*shelves, shelf]) <= room:
                    shelves.append(shelf)
                    break
            else:
                pages.append([shelf])
    return tuple(_leaf(job, page, shelves) for shelves in pages)


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


def _height(shelves: Sequence[Shelf]) -> float:
    """From the first shelf's bleed to the last one's, mm."""
    gaps = (above.gap_to(below) for above, below in pairwise(shelves))
    trims = summed(shelf.height for shelf in shelves)
    return shelves[0].bleed + trims + summed(gaps) + shelves[-1].bleed


def _leaf(job: Job, page: Size, shelves: Sequence[Shelf]) -> Leaf:
    y = (page.height - _height(shelves)) / 2 + shelves[0].bleed
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
