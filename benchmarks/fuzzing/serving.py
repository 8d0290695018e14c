"""A copy of this process that carries out commands, one after another, in a folder of its own with
limits on time and memory; a report on each. Linux only.

One copy serves many inputs as long as nothing is odd: making it anew for each takes longer than
most commands do.
"""

from __future__ import annotations

import ctypes
import faulthandler
import io
import logging
import os
import resource
import select
import shutil
import signal
import sys
import sysconfig
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, Final, NoReturn

from fuzzing.corpus import ROOT
from generator import limits
from generator.cli import run

CPU_S: Final = 12
"""Seconds of CPU after which a process of a run is ended: 10 s, and what is honest in so small a
project."""
WALL_S: Final = 60
"""Seconds after which a run is ended, not counting those in which it waits for its turn on a busy
machine."""
MEMORY: Final = 3_000_000_000
"""Bytes of address space of each process; what is told as too much is less."""

_TO_BEGIN_S: Final = 600
_MOST_INPUTS: Final = 50
_MOST_KEPT: Final = 400_000_000
_MOST_USED_S: Final = 20.0
_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER of linux/prctl.h


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a command: its status; seconds of CPU and bytes at most, of all its processes;
    what Python opened outside. `spent` says that another copy should go on."""

    status: int
    cpu: float
    peak: int
    outside: tuple[str, ...]
    spent: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that did not come to its end: by what, and what it took."""

    by: str
    cpu: float
    peak: int


class Server:
    """The copy, seen from outside. `close` it in the end."""

    def __init__(
        self, root: Path, beside: Iterable[Server], begin: Callable[[], None] | None = None
    ) -> None:
        """`begin` is called in the copy before its first command, with time enough. `beside` are
        the other copies that there are, which end when nobody holds their lines any more."""
        self.line, theirs = Pipe()
        self.used, self.served = 0.0, 0
        self.pid = os.fork()
        if not self.pid:
            for server in (self, *beside):
                server.line.close()
            _serve(theirs, root, begin or (lambda: None))
        theirs.close()
        self.end = os.pidfd_open(self.pid)
        select.select([self.line.fileno(), self.end], [], [], _TO_BEGIN_S)
        with suppress(EOFError, ConnectionResetError):
            self.used = self.line.recv()

    def carry_out(self, command: tuple[str, ...]) -> Report | Ended:
        """Carry out a command in the folder `project`."""
        self.line.send(command)
        self.served += 1
        handles: tuple[Any, ...] = (self.line, self.end)
        ready = _ready(handles, self.pid)
        if self.line in ready:
            with suppress(EOFError, ConnectionResetError):
                report: Report = self.line.recv()
                self.used += report.cpu
                return report
        by = ""
        if not ready:
            by = "the clock"
            end_late(self.pid)
        _, status, usage = os.wait4(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        by = by or (f"signal {-code}" if code < 0 else f"status {code}")
        cpu = usage.ru_utime + usage.ru_stime - self.used
        return Ended(by, cpu, usage.ru_maxrss * 1024)

    def close(self) -> str:
        """End it; what it left running, which is ended too."""
        self.line.close()
        os.close(self.end)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        return ended_group(self.pid)


def is_over(child: int) -> bool:
    """Whether a process comes to its end in time."""
    end = os.pidfd_open(child)
    try:
        return bool(_ready([end], child))
    finally:
        os.close(end)


def _ready(handles: Sequence[Any], group: int) -> Sequence[Any]:
    """Which handles can be read, as soon as one can; none when the processes of a group take too
    long."""
    late = time.monotonic() + WALL_S - _waited(group)
    while True:
        left = late + _waited(group) - time.monotonic()
        ready: Sequence[Any] = select.select(handles, [], [], max(0.0, left))[0]
        if ready or left <= 0:
            return ready


def _waited(group: int) -> float:
    """Seconds that the processes of a group were ready to go on and had no processor."""
    delays = 0
    for path in _members(group):
        with suppress(OSError):
            delays += int((path / "schedstat").read_text().split()[1])
    return delays / 1e9


def end_late(child: int) -> None:
    """End a process group that takes too long, whose leader says first where it is."""
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGUSR1)
        time.sleep(0.5)
        os.killpg(child, signal.SIGKILL)


