"""Reports of a vehicle: its licence, exact odds beside those of the baseline, and its worth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from generator.geometry import summed
from gridpress_chariot_dash.account import Account, Difference, account, worth_by_change
from gridpress_chariot_dash.declared import (
    SPEEDS,
    STAMINA_TOP,
    Values,
    Vehicle,
    numbered,
)
from gridpress_chariot_dash.findings import (
    Chart,
    Figure,
    Mean,
    Table,
    against,
    mean_text,
    page,
    signed,
    stacks,
    tables,
)
from gridpress_chariot_dash.pace import Lap, lap_times
from gridpress_chariot_dash.vehicle_odds import LOST, LOST_PARTS, figures, rules_in

SHADES: Final = ("#f0e0bd", "#dba45c", "#b25a2b", "#6d2315")
_BOX: Final = "▢"
_ICON: Final = re.compile(r"\{[\w-]+\}\s?")
_RANDOM: Final = ("0–1", "2", "3")
"""The die for each of three random effects."""


class Appraisal(Struct, frozen=True):
    """A vehicle's licence, the worth of its differences from the baseline, and exact odds."""

    id: str
    name: str
    baseline: str
    licence: tuple[Table, ...]
    account: Account | None
    figures: tuple[Figure, ...]
    laps: tuple[Lap, ...] = ()
    """By track, the lap of the vehicle, then that of another baseline."""


def licence(values: Values) -> tuple[Table, ...]:
    """Return everything on the licence except story and art."""
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
    rows: list[tuple[str, ...]] = []
    for level in range(1, values["damage_levels"] + 1):
        said = [
            (_label(entry), _plain(entry["effect"]["text"], entry))
            for entry in values["damage"]
            if entry["at"] == level
        ]
        rows += [
            (str(level) if first else "", *words)
            for first, words in zip((True, *[False] * len(said)), said or [("", "")], strict=False)
        ]
    title = f"Damage, resilience {values['resilience']}"
    return Table(title, ("level", "effect", ""), tuple(rows))


def _random(values: Values) -> Table:
    entries = values["random_effects"]
    one_die = len(entries) == len(_RANDOM)
    sums = _RANDOM if one_die else tuple(map(str, range(len(entries))))
    rows = tuple(
        (shown, _label(entry), _plain(entry["effect"]["text"], entry))
        for shown, entry in zip(sums, entries, strict=False)
    )
    return Table("Random damage", ("die" if one_die else "two dice", "effect", ""), rows)


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
    """Fill in # and @, and remove icons."""
    number = entry.get("number")
    is_signed = entry.get("effect", {}).get("number") == "signed"
    shown = "" if number is None else str(number)
    if is_signed and isinstance(number, int):
        shown = _signed(number)
    named = entry.get("trait") if "effect" in entry else None
    name = str(entry.get("card") or "") if named is None else str(named["name"])
    return _ICON.sub("", numbered(text, shown)).replace("@", name)


def _numbered(name: str, number: int | str | None) -> str:
    return name if number is None else f"{name} {number}"


def _signed(value: int) -> str:
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def _control_loss(appraisal: Appraisal, cards: int) -> str:
    """Draw the CLP of a turn, with a bar for each speed and one of the baseline."""
    figures = [f for f in appraisal.figures if f.group == LOST[cards]]
    rows: dict[str, list[float]] = {}
    for row in dict.fromkeys(f.row for f in figures):
        of_row = [f for f in figures if f.row == row]
        rows[row] = [f.value or 0.0 for f in of_row]
        if appraisal.name != appraisal.baseline:
            rows[f"{row}, baseline"] = [f.baseline or 0.0 for f in of_row]
    return stacks(rows, LOST_PARTS, SHADES)


def appraise(
    values: Values, baseline: Values, components: Mapping[str, Sequence[Values]]
) -> Appraisal:
    """Report on a vehicle beside the baseline."""
    die, in_force = rules_in(components)
    own, base = Vehicle.of(values), Vehicle.of(baseline)
    known = worth_by_change(components.get("worth", ()))
    return Appraisal(
        own.id,
        own.name,
        base.name,
        licence(values),
        account(values, baseline, known) if known and own.id != base.id else None,
        against(figures(own, base, die, in_force), figures(base, own, die, in_force)),
    )


def worth_table(of: Appraisal) -> Table:
    """Return the worth of each difference from the baseline, and the sum."""
    title = f"Worth of the differences from {of.baseline}"
    if of.account is None:
        note = (
            "it is the vehicle that others are measured against"
            if of.name == of.baseline
            else "no races have been run for it: gridpress vehicle worth makes the table"
        )
        return Table(title, ("", "", ""), (), note)
    total = of.account
    rows = [*map(_part, total.parts)]
    rows.append(
        (
            "all together, if they add up",
            mean_text(_estimate(total.places, total.places_error)),
            mean_text(_estimate(total.rounds, total.rounds_error)),
        )
    )
    note = (
        "places in a field of four and rounds a lap, gained (+) or lost (−), each change by itself"
    )
    if any(part.times > 1 for part in total.parts):
        note += "; several of a kind seldom add up, the first is worth most"
    if any(part.worth and part.worth.apart for part in total.parts):
        note += "; in brackets the tracks where it is least and most, if they differ"
    note += "; effects as at damage level 2 and stamina 7; a dash: not measured"
    return Table(title, ("", "places", "rounds a lap"), tuple(rows), note)


def lap_table(of: Appraisal) -> Table:
    """Return rounds and hexes of laps driven alone, by track."""
    rows = tuple(
        (lap.course, lap.vehicle, _rounds(lap), mean_text(lap.hexes), _source(lap))
        for lap in of.laps
    )
    note = f"alone, from a standing start; raced: {lap_times().trials:,} laps, those that came home"
    worst = max((lap.error for lap in of.laps), default=0.0)
    if worst:
        note += f"; estimated: without a race, usually within {worst:.0%}"
    return Table("A lap", ("", "", "rounds", "hexes", ""), rows, note)


def _rounds(lap: Lap) -> str:
    if lap.rounds is None or not lap.error:
        return mean_text(lap.rounds)
    return f"about {lap.rounds.value:.1f}"


def _source(lap: Lap) -> str:
    if lap.rounds is None:
        return "nobody can lap it"
    return "estimated" if lap.error else "raced"


def _part(part: Difference) -> tuple[str, str, str]:
    name = part.name if part.times == 1 else f"{part.times} × {part.name}"
    worth = part.worth
    if worth is None:
        return name, "–", "–"
    places = mean_text(_estimate(worth.places, worth.places_error))
    if worth.apart:
        low, high = (f"{signed(on.places, 2)} on {on.track}" for on in worth.apart)
        places += f" ({low}, {high})"
    elif not worth.is_sure:
        places += " (noise)"
    rounds = mean_text(_estimate(worth.rounds, worth.rounds_error)) if worth.rounds_known else "–"
    return name, places, rounds


def _estimate(value: float, error: float) -> Mean:
    return Mean(value, value - error, value + error)


def vehicle_page(appraisals: Sequence[Appraisal], title: str) -> str:
    """Return a page of HTML that needs no other file."""
    vehicles = [
        {
            "name": a.name,
            "licence": a.licence,
            "worth": worth_table(a),
            "laps": lap_table(a) if a.laps else None,
            "profile": tables(a.figures, with_ratios=False),
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
    )
