"""docs/tracks.md covers every key, and its samples are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from validate.projects import check

from generator.model.pack import Pack
from generator.model.values import Record
from generator.validate.definition_files import CIRCUIT, LAYOUT, TILE
from generator.validate.field_types import STEP

PAGE = (Path(__file__).parents[2] / "docs" / "tracks.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## In a pack\n")[2].partition("\n## ")[0]
TABLES = [
    {
        name
        for row in re.findall(r"^\| (`[^|]+) \|", table, re.M)
        for name in re.findall("`([^`]+)`", row)
    }
    for table in re.split(r"\n\n", SECTION)
    if table.startswith("|")
]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    root = tmp_path_factory.mktemp("sample")
    folder = root / "cards" / "demo"
    (folder / "kinds").mkdir(parents=True)
    (folder / "pack.yaml").write_text("title: Demo\nversion: 1.0.0\n", encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", SECTION, re.M | re.S)
    kind, listed, circuit, *tracks = blocks
    names = ("kinds/segment", "segments", "kinds/track", "tracks")
    for name, block in zip(names, (kind + circuit, listed, *tracks), strict=True):
        (folder / f"{name}.yaml").write_text(block, encoding="utf-8")
    checked = check(root)
    assert [str(d) for d in checked.diagnostics] == []
    return checked.pack


def test_the_samples_are_two_tracks(pack: Pack) -> None:
    ring, circle = pack.components["track"]
    assert ring.values["calls"] == circle.values["calls"] == "1 3 3 3 2 3 3 3"
    assert ring.values["layout"]["word"] == "SLLLSLLL"


def test_every_key_is_in_its_table() -> None:
    assert TABLES[0] == set(TILE)
    assert TABLES[2] == set(CIRCUIT)
    assert TABLES[3] == set(LAYOUT)
    assert all(f"`{key}`" in SECTION for key in STEP)


def test_every_value_is_in_its_table(pack: Pack) -> None:
    tile: Record = pack.components["segment"][0].values["tile"]
    layout: Record = pack.components["track"][0].values["layout"]
    assert TABLES[1] == {f"tile.{name}" for name in tile}
    assert TABLES[4] == {f"layout.{name}" for name in layout}
    assert TABLES[5] == set(layout["tiles"][0])
    needed = next(row for row in SECTION.splitlines() if "`layout.needed`" in row)
    assert all(f"`{name}`" in needed for name in layout["needed"][0])
