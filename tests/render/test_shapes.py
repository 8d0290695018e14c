import itertools
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render import shapes
from generator.render.shapes import jitter, polar, scatter

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
angles = st.floats(-720, 720)
radii = st.floats(0.5, 200)


def numbers(data: str) -> list[float]:
    return [float(text) for text in NUMBER.findall(data)]


def ends(arc: str) -> list[tuple[float, float]]:
    """The points of a path of M and A alone."""
    return [tuple(map(float, part.split()[-2:])) for part in re.split("[MA]", arc) if part]  # type: ignore[misc]


def test_polygons_and_lines() -> None:
    triangle = [(0, 0), (10, 0), (5, 8.66025)]
    assert shapes.closed(triangle) == "M0 0L10 0L5 8.66Z"
    assert shapes.open_line(triangle[:2]) == "M0 0L10 0"


def test_a_number_is_rounded_to_a_micrometre_without_a_stray_sign() -> None:
    assert shapes.open_line([(1 / 3, -0.0001), (2.5, 100)]) == "M0.333 0L2.5 100"


def test_angles_run_clockwise_from_the_right() -> None:
    assert shapes.on_circle(10, 10, 5, 0) == (15, 10)
    x, y = shapes.on_circle(10, 10, 5, 90)
    assert (x, y) == pytest.approx((10, 15))


def test_an_arc_is_cut_into_thirds_at_most() -> None:
    assert shapes.arc(0, 0, 10, 0, 90) == "M10 0A10 10 0 0 1 0 10"
    assert shapes.arc(0, 0, 10, 0, 360).count("A") == 3
    assert shapes.arc(0, 0, 10, 90, 0) == "M0 10A10 10 0 0 0 10 0"


@given(cx=st.floats(-100, 100), cy=st.floats(-100, 100), r=radii, start=angles, end=angles)
def test_all_points_of_an_arc_lie_on_its_circle(
    cx: float, cy: float, r: float, start: float, end: float
) -> None:
    for x, y in ends(shapes.arc(cx, cy, r, start, end)):
        assert math.hypot(x - cx, y - cy) == pytest.approx(r, abs=2e-3)


@given(r=radii, sides=st.integers(3, 60), turn=angles)
def test_the_corners_of_a_regular_polygon_are_as_far_apart(
    r: float, sides: int, turn: float
) -> None:
    corners = shapes.regular(3, 4, r, sides, turn)
    around = [*corners, corners[0]]
    steps = [math.dist(one, two) for one, two in itertools.pairwise(around)]
    assert steps == pytest.approx([2 * r * math.sin(math.pi / sides)] * sides)


def test_a_star_has_its_points_outside() -> None:
    corners = shapes.star(0, 0, 5, 10, 4, -90)
    assert corners[0] == pytest.approx((0, -10))
    assert [round(math.hypot(*corner)) for corner in corners] == [10, 4] * 5


def test_a_ring_sector_is_a_disc_a_ring_or_a_piece() -> None:
    piece = shapes.ring_sector(0, 0, 5, 10, 0, 90)
    assert piece == "M10 0A10 10 0 0 1 0 10L0 5A5 5 0 0 0 5 0Z"
    assert shapes.ring_sector(0, 0, 0, 10, 0, 90) == "M10 0A10 10 0 0 1 0 10L0 0Z"
    assert shapes.ring_sector(0, 0, 5, 10, 0, 360).count("M") == 2
    assert shapes.ring_sector(0, 0, 0, 10, 0, 400).count("M") == 1


def test_each_corner_of_a_rectangle_has_its_own_radius() -> None:
    path = shapes.rounded_rect(0, 0, 20, 10, (2, 0, 99, 3))
    assert path == (
        "M0 2A2 2 0 0 1 2 0L20 0L20 5A5 5 0 0 1 15 10L3 10A3 3 0 0 1 0 7Z"
    )  # the third is as large as it can be


def test_an_arrow_ends_where_it_points() -> None:
    corners = shapes.arrow((0, 0), (10, 0), 2, 4)
    assert corners == [(0, 1), (6, 1), (6, 2), (10, 0), (6, -2), (6, -1), (0, -1)]
    with pytest.raises(ValueError, match="begin where it ends"):
        shapes.arrow((1, 1), (1, 1), 1, 1)


def test_a_bent_arrow_points_along_its_circle() -> None:
    path = shapes.arc_arrow(0, 0, 10, 0, 90, 2, 4)
    assert path.startswith("M11 0A11 11")
    assert path.endswith("Z")
    assert "L0 10L" in path  # its tip
    assert shapes.arc_arrow(0, 0, 10, 90, 0, 2, 4).count("L10 0L") == 1


def test_a_round_shape_goes_through_its_points() -> None:
    path = shapes.smooth([(0.0, 0.0), (10.0, 5.0), (20.0, 0.0)])
    assert path.startswith("M0 0C")
    assert path.endswith("0 0Z")
    assert " 10 5C" in path
    assert path.count("C") == 3


def test_a_grid_has_its_frame() -> None:
    assert shapes.grid(0, 0, 10, 4, 2, 1) == "M0 0V4M5 0V4M10 0V4M0 0H10M0 4H10"


@given(w=st.floats(1, 80), h=st.floats(1, 80), gap=st.floats(0.5, 9), angle=st.floats(-180, 180))
def test_a_hatch_stays_in_its_box(w: float, h: float, gap: float, angle: float) -> None:
    values = numbers(shapes.hatch(0, 0, w, h, gap, angle))
    assert all(-1e-3 <= x <= w + 1e-3 for x in values[::2])
    assert all(-1e-3 <= y <= h + 1e-3 for y in values[1::2])


def test_a_hatch_runs_at_its_angle() -> None:
    assert shapes.hatch(0, 0, 10, 4, 2, 0) == "M0 0L10 0M0 2L10 2M0 4L10 4"


def test_a_gear_has_its_teeth_and_hole() -> None:
    assert shapes.gear(0, 0, 8, 10, 8, 0).count("L") == 8 * 4 - 1
    assert shapes.gear(0, 0, 8, 10, 8, 3).count("Z") == 2


def test_ticks_stand_at_both_ends() -> None:
    assert shapes.ticks(0, 0, 8, 10, 0, 90, 2) == "M8 0L10 0M0 8L0 10"
    assert shapes.ticks(0, 0, 8, 10, 0, 90, 1) == "M8 0L10 0"


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


def test_jitter_is_spread_evenly() -> None:
    values = jitter(7, 2000)
    assert abs(sum(values)) / 2000 < 0.05
    assert 400 < sum(value > 0.5 for value in values) < 600


@given(w=st.floats(1, 200), h=st.floats(1, 200), count=st.integers(1, 150), seed=st.integers(0, 9))
def test_scattered_points_stay_in_their_box(w: float, h: float, count: int, seed: int) -> None:
    points = scatter(5, 6, w, h, count, seed)
    assert len(set(points)) == count
    assert all(5 <= x <= 5 + w and 6 <= y <= 6 + h for x, y in points)


def test_polar_is_clockwise_from_the_right() -> None:
    assert [round(value, 6) for value in polar(0, 0, 2, 90)] == [0, 2]
