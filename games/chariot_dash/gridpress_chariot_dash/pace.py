"""Lap times of a vehicle alone, without racing: those raced before, and estimates.

`lap_times.json` has raced laps of the shipped vehicles on the shipped courses. An entry holds for
the same values of vehicle, course and rules, whose digests it has. `studies/lap_times.py` of the
races makes it.

Anything else is estimated by the model of `solo_lap`, whose driver plays best; races take longer.
So the estimate is the model's, times how much longer the shipped vehicles took than their own
models (a ratio estimator). Those that differ by fewer changes count more, 1 / (1 + changes)².
On a course that was never raced, the ratios are their means over the raced courses.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec import json as fast

from generator.geometry import summed
from gridpress_chariot_dash.declared import Components, Values
from gridpress_chariot_dash.findings import Mean
from gridpress_chariot_dash.solo_lap import LapCourse, lap_rounds
from gridpress_chariot_dash.tweaks import changes_from_baseline, plain_values, vehicle_of
from gridpress_chariot_dash.vehicle_odds import rules_in

TABLE: Final = Path(__file__).with_name("lap_times.json")
USUAL: Final = 0.05
"""The relative error that nine of ten estimates on a raced course stay within."""
USUAL_ELSEWHERE: Final = 0.12
"""The same on other courses."""


class Raced(NamedTuple):
    """Raced laps of those that came home, with half a 95 % interval, and the model's rounds."""

    rounds: float
    rounds_error: float
    hexes: float
    hexes_error: float
    model: float


class LapTable(Struct, frozen=True):
    """The shipped results: digests of what they hold for, and laps by course and vehicle."""

    engine: str
    rules: str
    trials: int
    courses: Mapping[str, str]
    vehicles: Mapping[str, str]
    laps: Mapping[str, Mapping[str, Raced]]


@cache
def lap_times() -> LapTable:
    """Return the shipped results."""
    return fast.decode(TABLE.read_bytes(), type=LapTable)


class Lap(NamedTuple):
    """A lap of a course: rounds and hexes, or only rounds if estimated.

    error: the usual relative error of an estimate; 0 if raced.
    """

    vehicle: str
    course: str
    rounds: Mean | None
    hexes: Mean | None = None
    error: float = 0.0


def digest(values: Any) -> str:
    """Return a short digest of plain values."""
    text = json.dumps(values, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def of_vehicle(values: Values) -> str:
    """Return a digest of what races read of a vehicle, with what its parts do."""
    own = vehicle_of(values)
    parts = [
        [str(part["id"]), str(part.get("moment")), plain_values(part.get("does"))]
        for field in ("traits", "specials", "damage", "random_effects", "stamina_effects")
        for entry in values.get(field) or ()
        for part in entry.values()
        if isinstance(part, Mapping)
    ]
    return digest([{name: own[name] for name in own if name not in ("id", "name")}, parts])


def of_course(track: Values) -> str:
    """Return a digest of a course: its cells, and what lies there. Raises like `LapCourse.of`."""
    course = LapCourse.of(track)
    spots = [plain_values(tile["component"].get("spots")) for tile in track["layout"]["tiles"]]
    arrays = (course.past.round(3), course.heading, course.neighbour, course.kind)
    return digest([[array.tolist() for array in arrays], round(course.lap, 3), course.start, spots])


def of_rules(components: Components) -> str:
    """Return a digest of the die, and of the options in force that matter to a lap."""
    die, _ = rules_in(components)
    options = {
        str(one["id"]): one.get("figure")
        for one in components.get("option", ())
        if one["in_force"] and one["group"] != "scoring"
    }
    return digest([list(die.values), options])


def lap(values: Values, track: Values, components: Components) -> Lap:
    """Return a lap, raced if that was done, else estimated; no rounds if nobody can lap there."""
    named = str(values["name"]), str(track["name"])
    known = lap_times()
    try:
        course = of_course(track)
    except ValueError:
        return Lap(*named, None)
    raced_on = next((name for name, made in known.courses.items() if made == course), "")
    own = of_vehicle(values)
    vehicle = next((name for name, made in known.vehicles.items() if made == own), "")
    if raced_on and vehicle and of_rules(components) == known.rules:
        found = known.laps[raced_on][vehicle]
        rounds, hexes = found.rounds, found.hexes
        return Lap(
            *named,
            Mean(rounds, rounds - found.rounds_error, rounds + found.rounds_error),
            Mean(hexes, hexes - found.hexes_error, hexes + found.hexes_error),
        )
    die, in_force = rules_in(components)
    rounds = lap_rounds(values, LapCourse.of(track), die, in_force)
    rounds *= slower_than_model(values, raced_on, components)
    error = USUAL if raced_on else USUAL_ELSEWHERE
    return Lap(*named, Mean(rounds, rounds * (1 - error), rounds * (1 + error)), None, error)


def slower_than_model(values: Values, course: str, components: Components) -> float:
    """Return how much longer a vehicle takes than its model, by shipped vehicles like it.

    course: the id of a raced course, or empty for another one.
    """
    known = lap_times()
    courses = [course] if course else list(known.laps)
    total, weights = 0.0, 0.0
    for shipped in components.get("vehicle", ()):
        name = str(shipped["id"])
        if known.vehicles.get(name) == of_vehicle(shipped):
            changes = summed(times for _, times, _ in changes_from_baseline(values, shipped))
            weight = 1 / (1 + changes) ** 2
            ratios = [known.laps[on][name].rounds / known.laps[on][name].model for on in courses]
            total += weight * summed(ratios) / len(ratios)
            weights += weight
    return total / weights if weights else 1.15
