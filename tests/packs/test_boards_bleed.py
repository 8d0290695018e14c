"""Boards, tiles and maps of tracks, printed with no bleed and with plenty, as preflight sees it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packs.shipped import ROOT, changed

from generator.order import Order
from generator.press import press_pack
from generator.project import Project, Target

BOARDS = {
    "chariot-dash": ("oval", "track-piece|track-map|track-poster"),
    "dragon-draft": ("first-flight", "tile|poster"),
    "scrap-circuit": ("coffee-break", "track-tile|poster|leaflet"),
}


@pytest.mark.parametrize("bleed", [0, 6])
@pytest.mark.parametrize("name", BOARDS)
def test_boards_bleed_as_far_as_their_stock(name: str, bleed: int, tmp_path: Path) -> None:
    only, stocks = BOARDS[name]
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
