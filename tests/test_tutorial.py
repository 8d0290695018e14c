"""The tutorial, step by step as it is written; each step has its picture."""

import importlib.util
import itertools
import re
from pathlib import Path

import pytest
import yaml

from generator.cli import run
from generator.looks import card_looks

DOCS = Path(__file__).parent.parent / "docs"


def test_every_step_of_the_tutorial_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = importlib.util.spec_from_file_location("tutorial", DOCS / "tutorial.py")
    assert spec is not None
    assert spec.loader is not None
    tutorial = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tutorial)
    monkeypatch.chdir(tmp_path)
    two = dict(itertools.islice(card_looks().items(), 2))
    monkeypatch.setattr(
        "generator.cli.look_sheet.card_looks", lambda: two
    )  # tests of looks draw all
    for chapter in tutorial.chapters():
        tutorial.follow(chapter)
    printed = Path("output/my-creatures/creatures-a4.pdf").read_bytes()
    assert run(["build", "creatures.zip", "-o", "friend", "--paper", "a4"]) == 0
    assert Path("friend/my-creatures/creatures-a4.pdf").read_bytes() == printed
    capsys.readouterr()


def test_every_step_has_its_picture() -> None:
    text = (DOCS / "tutorial.md").read_text("utf-8")
    steps = text.split("\n## ")[2:7]
    assert [step for step in steps if "](pictures/tutorial-" not in step] == []


def test_all_pages_are_on_the_site() -> None:
    site = yaml.safe_load((DOCS.parent / "mkdocs.yml").read_text("utf-8"))
    listed = set(re.findall(r"[\w/-]+\.md", str(site["nav"])))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert pages == listed
