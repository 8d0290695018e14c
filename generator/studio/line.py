"""The server's end of the line to the process that holds the session: start, ask, end, reopen."""

from __future__ import annotations

import asyncio
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from generator import limits
from generator.diagnostics import Diagnostic
from generator.studio.messages import (
    BrokeDown,
    FacesDrawn,
    FromWorker,
    InView,
    PackToOpen,
    Question,
    Reply,
    SignOfLife,
    TextsChanged,
    ToWorker,
)

if TYPE_CHECKING:
    from generator.studio.nursery import Child, Nursery

PATIENCE: Final = 10.0
"""Seconds of silence after which a process at work is ended."""
FIRST_PATIENCE: Final = 60.0
"""The same while a pack is opened: fonts and pictures are read for the first time."""
_WORK: Final = ("generator.studio.worker", "work_on_pack")
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


class NoAnswerError(Exception):
    """The process ended, or cannot answer; in words."""


class Line:
    """One pack, open in a process. When the process breaks down, another takes its place: it gets
    the texts of the last finished look, and the newest ones with the next edit."""

    def __init__(
        self,
        nursery: Nursery,
        pack: PackToOpen,
        hear: Callable[[FromWorker], None],
        tell_fault: Callable[[Diagnostic], None],
        tell_state: Callable[[str, str], None],
    ) -> None:
        self._nursery = nursery
        self._pack = pack
        self._hear = hear
        self._tell_fault = tell_fault
        self._tell_state = tell_state
        self._loop = asyncio.get_running_loop()
        self._texts: dict[str, str | None] = {}
        self._sound: dict[str, str | None] = {}
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._questions = 0
        self._number = 0
        self._in_view: tuple[str, ...] = ()
        self._faults = 0
        self._is_behind = self._has_looked = False
        self._end: _End | None = None
        self._clock: asyncio.TimerHandle | None = None

    def begin(self, number: int, texts: Mapping[str, str | None]) -> None:
        """Open the pack with these texts."""
        self._texts = dict(texts)
        self._number = number
        self._start(self._texts)

    def change(
        self, number: int, texts: Mapping[str, str | None], first: Mapping[str, str | None]
    ) -> None:
        """Have the session look at the pack with these texts; `first` are those that they had when
        they were opened."""
        self._number = number
        self._texts.update(texts)
        for file, text in first.items():
            self._sound.setdefault(file, text)
        if self._end is None:
            self._start(self._texts)
        else:
            texts = self._texts if self._is_behind else texts
            self._is_behind = False
            self._send(TextsChanged(number, dict(texts)))

    def note_saved(self, files: Iterable[str]) -> None:
        """Tell the session that the texts of files are saved."""
        if not self._is_behind:
            self._send(TextsChanged(self._number, dict.fromkeys(files), looks=False))

    def show(self, faces: tuple[str, ...]) -> None:
        """Say which faces are in view."""
        self._in_view = faces
        if self._end is not None:
            self._end.send(InView(faces))

    async def ask(self, what: str, *given: Any) -> Any:
        """Return the answer to a question. Raises NoAnswerError."""
        if self._end is None:
            raise NoAnswerError("the pack is not open")
        self._questions += 1
        future = self._asked[self._questions] = self._loop.create_future()
        self._send(Question(self._questions, what, given))
        return await future

    @property
    def process(self) -> int:
        """Return the number of the process, or 0."""
        return self._end.number if self._end is not None else 0

    def close(self) -> None:
        """End the process, whatever it is doing."""
        end, self._end = self._end, None
        self._stop_clock()
        if end is not None:
            end.kill()
        self._forget("the pack was closed")

    def _start(self, texts: Mapping[str, str | None]) -> None:
        self._tell_state("opening", "")
        child = self._nursery.start(*_WORK, self._pack)
        self._end = end = _End(child, self._loop, self._heard)
        end.send(InView(self._in_view))
        self._send(TextsChanged(self._number, dict(texts)), FIRST_PATIENCE)

    def _send(self, message: ToWorker, patience: float = 0.0) -> None:
        if self._end is not None:
            self._end.send(message)
            if self._clock is None:
                self._wind_clock(patience or PATIENCE)

    def _heard(self, end: _End, message: FromWorker | None) -> None:
        if end is not self._end:  # an earlier one
            return
        if message is None or isinstance(message, BrokeDown):
            self._broke_down(end, message)
            return
        if isinstance(message, SignOfLife) and message.rests:
            self._stop_clock()
            self._tell_state("ready", "")
        elif self._clock is not None:
            self._wind_clock(PATIENCE)
        if isinstance(message, Reply):
            self._answer(message)
        elif not isinstance(message, SignOfLife):
            self._note(message)
            self._hear(message)
        elif not message.rests:
            self._tell_state("busy", "")

    def _note(self, message: FromWorker) -> None:
        if isinstance(message, FacesDrawn) and message.done and not self._is_behind:
            self._faults, self._has_looked = 0, True
            if message.number == self._number:
                self._sound |= self._texts

    def _answer(self, reply: Reply) -> None:
        future = self._asked.pop(reply.id, None)
        if future is None or future.done():
            return
        if reply.error:
            future.set_exception(NoAnswerError(reply.error))
        else:
            future.set_result(reply.value)

    def _wind_clock(self, seconds: float) -> None:
        self._stop_clock()
        self._clock = self._loop.call_later(seconds, self._time_is_up)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _time_is_up(self) -> None:
        self._clock = None
        if self._end is not None:
            self._end.kill(is_late=True)  # its end is heard as that of any other

    def _broke_down(self, end: _End, message: BrokeDown | None) -> None:
        self._stop_clock()
        self._end = None
        fault = end.fault(message.message if message else "")
        self._forget(fault.message)
        self._faults += 1
        self._tell_state("again", fault.message)
        if self._faults == 1 and self._has_looked:
            self._is_behind = True
            self._start({**self._texts, **self._sound})
        self._tell_fault(fault)

    def _forget(self, why: str) -> None:
        for future in self._asked.values():
            if not future.done():
                future.set_exception(NoAnswerError(why))
        self._asked.clear()


