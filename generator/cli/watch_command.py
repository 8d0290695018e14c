"""`gridpress watch`: keeps packs open and prints what changes on each save."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct, field
from watchfiles import watch

from generator import limits
from generator.cache import flush
from generator.cli import options, terminal
from generator.cli.terminal import progress_bar
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.geometry import summed
from generator.project import (
    PACK_FILE,
    PARTS,
    PROFILE_FILE,
    Target,
    find_targets,
    here,
    workbooks_in,
)
from generator.workers import collect_now
from generator.writing import TargetFolder

if TYPE_CHECKING:
    from generator.build import Order, PackUpdate, PrintedFile, Session


_NAMED = 3
"""Faces or files that are named; more are counted."""


@click.command("watch")
@click.option("--open", "opens", is_flag=True, help="Also open the studio in the browser.")
@options.of_a_build
def watch_command(
    packs: tuple[str, ...], order: Order, output: TargetFolder, *, opens: bool
) -> int:
    """Print packs, and print again what changes on each save, until Ctrl-C.

    Without a PACK or FOLDER, every pack is watched, including new ones. Mistakes are reported as
    `check` and `build` report them; while a pack has errors, its last good build stays.
    """
    from generator.build import Session

    was_asked_to_end: Callable[[], bool] = click.get_current_context().obj

    def opened(target: Target) -> _WatchedPack:
        return _WatchedPack(lambda: Session(target, order), target, output, was_asked_to_end)

    with limits.at("", limits.ENDLESS):
        desk = _Desk(packs, opened)
        desk.lay_out()
        if desk.faults:
            raise GridpressError(*desk.faults)
        try:
            with _studio(packs) if opens else nullcontext():
                _watch(desk)
        finally:
            desk.close()
    return 0


@contextmanager
def _studio(packs: tuple[str, ...]) -> Iterator[None]:
    """Run `gridpress studio` of the first pack beside this."""
    import subprocess

    command = [sys.executable, "-m", "generator", "studio", *packs[:1]]
    # A session of its own, so that Ctrl-C reaches it once, from here.
    process = subprocess.Popen(  # noqa: S603, our own Python
        command,
        start_new_session=True,
        preexec_fn=_end_with_watch if os.name == "posix" else None,  # noqa: PLW1509, no thread yet
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _end_with_watch() -> None:
    limits.end_with_parent(signal.SIGTERM)


def _watch(desk: _Desk) -> None:
    """Print all packs, then print again after each save."""
    begins = not limits.start_again()  # else the pack still has what ended the process before
    if begins:  # before a thread makes starting processes slower
        desk.print()
        desk.tell()
    terminal.say("watching; Ctrl-C ends it")
    is_first, waits = True, False
    for saved in saves(desk.roots):
        if saved and not is_first and not are_finished(saved):
            waits = True  # for the next save, or until nothing more comes
        elif saved or waits:
            if begins or not is_first:
                desk.lay_out()
                desk.print()
                desk.tell_prints(silent=is_first)
            is_first, waits = False, False
        else:
            desk.tell()


class _Desk:
    """The watched packs: opened when they appear, closed when they are gone."""

    def __init__(self, names: tuple[str, ...], opened: Callable[[Target], _WatchedPack]) -> None:
        self._names = names
        self._opened = opened
        self._packs: dict[Target, _WatchedPack] = {}
        self._is_clear = True
        self._said: tuple[Diagnostic, ...] = ()
        self.faults: tuple[Diagnostic, ...] = ()

    def lay_out(self) -> None:
        """Find the packs. If that fails, keep the known ones and note the fault."""
        self.faults = ()
        try:
            targets = find_targets(self._names)
        except GridpressError as error:
            self.faults = error.diagnostics
            return
        for target in [target for target in self._packs if target not in targets]:
            terminal.say(f"{target.pack}: this pack is gone; its prints stay")
            self._packs.pop(target).close()
        self._packs = {t: self._packs.get(t) or self._opened(t) for t in targets}

    def roots(self) -> frozenset[Path]:
        """Return the folders where packs are or may appear."""
        projects = (target.project for target in self._packs)
        found = {root for project in projects for root in (project.root, project.shipped)}
        around = None if self._names else here()
        return frozenset(found if around is None else {*found, around})

    def print(self) -> None:
        """Print all packs."""
        self._is_clear = False
        for pack in self._packs.values():
            pack.print()

    def tell_prints(self, *, silent: bool) -> None:
        """Report what a save changed, but no mistakes yet: a file may be half written."""
        packs = self._packs.values()
        if not any(pack.has_news for pack in packs) and not silent:
            terminal.say(f"saved: the same prints ({summed(p.seconds for p in packs):.1f} s)")
        for pack in packs:
            if not pack.is_wrong:
                pack.tell()

    def tell(self) -> None:
        """Report everything, once nothing was saved for a moment."""
        if self.faults != self._said:
            terminal.show(self.faults)
            self._said = self.faults
        for pack in self._packs.values():
            pack.tell()
        terminal.point_to_explanation()
        if not self._is_clear:
            flush()
            collect_now()
            self._is_clear = True

    def close(self) -> None:
        """Close all packs."""
        for pack in self._packs.values():
            pack.close()


class _WatchedPack(Struct):
    """A pack, its last prints, and what is still to be reported about it."""

    opened: Callable[[], Session]
    target: Target
    output: TargetFolder
    was_asked_to_end: Callable[[], bool]
    seconds: float = 0.0
    is_wrong: bool = False
    has_news: bool = False
    _session: Session | None = None
    _said: tuple[Diagnostic, ...] | None = None
    _found: tuple[Diagnostic, ...] = ()
    _files: dict[str, str] = field(default_factory=dict)
    _changed: list[str] = field(default_factory=list)
    _printed: list[str] = field(default_factory=list)

    def print(self) -> None:
        """Look at the pack, and write its PDFs if it has no mistakes."""
        begun = monotonic()
        try:
            with limits.at(""), progress_bar(self.target.pack) as progress:
                self._session = self._session or self.opened()
                look = self._session.look(progress)
                printed = self._session.print(self.output, progress, terminal.note)
            self._found = printed.diagnostics
            self.is_wrong = not printed.value
            self._note(look, printed.value)
        except GridpressError as error:
            self._note_fault(error.diagnostics)
        except MemoryError:
            self.close()
            self._note_fault((limits.too_much_memory(self.target.pack),))
        except Exception as error:  # the next save may fix it
            if self.was_asked_to_end():
                raise
            self.close()  # its state is unknown
            self._note_fault((_broken_down(error, self.target),))
        self.seconds = monotonic() - begun

    def close(self) -> None:
        """Forget the open pack, but not what was reported about it."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _note_fault(self, found: tuple[Diagnostic, ...]) -> None:
        self._found, self.is_wrong = found, True
        self.has_news = bool(self._printed) or self._found != self._said

    def _note(self, look: PackUpdate, files: Sequence[PrintedFile]) -> None:
        if self._files:
            self._changed += [f"{face.component} {face.name}" for face in look.changed]
        now = {file.path.name: file.sha256 for file in files}
        self._printed += [name for name in now if self._files.get(name) != now[name]]
        if files:
            self._printed += [f"no {name} any more" for name in self._files if name not in now]
            self._files = now
        self.has_news = bool(self._printed) or self._found != self._said

    def tell(self) -> None:
        """Report what is new, once."""
        if not self.has_news:
            return
        name = self.target.pack
        if self._found != self._said:
            terminal.show(self._found)
        if self.is_wrong:
            told = f"not printed ({terminal.summary(self._found)})"
        elif self._printed:
            changed = f"{_listed(self._changed, 'faces')} changed; " if self._changed else ""
            told = f"{changed}printed {_listed(self._printed, 'files')}"
        else:
            told = "the same prints"
        terminal.say(f"{name}: {told} ({self.seconds:.1f} s)")
        self._said, self.has_news = self._found, False
        if not self.is_wrong:
            self._changed, self._printed = [], []


