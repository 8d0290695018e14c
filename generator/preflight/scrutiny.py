"""A finished PDF with what its manifest promises in; findings about what is seen on it out.

Its pages are drawn once, in several processes when there are jobs for them, and all checks look
at the same pixels. A face that is printed many times is looked at once.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator import workers
from generator.preflight import checks
from generator.preflight.expectation import ExpectedPage
from generator.preflight.finding import Finding
from generator.preflight.ink_checks import ink
from generator.preflight.matching import Match, PageMatch, distance
from generator.preflight.raster import opened, write_light_copy
from generator.preflight.specimen import Sample, examine
from generator.preflight.subject import Subject
from generator.preflight.trace import Trace, trace

Progress = Callable[[int, int], None]

_OFF: Final = 0.5
"""mm by which a page or face may be off and still be looked at: that it is off is told of."""
_PAGES_IN_A_TASK: Final = 12
_WORTH_A_PROCESS: Final = 4
"""Pages from which other processes help more than they cost."""


@dataclass(frozen=True, slots=True)
class Task:
    """Some pages of a file, with the samples to look at on each."""

    path: Path
    pages: tuple[tuple[ExpectedPage, tuple[Sample, ...]], ...]


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was found on the pages of a task, the traces of the faces on them, and which part of
    each page solid ink would cover."""

    findings: tuple[Finding, ...]
    traces: tuple[Trace, ...]
    ink: tuple[float, ...]


def scrutinise(subject: Subject, jobs: int, progress: Progress) -> Sighting:
    """Look at every page, and at one specimen of each face."""
    tasks_of = list(_pages(subject))
    if not tasks_of:
        return Sighting((), (), ())
    size = (
        _PAGES_IN_A_TASK if jobs == 1 else max(1, min(_PAGES_IN_A_TASK, -(-len(tasks_of) // jobs)))
    )
    with tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
        light = Path(scratch) / "light.pdf"
        write_light_copy(subject.pdf, light)
        tasks = [
            Task(light, tuple(tasks_of[start : start + size]))
            for start in range(0, len(tasks_of), size)
        ]
        seen: dict[int, Sighting] = {}
        progress(0, len(tasks_of))
        if len(tasks_of) < _WORTH_A_PROCESS or jobs == 1:
            for index, task in enumerate(tasks):
                seen[index] = look(task)
                progress(min((index + 1) * size, len(tasks_of)), len(tasks_of))
        else:
            for index, sighting in workers.run(look, tasks, jobs):
                seen[index] = sighting
                progress(min(len(seen) * size, len(tasks_of)), len(tasks_of))
    in_order = [seen[index] for index in range(len(tasks))]
    return Sighting(
        tuple(finding for sighting in in_order for finding in sighting.findings),
        tuple(kept for sighting in in_order for kept in sighting.traces),
        tuple(share for sighting in in_order for share in sighting.ink),
    )


def look(task: Task) -> Sighting:
    """All that the checks of pages and faces say of some pages."""
    findings: list[Finding] = []
    traces: list[Trace] = []
    inks: list[float] = []
    with opened(task.path) as document:
        for expected, samples in task.pages:
            page, specimens = examine(document, expected, samples)
            inks.append(ink(page.seen.image))
            for check in checks.of(checks.Scope.PAGE):
                findings += check.run(page)
            for specimen in specimens:
                traces.append(trace(specimen))
                for check in checks.of(checks.Scope.FACE):
                    findings += check.run(specimen)
    return Sighting(tuple(findings), tuple(traces), tuple(inks))


def _in_place(match: Match) -> bool:
    """False for a face that is drawn somewhere else: what is seen in its place is another."""
    return distance(match.centre, match.expected.box.centre) < _OFF


def _as_expected(page: PageMatch) -> bool:
    """False for a page of another size, cropped or turned: no place on it is where it should be."""
    crop, want = page.read.crop, page.expected
    off = (crop.x, crop.y, crop.width - want.width, crop.height - want.height)
    return not page.read.turned and max(map(abs, off)) < _OFF


def _pages(subject: Subject) -> Sequence[tuple[ExpectedPage, tuple[Sample, ...]]]:
    """Each page with the faces that are on it for the first time."""
    copies = Counter(
        match.draw.form for page in subject.matched for match in page.matches if match.draw
    )
    known: set[tuple[int, int]] = set()
    pages = []
    for page in subject.matched:
        if not _as_expected(page):
            continue
        samples = []
        for match in page.matches:
            if match.draw is not None and match.draw.form not in known and _in_place(match):
                known.add(match.draw.form)
                index = page.read.draws.index(match.draw)
                samples.append(Sample(index, match.expected, copies[match.draw.form]))
        pages.append((page.expected, tuple(samples)))
    return pages
