"""Break small projects in all sorts of ways, run commands on them, and tell what goes wrong.

    python benchmarks/fuzz.py --seconds 120               # today's inputs
    python benchmarks/fuzz.py --seed 7 --kind font --count 2000
    python benchmarks/fuzz.py --seed 7 --only font:1234   # one of them, and all that it says
    python benchmarks/fuzz.py --again FOLDER              # findings that were written, once more

An input follows from the seed, its kind and its number. Exits with 1 when anything is found; each
finding is made small and written to a folder. docs/benchmarks.md says how to go on from there.
"""

from __future__ import annotations

import argparse
import datetime
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from fuzzing.findings import CASE, read_case, slug, write_case
from fuzzing.inputs import SORTS, Input, make
from fuzzing.judging import Trial, keys, tried
from fuzzing.running import Stage
from fuzzing.shrinking import smallest
from fuzzing.tally import Tally

_MOST_MEMORY: Final = 6_000_000_000
"""Bytes for this process, which breaks files: it must not take the computer down."""


def main() -> int:
    options = _options()
    resource.setrlimit(
        resource.RLIMIT_AS, (_MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1])
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    stage = Stage()
    try:
        if options.again:
            return _again(options.again, stage)
        if options.only:
            sort, _, index = options.only.partition(":")
            return _one(make(options.seed, sort, int(index)), stage, options)
        return _Campaign(options, stage).run()
    finally:
        stage.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    parser.add_argument("--seed", default=today, help="today's date by default")
    parser.add_argument("--seconds", type=float, help="stop after so long")
    parser.add_argument("--count", type=int, help="stop after so many")
    parser.add_argument("--start", type=int, default=0, help="the first number")
    parser.add_argument("--kind", action="append", choices=SORTS, help="only this; repeatable")
    parser.add_argument("--only", metavar="KIND:INDEX", help="one input, and what it says")
    parser.add_argument("--again", type=Path, help="run the findings in a folder again")
    parser.add_argument("--findings", type=Path, default=Path("output/fuzz"), help="where to write")
    parser.add_argument("--tally", type=Path, help="a file to count on in, over many runs")
    parser.add_argument("--shrink", type=float, default=30, help="seconds to make each small")
    return parser.parse_args()


class _Campaign:
    """One input after another; what is found, each sort of fault once."""

    def __init__(self, options: argparse.Namespace, stage: Stage) -> None:
        self.options, self.stage = options, stage
        self.tally = Tally(options.tally)
        self.found: Counter[str] = Counter()
        self.statuses: Counter[int | None] = Counter()
        self.slowest: list[tuple[float, str]] = []

    def run(self) -> int:
        print(f"seed {self.options.seed}", flush=True)
        started = time.monotonic()
        end = started + (self.options.seconds or 1e9)
        for broken in islice(self._inputs(), self.options.count):
            if time.monotonic() > end:
                break
            self._look_at(broken)
        passed = time.monotonic() - started
        total = self.statuses.total()
        print(f"{total} inputs in {passed:.0f} s, {total / passed:.1f} a second")
        self.tally.save()
        print(self.tally)
        print("exit status " + ", ".join(f"{s}: {n}" for s, n in self.statuses.most_common()))
        print("slowest " + ", ".join(f"{n} {s:.1f} s" for s, n in sorted(self.slowest)[:-6:-1]))
        for key, count in self.found.most_common():
            print(f"{count:>6} × {key}")
        print(
            f"{len(self.found)} findings" + (f", see {self.options.findings}" if self.found else "")
        )
        return int(bool(self.found))

    def _inputs(self) -> Iterator[Input]:
        """Kinds by lot, by their weights; of each its numbers in order."""
        lot = Random(f"{self.options.seed}:{self.options.start}")
        names = self.options.kind or list(SORTS)
        weights = [SORTS[name].weight for name in names]
        numbers = dict.fromkeys(names, self.options.start)
        while True:
            name = lot.choices(names, weights)[0]
            yield make(self.options.seed, name, numbers[name])
            numbers[name] += 1

    def _look_at(self, broken: Input) -> None:
        trial = tried(broken, self.stage, in_company=True)
        self.tally.count(broken.sort, is_clean=not trial.faults)
        self.statuses[trial.result.status] += 1
        self.slowest = sorted([*self.slowest, (trial.result.cpu, broken.name)])[-5:]
        for key in trial.in_company:
            print(f"{broken.name}: after others only: {key}", flush=True)
        for fault in trial.faults:
            self.found[fault.key] += 1
            if self.found[fault.key] == 1:
                print(f"{broken.name}: {fault.key}", flush=True)
                self._write(trial, fault.key)

    def _write(self, trial: Trial, key: str) -> None:
        folder = self.options.findings / slug(key)
        if (folder / CASE).exists():
            return

        def holds(other: Input) -> bool:
            return key in keys(tried(other, self.stage).faults)

        broken = smallest(trial.broken, holds, self.options.shrink)
        write_case(folder, broken, trial.faults, self.options.seed)


def _one(broken: Input, stage: Stage, options: argparse.Namespace) -> int:
    """Run one input, show all that it says, and keep its files."""
    trial = tried(broken, stage)
    print("gridpress", *map(ascii, broken.command), "# changed:", *map(ascii, broken.changed))
    _show(trial)
    folder = options.findings / broken.name.replace(":", "-")
    write_case(folder, trial.broken, trial.faults, options.seed)
    print(f"its files are in {folder}")
    return int(bool(trial.faults))


def _show(trial: Trial) -> None:
    result = trial.result
    sys.stdout.write(ascii(result.out).replace("\\n", "\n")[:5000] + "\n")
    sys.stdout.write(ascii(result.err).replace("\\n", "\n")[:5000] + "\n")
    ended = f", ended by {result.ended_by}" if result.ended_by else ""
    print(f"exit status {result.status}{ended}, CPU {result.cpu:.2f} s, {result.peak / 1e6:.0f} MB")
    for fault in trial.faults:
        print(f"{fault.key!a}\n{ascii(fault.details)[:3000]}".replace("\\n", "\n"))


def _again(folder: Path, stage: Stage) -> int:
    """Findings that are still there."""
    left = 0
    for case in sorted(path.parent for path in folder.rglob(CASE)):
        broken = read_case(case)
        faults = tried(broken, stage).faults
        left += bool(faults)
        print(f"{case.relative_to(folder)}: {'; '.join(ascii(f.key) for f in faults) or 'mended'}")
    print(f"{left} left")
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
