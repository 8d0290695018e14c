"""Findings become lines and JSON: never too many to read, and without terminal codes."""

import json

import pytest

from generator.cli.terminal import MAX_LISTED, MAX_SHOWN, say, say_json, show, show_json
from generator.diagnostics import Diagnostic, Span


def findings(count: int) -> list[Diagnostic]:
    return [Diagnostic(Span("a.yaml", line), "GP205", "m") for line in range(1, count + 1)]


def test_so_many_findings_are_told_and_the_others_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show(findings(MAX_SHOWN + 30))
    told = capsys.readouterr().err.splitlines()
    assert len(told) == MAX_SHOWN + 1
    assert told[-1] == "… and 30 more findings: 30 × GP205; fix these first"


def test_the_cap_is_one_for_all_packs(capsys: pytest.CaptureFixture[str]) -> None:
    said = findings(MAX_SHOWN - 1)
    show([*said, Diagnostic(Span("b"), "GP205", "m"), Diagnostic(Span("c"), "GP201", "m")], said)
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in told] == ["b", "… and 1 more finding"]


def test_json_lists_more_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    show_json(findings(MAX_LISTED + 1))
    said = capsys.readouterr()
    assert len(json.loads(said.out)) == MAX_LISTED
    assert "1 × GP205" in said.err


def test_what_is_said_is_harmless_and_as_json_the_same_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["turned \u202e and\u2028", "red \x1b[31m", "\ud800"]
    say("\n".join(words))
    assert capsys.readouterr().out == ("turned \\u202e and\\u2028\nred \\u001b[31m\n\\ud800\n")
    say_json(words)
    said = capsys.readouterr().out
    assert json.loads(said) == words
    assert said.isascii()
