import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.geometry import (
    IDENTITY,
    Matrix,
    Point,
    Rect,
    Size,
    bounds,
    parse_transform,
    regular_polygon,
)

mm = st.floats(-500, 500, allow_nan=False)
length = st.floats(0.1, 500, allow_nan=False)


@given(mm, mm, mm, mm, st.integers(0, 3))
def test_four_quarter_turns_come_home(x: float, y: float, cx: float, cy: float, start: int) -> None:
    point = Point(x, y)
    for _ in range(4):
        point = point.turned(90, Point(cx, cy))
    assert (point.x, point.y) == pytest.approx((x, y), abs=1e-6)


@given(st.floats(0.5, 2), st.floats(-1, 1), st.floats(0.5, 2), mm, mm, mm, mm)
def test_a_matrix_is_taken_back(
    a: float, b: float, d: float, e: float, f: float, x: float, y: float
) -> None:
    matrix = Matrix(a, b, 0, d, e, f)
    back = matrix.inverse.point(matrix.point(Point(x, y)))
    assert (back.x, back.y) == pytest.approx((x, y), abs=1e-6)


def test_a_turn_is_clockwise_on_the_page() -> None:
    turned = Point(1, 0).turned(90, Point(0, 0))
    assert (turned.x, turned.y) == pytest.approx((0, 1))


@given(mm, mm, length, length, st.floats(0, 20))
def test_a_grown_rectangle_contains_the_first(
    x: float, y: float, w: float, h: float, by: float
) -> None:
    rect = Rect(x, y, w, h)
    assert rect.grown(by).contains(rect)
    assert rect.grown(by).centre.x == pytest.approx(rect.centre.x)


@given(mm, mm, length, length)
def test_neighbours_that_share_an_edge_do_not_overlap(
    x: float, y: float, w: float, h: float
) -> None:
    rect = Rect(x, y, w, h)
    assert not rect.overlaps(Rect(rect.right, y, w, h))
    assert rect.overlaps(Rect(x + w / 2, y, w, h))


def test_sizes() -> None:
    card = Size(63.5, 88.9)
    assert card.turned == Size(88.9, 63.5)
    assert card.fits_in(Size(63.5, 88.9))
    assert not card.turned.fits_in(card)


@given(mm, mm, length, st.integers(3, 12), st.floats(0, 360))
def test_a_regular_polygon_has_equal_sides(
    x: float, y: float, radius: float, sides: int, first: float
) -> None:
    corners = regular_polygon(Point(x, y), sides, radius, first)
    edges = [
        ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    assert edges == pytest.approx([edges[0]] * sides, rel=1e-6)
    assert bounds(corners).grown(1e-6).contains(Rect(x, y, 0, 0))


@given(st.builds(Rect, mm, mm, length, length), st.builds(Rect, mm, mm, length, length))
def test_what_is_cut_to_a_rectangle_lies_inside_it(one: Rect, other: Rect) -> None:
    part = one.cut_to(other)
    if one.overlaps(other):
        assert one.contains(part)
        assert other.contains(part)
    else:
        assert min(part.width, part.height) == pytest.approx(0, abs=1e-5)
    assert one.cut_to(one.grown(1)).size.width == pytest.approx(one.width)


def test_a_moved_rectangle_keeps_its_size() -> None:
    assert Rect(1, 2, 3, 4).moved(10, -1) == Rect(11, 1, 3, 4)


small = st.floats(-50, 50)


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("", (3, 1)),
        ("translate(10)", (13, 1)),
        ("translate(10, 20)", (13, 21)),
        ("scale(2)", (6, 2)),
        ("scale(2 3)", (6, 3)),
        ("rotate(90)", (-1, 3)),
        ("rotate(90 3 1)", (3, 1)),
        ("rotate(180, 0, 0)", (-3, -1)),
        ("skewX(45)", (4, 1)),
        ("skewY(45)", (3, 4)),
        ("matrix(1 2 3 4 5 6)", (11, 16)),
        ("translate(10 0) scale(2),rotate(90)", (8, 6)),
        ("translate(1e1 .5)", (13, 1.5)),
    ],
)
def test_a_transform_moves_a_point(text: str, point: tuple[float, float]) -> None:
    assert apply(parse_transform(text), 3, 1) == pytest.approx(point)


@pytest.mark.parametrize(
    "text",
    ["turn(30)", "scale()", "rotate(1 2)", "translate(1 2 3)", "scale(x)", "scale(2) 3", "scale(2"],
)
def test_what_is_no_transform_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"there is no|is not a transform|than numbers"):
        parse_transform(text)


@given(x=small, y=small, angle=small, scale=st.floats(0.1, 9))
def test_the_box_of_a_turned_rectangle_holds_its_corners(
    x: float, y: float, angle: float, scale: float
) -> None:
    matrix = parse_transform(f"rotate({angle:f}) scale({scale:f})")
    box = matrix.box(Rect(x, y, 4, 2)).grown(1e-6)
    for corner in ((x, y), (x + 4, y), (x, y + 2), (x + 4, y + 2)):
        moved = apply(matrix, *corner)
        assert box.contains(Rect(*moved, 0, 0))
    assert matrix.across == pytest.approx(scale, rel=1e-5)
    assert matrix.down == pytest.approx(scale, rel=1e-5)


def test_transforms_that_change_nothing() -> None:
    assert IDENTITY.then(IDENTITY) == IDENTITY
    assert parse_transform("rotate(360)") == pytest.approx(IDENTITY)
    assert math.isclose(parse_transform("scale(-1 1)").across, 1)
