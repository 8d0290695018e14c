"""Measure searches of `gridpress track solve`, each in a process of its own.

    python benchmarks/track_bench.py            all
    python benchmarks/track_bench.py first      first circuits of large sets
    python benchmarks/track_bench.py all        all circuits of a set, counted

Prints for each search its options, circuits, wall and CPU seconds, megabytes at most, and whether
it kept to its limits.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

GRIDPRESS = Path(sys.executable).with_name("gridpress")
MIXES = [(straights, 60 - straights) for straights in range(6, 49, 6)]


class Search(NamedTuple):
    """Options of a search, the circuits it must find, and the CPU seconds it may take."""

    options: str
    circuits: int
    seconds: float


def first() -> Iterator[Search]:
    """Yield searches for a first circuit of 60 and of 100 tiles."""
    for shape in ("hexagon", "square", "octagon"):
        for straights, curves in MIXES:
            yield Search(f"--tiles {straights}S+{curves}C --shape {shape} --limit 1", 1, 5)
        for straights in (10, 50, 80):
            yield Search(
                f"--tiles {straights}S+{100 - straights}C --shape {shape} --limit 1", 1, 20
            )
    yield Search("--tiles 80S+12C --shape octagon --limit 1", 1, 20)
    yield Search("--tiles 20S+40C --fits 900x1200 --limit 1", 1, 5)
    yield Search("--tiles 20S+40C --fits 700x900 --limit 1", 1, 10)
    yield Search("--tiles 30S+30C --shape square --fits 640x640 --limit 1", 1, 10)
    yield Search("--tiles chariot-dash/track-piece --limit 1", 1, 20)
    yield Search("--tiles chariot-dash/track-piece --fits 900x1200 --limit 1", 1, 30)
    rare = "--with 6-floor --with 2-s2"
    yield Search(f"--tiles chariot-dash/track-piece {rare} --limit 1", 1, 20)
    rare = "--with 4-mire --with 2-s2 --length 14"
    yield Search(f"--tiles chariot-dash/track-piece {rare} --limit 1", 1, 10)
    # A search that finds nothing and proves nothing must stop in time.
    yield Search("--tiles 40S+20C --fits 700x640 --all-tiles --seconds 5", 0, 10)


def every() -> Iterator[Search]:
    """Yield searches for all circuits."""
    yield Search("--tiles 6S+8C --shape hexagon", 19, 5)
    yield Search("--tiles 6S+8C --shape square", 69, 5)
    yield Search("--tiles 6S+8C --shape octagon", 5, 5)
    yield Search("--tiles 10S+14C --shape hexagon", 181_355, 10)
    yield Search("--tiles chariot-dash/track-piece --length 9 --any-start", 334, 10)
    yield Search("--tiles chariot-dash/track-piece --length 10 --any-start", 3_025, 20)


def measured(search: Search) -> tuple[int, float, float, float]:
    """Return circuits, seconds, CPU seconds and megabytes."""
    command = [str(GRIDPRESS), "track", "solve", *search.options.replace("+", " +").split()]
    words = [word for word in command if not word.startswith("+")]
    at = words.index("--tiles") + 1
    words[at] += "".join(f" {word[1:]}" for word in command if word.startswith("+"))
    begun = time.monotonic()
    run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert run.stdout is not None
    lines = sum(1 for _ in run.stdout)
    _, _, used = os.wait4(run.pid, 0)
    took = time.monotonic() - begun
    return lines, took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000


def main() -> None:
    """Run the searches that were asked for, or all."""
    asked = sys.argv[1:] or ["first", "all"]
    searches = [*(first() if "first" in asked else ()), *(every() if "all" in asked else ())]
    failed = 0
    for search in searches:
        found, took, used, memory = measured(search)
        right = found == search.circuits and used <= search.seconds and memory <= 500
        failed += not right
        told = "ok" if right else f"PROMISED {search.circuits} in {search.seconds:g} s"
        print(
            f"{search.options:62} {found:8,} {took:6.1f} s {used:6.1f} s {memory:5.0f} MB  {told}"
        )
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
