"""The generated pages of the reference are those that `make reference` would write."""

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from generator.cli import run

DOCS = Path(__file__).parent.parent / "docs"


@cache
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", DOCS / "reference.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["errors.md", "limits.md", "commands.md"])
def test_a_page_is_current(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # in a project, others could start components
    assert reference().pages()[name] == (DOCS / name).read_text("utf-8"), "run make reference"


def test_the_words_of_an_option_fit_a_table() -> None:
    cell = reference().cell
    assert cell("Begin at label N.  [1<=x<=10000]") == "Begin at label N. (1 to 10000)"
    assert cell("Stop.  [default: (one a core); x>=1]") == "Stop. (default: one a core; 1 or more)"
    assert cell("a|b, * and ?") == r"a\|b, \* and ?"


def test_the_sample_finding_is_printed_like_this(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "pack", "duel"]) == 0
    cards = Path("cards/duel/cards.yaml")
    cards.write_text(cards.read_text("utf-8").replace("cost:", "cots:", 1), "utf-8")
    assert run(["check", "."]) == 1
    said = capsys.readouterr().err
    assert f"\n```\n{said}```\n" in (DOCS / "errors.md").read_text("utf-8")
