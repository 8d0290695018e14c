"""The process that a user starts: another one carries out the command, and is watched and ended.

So nothing that comes from a stranger is read here. What is read there may run for ever, grow
without end or break native code down: then one diagnostic says at which file that was. Ctrl-C is
heard at once, whatever the other process is at, and its temporary folder is cleared away however it
ends.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from generator.limits import (
    COMMAND,
    ENDLESS,
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
INTERRUPTED: Final = 130
_FOLDERS: Final = "gridpress-"
_LOOK_EVERY: Final = 0.1
_FIRST_LOOK: Final = 0.5
_GRACE: Final = 1.0
"""Seconds in which the other process may clear up before it is ended."""
_STILL: Final = 1200
"""Looks in a row at which nothing moved, so that it is clear that nothing will."""

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


class Guard:
    """One run of the command line."""

    def __init__(self, arguments: list[str]) -> None:
        self._arguments = arguments
        self._over = threading.Event()
        self._verdict: Diagnostic | None = None
        self._asked_at: float | None = None
        self._moved, self._still = 0.0, 0
        self._child: subprocess.Popen[bytes] | None = None

    def run(self) -> int:
        """The exit status of the command."""
        on_request(self._end)  # before there is anything to clear away
        with _private_folder() as folder, _board(folder) as board:
            while True:
                status = self._told(self._carried_out(board, folder), board)
                is_ended = self._verdict is not None and self._asked_at is None
                if not (is_ended and board is not None and board.take_up()):
                    return status
                self._verdict = None

    def _carried_out(self, board: Board | None, folder: Path | None) -> int:
        """The exit status of the other process, watched until its end."""
        self._over.clear()
        with undisturbed():  # the other process begins so, and hears when it can
            self._child = subprocess.Popen(  # noqa: S603, our own Python
                self._command(board), env=_environment(folder)
            )
        if self._asked_at is not None:  # while there was nobody to hand it on to
            self._hand_on()
        watch = threading.Thread(target=self._watch, args=(board,), daemon=True)
        watch.start()
        status = self._child.wait()
        self._over.set()
        watch.join()
        return status

    def _command(self, board: Board | None) -> list[str]:
        package = Path(__file__).parent
        entry = _ENTRY.format(
            path=sys.path,
            init=str(package / "__init__.py"),
            package=str(package),
            board=str(board.file) if board else "",
        )
        return [sys.executable, "-P", "-c", entry, *self._arguments]

    def _end(self, number: int, _: object) -> None:
        """Ctrl-C, or a request to end: the other process hears of it, and has a moment."""
        if self._asked_at is not None:
            self._asked_at = 0.0  # asked twice: at once
            return
        self._asked_at = time.monotonic()
        if number != signal.SIGINT or os.name == "posix":
            self._hand_on()

    def _hand_on(self) -> None:
        if self._child is not None:
            with contextlib.suppress(OSError):
                self._child.send_signal(signal.SIGTERM)

    def _told(self, status: int, board: Board | None) -> int:
        was_asked = self._asked_at is not None or -status in TO_END  # perhaps only the other one
        if self._verdict is None and was_asked and status != 0:
            if status != INTERRUPTED:  # it had to be ended
                _say("\ninterrupted: the last finished build is still whole")
            return INTERRUPTED
        if self._verdict is None and status < 0:
            step = board.read(COMMAND) if board else None
            self._verdict = broken_down(step.place if step else "", f"signal {-status}")
        if self._verdict is None:
            return status
        _show(self._verdict, self._arguments)
        return FILES_WRONG

    # From here on: the thread that watches.

    def _watch(self, board: Board | None) -> None:
        pause, overdue = _FIRST_LOOK, ""
        while not self._over.wait(pause):
            pause = _LOOK_EVERY
            if self._asked_at is not None:
                if time.monotonic() - self._asked_at > _GRACE:
                    self._kill(board)
                    return
                continue
            found = self._overdue(board) if board else None
            # twice in a row: a line that is just being written may be half of two
            if found is not None and found.code == overdue:
                self._verdict = found
                self._kill(board)
                return
            overdue = found.code if found else ""

    def _overdue(self, board: Board) -> Diagnostic | None:
        """What is to be said if the run takes too much."""
        beyond, moved, worst, worst_by = 0.0, 0.0, None, -1.0
        for step in board.steps():
            beyond += step.over
            process = self._process(step)
            if process is None:
                continue
            try:
                times, memory = process.cpu_times(), process.memory_info().rss
            except Exception:  # noqa: S112, it has just ended
                continue
            now = times.user + times.system
            moved += now
            if memory > MOST_MEMORY:
                return too_much_memory(step.place)
            by = step.taken_beyond(now)
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

    def _process(self, step: ProcessStep) -> Any:
        """The process that has a line, unless it has ended and its number is another's now."""
        import psutil  # noqa: PLC0415, not needed by what is over in a moment

        try:
            process = psutil.Process(step.process)
            assert self._child is not None, "there is somebody to watch"
            ours = step.process == self._child.pid or process.ppid() == self._child.pid
        except psutil.Error:
            return None
        return process if ours else None

    def _line(self, step: ProcessStep, board: Board) -> str:
        """Where in a template the process is, if it is in one: its stack says."""
        if not hasattr(signal, "SIGUSR1"):
            return ""
        stack = board.stack(step.process)
        with contextlib.suppress(OSError):
            os.kill(step.process, signal.SIGUSR1)
            time.sleep(_LOOK_EVERY)
            for frame in _FRAME.finditer(stack.read_text(encoding="utf-8", errors="replace")):
                if not frame[1].endswith(".py") and not frame[1].startswith("<"):
                    return f"{frame[1]}:{frame[2]}:1"
        return ""

    def _kill(self, board: Board | None) -> None:
        """End the other process and all that it has started."""
        others = [self._process(step) for step in board.steps()] if board else []
        if self._child is not None:
            self._child.kill()
        for process in filter(None, others):
            with contextlib.suppress(Exception):
                process.kill()


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
    """What a command that ended early says as JSON in the place of its document, which a program
    waits for: what was found. Nothing where no JSON was asked for."""
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
    """Ours, but with temporary files in a folder that is cleared away, and no way to modules other
    than the one that the other process is given."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if folder is not None:
        environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    return environment


@contextlib.contextmanager
def _private_folder() -> Iterator[Path | None]:
    """A temporary folder; None when none can be made, which what needs one will tell."""
    import tempfile  # noqa: PLC0415, for this alone

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
