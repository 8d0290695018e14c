"""The shipped pack's data, as they are written, for tests of the chariot game."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from gridpress_chariot_dash import declared
from gridpress_chariot_dash.declared import Vehicle

PACK = Path(__file__).parents[3] / "cards/chariot-dash"


@cache
def components(file: str) -> list[dict[str, Any]]:
    return yaml.safe_load((PACK / file).read_text(encoding="utf-8"))["components"]


def vehicle(**changes: Any) -> Vehicle:
    """The Basic Chariot with fields changed."""
    return Vehicle.of({**components("vehicles.yaml")[0], **changes})


def trait(name: str, number: int | None = None) -> dict[str, Any]:
    """An entry of a vehicle, with what the trait does."""
    known = next(one for one in components("traits.yaml") if one["id"] == name)
    entry = {"trait": {**known, "does": declared.trait(known["does"])}}
    return entry if number is None else {**entry, "number": number}
