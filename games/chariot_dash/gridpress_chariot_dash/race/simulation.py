"""Races and time trials of vehicles, as a command asks for them: what they come to.

Each race has its luck from the seed and its number, and drivers keep nothing of a race: so what
comes out depends neither on the number of worker processes nor on which of them ran what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from random import Random
from typing import Final

from msgspec import Struct

from generator.workers import Progress
from gridpress_chariot_dash.declared import Components, Values
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race import crews
from gridpress_chariot_dash.race.arena import Arena
from gridpress_chariot_dash.race.crews import Heats, Meet
from gridpress_chariot_dash.race.race_types import RaceType
from gridpress_chariot_dash.race.results import Result, Run, summed_up
from gridpress_chariot_dash.race.setup import Rules

TOGETHER: Final = 12
"""So many vehicles have room in a worker process: each has learnt the track, some 15 MB."""
MEETINGS: Final = 5
"""Batches in which each of more vehicles takes part, if there are races enough."""
LEAST: Final = 10
"""Races of a batch at least."""


class Event(Struct, frozen=True):
    """What all races of a simulation have in common. components: by kind, with the options in
    force, the die, and what traits, specials and effects do. driver: the level of all drivers."""

    arena: Arena
    components: Components
    race: RaceType = RaceType()
    seed: int = 1
    driver: str = crews.STEADY

    def meet(self, vehicles: Sequence[Values], cars: int, tried: int = 0) -> Meet:
        """These vehicles, so many in a race. tried: see `Meet`. ValueError as for `Meet.of`."""
        die = next((Die.of(die) for die in self.components.get("die", ())), Die())
        rules = Rules.of(self.components.get("option", ()))
        known, race = self.components, self.race
        drivers = (self.driver,) * len(vehicles)
        how = (self.seed, drivers, tried)
        return Meet.of(vehicles, known, self.arena, race, cars, rules, die, *how)


def simulate(
    vehicles: Sequence[Values],
    event: Event,
    races: int = 1000,
    field: int | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Result:
    """Races, the grid drawn by lot for each.

    field: how many vehicles race at a time, drawn by lot too; all of them if not given. The same
    vehicle may be named twice. ValueError for a field that the race type, the arena or the vehicles
    do not allow.
    """
    size = len(vehicles) if field is None else field
    if not 2 <= size <= len(vehicles):
        raise ValueError(f"a race of {size} out of {len(vehicles)} vehicles")
    batch, lots = _lots(len(vehicles), size, races, event.seed)
    heats = Heats.of(lots, range(races))
    return _result(event, vehicles, heats, jobs, progress, batch)


def _lots(count: int, size: int, races: int, seed: int) -> tuple[int | None, list[list[int]]]:
    """Who races in each race, from the best place on the grid, drawn by lot; of more than have
    room at once, those of each batch are drawn before, all as often: races of a batch, if so."""
    if count <= TOGETHER:
        return None, [_drawn(range(count), size, seed, race) for race in range(races)]
    batch = max(LEAST, min(crews.BATCH, races * TOGETHER // (MEETINGS * count)))
    lots: list[list[int]] = []
    waiting: list[int] = []
    for start in range(0, races, batch):
        if len(waiting) < TOGETHER:
            luck = Random(f"batch/{seed}/{start}")  # noqa: S311, a game's luck
            others = [n for n in range(count) if n not in waiting]
            waiting += luck.sample(others, len(others)) + luck.sample(waiting, len(waiting))
        present, waiting = waiting[:TOGETHER], waiting[TOGETHER:]
        lots += [
            _drawn(present, size, seed, race) for race in range(start, min(start + batch, races))
        ]
    return batch, lots


def _drawn(present: Sequence[int], size: int, seed: int, race: int) -> list[int]:
    return Random(f"grid/{seed}/{race}").sample(present, size)  # noqa: S311, a game's luck


def time_trials(
    vehicles: Sequence[Values],
    event: Event,
    trials: int = 1000,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Result:
    """So many trials of each vehicle, alone on the track, from the best starting place."""
    lineups = [(vehicle,) for vehicle in range(len(vehicles)) for _ in range(trials)]
    heats = Heats.of(lineups, list(range(trials)) * len(vehicles))
    return _result(event, vehicles, heats, jobs, progress)


def _result(
    event: Event,
    vehicles: Sequence[Values],
    heats: Heats,
    jobs: int,
    progress: Progress | None,
    batch: int | None = None,
) -> Result:
    meet = event.meet(vehicles, heats.lineups.shape[1])
    names = [str(vehicle["name"]) for vehicle in vehicles]
    runs = tuple(_told(meet, heats, jobs, progress, batch))
    return summed_up(event.arena.name, names, event.race, event.seed, runs)


def _told(
    meet: Meet, heats: Heats, jobs: int, progress: Progress | None, size: int | None
) -> Iterator[tuple[Run, ...]]:
    with closing(crews.run(meet, heats, jobs, progress, size)) as batches:
        for batch in batches:
            yield from crews.told(meet, batch)
