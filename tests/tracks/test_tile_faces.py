import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tracks.test_pieces import pieces

from generator.geometry import Point
from generator.tracks.courses import reach
from generator.tracks.pieces import (
    HEXAGONS,
    LEFT,
    SQUARES,
    TrackPiece,
    bend,
    straight,
    times,
    total,
)
from generator.tracks.records import TileFace, halved, piece_outline, upwards

PITCH, KERB = 25.4, 6.0


def drawn(piece: TrackPiece, shape: TileFace) -> list[Point]:
    """The middles of the piece's cells in the trim."""
    at = [upwards(piece.grid, cell, PITCH) for cell in piece.cells]
    return [p.moved(shape.start.x, shape.start.y) for p in at]


@given(pieces)
def test_the_outline_holds_every_cell(piece: TrackPiece) -> None:
    shape = piece_outline(piece, PITCH, KERB)
    near = PITCH / 2 - 1e-6
    for p in drawn(piece, shape):
        assert near - PITCH / 2 <= p.x <= shape.size.width + 1e-6
        assert -1e-6 <= p.y <= shape.size.height + 1e-6


@given(pieces)
def test_ports_are_as_wide_as_their_lanes_and_kerbs(piece: TrackPiece) -> None:
    shape = piece_outline(piece, PITCH, KERB)
    row = PITCH * (math.sqrt(3) / 2 if piece.grid is HEXAGONS else 1)
    for (left, right), lanes in ((shape.entry, piece.enters), (shape.exit, piece.leaves)):
        width = (lanes - 1) * row + 2 * (reach(piece.grid, PITCH) + KERB)
        assert math.dist((left.x, left.y), (right.x, right.y)) == pytest.approx(width)


@given(pieces, st.integers(1, 5))
def test_the_next_piece_fits_onto_the_port(piece: TrackPiece, length: int) -> None:
    """The entry of a straight laid after a piece is the piece's exit, to a thousandth of a mm."""
    grid = piece.grid
    after = straight(grid, length, piece.leaves)
    here, there = piece_outline(piece, PITCH, KERB), piece_outline(after, PITCH, KERB)
    beyond = upwards(grid, piece.exit, PITCH)
    for mine, its in zip(here.exit, there.entry, strict=True):
        moved = its.moved(-there.start.x, -there.start.y)
        turned = moved.turned(-piece.turn * grid.angle, Point(0, 0)).moved(beyond.x, beyond.y)
        at = mine.moved(-here.start.x, -here.start.y)
        assert (turned.x, turned.y) == pytest.approx((at.x, at.y), abs=1e-3)


def test_the_second_halves_of_the_piece_before_lie_at_odd_lanes() -> None:
    piece = bend(HEXAGONS, LEFT, 2, 4)
    back = times(HEXAGONS.directions[0], -1)
    assert halved(piece) == (total(piece.lanes[1][0], back), total(piece.lanes[3][0], back))
    assert halved(bend(SQUARES, LEFT, 1, 3)) == ()
