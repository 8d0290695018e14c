"""Runs the command in a child process, so that one message names what broke or outgrew its limits.

The system ends a child that exceeds a limit (see `limits.py`). Ctrl-C is heard at once, whatever
the child is doing, and the temporary folder of the run is removed however it ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, NoReturn

from generator import limits

if TYPE_CHECKING:
    from generator.diagnostics import Diagnostic

FILES_WRONG: Final = 1
_OUR_BUG: Final = 3
INTERRUPTED: Final = 130
_INTERRUPTED: Final = "\ninterrupted: no file is half written"
_GRACE: Final = 1.0
"""Seconds that the child has to clear up before it is ended."""
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
TO_END: Final = tuple(
    signal.Signals[name]
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
)


def guarded(arguments: list[str]) -> int:
    """Carry out a command line in a child process, and return its exit status."""
    guard = _Guard(arguments)
    on_request(guard.end)  # before there is anything to clear up
    try:
        folder = tempfile.TemporaryDirectory(prefix="gridpress-", ignore_cleanup_errors=True)
    except OSError as error:
        _say(f"gridpress: no temporary folder can be made: {error.strerror or error}")
        return FILES_WRONG
    with folder as name:
        return guard.run(Path(name))


class _Guard:
    """One run of the command line."""

    def __init__(self, arguments: list[str]) -> None:
        self._arguments = arguments
        self._process = 0
        self._is_asked = False

    def run(self, folder: Path) -> int:
        """Return the exit status of the command."""
        os.environ[limits.RUN] = str(folder)
        start = _copied if sys.platform == "linux" else _started
        while True:
            self._process, wait = start(self._arguments, _environment(folder))
            if self._is_asked:  # before there was a child
                self._send(signal.SIGTERM)
            status = wait()
            process, self._process = self._process, 0
            if -status in TO_END or (self._is_asked and status != 0):
                if status != INTERRUPTED:  # it did not say so itself
                    _say(_INTERRUPTED)
                return INTERRUPTED
            fault = limits.fault_of(process, status)
            if fault is None:
                return status
            document = early_end(self._arguments, [fault])
            _say(document or str(fault), to_user=not document)
            if not limits.is_started_again(folder):
                return FILES_WRONG

    def end(self, number: int, _: object) -> None:
        """Ask the child to end, and end it when it does not, or when the user asks twice."""
        if self._is_asked:
            self._send(_KILL)
            return
        self._is_asked = True
        if number != signal.SIGINT or os.name == "posix":  # Windows sends Ctrl-C to both
            self._send(signal.SIGTERM)
        timer = threading.Timer(_GRACE, self._send, [_KILL])
        timer.daemon = True
        timer.start()

    def _send(self, number: int) -> None:
        if self._process:
            with contextlib.suppress(OSError):
                os.kill(self._process, number)


def _copied(arguments: list[str], environment: dict[str, str]) -> tuple[int, Callable[[], int]]:
    """Start the child as a copy of this process, which takes no time."""
    process = os.fork()
    if process:
        return process, lambda: os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    try:
        sys.argv[1:] = arguments
        sys.modules["__main__"] = ModuleType("__main__")  # workers would import ours again
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None
        _carry_out()
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(_OUR_BUG)


def _started(arguments: list[str], environment: dict[str, str]) -> tuple[int, Callable[[], int]]:
    """Start the child as a new interpreter."""
    from subprocess import Popen  # noqa: PLC0415, not needed on Linux

    command = [sys.executable, "-m", "generator.guard", *arguments]
    process = Popen(command, env=environment)  # noqa: S603, our own Python
    return process.pid, process.wait


def _carry_out() -> NoReturn:
    from generator.cli import carry_out  # noqa: PLC0415, in the child alone

    carry_out()


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of the child: temporary files go into the folder of the run, and
    modules come only from where this process finds them."""
    return {
        **os.environ,
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder)),
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONSAFEPATH": "1",
    }


def on_request(handler: Callable[[int, object], None]) -> None:
    """Set the handler of signals that ask to end, except those that the parent ignores (nohup)."""
    for number in TO_END:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def end_once() -> Callable[[], bool]:
    """Raise KeyboardInterrupt at the first request to end, and ignore others.

    Return a function that tells whether there was one: native code may turn the exception into
    another.
    """
    asked: list[int] = []

    def end(number: int, _: object) -> None:
        if not asked:
            asked.append(number)
            raise KeyboardInterrupt

    on_request(end)
    if os.name == "posix":  # the guard hands it on; workers inherit this
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return lambda: bool(asked)


def early_end(arguments: list[str], found: Iterable[Diagnostic]) -> str:
    """Return the findings of a command that ended early as JSON; "" if that was not asked for."""
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
    """Open closed standard streams on nothing: the next opened file would take their place."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


if __name__ == "__main__":
    _carry_out()
