"""The drawings of the shipped packs: they open, show the pack's colours, and hold what is drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from packs.shipped import ROOT

from generator.layered_art import layered

DRAWINGS = sorted((ROOT / "templates").glob("*/art/**/*.svg"))
DRAWN = ("dragon-draft",)
"""Packs all of whose art is in drawings."""
LONGEST = 300
"""Characters of path data in a template: what is longer is drawn, and belongs into a drawing."""

MARKS = "#e0218a"
"""What marks a place is drawn for who moves it, in a colour of its own."""

_SWATCH = re.compile(r'<linearGradient id="([\w-]+)"[^>]*><stop stop-color="(#\w+)"/>')
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b")


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_drawing_is_in_named_colours_that_show_the_palettes(path: Path) -> None:
    content = path.read_bytes()
    layers = layered(content).layers
    assert layers
    for name, layer in layers.items():
        assert set(_COLOUR.findall(layer.body)) <= {MARKS}, name
    pack = path.relative_to(ROOT / "templates").parts[0]
    palette = yaml.safe_load((ROOT / f"templates/{pack}/styles.yaml").read_text("utf-8"))["colours"]
    shown = dict(_SWATCH.findall(content.decode()))
    assert {name: palette.get(name, shown[name]) for name in shown} == shown


@pytest.mark.parametrize("pack", DRAWN)
def test_what_is_drawn_is_in_drawings(pack: str) -> None:
    long = {
        path.name: len(data)
        for path in (ROOT / "templates" / pack).rglob("*.j2")
        for data in re.findall(r'"(M[^"{}]*)"', path.read_text("utf-8"))
        if len(data) > LONGEST
    }
    assert long == {}