def ended_group(child: int) -> str:
    """End what a process left running; what that was."""
    for patience in (0.0, 0.02, 0.2):
        time.sleep(patience)
        try:
            os.killpg(child, 0)
        except ProcessLookupError:
            return ""
    left = _group(child)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return left


def _group(leader: int) -> str:
    """The processes of a group, but those that have ended and nobody has asked after."""
    told = []
    for path in _members(leader):
        with suppress(OSError):
            told.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return "a process: " + ", ".join(told) if told else ""


def _members(leader: int) -> Iterator[Path]:
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, _, group = (path / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(group) == leader and state != "Z":
                yield path


# What follows runs in the copy, and in what is started as a person does it.


def settle(root: Path, seconds: int) -> IO[str]:
    """Be a process of its own, with limits; returns the file to which it says where it is when it
    takes too long."""
    os.setsid()
    os.umask(0o022)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    stack = (root / "logs/stack").open("a")
    faulthandler.enable(stack)
    faulthandler.register(signal.SIGXCPU, stack, all_threads=False, chain=True)
    faulthandler.register(signal.SIGUSR1, stack, all_threads=True)
    _allow(seconds)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000_000, 400_000_000))
    return stack


def enter(root: Path) -> None:
    """Stand in the project, with streams and surroundings as they should be."""
    for number, path in ((0, os.devnull), (1, root / "logs/out"), (2, root / "logs/err")):
        fd = os.open(path, os.O_RDWR | (os.O_APPEND if number else 0))
        os.dup2(fd, number)
        os.close(fd)
    os.chdir(root / "project")
    surround(root)


