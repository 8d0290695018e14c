"""A race under way as plain data, what a driver is asked in it, and what he may answer.

Every question comes with the race as it stands and the racer that is driven. A driver changes
neither; he answers with cards and choices that the rules allow, or the rules raise ValueError.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple, Protocol

from gridpress_chariot_dash.cards import Moment, Play
from gridpress_chariot_dash.dice import Die, RandomDice
from gridpress_chariot_dash.movement import Hex, Pose, Target
from gridpress_chariot_dash.race.arena import Arena, Item, Way
from gridpress_chariot_dash.speed_check import ALONE, SpeedPlan, Standing
from gridpress_chariot_dash.state import Options, Played, State, play, starting
from gridpress_chariot_dash.vehicle import Vehicle

ROUNDS_PER_LAP: Final = 60
"""After so many rounds a lap a race is called off; who is ahead then is ahead."""


class Racer:
    """One vehicle in one race.

    number: its place on the grid from 0. progress: cells since the finish line was first crossed,
    below 0 before that. spaces: hexes moved. rolls: control rolls. lost: where control was lost to
    a slide, a spin or damage. cards: how many it has played. finished: the round in which it
    crossed the line for the last time, 0 if it has not. parked: a wreck that has come to rest.
    """

    __slots__ = (
        "attacks",
        "cards",
        "collisions",
        "drifted",
        "driver",
        "finished",
        "jumped",
        "lost",
        "moved",
        "number",
        "parked",
        "pose",
        "progress",
        "rolls",
        "spaces",
        "standing",
        "state",
        "wrecked",
    )

    def __init__(
        self, number: int, state: State, pose: Pose, progress: float, driver: Driver
    ) -> None:
        self.number = number
        self.state = state
        self.pose = pose
        self.progress = progress
        self.driver = driver
        self.standing: Standing = ALONE
        self.moved = 0  # hexes in this phase
        self.drifted = self.jumped = False  # in this phase
        self.spaces = 0
        self.rolls = 0
        self.lost: list[Hex] = []
        self.cards = 0
        self.attacks = 0
        self.collisions = 0
        self.finished = 0
        self.wrecked = 0
        self.parked = False

    @property
    def racing(self) -> bool:
        """Neither at the finish nor wiped out."""
        return not self.finished and not self.state.condition.wiped_out

    def play(self, plays: tuple[Play, ...], moment: Moment) -> Played:
        """Play cards from the hand."""
        self.state, played = play(self.state, plays, moment)
        self.cards += len(plays)
        return played


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

    @property
    def standings(self) -> list[Racer]:
        """From the first to the last, at any moment."""
        rest = [racer for racer in self.racers if not racer.finished]
        rest.sort(key=lambda r: (bool(r.wrecked), -r.wrecked, -r.progress, r.number))
        return self.crossed + rest


class SpeedChoice(NamedTuple):
    """Cards for the speed check, and the plan for its dice."""

    plays: tuple[Play, ...]
    plan: SpeedPlan


class Drive(NamedTuple):
    """How to go through a phase: a card for a hex more or less, the way, the turn at its end."""

    way: Way | None
    turn: int = 0
    plays: tuple[Play, ...] = ()


class Strike(NamedTuple):
    """An attack: on whom, on the driver or the vehicle, with which cards."""

    target: Racer
    on: Target
    plays: tuple[Play, ...]


class Driver(Protocol):
    """Drives one or more vehicles; keeps nothing of a race."""

    def speed(self, race: Race, me: Racer) -> SpeedChoice:
        """The speed check."""

    def phase(self, race: Race, me: Racer, phase: int, left: int | None) -> Drive:
        """The way through a phase. left: hexes still to go after control was lost in the middle of
        it (no card may then be played); None at its beginning."""

    def control(self, race: Race, me: Racer, *, forced: bool) -> tuple[Play, ...]:
        """Cards for a control roll."""

    def attack(
        self,
        race: Race,
        me: Racer,
        targets: tuple[Racer, ...],
        on: tuple[Target, ...] = tuple(Target),
    ) -> Strike | None:
        """Whether to attack one of those in reach; on what it may be (an ambush: the driver)."""

    def defend(self, race: Race, me: Racer, attacker: Racer, on: Target) -> tuple[Play, ...]:
        """Cards against an attack."""

    def special(self, race: Race, me: Racer, moment: Moment, stake: int) -> tuple[Play, ...]:
        """Special cards before the phases, a damage roll, a collision or the end of a round.
        stake: the dice of damage that are about to be rolled, or stamina about to be lost."""
