"""Hexagons in honeycombs: as many as fit, with shared cut lines."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from impose.samples import A4, LETTER, POKER, close, order, piece, sheets
from msgspec.structs import replace

from generator.geometry import Point, Size
from generator.impose.nested import (
    Honeycomb,
    best_nest,
    bleeding,
    cut_lines,
    honeycombs,
    neighbours,
    shared_length,
)
from generator.impose.page_layout import best_folded_grid, best_grid
from generator.model.catalogue import Paper, Shape, Stock
from generator.model.face import LineMark, PathMark, TextMark
from generator.model.pack import Layout
from generator.outlines import hexagon

TILE = Stock("tile", Size(50.8, 43.99), shape=Shape.HEXAGON)
SPIKE = Stock("spike", Size(22, 25.4), 2, shape=Shape.HEXAGON)
papers = st.sampled_from([A4, LETTER])
gutters = st.sampled_from([0.0, 0.5, 2.0, 5.0, 8.0])


@st.composite
def tiles(draw: st.DrawFn) -> Stock:
    """Hexagons that are regular, or nearly."""
    across = draw(st.floats(20, 90))
    long = across * 2 / math.sqrt(3) * draw(st.sampled_from([1.0, 1.0, 0.95, 1.06]))
    size = Size(across, long) if draw(st.booleans()) else Size(long, across)
    return Stock("tile", size, draw(st.sampled_from([0.0, 1.0, 3.0])), shape=Shape.HEXAGON)


@given(tiles(), papers, gutters, st.booleans())
def test_a_nest_takes_no_fewer_than_any_other_way(
    stock: Stock, paper: Paper, gutter: float, folded: bool
) -> None:
    nest = best_nest(stock, paper, gutter, folded)
    rows = (best_folded_grid if folded else best_grid)(stock, paper, gutter)
    others: list[Any] = [*honeycombs(stock, paper, gutter, folded), *([rows] if rows else [])]
    assert (nest is None) == (not others)
    for other in others:
        assert nest is not None
        if other.ruled == nest.ruled:
            assert nest.count >= other.count


@settings(max_examples=15)
@given(tiles(), papers, gutters)
def test_facing_edges_are_a_gutter_apart(stock: Stock, paper: Paper, gutter: float) -> None:
    for comb in honeycombs(stock, paper, gutter, False):
        cells = comb.cells()
        assert len(cells) == comb.count
        for cell, facing in zip(cells, neighbours(cells, gutter), strict=True):
            for other in (cells[n] for n in facing if n is not None):
                depth = gap(hexagon(cell.trim), hexagon(other.trim))
                assert depth == pytest.approx(gutter, abs=1e-6)


def gap(one: tuple[Point, ...], other: tuple[Point, ...]) -> float:
    """Return the distance of two parallel hexagons."""
    best = -math.inf
    for start, end in zip(one, (*one[1:], one[0]), strict=True):
        length = math.dist((start.x, start.y), (end.x, end.y))
        out = Point((end.y - start.y) / length, (start.x - end.x) / length)
        away = min((p.x - start.x) * out.x + (p.y - start.y) * out.y for p in other)
        best = max(best, away)
    return best


@given(tiles(), papers)
def test_every_edge_is_cut_once(stock: Stock, paper: Paper) -> None:
    nest = best_nest(stock, paper, 0.0)
    if nest is None:
        return
    cells = nest.cells()
    cut = Counter(
        frozenset({spot(a), spot(b)}) for line in cut_lines(cells) for a, b in pairwise(line)
    )
    assert set(cut.values()) == {1}
    edges = {
        frozenset({spot(a), spot(b)})
        for cell in cells
        for corners in (hexagon(cell.trim),)
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
    }
    assert set(cut) == edges
    total = sum(math.dist((a.x, a.y), (b.x, b.y)) for line in cut_lines(cells)
                for a, b in pairwise(line))  # fmt: skip
    around = sum(perimeter(cell.trim.size) for cell in cells)
    assert total + shared_length(cells) == pytest.approx(around)


def spot(point: Point) -> tuple[int, int]:
    """Return a cell off the grid lines, where rounding would split one point into two."""
    return math.floor((point.x + 0.0123) * 50), math.floor((point.y + 0.0123) * 50)


def perimeter(size: Size) -> float:
    short, long = sorted((size.width, size.height))
    return 4 * math.hypot(short / 2, long / 4) + 2 * (long / 2)


def test_chariot_tiles_on_a4() -> None:
    nest = best_nest(TILE, A4, 0.0)
    rows = best_grid(TILE, A4, 0.0)
    assert isinstance(nest, Honeycomb)
    assert rows is not None
    assert (nest.count, rows.count) == (25, 20)


def test_rows_of_boxes_where_they_take_more() -> None:
    large = Stock("large", Size(95, 82.27), shape=Shape.HEXAGON)
    paper = Paper("square", "square", Size(210, 210))
    nest = best_nest(large, paper, 0.0)
    assert nest is not None
    assert not isinstance(nest, Honeycomb)
    assert nest.count == 4


def test_free_edges_bleed_and_shared_ones_end_at_the_cut() -> None:
    comb = best_nest(SPIKE, A4, 0.0)
    assert isinstance(comb, Honeycomb)
    cells = comb.cells()
    inner = [
        cell
        for cell, facing in zip(bleeding(cells, 0.0), neighbours(cells, 0.0), strict=True)
        if None not in facing
    ]
    assert inner
    for cell in inner:
        assert all(map(close, sorted_(cell.edge), sorted_(hexagon(cell.trim))))
    (alone,) = bleeding(cells[:1], 0.0)
    assert alone.art == cells[0].art


def sorted_(points: tuple[Point, ...]) -> list[Point]:
    distinct = {(round(p.x, 6), round(p.y, 6)) for p in points}
    return [Point(x, y) for x, y in sorted(distinct)]


def test_other_shapes_lie_as_with_nup() -> None:
    pieces = [piece("card", POKER, 11), piece("tile", TILE, 3)]
    laid = sheets(pieces, layout=Layout.NESTED)
    alone = sheets(pieces[:1])
    tiled = [s for s in laid if s.placements[0].face.stock is TILE]
    cards = [s for s in laid if s.placements[0].face.stock is POKER]
    assert (len(tiled), len(cards)) == (2, len(alone))
    assert [s.placements for s in cards] == [s.placements for s in alone]


def test_the_slug_tells_the_waste_of_the_sheet() -> None:
    front, back = sheets([piece("tile", TILE, 25)], layout=Layout.NESTED)
    used = 25 * 0.75 * 50.8 * 43.99
    (slug,) = [m for m in front.marks if isinstance(m, TextMark) and "sheet" in m.text]
    assert f"waste {1 - used / (200 * 287):.0%}".replace("%", " %") in slug.text
    assert not any("waste" in m.text for m in back.marks if isinstance(m, TextMark))


def test_a_gutter_gives_each_tile_its_own_die_line() -> None:
    (sheet,) = sheets([piece("tile", TILE, 12, back=False)], layout=Layout.NESTED, gutter=2)
    assert sum(isinstance(mark, PathMark) for mark in sheet.marks) == 12
    assert not any(isinstance(m, LineMark) and m.layer.name == "CUT" for m in sheet.marks)


def test_a_tile_that_no_paper_takes() -> None:
    huge = replace(TILE, trim=Size(400, 346.41))
    outcome = order([piece("a", huge), piece("b", TILE)], layout=Layout.NESTED)
    assert [d.code for d in outcome.diagnostics] == ["GP601"]
    assert outcome.value == ()
