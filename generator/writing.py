"""Writes files below folders that the user named, never through a link.

New files are written into a hidden folder beside the old ones, then moved into their place, the
manifest last. When a write is cut off, the digests in the manifest do not fit the files.
"""

from __future__ import annotations

import errno
import filecmp
import hashlib
import io
import json
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath, PurePosixPath
from time import sleep
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from generator import limits
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import is_link

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:  # most of those who write, write no PDF
    from pikepdf import Pdf

PREFIX: Final = ".gridpress-"
"""Begins the names of our hidden folders."""
_LONGEST: Final = 255
"""Bytes of a name."""
_FORBIDDEN: Final = frozenset("\0:\\" if os.name == "nt" else "\0")
_BUSY: Final = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_PAUSE: Final = 0.1
"""Seconds between two attempts to lock a folder."""
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_HINTS: Final = {
    errno.EACCES: "you are not allowed to write there",
    errno.EPERM: "you are not allowed to write there",
    errno.EROFS: "that disk is read-only",
    errno.ENOTDIR: "a file has the name of the folder: move it",
    errno.EEXIST: "something else has that name: move it",
    errno.EISDIR: "a folder has the name of the file: move it",
    errno.ENAMETOOLONG: "the name is too long",
}
_HELD_OPEN: Final = (32, 33)
"""Errors of Windows: another program has the file open."""
ELSEWHERE: Final = "choose another folder with -o"


