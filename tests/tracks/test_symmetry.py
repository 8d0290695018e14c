import pytest
from hypothesis import given
from tracks.test_pieces import bends, pieces

from generator.tracks.courses import CourseEntry, Tile, lay
from generator.tracks.grids import HEXAGONS, SQUARES, Grid
from generator.tracks.pieces import (
    LEFT,
    RIGHT,
    TrackPiece,
    Way,
    are_mirrored,
    backwards,
    bend,
    form,
    straight,
    taper,
)


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


@given(bends())
def test_backwards_and_back_again_is_the_same(piece: TrackPiece) -> None:
    lanes, exit_, turn, enters, leaves = backwards(piece) or ()
    once = TrackPiece(piece.grid, lanes, exit_, turn, enters, leaves)
    assert backwards(once) == form(piece)


@given(pieces)
def test_a_straight_is_its_own_mirror_image_and_nothing_else_is(piece: TrackPiece) -> None:
    plain = piece.turn == 0 and piece.enters == piece.leaves
    assert are_mirrored(piece, piece) == plain


@pytest.mark.parametrize(("grid", "width"), [(HEXAGONS, 4), (SQUARES, 2)])
def test_the_image_of_a_bend_bends_as_widely_to_the_other_side(grid: Grid, width: int) -> None:
    left = bend(grid, LEFT, 4, width)
    assert are_mirrored(left, bend(grid, RIGHT, 4, width))
    assert not are_mirrored(left, bend(grid, RIGHT, 8, width))
    assert not are_mirrored(left, bend(grid, RIGHT, 4, width + 1))


def test_the_image_of_a_taper_narrows_on_the_other_side() -> None:
    right = taper(HEXAGONS, 4, 3, 2, RIGHT)
    assert are_mirrored(right, taper(HEXAGONS, 4, 3, 2, LEFT))
    assert not are_mirrored(right, taper(HEXAGONS, 5, 3, 2, LEFT))


def test_a_piece_laid_backwards_covers_the_same_cells() -> None:
    piece, back = bend(SQUARES, LEFT, 1, 2), bend(SQUARES, RIGHT, 1, 2)
    [there] = lay(SQUARES, [(Tile("a", {"": Way(piece)}), CourseEntry("a"))]).tiles
    start = there.on_table(piece.lanes[-1][-1])
    heading = (piece.turn + 2) % 4
    [again] = lay(
        SQUARES, [(Tile("b", {"": Way(back)}), CourseEntry("b", "", start, heading))]
    ).tiles
    assert set(again.cells) == set(there.cells)
