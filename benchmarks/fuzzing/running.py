"""Run a case in a child process, with limits on time and memory, and note what became of it.

Linux only. The child is a copy of this process, which has imported all that commands import; or,
with `as_user`, the command as its user starts it.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from fuzzing.cases import Case, Command
from fuzzing.projects import ROOT, Entry, Link, Project, Special, mini, project
from generator.cli import gridpress, run

MARKER: Final = b"c4n4ry-in-the-coal-mine"
_CPU_S: Final = 12
_USER_CPU_S: Final = 60
_WALL_S: Final = 90
_MEMORY: Final = 3_000_000_000
_MOST_SAID: Final = 2_000_000
_SOUND: Final = (
    *(("mini", ("check", ".", "--jobs", "1")), ("mini", ("build", ".", "--jobs", "1"))),
    *(("scrap", ("check", ".", "--jobs", "1")), ("race", ("check", ".", "--jobs", "1"))),
    *(("race", ("track", "show", "./oval")), ("race", ("vehicle", "check", "."))),
)
"""Commands to run first, so that children have imported and read what all projects need."""


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a case. `status` is None if `ended_by` says what stopped the command."""

    status: int | None
    ended_by: str
    cpu: float
    peak: int
    """Bytes of the largest process."""
    out: str
    err: str
    crash: str
    """The log of a bug in Gridpress."""
    outside: tuple[str, ...]
    """Files that Python opened outside the project."""
    written: tuple[str, ...]
    """`+new`, `-gone` and `~changed` files."""
    left: bool
    """A process was left running."""


class Stage:
    """A folder where cases run, one after another. `close` it in the end."""

    def __init__(self, *also_inside: Path) -> None:
        """`also_inside` are more folders where a command may read and write."""
        shared = Path("/dev/shm")
        base = shared if shared.is_dir() else None
        self.root = Path(os.path.realpath(tempfile.mkdtemp(prefix="gridpress-fuzz-", dir=base)))
        self.project = self.root / "project"
        self.logs = self.root / "logs"
        self.also_inside = also_inside
        self.logs.mkdir()
        write(self.root / "canary", _bait())

    def warm(self) -> None:
        """Run some commands in this process, so that its copies need not read and import again."""
        for name in gridpress.list_commands(None):  # type: ignore[arg-type]
            gridpress.get_command(None, name)  # type: ignore[arg-type]
        before = dict(os.environ)
        for base, command in _SOUND:
            self._prepare(project(base))
            _surround(self.root)
            with (
                open(os.devnull, "w") as nowhere,
                contextlib.chdir(self.project),
                contextlib.redirect_stdout(nowhere),
                contextlib.redirect_stderr(nowhere),
            ):
                run(list(command))
        os.environ.clear()
        os.environ.update(before)
        tempfile.tempdir = None

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.root, ignore_errors=True)

    def run(self, case: Case, *, as_user: bool = False) -> Result:
        """Run a case: in a copy of this process, or started as its user does."""
        self._prepare(case.project)
        before = dict(_listed(self.root))
        child = os.fork()
        if not child:
            self._begin(_start_as_user if as_user else self._run_here, case.command)
        status, ended_by, usage = _ended(child)
        left = _end_group(child)
        crashes = [*self.root.glob("home/**/*crash.log"), *self.root.glob("tmp/*crash.log")]
        return Result(
            status=status,
            ended_by=ended_by,
            cpu=usage.ru_utime + usage.ru_stime,
            peak=usage.ru_maxrss * 1024,
            out=_said(self.logs / "out"),
            err=_said(self.logs / "err"),
            crash="".join(map(_said, crashes)),
            outside=tuple(dict.fromkeys(_said(self.logs / "outside").splitlines())),
            written=tuple(_changes(before, dict(_listed(self.root)))),
            left=left,
        )

    def _prepare(self, files: Project) -> None:
        for name in ("project", "tmp", "home"):
            shutil.rmtree(self.root / name, ignore_errors=True)
            (self.root / name).mkdir()
        for name in ("out", "err", "outside"):
            (self.logs / name).write_bytes(b"")
        write(self.project, files)

    def _begin(self, start: Callable[[Command], None], command: Command) -> NoReturn:
        """Be the child: with limits of its own, in the folder of the project."""
        try:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000_000, 400_000_000))
            for number, path in (
                (0, os.devnull),
                (1, self.root / "logs/out"),
                (2, self.root / "logs/err"),
            ):
                fd = os.open(path, os.O_RDWR | (os.O_APPEND if number else 0))
                os.dup2(fd, number)
                os.close(fd)
            os.chdir(self.root / "project")
            _surround(self.root)
            start(command)
        finally:
            os._exit(70)

    def _run_here(self, command: Command) -> None:
        _limit_cpu(_CPU_S)
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", "backslashreplace")
        sys.argv = ["gridpress", *command]
        # as in the process of a command:
        logging.disable()
        warnings.simplefilter("ignore")
        outside: list[str] = []
        _listen(outside, self.root, self.also_inside)
        status = run(list(command))
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        told = "\n".join(outside)
        (self.root / "logs/outside").write_text(told, encoding="utf-8", errors="backslashreplace")
        os._exit(status)


