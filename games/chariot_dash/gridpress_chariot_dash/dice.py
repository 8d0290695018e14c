"""Exact odds of the race die: speed checks, control rolls and attacks.

The six faces are named by their icon, 0 to 5 in the order of `ICONS`. A roll is a multiset: n dice
with c[i] on faces of weight w[i] out of w have the probability n! · Π w[i]^c[i] / c[i]! / w^n.

Reports use these odds; races roll in `race/`. Choices are the best for the roll at hand.
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
        """Read a component of kind die. Raises ValueError unless the icons differ."""
        faces = {str(face["icon"]): int(face["value"]) for face in component["faces"]}
        if len(component["faces"]) != len(ICONS) or set(faces) != set(ICONS):
            raise ValueError(f"a die has one face for each of {', '.join(ICONS)}")
        return cls(tuple(faces[icon] for icon in ICONS))


_Result = TypeVar("_Result")
Counts = tuple[int, ...]


def multisets(weights: Counts, dice: int) -> Iterator[tuple[Counts, int]]:
    """Yield each distribution of dice over the faces, and how many of w^n rolls have it."""
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
    """Return every roll as ascending values, with its probability."""
    values = sorted(set(die.values))
    weights = tuple(die.values.count(value) for value in values)
    whole = len(die.values) ** dice
    rolls = []
    for counts, ways in multisets(weights, dice):
        shown = [v for v, count in zip(values, counts, strict=True) for _ in range(count)]
        rolls.append((tuple(shown), ways / whole))
    return tuple(rolls)


def merged_odds(rolls: Iterator[tuple[_Result, float]]) -> dict[_Result, float]:
    """Add up the odds of equal results."""
    odds: dict[_Result, float] = {}
    for result, chance in rolls:
        odds[result] = odds.get(result, 0.0) + chance
    return odds


def expected(odds: Mapping[_Result, float], worth: Callable[[_Result], float]) -> float:
    """Return the mean worth of the results."""
    return summed(chance * worth(result) for result, chance in odds.items())


def chance(odds: Mapping[_Result, float], holds: Callable[[_Result], bool]) -> float:
    """Return the probability that the condition holds."""
    return summed(part for result, part in odds.items() if holds(result))


ANY_TWO: Final = 0
LOWEST_AND_ANY: Final = 1
LOWEST_TWO: Final = 2


def limit_of(helping: int, hindering: int) -> int:
    """Return which two dice may be kept with cards of the hindering type (CD-15)."""
    if hindering == 0 or hindering < helping:
        return ANY_TWO
    return LOWEST_TWO if hindering >= 2 * helping else LOWEST_AND_ANY


@lru_cache(maxsize=4096)
def possible_sums(values: tuple[int, ...], limit: int) -> tuple[int, ...]:
    """Return the sums of dice that may be kept, ascending.

    limit: 0 any two dice, 1 the lowest and any other, 2 the lowest two.
    """
    values = tuple(sorted(values))
    if len(values) < 3 or limit == LOWEST_TWO:
        return (summed(values[:2]),)
    firsts = values[:1] if limit == LOWEST_AND_ANY else values
    sums = {a + b for i, a in enumerate(firsts) for b in values[i + 1 :]}
    return tuple(sorted(sums))


def rerolled(values: tuple[int, ...], count: int, limit: int) -> tuple[int, ...]:
    """Return the indexes of the dice to re-roll: the lowest, if below 2 or not kept."""
    spare = len(values) - 2 if limit == ANY_TWO else 0
    return tuple(i for i, v in enumerate(values[:count]) if i < spare or v < 2)


DiceEnds = tuple[tuple[int, ...], tuple[int, ...]]
"""The two lowest and the two highest of some dice, ascending."""


def _ends(values: tuple[int, ...]) -> DiceEnds:
    return values[:2], values[-2:]


def _beside(some: DiceEnds, others: DiceEnds) -> DiceEnds:
    low, high = (tuple(sorted(a + b)) for a, b in zip(some, others, strict=True))
    return low[:2], high[-2:]


def _most(ends: DiceEnds, limit: int) -> int:
    low, high = ends
    if len(high) < 2 or limit == LOWEST_TWO:
        return summed(low)
    return low[0] + high[-1] if limit == LOWEST_AND_ANY else summed(high)


def keep_odds(die: Die, count: int, rerolls: int = 0, limit: int = ANY_TWO) -> dict[int, float]:
    """Return the odds of the highest sum after up to `rerolls` re-rolls."""

    def rolls() -> Iterator[tuple[tuple[DiceEnds, int], float]]:
        """Yield the dice that stay, and how many are rolled again."""
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
    return merged_odds((_ends(values), part) for values, part in value_rolls(die, dice))


class SpeedCheck(NamedTuple):
    """A speed check (CD-14 to CD-16).

    limit: which two dice may be kept. added: to the sum, which is then at least 0. taken: from
    that; below 0 the direction changes.
    """

    accelerate: bool
    dice: int
    rerolls: int = 0
    limit: int = ANY_TWO
    added: int = 0
    taken: int = 0

    def boxes(self, kept: int) -> int:
        """Return the boxes for a kept sum, to the left if negative."""
        boxes = max(0, kept + self.added) - self.taken
        return boxes if self.accelerate else -boxes

    def odds(self, die: Die) -> dict[int, float]:
        """Return the probability of each number of boxes."""
        kept = keep_odds(die, self.dice, self.rerolls, self.limit)
        return merged_odds((self.boxes(total), part) for total, part in kept.items())


AS_EFFECT: Final = 0
IGNORED: Final = 1
AS_CLP: Final = 2


class ControlReading(NamedTuple):
    """A way to read control dice. damage: effect of damage icons."""

    stamina: bool = True
    pairs_first: bool = False
    damage: int = AS_EFFECT

    @classmethod
    def of(cls, in_force: Collection[str]) -> ControlReading:
        """Return the reading for the ids of options in force."""
        damage = AS_CLP if "control-damage-as-clp" in in_force else AS_EFFECT
        damage = IGNORED if "control-damage-ignored" in in_force else damage
        return cls("stamina" in in_force, "pairs-first" in in_force, damage)


class ControlOutcome(NamedTuple):
    """The result of a control roll: icons that take effect, CLP and stamina lost.

    CLP of damage come with the damage roll.
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
        """True if any effect is left."""
        return any(self[:6])


