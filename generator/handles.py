"""A folder and names below it in; an open file, or what the folder holds, out: never by a link.

Opened name by name from the folder's handle, so that nothing can be put in the way between a look
and the opening. Where a system has no such handles (Windows), the way is compared before and after.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from generator.diagnostics import Diagnostic, Span

_REASONS: Final = {
    errno.ENOENT: "it does not exist",
    errno.EACCES: "you have no permission to read it",
    errno.EPERM: "you have no permission to read it",
    errno.ELOOP: "it is a link that leads to itself",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EIO: "the disk reports an error",
}
# A reparse point of Windows that stands for another name: a link or a junction. Others, such as
# the files of a cloud folder that are fetched when they are opened, are files.
_NAME_SURROGATE: Final = 0x2000_0000
_BY_HANDLE: Final = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_FOLDER: Final = getattr(os, "O_DIRECTORY", 0)


class UnreadableError(Exception):
    """Why something is not read: the diagnostic's code, a reason that goes on from "the file …",
    and what to do."""

    def __init__(self, code: str, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.hint = hint

    def told(self, span: Span, what: str) -> Diagnostic:
        """The diagnostic at a place; `what` is called `the file`, `hero.png` or so."""
        return Diagnostic(span, self.code, f"{what} {self.reason}", self.hint)


def is_link(status: os.stat_result) -> bool:
    """True for a symbolic link, and for what Windows has of that kind: junctions too."""
    tag: int = getattr(status, "st_reparse_tag", 0)
    return stat.S_ISLNK(status.st_mode) or bool(tag & _NAME_SURROGATE)


def check_plain(status: os.stat_result, *, single: bool) -> None:
    """Raises UnreadableError for all but an ordinary file, and with `single` for one that has
    other names as well."""
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError("GP002", "is a folder; a file is needed here", "name a file")
    if not stat.S_ISREG(status.st_mode) or is_link(status):
        hint = "put the file itself there: no link, pipe or device"
        raise UnreadableError("GP002", "is not an ordinary file", hint)
    if single and status.st_nlink > 1:
        reason = "has a second name somewhere (a hard link), so it may be another's"
        raise UnreadableError("GP004", reason, "put a copy of it in its place")


def check_unchanged(before: Sequence[os.stat_result], after: Sequence[os.stat_result]) -> None:
    """Raises UnreadableError unless the folders on the way to a file, and the file, are the same
    as before it was opened, and none is a link: for systems that cannot open from a handle."""
    same = len(before) == len(after) and all(map(os.path.samestat, before, after))
    if not same or any(map(is_link, after)):
        raise _changed()


def open_file(root: Path, names: tuple[str, ...]) -> int:
    """A handle of what is to be an ordinary file, opened without waiting for it; what it is has
    to be looked at once more. Raises OSError and UnreadableError."""
    if not _BY_HANDLE:
        return _open_by_path(root, names)
    folder = _open_folder(root, names[:-1])
    try:
        name = names[-1] if names else "."
        check_plain(os.stat(name, dir_fd=folder, follow_symlinks=False), single=False)
        return os.open(name, _READ | _NO_LINK | _NO_WAIT, dir_fd=folder)
    finally:
        os.close(folder)


def _open_folder(root: Path, names: Sequence[str]) -> int:
    handle = os.open(root, _READ | _FOLDER)
    for name in names:
        try:
            # No name on the way was a link when the links were followed.
            if is_link(os.stat(name, dir_fd=handle, follow_symlinks=False)):
                raise _changed()
            step = os.open(name, _READ | _FOLDER | _NO_LINK, dir_fd=handle)
        finally:
            os.close(handle)
        handle = step
    return handle


def _open_by_path(root: Path, names: tuple[str, ...]) -> int:
    path = root.joinpath(*names)
    before = _chain(root, names)
    check_plain(before[-1], single=False)
    handle = os.open(path, _READ)
    try:
        check_unchanged(before, [*_chain(root, names)[:-1], os.fstat(handle)])
    except BaseException:
        os.close(handle)
        raise
    return handle


def _chain(root: Path, names: Sequence[str]) -> list[os.stat_result]:
    return [os.lstat(root.joinpath(*names[:count])) for count in range(1, len(names) + 1)] or [
        os.stat(root)
    ]


@contextlib.contextmanager
def scanned(root: Path, names: tuple[str, ...]) -> Iterator[Iterator[os.DirEntry[str]]]:
    """What a folder holds, while its handle is open. Raises OSError and UnreadableError."""
    if not _BY_HANDLE:
        before = _chain(root, names)
        with os.scandir(root.joinpath(*names)) as found:
            check_unchanged(before, _chain(root, names))
            yield found
        return
    handle = _open_folder(root, names)
    try:
        with os.scandir(handle) as found:
            yield found
    finally:
        os.close(handle)


@contextlib.contextmanager
def in_words() -> Iterator[None]:
    """Raises UnreadableError for what the operating system says."""
    try:
        yield
    except OSError as error:
        raise refused(error) from error
    except ValueError as error:  # a NUL, or what no file name can hold
        reason = "cannot be read: its name is not possible"
        raise UnreadableError("GP002", reason, "give it another name") from error


def refused(error: OSError) -> UnreadableError:
    """GP002 for a file or folder that the operating system refuses."""
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    hint = "look whether it is there, and whether you may read it"
    return UnreadableError("GP002", f"cannot be read: {reason}", hint)


def _changed() -> UnreadableError:
    hint = "try again when no other program changes the project"
    return UnreadableError("GP004", "became a link while it was opened", hint)
