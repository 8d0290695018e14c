"""Looks up the templates of a pack."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from jinja2 import BaseLoader, Environment, TemplateNotFound

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.files import FileTooLargeError, UnreadableError, refusal
from generator.project import Project
from generator.render.template_lines import calling

MAX_BYTES: Final = 1_000_000
SUFFIX: Final = ".j2"
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
"""Line ends of Jinja and editors."""


def _found_word(word: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)


class TemplateFolders(BaseLoader):
    """Looks up templates in a pack's folders, nearest first, and knows their lines.

    A template that cannot be read raises GridpressError (GP002, GP004, GP302, GP306) at the
    template that asks for it, or at `asked_at`.
    """

    def __init__(self, project: Project, pack: str, required: Iterable[str] = ()) -> None:
        self.folders = project.template_folders(pack, required)
        self.roots = project.roots
        self.asked_at = Span(pack)
        self._display = project.display
        self._lines: dict[str, list[str]] = {}
        self._found: dict[str, tuple[str, str] | None] = {}

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return a template's text and its displayed file name (Jinja's protocol)."""
        found = self._look_up(template)
        if found is None:
            raise TemplateNotFound(template)
        return *found, lambda: True

    def identity(self, template: str) -> tuple[str, str] | None:
        """Return a template's text and file name, read once; None if it is missing or
        unreadable."""
        try:
            return self._look_up(template)
        except GridpressError:
            return None

    def _look_up(self, template: str) -> tuple[str, str] | None:
        if template not in self._found:
            site = calling()
            place = self.asked_at if site is None else self.span(*site)
            path = self._find(template, place)
            if path is None:
                self._found[template] = None
            else:
                shown = self._display(path)
                source = self._read(path, shown, place)
                self._lines[shown] = _LINE_END.split(source)
                self._found[template] = source, shown
        return self._found[template]

    def span(self, file: str, line: int, word: str = "") -> Span:
        """Return the place of a word in a line, or of the line's first text."""
        lines = self._lines.get(file, [])
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        found = _found_word(word, text) if word else None
        column = found.start() if found else len(text) - len(text.lstrip())
        return Span(file, line, column + 1)

    def has(self, file: str, line: int, text: str) -> bool:
        """Return True if a line has this text as whole words."""
        lines = self._lines.get(file, [])
        return 0 < line <= len(lines) and _found_word(text, lines[line - 1]) is not None

    def is_own(self, file: str) -> bool:
        """Return True for a template in the pack's own folder."""
        return file.startswith(f"{self._display(self.folders[0])}/")

    def source(self, file: str) -> str:
        """Return the text of a template that was read."""
        return "\n".join(self._lines.get(file, []))

    def missing(self, name: str) -> str:
        """Return a hint for a missing template."""
        return did_you_mean(name, self._names()) or f"put it into {self._display(self.folders[0])}/"

    def _find(self, name: str, place: Span) -> Path | None:
        refused = refusal(name, place)
        if refused is not None:
            raise GridpressError(refused)
        try:
            return next(filter(self.roots.has_file, (f / name for f in self.folders)), None)
        except UnreadableError as error:
            raise GridpressError(error.told(place, f"the template {name!r}")) from error

    def _names(self) -> Iterator[str]:
        for folder in self.folders:
            for entry in self.roots.walk(folder):
                if entry.path.name.endswith(SUFFIX) and not entry.fault:
                    yield entry.path.relative_to(folder).as_posix()

    def _read(self, path: Path, shown: str, place: Span) -> str:
        try:
            content = self.roots.read(path, MAX_BYTES)
        except UnreadableError as error:
            raise GridpressError(error.told(place, f"the template {shown}")) from error
        except FileTooLargeError as error:
            message = "a template of more than 1 MB"
            hint = "keep drawings that large as pictures or icons"
            raise GridpressError(Diagnostic(Span(shown), "GP306", message, hint)) from error
        return _text(content, shown)


def _text(content: bytes, shown: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = "the template is not UTF-8 text"
        hint = "save it again in the encoding UTF-8"
        raise GridpressError(Diagnostic(Span(shown, line), "GP302", message, hint)) from error
