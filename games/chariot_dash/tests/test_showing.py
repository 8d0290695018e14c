"""Figures beside a baseline, and the tables that they make."""

import pytest
from gridpress_chariot_dash.findings import Figure, Table, against, cell, number, share, tables

OWN = (Figure("Brakes", "from 1", "rounds", 3), Figure("Brakes", "from 1", "spaces", None))
BASE = (Figure("Brakes", "from 1", "rounds", 2), Figure("Brakes", "from 1", "spaces", 4))


def test_a_figure_stands_beside_the_one_in_its_place() -> None:
    rounds, spaces = against(OWN, reversed(BASE))
    assert (rounds.baseline, rounds.ratio) == (2, 1.5)
    assert (spaces.baseline, spaces.ratio) == (4, None)


def test_there_is_no_ratio_to_nothing() -> None:
    assert Figure("", "", "", 3, 0).ratio is None
    assert Figure("", "", "", 3, None).ratio is None


def test_a_group_is_a_table() -> None:
    made = tables(against(OWN, BASE), with_ratios=True)
    assert made == (Table("Brakes", ("", "rounds", "spaces"), (("from 1", "3 ×1.50", "–"),)),)
    assert tables(OWN, with_ratios=False)[0].rows == (("from 1", "3", "–"),)


@pytest.mark.parametrize(
    ("value", "said"), [(2.0, "2"), (2.5, "2.5"), (2.456, "2.46"), (0.0, "0"), (float("inf"), "∞")]
)
def test_a_number_has_no_idle_decimals(value: float, said: str) -> None:
    assert number(value) == said


@pytest.mark.parametrize(
    ("part", "said"), [(0.0, "0%"), (0.003, "0.3%"), (0.0996, "10%"), (0.25, "25%"), (1.0, "100%")]
)
def test_a_share_is_in_per_cent(part: float, said: str) -> None:
    assert share(part) == said
    assert cell(Figure("", "", "", part, is_share=True), with_ratio=True) == said
