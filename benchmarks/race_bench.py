"""Wall and CPU seconds of many chariot races and time trials on the shipped oval, as a table.

    python benchmarks/race_bench.py [--races 2000] [--trials 20000] [--jobs 2]

Races are of one lap between four vehicles; the trials are the Basic Chariot's, or shared out among
the same four, each of which a driver has to learn first. Each row is a process of its own, its
start and the reading of the pack counted too. CPU seconds are those of all its processes together,
so they tell the work even where others use the machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gridpress_chariot_dash.race import Event, arena_of, simulate, time_trials
from gridpress_chariot_dash.vehicle import Vehicle
from measure import run

from generator.order import Order
from generator.prepress import open_pack
from generator.project import find_targets

FIELD = ("basic", "siltskimmer", "last-orders", "marrow")
TRACK = "oval"
GOALS = {"races": 60, "trials": 20, "shared": 20}
"""Wall seconds on two cores that nobody else uses, for 2,000 races and 20,000 trials."""
TITLES = {
    "races": "races of four vehicles",
    "trials": "time trials of one vehicle",
    "shared": "time trials of four vehicles",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--races", type=int, default=2000)
    parser.add_argument("--trials", type=int, default=20000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--once", choices=GOALS, help="run one of them, without measuring")
    options = parser.parse_args()
    counts = {"races": options.races, "trials": options.trials, "shared": options.trials}
    if options.once:
        once(options.once, counts[options.once], options.jobs)
        return
    print("| what | wall s | CPU s | peak MiB | to reach, wall s |")
    print("|---|---:|---:|---:|---:|")
    for what, count in counts.items():
        command = (sys.executable, str(Path(__file__).resolve()), "--once", what)
        size = "races" if what == "races" else "trials"
        cost = run((*command, f"--{size}", str(count), "--jobs", str(options.jobs)), Path.cwd())
        print(
            f"| {count:,} {TITLES[what]}, {options.jobs} jobs | {cost.wall_s:.1f} "
            f"| {cost.cpu_s:.1f} | {cost.peak_mib:.0f} | {GOALS[what]} |",
            flush=True,
        )


def once(what: str, count: int, jobs: int) -> None:
    opened = open_pack(find_targets(["chariot-dash"])[0], Order()).value
    assert opened is not None, "the shipped pack is right"
    components = opened.pack.components
    arena = arena_of(next(c.values for c in components["track"] if c.id == TRACK))
    names = FIELD[:1] if what == "trials" else FIELD
    field = [Vehicle.of(c.values) for c in components["vehicle"] if c.id in names]
    if what == "races":
        simulate(field, Event(arena), count, jobs=jobs)
    else:
        time_trials(field, Event(arena), count // len(field), jobs=jobs)


if __name__ == "__main__":
    main()
