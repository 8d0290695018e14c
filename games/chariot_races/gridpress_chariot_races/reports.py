"""Reports of races, with shares and ratios in words and as data.

A share reads `35.2% (33.1–37.3)`, a ratio `×1.41 (1.32–1.49)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

from gridpress_chariot_dash.findings import Chart, Table
from msgspec import Struct

from generator.html_pages import html_page
from gridpress_chariot_races.race.setup import RaceType
from gridpress_chariot_races.race.simulation import Estimate

_NARROW: Final = 0.1


def share_text(estimate: Estimate) -> str:
    """Format a share in per cent, with a decimal if the interval is narrow."""
    decimals = 1 if estimate.high - estimate.low < _NARROW else 0
    low, value, high = (100 * v for v in (estimate.low, estimate.value, estimate.high))
    return f"{value:.{decimals}f}% ({low:.{decimals}f}–{high:.{decimals}f})"


def ratio_text(estimate: Estimate, whole: float) -> str:
    """Format a share as a multiple of `whole`."""
    low, value, high = (v / whole for v in (estimate.low, estimate.value, estimate.high))
    return f"×{value:.2f} ({low:.2f}–{high:.2f})"


def as_data(estimate: Estimate | None) -> dict[str, Any] | None:
    """Return an estimate for JSON, which has no infinity."""
    if estimate is None:
        return None
    ends = {"low": estimate.low, "high": estimate.high}
    return {
        "value": estimate.value,
        **{name: end if isfinite(end) else None for name, end in ends.items()},
        "of": estimate.of,
    }


class Running(Struct, frozen=True):
    """Options for running races.

    races: for time trials, of each vehicle. field: vehicles in a race; 1 for time trials, None for
    all. jobs: worker processes. progress: called with races done and in all. driver: level of all
    drivers.
    """

    race: RaceType
    races: int
    seed: int
    jobs: int
    field: int | None = None
    progress: Callable[[int, int], None] | None = None
    driver: str = "steady"


class SimulationReport(Struct, frozen=True):
    """A report. words: sentences, the answer first; data: everything, for programs."""

    title: str
    words: tuple[str, ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...]
    data: Mapping[str, Any]


def report_page(finding: SimulationReport, kicker: str) -> str:
    """Return the page of a report. kicker: the line above its title."""
    return html_page(
        "gridpress_chariot_dash",
        "finding.html.j2",
        title=finding.title,
        kicker=kicker,
        words=finding.words,
        charts=finding.charts,
        tables=finding.tables,
    )
