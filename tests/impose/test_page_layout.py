"""Cells in, the cells behind them out."""

import pytest

from generator.geometry import Point, Rect, Size
from generator.impose.page_layout import Flip, PageCell

PAGE = Size(210, 297)


@pytest.mark.parametrize(
    ("flip", "rotation", "behind"),
    [
        (Flip.SIDEWAYS, 0, 0),
        (Flip.SIDEWAYS, 90, 270),
        (Flip.SIDEWAYS, 180, 180),
        (Flip.SIDEWAYS, 270, 90),
        (Flip.ENDWAYS, 0, 180),
        (Flip.ENDWAYS, 90, 90),
        (Flip.ENDWAYS, 180, 0),
        (Flip.ENDWAYS, 270, 270),
    ],
)
def test_a_back_is_turned_so_that_it_stands_upright_when_its_front_does(
    flip: Flip, rotation: int, behind: int
) -> None:
    cell = PageCell(Rect(10, 20, 88, 63), Rect(7, 17, 94, 69), rotation)
    assert cell.behind(PAGE, flip).rotation == behind
    assert cell.behind(PAGE, flip).behind(PAGE, flip) == cell


def test_a_back_lies_where_its_front_is_when_the_sheet_is_turned_over() -> None:
    cell = PageCell(Rect(10, 20, 88, 63), Rect(10, 17, 91, 69), edge=(Point(10, 20), Point(98, 20)))
    sideways, endways = (cell.behind(PAGE, flip) for flip in (Flip.SIDEWAYS, Flip.ENDWAYS))
    assert (sideways.trim, sideways.art) == (Rect(112, 20, 88, 63), Rect(109, 17, 91, 69))
    assert (endways.trim, endways.art) == (Rect(10, 214, 88, 63), Rect(10, 211, 91, 69))
    assert sideways.edge == (Point(112, 20), Point(200, 20))
