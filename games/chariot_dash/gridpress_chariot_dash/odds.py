"""Exact odds of speed checks, control rolls and attacks: what is rolled in, chances out.

What races roll, the engine of `race/` decides; this is what reports say beside them. Icons in a
count stand in the order of `dice.ICONS`. Of choices, such as what to discard, the best of the kind
that looks at this roll only is made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from generator.units import summed
from gridpress_chariot_dash.dice import (
    ANY_TWO,
    LOWEST_AND_ANY,
    LOWEST_TWO,
    Counts,
    Die,
    gathered,
    icon_rolls,
    keep_odds,
)


class Check(NamedTuple):
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
        return gathered((self.boxes(total), part) for total, part in kept.items())


def limit(helping: int, hindering: int) -> int:
    """How cards of the hindering type bind the kept dice (CD-15)."""
    if not hindering or hindering < helping:
        return ANY_TWO
    return LOWEST_TWO if hindering >= 2 * helping else LOWEST_AND_ANY


AS_EFFECT: Final = 0
IGNORED: Final = 1
AS_CLP: Final = 2


class Reading(NamedTuple):
    """How the dice of a control roll are read. damage: what its icons are."""

    stamina: bool = True
    pairs_first: bool = False
    damage: int = AS_EFFECT

    @classmethod
    def of(cls, in_force: Collection[str]) -> Reading:
        """By the ids of the options in force."""
        damage = AS_CLP if "control-damage-as-clp" in in_force else AS_EFFECT
        damage = IGNORED if "control-damage-ignored" in in_force else damage
        return cls("stamina" in in_force, "pairs-first" in in_force, damage)


class Outcome(NamedTuple):
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


def paired(counts: Counts) -> tuple[Counts, int, int]:
    """The dice without pairs of spins, and of slow and haste; how many pairs there were of each."""
    slides, haste, slow, left, right, damage = counts
    spins, pulls = min(left, right), min(haste, slow)
    rest = (slides, haste - pulls, slow - pulls, left - spins, right - spins, damage)
    return rest, spins, pulls


@lru_cache(maxsize=65536)
def read(counts: Counts, reading: Reading) -> Outcome:
    """What dice come to after the discards (CD-32, CD-33)."""
    rest, spins, pulls = paired(counts)
    if reading.damage == IGNORED:
        rest = (*rest[:5], 0)
    most = max(rest)
    effects = tuple(count if count == most else 0 for count in rest)
    clp = spins + (rest.count(most) if most else 0) + (0 if reading.stamina else pulls)
    if reading.damage == AS_CLP:
        clp += effects[5]
    return Outcome._make((*effects, clp, pulls if reading.stamina else 0))


def harm(outcome: Outcome) -> float:
    """How bad an outcome is to a driver who thinks of nothing else, in CLP or thereabouts."""
    return (
        2 * (outcome.slides + abs(outcome.left - outcome.right))
        + abs(outcome.haste - outcome.slow)
        + 3 * outcome.damage
        + outcome.clp
        + 0.5 * outcome.stamina
    )


@lru_cache(maxsize=65536)
def calmest(counts: Counts, most: int, reading: Reading) -> Counts:
    """The best discard: of all ways to take up to `most` dice away, the least harm.

    Of equal ones the one with the fewest dice.
    """
    _, _, away = _least_harm(counts, min(most, summed(counts)), reading)
    return tuple([count - away.count(icon) for icon, count in enumerate(counts)])


@lru_cache(maxsize=1 << 17)
def _least_harm(counts: Counts, most: int, reading: Reading) -> tuple[float, int, tuple[int, ...]]:
    """The harm, the number of dice taken away and their icons: die by die, since what is best
    after the first die is best of what is then left."""
    best: tuple[float, int, tuple[int, ...]] = harm(read(counts, reading)), 0, ()
    if not most:
        return best
    for icon, count in enumerate(counts):
        if count:
            rest = (*counts[:icon], count - 1, *counts[icon + 1 :])
            harmed, number, away = _least_harm(rest, most - 1, reading)
            best = min(best, (harmed, number + 1, tuple(sorted((icon, *away)))))
    return best


class Control(NamedTuple):
    """A control roll (CD-31) before the dice fall: of each allowance how many dice."""

    dice: int
    discards: int = 0
    rerolls: int = 0
    reading: Reading = Reading()

    def outcome(self, counts: Counts) -> Outcome:
        """What a roll comes to with the best discards."""
        if not self.reading.pairs_first:
            return read(calmest(counts, self.discards, self.reading), self.reading)
        rest, spins, pulls = paired(counts)
        left = read(calmest(rest, self.discards, self.reading), self.reading)
        is_tiring = self.reading.stamina
        clp, stamina = spins + (0 if is_tiring else pulls), pulls if is_tiring else 0
        return left._replace(clp=left.clp + clp, stamina=stamina)


@lru_cache(maxsize=256)
def outcomes(asked: Control) -> dict[Outcome, float]:
    """Every outcome of a control roll, by enumeration of all rolls.

    The work grows as the rolls' number, C(dice + 5, 5): 3,003 for ten dice.
    """
    return gathered((asked.outcome(counts), part) for counts, part in _rolls(asked))


def _rolls(asked: Control) -> Iterator[tuple[Counts, float]]:
    """Every roll after the re-rolls: of the dice that one would rather do without."""
    if not asked.rerolls:
        yield from icon_rolls(asked.dice)
        return
    rolls: dict[Counts, float] = {}
    for counts, part in icon_rolls(asked.dice):
        stay = calmest(counts, asked.rerolls, asked.reading)
        for new, more in icon_rolls(summed(counts) - summed(stay)):
            after = tuple([kept + n for kept, n in zip(stay, new, strict=True)])
            rolls[after] = rolls.get(after, 0.0) + part * more
    yield from rolls.items()


class Side(NamedTuple):
    """One side of an attack (CD-40) before the dice fall. luck: above 0 wins ties, below 0 loses
    them."""

    dice: int = 1
    rerolls: int = 0
    plus: int = 0
    luck: int = 0


def wins(attacker: Side, defender: Side, die: Die) -> float:
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
