"""Effects of damage and of tiredness: names in, what they do to a vehicle out. Two tables.

An effect takes the state and its entry on the track, and returns the state after it and points of
damage that it causes on top. What damage changes for good is in the state's `Condition`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from gridpress_chariot_dash.cards import Card, Piles
from gridpress_chariot_dash.dice import Dice
from gridpress_chariot_dash.state import State
from gridpress_chariot_dash.traits import modifiers
from gridpress_chariot_dash.vehicle import BLANK, SAFE, DamageEntry

LoseCard = Callable[[tuple[Card, ...], Piles, str], int | None]
"""A vehicle's cards, where they are, "Whip", "Reins" or "either" → the card to lose, if any."""
Applied = tuple[State, int]
DamageEffect = Callable[[State, DamageEntry, Dice, LoseCard], Applied]
StaminaEffect = Callable[[State, int], State]


def _grows(value: str, by: int | None = None) -> DamageEffect:
    """Adds the entry's number, or `by`, to a value of the condition."""

    def effect(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
        more = entry.number if by is None else by
        return state.conditioned(**{value: getattr(state.condition, value) + more}), 0

    return effect


def _caps(value: str) -> DamageEffect:
    """Limits a value of the condition to the entry's number; an earlier lower limit stays."""

    def effect(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
        most = min(getattr(state.condition, value), max(0, entry.number))
        return state.conditioned(**{value: most}), 0

    return effect


def _boxes(boxes: int) -> DamageEffect:
    """Moves the marker."""

    def effect(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
        return state.moved(boxes), 0

    return effect


def _softened(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
    """Resilience falls; below 0 it is blank."""
    return state.conditioned(resilience=max(BLANK, state.condition.resilience - entry.number)), 0


def _unsafe(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
    """The highest safe speed takes 1 control die from now on; nothing when none is left."""
    control = state.condition.control
    safe = [speed for speed, number in enumerate(control) if number == SAFE]
    if not safe:
        return state, 0
    changed = tuple(1 if speed == safe[-1] else number for speed, number in enumerate(control))
    return state.conditioned(control=changed), 0


def _damaged(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
    return state, entry.number


def _without_trait(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
    traits = tuple(trait for trait in state.condition.traits if trait[0] != entry.trait)
    return state.conditioned(traits=traits, modifiers=modifiers(traits)), 0


def _without_card(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
    """A card of the type leaves the race; nothing if there is none."""
    card = lose(state.vehicle.cards, state.piles, entry.card)
    return (state if card is None else state._replace(piles=state.piles.without(card))), 0


def _random(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
    """A die chooses from the vehicle's list: 0 or 1 the first, 2 the second, 3 the third."""
    listed = state.vehicle.random_effects
    place = min(max(dice.values(1)[0] - 1, 0), len(listed) - 1)
    if not listed:
        return state, 0
    chosen = listed[place]
    return EFFECTS[chosen.effect](state, chosen, dice, lose)


def _wiped_out(state: State, entry: DamageEntry, dice: Dice, lose: LoseCard) -> Applied:
    return state.conditioned(wiped_out=True), 0


EFFECTS: Final[Mapping[str, DamageEffect]] = {
    "control-loss": _grows("clp_each_round"),
    "control-die": _grows("control_dice", 1),
    "safe-speed": _unsafe,
    "resilience": _softened,
    "damage": _damaged,
    "damage-each-round": _grows("damage_each_round"),
    "lose-trait": _without_trait,
    "lose-card": _without_card,
    "maximum-acceleration": _caps("accelerate_most"),
    "maximum-deceleration": _caps("decelerate_most"),
    "acceleration": _grows("acceleration"),
    "deceleration": _grows("deceleration"),
    "maximum-speed": _caps("speed_most"),
    "haste": _boxes(1),
    "slow": _boxes(-1),
    "random": _random,
    "wipe-out": _wiped_out,
}

STAMINA_EFFECTS: Final[Mapping[str, StaminaEffect]] = {
    "speed": lambda state, number: state.rated(state.speed - number),
    "reins": lambda state, number: state._replace(virtual_reins=state.virtual_reins + number),
    "whip": lambda state, number: state._replace(virtual_whips=state.virtual_whips + number),
    "control": lambda state, number: state.unsteadied(number),
}
