"""The work of errands: code of their processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from generator import limits
from generator.build import Order, StepProgress, lay_out, press_pack
from generator.cache import flush, user_cache
from generator.diagnostics import Diagnostic, GridpressError
from generator.outlets import ExportOptions, export_pack
from generator.project import Project, Target
from generator.studio.crashes import be_silent, note_crash
from generator.studio.errand_orders import ExportWanted, MadeFiles, PrintOrder
from generator.studio.errands import WorkDone, WorkStep
from generator.studio.file_places import FilePlaces
from generator.studio.last_print import last_print
from generator.studio.messages import PackToOpen
from generator.studio.outlet_list import outlets_told
from generator.studio.start_work import look_drawn, pack_dressed, pack_started, table_imported
from generator.studio.view import finding_alone
from generator.workers import collecting_hardly
from generator.writing import TargetFolder, workshop

_OFTEN: Final = 0.1
"""Seconds between two steps that are told."""
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
_MOST_JOBS: Final = 8


def work_on_errand(line: Connection, work: str, given: tuple[Any, ...]) -> None:
    """Do the work, and tell how it goes. Code of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _interrupt)
    limits.end_with_parent(_KILL)
    be_silent()
    limits.limit_this_process()
    with suppress(OSError, KeyboardInterrupt):
        line.send(_done(work, given, _Telling(line)))
    flush()


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _done(work: str, given: tuple[Any, ...], progress: StepProgress) -> WorkDone:
    try:
        with limits.at(""), collecting_hardly():
            return WorkDone(_WORK[work](*given, progress))
    except GridpressError as error:
        return WorkDone(faults=error.diagnostics)
    except MemoryError:
        return WorkDone(faults=(limits.too_much_memory(limits.place()),))
    except Exception as error:  # a bug must not look like an end without an answer
        words = f"{type(error).__name__}, a bug in Gridpress; details are in {note_crash(error)}"
        return WorkDone(faults=(limits.broken_down("", words),))


class _Telling:
    """Tells the server each new step, and now and then how far it is."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._last: tuple[str, float] = ("", 0.0)

    def __call__(self, step: str, done: int, total: int) -> None:
        known, at = self._last
        if step != known or done == total or monotonic() - at > _OFTEN:
            self._last = step, monotonic()
            self._line.send(WorkStep(step, done, total))


def _print_pack(pack: PackToOpen, wanted: PrintOrder, progress: StepProgress) -> MadeFiles:
    output = TargetFolder(pack.root, ("output",))
    folder = (output / pack.pack).path
    order, only = _order(wanted), None
    if wanted.only_changed:
        only, found = _changed(pack, order, folder, progress)
        if only == ():
            return MadeFiles(folder, (), _told(pack, found), only)
        order = replace(order, only=None if only is None else ",".join(only))
    printed = press_pack(_target(pack), order, output, progress)
    files = tuple((file.path.name, file.pages) for file in printed.value)
    return MadeFiles(folder, files, _told(pack, printed.diagnostics), only)


def _changed(
    pack: PackToOpen, order: Order, folder: Path, progress: StepProgress
) -> tuple[tuple[str, ...] | None, tuple[Diagnostic, ...]]:
    """Return the components that changed since the last print, None for all, and the findings."""
    last = last_print(folder, order.locale)
    if last is None:
        return None, ()
    with workshop() as (scratch, _):
        laid_out = lay_out(_target(pack), order, scratch, progress)
    if laid_out.value is None or not laid_out.ok:
        return (), laid_out.diagnostics
    return last.changed(laid_out.value.placed), ()


def _export_pack(pack: PackToOpen, wanted: ExportWanted, progress: StepProgress) -> MadeFiles:
    output = TargetFolder(pack.root, ("output",))
    asked = ExportOptions(wanted.dpi, wanted.form, wanted.bleed, wanted.transparent, wanted.url)
    order = _order(wanted.order)
    made = export_pack(_target(pack), order, wanted.outlet, asked, output, progress)
    if made.value is None:
        return MadeFiles(output.path, (), _told(pack, made.diagnostics))
    folder = made.value.folder
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    files = tuple((name, 0) for name in names if (folder / name).is_file())
    return MadeFiles(folder, files, _told(pack, made.diagnostics))


def _target(pack: PackToOpen) -> Target:
    return Target(Project(pack.root, pack.shipped, around=pack.root), pack.pack)


def _order(given: PrintOrder) -> Order:
    jobs = min(os.cpu_count() or 1, _MOST_JOBS)
    return Order(
        given.papers, given.backs, given.players, given.only, given.ink, given.locale, jobs,
        given.strict, user_cache(),
    )  # fmt: skip


def _told(pack: PackToOpen, found: tuple[Diagnostic, ...]) -> tuple[bytes, ...]:
    files = FilePlaces()
    files.look_at(_target(pack).project)
    return tuple(msgspec.json.encode(finding_alone(one, files)) for one in found)


_WORK: Final[Mapping[str, Callable[..., Any]]] = {
    "outlets_told": outlets_told,
    "print": _print_pack,
    "export": _export_pack,
    "pack_started": pack_started,
    "pack_dressed": pack_dressed,
    "look_drawn": look_drawn,
    "table_imported": table_imported,
}
