"""Pieces and a paper in, sheets with as many of a stock side by side as fit out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.diagnostics import Diagnostic, Outcome
from generator.impose.faults import too_large
from generator.impose.fold import folded_leaf
from generator.impose.forme import Copy, Flip, Job, Leaf, copies_of, leaf
from generator.impose.grid import Grid, best_folded_grid, best_grid
from generator.impose.rows import fits_a_row, in_rows
from generator.impose.shelves import shelve
from generator.model.pack import Backs
from generator.model.sheet import Piece
from generator.model.stock import Stock

WELL_USED: Final = 0.5
"""The share of a sheet that its pieces take at least; with less they may share it with others."""

MAX_LOOSE: Final = 500
"""Pieces that rows of several stocks are tried for; five times those of Gridpress's own packs."""
MAX_MIXED: Final = 300
"""Stocks of one print that rows of several are tried for: with more, each has its own sheets, or
shares those of shelves."""

Stack = tuple[Grid, tuple[Copy, ...]]
"""All copies of one stock, and the grid that takes the most of them."""


def nup(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Every stock on sheets of its own, in the order in which stocks come up; what does not fill
    a last sheet may share one with the rest of other stocks, and where that takes fewer sheets so
    may pieces of which a sheet of their own holds too few to use it well.

    Errors: GP601 for each stock that no way of laying it fits the paper.
    """
    faults: list[Diagnostic] = []
    stacks: list[Stack] = []
    for stock, pieces in by_stock(job.pieces).items():
        grid = _grid(job, stock)
        if grid is None:
            faults.append(too_large(job, stock, pieces[0]))
        else:
            stacks.append((grid, copies_of(pieces)))
    if faults:
        return Outcome((), tuple(faults))
    if job.backs is Backs.GUTTERFOLD:
        return Outcome(
            tuple(
                folded_leaf(grid.page, grid.cells(), part, grid.fold or Flip.SIDEWAYS)
                for grid, copies in stacks
                for part in in_parts(copies, grid.count)
            )
        )
    sheets = _in_grids(job, stacks)
    mixed = _mixed(job, stacks) if 1 < len(stacks) <= MAX_MIXED else sheets
    return Outcome(mixed if len(mixed) < len(sheets) else sheets)


def by_stock(pieces: Sequence[Piece]) -> dict[Stock, list[Piece]]:
    """Pieces by the stock of their front, stocks in order of appearance."""
    groups: dict[Stock, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.front.stock, []).append(piece)
    return groups


def in_parts(copies: Sequence[Copy], size: int) -> list[Sequence[Copy]]:
    """Copies in parts of at most `size`."""
    return [copies[i : i + size] for i in range(0, len(copies), size)]


def _grid(job: Job, stock: Stock) -> Grid | None:
    best = best_folded_grid if job.backs is Backs.GUTTERFOLD else best_grid
    return best(stock, job.paper, job.print_.gutter)


def _in_grids(job: Job, stacks: Sequence[Stack]) -> tuple[Leaf, ...]:
    return _full_sheets(job, stacks) + _rest(job, stacks)


def _mixed(job: Job, stacks: Sequence[Stack]) -> tuple[Leaf, ...]:
    """What uses its sheets well in grids, and all else in rows of several stocks."""
    kept: list[Stack] = []
    loose: list[Copy] = []
    for grid, copies in stacks:
        alone = not fits_a_row(job, copies[0].piece.front.stock)
        whole = len(copies) if alone else len(copies) - len(copies) % grid.count
        whole = whole if alone or _used(grid) >= WELL_USED else 0
        kept += [(grid, copies[:whole])] if whole else []
        loose += copies[whole:]
    if len(loose) > MAX_LOOSE:
        return _in_grids(job, stacks)
    return _in_grids(job, kept) + (in_rows(job, loose) if loose else ())


def _used(grid: Grid) -> float:
    """The share of a sheet that the pieces of a whole grid take."""
    trims = grid.count * grid.across.trim * grid.down.trim
    return trims / (grid.page.width * grid.page.height)


def _full_sheets(job: Job, stacks: Sequence[Stack]) -> tuple[Leaf, ...]:
    return tuple(
        leaf(grid.page, cells, part, job.backs)
        for grid, copies in stacks
        for cells in (grid.cells(),)
        for part in in_parts(copies, grid.count)
        if len(part) == grid.count
    )


def _rest(job: Job, stacks: Sequence[Stack]) -> tuple[Leaf, ...]:
    """What is left over, on shared sheets if that takes fewer of them."""
    rests = [
        (grid, copies[len(copies) - len(copies) % grid.count :])
        for grid, copies in stacks
        if len(copies) % grid.count
    ]
    shelved = shelve(job, [rest for _, rest in rests]) if len(rests) > 1 else None
    if shelved is not None and len(shelved) < len(rests):
        return shelved
    return tuple(leaf(grid.page, grid.cells(), rest, job.backs) for grid, rest in rests)
