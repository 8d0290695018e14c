"""Rules for every shipped pack."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace
from packs.shipped import ROOT, copied, opened, printed, printing

from generator.build import Order, draw
from generator.cli import run
from generator.project import Project
from generator.starters import start_component, starters
from generator.svg_layers import layered

PACKS = Project(ROOT, ROOT).packs()
DRAWINGS = sorted((ROOT / "templates").glob("*/art/**/*.svg"))
OFFERED = [(pack, kind) for pack in PACKS for kind in starters(ROOT / "cards" / pack)]
MARKS = "#e0218a"
"""The colour of marks that only the artist sees."""

_SWATCH = re.compile(r'<linearGradient id="([\w-]+)"[^>]*><stop stop-color="(#\w+)"/>')
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b")


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_drawing_uses_the_colours_of_the_palette(path: Path) -> None:
    content = path.read_bytes()
    layers = layered(content).layers
    assert layers
    for name, layer in layers.items():
        assert set(_COLOUR.findall(layer.body)) <= {MARKS}, name
    pack = path.relative_to(ROOT / "templates").parts[0]
    palette = yaml.safe_load((ROOT / f"templates/{pack}/styles.yaml").read_text("utf-8"))["colours"]
    shown = dict(_SWATCH.findall(content.decode()))
    assert {name: palette.get(name, shown[name]) for name in shown} == shown


@pytest.mark.parametrize("folder", sorted((ROOT / "templates").glob("*/icons")), ids=str)
def test_no_two_icons_are_alike(folder: Path) -> None:
    icons = [path.read_text(encoding="utf-8") for path in folder.glob("*.svg")]
    assert len(set(icons)) == len(icons) > 0


@pytest.mark.parametrize("pack", PACKS)
def test_rules_name_other_pages_by_title(pack: str) -> None:
    """A typed number would be wrong as soon as a page moves."""
    typed = (ROOT / "cards" / pack / "rules.yaml").read_text("utf-8")
    assert re.findall(r"\b[Pp]ages? \d+", typed) == []


@pytest.mark.parametrize(("pack", "kind"), OFFERED, ids=[f"{p}-{k}" for p, k in OFFERED])
def test_a_starter_passes_the_check_as_it_is(pack: str, kind: str, tmp_path: Path) -> None:
    copied(tmp_path, pack)
    start_component(tmp_path / "cards" / pack, kind, "red-hot", ROOT / "cards" / pack)
    found = opened(tmp_path, pack, only="red-hot*")
    assert found.diagnostics == ()
    assert found.value is not None
    posters = {name for name in found.value.pack.kinds if name.endswith("-poster")}
    drawn_kinds = printing(found.value.pack, set(found.value.pack.kinds) - posters)
    faces = draw(replace(found.value, pack=drawn_kinds), Order(only="red-hot*"), for_export=True)
    assert faces.diagnostics == ()
    assert any(face.component == "red-hot" for face in faces.value)
    text = (tmp_path / "cards" / pack / f"{kind}s" / "red-hot.yaml").read_text("utf-8")
    assert "NAME" not in text
    assert "TITLE" not in text
    assert text.count("#") > 5


def test_a_racer_for_road_joust_starts_with_its_dashboard(tmp_path: Path) -> None:
    assert run(["new", "racer", "nag", "--pack", "road-joust", "--in", str(tmp_path)]) == 0
    found = opened(tmp_path, "my-racers", only="nag")
    assert found.diagnostics == ()
    assert found.value is not None
    assert {"dashboard", "footprint", "racer"} <= printed(found.value.pack).keys()


def test_a_part_a_knight_and_a_racer_of_ones_own_share_a_pack(tmp_path: Path) -> None:
    """Each adds a print of what the pack does not print yet."""
    for kind, name in (("part", "kettle"), ("knight", "sir-cog"), ("racer", "red-hot")):
        assert run(["new", kind, name, "--in", str(tmp_path)]) == 0
    found = opened(tmp_path, "my-parts", only="kettle,sir-cog")
    assert found.diagnostics == ()
    assert found.value is not None
    kinds = [kind for print_ in found.value.pack.prints for kind in print_.kinds]
    assert len(kinds) == len({*kinds}) > 3
    assert {"single-part", "knight", "racer"} <= {*kinds}


def test_a_racer_of_ones_own_may_leave_nothing_out(tmp_path: Path) -> None:
    assert run(["new", "racer", "red-hot", "--in", str(tmp_path)]) == 0
    path = tmp_path / "cards/my-racers/racers/red-hot.yaml"
    lines = path.read_text("utf-8").splitlines()
    assert opened(tmp_path, "my-racers").diagnostics == ()
    path.write_text("\n".join(line for line in lines if "engine:" not in line), "utf-8")
    missing, *_ = opened(tmp_path, "my-racers").diagnostics
    assert missing.code == "GP201"
    assert "such as brock-engine" in missing.hint
