"""Outlines, their areas, and the unused share of a sheet."""

from __future__ import annotations

import math

import pytest
from export.hand_made import A4, face, place, sheet

from generator.geometry import Rect, Size
from generator.model.catalogue import Shape, Stock
from generator.model.face import Placement, PosterPage, Side
from generator.outlines import area, hexagon, printable_area, waste

PRINTABLE = 200 * 287


@pytest.mark.parametrize(
    ("stock", "expected"),
    [
        (Stock("card", Size(60, 90)), 5400.0),
        (Stock("round", Size(60, 90), shape=Shape.ROUNDED, corner_radius=3), 5400 - 9 * 0.858407),
        (Stock("token", Size(25, 25), shape=Shape.CIRCLE), math.pi * 12.5**2),
        (Stock("tile", Size(50.8, 43.994), shape=Shape.HEXAGON), 3 * math.sqrt(3) / 2 * 25.4**2),
        (Stock("arrow", Size(30, 20), shape=Shape.PATH, path="M0 0 L30 10 L0 20 Z"), 300.0),
        (
            Stock("ring", Size(20, 20), shape=Shape.PATH,
                  path="M0 0 H20 V20 H0 Z M5 5 V15 H15 V5 Z"), 300.0,
        ),
    ],
)  # fmt: skip
def test_area(stock: Stock, expected: float) -> None:
    assert area(stock) == pytest.approx(expected, rel=1e-4)


def test_a_path_that_cannot_be_read() -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        area(Stock("bad", Size(9, 9), shape=Shape.PATH, path="M0 zero"))


def test_a_hexagon_fills_its_box_the_way_it_lies() -> None:
    pointy, flat = hexagon(Rect(10, 20, 22, 25.4)), hexagon(Rect(0, 0, 25.4, 22))
    assert (pointy[0].x, pointy[0].y) == (21, 20)
    assert (flat[0].x, flat[0].y) == (6.35, 0)
    for corners in (pointy, flat):
        sides = [
            math.dist((a.x, a.y), (b.x, b.y))
            for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
        ]
        assert sides == [pytest.approx(12.7, abs=0.02)] * 6


def test_waste_counts_the_paper_of_fronts_only() -> None:
    front = place(face("a"), 20, 20)
    one = sheet([front])
    behind = sheet([place(face("a", name="back"), 20, 20)], side=Side.BACK)
    expected = 1 - 63 * 88 / PRINTABLE
    assert waste([one]) == waste([one, behind]) == pytest.approx(expected)
    assert waste([one, sheet([])]) == pytest.approx(1 - 63 * 88 / (2 * PRINTABLE))
    assert waste([]) == 0


def test_a_poster_counts_once() -> None:
    wall = face("wall", stock=Stock("wall", Size(300, 280)))

    def page(column: int) -> Placement:
        placed = place(wall, 5, 5)
        shown = Rect(5, 5, 200, 280)
        return Placement(
            wall, 1, Side.FRONT, placed.x, placed.y, 300, 280, 0, 3, shown,
            poster=PosterPage(1, column, 1, 2, shown),
        )  # fmt: skip

    assert waste([sheet([page(1)]), sheet([page(2)])]) == pytest.approx(
        1 - 300 * 280 / (2 * PRINTABLE)
    )


def test_a_margin_wider_than_the_page_leaves_nothing() -> None:
    assert printable_area(A4, Size(8, 8)) == 0
