"""Break small projects in all sorts of ways, run a command on each, and report what goes wrong.

    python benchmarks/fuzz.py --seconds 120                # today's cases
    python benchmarks/fuzz.py --seed 7 --kind font --kind pdf
    python benchmarks/fuzz.py --again output/fuzz          # findings, once more

Hypothesis draws the cases and makes each finding small. Exits with 1 when anything is found. Linux
only. docs/benchmarks.md says how to go on from there.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import datetime
import json
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from fuzzing.cases import KINDS, Case, cases
from fuzzing.judging import Fault, tried
from fuzzing.projects import Entry, Link, Special
from fuzzing.running import Stage
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

_IN_A_ROW: Final = 5
"""Cases of one kind before another kind is tried; the first is always the same, and left out."""
_SHRINK_S: Final = 60
"""Seconds to make a finding small."""
_PLAIN: Final = re.compile(r"[\w./ -]{1,150}")


class TimeIsOver(BaseException):
    """Ends a run of Hypothesis, which goes on after exceptions of other kinds."""


class Finding(Exception):  # noqa: N818
    """Base of the exceptions that Hypothesis looks for, one for each fault."""


@cache
def finding_of(key: str) -> type[Finding]:
    """Return the exception of a fault: Hypothesis does not take one fault for another while it
    shrinks."""
    return type(key, (Finding,), {})


class Campaign:
    """Tries cases until the time is over; keeps what was found, each fault once."""

    def __init__(self, stage: Stage, seconds: float, findings: Path) -> None:
        self.stage, self.findings = stage, findings
        self.end = time.monotonic() + seconds
        self.known: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.statuses: Counter[int | None] = Counter()
        self.smallest: tuple[Case, Fault] | None = None
        self.is_first = True
        self.shrink_until = 0.0

    def run(self, kinds: Sequence[str], seed_word: str, most: int = 1_000_000) -> int:
        """Try cases of one kind after another, drawn by lot; return how many faults there are."""
        started, lot, rounds = time.monotonic(), Random(seed_word), 0
        weights = [KINDS[kind].weight for kind in kinds]
        while time.monotonic() < self.end and len(self.known) < most:
            rounds += 1
            self._search(lot.choices(kinds, weights)[0], f"{seed_word}:{rounds}")
        total = self.counts.total()
        passed = time.monotonic() - started
        print(f"{total} cases in {passed:.0f} s, {total / passed:.1f} a second")
        print(", ".join(f"{kind} {count}" for kind, count in sorted(self.counts.items())))
        print("exit status " + ", ".join(f"{s}: {n}" for s, n in self.statuses.most_common()))
        print(f"{len(self.known)} findings" + (f" in {self.findings}" if self.known else ""))
        return len(self.known)

    def _search(self, kind: str, seed_word: str) -> None:
        """Try some cases of a kind; report the first fault that is new."""
        self.smallest, self.is_first = None, True
        search = settings(
            max_examples=_IN_A_ROW,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            verbosity=Verbosity.quiet,
        )(given(cases(kind))(self._try))
        with contextlib.suppress(TimeIsOver, Finding):
            seed(seed_word)(search)()
        if self.smallest:
            self._report(*self.smallest)

    def _try(self, case: Case) -> None:
        if self.is_first:
            self.is_first = False
            return
        if time.monotonic() > (self.shrink_until if self.smallest else self.end):
            raise TimeIsOver
        result, faults = tried(case, self.stage)
        self.counts[case.kind] += 1
        self.statuses[result.status] += 1
        new = [fault for fault in faults if fault.key not in self.known]
        if self.smallest:
            new = [fault for fault in new if fault.key == self.smallest[1].key]
        if not new:
            return
        if not self.smallest:
            self.shrink_until = time.monotonic() + _SHRINK_S
        self.smallest = (case, new[0])
        raise finding_of(new[0].key)

    def _report(self, case: Case, fault: Fault) -> None:
        self.known.add(fault.key)
        folder = self.findings / re.sub(r"[^a-z0-9]+", "-", fault.key.lower()).strip("-")[:90]
        write_case(folder, case, (fault,))
        print(f"{fault.key!a}: {folder}", flush=True)


def write_case(folder: Path, case: Case, faults: Sequence[Fault]) -> None:
    """Write a case: its files below `project`, what cannot be a file everywhere in `case.json`."""
    others: dict[str, dict[str, str]] = {}
    for path, entry in case.project.items():
        if not isinstance(entry, bytes) or not _PLAIN.fullmatch(path):
            others[path] = _as_json(entry)
            continue
        target = folder / "project" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(entry)
    told = {
        "command": case.command,
        "kind": case.kind,
        "changed": case.changed,
        "faults": [fault.key for fault in faults],
        "others": others,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    details = "\n\n".join(f"{fault.key}\n{fault.details}" for fault in faults)
    (folder / "faults.txt").write_text(details, encoding="utf-8", errors="replace")


def read_case(folder: Path) -> Case:
    """Return the case that was written to a folder."""
    told = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    root = folder / "project"
    files: dict[str, Entry] = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    files |= {path: _from_json(entry) for path, entry in told["others"].items()}
    return Case(told.get("kind", ""), files, tuple(told["command"]), tuple(told["changed"]))


def _as_json(entry: Entry) -> dict[str, str]:
    match entry:
        case Link():
            return {"link": entry.target}
        case Special():
            return {"special": entry.sort}
    return {"bytes": base64.b64encode(entry).decode()}


def _from_json(entry: dict[str, str]) -> Entry:
    if "link" in entry:
        return Link(entry["link"])
    if "special" in entry:
        return Special(entry["special"])
    return base64.b64decode(entry["bytes"])


def again(folder: Path, stage: Stage) -> int:
    """Run findings again; return how many are still there."""
    left = 0
    for path in sorted(folder.rglob("case.json")):
        result, faults = tried(read_case(path.parent), stage)
        left += bool(faults)
        told = "; ".join(ascii(fault.key) for fault in faults) or "fixed"
        print(f"{path.parent.relative_to(folder)}: exit status {result.status}, {told}")
    return left


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Help)
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    parser.add_argument("--seed", default=today, help="the date of today if not given")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this; repeatable")
    parser.add_argument("--again", type=Path, metavar="FOLDER", help="run findings again")
    parser.add_argument("--findings", type=Path, default=Path("output/fuzz"))
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    stage = Stage()
    try:
        stage.warm()
        if options.again:
            return int(again(options.again, stage) > 0)
        print(f"seed {options.seed}", flush=True)
        campaign = Campaign(stage, options.seconds, options.findings)
        return int(campaign.run(options.kind or list(KINDS), options.seed) > 0)
    finally:
        stage.close()


class _Help(argparse.RawDescriptionHelpFormatter):
    pass


if __name__ == "__main__":
    sys.exit(main())
