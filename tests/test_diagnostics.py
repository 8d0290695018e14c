import json
import re
from pathlib import Path

import pytest

from generator.codes import CODES
from generator.diagnostics import Diagnostic, Outcome, Span, did_you_mean, in_order, warning

ERRORS_PAGE = Path(__file__).parent.parent / "docs/errors.md"


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


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(ValueError, match="GP999"):
        Diagnostic(Span("x"), "GP999", "")


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


def test_every_code_is_listed_in_the_docs_and_no_other() -> None:
    listed = re.findall(r"^### (GP\d{3}): (.+)$", ERRORS_PAGE.read_text(encoding="utf-8"), re.M)
    assert dict(listed) == CODES
