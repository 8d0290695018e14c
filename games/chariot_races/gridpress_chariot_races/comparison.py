"""One vehicle against another on several tracks, laps and fields, until the answer is sure.

Each race is run twice on the same dice, with places on the grid exchanged; the pair gives scores of
places, wins and rounds. The intervals hold at any time of stopping: the asymptotic confidence
sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of Statistics 2024),

    mean ± s·√( 2(nρ²+1)/(n²ρ²) · ln(√(nρ²+1)/α) ),

with n pairs, their standard deviation s, and ρ such that it is narrowest near `SOON` pairs. The
three scores share an error of 5 % (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from math import inf, isfinite
from typing import Any, Final, NamedTuple

from gridpress_chariot_dash.declared import Components, Values
from gridpress_chariot_dash.findings import (
    Chart,
    Table,
    decimals_of,
    mean_text,
    two_decimals,
    whiskers,
)
from msgspec import Struct

from gridpress_chariot_races.race import simulation
from gridpress_chariot_races.race.setup import RaceType, arena_of
from gridpress_chariot_races.race.simulation import Estimate, Event, Heats, Meet, Run, Z, mean
from gridpress_chariot_races.race_report import entered_of
from gridpress_chariot_races.reports import Running, SimulationReport, as_data

ERROR: Final = 0.05
SCORES: Final = ("places", "wins", "rounds")
SOON: Final = 400
"""Pairs of races at which the intervals are narrowest."""
LEAST: Final = 30
"""The fewest pairs for an answer, as the intervals are asymptotic."""
SMALL: Final = {"places": 0.03, "wins": 0.02, "rounds": 0.05}
"""Half-widths of intervals so small that nobody would feel the difference."""
_FOUR: Final = 4


class Score(NamedTuple):
    """The result of a pair of races for the first vehicle.

    places: gained in a field of four. wins: share above a half. rounds: saved a lap, None unless
    both came home.
    """

    places: float
    wins: float
    rounds: float | None


def score(races: Sequence[Sequence[Run]], laps: int) -> Score:
    """Return the score of vehicle 0 against vehicle 1 in races with exchanged places."""
    places = wins = 0.0
    quicker = []
    for race in races:
        half = len(race) / 2
        ahead = math.fsum(run.place if run.vehicle else -run.place for run in race) / half
        places += ahead * _FOUR / len(race)
        winners = [run.vehicle for run in race if run.place == 1]
        wins += winners.count(0) / len(winners) - 0.5  # a draw is shared
        homes = [[run.rounds for run in race if run.vehicle == n and run.finished] for n in (0, 1)]
        if all(homes):
            quicker.append((min(homes[1]) - min(homes[0])) / laps)
    rounds = math.fsum(quicker) / len(quicker) if quicker else None
    return Score(places / len(races), wins / len(races), rounds)


def sequence(observed: Iterable[float], error: float = ERROR / len(SCORES)) -> Estimate:
    """Return the mean with an interval that holds at any time of stopping."""
    values = tuple(observed)
    n = len(values)
    if n < 2:
        return Estimate(values[0] if values else 0.0, -math.inf, math.inf, n)
    mean = math.fsum(values) / n
    # The spread if one more observation differed, as equal ones prove nothing.
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (n - 1))
    spread = max(spread, 1 / n)
    square = (-2 * math.log(error) + math.log(-2 * math.log(error)) + 1) / SOON
    grown = n * square + 1
    half = spread * math.sqrt(2 * grown / (n * n * square) * math.log(math.sqrt(grown) / error))
    return Estimate(mean, mean - half, mean + half, n)


def mean_scores(scores: Sequence[Score]) -> dict[str, Estimate]:
    """Return the means of all scores by name."""
    return {
        name: sequence(value for one in scores if (value := getattr(one, name)) is not None)
        for name in SCORES
    }


def sign(estimate: Estimate) -> int:
    """Return 1 or −1 if the interval is on one side of 0, else 0."""
    return (estimate.low > 0) - (estimate.high < 0)


def is_known(estimates: dict[str, Estimate]) -> bool:
    """Tell whether every score is sure or too small to matter."""
    return all(
        estimate.of >= LEAST
        and (sign(estimate) or (estimate.high - estimate.low) / 2 <= SMALL[name])
        for name, estimate in estimates.items()
    )


class Duel(Struct, frozen=True):
    """The result of a comparison, with the pairs of races run."""

    estimates: dict[str, Estimate]
    scores: tuple[Score, ...]
    stopped: bool

    @property
    def signs(self) -> dict[str, int]:
        """The sign of each score; 0 is unsure."""
        return {name: sign(estimate) for name, estimate in self.estimates.items()}

    @property
    def better(self) -> int:
        """1 if the sure scores favour the first, −1 the second, 0 if none does or they disagree."""
        sure = {found for found in self.signs.values() if found}
        return sure.pop() if len(sure) == 1 else 0

    @property
    def within_noise(self) -> bool:
        """True if no score is sure."""
        return not any(self.signs.values())


def duel(batches: Iterable[Sequence[Score]]) -> Duel:
    """Collect batches of scores until the answer is known or there are no more."""
    scores: list[Score] = []
    estimates: dict[str, Estimate] = mean_scores(scores)
    for batch in batches:
        scores += batch
        estimates = mean_scores(scores)
        if is_known(estimates):
            return Duel(estimates, tuple(scores), stopped=True)
    return Duel(estimates, tuple(scores), stopped=False)


FIELDS: Final = (2, 4, 6)
_FIRST: Final = 4
"""Pairs of races in each setting before the first look."""


class Matchup(NamedTuple):
    """A setting of a comparison: the event, and how many vehicles race at a time."""

    event: Event
    field: int

    @property
    def name(self) -> str:
        """The setting in words."""
        return f"{self.event.arena.name}, {self.event.race}, {self.field} at a time"


class Compared(Struct, frozen=True):
    """The tracks, laps and fields to combine."""

    tracks: Sequence[Values]
    laps: Sequence[int]
    fields: Sequence[int]


def compared(
    first: Values, second: Values, asked: Compared, components: Components, running: Running
) -> SimulationReport:
    """Compare two vehicles in up to running.races races.

    Raises ValueError for an unsuitable track or too few starting places.
    """
    pair = entered_of((first, second))
    stands = tuple(_stands(asked, components, running))
    told: dict[str, list[Score]] = {stand.name: [] for stand in stands}
    meets = [stand.event.meet(pair, stand.field) for stand in stands]
    answer = duel(_batches(meets, stands, running, told))
    a, b = (str(one["name"]) for one in pair)
    races = 2 * len(answer.scores)
    words = (*verdict(answer, a, b), _how(answer, races, stands, running))
    return SimulationReport(
        f"{a} against {b}",
        words,
        (_table(told, a),),
        (_chart(told, a, b),),
        {
            "a": a,
            "b": b,
            "better": {1: a, -1: b, 0: None}[answer.better],
            "within_noise": answer.within_noise,
            "decided": answer.stopped,
            "races": races,
            "seed": running.seed,
            "error": ERROR,
            **{name: as_data(answer.estimates[name]) for name in SCORES},
            "stands": {
                name: {
                    score: as_data(_plain(getattr(s, score) for s in scores)) for score in SCORES
                }
                for name, scores in told.items()
            },
        },
    )


def _stands(asked: Compared, components: Components, running: Running) -> Iterator[Matchup]:
    for track in asked.tracks:
        arena = arena_of(track)
        for laps in asked.laps:
            race = RaceType.of(laps=laps)
            event = Event(arena, components, race, running.seed, running.driver)
            for field in asked.fields:
                yield Matchup(event, field)


def _batches(
    meets: Sequence[Meet],
    stands: Sequence[Matchup],
    running: Running,
    told: Mapping[str, list[Score]],
) -> Iterator[list[Score]]:
    looks = list(_looks(max(1, running.races // (2 * len(stands)))))
    tasks = [
        (place, _heats(stand.field // 2, numbers))
        for numbers in looks
        for place, stand in enumerate(stands)
    ]
    most, done = sum(len(heats.numbers) for _, heats in tasks), 0
    with closing(simulation.relay(meets, tasks, running.jobs)) as found:
        for numbers in looks:
            batch = []
            for stand, meet in zip(stands, meets, strict=True):
                runs = simulation.told(meet, next(found))
                laps = stand.event.race.laps
                scores = [score(runs[n : n + 2], laps) for n in range(0, len(runs), 2)]
                told[stand.name].extend(scores)
                batch += scores
                done += 2 * len(numbers)
                if running.progress:
                    running.progress(done, most)
            yield batch


def _looks(most: int) -> Iterator[range]:
    begun, pairs = 0, _FIRST
    while begun < most:
        count = min(pairs, most - begun)
        yield range(begun, begun + count)
        begun += count
        pairs = max(_FIRST, begun // 2)


def _heats(half: int, numbers: range) -> Heats:
    lineups = [line for _ in numbers for line in ((0, 1) * half, (1, 0) * half)]
    return Heats.of(lineups, [number for number in numbers for _ in range(2)])


def verdict(of: Duel, a: str, b: str) -> Iterator[str]:
    """Yield the answer, then each score."""
    sure = [name for name in SCORES if of.signs[name]]
    if of.within_noise:
        yield f"The difference between {a} and {b} is within noise, in places, wins and rounds."
    elif of.better:
        best, other = (a, b) if of.better > 0 else (b, a)
        rest = [name for name in SCORES if name not in sure]
        noise = f"; {' and '.join(rest)} are within noise" if rest else ""
        yield f"{best} is better than {other}, in {' and '.join(sure)}{noise}."
    else:
        ahead = {name: a if of.signs[name] > 0 else b for name in sure}
        told = ", ".join(f"{who} in {name}" for name, who in ahead.items())
        yield f"{a} and {b} differ, and each is better in something: {told}."
    yield from _scores_told(of.estimates, a, b)


def _scores_told(estimates: Mapping[str, Estimate], a: str, b: str) -> Iterator[str]:
    places, wins, rounds = (estimates[name] for name in SCORES)
    places, way = _unsigned(places, "ahead of", "behind")
    by = _by(places, most=2, least=-2)
    yield f"Places: in a field of four, {a} finishes {by} places {way} {b}; 2 is the most."
    yield f"Wins: {a} wins {_by(wins, 100, 50, 100, 0)}% of the races, where 50% is even."
    if rounds.of:
        rounds, way = _unsigned(rounds, "fewer", "more")
        yield f"Rounds: {a} needs {_by(rounds)} {way} rounds a lap, where both come home."


def _unsigned(estimate: Estimate, gain: str, loss: str) -> tuple[Estimate, str]:
    """Return the estimate as a positive value, and the word for its direction."""
    value, low, high, of = estimate
    return (Estimate(-value, -high, -low, of), loss) if value < 0 else (estimate, gain)


def _how(of: Duel, races: int, stands: Sequence[Matchup], running: Running) -> str:
    end = (
        "stopped once the answer was clear"
        if of.stopped
        else "all that were asked for; more (--races) narrow the intervals"
    )
    where = (
        stands[0].name
        if len(stands) == 1
        else f"{len(stands)} combinations of track, laps and field"
    )
    return (
        f"{races:,} races on {where}, half of each, in pairs with exchanged places; {end}; seed "
        f"{running.seed}. All three intervals hold in 95 of 100 comparisons."
    )


def _by(
    estimate: Estimate,
    factor: float = 1.0,
    plus: float = 0.0,
    most: float = inf,
    least: float = -inf,
) -> str:
    """Return such as `0.24 (0.18 to 0.30)`, within the possible range."""
    value, low, high = (factor * v + plus for v in estimate[:3])
    half = (high - low) / 2
    low, high = max(low, least), min(high, most)
    if not isfinite(half):
        return f"{value:.1f}".replace("-", "−")
    decimals = max(1, decimals_of(half))
    ends = (f"{v:.{decimals}f}".replace("-", "−") for v in (value, low, high))
    return "{} ({} to {})".format(*ends)


def _plain(values: Any) -> Estimate | None:
    """Return the mean, with an interval that is not too narrow for a few equal values."""
    found = mean([value for value in values if value is not None])
    if found is None:
        return None
    least = Z / found.of**1.5  # the least spread in `sequence`
    low, high = min(found.low, found.value - least), max(found.high, found.value + least)
    return found._replace(low=low, high=high)


def _table(told: Mapping[str, Sequence[Score]], a: str) -> Table:
    rows = tuple(
        (
            name,
            mean_text(_plain(s.places for s in scores)),
            mean_text(_plain(s.wins for s in scores), 100),
            mean_text(_plain(s.rounds for s in scores)),
        )
        for name, scores in told.items()
        if scores
    )
    columns = ("", "places", "wins, % above half", "rounds a lap")
    return Table(f"By how much {a} is better, each with its own 95% interval", columns, rows)


def _chart(told: Mapping[str, Sequence[Score]], a: str, b: str) -> Chart:
    dots = {}
    for name, scores in told.items():
        found = sequence((s.places for s in scores), ERROR)
        if isfinite(found.low):
            dots[name] = (found.value, found.low, found.high)
    svg = whiskers(dots, two_decimals, (0.0, "even"))
    return Chart(
        "Places", svg, f"By how many places {a} comes in before {b}, in a field of four.", wide=True
    )
