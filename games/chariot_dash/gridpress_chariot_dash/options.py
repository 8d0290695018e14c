"""Optional rules: the pack's option components in, a frozen set of switches out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

LEAD: Final = 4
"""Hexes by which a leader or a last one must be apart for grandstanding and whips of shame."""


@dataclass(frozen=True, slots=True)
class Options:
    """Which rules are in force; the defaults are those that the shipped pack has in force.

    truce: no attacks in the first round. friendly: no attacks at all. grandstanding: a leader
    four hexes or more ahead may not accelerate. whips_of_shame: the last, four hexes or more
    behind, rolls a die more in speed checks. rolling_start: start at the last box of speed 2.
    stamina: the stamina track is used. jumps: a vehicle may jump.

    Alternatives: quick_speed_check: two dice, each card changes the sum by 1. free_discards: a
    card discards up to 2 dice of a control roll. soft_damage: a damage icon of a control roll
    costs 1 CLP, no damage roll. soft_collisions: half the damage dice in collisions, rounded up.
    wild_drift: more drifts in a phase, each further one for 1 CLP.
    """

    truce: bool = True
    friendly: bool = False
    grandstanding: bool = True
    whips_of_shame: bool = True
    rolling_start: bool = False
    stamina: bool = True
    jumps: bool = True
    quick_speed_check: bool = False
    free_discards: bool = False
    soft_damage: bool = False
    soft_collisions: bool = False
    wild_drift: bool = False

    @classmethod
    def of(cls, components: Iterable[Mapping[str, Any]]) -> Options:
        """Options from components of kind option; ids that are no rule of ours are left out."""
        known = {option.name for option in fields(cls)}
        named = {str(c["id"]).replace("-", "_"): bool(c["in_force"]) for c in components}
        return cls(**{name: value for name, value in named.items() if name in known})

    def attacks_allowed(self, race_round: int) -> bool:
        """Whether anybody may attack in this round, counted from 1."""
        return not self.friendly and not (self.truce and race_round == 1)
