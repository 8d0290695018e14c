"""What joust-racers prints past the cut, as preflight sees it: in less ink and on larger cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from packs.shipped import ROOT, changed

from generator.order import Order
from generator.press import press_pack
from generator.project import Project, Target

NAME = "joust-racers"


def test_backs_of_blockers_bleed_in_less_ink(tmp_path: Path) -> None:
    """Beside each other they have but 2 mm of bleed, where a white ground may be all there is."""
    order = Order(only="toll-booth", papers=("a4",), ink="low")
    assert press_pack(Target(Project(ROOT, ROOT), NAME), order, tmp_path).diagnostics == ()


def test_pavilions_bleed_on_a_card_of_another_size(tmp_path: Path) -> None:
    """Their stripes may end within the bleed: light ones are no paper."""
    root = changed(tmp_path / "root", NAME, ("pack.yaml", "[63.5mm, 88.9mm]", "[70mm, 120mm]"))
    order = Order(only="halfmoon", papers=("a4",))
    assert press_pack(Target(Project(root, ROOT), NAME), order, tmp_path).diagnostics == ()


@pytest.mark.parametrize("bleed", ["0mm", "6mm"])
def test_sheets_and_booklet_reach_any_bleed(tmp_path: Path, bleed: str) -> None:
    sizes = ("[125mm, 185mm]", "[250mm, 185mm]", "[130mm, 190mm]")
    edits = [("pack.yaml", f"{size}, bleed: 3mm", f"{size}, bleed: {bleed}") for size in sizes]
    target = Target(Project(changed(tmp_path / "root", NAME, *edits), ROOT), NAME)
    order = Order(only="turn-sheet, abilities, credits*, page-1, page-13", papers=("a4",))
    assert press_pack(target, order, tmp_path).diagnostics == ()
