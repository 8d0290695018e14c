"""Folders that are written to: really there, no links, and held open while files are put in.

A project may come from a stranger, and any name in it may be a link to somewhere else. So a folder
is opened name by name, without following links, and all that is done in it is done by the handle:
who gives its name to something else meanwhile changes nothing. Systems without such handles
(Windows) look at the names before every step, which is the best there is.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path, PurePath
from typing import BinaryIO, Final

from msgspec import Struct

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import is_link
from generator.scratch import LOCK_FILE

_HANDLES: Final = sys.platform != "win32" and os.open in os.supports_dir_fd
_BINARY: Final = getattr(os, "O_BINARY", 0)
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_CAREFUL: Final = _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | _BINARY
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CAREFUL


class TargetFolder(Struct, frozen=True):
    """Where to write: a folder that the user named, which may be a link, and the names of folders
    below it, none of which may be one."""

    named: Path
    below: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The folder, as the user knows it."""
        return self.named.joinpath(*self.below)

    @classmethod
    def of(cls, folder: Path | TargetFolder) -> TargetFolder:
        """A path is a folder that the user named."""
        return folder if isinstance(folder, TargetFolder) else cls(folder)

    def __truediv__(self, name: str) -> TargetFolder:
        return TargetFolder(self.named, (*self.below, name))


class RealFolder:
    """A folder that is no link. Methods raise OSError when the disk refuses; names are names of
    files or folders in it, never paths."""

    def __init__(self, path: Path, handle: int | None) -> None:
        self.path: Final = path
        self.handle: Final = handle

    def close(self) -> None:
        """Let go of it."""
        if self.handle is not None:
            os.close(self.handle)

    def inner(self, name: str, *, make: bool = True) -> RealFolder:
        """A folder in this one. Raises GridpressError (GP705) when it is a link."""
        self._confirm()
        if make:
            with suppress(FileExistsError):
                os.mkdir(self._at(name), dir_fd=self.handle)
        told = self.look(name)
        if told is not None and is_link(told):
            raise is_a_link(self.path / name)
        if told is not None and not stat.S_ISDIR(told.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), name)
        return RealFolder(self.path / name, _handle(self._at(name), self.handle, _NO_FOLLOW))

    def look(self, name: str) -> os.stat_result | None:
        """What stands under a name, links not followed; None when nothing does."""
        try:
            return os.stat(self._at(name), dir_fd=self.handle, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def is_file(self, name: str) -> bool:
        """True for a file that is no link and nothing special."""
        told = self.look(name)
        return told is not None and stat.S_ISREG(told.st_mode) and not is_link(told)

    def names(self) -> list[str]:
        """All that is in it, sorted."""
        return sorted(os.listdir(self.path if self.handle is None else self.handle))

    def create(self, name: str) -> BinaryIO:
        """A new file, open for writing. Raises FileExistsError where anything stands already."""
        self._confirm()
        return os.fdopen(os.open(self._at(name), _NEW, 0o666, dir_fd=self.handle), "wb")

    def read(self, name: str) -> BufferedReader:
        """A file, open for reading; what is no plain file is an OSError."""
        handle = os.open(self._at(name), os.O_RDONLY | _CAREFUL, dir_fd=self.handle)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), name)
        return os.fdopen(handle, "rb")

    def move(self, name: str, folder: RealFolder, new: str) -> None:
        """Move a file into a folder (or this one), in the place of what has the new name there."""
        self._confirm()
        folder._confirm()
        source, target = self._at(name), folder._at(new)
        os.replace(source, target, src_dir_fd=self.handle, dst_dir_fd=folder.handle)

    def drop(self, name: str) -> None:
        """Remove a file, or a link itself."""
        self._confirm()
        os.unlink(self._at(name), dir_fd=self.handle)

    def drop_empty(self, name: str) -> None:
        """Remove a folder in which nothing is; what is more, or none, stays."""
        self._confirm()
        with suppress(OSError):
            os.rmdir(self._at(name), dir_fd=self.handle)

    def sync(self) -> None:
        """Have the disk keep the names in it, where the file system can do that."""
        if self.handle is not None:
            with suppress(OSError):
                os.fsync(self.handle)

    def is_there(self) -> bool:
        """False when its path leads to something else by now."""
        try:
            there = os.stat(self.path)
        except OSError:
            return False
        return self.handle is None or os.path.samestat(there, os.fstat(self.handle))

    def _at(self, name: str) -> str:
        return name if self.handle is not None else str(self.path / name)

    def _confirm(self) -> None:
        """Without a handle: look once more that this is no link."""
        if self.handle is None and is_link(os.lstat(self.path)):
            raise is_a_link(self.path)


