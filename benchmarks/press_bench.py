"""Time the same deck drawn by Gridpress and by others, in turns, and print a table.

    python benchmarks/press_bench.py [--sizes 54 540 5400] [--rounds 3] [--only NAME ...]

Install the others beside Gridpress first: `pip install protograf weasyprint`. `again` builds once
more from the cache, when the PDF is gone; all others start with nothing cached. A contender that is
not installed, or that would take longer than `--patience` seconds, is named and left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import sys
import tempfile
from pathlib import Path

import deck as bench_deck
from contenders import CONTENDERS, Job
from measure import Cost, run

from generator.cache import VARIABLE

MODULES = dict.fromkeys(("gridpress", "again"), "generator")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Help)
    parser.add_argument("--sizes", type=int, nargs="+", default=[54, 540, 5400])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--patience", type=float, default=900)
    parser.add_argument("--only", nargs="+", choices=CONTENDERS, default=list(CONTENDERS))
    options = parser.parse_args()
    names = [n for n in options.only if importlib.util.find_spec(MODULES.get(n, n))]
    for missing in set(options.only) - set(names):
        print(f"{missing} is not installed: left out", file=sys.stderr)
    last: dict[str, tuple[int, float]] = {}
    print("| cards | contender | wall s | × Typst | CPU s | peak MiB | PDF MB |")
    print("|---:|---|---:|---:|---:|---:|---:|")
    for size in options.sizes:
        able = [n for n in names if _expected(last.get(n), size) <= options.patience]
        for tired in sorted(set(names) - set(able)):
            print(f"{tired} would take too long for {size} cards: left out", file=sys.stderr)
        rows = _one_size(size, able, options.rounds)
        reference = rows["typst"][0].wall_s if "typst" in rows else float("nan")
        for name, (cost, megabytes) in rows.items():
            last[name] = (size, cost.wall_s)
            print(
                f"| {size} | {name} | {cost.wall_s:.2f} | {cost.wall_s / reference:.2f} "
                f"| {cost.cpu_s:.2f} | {cost.peak_mib:.0f} | {megabytes:.2f} |",
                flush=True,
            )


class _Help(argparse.RawDescriptionHelpFormatter, argparse.ArgumentDefaultsHelpFormatter):
    pass


def _expected(last: tuple[int, float] | None, size: int) -> float:
    return 0.0 if last is None else last[1] * size / last[0]


def _one_size(size: int, names: list[str], rounds: int) -> dict[str, tuple[Cost, float]]:
    cards = bench_deck.cards(size)
    costs: dict[str, list[Cost]] = {name: [] for name in names}
    weights: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as work:
        jobs = {}
        for name in names:
            folder = Path(work) / name
            bench_deck.write_pictures(folder)
            jobs[name] = CONTENDERS[name](folder, cards)
        if "again" in jobs:
            _run(jobs["again"], Path(work) / "kept")
        for turn in range(rounds):
            for name, job in jobs.items():
                # Long runs vary little.
                if costs[name] and costs[name][0].wall_s > 60:
                    continue
                kept = f"{name}-{turn}"
                if name == "again":
                    kept = "kept"
                    job.pdf.unlink()
                costs[name].append(_run(job, Path(work) / kept))
                weights[name] = job.pdf.stat().st_size / 1e6
    return {name: (_median(costs[name]), weights[name]) for name in names}


def _run(job: Job, cache: Path) -> Cost:
    """Run a contender with its own cache."""
    os.environ[VARIABLE] = str(cache)
    return run(job.command, job.folder)


def _median(costs: list[Cost]) -> Cost:
    return Cost(
        statistics.median(c.wall_s for c in costs),
        statistics.median(c.cpu_s for c in costs),
        max(c.peak_mib for c in costs),
    )


if __name__ == "__main__":
    main()
