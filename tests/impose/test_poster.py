"""Posters: windows step evenly, no mark stays visible, and pages explain the glueing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from impose.samples import A3, A4, LETTER, PHOTO, area, order, piece

from generator.geometry import Point, Rect, Size
from generator.impose.poster import (
    BITE,
    EDGE,
    FOOT,
    MOST_PAGES,
    best_tiling,
    page_name,
    windows,
)
from generator.model.catalogue import Paper, PrinterProfile, Shape, Stock
from generator.model.face import (
    LineMark,
    PathMark,
    PdfLayer,
    Placement,
    PosterPage,
    Sheet,
    TextMark,
)
from generator.model.pack import Layout

papers = st.sampled_from([A4, LETTER, A3, PHOTO])
overlaps = st.sampled_from([4.0, 10.0, 17.5, 30.0])


@st.composite
def orders(draw: st.DrawFn) -> tuple[Stock, Paper, float]:
    """A wall of up to four papers each way, a paper, and an overlap, mm."""
    paper, overlap = draw(papers), draw(overlaps)
    width, height = (
        round(draw(st.floats(0.3, 3.3)) * side, 2) for side in (paper.size.width, paper.size.height)
    )
    shape = draw(st.sampled_from([Shape.RECTANGLE, Shape.HEXAGON, Shape.CIRCLE]))
    bleed = draw(st.sampled_from([0.0, 2.0, 3.0, 6.0]))
    return Stock("wall", Size(width, height), bleed, shape=shape), paper, overlap


def posters(
    stock: Stock,
    paper: Paper = A4,
    overlap: float = 10.0,
    copies: int = 1,
    profile: PrinterProfile | None = None,
) -> tuple[Sheet, ...]:
    outcome = order(
        [piece("wall", stock, copies)],
        paper,
        layout=Layout.POSTER,
        overlap=overlap,
        profile=profile,
    )
    assert {d.code for d in outcome.diagnostics} <= {"GP608"}
    return outcome.value


def only(sheet: Sheet) -> tuple[Placement, PosterPage]:
    (placed,) = sheet.placements
    assert placed.poster is not None
    return placed, placed.poster


@given(orders())
def test_nothing_is_printed_where_the_printer_does_not_reach(
    asked: tuple[Stock, Paper, float],
) -> None:
    stock, paper, overlap = asked
    for sheet in posters(stock, paper, overlap):
        placed, page = only(sheet)
        assert area(sheet).contains(placed.art)
        if (
            page.rows * page.columns > 1
        ):  # ruler and slug of a single page may take the paper's margin
            for mark in sheet.marks:
                for point in points(mark):
                    assert area(sheet).contains(Rect(point.x, point.y, 0, 0), 1e-3)
            foot = area(sheet).bottom - FOOT
            assert placed.art.bottom <= foot + 1e-6


def points(mark: object) -> tuple[Point, ...]:
    match mark:
        case LineMark():
            return mark.start, mark.end
        case TextMark():
            return (mark.at,)
        case _:
            return ()


@given(orders())
def test_no_mark_stays_in_sight(asked: tuple[Stock, Paper, float]) -> None:
    stock, paper, overlap = asked
    for sheet in posters(stock, paper, overlap):
        placed, _ = only(sheet)
        for mark in sheet.marks:
            if isinstance(mark, LineMark):
                x, y = min(mark.start.x, mark.end.x), min(mark.start.y, mark.end.y)
                box = Rect(x, y, abs(mark.start.x - mark.end.x), abs(mark.start.y - mark.end.y))
                assert not box.overlaps(placed.finished, 1e-3)
                if mark.width > 1:
                    assert not box.grown(mark.width / 2).overlaps(placed.finished, 1e-3)
            elif isinstance(mark, TextMark):
                assert not placed.finished.contains(Rect(mark.at.x, mark.at.y, 0, 0))


@given(orders())
def test_marks_of_a_seam_are_at_one_place_of_the_poster(
    asked: tuple[Stock, Paper, float],
) -> None:
    stock, paper, overlap = asked
    tiling = best_tiling(stock, paper, overlap)
    for sheet in posters(stock, paper, overlap):
        placed, page = only(sheet)
        if page.rows * page.columns == 1:
            continue
        assert tiling is not None
        seams = [
            (tiling.across.seam(column), tiling.down.seam(row))
            for column in (page.column - 1, page.column)
            for row in (page.row - 1, page.row)
        ]
        tips = [
            (point.x - placed.x, point.y - placed.y)
            for mark in sheet.marks
            if isinstance(mark, LineMark) and slants(mark)
            for point in (mark.start, mark.end)
        ]
        assert tips
        for x, y in tips:
            away = min(abs(x - a) + abs(y - b) for a, b in seams)
            assert away == pytest.approx(tiling.across.bite, abs=1e-3)


def slants(mark: LineMark) -> bool:
    return abs(mark.start.x - mark.end.x) > 0.1 and abs(mark.start.y - mark.end.y) > 0.1


@given(st.floats(20, 2000), st.sampled_from([0.0, 3.0, 8.0]), st.floats(60, 400), overlaps)
def test_windows_are_the_fewest_and_go_from_edge_to_edge(
    trim: float, bleed: float, room: float, overlap: float
) -> None:
    found = windows(trim, bleed, room, overlap)
    assert found is not None
    last = found.start(found.count - 1) + found.length
    assert found.length <= room + 1e-6
    assert found.first <= -EDGE + 1e-6
    assert last >= trim + EDGE - 1e-6
    assert last - trim == pytest.approx(-found.first)
    fewer = found.count - 1
    assert fewer == 0 or fewer * (room - overlap) + overlap < trim + 2 * EDGE
    seams = [found.seam(n) for n in range(found.count + 1)]
    assert seams == sorted(seams)
    for n in range(1, found.count):
        assert 0 < seams[n] - found.start(n) <= BITE
        assert seams[n] < found.start(n - 1) + found.length


def test_paper_lies_the_way_that_takes_fewer_pages() -> None:
    wide = best_tiling(Stock("wide", Size(550, 180)), A4, 10)
    assert wide is not None
    assert (wide.count, wide.page) == (2, Size(297, 210))
    high = best_tiling(Stock("high", Size(180, 500)), A4, 10)
    assert high is not None
    assert (high.count, high.page) == (2, Size(210, 297))


def test_a_piece_that_fits_a_page_is_a_page() -> None:
    (sheet,) = posters(Stock("leaf", Size(190, 270)))
    placed, page = only(sheet)
    assert (page.rows, page.columns, placed.finished) == (1, 1, placed.trim)
    assert any(isinstance(m, LineMark) and m.layer is PdfLayer.CUT for m in sheet.marks)


def test_every_copy_is_a_poster_of_its_own_with_names_in_order() -> None:
    laid = posters(Stock("wall", Size(380, 500)), copies=2)
    assert [(only(s)[0].copy, s.label) for s in laid] == [
        *((1, f"{n} {name}") for n, name in enumerate(("A1", "A2", "B1", "B2"), 1)),
        *((2, f"{n} {name}") for n, name in enumerate(("A1", "A2", "B1", "B2"), 5)),
    ]
    for sheet in laid:
        name = sheet.label.split()[1]
        texts = [m.text for m in sheet.marks if isinstance(m, TextMark)]
        assert name in texts
        assert any(f"page {name}" in text for text in texts)


def test_the_steps_name_the_neighbours() -> None:
    laid = posters(Stock("wall", Size(560, 780)))
    told = {s.label.split()[1]: " ".join(m.text for m in s.marks if isinstance(m, TextMark))
            for s in laid}  # fmt: skip
    assert "Start with this page" in told["A1"]
    assert "Cut off the left and upper edges" in told["B2"]
    assert "onto B1 and A2" in told["B2"]
    assert "B3 and C2 come on top" in told["B2"]
    assert "B3 goes on top here" in told["B2"]
    assert "on top" not in told["C3"]


def test_a_printer_that_is_off_moves_face_window_and_marks_alike() -> None:
    stock = Stock("wall", Size(380, 500))
    profile = PrinterProfile("attic", Point(0.5, -0.25))
    still, moved = posters(stock)[3], posters(stock, profile=profile)[3]
    (one, page), (other, there) = only(still), only(moved)
    by = (-0.5, 0.25)
    assert other.trim == one.trim.moved(*by)
    assert there.shown == page.shown.moved(*by)
    cuts = [
        [m.start for m in s.marks if isinstance(m, LineMark) and m.layer is PdfLayer.CUT]
        for s in (still, moved)
    ]
    assert all(
        math.dist((a.x + by[0], a.y + by[1]), (b.x, b.y)) < 1e-6 for a, b in zip(*cuts, strict=True)
    )


def test_a_shape_of_its_own_has_its_die_line_on_every_page() -> None:
    laid = posters(Stock("map", Size(380, 500), shape=Shape.PATH, path="M0 0 H380 V500 H0 Z"))
    for sheet in laid:
        (die,) = [m for m in sheet.marks if isinstance(m, PathMark)]
        assert die.clip == only(sheet)[0].art


def test_too_many_pages() -> None:
    outcome = order([piece("wall", Stock("wall", Size(4000, 4000)))], layout=Layout.POSTER)
    (fault,) = outcome.diagnostics
    assert (fault.code, outcome.value) == ("GP608", ())
    assert str(MOST_PAGES) in fault.message
    assert fault.hint
    narrow = Paper("slip", "slip", Size(40, 60), 5)
    (fault,) = order([piece("w", Stock("wall", Size(400, 90)))], narrow, layout=Layout.POSTER,
                     overlap=25).diagnostics  # fmt: skip
    assert fault.code == "GP608"
    assert "overlap by 25 mm" in fault.message


def test_names() -> None:
    assert [page_name(0, 0), page_name(1, 2), page_name(25, 9)] == ["A1", "B3", "Z10"]
    assert [page_name(26, 0), page_name(27, 0), page_name(52, 0)] == ["AA1", "AB1", "BA1"]
