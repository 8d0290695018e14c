"""What is wrong with a course: every rule that it breaks; what keeps a layout from being a circuit;
and the fewest pieces of a stock that would close a gap; long, since all of it is about the same
gaps and overlaps.

`RULES` is the one table of rules: one function each. A fault names tiles and gaps as a player sees
them, on the table: in mm and in cells.

Pieces that would close a gap are searched from both sides, a piece at a time, until the two meet:
where a piece leads from the end of the one tile, and from where one leads to the beginning of the
other. Places are whole numbers, so that what closes closes exactly. The pieces may be more than
there are left: then that is said; they never lie on the tiles of the course, nor on each other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from generator.diagnostics import Severity
from generator.geometry import summed
from generator.tracks.courses import Course, CourseEntry, Joint, LaidTile, Tile, TrackFault, lay
from generator.tracks.pieces import PieceForm, TileGrid, TrackPiece, Vector, form, times, total
from generator.tracks.records import course_of, is_stand_in


class CourseRequirements(Struct, frozen=True):
    """What a course is to serve; what is None is not asked for.

    `pitch` is the size of its cells, mm. `finishes` are the numbers of the tiles that a finish line
    stands on beside those that have one printed; `finish` asks for exactly one. `removable` are the
    numbers of the tiles that can leave it, all together. `markers` is how many markers there are
    for the marks on its tiles. `opposite` asks for two starts half a lap apart.
    """

    pitch: float
    closed: bool = True
    finish: bool = False
    finishes: tuple[int, ...] = ()
    vehicles: int | None = None
    abreast: int | None = None
    markers: int | None = None
    removable: tuple[int, ...] = ()
    opposite: bool = False


Rule = Callable[[Course, CourseRequirements], Iterator[TrackFault]]


def _miss(joint: Joint, required: CourseRequirements) -> str:
    parts = []
    if joint.cells:
        mm = joint.apart * required.pitch
        parts.append(f"they are {mm:.1f} mm ({_many(joint.apart, 'cell')}) apart")
    if joint.degrees:
        side = "left" if joint.degrees > 0 else "right"
        parts.append(f"it is turned {abs(joint.degrees)}° to the {side}")
    return " and ".join(parts)


def _many(count: float, thing: str) -> str:
    return f"{round(count, 2):.10g} {thing}{'' if count == 1 else 's'}"


def ports_meet(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """Every tile leads into the next: at the same place, in the same direction."""
    for joint in course.joints:
        if not joint.meets:
            message = f"{joint.before} does not lead into {joint.after}: {_miss(joint, required)}"
            hint = "leave out its place and turn, and it is laid onto the tile before"
            yield TrackFault("GP903", joint.after.number, message, hint)


def widths_match(course: Course, _required: CourseRequirements) -> Iterator[TrackFault]:
    """Where two tiles meet, the track is as wide on both."""
    closing = course.closing
    joints = (*course.joints, closing) if closing is not None else ()
    for joint in joints:
        leaves, enters = joint.before.piece.leaves, joint.after.piece.enters
        if joint.meets and leaves != enters:
            message = (
                f"{joint.before} is {_many(leaves, 'lane')} wide where {joint.after} is {enters}"
            )
            hint = "put a piece between them that widens or narrows the track"
            yield TrackFault("GP904", joint.after.number, message, hint)


def none_overlap(course: Course, _required: CourseRequirements) -> Iterator[TrackFault]:
    """No tile lies on another, nor its kerb on another's."""
    for one, other in course.overlaps:
        apart = course.grid.lattice and set(one.cells).isdisjoint(other.cells)
        on = "crowds" if apart else "lies on"
        hint = "lead the track further round, or take a straight out or in on both sides"
        yield TrackFault("GP905", other.number, f"{other} {on} {one}", hint)


