"""Measure how long it takes to see a change, and compare builds with an earlier version.

    git worktree add ../before 2967103 && make -C ../before
    python benchmarks/warm_bench.py ../before [--rounds 5] [--jobs 1]

Builds run in new processes, in turns: by the earlier version, with nothing cached, with nothing
changed, and with one word changed. A session in this process then measures the time from a changed
word to pictures of the changed faces, and to PDFs.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from measure import Cost, run

from generator.build import Order, PackUpdate, Session
from generator.cache import user_cache
from generator.diagnostics import Outcome
from generator.project import find_targets
from generator.workers import collect_now, collect_seldom

Case = TypeVar("Case")

HERE = Path(__file__).resolve().parent.parent
PACK = "chariot-dash"
MANY = ("card-types.yaml", "1 hex more")
"""A file, and words in it that are on many cards."""
ONE = ("vehicles.yaml", "quicker than it")
"""A file, and words in it that are on one card."""
DPI = 150
LETTERS = "aeinorst"
FOLDERS = ("cards", "templates", "fonts")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path, help="a checkout with which to compare")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    before = options.before.resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GRIDPRESS_CACHE"] = str(Path(folder, "cache"))
        costs = _measured(_cases(Path(folder), before, options.jobs), options.rounds)
        costs |= _in_a_session(Path(folder), options)
    reference = statistics.median(cost.wall_s for cost in costs["before"])
    cpu = statistics.median(cost.cpu_s for cost in costs["before"])
    print("| what | wall s | × before | CPU s | × before | peak MiB |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, found in costs.items():
        wall = statistics.median(cost.wall_s for cost in found)
        busy = statistics.median(cost.cpu_s for cost in found)
        peak = max(cost.peak_mib for cost in found)
        print(
            f"| {name} | {wall:.2f} | {wall / reference:.3f} | {busy:.2f} | {busy / cpu:.3f} "
            f"| {peak:.0f} |"
        )


def _cases(folder: Path, before: Path, jobs: int) -> dict[str, Callable[[], Cost]]:
    """Return what to measure, by name, on copies of one project."""
    now = Path(sys.executable).parent / "gridpress"
    old, new = folder / "old", folder / "new"
    for project, checkout in ((old, before), (new, HERE)):
        for name in FOLDERS:
            shutil.copytree(checkout / name, project / name)

    def build(program: Path, project: Path, *more: str) -> Cost:
        command = (str(program), "build", PACK, "--paper", "a4", "--jobs", str(jobs), *more)
        return run((*command, "-o", str(project / "output")), project)

    def changed(words: tuple[str, str]) -> Cost:
        change(new, words)
        return build(now, new)

    return {
        "before": lambda: build(before / ".venv/bin/gridpress", old),
        "cold": lambda: build(now, new, "--no-cache"),
        "nothing changed": lambda: (build(now, new), build(now, new))[1],
        "one word changed on many": lambda: changed(MANY),
        "one word changed on one": lambda: changed(ONE),
        "--help": lambda: run((str(now), "--help"), new),
    }


def change(project: Path, words: tuple[str, str]) -> None:
    """Put a new word after some words, so that no build finds the result in the cache."""
    path = project / "cards" / PACK / words[0]
    text = path.read_text(encoding="utf-8")
    other = "".join(random.choices(LETTERS, k=4))
    changed, count = re.subn(rf"({words[1]})( [{LETTERS}]{{4}}\b)?", rf"\1 {other}", text, count=1)
    assert count == 1, words
    path.write_text(changed, encoding="utf-8")


class Opened:
    """A session of a project that was printed once."""

    def __init__(self, project: Path, jobs: int) -> None:
        collect_seldom()
        self.project = project
        target = next(t for t in find_targets([str(project)]) if t.pack == PACK)
        self.session = Session(target, Order(("a4",), jobs=jobs, cache=user_cache()))
        self.session.look()
        self.session.print(project / "output")
        self.faces: dict[tuple[str, str], int] = {}

    def picture(self, words: tuple[str, str]) -> Cost:
        """Measure from a changed word to pictures of all faces with it."""

        def drawn(look: PackUpdate) -> Outcome[Any]:
            faces = {face.sha256: face for face in look.changed}
            widths = {name: round(face.box.width * DPI / 25.4) for name, face in faces.items()}
            return Outcome([self.session.picture(name, wide) for name, wide in widths.items()])

        return self._cost(words, drawn)

    def prints(self, words: tuple[str, str]) -> Cost:
        """Measure from a changed word to PDFs in their place."""
        return self._cost(words, lambda look: self.session.print(self.project / "output"))

    def _cost(self, words: tuple[str, str], then: Callable[[PackUpdate], Outcome[Any]]) -> Cost:
        change(self.project, words)
        collect_now()
        wall, busy = time.perf_counter(), _cpu_s()
        look = self.session.look()
        done = then(look)
        cost = Cost(time.perf_counter() - wall, _cpu_s() - busy, _peak_mib())
        assert done.value, done.diagnostics
        self.faces[words] = len(look.changed)
        return cost


def _cpu_s() -> float:
    """Return the CPU time of this process and of workers that have ended."""
    return sum(os.times()[:4])


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _in_a_session(folder: Path, options: argparse.Namespace) -> dict[str, list[Cost]]:
    """Measure a session; names say the words and how many faces show them."""
    project = folder / "open"
    os.environ["GRIDPRESS_CACHE"] = str(folder / "cache of the session")
    for name in FOLDERS:
        shutil.copytree(HERE / name, project / name)
    opened = Opened(project, options.jobs)
    cases = {
        (what, words): partial(each, words)
        for words in (ONE, MANY)
        for what, each in (("picture", opened.picture), ("PDFs", opened.prints))
    }
    costs = _measured(cases, options.rounds)
    opened.session.close()
    return {
        f'session: {what} of "{words[1]}" on {opened.faces[words]}': found
        for (what, words), found in costs.items()
    }


def _measured(cases: Mapping[Case, Callable[[], Cost]], rounds: int) -> dict[Case, list[Cost]]:
    costs: dict[Case, list[Cost]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            costs[name].append(case())
    return costs


if __name__ == "__main__":
    main()
