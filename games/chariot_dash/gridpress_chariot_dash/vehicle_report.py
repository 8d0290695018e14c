"""Reports of a vehicle: its licence, exact odds beside those of the baseline, and its worth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.geometry import summed
from generator.html_pages import html_page
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
    signed,
    stacks,
    tables,
)
from gridpress_chariot_dash.pace import Lap, lap_times
from gridpress_chariot_dash.vehicle_odds import LOST, LOST_PARTS, SPACES, figures, rules_in

SHADES: Final = ("#f0e0bd", "#dba45c", "#b25a2b", "#6d2315")
_NOISE: Final = "within the noise"
_UNMEASURED: Final = "not measured"
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
    pictures: Mapping[str, str] = {}
    """Sources of the licence's pictures, by side."""


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
            "Other vehicles are measured against this one."
            if of.name == of.baseline
            else "No races have been run for it: gridpress vehicle worth makes the table."
        )
        return Table(title, (), (), note)
    total = of.account
    rows = [*map(_part, total.parts)]
    rows.append(
        (
            "All together, if they add up",
            mean_text(_estimate(total.places, total.places_error)),
            mean_text(_estimate(total.rounds, total.rounds_error)),
            "",
        )
    )
    note = (
        "Places in a field of four and rounds a lap, gained (+) or lost (−), each change by itself."
        " Effects count as at damage level 2 and stamina 7."
    )
    if any(part.times > 1 for part in total.parts):
        note += " Several of a kind seldom add up: the first is worth most."
    if any(part.worth and part.worth.apart for part in total.parts):
        note += " Where tracks differ, the last column names the worst and the best."
    return Table(title, ("", "places", "rounds a lap", ""), tuple(rows), note)


def lap_table(of: Appraisal) -> Table:
    """Return rounds and hexes of laps driven alone, a row for each track."""
    drivers = list(dict.fromkeys((of.name, of.baseline)))
    rows = tuple(
        (laps[0].course, *(text for one in laps for text in (_rounds(one), mean_text(one.hexes))))
        for laps in zip(*[iter(of.laps)] * len(drivers), strict=True)
    )
    heads = (head for name in drivers for head in (f"{name}: rounds", "hexes"))
    note = f"Alone, from a standing start: means of {lap_times().trials:,} laps, if it came home."
    worst = max((lap.error for lap in of.laps), default=0.0)
    if worst:
        note += f" About: estimated without a race, usually within {worst:.0%}."
    if any(lap.rounds is None for lap in of.laps):
        note += " A dash: nobody can lap it."
    return Table("Laps", ("", *heads), rows, note)


def _rounds(lap: Lap) -> str:
    if lap.rounds is None or not lap.error:
        return mean_text(lap.rounds)
    return f"about {lap.rounds.value:.1f}"


def _part(part: Difference) -> tuple[str, str, str, str]:
    name = part.name if part.times == 1 else f"{part.times} × {part.name}"
    worth = part.worth
    if worth is None:
        return name, "–", "–", _UNMEASURED
    places = mean_text(_estimate(worth.places, worth.places_error))
    remark = "" if worth.is_sure else _NOISE
    if worth.apart:
        remark = ", ".join(f"{signed(on.places, 2)} on {on.track}" for on in worth.apart)
    rounds = mean_text(_estimate(worth.rounds, worth.rounds_error)) if worth.rounds_known else "–"
    return name, places, rounds, remark


def _estimate(value: float, error: float) -> Mean:
    return Mean(value, value - error, value + error)


def vehicle_page(appraisals: Sequence[Appraisal], title: str) -> str:
    """Return a page of HTML that needs no other file."""
    vehicles = [
        {
            "name": a.name,
            "pictures": a.pictures,
            "licence": a.licence,
            "worth": worth_table(a),
            "bars": _bars(a.account),
            "laps": lap_table(a) if a.laps else None,
            "profile": sorted(
                tables([*_joined(a.figures)], with_ratios=False), key=lambda of: len(of.columns)
            ),
            "losses": [
                Chart(LOST[n], _control_loss(a, n), "Control loss points by speed.")
                for n in range(len(LOST))
            ],
        }
        for a in appraisals
    ]
    return html_page(
        "gridpress_chariot_dash",
        "report.html.j2",
        title=title,
        kicker="Chariot Dash vehicles",
        faint=(_NOISE, _UNMEASURED),
        vehicles=vehicles,
    )


def _bars(of: Account | None) -> list[float]:
    """Return the length of a bar for each row of `worth_table`, per cent of its cell."""
    places = [part.worth.places if part.worth else 0.0 for part in of.parts] if of else []
    most = max(map(abs, places), default=0.0) or 1.0
    return [50 * value / most for value in places] + [0.0]


def _joined(figures: Sequence[Figure]) -> Iterator[Figure]:
    """Yield figures that no chart and no licence shows, in one group for each manoeuvre."""
    for figure in figures:
        group, _, told = figure.group.partition(": ")
        if group not in (SPACES, *LOST):
            column = f"{told}, {figure.column}" if told else figure.column
            yield replace(figure, group=group, column=column)
