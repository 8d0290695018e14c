"""Reads files of a project, and finds the YAML files below a folder: bytes, text, paths out.

Whatever is in the way becomes a diagnostic.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import (
    Roots,
    TooLargeError,
    UnreadableError,
    device_refused,
    is_device,
    natural,
)

MAX_BYTES: Final = 5_000_000

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
# What YAML allows in a file, turned round, and the line ends that are none to an editor: places in
# the file would be counted otherwise. (Surrogates cannot come out of UTF-8.)
CONTROL: Final = re.compile(
    "[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)


def read_bytes(path: Path, shown: str, roots: Roots | None = None) -> bytes:
    """The content of an ordinary file of at most `MAX_BYTES`, below one of the roots; without any
    it stays in its own folder.

    Raises GridpressError (GP002, GP004, GP103).
    """
    span = Span(shown)
    try:
        return (roots or Roots((path.parent,))).read(path, MAX_BYTES)
    except UnreadableError as error:
        raise GridpressError(error.told(span, "the file")) from error
    except TooLargeError as error:
        hint = "split it into several files; pictures belong in files of their own"
        message = f"the file has {error.size / 1_000_000:.1f} MB, the most is 5 MB"
        raise _refused(span, "GP103", message, hint) from error


def read_text(path: Path, shown: str, roots: Roots | None = None) -> str:
    """The text of a UTF-8 file, with or without a byte order mark, as `read_bytes` reads it.

    Raises GridpressError (GP002, GP004, GP103, GP105; GP101 for control characters).
    """
    return text_in(read_bytes(path, shown, roots), shown)


def text_in(content: bytes, shown: str) -> str:
    """The text that some bytes are. Raises GridpressError as `read_text` does."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _refused(
            Span(shown), "GP105", "the file is UTF-16 text", f"save it {_as_utf8(shown)}"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GridpressError(_bad_byte(content, error, shown)) from error
    control = CONTROL.search(text)
    if control is None:
        return text
    span = span_at(text, control.start(), shown)
    if control[0] == "\0":
        hint = f"it may be UTF-16 or no text at all; save it {_as_utf8(shown)}"
        raise _refused(span, "GP105", "the file is not UTF-8 text: it has a zero byte", hint)
    name = f"U+{ord(control[0]):04X}"
    hint = "delete it; it may have come in by copying from another program"
    raise _refused(span, "GP101", f"the invisible character {name} stands here", hint)


def span_at(text: str, index: int, shown: str) -> Span:
    """Line and column, from 1, of a position in a text."""
    ends = [end.end() for end in _LINE_END.finditer(text, 0, index)]
    return Span(shown, len(ends) + 1, index - (ends[-1] if ends else 0) + 1)


def _bad_byte(content: bytes, error: UnicodeDecodeError, shown: str) -> Diagnostic:
    mark = 3 if content.startswith(b"\xef\xbb\xbf") else 0
    start = error.start if error.object is content else error.start + mark
    before = content[mark:start].decode("utf-8", "replace")
    byte = content[start : start + 1]
    hint = f"save the file {_as_utf8(shown)}"
    with contextlib.suppress(UnicodeDecodeError):
        hint += f"; in Windows-1252 (ANSI) the byte would be {byte.decode('cp1252')!r}"
    message = f"the file is not UTF-8 text: the byte {byte.hex().upper()} stands here"
    return Diagnostic(span_at(before, len(before), shown), "GP105", message, hint)


def _as_utf8(shown: str) -> str:
    """How to save a file so that it can be read."""
    if shown.lower().endswith((".csv", ".tsv", ".txt")):
        return 'from the spreadsheet as "CSV UTF-8", or as .xlsx, which is read as well'
    return "as UTF-8 in your editor"


def _refused(span: Span, code: str, message: str, hint: str = "") -> GridpressError:
    return GridpressError(Diagnostic(span, code, message, hint))


SUFFIXES: Final = (".yaml", ".yml")
MAX_FILES: Final = 2_000
"""YAML files below one folder of a pack."""


class Bounds(Struct, frozen=True):
    """The folders that may be read from, and how a path is shown to the user."""

    roots: Roots
    display: Callable[[Path], str]


def yaml_files(
    folder: Path, bounds: Bounds, skip: frozenset[Path] = frozenset()
) -> tuple[tuple[Path, ...], list[Diagnostic]]:
    """All YAML files below the folder except those in `skip`, and what could not be looked at."""
    found: list[Path] = []
    faults: list[Diagnostic] = []
    for entry in bounds.roots.walk(folder, skip=skip):
        if entry.fault is not None:
            what = "the folder" if entry.is_folder else "the file"
            faults.append(entry.fault.told(Span(bounds.display(entry.path)), what))
        elif is_device(entry.path.name):
            faults.append(device_refused(entry.path.name, Span(bounds.display(entry.path))))
        elif not entry.is_folder and entry.path.suffix.lower() in SUFFIXES:
            found.append(entry.path)
    if len(found) > MAX_FILES:
        message = f"there are more than {MAX_FILES:,} YAML files here"
        hint = "put components of one kind into one file"
        return (), [*faults, Diagnostic(Span(bounds.display(folder)), "GP110", message, hint)]
    return tuple(sorted(found, key=lambda path: _order(path.relative_to(folder)))), faults


def _order(path: Path) -> list[list[str | int]]:
    return [natural(part) for part in path.parts]
