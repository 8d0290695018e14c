"""Reports as pages and as data."""

import re
from math import inf

from gridpress_chariot_dash.findings import Chart, Table
from gridpress_chariot_races.race.simulation import Estimate
from gridpress_chariot_races.reports import SimulationReport, as_data, report_page


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
    assert re.search(r'wide"><figcaption><strong>Map</strong><span>how to read', page)
    assert re.search(r'<td class="n">9.7<small>±0.1</small></td>', page)
    assert "a note" in page
    assert not re.search(r"<script|<link|@import|src=|https?://(?!www\.w3\.org/2000/svg)", page)