def _broken_down(error: Exception, target: Target) -> Diagnostic:
    """Return GP010 for a pack that Gridpress failed on."""
    log = terminal.write_crash_log(error, [target.pack])
    project = target.project
    span = Span(project.display(project.cards(target.pack) / PACK_FILE))
    message = f"Gridpress failed on this pack ({type(error).__name__}): a bug in Gridpress"
    return Diagnostic(
        span, "GP010", message, f"details are in {log}; please send that file with your report"
    )


def _listed(names: Sequence[str], what: str) -> str:
    names = list(dict.fromkeys(names))
    return ", ".join(names) if len(names) <= _NAMED else f"{len(names)} {what}"


_TOGETHER: Final = 50
"""Milliseconds between changes of one save."""
_MOST: Final = 2_000
"""Milliseconds after which changes are handled even if more keep coming."""
_QUIET: Final = 400
"""Milliseconds without a change that end a save: editors may first empty or remove a file, then
write it."""


def saves(roots: Callable[[], Iterable[Path]]) -> Iterator[frozenset[Path]]:
    """Yield the paths that were saved, renamed or removed together, and an empty set after each
    quiet moment.

    `roots` returns the projects' folders, which may change. When watching starts, and when a folder
    appears or disappears, all folders are yielded: earlier saves are unknown.
    """
    polls = False
    while True:
        wanted = _wanted(roots())
        places = _places(wanted)
        unknown = frozenset(wanted)
        try:
            for found in _seen([path for path in places if path.is_dir()], polls):
                if _wanted(roots()) != wanted or _places(wanted) != places:
                    break
                yield found | unknown
                unknown = frozenset()
        except FileNotFoundError:  # deleted meanwhile
            continue
        except OSError:  # the system limits how many folders are watched
            if polls:
                raise
            polls = True


def _wanted(roots: Iterable[Path]) -> list[Path]:
    return [
        root / name
        for root in sorted(set(roots))
        for name in (*PARTS, PROFILE_FILE, *workbooks_in(root))
    ]


def _seen(folders: list[Path], polls: bool) -> Iterator[frozenset[Path]]:
    found = watch(
        *folders,
        step=_TOGETHER,
        debounce=_MOST,
        rust_timeout=_QUIET,
        yield_on_timeout=True,
        force_polling=polls or None,  # otherwise as WATCHFILES_FORCE_POLLING says
        ignore_permission_denied=True,
    )
    for changes in found:
        yield frozenset(Path(path) for _, path in changes)


def are_finished(paths: Iterable[Path]) -> bool:
    """Return False if a file is empty or gone: its editor may be about to write it."""
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            return False
        if status.st_size == 0:
            return False
    return True


def _places(paths: Iterable[Path]) -> dict[Path, object]:
    """Return the paths that exist, each with a stamp that changes when the path is replaced or
    saved."""
    found: dict[Path, object] = {}
    for path in paths:
        with suppress(OSError):
            status = os.stat(path)
            stamp = () if path.is_dir() else (status.st_mtime_ns, status.st_size)
            found[path] = (status.st_dev, status.st_ino, *stamp)
    return found
