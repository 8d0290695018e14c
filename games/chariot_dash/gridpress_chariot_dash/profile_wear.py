"""A vehicle in; what it can take and keep up, in damage, stamina and cards, as exact means out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from gridpress_chariot_dash import damage
from gridpress_chariot_dash.cards import Front
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.odds import expected, gathered
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.profile_speed import spaces
from gridpress_chariot_dash.speed_table import SPEEDS
from gridpress_chariot_dash.state import State, starting
from gridpress_chariot_dash.vehicle import Vehicle


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
