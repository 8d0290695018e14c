"""What a shipped pack offers to start from passes its check, and says what may be changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from packs.shipped import ROOT, copied, pack_in

from generator.build import Order, lay_out
from generator.cli import run
from generator.project import Project, Target
from generator.starters import starters

OFFERED = [
    (folder.name, kind)
    for folder in sorted((ROOT / "cards").iterdir())
    for kind in starters(folder)
]


def test_there_are_starters() -> None:
    assert {"racer", "vehicle"} <= {kind for _, kind in OFFERED}


@pytest.mark.thorough
@pytest.mark.parametrize(("pack", "kind"), OFFERED, ids=[f"{p}-{k}" for p, k in OFFERED])
def test_a_starter_passes_the_check_as_it_is(pack: str, kind: str, tmp_path: Path) -> None:
    copied(tmp_path, pack)
    assert run(["new", kind, "red-hot", "--in", str(tmp_path)]) == 0
    order = Order(only="red-hot*", strict=True)
    outcome = lay_out(Target(Project(tmp_path, ROOT), pack), order)
    assert outcome.diagnostics == ()
    assert outcome.value is not None
    assert any(face.component == "red-hot" for face in outcome.value.faces)
    path = tmp_path / "cards" / pack / f"{kind}s" / "red-hot.yaml"
    lines = path.read_text("utf-8").splitlines()
    assert not any("NAME" in line or "TITLE" in line for line in lines)
    assert sum("#" in line for line in lines) > 5


def test_a_new_racer_is_perfect_and_printed_for_itself(tmp_path: Path) -> None:
    copied(tmp_path, "joust-racers")
    assert run(["new", "racer", "red-hot", "--in", str(tmp_path)]) == 0
    racers = pack_in(tmp_path, "joust-racers").components["racer"]
    racer = next(racer for racer in racers if racer.id == "red-hot")
    assert (racer.values["name"], racer.quantity, racer.values["perfect"]) == ("Red Hot", 1, True)
    lines = (tmp_path / "cards/joust-racers/racers/red-hot.yaml").read_text("utf-8").splitlines()
    assert sum("#" in line for line in lines) > 6


def test_comments_that_are_true_of_the_starter_alone_are_not_taken_over(tmp_path: Path) -> None:
    copied(tmp_path, "joust-racers")
    for name, more in (("red-hot", []), ("mixed", ["--from", "pot-luck"])):
        assert run(["new", "racer", name, "--in", str(tmp_path), *more]) == 0
        text = (tmp_path / f"cards/joust-racers/racers/{name}.yaml").read_text("utf-8")
        assert ("as here" in text) == (not more)
        assert "an engine has Durability" in text


@pytest.mark.thorough
def test_a_racer_in_a_pack_of_its_own_is_printed_for_as_many_as_the_game_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "racer", "red-hot", "--in", str(tmp_path)]) == 0
    target = Target(Project(tmp_path, ROOT), "my-racers")
    laid_out = lay_out(target, Order(only="red-hot", papers=("a4",), strict=True))
    assert laid_out.diagnostics == ()
    path = tmp_path / "cards/my-racers/racers/red-hot.yaml"
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if "engine:" not in line), "utf-8")
    missing, *_ = lay_out(target, Order()).diagnostics
    assert missing.code == "GP201"
    assert "such as brock-engine" in missing.hint
