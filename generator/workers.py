"""Tasks in, results out as they come; they are worked off in other processes.

`run` gives each task a fresh process that then ends, so that the memory it takes is given back
whole. `Copies` share many small tasks, and know all that this process knows. Either way a crash in
native code ends a process, not Gridpress. A result is what the function returned or the exception
that it raised.
"""

from __future__ import annotations

import gc
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar, cast

from generator import processes

T = TypeVar("T")
R = TypeVar("R")


class WorkerCrash(Exception):  # noqa: N818 - it is what it says
    """A worker process ended without an answer: native code crashed, or memory ran out."""


def run(function: Callable[[T], R], tasks: Sequence[T], jobs: int) -> Iterator[tuple[int, R]]:
    """Yield (index of the task, its result) as the tasks end, at most `jobs` at a time.

    `function` must be importable by name, tasks and results must pickle. Raises what a task
    raised, and WorkerCrash when a process died; the other processes are then ended.
    """
    crew = _Crew(function, jobs)
    try:
        yield from crew.work_off(deque(enumerate(tasks)))
    finally:
        crew.dismiss()


class _Crew(Generic[T, R]):
    """The processes at work, by the pipe on which each will answer."""

    def __init__(self, function: Callable[[T], R], jobs: int) -> None:
        self.function = function
        self.jobs = max(1, jobs)
        self.context = processes.context()
        self.running: dict[Connection, tuple[BaseProcess, int]] = {}

    def work_off(self, tasks: deque[tuple[int, T]]) -> Iterator[tuple[int, R]]:
        while tasks or self.running:
            while tasks and len(self.running) < self.jobs:
                self.start(*tasks.popleft())
            for answer in wait(list(self.running)):
                yield self.finish(cast(Connection, answer))

    def start(self, index: int, task: T) -> None:
        receiver, sender = self.context.Pipe(duplex=False)
        process = self.context.Process(  # type: ignore[attr-defined]
            target=_answer, args=(sender, self.function, task), daemon=True
        )
        process.start()
        sender.close()
        self.running[receiver] = (process, index)

    def finish(self, receiver: Connection) -> tuple[int, R]:
        process, index = self.running.pop(receiver)
        try:
            result, fault = receiver.recv()
        except EOFError:
            process.join()
            raise WorkerCrash(f"a worker process ended with status {process.exitcode}") from None
        finally:
            receiver.close()
        process.join()
        if fault is not None:
            raise fault
        return index, result

    def dismiss(self) -> None:
        for receiver, (process, _) in self.running.items():
            process.terminate()
            process.join()
            receiver.close()


def _answer(sender: Connection, function: Callable[[T], R], task: T) -> None:
    processes.collect_seldom()
    try:
        reply: tuple[R | None, Exception | None] = (function(task), None)
    except Exception as fault:
        reply = (None, fault)
    sender.send(reply)
    sender.close()


class Copies(Generic[T, R]):
    """Copies of this process, as `processes.copying_context` makes them, that work off tasks from
    the beginning on: each takes the next one as soon as it is free."""

    def __init__(self, function: Callable[[T], R], tasks: Sequence[T], jobs: int) -> None:
        context = processes.copying_context()
        begun = context.Value("i", 0)
        self._running: dict[Connection, BaseProcess] = {}
        for _ in range(min(jobs, len(tasks))):
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(  # type: ignore[attr-defined]
                target=_share, args=(sender, receiver, begun, function, tasks), daemon=True
            )
            process.start()
            sender.close()
            self._running[receiver] = process

    def answers(self) -> Iterator[tuple[int, R]]:
        """Index of a task and its result, as they come. Raises as `run` does."""
        while self._running:
            for line in wait(list(self._running)):
                receiver = cast(Connection, line)
                try:
                    index, result, fault = receiver.recv()
                except EOFError:
                    self._ended(receiver)
                    continue
                if fault is not None:
                    raise fault
                yield index, result

    def dismiss(self) -> None:
        """End them all, whatever they are at. A copy in its first moment may miss a request to end
        (Python forgets signals that come while it copies itself), and has nothing to clear away."""
        for process in self._running.values():
            process.kill()

    def _ended(self, receiver: Connection) -> None:
        process = self._running.pop(receiver)
        receiver.close()
        process.join()
        if process.exitcode:
            raise WorkerCrash(f"a worker process ended with status {process.exitcode}")


def _share(
    sender: Connection,
    receiver: Connection,
    begun: Any,
    function: Callable[[T], R],
    tasks: Sequence[T],
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked ends this
    gc.freeze()  # what this process has from the first is not its garbage
    processes.collect_seldom()
    receiver.close()  # this process has it too, and would not hear that nobody listens
    while True:
        with begun.get_lock():
            index = begun.value
            begun.value += 1
        if index >= len(tasks):
            return
        try:
            sender.send((index, function(tasks[index]), None))
        except BrokenPipeError:
            return
        except Exception as fault:
            sender.send((index, None, fault))
            return
