"""What dice may cost a driver: dice and a vehicle's weaknesses in, cells of track lost out.

A driver weighs everything in one unit, cells of progress along the track, so that a slide, a card
and a point of damage can be set against a hex gained. All prices come from exact odds and are kept.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from generator.sums import summed
from gridpress_chariot_dash.control import Demand
from gridpress_chariot_dash.control_odds import odds
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.keeping import possible_sums, reroll_low
from gridpress_chariot_dash.odds import value_rolls
from gridpress_chariot_dash.reading import Outcome


class Prices(NamedTuple):
    """What a driver thinks things are worth, in cells. The defaults were found by time trials.

    wreck: being wiped out; a point of damage costs its share of that. card: one of three cards in
    the hand; the last one three times as much, one of six half. point: a control loss point. blow:
    a unit of speed lost to a bump. wall: how likely a slide or spin ends in a collision. astray,
    pace: at the end of what is looked ahead to, each 30° off the lane and each hex of a round at
    the speed that is then had. stand: a round at speed 0; high, since whoever stands before a wall
    must hit it some day to get on.
    """

    wreck: float = 40.0
    card: float = 0.35
    wall: float = 0.4
    slide: float = 1.0
    spin: float = 1.2
    slow: float = 0.6
    haste: float = 0.3
    point: float = 0.5
    stamina: float = 0.2
    astray: float = 1.0
    pace: float = 0.1
    stand: float = 15.0
    blow: float = 1.0


def cost(outcome: Outcome, prices: Prices, per_die: float, crash: float) -> float:
    """What an outcome of a control roll costs. per_die: what a die of damage is expected to;
    crash: hitting a wall at the speed, which may come of a slide or spin."""
    strays = outcome.slides or outcome.left != outcome.right
    return (
        prices.wall * crash * bool(strays)
        + prices.slide * outcome.slides
        + prices.spin * abs(outcome.left - outcome.right)
        + prices.slow * max(0, outcome.slow - outcome.haste)
        + prices.haste * max(0, outcome.haste - outcome.slow)
        + per_die * outcome.damage
        + prices.point * outcome.clp
        + prices.stamina * outcome.stamina
    )


_MOST_DICE = 7
"""Exact odds of more dice take long; each further die is then priced as the one before it."""


@lru_cache(maxsize=65536)
def roll_price(asked: Demand, prices: Prices, per_die: float, crash: float) -> float:
    """What a control roll is expected to cost."""
    if asked.dice > _MOST_DICE:
        over = asked.dice - _MOST_DICE
        less = [
            asked._replace(dice=_MOST_DICE - n, discards=min(asked.discards, 2)) for n in (0, 1)
        ]
        most, before = (roll_price(one, prices, per_die, crash) for one in less)
        return most + over * (most - before)
    return summed([part * cost(o, prices, per_die, crash) for o, part in _outcomes(asked)])


@lru_cache(maxsize=4096)
def _outcomes(asked: Demand) -> tuple[tuple[Outcome, float], ...]:
    """The exact odds, which all vehicles share."""
    return tuple(odds(asked).items())


SumSets = tuple[tuple[tuple[int, ...], float], ...]


@lru_cache(maxsize=4096)
def sum_sets(die: Die, dice: int, rerolls: int, limit: int) -> SumSets:
    """What a speed check leaves to choose from: each set of possible sums with its probability."""
    sets: dict[tuple[int, ...], float] = {}
    for values, part in value_rolls(die, dice):
        anew = reroll_low(values, rerolls, limit) if rerolls else ()
        rest = tuple(v for i, v in enumerate(values) if i not in anew)
        for more, chance in value_rolls(die, len(anew)):
            sums = possible_sums(tuple(sorted(rest + more)), limit)
            sets[sums] = sets.get(sums, 0.0) + part * chance
    return tuple(sorted(sets.items()))


@lru_cache(maxsize=4096)
def sums_of(sets: SumSets) -> tuple[int, ...]:
    """Every sum that is in one of the sets."""
    return tuple(sorted({kept for sums, _ in sets for kept in sums}))
