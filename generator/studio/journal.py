"""Keeps unsaved texts on the disk, so that a studio that was killed offers them again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct


class Unsaved(Struct, frozen=True):
    """A text that is not in its file yet; `base` is the digest of the file that it began from."""

    file: str
    text: str | None
    base: str | None


class Journal:
    """The unsaved texts of one project, each in a file of its own."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder = folder / hashlib.sha256(os.fsencode(root)).hexdigest()[:16]

    def put(self, unsaved: Unsaved) -> None:
        """Keep a text. A full disk costs only the safety."""
        path = self._path(unsaved.file)
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = path.with_suffix(".new")
            new.write_bytes(msgspec.json.encode(unsaved))
            os.replace(new, path)

    def drop(self, file: str) -> None:
        """Forget a text: it is saved, or not wanted."""
        with suppress(OSError):
            self._path(file).unlink(missing_ok=True)

    def entries(self) -> Iterator[Unsaved]:
        """Yield the texts that are kept."""
        for path in sorted(self._folder.glob("*.json")):
            with suppress(OSError, msgspec.MsgspecError):
                yield msgspec.json.decode(path.read_bytes(), type=Unsaved)

    def _path(self, file: str) -> Path:
        name = hashlib.sha256(file.encode("utf-8", "surrogatepass")).hexdigest()[:24]
        return self._folder / f"{name}.json"
