"""Damage good builds in one way after another: does preflight find it, name it, and nothing else?

    python benchmarks/preflight_faults.py [--promised] [--only WORDS] [--seed N] [--limit N] [--all]
    python benchmarks/preflight_faults.py --sizes

Three parts. The promised faults: each is to be found by its code, and nothing beside it. A rival's:
faults as other programs, printers and tired authors make them, a third of them composed from the
seed; each is found or missed, and told rightly or not. Honest decks: unusual, and without a fault.
Exits with 1 when a promised fault is missed, something is found that is not there, or a rival's
faults are found or told less often than docs/preflight.md promises.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from faults import (
    by_profile,
    composed,
    decks,
    edges,
    face_damages,
    foreign_damages,
    forged,
    honest,
    large_damages,
    marks,
    packs,
    pages,
    pdf_damages,
    pictures,
    places,
    sizes,
    words,
)
from faults.bench import PLAIN_MM, PLAIN_SHARE, Bench, Fault, Verdict
from faults.damage import Damage, Press
from faults.pack import write_pack

from generator.cache import NOTHING_KEPT, InMemory
from generator.preflight import CHECKS, preflight_build

_Fault = TypeVar("_Fault")

DAMAGES = (
    *face_damages.DAMAGES,
    *pdf_damages.DAMAGES,
    *large_damages.DAMAGES,
    *foreign_damages.DAMAGES,
)
INNOCENT = (*face_damages.INNOCENT, *pdf_damages.INNOCENT, *large_damages.INNOCENT)
"""What is other than it was, and as good."""
FOUND, TOLD = 0.98, 0.95
"""Parts of a rival's plain faults that are to be found, and told rightly."""


def codes(folder: Path, cache: InMemory) -> dict[str, set[str]]:
    """The codes found in each file of a build, and under "" those about all of it."""
    build = preflight_build(folder, cache=cache)
    found = {report.file.name: {d.code for d in report.diagnostics} for report in build.reports}
    return {**found, "": {finding.code for finding in build.findings}}


def judge(damage: Damage, press: Press, cache: InMemory) -> tuple[bool, set[str]]:
    """Whether the fault was found, and the codes that there is no reason for."""
    with tempfile.TemporaryDirectory() as folder:
        damage.apply(press, Path(folder))
        found = codes(Path(folder), cache)
    here = found.pop(damage.file) | found.pop("")
    elsewhere = {code for others in found.values() for code in others}
    return damage.code in here, (here - {damage.code} - damage.also) | elsewhere


def promised(only: str, limit: int) -> bool:
    """Whether what is promised holds; of many faults in a file every so manieth is tried."""
    missed, false, cache = 0, 0, InMemory(NOTHING_KEPT)
    with tempfile.TemporaryDirectory() as folder:
        write_pack(Path(folder))
        press = Press(Path(folder))
        try:
            good = Path(folder) / "good"
            press.print_good(good)
            alarms = sorted({code for found in codes(good, cache).values() for code in found})
            print(f"{'the good build':52} {'':6} {alarms or 'silent'}")
            false += len(alarms)
            for change in (change for change in INNOCENT if only in change.name):
                _, others = judge(change, press, cache)
                false += len(others)
                print(f"{change.name:52} {'':6} {' '.join(sorted(others)) or 'silent'}", flush=True)
            wanted = _spread([damage for damage in DAMAGES if only in damage.name], limit)
            for damage in wanted:
                found, others = judge(damage, press, cache)
                missed += not found
                false += len(others)
                verdict = "found" if found else "MISSED"
                extra = f"  FALSE: {' '.join(sorted(others))}" if others else ""
                print(f"{damage.name:52} {damage.code}  {verdict}{extra}", flush=True)
            refused = list(by_profile.judged(Path(folder), only))
            for one, found, others in refused:
                missed += not found
                false += len(others)
                verdict = "found" if found else "MISSED"
                extra = f"  FALSE: {' '.join(sorted(others))}" if others else ""
                print(f"{one.name:52} {one.code:5}  {verdict}{extra}", flush=True)
        finally:
            press.close()
    tried = {damage.code for damage in DAMAGES} | {fault.code for fault in by_profile.FAULTS}
    untried = {check.code for check in CHECKS} - tried
    count = len(wanted) + sum(bool(one.code) for one, _, _ in refused)
    print(
        f"\npromised: {count} faults, {count - missed} found, {missed} missed, {false} false alarms"
    )
    if untried and not only:
        print(f"checks that no fault is seeded for: {' '.join(sorted(untried))}")
    return not (missed or false or (untried and not only))


