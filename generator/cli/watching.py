"""Folders of projects in; what was saved in them, each time that somebody did, out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from watchfiles import watch

from generator.project import PARTS, PROFILE_FILE

_TOGETHER: Final = 50
"""Milliseconds within which what is saved next belongs to the same save."""
_MOST: Final = 2_000
"""Milliseconds after which is told what was saved even if there is no end to it."""
_QUIET: Final = 400
"""Milliseconds without a change that are told of: no editor takes longer between emptying a file
and writing it, or between taking it away and putting another in its place."""


def saves(roots: Callable[[], Iterable[Path]]) -> Iterator[frozenset[Path]]:
    """The paths of what was saved, made, renamed or removed together; and an empty set whenever
    nothing was for a moment. `roots` tells the projects' folders, and may tell others later. When
    watching begins, and when a folder itself has come or gone, it is the folders: what was saved
    before somebody watched is not known."""
    polls = False
    while True:
        wanted = _wanted(roots())
        places = _places(wanted)
        unknown = frozenset(wanted)
        try:
            for found in _seen([path for path in places if path.is_dir()], polls):
                if _wanted(roots()) != wanted or _places(wanted) != places:
                    break
                yield found | unknown
                unknown = frozenset()
        except FileNotFoundError:  # gone since
            continue
        except OSError:  # the system watches no more folders than so many
            if polls:
                raise
            polls = True


def _wanted(roots: Iterable[Path]) -> list[Path]:
    names = (*PARTS, PROFILE_FILE)
    return [root / name for root in sorted(set(roots)) for name in names]


def _seen(folders: list[Path], polls: bool) -> Iterator[frozenset[Path]]:
    found = watch(
        *folders,
        step=_TOGETHER,
        debounce=_MOST,
        rust_timeout=_QUIET,
        yield_on_timeout=True,
        force_polling=polls or None,  # else as the environment says
        ignore_permission_denied=True,
    )
    for changes in found:
        yield frozenset(Path(path) for _, path in changes)


def are_finished(paths: Iterable[Path]) -> bool:
    """False when one of them is empty or gone: then its editor may be about to write it."""
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            return False
        if status.st_size == 0:
            return False
    return True


def _places(paths: Iterable[Path]) -> dict[Path, object]:
    """Those that are there, each with what is another when it was put in the place of itself, and
    for a file when it was saved."""
    found: dict[Path, object] = {}
    for path in paths:
        with suppress(OSError):
            status = os.stat(path)
            stamp = () if path.is_dir() else (status.st_mtime_ns, status.st_size)
            found[path] = (status.st_dev, status.st_ino, *stamp)
    return found
