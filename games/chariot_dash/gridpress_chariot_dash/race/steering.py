"""How the shipped driver checks his speed, steers, and picks the cards for it.

Each check is looked at through the sets of sums that its dice may leave to choose from: of each set
the driver would keep the sum that takes him to the speed worth most, so the mean of that is what
the check is worth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from generator.units import summed
from gridpress_chariot_dash.cards import Card, Front, Play, Use
from gridpress_chariot_dash.dice import Keep
from gridpress_chariot_dash.movement import Step
from gridpress_chariot_dash.race.arena import Way, detours, ways_from
from gridpress_chariot_dash.race.driver import Drive, Race, Racer, SpeedChoice
from gridpress_chariot_dash.race.outlook import Idea, Outlook, sum_sets, sums_of
from gridpress_chariot_dash.speed_check import SpeedPlan, Terms, directions, terms
from gridpress_chariot_dash.state import LEAD, Played, State
from gridpress_chariot_dash.vehicle import STAMINA_TOP, Vehicle


def pick_cards(state: State, whips: int, reins: int) -> tuple[Play, ...] | None:
    """So many cards to be played as Whips and as Reins; None if the hand does not have them."""
    return _picked(state.vehicle, state.piles.hand, whips, reins)


@lru_cache(maxsize=1 << 16)
def _picked(
    vehicle: Vehicle, hand: tuple[int, ...], whips: int, reins: int
) -> tuple[Play, ...] | None:
    order = sorted(hand, key=lambda index: _dear(vehicle.cards[index]))
    as_whips, as_reins = (
        [index for index in order if vehicle.cards[index].front in (Front.DUAL, front)]
        for front in (Front.WHIP, Front.REINS)
    )
    for whipped in combinations(as_whips, whips):
        reined = [index for index in as_reins if index not in whipped][:reins]
        if len(reined) == reins:
            played = ((Use.WHIP, whipped), (Use.REINS, reined))
            return tuple(Play(index, use) for use, indices in played for index in indices)
    return None


def any_cards(state: State, count: int) -> tuple[Play, ...]:
    """Up to so many cards of whatever type there are most of, as on a control roll."""
    cards, hand = state.vehicle.cards, state.piles.hand
    whips = sum(cards[index].front == Front.WHIP for index in hand)
    more = Front.WHIP if 2 * whips > len(hand) else Front.REINS
    order = sorted(hand, key=lambda i: (bool(cards[i].special), cards[i].front != more, i))
    return tuple(
        Play(i, Use.WHIP if cards[i].front == Front.WHIP else Use.REINS) for i in order[:count]
    )


def special_card(state: State, name: str) -> tuple[Play, ...]:
    """The special card of that name, if it is in the hand; played for its back."""
    cards = state.vehicle.cards
    for index in state.piles.hand:
        if cards[index].special == name:
            return (Play(index, Use.SPECIAL),)
    return ()


def count_cards(state: State) -> tuple[int, int, int]:
    """Whips, Reins and dual cards in the hand."""
    return _counted(state.vehicle, state.piles.hand)


@lru_cache(maxsize=1 << 16)
def _counted(vehicle: Vehicle, hand: tuple[int, ...]) -> tuple[int, int, int]:
    fronts = [0, 0, 0]
    for index in hand:
        fronts[vehicle.cards[index].front] += 1
    return fronts[0], fronts[1], fronts[2]


def _dear(card: Card) -> tuple[bool, Front]:
    return bool(card.special), card.front


_TIRED: Final = 3
"""Stamina counts in steps of so much: a plan is made once for each."""
_HANDS: Final = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
"""Whips and Reins that a driver thinks of playing."""


class Mood(NamedTuple):
    """What of a situation a plan depends on, in the steps in which it does: equal ones have equal
    plans, whoever was in them first. burden: see `Outlook.worth`. fresh: stamina in steps."""

    node: int
    burden: int
    fresh: int


def throttle(outlook: Outlook, race: Race, me: Racer) -> SpeedChoice:
    """The plan of the highest expected worth; equal situations have equal plans."""
    state, standing = me.state, me.standing
    mood = Mood(race.arena.node(me.pose), outlook.burden(state), state.stamina // _TIRED)
    key = (
        mood,
        state.marker,
        count_cards(state),
        state.virtual_whips,
        state.virtual_reins,
        standing.leads_by >= LEAD,
        standing.trails_by >= LEAD,
        standing.rival_ahead,
        state.condition,
    )
    idea = outlook.ideas.get(key)
    if idea is None:
        idea = outlook.ideas[key] = _best_idea(outlook, race, me, mood)
    plays = pick_cards(state, idea.whips, idea.reins)
    assert plays is not None, "equal hands hold the same cards"
    return SpeedChoice(plays, idea.plan)


def _best_idea(outlook: Outlook, race: Race, me: Racer, mood: Mood) -> Idea:
    worth = _worth_of_boxes(outlook, me.state, mood)
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
        value -= summed([outlook.card_price(hand - n) for n in range(idea.whips + idea.reins)])
        if value > most:
            best, most = Idea(idea.whips, idea.reins, plan), value
    return best


def _ideas(me: Racer, race: Race) -> Iterator[tuple[Idea, Terms | None]]:
    """Every plan to think about; without terms where no dice are rolled."""
    state, standing, options = me.state, me.standing, race.options
    leader = options.grandstanding and standing.leads_by >= LEAD
    for whips, reins in _HANDS:
        if pick_cards(state, whips, reins) is None:
            continue
        for accelerate in directions(state, whips + reins, standing, options):
            bound = terms(state, accelerate, Played(whips, reins), standing, options)
            yield Idea(whips, reins, SpeedPlan(accelerate)), bound
    pulls = ((True, state.modifiers.accelerate), (False, state.modifiers.decelerate))
    for accelerate, pull in pulls:
        if not (accelerate and leader) and pull.free:
            for boxes in range(pull.free + 1):
                yield Idea(0, 0, SpeedPlan(accelerate, boxes)), None


def _worth_of_boxes(outlook: Outlook, state: State, mood: Mood) -> Callable[[int], float]:
    """What it is worth to move the marker by so many boxes."""
    prices, table, condition = outlook.prices, state.vehicle.table, state.condition
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
            value = outlook.worth(mood.node, speed, burden=burden)
            if outlook.reading.stamina:
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


def steer(outlook: Outlook, race: Race, me: Racer, phase: int, left: int | None) -> Drive:
    """The way, turn and card of the highest worth. `left` as in `Driver.phase`.

    What would be best on an empty track is kept by situation; where somebody or something new is
    in the way, all ways are looked at anew.
    """
    state = me.state
    speed = state.speed
    hexes = state.vehicle.moves[speed][phase] if left is None else left
    whips, reins, dual = count_cards(state)
    whip, rein = left is None and whips + dual > 0, left is None and reins + dual > 0
    hand = whips + reins + dual
    node, dice = race.arena.node(me.pose), _dice(me)
    burden = outlook.burden(state)
    key = (node, speed, phase, hexes, dice, state.clp, burden, hand, whip, rein, me.drifted)
    drive = outlook.drives.get(key)
    if drive is None:
        drive = outlook.drives[key] = _best_drive(outlook, race, me, phase, hexes, left is None)
    way = drive.way
    if way is not None and not (
        way.open
        and race.occupied.keys().isdisjoint(way.hexes)
        and (not race.items or race.items.keys().isdisjoint(way.hexes))
    ):
        return _best_drive(outlook, race, me, phase, hexes, left is None, crowded=True)
    if drive.plays:
        use = drive.plays[0].use
        plays = pick_cards(state, int(use is Use.WHIP), int(use is Use.REINS))
        assert plays is not None, "equal hands hold the card that the plan asks for"
        return drive._replace(plays=plays)
    return drive


def _dice(me: Racer) -> int:
    """Dice of a control roll at the end of this phase, 0 at a safe speed."""
    condition = me.state.condition
    base = condition.control[me.state.speed]
    return base + condition.control_dice + me.state.clp if base else 0


def _best_drive(
    outlook: Outlook,
    race: Race,
    me: Racer,
    phase: int,
    hexes: int,
    fresh: bool,
    *,
    crowded: bool = False,
) -> Drive:
    """fresh: the phase begins, so a card may be played."""
    state = me.state
    hand, burden = len(state.piles.hand), outlook.burden(state)
    whips = pick_cards(state, 1, 0) if fresh else None
    reins = pick_cards(state, 0, 1) if fresh else None
    best, most = Drive(None), -999.0
    for count, plays in ((hexes, ()), (hexes + 1, whips), (hexes - 1, reins)):
        if plays is None or count < 0:
            continue
        price = outlook.card_price(hand) if plays else 0.0
        if count == 0:
            node = race.arena.node(me.pose)
            value = outlook.worth(node, state.speed, phase + 1, burden=burden) - price
            if value > most:
                best, most = Drive(None, 0, plays), value
            continue
        turn_price = outlook.turn_price(state.speed, _dice(me), hand - len(plays))
        for way, cost in _ways(outlook, race, me, count, crowded=crowded):
            gained, turn = _through_turns(outlook, state, way, phase + 1, turn_price)
            value = gained - cost - price
            if value > most:
                best, most = Drive(way, turn, plays), value
    return best


def _through_turns(
    outlook: Outlook, state: State, way: Way, then: int, turn_price: float
) -> tuple[float, int]:
    """What a way is worth with its best turn, and that turn; `then`: the phase after it."""
    speed, burden = state.speed, outlook.burden(state)
    if not way.open:
        slower = 0 if way.stops else speed // 2
        return way.gain + outlook.worth(way.turns[0][1], slower, then, burden=burden), 0
    steadies = way.drift < 0 and state.clp > state.vehicle.control_minimum
    best, chosen = -999.0, 0
    for turn, end in way.turns:
        value = outlook.worth(end, speed, then, burden=burden)
        if turn:
            value -= turn_price
        elif steadies:
            value += outlook.prices.point
        if value > best:
            best, chosen = value, turn
    return way.gain + best, chosen


def _ways(
    outlook: Outlook, race: Race, me: Racer, count: int, *, crowded: bool
) -> Iterator[tuple[Way, float]]:
    """Ways on, each with what collisions on it cost."""
    speed = me.state.speed
    arena = race.arena
    onward = (
        ways_from(arena, me.pose, count, drift=False)
        if me.drifted
        else arena.ways(arena.node(me.pose), count)
    )
    for way in onward:
        if not way.open:
            yield way, outlook.crash[speed]
            continue
        if not crowded:
            low = way.unjumped if outlook.jumps else way.low
            yield way, 0.0 if outlook.flies else low * outlook.soft[speed]
            continue
        options = [way, *detours(arena, me.pose, way)]
        tried = [_through(outlook, race, me, one) for one in options]
        yield min(tried, key=lambda pair: pair[1])


def _through(outlook: Outlook, race: Race, me: Racer, way: Way) -> tuple[Way, float]:
    """A way through what stands there now, with a jump if that helps, and what it costs."""
    costs = [_hit_price(outlook, race, me, at) for at in way.hexes]
    total, most, best = summed(costs), 0.0, way
    mods = me.state.modifiers
    if total and race.options.jumps and not mods.grounded and not me.jumped:
        for length in range(1, mods.leaps + 2):
            for place in range(len(costs) - length):
                saved = summed(costs[place : place + length])
                if saved > most and way.drift not in range(place, place + length + 1):
                    most, best = saved, _jumping(way, place, length)
    return best, total - most


def _jumping(way: Way, place: int, length: int) -> Way:
    """The same way with a jump over so many of its hexes, from a place on."""
    *over, landing = way.steps[place : place + length + 1]
    step = Step(landing.pose, tuple(one.pose.hex for one in over), length + 1)
    steps = (*way.steps[:place], step, *way.steps[place + length + 1 :])
    hexes = tuple(step.pose.hex for step in steps)
    return way._replace(steps=steps, hexes=hexes)


def _hit_price(outlook: Outlook, race: Race, me: Racer, at: tuple[int, int]) -> float:
    """What it costs to enter a hex as things stand."""
    speed = me.state.speed
    other = race.occupied.get(at)
    if other is not None and other is not me:
        if other.parked:
            return outlook.crash[speed]
        return outlook.bump(speed, other.state.speed)
    item = race.items.get(at)
    if item is None or (me.state.modifiers.flies and item.kind != "solid"):
        return 0.0
    return outlook.soft[speed] + outlook.per_die * (len(item.ratings) - 1)
