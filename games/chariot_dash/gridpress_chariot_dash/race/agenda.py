"""What is still to be resolved: a stack, so that a roll caused inside another is finished first
(CD-68) and no function calls itself."""

from __future__ import annotations

from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import MOST_TASKS, Race

ROLL, SLIDE, FINISH, AGAIN, SHUNT, ASIDE = range(6)
"""A control roll (a: it comes of its own attack, d: dice of a jump's damage); a slide (b: hexes,
c: icons); turn, spin and boxes after it; the damage of a slide into the same again (a, b: dice of
each time, c: what is no car); the change of ratings after a collision; turning aside after it
(a: the car that was hit and its number from 1, 0 for what is no car)."""
WALL = -2
NOTHING = -1


@kernel
def push(
    race: Race, what: int, car: int, other: int, heading: int, turn: int, a: int, b: int
) -> int:
    """A task on top; its number, for what belongs to it."""
    rules = race.rules[0]
    at = rules.tasks
    if at >= MOST_TASKS:
        return at - 1
    task = race.tasks[at]
    task.what, task.car, task.other, task.heading = what, car, other, heading
    task.turn, task.a, task.b, task.c, task.d, task.owner, task.by = turn, a, b, 0, 0, -1, -1
    rules.tasks = at + 1
    return int(at)


@kernel
def push_roll(
    race: Race, car: int, heading: int, turn: int, attacking: bool, owner: int, by: int
) -> None:
    """A control roll, of a turn or forced. heading: of a slide, −1 its own next step. attacking: it
    comes of its own attack (CD-43). owner: the AGAIN of a collision; by: the car that caused it (−1
    none)."""
    at = push(race, ROLL, car, NOTHING, heading, turn, 1 if attacking else 0, 0)
    race.tasks[at].owner, race.tasks[at].by = owner, by
