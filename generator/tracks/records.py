"""Records of tiles and courses for expressions and templates, and back.

A face is drawn as it is driven: in at the bottom, upwards. Its coordinates are of the trim, the
smallest upright box around the outline, in mm; x runs to the right and y down. Coordinates of a map
are from the top left corner of the box around all tiles and the margin. At heading 0 the first tile
leads to the right.

Lengths are rounded to 4 decimals, so that records are the same on every computer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Span
from generator.geometry import ORIGIN, Point, Size, bounds, summed
from generator.model.values import Items, Record
from generator.tracks.courses import (
    Course,
    CourseEntry,
    LaidTile,
    Points,
    Tile,
    border_lines,
    lay,
)
from generator.tracks.pieces import (
    GRIDS,
    HEXAGONS,
    LEFT,
    RIGHT,
    TileGrid,
    TileMeasures,
    TrackPiece,
    Vector,
    across,
    times,
    total,
)

UPWARDS: Final = -90
"""Degrees from heading 0, to the right, to up the page."""
Port = tuple[Point, Point]


class TileFace(Struct, frozen=True):
    """A face in mm: its trim, the first cell of lane 0, its borders from port to port, the cells of
    each lane, and the cells that reach in from the piece before."""

    size: Size
    start: Point
    left: Points
    right: Points
    lanes: tuple[Points, ...] = ()
    halves: Points = ()

    @property
    def entry(self) -> Port:
        """Return the left and right end of its entry."""
        return self.left[0], self.right[0]

    @property
    def exit(self) -> Port:
        """Return the left and right end of its exit."""
        return self.left[-1], self.right[-1]

    @property
    def corners(self) -> Points:
        """Return its outline."""
        return (*self.left, *reversed(self.right))

    def turned(self, degrees: float) -> TileFace:
        """Turn the face clockwise, in a new trim."""
        box = bounds([p.turned(degrees, ORIGIN) for p in self.corners])
        return self.carried(lambda p: p.turned(degrees, ORIGIN).moved(-box.x, -box.y), box.size)

    def carried(self, to: Callable[[Point], Point], size: Size) -> TileFace:
        """Move every point of the face."""
        return TileFace(
            size,
            to(self.start),
            tuple(map(to, self.left)),
            tuple(map(to, self.right)),
            tuple(tuple(map(to, lane)) for lane in self.lanes),
            tuple(map(to, self.halves)),
        )


def upwards(grid: TileGrid, cell: Vector, pitch: float) -> Point:
    """Return the middle of a cell if heading 0 leads up the page, mm from the first cell."""
    return grid.point(cell, pitch).turned(UPWARDS, ORIGIN)


def halved(piece: TrackPiece) -> tuple[Vector, ...]:
    """Return the cells of the piece before that reach into this one."""
    if piece.grid is not HEXAGONS:
        return ()
    back = times(piece.grid.directions[0], -1)
    return tuple(total(across(piece.grid, lane), back) for lane in range(1, piece.enters, 2))


def piece_outline(piece: TrackPiece, pitch: float, kerb: float) -> TileFace:
    """Return the outline of a piece with its kerb, in mm."""
    sides = border_lines(piece, pitch, kerb)
    return _in_its_trim(*([p.turned(UPWARDS, ORIGIN) for p in side] for side in sides))


def _in_its_trim(left: Sequence[Point], right: Sequence[Point]) -> TileFace:
    """Return the face between two borders, measured from the first cell of lane 0."""
    box = bounds((*left, *right))
    left, right = (tuple(p.moved(-box.x, -box.y) for p in side) for side in (left, right))
    return TileFace(box.size, Point(-box.x, -box.y), left, right)


DRAWN: Final = {"up": 0, "right": 90, "down": 180, "left": 270}
"""Degrees clockwise from up."""


def driven_face(measures: TileMeasures, piece: TrackPiece) -> TileFace:
    """Return the face of one way through a tile, driven upwards."""
    grid, pitch = measures.grid, measures.pitch
    if measures.is_cell:
        shape = _polygon(grid, pitch, piece.turn)
    else:
        shape = piece_outline(piece, pitch, measures.kerb)

    def place(cell: Vector) -> Point:
        return upwards(grid, cell, pitch).moved(shape.start.x, shape.start.y)

    lanes = tuple(tuple(map(place, lane)) for lane in piece.lanes)
    return replace(shape, lanes=lanes, halves=tuple(map(place, halved(piece))))


def path_of(points: Sequence[Point]) -> str:
    """Return SVG path data of a closed outline."""
    return "M" + "L".join(f"{p.x + 0:.4f} {p.y + 0:.4f}" for p in points) + "Z"


def _polygon(grid: TileGrid, pitch: float, turn: int) -> TileFace:
    """Return a cell of the grid with its entry at the bottom."""
    angle = grid.angle
    far = pitch / 2 / math.cos(math.radians(angle / 2))

    def corner(left_of_ahead: float) -> Point:
        return Point(far, 0).turned(UPWARDS - left_of_ahead, ORIGIN)

    half, whole = angle / 2, grid.turns // 2
    left = [corner(180 - half - k * angle) for k in range(whole - turn)]
    right = [corner(half - 180 + k * angle) for k in range(whole + turn)]
    return _in_its_trim(left, right)


class MappedTile(Struct, frozen=True):
    """A tile on the map, in the order of travel. Its drawn face is turned clockwise by `angle`
    about `middle`."""

    laid: LaidTile
    middle: Point
    angle: float
    lanes: tuple[Points, ...]
    entry: Port
    exit: Port
    corners: Points


class TrackMap(Struct, frozen=True):
    """A course on the map, with the size of the map and its heading."""

    size: Size
    tiles: tuple[MappedTile, ...]
    margin: float = 0.0
    heading: int = 0


@lru_cache(maxsize=1000)
def drawn_face(measures: TileMeasures, drawn: str) -> TileFace:
    """Return the face of a tile as it is drawn (a key of DRAWN)."""
    return driven_face(measures, measures.piece()).turned(DRAWN[drawn])


def track_map(
    course: Course,
    measures: Mapping[str, TileMeasures],
    drawn: Mapping[str, str],
    heading: int = 0,
    margin: float = 0.0,
) -> TrackMap:
    """Place the tiles on a map; `measures` and `drawn` are by call."""
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
    """Place a tile, with the first cell of the course's first tile at the origin."""
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
    """Return a function that turns clockwise and brings this point to that one."""

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


