from __future__ import annotations

import re

import pytest
from impose.samples import piece, sheets

from generator.geometry import Point, Rect, Size, bounds
from generator.impose.die import die_line
from generator.impose.forme import Cell
from generator.model.sheet import Layer, PathMark
from generator.model.stock import Shape, Stock

TRIANGLE = "M12.7 0 L25.4 22 L0 22 Z"


def points(path: str) -> list[Point]:
    assert set(re.findall("[A-Za-z]", path)) <= set("MLCZ")
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", path)]
    return [Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def at(stock: Stock, x: float, y: float, rotation: int = 0) -> Cell:
    size = stock.trim.turned if rotation % 180 else stock.trim
    trim = Rect(x, y, size.width, size.height)
    return Cell(trim, trim.grown(stock.bleed), rotation)


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_die_line_fills_the_trim(shape: Shape, rotation: int) -> None:
    path = TRIANGLE if shape is Shape.PATH else ""
    stock = Stock("s", Size(25.4, 22), 2, shape=shape, path=path)
    cell = at(stock, 31, 47, rotation)
    box = bounds(points(die_line(stock, cell)))
    assert cell.trim.grown(1e-3).contains(box)
    assert box.grown(1e-3).contains(cell.trim)


def test_a_hexagon_of_regular_trim_is_regular() -> None:
    stock = Stock("hex", Size(29.329, 25.4), shape=Shape.HEXAGON)
    corners = points(die_line(stock, at(stock, 0, 0)))
    centre = Point(29.329 / 2, 12.7)
    assert len(corners) == 6
    reach = [((p.x - centre.x) ** 2 + (p.y - centre.y) ** 2) ** 0.5 for p in corners]
    assert reach == pytest.approx([29.329 / 2] * 6, abs=2e-3)


@pytest.mark.parametrize(("size", "top"), [(Size(30, 26), 2), (Size(26, 30), 1)])
def test_a_hexagon_stands_on_a_side_or_a_corner_as_its_trim_does(size: Size, top: int) -> None:
    stock = Stock("hex", size, shape=Shape.HEXAGON)
    assert sum(p.y == 0 for p in points(die_line(stock, at(stock, 0, 0)))) == top


def test_a_circle_is_round() -> None:
    stock = Stock("round", Size(20, 20), shape=Shape.CIRCLE)
    path = points(die_line(stock, at(stock, 0, 0)))
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
    tip, *_ = points(die_line(stock, at(stock, 100, 50, 90)))
    # Turned clockwise, what was on top is at the right.
    assert (tip.x, tip.y) == pytest.approx((122, 62.7))


def test_curves_and_arcs_of_a_path_become_cubic() -> None:
    stock = Stock(
        "s", Size(20, 20), shape=Shape.PATH, path="m0 0h20v10q0 10 -10 10a10 10 0 0 1-10-10z"
    )
    assert "C" in die_line(stock, at(stock, 0, 0))


@pytest.mark.parametrize("path", ["M 0 0 Q 5", "nonsense", "M 0 0 L x y Z"])
def test_an_unreadable_path_is_refused(path: str) -> None:
    stock = Stock("odd", Size(20, 20), shape=Shape.PATH, path=path)
    with pytest.raises(ValueError, match="'odd'"):
        die_line(stock, at(stock, 0, 0))


def test_odd_shapes_get_die_lines_on_fronts_only() -> None:
    stock = Stock("round", Size(25.4, 25.4), shape=Shape.CIRCLE)
    front, back = sheets([piece("a", stock, 3)])
    dies = [[m for m in s.marks if isinstance(m, PathMark)] for s in (front, back)]
    assert [len(found) for found in dies] == [3, 0]
    assert {m.layer for m in dies[0]} == {Layer.CUT}
    assert not [m for m in front.marks if m.layer is Layer.CUT and not isinstance(m, PathMark)]
