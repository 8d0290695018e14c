"""A vehicle's values and the pack's rules in; its licence, figures and strengths out, or a page.

What the table of games reaches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from generator.games.chariot_dash import report_charts as charts
from generator.games.chariot_dash.dice import Die
from generator.games.chariot_dash.options import Options
from generator.games.chariot_dash.profile import LOST, figures, profile
from generator.games.chariot_dash.profile_ratios import STRENGTHS, strengths
from generator.games.chariot_dash.report_licence import licence
from generator.games.chariot_dash.vehicle import Vehicle
from generator.games.showing import against, tables
from generator.games.table import Appraisal

KIND: Final = "vehicle"
BASELINE: Final = "basic"

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
    environment = Environment(
        loader=PackageLoader("generator.games.chariot_dash", "."),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    vehicles = [
        {
            "name": a.name,
            "licence": a.licence,
            "profile": tables(a.figures, with_ratios=a.name != a.baseline),
            "losses": [(LOST[n], charts.control_loss(a, n)) for n in range(len(LOST))],
        }
        for a in appraisals
    ]
    return environment.get_template("report.html.j2").render(
        title=title,
        baseline=appraisals[0].baseline,
        vehicles=vehicles,
        radar=charts.strengths(appraisals),
        speeds=charts.speed_over_rounds(appraisals),
        strengths={name: words for name, (_, words) in STRENGTHS.items()},
    )
