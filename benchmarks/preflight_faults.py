"""Damage a good build in one way after another: does preflight find it, and nothing else?

    python benchmarks/preflight_faults.py [--only WORDS]

Exits with 1 when a fault is missed or something is found that is not there.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from faults import face_damages, foreign_damages, large_damages, pdf_damages
from faults.damage import Damage, Press
from faults.pack import write_pack

from generator.preflight import CHECKS, preflight_build

DAMAGES = (
    *face_damages.DAMAGES,
    *pdf_damages.DAMAGES,
    *large_damages.DAMAGES,
    *foreign_damages.DAMAGES,
)
INNOCENT = (*face_damages.INNOCENT, *pdf_damages.INNOCENT, *large_damages.INNOCENT)
"""What is other than it was, and as good."""


def codes(folder: Path) -> dict[str, set[str]]:
    """The codes found in each file of a build, and under "" those about all of it."""
    build = preflight_build(folder)
    found = {report.file.name: {d.code for d in report.diagnostics} for report in build.reports}
    return {**found, "": {finding.code for finding in build.findings}}


def judge(damage: Damage, press: Press) -> tuple[bool, set[str]]:
    """Whether the fault was found, and the codes that there is no reason for."""
    with tempfile.TemporaryDirectory() as folder:
        damage.apply(press, Path(folder))
        found = codes(Path(folder))
    here = found.pop(damage.file) | found.pop("")
    elsewhere = {code for others in found.values() for code in others}
    return damage.code in here, (here - {damage.code} - damage.also) | elsewhere


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", default="", help="damages whose names have these words")
    only = options.parse_args().only
    start = time.perf_counter()
    missed, false = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        write_pack(Path(folder))
        press = Press(Path(folder))
        try:
            good = Path(folder) / "good"
            press.print_good(good)
            alarms = sorted({code for found in codes(good).values() for code in found})
            print(f"{'the good build':52} {'':6} {alarms or 'silent'}")
            false += len(alarms)
            for change in (change for change in INNOCENT if only in change.name):
                _, others = judge(change, press)
                false += len(others)
                print(f"{change.name:52} {'':6} {' '.join(sorted(others)) or 'silent'}", flush=True)
            wanted = [damage for damage in DAMAGES if only in damage.name]
            for damage in wanted:
                found, others = judge(damage, press)
                missed += not found
                false += len(others)
                verdict = "found" if found else "MISSED"
                extra = f"  FALSE: {' '.join(sorted(others))}" if others else ""
                print(f"{damage.name:52} {damage.code}  {verdict}{extra}", flush=True)
        finally:
            press.close()
    untried = {check.code for check in CHECKS} - {damage.code for damage in DAMAGES}
    print(
        f"\n{len(wanted)} faults: {len(wanted) - missed} found, {missed} missed, "
        f"{false} false alarms; {time.perf_counter() - start:.0f} s"
    )
    if untried and not only:
        print(f"checks that no fault is seeded for: {' '.join(sorted(untried))}")
    return int(bool(missed or false or (untried and not only)))


if __name__ == "__main__":
    sys.exit(main())
