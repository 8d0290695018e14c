"""Whatever passes the checks of chariot-dash is printed: its licence gives way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from packs.shipped import ROOT, copied, drawn, words
from packs.torture import vehicle

from generator.build import Order, press_pack
from generator.project import Project, Target

NAME = "chariot-dash"
ADVICE = {"GP209"}


@pytest.mark.thorough
@pytest.mark.parametrize("seeds", [(0, 2), (3, 6)], ids=["many", "any"])
def test_vehicles_that_pass_are_printed_without_a_finding(
    tmp_path: Path, seeds: tuple[int, ...]
) -> None:
    """The first has as much as there may be of everything, the others less and less."""
    root = copied(tmp_path / "root", NAME)
    made = [vehicle(seed, 1 - seed / 8) for seed in seeds]
    told = yaml.safe_dump({"kind": "vehicle", "components": made}, sort_keys=False)
    (root / "cards" / NAME / "torture.yaml").write_text(told, encoding="utf-8")
    order = Order(only="torture-*", papers=("a4",))
    found = press_pack(Target(Project(root, ROOT), NAME), order, tmp_path / "out").diagnostics
    assert [d.message for d in found if d.code not in ADVICE or d.severity.name == "ERROR"] == []


@pytest.mark.thorough
@pytest.mark.parametrize("bleed", ["0mm", "6mm"])
def test_art_reaches_any_bleed(tmp_path: Path, bleed: str) -> None:
    """Of every kind, some."""
    root = copied(tmp_path / "root", NAME)
    path = root / "cards" / NAME / "pack.yaml"
    told = re.sub(r"bleed: [\d.]+mm", f"bleed: {bleed}", path.read_text(encoding="utf-8"))
    size = f"size: [63.5mm, 88.9mm], bleed: {bleed}, safe: 3mm"
    poker = f"stocks:\n  poker: {{{size}, shape: rounded, corner_radius: 3mm}}"
    path.write_text(told.replace("stocks:", poker, 1), encoding="utf-8")
    sheets = "page-1,page-4,page-40,crib-sheet,movement-summary,credits"
    pieces = "basic,long-sitting,blank*,oil,crates,wall,score-5,lap-1,race-die-*,oval"
    only = f"{sheets},{pieces}"
    if bleed == "0mm":  # nothing is printed past the cut that preflight could miss
        assert drawn(root, NAME, only)
        return
    order = Order(only=only, papers=("a4",))
    found = press_pack(Target(Project(root, ROOT), NAME), order, tmp_path / "out").diagnostics
    assert [d.message for d in found] == []


@pytest.mark.thorough
def test_what_a_change_is_worth_is_on_pages_of_the_guide(tmp_path: Path) -> None:
    root = copied(tmp_path, NAME)
    (root / "cards" / NAME / "worth.yaml").unlink()
    assert drawn(root, NAME, "worth*", kinds=["guide-page"]) == ()
    groups = ("boxes", "moves", "control", "stamina", "damage", "cards", "specials", "traits")
    known = [
        {
            "id": f"change-{n}",
            "name": f"A change of {n} to the Chariot at speed 3",
            "group": groups[n * len(groups) // 200],
            "places": round(n / 100 - 1, 2),
            "places_error": 0.1,
            "rounds": round(1.5 - n / 50, 2),
            "rounds_error": 0.2,
        }
        for n in range(200)
    ]
    told = yaml.safe_dump({"kind": "worth", "components": known}, sort_keys=False)
    (root / "cards" / NAME / "worth.yaml").write_text(told, encoding="utf-8")
    said = words(*drawn(root, NAME, "worth*", kinds=["guide-page"]))
    assert [change["name"] for change in known if change["name"] not in said] == []


def test_both_sides_of_the_creation_guide_are_there() -> None:
    front, back = drawn(ROOT, NAME, "guide", kinds=["guide-page"])
    assert "Random damage" in words(front)
    assert "Trial races" in words(back)
