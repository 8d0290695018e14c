"""Getting faster and slower: a vehicle in; boxes, speed checks, braking and speed by round out.

All exact, from the odds of speed checks; nothing is simulated. A vehicle starts at the left-most
box of speed 0 and brakes from the right-most box of a speed, the longest way. Nobody else is near,
and traits that only count beside a rival do nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from generator.sums import summed
from gridpress_chariot_dash import speed_check
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.hand import Played
from gridpress_chariot_dash.keeping import nearest
from gridpress_chariot_dash.odds import expected
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.profile_chain import Spread, mean_cost
from gridpress_chariot_dash.speed_check import ALONE, SpeedPlan
from gridpress_chariot_dash.speed_table import SPEEDS, Marker
from gridpress_chariot_dash.state import State, starting
from gridpress_chariot_dash.vehicle import SAFE, Vehicle

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
