"""Prints and exports a pack for the studio: code of an errand."""

from __future__ import annotations

import os
from typing import Final, Protocol

import msgspec
from msgspec.structs import replace

from generator.build import Order, PrintRun, Session, StepProgress, lay_out
from generator.cache import user_cache
from generator.diagnostics import Diagnostic
from generator.model.catalogue import PrinterProfile
from generator.outlets import ExportOptions, export_pack
from generator.preflight import faults_on_pages
from generator.project import Project, Target
from generator.studio.answers import Answers
from generator.studio.errand_orders import ExportWanted, MadeFiles, PrintOrder
from generator.studio.last_print import last_printed
from generator.studio.messages import PackToOpen
from generator.studio.view import PagePlace, wire_rect
from generator.writing import TargetFolder, workshop

_MOST_JOBS: Final = 8


class PrintProgress(StepProgress, Protocol):
    """Told how far a print is, and which files can be looked at."""

    def ready(self, made: MadeFiles) -> None:
        """Take files that are written, though not yet in their place."""


def print_pack(pack: PackToOpen, wanted: PrintOrder, progress: PrintProgress) -> MadeFiles:
    """Print a pack, or what changed since somebody printed it. Raises GridpressError."""
    output = TargetFolder(pack.root, ("output",))
    folder, order = (output / pack.pack).path, _order(wanted)
    if not wanted.only_changed or (before := last_printed(folder, order.locale)) is None:
        return _printed(pack, order, output, progress)
    with workshop() as (scratch, _):
        laid_out = lay_out(_target(pack), order, scratch, progress)
    found = laid_out.value
    if found is None or not laid_out.ok:
        return MadeFiles(folder, (), _checked_findings(pack, order, laid_out.diagnostics))
    only = before.changed(found.opened.pack.prints, found.placed)
    if not only:
        return MadeFiles(folder, (), (), only)
    made = _printed(pack, replace(order, these=frozenset(only)), output, progress)
    return replace(made, only=only)


def export_for_outlet(pack: PackToOpen, wanted: ExportWanted, progress: StepProgress) -> MadeFiles:
    """Make the files of a pack for an outlet. Raises GridpressError."""
    output = TargetFolder(pack.root, ("output",))
    asked = ExportOptions(wanted.dpi, wanted.form, wanted.bleed, wanted.transparent, wanted.url)
    order = _order(wanted.order)
    made = export_pack(_target(pack), order, wanted.outlet, asked, output, progress)
    findings = _checked_findings(pack, order, made.diagnostics)
    if made.value is None:
        return MadeFiles(output.path, (), findings)
    folder = made.value.folder
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    files = tuple((name, 0) for name in names if (folder / name).is_file())
    return MadeFiles(folder, files, findings)


def _printed(
    pack: PackToOpen, order: Order, output: TargetFolder, progress: PrintProgress
) -> MadeFiles:
    """Print a pack as `press_pack` does, and tell of each print as soon as it is written."""
    folder, told = (output / pack.pack).path, Answers()
    with Session(_target(pack), order) as session, workshop() as (early, _):
        check = session.check()
        for part in session.print_early(early, progress):
            files = tuple((run.file_name, len(run.sheets)) for run in part.runs)
            progress.ready(MadeFiles(part.folder, files, ()))
        found = session.findings()
        if found:
            told.look_at(check, session.target.project)
            for update in session.draw():
                told.shown(update)
        printed = session.print(output, progress)
        profile = PrinterProfile() if check.opened is None else check.opened.profile
        places = _PagePlaces(session.pages, profile) if found else None
    findings = tuple(_as_json(told, one, places) for one in printed.diagnostics)
    return MadeFiles(folder, tuple((f.path.name, f.pages) for f in printed.value), findings)


def _checked_findings(
    pack: PackToOpen, order: Order, found: tuple[Diagnostic, ...]
) -> tuple[bytes, ...]:
    """Return findings as JSON, with their components and fields."""
    told = Answers()
    with Session(_target(pack), order) as session:
        if found:
            told.look_at(session.check(), session.target.project)
    return tuple(_as_json(told, one) for one in found)


class _PagePlaces:
    """Knows where on the pages of a print a fault of its sheets is."""

    def __init__(self, runs: tuple[PrintRun, ...], profile: PrinterProfile) -> None:
        self._faults = [
            (run.file_name, tuple(faults_on_pages(run.print_, run.paper, run.sheets, profile)))
            for run in runs
        ]

    def of(self, found: Diagnostic) -> tuple[PagePlace, ...]:
        """Return the places of a finding, and of others of the same cause."""
        places: list[PagePlace] = []
        for file, faults in self._faults:
            causes = {fault.cause for fault in faults if _is_same(fault.finding, found)}
            alike = (fault for fault in faults if fault.cause in causes)
            places += ((file, one.page, wire_rect(one.placed.finished)) for one in alike)
        return tuple(places)


def _is_same(one: Diagnostic, other: Diagnostic) -> bool:
    """Compare findings, and allow for a longer hint of one of them."""
    return (one.span, one.code, one.message) == (other.span, other.code, other.message)


def _as_json(told: Answers, found: Diagnostic, places: _PagePlaces | None = None) -> bytes:
    view = told.finding(found)
    if places is not None:
        view = replace(view, pages=places.of(found))
    return msgspec.json.encode(view, enc_hook=str)


def _target(pack: PackToOpen) -> Target:
    return Target(Project(pack.root, pack.shipped, around=pack.root), pack.pack)


def _order(given: PrintOrder) -> Order:
    return Order(
        papers=given.papers,
        backs=given.backs,
        players=given.players,
        ink=given.ink,
        locale=given.locale,
        jobs=min(os.cpu_count() or 1, _MOST_JOBS),
        cache=user_cache(),
    )
