"""Lap times without racing."""

import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import gridpress_chariot_dash
import pytest
from gridpress_chariot_dash import pace
from gridpress_chariot_dash.solo_lap import LapCourse, lap_rounds
from gridpress_chariot_dash.vehicle_odds import rules_in

from generator.build import Order, open_pack
from generator.project import Project, Target

ROOT = Path(__file__).parents[3]
HERE = Path(gridpress_chariot_dash.__file__).parent
RENEW = "run python games/chariot_races/studies/lap_times.py"


@cache
def shipped() -> Mapping[str, list[Mapping[str, Any]]]:
    """Return the values of the shipped pack by kind."""
    opened = open_pack(Target(Project(ROOT, ROOT), "chariot-dash"), Order()).value
    assert opened is not None
    return {kind: [c.values for c in found] for kind, found in opened.pack.components.items()}


def one(kind: str, name: str) -> Mapping[str, Any]:
    return next(found for found in shipped()[kind] if found["id"] == name)


def rounds(vehicle: Mapping[str, Any], track: str = "oval") -> float:
    return lap_rounds(vehicle, LapCourse.of(one("track", track)), *rules_in(shipped()))


def test_raced_laps_are_up_to_date() -> None:
    known = pace.lap_times()
    assert known.rules == pace.of_rules(shipped()), RENEW
    assert known.courses == {str(t["id"]): pace.of_course(t) for t in shipped()["track"]}, RENEW
    assert known.vehicles == {str(v["id"]): pace.of_vehicle(v) for v in shipped()["vehicle"]}, RENEW
    for track, vehicle in zip([*known.courses][:3], known.vehicles, strict=False):
        now = rounds(one("vehicle", vehicle), track)
        assert now == pytest.approx(known.laps[track][vehicle].model, abs=0.01), RENEW


def test_a_shipped_vehicle_was_raced_and_a_changed_one_is_estimated() -> None:
    basic, oval = one("vehicle", "basic"), one("track", "oval")
    raced = pace.lap(basic, oval, shipped())
    assert raced.rounds is not None
    assert raced.hexes is not None
    assert not raced.error
    assert raced.rounds.value == pytest.approx(7.94, abs=0.2)
    renamed = pace.lap({**basic, "id": "mine", "name": "Mine"}, oval, shipped())
    assert renamed.rounds == raced.rounds
    spiked = pace.lap({**basic, "damage_levels": 5}, oval, shipped())
    assert spiked.rounds is not None
    assert spiked.error
    assert spiked.rounds.value == pytest.approx(raced.rounds.value, rel=spiked.error)
    options = [
        {**o, "in_force": o["in_force"] and o["id"] != "stamina"} for o in shipped()["option"]
    ]
    assert pace.lap(basic, oval, {**shipped(), "option": options}).error


def test_another_course_has_a_larger_error() -> None:
    oval = one("track", "oval")
    first, *rest = oval["layout"]["tiles"]
    rock = {"lane": 2, "step": 1, "figure": "rock", "rating": None}
    piece = {**first, "component": {**first["component"], "spots": (rock,)}}
    layout = {**oval["layout"], "tiles": (piece, *rest)}
    found = pace.lap(one("vehicle", "basic"), {**oval, "layout": layout}, shipped())
    assert found.rounds is not None
    assert found.error == pace.ELSEWHERE
    assert 6 < found.rounds.value < 11


def test_nobody_laps_an_open_course() -> None:
    oval = one("track", "oval")
    layout = oval["layout"]
    straight = {**oval, "layout": {**layout, "tiles": layout["tiles"][:3]}}
    assert pace.lap(one("vehicle", "basic"), straight, shipped()).rounds is None


def faster(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a vehicle that may go a hex further in phase 1 of each speed above 0."""
    first, *rest = values["moves"]
    return {**values, "moves": (first, *((row[0] + 1, *row[1:]) for row in rest))}


def steadier(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a vehicle with a control die fewer at each speed."""
    dice = [0 if d == "safe" else int(d) for d in values["control"]]
    return {**values, "control": tuple(str(d - 1) if d > 1 else "safe" for d in dice)}


@pytest.mark.parametrize("name", ["basic", "mainspring"])
@pytest.mark.parametrize("change", [faster, steadier])
def test_a_better_vehicle_is_no_slower(name: str, change: Any) -> None:
    before = rounds(one("vehicle", name), "anvil")
    assert rounds(change(one("vehicle", name)), "anvil") < before


def test_show_loads_no_engine() -> None:
    words = ["vehicle", "show", "basic", "--format", "json"]
    program = (
        f"import sys; from generator.cli import run; run({words!r}, ); "
        "print(*(n for n in sys.modules if n.startswith(('numba', 'gridpress_chariot_races.'))),"
        " file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr.split() == []
    assert '"raced": true' in done.stdout
