"""A chart, a race and a racer in, the way through a phase out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator.sums import summed
from gridpress_chariot_dash.cards import Use
from gridpress_chariot_dash.movement import Step
from gridpress_chariot_dash.race import deck
from gridpress_chariot_dash.race.chart import Chart
from gridpress_chariot_dash.race.driver import Drive
from gridpress_chariot_dash.race.ways import Way, detours, ways_from

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.meet import Race
    from gridpress_chariot_dash.race.racer import Racer
    from gridpress_chariot_dash.state import State


def steer(chart: Chart, race: Race, me: Racer, phase: int, left: int | None) -> Drive:
    """The way, turn and card of the highest worth. `left` as in `Driver.phase`.

    What would be best on an empty track is kept by situation; where somebody or something new is
    in the way, all ways are looked at anew.
    """
    state = me.state
    speed = state.speed
    hexes = state.vehicle.moves[speed][phase] if left is None else left
    whips, reins, dual = deck.counts(state)
    whip, rein = left is None and whips + dual > 0, left is None and reins + dual > 0
    hand = whips + reins + dual
    node, dice = race.arena.node(me.pose), _dice(me)
    burden = chart.burden(state)
    key = (node, speed, phase, hexes, dice, state.clp, burden, hand, whip, rein, me.drifted)
    drive = chart.drives.get(key)
    if drive is None:
        drive = chart.drives[key] = _best(chart, race, me, phase, hexes, left is None)
    way = drive.way
    if way is not None and not (
        way.open
        and race.occupied.keys().isdisjoint(way.hexes)
        and (not race.items or race.items.keys().isdisjoint(way.hexes))
    ):
        return _best(chart, race, me, phase, hexes, left is None, crowded=True)
    if drive.plays:
        use = drive.plays[0].use
        plays = deck.pick(state, int(use is Use.WHIP), int(use is Use.REINS))
        assert plays is not None, "equal hands hold the card that the plan asks for"
        return drive._replace(plays=plays)
    return drive


def _dice(me: Racer) -> int:
    """Dice of a control roll at the end of this phase, 0 at a safe speed."""
    condition = me.state.condition
    base = condition.control[me.state.speed]
    return base + condition.control_dice + me.state.clp if base else 0


def _best(
    chart: Chart,
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
    hand, burden = len(state.piles.hand), chart.burden(state)
    whips = deck.pick(state, 1, 0) if fresh else None
    reins = deck.pick(state, 0, 1) if fresh else None
    best, most = Drive(None), -999.0
    for count, plays in ((hexes, ()), (hexes + 1, whips), (hexes - 1, reins)):
        if plays is None or count < 0:
            continue
        price = chart.card_price(hand) if plays else 0.0
        if count == 0:
            node = race.arena.node(me.pose)
            value = chart.worth(node, state.speed, phase + 1, burden=burden) - price
            if value > most:
                best, most = Drive(None, 0, plays), value
            continue
        turn_price = chart.turn_price(state.speed, _dice(me), hand - len(plays))
        for way, cost in _ways(chart, race, me, count, crowded=crowded):
            gained, turn = _through_turns(chart, state, way, phase + 1, turn_price)
            value = gained - cost - price
            if value > most:
                best, most = Drive(way, turn, plays), value
    return best


def _through_turns(
    chart: Chart, state: State, way: Way, then: int, turn_price: float
) -> tuple[float, int]:
    """What a way is worth with its best turn, and that turn; `then`: the phase after it."""
    speed, burden = state.speed, chart.burden(state)
    if not way.open:
        slower = 0 if way.stops else speed // 2
        return way.gain + chart.worth(way.turns[0][1], slower, then, burden=burden), 0
    steadies = way.drift < 0 and state.clp > state.vehicle.control_minimum
    best, chosen = -999.0, 0
    for turn, end in way.turns:
        value = chart.worth(end, speed, then, burden=burden)
        if turn:
            value -= turn_price
        elif steadies:
            value += chart.prices.point
        if value > best:
            best, chosen = value, turn
    return way.gain + best, chosen


def _ways(
    chart: Chart, race: Race, me: Racer, count: int, *, crowded: bool
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
            yield way, chart.crash[speed]
            continue
        if not crowded:
            low = way.unjumped if chart.jumps else way.low
            yield way, 0.0 if chart.flies else low * chart.soft[speed]
            continue
        options = [way, *detours(arena, me.pose, way)]
        tried = [_through(chart, race, me, one) for one in options]
        yield min(tried, key=lambda pair: pair[1])


def _through(chart: Chart, race: Race, me: Racer, way: Way) -> tuple[Way, float]:
    """A way through what stands there now, with a jump if that helps, and what it costs."""
    costs = [_hit_price(chart, race, me, at) for at in way.hexes]
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


def _hit_price(chart: Chart, race: Race, me: Racer, at: tuple[int, int]) -> float:
    """What it costs to enter a hex as things stand."""
    speed = me.state.speed
    other = race.occupied.get(at)
    if other is not None and other is not me:
        if other.parked:
            return chart.crash[speed]
        return chart.bump(speed, other.state.speed)
    item = race.items.get(at)
    if item is None or (me.state.modifiers.flies and item.kind != "solid"):
        return 0.0
    return chart.soft[speed] + chart.per_die * (len(item.ratings) - 1)
