"""Figures beside a baseline, and numbers in words."""

from math import inf

import pytest
from gridpress_chariot_dash.findings import (
    Figure,
    Mean,
    against,
    cell,
    mean_text,
    per_cent,
    two_decimals,
)

OWN = (Figure("Brakes", "from 1", "rounds", 3), Figure("Brakes", "from 1", "spaces", None))
BASE = (Figure("Brakes", "from 1", "rounds", 2), Figure("Brakes", "from 1", "spaces", 4))


def test_a_figure_stands_beside_the_one_in_its_place() -> None:
    rounds, spaces = against(OWN, reversed(BASE))
    assert (rounds.baseline, rounds.ratio) == (2, 1.5)
    assert (spaces.baseline, spaces.ratio) == (4, None)


@pytest.mark.parametrize(
    ("value", "said"), [(2.0, "2"), (2.5, "2.5"), (2.456, "2.46"), (0.0, "0"), (float("inf"), "∞")]
)
def test_a_number_has_no_idle_decimals(value: float, said: str) -> None:
    assert two_decimals(value) == said


@pytest.mark.parametrize(
    ("part", "said"), [(0.0, "0%"), (0.003, "0.3%"), (0.0996, "10%"), (0.25, "25%"), (1.0, "100%")]
)
def test_a_share_is_in_per_cent(part: float, said: str) -> None:
    assert per_cent(part) == said
    assert cell(Figure("", "", "", part, is_share=True), with_ratio=True) == said


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Mean(9.7056, 9.6467, 9.7645), "9.706 ±0.059"),
        (Mean(22.077, 21.7, 22.454), "22.08 ±0.38"),
        (Mean(1234.5, 1200.0, 1269.0), "1234 ±34"),
        (Mean(-0.5, -0.75, -0.25), "−0.50 ±0.25"),
        (Mean(-0.001, -0.6, 0.598), "0.00 ±0.60"),
        (Mean(3, 3, 3), "3 ±0"),
        (Mean(2, -inf, inf), "2.0 (one race only)"),
        (None, "–"),
    ],
)
def test_a_mean_has_as_many_digits_as_its_interval(found: Mean | None, text: str) -> None:
    assert mean_text(found) == text
