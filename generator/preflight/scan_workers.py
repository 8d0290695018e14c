"""Looks at pages in other processes, where that is faster or a stranger's file may break them
down."""

from __future__ import annotations

import math
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import pypdfium2
from msgspec import Struct
from msgspec.structs import replace

from generator import limits, workers
from generator.diagnostics import GridpressError, Span
from generator.preflight import checks
from generator.preflight.checking import Finding, broken, found_by, is_bug
from generator.preflight.faces import (
    FaceFinding,
    Look,
    Sample,
    SeenFace,
    Specimen,
    draw_face,
    examine,
    frame,
    seen_face,
)
from generator.preflight.image_checks import ink
from generator.preflight.manifest_reader import ExpectedPage
from generator.preflight.page_parts import SeenMarks, see_marks
from generator.preflight.profile_checks import AnyPage
from generator.preflight.raster import TooLargeError, opened_pdf
from generator.preflight.text_checks import as_set
from generator.workers import Progress

T = TypeVar("T")
R = TypeVar("R")

MOST_SECONDS: Final = 6
"""Of processor time for a page: twenty times that of a good one."""


def answer(function: Callable[[T], R], task: T) -> R | None:
    """What a function that is importable by name returns; None if its process broke down."""
    with suppress(workers.WorkerCrash):
        return _answer(function, task)
    return None


def _answer(function: Callable[[T], R], task: T) -> R | None:
    crew = workers.Crew(function, [task], 1)
    try:
        return next((found for _, found in crew.answers()), None)
    finally:
        crew.dismiss()


