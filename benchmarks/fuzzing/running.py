"""An input in, what became of it out: it is run in a copy of this process, in a folder of its own,
with limits on time and memory, and watched from outside. Linux only.

Beside the project lies a folder that is none of its business, the canary, and the kernel tells who
opens anything in it.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import io
import json
import os
import resource
import select
import shutil
import signal
import socket
import struct
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from fuzzing.corpus import ROOT, Entry, Link, Project, Special, mini
from fuzzing.inputs import Input
from generator import limits
from generator.cli import COMMANDS, gridpress, run

MARKER: Final = b"c4n4ry-in-the-coal-mine"
CPU_S: Final = 12
"""Seconds of CPU after which a process of a run is ended: 10 s, and what is honest in so small a
project."""
WALL_S: Final = 60
MEMORY: Final = 3_000_000_000
"""Bytes of address space of each process; what is told as too much is less."""
_SAID: Final = 2_000_000

_IN_OPEN, _IN_MODIFY, _IN_CREATE, _IN_DELETE, _IN_MOVE = 0x20, 0x2, 0x100, 0x200, 0xC0


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an input. `status` is that of the command, None when it was ended."""

    status: int | None
    ended_by: str
    cpu: float
    wall: float
    peak: int
    out: str
    err: str
    crash: str
    stack: str
    outside: tuple[str, ...]
    canary: tuple[str, ...]
    written: tuple[str, ...]
    left: tuple[str, ...]


class Stage:
    """The folder in which inputs are run, one after another: `project`, `canary`, `tmp`, `home`."""

    def __init__(self, base: Path | None = None) -> None:
        shared = Path("/dev/shm")
        base = base or (shared if shared.is_dir() else None)
        self.root = Path(os.path.realpath(tempfile.mkdtemp(prefix="gridpress-fuzz-", dir=base)))
        self.project = self.root / "project"
        self.logs = self.root / "logs"
        self.logs.mkdir()
        self.canary = self.root / "canary"
        _write(self.canary, _secrets())
        self.watch = _Watch(self.canary)
        _warm()

    def close(self) -> None:
        """Clear all away."""
        self.watch.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def run(self, broken: Input) -> Result:
        """Run an input and say what became of it."""
        for folder in (self.project, self.root / "tmp", self.root / "home"):
            _clear(folder)
            folder.mkdir()
        _write(self.project, broken.project)
        before = _listing(self.root)
        self.watch.events()
        for name in ("out", "err", "stack", "report"):
            (self.logs / name).write_bytes(b"")
        started = time.monotonic()
        child = os.fork()
        if not child:
            self._be_child(broken)
        status, usage, ended_by = _awaited(child)
        wall = time.monotonic() - started
        leftover = _ended_group(child)
        opened = self.watch.events()
        return self._result(broken, status, usage, ended_by, wall, before, leftover, opened)

    def _result(
        self,
        broken: Input,
        status: int,
        usage: resource.struct_rusage,
        ended_by: str,
        wall: float,
        before: dict[str, tuple[int, ...]],
        leftover: str,
        opened: tuple[str, ...],
    ) -> Result:
        text = (self.logs / "report").read_text(encoding="utf-8")
        report: dict[str, Any] = json.loads(text) if text else {}
        code = report.get("status")
        if broken.real:
            code = os.waitstatus_to_exitcode(status) if not ended_by else None
        if code is None and not ended_by:
            ended = os.waitstatus_to_exitcode(status)
            ended_by = f"signal {-ended}" if ended < 0 else f"status {ended}"
        if broken.real and code is not None and code < 0:
            code, ended_by = None, f"signal {-code}"
        crash = self.root / "home/.config/gridpress/crash.log"
        changes = tuple(_changes(before, _listing(self.root)))
        return Result(
            status=code,
            ended_by=ended_by,
            cpu=usage.ru_utime + usage.ru_stime - report.get("cpu", 0.0),
            wall=wall,
            peak=usage.ru_maxrss * 1024,
            out=_shown(self.logs / "out"),
            err=_shown(self.logs / "err"),
            crash=crash.read_text(encoding="utf-8", errors="replace") if crash.is_file() else "",
            stack=_shown(self.logs / "stack"),
            outside=tuple(report.get("outside", ())),
            canary=opened,
            written=tuple(c for c in changes if not c.startswith(("+tmp/", "+home/"))),
            left=(
                *(c for c in changes if c.startswith("+tmp/")),
                *((leftover,) if leftover else ()),
            ),
        )

    # What follows runs in the child.

    def _be_child(self, broken: Input) -> NoReturn:
        code = 70
        try:
            os.setsid()
            for number, name in ((0, None), (1, "out"), (2, "err")):
                path = os.devnull if name is None else self.logs / name
                fd = os.open(path, os.O_RDWR)
                os.dup2(fd, number)
                os.close(fd)
            os.chdir(self.project)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            self._set_environment()
            stack = (self.logs / "stack").open("w")
            _limit(stack)
            if broken.real:
                script = Path(sys.executable).with_name("gridpress")
                os.execv(script, [str(script), *broken.command])
            code = self._run_here(broken, stack)
        finally:
            os._exit(code)

    def _set_environment(self) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
        os.environ.clear()
        os.environ.update(
            kept | {"HOME": str(self.root / "home"), "TMPDIR": str(self.root / "tmp")}
        )
        tempfile.tempdir = None

    def _run_here(self, broken: Input, stack: io.TextIOWrapper) -> int:
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", "backslashreplace")
        sys.argv = ["gridpress", *broken.command]
        outside: list[str] = []
        _listen(outside, self.root)
        limits.bound_memory()  # as in the process of a command, whose temporary folder is cleared
        private = tempfile.mkdtemp(prefix="gridpress-", dir=self.root / "tmp")
        tempfile.tempdir = os.environ["TMPDIR"] = private
        used = resource.getrusage(resource.RUSAGE_SELF)
        status = run(list(broken.command))
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        done = list(dict.fromkeys(outside))
        report = {"status": status, "cpu": used.ru_utime + used.ru_stime, "outside": done}
        shutil.rmtree(private, ignore_errors=True)
        (self.logs / "report").write_text(json.dumps(report), encoding="utf-8")
        stack.close()
        return 0


