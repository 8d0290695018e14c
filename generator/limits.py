"""Limits how long each process of a run may work: a board with what each is working on, and signals
to end.

A stranger's file can make any library that reads it run for ever or grow without end. So work is
done in steps, each with its place in a file and an allowance of processor time, an average for such
work. A step that takes longer puts its process into debt; a step that takes less pays debts off.
The process that watches the run (`guard.py`) reads the board, and ends the run when the debts are
too large: so all steps together take what they were allowed, and a little more.

A process has one place on the board; without a board, as in tests, telling costs nothing.

The signals that ask a process to end are heard once, and never lost while a process is made.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import re
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, NamedTuple

from msgspec import Struct

from generator.diagnostics import Diagnostic, GridpressError, Span

ENDLESS: Final = float("inf")
"""The allowance of work that takes as long as its user lets it, such as a search."""

# What is honest on the average, in seconds of processor time: some ten times what the shipped packs
# take, so that slow machines have enough of it.
VALUE: Final = 0.005
COMPONENT: Final = 0.01
FACE: Final = 0.1
PIECE: Final = 0.003
PAGE: Final = 0.25
FILE: Final = 0.25
MEGABYTE: Final = 4.0
"""Seconds for a file that Python reads value by value."""
PICTURE: Final = 0.5
"""Seconds for a face, as large as pictures are."""
MEGAPIXEL: Final = 0.4
"""Drawn, and written as a picture."""
DRAWN: Final = 2.5
"""Seconds for a megabyte of SVG, or of content of a PDF."""
BEGINNING: Final = 2.0
"""Seconds for any step, and for all work outside steps, such as starting up. With the debt that the
guard allows, a hang ends after ten seconds."""

MOST_MEMORY: Final = 900_000_000
"""Bytes that each process of a run may use."""

_PLACE: Final = re.compile(r"(.*?):(\d+):(\d+)")
_AFTER: Final = "\x1f"
"""Before a place of which the work has ended, and nothing that was told has begun since."""
_SEATS: Final = 256
_TELLS_OF_PARENT: Final = sys.platform == "linux"
_PR_SET_PDEATHSIG: Final = 1  # of linux/prctl.h
_LOOK_EVERY, _GRACE = 0.5, 1.0
"""Seconds between two checks that the parent is alive, and for clearing up when it is not."""
_LINE: Final = struct.Struct("<Qddd480s")
KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
COMMAND: Final = 0
"""The line of the process that carries out the command."""
_GOES_ON: Final = _SEATS * _LINE.size
_SIZE: Final = _GOES_ON + 1
"""Bytes of a board: its lines, and one that says what becomes of the command when its process has
to be ended."""
_IS_TAKEN_UP, _WAS_TAKEN_UP = 1, 2


class ProcessStep(Struct, frozen=True):
    """The current step of a process. `begun` is its processor time when the step began, `allowance`
    what the step may take of it, `over` the debt of the steps that it ended; in seconds."""

    process: int
    begun: float
    allowance: float
    over: float
    place: str

    @property
    def has_ended(self) -> bool:
        """True if no new step has begun since."""
        return self.place.startswith(_AFTER)

    def taken_beyond(self, now: float) -> float:
        """Seconds beyond the allowance of this step, at this processor time of its process."""
        return max(0.0, now - self.begun - self.allowance)


class Board:
    """Memory that all the processes of a run share, a line for each of them."""

    def __init__(self, file: Path) -> None:
        """Opens the board that `make` made. Raises OSError."""
        self.file = file
        with file.open("r+b") as opened:
            self._memory = mmap.mmap(opened.fileno(), _SIZE)

    @classmethod
    def make(cls, file: Path) -> Board:
        """A board in a new file. Raises OSError, as when there is no room for it."""
        file.write_bytes(bytes(_SIZE))  # all of it: later there may be no room
        return cls(file)

    def close(self) -> None:
        """Let go of it: Windows removes no file that is still mapped."""
        self._memory.close()

    def write(self, number: int, step: ProcessStep) -> None:
        """Put a step on a line."""
        place = step.place.encode("utf-8", "backslashreplace")[:480]
        head = (step.process, step.begun, step.allowance, step.over)
        _LINE.pack_into(self._memory, number * _LINE.size, *head, place)

    def read(self, number: int) -> ProcessStep | None:
        """The step on a line; None while nobody has it. If its process writes just now it may be
        half of two steps: look again before anything is done about it."""
        line = _LINE.unpack_from(self._memory, number * _LINE.size)
        process, begun, allowance, over, place = line
        if not process:
            return None
        words = place.rstrip(b"\0").decode("utf-8", "ignore")
        return ProcessStep(process, begun, allowance, over, words)

    def stack(self, process: int) -> Path:
        """Return the file to which a process writes its place in the code, when it is asked to."""
        return self.file.with_name(f"stack-{process}")

    def wipe(self) -> None:
        """Forget all processes but the one that carries out the command."""
        self._memory[_LINE.size : _GOES_ON] = bytes((_SEATS - 1) * _LINE.size)

    def go_on(self) -> bool:
        """Ask that another process takes up the command when this one has to be ended; True in one
        that does."""
        was_taken_up: bool = self._memory[_GOES_ON] == _WAS_TAKEN_UP
        self._memory[_GOES_ON] = _IS_TAKEN_UP
        return was_taken_up

    def take_up(self) -> bool:
        """Clear the board for another process, if that was asked for."""
        if self._memory[_GOES_ON] != _IS_TAKEN_UP:
            return False
        self._memory[:] = bytes(_SIZE)
        self._memory[_GOES_ON] = _WAS_TAKEN_UP
        return True

    def steps(self) -> Iterator[ProcessStep]:
        """Return the current or last step of each process on the board."""
        yield from filter(None, map(self.read, range(_SEATS)))


class Seat(NamedTuple):
    """A line on a board, to hand on to another process."""

    file: Path
    number: int


class _Teller:
    """This process as the board sees it: its line, and the steps that it is in, one in another."""

    def __init__(self) -> None:
        self.stack: IO[bytes] | None = None
        self.sit(None)

    def sit(self, seat: Seat | None) -> None:
        self.board = None if seat is None else Board(seat.file)
        self.number = 0 if seat is None else seat.number
        self.private = "" if seat is None else f"{seat.file.parent}{os.sep}"
        self.parent = os.getppid()
        self.given = 0
        before = self.board.read(self.number) if self.board else None
        self.over = before.over if before else 0.0  # of who had the line before
        self.begun = time.process_time()
        self.within: list[tuple[object, float, float]] = [("", BEGINNING, 0.0)]
        self.done: object = ""
        self.stack = self._stack()
        if self.board is not None:
            _end_with_parent(signal.SIGTERM if self.number == COMMAND else KILL)
        self.tell()

    def _stack(self) -> IO[bytes] | None:
        """Have Python write where it is when SIGUSR1 comes, even from within native code."""
        if self.stack is not None:
            faulthandler.unregister(signal.SIGUSR1)
            self.stack.close()
        if self.board is None or not hasattr(faulthandler, "register"):
            return None
        try:
            file = self.board.stack(os.getpid()).open("wb")
        except OSError:  # there is no room: where it is in a template stays untold
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)
            return None
        faulthandler.register(signal.SIGUSR1, file, all_threads=False)
        return file

    def enter(self, place: object, allowance: float) -> None:
        if self.board is None:
            self.within.append((place, allowance, 0.0))
            return
        self.end_if_unwatched()
        now = time.process_time()
        outer, allowed, _ = self.within[-1]
        if str(place).startswith(self.private):  # nobody knows a file of ours that will be gone
            place = outer
        self.within[-1] = (outer, allowed, now - self.begun)
        self.within.append((place, allowance, 0.0))
        self.begun = now
        self.tell()

    def end_if_unwatched(self) -> None:
        if self.board is not None and os.getppid() != self.parent:
            raise KeyboardInterrupt

    def allow(self, more: float) -> None:
        place, allowance, used = self.within[-1]
        self.within[-1] = (place, allowance + more, used)
        self.tell()

    def leave(self) -> None:
        place, allowance, _ = self.within.pop()
        if self.board is None:
            return
        self.done = place or self.done
        now = time.process_time()
        self.over = max(0.0, self.over + now - self.begun - allowance)
        self.begun = now - self.within[-1][2]
        self.tell()

    def rest(self) -> None:
        self.done = ""
        self.tell()

    def forget(self) -> None:
        self.over = 0.0
        if self.board is not None and self.number == COMMAND:
            self.board.wipe()
        self.tell()

    def tell(self) -> None:
        if self.board is not None:
            step = ProcessStep(os.getpid(), self.begun, self.within[-1][1], self.over, self.place())
            self.board.write(self.number, step)

    def place(self) -> str:
        place, *_ = self.within[-1]
        return str(place) if place or not self.done else f"{_AFTER}{self.done}"


def _end_with_parent(number: int) -> None:
    """Have the system send a signal when the process that started this one is killed, or have a
    thread look where it cannot: what is in one long step would not see it otherwise."""
    if _TELLS_OF_PARENT:
        import ctypes  # noqa: PLC0415, for this alone

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)
    else:
        threading.Thread(target=_outlive, args=(os.getppid(), number), daemon=True).start()


def _outlive(parent: int, number: int) -> None:
    """Wait for the end of the process that started this one, then end this one."""
    import psutil  # noqa: PLC0415, for this alone

    with suppress(psutil.Error):
        process = psutil.Process(parent)
        while os.getppid() == parent and process.is_running():  # Windows keeps the number
            time.sleep(_LOOK_EVERY)
    signal.raise_signal(number)
    time.sleep(_GRACE)
    psutil.Process().kill()


# A process is at one thing at a time; copies of a process begin with `take`.
_teller = _Teller()


def take(seat: Seat | None) -> None:
    """From now on this process tells on that line of the board what it is at. Raises OSError."""
    _teller.sit(seat)


def seat() -> Seat | None:
    """A line for a process that this one is about to start. They are given out in turn, so that one
    is taken again only when the process that had it has long ended."""
    if _teller.board is None:
        return None
    _teller.given = _teller.given % (_SEATS - 1) + 1
    return Seat(_teller.board.file, _teller.given)


class at:  # noqa: N801, it reads as a word: with limits.at(...)
    """The block works on what is at this place, and takes so many seconds of processor time on the
    average if all is as it should be. `place` is written as in a diagnostic: a Span, or a file's
    name. Only the main thread tells; what others do counts as its own.

    Raises GridpressError (GP009) when the block needs more memory than there may be.
    """

    __slots__ = ("_allowance", "_place", "_tells")

    def __init__(self, place: object, allowance: float) -> None:
        self._place = place
        self._allowance = allowance
        self._tells = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self._tells:
            _teller.enter(self._place, self._allowance)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._tells:
            _teller.leave()
            if isinstance(error, MemoryError):
                raise GridpressError(too_much_memory(str(self._place))) from error


@contextmanager
def anew() -> Iterator[None]:
    """The block is bounded as a command of its own is: what was taken before it, by processes that
    have ended, no longer counts; after it the command is at nothing. For one that does many things,
    each as its user asks."""
    tells = threading.current_thread() is threading.main_thread()
    if tells:
        _teller.forget()
    with at("", BEGINNING):
        yield
    if tells:
        _teller.rest()


def go_on() -> bool:
    """From now on another process takes up the command when this one has to be ended, for a
    command that goes on until its user ends it. True in one that does: then what the one before
    was ended at is still there."""
    return _teller.board is not None and _teller.board.go_on()


def end_if_unwatched() -> None:
    """Raise KeyboardInterrupt when the process that started this one was killed: then nobody waits
    for what it makes. Steps do so when they begin."""
    _teller.end_if_unwatched()


def allow(more: float) -> None:
    """The step that this process is in has more to do than was known: so many seconds more."""
    _teller.allow(more)


def told_at(place: str, code: str, message: str, hint: str) -> Diagnostic:
    """A diagnostic at the place of a step, or of the last one where none has begun since."""
    at = place.removeprefix(_AFTER)
    if at != place:
        message += ", in the work that comes after this"
    found = _PLACE.fullmatch(at)
    span = Span(found[1], int(found[2]), int(found[3])) if found else Span(at or "gridpress")
    return Diagnostic(span, code, message, hint)


def too_much_memory(place: str) -> Diagnostic:
    """GP009."""
    most = _most_memory()
    message = f"this takes more than {most // 1_000_000} MB of memory"
    hint = "look there for what is far too large"
    if most < MOST_MEMORY:
        hint = (
            f"the system allows no more (ulimit), and {MOST_MEMORY // 1_000_000} MB may be needed"
        )
    return told_at(place, "GP009", message, hint)


def broken_down(place: str, how: str) -> Diagnostic:
    """GP010, for a process that ended without a word."""
    if not place:
        hint = "something ended it, or the computer is out of memory: close other programs"
        return told_at(place, "GP010", f"a process of Gridpress ended ({how})", hint)
    hint = "the file is damaged in an unusual way, or the computer is out of memory"
    return told_at(place, "GP010", f"what works on this broke down ({how})", hint)


def place() -> str:
    """Return the current step of this process, for `told_at`; empty if there was none yet."""
    return _teller.place()


def bound_memory() -> None:
    """Have the system refuse more than `MOST_MEMORY` to this process, and to each that it starts,
    where it can: what asks for more then fails at once, before who watches has seen it."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415, not there on every system

        most = _most_memory()
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _most_memory() -> int:
    """Bytes that this process may have: `MOST_MEMORY`, or less where its user, or the system, says
    so."""
    if sys.platform == "win32":
        return MOST_MEMORY
    import resource  # noqa: PLC0415, not there on every system

    told = (
        limit
        for what in (resource.RLIMIT_DATA, resource.RLIMIT_AS)
        for limit in resource.getrlimit(what)
        if limit != resource.RLIM_INFINITY
    )
    return min((MOST_MEMORY, *told))


