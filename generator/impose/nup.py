"""Lays as many pieces side by side as fit: in grids of one stock, the rest in shared rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.diagnostics import Diagnostic, Outcome
from generator.impose.page_layout import (
    Copy,
    Flip,
    Grid,
    Job,
    Leaf,
    best_folded_grid,
    best_grid,
    by_stock,
    copies_of,
    folded_leaf,
    in_parts,
    leaf,
    too_large,
)
from generator.impose.rows import fits_a_row, in_rows, shelve
from generator.model.catalogue import Stock
from generator.model.pack import Backs

WELL_USED: Final = (0.5, 0.7)
"""Shares of a sheet that pieces must cover to keep it for themselves. Both are tried: pieces in
grids fill no gaps, and loose pieces may need more sheets."""
Stack = tuple[Grid, tuple[Copy, ...]]
"""The best grid for a stock, and all copies of it."""


def nup(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Lay each stock on sheets of its own, in order of appearance.

    Copies that do not fill a last sheet share one with other stocks. So do pieces that use their
    sheets badly, if that takes fewer sheets. Errors: GP601 for each stock too large for the paper.
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
    sheets = _full_sheets(job, stacks) + _rest(job, stacks)
    if len(stacks) > 1:
        kept = dict.fromkeys(tuple(_used(g) >= share for g, _ in stacks) for share in WELL_USED)
        for well_used in kept:
            sheets = _mixed(job, stacks, well_used, len(sheets) - 1) or sheets
    return Outcome(sheets)


def _grid(job: Job, stock: Stock) -> Grid | None:
    best = best_folded_grid if job.backs is Backs.GUTTERFOLD else best_grid
    return best(stock, job.paper, job.print_.gutter)


def _mixed(
    job: Job, stacks: Sequence[Stack], well_used: Sequence[bool], most: int
) -> tuple[Leaf, ...] | None:
    """Lay stocks that use their sheets well in grids, and the rest in rows of several stocks.

    Return None if that takes more than `most` sheets.
    """
    kept: list[Stack] = []
    loose: list[tuple[Copy, ...]] = []
    for (grid, copies), well in zip(stacks, well_used, strict=True):
        alone = not fits_a_row(job, copies[0].piece.front.stock)
        whole = len(copies) if alone else len(copies) - len(copies) % grid.count
        whole = whole if alone or well else 0
        kept += [(grid, copies[:whole])] if whole else []
        loose += [copies[whole:]] if whole < len(copies) else []
    in_grids = _full_sheets(job, kept) + _rest(job, kept)
    rows = in_rows(job, loose, most - len(in_grids))
    return None if rows is None else in_grids + rows


def _used(grid: Grid) -> float:
    """Return the share of a sheet that the pieces of a full grid cover."""
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
    """Lay the copies that fill no sheet, on shared sheets if that takes fewer."""
    rests = [
        (grid, copies[len(copies) - len(copies) % grid.count :])
        for grid, copies in stacks
        if len(copies) % grid.count
    ]
    shelved = shelve(job, [rest for _, rest in rests]) if len(rests) > 1 else None
    if shelved is not None and len(shelved) < len(rests):
        return shelved
    return tuple(leaf(grid.page, grid.cells(), rest, job.backs) for grid, rest in rests)
