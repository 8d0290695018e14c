"""Limits each step of the work in processor time and memory, and notes what each process works on.

The system ends a process that exceeds a limit, even inside native code. Each process notes its
current step in a small file. Its parent reads the note to name the step.
"""

from __future__ import annotations

import math
import mmap
import os
import re
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple

from generator.diagnostics import Diagnostic, GridpressError, Span

if sys.platform != "win32":
    import resource

MOST_SECONDS: Final = 10.0
"""Seconds of processor time for a step, plus what its size allows."""
MOST_MEMORY: Final = 900_000_000
"""Bytes for each process."""

# Seconds of processor time: about ten times what the shipped packs take.
ENDLESS: Final = float("inf")
COMPONENT: Final = 0.01
FACE: Final = 0.1
PIECE: Final = 0.003
PAGE: Final = 0.25
FILE: Final = 0.25
MEGABYTE: Final = 4.0
"""For a file that Python reads value by value."""
PICTURE: Final = 0.5
"""For a face with a large picture."""
MEGAPIXEL: Final = 0.4
"""To draw pixels and write them as a picture."""
DRAWN: Final = 2.5
"""For a megabyte of SVG, or of content of a PDF."""

RUN: Final = "GRIDPRESS_RUN"
"""The environment variable that names the temporary folder of a run."""
_AGAIN: Final = "start-again"
_AFTER: Final = "the work after this"
_NOTE: Final = 1000
"""Bytes of a note."""
_LOOK_EVERY: Final = 0.5
_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
TIME_IS_UP: Final = -getattr(signal, "SIGXCPU", -124)
"""The exit status of a process that has used up its processor time."""
_MEMORY_IS_UP: Final = 125
_PLACE: Final = re.compile(r"(.*?):(\d+):(\d+)")


class _Step(NamedTuple):
    """A place in a file that a process works on, words for the work, and its seconds."""

    place: object = ""
    what: str = ""
    seconds: float = 0.0


class _Limiter:
    """The steps that this process is in, one inside another."""

    def __init__(self) -> None:
        self.steps = [_Step()]
        self.last: object = ""
        self.until = 0.0
        self.note: mmap.mmap | None = None
        self.parent = 0
        self.folder = os.environ.get(RUN, "")

    def begin(self) -> None:
        self.parent = os.getppid()
        if self.folder:
            with suppress(OSError):  # no room for the note: the place of a fault stays unknown
                path = Path(self.folder, str(os.getpid()))
                path.write_bytes(bytes(_NOTE))
                with path.open("r+b") as file:
                    self.note = mmap.mmap(file.fileno(), _NOTE)
        bound_memory()
        if sys.platform != "linux":
            threading.Thread(target=self.look_after, daemon=True).start()
        self.update()

    def enter(self, step: _Step) -> None:
        if self.folder and str(step.place).startswith(self.folder):
            step = step._replace(place=self.steps[-1].place)  # users do not know temporary files
        self.steps.append(step)
        if self.parent and os.getppid() != self.parent:
            raise KeyboardInterrupt  # nobody waits for this any more
        self.update()

    def leave(self) -> None:
        self.last = self.steps.pop().place or self.last
        self.update()

    def allow(self, more: float) -> None:
        step = self.steps[-1]
        self.steps[-1] = step._replace(seconds=step.seconds + more)
        self.update()

    def update(self) -> None:
        """Note the current step, and give it its time from now on."""
        if not self.parent:
            return
        seconds = MOST_SECONDS + self.steps[-1].seconds
        until = time.process_time() + seconds
        until = until if math.isinf(until) else math.ceil(until)
        if until != self.until:
            self.until = until
            bound_time(until)
        if self.note is not None:
            place, what = self.current()
            text = f"{seconds:.0f}\n{place}\n{what}".encode("utf-8", "backslashreplace")
            self.note[:] = text[:_NOTE].ljust(_NOTE, b"\0")

    def current(self) -> tuple[str, str]:
        """Return the place of the current step, or of the last one, and words for the work."""
        step = self.steps[-1]
        if step.place or not self.last:
            return str(step.place), step.what
        return str(self.last), _AFTER

    def look_after(self) -> None:
        """End this process where the system does not (in a thread)."""
        import psutil  # noqa: PLC0415, not needed on Linux

        process = psutil.Process()
        while True:
            time.sleep(_LOOK_EVERY)
            if process.memory_info().rss > MOST_MEMORY:
                os._exit(_MEMORY_IS_UP)
            if sys.platform == "win32" and time.process_time() > self.until:
                os._exit(TIME_IS_UP)


_limiter = _Limiter()


def limit_this_process() -> None:
    """Limit this process from now on, and forget the steps of the one it was copied from."""
    global _limiter  # noqa: PLW0603
    _limiter = _Limiter()
    _limiter.begin()


