"""Shares work among processes. A crash of native code, or a limit, ends only a worker.

On Linux a worker is a copy of this process, with all that it has read; elsewhere it is a new one.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from generator import limits
from generator.cache import flush
from generator.diagnostics import GridpressError

if TYPE_CHECKING:  # work in one process does not need them
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

Progress = Callable[[int, int], None]
"""Called with the number of tasks that are done, and of all."""

T = TypeVar("T")
R = TypeVar("R")

_AHEAD: Final = 2
"""Tasks that a worker has before it, so that it need not wait for the next one."""
_NEW_OBJECTS: Final = 50_000
_OF_A_BUILD: Final = 2_000_000
_CLOCK: Final = 3
"""Seconds of the clock for a second of processor time, where work may wait for a disk."""
_LOOKS: Final = 20
_BETWEEN_LOOKS: Final = 0.002
_THREADS: Final = Path("/proc/self/task")
_HOME: Final = str(Path(__file__).parents[1])
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


class WorkerCrash(GridpressError):  # noqa: N818 - it is what it says
    """A worker ended without an answer. The diagnostic names what it was doing."""

    def __init__(self, process: BaseProcess) -> None:
        status = process.exitcode or 0
        fault = limits.fault_of(process.pid or 0, status)
        super().__init__(fault or limits.broken_down(limits.place(), f"exit status {status}"))


class TooLongError(Exception):
    """The work takes longer than it may."""


def context() -> BaseContext:
    """Return how to start workers. If a library such as Typst has started threads in this process,
    a copy of it could wait for ever."""
    import multiprocessing  # noqa: PLC0415, as above

    if sys.platform == "linux" and _has_only_our_threads():
        return multiprocessing.get_context("fork")
    if _HOME not in sys.path:
        sys.path.append(_HOME)  # where new processes find Gridpress
    return multiprocessing.get_context("spawn")


def _has_only_our_threads() -> bool:
    """Return False if there are threads that Python does not know. Ours take a moment to end."""
    for _ in range(_LOOKS):
        if len(os.listdir(_THREADS)) <= len(sys._current_frames()):
            return True
        time.sleep(_BETWEEN_LOOKS)
    return False


def collect_seldom() -> None:
    """Look for garbage once in many thousands of new objects: Python's own rhythm takes a tenth of
    a build."""
    gc.set_threshold(_NEW_OBJECTS)


@contextmanager
def collecting_hardly() -> Iterator[None]:
    """Look for garbage even more seldom during a build, which makes hardly any."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OF_A_BUILD)
    try:
        yield
    finally:
        gc.freeze()  # else the next object made would have the whole build looked over
        gc.set_threshold(*before)


