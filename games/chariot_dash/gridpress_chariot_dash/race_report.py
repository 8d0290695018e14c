"""Vehicles, a track and how to run in; what races, time trials or a comparison found out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from gridpress_chariot_dash.declared import Components, Values
from gridpress_chariot_dash.findings import (
    Chart,
    Running,
    SimulationReport,
    Table,
    as_data,
    mean_text,
    number,
    ratio_text,
    share_text,
    stacks,
    whiskers,
)
from gridpress_chariot_dash.race import layout
from gridpress_chariot_dash.race.arena import Arena, arena_of
from gridpress_chariot_dash.race.results import Estimate, Result, Summary, share
from gridpress_chariot_dash.race.simulation import Event, simulate, time_trials
from gridpress_chariot_dash.track_map import lost_maps, lost_places, lost_table

PLACES: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")
SHADES: Final = ("#6d2315", "#b25a2b", "#dba45c", "#f0e0bd", "#d9d4c8", "#a9a294")
_MEANS: Final = {
    "spaces": "spaces",
    "cards": "cards spent",
    "rolls": "control rolls",
    "control_lost": "control lost",
    "damage": "damage",
    "collisions": "collisions",
    "attacks": "attacks",
    "progress": "spaces down the track",
    "score": "points",
}
"""Means of a race by their name in a summary, and in words."""


def is_racing(result: Result) -> bool:
    """Whether more than one vehicle raced at a time."""
    return any(len(race) > 1 for race in result.runs)


def tables(result: Result) -> Iterator[Table]:
    """Order and places where there is more than one vehicle; pace, trouble and contact."""
    ranked = _ranked(result)
    if is_racing(result):
        yield _order(ranked)
        yield _places(ranked, _most(result))
    trouble = ["rolls", "control_lost", "damage"]
    yield _pace(ranked, result)
    yield Table(
        "Trouble in a race",
        ("", "wiped out", *map(_MEANS.__getitem__, trouble)),
        tuple((one.vehicle, share_text(one.wiped_out), *_means(one, trouble)) for one in ranked),
    )
    contact = ["collisions", "attacks"] if is_racing(result) else ["collisions"]
    yield Table(
        "Contact in a race",
        ("", *map(_MEANS.__getitem__, contact)),
        tuple((one.vehicle, *_means(one, contact)) for one in ranked),
    )


def _pace(ranked: list[Summary], result: Result) -> Table:
    """In laps who finished, and how soon; else how far each came, and its points."""
    means = ["spaces", "cards"]
    columns: tuple[str, ...] = ("finished", "rounds a lap")
    rows: list[tuple[str, ...]] = [
        (share_text(one.finished), mean_text(one.rounds_per_lap)) for one in ranked
    ]
    if not result.race.is_for_laps:
        means = ["progress", *means]
        columns, rows = (), [()] * len(ranked)
    if result.race.kind == layout.SCORING:
        means = ["score", *means]
    return Table(
        "Pace of a race",
        ("", *columns, *map(_MEANS.__getitem__, means)),
        tuple(
            (one.vehicle, *row, *_means(one, means)) for one, row in zip(ranked, rows, strict=True)
        ),
    )


def _means(one: Summary, names: Iterable[str]) -> Iterator[str]:
    return (mean_text(getattr(one, name)) for name in names)


def charts(result: Result) -> Iterator[Chart]:
    """Wins against the fair share, places, rounds."""
    ranked = _ranked(result)
    if is_racing(result):
        wins = {
            one.vehicle: tuple(part / one.expected_wins for part in one.wins[:3]) for one in ranked
        }
        yield Chart(
            "Wins, as multiples of the fair share",
            whiskers(_dots(wins), lambda value: f"×{number(value)}", (1.0, "fair share")),
            "A vehicle whose line reaches the fair share may well be just as good as the rest.",
        )
        most = _most(result)
        rows = {
            one.vehicle: [one.places.get(place, 0) / one.runs for place in range(1, most + 1)]
            for one in ranked
        }
        yield Chart("Places", stacks(rows, PLACES[:most], SHADES[:most]))
    rounds = {one.vehicle: tuple(one.rounds_per_lap[:3]) for one in ranked if one.rounds_per_lap}
    if rounds:
        yield Chart(
            "Rounds a lap, of those that finished",
            whiskers(_dots(rounds), number),
            "Fewer are better.",
        )


def result_data(result: Result) -> dict[str, Any]:
    """Everything but the single runs."""
    return {
        "track": result.arena,
        "type": result.race.name,
        "laps": result.race.laps,
        "teams": result.race.teams,
        "races": result.races,
        "seed": result.seed,
        "vehicles": [_summary_data(one) for one in result.vehicles],
    }


def _summary_data(one: Summary) -> dict[str, Any]:
    names = ("wins", "finished", "wiped_out", "place", "rounds", "rounds_per_lap", *_MEANS)
    return {
        "vehicle": one.vehicle,
        "runs": one.runs,
        "fair_share": one.expected_wins,
        **{name: as_data(getattr(one, name)) for name in names},
        "places": {
            str(place): as_data(share(count, one.runs))
            for place, count in sorted(one.places.items())
        },
    }


def _order(ranked: list[Summary]) -> Table:
    rows = tuple(
        (
            one.vehicle,
            share_text(one.wins),
            ratio_text(one.wins, one.expected_wins),
            mean_text(one.place),
        )
        for one in ranked
    )
    return Table(
        "Finishing order", ("", "wins, of its starts", "of the fair share", "mean place"), rows
    )


def _places(ranked: list[Summary], most: int) -> Table:
    rows = tuple(
        (
            one.vehicle,
            *(
                share_text(share(one.places.get(place, 0), one.runs))
                for place in range(1, most + 1)
            ),
        )
        for one in ranked
    )
    return Table("Places", ("", *PLACES[:most]), rows)


def _ranked(result: Result) -> list[Summary]:
    """The best first: in races by wins, else by rounds a lap."""
    if is_racing(result):
        return sorted(result.vehicles, key=lambda one: (-one.wins.value, one.place.value))
    if not result.race.is_for_laps:
        return sorted(result.vehicles, key=lambda one: -one.progress.value)
    return sorted(result.vehicles, key=lambda one: _quick(one.rounds_per_lap))


def _quick(rounds: Estimate | None) -> float:
    return float("inf") if rounds is None else rounds.value


def _most(result: Result) -> int:
    return max(len(race) for race in result.runs)


def _dots(rows: Mapping[str, tuple[float, ...]]) -> dict[str, tuple[float, float, float]]:
    return {name: (value, low, high) for name, (value, low, high) in rows.items()}


def raced(
    vehicles: Sequence[Values], track: Values, components: Components, running: Running
) -> SimulationReport:
    """Races of some vehicles, or time trials of each. ValueError as for `arena_of`, and for more
    vehicles at a time than the game or the track takes."""
    arena, entered = arena_of(track), entered_of(vehicles)
    field = len(entered) if running.field is None else running.field
    event, told, jobs = event_of(arena, running, components), running.progress, running.jobs
    if field == 1:
        result = time_trials(entered, event, running.races, jobs, progress=told)
    else:
        result = simulate(entered, event, running.races, field, jobs, progress=told)
    names = [str(one["name"]) for one in entered]
    who = " and ".join(names) if len(names) < 3 else f"{len(names)} vehicles"
    return _finding(f"{who} on {arena.name}", (_what(result, field),), track, arena, result)


def _finding(
    title: str,
    words: tuple[str, ...],
    track: Values,
    arena: Arena,
    result: Result,
    more: Mapping[str, Any] | None = None,
) -> SimulationReport:
    places = lost_places(result, track["layout"])
    return SimulationReport(
        title,
        words,
        (*tables(result), lost_table(result, places)),
        (*charts(result), *lost_maps(result, places, track["layout"], arena.items)),
        {**result_data(result), "lost": [place.data for place in places], **(more or {})},
    )


def entered_of(vehicles: Sequence[Values]) -> list[Values]:
    """The vehicles, each with a name of its own: results are told by it."""
    names = [str(values["name"]) for values in vehicles]
    before = [names[:n].count(name) for n, name in enumerate(names)]
    return [
        {**values, "name": f"{name} ({same + 1})" if same else name}
        for values, name, same in zip(vehicles, names, before, strict=True)
    ]


def event_of(arena: Arena, running: Running, components: Components) -> Event:
    """Races by the options and the die that are the pack's."""
    return Event(arena, components, running.race, running.seed, running.driver)


def _what(result: Result, field: int) -> str:
    """What was run, in a sentence."""
    if field == 1:
        each = " of each vehicle" if len(result.vehicles) > 1 else ""
        runs = result.vehicles[0].runs
        what = f"{runs:,} time trial{'' if runs == 1 else 's'}{each}, {result.race}"
    else:
        everybody = field == len(result.vehicles)
        drawn = "all vehicles" if everybody else "drawn by lot for each race"
        races = f"{result.races:,} race{'' if result.races == 1 else 's'}"
        what = f"{races} of {result.race}, {field} at a time, {drawn}"
    return f"{what}; seed {result.seed}. Every number comes with its 95% interval."
