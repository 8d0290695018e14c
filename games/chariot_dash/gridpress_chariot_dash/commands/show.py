"""`gridpress vehicle show`: names in; licences and profiles as tables, JSON or a page out."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import click

from generator.cli import options, report
from generator.diagnostics import Severity, did_you_mean
from gridpress_chariot_dash.commands.finding import Entrant, no_vehicle, open_vehicles
from gridpress_chariot_dash.commands.html_page import html, write_page
from gridpress_chariot_dash.commands.tables import show_tables
from gridpress_chariot_dash.showing import Table, ratio, tables
from gridpress_chariot_dash.table import Appraisal


@click.command("show")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--against",
    metavar="ID",
    help="Measure against this vehicle instead of the baseline of the game.",
)
@html
@options.format_
def command(names: tuple[str, ...], against: str | None, page: Path | None, format_: str) -> int:
    """Show vehicles: the licence, and what it is worth beside the baseline.

    Boxes to each speed, braking distances, what a turn costs and how likely it is held, how much
    damage it takes, which speed its stamina keeps up, what its hand allows. Each number has its
    ratio to the baseline behind it: ×1.20 is a fifth more. All of it is worked out from the rules
    and the dice; `gridpress vehicle compare` races it.
    """
    outcome = open_vehicles(names)
    errors = [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
    report.show(errors)
    if errors or not outcome.value:
        return 1
    once = {entrant.component.span: entrant for entrant in outcome.value}
    appraisals = [_appraised(entrant, against) for entrant in once.values()]
    if page is not None:
        title = ", ".join(appraisal.name for appraisal in appraisals)
        write_page(page, outcome.value[0].game.page(appraisals, title))
    if format_ == "json":
        report.say_json([_as_json(a) for a in appraisals])
    elif page is None:
        for appraisal in appraisals:
            show_tables((*appraisal.licence, *_profile(appraisal)))
    return 0


def _appraised(entrant: Entrant, against: str | None) -> Appraisal:
    game = entrant.game
    baseline = entrant.rival(against or game.BASELINE)
    if baseline is None:
        ids = [c.id for c in entrant.opened.pack.components[game.KIND]]
        hint = did_you_mean(against or game.BASELINE, ids)
        raise no_vehicle(against or game.BASELINE, f"{hint}; --against names another".lstrip("; "))
    return game.appraise(entrant.component.values, baseline.values, entrant.components)


def _profile(appraisal: Appraisal) -> Sequence[Table]:
    own = appraisal.name == appraisal.baseline
    rows = tuple((name, ratio(value)) for name, value in appraisal.strengths.items())
    strengths = Table(f"Strengths, beside {appraisal.baseline}", ("", "ratio"), rows)
    profile = tables(appraisal.figures, with_ratios=not own)
    return profile if own else (strengths, *profile)


def _as_json(appraisal: Appraisal) -> dict[str, Any]:
    return {
        "vehicle": appraisal.id,
        "name": appraisal.name,
        "baseline": appraisal.baseline,
        "licence": [
            {"title": t.title, "columns": list(t.columns), "rows": [list(row) for row in t.rows]}
            for t in appraisal.licence
        ],
        "strengths": dict(appraisal.strengths),
        "profile": [
            {
                "group": f.group,
                "row": f.row,
                "column": f.column,
                "value": _finite(f.value),
                "baseline": _finite(f.baseline),
                "ratio": _finite(f.ratio),
            }
            for f in appraisal.figures
        ],
    }


def _finite(value: float | None) -> float | None:
    """JSON has no word for what has no end."""
    return value if value is None or isfinite(value) else None
