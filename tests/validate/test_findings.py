"""Every fault has a fixture, and is found once, at its line and column, under its code."""

from __future__ import annotations

from pathlib import Path

import pytest
from validate.projects import FIXTURES, check, expected

from generator.codes import CODES

PROJECTS = sorted(p for p in FIXTURES.iterdir() if (p / "cards" / "demo").is_dir())


@pytest.mark.parametrize("root", PROJECTS, ids=lambda p: p.name)
def test_each_fault_is_found_once_at_its_place(root: Path) -> None:
    assert check(root).findings(root) == expected(root)


@pytest.mark.parametrize("root", PROJECTS, ids=lambda p: p.name)
def test_findings_are_the_same_again(root: Path) -> None:
    assert check(root).diagnostics == check(root).diagnostics


def test_every_code_of_the_stage_has_a_fixture() -> None:
    provoked = {code for root in PROJECTS for *_, code, _ in expected(root)}
    assert {code for code in CODES if code.startswith("GP2")} <= provoked
    assert {f"GP9{number:02}" for number in range(1, 14)} <= provoked
    assert provoked >= {"GP004", "GP309", "GP501", "GP502", "GP602", "GP603", "GP604", "GP605"}


@pytest.mark.parametrize("root", PROJECTS, ids=lambda p: p.name)
def test_each_finding_says_what_to_do(root: Path) -> None:
    assert [str(d) for d in check(root).diagnostics if not d.hint] == []
