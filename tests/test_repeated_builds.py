"""A build that is done already is not done again; anything else that is on the disk is built."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from generator import build, project
from generator.build import inputs_of
from generator.cache import VARIABLE, Sort
from generator.cli import run
from generator.project import find_targets

ROOT = Path(__file__).parents[1]
BASE = ROOT / "tests/fixtures/faults/base"
PACKS = set(project.Project(ROOT, ROOT).packs())
CARDS = "cards/mini/cards.yaml"


class Builds:
    """A project that is built from the command line, and how often the press was at work."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.project, self.output = folder / "project", folder / "out"
        self.presses = 0
        self._capsys = capsys

    def build(self, *options: str) -> str:
        """What is said, warnings and all."""
        run(["build", str(self.project), "-o", str(self.output), *options])
        said = self._capsys.readouterr()
        return said.out + said.err

    def files(self) -> dict[str, bytes]:
        """What is in the output folder."""
        return {path.name: path.read_bytes() for path in (self.output / "mini").iterdir()}


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Gridpress ships, without packs: in a checkout, where it is read from else, somebody may
    save a file at any time, and a build during which that happens is done again."""
    root = tmp_path_factory.mktemp("shipped")
    shutil.copytree(ROOT / "fonts", root / "fonts")
    shutil.copytree(ROOT / "cards/shared", root / "cards/shared")
    shutil.copytree(
        ROOT / "templates", root / "templates", ignore=lambda _, names: PACKS & {*names}
    )
    return root


@pytest.fixture
def builds(
    tmp_path: Path,
    shipped: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Builds:
    builds, real = Builds(tmp_path, capsys), build.press_pack
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(project, "shipped_root", lambda: shipped)
    shutil.copytree(BASE, builds.project)

    def counted(*told: Any, **more: Any) -> object:
        builds.presses += 1
        return real(*told, **more)

    monkeypatch.setattr(build, "press_pack", counted)
    return builds


def test_the_same_build_again_says_the_same_and_does_nothing(builds: Builds) -> None:
    coarse = BASE.parent / "art/coarse-art.png"
    shutil.copy(coarse, builds.project / "cards/mini/art/field.png")
    said, files = builds.build(), builds.files()
    assert "warning" in said
    assert builds.build() == said
    assert (builds.presses, builds.files()) == (1, files)
    shutil.rmtree(builds.output)
    assert builds.build("--jobs", "2") == said
    assert (builds.presses, builds.files()) == (2, files)


def changed(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


CHANGES: dict[str, Callable[[Builds], object]] = {
    "a card": lambda b: changed(b.project / CARDS),
    "a template": lambda b: changed(b.project / "templates/mini/card.svg.j2"),
    "a picture": lambda b: changed(b.project / "cards/mini/art/field.png"),
    "a new file": lambda b: (b.project / "cards/mini/.hidden.yaml").write_text("{}"),
    "a printer": lambda b: (b.project / "printer.yaml").write_text("drift: 0.1"),
    "a file by another name": lambda b: (b.project / "cards/mini/art/field.png").rename(
        b.project / "cards/mini/art/meadow.png"
    ),
    "a PDF": lambda b: changed(b.output / "mini/cards-a4.pdf"),
    "no manifest": lambda b: (b.output / "mini/manifest.json").unlink(),
    "a link in place of a PDF": lambda b: (
        (b.output / "mini/cards-a4.pdf").rename(b.output / "else.pdf"),
        (b.output / "mini/cards-a4.pdf").symlink_to(b.output / "else.pdf"),
    ),
}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_otherwise_is_built(builds: Builds, change: str) -> None:
    builds.build()
    CHANGES[change](builds)
    builds.build()
    assert builds.presses == 2


def test_a_receipt_that_somebody_wrote_in_is_none(builds: Builds) -> None:
    builds.build()
    file = Path(os.environ[VARIABLE], "v2/kept.sqlite")
    with closing(sqlite3.connect(file)) as database, database:
        asked = "SELECT rowid, value FROM kept WHERE sort = ?"
        [(row, receipt)] = database.execute(asked, (Sort.BUILDS,))
        changed = receipt.replace(b"cards-a4", b"cards-b4")
        database.execute("UPDATE kept SET value = ? WHERE rowid = ?", (changed, row))
    builds.build()
    assert builds.presses == 2


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("option", ["--ink=low", "--paper=a4", "--only=c*", "--strict"])
def test_another_order_is_built(builds: Builds, option: str) -> None:
    builds.build()
    builds.build(option)
    assert builds.presses == 2


def test_a_build_that_failed_is_tried_again(builds: Builds) -> None:
    (builds.project / CARDS).write_text("kind: card\ncomponents: [{id: one}]\n")
    assert builds.build() == builds.build()
    assert builds.presses == 2


def test_a_build_during_which_something_was_saved_is_not_kept(
    builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = build.press_pack

    def disturbed(*told: Any, **more: Any) -> object:
        try:
            return real(*told, **more)
        finally:
            path = builds.project / CARDS  # the same text, saved again: it may have been another
            path.write_text(path.read_text() + "#")
            path.write_text(path.read_text()[:-1])

    monkeypatch.setattr(build, "press_pack", disturbed)
    builds.build()
    builds.build()
    assert builds.presses == 2


@pytest.mark.thorough
def test_a_project_with_links_or_pipes_is_not_looked_over(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(BASE, tmp_path / "project"))
    [target] = find_targets([str(folder)])
    assert inputs_of(target.project) is not None
    nested = os.open(folder / "cards/mini", os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=nested)
        inner = os.open("d", os.O_RDONLY, dir_fd=nested)
        os.close(nested)
        nested = inner
    os.close(nested)
    assert inputs_of(target.project) is None
    subprocess.run(["rm", "-r", folder / "cards/mini/d"], check=True)  # shutil gives up on it
    for make in (
        lambda path: path.symlink_to(folder / CARDS),
        lambda path: path.symlink_to(folder / "cards/mini/art"),
        os.mkfifo,
        lambda path: path.hardlink_to(folder / CARDS),
    ):
        odd = folder / "cards/mini/odd"
        make(odd)
        assert inputs_of(target.project) is None
        odd.unlink()
    assert inputs_of(target.project) is not None


@pytest.mark.parametrize("part", ["fonts", "templates", "printer.yaml"])
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_what_stands_in_the_place_of_a_part_is_not_waited_for(
    tmp_path: Path, part: str, kind: str
) -> None:
    folder = Path(shutil.copytree(BASE, tmp_path / "project"))
    [target] = find_targets([str(folder)])
    odd = folder / part
    if odd.exists():
        odd.rename(tmp_path / "moved")
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to(tmp_path / "moved")
    assert inputs_of(target.project) is None