class _End:
    """One process, with a thread that reads what it says and one that writes to it."""

    def __init__(
        self,
        child: Child,
        loop: asyncio.AbstractEventLoop,
        hear: Callable[[_End, FromWorker | None], None],
    ) -> None:
        self._child = child
        self._loop, self._hear = loop, hear
        self._is_late = False
        self._status = 0
        self._waiting: queue.SimpleQueue[ToWorker | None] = queue.SimpleQueue()
        for work in (self._read, self._write):
            threading.Thread(target=work, daemon=True).start()

    @property
    def number(self) -> int:
        """Return the number of the process."""
        return self._child.number

    def send(self, message: ToWorker) -> None:
        """Send a message as soon as the process takes it."""
        self._waiting.put(message)

    def kill(self, *, is_late: bool = False) -> None:
        """End the process; if it `is_late`, since its time is up."""
        self._is_late = is_late
        self._child.send_signal(_KILL)

    def fault(self, words: str) -> Diagnostic:
        """Return why the process ended."""
        if words:
            return limits.broken_down("", words)
        fault = limits.fault_of(self.number, limits.TIME_IS_UP if self._is_late else self._status)
        return fault or limits.broken_down("", f"exit status {self._status}")

    def _read(self) -> None:
        message: FromWorker | None
        while True:
            try:
                message = self._child.line.recv()
            except (EOFError, OSError):
                self._status = self._child.join()
                message = None
            with suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(self._hear, self, message)
            if message is None:
                self._waiting.put(None)
                self._child.line.close()
                return

    def _write(self) -> None:
        with suppress(OSError, ValueError):
            while (message := self._waiting.get()) is not None:
                self._child.line.send(message)
