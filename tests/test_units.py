"""Holds that sums of floats are the same on every Python: `summed`, not the built-in sum."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.geometry import format_mm, mm_to_pt, parse_length, pt_to_mm, summed


@pytest.mark.parametrize(
    ("text", "mm"),
    [("63.5mm", 63.5), ("2.5in", 63.5), ("2.5 in", 63.5), ("7", 7), ("1cm", 10), ("72pt", 25.4)],
)
def test_lengths(text: str, mm: float) -> None:
    assert parse_length(text) == pytest.approx(mm)


@pytest.mark.parametrize("text", ["", "mm", "1.2.3mm", "3 ft", "1e3mm", "nan", "1_0mm"])
def test_not_lengths(text: str) -> None:
    with pytest.raises(ValueError, match="is not a length"):
        parse_length(text)


@given(st.floats(-1e4, 1e4))
def test_points_and_back(mm: float) -> None:
    assert pt_to_mm(mm_to_pt(mm)) == pytest.approx(mm, abs=1e-9)


@given(st.integers(-10_000_000, 10_000_000))
def test_formatted_millimetres_read_back(tenths_of_micrometres: int) -> None:
    mm = tenths_of_micrometres / 10_000
    assert parse_length(format_mm(mm)) == pytest.approx(mm, abs=1e-9)


def test_floats_are_added_one_after_the_other() -> None:
    tenths = [0.1] * 10
    assert summed(tenths) == 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 != 1
    assert summed([1e100, 1.0, -1e100]) == 0


def test_whole_numbers_stay_whole() -> None:
    assert repr(summed([1, 2])) == "3"
    assert repr(summed(())) == "0"
