"""Finds templates, and the line of one that calls a helper or wrote a character.

The code of templates has their own files and lines (`generator.sandbox`).
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple, cast

from jinja2 import BaseLoader, Environment, Template, TemplateNotFound

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.files import TooLargeError, UnreadableError, refusal
from generator.project import Project
from generator.sandbox import BoundedEnvironment, writing


class Site(NamedTuple):
    """A line of a template."""

    file: str
    line: int


def calling() -> Site | None:
    """The line of a template from which the function at work was called; None outside of one."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_template(frame):
            return _site(frame)
        frame = frame.f_back
    return None


def _is_template(frame: FrameType) -> bool:
    # Jinja2 leaves the template in the globals of the code that it compiles it to.
    return "__jinja_template__" in frame.f_globals


def _site(frame: FrameType) -> Site:
    return Site(frame.f_code.co_filename, frame.f_lineno)


def sites_of_output(
    template: Template,
    context: Mapping[str, Any],
    offsets: Sequence[int],
    source_of: Callable[[str], str],
) -> list[Site]:
    """The lines that write the characters at `offsets` of what the template writes, where
    `source_of` gives the text of a file.

    The template runs once more. What a macro or an included template writes is written by its own
    line, unless a filter has changed it since.
    """
    environment = cast("BoundedEnvironment", template.environment)
    stream = template.root_render_func(template.new_context(dict(context)))
    with environment.budget.fresh(again=True), _trailing(environment) as trail:
        written = trail.gathered(stream)
    found = []
    for offset in offsets:
        site, piece, inside = trail.innermost(written, offset)
        if site is None:
            found.append(Site(template.filename or "template", 1))
        else:
            line = _line_inside(source_of(site.file), site.line, piece, inside)
            found.append(Site(site.file, line))
    return found


class _Pieces(list[str]):
    """What a template has written so far, with the line that wrote each piece."""

    def __init__(self) -> None:
        super().__init__()
        self.sites: list[Site | None] = []

    def append(self, piece: str) -> None:
        """Keep what the code that calls this writes."""
        self.add(piece, _site(sys._getframe(1)))

    def extend(self, pieces: Iterable[str]) -> None:
        """Keep several pieces that the same line writes."""
        site = _site(sys._getframe(1))
        for piece in pieces:
            self.add(piece, site)

    def add(self, piece: str, site: Site | None) -> None:
        """Keep what a line has written."""
        super().append(piece)
        self.sites.append(site)

    def at(self, offset: int) -> tuple[Site | None, str, int]:
        """The line that wrote a character, all that it wrote, and the character's place in it."""
        for piece, site in zip(self, self.sites, strict=True):
            if offset < len(piece):
                return site, piece, offset
            offset -= len(piece)
        return None, "", 0


class _Trail:
    """The texts that macros and blocks have come to, in turn, and the pieces of each."""

    def __init__(self) -> None:
        self._joined: list[tuple[str, _Pieces]] = []

    def gathered(self, parts: Iterable[str]) -> _Pieces:
        """What is still to be written, written, with the lines that do it."""
        if isinstance(parts, _Pieces):
            return parts
        pieces = _Pieces()
        for piece in parts:
            pieces.add(piece, _site_of(parts))
        return pieces

    def note(self, text: str, pieces: list[str]) -> None:
        """Pieces have become a text, which others will write as one piece."""
        if text and isinstance(pieces, _Pieces):
            self._joined.append((text, pieces))

    def innermost(self, written: _Pieces, offset: int) -> tuple[Site | None, str, int]:
        """The line that wrote a character first."""
        found = written.at(offset)
        for text, pieces in reversed(self._joined):  # what is inside was joined before
            if text == found[1]:
                inner = pieces.at(found[2])
                found = inner if inner[0] is not None else found
        return found


@contextmanager
def _trailing(environment: BoundedEnvironment) -> Iterator[_Trail]:
    trail = _Trail()
    before = environment.pieces, environment.gathered, environment.note
    environment.pieces, environment.gathered, environment.note = (
        _Pieces, trail.gathered, trail.note,
    )  # fmt: skip
    try:
        yield trail
    finally:
        environment.pieces, environment.gathered, environment.note = before


def _site_of(stream: Iterable[str]) -> Site | None:
    frame = writing(stream)
    return _site(frame) if frame is not None and _is_template(frame) else None


def _line_inside(source: str, line: int, piece: str, offset: int) -> int:
    """Text that is written as it stands may begin after the line that Jinja2 knows of and go on
    for many: look for it in the template, then for its line, and for what follows and goes before
    in that, as there may be a comment or the like between, which is not written."""
    begins = [0, *itertools.accumulate(len(text) + 1 for text in source.split("\n"))]
    at = source.find(piece, begins[line - 1])
    if at >= 0:
        return source.count("\n", 0, at + offset) + 1
    begin = piece.rfind("\n", 0, offset) + 1
    before, after = piece[begin:offset], piece[offset:].split("\n", 1)[0]
    start = begins[min(line - 1 + piece.count("\n", 0, offset), len(begins) - 1)]
    looked_for = (before + after, after, before, after.partition("<")[0])
    for text in filter(None, map(str.strip, looked_for)):
        at = source.find(text, start)
        if at >= 0:
            return source.count("\n", 0, at) + 1
    return line


MAX_BYTES: Final = 1_000_000
MAX_NAMES: Final = 2_000
SUFFIX: Final = ".j2"
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
"""Jinja2 and editors end lines here, and at no other character."""


class TemplateFolders(BaseLoader):
    """Looks templates up in a pack's folders, nearest first, and knows where their lines are.

    A template that is there but may not or cannot be read raises GridpressError (GP002, GP004,
    GP302, GP306) at the template that asks for it, or at `asked_at` when it is none that asks.
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
        """A template's text and the name that a user knows its file by (Jinja2's protocol)."""
        found = self._look_up(template)
        if found is None:
            raise TemplateNotFound(template)
        return *found, lambda: True

    def identity(self, template: str) -> tuple[str, str] | None:
        """A template's text and the name of its file; None where there is none, or it cannot be
        read. It is the one that is drawn with: a file is read once."""
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
        """A place in a template: the word in that line, or where the line's text begins."""
        lines = self._lines.get(file, [])
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) if word else None
        column = found.start() if found else len(text) - len(text.lstrip())
        return Span(file, line, column + 1)

    def has(self, file: str, line: int, text: str) -> bool:
        """True when that line of a template holds the text."""
        lines = self._lines.get(file, [])
        return 0 < line <= len(lines) and text in lines[line - 1]

    def source(self, file: str) -> str:
        """The text of a template that was read."""
        return "\n".join(self._lines.get(file, []))

    def missing(self, name: str) -> str:
        """A hint for a template that is not there."""
        known = itertools.islice(self._names(), MAX_NAMES)
        return did_you_mean(name, known) or f"put it into {self._display(self.folders[0])}/"

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
        except TooLargeError as error:
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
