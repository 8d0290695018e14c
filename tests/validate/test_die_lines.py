"""Path data as a die line: what is refused, and that nothing else happens to any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.geometry import Size
from generator.validate.stocks import MAX_LENGTH, path_fault

TRIM = Size(50, 40)


@pytest.mark.parametrize(
    "path",
    [
        "M0 0 H50 V40 H0 Z",
        "M0 0 h50 v40 z M10 10 L20 10 L20 20 Z",  # with a hole
        "M25 0 A25 20 0 0 1 25 40 A25 20 0 0 1 25 0 Z",
        "M0 20 C0 -6.6 50 -6.6 50 20 Q25 40 0 20 Z",  # handles reach out, the curve does not
        "M-0.005 0 H50.005 V40 Z",
    ],
)
def test_closed_outlines_inside_the_trim_are_right(path: str) -> None:
    assert path_fault(path, TRIM) is None


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("hello", "not SVG path data"),
        ("", "not SVG path data"),
        ("M0 0 L10", "cannot be read"),
        ("M0 0 A10 10 0 2 1 5 5 Z", "cannot be read"),
        ("M0 0 Z", "encloses nothing"),
        ("M0 0 H50 V40", "not closed"),
        ("M0 0 H50 V40 M0 0 H10 V10 Z", "not closed"),
        ("M0 0 H1e999 V40 Z", "no place on a sheet"),
        ("M0 0 H1e300 V40 Z", "no place on a sheet"),
        ("M0 0 H50.02 V40 Z", "beyond the trim"),
        ("M0 0 C0 -10 50 -10 50 0 V40 Z", "beyond the trim"),
        ("M0 0" + " H50" * MAX_LENGTH + " Z", "characters"),
    ],
)
def test_what_is_wrong_is_said(path: str, said: str) -> None:
    found = path_fault(path, TRIM)
    assert found is not None
    message, hint = found
    assert said in message
    assert hint


@given(st.text("MmZzLlHhVvCcSsQqTtAa0123456789eE+-., ", max_size=60))
def test_any_path_data_is_either_right_or_told(path: str) -> None:
    found = path_fault(f"M0 0 {path}", TRIM)
    assert found is None or all(found)
