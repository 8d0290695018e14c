"""Vehicles, a track and how to run in; what races, time trials or a comparison found out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import Any, Final

from gridpress_chariot_dash.charts import stacks, whiskers
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.findings import (
    Chart,
    Finding,
    Running,
    Table,
    as_data,
    decimals_of,
    mean_text,
    number,
    ratio_text,
    share_text,
)
from gridpress_chariot_dash.race import (
    Arena,
    Event,
    Result,
    arena_of,
    compare,
    simulate,
    time_trials,
)
from gridpress_chariot_dash.race.results import Estimate, Summary, share
from gridpress_chariot_dash.race.simulation import CERTAIN, Comparison
from gridpress_chariot_dash.state import Options
from gridpress_chariot_dash.track_map import lost_maps, lost_places, lost_table
from gridpress_chariot_dash.vehicle import Vehicle

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
    pace, trouble = ["spaces", "cards"], ["rolls", "control_lost", "damage"]
    yield Table(
        "Pace of a race",
        ("", "finished", "rounds a lap", *map(_MEANS.__getitem__, pace)),
        tuple(
            (
                one.vehicle,
                share_text(one.finished),
                mean_text(one.rounds_per_lap),
                *_means(one, pace),
            )
            for one in ranked
        ),
    )
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
        "laps": result.laps,
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
    return sorted(result.vehicles, key=lambda one: _pace(one.rounds_per_lap))


def _pace(rounds: Estimate | None) -> float:
    return float("inf") if rounds is None else rounds.value


def _most(result: Result) -> int:
    return max(len(race) for race in result.runs)


def _dots(rows: Mapping[str, tuple[float, ...]]) -> dict[str, tuple[float, float, float]]:
    return {name: (value, low, high) for name, (value, low, high) in rows.items()}


def verdict(of: Comparison, track: str) -> Iterator[str]:
    """The answer, by how much, and how sure it is."""
    if of.better is None:
        yield (
            f"The difference between {of.a} and {of.b} on {track} is within noise: so uneven a "
            f"result comes about by chance {_chance(of.chance)} if both are equally good."
        )
    else:
        other = of.b if of.better == of.a else of.a
        yield (
            f"{of.better} is better than {other} on {track}: so clear a result comes about by "
            f"chance {_chance(of.chance)} if both are equally good."
        )
    first, second = (of.a, of.b) if of.places.value >= 0 else (of.b, of.a)
    ahead = _turned(of.places, first == of.b)
    wins = of.wins if first == of.a else _rest(of.wins)
    yield (
        f"In fields of four, two of each, {first} comes in {_by(ahead, 'place')} before {second}, "
        f"of 2 at most, and wins {share_text(wins)} of the races, where 50% is even."
    )
    if of.rounds is not None:
        quick, slow = (of.a, of.b) if of.rounds.value >= 0 else (of.b, of.a)
        fewer = _turned(of.rounds, quick == of.b)
        yield f"Where both come home {quick} needs {_by(fewer, 'round')} fewer than {slow}."
    # A difference as large as half the interval shows every second time only.
    if of.better is None and 0 < (width := of.places.high - of.places.low) < inf:
        yield (
            f"A difference of {width:.{decimals_of(width)}f} places or more would most likely have "
            "shown; to see a smaller one, run more races: four times as many halve the noise."
        )


def verdict_data(of: Comparison) -> dict[str, Any]:
    """The answer for programs."""
    return {
        "a": of.a,
        "b": of.b,
        "better": of.better,
        "chance": of.chance,
        "certain_below": CERTAIN,
        "places_ahead": as_data(of.places),
        "wins_of_a": as_data(of.wins),
        "rounds_quicker": as_data(of.rounds),
    }


def _turned(estimate: Estimate, turned: bool) -> Estimate:
    if not turned:
        return estimate
    return Estimate(-estimate.value, -estimate.high, -estimate.low, estimate.of)


def _rest(part: Estimate) -> Estimate:
    """What the other has of a share."""
    return Estimate(1 - part.value, 1 - part.high, 1 - part.low, part.of)


def _by(estimate: Estimate, unit: str) -> str:
    """`0.24 places (0.18 to 0.30)`."""
    half = (estimate.high - estimate.low) / 2
    if not isfinite(half):
        return f"{estimate.value:.1f} {unit}s (one pair of races says nothing of the spread)"
    decimals = max(1, decimals_of(half))
    low, high = (f"{v:.{decimals}f}".replace("-", "−") for v in (estimate.low, estimate.high))
    return f"{estimate.value:.{decimals}f} {unit}s ({low} to {high})"


def _chance(chance: float) -> str:
    """`once in 20 times`, `less than once in a million times`."""
    if chance < 1e-6:
        return "less than once in a million times"
    if chance > 0.1:
        return f"{chance:.0%} of the time"
    return f"once in {round(1 / chance, -max(0, len(str(int(1 / chance))) - 2)):,.0f} times"


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
