"""The race die: exact odds of rolls, of rolling many to keep two, of speed checks, control rolls
and attacks.

A die has six faces, one for each icon, so a face is named by its icon: a number from 0 to 5. Icons
in a count stand in the order of `ICONS`.

A roll is a multiset: how many dice show each face. With n dice, c[i] of them on faces that
together have weight w[i] of w, its probability is n! · Π w[i]^c[i] / c[i]! / w^n (the multinomial
distribution). Equal values of a die share a weight. Speed checks and attacks share this: only the
sum of the kept dice matters.

What races roll, the engine of `race/` decides; this is what reports say beside them. Of choices,
such as what to discard, the best of the kind that looks at this roll only is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import comb, factorial
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

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


def merged_odds(rolls: Iterator[tuple[_Result, float]]) -> dict[_Result, float]:
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
        for (ends, again), chance in merged_odds(rolls()).items() if rerolls else rolls():
            for more, part in _end_odds(die, again).items():
                yield _most(_beside(ends, more), limit), chance * part

    return dict(sorted(merged_odds(sums()).items()))


@lru_cache(maxsize=64)
def _end_odds(die: Die, dice: int) -> Mapping[DiceEnds, float]:
    """How likely so many dice have which ends."""
    return merged_odds((_ends(values), part) for values, part in value_rolls(die, dice))


class SpeedCheck(NamedTuple):
    """A speed check (CD-14 to CD-16) before the dice fall.

    limit: which two dice may be kept. added: to the kept sum, which then is at least 0; taken: off
    it afterwards, and below 0 the direction changes.
    """

    accelerate: bool
    dice: int
    rerolls: int = 0
    limit: int = ANY_TWO
    added: int = 0
    taken: int = 0

    def boxes(self, kept: int) -> int:
        """Boxes to the right, negative to the left, for a kept sum."""
        boxes = max(0, kept + self.added) - self.taken
        return boxes if self.accelerate else -boxes

    def odds(self, die: Die) -> dict[int, float]:
        """The probability of each number of boxes."""
        kept = keep_odds(die, self.dice, self.rerolls, self.limit)
        return merged_odds((self.boxes(total), part) for total, part in kept.items())


AS_EFFECT: Final = 0
IGNORED: Final = 1
AS_CLP: Final = 2


class ControlReading(NamedTuple):
    """How the dice of a control roll are read. damage: what its icons are."""

    stamina: bool = True
    pairs_first: bool = False
    damage: int = AS_EFFECT

    @classmethod
    def of(cls, in_force: Collection[str]) -> ControlReading:
        """By the ids of the options in force."""
        damage = AS_CLP if "control-damage-as-clp" in in_force else AS_EFFECT
        damage = IGNORED if "control-damage-ignored" in in_force else damage
        return cls("stamina" in in_force, "pairs-first" in in_force, damage)


class ControlOutcome(NamedTuple):
    """What a control roll leaves: how many of each icon take effect, CLP and stamina lost.

    CLP for damage itself come with the damage roll.
    """

    slides: int = 0
    haste: int = 0
    slow: int = 0
    left: int = 0
    right: int = 0
    damage: int = 0
    clp: int = 0
    stamina: int = 0

    @property
    def failed(self) -> bool:
        """Whether any effect is left."""
        return any(self[:6])


Array = NDArray[Any]
MOST_DICE: Final = 20
"""Control dice of which odds are worked out: there are 53,130 rolls of so many."""
_WIDE: Final = 7
"""Bits of a count, where several are one number."""
_FIRST: Final = _WIDE * np.arange(5, -1, -1)
"""Where the count of each icon begins: numbers stand in the order of the counts."""


@lru_cache(maxsize=MOST_DICE + 1)
def _rolls(dice: int) -> tuple[Array, Array]:
    """Every roll of so many dice as the count of each icon, in ascending order, and how likely."""
    bars = len(ICONS) - 1
    at = np.array(list(combinations(range(dice + bars), bars)))
    edges = np.column_stack((np.full(len(at), -1), at, np.full(len(at), dice + bars)))
    counts = np.diff(edges) - 1
    ways = np.array([float(factorial(count)) for count in range(dice + 1)])
    return counts, ways[dice] / ways[counts].prod(axis=1) / float(len(ICONS)) ** dice


def _place(counts: Array, dice: int) -> Array:
    """Where rolls of so many dice stand among all."""
    every, _ = _rolls(dice)
    found: Array = np.searchsorted((every << _FIRST).sum(axis=1), (counts << _FIRST).sum(axis=1))
    return found


@lru_cache(maxsize=MOST_DICE + 1)
def _fewer(dice: int) -> Array:
    """Of every roll the places of those with one die less of each icon; −1 where it has none."""
    counts, _ = _rolls(dice)
    found = np.full(counts.shape, -1)
    for icon in range(len(ICONS)):
        has = counts[:, icon] > 0
        found[has, icon] = _place(counts[has] - np.eye(len(ICONS), dtype=int)[icon], dice - 1)
    return found


def _paired(counts: Array) -> tuple[Array, Array, Array]:
    """Dice without pairs of spins, and of slow and haste; how many pairs there were of each."""
    spins = counts[:, [LEFT, RIGHT]].min(axis=1)
    pulls = counts[:, [HASTE, SLOW]].min(axis=1)
    rest = counts.copy()
    rest[:, [LEFT, RIGHT]] -= spins[:, None]
    rest[:, [HASTE, SLOW]] -= pulls[:, None]
    return rest, spins, pulls


def _read(counts: Array, reading: ControlReading) -> Array:
    """Rows of what dice come to after the discards (CD-32, CD-33), as a `ControlOutcome`."""
    rest, spins, pulls = _paired(counts)
    if reading.damage == IGNORED:
        rest[:, DAMAGE] = 0
    most = rest.max(axis=1, keepdims=True)
    effects = np.where(rest == most, rest, 0)
    clp = spins + (effects > 0).sum(axis=1) + (0 if reading.stamina else pulls)
    if reading.damage == AS_CLP:
        clp = clp + effects[:, DAMAGE]
    return np.column_stack((effects, clp, pulls if reading.stamina else np.zeros_like(pulls)))


def _harm(outcomes: Array) -> Array:
    """Twice as bad as outcomes are to a driver who thinks of nothing else, in CLP or thereabouts.

    A hex slid or a spin counts 2, damage 3, a box and a CLP 1, stamina a half."""
    slides, haste, slow, left, right, damage, clp, stamina = outcomes.T
    harm: Array = 4 * (slides + abs(left - right)) + 2 * abs(haste - slow) + 6 * damage
    harm += 2 * clp + stamina
    return harm


_TAKEN: Final = (1 << len(ICONS) * _WIDE) - (1 << _FIRST)
"""What a die of each icon that is taken away adds to how a discard ranks: the number of dice, then
those of the first icons before others."""
_HARM: Final = 50
"""Bits below the harm in such a rank."""


@lru_cache(maxsize=256)
def _calmest(dice: int, most: int, reading: ControlReading) -> Array:
    """Of every roll what is left by the best discard of up to `most` dice: the least harm, of equal
    ones the fewest dice. Die by die, since what is best after the first is best of what is left."""
    least = max(0, dice - most)
    ranks = _harm(_read(_rolls(least)[0], reading)) << _HARM
    for count in range(least + 1, dice + 1):
        fewer = _fewer(count)
        own = _harm(_read(_rolls(count)[0], reading)) << _HARM
        less = np.where(fewer < 0, np.iinfo(np.int64).max, ranks[fewer] + _TAKEN)
        ranks = np.minimum(own, less.min(axis=1))
    ranks = ranks & ((1 << _HARM) - 1)
    number = -(-ranks >> len(ICONS) * _WIDE)
    away: Array = (number << len(ICONS) * _WIDE) - ranks
    left: Array = _rolls(dice)[0] - ((away[:, None] >> _FIRST) & ((1 << _WIDE) - 1))
    return left


class Control(NamedTuple):
    """A control roll (CD-31) before the dice fall: of each allowance how many dice."""

    dice: int
    discards: int = 0
    rerolls: int = 0
    reading: ControlReading = ControlReading()

    def read(self, counts: Array) -> Array:
        """Rows of what rolls, of `dice` dice each, come to with the best discards, as a
        `ControlOutcome` has them."""
        if not self.reading.pairs_first:
            left = _calmest(self.dice, self.discards, self.reading)
            return _read(left[_place(counts, self.dice)], self.reading)
        rest, spins, pulls = _paired(counts)
        totals = rest.sum(axis=1)
        for total in np.unique(totals):
            own = totals == total
            left = _calmest(int(total), self.discards, self.reading)
            rest[own] = left[_place(rest[own], int(total))]
        found = _read(rest, self.reading)
        found[:, CLP] += spins if self.reading.stamina else spins + pulls
        found[:, STAMINA] = pulls if self.reading.stamina else 0
        return found

    def odds(self) -> Array:
        """Of every roll how likely it is, after the re-rolls: of the dice that one would rather do
        without."""
        parts: Array = _rolls(self.dice)[1]
        if not self.rerolls:
            return parts
        stay = _calmest(self.dice, self.rerolls, self.reading)
        kept = stay.sum(axis=1)
        least = int(kept.min())
        found: Array = np.zeros(len(_rolls(least)[0]))
        for count in range(least, self.dice + 1):
            if count > least:  # those that kept fewer roll another die
                fewer = _fewer(count)
                found = np.where(fewer < 0, 0.0, found[fewer]).sum(axis=1) / len(ICONS)
            own = kept == count
            np.add.at(found, _place(stay[own], count), parts[own])
        return found


CLP: Final = 6
STAMINA: Final = 7
"""Places in the row of an outcome, behind those of the icons."""


@lru_cache(maxsize=256)
def outcomes(asked: Control) -> dict[ControlOutcome, float]:
    """Every outcome of a control roll of `MOST_DICE` at most, by enumeration of all rolls."""
    rows = asked.read(_rolls(asked.dice)[0])
    _, first, which = np.unique(
        (rows << _WIDE * np.arange(8)).sum(axis=1), return_index=True, return_inverse=True
    )
    parts = np.bincount(which, asked.odds())
    made = (ControlOutcome._make(row) for row in rows[first].tolist())
    return {outcome: part for outcome, part in zip(made, parts.tolist(), strict=True) if part}


class AttackSide(NamedTuple):
    """One side of an attack (CD-40) before the dice fall. luck: above 0 wins ties, below 0 loses
    them."""

    dice: int = 1
    rerolls: int = 0
    plus: int = 0
    luck: int = 0


def wins(attacker: AttackSide, defender: AttackSide, die: Die) -> float:
    """The chance that the attacker's value is the higher one."""
    own, other = (
        [
            (max(0, kept + side.plus), part)
            for kept, part in keep_odds(die, side.dice, side.rerolls).items()
        ]
        for side in (attacker, defender)
    )
    is_lucky = attacker.luck > defender.luck
    return summed(a * d for value, a in own for against, d in other if value + is_lucky > against)
