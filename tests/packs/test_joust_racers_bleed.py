"""What joust-racers prints past the cut, as preflight sees it: in less ink and on larger cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from packs.shipped import ROOT, changed

from generator.build import Order, press_pack
from generator.project import Project, Target

NAME = "joust-racers"


def test_backs_of_blockers_bleed_in_less_ink(tmp_path: Path) -> None:
    """Beside each other they have but 2 mm of bleed, where a white ground may be all there is."""
    order = Order(only="toll-booth", papers=("a4",), ink="low")
    assert press_pack(Target(Project(ROOT, ROOT), NAME), order, tmp_path).diagnostics == ()


@pytest.mark.thorough
def test_pavilions_bleed_on_a_card_of_another_size(tmp_path: Path) -> None:
    """Their stripes may end within the bleed: light ones are no paper."""
    root = changed(tmp_path / "root", NAME, ("pack.yaml", "[63.5mm, 88.9mm]", "[70mm, 120mm]"))
    order = Order(only="halfmoon", papers=("a4",))
    assert press_pack(Target(Project(root, ROOT), NAME), order, tmp_path).diagnostics == ()
