import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.geometry import Rect, polygon_overlap
from generator.model.catalogue import Shape
from generator.outlines import polygon

# Lengths have steps of 0.001 mm: finer ones could round differently near the least overlap.
lengths = st.integers(1_000, 100_000).map(lambda micrometres: micrometres / 1000)
places = st.integers(-100_000, 100_000).map(lambda micrometres: micrometres / 1000)
boxes = st.builds(Rect, places, places, lengths, lengths)


def overlap(box: Rect, shape: Shape, other_box: Rect, other_shape: Shape) -> float:
    return polygon_overlap(polygon(box, shape), polygon(other_box, other_shape))


@given(boxes, boxes)
def test_boxes_overlap_as_rectangles_do(one: Rect, other: Rect) -> None:
    depth = overlap(one, Shape.RECTANGLE, other, Shape.RECTANGLE)
    assert (depth > 1e-6) == one.overlaps(other, 1e-6)


@given(boxes, st.sampled_from(Shape))
def test_an_outline_fills_its_box(box: Rect, shape: Shape) -> None:
    corners = polygon(box, shape)
    assert min(p.x for p in corners) == pytest.approx(box.x)
    assert max(p.x for p in corners) == pytest.approx(box.right)
    assert min(p.y for p in corners) == pytest.approx(box.y)
    assert max(p.y for p in corners) == pytest.approx(box.bottom)


@given(boxes, boxes, st.sampled_from(Shape), st.sampled_from(Shape))
def test_it_is_the_same_either_way_round(one: Rect, other: Rect, a: Shape, b: Shape) -> None:
    assert overlap(one, a, other, b) == pytest.approx(overlap(other, b, one, a), abs=1e-9)


def test_hexagons_that_share_a_side_do_not_overlap() -> None:
    flat = 40.0
    height = flat * math.sqrt(3) / 2
    one = Rect(0, 0, flat, height)
    beside = Rect(flat * 0.75, height / 2, flat, height)
    assert one.overlaps(beside)
    assert overlap(one, Shape.HEXAGON, beside, Shape.HEXAGON) == pytest.approx(0, abs=1e-9)
    nearer = Rect(flat * 0.75 - 1, height / 2, flat, height)
    assert overlap(one, Shape.HEXAGON, nearer, Shape.HEXAGON) == pytest.approx(
        math.sqrt(3) / 2, abs=1e-6
    )


def test_circles_side_by_side_in_a_honeycomb_do_not_overlap() -> None:
    one = Rect(0, 0, 30, 30)
    beside = Rect(15, 30 * math.sqrt(3) / 2, 30, 30)
    assert overlap(one, Shape.CIRCLE, beside, Shape.CIRCLE) == pytest.approx(0, abs=0.02)
    assert overlap(one, Shape.CIRCLE, Rect(10, 20, 30, 30), Shape.CIRCLE) > 1
