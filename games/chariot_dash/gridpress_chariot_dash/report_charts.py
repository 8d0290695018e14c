"""Appraisals of vehicles in, the charts of their report as SVG out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gridpress_chariot_dash import charts
from gridpress_chariot_dash.profile import BY_ROUND, LOST, LOST_PARTS
from gridpress_chariot_dash.speed_table import TOP
from gridpress_chariot_dash.table import Appraisal

SHADES: Final = ("#f0e0bd", "#dba45c", "#b25a2b", "#6d2315")


def strengths(appraisals: Sequence[Appraisal]) -> str:
    """A radar of all vehicles; the baseline is its ring at 1."""
    axes = tuple(appraisals[0].strengths)
    series = {a.name: tuple(a.strengths[axis] for axis in axes) for a in appraisals}
    return charts.radar(axes, series)


def speed_over_rounds(appraisals: Sequence[Appraisal]) -> str:
    """The mean speed of each vehicle after each round, and that of the baseline."""
    series = {a.name: [f.value for f in a.figures if f.group == BY_ROUND] for a in appraisals}
    first = appraisals[0]
    base = [f.baseline for f in first.figures if f.group == BY_ROUND]
    series.setdefault(first.baseline, base)
    return charts.lines(series, "round", "mean speed", TOP)


def control_loss(appraisal: Appraisal, cards: int) -> str:
    """How likely a turn costs how many CLP: a bar for each speed, and one of the baseline."""
    figures = [f for f in appraisal.figures if f.group == LOST[cards]]
    rows: dict[str, list[float]] = {}
    for row in dict.fromkeys(f.row for f in figures):
        of_row = [f for f in figures if f.row == row]
        rows[row] = [f.value or 0.0 for f in of_row]
        if appraisal.name != appraisal.baseline:
            rows[f"{row}, baseline"] = [f.baseline or 0.0 for f in of_row]
    return charts.stacks(rows, LOST_PARTS, SHADES)
