"""A course and its tiles' measures in, where each tile lies on the map and how it is turned out.

Map coordinates are mm from the top-left corner of the box around all tiles (and a margin), y down.
A turn of the whole map is by curves to the left; at 0 the first tile leads to the right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from generator.geometry import Point, Size, bounds
from generator.tracks.blanks import DRAWN, Blank, Points, Port, blank
from generator.tracks.courses import Course, Laid
from generator.tracks.measures import Measures
from generator.tracks.outlines import UPWARDS


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile on the map. `middle` is that of its trim, `angle` by how many degrees clockwise the
    face as drawn is turned about it; lanes and ports are in the order of travel."""

    laid: Laid
    middle: Point
    angle: float
    lanes: tuple[Points, ...]
    entry: Port
    exit: Port
    corners: Points


@dataclass(frozen=True, slots=True)
class Placing:
    """A course on the map: the size of all of it with the margin, its tiles in the order of travel,
    and by how many curves to the left it is turned."""

    size: Size
    tiles: tuple[Placed, ...]
    margin: float = 0.0
    heading: int = 0


@lru_cache(maxsize=1000)
def face(measures: Measures, drawn: str) -> Blank:
    """The face of a tile as it is drawn: driven up, right, down or left (a key of DRAWN)."""
    return blank(measures, measures.piece()).turned(DRAWN[drawn])


def placing(
    course: Course,
    measures: Mapping[str, Measures],
    drawn: Mapping[str, str],
    heading: int = 0,
    margin: float = 0.0,
) -> Placing:
    """Where the tiles lie; `measures` and `drawn` are by call. Raises ValueError for no tiles."""
    gone: dict[tuple[str, str], Blank] = {}
    placed = []
    for laid in course.tiles:
        call = laid.tile.call
        own, seen = measures[call], drawn[call]
        if (call, laid.letter) not in gone:
            gone[call, laid.letter] = blank(own, laid.piece)
        way, as_drawn = gone[call, laid.letter], face(own, seen)
        placed.append(_placed(laid, way, as_drawn, own.pitch, DRAWN[seen], heading))
    box = bounds([corner for tile in placed for corner in tile.corners])
    dx, dy = margin - box.x, margin - box.y
    size = Size(box.width + 2 * margin, box.height + 2 * margin)
    return Placing(size, tuple(_moved(tile, dx, dy) for tile in placed), margin, heading)


def _placed(
    laid: Laid, way: Blank, drawn: Blank, pitch: float, drawn_turn: int, heading: int
) -> Placed:
    """A tile, with the first cell of the course's first tile at the origin."""
    grid = laid.piece.grid
    cell = grid.point(grid.rotated(laid.place, heading), pitch)
    angle = -UPWARDS - (laid.heading + heading) * grid.angle
    to = _carrying(way.start, cell, angle)
    on_map = way.carried(to, way.size)
    turned = (angle - laid.way.art * grid.angle - drawn_turn) % 360
    port = drawn.exit if laid.way.art else drawn.entry
    middle = Point(drawn.size.width / 2, drawn.size.height / 2)
    carry = _carrying(_between(port), _between(on_map.entry), turned)
    corners = tuple(map(carry, drawn.corners))
    return Placed(laid, carry(middle), turned, on_map.lanes, on_map.entry, on_map.exit, corners)


def _carrying(this: Point, onto: Point, degrees: float) -> Callable[[Point], Point]:
    """Turn clockwise by so much, with this point coming onto that one."""

    def carry(point: Point) -> Point:
        return point.turned(degrees, this).moved(onto.x - this.x, onto.y - this.y)

    return carry


def _between(port: Port) -> Point:
    return Point((port[0].x + port[1].x) / 2, (port[0].y + port[1].y) / 2)


def _moved(tile: Placed, dx: float, dy: float) -> Placed:
    def move(point: Point) -> Point:
        return point.moved(dx, dy)

    return Placed(
        tile.laid,
        move(tile.middle),
        tile.angle,
        tuple(tuple(map(move, lane)) for lane in tile.lanes),
        (move(tile.entry[0]), move(tile.entry[1])),
        (move(tile.exit[0]), move(tile.exit[1])),
        tuple(map(move, tile.corners)),
    )
