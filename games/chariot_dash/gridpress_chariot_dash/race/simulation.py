"""Races and time trials of vehicles, as a command asks for them, run in worker processes: numba is
at home there, nowhere else; long, since what each vehicle did is summed up here, with intervals.

- A mean: m ± z·s/√n, the normal interval; s is the sample's standard deviation (n − 1).
- A share of k in n: Wilson's score interval (Wilson 1927),
  (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n), which holds near 0 and 1 as well.

Each race has its luck from the seed and its number, and drivers keep nothing of a race: so what
comes out depends neither on the number of worker processes nor on which of them ran what.

numba reads `.numba_config.yaml` from the current folder when it is imported and whenever it
compiles, and `NUMBA_…` from the environment; either can make it load a stranger's code. So it is
imported in worker processes alone, which have left the user's folder before, for one of ours. numba
does not see when a function that another file calls has changed: the name of the folder where the
compiled functions are kept stands for all of the engine's files.
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
from msgspec import Struct

from generator import limits, workers
from generator.cache import NOTHING_KEPT, Cache, user_cache
from generator.geometry import summed
from generator.workers import Progress
from gridpress_chariot_dash.declared import Components, Values
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race import layout
from gridpress_chariot_dash.race.layout import Array
from gridpress_chariot_dash.race.setup import (
    Arena,
    Hex,
    RaceType,
    Rules,
    grid_of,
    ground,
    race_of,
    spread_of,
    team_places,
    vehicle_record,
)

HeatTask = tuple[int, "Heats"]
"""Which of several meets, and what is raced there."""

STEADY: Final = "steady"
LEVELS: Final = ("novice", STEADY, "bold")
"""Levels of strategy: one who misjudges, one who plays safe, one who takes risks."""
BATCH: Final = 200
"""Races between two reports of progress."""
_ENGINE: Final = "the racing engine"
TOGETHER: Final = 12
"""So many vehicles have room in a worker process: each has learnt the track, some 15 MB."""
MEETINGS: Final = 5
"""Batches in which each of more vehicles takes part, if there are races enough."""
LEAST: Final = 10
"""Races of a batch at least."""


class Meet(Struct, frozen=True):
    """What many races have in common: records as in `layout`. The seed and a race's number are its
    luck."""

    rules: Array
    vehicles: Array
    cells: Array
    grid: Array
    seed: int = 1
    drivers: tuple[str, ...] = ()
    """Of each vehicle the level of its driver, of `LEVELS`; none: all steady."""
    tried: int = 0
    """So many of the last vehicles are there to be tried once: what is learnt for them would only
    push out what is kept for others."""

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
        """From the values of vehicles, and the components by kind that say what their traits,
        specials and effects do; drivers as they are kept here. ValueError in plain words for what
        no race has room for."""
        race.must_suit(cars)
        cells, number = ground(arena, rules.points["score-debris"])
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
        return cls(in_force, made, cells, grid, seed, drivers=drivers, tried=tried)

    @property
    def content(self) -> tuple[bytes, ...]:
        """All that its races depend on but their line-ups and numbers."""
        arrays = (self.rules, self.vehicles, self.cells, self.grid)
        said = repr((self.seed, self.drivers)).encode()
        return engine(), said, *(array.tobytes() for array in arrays)


class Until(Struct, frozen=True):
    """Races end before all are run where it is clear that a vehicle's share of the wins does not
    lie within `low` and `high`. looks: after how many races to look."""

    vehicle: int
    low: float
    high: float
    looks: tuple[int, ...]

    def is_clear(self, lineups: Array, runs: Array) -> bool:
        """Whether it is, after these races."""
        won = wilson_share(int(runs["won"][lineups == self.vehicle].sum()), len(runs))
        return won.high < self.low or won.low > self.high


class Heats(Struct, frozen=True):
    """Line-ups, row by row: vehicles by their number, places on the grid, and the race's number.
    until: what makes the last of them needless."""

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
        """From line-ups in the order of the grid."""
        rows = np.array(lineups)
        grid = np.tile(np.arange(rows.shape[1]), (len(rows), 1))
        return cls(rows, grid, np.array(numbers), until)

    def parts(self, size: int | None = None) -> Iterator[Heats]:
        """Batches of them, each of so many races."""
        size = size or BATCH
        for start in range(0, len(self.numbers), size):
            end = start + size
            yield Heats(self.lineups[start:end], self.places[start:end], self.numbers[start:end])


@cache
def engine() -> bytes:
    """What stands for the engine as it is: a digest of all that it is made of. What its modules
    take from the dice is compiled into them."""
    digest = hashlib.blake2b(f"{version('numba')} {version('numpy')} {sys.version}".encode())
    here = Path(__file__).parent
    for path in (here.parent / "dice.py", *sorted(here.glob("*.py"))):
        digest.update(path.read_bytes())
    return digest.digest()


def engine_folder() -> Path | None:
    """Where the compiled engine is kept; None where nothing can be."""
    return user_cache().workshop("engine", engine())


def is_ready() -> bool:
    """Whether the engine has been compiled here before; if not, the first race takes a minute, of
    which a command should tell."""
    folder = engine_folder()
    return folder is not None and any(folder.rglob("rounds.heats-*.nbi"))  # the last to be compiled


def at_home(folder: Path | None) -> None:
    """Make this worker process one in which numba may be imported and may compile."""
    home = str(folder or tempfile.mkdtemp(prefix="engine-"))
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        del os.environ[name]
    os.environ["NUMBA_CACHE_DIR"] = home
    os.chdir(Path(__file__).parent)  # not where it is kept: somebody may empty the cache meanwhile
    if "numba" in sys.modules:  # as in tests, which were at home before
        from numba.core import config  # noqa: PLC0415

        config.reload_config()  # type: ignore[no-untyped-call]


class Racer:
    """Runs races of some meets; made before the processes, at home in each of them."""

    def __init__(self, meets: Sequence[Meet], folder: Path | None) -> None:
        self._meets = meets
        self._folder = folder
        self._at: tuple[int, bytes] = (-1, b"")
        self._records: Any = None
        self._kept = user_cache()

    def races(self, task: HeatTask) -> Array:
        """How every car of each race fared: a row of `layout.RUN_DTYPE` for each race."""
        with limits.at(_ENGINE, limits.ENDLESS):  # as many as were asked for
            which, heats = task
            meet = self._meets[which]
            from gridpress_chariot_dash.race.rounds import heats as run  # noqa: PLC0415, at home

            runs = np.zeros(heats.lineups.shape, layout.RUN_DTYPE)
            keys = (meet.seed * 1_000_003 + heats.numbers) & 0x7FFFFFFF
            present = np.unique(heats.lineups)  # no other need be learnt, nor have room
            lineups = np.searchsorted(present, heats.lineups)
            at = which, present.tobytes()
            if at != self._at:
                self._records = None  # before there are others
                self._at, self._records = at, records(meet, present, self._kept)
            start, until = 0, heats.until
            for end in (*(until.looks if until else ()), len(keys)):
                part = slice(start, end)
                run(
                    self._records, meet.cells, meet.grid,
                    lineups[part], heats.places[part], keys[part], runs[part],
                )  # fmt: skip
                start = end
                if until is not None and until.is_clear(heats.lineups[:end], runs[:end]):
                    break
            runs["vehicle"] = present[runs["vehicle"]]
            return runs[:start]

    def __call__(self, task: HeatTask) -> Array:
        """The task of a worker process."""
        at_home(self._folder)
        return self.races(task)


def records(meet: Meet, present: Array, kept: Cache) -> Any:
    """A race of these vehicles, with what their drivers have learnt: in a worker process alone."""
    cars, vehicles = int(meet.rules["cars"][0]), meet.vehicles[present]
    from gridpress_chariot_dash.race.situation import MANNERS, outlook_of  # noqa: PLC0415, at home

    place = meet.grid[0]
    line = float(meet.cells["along"][place["cell"]] - place["progress"])
    manners = [MANNERS[meet.drivers[n]] for n in present] if meet.drivers else []
    stay = len(meet.vehicles) - meet.tried
    caches = [kept if n < stay else NOTHING_KEPT for n in present]
    outlook = outlook_of(meet.cells, line, meet.rules[0], list(vehicles), manners, caches)
    return race_of(meet.rules, vehicles, meet.cells, cars, outlook)


def relay(
    meets: Sequence[Meet], tasks: Sequence[HeatTask], jobs: int = 1
) -> Generator[Array, None, None]:
    """The races of each task, in their order, on so many processes (one at least).

    The first of an engine that has not been compiled yet takes a minute, in a process alone. Who
    stops half-way does not wait for what they are at.
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
    """All the races of one meet, batch by batch. size: races of a batch, if not the usual."""
    done = 0
    with closing(relay((meet,), [(0, part) for part in heats.parts(size)], jobs)) as found:
        for runs in found:
            done += len(runs)
            if progress:
                progress(done, len(heats.numbers))
            yield runs