_DIGITS: Final = 4
SIDES: Final = {"left": LEFT, "right": RIGHT}
_NAMES: Final = {number: name for name, number in SIDES.items()}


class PoolTile(Struct, frozen=True):
    """A tile of a pack, with its shape, its drawn direction, and its component."""

    tile: Tile
    measures: TileMeasures
    drawn: str
    kind: str
    component: Record


def tile_record(tile: Tile, measures: TileMeasures, drawn: str, span: Span) -> Record:
    """Return what templates see as `tile`. Raises ValueError with the reason if it cannot be."""
    shape = drawn_face(measures, drawn)
    piece = measures.piece()
    values = {
        "call": tile.call,
        "grid": measures.grid.name,
        "pitch": measures.pitch,
        "drawn": drawn,
        "turn": measures.turn,
        "length": measures.length,
        "enters": measures.enters,
        "leaves": measures.leaves,
        "side": _NAMES[measures.side],
        "radius": measures.radius,
        "kerb": measures.kerb,
        "slack": measures.slack,
        "either_way": measures.either_way,
        "ways": "".join(tile.ways),
        "starts": tile.starts,
        "finish": tile.finish,
        "marks": tile.marks,
        "cells": len(piece.cells),
        "width": _mm(shape.size.width),
        "height": _mm(shape.size.height),
        "outline": path_of(shape.corners),
        "lanes": Items(map(_line, shape.lanes)),
        "halves": _line(shape.halves),
        "entry": _line(shape.entry),
        "exit": _line(shape.exit),
        "left": _line(shape.left),
        "right": _line(shape.right),
        "start": _xy(shape.start),
    }
    return Record(values, span)


def measures_of(record: Mapping[str, Any]) -> TileMeasures:
    """Return the measures of a tile's record."""
    return TileMeasures(
        grid=GRIDS[record["grid"]],
        pitch=record["pitch"],
        turn=record["turn"],
        length=record["length"],
        enters=record["enters"],
        leaves=record["leaves"],
        side=SIDES[record["side"]],
        radius=record["radius"],
        kerb=record["kerb"],
        slack=record["slack"],
        either_way=record["either_way"],
    )


