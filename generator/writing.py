"""Writes files: new ones take the place of old ones in one step, whatever dies on the way.

A journal does it, not an exchange of whole folders. Only Linux and macOS can exchange two folders;
Windows moves none in which anything is open; and what is not ours in the folder, a terminal or a
viewer would be left behind with the old one. So:

1. a hidden folder of ours, locked by this process, is made in the folder; the new files, but for
   those that are there already, are written to `new/` in it and synced, also those that are to come
   into folders below; what fails until now leaves the folder as it was;
2. the journal, the names with the digests of the old and the new files, is written and synced, and
   takes its name: from this moment on the new files stand;
3. each old file moves to `old/` and the new one to its place;
4. the journal goes, then the hidden folder.

Whoever comes next and finds such a folder without a living owner does 3 and 4 again (`settle`), or
removes what never came to 2. Every step may be done twice. When the disk refuses in 3, the journal
is turned round first, then the old files move back; a process that dies at that is taken back too.

A stranger's archive may bring such a folder with it, into a folder of the user's. So only files
whose digests the journal tells are moved: it cannot know those of files that were there before it.
And nothing comes into a hidden folder, where programs keep what they run.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path, PurePath, PurePosixPath
from time import time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import is_link
from generator.real_folders import (
    RealFolder,
    TargetFolder,
    cannot_write,
    is_a_link,
    is_full,
    opened,
)
from generator.scratch import LOCK_FILE, LONG_AGO, Lock, remove_tree

PREFIX: Final = ".gridpress-"
_OURS: Final = re.compile(re.escape(PREFIX) + "[0-9a-f]{8}")
_DRAFT: Final = "draft"
_FORWARD: Final = "journal"
_BACK: Final = "journal-back"
_FORBIDDEN: Final = frozenset("\0:\\" if os.name == "nt" else "\0")
_LONGEST: Final = 255
"""Bytes of a name."""
_MOST: Final = 5_000_000
"""Bytes of a journal: what is longer is none of ours."""
_BLOCK: Final = 1 << 20


class Change(NamedTuple):
    """What happens to one name: the digests of the file before and after, None for no file."""

    before: str | None
    after: str | None


class Swap:
    """Files to come and files to go in a folder and those below it, by their paths with `/`;
    `commit` is the step. Methods raise OSError."""

    def __init__(self, folder: RealFolder, hidden: RealFolder) -> None:
        self._folder = folder
        self._hidden = hidden
        self._changes: dict[str, Change] = {}

    def add(self, path: str, content: BinaryIO) -> None:
        """Write a file that is to come, unless it is there already. Raises GridpressError (GP705)
        where a link has its name."""
        if not is_plain_path(path):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
        before, mode = self._now(path)
        if before is not None:
            if _sha256(content) == before:
                return
            content.seek(0)
        with closing(self._hidden.inner("new")) as new, new.create(_kept_as(path)) as file:
            shutil.copyfileobj(content, file, _BLOCK)
            if mode is not None and hasattr(os, "fchmod"):
                with suppress(OSError):
                    os.fchmod(file.fileno(), mode & 0o777)
            file.flush()
            os.fsync(file.fileno())
            new.sync()
            after = _digest(new, _kept_as(path))
        self._changes[path] = Change(before, after)

    def _now(self, path: str) -> tuple[str | None, int | None]:
        """The digest and the mode of the file that is there, if one is."""
        with suppress(FileNotFoundError), _holding(self._folder, path) as (folder, name):
            told = folder.look(name)
            if told is None:
                return None, None
            if is_link(told):
                raise is_a_link(folder.path / name)
            if not stat.S_ISREG(told.st_mode):
                number = errno.EISDIR if stat.S_ISDIR(told.st_mode) else errno.EEXIST
                raise OSError(number, os.strerror(number), str(folder.path / name))
            return _digest(folder, name), told.st_mode
        return None, None

    def commit(self, gone: Mapping[str, str] = MappingProxyType({})) -> None:
        """Let the added files come and others go, all or none. `gone` has the digests of those."""
        going = {path: Change(digest, None) for path, digest in gone.items()}
        changes = (going | self._changes).items()
        if not changes:
            return
        # from within: what is deeper stands when the files that speak of it come
        ordered = sorted(changes, key=lambda change: change[0].rpartition("/")[0], reverse=True)
        with closing(self._hidden.inner("old")), self._hidden.create(_DRAFT) as file:
            file.write(json.dumps(dict(ordered)).encode())
            file.flush()
            os.fsync(file.fileno())
        self._hidden.move(_DRAFT, self._hidden, _FORWARD)
        self._hidden.sync()
        self._folder.sync()
        _finish(self._folder, self._hidden)


@contextmanager
def _holding(
    folder: RealFolder, path: str, *, make: bool = False
) -> Iterator[tuple[RealFolder, str]]:
    """The folder that a file below another is in, and its name there. Raises FileNotFoundError
    where there is none, and GridpressError (GP705) where it is a link."""
    *way, name = path.split("/")
    with ExitStack() as stack:
        for part in way:
            folder = folder.inner(part, make=make)
            stack.callback(folder.close)
        yield folder, name


def _kept_as(path: str) -> str:
    """The name of a file in the hidden folder."""
    return path if "/" not in path else hashlib.sha256(path.encode("utf-8")).hexdigest()


@contextmanager
def swapping(folder: RealFolder) -> Iterator[Swap]:
    """A swap in a folder; what it leaves besides the files is removed in the end."""
    hidden, lock = _hide(folder)
    with closing(hidden):
        try:
            yield Swap(folder, hidden)
        finally:
            with suppress(OSError):
                _settle(folder, hidden)
            _end(folder, hidden, lock)


def settle(folder: RealFolder) -> None:
    """Complete or take back what dead processes left half-way in a folder, and clear it away.

    Raises OSError when neither can be done.
    """
    for name in filter(_OURS.fullmatch, folder.names()):  # a project's own, if it is a stranger's
        told = folder.look(name)
        if told is None or is_link(told) or not stat.S_ISDIR(told.st_mode):
            continue
        try:
            hidden = folder.inner(name, make=False)
        except OSError:  # not for us to open: none of ours
            continue
        with closing(hidden):
            try:
                lock = Lock.take(hidden.path / LOCK_FILE, hidden.handle)
                is_free = lock is not None
            except OSError:  # the disk knows no locks
                lock, is_free = None, time() - told.st_mtime > LONG_AGO
            if is_free:
                try:
                    _settle(folder, hidden)
                finally:
                    _end(folder, hidden, lock)


def _hide(folder: RealFolder) -> tuple[RealFolder, Lock | None]:
    """A new hidden folder, and its lock; None on a disk that knows no locks."""
    while True:
        hidden = folder.inner(f"{PREFIX}{secrets.token_hex(4)}")
        try:
            lock = Lock.take(hidden.path / LOCK_FILE, hidden.handle)
        except FileNotFoundError:
            lock = None  # somebody who clears up was faster
        except OSError:
            return hidden, None
        if lock is not None:
            return hidden, lock
        hidden.close()
        if not folder.is_there():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder.path))


def _end(folder: RealFolder, hidden: RealFolder, lock: Lock | None) -> None:
    """Remove a hidden folder, unless it holds what is still to be done; let go of its lock."""
    is_done = not (hidden.look(_FORWARD) or hidden.look(_BACK))
    if lock is not None and folder.handle is None:
        lock.release()  # Windows removes nothing that is open
    if is_done:
        remove_tree(hidden.path, folder.handle)
    if lock is not None and folder.handle is not None:
        lock.release()


def _settle(folder: RealFolder, hidden: RealFolder) -> None:
    """Do what a journal says is to be done; back if it cannot be forward."""
    if hidden.is_file(_BACK):
        _turn_back(folder, hidden)
    elif hidden.is_file(_FORWARD):
        try:
            _finish(folder, hidden)
        except OSError:
            if hidden.look(_BACK):
                raise
        else:
            hidden.drop(_FORWARD)


def _finish(folder: RealFolder, hidden: RealFolder) -> None:
    """Step 3, as far as it is not done; all as it was when the disk refuses, or a file is no more
    the one that the journal tells of."""
    try:
        changes = _journal(hidden, _FORWARD)
        with closing(hidden.inner("new")) as new, closing(hidden.inner("old")) as old:
            for path, change in changes.items():
                kept = _kept_as(path)
                comes = new.is_file(kept)
                if (comes or change.after is None) and old.look(kept) is None:
                    _take(folder, path, old, change.before)
                if comes:
                    _put(new, folder, path, change.after)
            old.sync()
        folder.sync()
    except BaseException:  # Ctrl-C too: half a build is worse than none
        hidden.move(_FORWARD, hidden, _BACK)
        hidden.sync()
        _turn_back(folder, hidden)
        raise


def _turn_back(folder: RealFolder, hidden: RealFolder) -> None:
    """Step 3 the other way round, as far as it was done. What somebody has put in the place of a
    file meanwhile stays."""
    changes = _journal(hidden, _BACK)
    with closing(hidden.inner("new")) as new, closing(hidden.inner("old")) as old:
        for path, change in changes.items():
            with suppress(_OtherError):
                if change.after is not None and new.look(_kept_as(path)) is None:
                    _take(folder, path, new, change.after)
                _put(old, folder, path, change.before)
    leave(folder, [path for path, change in changes.items() if change.before is None])
    folder.sync()
    hidden.drop(_BACK)


def leave(folder: RealFolder, paths: Iterable[str]) -> None:
    """Remove the folders that files were in, below another, in which nothing is any more."""
    inner = {str(way) for path in paths for way in PurePosixPath(path).parents} - {"."}
    for way in sorted(inner, reverse=True):
        with suppress(OSError, GridpressError), _holding(folder, way) as (outer, name):
            outer.drop_empty(name)


class _OtherError(OSError):
    """A file that is none of those that the journal tells of."""


def _take(folder: RealFolder, path: str, into: RealFolder, digest: str | None) -> None:
    """Move a file of this digest, if it is there, into one of our own folders. Raises
    _OtherError."""
    with suppress(FileNotFoundError), _holding(folder, path) as (source, name):
        _move(source, name, into, _kept_as(path), digest)


def _put(source: RealFolder, folder: RealFolder, path: str, digest: str | None) -> None:
    """Move a file of this digest, if it is there, out of one of ours to its place. Raises
    _OtherError where something is."""
    if source.is_file(_kept_as(path)):
        with _holding(folder, path, make=True) as (target, name):
            _move(source, _kept_as(path), target, name, digest)
            target.sync()


def _move(source: RealFolder, name: str, target: RealFolder, new: str, digest: str | None) -> None:
    if not source.is_file(name):
        return
    if _digest(source, name) != digest or target.look(new) is not None:
        raise _OtherError(errno.EBUSY, "it was changed meanwhile", name)
    source.move(name, target, new)


def _digest(folder: RealFolder, name: str) -> str:
    with folder.read(name) as file:
        return _sha256(file)


def _sha256(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    while block := file.read(_BLOCK):
        digest.update(block)
    return digest.hexdigest()


def _journal(hidden: RealFolder, name: str) -> Mapping[str, Change]:
    """What a journal tells; nothing when it is not one of ours: it may be a stranger's."""
    with hidden.read(name) as file:
        text = file.read(_MOST)
    try:
        return {
            path: Change(*digests)
            for path, digests in json.loads(text).items()
            if is_plain_path(path)
        }
    except (ValueError, AttributeError, TypeError, RecursionError):
        return {}


