"""Reading a control roll: the count of each icon in, what takes effect out, and best choices.

Icons in a count stand in the order of `dice.ICONS`. What to discard and what to roll again are
functions, so that a driver can bring his own; `calmest` and `wildest` are the best of the kind that
looks at this roll only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from generator.sums import summed
from gridpress_chariot_dash.odds import Counts

AS_ROLLED: Final = 0
SLOW_AS_HASTE: Final = 1
HASTE_AS_SLOW: Final = 2


class Reading(NamedTuple):
    """How dice are read: which options matter, and what slow and haste count as (Yah!, Brake)."""

    stamina: bool = True
    soft_damage: bool = False
    as_read: int = AS_ROLLED


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
        """Whether any effect is left: an attacker then loses the rest of his phase."""
        return any(self[:6])


HELD: Final = Outcome()


Discard = Callable[[Counts, int, Reading], Counts]
"""The count of each icon rolled, how many may go, how dice are read → counts of those that stay."""
Reroll = Callable[[Counts, int, Reading], Counts]
"""The count of each icon rolled, how many may be rolled again → counts of those that are."""


@lru_cache(maxsize=65536)
def read(counts: Counts, reading: Reading) -> Outcome:
    """What dice come to after the discards."""
    slides, haste, slow, left, right, damage = counts
    if reading.as_read == SLOW_AS_HASTE:
        haste, slow = haste + slow, 0
    elif reading.as_read == HASTE_AS_SLOW:
        haste, slow = 0, haste + slow
    spins, pulls = min(left, right), min(haste, slow)
    remaining = (slides, haste - pulls, slow - pulls, left - spins, right - spins, damage)
    most = max(remaining)
    slides, haste, slow, left, right, damage = (
        count if count == most else 0 for count in remaining
    )
    different = remaining.count(most) if most else 0
    clp = spins + different + (0 if reading.stamina else pulls)
    if reading.soft_damage:
        clp += damage
    stamina = pulls if reading.stamina else 0
    return Outcome(slides, haste, slow, left, right, damage, clp, stamina)


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
    """The best-choice discard: of all ways to take up to `most` dice away, the least harm.

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


def wildest(counts: Counts, most: int, reading: Reading) -> Counts:
    """The best-choice re-roll: the dice that one would rather do without, if any takes effect."""
    stay = calmest(counts, most, reading)
    return tuple(count - kept for count, kept in zip(counts, stay, strict=True))


def counted(icons: tuple[int, ...]) -> Counts:
    """How often each icon was rolled."""
    return tuple([icons.count(icon) for icon in range(6)])
