"""The free space that outlines leave in a box."""

import math
from itertools import combinations

import pytest

from generator.render.free_space import clearing, rooms

RING = [
    "M100 100L300 100L300 120L100 120Z",
    "M100 180L300 180L300 200L100 200Z",
    "M100 119L120 119L120 181L100 181Z",
    "M280 119L300 119L300 181L280 181Z",
]
"""A frame 20 mm wide around 160 by 60."""
BOX = (0, 0, 400, 300)


def far(x: float, y: float) -> float:
    """From a point outside of the frame to the frame."""
    return math.hypot(max(100 - x, 0, x - 300), max(100 - y, 0, y - 200))


def test_rooms_touch_neither_outlines_nor_each_other() -> None:
    found = rooms(RING, *BOX, least=6, most=30, gap=3)
    assert len(found) > 20
    assert {inside for *_, inside in found} == {True, False}
    for x, y, r, inside in found:
        assert 5.9 <= r <= 30
        assert r <= x <= 400 - r
        assert r <= y <= 300 - r
        if inside:
            assert min(x - 120, 280 - x, y - 120, 180 - y) >= r + 2.9
        else:
            assert far(x, y) >= r + 2.9
    for (x1, y1, r1, _), (x2, y2, r2, _) in combinations(found, 2):
        assert math.hypot(x2 - x1, y2 - y1) >= r1 + r2 - 0.05
    assert [r for _, _, r, _ in found] == sorted((r for _, _, r, _ in found), reverse=True)


def test_the_clearing_is_the_widest_box_within() -> None:
    x, y, width = clearing(RING, *BOX, 0.25, 5)
    assert (x, y) == pytest.approx((200, 150), abs=4)
    assert 143 <= width <= 150
    x, y, width = clearing(RING, *BOX, 1, 0)
    assert 53 <= width <= 60
    assert clearing(RING[1:], *BOX, 0.25) == (0, 0, 0), "a ring that is open"
    assert clearing([], *BOX, 0.25) == (0, 0, 0)


def test_what_is_no_outline_is_told() -> None:
    with pytest.raises(TypeError, match="path data"):
        rooms("M0 0L9 9L0 9Z", *BOX)
    with pytest.raises(TypeError, match="path data"):
        rooms([3], *BOX)
    with pytest.raises(ValueError, match="more than 0"):
        rooms(RING, 0, 0, 0, 9)