def is_plain_path(path: str) -> bool:
    """True for what leads to a file in a folder or below it, by no hidden folder."""
    *way, name = path.split("/")
    return is_plain(name) and all(is_plain(part) and not part.startswith(".") for part in way)


def is_plain(name: str) -> bool:
    """True for a name that a file can have, that is no path, and none of our own hidden ones."""
    try:
        length = len(os.fsencode(name))
    except UnicodeEncodeError:
        return False
    is_path = PurePath(name).name != name or name in ("", "..") or not _FORBIDDEN.isdisjoint(name)
    return not is_path and length <= _LONGEST and not name.startswith(PREFIX)


if TYPE_CHECKING:  # most of those who write, write no PDF
    from pikepdf import Pdf


def write_files(
    root: Path, files: Mapping[Path, str | Callable[[], bytes]], hint: str
) -> tuple[Path, ...]:
    """Write files below `root`, which the user named, with the folders that they need: a text, or
    what is read when its turn comes. Returns their paths.

    Raises GridpressError with the hint (GP701, GP702) when one cannot be written, and GP705 when
    one, or a folder below `root`, is a link; then all is as it was.
    """
    with ExitStack() as stack:
        with _told(root, hint):
            swap = _swap(stack, TargetFolder(root))
        for path, content in files.items():
            made = content.encode("utf-8") if isinstance(content, str) else content()
            with _told(path, hint):
                swap.add(path.relative_to(root).as_posix(), io.BytesIO(made))
        with _told(root, hint):
            swap.commit()
    return tuple(files)


