"""Tiles and courses in, records of numbers and words for expressions and templates out; and back.

What is worked out in mm is rounded to 4 decimals, so that a record is the same on every computer.
For tiles of a course that nobody knows stand-ins lie, so that it can be shown: one cell long, as
wide as the tile before leaves the track, turning as it is written to, else straight on. A stand-in
is called as it is written, with a question mark, and is of no kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from generator.diagnostics import Span
from generator.geometry import Point, summed
from generator.model.pack import Items, Record
from generator.tracks.courses import Course, CourseEntry, Tile, WrittenStep, lay
from generator.tracks.pieces import GRIDS, LEFT, LETTERS, OCTAGONS, RIGHT, TileMeasures
from generator.tracks.tile_faces import MappedTile, Port, TrackMap, drawn_face, path_of

_DIGITS: Final = 4
SIDES: Final = {"left": LEFT, "right": RIGHT}
_NAMES: Final = {number: name for name, number in SIDES.items()}


class PoolTile(Struct, frozen=True):
    """A tile as a pack has it: how courses know it, how it is shaped and drawn, and the component
    (of which kind) that it is."""

    tile: Tile
    measures: TileMeasures
    drawn: str
    kind: str
    component: Record


def tile_record(tile: Tile, measures: TileMeasures, drawn: str, span: Span) -> Record:
    """What templates see as `tile`. Raises ValueError, in plain words, for what cannot be."""
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
    """The measures of a tile from its record."""
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
    """The tile of a record, as many of it as are owned."""
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
    """What templates see as `layout`: `pool_tiles` are all tiles that there are; `spans` say where
    each of the course was written; `finishes` and `removable` are numbers in the course; `vehicles`
    is how many are to start, if that is asked; `to_close` whether the last is to lead into the
    first."""
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
    """The course of a layout's record."""
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
    """Rounded, and never minus nothing."""
    return round(value, _DIGITS) + 0


def _xy(point: Point) -> Items:
    return Items((_mm(point.x), _mm(point.y)))


def _line(points: Iterable[Point] | Port) -> Items:
    return Items(map(_xy, points))


UNKNOWN: Final = "?"
"""How the call of a stand-in ends."""
_TURNS: Final = {letter: turn for turn, letter in LETTERS.items()}


def with_stand_in_tiles(
    steps: Sequence[WrittenStep],
    layings: Sequence[tuple[Tile | None, CourseEntry]],
    pool_tiles: Sequence[PoolTile],
    span: Span,
) -> tuple[list[tuple[Tile, CourseEntry]], list[PoolTile]]:
    """The layings with a stand-in for each tile that is None, and the pool with the stand-ins.

    `span` is where the course is written; there is at least one tile in the pool.
    """
    pool = {pool_tile.tile.call: pool_tile for pool_tile in pool_tiles}
    laid: list[tuple[Tile, CourseEntry]] = []
    width = _first_width(layings) or pool_tiles[0].measures.enters
    axes = len(pool_tiles[0].measures.grid.unit)
    for step, (tile, entry) in zip(steps, layings, strict=True):
        letter, found = entry.way, tile
        if found is None:
            letter = letter or "S"
            stand_in = _stand_in(step, letter, width, pool_tiles[0].measures, span)
            while pool.get(stand_in.tile.call, stand_in).measures != stand_in.measures:
                stand_in = _of(stand_in.tile.call + UNKNOWN, stand_in.measures, span)
            pool[stand_in.tile.call] = stand_in
            found = stand_in.tile
        # A place on another grid is as good as none.
        place = entry.place if len(entry.place or ()) == axes else None
        laid.append((found, CourseEntry(found.call, letter, place, entry.heading)))
        width = found.ways[letter].piece.leaves
    return laid, list(pool.values())


def is_stand_in(record: Mapping[str, Any]) -> bool:
    """True for the record of a tile in a layout that stands in for one nobody knows."""
    return not record["kind"]


def _first_width(layings: Sequence[tuple[Tile | None, CourseEntry]]) -> int | None:
    """How wide the first tile that is known is entered."""
    known: Iterator[int] = (
        tile.ways[entry.way].piece.enters for tile, entry in layings if tile is not None
    )
    return next(known, None)


def _stand_in(
    step: WrittenStep, letter: str, width: int, like: TileMeasures, span: Span
) -> PoolTile:
    turn = _TURNS[letter]
    measures = TileMeasures(
        like.grid,
        like.pitch,
        turn,
        enters=width,
        leaves=width,
        radius=int(bool(turn) and width > 1),
        kerb=0.0 if like.grid is OCTAGONS or (turn and width == 1) else like.kerb,
    )
    return _of(f"{step.tile}{step.way}{UNKNOWN}", measures, span)


def _of(call: str, measures: TileMeasures, span: Span) -> PoolTile:
    tile = Tile(call, measures.ways(), 0, measures.cut)
    record = tile_record(tile, measures, "up", span)
    record.fill({"owned": 0})
    return PoolTile(tile, measures, "up", "", Record({"id": call, "tile": record}, span))
