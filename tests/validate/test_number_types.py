"""Numbers and lengths are read strictly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.diagnostics import Span
from generator.model.pack import Field
from generator.model.source import Scalar
from generator.validate.field_types import (
    FIELD_TYPES,
    parse_bool,
    parse_colour,
    parse_int,
    parse_mm,
    parse_number,
)
from generator.validate.reading import Reading


@pytest.mark.parametrize(("text", "value"), [("12", 12), ("-3", -3), ("+1", 1), ("0", 0)])
def test_whole_numbers(text: str, value: int) -> None:
    assert parse_int(text) == value


@pytest.mark.parametrize(
    "text", ["", "0123", "1_000", "1:30", "1.0", "1e3", " 1", "٣", "--1", "9" * 16, "0x1f", "1,000"]
)
def test_what_is_no_whole_number(text: str) -> None:
    with pytest.raises(ValueError, match="not a whole number"):
        parse_int(text)


def test_numbers_keep_their_kind() -> None:
    assert (parse_number("12"), parse_number("-0.5"), parse_number("2.0")) == (12, -0.5, 2.0)
    assert isinstance(parse_number("12"), int)
    assert isinstance(parse_number("2.0"), float)


@pytest.mark.parametrize("text", ["1.", ".5", "1e3", "nan", "inf", "1_0.5", "00.5"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="not a number"):
        parse_number(text)


@pytest.mark.parametrize(
    ("text", "mm"), [("63.5mm", 63.5), ("2.5in", 63.5), ("1 cm", 10), ("72pt", 25.4), ("3", 3)]
)
def test_lengths_are_millimetres(text: str, mm: float) -> None:
    assert parse_mm(text) == pytest.approx(mm)


@pytest.mark.parametrize("text", ["12px", "", "mm", "9" * 400, "1e2mm"])
def test_what_is_no_length(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a length|longer than"):
        parse_mm(text)


@given(st.text(max_size=40) | st.from_regex(r"[+-]?[0-9_.:e]{1,30}(mm|cm|in|pt)?", fullmatch=True))
def test_any_text_is_a_value_or_a_value_error(text: str) -> None:
    for parse in (parse_int, parse_number, parse_mm, parse_bool):
        try:
            value = parse(text)
        except ValueError:
            continue
        assert isinstance(value, (int, float))
    try:
        colour = parse_colour(text, {})
    except ValueError:
        return
    assert len(colour) == 7


@given(st.integers(-(10**14), 10**14))
def test_every_whole_number_is_read_as_it_is_written(number: int) -> None:
    assert parse_int(str(number)) == number
    assert parse_number(str(number)) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#A3571C", "#a3571c"),
        ("#a5c", "#aa55cc"),
        ("bronze", "#a8743a"),
        ("tan", "#010203"),
        ("navy", "#000080"),
    ],
)
def test_colours_by_number_palette_and_css(text: str, value: str) -> None:
    assert parse_colour(text, {"bronze": "#a8743a", "tan": "#010203"}) == value


@pytest.mark.parametrize("text", ["#a357", "a3571c", "#ggg", "brown sugar", "rgb(1,2,3)"])
def test_what_is_no_colour(text: str) -> None:
    with pytest.raises(ValueError, match="not a colour"):
        parse_colour(text, {})


@pytest.mark.parametrize(
    ("text", "hint"),
    [("two", "write 2"), (" Drei ", "write 3"), ("1,000", "write 1000; or"), ("few", "such as 12")],
)
def test_a_number_that_is_written_otherwise_is_told_with_its_digits(text: str, hint: str) -> None:
    reading = Reading(FIELD_TYPES)
    rule = Field("cost", "int", Span("k.yaml"))
    reading.read(Scalar(text, Span("a.yaml")), rule, "cost", Span("a.yaml"))
    (fault,) = reading.faults
    assert (fault.code, fault.hint.startswith(hint)) == ("GP203", True)
