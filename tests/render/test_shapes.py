import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render import shapes
from generator.render.face_builder import CurrentFace
from generator.render.shapes import Draw, jitter, scatter
from generator.render.styles import Palette

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
angles = st.floats(-720, 720)
radii = st.floats(0.5, 200)


DRAW = Draw(Palette({}, CurrentFace()))


def path(drawn: str) -> str:
    """Return the path data of a shape."""
    return drawn.split('d="')[1].split('"', maxsplit=1)[0]


def numbers(data: str) -> list[float]:
    return [float(text) for text in NUMBER.findall(data)]


def ends(arc: str) -> list[tuple[float, float]]:
    """Return the points of a path of M and A alone."""
    return [tuple(map(float, part.split()[-2:])) for part in re.split("[MA]", arc) if part]  # type: ignore[misc]


def test_angles_run_clockwise_from_the_right() -> None:
    assert shapes.on_circle(10, 10, 5, 0) == (15, 10)
    x, y = shapes.on_circle(10, 10, 5, 90)
    assert (x, y) == pytest.approx((10, 15))


@given(cx=st.floats(-100, 100), cy=st.floats(-100, 100), r=radii, start=angles, end=angles)
def test_all_points_of_an_arc_lie_on_its_circle(
    cx: float, cy: float, r: float, start: float, end: float
) -> None:
    for x, y in ends(shapes.arc(cx, cy, r, start, end)):
        assert math.hypot(x - cx, y - cy) == pytest.approx(r, abs=2e-3)


def test_a_ring_sector_is_a_disc_a_ring_or_a_piece() -> None:
    piece = shapes.ring_sector(0, 0, 5, 10, 0, 90)
    assert piece == "M10 0A10 10 0 0 1 0 10L0 5A5 5 0 0 0 5 0Z"
    assert shapes.ring_sector(0, 0, 0, 10, 0, 90) == "M10 0A10 10 0 0 1 0 10L0 0Z"
    assert shapes.ring_sector(0, 0, 5, 10, 0, 360).count("M") == 2
    assert shapes.ring_sector(0, 0, 0, 10, 0, 400).count("M") == 1


def test_each_corner_of_a_rectangle_has_its_own_radius() -> None:
    assert shapes.rounded_rect(0, 0, 20, 10, (2, 0, 99, 3)) == (
        "M0 2A2 2 0 0 1 2 0L20 0L20 5A5 5 0 0 1 15 10L3 10A3 3 0 0 1 0 7Z"
    )  # the third is as large as it can be


def test_an_arrow_ends_where_it_points() -> None:
    assert path(DRAW.arrow(0, 0, 10, 0, 2, 4)) == "M0 1L6 1L6 2L10 0L6 -2L6 -1L0 -1Z"
    with pytest.raises(ValueError, match="begin where it ends"):
        DRAW.arrow(1, 1, 1, 1)


def test_a_bent_arrow_points_along_its_circle() -> None:
    bent = path(DRAW.arc_arrow(0, 0, 10, 0, 90, 2, 4))
    assert bent.startswith("M11 0A11 11")
    assert bent.endswith("Z")
    assert "L0 10L" in bent  # its tip
    assert path(DRAW.arc_arrow(0, 0, 10, 90, 0, 2, 4)).count("L10 0L") == 1


def test_a_round_shape_goes_through_its_points() -> None:
    curve = shapes.smooth([(0.0, 0.0), (10.0, 5.0), (20.0, 0.0)])
    assert curve.startswith("M0 0C")
    assert curve.endswith("0 0Z")
    assert " 10 5C" in curve
    assert curve.count("C") == 3


@given(w=st.floats(1, 80), h=st.floats(1, 80), gap=st.floats(0.5, 9), angle=st.floats(-180, 180))
def test_a_hatch_stays_in_its_box(w: float, h: float, gap: float, angle: float) -> None:
    values = numbers(path(DRAW.hatch(0, 0, w, h, gap, angle)))
    assert all(-1e-3 <= x <= w + 1e-3 for x in values[::2])
    assert all(-1e-3 <= y <= h + 1e-3 for y in values[1::2])


def test_jitter_is_the_same_on_every_machine() -> None:
    # The first four words of SHA-512 of "0:ruts", from −1 to 1.
    assert [round(value, 6) for value in jitter("ruts", 4)] == [
        0.823209,
        0.100788,
        -0.938079,
        0.350994,
    ]


@given(seed=st.text(max_size=20), count=st.integers(1, 200))
def test_jitter_stays_within_one_and_does_not_depend_on_the_count(seed: str, count: int) -> None:
    values = jitter(seed, count)
    assert len(values) == count
    assert all(-1 <= value <= 1 for value in values)
    assert jitter(seed, count + 7)[:count] == values


@given(w=st.floats(1, 200), h=st.floats(1, 200), count=st.integers(1, 150), seed=st.integers(0, 9))
def test_scattered_points_stay_in_their_box(w: float, h: float, count: int, seed: int) -> None:
    points = scatter(5, 6, w, h, count, seed)
    assert len(set(points)) == count
    assert all(5 <= x <= 5 + w and 6 <= y <= 6 + h for x, y in points)
