"""Rows of one table that become components of several kinds: `where` beside `rows`."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.diagnostics import Diagnostic
from generator.load import read_pack
from generator.project import Project

TABLE = """id,Type,name,cost,attack
a,Spell,Flash,1,
b,Monster,Owl,2,4
c,spell,Fog,3,
d,Monster,Wolf,12,7
"""
SPELLS = 'kind: spell\nrows: all.csv\nignore: [Type]\nwhere: type|lower == "spell"\n'
MONSTERS = 'kind: monster\nrows: all.csv\nignore: [Type]\nwhere: type == "Monster"\n'


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cards/p"
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text("title: P\n")
    (folder / "all.csv").write_text(TABLE)
    return folder


def read(cards: Path, **files: str) -> tuple[list[tuple[str, str]], list[Diagnostic]]:
    """Kind and id of each component, and what is reported."""
    for name, text in files.items():
        (cards / f"{name}.yaml").write_text(text)
    root = cards.parent.parent
    outcome = read_pack(Project(root, root), "p", None)
    found = outcome.value.components if outcome.value else ()
    ids = [(one.kind.text, getattr(one.node.get("id"), "text", "")) for one in found]
    assert not any(one.node.get("type") for one in found)
    return ids, list(outcome.diagnostics)


def test_a_column_chooses_the_kind_of_a_row(cards: Path) -> None:
    ids, told = read(cards, spells=SPELLS, monsters=MONSTERS)
    both = [("monster", "b"), ("monster", "d"), ("spell", "a"), ("spell", "c")]
    assert (sorted(ids), told) == (both, [])


def test_numbers_compare_as_numbers_and_empty_cells_as_empty(cards: Path) -> None:
    text = 'kind: big\nrows: all.csv\nignore: Type\nwhere: attack != "" and cost > 2\n'
    assert read(cards, big=text)[0] == [("big", "d")]


def test_rows_that_no_kind_takes_are_named_once(cards: Path) -> None:
    ids, (told,) = read(
        cards, spells=SPELLS.replace("|lower", "").replace('spell"', 'Spell"'), m=MONSTERS
    )
    assert ("spell", "c") not in ids
    assert (told.code, told.span.file, told.span.line) == ("GP113", "cards/p/all.csv", 4)
    assert told.message == "no where: matches row 4"


@pytest.mark.parametrize(
    ("where", "code", "said"),
    [
        ("typ == 'Spell'", "GP211", "did you mean 'type'?"),
        ("type ==", "GP211", "not closed"),
        ("cost > type", "GP211", "see expressions"),
        ("[Spell]", "GP203", "write where:"),
    ],
)
def test_a_wrong_condition_is_told_once_at_its_place(
    cards: Path, where: str, code: str, said: str
) -> None:
    _, (told,) = read(cards, spells=f"kind: spell\nrows: all.csv\nwhere: {where}\n")
    assert (told.code, told.span.line) == (code, 3)
    assert said in told.hint


def test_where_needs_a_table(cards: Path) -> None:
    _, (told,) = read(cards, spells="kind: spell\ncomponents: []\nwhere: cost > 2\n")
    assert (told.code, told.span.line) == ("GP203", 3)
