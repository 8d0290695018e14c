"""Boards, cards, markers, booklets and sheets printed with no bleed and with plenty, as preflight
sees it; those of chariot-dash are in test_chariot_dash_torture.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packs.shipped import ROOT, changed, drawn

from generator.build import Order, press_pack
from generator.project import Project, Target

PRINTED = [
    (
        "dragon-draft",
        "first-flight, turn-overview, tile-chart, credits, cover, undertow, sweepers, scarlet",
    ),
    (
        "scrap-circuit",
        "coffee-break, turn-sheet, glossary-sheet, credits, cover, overview, fire-back-4, overflow,"
        " nudge, tow-rope, straight-1, curve-7, finish-line, start-marker, turn, bonus-marker,"
        " overflow-1, die-1",
    ),
    ("joust-racers", "turn-sheet, credits, page-1, page-13, halfmoon, waypoint-1, valor"),
    ("road-joust", "bog-standard, stone, tyres, quick-sheet, abilities, page-1, page-13, page-32"),
]
SHARED = (ROOT / "cards/shared/stocks.yaml").read_text("utf-8")


def bled(text: str, kinds: Path, bleed: int) -> str:
    """A pack.yaml in which every stock that the pack uses, of its own or shared, bleeds so far."""
    used = {
        stock
        for path in kinds.glob("*.yaml")
        for stock in re.findall(r"(?m)^stock: ([\w-]+)$", path.read_text("utf-8"))
    }
    shared = [line for line in SHARED.splitlines() if line.strip().partition(":")[0] in used]
    shared = [re.sub(r", bleed: [0-9.]+mm", "", line)[:-1] + ", bleed: 0mm}" for line in shared]
    text = text.replace("\nstocks:\n", "\n".join(["\nstocks:", *shared, ""]), 1)
    return re.sub(r"bleed: [0-9.]+mm", f"bleed: {bleed}mm", text)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("bleed", [0, 6])
@pytest.mark.parametrize(("name", "only"), PRINTED)
def test_faces_bleed_as_far_as_their_stock(
    name: str, only: str, bleed: int, tmp_path: Path
) -> None:
    pack = ROOT / "cards" / name
    text = (pack / "pack.yaml").read_text("utf-8")
    root = changed(tmp_path / "root", name, ("pack.yaml", text, bled(text, pack / "kinds", bleed)))
    if bleed == 0:  # nothing is printed past the cut that preflight could miss
        assert drawn(root, name, only)
        return
    order = Order(only=only, papers=("a4",))
    outcome = press_pack(Target(Project(root, ROOT), name), order, tmp_path / "out")
    assert outcome.diagnostics == ()
