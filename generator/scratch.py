"""Folders that live as long as the process that made them, and locks that die with it.

A folder that a killed process left behind is known by three marks together: its name, a lock file
inside that nobody holds, and its owner. The system lets go of a lock when its process ends, however
it ends; so what can be locked is nobody's.
"""

from __future__ import annotations

import errno
import functools
import operator
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time
from types import TracebackType
from typing import Final, Self

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK_FILE: Final = ".gridpress-lock"
_FLAGS: Final = functools.reduce(
    operator.or_,
    (
        getattr(os, name, 0)  # each where the system has it
        for name in ("O_RDWR", "O_CREAT", "O_NOFOLLOW", "O_NONBLOCK", "O_TEMPORARY", "O_BINARY")
    ),
)
_BUSY: Final = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_TOKEN: Final = re.compile(r"[0-9a-f]{8}")
LONG_AGO: Final = 3600.0
"""Seconds after which a folder is nobody's, on disks that know no locks."""
_TRIES: Final = 100


class Lock:
    """A lock file that one process at a time holds; it is gone when the lock is."""

    def __init__(self, handle: int, path: Path, folder: int | None) -> None:
        self._handle = handle
        self._path = path
        self._folder = folder

    @classmethod
    def take(cls, path: Path, folder: int | None = None) -> Self | None:
        """The lock, or None while a living process holds it. With the handle of its folder, only
        the name in `path` counts.

        Raises OSError where there is no lock to be had: a disk that knows none, one that can only
        be read, a link or a folder in the place of the lock file.
        """
        path = path if folder is None else Path(path.name)
        for _ in range(_TRIES):
            handle = os.open(path, _FLAGS, 0o600, dir_fd=folder)
            try:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
                if not _locked(handle):
                    os.close(handle)
                    return None
                if _is_at(handle, path, folder):
                    return cls(handle, path, folder)
            except BaseException:
                os.close(handle)
                raise
            os.close(handle)  # who held it before has removed it meanwhile
        return None

    def release(self) -> None:
        """Let others have it, and remove its file."""
        with suppress(OSError):  # Windows removes it when it is closed
            os.unlink(self._path, dir_fd=self._folder)
        os.close(self._handle)


def _locked(handle: int) -> bool:
    """Lock a file if nobody else has. Raises OSError where that is not possible."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            return False
        raise
    return True


def _is_at(handle: int, path: Path, folder: int | None) -> bool:
    try:
        there = os.stat(path, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(there, os.fstat(handle))


class PrivateFolder:
    """A new folder for this process alone, `<parent>/<prefix><8 hex digits>`; `remove` ends it.

    Raises OSError when it cannot be made.
    """

    def __init__(self, parent: Path, prefix: str) -> None:
        for left in reversed(range(_TRIES)):
            path = parent / f"{prefix}{secrets.token_hex(4)}"
            try:
                path.mkdir(mode=0o700)
                self._lock = _lock_in(path)
            except (FileExistsError, FileNotFoundError):
                # the name is taken, or somebody who clears up was faster than our lock
                if left and parent.is_dir():
                    continue
                raise
            except OSError:
                remove_tree(path)
                raise
            self.path = path
            return

    def remove(self) -> None:
        """Remove it with all that is in it, as far as the system lets us; nothing through links."""
        if sys.platform == "win32" and self._lock is not None:
            self._lock.release()  # what is open cannot be removed there
            self._lock = None
        remove_tree(self.path)
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.remove()


def _lock_in(folder: Path) -> Lock | None:
    """The lock of a new folder; None on a disk that knows no locks."""
    try:
        lock = Lock.take(folder / LOCK_FILE)
    except FileNotFoundError:
        raise
    except OSError:
        (folder / LOCK_FILE).touch()  # still says whose folder this is; raises on a full disk
        return None
    if lock is None:  # somebody who clears up has it at this moment
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
    return lock


def clear_abandoned(parent: Path, prefix: str) -> None:
    """Remove the private folders in `parent` whose process is gone. What is not ours beyond doubt
    stays; so does what cannot be removed."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            rest = entry.name.removeprefix(prefix)
            if rest != entry.name and _TOKEN.fullmatch(rest) and is_own_folder(Path(entry.path)):
                _clear(Path(entry.path))


def is_own_folder(path: Path) -> bool:
    """True for a folder that is no link or junction, and belongs to this user."""
    try:
        told = path.lstat()
    except OSError:
        return False
    is_reparse = getattr(told, "st_reparse_tag", 0) != 0
    is_mine = not hasattr(os, "geteuid") or told.st_uid == os.geteuid()
    return stat.S_ISDIR(told.st_mode) and not is_reparse and is_mine


def _clear(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()  # killed before there was a lock: then nothing else is in it
        return
    if not os.path.lexists(folder / LOCK_FILE):
        return
    try:
        lock = Lock.take(folder / LOCK_FILE)
    except OSError:
        with suppress(OSError):
            if time() - folder.lstat().st_mtime > LONG_AGO:
                remove_tree(folder)
        return
    if lock is not None:
        if sys.platform == "win32":
            lock.release()
        remove_tree(folder)
        if sys.platform != "win32":
            lock.release()


def remove_tree(path: Path, folder: int | None = None) -> None:
    """Remove a folder with all that is in it, as far as the system lets us; links in it are
    removed, never followed, whatever changes meanwhile (where the system can promise that). The
    lock file goes last, so that what a killed process leaves is still known as ours.

    With the handle of a folder, its part in there of that name.
    """
    at = path if folder is None else Path(path.name)
    with suppress(OSError), _held(at, folder) as (names, handle):
        for name in names:
            inner = name if handle is not None else str(at / name)
            _remove(inner, handle)
            with suppress(OSError):
                os.unlink(inner, dir_fd=handle)
    _remove(at, folder)


def _remove(path: str | Path, folder: int | None) -> None:
    with suppress(RecursionError):  # folders a thousand deep, which none of ours are: they stay
        shutil.rmtree(path, ignore_errors=True, dir_fd=folder)


@contextmanager
def _held(path: Path, folder: int | None) -> Iterator[tuple[list[str], int | None]]:
    """What is in a folder but for the lock, and a handle of it, on systems that have such."""
    if sys.platform == "win32" or not shutil.rmtree.avoids_symlink_attacks:
        yield [name for name in os.listdir(path) if name != LOCK_FILE], None
        return
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    try:
        yield [name for name in os.listdir(handle) if name != LOCK_FILE], handle
    finally:
        os.close(handle)
