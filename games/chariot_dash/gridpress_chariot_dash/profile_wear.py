"""What a vehicle bears: turns that are held, damage, stamina.

All exact, from the odds of control rolls with the calmest choices. A manoeuvre of 60° is two turns
of 30° in phases that follow each other: the CLP, haste and slow of the first roll count in the
second. Damage dice count by the CLP that they cost on average; their other effects do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from generator.units import summed
from gridpress_chariot_dash import control, damage
from gridpress_chariot_dash.cards import Front
from gridpress_chariot_dash.control import Demand, Outcome, odds
from gridpress_chariot_dash.damage import Source
from gridpress_chariot_dash.dice import Die, chance, expected, gathered
from gridpress_chariot_dash.profile_speed import spaces
from gridpress_chariot_dash.state import Options, Played, State, starting
from gridpress_chariot_dash.vehicle import SPEEDS, Vehicle

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
    return odds(asked)


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


@dataclass(frozen=True, slots=True)
class Sustained:
    """The fastest mix that keeps stamina from falling: spaces a round, and the part of the rounds
    that is driven at each speed of the mix."""

    spaces: float
    mix: dict[int, float]


@dataclass(frozen=True, slots=True)
class Economy:
    """A hand: how many cards serve as each type, and how many a round can be played for ever.

    A dual card serves as either. special: cards that have an ability behind. A card that is played
    misses the round after, but for as many as the trait Stamina takes back at once: who plays p of
    n cards a round and takes back k needs p + (p − k) of them, so p is (n + k) / 2, at most n.
    """

    hand: int
    whips: int
    reins: int
    special: int
    each_round: float
    whips_each_round: float
    reins_each_round: float
    swaps: int


class _MoreDiceError(Exception):
    """More dice are rolled than were told."""


class _Told:
    """Dice that fall as told."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self._values = values

    def roll(self, count: int) -> tuple[int, ...]:
        """No effect rolls for icons."""
        raise NotImplementedError

    def values(self, count: int) -> tuple[int, ...]:
        """The next values that were told."""
        if count > len(self._values):
            raise _MoreDiceError
        shown, self._values = self._values[:count], self._values[count:]
        return shown


def dice_absorbed(vehicle: Vehicle, die: Die, options: Options) -> float:
    """Mean damage dice, rolled one after the other, until the vehicle is wiped out.

    With a chance p that a die is above the resilience it takes 1/p dice for a point, on average;
    effects that change the resilience or do damage themselves count from then on.
    """
    return _absorbed(starting(vehicle, options), die)


def _absorbed(state: State, die: Die) -> float:
    if state.condition.wiped_out:
        return 0.0
    above = sum(value > state.condition.resilience for value in die.values)
    if not above:
        return float("inf")
    onward = gathered(_damaged(state, die))
    return len(die.values) / above + expected(onward, lambda after: _absorbed(after, die))


def _damaged(state: State, die: Die, told: tuple[int, ...] = ()) -> Iterator[tuple[State, float]]:
    """Each way a point of damage may end, with its probability: random effects roll a die."""
    try:
        yield damage.take(state, 1, _Told(told)), len(die.values) ** -len(told)
    except _MoreDiceError:
        for value in die.values:
            yield from _damaged(state, die, (*told, value))


def sustained(vehicle: Vehicle, options: Options) -> Sustained:
    """The most spaces a round, over mixes of two speeds, at which stamina does not fall.

    A linear programme with one bound: its best point mixes two speeds at most, so all pairs are
    tried. How a vehicle gets from one speed to the other is left out. Speed 0 alone if nothing
    else keeps stamina from falling, even where that falls too. Without the stamina rules nothing
    tires.
    """
    totals = spaces(vehicle)
    change = vehicle.stamina if options.stamina else (0,) * SPEEDS
    best = Sustained(float(totals[0]), {0: 1.0})
    for speed in range(SPEEDS):
        if change[speed] >= 0 and totals[speed] > best.spaces:
            best = Sustained(float(totals[speed]), {speed: 1.0})
    for first, second in combinations(range(SPEEDS), 2):
        rests, tires = sorted((first, second), key=lambda speed: -change[speed])
        if change[rests] <= 0 or change[tires] >= 0:
            continue
        part = change[rests] / (change[rests] - change[tires])
        reached = part * totals[tires] + (1 - part) * totals[rests]
        if reached > best.spaces + 1e-9:
            best = Sustained(reached, {rests: 1 - part, tires: part})
    return best


def economy(vehicle: Vehicle, options: Options) -> Economy:
    """What the hand comes to."""
    mods = starting(vehicle, options).modifiers
    cards = vehicle.cards

    def kept_up(count: int) -> float:
        return min(count, (count + mods.recovers) / 2)

    whips = [card for card in cards if card.front in (Front.WHIP, Front.DUAL)]
    reins = [card for card in cards if card.front in (Front.REINS, Front.DUAL)]
    return Economy(
        hand=len(cards),
        whips=len(whips),
        reins=len(reins),
        special=sum(bool(card.special) for card in cards),
        each_round=kept_up(len(cards)),
        whips_each_round=kept_up(len(whips)),
        reins_each_round=kept_up(len(reins)),
        swaps=mods.swaps,
    )
