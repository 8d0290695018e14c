"""`gridpress vehicle show`, which needs no races."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final

import click
from msgspec.structs import replace
from PIL import Image

from generator.build import Order, draw, each_once
from generator.cache import user_cache
from generator.cli import Listed, find_track, options, progress_bar, terminal
from generator.diagnostics import Severity, did_you_mean
from generator.export import face_pictures
from generator.fonts import fonts_of
from generator.html_pages import embedded
from generator.model.pack import Component
from generator.writing import at_work
from gridpress_chariot_dash.account import Account
from gridpress_chariot_dash.commands.vehicles import (
    BASELINE,
    KIND,
    Entrant,
    html,
    no_vehicle,
    open_vehicles,
    show_tables,
    track_of,
    write_page,
)
from gridpress_chariot_dash.declared import Values
from gridpress_chariot_dash.findings import Mean, tables
from gridpress_chariot_dash.pace import Lap, lap
from gridpress_chariot_dash.vehicle_report import (
    Appraisal,
    appraise,
    lap_table,
    vehicle_page,
    worth_table,
)

_DPI: Final = 140
"""Of the pictures of a licence on a page."""


@click.command("show")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--against",
    metavar="ID",
    help="Measure against this vehicle instead of the baseline of the game.",
)
@click.option(
    "--track",
    "tracks",
    metavar="NAME",
    multiple=True,
    help="A track for lap times, of a pack or of a folder of yours.  [default: all of the game]",
)
@html
@options.format_
def show_vehicles(
    names: tuple[str, ...],
    against: str | None,
    tracks: tuple[str, ...],
    page: Path | None,
    format_: str,
) -> int:
    """Show the licence of vehicles, and their worth against the baseline.

    Shows what each difference from the baseline is worth in races (measured by `gridpress vehicle
    worth`), exact odds of speed checks, turns and attacks, and lap times driven alone: measured for
    the game's own vehicles and tracks, estimated for others. `gridpress vehicle simulate`
    races.
    """
    wanted = [(find_track(name), name) for name in tracks]
    outcome = open_vehicles(names)
    errors = [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
    terminal.show(errors)
    if errors or not outcome.value:
        return 1
    once = {entrant.component.span: entrant for entrant in outcome.value}
    told: list[Appraisal] = []
    for entrant in once.values():
        name = against or BASELINE
        baseline = entrant.rival(name)
        if baseline is None:
            hint = did_you_mean(name, [c.id for c in entrant.opened.pack.components[KIND]])
            raise no_vehicle(name, f"{hint}; --against names another".lstrip("; "))
        found = appraise(entrant.component.values, baseline.values, entrant.components)
        is_shown_here = format_ == "text" and page is None
        if is_shown_here:  # estimating laps may take a second
            profile = tables(found.figures, with_ratios=False)
            show_tables((*found.licence, worth_table(found), *profile))
        with progress_bar(entrant.component.id, "estimating laps"):
            found = replace(found, laps=_laps(entrant, baseline, [*_tracks(entrant, wanted)]))
        if is_shown_here:
            show_tables([lap_table(found)])
        told.append(found if page is None else replace(found, pictures=_pictures(entrant)))
    if page is not None:
        write_page(page, vehicle_page(told, ", ".join(one.name for one in told)))
    if format_ == "json":
        terminal.say_json([_as_json(one) for one in told])
    return 0


def _tracks(entrant: Entrant, wanted: Sequence[tuple[Listed, str]]) -> Iterator[Values]:
    """Yield the tracks asked for, or all of the vehicle's pack."""
    for listed, name in wanted:
        found = track_of(listed, name, (entrant,))
        if found is not None:
            yield found
    if not wanted:
        pack = entrant.opened.pack
        for kind in pack.kinds.values():
            if kind.is_layout:
                yield from (track.values for track in pack.components[kind.name])


def _laps(entrant: Entrant, baseline: Component, tracks: Sequence[Values]) -> tuple[Lap, ...]:
    own, known = entrant.component, entrant.components
    driven = [own.values] if own.id == baseline.id else [own.values, baseline.values]
    return tuple(lap(one, track, known) for track in tracks for one in driven)


def _pictures(entrant: Entrant) -> dict[str, str]:
    """Return the sides of the licence as sources of images; none if it has mistakes."""
    opened, known = entrant.opened, entrant.component
    order = Order(these=frozenset({f"{known.kind}/{known.id}"}), cache=user_cache())
    fonts = fonts_of(opened.target.project)
    with at_work(), tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
        faces = draw(each_once(opened), order, Path(scratch), fonts=fonts).value
        roots = opened.target.project.roots.also(Path(scratch))
        drawn = face_pictures(
            faces, fonts, Path(scratch), dpi=_DPI, cut=True, roots=roots, cache=order.cache
        )
        if not drawn.ok:
            return {}
        pictures = {}
        for face in faces:
            with Image.open(drawn.value[face.sha256]) as picture:
                pictures[face.name] = embedded(picture)
        return pictures


def _as_json(appraisal: Appraisal) -> dict[str, Any]:
    return {
        "vehicle": appraisal.id,
        "name": appraisal.name,
        "baseline": appraisal.baseline,
        "licence": [
            {"title": t.title, "columns": list(t.columns), "rows": [list(row) for row in t.rows]}
            for t in appraisal.licence
        ],
        "worth": None if appraisal.account is None else _account(appraisal.account),
        "laps": [
            {
                "name": one.vehicle,
                "track": one.course,
                "rounds": _interval(one.rounds),
                "hexes": _interval(one.hexes),
                "raced": not one.error,
            }
            for one in appraisal.laps
        ],
        "profile": [
            {
                "group": f.group,
                "row": f.row,
                "column": f.column,
                "value": _finite(f.value),
                "baseline": _finite(f.baseline),
            }
            for f in appraisal.figures
        ],
    }


def _account(of: Account) -> dict[str, Any]:
    return {
        "parts": [
            {
                "name": part.name,
                "times": part.times,
                "places": None if part.worth is None else part.worth.places,
                "places_error": None if part.worth is None else part.worth.places_error,
                "rounds": None if part.worth is None else part.worth.rounds,
                "rounds_error": None if part.worth is None else part.worth.rounds_error,
                "tracks": [] if part.worth is None else [on._asdict() for on in part.worth.tracks],
            }
            for part in of.parts
        ],
        "places": of.places,
        "places_error": of.places_error,
        "rounds": of.rounds,
        "rounds_error": of.rounds_error,
    }


def _finite(value: float | None) -> float | None:
    return value if value is None or isfinite(value) else None


def _interval(estimate: Mean | None) -> list[float | None] | None:
    if estimate is None:
        return None
    return [_finite(value) for value in (estimate.low, estimate.value, estimate.high)]
