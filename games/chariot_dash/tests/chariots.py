"""The data of the shipped pack as written."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from gridpress_chariot_dash import declared
from gridpress_chariot_dash.declared import Vehicle

PACK = Path(__file__).parents[3] / "cards/chariot-dash"


@cache
def components(file: str) -> list[dict[str, Any]]:
    return yaml.load((PACK / file).read_text(encoding="utf-8"), yaml.CSafeLoader)["components"]


def vehicle(**changes: Any) -> Vehicle:
    """Return the Basic Chariot with changed fields."""
    return Vehicle.of({**components("vehicles.yaml")[0], **changes})


def trait(name: str, number: int | None = None) -> dict[str, Any]:
    """Return a vehicle's entry of a trait with its effects."""
    known = next(one for one in components("traits.yaml") if one["id"] == name)
    entry = {"trait": {**known, "does": declared.trait(known["does"])}}
    return entry if number is None else {**entry, "number": number}
