"""Race the laps that ship with the game: every shipped vehicle alone on every shipped course.

    python games/chariot_races/studies/lap_times.py [--trials 2000]

Writes `lap_times.json` of the game. Tests say when it is out of date: when the engine, a vehicle, a
course or a rule changes. If only the model changed, nothing is raced again.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import gridpress_chariot_races
import msgspec
from chariot_pack import Components, Values, components
from gridpress_chariot_dash import dice, pace
from gridpress_chariot_dash.pace import LapTable, Raced
from gridpress_chariot_dash.solo_lap import LapCourse, lap_rounds
from gridpress_chariot_dash.vehicle_odds import rules_in
from gridpress_chariot_races.race.setup import RaceType, arena_of
from gridpress_chariot_races.race.simulation import Event, Run, mean, time_trials
from msgspec.structs import replace


def of_engine() -> str:
    """Return a digest of the engine's sources."""
    race = Path(gridpress_chariot_races.__file__).parent / "race"
    paths = (Path(dice.__file__), *sorted(race.glob("*.py")))
    return pace.digest([path.read_text("utf-8") for path in paths])


def raced(
    vehicles: Sequence[Values], track: Values, values: Components, trials: int, jobs: int
) -> dict[str, Raced]:
    """Race laps of a course, by the id of the vehicle."""
    event = Event(arena_of(track), values, RaceType.of(laps=1))
    found = time_trials(vehicles, event, trials, jobs)
    home: list[list[Run]] = [[] for _ in vehicles]
    for (run,) in found.runs:
        if run.finished:
            home[run.vehicle].append(run)
    laps = {}
    for vehicle, runs in zip(vehicles, home, strict=True):
        name = str(vehicle["id"])
        rounds, hexes = mean([run.rounds for run in runs]), mean([run.spaces for run in runs])
        if rounds is None or hexes is None:
            raise ValueError(f"{name} never came home on {track['id']}")
        laps[name] = Raced(
            round(rounds.value, 3),
            round(rounds.high - rounds.value, 3),
            round(hexes.value, 3),
            round(hexes.high - hexes.value, 3),
        )
    return laps


def with_model(laps: Mapping[str, Raced], track: Values, values: Components) -> dict[str, Raced]:
    """Add the rounds of the model to raced laps."""
    course, rules = LapCourse.of(track), rules_in(values)
    own = {str(one["id"]): one for one in values["vehicle"]}
    return {
        name: one._replace(model=round(lap_rounds(own[name], course, *rules), 3))
        for name, one in laps.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    values = components()
    vehicles, tracks = values["vehicle"], values["track"]
    table = LapTable(
        of_engine(),
        pace.of_rules(values),
        asked.trials,
        {str(track["id"]): pace.of_course(track) for track in tracks},
        {str(vehicle["id"]): pace.of_vehicle(vehicle) for vehicle in vehicles},
        {},
    )
    known = pace.lap_times() if pace.TABLE.exists() else table
    is_known = replace(known, laps={}) == table
    laps = {}
    for track in tracks:
        name = str(track["id"])
        found = known.laps.get(name) if is_known else None
        found = found or raced(vehicles, track, values, asked.trials, asked.jobs)
        laps[name] = with_model(found, track, values)
        print(name, file=sys.stderr)
    table = replace(table, laps=laps)
    text = msgspec.json.format(msgspec.json.encode(table), indent=1).decode()
    rows = re.sub(r"\[[^]]*\]", lambda found: " ".join(found[0].split()), text)
    pace.TABLE.write_text(f"{rows}\n", "utf-8")


if __name__ == "__main__":
    main()
