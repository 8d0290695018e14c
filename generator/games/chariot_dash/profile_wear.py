"""A vehicle in; what it can take and keep up, in damage, stamina and cards, as exact means out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from generator.games.chariot_dash import damage
from generator.games.chariot_dash.cards import Front
from generator.games.chariot_dash.dice import Die
from generator.games.chariot_dash.options import Options
from generator.games.chariot_dash.profile_speed import spaces
from generator.games.chariot_dash.speed_table import SPEEDS
from generator.games.chariot_dash.state import State, starting
from generator.games.chariot_dash.vehicle import Vehicle


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
    misses the round after, so half of the cards that come back can be played in each round.
    """

    hand: int
    whips: int
    reins: int
    special: int
    each_round: float
    whips_each_round: float
    reins_each_round: float
    swaps: int


class _Fixed:
    """Dice that all show one value."""

    def __init__(self, value: int) -> None:
        self._value = value

    def roll(self, count: int) -> tuple[int, ...]:
        """No effect rolls for icons."""
        raise NotImplementedError

    def values(self, count: int) -> tuple[int, ...]:
        """The value, as often as asked."""
        return (self._value,) * count


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
    entries = state.vehicle.damage.get(state.level + 1, ())
    chosen = die.values if any(entry.effect == "random" for entry in entries) else die.values[:1]
    onward = [_absorbed(damage.take(state, 1, _Fixed(value)), die) for value in chosen]
    return len(die.values) / above + sum(onward) / len(onward)


def sustained(vehicle: Vehicle) -> Sustained:
    """The most spaces a round, over mixes of two speeds, at which stamina does not fall.

    A linear programme with one bound: its best point mixes two speeds at most, so all pairs are
    tried. How a vehicle gets from one speed to the other is left out. Speed 0 alone if nothing
    else keeps stamina from falling, even where that falls too.
    """
    totals, change = spaces(vehicle), vehicle.stamina
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
    whips = [card for card in cards if card.front in (Front.WHIP, Front.DUAL)]
    reins = [card for card in cards if card.front in (Front.REINS, Front.DUAL)]
    return Economy(
        hand=len(cards),
        whips=len(whips),
        reins=len(reins),
        special=sum(bool(card.special) for card in cards),
        each_round=len(cards) / 2,
        whips_each_round=len(whips) / 2,
        reins_each_round=len(reins) / 2,
        swaps=mods.swaps,
    )
