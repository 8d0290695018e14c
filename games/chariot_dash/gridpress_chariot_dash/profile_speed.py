"""How fast a vehicle is: boxes to each speed, braking distances, speed over rounds.

All exact, from the odds of speed checks; nothing is simulated. A vehicle starts at the left-most
box of speed 0 and brakes from the right-most box of a speed, the longest way. Nobody else is near,
and traits that only count beside a rival do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from generator.units import summed
from gridpress_chariot_dash import speed_check
from gridpress_chariot_dash.dice import Die, expected, nearest
from gridpress_chariot_dash.speed_check import ALONE, SpeedPlan
from gridpress_chariot_dash.state import Options, Played, State, starting
from gridpress_chariot_dash.vehicle import SAFE, SPEEDS, Marker, Vehicle

Spread = Mapping[Marker, float]
"""Where the marker may stand, each place with its probability."""
_EXACT: Final = 1e-10


def mean_cost(
    start: Marker,
    step: Callable[[Marker], Spread],
    done: Callable[[Marker], bool],
    cost: Callable[[Marker], float],
) -> float | None:
    """The mean of what is paid at each place from the start until it is done.

    Solved by Gauss-Seidel iteration over the places that can be reached, which converges as the
    end of an absorbing Markov chain is reached for certain. None where it may never be.
    """
    steps = dict(_reached(start, step, done))
    if any(not _ends(place, steps, done) for place in steps):
        return None
    worth = dict.fromkeys(steps, 0.0)
    while True:
        change = 0.0
        for place, spread in steps.items():
            onward = summed(
                p * worth[to] for to, p in spread.items() if to != place and to in worth
            )
            new = (cost(place) + onward) / (1.0 - spread.get(place, 0.0))
            change = max(change, abs(new - worth[place]))
            worth[place] = new
        if change <= _EXACT * max(1.0, worth.get(start, 0.0)):
            return worth.get(start, 0.0)


def _reached(
    start: Marker, step: Callable[[Marker], Spread], done: Callable[[Marker], bool]
) -> Iterator[tuple[Marker, Spread]]:
    waiting, seen = [start], {start}
    while waiting:
        place = waiting.pop()
        if done(place):
            continue
        spread = step(place)
        yield place, spread
        new = [to for to in spread if to not in seen]
        seen.update(new)
        waiting += new


def _ends(place: Marker, steps: Mapping[Marker, Spread], done: Callable[[Marker], bool]) -> bool:
    """Whether the end can be reached from here."""
    waiting, seen = [place], {place}
    while waiting:
        here = waiting.pop()
        if done(here):
            return True
        new = [to for to in steps[here] if to not in seen]
        seen.update(new)
        waiting += new
    return False


CHECKS: Final = ((True, 1), (True, 2), (True, 3), (False, 0), (False, 1), (False, 2))
"""Speed checks that are told: to accelerate with 1 to 3 Whips, to decelerate with 0 to 2 Reins."""
ROUNDS: Final = 12


@dataclass(frozen=True, slots=True)
class Braking:
    """Mean rounds and spaces from a speed to another; None where it may never come there."""

    rounds: float | None
    spaces: float | None


def boxes_to(vehicle: Vehicle) -> tuple[int, ...]:
    """Boxes of the acceleration row from the start to the first box of each speed."""
    return tuple(marker.acceleration for marker in vehicle.table.first)


def spaces(vehicle: Vehicle) -> tuple[int, ...]:
    """Spaces that a round takes at each speed."""
    return tuple(summed(phases) for phases in vehicle.moves)


def checks(vehicle: Vehicle, die: Die, options: Options) -> dict[tuple[bool, int], float | None]:
    """Mean boxes of the speed checks of `CHECKS`; None where the direction may not be chosen."""
    state = starting(vehicle, options)
    means: dict[tuple[bool, int], float | None] = {}
    for accelerate, cards in CHECKS:
        allowed = accelerate in speed_check.directions(state, cards, ALONE, options)
        played = Played(whips=cards) if accelerate else Played(reins=cards)
        odds = speed_check.odds(state, SpeedPlan(accelerate), die, options, played)
        means[accelerate, cards] = abs(expected(odds, float)) if allowed else None
    return means


def braking(
    vehicle: Vehicle, target: int, die: Die, options: Options, reins: int
) -> tuple[Braking, ...]:
    """From each speed down to `target` or below, with so many Reins in each round.

    Each round is a speed check and then the move at the speed that it led to; the check that
    reaches the target is the last one, and its move is no braking any more.
    """
    start = starting(vehicle, options)
    if False not in speed_check.directions(start, reins, ALONE, options):
        never = Braking(None, None)
        return tuple(Braking(0.0, 0.0) if s <= target else never for s in range(SPEEDS))
    totals = spaces(vehicle)

    def step(marker: Marker) -> Spread:
        state = start._replace(marker=marker)
        odds = speed_check.odds(state, SpeedPlan(False), die, options, Played(reins=reins))
        return _moved(state, odds)

    def done(marker: Marker) -> bool:
        return vehicle.table.speed(marker) <= target

    def moved(marker: Marker) -> float:
        """Spaces of the round after a check, where that does not end the braking."""
        onward = ((to, part) for to, part in step(marker).items() if not done(to))
        return summed(part * totals[vehicle.table.speed(to)] for to, part in onward)

    result = []
    for marker in vehicle.table.last:
        rounds = mean_cost(marker, step, done, lambda _: 1.0)
        result.append(Braking(rounds, mean_cost(marker, step, done, moved)))
    return tuple(result)


def fastest_safe(vehicle: Vehicle) -> int:
    """The highest speed at which turns need no control roll; 0 if there is none."""
    return max((speed for speed, dice in enumerate(vehicle.control) if dice == SAFE), default=0)


def speed_by_round(
    vehicle: Vehicle, die: Die, options: Options, whips: int = 1
) -> tuple[float, ...]:
    """The mean speed after each of `ROUNDS` speed checks, so many Whips in each, flat out.

    The driver keeps the dice that come nearest to the last box, so as not to over-whip.
    """
    start = starting(vehicle, options)
    played, end = Played(whips=whips), len(vehicle.table.speeds) - 1
    spread: dict[Marker, float] = {start.marker: 1.0}
    means = []
    for _ in range(ROUNDS):
        after: dict[Marker, float] = {}
        for marker, part in spread.items():
            state = start._replace(marker=marker)
            left = end - marker.acceleration
            if left == 0:  # at the end of the row a check can only lose
                after[marker] = after.get(marker, 0.0) + part
                continue
            bound = speed_check.terms(state, True, played, ALONE, options)
            plan = SpeedPlan(True, keep=nearest(left - bound.added + bound.taken))
            odds = speed_check.odds(state, plan, die, options, played)
            for to, chance in _moved(state, odds).items():
                after[to] = after.get(to, 0.0) + part * chance
        spread = after
        means.append(summed(part * vehicle.table.speed(marker) for marker, part in spread.items()))
    return tuple(means)


def _moved(state: State, odds: Mapping[int, float]) -> dict[Marker, float]:
    """Where the marker stands after each number of boxes."""
    spread: dict[Marker, float] = {}
    for boxes, chance in odds.items():
        marker = state.moved(boxes).marker
        spread[marker] = spread.get(marker, 0.0) + chance
    return spread