Array = NDArray[Any]
MOST_DICE: Final = 20
"""The largest control roll with odds: 53,130 rolls."""
_WIDE: Final = 7
"""Bits of a count where counts are packed in one number."""
_FIRST: Final = _WIDE * np.arange(5, -1, -1)
"""The shift of each icon's count."""


@lru_cache(maxsize=MOST_DICE + 1)
def _rolls(dice: int) -> tuple[Array, Array]:
    """Return every roll as counts of icons, ascending, with its probability."""
    bars = len(ICONS) - 1
    at = np.array(list(combinations(range(dice + bars), bars)))
    edges = np.column_stack((np.full(len(at), -1), at, np.full(len(at), dice + bars)))
    counts = np.diff(edges) - 1
    ways = np.array([float(factorial(count)) for count in range(dice + 1)])
    return counts, ways[dice] / ways[counts].prod(axis=1) / float(len(ICONS)) ** dice


def _place(counts: Array, dice: int) -> Array:
    every, _ = _rolls(dice)
    found: Array = np.searchsorted((every << _FIRST).sum(axis=1), (counts << _FIRST).sum(axis=1))
    return found


@lru_cache(maxsize=MOST_DICE + 1)
def _fewer(dice: int) -> Array:
    """Return, by roll and icon, the index of the roll with one die less, or −1."""
    counts, _ = _rolls(dice)
    found = np.full(counts.shape, -1)
    for icon in range(len(ICONS)):
        has = counts[:, icon] > 0
        found[has, icon] = _place(counts[has] - np.eye(len(ICONS), dtype=int)[icon], dice - 1)
    return found


