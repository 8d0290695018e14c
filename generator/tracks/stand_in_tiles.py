"""A course with tiles that nobody knows in, one in which stand-ins lie for them out, to be shown.

A stand-in is one cell long, as wide as the tile before it leaves the track, and turns as it is
written to; where that is not said it leads straight on. It is called as it is written, with a
question mark, and is of no kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from generator.diagnostics import Span
from generator.model.values import Record
from generator.tracks.courses import CourseEntry, Tile, WrittenStep
from generator.tracks.grids import OCTAGONS
from generator.tracks.pieces import LETTERS, TileMeasures
from generator.tracks.records import PoolTile, tile_record

UNKNOWN: Final = "?"
"""How the call of a stand-in ends."""
_TURNS: Final = {letter: turn for turn, letter in LETTERS.items()}


def with_stand_ins(
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
