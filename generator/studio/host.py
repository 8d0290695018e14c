"""One open project: joins the desk, the line to the session and the tabs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from generator.diagnostics import GridpressError
from generator.edits import SetValue
from generator.project import PACK_FILE, Project, shipped_root
from generator.studio.desk import RESOLVED, Desk
from generator.studio.drafts import Drafts, RecentPack, RecentPacks, moved_draft
from generator.studio.edited_texts import FileEdit, RefusedError, TextState
from generator.studio.errands import Errand
from generator.studio.hub import Hub
from generator.studio.jobs import Jobs, StudioJob
from generator.studio.journal import Journal
from generator.studio.line import Line
from generator.studio.messages import PackToOpen
from generator.studio.nursery import Nursery
from generator.studio.outside import changes_in
from generator.studio.pictures_of_pack import KeptPicture, keep_picture
from generator.studio.project_files import files_of_pack, packs_of, texts_of_pack
from generator.studio.telling import Telling

SAVES_AFTER: Final = 0.7
"""Seconds after the last edit."""
_IN_CONFLICT: Final = "a file was changed in another program too: choose a text first"


class Studio:
    """The open pack: its texts, and the last results of the session."""

    def __init__(self, journal_folder: Path, nursery: Nursery) -> None:
        self.hub = Hub()
        self._tell = Telling(self.hub)
        self._nursery = nursery
        self._journal_folder = journal_folder
        self.drafts = Drafts(journal_folder / "drafts")
        self.recent = RecentPacks(journal_folder / "recent.json")
        self._desk: Desk | None = None
        self._line: Line | None = None
        self._pack = ""
        self._saving: asyncio.TimerHandle | None = None
        self._is_written_to = False
        self._watching: asyncio.Task[None] | None = None
        self.jobs = Jobs(nursery, self._tell.job)

    @property
    def desk(self) -> Desk:
        """Return the desk of the open project. Raises RefusedError without one."""
        if self._desk is None:
            raise RefusedError("no project is open")
        return self._desk

    @property
    def line(self) -> Line:
        """Return the line to the session. Raises RefusedError without a pack."""
        if self._line is None:
            raise RefusedError("no pack is open")
        return self._line

    @property
    def root(self) -> Path | None:
        """Return the folder of the open project."""
        return None if self._desk is None else self._desk.project.root

    @property
    def pack(self) -> str:
        """Return the name of the open pack, or ""."""
        return self._pack

    def open(self, root: Path, pack: str = "") -> None:
        """Open a pack of a project, by default its first one.

        Raises GridpressError for a project that cannot be read, and RefusedError for a pack that it
        does not have.
        """
        project = Project(root.resolve(), shipped_root(), around=root.resolve())
        names = project.packs()
        if pack and pack not in names:
            raise RefusedError(f"{project.root.name} has no pack {pack!r}")
        before, is_untouched = self.root, self._desk is not None and not self._desk.undo_label
        self.close()
        if before is not None and before != project.root and is_untouched:
            self.drafts.drop(before)
        self._desk = Desk(project, Journal(self._journal_folder, project.root))
        recovered = self._desk.recover()
        self._pack = pack or (names[0] if names else "")
        is_draft = self.drafts.has(project.root)
        self._tell.about(self._desk, self._pack, recovered, is_draft=is_draft)
        self._watching = asyncio.create_task(self._watch(project.root))
        for file in texts_of_pack(project, self._pack):
            self._desk.is_text(file)  # what is known can be brought back by undo
        if self._pack:
            tell = self._tell
            self._line = Line(self._nursery, self.to_open(), tell.result, tell.fault, tell.worker)
            self._line.begin(self._desk.number, self._desk.unsaved)
            if not is_draft:
                title = dict(self.titles(project.root)).get(self._pack, self._pack)
                self.recent.note(RecentPack(str(project.root), self._pack, title))
        self._tell.all()

    def titles(self, root: Path) -> list[tuple[str, str]]:
        """Return the packs of a project and what people call them; none if it cannot be read."""
        with suppress(GridpressError, OSError):
            project = Project(root, shipped_root(), around=root)
            return [(one.name, one.title) for one in packs_of(project)]
        return []

    def keep(self, place: Path, title: str) -> None:
        """Move the open draft to a place, under a title. Raises RefusedError."""
        root, pack, desk = self.root, self._pack, self.desk
        if root is None or not self.drafts.has(root):
            raise RefusedError("this project is kept already")
        file = f"cards/{pack}/{PACK_FILE}"
        if title != dict(self.titles(root)).get(pack):
            change = SetValue(("title",), title)
            desk.edit([FileEdit(file, None, None, (change,))], title, "", 0.0)
        self._must_be_saved()
        self.close()
        try:
            moved_draft(root, place)
        except RefusedError:
            self.open(root, pack)
            raise
        self.open(place, pack)

    def close(self) -> None:
        """Save what is unsaved, and close the pack."""
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        if self._desk is not None:
            self._desk.save()
        if self._line is not None:
            self._line.close()
        if self._watching is not None:
            self._watching.cancel()
        self._desk = self._line = self._watching = None
        self._tell.closed()

    def end(self) -> None:
        """Close everything: the server ends."""
        self.close()
        self.jobs.close()
        self.hub.end()

    def first_events(self) -> list[bytes]:
        """Return the first events of a new tab."""
        return self._tell.first_events(self.jobs.all())

    def edit(
        self, edits: Sequence[FileEdit], label: str, join: str, tab: str
    ) -> tuple[int, dict[str, int]]:
        """Make edits; return their number and the files' revisions.

        Raises RefusedError, StaleError and UnfitEditError.
        """
        desk = self.desk
        known = {one.file for one in edits if desk.text(one.file) is not None}
        changed = desk.edit(edits, label, join, asyncio.get_running_loop().time())
        self._changed(changed, tab)
        if any(one.file not in known for one in edits):
            self.tell_files()
        return desk.number, {one.file: desk.rev(one.file) for one in edits}

    def turn(self, *, back: bool, tab: str) -> tuple[int, str | None]:
        """Undo or redo; return the number and what was undone or done again."""
        desk = self.desk
        label = desk.undo_label if back else desk.redo_label
        self._changed(desk.undo() if back else desk.redo(), tab)
        return desk.number, label

    def resolve(self, file: str, *, keeps_mine: bool) -> None:
        """End a conflict of a file."""
        changed = self.desk.resolve(file, keeps_mine=keeps_mine, label=RESOLVED)
        self._changed(changed or (file,), "")

    def upload(self, name: str, sort: str, content: bytes) -> KeptPicture:
        """Take a picture or icon into the pack. Raises UnfitPictureError and GridpressError."""
        kept = keep_picture(self.desk.project, self._pack, name, sort, content)
        self._look_again(self.desk, (kept.path,))
        return kept

    def start_job(self, sort: str, wanted: Any) -> StudioJob:
        """Print or export what is saved. Raises RefusedError while something cannot be saved."""
        self._must_be_saved()
        return self.jobs.start(sort, self.to_open(), wanted)

    def to_open(self) -> PackToOpen:
        """Return the pack for other processes to open. Raises RefusedError without one."""
        project = self.desk.project
        if not self._pack:
            raise RefusedError("no pack is open")
        return PackToOpen(project.root, project.shipped, self._pack)

    async def done(self, work: str, *given: Any) -> Any:
        """Return what an errand returns. Raises GridpressError."""
        return await Errand(self._nursery, work, given, lambda step: None).result()

    @contextmanager
    def outside_work(self, label: str) -> Iterator[None]:
        """Take what another process writes in this block as one step of undo. Raises RefusedError
        while something cannot be saved."""
        self._must_be_saved()
        desk = self.desk
        before = {file for file in self._paths() if desk.is_text(file)}
        self._is_written_to = True
        try:
            yield
        finally:
            self._is_written_to = False
            if desk is self._desk:
                desk.note_new(set(self._paths()) - before)
                self._take(desk, desk.look_again(self._paths(), label))

    def _paths(self) -> list[str]:
        return [one.path for one in files_of_pack(self.desk.project, self._pack) if one.is_own]

    def _must_be_saved(self) -> None:
        if not self.save():
            raise RefusedError(self._tell.save_fault or _IN_CONFLICT)

    def tell_files(self) -> None:
        """Tell all tabs which files there are."""
        self._tell.files()

    def save(self) -> bool:
        """Write what is unsaved now; return whether all is saved."""
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        if self._desk is None:
            return True
        changed, self._tell.save_fault = self._desk.save()
        for file in changed:
            self._tell.file(self._desk, file, "", with_text=False)
        saved = [file for file in changed if self._desk.state(file) is TextState.SAVED]
        if saved and self._line is not None:
            self._line.note_saved(saved)
        self._tell.save(is_saving=self._saving is not None)
        return not self._desk.unsaved

    async def _watch(self, root: Path) -> None:
        async with aclosing(changes_in(root)) as found:
            async for files in found:
                if self._desk is not None and not self._is_written_to:
                    self._tell.outside(self._desk, self._look_again(self._desk, files))

    def _look_again(self, desk: Desk, files: Iterable[str]) -> tuple[str, ...]:
        return self._take(desk, desk.look_again(file for file in files if _is_of_interest(file)))

    def _take(self, desk: Desk, found: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[str, ...]:
        changed, quarrels = found
        if not changed and not quarrels:
            return ()
        for file in (*changed, *quarrels):
            self._tell.file(desk, file, "", with_text=desk.is_open(file))
        if changed:
            self._give_line(desk, changed)
        self.tell_files()
        self._tell.undo()
        self._tell.save(is_saving=self._saving is not None)
        return changed

    def _changed(self, files: Iterable[str], tab: str) -> None:
        """Tell everyone of other texts, and save them in a moment."""
        desk, files = self.desk, tuple(files)
        if not files:
            return
        self._tell.no_fault()
        for file in files:
            self._tell.file(desk, file, tab)
        self._give_line(desk, files)
        self._tell.undo()
        if self._saving is not None:
            self._saving.cancel()
        self._saving = asyncio.get_running_loop().call_later(SAVES_AFTER, self.save)
        self._tell.save(is_saving=self._saving is not None)

    def _give_line(self, desk: Desk, files: Iterable[str]) -> None:
        """Have the session look at other texts; a file that is not open here is read anew."""
        if self._line is not None:
            opened = [file for file in files if desk.is_open(file)]
            texts = dict.fromkeys(files) | {file: desk.text(file) for file in opened}
            first = {file: desk.first_text(file) for file in opened}
            self._line.change(desk.number, texts, first)


def _is_of_interest(file: str) -> bool:
    """Return False for what editors write for themselves."""
    return not any(part.startswith(".") for part in file.split("/")) and not file.endswith("~")
