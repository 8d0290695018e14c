"""The one way to start processes: a crew that works off tasks; crashes of native code end there.

On Linux a worker is a copy of this process, there in a moment and with all that has been read;
elsewhere it is a new one, which is sent its function and tasks. Neither looks for modules in the
current folder, see `generator/__main__.py`.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from generator import limits
from generator.cache import flush
from generator.diagnostics import GridpressError

if TYPE_CHECKING:  # what is done in one process needs none of it
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

Progress = Callable[[int, int], None]
"""Called with how much is done, and of how much."""

T = TypeVar("T")
R = TypeVar("R")

_AHEAD: Final = 2
"""Tasks that a worker has before it, so that it need not wait for the next one."""
_LOOK_UP: Final = 1.0
"""Seconds of waiting after which to see whether anybody waits for the answers still."""
_NEW_OBJECTS: Final = 50_000
_OF_A_BUILD: Final = 2_000_000


class WorkerCrash(Exception):  # noqa: N818 - it is what it says
    """A worker process ended without an answer: native code crashed, memory ran out, or the system
    ended it at the processor time that it had been given, which `was_slow` says."""

    def __init__(self, status: int | None) -> None:
        super().__init__(f"a worker process ended with status {status}")
        self.was_slow = status == _TIME_IS_UP


_TIME_IS_UP: Final = -getattr(signal, "SIGXCPU", 0) or None
"""The status of a process that has used up its processor time, where a system counts it."""
_LOOKS: Final = 20
_BETWEEN_LOOKS: Final = 0.002
_THREADS: Final = Path("/proc/self/task")
_HOME: Final = str(Path(__file__).parents[1])


def context() -> BaseContext:
    """Return how to start worker processes. On Linux they are copies of this process, unless a
    library such as Typst has started threads, for which a copy would wait for ever. Libraries of
    other systems do not survive being copied."""
    import multiprocessing  # noqa: PLC0415, as above

    if sys.platform == "linux" and _has_only_our_threads():
        return multiprocessing.get_context("fork")
    if _HOME not in sys.path:
        sys.path.append(
            _HOME
        )  # new ones look for Gridpress by its name: last of all, where it lies
    return multiprocessing.get_context("spawn")


def collect_seldom() -> None:
    """Look for garbage that refers to itself once in many thousands of new objects: each look
    goes over all that is alive, and as often as Python does it, it takes a tenth of a build."""
    gc.set_threshold(_NEW_OBJECTS)


@contextmanager
def collecting_hardly() -> Iterator[None]:
    """Look even more seldom during a build: an ordinary one makes fewer objects than these, hardly
    any of them such garbage. Code that compiles, as races do, leaves a lot."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OF_A_BUILD)
    try:
        yield
    finally:
        gc.freeze()  # else the next object made would have the whole build looked over
        gc.set_threshold(*before)


