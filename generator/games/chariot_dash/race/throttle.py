"""A chart, a race and a racer in, cards and a plan for the speed check out.

Each check is looked at through the sets of sums that its dice may leave to choose from: of each set
the driver would keep the sum that takes him to the speed worth most, so the mean of that is what
the check is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from generator.games.chariot_dash.hand import Played
from generator.games.chariot_dash.keeping import Keep
from generator.games.chariot_dash.options import LEAD
from generator.games.chariot_dash.race import deck
from generator.games.chariot_dash.race.chart import Chart
from generator.games.chariot_dash.race.driver import SpeedChoice
from generator.games.chariot_dash.race.prices import sum_sets
from generator.games.chariot_dash.speed_check import SpeedPlan, Terms, directions, terms
from generator.games.chariot_dash.state import State
from generator.games.chariot_dash.vehicle import STAMINA_TOP

if TYPE_CHECKING:
    from generator.games.chariot_dash.race.meet import Race
    from generator.games.chariot_dash.race.racer import Racer

_TIRED: Final = 3
"""Stamina counts in steps of so much: a plan is made once for each."""
_MOST_CLP: Final = 6
_HANDS: Final = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
"""Whips and Reins that a driver thinks of playing."""


class Idea(NamedTuple):
    """A plan and the cards that it takes."""

    whips: int
    reins: int
    plan: SpeedPlan


def throttle(chart: Chart, race: Race, me: Racer) -> SpeedChoice:
    """The plan of the highest expected worth; equal situations have equal plans."""
    state, standing = me.state, me.standing
    node = race.arena.node(me.pose)
    key = (
        node,
        state.marker,
        deck.counts(state),
        min(state.clp, _MOST_CLP),
        state.stamina // _TIRED,
        state.virtual_whips,
        state.virtual_reins,
        standing.leads_by >= LEAD,
        standing.trails_by >= LEAD,
        standing.rival_ahead,
        state.condition,
    )
    idea = chart.ideas.get(key)
    if idea is None:
        idea = chart.ideas[key] = _best(chart, race, me, node)
    plays = deck.pick(state, idea.whips, idea.reins)
    assert plays is not None, "equal hands hold the same cards"
    return SpeedChoice(plays, idea.plan)


def _best(chart: Chart, race: Race, me: Racer, node: int) -> Idea:
    worth = _worth_of_boxes(chart, me.state, node)
    hand = len(me.state.piles.hand)
    found: list[tuple[float, Idea]] = []
    for idea, bound in _ideas(me, race):
        price = sum(chart.card_price(hand - n) for n in range(idea.whips + idea.reins))
        if bound is None:
            boxes = idea.plan.free or 0
            value = worth(boxes if idea.plan.accelerate else -boxes)
        else:
            value = _expected(race, bound, worth)
            idea = idea._replace(plan=SpeedPlan(idea.plan.accelerate, keep=_keep(bound, worth)))
        found.append((value - price, idea))
    return max(found, key=lambda one: one[0])[1]


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


def _worth_of_boxes(chart: Chart, state: State, node: int) -> Callable[[int], float]:
    """What it is worth to move the marker by so many boxes."""
    prices, table, condition = chart.prices, state.vehicle.table, state.condition
    fresh = 1 + (STAMINA_TOP - state.stamina) / 4
    known: dict[int, float] = {}

    def worth(boxes: int) -> float:
        marker = table.moved(state.marker, boxes)
        speed = min(table.speeds[marker.acceleration], condition.speed_most)
        value = known.get(speed)
        if value is None:
            value = chart.worth(node, speed)
            if condition.control[speed]:
                value -= prices.point * (1.5 * state.clp + condition.control_dice)
            value += prices.stamina * fresh * state.vehicle.stamina[speed]
            known[speed] = value
        return value

    return worth


def _expected(race: Race, bound: Terms, worth: Callable[[int], float]) -> float:
    sets = sum_sets(race.die, bound.dice, bound.rerolls, bound.limit)
    boxes = bound.boxes
    return sum([part * max([worth(boxes(kept)) for kept in sums]) for sums, part in sets])


def _keep(bound: Terms, worth: Callable[[int], float]) -> Keep:
    """Keep the sum that is worth most."""
    best: dict[tuple[int, ...], int] = {}

    def keep(sums: tuple[int, ...]) -> int:
        kept = best.get(sums)
        if kept is None:
            kept = best[sums] = max(sums, key=lambda one: worth(bound.boxes(one)))
        return kept

    return keep
