"""What belongs to one vehicle is printed by its name, and a sheet says what is special of it."""

from __future__ import annotations

import pytest
from packs.shipped import ROOT, drawn, words

from generator.model.face import Face
from generator.model.pack import Pack

NAME = "chariot-dash"


@pytest.fixture(scope="module")
def sheets() -> dict[str, Face]:
    """The trait sheets of some shipped vehicles."""
    found = drawn(ROOT, NAME, only="[bm]a*", kinds=["trait-sheet"])
    return {face.component: face for face in found}


def test_trait_sheet_spells_out_all_that_a_vehicle_has(pack: Pack, sheets: dict[str, Face]) -> None:
    said = words(sheets["mainspring"])
    mainspring = next(v for v in pack.components["vehicle"] if v.id == "mainspring").values
    for part in ("traits", "specials"):
        for entry in mainspring[part]:
            thing = entry["trait" if part == "traits" else "special"]
            number = entry["number"]
            assert thing["name"] + (f" {number}" if number else "") in said
            assert thing["text"].replace("#", str(number)) in said
    for entry in (*mainspring["damage"], *mainspring["random_effects"]):
        assert entry["effect"]["text"].replace("#", str(entry["number"])) in said
    assert "Lose Failsafes" in said
    assert "Random damage" in said
    assert "#" not in said


def test_trait_sheet_of_the_baseline_says_that_it_has_none(sheets: dict[str, Face]) -> None:
    said = words(sheets["basic"])
    assert "It has none." in said
    assert "Random damage" not in said


def test_trait_sheets_are_only_for_vehicles_asked_for_by_name(pack: Pack) -> None:
    assert sum(sheet.quantity for sheet in pack.components["trait-sheet"]) == 0
