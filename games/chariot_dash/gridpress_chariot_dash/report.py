"""A vehicle's values and the pack's rules in; its licence, figures and strengths out, or a page.

What the table of games reaches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gridpress_chariot_dash import pages
from gridpress_chariot_dash import report_charts as charts
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.findings import Chart, Finding, Running
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.profile import LOST, figures, profile
from gridpress_chariot_dash.profile_ratios import STRENGTHS, strengths
from gridpress_chariot_dash.report_licence import licence
from gridpress_chariot_dash.showing import Table, against, ratio, tables
from gridpress_chariot_dash.table import Appraisal
from gridpress_chariot_dash.vehicle import Vehicle

KIND: Final = "vehicle"
BASELINE: Final = "basic"
TRACK: Final = "oval"
FIELD: Final = 4
MOST_AT_ONCE: Final = 6

Values = Mapping[str, Any]


def appraise(
    values: Values, baseline: Values, components: Mapping[str, Sequence[Values]]
) -> Appraisal:
    """A vehicle beside the baseline, with the die and the options in force of the pack."""
    options = Options.of(components.get("option", ()))
    die = next((Die.of(die) for die in components.get("die", ())), Die())
    own, base = Vehicle.of(values), Vehicle.of(baseline)
    mine = profile(own, die, options)
    theirs = mine if own.id == base.id else profile(base, die, options)
    return Appraisal(
        own.id,
        own.name,
        base.name,
        licence(values),
        against(figures(mine), figures(theirs)),
        strengths(mine, theirs),
    )


def page(appraisals: Sequence[Appraisal], title: str) -> str:
    """A page of HTML with charts as SVG in it; it needs no script, no font and no other file."""
    vehicles = [
        {
            "name": a.name,
            "licence": a.licence,
            "profile": tables(a.figures, with_ratios=a.name != a.baseline),
            "losses": [
                Chart(LOST[n], charts.control_loss(a, n), "Control loss points by speed.")
                for n in range(len(LOST))
            ],
        }
        for a in appraisals
    ]
    return pages.page(
        "report.html.j2",
        title=title,
        kicker="Chariot Dash: what a vehicle is worth",
        baseline=appraisals[0].baseline,
        vehicles=vehicles,
        radar=charts.strengths(appraisals),
        speeds=charts.speed_over_rounds(appraisals),
        strengths=_strengths(appraisals),
    )


def _strengths(appraisals: Sequence[Appraisal]) -> Table:
    """The ratios of all vehicles, and what each is the ratio of."""
    rows = tuple(
        (name, *(ratio(a.strengths[name]) for a in appraisals), words)
        for name, (_, words) in STRENGTHS.items()
    )
    title = f"Strengths, as ratios to the {appraisals[0].baseline}"
    return Table(title, ("", *(a.name for a in appraisals), "is the ratio of"), rows)


def race(
    vehicles: Sequence[Values],
    track: Values,
    components: Mapping[str, Sequence[Values]],
    running: Running,
) -> Finding:
    """Races or time trials. ValueError for a track, or a number of vehicles, that will not do."""
    from gridpress_chariot_dash import report_races  # noqa: PLC0415, `show` needs no races

    return report_races.raced(vehicles, track, components, running)


def compare(
    first: Values,
    second: Values,
    track: Values,
    components: Mapping[str, Sequence[Values]],
    running: Running,
) -> Finding:
    """Which of two vehicles is better. ValueError as for `race`."""
    from gridpress_chariot_dash import report_races  # noqa: PLC0415, `show` needs no races

    return report_races.compared(first, second, track, components, running)
