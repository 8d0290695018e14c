"""Races and time trials in worker processes, with results summed up.

A race depends only on the seed and its number, so the number of processes changes nothing.

numba reads `.numba_config.yaml` from the current folder and `NUMBA_…` from the environment; either
can make it load a stranger's code. So only worker processes import it, in a folder of ours. numba
does not notice changed functions in other files, so the name of the cache folder is a digest of the
whole engine.
"""

from __future__ import annotations

import hashlib
import math
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from gridpress_chariot_dash import dice
from gridpress_chariot_dash.declared import Components, Values
from gridpress_chariot_dash.dice import Die
from msgspec import Struct

from generator import limits, workers
from generator.cache import NOTHING_KEPT, Cache, user_cache
from generator.geometry import summed
from generator.workers import Progress
from gridpress_chariot_races.race import layout
from gridpress_chariot_races.race.layout import Array
from gridpress_chariot_races.race.setup import (
    Arena,
    Hex,
    RaceType,
    Rules,
    grid_of,
    ground,
    lay_debris,
    open_gates,
    race_of,
    spread_of,
    team_places,
    vehicle_record,
)

HeatTask = tuple[int, "Heats"]
"""The index of a meet, and what to race there."""

STEADY: Final = "steady"
LEVELS: Final = ("novice", STEADY, "bold")
"""Levels of drivers: careless, careful, daring."""
BATCH: Final = 200
"""Races between two reports of progress."""
_ENGINE: Final = "the racing engine"
TOGETHER: Final = layout.CARS
"""The most vehicles in a worker process; the track learnt for each takes some 15 MB."""
MEETINGS: Final = 5
"""The fewest batches for each vehicle, if there are enough races."""
LEAST: Final = 10
"""The fewest races of a batch."""


class Meet(Struct, frozen=True):
    """The data that many races share, as records of `layout`."""

    rules: Array
    vehicles: Array
    cells: Array
    grid: Array
    seed: int = 1
    drivers: tuple[str, ...] = ()
    """The level of each vehicle's driver; all steady if empty."""
    tried: int = 0
    """The last so many vehicles are tried once, so the cache skips them."""

    @classmethod
    def of(
        cls,
        vehicles: Sequence[Mapping[str, Any]],
        components: Mapping[str, Any],
        arena: Arena,
        race: RaceType,
        cars: int,
        rules: Rules,
        die: Die,
        seed: int = 1,
        drivers: tuple[str, ...] = (),
        tried: int = 0,
    ) -> Meet:
        """Build the records. Raises ValueError for what no race has room for."""
        race.must_suit(cars)
        cells, number = ground(arena, rules.points["score-debris"])
        if race.kind == layout.SCORING:
            lay_debris(cells, number, arena, rules)
        if race.kind in (layout.TOUGHEST, layout.PURSUIT, layout.FOX):
            grid = spread_of(arena, number, race.kind, cars)
        else:
            if cars > len(arena.starts):
                places = f"starting place{'' if len(arena.starts) == 1 else 's'}"
                count = f"{len(arena.starts)} {places}"
                raise ValueError(f"{cars} vehicles at a time, and {arena.name} has {count}")
            grid = grid_of(arena, number)
        made = np.array([vehicle_record(one, components) for one in vehicles], layout.VEHICLE_DTYPE)
        in_force = rules.record(race, cars, arena, die)
        open_gates(in_force, number, arena)
        return cls(in_force, made, cells, grid, seed, drivers=drivers, tried=tried)

    @property
    def content(self) -> tuple[bytes, ...]:
        """The data that decides the races, except line-ups and numbers."""
        arrays = (self.rules, self.vehicles, self.cells, self.grid)
        said = repr((self.seed, self.drivers)).encode()
        return engine(), said, *(array.tobytes() for array in arrays)


class Until(Struct, frozen=True):
    """A rule to stop once a vehicle's share of wins is clearly outside `low` to `high`.

    looks: the numbers of races after which to check.
    """

    vehicle: int
    low: float
    high: float
    looks: tuple[int, ...]

    def is_clear(self, lineups: Array, runs: Array) -> bool:
        """Tell whether it is clear after these races."""
        won = wilson_share(int(runs["won"][lineups == self.vehicle].sum()), len(runs))
        return won.high < self.low or won.low > self.high


