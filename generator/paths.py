"""A path that an author wrote in, whether it stays inside the project out."""

from __future__ import annotations

import re
from typing import Final

from generator.diagnostics import Diagnostic, Span, plain

_DRIVE_OR_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def refusal(name: str, span: Span) -> Diagnostic | None:
    """GP004 for a path that is not a plain relative one; None when it may be looked up."""
    hint = "copy the file into the pack and name it from there, such as art/hero.png"
    if _DRIVE_OR_URL.match(name) or name.startswith(("/", "\\", "~")):
        return Diagnostic(span, "GP004", f"{name!r} is not inside the project", hint)
    if ".." in re.split(r"[/\\]", name):
        return Diagnostic(span, "GP004", f"{name!r} leaves its folder by ..", hint)
    if "\\" in name:
        hint = f"write {name.replace(chr(92), '/')!r}, which works on every system"
        return Diagnostic(span, "GP004", f"'{name}' has a \\ in it", hint)
    if not name.strip() or plain(name) != name:
        return Diagnostic(span, "GP004", f"{name!r} cannot be the name of a file")
    return None


def natural(name: str) -> list[str | int]:
    """A key that sorts `crew2` before `crew10`."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]
