"""Edits of texts: what they are, and when they are refused."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Final

from msgspec import Struct

from generator.codings import table_coding
from generator.edits import Change, edited, in_coding
from generator.studio.project_files import sort_of

MOST_TEXT: Final = 5_000_000
"""Bytes of a text; Gridpress reads no larger YAML either."""


class RefusedError(Exception):
    """An edit that cannot be made, in words for a person."""


class StaleError(RefusedError):
    """An edit of a text that has changed since; with the text as it is now."""

    def __init__(self, file: str, rev: int, text: str | None) -> None:
        super().__init__(f"{file} has changed: your view shows an older text")
        self.file, self.rev, self.text = file, rev, text


class TextState(StrEnum):
    """The state of a text, as compared with its file."""

    SAVED = "saved"
    UNSAVED = "unsaved"
    CONFLICT = "conflict"


class FileEdit(Struct, frozen=True):
    """An edit of one file: its whole text, or changes of its nodes. `rev` is the revision that was
    edited, None if it does not matter."""

    file: str
    rev: int | None = None
    text: str | None = None
    changes: tuple[Change, ...] | None = None


def text_digest(text: str | None) -> str | None:
    """Return the sha256 of a text in UTF-8, or None without a text."""
    return None if text is None else hashlib.sha256(encoded_text(text)).hexdigest()


def text_coding(content: bytes, file: str) -> str:
    """Return the coding of a file: tables come in other ones than UTF-8, too."""
    return (table_coding(content) if sort_of(file) == "table" else None) or "utf-8"


def encoded_text(text: str, coding: str = "utf-8") -> bytes:
    """Return a text as it is in its file. Raises UnfitEditError for characters outside its
    coding."""
    return text.encode(coding, "surrogatepass") if coding == "utf-8" else in_coding(text, coding)


def after_edit(edit: FileEdit, before: str | None) -> str | None:
    """Return the text after an edit. Raises RefusedError and UnfitEditError."""
    if edit.changes is not None:
        if before is None:
            raise RefusedError(f"{edit.file} does not exist")
        return edited(before, edit.file, edit.changes)
    text = edit.text
    if text is None or before is None:
        return text
    if len(text) > MOST_TEXT:
        raise RefusedError(f"{edit.file} is too large: more than 5 MB")
    if "\r\n" in before and "\r" not in text:  # editors in browsers know only \n
        text = text.replace("\n", "\r\n")
    return f"\ufeff{text}" if before.startswith("\ufeff") > text.startswith("\ufeff") else text
