"""Exact odds: a die and a number of dice in, every different roll with its probability out.

A roll is a multiset: how many dice show each face. With n dice, c[i] of them on faces that
together have weight w[i] of w, its probability is n! · Π w[i]^c[i] / c[i]! / w^n (the multinomial
distribution). Weights are 1 for icons; equal values of a die share a weight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import comb
from typing import TypeVar

from generator.sums import summed
from gridpress_chariot_dash.dice import ICONS, Die

Result = TypeVar("Result")
Counts = tuple[int, ...]


def multisets(weights: Counts, dice: int) -> Iterator[tuple[Counts, int]]:
    """Each way for the dice to fall on the faces, and in how many of w^n rolls it does."""
    first, *rest = weights
    if not rest:
        yield (dice,), first**dice
        return
    for count in range(dice + 1):
        ways = comb(dice, count) * first**count
        for counts, more in multisets(tuple(rest), dice - count):
            yield (count, *counts), ways * more


@lru_cache(maxsize=64)
def icon_rolls(dice: int) -> tuple[tuple[Counts, float], ...]:
    """Every roll of so many dice as the count of each icon, with its probability."""
    whole = len(ICONS) ** dice
    weights = (1,) * len(ICONS)
    return tuple((counts, ways / whole) for counts, ways in multisets(weights, dice))


@lru_cache(maxsize=64)
def value_rolls(die: Die, dice: int) -> tuple[tuple[Counts, float], ...]:
    """Every roll of so many dice as its values in ascending order, with its probability."""
    values = sorted(set(die.values))
    weights = tuple(die.values.count(value) for value in values)
    whole = len(die.values) ** dice
    rolls = []
    for counts, ways in multisets(weights, dice):
        shown = [v for v, count in zip(values, counts, strict=True) for _ in range(count)]
        rolls.append((tuple(shown), ways / whole))
    return tuple(rolls)


def gathered(rolls: Iterator[tuple[Result, float]]) -> dict[Result, float]:
    """Odds with equal results put together."""
    odds: dict[Result, float] = {}
    for result, chance in rolls:
        odds[result] = odds.get(result, 0.0) + chance
    return odds


def expected(odds: Mapping[Result, float], worth: Callable[[Result], float]) -> float:
    """The mean of what the results are worth."""
    return summed(chance * worth(result) for result, chance in odds.items())


def chance(odds: Mapping[Result, float], holds: Callable[[Result], bool]) -> float:
    """The probability that a result is one for which the condition holds."""
    return summed(part for result, part in odds.items() if holds(result))


def binomial(dice: int, hit: float) -> dict[int, float]:
    """How many of the dice hit, when each does with the same probability."""
    return {
        hits: comb(dice, hits) * hit**hits * (1 - hit) ** (dice - hits) for hits in range(dice + 1)
    }