def _warm() -> None:
    """Import all that commands import, so that no copy has to."""
    for name in COMMANDS:
        command = gridpress.get_command(None, name)  # type: ignore[arg-type]
        for part in getattr(command, "table", ()):
            command.get_command(None, part)  # type: ignore[union-attr, arg-type]
    for module in (
        *("generator.press", "generator.preflight.report", "generator.export.svg_to_pdf"),
        *("generator.games.chariot_dash.report", "openpyxl", "pikepdf", "typst"),
    ):
        __import__(module)
    gc.collect()
    gc.freeze()


def _limit(stack: io.TextIOWrapper) -> None:
    faulthandler.enable(stack)
    faulthandler.register(signal.SIGXCPU, stack, all_threads=False, chain=True)
    faulthandler.register(signal.SIGUSR1, stack, all_threads=True)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 3))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000_000, 400_000_000))


def _listen(outside: list[str], root: Path) -> None:
    """Note each file that Python opens outside of what is its business."""
    inside = tuple(
        f"{os.path.realpath(path)}/"
        for path in (
            *(root / "project", root / "tmp", root / "home", root / "logs", ROOT / "generator"),
            *(ROOT / "cards", ROOT / "fonts", ROOT / "templates", sys.prefix),
            *(sysconfig.get_paths()["stdlib"], "/usr/share/zoneinfo", "/proc/self/fd"),
        )
    )
    shared = ("/dev/shm/pym-", "/usr/share/fonts/")  # of multiprocessing, and where reportlab looks
    proc = "/proc/self/task"  # how many threads there are
    fine = (os.devnull, "/dev/urandom", "/etc/mime.types", str(ROOT), proc, os.path.realpath(proc))
    busy = False

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal busy
        if busy or event not in _TOLD:
            return
        busy = True
        try:
            path = arguments[0] if arguments else ""
            if event in _ALWAYS:
                outside.append(f"{event} {arguments!r}"[:200])
            elif isinstance(path, (str, bytes, os.PathLike)):
                real = os.path.realpath(os.fsdecode(path))
                if not f"{real}/".startswith((*inside, *shared)) and real not in fine:
                    outside.append(f"{event} {real}"[:200])
        finally:
            busy = False

    sys.addaudithook(hear)


_ALWAYS: Final = frozenset(("socket.connect", "subprocess.Popen", "os.system", "os.exec"))
_TOLD: Final = _ALWAYS | {
    *("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink"),
    *("os.truncate", "os.chmod", "os.listdir", "os.scandir", "shutil.rmtree", "os.utime"),
}