@contextmanager
def opened(place: TargetFolder) -> Iterator[RealFolder]:
    """The folder of a place, made if need be; folders that were made and stay empty are removed.

    Raises OSError, and GridpressError (GP705) when a link stands in the way.
    """
    made = _missing(place)
    try:
        folder = _open(place)
        try:
            yield folder
        finally:
            folder.close()
    finally:
        with suppress(OSError):  # one that stays needs those around it, and what `..` is in
            for path in made:
                path.rmdir()


def _missing(place: TargetFolder) -> list[Path]:
    """The folders on its way that are not there, innermost first; none if the way is by a link."""
    below = [place.named.joinpath(*place.below[:count]) for count in range(len(place.below) + 1)]
    if any(path.is_symlink() for path in below[1:]):
        return []
    return [path for path in (place.path, *place.path.parents) if not os.path.lexists(path)]


def _open(place: TargetFolder) -> RealFolder:
    place.named.mkdir(parents=True, exist_ok=True)
    folder = RealFolder(place.named, _handle(str(place.named), None, 0))
    for name in place.below:
        outer = folder
        try:
            folder = outer.inner(name)
        finally:
            outer.close()
    return folder


def _handle(path: str, folder: int | None, no_follow: int) -> int | None:
    if sys.platform == "win32" or not _HANDLES:
        return None
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | no_follow, dir_fd=folder)


_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_HINTS: Final = {
    errno.EACCES: "you have no right to write there",
    errno.EPERM: "you have no right to write there",
    errno.EROFS: "that disk can only be read",
    errno.ENOTDIR: "a file stands where a folder should be: move it",
    errno.EEXIST: "something else stands there: move it",
    errno.EISDIR: "a folder stands where a file should be: move it",
    errno.ENAMETOOLONG: "the name is too long",
}
ELSEWHERE: Final = "choose another folder with -o"


def is_full(error: OSError) -> bool:
    """True when there is no room: the disk, the user's quota or the largest file allowed."""
    return error.errno in _FULL


_HELD_OPEN: Final = (32, 33)
"""Windows: another program has opened the file, or a part of it, for itself alone."""


def cannot_write(error: OSError, place: str, elsewhere: str = ELSEWHERE) -> GridpressError:
    """The error to raise when `place` (as the user knows it) could not be written; `elsewhere` is
    how to choose another."""
    what = error.strerror or str(error)
    if is_full(error):
        message = f"the disk is full ({what}); nothing was changed"
        hint = f"make room, or {elsewhere}"
        return GridpressError(Diagnostic(Span(place), "GP701", message, hint))
    if getattr(error, "winerror", None) in _HELD_OPEN:
        name = PurePath(str(error.filename or place)).name
        message = f"cannot be written: {name} is open in another program; nothing was changed"
        hint = f"close it there (a PDF viewer, for one) and build again, or {elsewhere}"
        return GridpressError(Diagnostic(Span(place), "GP702", message, hint))
    hint = f"{_HINTS.get(error.errno or 0, 'look at the folder')}, or {elsewhere}"
    return GridpressError(
        Diagnostic(Span(place), "GP702", f"cannot be written: {what}; nothing was changed", hint)
    )


def is_a_link(path: Path) -> GridpressError:
    """The error to raise when a link stands where something is to be written."""
    message = "this is a link: what is written here would go to another place; nothing was changed"
    hint = (
        "remove the link (what it leads to stays), or choose the folder to write to yourself: "
        "one that you name may be a link"
    )
    return GridpressError(Diagnostic(Span(str(path)), "GP705", message, hint))


def no_room_for_work(error: OSError) -> GridpressError:
    """The error to raise when the temporary folder is full."""
    folder = Path(tempfile.gettempdir())
    if (folder / LOCK_FILE).exists():  # a folder of this run alone, in the one that the user knows
        folder = folder.parent
    message = f"there is no room in the temporary folder ({error.strerror or error})"
    hint = "make room there, or have TMPDIR name a folder on another disk; nothing was changed"
    return GridpressError(Diagnostic(Span(str(folder)), "GP701", message, hint))


@contextmanager
def at_work() -> Iterator[None]:
    """While everything that is written goes to the temporary folder: a disk that is full is its."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise no_room_for_work(error) from error
        raise


@contextmanager
def workshop() -> Iterator[tuple[Path, Path]]:
    """A folder for work in progress and one for finished files, both temporary.

    Raises GridpressError when there is no room in it (GP701), or a name is too long (GP702).
    """
    with at_work(), tempfile.TemporaryDirectory(prefix="gridpress-") as folder:
        scratch, staged = Path(folder, "scratch"), Path(folder, "finished")
        scratch.mkdir()
        staged.mkdir()
        try:
            yield scratch, staged
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG and str(error.filename).startswith(folder):
                raise cannot_write(error, Path(error.filename).name) from error
            raise
