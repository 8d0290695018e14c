"""Tasks in, results out in the same order; each task runs in a fresh process that then ends.

The memory that a task takes is given back whole, and a crash in native code ends the task, not
Gridpress. A result is what the function returned or the exception that it raised.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar, cast

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
