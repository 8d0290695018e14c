"""How long a change takes to be seen: a pack built by an earlier Gridpress, and by this one cold,
with nothing changed and with one word changed, in turns within one run, as a table of ratios.

    git worktree add ../before 2967103 && make -C ../before
    python benchmarks/warm_bench.py ../before [--rounds 5] [--jobs 1]

Each build is a new process. The folder of the earlier version holds its `.venv`. What this version
keeps from build to build lies in a temporary folder of its own.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from measure import Cost, run

HERE = Path(__file__).resolve().parent.parent
PACK = "chariot-dash"
FILE, WORDS = f"cards/{PACK}/card-types.yaml", ("pull towards faster", "pull towards quicker")
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
    """What is measured, by name: all on copies of one project, which nobody else changes."""
    now = Path(sys.executable).parent / "gridpress"
    old, new = folder / "old", folder / "new"
    for project, checkout in ((old, before), (new, HERE)):
        project.mkdir()
        for name in FOLDERS:
            _copy(checkout / name, project / name)

    def build(program: Path, project: Path, *more: str) -> Cost:
        command = (str(program), "build", PACK, "--paper", "a4", "--jobs", str(jobs), *more)
        return run((*command, "-o", str(project / "output")), project)

    def changed() -> Cost:
        path = new / FILE
        text = path.read_text(encoding="utf-8")
        word, other = WORDS if WORDS[0] in text else reversed(WORDS)
        path.write_text(re.sub(word, f"{other}{_next()}", text, count=1), encoding="utf-8")
        return build(now, new)

    return {
        "before": lambda: build(before / ".venv/bin/gridpress", old),
        "cold": lambda: build(now, new, "--no-cache"),
        "nothing changed": lambda: (build(now, new), build(now, new))[1],
        "one word changed": changed,
        "--help": lambda: run((str(now), "--help"), new),
    }


_numbers = iter(range(1, 10_000))


def _next() -> str:
    """Another ending each time, so that no build finds what an earlier one kept."""
    return "." * (next(_numbers) % 7)


def _copy(source: Path, target: Path) -> None:
    for path in source.rglob("*"):
        if path.is_file():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())


def _measured(cases: dict[str, Callable[[], Cost]], rounds: int) -> dict[str, list[Cost]]:
    costs: dict[str, list[Cost]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            costs[name].append(case())
    return costs


if __name__ == "__main__":
    main()