class TargetFolder(Struct, frozen=True):
    """A folder that the user named, which may be a link, and folders below it, which may not."""

    named: Path
    below: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Return the folder, as the user knows it."""
        return self.named.joinpath(*self.below)

    @classmethod
    def of(cls, folder: Path | TargetFolder) -> TargetFolder:
        """Return a target for a path that the user named, or the target itself."""
        return folder if isinstance(folder, TargetFolder) else cls(folder)

    def __truediv__(self, name: str) -> TargetFolder:
        return TargetFolder(self.named, (*self.below, name))

    def refuse_links(self) -> None:
        """Raise GridpressError (GP705) if one of the folders below is a link."""
        _refuse_links(self.named, self.below)


@contextmanager
def made(place: TargetFolder) -> Iterator[Path]:
    """Make a folder; remove it again if it is still empty in the end.

    Raises OSError, and GridpressError (GP705) when a link is in the way.
    """
    place.refuse_links()
    missing = [path for path in (place.path, *place.path.parents) if not os.path.lexists(path)]
    place.path.mkdir(parents=True, exist_ok=True)
    try:
        yield place.path
    finally:
        with suppress(OSError):
            for path in missing:
                path.rmdir()


@contextmanager
def locked(folder: Path, waits: Callable[[], None]) -> Iterator[None]:
    """Hold a folder for this process alone, where its disk knows locks. `waits` is called once if
    another process holds it. The system releases the lock however the process ends."""
    if sys.platform == "win32":
        flags = os.O_RDWR | os.O_CREAT | os.O_TEMPORARY
        handle = os.open(folder / f"{PREFIX}lock", flags)
    else:
        handle = os.open(folder, os.O_RDONLY)
    try:
        has_waited = False
        while not _is_locked(handle):
            if not has_waited:
                waits()
            has_waited = True
            sleep(_PAUSE)
        yield
    finally:
        os.close(handle)


def _is_locked(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in _BUSY  # this disk knows no locks
    return True


Source = Path | Callable[[], bytes]
"""A file to copy, or a function that returns its content."""


def replace_files(
    folder: Path, files: Mapping[str, Source], gone: Collection[str] = (), last: str = ""
) -> None:
    """Write files below a folder, by their paths with `/`, in place of those that are there, and
    remove others. Files that are the same already stay as they are.

    Raises OSError, with the path of the file, and GridpressError (GP705) for a link. Until all
    files are written nothing changes. The file `last` comes last of all; when a move fails, or the
    process is killed, the new one stays in a hidden folder (see `leftovers`).
    """
    new: dict[str, Path] = {}
    hidden = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
    try:
        # deeper folders first, since files above may list theirs
        for name in sorted(files, key=lambda name: name.rpartition("/")[0], reverse=True):
            with _about(folder / name):
                before = _old_file(folder, name)
                made = _written(files[name], hidden / name)
                if before and filecmp.cmp(folder / name, made, shallow=False):
                    continue
                if before:
                    shutil.copymode(folder / name, made)
                new[name] = made
    except BaseException:
        shutil.rmtree(hidden, ignore_errors=True)
        raise
    for name in [name for name in new if name != last]:
        _move(new[name], folder / name)
    for name in gone:
        with _about(folder / name):
            (folder / name).unlink()
    _drop_empty(folder, gone)
    if last in new:
        _move(new[last], folder / last)
    shutil.rmtree(hidden, ignore_errors=True)


def _old_file(folder: Path, name: str) -> bool:
    """Return True if the file exists. Raises OSError where something else is in its way."""
    if not is_plain_path(name):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    _refuse_links(folder, name.split("/"))
    try:
        mode = (folder / name).lstat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EEXIST
        raise OSError(number, os.strerror(number))
    return True


def _written(source: Source, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(source, Path):
        shutil.copyfile(source, path)
    else:
        path.write_bytes(source())
    return path


def _move(new: Path, target: Path) -> None:
    with _about(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(new, target)


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Have an OSError name the file that the user knows."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def _drop_empty(folder: Path, names: Iterable[str]) -> None:
    """Remove the folders of files that are gone, if nothing else is in them."""
    ways = {str(way) for name in names for way in PurePosixPath(name).parents} - {"."}
    for way in sorted(ways, reverse=True):
        with suppress(OSError):
            (folder / way).rmdir()


def leftovers(folder: Path) -> list[Path]:
    """Return the hidden folders of writes that were cut off."""
    return [path for path in folder.glob(f"{PREFIX}*") if path.is_dir() and not path.is_symlink()]


def file_digest(place: TargetFolder, name: str) -> str | None:
    """Return the sha256 of a file below a folder; None if it cannot be read, is no file, or a link
    leads to it."""
    path = place.path / name
    try:
        _refuse_links(place.named, (*place.below, *name.split("/")))
        if not path.is_file():  # a pipe would be waited for
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError, GridpressError):
        return None


def _refuse_links(folder: Path, names: Iterable[str]) -> None:
    path = folder
    for name in names:
        path /= name
        with suppress(FileNotFoundError, NotADirectoryError):
            if is_link(path.lstat()):
                raise is_a_link(path)


def is_plain_path(path: str) -> bool:
    """Return True for a path to a file in a folder or below it, by no hidden folder."""
    *way, name = path.split("/")
    return _is_plain(name) and all(_is_plain(part) and part[0] != "." for part in way)


def _is_plain(name: str) -> bool:
    try:
        length = len(os.fsencode(name))
    except UnicodeEncodeError:
        return False
    is_path = PurePath(name).name != name or name in ("", "..") or not _FORBIDDEN.isdisjoint(name)
    return not is_path and length <= _LONGEST and not name.startswith(PREFIX)


def write_files(
    root: Path, files: Mapping[Path, str | Callable[[], bytes]], hint: str
) -> tuple[Path, ...]:
    """Write files below `root`, which the user named, with the folders that they need, and return
    their paths.

    Raises GridpressError with the hint: GP701 or GP702 when one cannot be written, GP705 when one,
    or a folder below `root`, is a link.
    """
    sources: dict[str, Source] = {}
    for path, content in files.items():
        encoded = content.encode if isinstance(content, str) else content
        sources[path.relative_to(root).as_posix()] = encoded
    try:
        with made(TargetFolder(root)):
            replace_files(root, sources)
    except OSError as error:
        raise cannot_write(error, str(root), hint) from error
    return tuple(files)


def write_named(path: Path, content: bytes | Path, hint: str, what: str = "file") -> None:
    """Write a file that the user named, which may be a link or a device, into an existing folder.
    `what` is its name in messages.

    Raises GridpressError (GP701, GP702) with the hint when it cannot be written.
    """
    source = content if isinstance(content, Path) else lambda: content
    with _reported(path, hint, what):
        target = path.resolve()
        if path.exists() and not path.is_file():
            with target.open("wb") as file:
                file.write(source.read_bytes() if isinstance(source, Path) else source())
        else:
            replace_files(target.parent, {target.name: source})


def must_be_writable(path: Path, hint: str, what: str = "file") -> None:
    """Raise before long work what `write_named` would raise after it."""
    with _reported(path, hint, what):
        if path.is_file() or not path.exists():
            os.rmdir(tempfile.mkdtemp(prefix=PREFIX, dir=path.resolve().parent))


@contextmanager
def _reported(path: Path, hint: str, what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise cannot_write(error, str(path.parent), hint) from error
        message = f"the {what} cannot be written: {error.strerror or error}"
        raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, hint)) from error


def is_full(error: OSError) -> bool:
    """Return True when there is no room: the disk, the user's quota or the largest file allowed."""
    return error.errno in _FULL


