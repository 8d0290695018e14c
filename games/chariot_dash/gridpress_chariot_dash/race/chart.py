"""A vehicle and an arena in, what each pose at each speed is worth to it out.

A chart answers: how many cells will I gain in the next rounds from here, if I drive well? It plays
the coming phases through as if no roll ever failed, with a price on each turn that control may be
lost in, on each collision and on each card, and takes the best way each time (dynamic programming,
every pose worked out once and kept). At the end of a round the speed may go on or change by what a
typical speed check gives. Bends ahead, walls and what lies on the track are in the worth of a pose
by themselves: whoever is too fast for a bend is worth less three phases before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from generator.sums import summed
from gridpress_chariot_dash.control import Demand
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.movement import PHASES
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.race.arena import Arena
from gridpress_chariot_dash.race.prices import Prices, roll_price
from gridpress_chariot_dash.reading import Reading
from gridpress_chariot_dash.speed_table import SPEEDS, TOP
from gridpress_chariot_dash.traits import modifiers
from gridpress_chariot_dash.vehicle import Vehicle

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.driver import Drive
    from gridpress_chariot_dash.race.throttle import Idea
    from gridpress_chariot_dash.state import State

ROUNDS: Final = 2
"""How many rounds a driver looks ahead, the one at hand with them."""
BURDENS: Final = (0, 2, 4)
"""Dice that CLP and damage add to a control roll, in steps: none, one or two, more."""
_USUAL_HAND: Final = 3
_TYPICAL: Final = 3
"""Boxes of a typical speed check: the mean sum of two dice."""


class Chart:
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