def _ended(child: int) -> tuple[int | None, str, resource.struct_rusage]:
    """Wait for a child, or end it when it takes too long."""
    late, by = time.monotonic() + _WALL_S, ""
    while True:
        found, status, usage = os.wait4(child, 0 if by else os.WNOHANG)
        if found:
            code = os.waitstatus_to_exitcode(status)
            by = by or (f"signal {-code}" if code < 0 else "")
            return None if by else code, by, usage
        if time.monotonic() > late:
            by = "the clock"
            os.killpg(child, signal.SIGKILL)
        time.sleep(0.002)


def _end_group(leader: int) -> bool:
    """End what a child left running. Return whether there was anything."""
    for patience in (0.0, 0.05, 0.5):
        time.sleep(patience)
        try:
            os.killpg(leader, 0)
        except ProcessLookupError:
            return False
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
    return True


def _said(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MOST_SAID).decode("utf-8", "replace")


# Folders


def _bait() -> Project:
    """Return files that no project has any business with; the marker shows that they were read."""
    files = mini()
    star = files["templates/mini/icons/star.svg"]
    return {
        "secret.yaml": b"kind: token\ncomponents:\n  - {id: " + MARKER + b"}\n",
        "secret.txt": MARKER,
        "secret": MARKER,
        "secret.svg": star.replace(b"<g", b"<!--" + MARKER + b"--><g"),
        "secret.png": files["cards/mini/art/field.png"] + MARKER,
        "mini/manifest.json": b"{}",
        "cards/mini/pack.yaml": b"title: " + MARKER + b"\n",
    }


def write(root: Path, files: Project) -> None:
    """Write a project into a folder; names that the disk does not take are left out."""
    for path, entry in files.items():
        with contextlib.suppress(OSError):
            full = root / path
            full.parent.mkdir(parents=True, exist_ok=True)
            _write_one(full, entry)


def _write_one(full: Path, entry: Entry) -> None:
    match entry:
        case bytes():
            full.write_bytes(entry)
        case Link():
            full.symlink_to(entry.target)
        case Special("fifo"):
            os.mkfifo(full)
        case Special("socket"):
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(os.fspath(full))
        case Special():
            full.mkdir()


def _listed(root: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield what lies in the folders that a command must leave as they are: sort, size, time."""
    for name in ("project", "canary"):
        for folder, folders, files in os.walk(root / name):
            for one in (*folders, *files):
                path = os.path.join(folder, one)
                status = os.lstat(path)
                is_folder = one in folders and not os.path.islink(path)
                rest = () if is_folder else (status.st_size, status.st_mtime_ns, status.st_ino)
                yield os.path.relpath(path, root), (status.st_mode, *rest)


def _changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield ("+" if name not in before else "-" if name not in after else "~") + name


# In the child


def _surround(root: Path) -> None:
    """Set the environment of a user whose home and temporary folder are in that folder."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    own = {"HOME": root / "home", "TMPDIR": root / "tmp", "GRIDPRESS_CACHE": root / "cache"}
    os.environ.clear()
    os.environ.update(kept | {name: str(path) for name, path in own.items()})
    tempfile.tempdir = None


def _limit_cpu(seconds: int) -> None:
    own = resource.getrusage(resource.RUSAGE_SELF)
    used = int(own.ru_utime + own.ru_stime)
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, most))


def _start_as_user(command: Command) -> None:
    _limit_cpu(_USER_CPU_S)
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(ROOT / "games/chariot_dash")))
    ended = subprocess.run((sys.executable, "-m", "generator", *command), check=False)
    os._exit(ended.returncode if ended.returncode >= 0 else 128 - ended.returncode)


_EVENTS: Final = frozenset(
    "open os.listdir os.scandir os.mkdir os.remove os.rmdir os.rename os.symlink os.link".split()
)
_STARTS: Final = frozenset("socket.connect subprocess.Popen os.system os.exec".split())


def _listen(outside: list[str], root: Path, also_inside: Iterable[Path]) -> None:
    """Note each absolute path that Python opens outside of the project and of Gridpress."""
    inside = (
        *also_inside,
        *(root / name for name in ("project", "tmp", "home", "cache", "logs")),
        *(ROOT / name for name in ("generator", "games", "cards", "fonts", "templates")),
        *(sys.prefix, sysconfig.get_paths()["stdlib"], "/usr/share/zoneinfo", "/proc/self"),
        *("/usr/share/fonts", "/dev/null", "/dev/urandom", "/etc/mime.types"),
    )
    prefixes = (*(os.path.realpath(path) for path in inside), "/proc/self", "/dev/shm/pym-")
    fine = {os.path.realpath(path) for path in (ROOT, *sys.path) if path}
    busy = False

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal busy
        if busy or event not in _EVENTS | _STARTS:
            return
        busy = True
        try:
            if event in _STARTS:
                outside.append(f"{event} {arguments!r}"[:200])
            elif isinstance(path := arguments[0], (str, bytes, os.PathLike)):
                # A name without a folder may be in any folder that is open.
                name = os.fsdecode(path)
                real = os.path.realpath(name)
                if "/" in name and not real.startswith(prefixes) and real not in fine:
                    outside.append(f"{event} {real}"[:200])
        finally:
            busy = False

    sys.addaudithook(hear)
