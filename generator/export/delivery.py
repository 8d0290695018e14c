"""Finished files in a temporary folder in, the same files in the output folder out.

Delivery is the end of a press where the printed sheets come to lie. Here it is
all files or none: what fails half-way is undone, so the last good build stays whole. The
manifest comes last; what the one before it listed and the new one does not is removed.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from generator.export.faults import cannot_write, is_full
from generator.export.swap import Swap

MANIFEST: Final = "manifest.json"
_KEPT: Final = ".before"


@contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """A temporary folder on the disk of `folder`, beside it, that is gone in the end.

    Raises GridpressError when it cannot be made (GP702), or when what is written into it finds
    no room (GP701).
    """
    made = _missing(folder.parent)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        staged = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        _remove_empty(made)
        raise cannot_write(error, str(folder)) from error
    try:
        yield staged
    except OSError as error:
        if is_full(error) or str(error.filename).startswith(str(staged)):
            raise cannot_write(error, str(folder)) from error
        raise
    finally:
        shutil.rmtree(staged, ignore_errors=True)
        _remove_empty(made)


def publish(staged: Path, folder: Path) -> None:
    """Move the files of `staged` into `folder`, in the place of those of the build before.

    Raises GridpressError (GP701, GP702); the folder is then as it was.
    """
    made = _missing(folder)
    swap = Swap(staged / _KEPT)
    try:
        new = sorted(path for path in staged.iterdir() if path.is_file())
        for path in new:
            _sync(path)
        folder.mkdir(parents=True, exist_ok=True)
        _exchange(new, folder, swap)
    except BaseException as error:  # Ctrl-C too: half a build is worse than none
        swap.undo()
        _remove_empty(made)
        if isinstance(error, OSError):
            raise cannot_write(error, str(error.filename2 or folder)) from error
        raise
    with suppress(OSError):  # the moves stand; some file systems cannot sync a folder
        _sync(folder)


def publish_report(staged: Path, folder: Path, names: Sequence[str]) -> None:
    """Move only what says why nothing was printed into `folder`, beside the last good build.

    Raises GridpressError (GP701, GP702).
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (staged / name).replace(folder / name)
    except OSError as error:
        raise cannot_write(error, str(folder)) from error


def _exchange(new: list[Path], folder: Path, swap: Swap) -> None:
    names = {path.name for path in new}
    for name in sorted(_listed(folder / MANIFEST) - names):
        swap.take_away(folder / name)
    for path in sorted(new, key=lambda path: path.name == MANIFEST):
        swap.put(path, folder / path.name)


def _listed(manifest: Path) -> set[str]:
    """The PDFs that a manifest names, if it is one; only names, never paths."""
    try:
        files = json.loads(manifest.read_text(encoding="utf-8"))["files"]
        names = {str(file["file"]) for file in files}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {name for name in names if name.endswith(".pdf") and Path(name).name == name}


def _sync(path: Path) -> None:
    """Have the disk keep a file, or the names in a folder, even if the power fails now."""
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _missing(folder: Path) -> list[Path]:
    """The folders on the way to this one that are not there yet, innermost first."""
    return [path for path in (folder, *folder.parents) if not path.exists()]


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()
