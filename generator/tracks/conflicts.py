"""Two pieces where they lie in, whether both can lie there out: outlines must not overlap.

Nothing else counts: neither whose neighbours they are, nor which cells their borders cut across.
Each outline is first drawn in by half of what its tile may lie on another, and by a hair, so that
what only touches is apart. Tiles of one cell, and others cut along their cells, are compared cell
by cell, exactly.

A piece is cut along two borders from port to port, mm from the first cell of lane 0. Heading 0
leads to the right, y runs down. A border runs beside the outermost lanes, a kerb's width from the
corners of their cells; at a turn it is a corner on the inner side and an arc on the outer one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from generator.geometry import Point
from generator.tracks.pieces import HEXAGONS, LEFT, BorderCut, TileGrid, TrackPiece, Vector

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


_HAIR: Final = 1e-4
"""In cells: no overlap, though two outlines that touch are not quite equal as worked out."""


_XY = tuple[float, float]


class Solid(Struct, frozen=True):
    """What a piece covers at a heading, from its place: its outline drawn in with the box around
    it (left, low, right, high), and the middles of its cells."""

    corners: tuple[_XY, ...]
    middles: tuple[_XY, ...]
    box: tuple[float, float, float, float]


def solids(piece: TrackPiece, cut: BorderCut | None) -> tuple[Solid, ...]:
    """What a piece covers, by heading."""
    grid = piece.grid
    if cut is None and len(piece.cells) == 1:
        corners = [(p.x, p.y) for p in cell_corners(grid, 1.0)]
    else:
        left, right = borders(piece, 1.0, cut.kerb if cut else 0.0)
        corners = [(p.x, p.y) for p in (*left, *reversed(right))]
    drawn = _drawn_in(corners, _HAIR + (cut.slack / 2 if cut else 0.0))
    middles = [(p.x, p.y) for p in (grid.point(cell, 1.0) for cell in piece.cells)]
    found = []
    for heading in range(grid.turns):
        angle = -math.tau * heading / grid.turns
        outline = _turned(drawn, angle)
        found.append(Solid(outline, _turned(middles, angle), _box(outline)))
    return tuple(found)


def _box(corners: Iterable[_XY]) -> tuple[float, float, float, float]:
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def clash(one: Solid, other: Solid, dx: float, dy: float) -> bool:
    """True when the two overlap, the second lying so far from the first."""
    left, low, right, high = other.box
    west, south, east, north = one.box
    if left + dx > east or right + dx < west or low + dy > north or high + dy < south:
        return False
    there = [(x + dx, y + dy) for x, y in other.corners]
    middles = [(x + dx, y + dy) for x, y in other.middles]
    if any(_holds(one.corners, at) for at in (*middles, *there)):
        return True
    if any(_holds(there, at) for at in (*one.middles, *one.corners)):
        return True
    return _cross(one.corners, there)


def _turned(points: Iterable[_XY], angle: float) -> tuple[_XY, ...]:
    cos, sin = math.cos(angle), math.sin(angle)
    return tuple((x * cos - y * sin, x * sin + y * cos) for x, y in points)


def _drawn_in(corners: Sequence[_XY], by: float) -> tuple[_XY, ...]:
    """The outline with each of its sides moved inwards."""
    corners = [
        at for before, at in pairwise((corners[-1], *corners)) if math.dist(before, at) > _HAIR
    ]
    ring = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    area = math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in ring)
    inwards = math.copysign(by, area)
    found = []
    for (before, at), (_, after) in zip((ring[-1], *ring[:-1]), ring, strict=True):
        one, other = _direction(before, at), _direction(at, after)
        # Where two sides meet, both are moved: along the line that halves their angle.
        scale = inwards / (1 + one[0] * other[0] + one[1] * other[1])
        found.append(
            (at[0] - (one[1] + other[1]) * scale, at[1] + (one[0] + other[0]) * scale),
        )
    return tuple(found)


def _direction(start: _XY, end: _XY) -> _XY:
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _holds(corners: Sequence[_XY], at: _XY) -> bool:
    """True for a point inside."""
    x, y = at
    inside = False
    x1, y1 = corners[-1]
    for x2, y2 in corners:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
        x1, y1 = x2, y2
    return inside


def _sides(corners: Sequence[_XY]) -> Iterator[tuple[float, float, float, float]]:
    for (x1, y1), (x2, y2) in pairwise((*corners, corners[0])):
        yield x1, y1, x2, y2


def _cross(one: Sequence[_XY], other: Sequence[_XY]) -> bool:
    """True when a side of one runs through a side of the other."""
    left, right = min(x for x, _ in one), max(x for x, _ in one)
    low, high = min(y for _, y in one), max(y for _, y in one)
    near = [
        side
        for side in _sides(other)
        if not (
            max(side[0], side[2]) < left
            or min(side[0], side[2]) > right
            or max(side[1], side[3]) < low
            or min(side[1], side[3]) > high
        )
    ]
    for ax, ay, bx, by in _sides(one) if near else ():
        ux, uy = bx - ax, by - ay
        for cx, cy, dx, dy in near:
            after, before = ux * (dy - ay) - uy * (dx - ax), ux * (cy - ay) - uy * (cx - ax)
            if (before > 0) == (after > 0):
                continue
            vx, vy = dx - cx, dy - cy
            if (vx * (ay - cy) > vy * (ax - cx)) != (vx * (by - cy) > vy * (bx - cx)):
                return True
    return False


@lru_cache(maxsize=500)
def _solids(piece: TrackPiece, cut: BorderCut | None) -> tuple[Solid, ...]:
    return solids(piece, cut)


class Lying(Struct, frozen=True):
    """A piece as it lies: cut so, at a place, with a heading."""

    piece: TrackPiece
    cut: BorderCut | None
    place: Vector
    heading: int

    def clashes(self, other: Lying) -> bool:
        """True when it cannot lie there while the other does."""
        grid = self.piece.grid
        apart = tuple(b - a for a, b in zip(self.place, other.place, strict=True))
        if self.cut is None and other.cut is None:
            return cells_overlap(grid, self.cells, other.cells, apart)
        solid = _solids(self.piece, self.cut)[self.heading]
        at = grid.point(apart, 1.0)
        return clash(solid, _solids(other.piece, other.cut)[other.heading], at.x, at.y)

    @property
    def cells(self) -> tuple[Vector, ...]:
        """Its cells, from its place."""
        return tuple(self.piece.grid.rotated(cell, self.heading) for cell in self.piece.cells)


def cells_overlap(
    grid: TileGrid, cells: Sequence[Vector], others: Sequence[Vector], apart: Vector
) -> bool:
    """True when a cell lies on another, the others moved so far. Exact."""
    for a in cells:
        for b in others:
            if grid.overlap(tuple(y + d - x for x, y, d in zip(a, b, apart, strict=True))):
                return True
    return False
