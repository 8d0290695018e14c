"""Figures beside a baseline, and their tables and pages."""

import re
from math import inf

import pytest
from gridpress_chariot_dash.findings import (
    Chart,
    Figure,
    SimulationReport,
    Table,
    against,
    as_data,
    cell,
    mean_text,
    per_cent,
    report_page,
    two_decimals,
)
from gridpress_chariot_dash.race.simulation import Estimate

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
        (Estimate(9.7056, 9.6467, 9.7645, 100), "9.706 ±0.059"),
        (Estimate(22.077, 21.7, 22.454, 100), "22.08 ±0.38"),
        (Estimate(1234.5, 1200.0, 1269.0, 100), "1234 ±34"),
        (Estimate(-0.5, -0.75, -0.25, 100), "−0.50 ±0.25"),
        (Estimate(-0.001, -0.6, 0.598, 100), "0.00 ±0.60"),
        (Estimate(3, 3, 3, 100), "3 ±0"),
        (Estimate(2, -inf, inf, 1), "2.0 (one race only)"),
        (None, "–"),
    ],
)
def test_a_mean_has_as_many_digits_as_its_interval(found: Estimate | None, text: str) -> None:
    assert mean_text(found) == text


def test_data_has_no_infinity() -> None:
    assert as_data(Estimate(2, -inf, inf, 1)) == {"value": 2, "low": None, "high": None, "of": 1}
    assert as_data(None) is None


def test_a_page_holds_what_was_found() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>x</title></svg>'
    finding = SimulationReport(
        "Bolt & Nut",
        ("A <b>is</b> better.",),
        (Table("Pace", ("", "rounds"), (("Bolt", "9.7 ±0.1"), ("Nut", "3 ×1.50")), "a note"),),
        (Chart("Map", svg, "how to read it", wide=True),),
        {},
    )
    page = report_page(finding, "Races")
    assert "<title>Bolt &amp; Nut</title>" in page
    assert "A &lt;b&gt;is&lt;/b&gt; better." in page
    assert svg in page
    assert re.search(r'class="wide"><figcaption><strong>Map</strong><span>how to read', page)
    assert '<td>3 <span class="ratio">×1.50</span></td>' in page
    assert "a note" in page
    assert not re.search(r"<script|<link|@import|src=|https?://(?!www\.w3\.org/2000/svg)", page)
