"""Records of layouts for tests: built from tiles and a course, as templates see `layout`."""

from collections.abc import Sequence
from typing import Any

from generator.diagnostics import Span
from generator.model.values import Record
from generator.tracks.courses import CourseEntry, Tile, lay
from generator.tracks.pieces import HEXAGONS, LEFT, RIGHT, SQUARES, TileMeasures
from generator.tracks.records import PoolTile, layout_record, tile_record, track_map

SPAN = Span("track.yaml")


def pool_tile(call: str, measures: TileMeasures, owned: int = 9, **said) -> PoolTile:
    tile = Tile(call, measures.ways(), owned, measures.cut, **said)
    record = tile_record(tile, measures, "up", SPAN)
    if "owned" not in record:
        record.fill({"owned": owned})
    return PoolTile(tile, measures, "up", "tile", Record({"id": call, "tile": record}, SPAN))


def record(
    pool_tiles: Sequence[PoolTile],
    course: Sequence[tuple[str, str] | CourseEntry],
    finishes: Sequence[int] = (1,),
    removable: Sequence[int] = (),
    heading: int = 0,
    margin: float = 0.0,
    to_close: bool = True,
) -> Record:
    by_call = {h.tile.call: h for h in pool_tiles}
    layings = [one if isinstance(one, CourseEntry) else CourseEntry(*one) for one in course]
    grid = pool_tiles[0].measures.grid
    laid = lay(grid, [(by_call[one.call].tile, one) for one in layings])
    used = {one.call: by_call[one.call] for one in layings}
    on_map = track_map(
        laid,
        {c: h.measures for c, h in used.items()},
        {c: h.drawn for c, h in used.items()},
        heading,
        margin,
    )
    return layout_record(
        laid, on_map, pool_tiles, [SPAN] * len(layings), finishes, removable, to_close=to_close
    )


def letters(word: str, removable: Sequence[int] = (), **lies: Any) -> Record:
    """Return a track of hexagons of one cell, numbered in the order of travel."""
    pool_tiles = [
        pool_tile(
            str(number),
            TileMeasures(HEXAGONS, 80, turn=0 if letter == "S" else LEFT, either_way=True),
            owned=1,
        )
        for number, letter in enumerate(word, 1)
    ]
    course = [(str(n), x) for n, x in enumerate(word, 1)]
    return record(pool_tiles, course, removable=removable, **lies)


def pieces(removable: Sequence[int] = ()) -> Record:
    """Return an oval three lanes wide, of six bends and two straights, one of them a start grid."""
    bend = TileMeasures(HEXAGONS, 25, turn=LEFT, enters=3, leaves=3, radius=2, kerb=5)
    straight = TileMeasures(HEXAGONS, 25, length=4, enters=3, leaves=3, kerb=5)
    pool_tiles = [
        pool_tile("grid", straight, owned=1, starts=6),
        pool_tile("plain", straight),
        pool_tile("bend", bend, owned=6),
    ]
    names = ["grid", "bend", "bend", "bend", "plain", "bend", "bend", "bend"]
    return record(
        pool_tiles, [(n, "L" if n == "bend" else "S") for n in names], removable=removable
    )


def open_ends() -> Record:
    """Return two straights of squares, the second 80 mm too far to the right."""
    pool_tiles = [pool_tile("a", TileMeasures(SQUARES, 40, side=RIGHT, either_way=True))]
    course: list[tuple[str, str] | CourseEntry] = [("a", "S"), CourseEntry("a", "S", (3, 0), 0)]
    return record(pool_tiles, course, finishes=(), to_close=False)
