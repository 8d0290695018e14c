"""What a shipped pack offers to start from passes its check, and says what may be changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from generator.cli import run
from generator.starting import starters

ROOT = Path(__file__).parents[2]
OFFERED = [
    (folder.name, kind)
    for folder in sorted((ROOT / "cards").iterdir())
    for kind in starters(folder)
]


def test_there_are_starters() -> None:
    assert {"racer", "vehicle"} <= {kind for _, kind in OFFERED}


@pytest.mark.parametrize(("pack", "kind"), OFFERED, ids=[f"{p}-{k}" for p, k in OFFERED])
def test_a_starter_passes_the_check_as_it_is(pack: str, kind: str, tmp_path: Path) -> None:
    for folder in ("cards", "templates"):
        shutil.copytree(ROOT / folder / pack, tmp_path / folder / pack)
    assert run(["new", kind, "red-hot", "--in", str(tmp_path)]) == 0
    assert run(["check", str(tmp_path), "--strict"]) == 0
    path = tmp_path / "cards" / pack / f"{kind}s" / "red-hot.yaml"
    lines = path.read_text("utf-8").splitlines()
    assert not any("NAME" in line or "TITLE" in line for line in lines)
    assert sum("#" in line for line in lines) > 5
