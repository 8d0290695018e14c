import re
from pathlib import Path

import pytest

from generator import guests
from generator.cli import run
from generator.diagnostics import CODES
from generator.explanations import subjects


def test_every_code_of_gridpress_and_of_shipped_games_is_explained() -> None:
    explained = [found for subject in subjects() for found in subject.explanations]
    theirs = [guest.codes for guest in guests.installed().value]
    assert len(theirs) >= 2
    assert {found.code for found in explained} == {*CODES, *(c for codes in theirs for c in codes)}
    assert [found.code for found in explained if len(found.advice.split()) < 8] == []


def test_codes_are_explained_as_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "gp401", "211", "[GP301]"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("GP401: text does not fit its box\n\nEven at the style's smallest")
    assert "\n\nGP301: a template is missing\n\n" in said
    assert "kinds (docs/kinds.md) explains expressions" in " ".join(said.split())
    assert max(map(len, said.splitlines())) <= 80


def test_without_a_code_all_are_listed_by_subject(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain"]) == 0
    said = capsys.readouterr().out
    assert "\n\nText and fonts\n  GP401  text does not fit its box\n" in said
    assert set(re.findall(r"^  (\w+)  ", said, re.M)) > CODES.keys()


def test_a_wrong_code_brings_the_closest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "GP410"]) == 2
    said = capsys.readouterr().err
    assert "there is no code 'GP410': did you mean " in said
    assert "GP401 (text does not fit its box)" in said
    assert run(["explain", "bleed"]) == 2
    assert "there is no code 'bleed': gridpress explain lists all" in capsys.readouterr().err


def broken(folder: Path) -> list[str]:
    """Two packs, each with two errors, as words of a command."""
    for name in ("one", "two"):
        assert run(["new", "pack", name, "--in", str(folder / name)]) == 0
        cards = folder / name / f"cards/{name}/cards.yaml"
        cards.write_text(cards.read_text("utf-8").replace("cost:", "cots:"), "utf-8")
    return [str(folder / "one"), str(folder / "two")]


def test_a_run_says_once_how_to_learn_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packs = broken(tmp_path)
    capsys.readouterr()
    assert run(["check", *packs]) == 1
    said = capsys.readouterr().err
    assert said.count("says more") == 1
    first = re.search(r"error\[(GP\d{3})\]", said)
    assert first
    assert said.endswith(f"\ngridpress explain {first[1]} says more\n")
    assert run(["check", "--format", "json", *packs]) == 1
    assert "says more" not in "".join(capsys.readouterr())
    assert run(["build", "nowhere"]) == 1
    assert capsys.readouterr().err.endswith("\ngridpress explain GP001 says more\n")
