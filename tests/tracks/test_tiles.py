import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.tracks.tiles import FAMILIES, HEXAGONS, OCTAGONS, SQUARES, Tiles

families = pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)


@families
def test_every_direction_is_one_tile_long_and_turned_left_by_one_curve(family: Tiles) -> None:
    for heading, step in enumerate(family.directions):
        at = family.point(step, 25.4)
        angle = math.radians(heading * family.angle)
        assert (at.x, -at.y) == pytest.approx((25.4 * math.cos(angle), 25.4 * math.sin(angle)))


@families
def test_a_full_turn_of_curves_changes_nothing(family: Tiles) -> None:
    start = turned = tuple(range(3, 3 + len(family.unit)))
    for _ in range(family.turns):
        turned = family.turned(turned)
    assert turned == start
    assert len(set(family.directions)) == family.turns


def test_axial_neighbours_of_a_hexagon() -> None:
    assert HEXAGONS.directions == ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


@families
def test_neighbours_touch_without_overlap_and_a_tile_overlaps_itself(family: Tiles) -> None:
    assert family.overlap(family.origin)
    assert not any(family.overlap(step) for step in family.directions)


def test_octagons_overlap_by_a_hair() -> None:
    # 5√2 − 7 is 0.071: nearer to 0 than any sloppy comparison with 1 would show.
    assert OCTAGONS.overlap((-7, 5, 0, -5))
    # Along x √2 apart, along y level.
    assert not OCTAGONS.overlap((0, 1, 0, -1))


@given(st.tuples(*[st.integers(-6, 6)] * 4))
def test_octagons_overlap_as_their_polygons_do(apart: tuple[int, int, int, int]) -> None:
    at = OCTAGONS.point(apart, 1.0)
    seen = max(
        at.x * math.cos(k * math.pi / 4) + at.y * math.sin(k * math.pi / 4) for k in range(8)
    )
    if abs(seen - 1) > 1e-9:
        assert OCTAGONS.overlap(apart) == (seen < 1)
    else:
        assert not OCTAGONS.overlap(apart)


def test_cells_of_a_lattice_overlap_only_themselves() -> None:
    for family, cell in product((HEXAGONS, SQUARES), product(range(-3, 4), repeat=2)):
        assert family.overlap(cell) == (cell == (0, 0))
        assert family.distance(cell) == 0 or family.distance(cell) > 0.999
