"""An input in, what became of it out: it is run in a folder of its own, with limits on time and
memory, and watched from outside. Linux only.

Beside the project lies a folder that is none of its business, the canary, and the kernel tells who
opens anything in it.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from gridpress_chariot_dash.race import simulation

from fuzzing.corpus import PARTS, project
from fuzzing.folders import Watch, bait, bare, changes, clear, listing, screen_off, write
from fuzzing.inputs import RACES, Command, Input
from fuzzing.serving import (
    Ended,
    Report,
    Server,
    end_late,
    ended_group,
    enter,
    is_over,
    settle,
    surround,
)
from fuzzing.warming import race_here, warm

_SAID: Final = 2_000_000
_SOUND: Final[tuple[tuple[str, Command], ...]] = (
    *((base, ("check", ".")) for base in ("mini", *(f"mini-{p}" for p in PARTS), "scrap", "race")),
    ("race", ("track", "show", "./oval")),
    ("race", ("vehicle", "show", "./basic", "--trials", "0")),
)
"""What is carried out once, so that no copy has to read again what is the same in all projects.
Nothing races: the engine would be compiled for it, in a home that is cleared."""
_RACED: Final = tuple(("race", command) for command in RACES)
"""What is carried out where commands race, so that all of the engine is at hand."""
REAL_S: Final = 60
"""Seconds of CPU for each process of a command that is started as a person does it: the process
that watches it is to end it before."""


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
        self.is_screened = screen_off(self.root)
        self.project = self.root / "project"
        self.logs = self.root / "logs"
        self.logs.mkdir()
        self.canary = self.root / "canary"
        write(self.canary, bait())
        self.watch = Watch(self.canary)
        self.servers: dict[bool, Server] = {}
        """One for commands that race, and one for all others."""
        self.engine = simulation.engine_folder() or self.root / "logs"
        before = dict(os.environ)
        surround(self.root)
        warm(self._sound(_SOUND))
        os.environ.clear()
        os.environ.update(before)

    def _sound(self, some: Iterable[tuple[str, Command]]) -> Iterator[tuple[Path, Command]]:
        for base, command in some:
            clear(self.project)
            write(self.project, project(base))
            yield self.project, command

    def _have_engine(self) -> None:
        race_here(self.engine, self._sound(_RACED))

    def close(self) -> None:
        """Clear all away."""
        for races in list(self.servers):
            self._dismiss(races)
        self.watch.close()
        if self.is_screened:
            bare(self.root)
        shutil.rmtree(self.root, ignore_errors=True)

    def run(self, broken: Input, *, in_company: bool = False) -> Result:
        """Run an input and say what became of it: in a fresh copy of this process, or in one that
        has served others before it."""
        if not in_company:
            self._dismiss(broken.races)
        if broken.races and not broken.real and True not in self.servers:
            self.servers[True] = Server(self.root, self.servers.values(), self._have_engine)
        for name in {*os.listdir(self.root)} - {"canary", "logs"}:
            clear(self.root / name)
        for name in ("project", "tmp", "home"):
            (self.root / name).mkdir()
        write(self.project, broken.project)
        before = listing(self.root)
        self.watch.events()
        for name in ("out", "err", "stack"):
            (self.logs / name).write_bytes(b"")
        started = time.monotonic()
        if broken.real:
            end, leftover = self._started(broken.command)
        else:
            end, leftover = self._served(broken, in_company)
        wall = time.monotonic() - started
        opened = self.watch.events()
        crash = self.root / "home/.config/gridpress/crash.log"
        changed = tuple(changes(before, listing(self.root)))
        return Result(
            status=end.status if isinstance(end, Report) else None,
            ended_by="" if isinstance(end, Report) else end.by,
            cpu=end.cpu,
            wall=wall,
            peak=end.peak,
            out=_shown(self.logs / "out"),
            err=_shown(self.logs / "err"),
            crash=crash.read_text(encoding="utf-8", errors="replace") if crash.is_file() else "",
            stack=_shown(self.logs / "stack"),
            outside=end.outside if isinstance(end, Report) else (),
            canary=opened,
            written=tuple(c for c in changed if not c.startswith(("+tmp/", "+home/"))),
            left=(
                *(c for c in changed if c.startswith("+tmp/")),
                *((leftover,) if leftover else ()),
            ),
        )

    def _served(self, broken: Input, in_company: bool) -> tuple[Report | Ended, str]:
        """The end of a command in a copy of this process, and what it left running."""
        server = self.servers.get(broken.races) or Server(self.root, self.servers.values())
        self.servers[broken.races] = server
        end = server.carry_out(broken.command)
        go_on = in_company and isinstance(end, Report) and not end.spent
        return end, "" if go_on else self._dismiss(broken.races)

    def _dismiss(self, races: bool) -> str:
        """End a copy of this process; what it left running."""
        server = self.servers.pop(races, None)
        return server.close() if server else ""

    def _started(self, command: Command) -> tuple[Report | Ended, str]:
        """The same for a command that is started as a person does it."""
        child = os.fork()
        if not child:
            self._be_started(command)
        by = "" if is_over(child) else "the clock"
        if by:
            end_late(child)
        _, status, usage = os.wait4(child, 0)
        code = os.waitstatus_to_exitcode(status)
        cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        by = by or (f"signal {-code}" if code < 0 else "")
        left = ended_group(child)
        return (Ended(by, cpu, peak) if by else Report(code, cpu, peak, (), spent=True)), left

    def _be_started(self, command: Command) -> NoReturn:
        try:
            settle(self.root, REAL_S)
            enter(self.root)
            script = Path(sys.executable).with_name("gridpress")
            os.execv(script, [str(script), *command])
        finally:
            os._exit(70)


def _shown(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_SAID).decode("utf-8", "replace")
