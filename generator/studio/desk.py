"""The texts that are being edited: revisions, undo, saving, and conflicts with other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from generator import writing
from generator.diagnostics import GridpressError
from generator.edits import UnfitEditError
from generator.files import FileTooLargeError, UnreadableError
from generator.project import Project
from generator.studio.edited_texts import (
    MOST_TEXT,
    FileEdit,
    RefusedError,
    StaleError,
    TextState,
    after_edit,
    encoded_text,
    text_coding,
    text_digest,
)
from generator.studio.journal import Journal, Unsaved

OUTSIDE: Final = "outside"
RECOVERED: Final = "recovered"
RESOLVED: Final = "resolved"
"""Labels of steps that nobody made in the page, which has words for them."""
_JOINS: Final = 2.0
"""Seconds after an edit until the same `join` begins another step."""
_MOST_STEPS: Final = 1_000


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


class _Step(Struct):
    """One step of undo: texts before and after."""

    label: str
    join: str
    at: float
    texts: dict[str, tuple[str | None, str | None]]


class Desk:
    """The texts of one project. Nothing here waits, and only `saved` and `looked_again` read or
    write more than they are asked for."""

    def __init__(self, project: Project, journal: Journal) -> None:
        self.project = project
        self.number = 1
        self._journal = journal
        self._open: dict[str, _Open] = {}
        self._revs: dict[str, int] = {}
        self._codings: dict[str, str] = {}
        self._done: list[_Step] = []
        self._undone: list[_Step] = []

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
            self.path(file)
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
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """Return what redo would do again."""
        return self._undone[-1].label if self._undone else None

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
            self._encoded(one.file, text or "")
        changed = {f: (self.text(f), new) for f, new in after.items() if new != self.text(f)}
        if not changed:
            return ()
        self._remember(changed, label, join, now)
        return self._set({file: new for file, (_, new) in changed.items()})

    def undo(self) -> tuple[str, ...]:
        """Take the last step back; return the files with other texts now."""
        return self._turn(self._done, self._undone, 0)

    def redo(self) -> tuple[str, ...]:
        """Do the last step again that was taken back."""
        return self._turn(self._undone, self._done, 1)

    def save(self) -> tuple[tuple[str, ...], str]:
        """Write what is unsaved; return the files whose state has changed, and why others could
        not be written. What another program wrote since becomes a conflict."""
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
                text = self._read(file)
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
            self._remember(taken, label, "", 0.0)
            self._set({file: new for file, (_, new) in taken.items()})
        elif unread:
            self.number += 1
        return (*taken, *unread), tuple(quarrels)

    def resolve(self, file: str, *, keeps_mine: bool, label: str) -> tuple[str, ...]:
        """End a conflict: the next saving writes our text over theirs, or their text is taken."""
        one = self._opened(file)
        if not one.in_conflict:
            raise RefusedError(f"{file} is in no conflict any more")
        theirs, one.theirs, one.in_conflict = one.theirs, None, False
        one.saved = text_digest(theirs)
        if keeps_mine:
            return ()
        self._remember({file: (one.text, theirs)}, label, "", 0.0)
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
            self._remember(found, RECOVERED, "", 0.0)
            self._set({file: new for file, (_, new) in found.items()})
        return tuple(found)

    def path(self, file: str) -> Path:
        """Return the path of a file of the project. Raises RefusedError for any other."""
        if not writing.is_plain_path(file):
            raise RefusedError(f"{file!r} is not a file of this project")
        try:
            real = self.project.roots.real(self.project.root / file)
        except UnreadableError as error:
            raise RefusedError(f"{file} {error.reason}") from error
        if not real.is_relative_to(self.project.root.resolve()):
            raise RefusedError(f"{file} is not in the project: it can only be read")
        return self.project.root / file

    def _opened(self, file: str) -> _Open:
        if file not in self._open:
            text = self._read(file)
            self._open[file] = _Open(text, text_digest(text), text_digest(text), text)
        return self._open[file]

    def _read(self, file: str) -> str | None:
        path = self.path(file)
        try:
            if not path.exists():
                return None
            content = self.project.roots.read(path, MOST_TEXT)
            coding = text_coding(content, file)
            text = content.decode(coding)
        except FileTooLargeError as error:
            raise RefusedError(f"{file} is too large to be edited here") from error
        except UnreadableError as error:
            raise RefusedError(f"{file} {error.reason}") from error
        except UnicodeDecodeError as error:
            raise RefusedError(f"{file} is not UTF-8 text: save it so in its program") from error
        if not content.isascii():  # else each coding would do
            self._codings[file] = coding
        return text

    def _encoded(self, file: str, text: str) -> bytes:
        return encoded_text(text, self._codings.get(file, "utf-8"))

    def _is_overtaken(self, file: str, one: _Open) -> bool:
        text = self._read(file)
        if text_digest(text) in (one.saved, one.digest):
            return False
        one.theirs = text
        return True

    def _write(self, file: str, one: _Open) -> None:
        root, text = self.project.root, one.text
        if text is None:
            self.path(file).unlink(missing_ok=True)
        else:
            writing.replace_files(root, {file: lambda: self._encoded(file, text)})
        one.saved = one.digest
        self._journal.drop(file)

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

    def _remember(
        self, texts: Mapping[str, tuple[str | None, str | None]], label: str, join: str, now: float
    ) -> None:
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if last is not None and join and last.join == join and now - last.at <= _JOINS:
            last.texts |= {f: (last.texts.get(f, (b, a))[0], a) for f, (b, a) in texts.items()}
            last.at = now
            return
        self._done.append(_Step(label, join, now, dict(texts)))
        del self._done[:-_MOST_STEPS]

    def _turn(self, source: list[_Step], target: list[_Step], side: int) -> tuple[str, ...]:
        if not source:
            return ()
        step = source.pop()
        step.join = ""
        target.append(step)
        return self._set({file: both[side] for file, both in step.texts.items()})


def _words(error: Exception) -> str:
    if isinstance(error, GridpressError):
        return error.diagnostics[0].message
    return getattr(error, "strerror", None) or str(error)