# From outside.


def _awaited(child: int) -> tuple[int, resource.struct_rusage, str]:
    """The end of a process, which is ended when it takes too long."""
    ended_by = ""
    pid = os.pidfd_open(child)
    try:
        ready, _, _ = select.select([pid], [], [], WALL_S)
        if not ready:
            ended_by = "the clock"
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGUSR1)
                time.sleep(0.5)
                os.killpg(child, signal.SIGKILL)
    finally:
        os.close(pid)
    _, status, usage = os.wait4(child, 0)
    return status, usage, ended_by


def _ended_group(child: int) -> str:
    """End what a run left running; what it was."""
    for patience in (0.0, 0.02, 0.2):
        time.sleep(patience)
        try:
            os.killpg(child, 0)
        except ProcessLookupError:
            return ""
    left = _group(child)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return left


def _group(leader: int) -> str:
    """The processes of a group, but those that have ended and nobody has asked after."""
    told = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, _, group = (path / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(group) == leader and state != "Z":
                told.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return "a process: " + ", ".join(told) if told else ""


def _shown(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_SAID).decode("utf-8", "replace")


def _secrets() -> Project:
    files = mini()
    named = {
        "secret.yaml": b"kind: token\ncomponents:\n  - {id: " + MARKER + b"}\n",
        "secret.txt": MARKER,
        "secret.csv": b"id,name\n" + MARKER + b",x\n",
        "secret": MARKER,
        "secret.svg": files["templates/mini/icons/star.svg"].replace(
            b"<g", b"<!--" + MARKER + b"--><g"
        ),
        "secret.png": files["cards/mini/art/field.png"] + MARKER,
        "secret.ttf": files["fonts/own/own.ttf"] + MARKER,
    }
    return {
        **named,
        "mini/manifest.json": b"{}",
        "cards/mini/pack.yaml": b"title: " + MARKER + b"\n",
    }


def _write(root: Path, files: Project) -> None:
    made: set[str] = set()
    top = os.fspath(root)
    for path, entry in files.items():
        full = f"{top}/{path}"
        folder = full.rpartition("/")[0]
        if folder not in made:
            _make_folder(folder)
            made.add(folder)
        with contextlib.suppress(OSError):  # a name too long for the disk is not there
            _write_one(full, entry)


def _make_folder(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:  # too long a path in one go
        return


def _write_one(full: str, entry: Entry) -> None:
    match entry:
        case bytes():
            with open(full, "wb") as file:
                file.write(entry)
        case Link():
            os.symlink(entry.target, full)
        case Special("fifo"):
            os.mkfifo(full)
        case Special("socket"):
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(full)
        case Special():
            os.makedirs(full, exist_ok=True)


def _clear(folder: Path) -> None:
    if os.path.lexists(folder):
        shutil.rmtree(folder)


def _listing(root: Path) -> dict[str, tuple[int, ...]]:
    """Everything below a folder but the logs: sort, size and time of each."""
    return dict(_listed(os.fspath(root), ""))


def _listed(folder: str, prefix: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{prefix}{entry.name}"
            if name == "logs":
                continue
            status = entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                yield name, (status.st_mode,)
                with contextlib.suppress(OSError):
                    yield from _listed(entry.path, f"{name}/")
            else:
                yield name, (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino)


def _changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """`+new`, `-gone` and `~changed`."""
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield ("+" if name not in before else "-" if name not in after else "~") + name


class _Watch:
    """Tells what was opened or changed in a folder, by whatever process: inotify."""

    def __init__(self, folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        mask = _IN_OPEN | _IN_MODIFY | _IN_CREATE | _IN_DELETE | _IN_MOVE
        folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
        for one in folders:
            libc.inotify_add_watch(self.fd, os.fsencode(one), mask)

    def events(self) -> tuple[str, ...]:
        """What happened since it was last asked."""
        found: list[str] = []
        while True:
            try:
                data = os.read(self.fd, 65536)
            except BlockingIOError:
                return tuple(dict.fromkeys(found))
            at = 0
            while at < len(data):
                _, mask, _, size = struct.unpack_from("iIII", data, at)
                name = data[at + 16 : at + 16 + size].rstrip(b"\0").decode("utf-8", "replace")
                found.append(f"{'opened' if mask & _IN_OPEN else 'changed'} {name or 'the folder'}")
                at += 16 + size

    def close(self) -> None:
        os.close(self.fd)