def _paired(counts: Array) -> tuple[Array, Array, Array]:
    """Return the dice without pairs, and the numbers of spin and of slow-haste pairs."""
    spins = counts[:, [LEFT, RIGHT]].min(axis=1)
    pulls = counts[:, [HASTE, SLOW]].min(axis=1)
    rest = counts.copy()
    rest[:, [LEFT, RIGHT]] -= spins[:, None]
    rest[:, [HASTE, SLOW]] -= pulls[:, None]
    return rest, spins, pulls


def _read(counts: Array, reading: ControlReading) -> Array:
    """Return the outcomes of dice after discards (CD-32, CD-33)."""
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
    """Return twice the harm of outcomes, roughly in CLP.

    A hex slid or a spin counts 2, damage 3, a box and a CLP 1, stamina a half.
    """
    slides, haste, slow, left, right, damage, clp, stamina = outcomes.T
    harm: Array = 4 * (slides + abs(left - right)) + 2 * abs(haste - slow) + 6 * damage
    harm += 2 * clp + stamina
    return harm


_TAKEN: Final = (1 << len(ICONS) * _WIDE) - (1 << _FIRST)
"""Added to the rank for each die discarded: fewer dice first, then the first icons."""
_HARM: Final = 50
"""Bits below the harm in a rank."""


@lru_cache(maxsize=256)
def _calmest(dice: int, most: int, reading: ControlReading) -> Array:
    """Return what the best discards leave of every roll: least harm, then fewest dice."""
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
    """A control roll (CD-31), with how many dice may be discarded or re-rolled."""

    dice: int
    discards: int = 0
    rerolls: int = 0
    reading: ControlReading = ControlReading()

    def read(self, counts: Array) -> Array:
        """Return the outcomes of rolls with the best discards."""
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
        """Return the probability of every roll after the best re-rolls."""
        parts: Array = _rolls(self.dice)[1]
        if not self.rerolls:
            return parts
        stay = _calmest(self.dice, self.rerolls, self.reading)
        kept = stay.sum(axis=1)
        least = int(kept.min())
        found: Array = np.zeros(len(_rolls(least)[0]))
        for count in range(least, self.dice + 1):
            if count > least:  # re-roll one die more
                fewer = _fewer(count)
                found = np.where(fewer < 0, 0.0, found[fewer]).sum(axis=1) / len(ICONS)
            own = kept == count
            np.add.at(found, _place(stay[own], count), parts[own])
        return found


CLP: Final = 6
STAMINA: Final = 7
"""Columns of an outcome after the icons."""


@lru_cache(maxsize=256)
def outcomes(asked: Control) -> dict[ControlOutcome, float]:
    """Return every outcome of a control roll of up to `MOST_DICE`, with its probability."""
    rows = asked.read(_rolls(asked.dice)[0])
    _, first, which = np.unique(
        (rows << _WIDE * np.arange(8)).sum(axis=1), return_index=True, return_inverse=True
    )
    parts = np.bincount(which, asked.odds())
    made = (ControlOutcome._make(row) for row in rows[first].tolist())
    return {outcome: part for outcome, part in zip(made, parts.tolist(), strict=True) if part}


class AttackSide(NamedTuple):
    """One side of an attack (CD-40). luck: above 0 wins ties, below 0 loses them."""

    dice: int = 1
    rerolls: int = 0
    plus: int = 0
    luck: int = 0


def wins(attacker: AttackSide, defender: AttackSide, die: Die) -> float:
    """Return the chance that the attacker wins."""
    own, other = (
        [
            (max(0, kept + side.plus), part)
            for kept, part in keep_odds(die, side.dice, side.rerolls).items()
        ]
        for side in (attacker, defender)
    )
    is_lucky = attacker.luck > defender.luck
    return summed(a * d for value, a in own for against, d in other if value + is_lucky > against)
