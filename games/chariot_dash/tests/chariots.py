"""Vehicles, scripted dice and a chi-square test for the tests of the chariot game's rules."""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from gridpress_chariot_dash.dice import ICONS
from gridpress_chariot_dash.state import Options, State, starting
from gridpress_chariot_dash.vehicle import Vehicle

PACK = Path(__file__).parents[3] / "cards/chariot-dash"
OPTIONS = Options()


@cache
def components(file: str) -> list[dict[str, Any]]:
    return yaml.safe_load((PACK / file).read_text(encoding="utf-8"))["components"]


def shipped() -> list[Vehicle]:
    return [Vehicle.of(values) for values in components("vehicles.yaml")]


def vehicle(**changes: Any) -> Vehicle:
    """The Basic Chariot with fields changed."""
    return Vehicle.of({**components("vehicles.yaml")[0], **changes})


def trait(name: str, number: int | None = None) -> dict[str, Any]:
    return {"trait": name} if number is None else {"trait": name, "number": number}


def start(*traits: dict[str, Any], speed: int = 0, **changes: Any) -> State:
    """The Basic Chariot with these traits, at the first boxes of a speed."""
    state = starting(vehicle(traits=list(traits), **changes), OPTIONS)
    return state.rated(speed)


class Script:
    """Dice that fall as told; icons by name, values as numbers. Running out is an error."""

    def __init__(self, icons: str = "", values: Iterable[int] = ()) -> None:
        self._icons = [ICONS.index(name) for name in icons.split()]
        self._values = list(values)

    def roll(self, count: int) -> tuple[int, ...]:
        assert count <= len(self._icons), f"{count} dice rolled, {len(self._icons)} told"
        rolled, self._icons = self._icons[:count], self._icons[count:]
        return tuple(rolled)

    def values(self, count: int) -> tuple[int, ...]:
        assert count <= len(self._values), f"{count} dice rolled, {len(self._values)} told"
        rolled, self._values = self._values[:count], self._values[count:]
        return tuple(rolled)

    @property
    def used_up(self) -> bool:
        return not self._icons and not self._values


def critical(freedom: int, z: float = 3.0902) -> float:
    """Chi-square at which a true model is refused once in 1,000 (z); Wilson and Hilferty 1931."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + z * math.sqrt(part)) ** 3


def fits(seen: Mapping[Any, int], odds: Mapping[Any, float]) -> bool:
    """Pearson's chi-square test; put together what is expected fewer than 5 times."""
    rolls = sum(seen.values())
    if set(seen) - set(odds):
        return False
    cells: list[tuple[float, float]] = []
    rest = [0.0, 0.0]
    for result, part in odds.items():
        pair = (seen.get(result, 0), part * rolls)
        if pair[1] >= 5:
            cells.append(pair)
        else:
            rest = [rest[0] + pair[0], rest[1] + pair[1]]
    if 0 < rest[1] < 5 and cells:
        small = min(cells, key=lambda cell: cell[1])
        cells.remove(small)
        rest = [rest[0] + small[0], rest[1] + small[1]]
    if rest[1] > 0:
        cells.append((rest[0], rest[1]))
    if len(cells) == 1:
        return True
    return sum((o - e) ** 2 / e for o, e in cells) < critical(len(cells) - 1)
