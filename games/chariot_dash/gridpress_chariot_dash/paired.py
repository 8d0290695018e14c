"""One vehicle against another: races in, how sure it is which is better out, as soon as it is.

Two vehicles meet in fields of which each has half, and again with the same dice and their places
on the grid exchanged (common random numbers): the pair of races gives three scores, of places,
wins and rounds. They are looked at again and again while races are run, so the intervals hold at
any time of stopping: the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy
and Ramdas (Annals of Statistics 2024), after Robbins' normal mixture (1970),

    mean ± s·√( 2(nρ²+1)/(n²ρ²) · ln(√(nρ²+1)/α) ),

with n pairs, s their standard deviation, and ρ such that it is narrowest near `SOON` pairs. Three
scores share an error of 5 % (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gridpress_chariot_dash.race.results import Estimate, Run

ERROR: Final = 0.05
SCORES: Final = ("places", "wins", "rounds")
SOON: Final = 400
"""Pairs of races near which the intervals are narrowest."""
LEAST: Final = 30
"""Pairs before which nothing is said: the intervals are asymptotic."""
SMALL: Final = {"places": 0.03, "wins": 0.02, "rounds": 0.05}
"""Half an interval that is as good as none: so small a difference nobody feels."""
_FOUR: Final = 4


class Score(NamedTuple):
    """Of a pair of races: by how many places the first comes in before the second, as in a field of
    four; its share of the wins above a half; by how many rounds a lap it is quicker, None where one
    of them never came home."""

    places: float
    wins: float
    rounds: float | None


def score(races: Sequence[Sequence[Run]], laps: int) -> Score:
    """The score of vehicle 0 against vehicle 1 in races with exchanged places."""
    places = wins = 0.0
    quicker = []
    for race in races:
        half = len(race) / 2
        ahead = math.fsum(run.place if run.vehicle else -run.place for run in race) / half
        places += ahead * _FOUR / len(race)
        winners = [run.vehicle for run in race if run.place == 1]
        wins += winners.count(0) / len(winners) - 0.5  # in a draw each has its share
        homes = [[run.rounds for run in race if run.vehicle == n and run.finished] for n in (0, 1)]
        if all(homes):
            quicker.append((min(homes[1]) - min(homes[0])) / laps)
    rounds = math.fsum(quicker) / len(quicker) if quicker else None
    return Score(places / len(races), wins / len(races), rounds)


def sequence(observed: Iterable[float], error: float = ERROR / len(SCORES)) -> Estimate:
    """Their mean, with an interval that holds whenever one stops."""
    values = tuple(observed)
    n = len(values)
    if n < 2:
        return Estimate(values[0] if values else 0.0, -math.inf, math.inf, n)
    mean = math.fsum(values) / n
    # The smallest spread that one more, different observation would show: all alike is no proof.
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (n - 1))
    spread = max(spread, 1 / n)
    square = (-2 * math.log(error) + math.log(-2 * math.log(error)) + 1) / SOON
    grown = n * square + 1
    half = spread * math.sqrt(2 * grown / (n * n * square) * math.log(math.sqrt(grown) / error))
    return Estimate(mean, mean - half, mean + half, n)


def joined(scores: Sequence[Score]) -> dict[str, Estimate]:
    """All three means with their intervals, by name."""
    return {
        name: sequence(value for one in scores if (value := getattr(one, name)) is not None)
        for name in SCORES
    }


def sign(estimate: Estimate) -> int:
    """1 or −1 where the interval is on one side of 0, else 0."""
    return (estimate.low > 0) - (estimate.high < 0)


def is_known(estimates: dict[str, Estimate]) -> bool:
    """Whether more races would tell nothing new: each score is sure, or too small to feel."""
    return all(
        estimate.of >= LEAST
        and (sign(estimate) or (estimate.high - estimate.low) / 2 <= SMALL[name])
        for name, estimate in estimates.items()
    )


@dataclass(frozen=True, slots=True)
class Duel:
    """What came of it. estimates: of all scores; pairs: races run, in pairs; better: 1 for the
    first, −1 for the second, 0 within noise or where the scores contradict each other."""

    estimates: dict[str, Estimate]
    scores: tuple[Score, ...]
    stopped: bool

    @property
    def signs(self) -> dict[str, int]:
        """Which score is sure, and for whom."""
        return {name: sign(estimate) for name, estimate in self.estimates.items()}

    @property
    def better(self) -> int:
        """Whom all sure scores favour."""
        sure = {found for found in self.signs.values() if found}
        return sure.pop() if len(sure) == 1 else 0

    @property
    def within_noise(self) -> bool:
        """Whether no score is sure."""
        return not any(self.signs.values())


def duel(batches: Iterable[Sequence[Score]], known: Callable[..., bool] = is_known) -> Duel:
    """Scores batch by batch until it is known who is better, or there are no more."""
    scores: list[Score] = []
    estimates: dict[str, Estimate] = joined(scores)
    for batch in batches:
        scores += batch
        estimates = joined(scores)
        if known(estimates):
            return Duel(estimates, tuple(scores), stopped=True)
    return Duel(estimates, tuple(scores), stopped=False)
