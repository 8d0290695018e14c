"""Tracks: tiles on exact grids, courses laid with them, their mistakes, and all their circuits.

Tiles are `pieces` of a grid. `courses` lays them, `course_faults` checks them, and `records` shows
them to templates. Modules that only commands need are imported on first use: `solver` and `finder`
for circuits, `shorten`, `gaps`, and `listing` and `schematic` to show a track.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import on_first_use
from generator.tracks.course_faults import CourseRequirements, broken_rules
from generator.tracks.courses import (
    MOST_TILES,
    Course,
    CourseError,
    LaidTile,
    Space,
    Tile,
    WrittenStep,
    course_words,
    is_call,
    lay,
    surface,
    tile_number,
    tiles_of_steps,
)
from generator.tracks.pieces import (
    GRIDS,
    HEXAGONS,
    LETTERS,
    MOST_CELLS,
    TileGrid,
    TileMeasures,
    Vector,
)
from generator.tracks.records import (
    DRAWN,
    SIDES,
    PoolTile,
    TrackMap,
    course_of,
    layout_record,
    measures_of,
    tile_of,
    tile_record,
    track_map,
)

if TYPE_CHECKING:
    from generator.tracks.candidates import (
        RANKS,
        Candidate,
        Chooser,
        Demands,
        Wishes,
        most_different,
    )
    from generator.tracks.finder import MOST_CIRCUIT_TILES, SECONDS, CircuitFinder
    from generator.tracks.inventory import (
        CountError,
        Inventory,
        TileWord,
        inventory_of,
        parse_counts,
        straights_and_curves,
    )
    from generator.tracks.listing import references, track_listing
    from generator.tracks.schematic import (
        ON_PAGE,
        Fonts,
        Schematic,
        draw_schematic,
        path_point,
        port_heading,
        sheet,
    )
    from generator.tracks.shorten import alike_runs, shortenings

__all__ = [
    "DRAWN",
    "GRIDS",
    "HEXAGONS",
    "LETTERS",
    "MOST_CELLS",
    "MOST_CIRCUIT_TILES",
    "MOST_TILES",
    "ON_PAGE",
    "RANKS",
    "SECONDS",
    "SIDES",
    "Candidate",
    "Chooser",
    "CircuitFinder",
    "CountError",
    "Course",
    "CourseError",
    "CourseRequirements",
    "Demands",
    "Fonts",
    "Inventory",
    "LaidTile",
    "PoolTile",
    "Schematic",
    "Space",
    "Tile",
    "TileGrid",
    "TileMeasures",
    "TileWord",
    "TrackMap",
    "Vector",
    "Wishes",
    "WrittenStep",
    "alike_runs",
    "broken_rules",
    "course_of",
    "course_words",
    "draw_schematic",
    "inventory_of",
    "is_call",
    "lay",
    "layout_record",
    "measures_of",
    "most_different",
    "parse_counts",
    "path_point",
    "port_heading",
    "references",
    "sheet",
    "shortenings",
    "straights_and_curves",
    "surface",
    "tile_number",
    "tile_of",
    "tile_record",
    "tiles_of_steps",
    "track_listing",
    "track_map",
]


__getattr__ = on_first_use(
    __name__,
    {
        "candidates": "RANKS Candidate Chooser Demands Wishes most_different",
        "finder": "MOST_CIRCUIT_TILES SECONDS CircuitFinder",
        "inventory": "CountError Inventory TileWord inventory_of parse_counts straights_and_curves",
        "listing": "references track_listing",
        "schematic": "ON_PAGE Fonts Schematic draw_schematic path_point port_heading sheet",
        "shorten": "alike_runs shortenings",
    },
)
