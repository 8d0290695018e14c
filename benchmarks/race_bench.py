"""What races of Chariot Dash take: compiling the engine, loading it, races and time trials.

    python benchmarks/race_bench.py [--races 2000] [--trials 20000] [--jobs 2] [--track oval]

Races are of four vehicles, drawn by lot from the shipped nine, over one lap; time trials are solo
laps, so many of four vehicles each. To be reached on two cores: 2,000 races in 15 s, 80,000 solo
laps in 12 s. Prints which engine it is by its checksum: the same for any number of processes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import time
from typing import Any

import numpy as np
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race import setup, simulation
from gridpress_chariot_dash.race.setup import arena_of

from generator.order import Order
from generator.prepress import open_pack
from generator.project import find_targets


def processor_time() -> float:
    """Of this process and of those that it has ended, in seconds."""
    return sum(os.times()[:4])


def timed(what: str, meet: simulation.Meet, heats: simulation.Heats, jobs: int) -> None:
    began, used = time.perf_counter(), processor_time()
    runs = np.concatenate(list(simulation.run_meet(meet, heats, jobs)))
    took = time.perf_counter() - began
    races = len(heats.numbers)
    digest = hashlib.blake2b(runs.tobytes(), digest_size=4).hexdigest()
    finished = runs["rounds"][runs["finished"] > 0]
    rounds = f"{finished.mean():.2f} rounds" if finished.size else "no rounds"
    print(
        f"{what}: {took:.1f} s, {processor_time() - used:.1f} s of processor time, "
        f"{races / took:,.0f} a second, "
        f"{finished.size / runs.size:.0%} finished in {rounds}; runs {digest}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--races", type=int, default=2000)
    parser.add_argument("--trials", type=int, default=20000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--track", default="oval")
    asked = parser.parse_args()
    opened = open_pack(find_targets(["chariot-dash"])[0], Order()).value
    assert opened is not None, "the shipped pack is right"
    values: dict[str, Any] = {
        kind: [c.values for c in found] for kind, found in opened.pack.components.items()
    }
    arena = arena_of(next(one for one in values["track"] if one["id"] == asked.track))
    random = np.random.default_rng(1)

    def meet(cars: int) -> simulation.Meet:
        return simulation.Meet.of(
            values["vehicle"],
            values,
            arena,
            setup.RaceType(),
            cars,
            setup.Rules.of(values["option"]),
            Die(),
        )

    def heats(count: int, cars: int) -> simulation.Heats:
        lots = [random.permutation(len(values["vehicle"]))[:cars] for _ in range(count)]
        return simulation.Heats(
            np.array(lots), np.array([np.arange(cars)] * count), np.arange(count)
        )

    timed("first race of four, compiling if need be", meet(4), heats(1, 4), 1)
    timed("once more, loading", meet(4), heats(1, 4), 1)
    timed(f"{asked.races:,} races of four", meet(4), heats(asked.races, 4), asked.jobs)
    solo = simulation.Heats(
        np.array([[n % 4] for n in range(4 * asked.trials)]),
        np.zeros((4 * asked.trials, 1), np.int64),
        np.arange(4 * asked.trials),
    )
    timed(f"{4 * asked.trials:,} solo laps", meet(1), solo, asked.jobs)


if __name__ == "__main__":
    main()
