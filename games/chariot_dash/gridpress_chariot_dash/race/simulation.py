"""Many races on all cores.

Each race draws from a generator of its own, seeded by the seed and the race's number, and drivers
keep nothing of a race: so what comes out depends neither on the number of worker processes nor on
which of them ran what.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Final

from generator import limits, workers
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race.arena import Arena
from gridpress_chariot_dash.race.charioteer import Charioteer
from gridpress_chariot_dash.race.driver import Driver, Race
from gridpress_chariot_dash.race.race import run
from gridpress_chariot_dash.race.results import (
    Result,
    Run,
    summed_up,
)
from gridpress_chariot_dash.state import Options
from gridpress_chariot_dash.vehicle import Vehicle

Drivers = Callable[[Arena, Options, Die], Driver]
"""Makes a driver for an arena; to be used on several cores it must be importable by name."""
Progress = Callable[[int, int], None]
"""Called with how many races are done, and of how many."""
Lineup = tuple[int, ...]
"""Vehicles by their places in a list, in the order of the grid."""

_BATCH: Final = 50
"""Races between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Event:
    """What all races of a simulation have in common; `driver` makes a driver for the arena.
    ValueError for a race without a lap."""

    arena: Arena
    laps: int = 1
    seed: int = 1
    options: Options = field(default_factory=Options)
    die: Die = field(default_factory=Die)
    driver: Drivers = Charioteer

    def __post_init__(self) -> None:
        if self.laps < 1:
            raise ValueError("a race has one lap at least")


@dataclass(frozen=True, slots=True)
class Entry:
    """Who races in an event, and the line-ups, each with the number that seeds its race."""

    event: Event
    vehicles: tuple[Vehicle, ...]
    lineups: tuple[tuple[int, Lineup], ...] = ()


def simulate(
    vehicles: Sequence[Vehicle],
    event: Event,
    races: int = 1000,
    field: int | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Result:
    """Races of type "fastest", the grid drawn by lot for each.

    field: how many vehicles race at a time, drawn by lot too; all of them if not given. The same
    vehicle may be named twice. ValueError for a field of fewer than two vehicles, or of more than
    the arena has starting places.
    """
    places = len(event.arena.starts)
    size = len(vehicles) if field is None else field
    if not 2 <= size <= min(len(vehicles), places):
        raise ValueError(f"a race of {size} out of {len(vehicles)} vehicles on {places} places")
    lots = (
        (race, tuple(_draw(f"grid/{event.seed}/{race}").sample(range(len(vehicles)), size)))
        for race in range(races)
    )
    return result_of(Entry(event, tuple(vehicles), tuple(lots)), jobs, progress)


def time_trials(
    vehicles: Sequence[Vehicle],
    event: Event,
    trials: int = 1000,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Result:
    """So many trials of each vehicle, alone on the track, from the best starting place."""
    lineups = ((n, (vehicle,)) for vehicle in range(len(vehicles)) for n in range(trials))
    return result_of(Entry(event, tuple(vehicles), tuple(lineups)), jobs, progress)


def result_of(entry: Entry, jobs: int, progress: Progress | None = None) -> Result:
    """What the races of an entry come to, run on so many processes."""
    event, total = entry.event, len(entry.lineups)
    done: list[tuple[Run, ...]] = []
    with closing(batches_of(entry, jobs)) as batches:
        for runs in batches:
            done += runs
            if progress:
                progress(len(done), total)
    names = [vehicle.id for vehicle in entry.vehicles]
    return summed_up(event.arena.name, names, event.laps, event.seed, tuple(done))


def batches_of(entry: Entry, jobs: int) -> Generator[list[tuple[Run, ...]], None, None]:
    """All races of an entry, batch by batch in the order of the line-ups."""
    lineups = entry.lineups
    tasks = [(0, lineups[start : start + _BATCH]) for start in range(0, len(lineups), _BATCH)]
    yield from raced((replace(entry, lineups=()),), tasks, jobs)


Task = tuple[int, Sequence[tuple[int, Lineup]]]
"""Which of several entries, and line-ups of it."""


def raced(
    entries: Sequence[Entry], tasks: Sequence[Task], jobs: int
) -> Generator[list[tuple[Run, ...]], None, None]:
    """The races of each task, in their order; processes live on, for a driver learns. Who stops
    half-way does not wait for what they are at."""
    racing = Racings(entries)
    if jobs <= 1:
        yield from map(racing.races, tasks)
        return
    done: dict[int, list[tuple[Run, ...]]] = {}
    told = 0
    with closing(workers.answers(racing.races, tasks, jobs)) as answers:
        for number, runs in answers:
            done[number] = runs
            while told in done:
                yield done.pop(told)
                told += 1


class Racings:
    """Several entries, raced in the same processes."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = [Racing(entry) for entry in entries]

    def races(self, task: Task) -> list[tuple[Run, ...]]:
        """Some races of one of them."""
        which, lineups = task
        return self.entries[which].races(lineups)


class Racing:
    """Who races in an event; each process has a driver of its own, who learns as he goes."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def races(self, lineups: Sequence[tuple[int, Lineup]]) -> list[tuple[Run, ...]]:
        """Some races of the event, in this process."""
        with limits.at(self.entry.event.arena.name, limits.ENDLESS):  # as many as were asked for
            return [
                one_race(
                    self.entry, lineup, self.driver, _draw(f"{self.entry.event.seed}/{number}")
                )
                for number, lineup in lineups
            ]

    @cached_property
    def driver(self) -> Driver:
        """Made where it is used: what he learns does not travel."""
        event = self.entry.event
        return event.driver(event.arena, event.options, event.die)


def _draw(seed: str) -> Random:
    return Random(seed)  # noqa: S311, a game's luck


def one_race(entry: Entry, lineup: Lineup, driver: Driver, random: Random) -> tuple[Run, ...]:
    """A race, and how each vehicle fared, in the order of the grid."""
    event = entry.event
    race = Race(
        event.arena,
        [entry.vehicles[vehicle] for vehicle in lineup],
        [driver] * len(lineup),
        event.laps,
        event.options,
        random,
        event.die,
    )
    run(race)
    places = {racer.number: place for place, racer in enumerate(race.standings, 1)}
    return tuple(
        Run(
            vehicle=vehicle,
            grid=racer.number + 1,
            place=places[racer.number],
            finished=bool(racer.finished),
            wiped_out=bool(racer.wrecked),
            rounds=racer.finished or racer.wrecked or race.round,
            progress=round(racer.progress, 6),
            spaces=racer.spaces,
            rolls=racer.rolls,
            damage=racer.state.level,
            cards=racer.cards,
            collisions=racer.collisions,
            attacks=racer.attacks,
            lost=tuple(racer.lost),
        )
        for vehicle, racer in zip(lineup, race.racers, strict=True)
    )
