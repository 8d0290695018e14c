"""Time races of Chariot Dash: compiling the engine, loading it, races and time trials.

    python games/chariot_races/studies/race_bench.py [--races 2000] [--trials 20000] [--jobs 2]

Races are of four vehicles drawn by lot, over one lap; time trials are solo laps of four vehicles.
The checksum of the results is the same for any number of processes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import time

import numpy as np
from chariot_pack import components, one_of
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_races.race import simulation
from gridpress_chariot_races.race.setup import RaceType, Rules, arena_of
from gridpress_chariot_races.race.simulation import Heats, Meet


def timed(what: str, meet: Meet, heats: Heats, jobs: int) -> None:
    """Race, and print how long it took and what came of it."""
    began, used = time.perf_counter(), sum(os.times()[:4])
    runs = np.concatenate(list(simulation.run_meet(meet, heats, jobs)))
    took, cpu = time.perf_counter() - began, sum(os.times()[:4]) - used
    digest = hashlib.blake2b(runs.tobytes(), digest_size=4).hexdigest()
    finished = runs["rounds"][runs["finished"] > 0]
    rounds = f"{finished.mean():.2f} rounds" if finished.size else "no rounds"
    print(
        f"{what}: {took:.1f} s, {cpu:.1f} s of processor time, "
        f"{len(heats.numbers) / took:,.0f} a second, "
        f"{finished.size / runs.size:.0%} finished in {rounds}; runs {digest}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--races", type=int, default=2000)
    parser.add_argument("--trials", type=int, default=20000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--track", default="oval")
    asked = parser.parse_args()
    values = components()
    vehicles, rules = values["vehicle"], Rules.of(values["option"])
    arena = arena_of(one_of(values, "track", asked.track))
    random = np.random.default_rng(1)

    def meet(cars: int) -> Meet:
        return Meet.of(vehicles, values, arena, RaceType(), cars, rules, Die())

    def heats(count: int) -> Heats:
        lots = [random.permutation(len(vehicles))[:4] for _ in range(count)]
        return Heats(np.array(lots), np.array([np.arange(4)] * count), np.arange(count))

    timed("first race of four, compiling if need be", meet(4), heats(1), 1)
    timed("once more, loading", meet(4), heats(1), 1)
    timed(f"{asked.races:,} races of four", meet(4), heats(asked.races), asked.jobs)
    laps = np.arange(4 * asked.trials)
    solo = Heats(laps[:, None] % 4, np.zeros((len(laps), 1), np.int64), laps)
    timed(f"{len(laps):,} solo laps", meet(1), solo, asked.jobs)


if __name__ == "__main__":
    main()
