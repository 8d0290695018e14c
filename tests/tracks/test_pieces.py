from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.tracks.pieces import (
    GRIDS,
    HEXAGONS,
    LEFT,
    OCTAGONS,
    RIGHT,
    SQUARES,
    TileGrid,
    TileMeasures,
    TrackPiece,
    across,
    are_mirrored,
    backwards,
    bend,
    form,
    straight,
    taper,
    total,
)
from generator.tracks.records import piece_outline

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
def test_tiles_of_one_cell(grid: TileGrid) -> None:
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


CURVE = TileMeasures(HEXAGONS, 25.4, turn=1, either_way=True)


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
@pytest.mark.parametrize("turn", [1, -1])
def test_a_curve_that_goes_either_way_has_its_art_turned_for_the_second(
    grid: TileGrid, turn: int
) -> None:
    ways = replace(CURVE, grid=grid, turn=turn).ways()
    first, second = "LR" if turn == 1 else "RL"
    assert list(ways) == [first, second]
    assert (ways[first].piece.turn, ways[second].piece.turn) == (turn, -turn)
    assert ways[first].art == 0
    # The piece is entered by its exit, and turned until that leads where its entry led before.
    turns = ways[first].piece.grid.turns
    exit_back = turn + turns // 2
    assert (exit_back + ways[second].art) % turns == 0


def test_a_wide_bend_goes_either_way_where_its_ports_are_alike() -> None:
    ways = replace(CURVE, enters=3, leaves=3, radius=2).ways()
    assert ways["R"].piece == bend(HEXAGONS, -1, 2, 3)
    assert len(replace(CURVE, grid=SQUARES, enters=2, leaves=2, radius=1).ways()) == 2


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        (replace(CURVE, length=2), "no length"),
        (replace(CURVE, enters=2, leaves=1), "does not widen"),
        (replace(CURVE, enters=2, leaves=2), "at least one row away"),
        (replace(CURVE, enters=2, leaves=2, radius=2), "even number"),
        (replace(CURVE, enters=3, leaves=3, radius=60), "60 rows"),
        (replace(CURVE, turn=0, radius=1), "no radius"),
        (replace(CURVE, turn=0, enters=1, leaves=3, length=4), "one way"),
        (replace(CURVE, turn=0, enters=1, leaves=3), "two cells"),
        (replace(CURVE, grid=OCTAGONS, turn=0, length=2), "one cell"),
        (replace(CURVE, grid=OCTAGONS, kerb=1), "a kerb of 1 mm: there is no room for one"),
        (replace(CURVE, grid=SQUARES, kerb=1), "no room"),
        (replace(CURVE, grid=SQUARES, radius=1, kerb=13), "12.7 mm is the widest"),
        (replace(CURVE, kerb=7.34), "a kerb of 7.34 mm: 7.33 mm is the widest that fits"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_is_refused_in_plain_words(measures: TileMeasures, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        measures.ways()


@pytest.mark.parametrize(("grid", "radius"), [(HEXAGONS, 0), (HEXAGONS, 3), (SQUARES, 1)])
@pytest.mark.parametrize("width", [1, 3])
def test_the_widest_kerb_leaves_an_outline_that_does_not_cross_itself(
    grid: TileGrid, radius: int, width: int
) -> None:
    bare = TileMeasures(grid, 20, turn=1, radius=radius or (width > 1), enters=width, leaves=width)
    kerbed = replace(bare, kerb=bare.widest_kerb)
    shape = piece_outline(kerbed.piece(), 20, kerbed.kerb)
    along = [point.y for point in shape.left]
    assert along == sorted(along, reverse=True)


@pytest.mark.parametrize(
    ("piece", "back"),
    [
        (straight(SQUARES, 3, 4), straight(SQUARES, 3, 4)),
        (bend(SQUARES, LEFT, 2, 3), bend(SQUARES, RIGHT, 2, 3)),
        (straight(HEXAGONS, 3), straight(HEXAGONS, 3)),
        (bend(HEXAGONS, RIGHT, 4), bend(HEXAGONS, LEFT, 4)),
    ],
)
def test_what_can_be_gone_through_backwards(piece: TrackPiece, back: TrackPiece) -> None:
    assert backwards(piece) == form(back)


def test_what_cannot() -> None:
    assert backwards(taper(SQUARES, 4, 2, 3, LEFT)) is None
    lanes, *_ = backwards(straight(HEXAGONS, 3, 3)) or ()
    assert lanes not in [straight(HEXAGONS, n, 3).lanes for n in range(1, 5)]


@given(pieces)
def test_a_straight_is_its_own_mirror_image_and_nothing_else_is(piece: TrackPiece) -> None:
    plain = piece.turn == 0 and piece.enters == piece.leaves
    assert are_mirrored(piece, piece) == plain


@pytest.mark.parametrize(("grid", "width"), [(HEXAGONS, 4), (SQUARES, 2)])
def test_the_image_of_a_bend_bends_as_widely_to_the_other_side(grid: TileGrid, width: int) -> None:
    left = bend(grid, LEFT, 4, width)
    assert are_mirrored(left, bend(grid, RIGHT, 4, width))
    assert not are_mirrored(left, bend(grid, RIGHT, 8, width))
    assert not are_mirrored(left, bend(grid, RIGHT, 4, width + 1))
