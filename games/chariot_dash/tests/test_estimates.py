"""Estimates are told with their intervals, never as a bare number."""

from math import inf
from typing import NamedTuple

import pytest
from gridpress_chariot_dash.findings import as_data, decimals_of, mean_text, ratio_text, share_text


class Found(NamedTuple):
    value: float
    low: float
    high: float
    of: int = 100


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Found(9.7056, 9.6467, 9.7645), "9.706 ±0.059"),
        (Found(22.077, 21.7, 22.454), "22.08 ±0.38"),
        (Found(1234.5, 1200.0, 1269.0), "1234 ±34"),
        (Found(-0.5, -0.75, -0.25), "−0.50 ±0.25"),
        (Found(-0.001, -0.6, 0.598), "0.00 ±0.60"),
        (Found(3, 3, 3), "3 ±0"),
        (Found(2, -inf, inf, 1), "2.0 (one race only)"),
        (None, "–"),
    ],
)
def test_a_mean_has_as_many_digits_as_its_interval(found: Found | None, text: str) -> None:
    assert mean_text(found) == text


def test_a_factor_scales_the_interval_too() -> None:
    assert mean_text(Found(0.05, 0.03, 0.07), 100) == "5.0 ±2.0"


def test_a_share_has_a_decimal_where_the_interval_is_narrow() -> None:
    assert share_text(Found(0.352, 0.331, 0.373)) == "35.2% (33.1–37.3)"
    assert share_text(Found(0.35, 0.2, 0.5)) == "35% (20–50)"


def test_a_ratio_is_that_of_a_share_to_what_is_fair() -> None:
    assert ratio_text(Found(0.35, 0.3, 0.4), 0.25) == "×1.40 (1.20–1.60)"


@pytest.mark.parametrize(
    ("half", "decimals"), [(12.0, 0), (1.2, 1), (0.12, 2), (0.0012, 3), (0, 0)]
)
def test_decimals(half: float, decimals: int) -> None:
    assert decimals_of(half) == decimals


def test_data_has_no_infinity() -> None:
    assert as_data(Found(2, -inf, inf, 1)) == {"value": 2, "low": None, "high": None, "of": 1}
    assert as_data(None) is None
