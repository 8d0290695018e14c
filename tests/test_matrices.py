import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.geometry import Rect
from generator.matrices import IDENTITY, Matrix, parse_transform

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
    with pytest.raises(ValueError, match=r"there is no|is no transform|than numbers"):
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
