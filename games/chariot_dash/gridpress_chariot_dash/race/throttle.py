"""A chart, a race and a racer in, cards and a plan for the speed check out.

Each check is looked at through the sets of sums that its dice may leave to choose from: of each set
the driver would keep the sum that takes him to the speed worth most, so the mean of that is what
the check is worth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from generator.sums import summed
from gridpress_chariot_dash.hand import Played
from gridpress_chariot_dash.keeping import Keep
from gridpress_chariot_dash.options import LEAD
from gridpress_chariot_dash.race import deck
from gridpress_chariot_dash.race.chart import Chart
from gridpress_chariot_dash.race.driver import SpeedChoice
from gridpress_chariot_dash.race.prices import sum_sets, sums_of
from gridpress_chariot_dash.speed_check import SpeedPlan, Terms, directions, terms
from gridpress_chariot_dash.state import State
from gridpress_chariot_dash.vehicle import STAMINA_TOP

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.meet import Race
    from gridpress_chariot_dash.race.racer import Racer

_TIRED: Final = 3
"""Stamina counts in steps of so much: a plan is made once for each."""
_HANDS: Final = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
"""Whips and Reins that a driver thinks of playing."""


class Idea(NamedTuple):
    """A plan and the cards that it takes."""

    whips: int
    reins: int
    plan: SpeedPlan


class Mood(NamedTuple):
    """What of a situation a plan depends on, in the steps in which it does: equal ones have equal
    plans, whoever was in them first. burden: see `Chart.worth`. fresh: stamina in steps."""

    node: int
    burden: int
    fresh: int


def throttle(chart: Chart, race: Race, me: Racer) -> SpeedChoice:
    """The plan of the highest expected worth; equal situations have equal plans."""
    state, standing = me.state, me.standing
    mood = Mood(race.arena.node(me.pose), chart.burden(state), state.stamina // _TIRED)
    key = (
        mood,
        state.marker,
        deck.counts(state),
        state.virtual_whips,
        state.virtual_reins,
        standing.leads_by >= LEAD,
        standing.trails_by >= LEAD,
        standing.rival_ahead,
        state.condition,
    )
    idea = chart.ideas.get(key)
    if idea is None:
        idea = chart.ideas[key] = _best(chart, race, me, mood)
    plays = deck.pick(state, idea.whips, idea.reins)
    assert plays is not None, "equal hands hold the same cards"
    return SpeedChoice(plays, idea.plan)


def _best(chart: Chart, race: Race, me: Racer, mood: Mood) -> Idea:
    worth = _worth_of_boxes(chart, me.state, mood)
    hand = len(me.state.piles.hand)
    best, most = Idea(0, 0, SpeedPlan(accelerate=False)), -math.inf
    for idea, bound in _ideas(me, race):
        plan = idea.plan
        if bound is None:
            boxes = plan.free or 0
            value = worth(boxes if plan.accelerate else -boxes)
        else:
            sets = sum_sets(race.die, bound.dice, bound.rerolls, bound.limit)
            of_sum = {kept: worth(bound.boxes(kept)) for kept in sums_of(sets)}
            value = summed([part * max([of_sum[kept] for kept in sums]) for sums, part in sets])
            plan = SpeedPlan(plan.accelerate, keep=_keep(of_sum))
        value -= summed([chart.card_price(hand - n) for n in range(idea.whips + idea.reins)])
        if value > most:
            best, most = Idea(idea.whips, idea.reins, plan), value
    return best


def _ideas(me: Racer, race: Race) -> Iterator[tuple[Idea, Terms | None]]:
    """Every plan to think about; without terms where no dice are rolled."""
    state, standing, options = me.state, me.standing, race.options
    leader = options.grandstanding and standing.leads_by >= LEAD
    for whips, reins in _HANDS:
        if deck.pick(state, whips, reins) is None:
            continue
        for accelerate in directions(state, whips + reins, standing, options):
            bound = terms(state, accelerate, Played(whips, reins), standing, options)
            yield Idea(whips, reins, SpeedPlan(accelerate)), bound
    pulls = ((True, state.modifiers.accelerate), (False, state.modifiers.decelerate))
    for accelerate, pull in pulls:
        if not (accelerate and leader) and pull.free:
            for boxes in range(pull.free + 1):
                yield Idea(0, 0, SpeedPlan(accelerate, boxes)), None


def _worth_of_boxes(chart: Chart, state: State, mood: Mood) -> Callable[[int], float]:
    """What it is worth to move the marker by so many boxes."""
    prices, table, condition = chart.prices, state.vehicle.table, state.condition
    tired = 1 + (STAMINA_TOP // _TIRED - mood.fresh) * _TIRED / 4
    known: dict[int, float] = {}
    by_boxes: dict[int, float] = {}

    def worth(boxes: int) -> float:
        value = by_boxes.get(boxes)
        if value is not None:
            return value
        marker = table.moved(state.marker, boxes)
        speed = min(table.speeds[marker.acceleration], condition.speed_most)
        value = known.get(speed)
        if value is None:
            burden = mood.burden if condition.control[speed] else 0
            value = chart.worth(mood.node, speed, burden=burden)
            if chart.reading.stamina:
                value += prices.stamina * tired * state.vehicle.stamina[speed]
            known[speed] = value
        by_boxes[boxes] = value
        return value

    return worth


def _keep(of_sum: Mapping[int, float]) -> Keep:
    """Keep the sum that is worth most."""

    def keep(sums: tuple[int, ...]) -> int:
        return max(sums, key=of_sum.__getitem__)

    return keep