def rivals(seed: int, only: str, limit: int) -> list[Fault]:
    """A rival's faults whose kind, level or name has these words; of many every so manieth."""
    made = [
        fault
        for module in (packs, edges, places, pictures, words, marks, pages)
        for fault in module.faults()
    ]
    found = [
        fault
        for fault in (
            *made,
            *forged.faults(seed),
            *composed.faults(seed),
            *edges.composed(seed),
            *decks.faults(seed),
        )
        if only in f"{fault.kind} / {fault.level} / {fault.name}"
    ]
    return _spread(found, limit)


def _spread(faults: list[_Fault], limit: int) -> list[_Fault]:
    """At most so many of them, 0 for all, from the first to the last."""
    step = max(1, -(-len(faults) // limit)) if limit else 1
    return faults[::step]


def judged(faults: Sequence[Fault], *, every: bool) -> list[Verdict]:
    """What comes of each fault; those that are not told rightly are printed."""
    bench = Bench()
    found = []
    try:
        for fault in faults:
            verdict = bench.judge(fault)
            found.append(verdict)
            if every or not verdict.told or verdict.false:
                print(_line(verdict), flush=True)
    finally:
        bench.close()
    return found


def _line(verdict: Verdict) -> str:
    word = "told" if verdict.told else "ANOTHER NAME" if verdict.found else "MISSED"
    size = f"{verdict.share:8.3%}" + (f" {verdict.fault.mm:.2f} mm" if verdict.fault.mm else "")
    said = verdict.broke or (verdict.findings[0][:110] if verdict.findings else "")
    false = f"  FALSE: {verdict.false[0][:60]}" if verdict.false else ""
    return f"{word:12} {size:18} {verdict.fault.kind} / {verdict.fault.name}: {said}{false}"


def table(verdicts: Iterable[Verdict]) -> None:
    """How many of each kind."""
    kinds: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        kinds[verdict.fault.kind].append(verdict)
    print(f"\n{'kind':34} {'made':>5} {'found':>5} {'told':>5} {'false':>5}  share of pixels")
    for kind, several in sorted(kinds.items()):
        shares = sorted(verdict.share for verdict in several)
        counts = (
            len(several),
            sum(v.found for v in several),
            sum(v.told for v in several),
            sum(bool(v.false) for v in several),
        )
        made = "".join(f"{count:6}" for count in counts)
        print(f"{kind:34}{made}  {shares[0]:.3%} to {shares[-1]:.3%}")
    print(f"{len(kinds)} kinds")


def summary(title: str, verdicts: Sequence[Verdict]) -> bool:
    """A line on some faults; whether enough of them are found and told."""
    if not verdicts:
        return True
    found = sum(v.found for v in verdicts) / len(verdicts)
    told = sum(v.told for v in verdicts) / len(verdicts)
    print(f"{title}: {len(verdicts)} faults, {found:.1%} found, {told:.1%} told rightly")
    return found >= FOUND and told >= TOLD


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--sizes", action="store_true", help="write the table of sizes in the docs"
    )
    options.add_argument("--promised", action="store_true", help="only those found by their code")
    options.add_argument("--only", default="", help="faults whose kind or name has these words")
    options.add_argument("--seed", type=int, default=1, help="of those composed at random")
    options.add_argument(
        "--limit", type=int, default=0, help="at most so many faults, spread over all"
    )
    options.add_argument("--all", action="store_true", help="list those told rightly, too")
    asked = options.parse_args()
    start = time.perf_counter()
    warnings.filterwarnings("ignore", module="pikepdf|generator.preflight")
    if asked.sizes:
        sizes.write_table()
        return 0
    holds = promised(asked.only, asked.limit if asked.promised else 0)
    if not asked.promised:
        print()
        verdicts = judged(rivals(asked.seed, asked.only, asked.limit), every=asked.all)
        table(verdicts)
        holds &= honest.holds(asked.only, (*decks.honest(asked.seed), *edges.honest(asked.seed)))
        plain = [verdict for verdict in verdicts if verdict.plain]
        print()
        summary("a rival's smaller faults", [v for v in verdicts if not v.plain])
        summary("a rival's, composed from the seed", [v for v in verdicts if v.fault.drawn])
        size = f"of {PLAIN_SHARE:.2%} of a page's pixels or {PLAIN_MM} mm and more"
        holds &= summary(f"a rival's {size}", plain)
    print(f"{(time.perf_counter() - start) / 60:.1f} min")
    return int(not holds)


if __name__ == "__main__":
    sys.exit(main())
