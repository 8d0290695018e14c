"""Patterns never take long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.validate.field_types import compile_pattern, matches


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "missing"),
        ("[a", "missing"),
        # A backtracking engine would be needed.
        (r"(a)\1", "escape"),
        ("(?=a)b", "operator"),
        ("a++", "repe"),
        # These need too much memory.
        ("(a{1000}){1000}", "repe"),
        (r"[^a]{1000}", "too much"),
        ("(?:.{0,400}a.{0,400}b)c", "too much"),
        ("\ud83d", "half"),
    ],
)
def test_refused(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+b",
        "(a*)*b",
        "(a|aa)+b",
        "(a?){30}a{30}b",
        "a?" * 60 + "a" * 60 + "b",
        "a*a*a*a*a*a*a*a*a*b",
        "(.*)(.*)(.*)(.*)(.*)[^a]",
        "(([ab])*c?)+d",
    ],
)
def test_repeats_of_repeats_take_no_time(pattern: str) -> None:
    assert not matches(pattern, "a" * 5_000)


def test_half_of_a_character_matches_nothing() -> None:
    assert not matches(".*", "a\ud83d")


def test_the_same_as_in_the_schema_that_editors_read() -> None:
    # ECMAScript knows digits and letters of English only, as RE2 does.
    assert matches(r"\d+", "12")
    assert not matches(r"\d+", "١٢")
    assert matches("é+", "éé")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("[a-z]+(-[a-z]+)*", "war-wagon-two"),
        ("([A-Z]{2}-)?[0-9]+", "AB-12"),
        (r"[0-9]+(?:/[0-9]+)*", "1/2/3"),
        (r"\([a-z]\)|[)]", "(a)"),
        ("(ab)+", "abab"),
        ("a|b", "b"),
        ("[(?P]+", "(?P"),
        (r"(?:\(\?)+x", "(?x"),
    ],
)
def test_matched_as_a_whole(pattern: str, text: str) -> None:
    assert matches(pattern, text)
    assert not matches(pattern, f"{text}!")


@given(st.text(alphabet="ab()|*+?{}[]\\-,1^.:", max_size=20))
def test_any_pattern_is_compiled_or_refused(pattern: str) -> None:
    try:
        compile_pattern(pattern)
    except ValueError:
        return
    matches(pattern, "ab" * 20 + "!")
