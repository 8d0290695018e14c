"""Finds minus signs that Jinja reads as white-space control: `{{-b}}` prints b, not -b."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from generator.diagnostics import Diagnostic, Span, warning
from generator.files import FileTooLargeError, UnreadableError
from generator.project import Project

_LOST: Final = re.compile(r"\{\{-(?=[\w.(])([^}\n]{0,30})")
_COMMENT: Final = re.compile(r"\{#.*?#\}", re.S)
_MOST: Final = 1_000_000
_END: Final = ".j2"


def lost_signs(project: Project, pack: str) -> Iterator[Diagnostic]:
    """Yield GP311 for each such sign in a pack's own templates."""
    roots = project.roots
    folder = project.home(pack) / "templates" / pack
    for entry in roots.walk(folder):
        if entry.fault or not entry.path.name.endswith(_END):
            continue
        try:
            text = roots.read(entry.path, _MOST).decode("utf-8", "replace")
        except (UnreadableError, FileTooLargeError):
            continue  # told where it is drawn
        text = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        for found in _LOST.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            column = found.start() - text.rfind("\n", 0, found.start()) + 2
            name = found[1].strip()
            yield warning(
                Span(project.display(entry.path), line, column),
                "GP311",
                f"the minus sign in {{{{-{name}}}}} is lost",
                f"write {{{{ -{name} }}}} for the negative value, or {{{{- {name} }}}} to take "
                "away the blanks before it",
            )
