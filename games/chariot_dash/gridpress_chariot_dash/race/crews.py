"""Races in worker processes: numba is at home there, and nowhere else.

numba reads `.numba_config.yaml` from the current folder when it is imported and whenever it
compiles, and `NUMBA_…` from the environment; either can make it load a stranger's code. So it is
imported in worker processes alone, which have left the user's folder before, for one of ours that
is also where the compiled functions are kept. numba does not see when a function that another file
calls has changed: the folder's name stands for all of the engine's files.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np

from generator import limits, workers
from generator.cache import user_cache
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race import layout
from gridpress_chariot_dash.race.arena import Arena
from gridpress_chariot_dash.race.layout import Array
from gridpress_chariot_dash.race.results import Run
from gridpress_chariot_dash.race.setup import (
    RaceType,
    Rules,
    compiled,
    grid_of,
    ground,
    race_of,
    spread_of,
)

Progress = Callable[[int, int], None]
"""Called with how many races are done, and of how many."""

BATCH: Final = 200
"""Races between two reports of progress."""
_ENGINE: Final = "the racing engine"


@dataclass(frozen=True, slots=True)
class Meet:
    """What many races have in common: records as in `layout`. The seed and a race's number are its
    luck."""

    rules: Array
    vehicles: Array
    cells: Array
    grid: Array
    seed: int = 1
    plain: bool = False
    """Driven by the plain driver, who has learnt nothing (for tests of the engine)."""

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
    ) -> Meet:
        """From the values of vehicles, and the components by kind that say what their traits,
        specials and effects do. ValueError in plain words for what no race has room for."""
        if race.kind in (layout.TOUGHEST, layout.PURSUIT, layout.FOX):
            cells, number = ground(arena)
            grid = spread_of(arena, number, race.kind, cars)
        else:
            if cars > len(arena.starts):
                raise ValueError(f"{cars} vehicles on {len(arena.starts)} starting places")
            cells, number = ground(arena)
            grid = grid_of(arena, number)
        made = np.array([compiled(one, components) for one in vehicles], layout.VEHICLE_DTYPE)
        return cls(rules.record(race, cars, arena, die), made, cells, grid, seed)


@dataclass(frozen=True, slots=True)
class Heats:
    """Line-ups, row by row: vehicles by their number, places on the grid, and the race's number."""

    lineups: Array
    places: Array
    numbers: Array

    def part(self, start: int, end: int) -> Heats:
        """Some of them."""
        return Heats(self.lineups[start:end], self.places[start:end], self.numbers[start:end])


def engine_folder() -> Path | None:
    """Where the compiled engine is kept; None where nothing can be."""
    sources = Path(__file__).parent
    content = [path.read_bytes() for path in sorted(sources.glob("*.py"))]
    return user_cache().workshop(
        "engine", version("numba"), version("numpy"), sys.version, *content
    )


def is_ready() -> bool:
    """Whether the engine has been compiled here before; if not, the first race takes a minute, of
    which a command should tell."""
    folder = engine_folder()
    return folder is not None and any(folder.rglob("*.nbi"))


def at_home(folder: Path | None) -> None:
    """Make this worker process one in which numba may be imported and may compile."""
    home = str(folder or tempfile.mkdtemp(prefix="engine-"))
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        del os.environ[name]
    os.environ["NUMBA_CACHE_DIR"] = home
    os.chdir(home)
    if "numba" in sys.modules:  # as in tests, which were at home before
        from numba.core import config  # noqa: PLC0415

        config.reload_config()  # type: ignore[no-untyped-call]


class Racer:
    """Runs races of a meet; made before the processes, at home in each of them."""

    def __init__(self, meet: Meet, folder: Path | None) -> None:
        self._meet = meet
        self._folder = folder

    def races(self, heats: Heats) -> Array:
        """How every car of each race fared: a row of `layout.RUN_DTYPE` for each race."""
        with limits.at(_ENGINE, limits.ENDLESS):
            meet = self._meet
            if meet.plain:
                from gridpress_chariot_dash import race  # noqa: PLC0415, at home
                from gridpress_chariot_dash.race import choices  # noqa: PLC0415, at home

                sys.modules[f"{race.__name__}.hooks"] = choices
                setattr(race, "hooks", choices)  # noqa: B010, known to Python alone
            from gridpress_chariot_dash.race.heats import heats as run  # noqa: PLC0415, at home

            count, cars = heats.lineups.shape
            runs = np.zeros((count, cars), layout.RUN_DTYPE)
            keys = (meet.seed * 1_000_003 + heats.numbers) & 0x7FFFFFFF
            run(self.race, meet.cells, meet.grid, heats.lineups, heats.places, keys, runs)
            return runs

    @cached_property
    def race(self) -> Any:
        """The race's records, in this process."""
        meet = self._meet
        cars = int(meet.rules["cars"][0])
        if meet.plain:
            return race_of(meet.rules, meet.vehicles, meet.cells, cars)
        from gridpress_chariot_dash.race.situation import outlook_of  # noqa: PLC0415, at home

        place = meet.grid[0]
        line = float(meet.cells["along"][place["cell"]] - place["progress"])
        outlook = outlook_of(meet.cells, line, meet.rules[0], list(meet.vehicles))
        return race_of(meet.rules, meet.vehicles, meet.cells, cars, outlook)

    def __call__(self, heats: Heats) -> Array:
        """The task of a worker process."""
        at_home(self._folder)
        return self.races(heats)


def run(
    meet: Meet, heats: Heats, jobs: int = 1, progress: Progress | None = None
) -> Iterator[Array]:
    """All the races, batch by batch in their order, on so many processes (one at least).

    The first batch of an engine that has not been compiled yet takes a minute.
    """
    total = len(heats.numbers)
    batches = [heats.part(n, n + BATCH) for n in range(0, total, BATCH)]
    done: dict[int, Array] = {}
    told = count = 0
    with closing(workers.answers(Racer(meet, engine_folder()), batches, max(1, jobs))) as answers:
        for number, runs in answers:
            done[number] = runs
            count += len(runs)
            if progress:
                progress(count, total)
            while told in done:
                yield done.pop(told)
                told += 1


def together(parts: Sequence[Array]) -> Array:
    """The runs of all batches."""
    return np.concatenate(parts)


def told(meet: Meet, runs: Array) -> tuple[tuple[Run, ...], ...]:
    """The runs as reports read them, race by race."""
    cells = meet.cells
    return tuple(
        tuple(
            Run(
                vehicle=int(run["vehicle"]),
                grid=int(run["grid"]),
                place=int(run["place"]),
                finished=bool(run["finished"]),
                wiped_out=bool(run["wiped_out"]),
                rounds=int(run["rounds"]),
                progress=round(float(run["progress"]), 6),
                spaces=int(run["spaces"]),
                rolls=int(run["rolls"]),
                damage=int(run["damage"]),
                cards=int(run["cards"]),
                collisions=int(run["collisions"]),
                attacks=int(run["attacks"]),
                lost=tuple(
                    (int(cells["q"][n]), int(cells["r"][n])) for n in run["lost_at"] if n >= 0
                ),
            )
            for run in race
        )
        for race in runs
    )
