"""What races came to: what each vehicle did, summed up with intervals.

- A mean: m ± z·s/√n, the normal interval; s is the sample's standard deviation (n − 1).
- A share of k in n: Wilson's score interval (Wilson 1927),
  (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n), which holds near 0 and 1 as well.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from generator.geometry import summed
from gridpress_chariot_dash.race.arena import Hex
from gridpress_chariot_dash.race.setup import RaceType

Z: Final = 1.959964
"""The normal distribution's 97.5 % point."""


class Estimate(NamedTuple):
    """What was found, and the ends of its 95 % confidence interval. of: observations."""

    value: float
    low: float
    high: float
    of: int

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


def mean(observations: Sequence[float]) -> Estimate | None:
    """The mean; None of nothing. One observation alone says nothing of its spread: any value."""
    n = len(observations)
    if not n:
        return None
    middle = math.fsum(observations) / n
    if n == 1:
        return Estimate(middle, -math.inf, math.inf, 1)
    spread = math.sqrt(math.fsum((x - middle) ** 2 for x in observations) / (n - 1))
    half = Z * spread / math.sqrt(n)
    return Estimate(middle, middle - half, middle + half, n)


def share(count: int, of: int) -> Estimate:
    """A share by Wilson's interval; of nothing it may be anything."""
    if not of:
        return Estimate(0.0, 0.0, 1.0, 0)
    p, square = count / of, Z * Z
    middle = (p + square / (2 * of)) / (1 + square / of)
    half = Z * math.sqrt(p * (1 - p) / of + square / (4 * of * of)) / (1 + square / of)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), of)


class Run(NamedTuple):
    """One vehicle in one race.

    vehicle: its place in the list of vehicles. grid, place: where it started and ended, from 1.
    rounds: until it finished, was wiped out or the race was over. progress: in cells, from the
    finish line. score: points of a scoring race. won: the race, or its team has. lost: where
    control was lost to a slide, a spin or damage.
    """

    vehicle: int
    grid: int
    place: int
    finished: bool
    wiped_out: bool
    rounds: int
    progress: float
    spaces: int
    rolls: int
    damage: int
    cards: int
    collisions: int
    attacks: int
    score: int
    won: bool
    lost: tuple[Hex, ...]


class Summary(Struct, frozen=True):
    """A vehicle over all its runs.

    wins: the share of races that it, or its team, won (of time trials, finished). expected_wins:
    its fair share. rounds, rounds_per_lap: of the runs that finished, None if none did. places: how
    often it came in at each place. lost: how often control was lost in each space. All others:
    means of a race.
    """

    vehicle: str
    runs: int
    wins: Estimate
    expected_wins: float
    finished: Estimate
    wiped_out: Estimate
    place: Estimate
    rounds: Estimate | None
    rounds_per_lap: Estimate | None
    spaces: Estimate
    rolls: Estimate
    control_lost: Estimate
    damage: Estimate
    cards: Estimate
    collisions: Estimate
    attacks: Estimate
    progress: Estimate
    score: Estimate
    places: Mapping[int, int]
    lost: Mapping[Hex, int]


class Result(Struct, frozen=True):
    """What was simulated. runs: by race, in the order of the vehicles on the grid."""

    arena: str
    race: RaceType
    races: int
    seed: int
    vehicles: tuple[Summary, ...]
    runs: tuple[tuple[Run, ...], ...]


def summed_up(
    arena: str, names: Sequence[str], race: RaceType, seed: int, runs: Sequence[tuple[Run, ...]]
) -> Result:
    """All runs, and a summary for each vehicle that ran."""
    by_vehicle: dict[int, list[Run]] = {}
    fair: dict[int, float] = {}
    for ran in runs:
        for run in ran:
            by_vehicle.setdefault(run.vehicle, []).append(run)
            fair[run.vehicle] = fair.get(run.vehicle, 0.0) + 1 / (race.teams or len(ran))
    summaries = tuple(
        _summary(name, by_vehicle[i], fair[i] / len(by_vehicle[i]), race)
        for i, name in enumerate(names)
        if i in by_vehicle
    )
    return Result(arena, race, len(runs), seed, summaries, tuple(runs))


def _summary(name: str, runs: Sequence[Run], fair: float, race: RaceType) -> Summary:
    def average(value: Callable[[Run], float]) -> Estimate:
        found = mean([value(run) for run in runs])
        assert found is not None, "a summary is of one run at least"
        return found

    finished = [run for run in runs if run.finished]
    rounds = mean([run.rounds for run in finished])
    return Summary(
        vehicle=name,
        runs=len(runs),
        wins=share(summed(run.won for run in runs), len(runs)),
        expected_wins=fair,
        finished=share(len(finished), len(runs)),
        wiped_out=share(summed(run.wiped_out for run in runs), len(runs)),
        place=average(lambda run: run.place),
        rounds=rounds,
        rounds_per_lap=mean([run.rounds / race.laps for run in finished if race.is_for_laps]),
        spaces=average(lambda run: run.spaces),
        rolls=average(lambda run: run.rolls),
        control_lost=average(lambda run: len(run.lost)),
        damage=average(lambda run: run.damage),
        cards=average(lambda run: run.cards),
        collisions=average(lambda run: run.collisions),
        attacks=average(lambda run: run.attacks),
        progress=average(lambda run: run.progress),
        score=average(lambda run: run.score),
        places=Counter(run.place for run in runs),
        lost=Counter(at for run in runs for at in run.lost),
    )
