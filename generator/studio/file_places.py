"""Keeps the texts of files that findings and faces name, and the places of their values."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from msgspec import Struct

from generator.codings import table_coding
from generator.diagnostics import Span
from generator.edits import CsvLookup, Place, Places, places, why_readonly
from generator.files import FileTooLargeError, UnreadableError
from generator.project import Project

_MAX_BYTES: Final = 5_000_000
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_TABLES: Final = (".csv", ".tsv")
_WITH_PLACES: Final = (".yaml", ".yml", *_TABLES)
ELSEWHERE: Final = "this file is not in your project: copy it there to change it"

NodePath = tuple[str | int, ...]
"""Keys and indices that lead to a value of a file."""


class WireFile(Struct, frozen=True):
    """A file as the page names it, and in words why it cannot be changed, "" if it can."""

    path: str
    readonly: str = ""


class _ReadFile(Struct, frozen=True):
    """A text and its places. `whole` are the places of the last text without a slip in it, and
    `paths` those that were looked up there."""

    text: str | None
    now: Places | None
    whole: Places | None
    paths: dict[tuple[int, int], NodePath]


class FilePlaces:
    """The files of a project as they are now. Values are looked for again only where a text has
    changed."""

    def __init__(self) -> None:
        self._project: Project | None = None
        self._files: dict[str, WireFile] = {}
        self._now: dict[str, _ReadFile] = {}
        self._last: dict[str, _ReadFile] = {}

    def look_at(self, project: Project) -> None:
        """Take the files of a project, with its unsaved texts, from now on."""
        self._project = project
        self._files.clear()
        self._now.clear()

    @property
    def project(self) -> Project:
        """Return the project; `look_at` has to be called before."""
        assert self._project is not None
        return self._project

    def file(self, shown: str) -> WireFile:
        """Return the file of a span."""
        if shown not in self._files:
            path = self.project.located(shown)
            self._files[shown] = WireFile(shown) if path is None else self.file_at(path)
        return self._files[shown]

    def file_at(self, path: Path) -> WireFile:
        """Return the file with a path."""
        root = self.project.root
        if not path.is_relative_to(root):
            return WireFile(self.project.display(path), ELSEWHERE)
        name = path.relative_to(root).as_posix()
        return WireFile(name, why_readonly(name))

    def text(self, shown: str) -> str | None:
        """Return the text of a file, None if it cannot be read."""
        return self._file(shown).text

    def of(self, shown: str) -> Places | None:
        """Return the places of the values in a file, None if it has none that are known."""
        return self._file(shown).now

    def last_whole(self, shown: str) -> Places | None:
        """Return the places as they were when the file could last be read, as components of a file
        with a slip stand as they were."""
        return self._file(shown).whole

    def last_path(self, span: Span) -> NodePath:
        """Return the path of a value of `last_whole`, or an empty one."""
        file, at = self._file(span.file), (span.line, span.column)
        if file.whole is not None and at not in file.paths:
            place = place_of(file.whole, span)
            file.paths[at] = () if place is None else place.path
        return file.paths.get(at, ())

    def _file(self, shown: str) -> _ReadFile:
        if shown not in self._now:
            text, last = self._read(shown), self._last.get(shown)
            if last is None or last.text != text:
                last = _read_again(shown, text, last)
            self._now[shown] = self._last[shown] = last
        return self._now[shown]

    def _read(self, shown: str) -> str | None:
        path = self.project.located(shown)
        try:
            content = b"" if path is None else self.project.roots.read(path, _MAX_BYTES)
        except (UnreadableError, FileTooLargeError):
            return None
        coding = table_coding(content) if shown.endswith(_TABLES) else None
        return None if path is None else content.decode(coding or "utf-8", "replace")


def _read_again(shown: str, text: str | None, last: _ReadFile | None) -> _ReadFile:
    if text is None or not shown.endswith(_WITH_PLACES):
        return _ReadFile(text, None, None, {})
    now = places(text, shown)
    if now.is_whole or last is None:
        return _ReadFile(text, now, now if now.is_whole else None, {})
    return _ReadFile(text, now, last.whole, last.paths)


def place_of(found: Places, span: Span) -> Place | None:
    """Return the value that a span is about: the innermost there, or the list or map around it that
    begins at the same place. A table's column is the number of a cell."""
    if isinstance(found, CsvLookup):
        return found.cell(span.line, span.column)
    inner = found.at(span.line, span.column)
    if inner is None or (inner.line, inner.column) == (span.line, span.column):
        return inner
    for depth in range(len(inner.path)):
        outer = found.of(inner.path[:depth])
        if depth and outer and (outer.line, outer.column) == (span.line, span.column):
            return outer
    return inner


def line_in(text: str | None, number: int) -> str:
    """Return a line of a text, or an empty one."""
    lines = [] if text is None else _LINE_END.split(text)
    return lines[number - 1] if 0 < number <= len(lines) else ""
