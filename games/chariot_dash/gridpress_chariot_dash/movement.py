"""Movement on the hexes: where steps, drifts, jumps and turns lead, and whom one reaches.

Hexes are axial coordinates (q, r) with a pointy top, as in `generator.tracks`: hex (q, r) lies at
x = q + r/2, y = r · √3/2, y upward. Facing f looks 30° · f to the left of east: even facings look
at a side, into one hex; odd ones at a corner, between two hexes, which are entered in alternation.

Decisions where the facts leave open:
- the first of the two hexes of a corner facing is the driver's choice; a turn renews the choice;
- only a vehicle that faces a side drifts;
- a vehicle at speed 0 stands: a Whip does not move it;
- a jump goes straight ahead and costs the hexes that it covers, the landing too;
- a phase is wholly straight if it moved, without a drift and without a turn at its end;
- beside a vehicle are the hexes that are neither ahead nor behind: four when it faces a side, the
  two across when it faces a corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from gridpress_chariot_dash.state import Options, State

FACINGS: Final = 12
PHASES: Final = 4
LEFTWARD: Final = 1
RIGHTWARD: Final = -1

Hex = tuple[int, int]

DIRECTIONS: Final[tuple[Hex, ...]] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""From a hex to its neighbours, turning left from east."""

FRONT: Final[tuple[tuple[int, ...], ...]] = tuple(
    (f // 2,) if f % 2 == 0 else (f // 2, (f // 2 + 1) % 6) for f in range(FACINGS)
)
"""By facing: the directions of the hexes ahead, the right one first."""


class Pose(NamedTuple):
    """A hex and a facing. lean: to which side the last corner step went, 0 if it is still open."""

    hex: Hex
    facing: int
    lean: int = 0


class Step(NamedTuple):
    """One way to go on: where to, the hexes jumped over, what it costs, and whether it drifts."""

    pose: Pose
    over: tuple[Hex, ...] = ()
    cost: int = 1
    drift: bool = False
    clp: int = 0


def neighbour(at: Hex, direction: int) -> Hex:
    """The hex on that side, 0 to 5."""
    dq, dr = DIRECTIONS[direction]
    return at[0] + dq, at[1] + dr


def ahead(pose: Pose) -> tuple[Pose, ...]:
    """Where one step straight ahead may lead: one place, or two while a corner step is open."""
    at, facing, lean = pose
    front = FRONT[facing]
    if len(front) == 1:
        return (Pose(neighbour(at, front[0]), facing),)
    sides = (RIGHTWARD, LEFTWARD) if lean == 0 else (-lean,)
    return tuple(Pose(neighbour(at, front[side == LEFTWARD]), facing, side) for side in sides)


def drifts(pose: Pose) -> tuple[Pose, ...]:
    """Where a drift may lead: to the front right and front left, the facing kept."""
    at, facing, _ = pose
    if facing % 2:
        return ()
    return tuple(
        Pose(neighbour(at, (facing // 2 + side) % 6), facing) for side in (RIGHTWARD, LEFTWARD)
    )


def turned(pose: Pose, by: int) -> Pose:
    """Turned on the spot by `by` times 30° to the left, negative to the right."""
    return Pose(pose.hex, (pose.facing + by) % FACINGS) if by % FACINGS else pose


def swung(pose: Pose, turn: int, slides: int, spin: int) -> tuple[Pose, ...]:
    """Where a turn leads that control was lost in: each hex of the slide, then the turned pose.

    The slide goes on in the old direction, and only then come the turn and the spin. While a
    corner step is open, it goes to the right hex first.
    """
    path: list[Pose] = []
    for _ in range(slides):
        pose = ahead(pose)[0]
        path.append(pose)
    return (*path, turned(pose, turn + spin))


def jumps(state: State, pose: Pose, left: int, options: Options) -> tuple[Step, ...]:
    """Jumps with `left` hexes to go: over 1 hex, over 2 as well with Leap, none with Whitey."""
    mods = state.modifiers
    if not options.jumps or mods.grounded:
        return ()
    paths = _paths(pose, min(left, 2 + mods.leaps))
    return tuple(
        Step(path[-1], tuple(step.hex for step in path[:-1]), len(path))
        for path in paths
        if len(path) > 1
    )


def _paths(pose: Pose, length: int) -> list[tuple[Pose, ...]]:
    """All ways straight ahead of 1 to `length` steps."""
    if length <= 0:
        return []
    ways: list[tuple[Pose, ...]] = []
    for step in ahead(pose):
        ways.append((step,))
        ways += [(step, *rest) for rest in _paths(step, length - 1)]
    return ways


def steps(
    state: State, pose: Pose, left: int, options: Options, drifted: int = 0, jumped: bool = False
) -> tuple[Step, ...]:
    """Every step that a vehicle with `left` hexes to go in this phase may take from here.

    drifted, jumped: what it has done in this phase. One drift and one jump a phase; under wild
    drift each further drift costs 1 CLP.
    """
    if left <= 0:
        return ()
    found = [Step(place) for place in ahead(pose)]
    if not drifted or options.wild_drift:
        clp = 1 if drifted else 0
        found += [Step(place, drift=True, clp=clp) for place in drifts(pose)]
    return (*found, *(() if jumped else jumps(state, pose, left, options)))


def hexes(state: State, phase: int, whip: bool = False, reins: bool = False) -> int:
    """Hexes of a phase, 0 to 3: those of the Move row, 1 more by a Whip or 1 fewer by Reins.

    One card a phase: ValueError for both.
    """
    if whip and reins:
        raise ValueError("one card a phase: a Whip or Reins")
    speed = state.speed
    if speed == 0:
        return 0
    return max(0, state.vehicle.moves[speed][phase] + whip - reins)


def phase_ended(state: State, moved: int, drifted: int, turn: int) -> State:
    """The end of a phase: 1 CLP goes if it was wholly straight."""
    return state.unsteadied(-1) if moved and not drifted and not turn else state


def order(racers: Sequence[tuple[int, float, float]]) -> tuple[int, ...]:
    """Who moves when: (speed, progress ahead, distance from the inside) in, places in order out.

    Higher speed first, then who is ahead, then who is further inside.
    """
    return tuple(
        sorted(range(len(racers)), key=lambda i: (-racers[i][0], -racers[i][1], racers[i][2], i))
    )


def beside(pose: Pose) -> tuple[Hex, ...]:
    """The hexes beside a vehicle: neither ahead nor behind."""
    front = FRONT[pose.facing]
    back = tuple((direction + 3) % 6 for direction in front)
    return tuple(neighbour(pose.hex, d) for d in range(6) if d not in front and d not in back)


class Target(IntEnum):
    """Whom an attack is made on."""

    DRIVER = 0
    VEHICLE = 1


def may_attack(
    attacker: State,
    pose: Pose,
    target: Hex,
    on: Target,
    options: Options,
    race_round: int,
    hexes_moved: int = 1,
    *,
    own_move: bool = True,
) -> bool:
    """Whether an attack on the vehicle in that hex is allowed now.

    In a phase in which the attacker moves, on a hex beside him; with Savage also ahead; with Sneaky
    a personal attack in the target's move.
    """
    mods = attacker.modifiers
    if not options.attacks_allowed(race_round) or attacker.condition.wiped_out:
        return False
    if own_move and not hexes_moved:
        return False
    if not own_move and not (mods.ambushes and on is Target.DRIVER):
        return False
    front = FRONT[pose.facing] if mods.attacks_ahead else ()
    return target in beside(pose) or target in [neighbour(pose.hex, way) for way in front]
