"""A finished PDF with what its manifest promises in; findings about what is seen on it out.

Its pages are drawn once, in several processes when there are jobs for them, and all checks look
at the same pixels. A face that is printed many times is looked at once, or once in each way that it
bleeds, and for each kind that has it.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import pikepdf
import pypdfium2

from generator import limits, workers
from generator.diagnostics import Span
from generator.model.stock import Edge, Shape
from generator.preflight import checks
from generator.preflight.apart import MOST_SECONDS, answer, bound_time
from generator.preflight.expectation import Expected, ExpectedPage
from generator.preflight.finding import Finding
from generator.preflight.fingerprint import Fingerprints
from generator.preflight.ink_checks import covered
from generator.preflight.matching import Match, PageMatch, distance
from generator.preflight.raster import opened, write_light_copy
from generator.preflight.specimen import Sample, Specimen, examine
from generator.preflight.subject import Subject
from generator.preflight.trace import Trace, trace
from generator.preflight.views import view

Progress = Callable[[int, int], None]

_OFF: Final = 0.5
"""mm by which a page or face may be off and still be looked at: that it is off is told of."""
_PAGES_IN_A_TASK: Final = 5
"""So few that no process has much left to do when all others are done."""
_WORTH_A_PROCESS: Final = 4
"""Pages from which other processes help more than they cost."""
_TRIES: Final = 2
"""Pages that break a process down, after which those that nobody came to are left alone."""
_MOST_FINDINGS: Final = 1_000
"""Of a face."""
_BROKEN: Final = "the process that draws it broke down, or took too long"


@dataclass(frozen=True, slots=True)
class Task:
    """Some pages of a file, our own or a stranger's, with the samples to look at on each. `path` is
    a copy of it, `shown` what it is called, `place` where to tell of what stops the work, if
    that is not the page."""

    path: Path
    shown: str
    own: bool
    pages: tuple[tuple[ExpectedPage, tuple[Sample, ...]], ...]
    place: Span | None = None


@dataclass(frozen=True, slots=True)
class SeenFace:
    """What was found on a face, and what is kept of it."""

    trace: Trace
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Glance:
    """What was found on a page, the faces that were looked at, in order, and which part of the page
    solid ink would cover, if it was seen."""

    findings: tuple[Finding, ...]
    faces: tuple[SeenFace, ...]
    ink: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Sighting:
    """The same of a whole file."""

    findings: tuple[Finding, ...] = ()
    traces: tuple[Trace, ...] = ()
    ink: tuple[float, ...] = ()


class _Look(NamedTuple):
    """What there is to see of a drawing: the part of it that shows, and what that must keep to.
    Kinds may share a face, as a back, and ask differently."""

    part: str
    shape: Shape
    bleed: float
    safe: float
    edge: Edge


class _Key(NamedTuple):
    """All that the outcome hangs on: the fingerprint of the drawing, what to see of it, whether
    its marks are kept, and whose face it is (kind, component, face), as findings say."""

    mark: str
    look: _Look
    coded: bool
    owner: tuple[str, str, str]


KnownFaces = dict[_Key, SeenFace]
"""Faces that were looked at in other files of a build."""


class Scrutiny:
    """Looks at every page, and at specimens of each face that is not known yet. While other
    processes do so there is time for other checks: `begin` starts them, `end` has the outcome."""

    def __init__(self, path: Path, jobs: int, known: KnownFaces | None, *, own: bool) -> None:
        """Begin with a copy of the file that is drawn fast. `known` is None if the file is the only
        one of its build. One that is not our `own` is drawn in other processes only."""
        self._jobs = jobs
        self._own = own
        self._known = known
        self._plan: Plan | None = None
        self._scratch = tempfile.TemporaryDirectory(prefix="gridpress-")
        self._light = Path(self._scratch.name) / "light.pdf"
        elsewhere = [(path, self._light)] if jobs > 1 else []
        self._copying = workers.Crew(_copy, elsewhere, 1)
        self._copies: workers.Crew[Task, Sequence[Glance]] | None = None
        self._tasks: Sequence[Task] = ()
        self._spent = 0.0
        self._pool = ThreadPoolExecutor(1)  # it waits for processes; the work is done in them
        self._begun: Future[_Glances] | None = None

    def begin(self, subject: Subject, progress: Progress) -> None:
        """Send others to look at the pages."""
        self._plan = Plan(subject, self._known)
        pages, jobs = self._plan.pages, self._jobs
        if not list(self._copying.answers()):
            write_light_copy(subject.pdf, self._light)
        shares = (
            pages[at : at + _PAGES_IN_A_TASK] for at in range(0, len(pages), _PAGES_IN_A_TASK)
        )
        tasks = [
            Task(self._light, subject.shown, self._own, tuple(share), subject.place)
            for share in shares
        ]
        told = _Counted(progress, len(pages), _PAGES_IN_A_TASK)
        self._tasks = tasks
        self._spent = _spent_by_others()
        if not self._own or (jobs > 1 and len(pages) >= _WORTH_A_PROCESS):
            self._copies = workers.Crew(look, tasks, jobs)  # before there is another thread
            self._begun = self._pool.submit(_look_elsewhere, self._copies, told)
        else:
            self._begun = self._pool.submit(_look_here, tasks, told)

    def end(self) -> Sighting:
        """Everything that was seen. Of pages that no process could look at there is a finding."""
        assert self._plan is not None, "begin comes first"
        assert self._begun is not None, "begin comes first"
        glances = self._begun.result()
        self._pool.shutdown()  # before other processes are started
        spent = _spent_by_others() - self._spent
        seen = list(_page_by_page(self._tasks, glances, spent))
        findings = [finding for glance in seen for finding in glance.findings]
        known = {} if self._known is None else self._known
        keys = iter(self._plan.keys)
        for (_, samples), glance in zip(self._plan.pages, seen, strict=True):
            of_page = [next(keys) for _ in samples]
            known.update(zip(of_page, glance.faces, strict=False))  # none of a page not looked at
        faces = [face for glance in seen for face in glance.faces]
        again = [_seen_again(known[key], sample, page) for key, sample, page in self._plan.again]
        findings += [finding for face in (*faces, *again) for finding in face.findings]
        return Sighting(
            tuple(_told_once(findings)),
            tuple(face.trace for face in (*faces, *again)),
            tuple(share for glance in seen for share in glance.ink),
        )

    def close(self) -> None:
        """End what is still at work, and clear up."""
        self._copying.dismiss()
        if self._copies is not None:
            self._copies.dismiss()
        self._pool.shutdown(cancel_futures=True)
        self._scratch.cleanup()


class Plan:
    """Which pages to look at, and at which faces on them: each face where it comes first. `again`
    are those that are known from other files."""

    def __init__(self, subject: Subject, known: KnownFaces | None) -> None:
        self.pages: list[tuple[ExpectedPage, tuple[Sample, ...]]] = []
        self.keys: list[_Key] = []
        self.again: list[tuple[_Key, Sample, int]] = []
        copies = Counter(
            (match.draw.form, _look_at(match.expected))
            for page in subject.matched
            for match in page.matches
            if match.draw
        )
        coded = subject.expected.coded if subject.expected else frozenset()
        fingerprints = Fingerprints()
        met: set[tuple[tuple[int, int], _Look]] = set()
        for page in filter(_as_expected, subject.matched):
            samples = []
            for match in page.matches:
                told = match.expected
                if match.draw is None or not _in_place(match):
                    continue
                wanted = match.draw.form, _look_at(told)
                if wanted in met:
                    continue
                met.add(wanted)
                form = subject.pdf.get_object(match.draw.form)
                index = page.read.draws.index(match.draw)
                is_coded = told.sha256 in coded
                sample = Sample(index, told, copies[wanted], is_coded)
                # no other file will ask for the face: its number does as well, and takes no time
                mark = str(form.objgen) if known is None else fingerprints.of(form)
                owner = told.kind, told.component, told.face
                key = _Key(mark, wanted[1], is_coded, owner)
                if known is not None and key in known:
                    self.again.append((key, sample, page.read.number))
                else:
                    self.keys.append(key)
                    samples.append(sample)
            self.pages.append((page.expected, tuple(samples)))


def _look_at(told: Expected) -> _Look:
    return _Look(view(told), told.shape, told.bleed, told.safe, told.edge)


class _Counted:
    """Tells progress in pages when tasks are done."""

    def __init__(self, progress: Progress, total: int, size: int) -> None:
        self._progress, self._total, self._size = progress, total, size
        self._done = 0

    def __call__(self) -> None:
        self._done = min(self._done + self._size, self._total)
        self._progress(self._done, self._total)


def _copy(files: tuple[Path, Path]) -> bool:
    source, light = files
    with pikepdf.open(source) as pdf:
        write_light_copy(pdf, light)
    return True


_Glances = dict[int, Sequence[Glance]]
"""What was seen on the pages of some of the tasks, by their index."""


def _look_here(tasks: Sequence[Task], told: Callable[[], None]) -> _Glances:
    glances = {}
    for index, task in enumerate(tasks):
        glances[index] = look(task)
        told()
    return glances


def _look_elsewhere(
    copies: workers.Crew[Task, Sequence[Glance]], told: Callable[[], None]
) -> _Glances:
    """What was seen until all was, or until a process broke down."""
    glances: _Glances = {}
    with suppress(workers.WorkerCrash):
        for index, glance in copies.answers():
            glances[index] = glance
            told()
    return glances


def _page_by_page(tasks: Sequence[Task], glances: _Glances, spent: float) -> Iterator[Glance]:
    """What was seen on each page. The pages of a task that broke its process down, or that nobody
    came to because of that, have a process each, until this was in vain too often; or none, if
    seconds enough were spent until it broke down."""
    in_vain = _TRIES * (spent >= MOST_SECONDS)
    for index, task in enumerate(tasks):
        if index in glances:
            yield from glances[index]
            continue
        for page in task.pages:
            alone = replace(task, pages=(page,))
            seen = answer(look, alone) if in_vain < _TRIES else None
            in_vain += seen is None
            yield from seen or [Glance((_unseen(page[0].number, _BROKEN),), (), ())]


def _spent_by_others() -> float:
    """Seconds of processor time of all processes that were started from here and have ended."""
    return os.times().children_user + os.times().children_system


def _unseen(page: int, reason: str) -> Finding:
    hint = "build the pack again; if that does not help, close other programs, or take --jobs 1"
    return Finding("GP872", f"it could not be looked at: {reason}", hint, page=page)


def _seen_again(face: SeenFace, sample: Sample, page: int) -> SeenFace:
    """What was seen in another file, on a page of this one."""
    kept = replace(face.trace, expected=sample.expected, page=page, copies=sample.copies)
    found = (replace(f, page=page, place=None, copies=sample.copies) for f in face.findings)
    return SeenFace(kept, tuple(found))


def _told_once(findings: Iterable[Finding]) -> Iterable[Finding]:
    """A fault of a face itself is seen in each of its views on a page, but is one fault."""
    told: dict[tuple[int, str, str, str], Finding] = {}
    for finding in findings:
        key = finding.page, finding.component, finding.code, finding.message
        before = told[key].copies if key in told else 0
        told[key] = replace(told.get(key, finding), copies=before + finding.copies)
    return told.values()


def look(task: Task) -> Sequence[Glance]:
    """All that the checks of pages and faces say of some pages. A page takes seconds at most: in
    another process, longer ends it."""
    look_at = _glance if task.own else _glance_at_odd
    with opened(task.path) as document:
        return [
            look_at(document, task.place or Span(task.shown, expected.number), expected, samples)
            for expected, samples in task.pages
        ]


def _glance(
    document: pypdfium2.PdfDocument,
    place: Span,
    expected: ExpectedPage,
    samples: tuple[Sample, ...],
) -> Glance:
    with limits.at(place, limits.PAGE + limits.FACE * len(samples)):
        page, specimens = examine(document, expected, samples)
        findings = [found for check in checks.of(checks.Scope.PAGE) for found in check.run(page)]
        faces = [_seen(specimen) for specimen in specimens]
        return Glance(tuple(findings), tuple(faces), (covered(page),))


def _seen(specimen: Specimen) -> SeenFace:
    found = (finding for check in checks.of(checks.Scope.FACE) for finding in check.run(specimen))
    return SeenFace(trace(specimen), tuple(islice(found, _MOST_FINDINGS)))


def _glance_at_odd(
    document: pypdfium2.PdfDocument,
    place: Span,
    expected: ExpectedPage,
    samples: tuple[Sample, ...],
) -> Glance:
    """The same of a page that may be anything, in a process that may end."""
    bound_time()
    try:
        return _glance(document, place, expected, samples)
    except Exception as error:  # whatever PDFium says, and what checks do that meet something odd
        return Glance((_unseen(expected.number, str(error) or type(error).__name__),), (), ())


def _in_place(match: Match) -> bool:
    """False for a face that is drawn somewhere else: what is seen in its place is another."""
    return distance(match.centre, match.expected.box.centre) < _OFF


def _as_expected(page: PageMatch) -> bool:
    """False for a page of another size, cropped or turned: no place on it is where it should be."""
    crop, want = page.read.crop, page.expected
    off = (crop.x, crop.y, crop.width - want.width, crop.height - want.height)
    return not page.read.turned and max(map(abs, off)) < _OFF
