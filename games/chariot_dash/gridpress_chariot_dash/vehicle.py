"""A vehicle: values of a checked component of kind vehicle in, frozen data for the rules out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gridpress_chariot_dash.cards import Card, Front
from gridpress_chariot_dash.speed_table import SpeedTable
from gridpress_chariot_dash.traits import Traits

BLANK: Final = -1
"""Blank resilience: every die is above it, even one that shows 0."""
SAFE: Final = 0
"""Control dice of a safe speed."""
STAMINA_TOP: Final = 10
CLP_TOP: Final = 19
"""The last box of the control track, 9, and a second clip for 10 more."""


class DamageEntry(NamedTuple):
    """What a level of the damage track does; number, trait and card as far as the effect asks."""

    effect: str
    number: int = 0
    trait: str = ""
    card: str = ""


class StaminaEntry(NamedTuple):
    """What a value of the stamina track does."""

    at: int
    effect: str
    number: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Vehicle:
    """A driving licence as the rules read it.

    moves: hexes by speed and phase. control: dice by speed, 0 where it is safe. stamina: change by
    speed. resilience: −1 when blank. damage: entries by level, the levels count from 1.
    """

    id: str
    name: str
    table: SpeedTable
    moves: tuple[tuple[int, ...], ...]
    control: tuple[int, ...]
    stamina: tuple[int, ...]
    resilience: int
    damage_levels: int
    damage: Mapping[int, tuple[DamageEntry, ...]]
    random_effects: tuple[DamageEntry, ...]
    stamina_minimum: int
    stamina_effects: tuple[StaminaEntry, ...]
    control_minimum: int
    cards: tuple[Card, ...]
    traits: Traits

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Vehicle:
        """The vehicle of a component that has passed its kind's checks, or of its plain values."""
        levels: dict[int, tuple[DamageEntry, ...]] = {}
        for entry in values["damage"]:
            at = int(entry["at"])
            levels[at] = (*levels.get(at, ()), _damage(entry))
        return cls(
            id=str(values["id"]),
            name=str(values["name"]),
            table=SpeedTable.of(values["acceleration"], values["deceleration"]),
            moves=tuple(tuple(row) for row in values["moves"]),
            control=tuple(SAFE if dice == "safe" else int(dice) for dice in values["control"]),
            stamina=tuple(values["stamina"]),
            resilience=_resilience(values["resilience"]),
            damage_levels=int(values["damage_levels"]),
            damage=levels,
            random_effects=tuple(_damage(e) for e in values.get("random_effects") or ()),
            stamina_minimum=int(values.get("stamina_minimum", 0)),
            stamina_effects=tuple(_stamina(e) for e in values.get("stamina_effects", ())),
            control_minimum=int(values.get("control_minimum", 0)),
            cards=_cards(values),
            traits=tuple(
                (_id(entry["trait"]), int(entry.get("number") or 0))
                for entry in values.get("traits", ())
            ),
        )


def _id(reference: Any) -> str:
    """The id of a component that is referred to: its record, or just its id."""
    return str(reference["id"] if isinstance(reference, Mapping) else reference)


def _resilience(value: Any) -> int:
    return BLANK if value == "blank" else int(value)


def _damage(entry: Mapping[str, Any]) -> DamageEntry:
    trait = entry.get("trait")
    return DamageEntry(
        _id(entry["effect"]),
        int(entry.get("number") or 0),
        "" if trait is None else _id(trait),
        str(entry.get("card") or ""),
    )


def _stamina(entry: Mapping[str, Any]) -> StaminaEntry:
    return StaminaEntry(int(entry["at"]), _id(entry["effect"]), int(entry.get("number", 1)))


def _cards(values: Mapping[str, Any]) -> tuple[Card, ...]:
    """Whips, Reins, dual cards, then specials, one entry for each card."""
    cards = [Card(Front.WHIP)] * int(values["whip"])
    cards += [Card(Front.REINS)] * int(values["reins"])
    cards += [Card(Front.DUAL)] * int(values.get("dual", 0))
    for entry in values.get("specials", ()):
        front = Front.WHIP if entry["side"] == "whip" else Front.REINS
        special = _id(entry["special"])
        number = int(entry.get("number") or 0)
        card = Card(front, special, number, bool(entry.get("once")))
        cards += [card] * int(entry.get("copies", 1))
    return tuple(cards)
