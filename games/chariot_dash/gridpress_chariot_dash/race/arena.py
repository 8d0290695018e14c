"""The racing surface: every space, what lies there, and the ways through a phase.

Everything a race asks of its track is a lookup by space: how far along the lap it lies, which way
its lane leads, how far it is from the inside, and what lies in it. What is no space is wall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from generator.tracks import HEXAGONS, Course, LaidTile, course_of, surface
from generator.units import summed
from gridpress_chariot_dash.contact import aside
from gridpress_chariot_dash.movement import FACINGS, Hex, Pose, Step, ahead, drifts, turned

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


class Item(NamedTuple):
    """What lies in a space: its kind, and the ratings of its markers (debris stacks)."""

    kind: str
    ratings: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """A racing surface. Distances are in cells along the middle of the track.

    along: how far from the start of the course a space lies. headings: the facing of its lane.
    inside: lanes between it and the side to which the course turns. items: what lies there from
    the start. starts: where vehicles start, the best place first. line: where the finish line is.
    `nodes`, `poses` and `ways` are caches: poses by number, and the ways on from each.
    """

    name: str
    lap: float
    line: float
    along: Mapping[Hex, float]
    headings: Mapping[Hex, int]
    inside: Mapping[Hex, int]
    items: Mapping[Hex, Item]
    starts: tuple[Pose, ...]
    nodes: dict[Pose, int] = field(default_factory=dict, repr=False)
    poses: list[Pose] = field(default_factory=list, repr=False)
    known: dict[int, tuple[Way, ...]] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Without the caches, which a worker process fills by itself."""
        return Arena, (
            self.name,
            self.lap,
            self.line,
            self.along,
            self.headings,
            self.inside,
            self.items,
            self.starts,
        )

    def node(self, pose: Pose) -> int:
        """The number of a pose."""
        number = self.nodes.get(pose)
        if number is None:
            number = self.nodes[pose] = len(self.poses)
            self.poses.append(pose)
        return number

    def ways(self, node: int, hexes: int) -> tuple[Way, ...]:
        """All ways to go so many hexes from a pose, one for each place where they end."""
        key = node * 16 + hexes
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = ways_from(self, self.poses[node], hexes)
        return found

    def apart(self, behind: Hex, before: Hex) -> float:
        """How far the second space lies before the first, by the shorter way round."""
        return self.wrapped(self.along[before] - self.along[behind])

    def wrapped(self, distance: float) -> float:
        """A distance by the shorter way round, negative backwards."""
        distance %= self.lap
        return distance if distance <= self.lap / 2 else distance - self.lap

    def astray(self, pose: Pose) -> int:
        """By how many times 30° a pose looks away from its lane, either way."""
        apart = (pose.facing - self.headings[pose.hex]) % FACINGS
        return min(apart, FACINGS - apart)


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


def _items(laid: LaidTile, pieces: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[Hex, Item]]:
    for spot in _entries(pieces.get(laid.tile.call, {}), "spots"):
        cell = laid.piece.lanes[int(spot["lane"]) - 1][int(spot["step"]) - 1]
        item = Item(_FIGURES[str(spot["figure"])], (int(spot.get("rating") or 0),))
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


_TURNS: Final = (0, 1, -1)
_ASTRAY: Final = 2
"""A turn that leaves a vehicle more than 60° off its lane is no way to go on, unless it was worse
before."""


class Way(NamedTuple):
    """A way through one phase.

    steps: the poses that it leads through; hexes: their hexes. gain: how far on it leads, in
    cells. open: nothing solid is in the way; else it ends before its last step. low: hazards and
    low obstacles that it touches, unjumped: those that no jump gets over. drift: the step that
    drifts, −1 if none. turns: the turns at its end that make sense, each with the pose it gives; of
    a way that is shut the pose after the collision. stops: after it the vehicle stands.
    """

    steps: tuple[Step, ...]
    hexes: tuple[Hex, ...]
    gain: float
    open: bool
    low: int
    unjumped: int
    drift: int
    turns: tuple[tuple[int, int], ...]
    stops: bool = False


