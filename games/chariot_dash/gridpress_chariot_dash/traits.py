"""Traits: names and numbers in, what they change out. One table; a row binds a name to a value.

Whatever a trait does is a value of `Modifiers` that the step of the round concerned reads. Traits
of two vehicles never meet here: spikes and ties are weighed where two vehicles do.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple


class Pull(NamedTuple):
    """What changes a speed check in one direction.

    free: boxes to be had without a roll. discards: dice rolled and discarded on top. rerolls:
    dice that may be rolled again. more: added to the sum, like it or not. less: taken off it;
    below 0 the direction changes. rival: added while the rival is ahead.
    """

    free: int = 0
    discards: int = 0
    rerolls: int = 0
    more: int = 0
    less: int = 0
    rival: int = 0


class Fight(NamedTuple):
    """What changes one side of an attack: more dice, dice to roll again, a change of the sum."""

    dice: int = 0
    rerolls: int = 0
    plus: int = 0


class Modifiers(NamedTuple):
    """All that traits change, by the step of the round that reads it; 0 is no change."""

    accelerate: Pull = Pull()
    decelerate: Pull = Pull()
    vehicle_attack: Fight = Fight()
    vehicle_defence: Fight = Fight()
    personal_attack: Fight = Fight()
    personal_defence: Fight = Fight()
    recovers: int = 0  # cards from Spent at the turn of a round
    swaps: int = 0  # cards that may count as the other type, each round
    reins_as_whip: int = 0  # in speed checks and for an extra hex
    keeps_any: int = 0  # no limit on which two dice of a speed check are kept
    eager: int = 0  # a speed check without a card accelerates
    flies: int = 0  # hazards and low obstacles do not count
    leaps: int = 0  # hexes that a jump may clear beyond the first
    grounded: int = 0  # no jumps
    control_discards: int = 0
    control_rerolls: int = 0
    calms: int = 0  # CLP removed at the end of a round
    spins: int = 0  # spins of a roll that turn 30° more
    slides: int = 0  # slides of a roll that carry 1 hex more
    whip_as_reins: int = 0  # in a vehicle attack
    attacks_ahead: int = 0
    ambushes: int = 0  # personal attacks in the target's move
    vehicle_ties: int = 0  # above 0 wins ties by 1, below 0 loses them by 1
    personal_ties: int = 0
    collision_dice: int = 0  # damage dice in collisions
    control_damage_dice: int = 0  # damage dice from control rolls
    spikes: int = 0  # damage dice of others that collide with this vehicle
    damage_dice: int = 0  # damage dice in any roll


class Trait(NamedTuple):
    """Which value of `Modifiers` a trait changes, and by how much for each of its number."""

    changes: str
    by: int = 1
    numbered: bool = True


def _flag(changes: str, by: int = 1) -> Trait:
    return Trait(changes, by, numbered=False)


TRAITS: Final[Mapping[str, Trait]] = {
    # card recovery
    "stamina": Trait("recovers"),
    "adaptive": Trait("swaps"),
    # speed
    "encouragement": _flag("reins_as_whip"),
    "beastmaster": _flag("keeps_any"),
    # acceleration
    "champing-at-the-bit": _flag("eager"),
    "rival": Trait("accelerate.rival"),
    "tireless": Trait("accelerate.free"),
    "long-legs": Trait("accelerate.discards"),
    "lash": Trait("accelerate.rerolls"),
    "cautious": Trait("accelerate.less"),
    "hyperactive": Trait("accelerate.more"),
    # deceleration
    "anchor": Trait("decelerate.free"),
    "rubber-shoes": Trait("decelerate.discards"),
    "tight-leash": Trait("decelerate.rerolls"),
    "reckless": Trait("decelerate.less"),
    "lazy": Trait("decelerate.more"),
    # movement
    "flyer": _flag("flies"),
    "leap": _flag("leaps"),
    "whitey": _flag("grounded"),
    # control
    "driver": Trait("control_discards"),
    "handling": Trait("control_rerolls"),
    "reactions": Trait("calms"),
    "spinner": Trait("spins"),
    "slippery": Trait("slides"),
    # vehicle attack
    "snapper": _flag("whip_as_reins"),
    "savage": _flag("attacks_ahead"),
    "fortune-smiles": _flag("vehicle_ties"),
    "tank": Trait("vehicle_attack.dice"),
    "persistent": Trait("vehicle_attack.rerolls"),
    "blades": Trait("vehicle_attack.plus"),
    "armoured": Trait("vehicle_defence.dice"),
    "evasive": Trait("vehicle_defence.rerolls"),
    "unlucky-charm": _flag("vehicle_ties", -1),
    "flimsy": Trait("vehicle_defence.plus", -1),
    # personal attack
    "sneaky": _flag("ambushes"),
    "lady-luck": _flag("personal_ties"),
    "cat-o-nine": Trait("personal_attack.dice"),
    "frenzied": Trait("personal_attack.rerolls"),
    "whiplash": Trait("personal_attack.plus"),
    "shield": Trait("personal_defence.dice"),
    "guarded": Trait("personal_defence.rerolls"),
    "ill-fate": _flag("personal_ties", -1),
    "thin-skin": Trait("personal_defence.plus", -1),
    # damage
    "bsh": Trait("collision_dice", -1),
    "failsafes": Trait("control_damage_dice", -1),
    "spiked": Trait("spikes"),
    "jerry-rigged": Trait("damage_dice"),
}

Traits = tuple[tuple[str, int], ...]
"""Names and numbers; a trait without a number has 0."""


@lru_cache(maxsize=1024)
def modifiers(traits: Traits) -> Modifiers:
    """What the traits change together. KeyError for a name that is no trait.

    The creation guide warns of a number below 1; one below 0 counts as 0.
    """
    result = Modifiers()
    for name, number in traits:
        trait = TRAITS[name]
        amount = trait.by * (max(0, number) if trait.numbered else 1)
        group, _, value = trait.changes.partition(".")
        if value:
            part = getattr(result, group)
            changed = part._replace(**{value: getattr(part, value) + amount})
        else:
            changed = getattr(result, group) + amount
        result = result._replace(**{group: changed})
    return result
