"""A vehicle's values in, its licence as tables of words out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from generator.sums import summed
from gridpress_chariot_dash.showing import Table
from gridpress_chariot_dash.speed_table import SPEEDS
from gridpress_chariot_dash.vehicle import STAMINA_TOP

Values = Mapping[str, Any]
_BOX: Final = "▢"
_ICON: Final = re.compile(r"\{[\w-]+\}\s?")
_RANDOM: Final = ("0–1", "2", "3")
"""What the die shows for each of the random effects."""


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
