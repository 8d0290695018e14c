"""Vehicles with drivers, an arena and dice in, a race round by round out.

The order of things: all speed checks, then four phases in which each vehicle moves in turn (the
faster first, then who is ahead, then who is further inside), then wrecks roll on, then the end of
the round. A vehicle that has crossed the finish line often enough leaves the track; the race ends
when nobody races any more, or after a number of rounds.

Decisions where the facts leave open:
- who crosses the line first wins, also within a round; those who never do come after them, by how
  far they came; wiped-out ones come last, the later wiped out the better;
- speed checks come in the order of the grid (they do not touch each other);
- the rival of the trait Rival is the one with the best other place on the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from gridpress_chariot_dash.cards import Moment
from gridpress_chariot_dash.control import demand
from gridpress_chariot_dash.dice import Die, RandomDice
from gridpress_chariot_dash.movement import PHASES, Hex, order
from gridpress_chariot_dash.options import Options
from gridpress_chariot_dash.race import phases
from gridpress_chariot_dash.race.arena import Arena, Item
from gridpress_chariot_dash.race.driver import Driver
from gridpress_chariot_dash.race.racer import Racer
from gridpress_chariot_dash.rounds import before_move, end_of_round, start_of_round
from gridpress_chariot_dash.speed_check import Standing, check
from gridpress_chariot_dash.state import starting
from gridpress_chariot_dash.vehicle import Vehicle

ROUNDS_PER_LAP: Final = 60
"""After so many rounds a lap a race is called off; who is ahead then is ahead."""


class Race:
    """A race under way. items: what lies in spaces; occupied: who stands where."""

    def __init__(
        self,
        arena: Arena,
        vehicles: Sequence[Vehicle],
        drivers: Sequence[Driver],
        laps: int,
        options: Options,
        random: Random,
        die: Die | None = None,
    ) -> None:
        """Vehicles start on the places of the arena in their order. ValueError for too many."""
        if len(vehicles) > len(arena.starts):
            raise ValueError(f"{len(vehicles)} vehicles on {len(arena.starts)} starting places")
        self.arena, self.options = arena, options
        self.die = die or Die()
        self.dice = RandomDice(random, self.die)
        self.laps, self.goal = laps, laps * arena.lap
        self.limit = ROUNDS_PER_LAP * laps
        self.round = 0
        self.items: dict[Hex, Item] = dict(arena.items)
        self.racers: list[Racer] = []
        for number, (vehicle, driver) in enumerate(zip(vehicles, drivers, strict=True)):
            pose = arena.starts[number]
            progress = arena.wrapped(arena.along[pose.hex] - arena.line)
            self.racers.append(Racer(number, starting(vehicle, options), pose, progress, driver))
        self.occupied: dict[Hex, Racer] = {racer.pose.hex: racer for racer in self.racers}
        self.crossed: list[Racer] = []

    def run(self) -> None:
        """Race until it is over."""
        while self.round < self.limit and any(racer.racing for racer in self.racers):
            self.play_round()

    @property
    def standings(self) -> list[Racer]:
        """From the first to the last, at any moment."""
        rest = [racer for racer in self.racers if not racer.finished]
        rest.sort(key=lambda r: (bool(r.wrecked), -r.wrecked, -r.progress, r.number))
        return self.crossed + rest

    def play_round(self) -> None:
        """One round."""
        self.round += 1
        racing = [racer for racer in self.racers if racer.racing]
        self._take_standings(racing)
        for racer in racing:
            if racer.racing:  # an Emergency Stop may have slid into it
                self._speed_check(racer)
        for phase in range(PHASES):
            for racer in self._in_order(racing):
                if racer.racing:
                    phases.drive(self, racer, phase)
        for racer in self.racers:
            if racer.wrecked and not racer.parked:
                phases.roll_on(self, racer)
        for racer in racing:
            if racer.racing:
                self._end_round(racer)

    def _take_standings(self, racing: list[Racer]) -> None:
        """Who leads and who trails by how much, for the speed checks."""
        if len(racing) < 2:
            for racer in racing:
                racer.standing = Standing()
            return
        places = sorted(racing, key=lambda racer: -racer.progress)
        for racer in racing:
            rival = self.racers[1 if racer.number == 0 else 0]
            racer.standing = Standing(0, 0, rival.progress > racer.progress)
        lead = int(places[0].progress - places[1].progress)
        trail = int(places[-2].progress - places[-1].progress)
        places[0].standing = places[0].standing._replace(leads_by=lead)
        places[-1].standing = places[-1].standing._replace(trails_by=trail)

    def _in_order(self, racing: list[Racer]) -> list[Racer]:
        if len(racing) < 2:
            return racing
        inside = self.arena.inside
        keys = [(r.state.speed, r.progress, float(inside[r.pose.hex])) for r in racing]
        return [racing[place] for place in order(keys)]

    def _speed_check(self, racer: Racer) -> None:
        """Start of the round, speed check, and what is played between it and the phases."""
        if racer.state.swaps:
            racer.state = start_of_round(racer.state)
        choice = racer.driver.speed(self, racer)
        played = racer.play(choice.plays, Moment.SPEED)
        racer.state, _ = check(
            racer.state, choice.plan, self.dice, self.options, played, racer.standing
        )
        plays = racer.driver.special(self, racer, Moment.BEFORE_MOVE, 0)
        if plays:
            played = racer.play(plays, Moment.BEFORE_MOVE)
            racer.state, rolls = before_move(racer.state, played, played.boost.brakes)
            if rolls and demand(racer.state, self.options, forced=True):
                phases.control_roll(self, racer, 0, forced=True)

    def _end_round(self, racer: Racer) -> None:
        state = racer.state
        losing = -state.vehicle.stamina[state.speed] if self.options.stamina else 0
        plays = racer.driver.special(self, racer, Moment.STAMINA, losing)
        played = racer.play(plays, Moment.STAMINA) if plays else None
        racer.state = end_of_round(racer.state, self.options, self.dice, played)
        if racer.state.condition.wiped_out:
            phases.wreck(self, racer)
