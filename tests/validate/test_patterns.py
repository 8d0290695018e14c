"""Patterns that could take for ever are refused; the others match whole texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.validate.patterns import MAX_TESTED, compile_pattern, matches


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "(a*)*",
        "(a|aa)+",
        "((ab)+c?)+",
        "(a?){30}",
        "(?:.a+)*",
        "(-[-a-z]+)*",
        "a*a*a*a*a*",
        "a" * 201,
        "(",
        "[[a]",
        "x{1}{2}{3}",
    ],
)
def test_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("[a-z]+(-[a-z]+)*", "war-wagon-two"),
        ("([A-Z]{2}-)?[0-9]+", "AB-12"),
        (r"[0-9]+(?:/[0-9]+)*", "1/2/3"),
        (r"\([a-z]\)|[)]", "(a)"),
        ("(ab)+", "abab"),
    ],
)
def test_matched_as_a_whole(pattern: str, text: str) -> None:
    assert matches(pattern, text)
    assert not matches(pattern, f"{text}!")


def test_long_texts_are_not_tried() -> None:
    assert matches("a*", "a" * MAX_TESTED)
    assert not matches("a*", "a" * (MAX_TESTED + 1))


@given(st.text(alphabet="ab()|*+?{}[]\\-,1^.:", max_size=20))
def test_any_pattern_is_compiled_or_refused(pattern: str) -> None:
    try:
        compile_pattern(pattern)
    except ValueError:
        return
    matches(pattern, "ab" * 20 + "!")
