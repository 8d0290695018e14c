"""Vehicles and an arena in, many races or time trials run on all cores, their result out.

Each race draws from a generator of its own, seeded by the seed and the race's number, and drivers
keep nothing of a race: so what comes out depends neither on the number of worker processes nor on
which of them ran what.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Final

from generator import processes
from generator.games.chariot_dash.dice import Die
from generator.games.chariot_dash.options import Options
from generator.games.chariot_dash.race.arena import Arena
from generator.games.chariot_dash.race.charioteer import Charioteer
from generator.games.chariot_dash.race.driver import Driver
from generator.games.chariot_dash.race.meet import Race
from generator.games.chariot_dash.race.results import Result, Run, summed_up
from generator.games.chariot_dash.vehicle import Vehicle

Drivers = Callable[[Arena, Options, Die], Driver]
"""Makes a driver for an arena; to be used on several cores it must be importable by name."""
Progress = Callable[[int, int], None]
"""Called with how many races are done, and of how many."""
Lineup = tuple[int, ...]
"""Vehicles by their places in a list, in the order of the grid."""

_BATCH: Final = 50
"""Races between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What all races of a simulation have in common, and their line-ups, each with the number
    that seeds it."""

    vehicles: tuple[Vehicle, ...]
    arena: Arena
    laps: int
    options: Options
    die: Die
    drivers: Drivers
    seed: int
    lineups: tuple[tuple[int, Lineup], ...] = ()


def simulate(
    vehicles: Sequence[Vehicle],
    arena: Arena,
    laps: int = 1,
    races: int = 1000,
    seed: int = 1,
    jobs: int = 1,
    options: Options | None = None,
    driver: Drivers = Charioteer,
    progress: Progress | None = None,
    die: Die | None = None,
    field: int | None = None,
) -> Result:
    """Races of type "fastest", the grid drawn by lot for each.

    field: how many vehicles race at a time, drawn by lot too; all of them if not given. The same
    vehicle may be named twice. ValueError for a field of fewer than two vehicles, or of more than
    the arena has starting places.
    """
    size = len(vehicles) if field is None else field
    if not 2 <= size <= min(len(vehicles), len(arena.starts)):
        raise ValueError(
            f"a race of {size} out of {len(vehicles)} vehicles on {len(arena.starts)} places"
        )
    meeting = _meeting(vehicles, arena, laps, options, die, driver, seed)
    lots = (
        (race, tuple(_draw(f"grid/{seed}/{race}").sample(range(len(vehicles)), size)))
        for race in range(races)
    )
    return _result(meeting, tuple(lots), jobs, progress)


def time_trials(
    vehicles: Sequence[Vehicle],
    arena: Arena,
    laps: int = 1,
    trials: int = 1000,
    seed: int = 1,
    jobs: int = 1,
    options: Options | None = None,
    driver: Drivers = Charioteer,
    progress: Progress | None = None,
    die: Die | None = None,
) -> Result:
    """So many trials of each vehicle, alone on the track, from the best starting place."""
    meeting = _meeting(vehicles, arena, laps, options, die, driver, seed)
    lineups = ((n, (vehicle,)) for vehicle in range(len(vehicles)) for n in range(trials))
    return _result(meeting, tuple(lineups), jobs, progress)


def run_lineups(
    meeting: Meeting, jobs: int, progress: Progress | None = None
) -> tuple[tuple[Run, ...], ...]:
    """The races of a meeting in the order of its line-ups, on so many processes."""
    total = len(meeting.lineups)
    done: list[tuple[Run, ...]] = []
    for runs in _run(meeting, jobs):
        done += runs
        if progress:
            progress(len(done), total)
    return tuple(done)


def _meeting(
    vehicles: Sequence[Vehicle],
    arena: Arena,
    laps: int,
    options: Options | None,
    die: Die | None,
    drivers: Drivers,
    seed: int,
) -> Meeting:
    if laps < 1:
        raise ValueError("a race has one lap at least")
    rules = options or Options()
    return Meeting(tuple(vehicles), arena, laps, rules, die or Die(), drivers, seed)


def _result(
    meeting: Meeting,
    lineups: tuple[tuple[int, Lineup], ...],
    jobs: int,
    progress: Progress | None,
) -> Result:
    runs = run_lineups(replace(meeting, lineups=lineups), jobs, progress)
    names = [vehicle.id for vehicle in meeting.vehicles]
    return summed_up(meeting.arena.name, names, meeting.laps, meeting.seed, runs)


def _run(meeting: Meeting, jobs: int) -> Iterator[list[tuple[Run, ...]]]:
    """Batch by batch in the order of the line-ups; processes live on, for a driver learns."""
    lineups = meeting.lineups
    batches = [lineups[start : start + _BATCH] for start in range(0, len(lineups), _BATCH)]
    bare = replace(meeting, lineups=())
    if jobs <= 1:
        driver = meeting.drivers(meeting.arena, meeting.options, meeting.die)
        for batch in batches:
            yield _races(bare, driver, batch)
        return
    pickled = pickle.dumps(bare)
    pool = ProcessPoolExecutor(jobs, processes.context())
    try:
        yield from pool.map(run_batch, [pickled] * len(batches), batches)
    finally:
        pool.shutdown(cancel_futures=True)


def run_batch(meeting: bytes, lineups: Sequence[tuple[int, Lineup]]) -> list[tuple[Run, ...]]:
    """Some races of a pickled meeting, in this process."""
    return _races(*_ready(meeting), lineups)


@lru_cache(maxsize=1)
def _ready(pickled: bytes) -> tuple[Meeting, Driver]:
    """The meeting that this process is at, and its driver; what he learns is never garbage."""
    processes.collect_seldom()
    meeting: Meeting = pickle.loads(pickled)  # noqa: S301, from the process that started this one
    return meeting, meeting.drivers(meeting.arena, meeting.options, meeting.die)


def _draw(seed: str) -> Random:
    return Random(seed)  # noqa: S311, a game's luck


def _races(
    meeting: Meeting, driver: Driver, lineups: Sequence[tuple[int, Lineup]]
) -> list[tuple[Run, ...]]:
    return [
        one_race(meeting, lineup, driver, _draw(f"{meeting.seed}/{number}"))
        for number, lineup in lineups
    ]


def one_race(meeting: Meeting, lineup: Lineup, driver: Driver, random: Random) -> tuple[Run, ...]:
    """A race, and how each vehicle fared, in the order of the grid."""
    race = Race(
        meeting.arena,
        [meeting.vehicles[vehicle] for vehicle in lineup],
        [driver] * len(lineup),
        meeting.laps,
        meeting.options,
        random,
        meeting.die,
    )
    race.run()
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
