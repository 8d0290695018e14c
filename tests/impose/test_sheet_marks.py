from __future__ import annotations

import pytest
from impose.samples import POKER, face, lines, path_points, piece, sheets

from generator.geometry import Point, Rect, Size, bounds
from generator.impose.page_layout import FOLD_DASH, Crease, PageCell
from generator.impose.sheet_marks import Clearance, crop_marks, die_line, fold_ticks
from generator.model.catalogue import Fold, Shape, Stock
from generator.model.face import LineMark, PathMark, PdfLayer, Side

AREA = Rect(5, 5, 200, 287)


def cell(x: float, y: float, w: float, h: float, bleed: float = 3) -> PageCell:
    trim = Rect(x, y, w, h)
    return PageCell(trim, trim.grown(bleed))


def marks_around(*cells: PageCell) -> list[LineMark]:
    return crop_marks(cells, Clearance([c.art for c in cells], [], AREA))


def test_eight_marks_around_one_trim_past_its_bleed() -> None:
    marks = marks_around(cell(50, 60, 63.5, 88.9))
    assert len(marks) == 8
    assert LineMark(PdfLayer.CUT, Point(47, 60), Point(43, 60), 0.15, 0.5) in marks
    assert LineMark(PdfLayer.CUT, Point(113.5, 151.9), Point(113.5, 155.9), 0.15, 0.5) in marks


def test_an_offset_within_the_bleed_moves_out_of_it() -> None:
    marks = marks_around(cell(50, 60, 30, 30, bleed=5))
    assert LineMark(PdfLayer.CUT, Point(45, 60), Point(41, 60), 0.15, 0.5) in marks


def test_marks_shorten_at_the_margin() -> None:
    marks = marks_around(cell(10, 60, 30, 30))
    assert LineMark(PdfLayer.CUT, Point(7, 60), Point(5, 60), 0.15, 0.5) in marks


def test_marks_too_short_to_help_are_left_out() -> None:
    marks = marks_around(cell(8.5, 60, 30, 30))
    assert not any(m.start.x < 8.5 and m.start.y == m.end.y for m in marks)
    assert len(marks) == 6


def test_no_marks_in_a_gutter_of_two_bleeds() -> None:
    marks = marks_around(cell(50, 60, 30, 30), cell(86, 60, 30, 30))
    assert not any(80 < m.start.x < 86 for m in marks)
    assert len(marks) == 12


def test_marks_of_neighbours_share_a_wide_gutter() -> None:
    marks = marks_around(cell(50, 60, 30, 30), cell(90, 60, 30, 30))
    between = [m for m in marks if m.start.y == m.end.y == 60 and 80 < m.start.x < 90]
    assert sorted((m.start.x, m.end.x) for m in between) == [(83, 85), (87, 85)]


def test_marks_end_at_ruler_and_slug() -> None:
    one = cell(50, 60, 30, 30)
    clear = Clearance([one.art], [Rect(5, 50, 200, 4)], AREA)
    upwards = [m for m in crop_marks([one], clear) if m.end.y < 60 and m.start.x == m.end.x]
    assert {(m.start.y, m.end.y) for m in upwards} == {(57, 54)}


def test_a_shared_cut_is_marked_once() -> None:
    (sheet, _) = sheets([piece("a", POKER, 9)], gutter=0)
    marks = lines(sheet, PdfLayer.CUT)
    assert len(marks) == len(set(marks)) == 16


def test_crop_marks_are_on_fronts_only() -> None:
    front, back = sheets([piece("a", POKER, 4)])
    assert (front.side, back.side) == (Side.FRONT, Side.BACK)
    assert lines(front, PdfLayer.CUT)
    assert not lines(back, PdfLayer.CUT)


def test_a_fold_from_edge_to_edge_shows_as_dashed_ticks_outside_the_art() -> None:
    tent = Stock("tent", Size(24, 96), 2, folds=(Fold(Point(0, 48), Point(24, 48)),))
    (sheet,) = sheets([piece("a", tent, back=False)])
    (placement,) = sheet.placements
    ticks = lines(sheet, PdfLayer.FOLD)
    assert len(ticks) == 2
    assert all(t.dash == FOLD_DASH and t.start.y == placement.y + 48 for t in ticks)
    # A fold tick keeps the offset of a crop mark.
    assert sorted(t.start.x for t in ticks) == pytest.approx([placement.x - 3, placement.x + 27])


