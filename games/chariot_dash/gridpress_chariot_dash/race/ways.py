"""An arena, a pose and a number of hexes in, all ways to go them out, each with what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from gridpress_chariot_dash.collision import aside
from gridpress_chariot_dash.movement import Hex, Pose, Step, ahead, drifts, turned

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.arena import Arena

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
