import json
import re
from pathlib import Path

import pytest

from generator.diagnostics import (
    CODES,
    Diagnostic,
    Outcome,
    Span,
    did_you_mean,
    foremost,
    in_order,
    warning,
)

ROOT = Path(__file__).parent.parent
TESTS = (".py", ".txt", ".yaml", ".json")


def test_a_diagnostic_reads_as_the_contract_says() -> None:
    diagnostic = Diagnostic(
        Span("cards/x/vehicles.yaml", 12, 7), "GP204", "moves: 13 is over 12", "at most 12"
    )
    assert str(diagnostic) == (
        "cards/x/vehicles.yaml:12:7: error[GP204]: moves: 13 is over 12\n    at most 12"
    )
    assert json.loads(json.dumps(diagnostic.as_dict())) == {
        "file": "cards/x/vehicles.yaml",
        "line": 12,
        "column": 7,
        "severity": "error",
        "code": "GP204",
        "message": "moves: 13 is over 12",
        "hint": "at most 12",
    }


@pytest.mark.parametrize("code", ["", "GP12", "gp123", "GP123\n"])
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="no code"):
        Diagnostic(Span("x"), code, "")


def test_every_code_that_is_written_anywhere_is_in_the_table() -> None:
    texts = (path.read_text("utf-8") for path in (ROOT / "generator").rglob("*.py"))
    assert {code for text in texts for code in re.findall(r'"(GP\d{3})"', text)} == CODES.keys()


def test_every_code_is_asked_for_by_a_test() -> None:
    files = (path for path in (ROOT / "tests").rglob("*") if path.suffix in TESTS)
    asked = {code.decode() for path in files for code in re.findall(rb"GP\d{3}", path.read_bytes())}
    assert CODES.keys() - asked == set()


def test_order_is_by_place_and_twins_are_shown_once() -> None:
    late, early = (Diagnostic(Span("a", line), "GP201", "m") for line in (9, 2))
    assert in_order([late, early, late]) == (early, late)


def test_only_errors_make_an_outcome_fail() -> None:
    assert Outcome(1, (warning(Span("a"), "GP505", "coarse"),)).ok
    assert not Outcome(1, (Diagnostic(Span("a"), "GP201", "m"),)).ok


def test_did_you_mean_names_the_nearest_or_lists_all() -> None:
    assert did_you_mean("lable", ["label", "name"]) == "did you mean 'label'?"
    assert did_you_mean("zzz", ["label", "name"]) == "known: label, name"
    assert did_you_mean("zzz", []) == ""


@pytest.mark.parametrize("meant", ["caf\u00e9", "cafe\u0301\u200b", "caf\u00e9\u00ad"])
def test_words_that_look_alike_are_told_to_be_others(meant: str) -> None:
    said = did_you_mean("cafe\u0301", [meant, "name"])
    assert said.startswith(f"did you mean {meant!r}?\nthey look alike, but")
    assert "alike" not in did_you_mean("cafes", ["cafe"])


def test_words_of_strangers_reach_no_terminal_as_they_are() -> None:
    found = Diagnostic(Span("a\x1b[2J\udcff"), "GP201", "x\x1b]0;y\x07\n\u202ez", "one\ntwo\x9b")
    assert "\\u001b[2J\\udcff:1:1" in str(found)
    assert found.message == "x\\u001b]0;y\\u0007\\u000a\\u202ez"
    assert found.hint == "one\ntwo\\u009b"
    assert json.dumps(found.as_dict(), ensure_ascii=False).encode().isascii()


def test_the_foremost_are_errors_and_the_others_are_counted() -> None:
    found = [
        *(warning(Span("a", line), "GP505", "coarse") for line in range(1, 4)),
        *(Diagnostic(Span("b", line), "GP201", "m") for line in range(1, 3)),
    ]
    shown, others = foremost(found, 3)
    assert [str(one.span) for one in shown] == ["a:1:1", "b:1:1", "b:2:1"]
    assert others == "2 more findings: 2 × GP505"
    assert foremost(found, 5) == (tuple(found), "")
