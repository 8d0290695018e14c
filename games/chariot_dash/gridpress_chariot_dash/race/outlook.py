"""What dice cost a driver, and what each pose at each speed is worth to a vehicle.

A driver weighs everything in one unit, cells of progress along the track, so that a slide, a card
and a point of damage can be set against a hex gained. All prices come from exact odds and are kept.

An outlook answers: how many cells will I gain in the next rounds from here, if I drive well? It
plays the coming phases through as if no roll ever failed, with a price on each turn that control
may be lost in, on each collision and on each card, and takes the best way each time (dynamic
programming, every pose worked out once and kept). At the end of a round the speed may go on or
change by what a typical speed check gives. Bends ahead, walls and what lies on the track are in the
worth of a pose by themselves: whoever is too fast for a bend is worth less three phases before it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from generator.units import summed
from gridpress_chariot_dash.control import Demand, Outcome, Reading, odds
from gridpress_chariot_dash.dice import Die, possible_sums, reroll_low, value_rolls
from gridpress_chariot_dash.movement import PHASES
from gridpress_chariot_dash.race.arena import Arena
from gridpress_chariot_dash.race.driver import Drive
from gridpress_chariot_dash.speed_check import SpeedPlan
from gridpress_chariot_dash.state import Options, State
from gridpress_chariot_dash.traits import modifiers
from gridpress_chariot_dash.vehicle import SPEEDS, TOP, Vehicle


class Prices(NamedTuple):
    """What a driver thinks things are worth, in cells. The defaults were found by time trials.

    wreck: being wiped out; a point of damage costs its share of that. card: one of three cards in
    the hand; the last one three times as much, one of six half. point: a control loss point. blow:
    a unit of speed lost to a bump. wall: how likely a slide or spin ends in a collision. astray,
    pace: at the end of what is looked ahead to, each 30° off the lane and each hex of a round at
    the speed that is then had. stand: a round at speed 0; high, since whoever stands before a wall
    must hit it some day to get on.
    """

    wreck: float = 40.0
    card: float = 0.35
    wall: float = 0.4
    slide: float = 1.0
    spin: float = 1.2
    slow: float = 0.6
    haste: float = 0.3
    point: float = 0.5
    stamina: float = 0.2
    astray: float = 1.0
    pace: float = 0.1
    stand: float = 15.0
    blow: float = 1.0


def cost(outcome: Outcome, prices: Prices, per_die: float, crash: float) -> float:
    """What an outcome of a control roll costs. per_die: what a die of damage is expected to;
    crash: hitting a wall at the speed, which may come of a slide or spin."""
    strays = outcome.slides or outcome.left != outcome.right
    return (
        prices.wall * crash * bool(strays)
        + prices.slide * outcome.slides
        + prices.spin * abs(outcome.left - outcome.right)
        + prices.slow * max(0, outcome.slow - outcome.haste)
        + prices.haste * max(0, outcome.haste - outcome.slow)
        + per_die * outcome.damage
        + prices.point * outcome.clp
        + prices.stamina * outcome.stamina
    )


_MOST_DICE = 7
"""Exact odds of more dice take long; each further die is then priced as the one before it."""


@lru_cache(maxsize=65536)
def roll_price(asked: Demand, prices: Prices, per_die: float, crash: float) -> float:
    """What a control roll is expected to cost."""
    if asked.dice > _MOST_DICE:
        over = asked.dice - _MOST_DICE
        less = [
            asked._replace(dice=_MOST_DICE - n, discards=min(asked.discards, 2)) for n in (0, 1)
        ]
        most, before = (roll_price(one, prices, per_die, crash) for one in less)
        return most + over * (most - before)
    return summed([part * cost(o, prices, per_die, crash) for o, part in _outcomes(asked)])


@lru_cache(maxsize=4096)
def _outcomes(asked: Demand) -> tuple[tuple[Outcome, float], ...]:
    """The exact odds, which all vehicles share."""
    return tuple(odds(asked).items())


SumSets = tuple[tuple[tuple[int, ...], float], ...]


@lru_cache(maxsize=4096)
def sum_sets(die: Die, dice: int, rerolls: int, limit: int) -> SumSets:
    """What a speed check leaves to choose from: each set of possible sums with its probability."""
    sets: dict[tuple[int, ...], float] = {}
    for values, part in value_rolls(die, dice):
        anew = reroll_low(values, rerolls, limit) if rerolls else ()
        rest = tuple(v for i, v in enumerate(values) if i not in anew)
        for more, chance in value_rolls(die, len(anew)):
            sums = possible_sums(tuple(sorted(rest + more)), limit)
            sets[sums] = sets.get(sums, 0.0) + part * chance
    return tuple(sorted(sets.items()))


@lru_cache(maxsize=4096)
def sums_of(sets: SumSets) -> tuple[int, ...]:
    """Every sum that is in one of the sets."""
    return tuple(sorted({kept for sums, _ in sets for kept in sums}))


ROUNDS: Final = 2
"""How many rounds a driver looks ahead, the one at hand with them."""
BURDENS: Final = (0, 2, 4)
"""Dice that CLP and damage add to a control roll, in steps: none, one or two, more."""
_USUAL_HAND: Final = 3
_TYPICAL: Final = 3
"""Boxes of a typical speed check: the mean sum of two dice."""


class Idea(NamedTuple):
    """A plan and the cards that it takes."""

    whips: int
    reins: int
    plan: SpeedPlan


class Outlook:
    """The worth of poses for one vehicle on one arena. A cache: equal charts answer alike."""

    def __init__(
        self,
        vehicle: Vehicle,
        arena: Arena,
        options: Options,
        die: Die,
        prices: Prices,
        point: float | None = None,
    ) -> None:
        """point: what a point of damage costs, as a part of being wiped out; an equal share of the
        damage track if not given."""
        mods = modifiers(vehicle.traits)
        self.vehicle, self.arena, self.prices = vehicle, arena, prices
        self.jumps = options.jumps and not mods.grounded
        self.flies = bool(mods.flies)
        above = sum(value > vehicle.resilience for value in die.values) / len(die.values)
        part = 1 / vehicle.damage_levels if point is None else point
        self.per_die = above * (prices.wreck * part + prices.point)
        self.reading = Reading(options.stamina, options.soft_damage)
        self.per_card = 2 if options.free_discards else 1
        self.rolls = (mods.control_discards, mods.control_rerolls)
        self.totals = tuple(summed(row) for row in vehicle.moves)
        self.crash = tuple(
            self.per_die * max(0, speed + mods.collision_dice) + 0.5 for speed in range(SPEEDS)
        )
        self.soft = tuple(self.per_die * ((speed + 1) // 2) + 0.5 for speed in range(SPEEDS))
        self.shifts = tuple(self._shifts(speed) for speed in range(SPEEDS))
        self.specials = frozenset(card.special for card in vehicle.cards if card.special)
        self.ideas: dict[tuple[object, ...], Idea] = {}
        self.drives: dict[tuple[int, ...], Drive] = {}
        self._known: dict[int, dict[int, float]] = {}
        self._cards: dict[tuple[int, Demand, int, int], tuple[float, int]] = {}
        self.turn = tuple(
            tuple(
                self.turn_price(speed, dice + vehicle.control_minimum + more, _USUAL_HAND)
                if dice
                else 0.0
                for speed, dice in enumerate(vehicle.control)
            )
            for more in BURDENS
        )

    def burden(self, state: State) -> int:
        """In which step of `BURDENS` a vehicle is now."""
        more = state.clp - self.vehicle.control_minimum + state.condition.control_dice
        return min((more + 1) // 2, len(BURDENS) - 1)

    def turn_price(self, speed: int, dice: int, hand: int) -> float:
        """What a turn costs whose control roll has so many dice before traits and cards."""
        if not dice:
            return 0.0
        discards, rerolls = self.rolls
        asked = Demand(dice + discards, discards, rerolls, self.reading)
        return self.cards_for(speed, asked, min(2, hand), hand)[0]

    def bump(self, speed: int, other: int) -> float:
        """What running into a vehicle ahead costs; the hexes of the phase that are lost with it
        count as well."""
        apart = max(1, speed - other)
        return 1.5 + self.per_die * apart + self.prices.blow * apart

    def card_price(self, hand: int) -> float:
        """What the next card costs, with so many in the hand."""
        return self.prices.card * 3 / max(1, hand)

    def cards_for(self, speed: int, asked: Demand, most: int, hand: int) -> tuple[float, int]:
        """What a control roll is expected to cost, its cards with it, and with how many cards."""
        found = self._cards.get((speed, asked, most, hand))
        if found is None:
            per_card = self.per_card
            prices = [
                roll_price(
                    asked._replace(dice=asked.dice + n, discards=asked.discards + n * per_card),
                    self.prices,
                    self.per_die,
                    self.crash[speed],
                )
                + summed(self.card_price(hand - k) for k in range(n))
                for n in range(most + 1)
            ]
            least = min(prices)
            found = self._cards[speed, asked, most, hand] = least, prices.index(least)
        return found

    def worth(
        self, node: int, speed: int, phase: int = 0, rounds: int = ROUNDS, burden: int = 0
    ) -> float:
        """Cells to be gained from the pose of this number, at a speed, from a phase on.

        burden: a place in `BURDENS`, how many more dice a control roll has than it should.
        """
        known = self._stage(speed, phase, rounds, burden)
        found = known.get(node)
        if found is None:
            if phase == PHASES or not speed:
                found = self._onward(node, speed, rounds, burden)
                found -= self.prices.stand if not speed and not phase else 0.0
            elif self.vehicle.moves[speed][phase]:
                found = self._through(node, speed, phase, rounds, burden)
            else:
                found = self.worth(node, speed, phase + 1, rounds, burden)
            known[node] = found
        return found

    def _stage(self, speed: int, phase: int, rounds: int, burden: int) -> dict[int, float]:
        """What is known of all poses at one moment."""
        key = ((burden * 4 + rounds) * SPEEDS + speed) * (PHASES + 1) + phase
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = {}
        return found

    def _through(self, node: int, speed: int, phase: int, rounds: int, burden: int) -> float:
        """The best way through a phase."""
        then = phase + 1
        known = self._stage(speed, then, rounds, burden).get
        turn_price = self.turn[burden][speed]
        best = -99.0
        for way in self.arena.ways(node, self.vehicle.moves[speed][phase]):
            if not way.open:
                after = 0 if way.stops else speed // 2
                end = self.worth(way.turns[0][1], after, then, rounds, burden)
                best = max(best, way.gain + end - self.crash[speed])
                continue
            most = -99.0
            for turn, pose in way.turns:
                value = known(pose)
                if value is None:
                    value = self.worth(pose, speed, then, rounds, burden)
                if turn:
                    value -= turn_price
                most = value if value > most else most
            if way.low and not self.flies:
                most -= self.soft[speed] * (way.unjumped if self.jumps else way.low)
            value = way.gain + most
            best = value if value > best else best
        return best

    def _onward(self, node: int, speed: int, rounds: int, burden: int) -> float:
        """After the last phase of a round. A safe speed takes the burden away."""
        if rounds <= 1:
            astray = self.arena.astray(self.arena.poses[node])
            return self.prices.pace * self.totals[speed] - self.prices.astray * astray
        control = self.vehicle.control
        return max(
            [
                self.worth(node, after, 0, rounds - 1, burden if control[after] else 0) - price
                for after, price in self.shifts[speed]
            ]
        )

    def _shifts(self, speed: int) -> tuple[tuple[int, float], ...]:
        """Speeds of the next round and what they cost: less without a card, as much or more."""
        table = self.vehicle.table
        middle = table.first[speed]
        lower = table.speed(table.decelerate(table.last[speed], _TYPICAL))
        higher = table.speed(table.accelerate(middle, _TYPICAL))
        card = self.prices.card
        shifts = {lower: 0.0}
        for after in (speed, max(speed, min(TOP, higher))):
            shifts.setdefault(after, card)
        if speed > 0:
            shifts.setdefault(max(0, lower - 1), 2 * card)
        return tuple(sorted(shifts.items()))
