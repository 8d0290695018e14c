"""Exact odds of a control roll: what is asked of it in, each outcome with its probability out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter

from generator.sums import summed
from gridpress_chariot_dash.control import Demand
from gridpress_chariot_dash.odds import Counts, chance, expected, gathered, icon_rolls
from gridpress_chariot_dash.reading import (
    Discard,
    Outcome,
    Reroll,
    calmest,
    read,
    wildest,
)


def odds(
    asked: Demand, discard: Discard = calmest, reroll: Reroll = wildest
) -> dict[Outcome, float]:
    """Every outcome of `control.roll` with the same choices, by enumeration of all rolls.

    The work grows as the rolls' number, C(dice + 5, 5): 3,003 for ten dice.
    """

    def outcomes() -> Iterator[tuple[Outcome, float]]:
        for counts, part in _rolls(asked, reroll):
            stay = discard(counts, asked.discards, asked.reading) if asked.discards else counts
            yield read(stay, asked.reading), part

    return gathered(outcomes())


def _rolls(asked: Demand, reroll: Reroll) -> Iterator[tuple[Counts, float]]:
    """Every roll after the re-rolls."""
    if not asked.rerolls:
        yield from icon_rolls(asked.dice)
        return
    rolls: dict[Counts, float] = {}
    for counts, part in icon_rolls(asked.dice):
        again = reroll(counts, asked.rerolls, asked.reading)
        for new, more in icon_rolls(summed(again)):
            after = tuple([c - a + n for c, a, n in zip(counts, again, new, strict=True)])
            rolls[after] = rolls.get(after, 0.0) + part * more
    yield from rolls.items()


def hold(asked: Demand | None) -> float:
    """The probability that a turn goes as meant; certain where no roll is asked for."""
    if asked is None:
        return 1.0
    return chance(odds(asked), lambda outcome: not outcome.failed)


def expected_loss(outcomes: Mapping[Outcome, float]) -> dict[str, float]:
    """The mean of each part of an outcome, by its name in `Outcome`."""
    return {
        name: expected(outcomes, itemgetter(place)) for place, name in enumerate(Outcome._fields)
    }