class Heats(Struct, frozen=True):
    """Races to run, row by row: vehicles, grid places and the number of the race."""

    lineups: Array
    places: Array
    numbers: Array
    until: Until | None = None

    @classmethod
    def of(
        cls,
        lineups: Sequence[Sequence[int]],
        numbers: Sequence[int] | range,
        until: Until | None = None,
    ) -> Heats:
        """Take line-ups in the order of the grid."""
        rows = np.array(lineups)
        grid = np.tile(np.arange(rows.shape[1]), (len(rows), 1))
        return cls(rows, grid, np.array(numbers), until)

    def parts(self, size: int | None = None) -> Iterator[Heats]:
        """Yield batches."""
        size = size or BATCH
        for start in range(0, len(self.numbers), size):
            end = start + size
            yield Heats(self.lineups[start:end], self.places[start:end], self.numbers[start:end])


@cache
def engine() -> bytes:
    """Return a digest of everything the engine is compiled from."""
    digest = hashlib.blake2b(f"{version('numba')} {version('numpy')} {sys.version}".encode())
    here = Path(__file__).parent
    for path in (Path(dice.__file__), *sorted(here.glob("*.py"))):
        digest.update(path.read_bytes())
    return digest.digest()


def engine_folder() -> Path | None:
    """Return the folder of the compiled engine; None if nothing can be kept."""
    return user_cache().workshop("engine", engine())


def is_ready() -> bool:
    """Tell whether the engine is compiled; if not, the first race takes a minute."""
    folder = engine_folder()
    return folder is not None and any(folder.rglob("rounds.heats-*.nbi"))  # compiled last


def at_home(folder: Path | None) -> None:
    """Prepare this worker process so that numba can be imported safely."""
    home = str(folder or tempfile.mkdtemp(prefix="engine-"))
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        del os.environ[name]
    os.environ["NUMBA_CACHE_DIR"] = home
    os.chdir(Path(__file__).parent)  # not the cache folder, which may be emptied meanwhile
    if "numba" in sys.modules:  # in tests
        import numba  # noqa: PLC0415

        numba.config.reload_config()  # type: ignore[no-untyped-call]


class Racer:
    """Runs races of some meets in worker processes."""

    def __init__(self, meets: Sequence[Meet], folder: Path | None) -> None:
        self._meets = meets
        self._folder = folder
        self._at: tuple[int, bytes] = (-1, b"")
        self._records: Any = None
        self._kept = user_cache()

    def __call__(self, task: HeatTask) -> Array:
        """Return the results, a row of `layout.RUN_DTYPE` for each race."""
        at_home(self._folder)
        with limits.at(_ENGINE, limits.ENDLESS):  # the user chose the number
            which, heats = task
            if len(np.unique(heats.lineups)) > TOGETHER:
                half = (len(heats.numbers) + 1) // 2
                return np.concatenate([self((which, part)) for part in heats.parts(half)])
            meet = self._meets[which]
            from gridpress_chariot_races.race.rounds import heats as run  # noqa: PLC0415, at home

            runs = np.zeros(heats.lineups.shape, layout.RUN_DTYPE)
            keys = (meet.seed * 1_000_003 + heats.numbers) & 0x7FFFFFFF
            present = np.unique(heats.lineups)  # only these need room and learning
            lineups = np.searchsorted(present, heats.lineups)
            at = which, present.tobytes()
            if at != self._at:
                self._records = None  # frees memory first
                self._at, self._records = at, records(meet, present, self._kept)
            start, until = 0, heats.until
            for end in (*(until.looks if until else ()), len(keys)):
                part = slice(start, end)
                run(
                    self._records[0][0], meet.cells, meet.grid,
                    lineups[part], heats.places[part], keys[part], runs[part],
                )  # fmt: skip
                start = end
                if until is not None and until.is_clear(heats.lineups[:end], runs[:end]):
                    break
            runs["vehicle"] = present[runs["vehicle"]]
            return runs[:start]


def records(meet: Meet, present: Array, kept: Cache) -> Any:
    """Return one race of these vehicles, and what their drivers learnt, which it refers to."""
    vehicles = meet.vehicles[present]
    from gridpress_chariot_races.race.situation import (  # noqa: PLC0415, at home
        MANNERS,
        outlook_of,
        teach,
    )

    place = meet.grid[0]
    line = float(meet.cells["along"][place["cell"]] - place["progress"])
    manners = [MANNERS[meet.drivers[n]] for n in present] if meet.drivers else []
    stay = len(meet.vehicles) - meet.tried
    caches = [kept if n < stay else NOTHING_KEPT for n in present]
    outlook = outlook_of(meet.cells, line, meet.rules[0], list(vehicles), manners, caches)
    race = race_of(meet.rules, vehicles, meet.cells)
    teach(race, outlook)
    return race, outlook


