"""The texts that are being edited: revisions, undo, saving, and conflicts with other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from generator.diagnostics import GridpressError
from generator.edits import UnfitEditError
from generator.project import Project
from generator.studio.edited_texts import (
    FileEdit,
    RefusedError,
    StaleError,
    TextState,
    after_edit,
    text_digest,
)
from generator.studio.journal import Journal, Unsaved
from generator.studio.text_files import TextFiles
from generator.studio.undo_steps import UndoSteps

OUTSIDE: Final = "outside"
RECOVERED: Final = "recovered"
RESOLVED: Final = "resolved"
"""Labels of steps that nobody made in the page, which has words for them."""


class _Open(Struct):
    """A text with its digest, and its file: `saved` is the digest of the file as it was last read
    or written."""

    text: str | None
    digest: str | None
    saved: str | None
    first: str | None
    theirs: str | None = None
    in_conflict: bool = False

    @property
    def state(self) -> TextState:
        if self.in_conflict:
            return TextState.CONFLICT
        return TextState.SAVED if self.digest == self.saved else TextState.UNSAVED


class Desk:
    """The texts of one project. Nothing here waits, and only `save` and `look_again` read or
    write more than they are asked for."""

    def __init__(self, project: Project, journal: Journal) -> None:
        self.project = project
        self.number = 1
        self._journal = journal
        self._open: dict[str, _Open] = {}
        self._revs: dict[str, int] = {}
        self._files = TextFiles(project)
        self._steps = UndoSteps()

    def rev(self, file: str) -> int:
        """Return the revision of a file."""
        return self._revs.get(file, 1)

    def state(self, file: str) -> TextState:
        """Return the state of a file."""
        return self._open[file].state if file in self._open else TextState.SAVED

    def text(self, file: str) -> str | None:
        """Return the text of a file as it is now, or None.

        Raises RefusedError if it is no text, or outside the project.
        """
        return self._opened(file).text

    def has(self, file: str) -> bool:
        """Return whether a file is in the project and has a text. Raises RefusedError for other
        content."""
        try:
            self._files.path(file)
        except RefusedError:
            return False
        return self.text(file) is not None

    def is_open(self, file: str) -> bool:
        """Return whether a text has been asked for."""
        return file in self._open

    def first_text(self, file: str) -> str | None:
        """Return the text that a file had when it was opened."""
        return self._opened(file).first

    def theirs(self, file: str) -> str | None:
        """Return the text that another program wrote, of a file in conflict."""
        return self._opened(file).theirs

    @property
    def unsaved(self) -> dict[str, str | None]:
        """Return the texts that are not in their files."""
        return {f: one.text for f, one in self._open.items() if one.state is not TextState.SAVED}

    @property
    def undo_label(self) -> str | None:
        """Return what undo would take back."""
        return self._steps.undo_label

    @property
    def redo_label(self) -> str | None:
        """Return what redo would do again."""
        return self._steps.redo_label

    def edit(self, edits: Sequence[FileEdit], label: str, join: str, now: float) -> tuple[str, ...]:
        """Make edits as one step of undo; return the files with other texts now.

        Raises StaleError and RefusedError, and UnfitEditError; then nothing is changed.
        """
        after: dict[str, str | None] = {}
        for one in edits:
            current = after[one.file] if one.file in after else self.text(one.file)
            if one.rev is not None and one.rev != self.rev(one.file):
                raise StaleError(one.file, self.rev(one.file), self.text(one.file))
            text = after[one.file] = after_edit(one, current)
            self._files.encoded(one.file, text or "")
        changed = {f: (self.text(f), new) for f, new in after.items() if new != self.text(f)}
        if not changed:
            return ()
        self._steps.add(changed, label, join, now)
        return self._set({file: new for file, (_, new) in changed.items()})

    def undo(self) -> tuple[str, ...]:
        """Take the last step back; return the files with other texts now."""
        return self._turned(self._steps.undo())

    def redo(self) -> tuple[str, ...]:
        """Do the last step again that was taken back."""
        return self._turned(self._steps.redo())

    def save(self) -> tuple[tuple[str, ...], str]:
        """Write what is unsaved; return the files whose state has changed, and why others could
        not be written. Changes by another program become a conflict."""
        changed, why = [], ""
        for file, one in self._open.items():
            if one.state is not TextState.UNSAVED:
                continue
            try:
                if self._is_overtaken(file, one):
                    one.in_conflict = True
                else:
                    self._write(file, one)
            except (OSError, GridpressError, RefusedError, UnfitEditError) as error:
                why = _words(error)
                continue
            changed.append(file)
        return tuple(changed), why

    def is_text(self, file: str) -> bool:
        """Return whether a file is a text of the project, and know it from now on."""
        try:
            return self.text(file) is not None
        except RefusedError:
            return False

    def note_new(self, files: Iterable[str]) -> None:
        """Take files that are not known yet for such that did not exist before."""
        for file in files:
            self._open.setdefault(file, _Open(None, None, None, None))

    def look_again(
        self, files: Iterable[str], label: str = OUTSIDE
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Look at files that were written, perhaps by another program.

        Return those with other texts now, and those in a conflict since.
        """
        taken: dict[str, tuple[str | None, str | None]] = {}
        quarrels: list[str] = []
        unread = []
        for file in dict.fromkeys(files):
            one = self._open.get(file)
            if one is None:
                unread.append(file)
                continue
            try:
                text = self._files.read(file)
            except RefusedError:
                continue
            if text_digest(text) == one.saved:
                continue
            if one.state is TextState.SAVED or text == one.text:
                if text != one.text:
                    taken[file] = one.text, text
                one.saved, one.in_conflict = text_digest(text), False
            else:
                one.theirs, one.in_conflict = text, True
                quarrels.append(file)
        for file in unread:
            self._revs[file] = self.rev(file) + 1
        if taken:
            self._steps.add(taken, label)
            self._set({file: new for file, (_, new) in taken.items()})
        elif unread:
            self.number += 1
        return (*taken, *unread), tuple(quarrels)

    def resolve(self, file: str, *, keeps_mine: bool, label: str) -> tuple[str, ...]:
        """End a conflict: the next saving writes our text over theirs, or their text is taken."""
        one = self._opened(file)
        if not one.in_conflict:
            raise RefusedError(f"{file} has no conflict any more")
        theirs, one.theirs, one.in_conflict = one.theirs, None, False
        one.saved = text_digest(theirs)
        if keeps_mine:
            return ()
        self._steps.add({file: (one.text, theirs)}, label)
        changed = self._set({file: theirs})
        self._journal.drop(file)
        return changed

    def recover(self) -> tuple[str, ...]:
        """Take up texts that were never saved, as a step that can be undone; return their files."""
        found: dict[str, tuple[str | None, str | None]] = {}
        for kept in self._journal.entries():
            try:
                one = self._opened(kept.file)
            except RefusedError:
                continue
            if one.text == kept.text:
                self._journal.drop(kept.file)
                continue
            if one.saved != kept.base:
                one.theirs, one.in_conflict = one.text, True
            found[kept.file] = one.text, kept.text
        if found:
            self._steps.add(found, RECOVERED)
            self._set({file: new for file, (_, new) in found.items()})
        return tuple(found)

    def _opened(self, file: str) -> _Open:
        if file not in self._open:
            text = self._files.read(file)
            self._open[file] = _Open(text, text_digest(text), text_digest(text), text)
        return self._open[file]

    def _is_overtaken(self, file: str, one: _Open) -> bool:
        text = self._files.read(file)
        if text_digest(text) in (one.saved, one.digest):
            return False
        one.theirs = text
        return True

    def _write(self, file: str, one: _Open) -> None:
        self._files.write(file, one.text)
        one.saved = one.digest
        self._journal.drop(file)

    def _turned(self, texts: Mapping[str, str | None]) -> tuple[str, ...]:
        return self._set(texts) if texts else ()

    def _set(self, texts: Mapping[str, str | None]) -> tuple[str, ...]:
        self.number += 1
        for file, text in texts.items():
            one = self._opened(file)
            one.text, one.digest = text, text_digest(text)
            self._revs[file] = self.rev(file) + 1
            if one.state is TextState.SAVED:
                self._journal.drop(file)
            else:
                self._journal.put(Unsaved(file, text, one.saved))
        return tuple(texts)


def _words(error: Exception) -> str:
    if isinstance(error, GridpressError):
        return error.diagnostics[0].message
    return getattr(error, "strerror", None) or str(error)
