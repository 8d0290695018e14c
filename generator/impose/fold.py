"""Copies and cells before a fold in, sheets with the backs beyond the fold out."""

from __future__ import annotations

from collections.abc import Sequence

from generator.geometry import Point, Size
from generator.impose.forme import Cell, Copy, Flip, Forme, Leaf, back_items, front_item
from generator.impose.marks import FOLD_DASH
from generator.impose.run import BAND
from generator.model.sheet import Layer, LineMark, Side


def folded_leaf(page: Size, cells: Sequence[Cell], copies: Sequence[Copy], fold: Flip) -> Leaf:
    """One page: fronts before the fold, backs beyond it, where folding brings each behind its
    front; no more copies than there are cells."""
    filled = tuple(zip(copies, cells, strict=False))
    fronts = tuple(front_item(copy, cell) for copy, cell in filled)
    backs = back_items(filled, page, fold)
    return (Forme(page, Side.FRONT, fronts + backs, lines=(_fold_line(page, fold),)),)


def _fold_line(page: Size, fold: Flip) -> LineMark:
    """Across the middle of the page, ending where ruler or slug may stand."""
    x, y = page.width / 2, page.height / 2
    inset = 2 * BAND
    if fold is Flip.SIDEWAYS:
        ends = Point(x, inset), Point(x, page.height - inset)
    else:
        ends = Point(inset, y), Point(page.width - inset, y)
    return LineMark(Layer.FOLD, *ends, dash=FOLD_DASH)
