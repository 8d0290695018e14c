"""A helper that is called, or a character that was written, in; the template's line out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType, GeneratorType
from typing import Any, NamedTuple, cast

from jinja2 import Template

from generator.sandbox import BoundedEnvironment


class Site(NamedTuple):
    """A line of a template."""

    file: str
    line: int


class Call(NamedTuple):
    """A place in a template's compiled code; turned into a `Site` only when there is a fault."""

    template: Template
    code_line: int

    @property
    def site(self) -> Site:
        """The line of the template."""
        line = self.template.get_corresponding_lineno(self.code_line)
        return Site(self.template.filename or self.template.name or "template", line)


def calling() -> Call | None:
    """The place in a template from which the function at work was called; None outside of one."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        # Jinja2 leaves the template in the globals of the code that it compiles it to.
        template = frame.f_globals.get("__jinja_template__")
        if template is not None:
            return Call(template, frame.f_lineno)
        frame = frame.f_back
    return None


def calling_site() -> Site | None:
    """The line of the template that is at work; None outside of one."""
    call = calling()
    return None if call is None else call.site


def site_of_output(
    template: Template,
    context: Mapping[str, Any],
    offset: int,
    source_of: Callable[[str], str],
) -> Site:
    """The line that writes the character at `offset` of what the template writes, where
    `source_of` gives the text of a file.

    The template runs once more, up to that character. What a macro or an included template writes
    is written by the line that calls for it.
    """
    environment = cast("BoundedEnvironment", template.environment)
    stream = template.root_render_func(template.new_context(dict(context)))
    site, written = Site(template.filename or "template", 1), 0
    with environment.budget.fresh():
        for piece in stream:
            site = _site_of(cast("GeneratorType[str, None, None]", stream)) or site
            if written + len(piece) > offset:
                source = source_of(site.file)
                return Site(site.file, _line_inside(source, site.line, piece, offset - written))
            written += len(piece)
    return site


def _site_of(stream: GeneratorType[str, None, None]) -> Site | None:
    """Where a template stands that has just written something."""
    while isinstance(stream.gi_yieldfrom, GeneratorType):  # a block, or the template around it
        stream = stream.gi_yieldfrom
    frame: FrameType | None = stream.gi_frame
    if frame is None or "__jinja_template__" not in frame.f_globals:
        return None
    return Call(frame.f_globals["__jinja_template__"], frame.f_lineno).site


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
