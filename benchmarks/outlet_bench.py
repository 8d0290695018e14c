"""Measure exports with nothing cached: cards to The Game Crafter, a pack to Tabletop Simulator.

    python benchmarks/outlet_bench.py [--jobs 2]

Prints CPU seconds for each worker, wall time and the largest process, beside their limits. Exits
with 1 if a limit is passed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import measure
from contenders import gridpress
from deck import cards, write_pictures

ROOT = Path(__file__).resolve().parent.parent
MOST_MIB = 600


class Case(NamedTuple):
    """An export, and the seconds it may take."""

    name: str
    pack: str
    outlet: str
    most_s: float


CASES = (
    Case("54 poker faces to tgc, 825 × 1125 px", "", "tgc", 6),
    Case("dragon-draft to tts, whole", "dragon-draft", "tts", 15),
)


def main() -> int:
    """Print a line for each case. Return 1 if one is over its limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2)
    jobs = parser.parse_args().jobs
    is_over = False
    for case in CASES:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "deck"
            if not case.pack:
                write_pictures(folder)
                gridpress(folder, cards(54))
            words = (case.pack or str(folder), "--for", case.outlet, "--jobs", str(jobs))
            command = (sys.executable, "-m", "generator", "export", *words, "--no-cache")
            cost = measure.run((*command, "-o", f"{scratch}/out"), ROOT)
        shared = cost.cpu_s / jobs
        over = shared > case.most_s or cost.peak_mib > MOST_MIB
        is_over |= over
        print(
            f"{case.name:<40} {shared:5.1f} s of {case.most_s:g} "
            f"(CPU {cost.cpu_s:.1f} s, wall {cost.wall_s:.1f} s) "
            f"{cost.peak_mib:.0f} MiB of {MOST_MIB}{'  OVER' if over else ''}"
        )
    return int(is_over)


if __name__ == "__main__":
    sys.exit(main())
