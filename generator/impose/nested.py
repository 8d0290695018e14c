"""Pieces and a paper in, sheets on which hexagons stand edge to edge out: one cut for two tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generator.diagnostics import Diagnostic, Outcome
from generator.impose.faults import too_large
from generator.impose.fold import folded_leaf
from generator.impose.forme import Copy, Flip, Guide, Item, Job, Leaf, copies_of, leaf
from generator.impose.grid import RULER_WORTH, Grid, best_folded_grid, best_grid
from generator.impose.honeycomb import Honeycomb, honeycombs
from generator.impose.neighbours import bleeding, cut_lines, shared_length
from generator.impose.nup import by_stock, in_parts, nup
from generator.model.pack import Backs
from generator.model.sheet import Side
from generator.model.stock import Paper, Shape, Stock
from generator.outlines import area
from generator.sums import summed
from generator.waste import printable_area, wasted

Nest = Grid | Honeycomb
"""Tiles of one stock on a page: in a honeycomb, or in rows of their boxes where that takes more."""


def nested(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Hexagons nested, each stock on sheets of its own in the order in which stocks come up; then
    all other shapes as n-up has them.

    Errors: GP601 for each stock that no way of laying it fits the paper.
    """
    faults: list[Diagnostic] = []
    leaves: list[Leaf] = []
    others = []
    gutter = job.print_.gutter or 0.0
    folded = job.backs is Backs.GUTTERFOLD
    for stock, pieces in by_stock(job.pieces).items():
        if stock.shape is not Shape.HEXAGON:
            others += pieces
            continue
        nest = best_nest(stock, job.paper, gutter, folded)
        if nest is None:
            faults.append(too_large(job, stock, pieces[0]))
            continue
        leaves += [_leaf(job, nest, part) for part in in_parts(copies_of(pieces), nest.count)]
    if others:
        rest = nup(replace(job, pieces=tuple(others)))
        faults += rest.diagnostics
        leaves += rest.value
    return Outcome(() if faults else tuple(leaves), tuple(faults))


def best_nest(stock: Stock, paper: Paper, gutter: float, folded: bool = False) -> Nest | None:
    """The arrangement that takes the most tiles; of equals the one with the longest shared cuts,
    then the most bleed at its outer edges. None when nothing fits.

    Room for ruler and slug is kept unless that would cost more than `RULER_WORTH` of the tiles.
    """
    rows = (best_folded_grid if folded else best_grid)(stock, paper, gutter)
    nests: list[Nest] = [*honeycombs(stock, paper, gutter, folded)]
    nests += [rows] if rows else []
    most = max((_worth(nest) for nest in nests), default=None)
    equals = [nest for nest in nests if _worth(nest) == most]
    return max(equals, key=lambda nest: _merit(nest, gutter), default=None)


def _worth(nest: Nest) -> tuple[float, bool]:
    return (nest.count if nest.ruled else nest.count * (1 - RULER_WORTH)), nest.ruled


def _merit(nest: Nest, gutter: float) -> tuple[float, float, bool, bool]:
    shared = 0.0 if gutter else round(shared_length(nest.cells()), 3)
    upright = nest.page.height >= nest.page.width
    return shared, round(nest.shown, 3), nest.rotation == 0, upright


def _leaf(job: Job, nest: Nest, copies: Sequence[Copy]) -> Leaf:
    gutter = job.print_.gutter or 0.0
    cells = nest.cells()[: len(copies)]
    if isinstance(nest, Honeycomb):
        cells = bleeding(cells, gutter)
    if job.backs is Backs.GUTTERFOLD:
        formes = folded_leaf(nest.page, cells, copies, nest.fold or Flip.SIDEWAYS)
    else:
        formes = leaf(nest.page, cells, copies, job.backs)
    used = summed(area(item.face.stock) for item in formes[0].items)
    share = wasted(used, printable_area(job.paper, nest.page))
    front = replace(formes[0], note=f"waste {share:.0%}".replace("%", " %"))
    if gutter == 0:
        items = tuple(map(_sharing, front.items))
        front = replace(front, items=items, cuts=cut_lines(cells))
    return (front, *formes[1:])


def _sharing(item: Item) -> Item:
    return replace(item, guide=Guide.SHARED) if item.side is Side.FRONT else item