def collect_now() -> None:
    """Look for such garbage among all that is alive; what is left is passed over from then on,
    until this is asked for again. For a process that goes on, when it has nothing else to do."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _has_only_our_threads() -> bool:
    """Return False if a library has started threads that Python does not know. One of ours that has
    ended is gone in a moment."""
    for _ in range(_LOOKS):
        if len(os.listdir(_THREADS)) <= len(sys._current_frames()):
            return True
        time.sleep(_BETWEEN_LOOKS)
    return False


class Crew(Generic[T, R]):
    """At most `jobs` processes that work off tasks; each is given the next one when it is free.

    Each has a share of tasks that follow one another, since those are alike: what was worked out
    for one helps with the next. A process that is done with its own helps with the longest share.

    They begin at once, and must be dismissed. With `fresh` each task has a process of its own, so
    that the memory it takes is given back whole. With `helps` this process is one of the `jobs`: it
    works off a task whenever no answer waits. Where processes are not copies, the function must be
    importable by name, or a method of what can be pickled, and tasks must pickle; results must do
    so everywhere. Begin a crew before there is another thread.
    """

    def __init__(
        self,
        function: Callable[[T], R],
        tasks: Sequence[T],
        jobs: int,
        *,
        fresh: bool = False,
        helps: bool = False,
    ) -> None:
        flush()  # what is known here is known to the others, too
        self._function = function
        self._tasks = tasks
        self._jobs = min(max(1, jobs), len(tasks))
        ends = [len(tasks) * n // self._jobs for n in range(self._jobs + 1)] if tasks else []
        self._shares = [deque(range(*both)) for both in pairwise(ends)]
        self._fresh = fresh
        self._context = context()
        self._workers: dict[Connection, _Worker] = {}
        self._own = self._shares[0] if helps and self._shares else None
        for share in self._shares:
            if share is not self._own:
                self._start(share)

    def answers(self) -> Iterator[tuple[int, R]]:
        """Yield (index of the task, its result) as the tasks end.

        Raises what a task raised, and WorkerCrash when a process died.
        """
        from multiprocessing.connection import wait  # noqa: PLC0415, as above

        while self._workers or self._own:
            limits.end_if_unwatched()
            has_more = self._own is not None and any(self._shares)
            lines = wait(list(self._workers), 0 if has_more else _LOOK_UP)
            for line in lines:
                answer = self._read(line)  # type: ignore[arg-type]
                if answer is not None:
                    yield answer
            if has_more and not lines and self._own is not None:
                index = self._taken(self._own)
                yield index, self._function(self._tasks[index])

    def dismiss(self) -> None:
        """End all that are still at work, whatever they are at; they have nothing to clear away."""
        # Another thread may be reading answers: it meets the ends of the processes, as we do.
        workers = list(self._workers.items())
        for share in self._shares:
            share.clear()
        for _, worker in workers:
            worker.process.kill()
        for line, worker in workers:
            worker.process.join()
            if self._workers.pop(line, None) is not None:
                line.close()

    def _start(self, share: deque[int]) -> None:
        ours, theirs = self._context.Pipe()
        copied = self._context.get_start_method() == "fork"
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_work,
            args=(theirs, self._function, self._tasks if copied else None, limits.seat()),
            daemon=True,
        )
        with limits.undisturbed():
            process.start()
        theirs.close()
        self._workers[ours] = _Worker(process, share, set())
        self._hand_out(ours)

    def _hand_out(self, line: Connection) -> None:
        """Give a worker what it can take; or word that there is no more for it."""
        worker = self._workers.get(line)
        if worker is None:
            return
        copied = self._context.get_start_method() == "fork"
        try:
            while any(self._shares) and len(worker.busy) < (1 if self._fresh else _AHEAD):
                index = self._taken(worker.share)
                worker.busy.add(index)
                line.send((index, None if copied else self._tasks[index]))
            if not any(self._shares) or self._fresh:
                line.send(None)
        except (BrokenPipeError, ConnectionResetError):
            return  # it died, which reading will tell

    def _taken(self, share: deque[int]) -> int:
        """Take the next task of a share, or one of the longest share if it is empty."""
        return share.popleft() if share else max(self._shares, key=len).pop()

    def _read(self, line: Connection) -> tuple[int, R] | None:
        worker = self._workers.get(line)
        if worker is None:  # dismissed meanwhile
            return None
        try:
            index, result, fault = line.recv()
        except (EOFError, OSError):
            self._end(line)
            return None
        worker.busy.discard(index)
        if fault is not None:
            raise fault
        if not self._fresh:
            self._hand_out(line)
        return index, result

    def _end(self, line: Connection) -> None:
        worker = self._workers.pop(line, None)
        if worker is None:
            return
        line.close()
        worker.process.join()
        if worker.busy or worker.process.exitcode:
            limits.end_if_unwatched()  # then it ended as this one has to
            raise WorkerCrash(worker.process.exitcode)
        if any(self._shares):
            self._start(worker.share)


class _Worker:
    """A process, the tasks that are its own before others', and those that it has been given and
    not yet answered."""

    def __init__(self, process: BaseProcess, share: deque[int], busy: set[int]) -> None:
        self.process = process
        self.share = share
        self.busy = busy


def answers(
    function: Callable[[T], R],
    tasks: Sequence[T],
    jobs: int,
    *,
    fresh: bool = False,
    helps: bool = False,
) -> Generator[tuple[int, R], None, None]:
    """Yield the answers of a crew, and dismiss it in the end. Raises what `Crew.answers` does."""
    crew = Crew(function, tasks, jobs, fresh=fresh, helps=helps)
    try:
        yield from crew.answers()
    finally:
        crew.dismiss()


def can_share(tasks: Sequence[T], jobs: int) -> bool:
    """Return True when tasks that know much and take little are done sooner by several processes:
    those that are copies of this one know it already."""
    return min(jobs, len(tasks)) > 1 and context().get_start_method() == "fork"


def shared(
    function: Callable[[T], R], tasks: Sequence[T], jobs: int, *, apart: bool = False
) -> Iterable[tuple[int, R]]:
    """Return the index and the answer of each task, worked off by this process and by others where
    `can_share`. With `apart`, copies of this process do all of it where there can be any: what
    memory it takes is given back."""
    if apart and context().get_start_method() == "fork":
        return answers(function, tasks, jobs)
    if can_share(tasks, jobs):
        return answers(function, tasks, jobs, helps=True)
    return enumerate(map(function, tasks))


# From here on: what runs in the worker processes.


def _work(
    line: Connection,
    function: Callable[[T], R],
    tasks: Sequence[T] | None,
    seat: limits.Seat | None,
) -> None:
    """Answer task for task until there are no more, or nobody listens."""
    limits.leave_to_parent()
    _be_quiet()
    limits.take(seat)
    gc.freeze()  # what this process has from the first is not its garbage
    collect_seldom()
    try:
        while (given := line.recv()) is not None:
            index, task = given
            line.send(_answered(function, index, task if tasks is None else tasks[index]))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    flush()


def _answered(function: Callable[[T], R], index: int, task: T) -> tuple[int, Any, Any]:
    try:
        return index, function(task), None
    except MemoryError:
        return index, None, GridpressError(limits.too_much_memory(limits.place()))
    except Exception as fault:
        return index, None, fault


def _be_quiet() -> None:
    """Silence standard output and error, where native code and Python would report a crash; the
    process that started this one reports it."""
    nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, as long as this process
    for stream in (1, 2):
        os.dup2(nowhere.fileno(), stream)
    sys.stdout = sys.stderr = nowhere  # that of who was copied may be another
