"""What belongs to a vehicle is printed by its name, and its licence says what is special of it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from gridpress_chariot_dash.declared import numbered
from packs.shipped import ROOT, opened, words

from generator.build import Order, lay_out
from generator.cli import run
from generator.diagnostics import Severity
from generator.model.face import Face
from generator.model.pack import Pack
from generator.project import Project, Target

NAME = "chariot-dash"
ONE_EACH = dict.fromkeys(("vehicle", "counter", "standee"), 1)


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> list[Face]:
    """The faces on the sheets of a vehicle of one's own, started in an empty folder."""
    folder = tmp_path_factory.mktemp("own")
    new = ["new", "vehicle", "mine/red-hot", "--in", str(folder), "--from", "mainspring"]
    assert run(new) == 0
    laid = lay_out(Target(Project(folder, ROOT), "mine"), Order(only="red-hot", papers=("letter",)))
    assert laid.value is not None
    assert [d for d in laid.diagnostics if d.severity is Severity.ERROR] == []
    sheets = (sheet for run_ in laid.value.runs for sheet in run_.sheets)
    return [placement.face for sheet in sheets for placement in sheet.placements]


def test_only_prints_a_vehicles_kit_and_nothing_else() -> None:
    found = opened(ROOT, NAME, only="gatecrasher").value
    assert found is not None
    asked = {
        kind: sum(c.quantity for c in components if c.answers_to("gatecrasher"))
        for kind, components in found.pack.components.items()
        if found.pack.kinds[kind].faces
    }
    assert {kind: n for kind, n in asked.items() if n} == {"crew-card": 7, **ONE_EACH}


@pytest.mark.thorough
def test_a_vehicle_of_ones_own_in_an_empty_folder_has_its_kit(
    pack: Pack, placed: list[Face]
) -> None:
    like = next(v for v in pack.components["vehicle"] if v.id == "mainspring").values
    allotted = [like["whip"], like["reins"], *(1 for _ in like["specials"])]
    assert {face.component for face in placed if face.kind != "crew-card"} == {"red-hot"}
    fronts = Counter(face.kind for face in placed if face.name == "front")
    assert fronts == {"crew-card": sum(allotted), **ONE_EACH}
    backs = Counter(face.kind for face in placed if face.name == "back")
    assert backs == {"crew-card": sum(allotted), "vehicle": 1, "counter": 1}
    cards = Counter(face.component for face in placed if face.kind == "crew-card")
    assert sorted(n // 2 for n in cards.values()) == sorted(allotted)


def test_licence_spells_out_all_that_a_vehicle_has(pack: Pack, placed: list[Face]) -> None:
    said = words(next(f for f in placed if f.kind == "vehicle" and f.name == "back"))
    like = next(v for v in pack.components["vehicle"] if v.id == "mainspring").values
    for entry in (*like["traits"], *like["specials"]):
        thing = entry["trait"] if "trait" in entry else entry["special"]
        number = entry["number"]
        assert thing["name"] + (f" {number}" if number else "") in said
        assert numbered(thing["text"], number) in said
    for entry in (*like["damage"], *like["random_effects"]):
        rule = numbered(entry["effect"]["text"], entry["number"])
        assert all(part.strip() in said for part in re.split(r"{[a-z-]+}", rule))
    assert "Lose Failsafes" in said
    assert "Random damage" in said
    assert "#" not in said
