"""Boards, maps, booklets and sheets printed with no bleed and with plenty, as preflight sees it;
those of chariot-dash are in test_chariot_dash_torture.py, all of scrap-circuit with plenty in
test_scrap_circuit.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packs.shipped import ROOT, changed

from generator.order import Order
from generator.press import press_pack
from generator.project import Project, Target

PRINTED = [
    (
        "dragon-draft",
        "first-flight, turn-overview, tile-chart, setup-sheet, credits, cover, table, summary",
        "tile|poster|leaflet|booklet-page",
    ),
    (
        "scrap-circuit",
        "coffee-break, turn-sheet, glossary*, credits, cover, box, overview",
        "track-tile|poster|leaflet|booklet-page",
    ),
    (
        "joust-racers",
        "turn-sheet, abilities, credits, page-1, page-13, page-24",
        "leaflet|folder|booklet-page",
    ),
    (
        "road-joust",
        "bog-standard, stone, tyres, quick-sheet, abilities, page-1, page-13, page-32",
        "joust-board|road-wall|joust-folder|joust-page",
    ),
]
BLEEDS = [(*printed, 0) for printed in PRINTED]
BLEEDS += [(*printed, 6) for printed in PRINTED if printed[0] != "scrap-circuit"]


@pytest.mark.parametrize(("name", "only", "stocks", "bleed"), BLEEDS)
def test_faces_bleed_as_far_as_their_stock(
    name: str, only: str, stocks: str, bleed: int, tmp_path: Path
) -> None:
    text = (ROOT / "cards" / name / "pack.yaml").read_text("utf-8")
    lines = re.findall(rf"^  (?:{stocks}): .*bleed: [0-9.]+mm.*$", text, re.MULTILINE)
    assert len(lines) == len(stocks.split("|"))
    edits = [
        ("pack.yaml", one, re.sub(r"bleed: [0-9.]+mm", f"bleed: {bleed}mm", one)) for one in lines
    ]
    root = changed(tmp_path / "root", name, *edits)
    order = Order(only=only, papers=("a4",))
    outcome = press_pack(Target(Project(root, ROOT), name), order, tmp_path / "out")
    assert outcome.diagnostics == ()
