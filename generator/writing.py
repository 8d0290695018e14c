"""Texts by their files in, the files written out, or all as it was and a diagnostic."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from generator.diagnostics import Diagnostic, GridpressError, Span


def write_texts(texts: Mapping[Path, str], hint: str) -> tuple[Path, ...]:
    """Write the files, with the folders that they need; returns their paths.

    Raises GridpressError (GP702) with the hint when one cannot be written; what was written before
    it is taken back.
    """
    before: dict[Path, bytes | None] = {}
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            before[path] = path.read_bytes() if path.exists() else None
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            for written, content in before.items():
                _restore(written, content)
            message = f"the file cannot be written: {error.strerror or error}"
            raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, hint)) from error
    return tuple(texts)


def _restore(path: Path, content: bytes | None) -> None:
    with suppress(OSError):
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(content)
