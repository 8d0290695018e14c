"""The racing surface: every space, and what lies there.

Everything a race asks of its track is a lookup by space: how far along the lap it lies, which way
its lane leads, how far it is from the inside, and what lies in it. What is no space is wall.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct

from generator.geometry import summed
from generator.tracks import HEXAGONS, Course, LaidTile, course_of, surface

Hex = tuple[int, int]
"""Axial coordinates (q, r) with a pointy top, as in `generator.tracks`: x = q + r/2, y = r · √3/2,
y upward."""
DIRECTIONS: Final[tuple[Hex, ...]] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""From a hex to its neighbours, turning left from east."""

HAZARD: Final = "hazard"
FRAGILE: Final = "fragile"
SOLID: Final = "solid"

_FIGURES: Final[Mapping[str, str]] = {
    "oil": HAZARD,
    "water": HAZARD,
    "sand": HAZARD,
    "rut": HAZARD,
    "wheel": FRAGILE,
    "planks": FRAGILE,
    "crates": FRAGILE,
    "wreck": SOLID,
    "rock": SOLID,
    "wall": SOLID,
}


class Pose(NamedTuple):
    """A hex, and a facing: by 30° · facing to the left of east."""

    hex: Hex
    facing: int


class SpaceItem(NamedTuple):
    """What lies in a space: its kind, and the ratings of its markers (debris stacks)."""

    kind: str
    ratings: tuple[int, ...] = (0,)


class Arena(Struct, frozen=True, eq=False):
    """A racing surface. Distances are in cells along the middle of the track.

    along: how far from the start of the course a space lies. headings: the facing of its lane.
    inside: lanes between it and the side to which the course turns. items: what lies there from
    the start. starts: where vehicles start, the best place first. line: where the finish line is.
    """

    name: str
    lap: float
    line: float
    along: Mapping[Hex, float]
    headings: Mapping[Hex, int]
    inside: Mapping[Hex, int]
    items: Mapping[Hex, SpaceItem]
    starts: tuple[Pose, ...]

    def wrapped(self, distance: float) -> float:
        """A distance by the shorter way round, negative backwards."""
        distance %= self.lap
        return distance if distance <= self.lap / 2 else distance - self.lap


def arena_on(course: Course, pieces: Mapping[str, Mapping[str, Any]], name: str = "") -> Arena:
    """The arena of a course of hexagons whose last tile leads into the first.

    pieces: by call, what stands on a piece: `grid` (starting places, the best first) and `spots`
    (figure and rating), both by lane and step from 1, and `line`, the step after which the finish
    line runs. Without a grid the piece's number of starts is filled from the front; without a line
    it runs behind the starting places. ValueError for an open course, for one of other shapes, or
    one on which nobody can start.
    """
    if course.grid is not HEXAGONS:
        raise ValueError("chariots race on hexagons")
    if not course.is_closed:
        raise ValueError("the last piece does not lead into the first: nobody can drive laps")
    laid_out = surface(course)
    spaces = laid_out.spaces.values()
    left = summed(laid.piece.turn for laid in course.tiles) >= 0
    widths = {laid.number: len(laid.piece.lanes) for laid in course.tiles}
    starts = tuple(pose for laid in course.tiles for pose in _starts(laid, pieces))
    if not starts:
        raise ValueError("no piece of the course has starting places")
    return Arena(
        name=name,
        lap=laid_out.lap,
        line=_line(course, pieces, laid_out.begins),
        along={_hex(s.cell): s.along for s in spaces},
        headings={_hex(s.cell): 2 * s.heading for s in spaces},
        inside={_hex(s.cell): s.lane if left else widths[s.tile] - 1 - s.lane for s in spaces},
        items=dict(item for laid in course.tiles for item in _items(laid, pieces)),
        starts=starts,
    )


def arena_of(track: Mapping[str, Any]) -> Arena:
    """The arena of a checked component of a kind with a layout. ValueError as for `arena_on`."""
    layout = track["layout"]
    pieces = {str(tile["call"]): tile["component"] for tile in layout["tiles"]}
    return arena_on(course_of(layout), pieces, str(track["name"]))


def _hex(cell: Sequence[int]) -> Hex:
    return cell[0], cell[1]


def _entries(piece: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    return piece.get(name) or ()


def _starts(laid: LaidTile, pieces: Mapping[str, Mapping[str, Any]]) -> Iterator[Pose]:
    lanes = laid.piece.lanes
    grid = _entries(pieces.get(laid.tile.call, {}), "grid")
    cells = [lanes[int(place["lane"]) - 1][int(place["step"]) - 1] for place in grid]
    if not cells:
        rows = range(min(map(len, lanes)) - 2, -1, -1)
        cells = [lane[row] for row in rows for lane in lanes][: laid.tile.starts]
    for cell in cells:
        yield Pose(_hex(laid.on_table(cell)), 2 * laid.heading)


def _items(
    laid: LaidTile, pieces: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[Hex, SpaceItem]]:
    for spot in _entries(pieces.get(laid.tile.call, {}), "spots"):
        cell = laid.piece.lanes[int(spot["lane"]) - 1][int(spot["step"]) - 1]
        item = SpaceItem(_FIGURES[str(spot["figure"])], (int(spot.get("rating") or 0),))
        yield _hex(laid.on_table(cell)), item


def _line(
    course: Course, pieces: Mapping[str, Mapping[str, Any]], begins: Sequence[float]
) -> float:
    """Where the printed finish line runs; else in the middle of a piece that has one; else where
    the first piece with starting places ends."""
    for laid, start in zip(course.tiles, begins, strict=True):
        line = pieces.get(laid.tile.call, {}).get("line")
        if line is not None:
            return start + float(line)
        if laid.tile.finish:
            return start + laid.piece.middle / 2
    first = next(
        i for i, laid in enumerate(course.tiles) if laid.tile.starts or _grid(laid, pieces)
    )
    return begins[first] + course.tiles[first].piece.middle


def _grid(laid: LaidTile, pieces: Mapping[str, Mapping[str, Any]]) -> bool:
    return bool(_entries(pieces.get(laid.tile.call, {}), "grid"))
