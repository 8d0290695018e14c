"""Vehicles in; their licences, figures and strengths out, as tables or as a page with charts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.units import summed
from gridpress_chariot_dash import charts
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.findings import (
    Chart,
    Figure,
    Table,
    against,
    page,
    ratio,
    tables,
)
from gridpress_chariot_dash.profile import (
    BY_ROUND,
    LOST,
    LOST_PARTS,
    STRENGTHS,
    figures,
    profile,
    strengths,
)
from gridpress_chariot_dash.state import Options
from gridpress_chariot_dash.vehicle import SPEEDS, STAMINA_TOP, TOP, Vehicle

Values = Mapping[str, Any]
"""The values of a checked component."""

SHADES: Final = ("#f0e0bd", "#dba45c", "#b25a2b", "#6d2315")
_BOX: Final = "▢"
_ICON: Final = re.compile(r"\{[\w-]+\}\s?")
_RANDOM: Final = ("0–1", "2", "3")
"""What the die shows for each of the random effects."""


@dataclass(frozen=True, slots=True)
class Appraisal:
    """What the game says of one vehicle: its licence, figures beside those of the baseline, and its
    strengths as ratios to it."""

    id: str
    name: str
    baseline: str
    licence: tuple[Table, ...]
    figures: tuple[Figure, ...]
    strengths: Mapping[str, float | None]


def licence(values: Values) -> tuple[Table, ...]:
    """Everything that the licence and its back say, but for story and art."""
    made = [_who(values), _speed_table(values), _damage(values), _stamina(values), _cards(values)]
    if values["random_effects"]:
        made.insert(3, _random(values))
    return (*made, _traits(values))


def _who(values: Values) -> Table:
    rows = (("Driver", str(values["driver"])), ("Crew", str(values["crew"])))
    return Table(str(values["name"]), ("", ""), rows)


def _speed_table(values: Values) -> Table:
    def boxes(row: str) -> Iterator[str]:
        return (_BOX * count for count in values[row])

    phases = [
        (f"phase {n + 1}", *(str(values["moves"][s][n]) for s in range(SPEEDS))) for n in range(4)
    ]
    rows = (
        ("acceleration", *boxes("acceleration")),
        ("deceleration", *boxes("deceleration")),
        *phases,
        ("round", *(str(summed(values["moves"][s])) for s in range(SPEEDS))),
        ("control dice", *map(str, values["control"])),
        ("stamina", *map(_signed, values["stamina"])),
    )
    return Table("Speed table", ("speed", *map(str, range(SPEEDS))), rows)


def _damage(values: Values) -> Table:
    at = {entry["at"]: entry for entry in values["damage"]}
    rows = []
    for level in range(1, values["damage_levels"] + 1):
        entry = at.get(level)
        said = (
            ("", "") if entry is None else (_label(entry), _plain(entry["effect"]["text"], entry))
        )
        rows.append((str(level), *said))
    title = f"Damage, resilience {values['resilience']}"
    return Table(title, ("level", "effect", ""), tuple(rows))


def _random(values: Values) -> Table:
    rows = tuple(
        (shown, _label(entry), _plain(entry["effect"]["text"], entry))
        for shown, entry in zip(_RANDOM, values["random_effects"], strict=False)
    )
    return Table("Random damage", ("die", "effect", ""), rows)


def _stamina(values: Values) -> Table:
    entries = sorted(values["stamina_effects"], key=lambda entry: -entry["at"])
    rows = tuple(
        (str(entry["at"]), _label(entry), _plain(entry["effect"]["text"], entry))
        for entry in entries
    )
    title = f"Stamina, {STAMINA_TOP} down to {values['stamina_minimum']}"
    return Table(title, ("at or below", "effect", ""), rows)


def _cards(values: Values) -> Table:
    rows = [
        (str(values[kind]), title, "")
        for kind, title in (("whip", "Whip"), ("reins", "Reins"), ("dual", "Whip or Reins"))
        if values[kind]
    ]
    for entry in values["specials"]:
        special = entry["special"]
        name = _numbered(special["name"], entry["number"])
        behind = f"{name} behind {'a Whip' if entry['side'] == 'whip' else 'Reins'}"
        once = ", once a race" if entry["once"] else ""
        rows.append((str(entry["copies"]), behind + once, _plain(special["text"], entry)))
    return Table(f"Cards, {values['cards']} in all", ("", "card", ""), tuple(rows))


def _traits(values: Values) -> Table:
    rows = tuple(
        (_numbered(entry["trait"]["name"], entry["number"]), _plain(entry["trait"]["text"], entry))
        for entry in values["traits"]
    )
    return Table("Traits", ("", ""), rows, "" if rows else "none")


def _label(entry: Values) -> str:
    return _plain(entry["effect"]["label"], entry)


def _plain(text: str, entry: Values) -> str:
    """Words of the pack with the entry's number for #, what it names for @, and no icons."""
    number = entry.get("number")
    is_signed = entry.get("effect", {}).get("number") == "signed"
    shown = "" if number is None else _signed(number) if is_signed else str(number)
    named = entry.get("trait") if "effect" in entry else None
    name = str(entry.get("card") or "") if named is None else str(named["name"])
    return _ICON.sub("", str(text)).replace("#", shown).replace("@", name)


def _numbered(name: str, number: int | None) -> str:
    return name if number is None else f"{name} {number}"


def _signed(value: int) -> str:
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def _strengths_chart(appraisals: Sequence[Appraisal]) -> str:
    """A radar of all vehicles; the baseline is its ring at 1."""
    axes = tuple(appraisals[0].strengths)
    series = {a.name: tuple(a.strengths[axis] for axis in axes) for a in appraisals}
    return charts.radar(axes, series)


def _speed_over_rounds(appraisals: Sequence[Appraisal]) -> str:
    """The mean speed of each vehicle after each round, and that of the baseline."""
    series = {a.name: [f.value for f in a.figures if f.group == BY_ROUND] for a in appraisals}
    first = appraisals[0]
    base = [f.baseline for f in first.figures if f.group == BY_ROUND]
    series.setdefault(first.baseline, base)
    return charts.lines(series, "round", "mean speed", TOP)


def _control_loss(appraisal: Appraisal, cards: int) -> str:
    """How likely a turn costs how many CLP: a bar for each speed, and one of the baseline."""
    figures = [f for f in appraisal.figures if f.group == LOST[cards]]
    rows: dict[str, list[float]] = {}
    for row in dict.fromkeys(f.row for f in figures):
        of_row = [f for f in figures if f.row == row]
        rows[row] = [f.value or 0.0 for f in of_row]
        if appraisal.name != appraisal.baseline:
            rows[f"{row}, baseline"] = [f.baseline or 0.0 for f in of_row]
    return charts.stacks(rows, LOST_PARTS, SHADES)


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


def vehicle_page(appraisals: Sequence[Appraisal], title: str) -> str:
    """A page of HTML with charts as SVG in it; it needs no script, no font and no other file."""
    vehicles = [
        {
            "name": a.name,
            "licence": a.licence,
            "profile": tables(a.figures, with_ratios=a.name != a.baseline),
            "losses": [
                Chart(LOST[n], _control_loss(a, n), "Control loss points by speed.")
                for n in range(len(LOST))
            ],
        }
        for a in appraisals
    ]
    return page(
        "report.html.j2",
        title=title,
        kicker="Chariot Dash: what a vehicle is worth",
        baseline=appraisals[0].baseline,
        vehicles=vehicles,
        radar=_strengths_chart(appraisals),
        speeds=_speed_over_rounds(appraisals),
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
