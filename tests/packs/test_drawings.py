"""The drawings of the shipped packs: they open, show the pack's colours, and hold what is drawn."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
import yaml
from packs.shipped import ROOT

from generator.svg_layers import layered

DRAWINGS = sorted((ROOT / "templates").glob("*/art/**/*.svg"))
RIMS = runpy.run_path(str(ROOT / "docs/rims.py"))
DRAWN = ("chariot-dash", "dragon-draft", "road-joust", "scrap-circuit")
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


@pytest.mark.thorough
def test_rims_are_what_their_shapes_make() -> None:
    made = {path: RIMS["rimmed"](path.read_text("utf-8")) for path in DRAWINGS}
    assert [path.name for path in DRAWINGS if made[path] != path.read_text("utf-8")] == []
    assert sum(text.count("data-rim") for text in made.values()) > 300


@pytest.mark.parametrize(
    ("shape", "by", "rim"),
    [
        ("M0 0H10V10H0Z", (2, 2), "M0 0L10 0L10 2L2 2L2 10L0 10L0 0Z"),
        ("M0 0H10V10H0Z", (-2, -2), "M8 0L10 0L10 10L0 10L0 8L8 8L8 0Z"),
        ("M0 0L10 10H0Z", (2, 2), "M0 0L2 2L2 10L0 10L0 0Z"),  # an edge that lies on itself
        ("M0 0H4V4H0ZM20 0H24V4H20Z", (9, 9), "M0 0L4 0L4 4L0 4L0 0ZM20 0L24 0L24 4L20 4L20 0Z"),
    ],
)
def test_a_rim_is_a_shape_less_itself_moved(shape: str, by: tuple[float, float], rim: str) -> None:
    assert RIMS["less_moved"](shape, *by) == rim


def test_a_rim_follows_a_shape_that_was_changed() -> None:
    drawing = '<path d="M0 0H10V{h}H0Z" fill="#fff"/><path data-rim="2 2" d="" opacity="0.3"/>'
    low, high = (RIMS["rimmed"](drawing.format(h=h)) for h in (10, 20))
    assert 'd="M0 0L10 0L10 2L2 2L2 10L0 10L0 0Z"' in low
    assert 'd="M0 0L10 0L10 2L2 2L2 20L0 20L0 0Z"' in high
