"""The rules that a course must follow, and what breaks them.

Messages name tiles and gaps as a player sees them on the table, in mm and in cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from generator.diagnostics import Severity
from generator.geometry import summed
from generator.tracks.courses import Course, Joint, LaidTile, TrackFault


class CourseRequirements(Struct, frozen=True):
    """Requirements for a course; None is not checked.

    `pitch` is in mm. `finishes` are the numbers of tiles with a finish line that is not printed;
    `finish` requires exactly one line. `removable` are the numbers of tiles that can be removed
    together. `opposite` requires two starts half a lap apart.
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
    """Check that every tile leads into the next."""
    for joint in course.joints:
        if not joint.meets:
            message = f"{joint.before} does not lead into {joint.after}: {_miss(joint, required)}"
            hint = "leave out its place and turn, and it is laid onto the tile before"
            yield TrackFault("GP903", joint.after.number, message, hint)


def widths_match(course: Course, _required: CourseRequirements) -> Iterator[TrackFault]:
    """Check that tiles are equally wide where they meet."""
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
    """Check that no tile or kerb lies on another."""
    for one, other in course.overlaps:
        apart = course.grid.lattice and set(one.cells).isdisjoint(other.cells)
        on = "crowds" if apart else "lies on"
        hint = "lead the track further round, or take a straight out or in on both sides"
        yield TrackFault("GP905", other.number, f"{other} {on} {one}", hint)


def closes(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """Check that the last tile leads into the first."""
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
    """Check that no tile is laid more often than it is owned."""
    laid: dict[str, list[LaidTile]] = {}
    for tile in course.tiles:
        laid.setdefault(tile.tile.call, []).append(tile)
    for call, tiles in laid.items():
        owned = tiles[0].tile.owned
        if len(tiles) > owned:
            only = f"there {'is' if owned == 1 else 'are'} only {owned} of it"
            message = f"{call} is laid {len(tiles)} times, but {only}"
            hint = "lay another tile of the same shape, or print more of it"
            yield TrackFault("GP907", tiles[owned].number, message, hint)


def one_finish(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """Check that there is exactly one finish line."""
    if not required.finish:
        return
    printed = [laid.number for laid in course.tiles if laid.tile.finish]
    lines = sorted({*printed, *required.finishes})
    if not lines:
        hint = "say which tile has it, or lay a tile with one"
        yield TrackFault("GP908", 0, "the track has no finish line", hint)
    for number in lines[1:]:
        first, second = course.tiles[lines[0] - 1], course.tiles[number - 1]
        message = f"there is a finish line on {first} and another on {second}"
        yield TrackFault("GP908", number, message, "a race has only one")


def grid_holds_all(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """Check that every vehicle has a start space."""
    spaces = summed(laid.tile.starts for laid in course.tiles)
    if required.vehicles is not None and spaces < required.vehicles:
        message = (
            f"the start grid has {_many(spaces, 'space')} for {_many(required.vehicles, 'vehicle')}"
        )
        yield TrackFault("GP909", 0, message, "lay a larger start grid, or another one behind it")


def wide_enough(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """Check that the track is wide enough for the vehicles that race side by side."""
    for laid in course.tiles:
        narrow = min(laid.piece.enters, laid.piece.leaves)
        if required.abreast is not None and narrow < required.abreast:
            wide = _many(narrow, "lane")
            message = f"{laid} is {wide} wide, and {required.abreast} vehicles race abreast"
            hint = "expect collisions there, or lay a wider piece"
            yield TrackFault("GP910", laid.number, message, hint, Severity.WARNING)
            return


def marks_have_markers(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """Check that there are enough markers."""
    marks = summed(laid.tile.marks for laid in course.tiles)
    if required.markers is not None and marks > required.markers:
        message = (
            f"the track has {_many(marks, 'mark')}, but there are only "
            f"{_many(required.markers, 'marker')}"
        )
        hint = "some stay empty: print more markers or lay tiles with fewer marks"
        yield TrackFault("GP911", 0, message, hint, Severity.WARNING)


def can_shorten(course: Course, required: CourseRequirements) -> Iterator[TrackFault]:
    """Check that the track without its removable tiles is a circuit with its finish line."""
    leaving = frozenset(required.removable)
    if not leaving or not course.is_circuit:
        return
    rest = course.without(leaving)
    calls = ", ".join(course.tiles[number - 1].tile.call for number in required.removable)
    number = required.removable[0]
    hint = "gridpress track shorten lists the tiles that can leave together"
    if not rest.is_circuit:
        joint = rest.closing
        why = "some tiles overlap"
        if joint is not None and not joint.meets:
            why = (
                f"{joint.before.tile.call} misses {joint.after.tile.call}, {_miss(joint, required)}"
            )
        message = f"without {calls} the track is not a circuit: {why}"
        yield TrackFault("GP912", number, message, hint)
    lines = {laid.number for laid in course.tiles if laid.tile.finish} | set(required.finishes)
    if required.finish and lines and lines <= leaving:
        tile = course.tiles[min(lines) - 1]
        message = f"{tile} can leave the track, but the finish line is on it"
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
    """Check that there are two starts, half a lap apart to within one cell."""
    if not required.opposite:
        return
    starts = [laid for laid in course.tiles if laid.tile.starts]
    if len(starts) != 2:
        message = f"a pursuit needs two starts, but this track has {len(starts) or 'none'}"
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
    """Return all faults of a course."""
    return tuple(fault for rule in RULES.values() for fault in rule(course, required))
