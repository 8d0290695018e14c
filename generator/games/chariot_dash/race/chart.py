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

from generator.games.chariot_dash.control import Demand
from generator.games.chariot_dash.dice import Die
from generator.games.chariot_dash.movement import PHASES
from generator.games.chariot_dash.options import Options
from generator.games.chariot_dash.race.arena import Arena
from generator.games.chariot_dash.race.prices import Prices, roll_price
from generator.games.chariot_dash.reading import Reading
from generator.games.chariot_dash.speed_table import SPEEDS, TOP
from generator.games.chariot_dash.traits import modifiers
from generator.games.chariot_dash.vehicle import Vehicle

if TYPE_CHECKING:
    from generator.games.chariot_dash.race.driver import Drive
    from generator.games.chariot_dash.race.throttle import Idea

ROUNDS: Final = 2
"""How many rounds a driver looks ahead, the one at hand with them."""
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
        caution: float = 1.0,
    ) -> None:
        """caution: by how much damage weighs heavier than it does on a whole vehicle."""
        mods = modifiers(vehicle.traits)
        self.vehicle, self.arena, self.prices = vehicle, arena, prices
        self.jumps = options.jumps and not mods.grounded
        self.flies = bool(mods.flies)
        above = sum(value > vehicle.resilience for value in die.values) / len(die.values)
        self.per_die = above * (prices.wreck * caution / vehicle.damage_levels + prices.point)
        self.reading = Reading(options.stamina, options.soft_damage)
        self.per_card = 2 if options.free_discards else 1
        self.rolls = (mods.control_discards, mods.control_rerolls)
        self.totals = tuple(sum(row) for row in vehicle.moves)
        self.crash = tuple(
            self.per_die * max(0, speed + mods.collision_dice) + 0.5 for speed in range(SPEEDS)
        )
        self.soft = tuple(self.per_die * ((speed + 1) // 2) + 0.5 for speed in range(SPEEDS))
        self.shifts = tuple(self._shifts(speed) for speed in range(SPEEDS))
        self.specials = frozenset(card.special for card in vehicle.cards if card.special)
        self.ideas: dict[tuple[object, ...], Idea] = {}
        self.drives: dict[tuple[int, ...], Drive] = {}
        self._worth: dict[int, float] = {}
        self._cards: dict[tuple[int, Demand, int, int], tuple[float, int]] = {}
        self.turn = tuple(
            self.turn_price(speed, dice, _USUAL_HAND) for speed, dice in enumerate(vehicle.control)
        )

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
                + sum(self.card_price(hand - k) for k in range(n))
                for n in range(most + 1)
            ]
            least = min(prices)
            found = self._cards[speed, asked, most, hand] = least, prices.index(least)
        return found

    def worth(self, node: int, speed: int, phase: int = 0, rounds: int = ROUNDS) -> float:
        """Cells to be gained from the pose of this number, at a speed, from a phase on."""
        if speed == 0 and phase == 0:
            return self._onward(node, 0, rounds) - self.prices.stand
        row = self.vehicle.moves[speed]
        while phase < PHASES and not row[phase]:
            phase += 1
        if phase == PHASES:
            return self._onward(node, speed, rounds)
        key = ((node * SPEEDS + speed) * PHASES + phase) * 4 + rounds
        found = self._worth.get(key)
        if found is not None:
            return found
        best = -99.0
        turn_price, worth = self.turn[speed], self.worth
        for way in self.arena.ways(node, row[phase]):
            value = way.gain
            if not way.open:
                after = 0 if way.stops else speed // 2
                value += self.worth(way.turns[0][1], after, phase + 1, rounds) - self.crash[speed]
                best = max(best, value)
                continue
            if way.low and not self.flies:
                value -= self.soft[speed] * (way.unjumped if self.jumps else way.low)
            ends = [
                worth(end, speed, phase + 1, rounds) - (turn_price if turn else 0.0)
                for turn, end in way.turns
            ]
            best = max(best, value + max(ends))
        self._worth[key] = best
        return best

    def _onward(self, node: int, speed: int, rounds: int) -> float:
        """After the last phase of a round."""
        if rounds <= 1:
            astray = self.arena.astray(self.arena.poses[node])
            return self.prices.pace * self.totals[speed] - self.prices.astray * astray
        return max(
            [self.worth(node, after, 0, rounds - 1) - price for after, price in self.shifts[speed]]
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
