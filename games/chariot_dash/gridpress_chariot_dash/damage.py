"""The damage roll: dice in, damage taken level by level out, with all that the levels do.

Each die above the resilience is 1 damage; with a blank resilience every die is. Each level that
is reached takes effect, and each damage is 1 CLP too.

Decisions where the facts leave open:
- traits that add dice add none to a roll of no dice: where nothing threatens, nothing is rolled;
- a wreck takes no further damage;
- a re-roll (Lucky) rolls dice again that do damage;
- damage that an effect or the end of a round deals is certain: no roll, no resilience.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from generator.sums import summed
from gridpress_chariot_dash.dice import Dice, Die
from gridpress_chariot_dash.effects import EFFECTS, LoseCard
from gridpress_chariot_dash.hand import expendable
from gridpress_chariot_dash.odds import binomial
from gridpress_chariot_dash.specials import NO_BOOST, Boost
from gridpress_chariot_dash.state import State


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
