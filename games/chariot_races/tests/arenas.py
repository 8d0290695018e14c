"""A small arena for tests of races."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from gridpress_chariot_races.race.setup import Arena, arena_on

from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.pieces import HEXAGONS, LEFT, TileMeasures


def oval_course(*spare: str) -> Course:
    """Return an oval of three lanes: six bends, a grid and a straight, without tiles in `spare`."""
    bend = TileMeasures(HEXAGONS, 25, turn=LEFT, enters=3, leaves=3, radius=2)
    straight = TileMeasures(HEXAGONS, 25, length=4, enters=3, leaves=3)
    tiles = {
        "grid": Tile("grid", straight.ways(), starts=6),
        "plain": Tile("plain", straight.ways()),
        "bend": Tile("bend", bend.ways(), owned=6),
    }
    names = ["grid", "bend", "bend", "bend", "plain", "bend", "bend", "bend"]
    return lay(
        HEXAGONS, [(tiles[n], CourseEntry(n, _way(tiles[n]))) for n in names if n not in spare]
    )


def _way(tile: Tile) -> str:
    return next(iter(tile.ways))


def oval(**pieces: Mapping[str, Any]) -> Arena:
    """Return the oval with items on its pieces, by name."""
    return arena_on(oval_course(), pieces, "oval")


@cache
def empty_oval() -> Arena:
    return oval()
