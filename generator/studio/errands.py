"""Long work that the server has done in processes of their own: printing, exporting."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct

from generator import limits
from generator.diagnostics import Diagnostic, GridpressError
from generator.studio.nursery import Nursery

_GRACE: Final = 1.0
"""Seconds that work has to clear up before it is ended."""
_WORK: Final = ("generator.studio.errand_work", "work_on_errand")
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


class WorkStep(Struct, frozen=True):
    """The progress of the work: its step, and the part that is done."""

    step: str
    done: int
    total: int


class WorkPart(Struct, frozen=True):
    """A part of the result that can be seen before the work is done."""

    value: Any


class WorkDone(Struct, frozen=True):
    """The result of the work, or the findings that ended it."""

    value: Any = None
    faults: tuple[Diagnostic, ...] = ()


class StoppedError(Exception):
    """Raised for work that was stopped."""


class Errand:
    """Work in a process of its own; `work` is its name in `errand_work`."""

    def __init__(
        self,
        nursery: Nursery,
        work: str,
        given: tuple[Any, ...],
        hear: Callable[[WorkStep | WorkPart], None],
    ) -> None:
        self._child = nursery.start(*_WORK, work, given)
        self._loop = asyncio.get_running_loop()
        self._hear = hear
        self._is_stopped = False
        self._status = 0
        self._result: asyncio.Future[Any] = self._loop.create_future()
        threading.Thread(target=self._read, daemon=True).start()

    async def result(self) -> Any:
        """Return what the work returned. Raises GridpressError, and StoppedError."""
        return await self._result

    def stop(self) -> None:
        """Have the work clear up and end, and end it if it does not."""
        self._is_stopped = True
        self._child.send_signal(signal.SIGTERM)
        self._loop.call_later(_GRACE, self._child.send_signal, _KILL)

    def _read(self) -> None:
        done: WorkDone | None = None
        with suppress(EOFError, OSError):
            while not isinstance(done, WorkDone):
                done = self._child.line.recv()
                if not isinstance(done, WorkDone):
                    self._soon(self._hear, done)
        self._status = self._child.join()
        self._child.line.close()
        self._soon(self._finish, done if isinstance(done, WorkDone) else None)

    def _soon(self, call: Callable[..., None], *given: Any) -> None:
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(call, *given)

    def _finish(self, done: WorkDone | None) -> None:
        if self._result.done():
            return
        if self._is_stopped and (done is None or done.faults):
            self._result.set_exception(StoppedError())
        elif done is None:
            fault = limits.fault_of(self._child.number, self._status)
            fault = fault or limits.broken_down("", f"exit status {self._status}")
            self._result.set_exception(GridpressError(fault))
        elif done.faults:
            self._result.set_exception(GridpressError(*done.faults))
        else:
            self._result.set_result(done.value)