def test_a_fold_that_ends_inside_is_drawn_across() -> None:
    tent = Stock("tent", Size(24, 96), 2, folds=(Fold(Point(2, 48), Point(22, 48)),))
    (sheet,) = sheets([piece("a", tent, back=False)])
    (placement,) = sheet.placements
    (line,) = lines(sheet, PdfLayer.FOLD)
    assert (line.start.x, line.end.x) == pytest.approx((placement.x + 2, placement.x + 22))


def test_ticks_of_creases_start_past_their_art() -> None:
    art = Rect(47, 57, 66, 60)
    crease = Crease(Point(80, 60), Point(80, 114), art)
    ticks = fold_ticks([crease], Clearance([art], [], AREA))
    assert [(t.start.y, t.end.y) for t in ticks] == [(57, 53), (117, 121)]


def test_faces_without_a_shape_of_their_own_get_no_die_line() -> None:
    assert face("a", POKER).stock.shape == "rounded"
    (sheet,) = sheets([piece("a", POKER, back=False)])
    assert all(not hasattr(m, "path") for m in sheet.marks)


TRIANGLE = "M12.7 0 L25.4 22 L0 22 Z"


def at(stock: Stock, x: float, y: float, rotation: int = 0) -> PageCell:
    size = stock.trim.turned if rotation % 180 else stock.trim
    trim = Rect(x, y, size.width, size.height)
    return PageCell(trim, trim.grown(stock.bleed), rotation)


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_die_line_fills_the_trim(shape: Shape, rotation: int) -> None:
    path = TRIANGLE if shape is Shape.PATH else ""
    stock = Stock("s", Size(25.4, 22), 2, shape=shape, path=path)
    cell = at(stock, 31, 47, rotation)
    box = bounds(path_points(die_line(stock, cell)))
    assert cell.trim.grown(1e-3).contains(box)
    assert box.grown(1e-3).contains(cell.trim)


def test_a_hexagon_of_regular_trim_is_regular() -> None:
    stock = Stock("hex", Size(29.329, 25.4), shape=Shape.HEXAGON)
    corners = path_points(die_line(stock, at(stock, 0, 0)))
    centre = Point(29.329 / 2, 12.7)
    assert len(corners) == 6
    reach = [((p.x - centre.x) ** 2 + (p.y - centre.y) ** 2) ** 0.5 for p in corners]
    assert reach == pytest.approx([29.329 / 2] * 6, abs=2e-3)


@pytest.mark.parametrize(("size", "top"), [(Size(30, 26), 2), (Size(26, 30), 1)])
def test_a_hexagon_stands_on_a_side_or_a_corner_as_its_trim_does(size: Size, top: int) -> None:
    stock = Stock("hex", size, shape=Shape.HEXAGON)
    assert sum(p.y == 0 for p in path_points(die_line(stock, at(stock, 0, 0)))) == top


def test_a_circle_is_round() -> None:
    stock = Stock("round", Size(20, 20), shape=Shape.CIRCLE)
    path = path_points(die_line(stock, at(stock, 0, 0)))
    start, *curves = path
    previous = start
    for i in range(0, len(curves), 3):
        one, two, end = curves[i : i + 3]
        middle = Point(
            (previous.x + 3 * one.x + 3 * two.x + end.x) / 8,
            (previous.y + 3 * one.y + 3 * two.y + end.y) / 8,
        )
        distance = ((middle.x - 10) ** 2 + (middle.y - 10) ** 2) ** 0.5
        assert distance == pytest.approx(10, abs=0.01)
        previous = end


def test_a_path_is_turned_with_its_face() -> None:
    stock = Stock("tri", Size(25.4, 22), shape=Shape.PATH, path=TRIANGLE)
    tip, *_ = path_points(die_line(stock, at(stock, 100, 50, 90)))
    # Turned clockwise, what was on top is at the right.
    assert (tip.x, tip.y) == pytest.approx((122, 62.7))


def test_curves_and_arcs_of_a_path_become_cubic() -> None:
    stock = Stock(
        "s", Size(20, 20), shape=Shape.PATH, path="m0 0h20v10q0 10 -10 10a10 10 0 0 1-10-10z"
    )
    assert "C" in die_line(stock, at(stock, 0, 0))


def test_odd_shapes_get_die_lines_on_fronts_only() -> None:
    stock = Stock("round", Size(25.4, 25.4), shape=Shape.CIRCLE)
    front, back = sheets([piece("a", stock, 3)])
    dies = [[m for m in s.marks if isinstance(m, PathMark)] for s in (front, back)]
    assert [len(found) for found in dies] == [3, 0]
    assert {m.layer for m in dies[0]} == {PdfLayer.CUT}
    assert not [m for m in front.marks if m.layer is PdfLayer.CUT and not isinstance(m, PathMark)]
