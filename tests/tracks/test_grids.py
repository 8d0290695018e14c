import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.tracks.courses import Lying
from generator.tracks.pieces import GRIDS, OCTAGONS, TileGrid, Vector, straight

grids = pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)


@grids
def test_every_direction_is_one_tile_long_and_turned_left_by_one_curve(grid: TileGrid) -> None:
    for heading, step in enumerate(grid.directions):
        at = grid.point(step, 25.4)
        angle = math.radians(heading * grid.angle)
        assert (at.x, -at.y) == pytest.approx((25.4 * math.cos(angle), 25.4 * math.sin(angle)))


@grids
def test_a_full_turn_of_curves_changes_nothing(grid: TileGrid) -> None:
    start = turned = tuple(range(3, 3 + len(grid.unit)))
    for _ in range(grid.turns):
        turned = grid.turned(turned)
    assert turned == start
    assert len(set(grid.directions)) == grid.turns


def overlap(grid: TileGrid, apart: Vector, heading: int = 0) -> bool:
    piece = straight(grid)
    return Lying(piece, None, grid.origin, 0).clashes(Lying(piece, None, apart, heading))


@grids
def test_neighbours_touch_without_overlap_and_a_tile_overlaps_itself(grid: TileGrid) -> None:
    for heading in range(grid.turns):
        assert overlap(grid, grid.origin, heading)
        assert not any(overlap(grid, step, heading) for step in grid.directions)


def test_octagons_overlap_by_a_hair() -> None:
    # 5√2 − 7 is 0.071, nearer to 0 than a careless comparison with 1 would show.
    assert overlap(OCTAGONS, (-7, 5, 0, -5))
    # They are √2 apart in x and level in y.
    assert not overlap(OCTAGONS, (0, 1, 0, -1))


@given(st.tuples(*[st.integers(-60, 60)] * 4))
def test_octagons_overlap_as_their_polygons_do(apart: tuple[int, int, int, int]) -> None:
    at = OCTAGONS.point(apart, 1.0)
    seen = max(
        at.x * math.cos(k * math.pi / 4) + at.y * math.sin(k * math.pi / 4) for k in range(8)
    )
    assert overlap(OCTAGONS, apart) == (seen < 1 - 1e-9)
