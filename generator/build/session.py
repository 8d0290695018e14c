"""A pack that stays open while its files are edited."""

from __future__ import annotations

import tempfile
from collections.abc import Container, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from generator import export, limits, writing
from generator.build.early_prints import EarlyPrints, PrintedPart
from generator.build.last_sound import Filled, LastSound
from generator.build.opening import in_locale_of, opened_files, read_files, sound_parts
from generator.build.order import Order, PrintedFile
from generator.build.pipeline import (
    StepProgress,
    deck_of,
    laid_out_faces,
    laid_out_sound_faces,
    not_by_chance,
    silent,
)
from generator.build.print_runs import LaidOut, PrintRun, as_known
from generator.build.printing import press_laid_out
from generator.build.shown_faces import ShownFaces
from generator.build.standing import Standing
from generator.build.updates import FaceName, FaceUpdate, PackCheck, PackUpdate
from generator.cache import InMemory
from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.export import Told, nobody
from generator.fonts import FontLibrary
from generator.load import Documents
from generator.model.face import Face
from generator.model.pack import Pack, uncopied
from generator.model.source import PackSource
from generator.project import Project, Target
from generator.render import Deck, DrawnFace, FaceTask, faces_to_draw
from generator.waivers import Waiving, naming_waivers
from generator.writing import TargetFolder

_MANY: Final = 40
"""New faces that another process draws, since they take much memory."""