def cannot_write(error: OSError, place: str, elsewhere: str = ELSEWHERE) -> GridpressError:
    """Return the error for a folder, as the user knows it, that cannot be written; `elsewhere` is
    how to choose another."""
    what = error.strerror or str(error)
    if is_full(error):
        message = f"the disk is full ({what}); nothing was changed"
        hint = f"make room, or {elsewhere}"
        return GridpressError(Diagnostic(Span(place), "GP701", message, hint))
    if getattr(error, "winerror", None) in _HELD_OPEN:
        name = PurePath(str(error.filename or place)).name
        message = f"cannot be written: {name} is open in another program"
        hint = f"close it there (perhaps a PDF viewer) and build again, or {elsewhere}"
        return GridpressError(Diagnostic(Span(place), "GP702", message, hint))
    hint = f"{_HINTS.get(error.errno or 0, 'check the folder')}, or {elsewhere}"
    message = f"{PurePath(str(error.filename or place)).name} cannot be written: {what}"
    return GridpressError(Diagnostic(Span(place), "GP702", message, hint))


def is_a_link(path: Path) -> GridpressError:
    """Return the error for a link where something is to be written."""
    message = "this is a link, so files would go to another place; nothing was changed"
    hint = (
        "remove the link (its target stays), or choose another folder: "
        "one that you name yourself may be a link"
    )
    return GridpressError(Diagnostic(Span(str(path)), "GP705", message, hint))


def temporary_folder() -> Path:
    """Return the folder for temporary files that the user knows, around the one of this run."""
    folder = Path(tempfile.gettempdir())
    return folder.parent if str(folder) == os.environ.get(limits.RUN) else folder


@contextmanager
def at_work() -> Iterator[None]:
    """Report a full disk as that of the temporary folder, in a block that writes only there."""
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        message = f"there is no room in the temporary folder ({error.strerror or error})"
        hint = "make room there, or set TMPDIR to a folder on another disk; nothing was changed"
        span = Span(str(temporary_folder()))
        raise GridpressError(Diagnostic(span, "GP701", message, hint)) from error


@contextmanager
def workshop() -> Iterator[tuple[Path, Path]]:
    """Make a temporary folder for work in progress, and one for finished files.

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


def save(pdf: Pdf, path: Path, **options: Any) -> None:
    """Save with the options of `Pdf.save`. Raises OSError when the disk did not take it all, which
    inside qpdf would end the process."""
    whole = io.BytesIO()
    pdf.save(whole, **options)
    path.write_bytes(whole.getbuffer())


_PLAIN: Final = re.compile(r"[A-Z][A-Za-z0-9]*( [A-Za-z0-9]+)*")


def yaml_text(words: str) -> str:
    """Return words as YAML, in quotes where they could mean more."""
    return words if _PLAIN.fullmatch(words) else json.dumps(words, ensure_ascii=False)
