"""Outlines of basic shapes: the area that their parts enclose."""

import math

import pytest
from fontTools.pens.areaPen import AreaPen
from fontTools.svgLib.path import parse_path
from hypothesis import given
from hypothesis import strategies as st

from generator.svg_shapes import path_outline, shape_outline

NUMBER = st.integers(-40, 40)
POINT = st.tuples(NUMBER, NUMBER).map("{0[0]} {0[1]}".format)
STEP = st.one_of(
    st.builds("L {}".format, POINT),
    st.builds("C {} {} {}".format, POINT, POINT, POINT),
    st.builds("Q {} {}".format, POINT, POINT),
)
PART = st.builds("M {} {} Z".format, POINT, st.lists(STEP, min_size=2, max_size=6).map(" ".join))


@given(st.lists(PART, min_size=1, max_size=3).map(" ".join))
def test_the_area_of_a_path_is_that_of_its_parts(data: str) -> None:
    outline = path_outline(data)
    assert outline is not None
    pen = AreaPen()
    parse_path(data, pen)
    assert outline.area == pytest.approx(abs(pen.value), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "geometry", "area"),
    [
        ("rect", {"width": "4", "height": "5"}, 20),
        ("circle", {"r": "2"}, 4 * math.pi),
        ("ellipse", {"rx": "2", "ry": "3"}, 6 * math.pi),
        ("polygon", {"points": "0,0 6,0 0,5"}, 15),
        ("line", {"x1": "0", "x2": "5", "y1": "0", "y2": "5"}, 0),
    ],
)
def test_the_area_of_a_shape(name: str, geometry: dict[str, str], area: float) -> None:
    outline = shape_outline(name, geometry)
    assert outline is not None
    assert outline.area == pytest.approx(area)
