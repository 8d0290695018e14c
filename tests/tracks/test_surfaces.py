from itertools import pairwise

import pytest
from hypothesis import given
from tracks.test_pieces import pieces

from generator.tracks.courses import Course, CourseEntry, Surface, Tile, lay, surface
from generator.tracks.pieces import (
    HEXAGONS,
    LEFT,
    RIGHT,
    TrackPiece,
    Way,
    bend,
    straight,
    taper,
    total,
)

WIDE = {
    "s": straight(HEXAGONS, 4, 3),
    "l": bend(HEXAGONS, LEFT, 2, 3),
    "widen": taper(HEXAGONS, 4, 3, 4, LEFT),
    "narrow": taper(HEXAGONS, 5, 4, 3, LEFT),
}


def of(*names: str) -> Course:
    return lay(HEXAGONS, [(Tile(n, {"": Way(WIDE[n])}, owned=9), CourseEntry(n)) for n in names])


@pytest.fixture(scope="module")
def oval() -> Surface:
    return surface(of("s", "l", "l", "l", "s", "l", "l", "l"))


@given(pieces)
def test_every_cell_is_a_space_and_along_grows_in_each_lane(piece: TrackPiece) -> None:
    found = surface(lay(piece.grid, [(Tile("p", {"": Way(piece)}), CourseEntry("p"))]))
    assert set(found.spaces) == set(piece.cells)
    assert found.lap == piece.middle
    for lane in piece.lanes:
        alongs = [found.spaces[cell].along for cell in lane]
        assert all(a < b for a, b in pairwise(alongs))
        assert -0.5 < alongs[0] <= alongs[-1] < piece.middle + 0.5


@given(pieces)
def test_through_lanes_are_as_many_as_the_narrower_port(piece: TrackPiece) -> None:
    assert len(piece.through) == min(piece.enters, piece.leaves)


def test_the_lap_is_the_sum_of_its_tiles(oval: Surface) -> None:
    assert oval.lap == 2 * 4 + 6 * WIDE["l"].middle
    assert oval.begins[:3] == (0, 4, 4 + WIDE["l"].middle)


def test_lanes_lead_from_space_to_space_all_the_way_round(oval: Surface) -> None:
    for space in oval.spaces.values():
        ahead = total(space.cell, HEXAGONS.directions[space.heading])
        assert 0 < (oval.spaces[ahead].along - space.along) % oval.lap < 2.5


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_lanes_that_begin_or_end_keep_their_place_along(side: int) -> None:
    for piece in (taper(HEXAGONS, 6, 2, 4, side), taper(HEXAGONS, 6, 4, 2, side)):
        found = surface(lay(HEXAGONS, [(Tile("p", {"": Way(piece)}), CourseEntry("p"))]))
        for number, lane in enumerate(piece.lanes):
            if number not in piece.through:
                ends = found.spaces[lane[-1 if piece.leaves > piece.enters else 0]].along
                assert (ends > piece.middle - 1) == (piece.leaves > piece.enters)