def surround(root: Path) -> None:
    """Have the environment of a user whose home and temporary folder are below that folder."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    os.environ.clear()
    os.environ.update(kept | {"HOME": str(root / "home"), "TMPDIR": str(root / "tmp")})
    tempfile.tempdir = None


def _serve(line: Connection, root: Path, begin: Callable[[], None]) -> NoReturn:
    code = 70
    try:
        settle(root, _TO_BEGIN_S)
        begin()
        begun = _cpu()
        line.send(begun)
        outside: list[str] = []
        _listen(outside, root)
        ctypes.CDLL(None).prctl(_SUBREAPER, 1)
        # as in the process of a command:
        logging.disable()
        warnings.simplefilter("ignore")
        limits.bound_memory()
        served = 0
        with suppress(EOFError):
            while True:
                command = line.recv()
                served += 1
                _reset()
                used = _cpu()
                enter(root)
                outside.clear()
                status = _run(command, root)
                os.chdir(root)
                line.send(_report(status, used, begun, tuple(dict.fromkeys(outside)), served))
        code = 0
    finally:
        os._exit(code)


def _run(command: tuple[str, ...], root: Path) -> int:
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", "backslashreplace")
    sys.argv = ["gridpress", *command]
    # in that of a command it is cleared away by who watches
    private = tempfile.mkdtemp(prefix="gridpress-", dir=root / "tmp")
    tempfile.tempdir = os.environ["TMPDIR"] = private
    status = run(list(command))
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    shutil.rmtree(private, ignore_errors=True)
    return status


def _reset() -> None:
    """Begin to count anew."""
    Path("/proc/self/clear_refs").write_text("5")  # the most memory that was used
    own = resource.getrusage(resource.RUSAGE_SELF)
    _allow(int(own.ru_utime + own.ru_stime) + CPU_S)


def _allow(seconds: int) -> None:
    """Be ended at so many seconds of CPU in all."""
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, most))


def _cpu() -> float:
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def _report(
    status: int, used: float, begun: float, outside: tuple[str, ...], served: int
) -> Report:
    lines = Path("/proc/self/status").read_text().splitlines()
    memory = dict(line.partition(":")[::2] for line in lines)
    peak = 1024 * int(memory["VmHWM"].removesuffix("kB"))
    children = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    spent = (
        served >= _MOST_INPUTS
        or max(peak, children) > _MOST_KEPT
        or _cpu() - begun > _MOST_USED_S
        or int(memory["Threads"]) > 1
        or status not in (0, 1, 2)
        or _has_children()
    )
    return Report(status, _cpu() - used, max(peak, children), outside, spent)


def _has_children() -> bool:
    """Whether anything that a command started still runs, or was left to this process."""
    with suppress(ChildProcessError):
        while True:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return True
    return False


_ALWAYS: Final = frozenset(("socket.connect", "subprocess.Popen", "os.system", "os.exec"))
_OPENS: Final = {
    **dict.fromkeys(("open", "os.listdir", "os.scandir"), ((0, -1),)),
    **dict.fromkeys(("os.truncate", "shutil.rmtree"), ((0, -1),)),
    "os.chmod": ((0, 2),),
    "os.utime": ((0, 3),),
}
_CHANGES: Final = {
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((0, 2), (1, 3)),
    "os.symlink": ((1, 2),),
}
"""Of each event where the arguments have a path and the folder from which it goes. The first follow
a link at its end."""


class _OpenedFrom(threading.local):
    """The folder from which this thread opens a file just now: the event of `os.open` does not tell
    it, and a name alone would be taken for one in the current folder."""

    folder = -1

    def listen(self) -> None:
        """From now on know it."""
        really = os.open

        def opened(
            path: str | bytes | os.PathLike[str],
            flags: int,
            mode: int = 0o777,
            *,
            dir_fd: int | None = None,
        ) -> int:
            self.folder = -1 if dir_fd is None else dir_fd
            try:
                return really(path, flags, mode, dir_fd=dir_fd)
            finally:
                self.folder = -1

        os.open = opened  # type: ignore[assignment]
        os.supports_dir_fd.add(opened)


def _places(event: str, arguments: tuple[Any, ...], opened_from: int) -> Iterator[str]:
    """Where on the disk that is what is opened or changed."""
    for at, from_ in (_OPENS | _CHANGES)[event]:
        path = arguments[at]
        if not isinstance(path, (str, bytes, os.PathLike)):
            continue
        folder = arguments[from_] if 0 < from_ < len(arguments) else -1
        if event == "open":
            folder = opened_from
        start = os.readlink(f"/proc/self/fd/{folder}") if folder >= 0 else ""
        full = os.path.join(start, os.fsdecode(path))
        if event in _OPENS and not (event == "open" and _unfollowed(arguments)):
            yield os.path.realpath(full)
        else:
            outer, name = os.path.split(full.rstrip("/"))
            yield os.path.join(os.path.realpath(outer), name)


def _unfollowed(arguments: tuple[Any, ...]) -> bool:
    """Whether a link at the end of what is opened is refused by the system."""
    *_, flags = arguments
    return isinstance(flags, int) and bool(flags & os.O_NOFOLLOW)


def _listen(outside: list[str], root: Path) -> None:
    """Note each file that Python opens outside of what is its business."""
    inside = tuple(
        f"{os.path.realpath(path)}/"
        for path in (
            *(root / "project", root / "tmp", root / "home", root / "logs"),
            *(ROOT / "generator", ROOT / "games"),
            *(ROOT / "cards", ROOT / "fonts", ROOT / "templates", sys.prefix),
            *(sysconfig.get_paths()["stdlib"], "/usr/share/zoneinfo", "/proc/self/fd"),
        )
    )
    shared = ("/dev/shm/pym-", "/usr/share/fonts/")  # of multiprocessing, and where reportlab looks
    proc = "/proc/self/task"  # how many threads there are
    own = ("/proc/self/status", "/proc/self/clear_refs")  # read by this module
    fine = {os.devnull, "/dev/urandom", "/etc/mime.types", str(ROOT), *sys.path}
    fine |= {*map(os.path.realpath, (proc, *own)), proc, *own}
    told = _ALWAYS | {*_OPENS, *_CHANGES}
    opened_from = _OpenedFrom()
    opened_from.listen()
    busy = False

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal busy
        if busy or event not in told:
            return
        busy = True
        try:
            if event in _ALWAYS:
                outside.append(f"{event} {arguments!r}"[:200])
                return
            outside.extend(
                f"{event} {place}"[:200]
                for place in _places(event, arguments, opened_from.folder)
                if not f"{place}/".startswith((*inside, *shared)) and place not in fine
            )
        finally:
            busy = False

    sys.addaudithook(hear)
