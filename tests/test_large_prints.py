"""From a project's files to posters and nested tiles, and what a build says of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from generator.build import Order, press_pack
from generator.cli import run
from generator.project import Target, find_targets

BASE = Path(__file__).parent / "fixtures/faults/base"
WALL = """\
title: Mini
version: 1.0.0
stocks: {poker: {size: [300mm, 260mm], edge: white}}
prints:
  wall: {title: Wall, kinds: [card], papers: [a4, letter], layout: poster, overlap: 12mm}
"""
TILES = """\
title: Mini
version: 1.0.0
stocks: {poker: {size: [100mm, 86.6mm], shape: hexagon, edge: white}}
prints:
  tiles: {title: Tiles, kinds: [card], papers: [a4], layout: nested}
"""


def project(folder: Path, pack: str) -> Target:
    shutil.copytree(BASE, folder)
    (folder / "cards/mini/pack.yaml").write_text(pack, encoding="utf-8")
    (folder / "templates/mini/card.svg.j2").write_text(
        '<rect x="-3" y="-3" width="306" height="266" fill="#dfe8d8"/>\n'
        '{{ text_line(c.name, stock.w / 2, stock.h / 2, "body", anchor="middle") }}\n',
        encoding="utf-8",
    )
    return find_targets([str(folder)])[0]


@pytest.mark.parametrize("pack", [WALL, TILES], ids=["poster", "nested"])
def test_a_build_is_silent_and_the_same_for_any_number_of_workers(
    pack: str, tmp_path: Path
) -> None:
    target = project(tmp_path / "project", pack)
    for jobs in (1, 2):
        outcome = press_pack(target, Order(jobs=jobs), tmp_path / str(jobs))
        assert outcome.diagnostics == ()
    one, two = (
        {p.name: p.read_bytes() for p in (tmp_path / str(jobs) / "mini").iterdir()}
        for jobs in (1, 2)
    )
    assert one == two


def test_the_build_tells_the_waste_and_counts_a_poster_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = project(tmp_path / "project", WALL)
    assert run(["build", str(target.project.root), "-o", str(tmp_path / "out")]) == 0
    manifest = json.loads((tmp_path / "out/mini/manifest.json").read_text("utf-8"))
    cards = sum(manifest["kinds"]["card"]["quantities"].values())
    file = manifest["files"][0]
    pages = len(file["pages"])
    assert file["waste"] == pytest.approx(1 - cards * 300 * 260 / (pages * 200 * 287), abs=1e-4)
    said = capsys.readouterr().out
    assert f"{pages} pages" in said
    assert f"{cards} piece" in said
    assert f"{100 * file['waste']:.0f} % waste" in said
