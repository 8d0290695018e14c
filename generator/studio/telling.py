"""Tells all tabs about the open project."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from generator.diagnostics import Diagnostic
from generator.studio.desk import Desk
from generator.studio.edited_texts import RefusedError, TextState
from generator.studio.hub import Hub, as_event
from generator.studio.jobs import StudioJob
from generator.studio.last_seen import LastSeen
from generator.studio.messages import FromWorker
from generator.studio.project_files import packs_of
from generator.studio.told_files import FileTold, all_files, one_file

_MOST_SENT: Final = 200_000
"""Characters of a text that is sent to all tabs."""


class Telling:
    """The knowledge of the tabs: the project, its texts, and the last results of the session."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._desk: Desk | None = None
        self._pack = ""
        self._is_draft = False
        self._recovered: tuple[str, ...] = ()
        self._seen = LastSeen()
        self._worker = {"state": "opening", "why": ""}
        self._is_saving = False
        self.save_fault = ""

    def about(self, desk: Desk, pack: str, recovered: tuple[str, ...], *, is_draft: bool) -> None:
        """Tell about a pack from now on."""
        self._desk, self._pack, self._is_draft = desk, pack, is_draft
        self._recovered, self._is_saving, self.save_fault = recovered, False, ""
        self._seen = LastSeen()

    def closed(self) -> None:
        """Tell about no project any more."""
        self._desk = None

    def first_events(self, jobs: Iterable[StudioJob]) -> list[bytes]:
        """Return the first events of a new tab."""
        told = [{"type": "job", "job": job} for job in jobs]
        return [*map(as_event, (self._hello(), *self._seen.events(), *told))]

    def all(self) -> None:
        """Tell everything but the jobs."""
        for event in (self._hello(), *self._seen.events()):
            self._hub.tell(event)

    def result(self, message: FromWorker) -> None:
        """Keep what the session says, and pass it on."""
        for event in self._seen.take(message):
            self._hub.tell(event)

    def fault(self, fault: Diagnostic) -> None:
        """Tell a fault of the session's process."""
        self._hub.tell(self._seen.add_fault(fault))

    def no_fault(self) -> None:
        """Take such a fault back."""
        for event in self._seen.drop_fault():
            self._hub.tell(event)

    def worker(self, state: str, why: str) -> None:
        """Tell the state of the session's process."""
        if self._worker != {"state": state, "why": why}:
            self._worker = {"state": state, "why": why}
            self._hub.tell({"type": "worker", "worker": self._worker})

    def job(self, job: StudioJob) -> None:
        """Tell of a job."""
        self._hub.tell({"type": "job", "job": job})

    def files(self) -> None:
        """Tell which files there are."""
        self._hub.tell({"type": "files", "files": self._listed()})

    def file(self, desk: Desk, file: str, tab: str, *, with_text: bool = True) -> None:
        """Tell of a file that a tab has changed, or the server."""
        text = None
        if with_text:
            try:
                text = desk.text(file)
            except RefusedError:
                text = None
        text = text if text is not None and len(text) <= _MOST_SENT else None
        event = {"type": "file", "file": one_file(desk, file), "text": text, "tab": tab}
        self._hub.tell(event)

    def outside(self, desk: Desk, files: Iterable[str]) -> None:
        """Tell which of the texts that the tabs know were changed by another program."""
        if texts := [file for file in files if desk.is_open(file)]:
            self._hub.tell({"type": "outside", "files": texts})

    def undo(self) -> None:
        """Tell what undo and redo would do."""
        self._hub.tell({"type": "undo", "undo": self._undo()})

    def save(self, *, is_saving: bool) -> None:
        """Tell whether all is saved, or will be in a moment."""
        self._is_saving = is_saving
        told = {"save": self._save_state(), "why": self.save_fault, "number": self._number}
        self._hub.tell({"type": "save", **told})

    @property
    def _number(self) -> int:
        return self._desk.number if self._desk else 0

    def _undo(self) -> dict[str, str | None]:
        if self._desk is None:
            return {"undo": None, "redo": None}
        return {"undo": self._desk.undo_label, "redo": self._desk.redo_label}

    def _save_state(self) -> str:
        desk = self._desk
        if desk is None or not desk.unsaved:
            return "saved"
        if any(desk.state(file) is TextState.CONFLICT for file in desk.unsaved):
            return "conflict"
        return "saving" if self._is_saving and not self.save_fault else "unsaved"

    def _hello(self) -> dict[str, Any]:
        project = self._desk.project if self._desk else None
        return {
            "type": "hello",
            "project": project and self._project(project.root),
            "packs": packs_of(project) if project else [],
            "pack": self._pack or None,
            "number": self._number,
            "files": self._listed(),
            "undo": self._undo(),
            "save": self._save_state(),
            "worker": self._worker,
            "recovered": self._recovered,
        }

    def _project(self, root: Path) -> dict[str, Any]:
        return {"name": root.name, "folder": str(root), "draft": self._is_draft}

    def _listed(self) -> list[FileTold]:
        return all_files(self._desk, self._pack) if self._desk and self._pack else []
