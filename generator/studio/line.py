"""The server's end of the line to the process that holds the session: start, ask, end, reopen."""

from __future__ import annotations

import asyncio
import multiprocessing
import queue
import sys
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
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

PATIENCE: Final = 10.0
"""Seconds of silence after which a process at work is ended."""
FIRST_PATIENCE: Final = 60.0
"""The same while a pack is opened: fonts and pictures are read for the first time."""
_PRELOADED: Final = ["generator.studio.worker"]


class NoAnswerError(Exception):
    """The process ended, or cannot answer; in words."""


def studio_processes() -> Any:
    """Return how the studio starts processes: as copies of a warm process that has no threads,
    where the system can."""
    kind = "forkserver" if sys.platform != "win32" else "spawn"
    context = multiprocessing.get_context(kind)
    if kind == "forkserver":
        context.set_forkserver_preload(_PRELOADED)
    return context


class Line:
    """One pack, open in a process. When the process breaks down, another takes its place: it gets
    the texts of the last finished look, and the newest ones with the next edit."""

    def __init__(
        self,
        pack: PackToOpen,
        hear: Callable[[FromWorker], None],
        tell_fault: Callable[[Diagnostic], None],
        tell_state: Callable[[str, str], None],
    ) -> None:
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
        """Return the number of the process; 0 if there is none."""
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
        self._end = end = _End(self._pack, self._loop, self._heard)
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
        pack: PackToOpen,
        loop: asyncio.AbstractEventLoop,
        hear: Callable[[_End, FromWorker | None], None],
    ) -> None:
        context = studio_processes()
        self._line: Connection
        self._line, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_begin, args=(theirs, pack))
        self._process.start()
        theirs.close()
        self._loop, self._hear = loop, hear
        self._is_late = False
        self._waiting: queue.SimpleQueue[ToWorker | None] = queue.SimpleQueue()
        for work in (self._read, self._write):
            threading.Thread(target=work, daemon=True).start()

    @property
    def number(self) -> int:
        """Return the number of the process."""
        return self._process.pid or 0

    def send(self, message: ToWorker) -> None:
        """Send a message as soon as the process takes it."""
        self._waiting.put(message)

    def kill(self, *, is_late: bool = False) -> None:
        """End the process; if it `is_late`, since its time is up."""
        self._is_late = is_late
        self._process.kill()

    def fault(self, words: str) -> Diagnostic:
        """Return why the process ended."""
        status = self._process.exitcode or 0
        if words:
            return limits.broken_down("", words)
        fault = limits.fault_of(self.number, limits.TIME_IS_UP if self._is_late else status)
        return fault or limits.broken_down("", f"exit status {status}")

    def _read(self) -> None:
        message: FromWorker | None
        while True:
            try:
                message = self._line.recv()
            except (EOFError, OSError):
                self._process.join()
                message = None
            with suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(self._hear, self, message)
            if message is None:
                self._waiting.put(None)
                self._line.close()
                return

    def _write(self) -> None:
        with suppress(OSError, ValueError):
            while (message := self._waiting.get()) is not None:
                self._line.send(message)


def _begin(line: Connection, pack: PackToOpen) -> None:
    from generator.studio.worker import work_on_pack  # noqa: PLC0415, in the child alone

    work_on_pack(line, pack)