def collect_now() -> None:
    """Look for garbage among all objects, while a process has nothing else to do, and give unused
    memory back to the system."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    if sys.platform == "linux":
        # C libraries other than glibc have no such function.
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


class _Worker(NamedTuple):
    """A process, its share of the tasks, and those it has not yet answered."""

    process: BaseProcess
    share: deque[int]
    busy: set[int]


class _Pool(Generic[T, R]):
    """Processes that work off tasks. Each has a share of neighbouring tasks, which are alike, and
    helps with the longest share when it is done with its own."""

    def __init__(
        self, function: Callable[[T], R], tasks: Sequence[T], jobs: int, *, fresh: bool, helps: bool
    ) -> None:
        flush()  # what this process knows, the others know, too
        self._function = function
        self._tasks = tasks
        jobs = min(max(1, jobs), len(tasks))
        ends = [len(tasks) * n // jobs for n in range(jobs + 1)] if tasks else []
        self._shares = [deque(range(*both)) for both in pairwise(ends)]
        self._fresh = fresh
        self._context = context()
        self._copies = self._context.get_start_method() == "fork"
        self._workers: dict[Connection, _Worker] = {}
        self._own = self._shares[0] if helps and self._shares else None
        for share in self._shares:
            if share is not self._own:
                self._start(share)

    def answers(self) -> Iterator[tuple[int, R]]:
        """Yield the index of each task and its result, as they end."""
        from multiprocessing.connection import wait  # noqa: PLC0415, as above

        while self._workers or self._own:
            has_more = self._own is not None and any(self._shares)
            lines = wait(list(self._workers), 0 if has_more else None)
            for line in lines:
                yield from self._read(line)  # type: ignore[arg-type]
            if has_more and not lines and self._own is not None:
                index = self._taken(self._own)
                yield index, self._function(self._tasks[index])

    def end(self) -> None:
        """End all workers, whatever they are doing."""
        for worker in self._workers.values():
            worker.process.kill()
        for line, worker in self._workers.items():
            worker.process.join()
            line.close()
        self._workers.clear()

    def _start(self, share: deque[int]) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_work,
            args=(theirs, self._function, self._tasks if self._copies else None),
            daemon=True,
        )
        process.start()
        theirs.close()
        self._workers[ours] = _Worker(process, share, set())
        self._hand_out(ours)

    def _hand_out(self, line: Connection) -> None:
        """Give a worker its next tasks, or word that there are no more for it."""
        _, share, busy = self._workers[line]
        with suppress(BrokenPipeError, ConnectionResetError):  # it died, as reading will show
            while any(self._shares) and len(busy) < (1 if self._fresh else _AHEAD):
                index = self._taken(share)
                busy.add(index)
                line.send((index, None if self._copies else self._tasks[index]))
            if not any(self._shares) or self._fresh:
                line.send(None)

    def _taken(self, share: deque[int]) -> int:
        return share.popleft() if share else max(self._shares, key=len).pop()

    def _read(self, line: Connection) -> Iterator[tuple[int, R]]:
        process, share, busy = self._workers[line]
        try:
            index, result, fault = line.recv()
        except (EOFError, OSError):
            del self._workers[line]
            line.close()
            process.join()
            if busy or process.exitcode:
                raise WorkerCrash(process) from None
            if any(self._shares):
                self._start(share)
            return
        busy.discard(index)
        if fault is not None:
            raise fault
        if not self._fresh:
            self._hand_out(line)
        yield index, result


def answers(
    function: Callable[[T], R],
    tasks: Sequence[T],
    jobs: int,
    *,
    fresh: bool = False,
    helps: bool = False,
) -> Generator[tuple[int, R], None, None]:
    """Share tasks among at most `jobs` processes; yield the index and result of each as it ends.

    fresh: each task has a process of its own, so that its memory is given back. helps: this process
    is one of the `jobs`. Results must pickle. New processes, unlike copies, import the function by
    name and receive pickled tasks.

    Raises what a task raised, and WorkerCrash when a process died.
    """
    pool = _Pool(function, tasks, jobs, fresh=fresh, helps=helps)
    try:
        yield from pool.answers()
    finally:
        pool.end()


def shared(
    function: Callable[[T], R], tasks: Sequence[T], jobs: int, *, apart: bool = False
) -> Iterable[tuple[int, R]]:
    """Return the index and result of each task. Copies of this process help, since they know what
    it has read. apart: they do all of it, so that its memory is given back."""
    if max(min(jobs, len(tasks)), 2 * apart) < 2 or context().get_start_method() != "fork":
        return enumerate(map(function, tasks))
    return answers(function, tasks, jobs, helps=not apart)


class Helper(Generic[T, R]):
    """A process that answers one question after another, each within limits. To be closed."""

    def __init__(self, function: Callable[[T], R]) -> None:
        flush()
        kind = context()
        self._line, theirs = kind.Pipe()
        self._process = kind.Process(  # type: ignore[attr-defined]
            target=_work, args=(theirs, _Answerer(function), None), daemon=True
        )
        self._process.start()
        theirs.close()

    def ask(self, task: T, seconds: float) -> R:
        """Return `function(task)`, worked out in so many seconds of processor time.

        Raises TooLongError, WorkerCrash when the process breaks down, and what the function raises.
        After either of the first two the helper is of no more use.
        """
        try:
            self._line.send((0, (seconds, task)))
            if not self._line.poll(_CLOCK * seconds):
                raise TooLongError
            _, result, fault = self._line.recv()
        except (EOFError, OSError):
            self._process.join()
            if self._process.exitcode == limits.TIME_IS_UP:
                raise TooLongError from None
            raise WorkerCrash(self._process) from None
        if fault is not None:
            raise fault
        answer: R = result
        return answer

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self._line.close()


def limited(function: Callable[[T], R], task: T, seconds: float) -> R:
    """Return `function(task)`, worked out by a helper. Raises what `Helper.ask` does."""
    with closing(Helper(function)) as helper:
        return helper.ask(task, seconds)


# From here on: code of the worker processes.


class _Answerer(NamedTuple):
    """Calls a function with the seconds that it may take."""

    function: Callable[[Any], Any]

    def __call__(self, asked: tuple[float, Any]) -> Any:
        seconds, task = asked
        with limits.at("", seconds - limits.MOST_SECONDS):
            return self.function(task)


def _work(line: Connection, function: Callable[[Any], Any], tasks: Sequence[Any] | None) -> None:
    """Answer task after task until there are no more, or nobody listens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    limits.end_with_parent(_KILL)
    _be_quiet()
    limits.limit_this_process()
    gc.freeze()  # what this process has from the first is not its garbage
    collect_seldom()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while (given := line.recv()) is not None:
            index, task = given
            line.send(_answered(function, index, task if tasks is None else tasks[index]))
        flush()


def _answered(function: Callable[[T], R], index: int, task: T) -> tuple[int, Any, Any]:
    try:
        return index, function(task), None
    except MemoryError:
        return index, None, GridpressError(limits.too_much_memory(limits.place()))
    except Exception as fault:
        return index, None, fault


def _be_quiet() -> None:
    """Silence what native code and Python say of a crash: the process that started this one reports
    it."""
    nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, as long as this process
    for stream in (1, 2):
        os.dup2(nowhere.fileno(), stream)
    sys.stdout = sys.stderr = nowhere
