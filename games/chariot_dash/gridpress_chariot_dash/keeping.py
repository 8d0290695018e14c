"""Roll many, keep two: dice and a limit in, the sum that is kept out; by choice, and exactly.

Speed checks and attacks share this. Only the sum of the kept dice matters, so a choice picks one
of the sums that are possible: `Keep`. Which dice are rolled again is a `Reroll`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from generator.sums import summed
from gridpress_chariot_dash.dice import Dice, Die
from gridpress_chariot_dash.odds import gathered, value_rolls

ANY_TWO: Final = 0
LOWEST_AND_ANY: Final = 1
LOWEST_TWO: Final = 2

Keep = Callable[[tuple[int, ...]], int]
"""Possible sums, ascending and different → the one that is kept."""
Reroll = Callable[[tuple[int, ...], int, int], tuple[int, ...]]
"""Values in ascending order, how many may be rolled again, limit → which (places in the values)."""


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


def highest(sums: tuple[int, ...]) -> int:
    """Keep as much as possible."""
    return sums[-1]


def lowest(sums: tuple[int, ...]) -> int:
    """Keep as little as possible."""
    return sums[0]


def nearest(target: int) -> Keep:
    """Keep what is nearest to a target; of two equally near sums the lower."""

    def keep(sums: tuple[int, ...]) -> int:
        return min(sums, key=lambda kept: (abs(kept - target), kept))

    return keep


def reroll_none(values: tuple[int, ...], count: int, limit: int) -> tuple[int, ...]:
    """Let the dice lie."""
    return ()


def reroll_low(values: tuple[int, ...], count: int, limit: int) -> tuple[int, ...]:
    """To keep more: roll the lowest again, those below 2 and those that would not be kept."""
    spare = len(values) - 2 if limit == ANY_TWO else 0
    return tuple(i for i, v in enumerate(values[:count]) if i < spare or v < 2)


def reroll_high(values: tuple[int, ...], count: int, limit: int) -> tuple[int, ...]:
    """To keep less: roll the highest again, those above 1 and those that would not be kept."""
    n = len(values)
    places = range(max(0, n - count), n)
    return tuple(i for i in places if i >= 2 or values[i] > 1)


def roll_and_keep(
    dice: Dice,
    count: int,
    rerolls: int = 0,
    limit: int = ANY_TWO,
    keep: Keep = highest,
    reroll: Reroll = reroll_low,
) -> int:
    """Roll `count` dice, roll up to `rerolls` of them again, keep two within the limit: their sum.

    With fewer than three dice there is nothing to choose. ValueError if a choice is not allowed.
    """
    values = tuple(sorted(dice.values(count)))
    if rerolls:
        again = reroll(values, rerolls, limit)
        if len(again) > rerolls or len(set(again)) < len(again):
            raise ValueError(f"at most {rerolls} different dice may be rolled again")
        if again:
            rest = tuple(v for i, v in enumerate(values) if i not in again)
            values = tuple(sorted(rest + dice.values(len(again))))
    sums = possible_sums(values, limit)
    kept = keep(sums)
    if kept not in sums:
        raise ValueError(f"{kept} is none of the possible sums {sums}")
    return kept


def keep_odds(
    die: Die,
    count: int,
    rerolls: int = 0,
    limit: int = ANY_TWO,
    keep: Keep = highest,
    reroll: Reroll = reroll_low,
) -> dict[int, float]:
    """What `roll_and_keep` gives, each sum with its exact probability."""

    def rolls() -> Iterator[tuple[int, float]]:
        for values, chance in value_rolls(die, count):
            again = reroll(values, rerolls, limit) if rerolls else ()
            rest = tuple(v for i, v in enumerate(values) if i not in again)
            for more, part in value_rolls(die, len(again)):
                yield keep(possible_sums(tuple(sorted(rest + more)), limit)), chance * part

    return dict(sorted(gathered(rolls()).items()))
