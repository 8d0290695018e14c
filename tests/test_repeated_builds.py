"""A finished build is not repeated unless something on the disk has changed."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import build, project
from generator.cache import VARIABLE
from generator.cli import run

ROOT = Path(__file__).parents[1]
BASE = ROOT / "tests/fixtures/faults/base"
PACKS = set(project.Project(ROOT, ROOT).packs())
CARDS = "cards/mini/cards.yaml"


class Builds:
    """A project built from the command line, and the number of times that the press worked."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.project, self.output = folder / "project", folder / "out"
        self.presses = 0
        self._capsys = capsys

    def build(self, *options: str) -> str:
        """Build, and return the output with its warnings."""
        run(["build", str(self.project), "-o", str(self.output), *options])
        said = self._capsys.readouterr()
        return said.out + said.err

    def files(self) -> dict[str, bytes]:
        """Return the content of each file in the output folder."""
        return {path.name: path.read_bytes() for path in (self.output / "mini").iterdir()}


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the files that Gridpress ships, without packs: a save in the checkout during a build
    would make it run again."""
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


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_otherwise_is_built(builds: Builds, change: str) -> None:
    builds.build()
    CHANGES[change](builds)
    builds.build()
    assert builds.presses == 2


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