def write_named(path: Path, content: bytes | BinaryIO, hint: str, what: str = "file") -> None:
    """Write a file that the user named, which may be a link or a device; its folder is there.

    Raises GridpressError (GP701, GP702) with the hint when it cannot be written; `what` it is, the
    message says.
    """
    stream = io.BytesIO(content) if isinstance(content, bytes) else content
    with _told(path, hint, what):
        if _is_special(path):
            with _special(path) as file:
                shutil.copyfileobj(stream, file, _BLOCK)
            return
        with ExitStack() as stack:
            _added(stack, path, stream).commit()


def must_be_writable(path: Path, hint: str, what: str = "file") -> None:
    """Before long work: what `write_named` would raise is raised now; nothing is left behind."""
    with _told(path, hint, what), ExitStack() as stack:
        if _is_special(path):
            _special(path).close()
        else:
            _added(stack, path, io.BytesIO())


def _added(stack: ExitStack, path: Path, content: BinaryIO) -> Swap:
    target = path.resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target.parent))
    swap = _swap(stack, TargetFolder(target.parent))
    swap.add(target.name, content)
    return swap


def _is_special(path: Path) -> bool:
    """True for what is there and is neither file nor folder: a device, a pipe."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _special(path: Path) -> BinaryIO:
    """It opened for writing; a pipe without waiting for who reads from it. Raises OSError."""
    no_wait = getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, os.O_WRONLY | no_wait)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise OSError(errno.ENXIO, "it is a pipe, and nobody reads from it") from error
    if no_wait:
        os.set_blocking(handle, True)
    return open(handle, "wb")


def _swap(stack: ExitStack, place: TargetFolder) -> Swap:
    folder = stack.enter_context(opened(place))
    with suppress(OSError):
        settle(folder)
    return stack.enter_context(swapping(folder))


@contextmanager
def _told(path: Path, hint: str, what: str = "file") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise cannot_write(error, str(path.parent), hint) from error
        message = f"the {what} cannot be written: {error.strerror or error}"
        raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, hint)) from error


_AT_ONCE: Final = 1 << 20
"""Bytes: qpdf writes word by word."""


def save(pdf: Pdf, path: Path, **options: Any) -> None:
    """Save with the options of `Pdf.save`. Raises OSError when the disk did not take it all."""
    with _written(path) as stream:
        pdf.save(stream, **options)


class _Patient(io.FileIO):
    """A file that keeps a failure to write to itself: an exception out of it would go through
    the C++ of qpdf, which aborts the whole process. So does a failure of qpdf's own, if it knows
    the number of the file and writes past us."""

    failure: OSError | None = None

    def fileno(self) -> int:
        """There is none for others."""
        raise io.UnsupportedOperation("fileno")

    def write(self, data: Any) -> int:
        """Write what the disk takes; after a failure, nothing."""
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    file = _Patient(path, "w")
    with io.BufferedWriter(file, _AT_ONCE) as stream:
        yield stream
    if file.failure is not None:
        raise file.failure


_PLAIN: Final = re.compile(r"[A-Z][A-Za-z0-9]*( [A-Za-z0-9]+)*")


def yaml_text(words: str) -> str:
    """Words as YAML has them anywhere in a line: in quotes where they could mean more."""
    return words if _PLAIN.fullmatch(words) else json.dumps(words, ensure_ascii=False)
