"""A helper that is called, or a character that was written, in; the template's line out.

The code of templates has their own files and lines (`generator.sandbox`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple, cast

from jinja2 import Template

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
    for many: look for it in the template."""
    start = sum(len(text) + 1 for text in source.split("\n")[: line - 1])
    at = source.find(piece, start)
    if at >= 0:
        return source.count("\n", 0, at + offset) + 1
    begin = piece.rfind("\n", 0, offset) + 1
    text = piece[begin:].split("\n", 1)[0].strip()
    at = source.find(text, start) if text else -1
    return source.count("\n", 0, at) + 1 if at >= 0 else line
