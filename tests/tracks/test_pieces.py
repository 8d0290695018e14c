from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.tracks.grids import GRIDS, HEXAGONS, OCTAGONS, SQUARES, Grid, total
from generator.tracks.pieces import LEFT, RIGHT, TrackPiece, across, bend, straight, taper

sides = st.sampled_from([LEFT, RIGHT])
lattices = st.sampled_from([HEXAGONS, SQUARES])


def bends() -> st.SearchStrategy[TrackPiece]:
    return st.builds(bend, lattices, sides, st.integers(1, 8), st.integers(1, 6))


def tapers() -> st.SearchStrategy[TrackPiece]:
    widths = st.integers(1, 6)
    return st.builds(taper, lattices, st.integers(2, 9), widths, widths, sides)


pieces = st.one_of(bends(), tapers())


@given(pieces)
def test_lanes_run_from_cell_to_neighbouring_cell_and_share_none(piece: TrackPiece) -> None:
    neighbours = piece.grid.directions
    assert len(set(piece.cells)) == len(piece.cells)
    for lane in piece.lanes:
        assert lane
        for cell, following in pairwise(lane):
            assert total(following, tuple(-v for v in cell)) in neighbours


@given(pieces)
def test_each_lane_that_leaves_leads_into_the_lane_of_the_next_piece(piece: TrackPiece) -> None:
    grid = piece.grid
    heading = grid.rotated(grid.directions[0], piece.turn)
    ends = {total(lane[-1], heading) for lane in piece.lanes}
    for lane in range(piece.leaves):
        assert total(piece.exit, grid.rotated(across(grid, lane), piece.turn)) in ends


@given(pieces)
def test_each_lane_that_enters_starts_at_the_port(piece: TrackPiece) -> None:
    for lane in range(piece.enters):
        assert piece.lanes[piece.first + lane][0] == across(piece.grid, lane)


@given(bends())
def test_six_hexagonal_or_four_square_bends_come_home(piece: TrackPiece) -> None:
    at = piece.grid.origin
    for turn in range(piece.grid.turns):
        at = total(at, piece.grid.rotated(piece.exit, turn * piece.turn))
    assert at == piece.grid.origin


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_tiles_of_one_cell(grid: Grid) -> None:
    ahead = grid.directions
    assert (straight(grid).cells, straight(grid).exit) == ((grid.origin,), ahead[0])
    for side in (LEFT, RIGHT):
        curve = bend(grid, side)
        assert (curve.cells, curve.exit, curve.turn) == ((grid.origin,), ahead[side], side)


def test_inner_lanes_of_a_bend_are_shorter() -> None:
    assert [len(lane) for lane in bend(HEXAGONS, LEFT, 2, 4).lanes] == [3, 4, 5, 6]
    assert [len(lane) for lane in bend(HEXAGONS, RIGHT, 2, 4).lanes] == [5, 4, 3, 2]
    assert [len(lane) for lane in bend(SQUARES, LEFT, 1, 3).lanes] == [3, 5, 7]


@pytest.mark.parametrize(
    "make",
    [
        lambda: bend(HEXAGONS, LEFT, 0, 2),
        lambda: bend(HEXAGONS, LEFT, -1),
        lambda: bend(OCTAGONS, LEFT, 1),
        lambda: straight(HEXAGONS, 0),
        lambda: taper(HEXAGONS, 1, 2, 3, LEFT),
        lambda: taper(HEXAGONS, 4, 2, 0, LEFT),
    ],
)
def test_what_has_no_cells_is_no_piece(make) -> None:
    with pytest.raises(ValueError, match=r"piece|bend|octagons"):
        make()