def relay(
    meets: Sequence[Meet], tasks: Sequence[HeatTask], jobs: int = 1
) -> Generator[Array, None, None]:
    """Yield the results of each task in order, from so many processes.

    A process alone compiles the engine first. Closing the generator stops running tasks.
    """
    folder = engine_folder()
    racer = Racer(meets, folder)
    alone = 0 if is_ready() else min(1, len(tasks))
    for some, processes in ((tasks[:alone], 1), (tasks[alone:], max(1, jobs))):
        yield from _in_order(racer, some, processes)


def _in_order(racer: Racer, tasks: Sequence[HeatTask], jobs: int) -> Iterator[Array]:
    done: dict[int, Array] = {}
    told = 0
    with closing(workers.answers(racer, tasks, jobs)) as answers:
        for number, runs in answers:
            done[number] = runs
            while told in done:
                yield done.pop(told)
                told += 1


def run_meet(
    meet: Meet,
    heats: Heats,
    jobs: int = 1,
    progress: Progress | None = None,
    size: int | None = None,
) -> Generator[Array, None, None]:
    """Yield the results of a meet, batch by batch."""
    done = 0
    with closing(relay((meet,), [(0, part) for part in heats.parts(size)], jobs)) as found:
        for runs in found:
            done += len(runs)
            if progress:
                progress(done, len(heats.numbers))
            yield runs


def told(meet: Meet, runs: Array) -> tuple[tuple[Run, ...], ...]:
    """Convert results for reports."""
    q, r = (meet.cells[name].tolist() for name in ("q", "r"))
    columns = {name: runs[name].round(6) for name in Run._fields if name not in ("won", "lost")}
    columns |= {name: runs[name] > 0 for name in ("finished", "wiped_out")}
    columns["won"] = _won(meet, runs)
    listed = [column.tolist() for column in columns.values()]
    lost = [[[(q[n], r[n]) for n in row if n >= 0] for row in race] for race in runs["lost_at"]]
    return tuple(
        tuple(
            Run._make((*(column[n][v] for column in listed), tuple(lost[n][v])))
            for v in range(runs.shape[1])
        )
        for n in range(len(runs))
    )


def _won(meet: Meet, runs: Array) -> Array:
    """Return who won each race, whole teams included (CD-8)."""
    teams = int(meet.rules["teams"][0])
    if not teams:
        return runs["won"] > 0
    scoring = int(meet.rules["kind"][0]) == layout.SCORING
    first = [team_places(race, teams, scoring=scoring).index(1) for race in runs]
    return np.arange(runs.shape[1]) % teams == np.array(first)[:, None]


class Event(Struct, frozen=True):
    """The data that all races of a simulation share.

    components: by kind, with options in force. driver: the level of all drivers.
    """

    arena: Arena
    components: Components
    race: RaceType = RaceType()
    seed: int = 1
    driver: str = STEADY

    def meet(self, vehicles: Sequence[Values], cars: int, tried: int = 0) -> Meet:
        """Return the meet of these vehicles. Raises ValueError like `Meet.of`."""
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
    """Run races with the grid drawn by lot.

    field: vehicles in a race, drawn by lot; all by default. Raises ValueError if the type, the
    arena or the number of vehicles does not allow that.
    """
    size = len(vehicles) if field is None else field
    if not 2 <= size <= len(vehicles):
        raise ValueError(f"a race of {size} out of {len(vehicles)} vehicles")
    batch, lots = _lots(len(vehicles), size, races, event.seed)
    heats = Heats.of(lots, range(races))
    return _result(event, vehicles, heats, jobs, progress, batch)


def _lots(count: int, size: int, races: int, seed: int) -> tuple[int | None, list[list[int]]]:
    """Draw the vehicles of each race in grid order.

    With more vehicles than a process has room for, each batch has a few of them. Returns the size
    of batches, if so.
    """
    if count <= TOGETHER:
        return None, [_drawn(range(count), size, seed, race) for race in range(races)]
    batch = max(LEAST, min(BATCH, races * TOGETHER // (MEETINGS * count)))
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
    """Run trials of each vehicle alone, from the best starting place."""
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
    with closing(run_meet(meet, heats, jobs, progress, size)) as batches:
        for batch in batches:
            yield from told(meet, batch)


Z: Final = 1.959964
"""The 97.5 % point of the normal distribution."""


class Estimate(NamedTuple):
    """A value with its 95 % confidence interval. of: observations."""

    value: float
    low: float
    high: float
    of: int

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


def mean(observations: Sequence[float]) -> Estimate | None:
    """Return the mean with the normal interval m ± z·s/√n, or None without observations."""
    n = len(observations)
    if not n:
        return None
    middle = math.fsum(observations) / n
    if n == 1:
        return Estimate(middle, -math.inf, math.inf, 1)
    spread = math.sqrt(math.fsum((x - middle) ** 2 for x in observations) / (n - 1))
    half = Z * spread / math.sqrt(n)
    return Estimate(middle, middle - half, middle + half, n)


def wilson_share(count: int, of: int) -> Estimate:
    """Return a share with Wilson's score interval."""
    if not of:
        return Estimate(0.0, 0.0, 1.0, 0)
    p, square = count / of, Z * Z
    middle = (p + square / (2 * of)) / (1 + square / of)
    half = Z * math.sqrt(p * (1 - p) / of + square / (4 * of * of)) / (1 + square / of)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), of)