def tile_of(record: Mapping[str, Any]) -> Tile:
    """Return the tile of a record."""
    measures = measures_of(record)
    return Tile(
        call=record["call"],
        ways=measures.ways(),
        owned=record["owned"],
        cut=measures.cut,
        starts=record["starts"],
        finish=record["finish"],
        marks=record["marks"],
    )


def layout_record(
    course: Course,
    on_map: TrackMap,
    pool_tiles: Sequence[PoolTile],
    spans: Sequence[Span],
    finishes: Iterable[int] = (),
    removable: Iterable[int] = (),
    vehicles: int | None = None,
    to_close: bool = True,
) -> Record:
    """Return what templates see as `layout`.

    `spans` are the places in the course; `finishes` and `removable` are numbers in the course;
    `vehicles` is how many must start; `to_close` says if the course must close.
    """
    by_call = {pool_tile.tile.call: pool_tile for pool_tile in pool_tiles}
    lines, leaving = frozenset(finishes), frozenset(removable)
    tiles = Items(
        _placed_record(placed, by_call[placed.laid.tile.call], span, lines, leaving)
        for placed, span in zip(on_map.tiles, spans, strict=True)
    )
    laid = [tile.tile.call for tile in course.tiles]
    narrowest = min(min(tile.piece.enters, tile.piece.leaves) for tile in course.tiles)
    used = [pool_tile for pool_tile in pool_tiles if pool_tile.tile.call in laid]
    values = {
        "grid": course.grid.name,
        "pitch": used[0].measures.pitch,
        "width": _mm(on_map.size.width),
        "height": _mm(on_map.size.height),
        "margin": _mm(on_map.margin),
        "heading": on_map.heading % course.grid.turns,
        "closed": course.is_closed,
        "to_close": to_close,
        "turns": summed(tile.piece.turn for tile in course.tiles),
        "word": "".join(tile.letter for tile in course.tiles),
        "cells": _mm(summed(tile.piece.middle for tile in course.tiles)),
        "lanes_min": narrowest,
        "starts": summed(tile.tile.starts for tile in course.tiles),
        "marks": summed(tile.tile.marks for tile in course.tiles),
        "vehicles": vehicles,
        "tiles": tiles,
        "needed": Items(
            _needed(pool_tile, laid.count(pool_tile.tile.call), spans[0]) for pool_tile in used
        ),
        "spare": Items(s.tile.call for s in pool_tiles if s.tile.owned > laid.count(s.tile.call)),
    }
    return Record(values, spans[0])


def course_of(record: Mapping[str, Any]) -> Course:
    """Return the course of a layout's record."""
    known: dict[str, Tile] = {}
    laid = []
    for entry in record["tiles"]:
        call, at = entry["call"], tuple(entry["at"])
        tile = known.setdefault(call, tile_of(entry["component"]["tile"]))
        laid.append((tile, CourseEntry(call, entry["letter"], at, entry["heading"])))
    return lay(GRIDS[record["grid"]], laid)


def _placed_record(
    placed: MappedTile,
    pool_tile: PoolTile,
    span: Span,
    lines: frozenset[int],
    leaving: frozenset[int],
) -> Record:
    laid = placed.laid
    values = {
        "number": laid.number,
        "call": laid.tile.call,
        "letter": laid.letter,
        "kind": pool_tile.kind,
        "component": pool_tile.component,
        "at": Items(laid.place),
        "heading": laid.heading,
        "turn": laid.piece.turn,
        "x": _mm(placed.middle.x),
        "y": _mm(placed.middle.y),
        "angle": _mm(placed.angle),
        "lanes": Items(map(_line, placed.lanes)),
        "entry": _line(placed.entry),
        "exit": _line(placed.exit),
        "outline": path_of(placed.corners),
        "finish": laid.tile.finish or laid.number in lines,
        "removable": laid.number in leaving,
        "starts": laid.tile.starts,
        "marks": laid.tile.marks,
    }
    return Record(values, span)


def _needed(pool_tile: PoolTile, count: int, span: Span) -> Record:
    values = {
        "call": pool_tile.tile.call,
        "kind": pool_tile.kind,
        "count": count,
        "component": pool_tile.component,
    }
    return Record(values, span)


def _mm(value: float) -> float:
    return round(value, _DIGITS) + 0


def _xy(point: Point) -> Items:
    return Items((_mm(point.x), _mm(point.y)))


def _line(points: Iterable[Point] | Port) -> Items:
    return Items(map(_xy, points))