class Session:
    """One pack of a project, open as `order` says. To be closed, or used as a context manager.

    `check` comes before `draw`; `look` does both, and lays out what `print` then writes. The
    methods are called one after another, from any thread. With `shows_unprinted`, `draw` also draws
    components without printed copies, without findings.
    """

    def __init__(self, target: Target, order: Order, *, shows_unprinted: bool = False) -> None:
        self.target = target
        self._shows_unprinted = shows_unprinted
        self._order = replace(order, cache=InMemory(order.cache))
        self._spoken = self._order
        self._unsaved: dict[Path, bytes] = {}
        documents = Documents(self._order.cache, lasting=True)
        self._standing = Standing(documents, self._order.cache)
        self._checked = PackCheck(())
        self._sound = LastSound()
        self._read: _Read | None = None
        self._table: _Table | None = None
        self._shown = ShownFaces()
        self._looks: dict[FaceName, str] = {}
        self._laid_out: Outcome[LaidOut | None] = Outcome(None)
        self._scratch = tempfile.TemporaryDirectory(prefix="gridpress-")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Clear away what was kept on the disk; pictures and fonts of the faces are gone then."""
        self._laid_out = Outcome(None)
        self._table = None
        self._standing = Standing()
        self._scratch.cleanup()

    @property
    def folder(self) -> Path:
        """Return the folder for files that faces need until they are printed."""
        return Path(self._scratch.name)

    def edit(self, path: Path, text: str | None) -> None:
        """Take the text of a file for this from now on; None: it is again what is saved.

        Raises UnreadableError for a path that leads out of the project.
        """
        real = self.target.project.roots.real(path)
        if text is None:
            self._unsaved.pop(real, None)
        else:
            self._unsaved[real] = text.encode("utf-8", "surrogatepass")

    def check(self) -> PackCheck:
        """Load and validate the files as they are now."""
        here, before = self.target.project, self._checked
        project = Project(here.root, here.shipped, dict(self._unsaved), here.around)
        target = replace(self.target, project=project)
        self._table, self._read = None, None
        try:
            with writing.at_work():
                self._spoken = in_locale_of(target, self._order)
                self._read, said = self._opened(target)
        except GridpressError as error:
            said = error.diagnostics
        self._laid_out = Outcome(None, said)
        if self._read is None:  # all stands as it was
            self._checked = replace(before, diagnostics=said)
            return self._checked
        opened, stale, _ = self._read.filled
        unprinted = self._tasks(opened.pack, unprinted=True)
        faces = (*self._tasks(opened.pack), *unprinted)
        old = frozenset(f for f in faces if uncopied(f.component) in stale.get(f.kind, ()))
        self._checked = PackCheck(said, opened, self._read.source, faces, old, frozenset(unprinted))
        self._shown.keep(frozenset(faces))
        return self._checked

    def _opened(self, target: Target) -> tuple[_Read | None, tuple[Diagnostic, ...]]:
        """Return a pack as its files are now, None if they cannot be read, and the findings."""
        read, said = read_files(target, self._spoken, self._standing)
        if read is None:
            return None, said
        checked, found = opened_files(read, self._spoken, self._standing, said)
        # A file that cannot be read stands as it was, but its lines are others now.
        gone = self._standing.documents.unreadable
        found = (*said, *(one for one in found[len(said) :] if one.span.file not in gone))
        has_errors = not Outcome(None, found).ok
        is_sound = checked.ok and read.source.complete
        opened, source, stale = checked.value, read.source, dict[str, frozenset[str]]()
        if has_errors and (stood := self._sound.with_stand_ins(source, opened.pack, found)):
            source, stale = stood  # one faulty component hides no others
            opened = sound_parts(replace(read, source=source), self._spoken)
        filled = self._sound.filled(opened, source, stale, has_errors=has_errors)
        return _Read(filled, read.source, is_order_wrong=is_sound and has_errors), found

    def draw(
        self, first: Sequence[FaceName] = (), only: Container[FaceName] | None = None
    ) -> Generator[FaceUpdate, None, None]:
        """Draw the faces of the last check: `first` these, then those that are as they were, then
        all others; or `only` some. Closing the iterator ends the drawing."""
        table = self._laid_table()
        if table is None:
            return
        wanted = [name for name in table.tasks if only is None or name in only]
        ahead = [name for name in first if name in table.tasks and (only is None or name in only)]
        later = []
        for name in dict.fromkeys(ahead):
            yield self._drawn(table, name, table.kept(name) or table.draw(name))
        for name in (name for name in wanted if name not in frozenset(ahead)):
            kept = table.kept(name)
            if kept is None:
                later.append(name)
            else:
                yield self._drawn(table, name, kept)
        new = [name for name in later if not self._shown.shows(name)]
        if len(new) >= _MANY:
            with writing.at_work(), closing(table.draw_apart(new)) as drawn:
                for name, face in zip(new, drawn, strict=False):
                    later.remove(name)
                    yield self._drawn(table, name, face)
        for name in later:
            yield self._drawn(table, name, table.draw(name))

    def findings(self) -> tuple[Diagnostic, ...]:
        """Return the findings of the last check, and those of the faces drawn since, each once. If
        all are drawn, the pack is laid out too, and these are the findings of a look."""
        said, table = self._checked.diagnostics, self._table
        if table is None:
            return said
        if len(table.drawn) < len(table.tasks):
            found = table.findings(Waiving(table.deck.pack.waivers))
            return (*said, *naming_waivers(found if self._checked.ok else not_by_chance(found)))
        try:
            with writing.at_work():
                self._laid_out = self._on_sheets(table)
        except GridpressError as error:
            self._laid_out = Outcome(None, (*said, *error.diagnostics))
        return self._laid_out.diagnostics

    def look(self, progress: StepProgress = silent) -> PackUpdate:
        """Look at the files as they are now, draw what they change, and lay out."""
        said = self.check().diagnostics
        try:
            with writing.at_work():
                table = self._all_drawn(progress)
                self._laid_out = self._on_sheets(table) if table else Outcome(None, said)
        except GridpressError as error:
            self._laid_out = Outcome(None, error.diagnostics)
        laid_out = self._laid_out
        if laid_out.value is None:
            return PackUpdate(laid_out.diagnostics)
        faces, runs = laid_out.value.faces, laid_out.value.runs
        before, now = self._looks, {FaceName.of(face): face.sha256 for face in faces}
        changed = tuple(f for f in faces if before.get(FaceName.of(f)) != f.sha256)
        # With errors, a face that cannot be drawn is not gone.
        self._looks = now if laid_out.ok else before | now
        gone = tuple(side for side in before if side not in self._looks)
        return PackUpdate(laid_out.diagnostics, faces, changed, gone, runs)

    def print_early(self, folder: Path, progress: StepProgress = silent) -> Iterator[PrintedPart]:
        """Draw the faces of the last check. Write those of a sound pack below `folder`, print by
        print; `findings` then says what is wrong, and `print` puts all files in place."""
        table, opened = self._laid_table(), self._checked.opened
        if table is not None and opened is not None and self._checked.ok:
            roots = opened.target.project.roots.also(self.folder)
            rest = table.deck, table.tasks, table.drawn, self._standing, table.fonts, roots
            yield from EarlyPrints(opened, self._spoken, *rest).write(folder, progress)
        self._all_drawn(silent)

    def picture(self, sha256: str, width: int) -> bytes | None:
        """Return a PNG of a face with its bleed, so many pixels wide, by the look that it has or
        lately had; None if it is not known any more, or a file of it has changed."""
        face = self._shown.of_look(sha256)
        if face is None or self._checked.opened is None:
            return None
        project = self._checked.opened.target.project
        with writing.at_work(), tempfile.TemporaryDirectory(dir=self.folder) as folder:
            return export.face_picture(
                face,
                self._standing.fonts(project),
                Path(folder),
                width=width,
                roots=project.roots.also(self.folder),
                cache=self._order.cache,
            )

    @property
    def pages(self) -> tuple[PrintRun, ...]:
        """Return what `print` would write."""
        return () if self._laid_out.value is None else self._laid_out.value.runs

    def print(
        self, output: Path | TargetFolder, progress: StepProgress = silent, told: Told = nobody
    ) -> Outcome[tuple[PrintedFile, ...]]:
        """Put the PDFs of the last look in place, as `press_pack` does."""
        laid_out = self._laid_out
        said = laid_out.diagnostics
        if laid_out.value is None or not laid_out.ok or (self._order.strict and said):
            return Outcome((), said)
        try:
            return press_laid_out(laid_out.value, said, self._spoken, output, progress, told)
        except GridpressError as error:
            return Outcome((), (*said, *error.diagnostics))

    def _laid_table(self) -> _Table | None:
        """Return the faces of the last check, to be drawn; None if there is no pack."""
        opened = self._checked.opened
        if self._table is None and opened is not None:
            opened = opened if self._checked.ok else as_known(opened)
            fonts = self._standing.fonts(opened.target.project)
            before = None if self._read is None else self._read.filled.before
            deck = deck_of(opened, self._spoken, self.folder, fonts, before=before)
            pack, check = opened.pack, self._checked
            tasks = {**self._tasks(pack), **self._tasks(pack, unprinted=True)}
            pictured = frozenset(filter(self._shown.shows, check.stale))
            drawable = {name: tasks[name] for name in tasks if name not in pictured}
            self._table = _Table(deck, fonts, drawable, {}, check.unprinted | check.stale)
        return self._table

    def _tasks(self, pack: Pack, *, unprinted: bool = False) -> dict[FaceName, FaceTask]:
        if unprinted and not self._shows_unprinted:
            return {}
        tasks = faces_to_draw(pack, self._spoken.asks_for, unprinted=unprinted)
        return {FaceName.of_side(*task): task for task in tasks}

    def _drawn(self, table: _Table, name: FaceName, drawn: DrawnFace) -> FaceUpdate:
        changed = drawn.face is not None and self._shown.show(name, drawn.face)
        table.drawn[name] = drawn
        if name in table.unprinted:
            return FaceUpdate(name, drawn.face, (), changed)
        found = table.deck.findings_of(table.tasks[name], drawn)
        found = found if self._checked.ok else not_by_chance(found)
        return FaceUpdate(name, drawn.face, found, changed)

    def _all_drawn(self, progress: StepProgress) -> _Table | None:
        """Draw all faces of the last check, in several processes if the order says so; None if the
        pack cannot be read or the order is wrong."""
        read, table = self._read, self._laid_table()
        if table is None or read is None or read.is_order_wrong:
            return None
        progress("drawing", 0, 0)
        tasks, jobs = tuple(table.tasks.values()), self._spoken.jobs
        drawn = table.deck.draw_all(
            tasks, jobs, lambda done, total: progress("drawing", done, total)
        )
        table.drawn = dict(zip(table.tasks, drawn, strict=True))
        for name, face in table.faces.items():
            self._shown.show(name, face)
        limits.allow(limits.COMPONENT * len(drawn))  # for what becomes of them in no step
        return table

    def _on_sheets(self, table: _Table) -> Outcome[LaidOut | None]:
        """Lay out the faces that are drawn."""
        check, order = self._checked, self._spoken
        assert check.opened is not None, "there are faces"
        waiving = Waiving(check.opened.pack.waivers)
        faces = Outcome(tuple(table.faces.values()), table.findings(waiving))
        rest = self.folder, self._standing, table.fonts
        if check.ok:
            return laid_out_faces(check.opened, faces, order, *rest, waiving, check.diagnostics)
        opened = as_known(check.opened)
        further = laid_out_sound_faces(opened, check.opened.pack, faces, order, *rest)
        return replace(further, diagnostics=(*check.diagnostics, *further.diagnostics))


class _Read(Struct, frozen=True):
    """The files of a check. If `is_order_wrong`, the pack itself is sound."""

    filled: Filled
    source: PackSource
    is_order_wrong: bool


class _Table(Struct):
    """The faces of one check, laid on a table to be drawn; `drawn` are those that are. Nothing is
    reported of `unprinted` ones, among them those of components with errors that have no picture
    yet, and they come on no sheet."""

    deck: Deck
    fonts: FontLibrary
    tasks: dict[FaceName, FaceTask]
    drawn: dict[FaceName, DrawnFace]
    unprinted: frozenset[FaceName]

    @property
    def faces(self) -> dict[FaceName, Face]:
        """Return the faces for the sheets that are drawn, in order."""
        drawn = ((name, self.drawn[name].face) for name in self._printed())
        return {name: face for name, face in drawn if face is not None}

    def findings(self, waiving: Waiving) -> tuple[Diagnostic, ...]:
        """Return the findings of the faces that are drawn, without what is waived."""
        drawn = ((self.tasks[name], self.drawn[name]) for name in self._printed())
        return self.deck.findings(drawn, waiving)

    def _printed(self) -> Iterator[FaceName]:
        """Yield the names of the faces for the sheets that are drawn, in order."""
        return (n for n in self.tasks if n in self.drawn and n not in self.unprinted)

    def kept(self, name: FaceName) -> DrawnFace | None:
        """Return a face that is as it was."""
        return self.deck.kept(self.tasks[name])

    def draw_apart(self, names: Sequence[FaceName]) -> Generator[DrawnFace, None, None]:
        """Draw faces in another process."""
        return self.deck.draw_apart([self.tasks[name] for name in names])

    def draw(self, name: FaceName) -> DrawnFace:
        """Draw a face."""
        with writing.at_work():
            return self.deck.draw(self.tasks[name])
