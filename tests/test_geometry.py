import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.geometry import Point, Rect, Size, bounds, regular_polygon

mm = st.floats(-500, 500, allow_nan=False)
length = st.floats(0.1, 500, allow_nan=False)


@given(mm, mm, mm, mm, st.integers(0, 3))
def test_four_quarter_turns_come_home(x: float, y: float, cx: float, cy: float, start: int) -> None:
    point = Point(x, y)
    for _ in range(4):
        point = point.turned(90, Point(cx, cy))
    assert (point.x, point.y) == pytest.approx((x, y), abs=1e-6)


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
