"""Keeps a process ready that has imported everything, and starts the studio's work as copies of it.

If the system cannot copy processes, each piece of work starts a new one.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing import reduction
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, Final, Protocol

from generator import limits, workers

_FIRST: Final = "generator.studio.worker"
"""The modules that the first cards need."""
_REST: Final = "generator.studio.errand_work"
_QUIET: Final = 1.0
"""Seconds without work, after which the rest is imported."""
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


class Child(Protocol):
    """A process at work, and the line to it."""

    line: Connection

    @property
    def number(self) -> int:
        """Return the number of the process."""

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""

    def join(self) -> int:
        """Wait until it has ended; return its exit status. To be called once."""


class Nursery:
    """Starts processes, each for one piece of work. To be closed."""

    def __init__(self) -> None:
        self._copies = sys.platform != "win32"
        self._process: BaseProcess | None = None

    def begin(self) -> None:
        """Start the process that is kept ready. The first work does so, too, though it waits."""
        if self._copies and self._process is None:
            self._begin(workers.context())

    def start(self, module: str, function: str, *given: Any) -> Child:
        """Start a process that calls a function of a module with its end of the line and these
        arguments."""
        self.begin()  # before there is a line, which it would hold open
        ours, theirs = multiprocessing.Pipe()
        child = self._copied(ours, theirs) if self._copies else _Spawned(ours, theirs)
        theirs.close()
        ours.send((module, function, given))
        return child

    def close(self) -> None:
        """End the process that is kept ready."""
        if self._process is not None:
            self._orders.close()
            self._process.terminate()
            self._process.join()
            self._process = None

    def _begin(self, kind: BaseContext) -> None:
        self._orders, theirs = multiprocessing.Pipe()
        self._process = kind.Process(  # type: ignore[attr-defined]
            target=_keep_ready, args=(theirs, self._orders)
        )
        self._process.start()
        theirs.close()

    def _copied(self, ours: Connection, theirs: Connection) -> Child:
        try:
            return _Copied(self._orders, ours, theirs)
        except (EOFError, OSError):  # something ended it
            self.close()
            self._begin(multiprocessing.get_context("spawn"))
            return _Copied(self._orders, ours, theirs)


class _Copied:
    """A copy of the process that is kept ready, which tells how it ends."""

    def __init__(self, orders: Connection, line: Connection, theirs: Connection) -> None:
        self.line = line
        self._told, telling = multiprocessing.Pipe(duplex=False)
        for end in (theirs, telling):
            reduction.send_handle(orders, end.fileno(), 0)
        telling.close()
        self.number: int = self._told.recv()

    def send_signal(self, number: int) -> None:
        with suppress(OSError):
            if not self._told.poll():
                os.kill(self.number, number)

    def join(self) -> int:
        try:
            status: int = self._told.recv()
        except (EOFError, OSError):  # the one that knows was ended, and so its copies
            status = -_KILL
        self._told.close()
        return status


class _Spawned:
    """A process of its own from the first."""

    def __init__(self, line: Connection, theirs: Connection) -> None:
        self.line = line
        spawning = multiprocessing.get_context("spawn")
        self._process = spawning.Process(target=_work_at, args=(theirs,))
        self._process.start()

    @property
    def number(self) -> int:
        return self._process.pid or 0

    def send_signal(self, number: int) -> None:
        self._process.kill()

    def join(self) -> int:
        self._process.join()
        return self._process.exitcode or 0


# From here on: code of the processes.


def _keep_ready(orders: Connection, theirs: Connection) -> None:
    """Import what work needs, and start copies until nobody orders any more."""
    theirs.close()
    for name in ("SIGINT", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)  # it ends with the server
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    limits.end_with_parent(_KILL)
    woken = _woken_by_ends()
    _import(_FIRST)
    children: dict[BaseProcess, Connection] = {}
    is_whole = False
    while True:
        ready = wait([orders, woken], None if is_whole else _QUIET)
        if not ready:
            _import(_REST)
            is_whole = True
        if woken in ready:
            os.read(woken, 1024)
        for child in [one for one in children if one.exitcode is not None]:
            with suppress(OSError), children.pop(child) as telling:
                telling.send(child.exitcode)
        if orders in ready:
            try:
                line, telling = _received(orders), _received(orders)
            except (EOFError, OSError):
                return
            child = _copy(line, [orders, *children.values(), telling])
            telling.send(child.pid or 0)
            children[child] = telling


def _received(orders: Connection) -> Connection:
    return Connection(reduction.recv_handle(orders))


def _copy(line: Connection, not_its: Sequence[Connection]) -> BaseProcess:
    copying = multiprocessing.get_context("fork")
    child = copying.Process(target=_work_at, args=(line, *not_its))
    child.start()
    line.close()
    return child


def _woken_by_ends() -> int:
    """Return a descriptor that can be read when a copy of this process ends."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return read


def _import(module: str) -> None:
    import_module(module)
    gc.collect()
    gc.freeze()  # copies share what they do not look over


def _work_at(line: Connection, *not_its: Connection) -> None:
    if not_its:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for end in not_its:
        end.close()
    with suppress(EOFError, OSError):  # nobody waits for it
        module, function, given = line.recv()
        work: Callable[..., None] = getattr(import_module(module), function)
        work(line, *given)