def closes(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """The last tile leads into the first."""
    joint = course.closing
    if not required.closed or joint is None or joint.meets:
        return
    turn = summed(laid.piece.turn for laid in course.tiles)
    whole = course.grid.turns
    message = f"the track does not close: {joint.before} misses {joint.after}, " + _miss(
        joint, required
    )
    hint = f"its curves turn {turn * course.grid.angle}° in all; a circuit turns 360°"
    if abs(turn) == whole:
        hint = "balance it: for every straight there is one that leads back"
    yield TrackFault("GP906", joint.before.number, message, hint)


def all_owned(course: Course, _required: CourseRequirements) -> Iterator[TrackFault]:
    """No tile lies there more often than it is owned."""
    laid: dict[str, list[LaidTile]] = {}
    for tile in course.tiles:
        laid.setdefault(tile.tile.call, []).append(tile)
    for call, tiles in laid.items():
        owned = tiles[0].tile.owned
        if len(tiles) > owned:
            only = f"there {'is' if owned == 1 else 'are'} only {owned} of it"
            message = f"{call} lies there {len(tiles)} times, but {only}"
            hint = "lay another tile of the same shape, or print more of it"
            yield TrackFault("GP907", tiles[owned].number, message, hint)


def one_finish(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """There is exactly one finish line, and it stands on a tile of the course."""
    if not required.finish:
        return
    printed = [laid.number for laid in course.tiles if laid.tile.finish]
    lines = sorted({*printed, *required.finishes})
    if not lines:
        hint = "say on which tile it stands, or lay a tile that has one"
        yield TrackFault("GP908", 0, "the track has no finish line", hint)
    for number in lines[1:]:
        first, second = course.tiles[lines[0] - 1], course.tiles[number - 1]
        message = f"there is a finish line on {first} and another on {second}"
        yield TrackFault("GP908", number, message, "a race has one")


def grid_holds_all(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """The start grid has a space for every vehicle."""
    spaces = summed(laid.tile.starts for laid in course.tiles)
    if required.vehicles is not None and spaces < required.vehicles:
        message = (
            f"the start grid has {_many(spaces, 'space')} for {_many(required.vehicles, 'vehicle')}"
        )
        yield TrackFault("GP909", 0, message, "lay a larger start grid, or another one behind it")


def wide_enough(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """Nowhere is it narrower than the vehicles that are to race side by side."""
    for laid in course.tiles:
        narrow = min(laid.piece.enters, laid.piece.leaves)
        if required.abreast is not None and narrow < required.abreast:
            wide = _many(narrow, "lane")
            message = f"{laid} is {wide} wide, and {required.abreast} vehicles race abreast"
            hint = "expect collisions there, or lay a wider piece"
            yield TrackFault("GP910", laid.number, message, hint, Severity.WARNING)
            return


def marks_have_markers(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """There is a marker for every mark."""
    marks = summed(laid.tile.marks for laid in course.tiles)
    if required.markers is not None and marks > required.markers:
        message = (
            f"the track has {_many(marks, 'mark')}, but there are only "
            f"{_many(required.markers, 'marker')}"
        )
        hint = "some stay empty: print more markers or lay tiles with fewer marks"
        yield TrackFault("GP911", 0, message, hint, Severity.WARNING)


def can_shorten(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """Without its removable tiles it is still a circuit, with the finish line on it."""
    leaving = frozenset(required.removable)
    if not leaving or not course.is_circuit:
        return
    rest = course.without(leaving)
    calls = ", ".join(course.tiles[number - 1].tile.call for number in required.removable)
    number = required.removable[0]
    hint = "gridpress track shorten lists the tiles that can leave together"
    if not rest.is_circuit:
        joint = rest.closing
        why = "some tiles lie on each other"
        if joint is not None and not joint.meets:
            why = (
                f"{joint.before.tile.call} misses {joint.after.tile.call}, {_miss(joint, required)}"
            )
        message = f"without {calls} the track is no circuit: {why}"
        yield TrackFault("GP912", number, message, hint)
    lines = {laid.number for laid in course.tiles if laid.tile.finish} | set(required.finishes)
    if required.finish and lines and lines <= leaving:
        tile = course.tiles[min(lines) - 1]
        message = f"{tile} may leave the track, but the finish line is on it"
        yield TrackFault("GP912", tile.number, message, hint)
    spaces = summed(laid.tile.starts for laid in course.tiles)
    stay = summed(laid.tile.starts for laid in course.tiles if laid.number not in leaving)
    if required.vehicles is not None and stay < required.vehicles <= spaces:
        message = (
            f"without {calls} the start grid has {_many(stay, 'space')} "
            f"for {_many(required.vehicles, 'vehicle')}"
        )
        yield TrackFault("GP912", number, message, hint)


def starts_opposite(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """There are two starts, half a lap apart to within one cell; measured along the middle."""
    if not required.opposite:
        return
    starts = [laid for laid in course.tiles if laid.tile.starts]
    if len(starts) != 2:
        message = f"a pursuit has two starts, and this track {len(starts) or 'none'}"
        yield TrackFault("GP913", 0, message, "lay a start on either side of the circuit")
        return
    lengths = [laid.piece.middle for laid in course.tiles]
    first, second = (summed(lengths[: start.number - 1]) for start in starts)
    apart, lap = second - first, summed(lengths)
    if abs(apart - lap / 2) > 1:
        gap = _many(apart, "cell")
        message = f"{starts[1]} is {gap} after {starts[0]}, but half a lap is {lap / 2:g}"
        hint = "move a straight from the longer half to the shorter one"
        yield TrackFault("GP913", starts[1].number, message, hint)


RULES: Final[Mapping[str, Rule]] = {
    "ports meet": ports_meet,
    "widths match": widths_match,
    "none overlap": none_overlap,
    "closes": closes,
    "all owned": all_owned,
    "one finish": one_finish,
    "grid holds all": grid_holds_all,
    "wide enough": wide_enough,
    "marks have markers": marks_have_markers,
    "can shorten": can_shorten,
    "starts opposite": starts_opposite,
}


def broken_rules(course: Course, required: CourseRequirements) -> tuple[TrackFault, ...]:
    """All that is wrong, in the order of the table."""
    return tuple(fault for rule in RULES.values() for fault in rule(course, required))


_TOUCH: Final = 0.05
MOST_CLOSED: Final = 3
"""Gaps for which pieces are looked for."""
MOST_OVERLAPS: Final = 60
"""Overlaps that are told and drawn of a track."""


class Gap(Struct, frozen=True):
    """Where a tile does not lead into the next: their numbers; how far it is from the middle of the
    way out to that of the way in, mm, and where to, in degrees to the left of rightwards on the
    map; by how much the next is turned, in degrees to the left; in words what would close it, empty
    where that is not looked for."""

    before: int
    after: int
    mm: float
    towards: int
    turned: int
    closed_by: str = ""

    @property
    def told(self) -> str:
        """`gap of 80.0 mm towards 150°, turned 60° to the right`."""
        parts = []
        if self.mm:
            parts.append(f"gap of {self.mm:.1f} mm towards {self.towards}°")
        if self.turned:
            side = "left" if self.turned > 0 else "right"
            parts.append(f"turned {abs(self.turned)}° to the {side}")
        return ", ".join(parts)


class Wrongs(Struct, frozen=True):
    """The gaps of a track, the pairs of tiles that lie on each other, and the tiles that stand in
    for unknown ones, by their numbers."""

    gaps: tuple[Gap, ...] = ()
    overlaps: tuple[tuple[int, int], ...] = ()
    unknown: tuple[int, ...] = ()

    def lines(self, names: Mapping[int, str]) -> Iterator[str]:
        """A line each; `names` says how to call a tile."""
        for gap in self.gaps:
            yield f"{gap.told}, from {names[gap.before]} to {names[gap.after]}"
            if gap.closed_by:
                yield f"  {gap.closed_by}"
        for one, other in self.overlaps:
            yield f"{names[other]} lies on {names[one]}"
        for number in self.unknown:
            yield f"{names[number]}: there is no such tile, another stands in for it"


NOTHING_WRONG: Final = Wrongs()


def wrongs(layout: Mapping[str, Any], pool: Sequence[Tile] = ()) -> Wrongs:
    """What is wrong with a layout where it lies; `pool` is what may be laid to close its gaps."""
    course = course_of(layout).turned(layout["heading"])
    closing_joint = course.closing if layout["to_close"] else None
    joints = [*course.joints, *([closing_joint] if closing_joint is not None else [])]
    open_ = [joint for joint in joints if not joint.meets]
    return Wrongs(
        tuple(
            _gap(layout, course, joint, pool if nth < MOST_CLOSED else ())
            for nth, joint in enumerate(open_)
        ),
        tuple((one.number, other.number) for one, other in course.overlaps[:MOST_OVERLAPS]),
        tuple(tile["number"] for tile in layout["tiles"] if is_stand_in(tile)),
    )


def _gap(layout: Mapping[str, Any], course: Course, joint: Joint, pool: Sequence[Tile]) -> Gap:
    found = closing(course, joint, pool) if pool else None
    before, after = joint.before.number, joint.after.number
    (x1, y1), (x2, y2) = (
        ((port[0][0] + port[1][0]) / 2, (port[0][1] + port[1][1]) / 2)
        for port in (layout["tiles"][before - 1]["exit"], layout["tiles"][after - 1]["entry"])
    )
    mm = math.hypot(x2 - x1, y2 - y1)
    return Gap(
        before,
        after,
        mm if mm > _TOUCH else 0.0,
        round(math.degrees(math.atan2(y1 - y2, x2 - x1))) % 360,
        joint.degrees,
        _closed_by(found) if found else _NONE_CLOSES if pool else "",
    )


def _closed_by(found: Closing) -> str:
    """`1 × straight and 2 × curve would close it: 3 12R 14R`."""
    single = all(len(tile.ways[letter].piece.cells) == 1 for tile, letter in found.tiles)
    kinds = Counter(
        ("straight" if letter == "S" else "curve") if single else tile.call
        for tile, letter in found.tiles
    )
    counted = " and ".join(f"{count} × {kind}" for kind, count in kinds.items())
    word = " ".join(f"{t.call}{letter if len(t.ways) > 1 else ''}" for t, letter in found.tiles)
    more = "" if found.left else ", more than are left"
    return f"{counted} would close it{more}: {word}"


_MOST_STATES: Final = 4_000
"""Places that are looked at from either side."""
_MOST_PIECES: Final = 8
"""In a gap: more are a track of their own."""
_NONE_CLOSES: Final = f"no {_MOST_PIECES} pieces or fewer were found that would close it"
_ALIKE: Final = 4
"""Ways to one place that are kept: another one may have room where the first has none."""
_MOST_TRIED: Final = 60
"""Ways through the gap that are laid to see whether there is room."""

_GapState = tuple[Vector, int, int]
"""Where the next piece lies, how it is headed and how wide it is entered."""
_TileWord = tuple[int, ...]
"""Numbers of pieces, in the order of travel."""


class Closing(Struct, frozen=True):
    """The pieces that would close a gap: tiles with the letters of their ways, in the order of
    travel; whether there are enough of them left."""

    tiles: tuple[tuple[Tile, str], ...]
    left: bool


def closing(course: Course, joint: Joint, pool: Sequence[Tile]) -> Closing | None:
    """The fewest pieces of a pool for the gap at a joint, those that are left before others; None
    where none are found."""
    laid = Counter(tile.tile.call for tile in course.tiles)
    spare = {tile.call: tile.owned - laid[tile.call] for tile in pool}
    ways = _ways(pool)
    start = joint.before.end, joint.before.onward, joint.before.piece.leaves
    goal = joint.after.place, joint.after.heading, joint.after.piece.enters
    beyond: Closing | None = None
    overlaps = len(course.overlaps)
    words = _words(course.grid, [way.piece for way in ways], start, goal)
    for word in islice(words, _MOST_TRIED):
        tiles, left = _chosen(word, ways, spare)
        if (left or beyond is None) and _has_room(course, joint, tiles, overlaps):
            if left:
                return Closing(tiles, left)
            beyond = Closing(tiles, left)
    return beyond


class _PieceTiles(Struct, frozen=True):
    """A form of pieces, and the tiles that have it with the letters by which they do."""

    piece: TrackPiece
    tiles: tuple[tuple[Tile, str], ...]


def _ways(pool: Sequence[Tile]) -> list[_PieceTiles]:
    found: dict[PieceForm, tuple[TrackPiece, list[tuple[Tile, str]]]] = {}
    for tile in pool:
        for letter, way in tile.ways.items():
            _, tiles = found.setdefault(form(way.piece), (way.piece, []))
            tiles.append((tile, letter))
    # One with a finish line or a start grid is laid on purpose, not to fill a gap.
    plain = (
        (piece, sorted(tiles, key=lambda one: (one[0].finish, one[0].starts > 0)))
        for piece, tiles in found.values()
    )
    return [_PieceTiles(piece, tuple(tiles)) for piece, tiles in plain]


def _chosen(
    word: _TileWord, ways: Sequence[_PieceTiles], spare: Mapping[str, int]
) -> tuple[tuple[tuple[Tile, str], ...], bool]:
    """A tile for each piece, of those that are left as long as there are any."""
    used: Counter[str] = Counter()
    tiles = []
    left = True
    for number in word:
        free = [one for one in ways[number].tiles if spare[one[0].call] > used[one[0].call]]
        tile, letter = (free or ways[number].tiles)[0]
        left = left and bool(free)
        used[tile.call] += 1
        tiles.append((tile, letter))
    return tuple(tiles), left


def _has_room(
    course: Course, joint: Joint, tiles: Sequence[tuple[Tile, str]], overlaps: int
) -> bool:
    """True when the course with the tiles in its gap has no more tiles on each other than it had.
    Every tile of the course stays where it lies. Cells are looked at first, for outlines take long.
    """
    put: list[tuple[Tile, CourseEntry]] = []
    for laid in course.tiles:
        entry = CourseEntry(laid.tile.call, laid.letter, laid.place, laid.heading)
        put.append((laid.tile, entry))
        if laid.number == joint.before.number:
            put += [(tile, CourseEntry(tile.call, letter)) for tile, letter in tiles]
    closed = lay(course.grid, put)
    if course.grid.lattice:
        given = {cell for tile in course.tiles for cell in tile.cells}
        first = joint.before.number
        more = [cell for tile in closed.tiles[first : first + len(tiles)] for cell in tile.cells]
        if len(set(more)) < len(more) or not given.isdisjoint(more):
            return False
    return len(closed.overlaps) <= overlaps


class _Steps(Struct, frozen=True):
    """Pieces by number, and where each leads: onward from where it is entered, or back from where
    it is left; None for one of another width."""

    grid: TileGrid
    pieces: Sequence[TrackPiece]

    def onward(self, state: _GapState, number: int) -> _GapState | None:
        """Where the next piece lies after this one."""
        (place, heading, width), piece = state, self.pieces[number]
        if piece.enters != width:
            return None
        there = total(place, self.grid.rotated(piece.exit, heading))
        return there, (heading + piece.turn) % self.grid.turns, piece.leaves

    def back(self, state: _GapState, number: int) -> _GapState | None:
        """Where this piece lies if the next one lies there."""
        (place, heading, width), piece = state, self.pieces[number]
        if piece.leaves != width:
            return None
        before = (heading - piece.turn) % self.grid.turns
        there = total(place, times(self.grid.rotated(piece.exit, before), -1))
        return there, before, piece.enters


class _GapSide:
    """What is reached from one side of the gap: some words to each state, and the last layer."""

    def __init__(
        self, start: _GapState, step: Callable[[_GapState, int], _GapState | None], forward: bool
    ) -> None:
        self.seen: dict[_GapState, list[_TileWord]] = {start: [()]}
        self.layer = self.seen
        self.step, self.forward = step, forward

    def grow(self, count: int) -> None:
        """Reach everything that is one piece further; there are `count` pieces."""
        following: dict[_GapState, list[_TileWord]] = {}
        for state, words in self.layer.items():
            for number in range(count):
                there = self.step(state, number)
                if there is not None and there not in self.seen:
                    kept = following.setdefault(there, [])
                    kept += [self.joined(word, (number,)) for word in words[: _ALIKE - len(kept)]]
        self.seen = self.seen | following
        self.layer = following

    def joined(self, word: _TileWord, more: _TileWord) -> _TileWord:
        """A word of this side with more pieces towards the other."""
        return (*word, *more) if self.forward else (*more, *word)


def _words(
    grid: TileGrid, pieces: Sequence[TrackPiece], start: _GapState, goal: _GapState
) -> Iterator[_TileWord]:
    """Every way from the start to the goal that is found, the shortest first."""
    steps = _Steps(grid, pieces)
    sides = _GapSide(start, steps.onward, True), _GapSide(goal, steps.back, False)
    for _ in range(_MOST_PIECES):
        near, far = sorted(sides, key=lambda side: len(side.seen))
        if not near.layer or len(near.seen) > _MOST_STATES:
            return
        near.grow(len(pieces))
        for state in near.layer:
            for one in near.layer[state]:
                for rest in far.seen.get(state, ()):
                    yield near.joined(one, rest)