def bound_time(seconds: int = MOST_SECONDS) -> None:
    """Have the system end this process if it works much longer from now on, where it can."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415, not there on every system

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        end = math.ceil(time.process_time()) + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (end, most))


_MOST_IN_A_TASK: Final = 40
"""So few that no process has much left to do when all others are done."""
_KEPT_OPEN: Final = 8
"""Pages."""
_TASKS_A_JOB: Final = 3
_WORTH_A_PROCESS: Final = 20
"""Things from which other processes help more than they cost."""
_TRIES: Final = 2
"""Pages that break processes down, after which what nobody came to is left alone."""
_MOST_FINDINGS: Final = 1_000
"""Of a face."""
_A4: Final = 210 * 297
_BROKEN: Final = "the process that draws it broke down, or took too long"


def _allowance(pages: float, looks: int, drawn: int) -> float:
    """Seconds of processor time that it honestly takes to look at so many pages of A4, each look
    with its checks, where so many bytes of operators are drawn."""
    return limits.PAGE * pages + limits.FACE * looks + limits.DRAWN * drawn / 1_000_000


class FaceAlone(Struct, frozen=True):
    """A face to look at: its page in the file with the parts, the BBox of its form, all looks at
    it, the page, from 1, that it is on first, and how many bytes of operators it draws."""

    sheet: int
    box: tuple[float, ...]
    looks: tuple[Look, ...]
    page: int
    drawn: int

    def seen(self, sheets: Sequence[pypdfium2.PdfPage], *, own: bool) -> tuple[SeenFace, ...]:
        """What there is to say of each look."""
        to_trim = frame(self.box, self.looks[0])
        again: Callable[[], pypdfium2.PdfPage] = lambda: sheets[self.sheet]  # noqa: E731
        drawn = draw_face(again(), to_trim, self.looks, again)
        return tuple(_seen(specimen, own) for specimen in drawn)

    @property
    def allowance(self) -> float:
        """Seconds that it honestly may take."""
        x1, y1, x2, y2 = self.box
        pages = abs((x2 - x1) * (y2 - y1)) * (25.4 / 72) ** 2 / _A4
        return _allowance(pages, len(self.looks), self.drawn)


class PageMarks(Struct, frozen=True):
    """What is on a page beside its faces, where that is in the file with the parts, and how many
    bytes of operators it is."""

    sheet: int
    page: int
    drawn: int

    @property
    def allowance(self) -> float:
        """Seconds that it honestly may take."""
        return _allowance(1, 0, self.drawn)

    def seen(self, sheets: Sequence[pypdfium2.PdfPage], *, own: bool) -> SeenMarks:
        """The marks."""
        return see_marks(sheets[self.sheet])


class WholePage(Struct, frozen=True):
    """A page to look at as it is, with the samples on it; it draws so many bytes of operators."""

    expected: ExpectedPage
    samples: tuple[Sample, ...]
    drawn: int

    @property
    def page(self) -> int:
        """From 1."""
        return self.expected.number

    @property
    def allowance(self) -> float:
        """Seconds that it honestly may take."""
        return _allowance(1, len(self.samples), self.drawn)

    def seen(self, sheets: Sequence[pypdfium2.PdfPage], *, own: bool) -> SeenWhole:
        """What there is to say of its samples, and its ink."""
        seen, specimens = examine(sheets, self.expected, self.samples)
        return SeenWhole(tuple(_seen(each, own) for each in specimens), ink(seen.image))


class SeenWhole(Struct, frozen=True):
    """What was seen of the samples on a page, and how much of it solid ink would cover."""

    faces: tuple[SeenFace, ...]
    ink: float


class PageAlone(Struct, frozen=True):
    """A page of a file without a manifest to look at, or its margins; it draws so many bytes of
    operators."""

    how: AnyPage
    drawn: int

    @property
    def page(self) -> int:
        """From 1."""
        return self.how.page

    @property
    def allowance(self) -> float:
        """Seconds that it honestly may take."""
        return _allowance(1, 0, self.drawn)

    def seen(self, sheets: Sequence[pypdfium2.PdfPage], *, own: bool) -> SeenPageAlone:
        """What there is to say of it."""
        needless = [c for c in checks.of(checks.Scope.FACE) if c.needs is checks.Needs.NOTHING]
        return SeenPageAlone(self.how.seen(sheets, partial(_found_on, own=own, by=needless)))


class SeenPageAlone(Struct, frozen=True):
    """What was found on a page."""

    findings: tuple[Finding, ...]


ScanItem = FaceAlone | PageMarks | WholePage | PageAlone
Observation = tuple[SeenFace, ...] | SeenMarks | SeenWhole | SeenPageAlone | Finding
"""What was seen of an item; or that it could not be looked at."""


class ScanTask(Struct, frozen=True):
    """Some things to look at in a file that was made of one of our own or of a stranger's. `shown`
    is what that is called, `place` where to tell of what stops the work if not at the page."""

    path: Path
    shown: str
    own: bool
    items: tuple[ScanItem, ...]
    place: Span | None = None


class Patience:
    """How often what breaks processes down is tried once more: one for all batches of a file, so
    that a slow page costs its seconds once, however many of them there are."""

    def __init__(self) -> None:
        self._broken: set[int] = set()
        self._was_slow = False

    @property
    def is_over(self) -> bool:
        """True when a process took too long, or pages enough broke theirs down."""
        return self._was_slow or len(self._broken) >= _TRIES

    def is_left_for(self, page: int) -> bool:
        """False for a page that broke a process down."""
        return not self.is_over and page not in self._broken

    def lost(self, crash: workers.WorkerCrash, page: int | None = None) -> None:
        """A process broke down, at that page if it was at one alone."""
        self._was_slow |= crash.was_slow
        if page is not None:
            self._broken.add(page)


class Batch:
    """Things of one file that are looked at: in other processes from now on; or in this one, when
    somebody asks what was seen, as PDFium bears but one thread. It must be closed."""

    def __init__(
        self, task: ScanTask, jobs: int, told: Callable[[int], None], patience: Patience
    ) -> None:
        self.items = task.items
        self._told = told
        self._patience = patience
        self._tasks = _shared_out(task, jobs)
        self._elsewhere = not task.own or (jobs > 1 and len(task.items) >= _WORTH_A_PROCESS)
        self._pool: ThreadPoolExecutor | None = None
        self._crew: workers.Crew[ScanTask, Sequence[Observation]] | None = None
        self._begun: Future[dict[int, Sequence[Observation]]] | None = None
        self._spent = _spent_by_others()
        if self._elsewhere and self._tasks and not patience.is_over:
            self._crew = workers.Crew(look, self._tasks, jobs)  # before there is another thread
            self._pool = ThreadPoolExecutor(1)  # it only waits for the processes
            self._begun = self._pool.submit(self._seen_of, self._crew.answers())

    def observations(self) -> list[Observation]:
        """What was seen of each item."""
        observations: dict[int, Sequence[Observation]] = {}
        if self._begun:
            observations = self._begun.result()
        elif not self._elsewhere and not self._patience.is_over:
            observations = self._seen_of((n, look(task)) for n, task in enumerate(self._tasks))
        self.close()  # before other processes are started
        spent = _spent_by_others() - self._spent
        return list(_one_by_one(self._tasks, observations, spent, self._patience))

    def _seen_of(
        self, answers: Iterable[tuple[int, Sequence[Observation]]]
    ) -> dict[int, Sequence[Observation]]:
        """What was seen, by the index of the task, until all was or a process broke down."""
        observations = {}
        try:
            for index, observation in answers:
                observations[index] = observation
                self._told(len(self._tasks[index].items))
        except workers.WorkerCrash as crash:
            self._patience.lost(crash)
        return observations

    def close(self) -> None:
        """End what is still at work."""
        if self._crew is not None:
            self._crew.dismiss()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


class Counted:
    """Tells progress in pages while things are looked at."""

    def __init__(self, progress: Progress, pages: int, items: int) -> None:
        self._progress, self._pages, self._items = progress, pages, items
        self._done = 0

    def __call__(self, more: int) -> None:
        """So many more were looked at."""
        self._done += more
        self._progress(self._done * self._pages // self._items, self._pages)


def _shared_out(task: ScanTask, jobs: int) -> list[ScanTask]:
    size = min(_MOST_IN_A_TASK, math.ceil(len(task.items) / (_TASKS_A_JOB * jobs)) or 1)
    shares = (task.items[at : at + size] for at in range(0, len(task.items), size))
    return [replace(task, items=share) for share in shares]


def _one_by_one(
    tasks: Sequence[ScanTask],
    observations: dict[int, Sequence[Observation]],
    spent: float,
    patience: Patience,
) -> Iterator[Observation]:
    """What was seen of each item. Those of a task that broke its process down, or that nobody came
    to because of that, have a process each as long as there is patience; or none, if seconds enough
    were spent until it broke down."""
    for index, task in enumerate(tasks):
        if index in observations:
            yield from observations[index]
            continue
        for item in task.items:
            seen = None
            if spent < MOST_SECONDS and patience.is_left_for(item.page):
                try:
                    seen = _answer(look, replace(task, items=(item,)))
                except workers.WorkerCrash as crash:
                    patience.lost(crash, item.page)
            yield from seen or [_unseen(item.page, _BROKEN, own=task.own)]


def _spent_by_others() -> float:
    """Seconds of processor time of all processes that were started from here and have ended."""
    return os.times().children_user + os.times().children_system


_TOO_LARGE: Final = "make the page smaller: nothing is printed so large in one piece"
_NO_SIZE: Final = "it, or something on it, has no width or height"


def _unseen(page: int, reason: str, *, own: bool) -> Finding:
    hint = "build the pack again; if that does not help, close other programs, or take --jobs 1"
    if not own:
        hint = (
            "something on the page nests or repeats far more than in a print: have it made simpler"
        )
    return Finding("GP872", f"it could not be looked at: {reason}", hint, page=page)


class _OpenPages(Sequence[pypdfium2.PdfPage]):
    """The pages of a file. Some stay open while others are looked at: what they share, such as
    fonts, PDFium keeps only as long as one has it."""

    def __init__(self, document: pypdfium2.PdfDocument) -> None:
        self._document = document
        self._open: deque[pypdfium2.PdfPage] = deque(maxlen=_KEPT_OPEN)

    def __len__(self) -> int:
        return len(self._document)

    def __getitem__(self, number: Any) -> Any:
        self._open.append(self._document[number])
        return self._open[-1]


def look(task: ScanTask) -> Sequence[Observation]:
    """All that the checks say of some things. Each takes seconds at most: in another process,
    longer ends it."""
    with opened_pdf(task.path) as document:
        sheets = _OpenPages(document)
        return [_observe(sheets, task, item) for item in task.items]


def _observe(sheets: Sequence[pypdfium2.PdfPage], task: ScanTask, item: ScanItem) -> Observation:
    """What is seen of a thing; of a stranger's, in a process that may end of it."""
    if not task.own:
        bound_time()
    place = task.place or Span(task.shown, item.page)
    try:
        with limits.at(place, item.allowance):
            return item.seen(sheets, own=task.own)
    except Exception as error:  # whatever PDFium says, and what checks do that meet something odd
        if task.own and isinstance(error, GridpressError | MemoryError):
            raise
        if is_bug(error, own=False):
            title = "a face or page of it is right"
            return replace(broken(error, title, own=True), page=item.page)
        no_size = isinstance(error, ZeroDivisionError)
        reason = _NO_SIZE if no_size else str(error) or type(error).__name__
        unseen = _unseen(item.page, reason, own=task.own)
        return replace(unseen, hint=_TOO_LARGE) if isinstance(error, TooLargeError) else unseen


def _seen(specimen: Specimen, own: bool) -> SeenFace:
    findings = _found_on(specimen, own, checks.of(checks.Scope.FACE))
    return seen_face(specimen, findings, *as_set(specimen))


def _found_on(specimen: Specimen, own: bool, by: Iterable[checks.Check]) -> Iterator[FaceFinding]:
    """What some checks find on a face; those that break down are told by name if it is their
    fault."""
    for check in by:

        def told(error: Exception, title: str = check.title) -> FaceFinding:
            if not is_bug(error, own=own):
                raise error
            bug = broken(error, title, own=True)
            return FaceFinding(bug.code, bug.message, bug.hint, trace=bug.trace)

        yield from found_by(check.run, (specimen,), _MOST_FINDINGS, told)