TO_END: Final = tuple(
    signal.Signals[name]
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
)
_CAN_WAIT: Final = hasattr(signal, "pthread_sigmask")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals wait until the block is over, and in a process that is made in it until it listens:
    Python forgets those that come while it copies itself or begins."""
    if not _CAN_WAIT:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TO_END)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def listen() -> None:
    """From now on signals are heard, those that waited too."""
    if _CAN_WAIT:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, TO_END)


def end_once() -> Callable[[], bool]:
    """Take each request to end as Ctrl-C, so that a build that is not finished is cleared away;
    only the first one, so that this is not cut short itself. Who watches ends what lingers.

    Returns what tells whether there was one: native code, such as a module that is just being
    imported, makes other exceptions of it.
    """
    asked: list[int] = []

    def end(number: int, _: object) -> None:
        if not asked:
            asked.append(number)
            raise KeyboardInterrupt

    on_request(end)
    listen()
    return lambda: bool(asked)


def on_request(handler: Callable[[int, object], None]) -> None:
    """Set the handler of signals that ask to end, unless the parent ignores them, as nohup does."""
    for number in TO_END:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def be_deaf() -> None:
    """From now on nobody can ask to end: what is left to do is done in a moment."""
    on_request(lambda _number, _frame: None)
    if _CAN_WAIT:  # Python itself listens again when it ends
        signal.pthread_sigmask(signal.SIG_BLOCK, TO_END)


def leave_to_parent() -> None:
    """For a worker: Ctrl-C reaches it too, but who started it ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in TO_END:
        if number != signal.SIGINT and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    listen()
