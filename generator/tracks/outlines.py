"""A piece, its cell size and kerb in mm in, the outline that is cut out and its ports out.

A piece is drawn as it is driven: in at the bottom, upwards. Coordinates are of the trim, the
smallest upright box around the outline; x runs to the right and y down. A border runs beside the
outermost lanes, a kerb's width from the corners of their cells; at a turn it is a corner on the
inner side and an arc on the outer one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from generator.geometry import ORIGIN, Point, Size, bounds
from generator.tracks.grids import HEXAGONS, Grid, Vector, times, total
from generator.tracks.pieces import LEFT, Piece, across

UPWARDS: Final = -90
"""Degrees by which heading 0, to the right, is turned to lead up the page."""
_ARC_STEPS: Final = 16


@dataclass(frozen=True, slots=True)
class Outline:
    """What is cut out, mm: size, SVG path data, where the first cell of lane 0 lies, the two ends
    (left, right) of each port, and the border left and right, from port to port, as points."""

    size: Size
    path: str
    origin: Point
    entry: tuple[Point, Point]
    exit: tuple[Point, Point]
    left: tuple[Point, ...]
    right: tuple[Point, ...]


def lane_pitch(grid: Grid, pitch: float) -> float:
    """From the middle of one lane to the next, mm."""
    return pitch * math.sqrt(3) / 2 if grid is HEXAGONS else pitch


def reach(grid: Grid, pitch: float) -> float:
    """From the middle of a lane to the outermost point of its cells, mm."""
    return pitch / math.sqrt(3) if grid is HEXAGONS else pitch / 2


def upwards(grid: Grid, cell: Vector, pitch: float) -> Point:
    """Where the middle of a cell lies when heading 0 leads up the page, mm from the first cell."""
    return grid.point(cell, pitch).turned(UPWARDS, ORIGIN)


def halved(piece: Piece) -> tuple[Vector, ...]:
    """The cells of the piece before whose second halves lie on this one."""
    if piece.grid is not HEXAGONS:
        return ()
    back = times(piece.grid.directions[0], -1)
    return tuple(total(across(piece.grid, lane), back) for lane in range(1, piece.enters, 2))


def outline(piece: Piece, pitch: float, kerb: float) -> Outline:
    """The outline of a piece of cells `pitch` mm across flats, with a border `kerb` mm wide."""
    far = reach(piece.grid, pitch) + kerb
    sides = (_bent if piece.turn else _straight)(piece, pitch, far)
    left, right = (tuple(p.turned(UPWARDS, ORIGIN) for p in side) for side in sides)
    box = bounds((*left, *right))
    left, right = (tuple(p.moved(-box.x, -box.y) for p in side) for side in (left, right))
    points = (*left, *reversed(right))
    path = "M" + "L".join(f"{p.x:.4f} {p.y:.4f}" for p in points) + "Z"
    origin = Point(-box.x, -box.y)
    entry, exit_ = (left[0], right[0]), (left[-1], right[-1])
    return Outline(box.size, path, origin, entry, exit_, left, right)


_Sides = tuple[tuple[Point, ...], tuple[Point, ...]]


def _straight(piece: Piece, pitch: float, far: float) -> _Sides:
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
    piece: Piece,
    pitch: float,
    start: tuple[float, float],
    end: tuple[float, float],
) -> tuple[Point, ...]:
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


def _bent(piece: Piece, pitch: float, far: float) -> _Sides:
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


def _mitre(corner: Point, away: Point, after: Point, far: float) -> tuple[Point, ...]:
    scale = far / (1 + away.x * after.x + away.y * after.y)
    return (corner.moved((away.x + after.x) * scale, (away.y + after.y) * scale),)


def _arc(corner: Point, away: Point, after: Point, far: float) -> tuple[Point, ...]:
    start, stop = math.atan2(away.y, away.x), math.atan2(after.y, after.x)
    sweep = math.remainder(stop - start, math.tau)
    angles = (start + sweep * i / _ARC_STEPS for i in range(_ARC_STEPS + 1))
    return tuple(corner.moved(far * math.cos(a), far * math.sin(a)) for a in angles)


def _clean(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Without points that repeat the one before."""
    kept = [points[0]]
    for before, point in pairwise(points):
        if math.dist((before.x, before.y), (point.x, point.y)) > 1e-6:
            kept.append(point)
    return tuple(kept)
