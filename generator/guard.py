"""The process that a user starts: a second one carries out the command, and is watched and ended.

So nothing that comes from a stranger is read here. What is read there may run for ever, grow
without end or crash native code: then one diagnostic names the file. Ctrl-C is heard at once,
whatever the second process is doing, and its temporary folder is removed however it ends.

On Linux the second process is a copy of this one; elsewhere it is a new interpreter.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, NoReturn

from generator.limits import (
    COMMAND,
    ENDLESS,
    KILL,
    MOST_MEMORY,
    TO_END,
    Board,
    ProcessStep,
    broken_down,
    on_request,
    told_at,
    too_much_memory,
    undisturbed,
)
from generator.scratch import PrivateFolder, clear_abandoned

if TYPE_CHECKING:
    from generator.diagnostics import Diagnostic

MOST_BEYOND: Final = 8.0
"""Seconds of processor time that all steps of a run together may take beyond what is honest."""
FILES_WRONG: Final = 1
_OUR_BUG: Final = 3
INTERRUPTED: Final = 130
_FOLDERS: Final = "gridpress-"
_LOOK_EVERY: Final = 0.5
_LOOK_AGAIN: Final = 0.1
_GRACE: Final = 1.0
"""Seconds that the second process has to clear up before it is ended."""
_STILL: Final = 240
"""Looks in a row at which nothing moved, after which nothing will."""

_ENTRY: Final = """\
import sys
sys.path[:] = {path!r}
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("generator", {init!r}, submodule_search_locations=[{package!r}])
sys.modules["generator"] = generator = module_from_spec(spec)
spec.loader.exec_module(generator)
from generator.cli import carry_out
carry_out({board!r})
"""
"""Loads Gridpress from where it lies, even if that is the current folder, as in a checkout."""
_FRAME: Final = re.compile(r'  File "(.+)", line (\d+) in ')


def _carry_out(board: str) -> NoReturn:
    from generator.cli import carry_out  # noqa: PLC0415, in the second process alone

    carry_out(board)


class _Copy:
    """The second process, as a copy of this one."""

    def __init__(self, arguments: list[str], board: str, environment: dict[str, str]) -> None:
        self.pid = os.fork()
        if self.pid == 0:
            try:
                sys.argv[1:] = arguments
                sys.modules["__main__"] = ModuleType("__main__")  # workers would import ours again
                os.environ.clear()
                os.environ.update(environment)
                tempfile.tempdir = None
                _carry_out(board)
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(_OUR_BUG)
        self._handle: int | None = None
        with contextlib.suppress(OSError):
            self._handle = os.pidfd_open(self.pid)

    def wait(self, seconds: float) -> int | None:
        """Return the exit status, negative for a signal; None if it runs still."""
        if self._handle is None:  # an old Linux, or a container that allows little
            time.sleep(0.01)
        else:
            select.select([self._handle], [], [], seconds)
        ended, status = os.waitpid(self.pid, os.WNOHANG)
        if not ended:
            return None
        if self._handle is not None:
            os.close(self._handle)
        return os.waitstatus_to_exitcode(status)


class _Interpreter:
    """The second process, as a new interpreter."""

    def __init__(self, arguments: list[str], board: str, environment: dict[str, str]) -> None:
        from subprocess import Popen, TimeoutExpired  # noqa: PLC0415, not needed on Linux

        self._too_soon = TimeoutExpired
        package = Path(__file__).parent
        init = str(package / "__init__.py")
        entry = _ENTRY.format(path=sys.path, init=init, package=str(package), board=board)
        self._process = Popen(  # noqa: S603, our own Python
            [sys.executable, "-c", entry, *arguments], env=environment
        )
        self.pid = self._process.pid

    def wait(self, seconds: float) -> int | None:
        """Return the exit status, negative for a signal; None if it runs still."""
        try:
            return self._process.wait(seconds)
        except self._too_soon:
            return None


class Guard:
    """One run of the command line."""

    def __init__(self, arguments: list[str]) -> None:
        self._arguments = arguments
        self._verdict: Diagnostic | None = None
        self._overdue = ""
        self._asked_at: float | None = None
        self._moved, self._still = 0.0, 0
        self._board: Board | None = None
        self._child: _Copy | _Interpreter | None = None

    def run(self) -> int:
        """Return the exit status of the command."""
        on_request(self._end)  # before there is anything to clear away
        with _private_folder() as folder, _board(folder) as self._board:
            while True:
                status = self._told(self._carried_out(folder))
                is_ended = self._verdict is not None and self._asked_at is None
                if not (is_ended and self._board is not None and self._board.take_up()):
                    return status
                self._verdict = None

    def _carried_out(self, folder: Path | None) -> int:
        """Return the exit status of the second process, watched until its end."""
        begin = _Copy if sys.platform == "linux" else _Interpreter
        board = str(self._board.file) if self._board else ""
        with undisturbed():  # it begins so, and hears when it can
            self._child = child = begin(self._arguments, board, _environment(folder))
        if self._asked_at is not None:  # while there was nobody to hand it on to
            self._send(signal.SIGTERM)
        while (status := child.wait(_LOOK_AGAIN if self._overdue else _LOOK_EVERY)) is None:
            self._look()
        self._child = None
        return status

    def _end(self, number: int, _: object) -> None:
        """Ctrl-C, or a request to end: the second process hears of it, and has a moment."""
        if self._asked_at is not None:
            self._kill()  # asked twice: at once
            return
        self._asked_at = time.monotonic()
        if number != signal.SIGINT or os.name == "posix":
            self._send(signal.SIGTERM)

    def _send(self, number: int) -> None:
        if self._child is not None:
            with contextlib.suppress(OSError):
                os.kill(self._child.pid, number)

    def _told(self, status: int) -> int:
        was_asked = self._asked_at is not None or -status in TO_END  # perhaps only the other one
        if self._verdict is None and was_asked and status != 0:
            if status != INTERRUPTED:  # it had to be ended
                _say("\ninterrupted: the last finished build is still whole")
            return INTERRUPTED
        if self._verdict is None and status < 0:
            step = self._board.read(COMMAND) if self._board else None
            self._verdict = broken_down(step.place if step else "", f"signal {-status}")
        if self._verdict is None:
            return status
        _show(self._verdict, self._arguments)
        return FILES_WRONG

    def _look(self) -> None:
        """End a run that takes too much, or does not end when it was asked to."""
        if self._asked_at is not None:
            if time.monotonic() - self._asked_at > _GRACE:
                self._kill()
            return
        found = self._too_much(self._board) if self._board else None
        # twice in a row: a line that is just being written may be half of two
        if found is not None and found.code == self._overdue:
            self._verdict = found
            self._kill()
        self._overdue = found.code if found else ""

    def _too_much(self, board: Board) -> Diagnostic | None:
        """Return what is to be said if the run takes too much."""
        beyond, moved, worst, worst_by = 0.0, 0.0, None, -1.0
        for step in board.steps():
            beyond += step.over
            parent, seconds, memory = _use_of(step.process)
            if not self._is_ours(step.process, parent):
                continue
            moved += seconds
            if memory > MOST_MEMORY:
                return too_much_memory(step.place)
            by = step.taken_beyond(seconds)
            beyond += by
            if by > worst_by:
                worst, worst_by = step, by
        self._still = self._still + 1 if moved == self._moved else 0
        self._moved = moved
        if worst is None or worst.allowance == ENDLESS:
            return None
        if beyond > MOST_BEYOND or self._still > _STILL:
            return _too_long(worst, self._line(worst, board))
        return None

    def _is_ours(self, process: int, parent: int) -> bool:
        """Return False for one that has ended, and its number is perhaps another's now."""
        return parent > 0 and self._child is not None and self._child.pid in (process, parent)

    def _line(self, step: ProcessStep, board: Board) -> str:
        """Return the place in a template where the process is, if it is in one."""
        if not hasattr(signal, "SIGUSR1"):
            return ""
        stack = board.stack(step.process)
        with contextlib.suppress(OSError):
            os.kill(step.process, signal.SIGUSR1)
            time.sleep(_LOOK_AGAIN)
            for frame in _FRAME.finditer(stack.read_text(encoding="utf-8", errors="replace")):
                if not frame[1].endswith(".py") and not frame[1].startswith("<"):
                    return f"{frame[1]}:{frame[2]}:1"
        return ""

    def _kill(self) -> None:
        """End the second process and all that it has started."""
        known = [step.process for step in self._board.steps()] if self._board else []
        others = [one for one in known if self._is_ours(one, _use_of(one)[0])]
        self._send(KILL)
        for process in others:
            with contextlib.suppress(OSError):
                os.kill(process, KILL)


