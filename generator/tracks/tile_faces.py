"""The face of a tile, and where each lies on the map: outlines, lanes and ports, mm.

A piece is drawn as it is driven: in at the bottom, upwards. Coordinates of a face are of the trim,
the smallest upright box around the outline; x runs to the right and y down. Coordinates of a map
are from the top-left corner of the box around all tiles (and a margin); a turn of the whole map is
by curves to the left, and at 0 the first tile leads to the right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.geometry import ORIGIN, Point, Size, bounds
from generator.tracks.conflicts import Points, borders
from generator.tracks.courses import Course, LaidTile
from generator.tracks.pieces import (
    HEXAGONS,
    TileGrid,
    TileMeasures,
    TrackPiece,
    Vector,
    across,
    times,
    total,
)

UPWARDS: Final = -90
"""Degrees by which heading 0, to the right, is turned to lead up the page."""
Port = tuple[Point, Point]


class TileFace(Struct, frozen=True):
    """A face, mm: the size of its trim, the first cell of lane 0, its border left and right from
    port to port; the cells of each lane from left to right, and those that reach in from the piece
    before."""

    size: Size
    start: Point
    left: Points
    right: Points
    lanes: tuple[Points, ...] = ()
    halves: Points = ()

    @property
    def entry(self) -> Port:
        """The left and the right end of the port by which it is entered."""
        return self.left[0], self.right[0]

    @property
    def exit(self) -> Port:
        """The ends of the port by which it is left."""
        return self.left[-1], self.right[-1]

    @property
    def corners(self) -> Points:
        """Its outline, once around."""
        return (*self.left, *reversed(self.right))

    def turned(self, degrees: float) -> TileFace:
        """The same face turned clockwise, in the trim that it then has."""
        box = bounds([p.turned(degrees, ORIGIN) for p in self.corners])
        return self.carried(lambda p: p.turned(degrees, ORIGIN).moved(-box.x, -box.y), box.size)

    def carried(self, to: Callable[[Point], Point], size: Size) -> TileFace:
        """The same face with every point brought to where `to` says."""
        return TileFace(
            size,
            to(self.start),
            tuple(map(to, self.left)),
            tuple(map(to, self.right)),
            tuple(tuple(map(to, lane)) for lane in self.lanes),
            tuple(map(to, self.halves)),
        )


def upwards(grid: TileGrid, cell: Vector, pitch: float) -> Point:
    """Where the middle of a cell lies when heading 0 leads up the page, mm from the first cell."""
    return grid.point(cell, pitch).turned(UPWARDS, ORIGIN)


def halved(piece: TrackPiece) -> tuple[Vector, ...]:
    """The cells of the piece before whose second halves lie on this one."""
    if piece.grid is not HEXAGONS:
        return ()
    back = times(piece.grid.directions[0], -1)
    return tuple(total(across(piece.grid, lane), back) for lane in range(1, piece.enters, 2))


def outline(piece: TrackPiece, pitch: float, kerb: float) -> TileFace:
    """The outline of a piece of cells `pitch` mm across flats, with a border `kerb` mm wide."""
    sides = borders(piece, pitch, kerb)
    return _in_its_trim(*([p.turned(UPWARDS, ORIGIN) for p in side] for side in sides))


def _in_its_trim(left: Sequence[Point], right: Sequence[Point]) -> TileFace:
    """The face between two borders, whose coordinates are from the first cell of lane 0."""
    box = bounds((*left, *right))
    left, right = (tuple(p.moved(-box.x, -box.y) for p in side) for side in (left, right))
    return TileFace(box.size, Point(-box.x, -box.y), left, right)


DRAWN: Final = {"up": 0, "right": 90, "down": 180, "left": 270}
"""Degrees clockwise by which a face is turned that is driven in that direction as drawn."""


def driven_face(measures: TileMeasures, piece: TrackPiece) -> TileFace:
    """The face of one way through a tile, driven upwards: in at the bottom."""
    grid, pitch = measures.grid, measures.pitch
    if measures.is_cell:
        shape = _polygon(grid, pitch, piece.turn)
    else:
        shape = outline(piece, pitch, measures.kerb)

    def place(cell: Vector) -> Point:
        return upwards(grid, cell, pitch).moved(shape.start.x, shape.start.y)

    lanes = tuple(tuple(map(place, lane)) for lane in piece.lanes)
    return replace(shape, lanes=lanes, halves=tuple(map(place, halved(piece))))


def path_of(points: Sequence[Point]) -> str:
    """SVG path data of a closed outline."""
    return "M" + "L".join(f"{p.x + 0:.4f} {p.y + 0:.4f}" for p in points) + "Z"


def _polygon(grid: TileGrid, pitch: float, turn: int) -> TileFace:
    """A cell of the grid with a flat side at the bottom, by which it is entered."""
    angle = grid.angle
    far = pitch / 2 / math.cos(math.radians(angle / 2))

    def corner(left_of_ahead: float) -> Point:
        return Point(far, 0).turned(UPWARDS - left_of_ahead, ORIGIN)

    half, whole = angle / 2, grid.turns // 2
    left = [corner(180 - half - k * angle) for k in range(whole - turn)]
    right = [corner(half - 180 + k * angle) for k in range(whole + turn)]
    return _in_its_trim(left, right)


class MappedTile(Struct, frozen=True):
    """A tile on the map. `middle` is that of its trim, `angle` by how many degrees clockwise the
    face as drawn is turned about it; lanes and ports are in the order of travel."""

    laid: LaidTile
    middle: Point
    angle: float
    lanes: tuple[Points, ...]
    entry: Port
    exit: Port
    corners: Points


class TrackMap(Struct, frozen=True):
    """A course on the map: the size of all of it with the margin, its tiles in the order of travel,
    and by how many curves to the left it is turned."""

    size: Size
    tiles: tuple[MappedTile, ...]
    margin: float = 0.0
    heading: int = 0


@lru_cache(maxsize=1000)
def drawn_face(measures: TileMeasures, drawn: str) -> TileFace:
    """The face of a tile as it is drawn: driven up, right, down or left (a key of DRAWN)."""
    return driven_face(measures, measures.piece()).turned(DRAWN[drawn])


def track_map(
    course: Course,
    measures: Mapping[str, TileMeasures],
    drawn: Mapping[str, str],
    heading: int = 0,
    margin: float = 0.0,
) -> TrackMap:
    """Where the tiles lie; `measures` and `drawn` are by call. Raises ValueError for no tiles."""
    gone: dict[tuple[str, str], TileFace] = {}
    placed = []
    for laid in course.tiles:
        call = laid.tile.call
        own, seen = measures[call], drawn[call]
        if (call, laid.letter) not in gone:
            gone[call, laid.letter] = driven_face(own, laid.piece)
        way, as_drawn = gone[call, laid.letter], drawn_face(own, seen)
        placed.append(_placed(laid, way, as_drawn, own.pitch, DRAWN[seen], heading))
    box = bounds([corner for tile in placed for corner in tile.corners])
    dx, dy = margin - box.x, margin - box.y
    size = Size(box.width + 2 * margin, box.height + 2 * margin)
    return TrackMap(size, tuple(_moved(tile, dx, dy) for tile in placed), margin, heading)


def _placed(
    laid: LaidTile, way: TileFace, drawn: TileFace, pitch: float, drawn_turn: int, heading: int
) -> MappedTile:
    """A tile, with the first cell of the course's first tile at the origin."""
    grid = laid.piece.grid
    cell = grid.point(grid.rotated(laid.place, heading), pitch)
    angle = -UPWARDS - (laid.heading + heading) * grid.angle
    to = _carrying(way.start, cell, angle)
    on_map = way.carried(to, way.size)
    turned = (angle - laid.way.art * grid.angle - drawn_turn) % 360
    port = drawn.exit if laid.way.art else drawn.entry
    middle = Point(drawn.size.width / 2, drawn.size.height / 2)
    carry = _carrying(port[0].halfway(port[1]), on_map.entry[0].halfway(on_map.entry[1]), turned)
    corners = tuple(map(carry, drawn.corners))
    return MappedTile(laid, carry(middle), turned, on_map.lanes, on_map.entry, on_map.exit, corners)


def _carrying(this: Point, onto: Point, degrees: float) -> Callable[[Point], Point]:
    """Turn clockwise by so much, with this point coming onto that one."""

    def carry(point: Point) -> Point:
        return point.turned(degrees, this).moved(onto.x - this.x, onto.y - this.y)

    return carry


def _moved(tile: MappedTile, dx: float, dy: float) -> MappedTile:
    def move(point: Point) -> Point:
        return point.moved(dx, dy)

    return replace(
        tile,
        middle=move(tile.middle),
        lanes=tuple(tuple(map(move, lane)) for lane in tile.lanes),
        entry=(move(tile.entry[0]), move(tile.entry[1])),
        exit=(move(tile.exit[0]), move(tile.exit[1])),
        corners=tuple(map(move, tile.corners)),
    )