def ways_from(arena: Arena, pose: Pose, hexes: int, *, drift: bool = True) -> tuple[Way, ...]:
    """The best way to each pose that so many hexes lead to, and the ways that end at a wall.

    Ways that are shut are left out where others are open. drift: whether one may still be made.
    """
    best: dict[Pose, Way] = {}
    for steps, at in _paths(arena, pose, hexes, -1, drifting=drift):
        way = _way(arena, pose, steps, at)
        end = steps[-1].pose
        rival = best.get(end)
        if rival is None or (way.open, -way.unjumped, -way.low) > (
            rival.open,
            -rival.unjumped,
            -rival.low,
        ):
            best[end] = way
    ways = tuple(best.values())
    return tuple(way for way in ways if way.open) or ways


def detours(arena: Arena, pose: Pose, way: Way) -> Iterator[Way]:
    """Every way with the same end and the drift elsewhere."""
    if way.drift < 0:
        return
    for steps, drift in _paths(arena, pose, len(way.steps), -1):
        if steps[-1].pose == way.steps[-1].pose and drift != way.drift:
            yield _way(arena, pose, steps, drift)


def _paths(
    arena: Arena, pose: Pose, left: int, drift: int, gone: int = 0, *, drifting: bool = True
) -> Iterator[tuple[tuple[Step, ...], int]]:
    """Step by step: straight on, and one drift. A path ends at the first thing that is solid."""
    onward = [(Step(place), drift) for place in ahead(pose)]
    if drifting and drift < 0:
        onward += [(Step(place, drift=True), gone) for place in drifts(pose)]
    for step, drifted in onward:
        if left == 1 or _shut(arena, step.pose.hex):
            yield (step,), drifted
        else:
            for rest, at in _paths(
                arena, step.pose, left - 1, drifted, gone + 1, drifting=drifting
            ):
                yield (step, *rest), at


def _shut(arena: Arena, at: Hex) -> bool:
    return at not in arena.along or (at in arena.items and arena.items[at].kind == "solid")


def _way(arena: Arena, pose: Pose, steps: tuple[Step, ...], drift: int) -> Way:
    hexes = tuple(step.pose.hex for step in steps)
    is_open = not _shut(arena, hexes[-1])
    low = [i for i, at in enumerate(hexes) if at in arena.items]
    jumpable = [i for i in low if i + 1 < len(steps) and drift not in (i, i + 1)]
    if not is_open:
        before = (pose, *[step.pose for step in steps])[-2]
        after, stops = set_aside(arena, before, lambda at: _shut(arena, at))
        gain = arena.apart(pose.hex, before.hex)
        return Way(steps, hexes, gain, False, 0, 0, drift, ((0, arena.node(after)),), stops)
    return Way(
        steps=steps,
        hexes=hexes,
        gain=arena.apart(pose.hex, hexes[-1]),
        open=True,
        low=len(low),
        unjumped=len(low) - bool(jumpable),
        drift=drift,
        turns=_turns(arena, steps[-1].pose),
    )


def set_aside(arena: Arena, pose: Pose, blocked: Callable[[Hex], bool]) -> tuple[Pose, bool]:
    """How a vehicle stands after a collision with what stays there, and whether its speed is 0.

    Of the facings that the rules leave it takes the one that looks the furthest down the track:
    the one least astray among those with a free hex ahead.
    """
    found = aside(pose, blocked)
    poses = [Pose(pose.hex, facing) for facing in found.facings]
    return min(poses, key=arena.astray), found.stops


def _turns(arena: Arena, end: Pose) -> tuple[tuple[int, int], ...]:
    poses = ((turn, turned(end, turn)) for turn in _TURNS)
    most = max(_ASTRAY, arena.astray(end) - 1)
    return tuple(
        (turn, arena.node(pose)) for turn, pose in poses if turn == 0 or arena.astray(pose) <= most
    )
