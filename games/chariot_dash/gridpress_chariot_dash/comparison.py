"""One vehicle against another on several tracks, over several laps, in several fields: told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Final, NamedTuple

from gridpress_chariot_dash.charts import whiskers
from gridpress_chariot_dash.findings import (
    Chart,
    Finding,
    Running,
    Table,
    as_data,
    decimals_of,
    mean_text,
    number,
)
from gridpress_chariot_dash.paired import ERROR, SCORES, Duel, Score, duel, score, sequence
from gridpress_chariot_dash.race import crews
from gridpress_chariot_dash.race.arena import arena_of
from gridpress_chariot_dash.race.crews import Heats, Meet
from gridpress_chariot_dash.race.race_types import RaceType
from gridpress_chariot_dash.race.results import Estimate, Z, mean
from gridpress_chariot_dash.race.simulation import Components, Event, Values
from gridpress_chariot_dash.race_report import entered_of

FIELDS: Final = (2, 4, 6)
_FIRST: Final = 4
"""Pairs of races of each stand before the first look."""
_UNITS: Final = {"places": "places", "wins": "of the races", "rounds": "rounds a lap"}


class Stand(NamedTuple):
    """Where two vehicles meet: the event, and how many race at a time."""

    event: Event
    field: int

    @property
    def name(self) -> str:
        """In words."""
        return f"{self.event.arena.name}, {self.event.race}, {self.field} at a time"


@dataclass(frozen=True, slots=True)
class Compared:
    """What was asked: tracks, laps and fields are all combined."""

    tracks: Sequence[Values]
    laps: Sequence[int]
    fields: Sequence[int]


def compared(
    first: Values, second: Values, asked: Compared, components: Components, running: Running
) -> Finding:
    """Which of two vehicles is better. running.races: at most. ValueError for a track that will not
    do, or has too few starting places."""
    pair = entered_of((first, second))
    stands = tuple(_stands(asked, components, running))
    told: dict[str, list[Score]] = {stand.name: [] for stand in stands}
    meets = [stand.event.meet(pair, stand.field) for stand in stands]
    answer = duel(_batches(meets, stands, running, told))
    a, b = (str(one["name"]) for one in pair)
    races = 2 * len(answer.scores)
    words = (*verdict(answer, a, b), _how(answer, races, stands, running))
    return Finding(
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


def _stands(asked: Compared, components: Components, running: Running) -> Iterator[Stand]:
    for track in asked.tracks:
        arena = arena_of(track)
        for laps in asked.laps:
            race = RaceType.of(laps=laps)
            event = Event(arena, components, race, running.seed, running.driver)
            for field in asked.fields:
                yield Stand(event, field)


def _batches(
    meets: Sequence[Meet],
    stands: Sequence[Stand],
    running: Running,
    told: Mapping[str, list[Score]],
) -> Iterator[list[Score]]:
    """Scores, as many of each stand; the longer it takes the more at a time."""
    looks = list(_looks(max(1, running.races // (2 * len(stands)))))
    tasks = [
        (place, _heats(stand.field // 2, numbers))
        for numbers in looks
        for place, stand in enumerate(stands)
    ]
    most, done = sum(len(heats.numbers) for _, heats in tasks), 0
    with closing(crews.relay(meets, tasks, running.jobs)) as found:
        for numbers in looks:
            batch = []
            for stand, meet in zip(stands, meets, strict=True):
                runs = crews.told(meet, next(found))
                laps = stand.event.race.laps
                scores = [score(runs[n : n + 2], laps) for n in range(0, len(runs), 2)]
                told[stand.name].extend(scores)
                batch += scores
                done += 2 * len(numbers)
                if running.progress:
                    running.progress(done, most)
            yield batch


def _looks(most: int) -> Iterator[range]:
    """The numbers of the pairs of races between two looks at the scores."""
    begun, pairs = 0, _FIRST
    while begun < most:
        count = min(pairs, most - begun)
        yield range(begun, begun + count)
        begun += count
        pairs = max(_FIRST, begun // 2)


def _heats(half: int, numbers: range) -> Heats:
    """Each race, and the same with exchanged places."""
    lineups = [line for _ in numbers for line in ((0, 1) * half, (1, 0) * half)]
    return Heats.of(lineups, [number for number in numbers for _ in range(2)])


def verdict(of: Duel, a: str, b: str) -> Iterator[str]:
    """The answer, then each score."""
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
    before = _by(places, most=2, least=-2)
    yield f"Places: {a} comes in {before} places before {b} in a field of four, of 2 at most."
    yield f"Wins: {a} wins {_by(wins, 100, 50, 100, 0)}% of the races, where 50% is even."
    if rounds.of:
        yield f"Rounds: {a} needs {_by(rounds)} rounds a lap fewer, where both come home."


def _how(of: Duel, races: int, stands: Sequence[Stand], running: Running) -> str:
    end = (
        "stopped when more would have told nothing new"
        if of.stopped
        else "as many as were asked for; more (--races) narrow the intervals"
    )
    where = (
        stands[0].name
        if len(stands) == 1
        else f"{len(stands)} combinations of track, laps and field"
    )
    return (
        f"{races:,} races on {where}, half of each, in pairs with exchanged places; {end}; seed "
        f"{running.seed}. All three intervals hold in 95 of 100 comparisons, whenever one stops."
    )


def _by(
    estimate: Estimate,
    factor: float = 1.0,
    plus: float = 0.0,
    most: float = inf,
    least: float = -inf,
) -> str:
    """`0.24 (0.18 to 0.30)`, within what there is at all."""
    value, low, high = (factor * v + plus for v in estimate[:3])
    half = (high - low) / 2
    low, high = max(low, least), min(high, most)
    if not isfinite(half):
        return f"{value:.1f}".replace("-", "−")
    decimals = max(1, decimals_of(half))
    ends = (f"{v:.{decimals}f}".replace("-", "−") for v in (value, low, high))
    return "{} ({} to {})".format(*ends)


def _plain(values: Any) -> Estimate | None:
    """Their mean; few that are all alike are no proof that the next one would be."""
    found = mean([value for value in values if value is not None])
    if found is None:
        return None
    least = Z / found.of**1.5  # of the spread that `paired.sequence` takes for the least
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
    svg = whiskers(dots, number, (0.0, "even"))
    return Chart(
        "Places", svg, f"By how many places {a} comes in before {b}, in a field of four.", wide=True
    )