def end_with_parent(number: int) -> None:
    """Have the system send a signal when the process that started this one ends."""
    if sys.platform == "linux" and os.environ.get(RUN):
        import ctypes  # noqa: PLC0415, for this alone

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)


class at:  # noqa: N801, it reads as a word: with limits.at(...)
    """A step: the block works on this place, a Span or the name of a file.

    `seconds` is the processor time that its size allows beyond `MOST_SECONDS`. `what` says what is
    being done, as in "drawing the front of 'ember'". Only the main thread has steps.

    Raises GridpressError (GP009) when the block needs more memory than there may be.
    """

    __slots__ = ("_is_main", "_step")

    def __init__(self, place: object, seconds: float = 0.0, what: str = "") -> None:
        self._step = _Step(place, what, seconds)
        self._is_main = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self._is_main:
            _limiter.enter(self._step)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._is_main:
            _limiter.leave()
            if isinstance(error, MemoryError):
                raise GridpressError(too_much_memory(str(self._step.place))) from error


def allow(more: float) -> None:
    """Give the current step more seconds."""
    _limiter.allow(more)


def start_again() -> bool:
    """Ask that the command is started again when a limit ends its process. Return True in a process
    that was."""
    if not _limiter.folder:
        return False
    file = Path(_limiter.folder, _AGAIN)
    was_asked = file.exists()
    file.touch()
    return was_asked


def is_started_again(folder: Path) -> bool:
    """Return True if the command of a run asked for it, and is not a second one that fails before
    it asks."""
    file = folder / _AGAIN
    if not file.exists() or file.read_bytes():
        return False
    file.write_bytes(b"asked")
    return True


def place() -> str:
    """Return the place of the current step, or of the last one; empty if there was none yet."""
    return _limiter.current()[0]


def fault_of(process: int, status: int) -> Diagnostic | None:
    """Return the reason why a process ended without an answer, at the place that it noted; None for
    the exit status of a command."""
    if 0 <= status != _MEMORY_IS_UP and status != TIME_IS_UP:
        return None
    seconds, place, what = _read_note(process)
    if status == TIME_IS_UP:
        message = f"{what or 'this'} took more than {seconds} seconds of processor time: stopped"
        hint = "look there for something far too large, or a loop that does not end"
        return _at_place(place, "GP008", message, hint)
    if status == _MEMORY_IS_UP:
        return too_much_memory(place, what)
    return broken_down(place, f"signal {-status}", what)


def _read_note(process: int) -> tuple[str, str, str]:
    try:
        note = Path(os.environ.get(RUN, ""), str(process)).read_bytes()
        seconds, place, what = note.rstrip(b"\0").decode("utf-8", "ignore").split("\n")
    except (OSError, ValueError):
        return f"{MOST_SECONDS:.0f}", "", ""
    return seconds, place, what


def _at_place(place: str, code: str, message: str, hint: str) -> Diagnostic:
    found = _PLACE.fullmatch(place)
    span = Span(found[1], int(found[2]), int(found[3])) if found else Span(place or "gridpress")
    return Diagnostic(span, code, message, hint)


def too_much_memory(place: str, what: str = "") -> Diagnostic:
    """GP009."""
    most = _most_memory()
    hint = "look there for something far too large"
    if most < MOST_MEMORY:
        needed = MOST_MEMORY // 1_000_000
        hint = f"the system allows no more (ulimit), and {needed} MB may be needed"
    message = f"{what or 'this'} takes more than {most // 1_000_000} MB of memory"
    return _at_place(place, "GP009", message, hint)


def broken_down(place: str, how: str, what: str = "") -> Diagnostic:
    """GP010, for a process that ended without an answer."""
    if not place:
        hint = "something ended it, or the computer is out of memory: close other programs"
        return _at_place(place, "GP010", f"a process of Gridpress ended ({how})", hint)
    hint = "the file is damaged in an unusual way, or the computer is out of memory"
    return _at_place(place, "GP010", f"{what or 'the work on this'} crashed ({how})", hint)


def bound_memory() -> None:
    """Have Linux refuse more than `MOST_MEMORY` to this process and to those that it starts. Memory
    inherited from a parent without a limit does not count."""
    if sys.platform == "linux":
        most = _most_memory(_data_bytes())
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _data_bytes() -> int:
    """Return the size of this process's data and stack (proc_pid_statm(5))."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0


def _most_memory(inherited: int = 0) -> int:
    """Return `MOST_MEMORY`, or less where the user or the system allows less."""
    if sys.platform == "win32":
        return MOST_MEMORY
    allowed = (
        limit
        for what in (resource.RLIMIT_DATA, resource.RLIMIT_AS)
        for limit in resource.getrlimit(what)
        if limit != resource.RLIM_INFINITY
    )
    return min((MOST_MEMORY + inherited, *allowed))


def bound_time(until: float) -> None:
    """Have the system end this process when it has used so many seconds of processor time."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        limit = most if math.isinf(until) else math.ceil(until)
        limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, most))
