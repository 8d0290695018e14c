"""The race die: exact odds of rolls, and of rolling many to keep two.

A die has six faces, one for each icon, so a face is named by its icon: a number from 0 to 5.

A roll is a multiset: how many dice show each face. With n dice, c[i] of them on faces that
together have weight w[i] of w, its probability is n! · Π w[i]^c[i] / c[i]! / w^n (the multinomial
distribution). Equal values of a die share a weight.

Speed checks and attacks share this. Only the sum of the kept dice matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import comb
from typing import Any, Final, NamedTuple, TypeVar

from generator.geometry import summed

SLIDE, HASTE, SLOW, LEFT, RIGHT, DAMAGE = range(6)

ICONS: Final = ("slide", "haste", "slow", "left-spin", "right-spin", "damage")


class Die(NamedTuple):
    """The value of each face, in the order of `ICONS`."""

    values: tuple[int, ...] = (0, 1, 1, 2, 2, 3)

    @classmethod
    def of(cls, component: Mapping[str, Any]) -> Die:
        """The die of a component of kind die; ValueError unless each icon is on one face."""
        faces = {str(face["icon"]): int(face["value"]) for face in component["faces"]}
        if len(component["faces"]) != len(ICONS) or set(faces) != set(ICONS):
            raise ValueError(f"a die has one face for each of {', '.join(ICONS)}")
        return cls(tuple(faces[icon] for icon in ICONS))


_Result = TypeVar("_Result")
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


def gathered(rolls: Iterator[tuple[_Result, float]]) -> dict[_Result, float]:
    """Odds with equal results put together."""
    odds: dict[_Result, float] = {}
    for result, chance in rolls:
        odds[result] = odds.get(result, 0.0) + chance
    return odds


def expected(odds: Mapping[_Result, float], worth: Callable[[_Result], float]) -> float:
    """The mean of what the results are worth."""
    return summed(chance * worth(result) for result, chance in odds.items())


def chance(odds: Mapping[_Result, float], holds: Callable[[_Result], bool]) -> float:
    """The probability that a result is one for which the condition holds."""
    return summed(part for result, part in odds.items() if holds(result))


ANY_TWO: Final = 0
LOWEST_AND_ANY: Final = 1
LOWEST_TWO: Final = 2


def limit_of(helping: int, hindering: int) -> int:
    """Which two dice may be kept, as cards of the hindering type bind them (CD-15)."""
    if hindering == 0 or hindering < helping:
        return ANY_TWO
    return LOWEST_TWO if hindering >= 2 * helping else LOWEST_AND_ANY


@lru_cache(maxsize=4096)
def possible_sums(values: tuple[int, ...], limit: int) -> tuple[int, ...]:
    """Sums of the two dice that a driver may keep, ascending; of the one die if there is but one.

    limit: 0 any two dice, 1 the lowest and any other, 2 the lowest two.
    """
    values = tuple(sorted(values))
    if len(values) < 3 or limit == LOWEST_TWO:
        return (summed(values[:2]),)
    firsts = values[:1] if limit == LOWEST_AND_ANY else values
    sums = {a + b for i, a in enumerate(firsts) for b in values[i + 1 :]}
    return tuple(sorted(sums))


def rerolled(values: tuple[int, ...], count: int, limit: int) -> tuple[int, ...]:
    """Who rolls up to `count` of some dice again to keep more (places in the values, which ascend):
    the lowest, those below 2 and those that would not be kept."""
    spare = len(values) - 2 if limit == ANY_TWO else 0
    return tuple(i for i, v in enumerate(values[:count]) if i < spare or v < 2)


DiceEnds = tuple[tuple[int, ...], tuple[int, ...]]
"""The two lowest of some dice, and the two highest, ascending."""


def _ends(values: tuple[int, ...]) -> DiceEnds:
    return values[:2], values[-2:]


def _beside(some: DiceEnds, others: DiceEnds) -> DiceEnds:
    """The ends of both together."""
    low, high = (tuple(sorted(a + b)) for a, b in zip(some, others, strict=True))
    return low[:2], high[-2:]


def _most(ends: DiceEnds, limit: int) -> int:
    """The most that two of the dice may show within the limit."""
    low, high = ends
    if len(high) < 2 or limit == LOWEST_TWO:
        return summed(low)
    return low[0] + high[-1] if limit == LOWEST_AND_ANY else summed(high)


def keep_odds(die: Die, count: int, rerolls: int = 0, limit: int = ANY_TWO) -> dict[int, float]:
    """Roll `count` dice, up to `rerolls` of them again, and keep the most that two may show within
    the limit: each sum with its exact probability."""

    def rolls() -> Iterator[tuple[tuple[DiceEnds, int], float]]:
        """What is left of the first roll, and how many dice are rolled again."""
        for values, chance in value_rolls(die, count):
            again = rerolled(values, rerolls, limit) if rerolls else ()
            stay = tuple(v for i, v in enumerate(values) if i not in again)
            yield (_ends(stay), len(again)), chance

    def sums() -> Iterator[tuple[int, float]]:
        for (ends, again), chance in gathered(rolls()).items() if rerolls else rolls():
            for more, part in _end_odds(die, again).items():
                yield _most(_beside(ends, more), limit), chance * part

    return dict(sorted(gathered(sums()).items()))


@lru_cache(maxsize=64)
def _end_odds(die: Die, dice: int) -> Mapping[DiceEnds, float]:
    """How likely so many dice have which ends."""
    return gathered((_ends(values), part) for values, part in value_rolls(die, dice))
