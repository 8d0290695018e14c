"""Damage and stamina: rolls and tracks in, what they change of a vehicle out. One table of effects.

An effect takes the state and its entry on the track, and returns the state after it and points of
damage that it causes on top. What damage changes for good is in the state's `Condition`.

Each die above the resilience is 1 damage; with a blank resilience every die is. Each level that
is reached takes effect, and each damage is 1 CLP too.

Decisions where the facts leave open:
- traits that add dice add none to a roll of no dice: where nothing threatens, nothing is rolled;
- a wreck takes no further damage;
- a re-roll (Lucky) rolls dice again that do damage;
- damage that an effect or the end of a round deals is certain: no roll, no resilience.

Stamina changes by the row at the current speed, within the track. Then, unless it is at its top,
the effects printed at the value reached and at every higher value apply, all of them, each round.

Decisions where the facts leave open: effects apply from the highest value down, and of one value
in the order of the licence; a fall in speed among them does not change this round's stamina again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from generator.units import summed
from gridpress_chariot_dash.cards import NO_BOOST, Boost, Card, Piles
from gridpress_chariot_dash.dice import Dice, Die, binomial
from gridpress_chariot_dash.state import Options, State, expendable
from gridpress_chariot_dash.traits import modifiers
from gridpress_chariot_dash.vehicle import (
    BLANK,
    SAFE,
    STAMINA_TOP,
    DamageEntry,
    StaminaEntry,
    Vehicle,
)

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


class Source(IntEnum):
    """Where a damage roll comes from."""

    CONTROL = 0
    ATTACK = 1
    COLLISION = 2
    OWN = 3  # what a vehicle does to itself, as with Kamikaze


class Hit(NamedTuple):
    """Damage that was taken, and whether a control roll must follow."""

    damage: int = 0
    control_roll: bool = False


def dice_of(state: State, dice: int, source: Source) -> int:
    """Dice of a damage roll after the vehicle's own traits; none if none threatened."""
    if dice <= 0 or state.condition.wiped_out:
        return 0
    mods = state.modifiers
    dice += mods.damage_dice
    if source is Source.CONTROL:
        dice += mods.control_damage_dice
    elif source is Source.COLLISION:
        dice += mods.collision_dice
    return max(0, dice)


def roll(
    state: State,
    dice_count: int,
    source: Source,
    dice: Dice,
    extra: Boost = NO_BOOST,
    lose: LoseCard = expendable,
) -> tuple[State, Hit]:
    """Roll for damage and take it.

    Damage from an attack or collision asks for a control roll, unless it wipes the vehicle out.
    """
    count = dice_of(state, dice_count, source)
    if not count:
        return state, Hit()
    damage = hits(dice.values(count), state.condition.resilience)
    if extra.rerolls:
        again = min(damage, extra.rerolls)
        damage += hits(dice.values(again), state.condition.resilience) - again
    damage = max(0, damage - extra.ignores)
    if not damage:
        return state, Hit()
    state = take(state, damage, dice, lose)
    forced = source in (Source.ATTACK, Source.COLLISION) and not state.condition.wiped_out
    return state, Hit(damage, forced)


def hits(values: tuple[int, ...], resilience: int) -> int:
    """How many dice are above the resilience."""
    return summed([value > resilience for value in values])


def take(state: State, damage: int, dice: Dice, lose: LoseCard = expendable) -> State:
    """Take damage, level by level; each level's effects come before the next level is reached."""
    vehicle = state.vehicle
    while damage > 0 and not state.condition.wiped_out:
        damage -= 1
        state = state._replace(level=state.level + 1).unsteadied(1)
        for entry in vehicle.damage.get(state.level, ()):
            state, more = EFFECTS[entry.effect](state, entry, dice, lose)
            damage += more
        if state.level >= vehicle.damage_levels and not state.condition.wiped_out:
            state = state.conditioned(wiped_out=True)
    return state


def odds(state: State, dice_count: int, source: Source, die: Die) -> dict[int, float]:
    """The probability of each number of damage that a roll deals: binomial over its dice.

    More than the levels that are left wipes the vehicle out all the same.
    """
    above = sum(value > state.condition.resilience for value in die.values)
    return binomial(dice_of(state, dice_count, source), above / len(die.values))


class Wreck(NamedTuple):
    """What a wreck does in a round: hexes that it moves and debris that it leaves behind."""

    state: State
    hexes: int
    debris: int


def wreck_round(state: State) -> Wreck:
    """A round of a wiped-out vehicle: 1 speed less, 1 hex on, debris in the hex it leaves.

    At speed 0 it stays where it is, a solid obstacle. The facts leave open which comes first: it
    moves in each round that it begins with speed.
    """
    if not state.condition.wiped_out:
        raise ValueError(f"{state.vehicle.name} is not wiped out")
    if state.speed == 0:
        return Wreck(state, 0, 0)
    return Wreck(state.rated(state.speed - 1), 1, 1)


def change_stamina(state: State) -> State:
    """Stamina changes by the row at the current speed, within the track."""
    return state.tired(-state.vehicle.stamina[state.speed])


def stamina_effects(vehicle: Vehicle, value: int) -> tuple[StaminaEntry, ...]:
    """The effects that apply at a value, in the order in which they do."""
    if value >= STAMINA_TOP:
        return ()
    entries = [entry for entry in vehicle.stamina_effects if entry.at >= value]
    return tuple(sorted(entries, key=lambda entry: -entry.at))


def stamina_at_end(state: State, options: Options, *, rests: bool = False) -> State:
    """Change, then effects; nothing without the stamina rules. rests: Determination was played."""
    if not options.stamina:
        return state
    state = change_stamina(state)
    if rests:
        return state
    for entry in stamina_effects(state.vehicle, state.stamina):
        state = STAMINA_EFFECTS[entry.effect](state, entry.number)
    return state
