"""Grids, remainders, backs, inaccurate printers, and refusals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from impose.samples import (
    A3,
    A4,
    EURO_POKER,
    LETTER,
    PHOTO,
    POKER,
    PRINT_SPAN,
    order,
    piece,
    sheets,
)

from generator.geometry import Point, Size
from generator.impose.page_layout import PageCell, best_grid
from generator.impose.sheet_marks import on_page
from generator.model.catalogue import Fold, Paper, PrinterProfile, Shape, Stock
from generator.model.face import LineMark, PdfLayer, Placement, PrintedPiece, Side, TextMark
from generator.model.pack import Backs, Layout
from generator.outlines import die, folds

papers = st.sampled_from([A4, LETTER, A3, PHOTO])
gutters = st.none() | st.sampled_from([0.0, 1.0, 3.0, 6.0, 12.0]) | st.floats(0, 15)
sides = st.floats(9, 130).map(lambda mm: round(mm, 2))
shapes = st.sampled_from([Shape.RECTANGLE, Shape.CIRCLE, Shape.HEXAGON])


@st.composite
def stocks(draw: st.DrawFn, name: str = "stock") -> Stock:
    bleed = draw(st.sampled_from([0.0, 0.5, 2.0, 3.0, 5.0]))
    return Stock(name, Size(draw(sides), draw(sides)), bleed, shape=draw(shapes))


@given(stocks(), papers, st.integers(1, 60), gutters)
def test_one_stock_takes_no_more_sheets_than_its_grid_demands(
    stock: Stock, paper: Paper, copies: int, gutter: float | None
) -> None:
    one = order([piece("a", stock, copies, back=False)], paper, gutter=gutter).value
    if not one:
        return
    grid = best_grid(stock, paper, gutter)
    assert grid is not None
    per_sheet = grid.count
    assert len(one) == math.ceil(copies / per_sheet)
    assert [len(s.placements) for s in one[:-1]] == [per_sheet] * (len(one) - 1)


@pytest.mark.parametrize(
    ("stock", "paper", "gutter", "count"),
    [
        (EURO_POKER, A4, None, 9),
        (POKER, A4, None, 9),
        (EURO_POKER, A4, 0, 9),
        (POKER, LETTER, None, 8),
        (POKER, LETTER, 0, 9),
        (EURO_POKER, LETTER, 0, 9),
        (POKER, A4, 6, 8),
        (POKER, PHOTO, None, 2),
        (Stock("licence", Size(148, 105)), A4, 6, 2),
        (Stock("reference", Size(186, 250), bleed=0), LETTER, None, 1),
    ],
)
def test_as_many_as_people_expect(
    stock: Stock, paper: Paper, gutter: float | None, count: int
) -> None:
    (sheet, *_) = sheets([piece("a", stock, 40)], paper, gutter=gutter)
    assert len(sheet.placements) == count
    labels = {m.text for m in sheet.marks if isinstance(m, TextMark)}
    assert {"100 mm", "4 in"} <= labels or (paper is PHOTO and {"50 mm", "2 in"} <= labels)


def test_pages_are_numbered_by_sheet() -> None:
    laid = sheets([piece("a", POKER, 10)])
    assert [s.label for s in laid] == ["1 front", "1 back", "2 front", "2 back"]
    assert [s.label for s in sheets([piece("a", POKER, 10, back=False)])] == ["1", "2"]
    assert [s.side for s in sheets([piece("a", POKER)], backs=Backs.NONE)] == [Side.FRONT]


def test_what_the_printer_shifts_is_shifted_the_other_way() -> None:
    profile = PrinterProfile("inkjet", Point(0.3, -0.1), Point(-0.5, 0.2))
    plain, moved = (sheets([piece("a", POKER, 9)], profile=p) for p in (PrinterProfile(), profile))
    for before, after, by in zip(plain, moved, (profile.front, profile.back), strict=True):
        for one, other in zip(before.placements, after.placements, strict=True):
            assert (other.x, other.y) == pytest.approx((one.x - by.x, one.y - by.y))
        for layer, offset in ((PdfLayer.CUT, by), (PdfLayer.GUIDES, Point(0, 0))):
            marks = [
                [m for m in s.marks if isinstance(m, LineMark) and m.layer is layer]
                for s in (before, after)
            ]
            if layer is PdfLayer.CUT and before.side is Side.BACK:
                assert marks == [[], []]
            upright = [[m for m in side if m.start.x == m.end.x] for side in marks]
            for one, other in zip(*upright, strict=True):
                assert other.start.x == pytest.approx(one.start.x - offset.x, abs=1e-3)


def test_small_rests_share_a_sheet() -> None:
    round_ = Stock("round", Size(25.4, 25.4), shape=Shape.CIRCLE)
    square = Stock("square", Size(20, 20), bleed=2)
    pieces = [piece("a", round_, 5), piece("b", square, 7), piece("c", POKER, 2)]
    front, back = sheets(pieces)
    assert len(front.placements) == len(back.placements) == 14
    rows = {p.y: p.face.stock for p in front.placements}
    assert [rows[y] for y in sorted(rows)] == [POKER, round_, square]


def test_too_large_for_the_paper() -> None:
    board = Stock("board", Size(300, 120))
    outcome = order([piece("hippodrome", board)])
    assert outcome.value == ()
    (fault,) = outcome.diagnostics
    assert fault.code == "GP601"
    assert (fault.span.file, fault.span.line, fault.span.column) == ("cards/x/a.yaml", 4, 5)
    assert "300 × 120 mm" in fault.message
    assert "200 × 287 mm" in fault.message


def test_too_large_for_half_a_sheet() -> None:
    (fault,) = order([piece("a", Stock("s", Size(180, 150)))], backs=Backs.GUTTERFOLD).diagnostics
    assert fault.code == "GP601"
    assert "fold" in fault.message
    assert "duplex-long" in fault.hint


@pytest.mark.parametrize("layout", [Layout.NUP, Layout.NESTED])
def test_what_is_too_large_is_split_where_its_print_says_so(layout: Layout) -> None:
    board = Stock("board", Size(300, 120), bleed=3)
    pieces = [piece("small", POKER, 2), piece("hippodrome", board, 2)]
    laid = sheets(pieces, layout=layout, split=True)
    parts = [s for s in laid if any(p.poster for p in s.placements)]
    assert [p.poster.columns * p.poster.rows for s in parts for p in s.placements if p.poster] == [
        2
    ] * 4
    assert {p.face.component for s in laid for p in s.placements} == {"small", "hippodrome"}
    # Fronts and backs alternate; otherwise a two-sided print would end up behind the next front.
    assert [s.side for s in laid] == [Side.FRONT, Side.BACK] * (len(laid) // 2)
    backs = [s for s in laid if s.side is Side.BACK]
    assert {p.face.component for s in backs for p in s.placements} == {"small"}
    [fault] = order(pieces, layout=layout).diagnostics
    assert "split: true" in fault.hint


def test_what_is_split_over_too_many_pages_is_told() -> None:
    huge = Stock("huge", Size(9000, 9000))
    [fault] = order([piece("a", huge), piece("b", POKER)], split=True).diagnostics
    assert fault.code == "GP608"


def test_every_stock_that_does_not_fit_is_named() -> None:
    large = [piece(n, Stock(n, Size(400, 400))) for n in ("a", "b")]
    found = order([*large, piece("c", POKER)]).diagnostics
    assert [d.code for d in found] == ["GP601", "GP601"]


@pytest.mark.parametrize("pieces", [[], [piece("a", POKER, 0)]])
def test_nothing_to_print(pieces: list[PrintedPiece]) -> None:
    (fault,) = order(pieces).diagnostics
    assert (fault.code, fault.span) == ("GP606", PRINT_SPAN)


@pytest.mark.parametrize("backs", [Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT, Backs.GUTTERFOLD])
@pytest.mark.parametrize("paper", [A4, PHOTO])
def test_the_outline_of_an_uneven_piece_meets_on_both_sides(backs: Backs, paper: Paper) -> None:
    crease = Fold(Point(0, 20), Point(10, 20))
    path = "M0 0 H10 V20 H30 V45 H0 Z"
    ell = Stock("ell", Size(30, 45), shape=Shape.PATH, path=path, folds=(crease,))
    laid = sheets([piece("l", ell, 2)], paper, backs)
    placed = [each for sheet in laid for each in sheet.placements]
    fronts, behind = (
        [_outline(each) for each in placed if each.side is side] for side in (Side.FRONT, Side.BACK)
    )
    width, height = laid[0].size.width, laid[0].size.height
    mirrors = ((width, -1, 0, 1), (0, 1, height, -1))
    assert len(fronts) == 2
    assert any(
        [{(round(a + b * x, 3), round(c + d * y, 3)) for x, y in cut} for cut in behind] == fronts
        for a, b, c, d in mirrors
    )


def _outline(placed: Placement) -> set[tuple[float, float]]:
    """Return the corners of a piece and the ends of its folds on the page, as its side is drawn."""
    stock, name = placed.face.stock, placed.face.name
    cell = PageCell(placed.trim, placed.trim, placed.rotation)
    points = [Point(*numbers) for _, numbers in die(stock, name) if numbers]
    points += [end for fold in folds(stock, name) for end in (fold.start, fold.end)]
    found = (on_page(stock, cell, point) for point in points)
    return {(round(point.x, 3), round(point.y, 3)) for point in found}
