"""Turns: a vehicle in; for each speed, manoeuvre and number of cards, what control is lost out.

All exact, from the odds of control rolls with the calmest choices. A manoeuvre of 60° is two turns
of 30° in phases that follow each other: the CLP, haste and slow of the first roll count in the
second. Damage dice count by the CLP that they cost on average; their other effects do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from generator.sums import summed
from gridpress_chariot_dash import control, control_odds, damage
from gridpress_chariot_dash.control import Demand
from gridpress_chariot_dash.damage import Source
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.hand import Played
from gridpress_chariot_dash.odds import chance, expected, gathered
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.reading import Outcome
from gridpress_chariot_dash.speed_table import SPEEDS
from gridpress_chariot_dash.state import State, starting
from gridpress_chariot_dash.vehicle import Vehicle

MANOEUVRES: Final = (30, 60)
CARDS: Final = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a manoeuvre costs: the chance that every turn goes as meant, then means.

    clp: control loss points, those of damage among them. slides: hexes in the old direction.
    spin: degrees turned too far either way. damage: points.
    """

    hold: float = 1.0
    clp: float = 0.0
    slides: float = 0.0
    spin: float = 0.0
    damage: float = 0.0

    def then(self, part: float, other: Loss) -> Loss:
        """This, and with a probability another on top; `hold` is not touched."""
        return Loss(
            self.hold,
            self.clp + part * other.clp,
            self.slides + part * other.slides,
            self.spin + part * other.spin,
            self.damage + part * other.damage,
        )


def at_speed(vehicle: Vehicle, speed: int, options: Options) -> State:
    """The vehicle at the left-most box of a speed, as it starts a race but for that."""
    return starting(vehicle, options).rated(0).rated(speed)


def losses(vehicle: Vehicle, die: Die, options: Options) -> dict[tuple[int, int, int], Loss]:
    """By speed, degrees and cards played in each of the rolls."""
    return {
        (speed, degrees, cards): loss(
            at_speed(vehicle, speed, options), degrees, cards, die, options
        )
        for speed in range(SPEEDS)
        for degrees in MANOEUVRES
        for cards in CARDS
    }


def loss(state: State, degrees: int, cards: int, die: Die, options: Options) -> Loss:
    """One manoeuvre; a turn without a roll costs nothing."""
    asked = control.demand(state, options, Played(reins=cards))
    if asked is None:
        return Loss()
    odds = rolled(asked)
    own = _lost(state, odds, die, options)
    if degrees <= 30:
        return own
    onward = gathered(
        ((_after(state, outcome), outcome.failed), part) for outcome, part in odds.items()
    )
    seconds = {
        after: loss(after, degrees - 30, cards, die, options)
        for after in dict.fromkeys(after for after, _ in onward)
    }
    hold, total = 0.0, own
    for (after, failed), part in onward.items():
        total = total.then(part, seconds[after])
        hold += 0.0 if failed else part * seconds[after].hold
    return Loss(hold, total.clp, total.slides, total.spin, total.damage)


@lru_cache(maxsize=256)
def rolled(asked: Demand) -> dict[Outcome, float]:
    """The exact odds of a roll; kept, as many vehicles ask for the same roll."""
    return control_odds.odds(asked)


def clp_spread(vehicle: Vehicle, speed: int, cards: int, options: Options) -> tuple[float, ...]:
    """How likely a turn of 30° costs 0, 1, 2 … CLP, without those of damage."""
    asked = control.demand(at_speed(vehicle, speed, options), options, Played(reins=cards))
    if asked is None:
        return (1.0,)
    odds = rolled(asked)
    most = max(outcome.clp for outcome in odds)
    return tuple(
        summed(part for outcome, part in odds.items() if outcome.clp == clp)
        for clp in range(most + 1)
    )


def _lost(state: State, odds: dict[Outcome, float], die: Die, options: Options) -> Loss:
    def damaged(outcome: Outcome) -> float:
        if options.soft_damage or not outcome.damage:
            return 0.0
        return expected(damage.odds(state, outcome.damage, Source.CONTROL, die), float)

    swings = {outcome: control.swing(state, outcome) for outcome in odds}
    points = expected(odds, damaged)
    return Loss(
        hold=chance(odds, lambda outcome: not outcome.failed),
        clp=expected(odds, lambda outcome: outcome.clp) + points,
        slides=expected(odds, lambda outcome: swings[outcome].slides),
        spin=expected(odds, lambda outcome: 30 * abs(swings[outcome].spin)),
        damage=points,
    )


def _after(state: State, outcome: Outcome) -> State:
    """The vehicle before the next turn, its damage left out."""
    state = state.unsteadied(outcome.clp).moved(outcome.haste).moved(-outcome.slow)
    return state.settled()