def _use_of(process: int) -> tuple[int, float, int]:
    """Return the parent of a process, its processor time in seconds and its memory in bytes."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
            seconds = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
            return int(words[1]), seconds, int(words[21]) * os.sysconf("SC_PAGE_SIZE")
        return 0, 0.0, 0
    import psutil  # noqa: PLC0415, where there is no /proc

    with contextlib.suppress(psutil.Error):
        found = psutil.Process(process)
        times = found.cpu_times()
        return found.ppid(), times.user + times.system, found.memory_info().rss
    return 0, 0.0, 0


def _too_long(step: ProcessStep, line: str) -> Diagnostic:
    message = f"this takes over {MOST_BEYOND:.0f} seconds longer than it should; ended"
    if line and step.place and not step.has_ended:
        message += f" (at {step.place})"
    hint = "look there for what is far too large, or goes round and round"
    return told_at(line or step.place, "GP008", message, hint)


def _show(verdict: Diagnostic, arguments: list[str]) -> None:
    document = early_end(arguments, [verdict])
    _say(document or str(verdict), to_user=not document)


def early_end(arguments: list[str], found: Iterable[Diagnostic]) -> str:
    """Return the findings of a command that ended early as JSON, in place of its document; "" if
    JSON was not asked for."""
    import json  # noqa: PLC0415, hardly ever needed

    if "--format=json" not in arguments and ("--format", "json") not in pairwise(arguments):
        return ""
    listed = [diagnostic.as_dict() for diagnostic in found]
    is_build = arguments[:1] == ["build"]
    value = {"packs": [], "findings": listed} if is_build else listed
    return json.dumps(value, ensure_ascii=False, indent=2)


def _say(text: str, *, to_user: bool = True) -> None:
    from click import echo  # noqa: PLC0415, hardly ever needed

    with contextlib.suppress(OSError, ValueError):
        echo(text, err=to_user)


def have_standard_streams() -> None:
    """Closed ones lead nowhere; else the next file that is opened would be taken for them."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _environment(folder: Path | None) -> dict[str, str]:
    """Return ours, with temporary files in a folder that is removed, and modules only from where
    this process looks for them, in processes that are started there, too."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PYTHONSAFEPATH"] = "1"
    if folder is not None:
        environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    return environment


@contextlib.contextmanager
def _private_folder() -> Iterator[Path | None]:
    """A temporary folder; None when none can be made, which what needs one will tell."""
    try:
        parent = Path(tempfile.gettempdir())
        clear_abandoned(parent, _FOLDERS)
        folder = PrivateFolder(parent, _FOLDERS)
    except OSError:
        yield None
        return
    with folder as path:
        yield path


@contextlib.contextmanager
def _board(folder: Path | None) -> Iterator[Board | None]:
    """A board in a folder; None when there is no room for it."""
    try:
        board = Board.make(folder / "board") if folder else None
    except OSError:
        board = None
    if board is None:
        yield None
        return
    with contextlib.closing(board):
        yield board
