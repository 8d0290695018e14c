"""`gridpress preflight FILE` on a PDF of another program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from preflight.pdf.made import card, type1, words

from generator.cli import run

OWN = "profiles: {own: {title: Own, products: {card: [10mm, 20mm]}, colours: [grey]}}\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A card with words that are too small."""
    resources = lambda pdf: {"Font": {"/F": type1(pdf)}}  # noqa: E731
    return card(tmp_path / "card.pdf", words(size=4), resources=resources)


def test_a_warning_does_not_fail(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["preflight", str(small)]) == 0
    said = capsys.readouterr()
    assert "warning[GP821]: page 1: text is printed at 4.0 pt ‘ABAB’" in said.err + said.out
    assert "1 warning" in said.out + said.err
    assert run(["preflight", str(small), "--strict"]) == 1


def test_json_has_the_place(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["preflight", str(small), "--format", "json"])
    [found] = json.loads(capsys.readouterr().out)
    assert (found["code"], found["severity"], found["page"]) == ("GP821", "warning", 1)
    assert len(found["place_mm"]) == 4


def test_a_report_is_written(small: Path, tmp_path: Path) -> None:
    assert run(["preflight", str(small), "--report", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out/preflight.html").read_text("utf-8")
    assert "<h2>Text and lines (1)</h2>" in page
    assert "GP821" in page
    assert "1 page, " in page
    assert page.count('src="data:image/png') == 2  # the page, and the place


def test_a_profile_of_the_project(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cards/shared").mkdir(parents=True)
    (tmp_path / "cards/shared/pdf_profiles.yaml").write_text(OWN, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["preflight", str(small), "--profile", "own"]) == 1
    said = capsys.readouterr()
    assert "GP881" in said.out + said.err
    assert "GP883" in said.out + said.err
    assert run(["preflight", str(small), "--profile", "moon"]) == 2


def test_names_from_a_file_do_nothing_to_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = card(tmp_path / "card.pdf", "BT /\x1b]0;x 9 Tf 40 99 Td (a) Tj ET")
    assert run(["preflight", str(path)]) == 1
    said = capsys.readouterr()
    assert "\x1b]0" not in said.out + said.err
