"""Where a piece is cut: its two borders from port to port, mm from the first cell of lane 0.

Heading 0 leads to the right, y runs down. A border runs beside the outermost lanes, a kerb's width
from the corners of their cells; at a turn it is a corner on the inner side and an arc on the outer
one.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

from generator.geometry import Point
from generator.tracks.grids import HEXAGONS, TileGrid, Vector
from generator.tracks.pieces import LEFT, TrackPiece

_ARC_STEPS: Final = 16

Points = tuple[Point, ...]


def borders(piece: TrackPiece, pitch: float, kerb: float) -> tuple[Points, Points]:
    """The left and the right border of a piece of cells `pitch` mm across flats, the kerbs `kerb`
    mm wide."""
    far = reach(piece.grid, pitch) + kerb
    return (_bent if piece.turn else _straight)(piece, pitch, far)


def cell_corners(grid: TileGrid, pitch: float) -> Points:
    """The outline of one cell of the grid."""
    half = grid.angle / 2
    far = pitch / 2 / math.cos(math.radians(half))
    angles = (math.radians(half + n * grid.angle) for n in range(grid.turns))
    return tuple(Point(far * math.cos(angle), far * math.sin(angle)) for angle in angles)


def lane_pitch(grid: TileGrid, pitch: float) -> float:
    """From the middle of one lane to the next, mm."""
    return pitch * math.sqrt(3) / 2 if grid is HEXAGONS else pitch


def reach(grid: TileGrid, pitch: float) -> float:
    """From the middle of a lane to the outermost point of its cells, mm."""
    return pitch / math.sqrt(3) if grid is HEXAGONS else pitch / 2


def _straight(piece: TrackPiece, pitch: float, far: float) -> tuple[Points, Points]:
    """The borders of a straight or taper, heading 0 to the right; left is up."""
    row = lane_pitch(piece.grid, pitch)
    start, beyond = -pitch / 2, piece.grid.point(piece.exit, pitch)
    end = beyond.x - pitch / 2
    left = _border(piece.lanes[0], piece, pitch, (start, -far), (end, beyond.y - far))
    low = (piece.enters - 1) * row + far
    low_after = beyond.y + (piece.leaves - 1) * row + far
    return left, _border(piece.lanes[-1], piece, pitch, (start, low), (end, low_after))


def _border(
    outermost: tuple[Vector, ...],
    piece: TrackPiece,
    pitch: float,
    start: tuple[float, float],
    end: tuple[float, float],
) -> Points:
    """From port to port; where lanes begin or end, it slants over the length of one cell."""
    first, last = Point(*start), Point(*end)
    if math.isclose(first.y, last.y, abs_tol=1e-9):
        return first, last
    xs = [piece.grid.point(cell, pitch).x for cell in outermost]
    if piece.leaves > piece.enters:
        onto = max(min(xs) - pitch, first.x + pitch)
        return first, Point(onto - pitch, first.y), Point(onto, last.y), last
    off = min(max(xs) + pitch, last.x - pitch)
    return first, Point(off, first.y), Point(off + pitch, last.y), last


def _bent(piece: TrackPiece, pitch: float, far: float) -> tuple[Points, Points]:
    """The borders of a bend, heading 0 to the right."""
    grid = piece.grid
    ahead, onward = Point(1, 0), grid.point(grid.rotated(grid.directions[0], piece.turn), 1)
    row = lane_pitch(grid, pitch)
    width = (piece.enters - 1) * row
    beyond = grid.point(piece.exit, pitch)
    end = beyond.moved(-onward.x * pitch / 2, -onward.y * pitch / 2)
    sides = []
    for hand, offset in ((LEFT, 0.0), (-LEFT, width)):
        lane = 0 if hand == LEFT else -1
        corner = grid.point(piece.lanes[lane][piece.corners[lane]], pitch)
        away, after = _beside(ahead, hand), _beside(onward, hand)
        first = Point(-pitch / 2 + away.x * (offset + far), away.y * (offset + far))
        last = end.moved(after.x * (offset + far), after.y * (offset + far))
        inner = (piece.turn > 0) == (hand == LEFT)
        turn = (_mitre if inner else _arc)(corner, away, after, far)
        sides.append((first, *turn, last))
    return _clean(sides[0]), _clean(sides[1])


def _beside(heading: Point, hand: int) -> Point:
    """The direction to the left (hand 1) or right of a heading; left of "to the right" is up."""
    return Point(heading.y * hand, -heading.x * hand)


def _mitre(corner: Point, away: Point, after: Point, far: float) -> Points:
    scale = far / (1 + away.x * after.x + away.y * after.y)
    return (corner.moved((away.x + after.x) * scale, (away.y + after.y) * scale),)


def _arc(corner: Point, away: Point, after: Point, far: float) -> Points:
    start, stop = math.atan2(away.y, away.x), math.atan2(after.y, after.x)
    sweep = math.remainder(stop - start, math.tau)
    angles = (start + sweep * i / _ARC_STEPS for i in range(_ARC_STEPS + 1))
    return tuple(corner.moved(far * math.cos(a), far * math.sin(a)) for a in angles)


def _clean(points: Points) -> Points:
    """Without points that repeat the one before."""
    kept = [points[0]]
    for before, point in pairwise(points):
        if math.dist((before.x, before.y), (point.x, point.y)) > 1e-6:
            kept.append(point)
    return tuple(kept)