class Run(NamedTuple):
    """A vehicle's result in a race.

    vehicle: its index. grid, place: from 1. rounds: until it finished, was wiped out or the race
    ended. progress: cells from the line. won: with its team. lost: spaces where control was lost.
    """

    vehicle: int
    grid: int
    place: int
    finished: bool
    wiped_out: bool
    rounds: int
    progress: float
    spaces: int
    rolls: int
    damage: int
    cards: int
    collisions: int
    attacks: int
    score: int
    won: bool
    lost: tuple[Hex, ...]


class Summary(Struct, frozen=True):
    """A vehicle over all its runs, as means of a race.

    wins: share of races won, with its team, or of time trials finished. expected_wins: its fair
    share. rounds, rounds_per_lap: in finished runs. places: counts of each place. lost: counts of
    control lost by space.
    """

    vehicle: str
    runs: int
    wins: Estimate
    expected_wins: float
    finished: Estimate
    wiped_out: Estimate
    place: Estimate
    rounds: Estimate | None
    rounds_per_lap: Estimate | None
    spaces: Estimate
    rolls: Estimate
    control_lost: Estimate
    damage: Estimate
    cards: Estimate
    collisions: Estimate
    attacks: Estimate
    progress: Estimate
    score: Estimate
    places: Mapping[int, int]
    lost: Mapping[Hex, int]


class Result(Struct, frozen=True):
    """The result of a simulation. runs: by race, in grid order."""

    arena: str
    race: RaceType
    races: int
    seed: int
    vehicles: tuple[Summary, ...]
    runs: tuple[tuple[Run, ...], ...]


def summed_up(
    arena: str, names: Sequence[str], race: RaceType, seed: int, runs: Sequence[tuple[Run, ...]]
) -> Result:
    """Summarise the runs of each vehicle."""
    by_vehicle: dict[int, list[Run]] = {}
    fair: dict[int, float] = {}
    for ran in runs:
        for run in ran:
            by_vehicle.setdefault(run.vehicle, []).append(run)
            fair[run.vehicle] = fair.get(run.vehicle, 0.0) + 1 / (race.teams or len(ran))
    summaries = tuple(
        _summary(name, by_vehicle[i], fair[i] / len(by_vehicle[i]), race)
        for i, name in enumerate(names)
        if i in by_vehicle
    )
    return Result(arena, race, len(runs), seed, summaries, tuple(runs))


def _summary(name: str, runs: Sequence[Run], fair: float, race: RaceType) -> Summary:
    def average(value: Callable[[Run], float]) -> Estimate:
        found = mean([value(run) for run in runs])
        assert found is not None, "a summary is of one run at least"
        return found

    finished = [run for run in runs if run.finished]
    rounds = mean([run.rounds for run in finished])
    return Summary(
        vehicle=name,
        runs=len(runs),
        wins=wilson_share(summed(run.won for run in runs), len(runs)),
        expected_wins=fair,
        finished=wilson_share(len(finished), len(runs)),
        wiped_out=wilson_share(summed(run.wiped_out for run in runs), len(runs)),
        place=average(lambda run: run.place),
        rounds=rounds,
        rounds_per_lap=mean([run.rounds / race.laps for run in finished if race.is_for_laps]),
        spaces=average(lambda run: run.spaces),
        rolls=average(lambda run: run.rolls),
        control_lost=average(lambda run: len(run.lost)),
        damage=average(lambda run: run.damage),
        cards=average(lambda run: run.cards),
        collisions=average(lambda run: run.collisions),
        attacks=average(lambda run: run.attacks),
        progress=average(lambda run: run.progress),
        score=average(lambda run: run.score),
        places=Counter(run.place for run in runs),
        lost=Counter(at for run in runs for at in run.lost),
    )
