"""Shapes of SVG as path operators."""

import itertools
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.export.plates.outlines import outline
from generator.export.plates.reading import LeftToEngineError


def points(path: str) -> list[tuple[float, float]]:
    found = [float(value) for value in re.findall(r"-?[\d.]+", path)]
    return list(zip(found[::2], found[1::2], strict=True))


def path(data: str) -> str:
    return outline("path", (("d", data),)).path


@pytest.mark.parametrize(
    ("name", "attributes", "expected"),
    [
        ("rect", {"x": "1", "y": "2", "width": "3", "height": "4"}, "1 2 3 4 re\n"),
        ("line", {"x1": "1", "y1": "2", "x2": "3"}, "1 2 m\n3 0 l\n"),
        ("polyline", {"points": "0,0 1,0 1,1"}, "0 0 m\n1 0 l\n1 1 l\n"),
        ("polygon", {"points": "0 0 1 0 1 1"}, "0 0 m\n1 0 l\n1 1 l\nh\n"),
        ("rect", {"width": "0", "height": "4"}, ""),
        ("circle", {"cx": "3", "cy": "3", "r": "0"}, ""),
    ],
)
def test_simple_shapes(name: str, attributes: dict[str, str], expected: str) -> None:
    assert outline(name, tuple(attributes.items())).path == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("M1 2h3v4H0V0z", "1 2 m\n4 2 l\n4 6 l\n0 6 l\n0 0 l\nh\n"),
        ("m1 2 3 4", "1 2 m\n4 6 l\n"),
        ("M0 0C1 1 2 2 3 3s1 1 2 0", "0 0 m\n1 1 2 2 3 3 c\n4 4 4 4 5 3 c\n"),
        ("M0 0Q3 0 3 3", "0 0 m\n2 0 3 1 3 3 c\n"),
        ("M0 0Q3 0 3 3T3 9", "0 0 m\n2 0 3 1 3 3 c\n3 5 3 7 3 9 c\n"),
        ("M1 1h2zl5 0", "1 1 m\n3 1 l\nh\n1 1 m\n6 1 l\n"),
        ("M0 0A0 5 0 0 1 4 4", "0 0 m\n4 4 l\n"),
    ],
)
def test_path_data(data: str, expected: str) -> None:
    assert path(data) == expected


def test_an_arc_with_its_flags_written_together() -> None:
    assert path("M0 0a5 5 0 0110 0") == path("M0 0 A 5 5 0 0 1 10 0")


@given(
    st.floats(1, 50), st.floats(0.2, 3), st.floats(-90, 90), st.booleans(), st.booleans(),
    st.floats(-20, 20), st.floats(1, 20),
)  # fmt: skip
def test_an_arc_runs_on_its_ellipse(
    rx: float, ratio: float, tilt: float, large: bool, sweep: bool, x: float, y: float
) -> None:
    ry = rx * ratio
    written = path(f"M0 0A{rx} {ry} {tilt} {large:d} {sweep:d} {x} {y}")
    ends = [(0.0, 0.0), *[points(line)[-1] for line in written.splitlines()[1:]]]
    assert ends[-1] == pytest.approx((x, y), abs=1e-4)
    # In the circle's own coordinates all chords between quarter points lie on one circle.
    cos, sin = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    flat = [((cos * a + sin * b) / rx, (cos * b - sin * a) / ry) for a, b in ends]
    radius = max(1.0, math.dist(flat[0], flat[-1]) / 2)
    assert all(math.dist(a, b) <= 2 * radius + 1e-3 for a in flat for b in flat)
    assert all(math.dist(a, b) <= math.sqrt(2) * radius + 1e-3
               for a, b in itertools.pairwise(flat))  # fmt: skip


def test_a_circle_begins_at_its_right_where_dashes_are_counted_from() -> None:
    found = outline("circle", (("cx", "5"), ("cy", "5"), ("r", "2"))).path
    assert found.startswith("7 5 m\n")
    assert all(math.dist(point, (5, 5)) < 2.0001 for line in found.splitlines()[1:-1]
               for point in points(line)[2:])  # fmt: skip


@pytest.mark.parametrize(
    ("data", "area"), [("M0 0h5", False), ("M0 0v5v2", False), ("M0 0h5v5", True)]
)
def test_what_is_flat_has_no_area(data: str, area: bool) -> None:
    assert outline("path", (("d", data),)).area is area


@pytest.mark.parametrize("data", ["M0", "M0 0 L", "M0 0 A1 1 0 2 0 3 3", "M0 0 X4", "M0 0 Lnan 3"])
def test_what_is_no_path_is_left_to_the_engine(data: str) -> None:
    with pytest.raises(LeftToEngineError):
        path(data)
