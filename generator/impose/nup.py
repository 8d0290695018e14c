"""Pieces and a paper in, sheets with as many of a stock side by side as fit out."""

from __future__ import annotations

from collections.abc import Sequence

from generator.diagnostics import Diagnostic, Outcome
from generator.impose.faults import too_large
from generator.impose.fold import folded_leaf
from generator.impose.forme import Copy, Job, Leaf, copies_of, leaf
from generator.impose.grid import Grid, best_folded_grid, best_grid
from generator.impose.shelves import shelve
from generator.model.pack import Backs
from generator.model.sheet import Piece
from generator.model.stock import Stock


def nup(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Every stock on sheets of its own, in the order in which stocks come up; what does not fill
    a last sheet may share one with the rest of other stocks.

    Errors: GP601 for each stock that no way of laying it fits the paper.
    """
    faults: list[Diagnostic] = []
    stacks: list[tuple[Grid, tuple[Copy, ...]]] = []
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
                folded_leaf(grid, part)
                for grid, copies in stacks
                for part in in_parts(copies, grid.count)
            )
        )
    return Outcome(_full_sheets(job, stacks) + _rest(job, stacks))


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


def _full_sheets(job: Job, stacks: Sequence[tuple[Grid, tuple[Copy, ...]]]) -> tuple[Leaf, ...]:
    return tuple(
        leaf(grid.page, cells, part, job.backs)
        for grid, copies in stacks
        for cells in (grid.cells(),)
        for part in in_parts(copies, grid.count)
        if len(part) == grid.count
    )


def _rest(job: Job, stacks: Sequence[tuple[Grid, tuple[Copy, ...]]]) -> tuple[Leaf, ...]:
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
