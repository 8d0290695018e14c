"""A path that an author wrote in, whether it stays inside the project out."""

from __future__ import annotations

import re
from typing import Final

from generator.diagnostics import Diagnostic, Span, plain

_DRIVE_OR_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]) *(?:\.|$)", re.IGNORECASE)
"""Windows takes these for devices, in whatever folder and with whatever ending."""


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
        hint = "letters, digits, - and _ do on every system, and / between folders"
        return Diagnostic(span, "GP004", f"{name!r} cannot be the name of a file", hint)
    devices = filter(is_device, name.split("/"))
    return next((device_refused(device, span) for device in devices), None)


def is_device(name: str) -> bool:
    """True for the name of a file or folder that Windows takes for a device, such as `aux.yaml`."""
    return _DEVICE.match(name) is not None


def device_refused(name: str, span: Span) -> Diagnostic:
    """GP004 for such a name, on every system: a pack is for all of them."""
    message = f"{name!r} is a device on Windows: no file or folder there can have that name"
    return Diagnostic(span, "GP004", message, "call it otherwise, such as my-" + name)


def natural(name: str) -> list[str | int]:
    """A key that sorts `crew2` before `crew10`."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]
