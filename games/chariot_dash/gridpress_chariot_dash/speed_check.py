"""The speed check: a state, a plan and dice in, how many boxes the marker moves out.

A driver decelerates if he plays no card. With cards he chooses the direction, rolls two dice and
one for each card, discards one for each card and adds up the two he keeps. Cards of the other
type pull back: with at least as many of them as of the helping type one kept die must be the
lowest, with at least twice as many both kept dice are the lowest two.

Decisions where the facts leave open:
- virtual Reins and Whips count as if played (a die, a discard, the limit), but alone they are no
  card, so the vehicle still has to decelerate;
- boxes without a roll (Tireless, Anchor) stand in for the whole check and need no card;
- a sum never falls below 0 except by Cautious and Reckless, which then change the direction;
- effects on acceleration and deceleration, and their maximums, bind speed checks only;
- the die more of whips of shame is discarded again;
- a check that ends at a safe speed clears the CLP, whether or not it began at one;
- in a quick check a card of the helping type adds 1 and one of the other type takes 1 off.
"""

from __future__ import annotations

from typing import NamedTuple

from gridpress_chariot_dash.dice import (
    ANY_TWO,
    LOWEST_AND_ANY,
    LOWEST_TWO,
    Dice,
    Die,
    Keep,
    Reroll,
    highest,
    keep_odds,
    reroll_low,
    roll_and_keep,
)
from gridpress_chariot_dash.state import LEAD, NOTHING, Options, Played, State


class Standing(NamedTuple):
    """A vehicle among the others: hexes by which it leads or trails, whether its rival leads it."""

    leads_by: int = 0
    trails_by: int = 0
    rival_ahead: bool = False


ALONE = Standing()


class SpeedPlan(NamedTuple):
    """What a driver wants: a direction, boxes to take without a roll, and how to choose dice."""

    accelerate: bool
    free: int | None = None
    keep: Keep = highest
    reroll: Reroll = reroll_low


class Terms(NamedTuple):
    """What a speed check comes to before the dice fall.

    sign: 1 to accelerate, −1 to decelerate. added: to the kept sum, which then is at least 0;
    taken: off it afterwards. forward, backward: boxes at most, either way.
    """

    sign: int
    dice: int
    rerolls: int
    limit: int
    added: int
    taken: int
    forward: int
    backward: int

    def boxes(self, kept: int) -> int:
        """Boxes to the right, negative to the left, for a kept sum."""
        boxes = self.sign * (max(0, kept + self.added) - self.taken)
        return max(-self.backward, min(self.forward, boxes))


def directions(state: State, cards: int, standing: Standing, options: Options) -> tuple[bool, ...]:
    """Whether the driver may accelerate (True), decelerate (False) or choose, with so many cards.

    Without a card he decelerates (or accelerates, if Champing at the Bit). Under grandstanding a
    leader four hexes or more ahead only decelerates.
    """
    if options.grandstanding and standing.leads_by >= LEAD:
        return (False,)
    if cards:
        return (True, False)
    return (True,) if state.modifiers.eager else (False,)


def terms(
    state: State, accelerate: bool, played: Played, standing: Standing, options: Options
) -> Terms:
    """The dice, limit and changes of a check in this direction with these cards."""
    mods, condition = state.modifiers, state.condition
    whips, reins = played.whips + state.virtual_whips, played.reins + state.virtual_reins
    pull = mods.accelerate if accelerate else mods.decelerate
    helps, hinders = (whips, reins) if accelerate else (reins, whips)
    shamed = options.whips_of_shame and standing.trails_by >= LEAD
    quick = options.quick_speed_check
    added = pull.more + (condition.acceleration if accelerate else condition.deceleration)
    added += pull.rival if standing.rival_ahead else 0
    added += helps - hinders if quick else 0
    leader = options.grandstanding and standing.leads_by >= LEAD
    return Terms(
        sign=1 if accelerate else -1,
        dice=2 + pull.discards + shamed + (0 if quick else helps + hinders),
        rerolls=pull.rerolls + played.boost.rerolls + (played.boost.lashes if accelerate else 0),
        limit=ANY_TWO if quick or mods.keeps_any else limit(helps, hinders),
        added=added,
        taken=pull.less,
        forward=0 if leader else condition.accelerate_most,
        backward=condition.decelerate_most,
    )


def limit(helps: int, hinders: int) -> int:
    """How the cards of the other type bind the kept dice."""
    if not hinders or hinders < helps:
        return ANY_TWO
    return LOWEST_TWO if hinders >= 2 * helps else LOWEST_AND_ANY


def check(
    state: State,
    plan: SpeedPlan,
    dice: Dice,
    options: Options,
    played: Played = NOTHING,
    standing: Standing = ALONE,
) -> tuple[State, int]:
    """Make the check: the state after it and the boxes moved, negative to the left.

    ValueError for a plan that the rules do not allow.
    """
    after = state
    if state.virtual_whips or state.virtual_reins:
        after = state._replace(virtual_whips=0, virtual_reins=0)
    if plan.free is not None:
        boxes = _without_roll(state, plan.accelerate, plan.free, standing, options)
        return after.moved(boxes).settled(), boxes
    if plan.accelerate not in directions(state, played.cards, standing, options):
        raise ValueError("a driver may not choose this direction with these cards")
    bound = terms(state, plan.accelerate, played, standing, options)
    kept = roll_and_keep(dice, bound.dice, bound.rerolls, bound.limit, plan.keep, plan.reroll)
    boxes = bound.boxes(kept)
    return after.moved(boxes).settled(), boxes


def _without_roll(
    state: State, accelerate: bool, boxes: int, standing: Standing, options: Options
) -> int:
    """Tireless and Anchor: up to their number, within the maximums. ValueError beyond it."""
    pull = state.modifiers.accelerate if accelerate else state.modifiers.decelerate
    if not pull.free or not 0 <= boxes <= pull.free:
        raise ValueError(f"up to {pull.free} boxes may be moved without a roll, not {boxes}")
    if not accelerate:
        return -min(boxes, state.condition.decelerate_most)
    if options.grandstanding and standing.leads_by >= LEAD:
        raise ValueError("a leader four hexes ahead may not accelerate")
    return min(boxes, state.condition.accelerate_most)


def odds(
    state: State,
    plan: SpeedPlan,
    die: Die,
    options: Options,
    played: Played = NOTHING,
    standing: Standing = ALONE,
) -> dict[int, float]:
    """The exact probability of each number of boxes that `check` with a roll may give."""
    bound = terms(state, plan.accelerate, played, standing, options)
    kept = keep_odds(die, bound.dice, bound.rerolls, bound.limit, plan.keep, plan.reroll)
    result: dict[int, float] = {}
    for total, part in kept.items():
        boxes = bound.boxes(total)
        result[boxes] = result.get(boxes, 0.0) + part
    return result
