"""What races came to in; tables, charts and plain data of it out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from gridpress_chariot_dash.charts import stacks, whiskers
from gridpress_chariot_dash.estimates import as_data, mean_text, ratio_text, share_text
from gridpress_chariot_dash.findings import Chart
from gridpress_chariot_dash.race.intervals import Estimate, share
from gridpress_chariot_dash.race.results import Result, Summary
from gridpress_chariot_dash.showing import Table, number

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
