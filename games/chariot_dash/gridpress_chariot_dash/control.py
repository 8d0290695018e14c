"""The control roll: dice and discards in, the effects that are left out.

The dice of the speed, one for each CLP and one for each card are rolled; up to one for each card
is discarded. Then a left and a right spin take each other away for 1 CLP, and a slow and a haste
for 1 stamina (1 CLP without the stamina rules). Of the dice that are left the most frequent icon
takes effect, all icons that tie for it; each different effect costs 1 CLP.

Decisions where the facts leave open:
- a roll at a safe speed that an attack or collision forces may use cards like any other;
- Spinner and Slippery are not a choice: up to their number of icons, all do more;
- effects come in this order: CLP and stamina, the marker's boxes, the damage roll;
- a haste on the last box of the table moves back, as over-whipping does.
"""

from __future__ import annotations

from typing import NamedTuple

from generator.sums import summed
from gridpress_chariot_dash import damage
from gridpress_chariot_dash.damage import Hit, Source
from gridpress_chariot_dash.dice import Dice
from gridpress_chariot_dash.effects import LoseCard
from gridpress_chariot_dash.hand import NOTHING, Played, expendable
from gridpress_chariot_dash.odds import Counts
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.reading import (
    AS_ROLLED,
    HASTE_AS_SLOW,
    SLOW_AS_HASTE,
    Discard,
    Outcome,
    Reading,
    Reroll,
    calmest,
    counted,
    read,
    wildest,
)
from gridpress_chariot_dash.specials import NO_BOOST, Boost
from gridpress_chariot_dash.state import State


class Demand(NamedTuple):
    """What a control roll comes to before the dice fall."""

    dice: int
    discards: int
    rerolls: int
    reading: Reading


def demand(
    state: State, options: Options, played: Played = NOTHING, *, forced: bool = False
) -> Demand | None:
    """The roll that a turn takes here, or None where it takes none: at a safe speed.

    forced: an attack or collision makes it; at a safe speed it then has the CLP dice only.
    """
    base = state.condition.control[state.speed]
    if base:
        base += state.condition.control_dice
    elif not forced:
        return None
    mods, extra = state.modifiers, played.boost
    state = cleared(state, played)
    more = mods.control_discards + extra.discards
    per_card = 2 if options.free_discards else 1
    return Demand(
        dice=base + state.clp + played.cards + more,
        discards=played.cards * per_card + more,
        rerolls=mods.control_rerolls + extra.rerolls,
        reading=Reading(options.stamina, options.soft_damage, _as_read(extra)),
    )


def _as_read(extra: Boost) -> int:
    """Yah! and Brake at once take each other away."""
    if bool(extra.slow_as_haste) == bool(extra.haste_as_slow):
        return AS_ROLLED
    return SLOW_AS_HASTE if extra.slow_as_haste else HASTE_AS_SLOW


def roll(
    asked: Demand, dice: Dice, discard: Discard = calmest, reroll: Reroll = wildest
) -> Outcome:
    """Roll, roll again, discard, and read what is left. ValueError for a choice not allowed."""
    counts = counted(dice.roll(asked.dice))
    if asked.rerolls:
        again = reroll(counts, asked.rerolls, asked.reading)
        _within(again, counts, asked.rerolls)
        new = counted(dice.roll(summed(again)))
        counts = tuple([c - a + n for c, a, n in zip(counts, again, new, strict=True)])
    if asked.discards:
        stay = discard(counts, asked.discards, asked.reading)
        _within(stay, counts, len(counts) + summed(counts))
        if summed(counts) - summed(stay) > asked.discards:
            raise ValueError(f"at most {asked.discards} dice may be discarded")
        counts = stay
    return read(counts, asked.reading)


def _within(part: Counts, counts: Counts, most: int) -> None:
    """ValueError unless the part is some of the dice, at most so many."""
    if summed(part) > most or any(p < 0 or p > c for p, c in zip(part, counts, strict=True)):
        raise ValueError(f"{part} is no choice of up to {most} of the dice {counts}")


class Swing(NamedTuple):
    """Where control was lost to: hexes in the old direction, then 30° turns, left positive."""

    slides: int = 0
    spin: int = 0


def swing(state: State, outcome: Outcome) -> Swing:
    """The slide and spin of an outcome; up to the traits' numbers icons do more."""
    slippery, spinner = state.modifiers.slides, state.modifiers.spins
    left = outcome.left + min(outcome.left, spinner)
    right = outcome.right + min(outcome.right, spinner)
    return Swing(outcome.slides + min(outcome.slides, slippery), left - right)


def resolve(
    state: State,
    outcome: Outcome,
    dice: Dice,
    options: Options,
    extra: Boost = NO_BOOST,
    lose: LoseCard = expendable,
) -> tuple[State, Hit]:
    """What an outcome does to the vehicle itself: CLP and stamina, boxes, the damage roll.

    `swing` says where it goes. Damage of a control roll asks for no other roll. extra: specials
    played for the damage roll.
    """
    state = state.unsteadied(outcome.clp)
    if outcome.stamina:
        state = state.tired(outcome.stamina)
    if outcome.haste:
        state = state.moved(outcome.haste)
    if outcome.slow:
        state = state.moved(-outcome.slow)
    hit = Hit()
    if outcome.damage and not options.soft_damage:
        state, hit = damage.roll(state, outcome.damage, Source.CONTROL, dice, extra, lose)
    return state.settled(), hit


def cleared(state: State, played: Played) -> State:
    """Cool: all CLP go, even just before the roll that `demand` then asks for."""
    return state._replace(clp=state.vehicle.control_minimum) if played.boost.clears else state
