"""Finds the lines of templates that call a helper or write a part of a face."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType, GeneratorType
from typing import Any, NamedTuple, cast

from jinja2 import Template

from generator.sandbox import BoundedEnvironment


class Site(NamedTuple):
    """A line of a template."""

    file: str
    line: int


def calling() -> Site | None:
    """Return the template line that called the current function, or None."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_template(frame):
            return _site(frame)
        frame = frame.f_back
    return None


def _is_template(frame: FrameType) -> bool:
    # Jinja leaves the template in the globals of its code.
    return "__jinja_template__" in frame.f_globals


def _site(frame: FrameType) -> Site:
    template = frame.f_globals["__jinja_template__"]
    return Site(frame.f_code.co_filename, template.get_corresponding_lineno(frame.f_lineno))


def sites_of_output(
    template: Template,
    context: Mapping[str, Any],
    offsets: Sequence[int],
    source_of: Callable[[str], str],
) -> list[Site]:
    """Return the template lines that write the characters at `offsets`, by running the template
    once more. `source_of` gives the text of a file."""
    environment = cast("BoundedEnvironment", template.environment)
    stream = template.root_render_func(template.new_context(dict(context)))
    with environment.budget.fresh(), _trailing(environment) as trail:
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
    """The output of a template so far, with the line that wrote each piece."""

    def __init__(self) -> None:
        super().__init__()
        self.sites: list[Site | None] = []

    def append(self, piece: str) -> None:
        self.add(piece, _site(sys._getframe(1)))

    def extend(self, pieces: Iterable[str]) -> None:
        site = _site(sys._getframe(1))
        for piece in pieces:
            self.add(piece, site)

    def add(self, piece: str, site: Site | None) -> None:
        super().append(piece)
        self.sites.append(site)

    def at(self, offset: int) -> tuple[Site | None, str, int]:
        """Return the line that wrote a character, the whole piece, and the character's place in
        it."""
        for piece, site in zip(self, self.sites, strict=True):
            if offset < len(piece):
                return site, piece, offset
            offset -= len(piece)
        return None, "", 0


class _Trail:
    """The texts of macros and blocks, and the pieces that they were joined from."""

    def __init__(self) -> None:
        self._joined: list[tuple[str, _Pieces]] = []

    def gathered(self, parts: Iterable[str]) -> _Pieces:
        """Write everything, with the lines that do it."""
        if isinstance(parts, _Pieces):
            return parts
        pieces = _Pieces()
        for piece in parts:
            pieces.add(piece, _site_of(parts))
        return pieces

    def join(self, parts: Iterable[str]) -> str:
        """Join pieces to a text that others will write as one piece."""
        pieces = self.gathered(parts)
        text = "".join(pieces)
        if text:
            self._joined.append((text, pieces))
        return text

    def innermost(self, written: _Pieces, offset: int) -> tuple[Site | None, str, int]:
        """Return the line that wrote a character first."""
        found = written.at(offset)
        for text, pieces in reversed(self._joined):  # what is inside was joined before
            if text == found[1]:
                inner = pieces.at(found[2])
                found = inner if inner[0] is not None else found
        return found


@contextmanager
def _trailing(environment: BoundedEnvironment) -> Iterator[_Trail]:
    trail = _Trail()
    before = environment.pieces, environment.join
    environment.pieces, environment.join = _Pieces, trail.join
    try:
        yield trail
    finally:
        environment.pieces, environment.join = before


def _site_of(stream: Iterable[str]) -> Site | None:
    """Return the template line that has just written something."""
    frame: FrameType | None = None
    inner: Any = stream
    while isinstance(inner, GeneratorType) and inner.gi_frame is not None:
        frame = inner.gi_frame
        # A block, or the template around it; or what is included, which Jinja calls so.
        inner = inner.gi_yieldfrom or frame.f_locals.get("gen")
    return _site(frame) if frame is not None and _is_template(frame) else None


def _line_inside(source: str, line: int, piece: str, offset: int) -> int:
    """Return the line of a character in literal text, which may span many lines and skip
    comments."""
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
