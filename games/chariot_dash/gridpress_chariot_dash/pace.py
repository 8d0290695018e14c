"""Lap times of a vehicle alone, without racing: those raced before, and estimates.

`lap_times.json` has raced laps of the shipped vehicles on the shipped courses. An entry holds for
the same values of vehicle, course and rules, whose digests it has. `studies/lap_times.py` makes it.

Anything else is estimated by the model of `solo_lap`, whose driver plays best; races take longer.
So the estimate is the model's, times how much longer the shipped vehicles took than their own
models (a ratio estimator). Those that differ by fewer changes count more, 1 / (1 + changes)².
On a course that was never raced, the ratios are their means over the raced courses.

Errors against 1,000 to 2,000 races each, mean and worst: 20 vehicles with 1 to 3 random changes, on
the 7 courses, 1.5 % (0.13 rounds) and 14 % (1.2); each shipped vehicle without its own races, 4 %
(0.36) and 16 % (1.5), which is about how much balanced vehicles differ; on a course without its
races, 10 % (0.9) and 37 % (3.5, the Anvil).
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
LIKE: Final = 3
"""The most changes from a shipped vehicle whose races still say most."""
USUAL: Final = {True: 0.04, False: 0.09}
"""The relative error that nine of ten estimates stay within on a raced course, by such likeness."""
ELSEWHERE: Final = 0.24
"""The same on other courses."""


class Raced(NamedTuple):
    """Raced laps of those that came home, with half a 95 % interval, and the model's rounds."""

    rounds: float
    rounds_error: float
    hexes: float
    hexes_error: float
    model: float = 0.0


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
    arrays = (course.past.round(3), course.heading, course.neighbour)
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
    slower, changes = slower_than_model(values, raced_on, components)
    rounds *= slower
    error = USUAL[changes <= LIKE] if raced_on else ELSEWHERE
    return Lap(*named, Mean(rounds, rounds * (1 - error), rounds * (1 + error)), None, error)


def slower_than_model(values: Values, course: str, components: Components) -> tuple[float, float]:
    """Return how much longer races take than the model, and the changes from the likest vehicle.

    course: the id of a raced course, or empty for another one.
    """
    known = lap_times()
    courses = [course] if course else list(known.laps)
    found: list[tuple[float, int]] = []
    for shipped in components.get("vehicle", ()):
        name = str(shipped["id"])
        if known.vehicles.get(name) == of_vehicle(shipped):
            laps = [known.laps[on][name] for on in courses]
            ratio = summed(lap.rounds / lap.model for lap in laps) / len(laps)
            changes = changes_from_baseline(values, shipped)
            found.append((ratio, summed(times for _, times, _ in changes)))
    if not found:  # all vehicles of the game were changed
        laps = [one for on in courses for one in known.laps[on].values()]
        return summed(one.rounds / one.model for one in laps) / len(laps), LIKE + 1
    weights = [1 / (1 + changes) ** 2 for _, changes in found]
    total = summed(weight * ratio for weight, (ratio, _) in zip(weights, found, strict=True))
    return total / summed(weights), min(changes for _, changes in found)