def told(meet: Meet, runs: Array) -> tuple[tuple[Run, ...], ...]:
    """The runs as reports read them, race by race."""
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
    """Who has won each race; in a race of teams all of the team that has (CD-8)."""
    teams = int(meet.rules["teams"][0])
    if not teams:
        return runs["won"] > 0
    scoring = int(meet.rules["kind"][0]) == layout.SCORING
    first = [team_places(race, teams, scoring=scoring).index(1) for race in runs]
    return np.arange(runs.shape[1]) % teams == np.array(first)[:, None]


class Event(Struct, frozen=True):
    """What all races of a simulation have in common. components: by kind, with the options in
    force, the die, and what traits, specials and effects do. driver: the level of all drivers."""

    arena: Arena
    components: Components
    race: RaceType = RaceType()
    seed: int = 1
    driver: str = STEADY

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
    with closing(run_meet(meet, heats, jobs, progress, size)) as batches:
        for batch in batches:
            yield from told(meet, batch)


Z: Final = 1.959964
"""The normal distribution's 97.5 % point."""


class Estimate(NamedTuple):
    """What was found, and the ends of its 95 % confidence interval. of: observations."""

    value: float
    low: float
    high: float
    of: int

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


def mean(observations: Sequence[float]) -> Estimate | None:
    """The mean; None of nothing. One observation alone says nothing of its spread: any value."""
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
    """A share by Wilson's interval; of nothing it may be anything."""
    if not of:
        return Estimate(0.0, 0.0, 1.0, 0)
    p, square = count / of, Z * Z
    middle = (p + square / (2 * of)) / (1 + square / of)
    half = Z * math.sqrt(p * (1 - p) / of + square / (4 * of * of)) / (1 + square / of)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), of)


class Run(NamedTuple):
    """One vehicle in one race.

    vehicle: its place in the list of vehicles. grid, place: where it started and ended, from 1.
    rounds: until it finished, was wiped out or the race was over. progress: in cells, from the
    finish line. score: points of a scoring race. won: the race, or its team has. lost: where
    control was lost to a slide, a spin or damage.
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
    """A vehicle over all its runs.

    wins: the share of races that it, or its team, won (of time trials, finished). expected_wins:
    its fair share. rounds, rounds_per_lap: of the runs that finished, None if none did. places: how
    often it came in at each place. lost: how often control was lost in each space. All others:
    means of a race.
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
    """What was simulated. runs: by race, in the order of the vehicles on the grid."""

    arena: str
    race: RaceType
    races: int
    seed: int
    vehicles: tuple[Summary, ...]
    runs: tuple[tuple[Run, ...], ...]


def summed_up(
    arena: str, names: Sequence[str], race: RaceType, seed: int, runs: Sequence[tuple[Run, ...]]
) -> Result:
    """All runs, and a summary for each vehicle that ran."""
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
