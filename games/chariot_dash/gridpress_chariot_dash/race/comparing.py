"""Two vehicles in, which of them is better out, by how much, or that it cannot be told.

They race each other in fields of four, two of each: A B A B, and with the same seed B A B A. Such a
pair of races gives neither the better places. Its score is by how many places the Bs came in behind
the As, in the mean of both races. The scores are judged by the sign test over the pairs (those of
score 0 left out), and their mean has a normal interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.sums import summed
from gridpress_chariot_dash.race.intervals import Estimate, mean, share, sign_test
from gridpress_chariot_dash.race.results import Result, Run
from gridpress_chariot_dash.race.simulation import Entry, Event, Progress, result_of
from gridpress_chariot_dash.vehicle import Vehicle

CERTAIN: Final = 0.05
"""Below this probability a difference is taken to be more than noise."""
_FIELDS: Final = ((0, 1, 0, 1), (1, 0, 1, 0))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A against B.

    places: by how many places A comes in before B, of 2 at most. wins: the share of races that an
    A won. rounds: by how many rounds A is quicker where one of each finished, None if that never
    happened. chance: how likely as uneven a split of the pairs is if they are equally good.
    """

    a: str
    b: str
    races: int
    places: Estimate
    wins: Estimate
    rounds: Estimate | None
    chance: float
    result: Result

    @property
    def better(self) -> str | None:
        """The better vehicle, or None when the difference is within noise."""
        if self.chance >= CERTAIN or not self.places.value:
            return None
        return self.a if self.places.value > 0 else self.b


def compare(
    a: Vehicle,
    b: Vehicle,
    event: Event,
    races: int = 2000,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Which is better in so many races, rounded up to pairs. ValueError if four cannot start."""
    if races < 1:
        raise ValueError("a comparison takes one race at least")
    pairs = (races + 1) // 2
    lineups = tuple((pair, field) for pair in range(pairs) for field in _FIELDS)
    result = result_of(Entry(event, (a, b), lineups), jobs, progress)
    runs = result.runs
    scores = [
        (_ahead(runs[n]) + _ahead(runs[n + 1])) / len(_FIELDS) for n in range(0, len(runs), 2)
    ]
    places = mean(scores)
    assert places is not None, "there is one pair at least"
    won = sum(run.place == 1 and run.vehicle == 0 for race in runs for run in race)
    return Comparison(
        a=a.id,
        b=b.id,
        races=len(runs),
        places=places,
        wins=share(won, len(runs)),
        rounds=mean([quicker for race in runs for quicker in _quicker(race)]),
        chance=sign_test(sum(s > 0 for s in scores), sum(s < 0 for s in scores)),
        result=result,
    )


def _ahead(race: Sequence[Run]) -> float:
    """Places of the Bs less places of the As, each in the mean."""
    return summed(run.place if run.vehicle else -run.place for run in race) / 2


def _quicker(race: Sequence[Run]) -> list[float]:
    """By how many rounds the first A was quicker than the first B, if both finished."""
    firsts = [
        min((run.rounds for run in race if run.vehicle == n and run.finished), default=None)
        for n in (0, 1)
    ]
    a, b = firsts
    return [] if a is None or b is None else [float(b - a)]
