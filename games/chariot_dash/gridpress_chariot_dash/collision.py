"""Collisions: speeds and what is hit in, each vehicle's damage dice, speed and CLP out.

| what | damage dice | speed after |
|---|---|---|
| head-on | both: the sum of the speeds | both halve |
| into a side | both: the collider's speed | the collider halves |
| rear-end, faster | both: the difference | the hit one + half of it, the collider − as much |
| rear-end, not faster | one each | the collider − 1 |
| solid obstacle, or off the track | the speed | halves |
| fragile obstacle | half the speed, 1 more for each further marker | stays |
| hazard | none: CLP, half the speed; control roll | stays |

Speeds halve down, all else halves up. Ratings of markers change the dice or the CLP.

Decisions where the facts leave open:
- what a vehicle runs into is judged by where it enters the other's hex: from ahead of it head-on,
  from behind it a rear-end, otherwise its side;
- speeds change first, then damage and CLP come, then the control roll: so CLP of a collision that
  slows a vehicle to a safe speed stay for the roll;
- low obstacles are the fragile ones: a flyer still hits rocks and walls;
- ratings of several markers in one hex add up;
- spikes add dice to the other vehicle's roll, whoever ran into whom; to no dice they add none.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from generator.sums import summed
from gridpress_chariot_dash import damage
from gridpress_chariot_dash.damage import Hit, Source
from gridpress_chariot_dash.dice import Dice
from gridpress_chariot_dash.effects import LoseCard
from gridpress_chariot_dash.hand import expendable
from gridpress_chariot_dash.movement import FACINGS, FRONT, Hex, Pose, ahead, turned
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.specials import NO_BOOST, Boost
from gridpress_chariot_dash.state import State


class Meeting(IntEnum):
    """How one vehicle runs into another."""

    HEAD_ON = 0
    SIDE = 1
    REAR_END = 2


class Impact(NamedTuple):
    """What a collision means for one vehicle: dice of damage, the speed it then has, CLP."""

    dice: int
    speed: int
    clp: int = 0
    control_roll: bool = False


def meeting(direction: int, facing: int) -> Meeting:
    """How a vehicle that moves in a direction (0 to 5) enters the hex of one with that facing."""
    front = FRONT[facing]
    if (direction + 3) % 6 in front:
        return Meeting.HEAD_ON
    return Meeting.REAR_END if direction in front else Meeting.SIDE


def between(how: Meeting, collider: int, hit: int) -> tuple[Impact, Impact]:
    """Collider and the one that is hit, from their speeds."""
    if how is Meeting.HEAD_ON:
        both = collider + hit
        return Impact(both, collider // 2), Impact(both, hit // 2)
    if how is Meeting.SIDE:
        return Impact(collider, collider // 2), Impact(collider, hit)
    apart = collider - hit
    if apart > 0:
        half = (apart + 1) // 2
        return Impact(apart, collider - half), Impact(apart, hit + half)
    return Impact(1, max(0, collider - 1)), Impact(1, hit)


def solid(speed: int, rating: int = 0) -> Impact:
    """A rock, a wall, a wreck that has stopped, or the edge of the track."""
    return Impact(max(0, speed + rating), speed // 2)


def fragile(speed: int, ratings: tuple[int, ...] = (0,)) -> Impact:
    """Debris, a rating for each marker in the hex; the markers are then removed."""
    dice = (speed + 1) // 2 + len(ratings) - 1 + summed(ratings)
    return Impact(max(0, dice), speed)


def hazard(speed: int, rating: int = 0) -> Impact:
    """A hazard: CLP and a control roll. The facts name no way around the roll: it comes always."""
    return Impact(0, speed, max(0, (speed + 1) // 2 + rating), control_roll=True)


def touches(state: State, *, low: bool) -> bool:
    """Whether hazards and low obstacles (low), or solid ones, touch the vehicle: Flyer."""
    return not (low and state.modifiers.flies)


def slide_again(slides_left: int, state: State) -> Impact:
    """The next hex of the same slide hits the same thing: dice for the slides left, no more."""
    return Impact(slides_left, state.speed)


def suffer(
    state: State,
    impact: Impact,
    dice: Dice,
    options: Options,
    other: State | None = None,
    extra: Boost = NO_BOOST,
    others_extra: Boost = NO_BOOST,
    lose: LoseCard = expendable,
    *,
    again: bool = False,
) -> tuple[State, Hit]:
    """A vehicle takes an impact: speed first, then CLP and the damage roll.

    other: the vehicle that it collided with, whose spikes count, and others_extra its specials
    (Ramming Speed). extra: the vehicle's own. again: a slide's repetition, no control roll follows.
    """
    state = state.rated(impact.speed).unsteadied(impact.clp)
    count = impact.dice
    if count and other is not None:
        count += other.modifiers.spikes + others_extra.rammed
    if options.soft_collisions:
        count = (count + 1) // 2
    state, hit = damage.roll(state, count, Source.COLLISION, dice, extra, lose)
    forced = (hit.control_roll or impact.control_roll) and not again
    forced = forced and not state.condition.wiped_out
    return state, hit._replace(control_roll=forced)


class Aside(NamedTuple):
    """After a collision: facings to choose from, and whether the vehicle's speed becomes 0."""

    facings: tuple[int, ...]
    stops: bool


def aside(pose: Pose, blocked: Callable[[Hex], bool]) -> Aside:
    """How a vehicle may stand in the hex before an obstacle.

    It may be faced 30° aside if that lets it pass, which is if a hex ahead is then free. Else its
    speed becomes 0 and any facing will do that has a free hex ahead, or any at all if none has.
    """
    near = tuple(turned(pose, by).facing for by in (1, -1) if _free(turned(pose, by), blocked))
    if near:
        return Aside(near, stops=False)
    free = tuple(f for f in range(FACINGS) if _free(Pose(pose.hex, f), blocked))
    return Aside(free or tuple(range(FACINGS)), stops=True)


def _free(pose: Pose, blocked: Callable[[Hex], bool]) -> bool:
    """Whether one of the hexes ahead can be entered."""
    return any(not blocked(place.hex) for place in ahead(pose))
