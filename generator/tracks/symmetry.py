"""Pieces in; whether one is another gone through backwards, or another's mirror image, out."""

from __future__ import annotations

from generator.tracks.grids import Vector, times, total
from generator.tracks.pieces import LEFT, RIGHT, Piece, bend, taper

Form = tuple[tuple[tuple[Vector, ...], ...], Vector, int, int, int]


def form(piece: Piece) -> Form:
    """What makes two pieces the same: their lanes, where they lead, their widths."""
    return piece.lanes, piece.exit, piece.turn, piece.enters, piece.leaves


def backwards(piece: Piece) -> Form | None:
    """The form of a piece entered by its exit; None for one that widens or narrows.

    On hexagons no piece has this form if its lanes are three, five …: the middle ones are half a
    cell ahead of their neighbours, and gone through backwards half a cell behind.
    """
    if piece.enters != piece.leaves:
        return None
    grid = piece.grid
    half = grid.turns // 2
    origin = piece.lanes[-1][-1]

    def seen(cell: Vector) -> Vector:
        return grid.rotated(total(cell, times(origin, -1)), -piece.turn - half)

    lanes = tuple(tuple(map(seen, lane[::-1])) for lane in reversed(piece.lanes))
    beyond = seen(total(piece.lanes[-1][0], grid.directions[half]))
    return lanes, beyond, -piece.turn, piece.leaves, piece.enters


def are_mirrored(one: Piece, other: Piece) -> bool:
    """True when one has the measures of the other, and bends or widens to the other side.

    Of an odd number of lanes on hexagons, and of any on squares, it is the exact mirror image.
    """
    if (one.turn, one.enters, one.leaves) != (-other.turn, other.enters, other.leaves):
        return False
    grid, width = one.grid, one.enters
    if one.turn:
        return any(
            bend(grid, one.turn, radius, width) == one
            and bend(grid, -one.turn, radius, width) == other
            for radius in range(width > 1, len(one.cells) + 2)
        )
    length = max(map(len, one.lanes))
    return any(
        taper(grid, n, width, one.leaves, side) == one
        and taper(grid, n, width, one.leaves, -side) == other
        for n in range(max(1, length - 1, (width != one.leaves) * 2), length + 2)
        for side in (LEFT, RIGHT)
    )
