"""Vehicles and an arena in, many races or time trials run on all cores, their result out.

Each race draws from a generator of its own, seeded by the seed and the race's number, and drivers
keep nothing of a race: so what comes out depends neither on the number of worker processes nor on
which of them ran what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from generator import workers
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

_BATCHES: Final = 3
"""Tasks for each worker: a new process learns the track anew, so they are few."""
_INLINE: Final = 50
"""Races between two reports of progress without worker processes."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What all races of a simulation have in common, and the line-ups of some of them by number."""

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
    tasks = list(_tasks(meeting, jobs))
    total, done = len(meeting.lineups), 0
    found: dict[int, list[tuple[Run, ...]]] = {}
    for index, runs in _run(tasks, jobs):
        found[index] = runs
        done += len(runs)
        if progress:
            progress(done, total)
    return tuple(race for index in range(len(tasks)) for race in found[index])


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


def _tasks(meeting: Meeting, jobs: int) -> Iterator[Meeting]:
    """The meeting in parts of equal size."""
    total = len(meeting.lineups)
    size = _INLINE if jobs <= 1 else max(1, -(-total // (jobs * _BATCHES)))
    for start in range(0, total, size):
        yield replace(meeting, lineups=meeting.lineups[start : start + size])


def _run(tasks: Sequence[Meeting], jobs: int) -> Iterator[tuple[int, list[tuple[Run, ...]]]]:
    if jobs > 1:
        yield from workers.run(run_meeting, tasks, jobs)
        return
    driver = None
    for index, task in enumerate(tasks):
        driver = driver or task.drivers(task.arena, task.options, task.die)
        yield index, _races(task, driver)


def run_meeting(meeting: Meeting) -> list[tuple[Run, ...]]:
    """All races of a meeting, in this process."""
    return _races(meeting, meeting.drivers(meeting.arena, meeting.options, meeting.die))


def _draw(seed: str) -> Random:
    return Random(seed)  # noqa: S311, a game's luck


def _races(meeting: Meeting, driver: Driver) -> list[tuple[Run, ...]]:
    return [
        one_race(meeting, lineup, driver, _draw(f"{meeting.seed}/{number}"))
        for number, lineup in meeting.lineups
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
