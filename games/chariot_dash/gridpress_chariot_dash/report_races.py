"""Vehicles, a track and how to run in; what races, time trials or a comparison found out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.findings import Finding, Running
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.race import (
    Arena,
    Event,
    Result,
    arena_of,
    compare,
    simulate,
    time_trials,
)
from gridpress_chariot_dash.report_lost import lost_maps, lost_places, lost_table
from gridpress_chariot_dash.report_results import charts, result_data, tables
from gridpress_chariot_dash.report_verdict import verdict, verdict_data
from gridpress_chariot_dash.vehicle import Vehicle

Values = Mapping[str, Any]
Components = Mapping[str, Sequence[Values]]
_COMPARED: Final = 4
"""Vehicles in a race of a comparison."""


def raced(
    vehicles: Sequence[Values], track: Values, components: Components, running: Running
) -> Finding:
    """Races of some vehicles, or time trials of each. ValueError as for `arena_of`, and for more
    vehicles at a time than the game or the track takes."""
    arena, entered = arena_of(track), _entered(vehicles)
    field = len(entered) if running.field is None else running.field
    _must_fit(field, arena)
    event, told, jobs = _event(arena, running, components), running.progress, running.jobs
    if field == 1:
        result = time_trials(entered, event, running.races, jobs, progress=told)
    else:
        result = simulate(entered, event, running.races, field, jobs, progress=told)
    names = (
        " and ".join(v.name for v in entered) if len(entered) < 3 else f"{len(entered)} vehicles"
    )
    return _finding(f"{names} on {arena.name}", (_what(result, field),), track, arena, result)


def compared(
    first: Values, second: Values, track: Values, components: Components, running: Running
) -> Finding:
    """Which of two vehicles is better. ValueError as for `raced`."""
    arena, (a, b) = arena_of(track), _entered((first, second))
    _must_fit(_COMPARED, arena)
    event = _event(arena, running, components)
    answer = compare(a, b, event, running.races, running.jobs, progress=running.progress)
    words = (*verdict(answer, arena.name), _what(answer.result, _COMPARED, "two of each"))
    title = f"{a.id} against {b.id}"
    return _finding(title, words, track, arena, answer.result, verdict_data(answer))


def _finding(
    title: str,
    words: tuple[str, ...],
    track: Values,
    arena: Arena,
    result: Result,
    more: Mapping[str, Any] | None = None,
) -> Finding:
    places = lost_places(result, track["layout"])
    return Finding(
        title,
        words,
        (*tables(result), lost_table(result, places)),
        (*charts(result), *lost_maps(result, places, track["layout"], arena.items)),
        {**result_data(result), "lost": [place.data for place in places], **(more or {})},
    )


def _entered(vehicles: Sequence[Values]) -> list[Vehicle]:
    """The vehicles, each with a name of its own for its id: results are told by it."""
    entered: list[Vehicle] = []
    for values in vehicles:
        vehicle = Vehicle.of(values)
        same = sum(other.name == vehicle.name for other in entered)
        label = f"{vehicle.name} ({same + 1})" if same else vehicle.name
        entered.append(replace(vehicle, id=label))
    return entered


def _must_fit(field: int, arena: Arena) -> None:
    if field > len(arena.starts):
        places = f"{len(arena.starts)} starting place{'' if len(arena.starts) == 1 else 's'}"
        raise ValueError(f"{field} vehicles at a time, and {arena.name} has {places}")


def _event(arena: Arena, running: Running, components: Components) -> Event:
    """By the options and the die that are the pack's."""
    die = next((Die.of(die) for die in components.get("die", ())), Die())
    options = Options.of(components.get("option", ()))
    return Event(arena, running.laps, running.seed, options, die)


def _what(result: Result, field: int, lots: str = "") -> str:
    """What was run, in a sentence."""
    laps = f"{result.laps} lap{'' if result.laps == 1 else 's'}"
    if field == 1:
        each = " of each vehicle" if len(result.vehicles) > 1 else ""
        runs = result.vehicles[0].runs
        what = f"{runs:,} time trial{'' if runs == 1 else 's'}{each}, {laps}"
    else:
        drawn = lots or (
            "all vehicles" if field == len(result.vehicles) else "drawn by lot for each race"
        )
        races = f"{result.races:,} race{'' if result.races == 1 else 's'}"
        what = f"{races} of {laps}, {field} at a time, {drawn}"
    return f"{what}; seed {result.seed}. Every number comes with its 95% interval."
