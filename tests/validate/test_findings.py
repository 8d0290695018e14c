"""Every fault has a fixture, and is found once, at its line and column, under its code."""

from __future__ import annotations

from pathlib import Path

import pytest
from bundles import laid
from validate.projects import FIXTURES, PLAIN, SHIPPED, check, expected, unpacked

from generator.diagnostics import CODES

PROJECTS = sorted(path.name for path in FIXTURES.iterdir() if path != SHIPPED)


@pytest.mark.parametrize("name", PROJECTS)
def test_each_fault_is_found_once_at_its_place_and_the_same_again(
    name: str, tmp_path: Path
) -> None:
    root = unpacked(name, tmp_path)
    checked = check(root)
    assert checked.findings(root) == expected(root)
    assert [str(d) for d in checked.diagnostics if not d.hint] == [], "each says what to do"
    assert check(root).diagnostics == checked.diagnostics


def test_every_code_of_the_stage_has_a_fixture(tmp_path: Path) -> None:
    roots = [unpacked(name, tmp_path / name) for name in PROJECTS]
    provoked = {code for root in roots for *_, code, _ in expected(root)}
    of_languages = {"GP217", "GP218"}  # tests/test_languages.py provokes them, with templates
    assert {code for code in CODES if code.startswith("GP2")} <= provoked | of_languages
    assert {f"GP9{number:02}" for number in range(1, 14)} <= provoked
    assert provoked >= {"GP004", "GP309", "GP501", "GP502", "GP602", "GP603", "GP604", "GP605"}


def test_a_missing_choice_lists_the_choices(tmp_path: Path) -> None:
    kind = "kind: card\nfields:\n  suit: {type: choice, choices: [sun, moon]}\n"
    cards = "kind: card\ncomponents:\n  - id: one\n"
    files = {"cards/demo/kinds/card.yaml": kind, "cards/demo/cards.yaml": cards}
    [found] = check(laid(PLAIN | files, tmp_path)).diagnostics
    assert (found.code, found.hint) == ("GP201", "give one of sun, moon")
