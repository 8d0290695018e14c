"""Reads strangers' files: only ordinary ones, only below the roots that the user named.

Nothing outside of these is opened, or even looked at. Links are followed in their words alone, and
only while they stay inside. Then the file is opened name by name from the root's handle, where no
name may be a link any more; what comes out is read from the very handle that was found to be an
ordinary file. So a link, a pipe, a device or a swap on the way is refused. Where a system has no
such handles (Windows), the way is compared before and after.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Final, NamedTuple

from generator.diagnostics import Diagnostic, Span, plain

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
_CHANGED: Final = "has changed since it was looked at"
_SWAPPED: Final = "became a link while it was opened"
_TRY_AGAIN: Final = "try again when no other program changes the project"


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
        raise UnreadableError("GP004", _SWAPPED, _TRY_AGAIN)


def open_file(root: Path, names: tuple[str, ...], *, single: bool) -> int:
    """A handle of what is to be an ordinary file, with `single` one of no other name, opened
    without waiting for it; what it is has to be looked at once more. Raises OSError and
    UnreadableError."""
    if not _BY_HANDLE:
        return _open_by_path(root, names, single)
    folder = _open_folder(root, names[:-1])
    try:
        name = names[-1] if names else "."
        check_plain(os.stat(name, dir_fd=folder, follow_symlinks=False), single=single)
        return os.open(name, _READ | _NO_LINK | _NO_WAIT, dir_fd=folder)
    finally:
        os.close(folder)


def _open_folder(root: Path, names: Sequence[str]) -> int:
    handle = os.open(root, _READ | _FOLDER)
    for name in names:
        try:
            # No name on the way was a link when the links were followed.
            if is_link(os.stat(name, dir_fd=handle, follow_symlinks=False)):
                raise UnreadableError("GP004", _SWAPPED, _TRY_AGAIN)
            step = os.open(name, _READ | _FOLDER | _NO_LINK, dir_fd=handle)
        finally:
            os.close(handle)
        handle = step
    return handle


def _open_by_path(root: Path, names: tuple[str, ...], single: bool) -> int:
    path = root.joinpath(*names)
    before = _chain(root, names)
    check_plain(before[-1], single=single)
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


MAX_ENTRIES: Final = 20_000
MAX_DEPTH: Final = 32

_MAX_LINKS: Final = 40
_MAX_PATH: Final = 4_096
_LEAVES: Final = "is a link that leads out of the project"
_ABSENT: Final = frozenset((errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL))


class FileTooLargeError(Exception):
    """A file of more bytes than its reader takes."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


class FolderEntry(NamedTuple):
    """What a folder holds: its path, whether it is a folder (links followed), and why it is left
    alone, if it is."""

    path: Path
    is_folder: bool
    fault: UnreadableError | None = None


@dataclass(frozen=True, slots=True)
class Roots:
    """The folders that may be read from, with all that is below them.

    A root may be a link itself: the user named it. A file of a `trusted` root may have several
    names, as installers of packages give it; elsewhere it may be another's and is refused.
    Where there is `unsaved` text for a file it is as if that had been saved.
    """

    folders: tuple[Path, ...]
    trusted: tuple[Path, ...] = ()
    unsaved: Mapping[Path, bytes] = field(default_factory=dict, compare=False, repr=False)
    """Files whose content is not what the disk has, by the path that `real` gives."""
    _real: tuple[tuple[Path, Path], ...] = field(init=False, compare=False, repr=False)
    _heads: tuple[tuple[tuple[str, ...], Path], ...] = field(init=False, compare=False, repr=False)
    """What the paths below each root begin with, by either of its names."""

    def __post_init__(self) -> None:
        named = dict.fromkeys((*self.folders, *self.trusted))
        real = [(folder, Path(os.path.realpath(folder))) for folder in named]
        real.sort(key=lambda one: len(one[1].parts))  # outermost first
        heads = ((_compared(name.parts), root) for one, root in real for name in (one, root))
        object.__setattr__(self, "_real", tuple(real))
        object.__setattr__(self, "_heads", tuple(heads))

    def also(self, *folders: Path) -> Roots:
        """These roots and more."""
        return Roots((*self.folders, *folders), self.trusted, self.unsaved)

    def real(self, path: Path) -> Path:
        """The path of a file without links. Raises UnreadableError where it leads out."""
        root, names = self._place(path)
        return root.joinpath(*names)

    def read(self, path: Path, most: int) -> bytes:
        """The content of an ordinary file of at most `most` bytes.

        Raises UnreadableError and TooLargeError.
        """
        with in_words():
            root, names = self._followed(path)
            real = root.joinpath(*names)
            content = self.unsaved.get(real)
            if content is None:
                with self._open(root, names, most) as file:
                    content = file.read(most + 1)  # it may have grown since
        if len(content) > most:
            raise FileTooLargeError(len(content))
        return content

    def open(self, path: Path, most: int) -> BufferedReader:
        """The same file, open, for one that is read piece by piece. Raises the same."""
        with in_words():
            return self._open(*self._followed(path), most)

    def _open(self, root: Path, names: tuple[str, ...], most: int) -> BufferedReader:
        single = not self._is_trusted(root.joinpath(*names))
        file = os.fdopen(open_file(root, names, single=single), "rb")
        try:
            status = os.fstat(file.fileno())
            check_plain(status, single=single)
            if status.st_size > most:
                raise FileTooLargeError(status.st_size)
        except BaseException:
            file.close()
            raise
        return file

    def read_again(self, path: Path, sha256: str, most: int) -> bytes:
        """The content of a file that was read before, as it was then. Raises UnreadableError,
        when it has changed since too."""
        try:
            content = self.read(path, most)
        except FileTooLargeError as error:
            raise UnreadableError("GP002", _CHANGED, _TRY_AGAIN) from error
        if hashlib.sha256(content).hexdigest() != sha256:
            raise UnreadableError("GP002", _CHANGED, _TRY_AGAIN)
        return content

    def status(self, path: Path) -> os.stat_result | None:
        """What is at a path, links followed; None where nothing is. Raises UnreadableError."""
        try:
            with in_words():
                root, names = self._followed(path)
                here = root.joinpath(*names)
                if here in self.unsaved:
                    return _as_saved(self.unsaved[here])
                if self._unsaved_in(here) and not os.path.lexists(here):
                    return os.stat_result((stat.S_IFDIR | 0o755, 0, 0, 1, 0, 0, 0, 0, 0, 0))
                return os.lstat(here)
        except UnreadableError as error:
            cause = error.__cause__
            if isinstance(cause, ValueError) or getattr(cause, "errno", None) in _ABSENT:
                return None
            raise

    def holds(self, path: Path) -> bool:
        """True where something is, be it a link that leads nowhere or out: reading it tells."""
        try:
            root, names = self._place(path.parent)
        except UnreadableError as error:
            return error.code == "GP004"
        here = root.joinpath(*names, path.name)
        return os.path.lexists(here) or here in self.unsaved or bool(self._unsaved_in(here))

    def has_file(self, path: Path) -> bool:
        """True for a file that is no folder. Raises UnreadableError for a link that leads out."""
        status = self.status(path)
        return status is not None and not stat.S_ISDIR(status.st_mode)

    def entries(self, folder: Path) -> Iterator[FolderEntry]:
        """What a folder holds, in no order. Raises UnreadableError, for more than `MAX_ENTRIES`
        too, when these were given."""
        with in_words():
            root, names = self._followed(folder)
            here = root.joinpath(*names)
            unsaved = self._unsaved_in(here)
            found: list[tuple[str, bool, bool]] = []
            crowded = False
            if not unsaved or os.path.lexists(here):
                with scanned(root, names) as listed:
                    for entry in listed:
                        if len(found) == MAX_ENTRIES:
                            break
                        linked = is_link(entry.stat(follow_symlinks=False))
                        found.append((entry.name, linked, not linked and entry.is_dir()))
                    crowded = next(listed, None) is not None
            others = sorted(unsaved.keys() - {name for name, *_ in found})
            found += ((name, False, unsaved[name]) for name in others)
        for name, linked, is_folder in found:
            yield self._behind(folder / name) if linked else FolderEntry(folder / name, is_folder)
        if crowded:
            raise _crowded()

    def walk(self, folder: Path, skip: frozenset[Path] = frozenset()) -> Iterator[FolderEntry]:
        """All below a folder but what begins with a dot or is in `skip`, each folder before what
        it holds, in the order of their names; each folder once, however many links lead to it.

        What cannot be read is an entry with a fault. No more than `MAX_ENTRIES` are looked at.
        """
        waiting = [(folder, 0)]
        seen: set[tuple[Path, tuple[str, ...]]] = set()
        looked = 0
        while waiting:
            current, depth = waiting.pop()
            within: list[Path] = []
            try:
                root, names = self._place(current)
                if (root, names) in seen:
                    continue
                seen.add((root, names))
                if depth > MAX_DEPTH:
                    reason = f"lies more than {MAX_DEPTH} folders deep"
                    raise UnreadableError("GP011", reason, "move it further up")
                for entry in sorted(self.entries(current)):
                    looked += 1
                    if looked > MAX_ENTRIES:
                        raise _crowded()
                    if entry.path.name.startswith(".") or entry.path in skip:
                        continue
                    if entry.is_folder:
                        within.append(entry.path)
                    yield entry
            except UnreadableError as error:
                yield FolderEntry(current, True, error)
                if looked > MAX_ENTRIES:
                    return
            waiting += [(path, depth + 1) for path in reversed(within)]

    def _unsaved_in(self, folder: Path) -> dict[str, bool]:
        """The names in a folder that lead to unsaved text, and whether they are folders."""
        found: dict[str, bool] = {}
        for path in self.unsaved:
            if path.is_relative_to(folder) and path != folder:
                name, *further = path.relative_to(folder).parts
                found[name] = bool(further)
        return found

    def _behind(self, link: Path) -> FolderEntry:
        try:
            status = self.status(link)
        except UnreadableError as error:  # what else is wrong with it is told when it is read
            return FolderEntry(link, False, error if error.code == "GP004" else None)
        return FolderEntry(link, status is not None and stat.S_ISDIR(status.st_mode))

    def _place(self, path: Path) -> tuple[Path, tuple[str, ...]]:
        with in_words():
            return self._followed(path)

    def trusts(self, folder: Path) -> bool:
        """True for a folder that came with a trusted root. Raises UnreadableError."""
        root, names = self._place(folder)
        return self._is_trusted(root.joinpath(*names))

    def _is_trusted(self, real: Path) -> bool:
        """True below a trusted root, unless another root lies between."""
        around = [folder for folder, root in self._real if real.is_relative_to(root)]
        return bool(around) and around[-1] in self.trusted

    def _below(self, path: Path) -> tuple[Path, list[str]]:
        """The root that a path is in, outermost first, and the names from there, last first."""
        compared = _compared(path.parts)
        for head, root in self._heads:
            if compared[: len(head)] == head and (head or not path.anchor):
                return root, [*reversed(path.parts[len(head) :])]
        raise UnreadableError("GP004", _LEAVES, "copy what it leads to into the project")

    def _followed(self, path: Path) -> tuple[Path, tuple[str, ...]]:
        """The root that a path is in and the names below it without links, as they are now. What
        a link leads to is never looked at before it is known to be inside."""
        if len(str(path)) > _MAX_PATH:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
        root, waiting = self._below(path)
        names: list[str] = []
        links = 0
        while waiting:
            name = waiting.pop()
            if name == os.pardir:
                if names:
                    names.pop()
                else:
                    root, waiting = self._below(root.parent.joinpath(*reversed(waiting)))
                continue
            target = _target(os.path.join(root, *names, name))
            if target is None:
                names.append(name)
                continue
            links += 1
            if links > _MAX_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            if target.is_absolute():
                root, waiting = self._below(target.joinpath(*reversed(waiting)))
                names = []
            else:
                waiting += reversed(target.parts)
        return root, tuple(names)


def _as_saved(content: bytes) -> os.stat_result:
    """What a file would be with this content; its time is another one for each content."""
    digest = hashlib.blake2b(content, digest_size=7).digest()
    status = (stat.S_IFREG | 0o644, 0, 0, 1, 0, 0, len(content), 0, 0, 0)
    return os.stat_result(status, {"st_mtime_ns": -int.from_bytes(digest)})


def _compared(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of a path as its system tells names apart: Windows by no letter's case."""
    return parts if os.name == "posix" else tuple(map(os.path.normcase, parts))


def _target(path: str) -> Path | None:
    """Where a link leads, in its own words; None for what is no link or not there."""
    try:
        if not is_link(os.lstat(path)):
            return None
    except (FileNotFoundError, NotADirectoryError):
        return None
    return Path(os.readlink(path).removeprefix("\\\\?\\"))


def _crowded() -> UnreadableError:
    reason = f"holds more than {MAX_ENTRIES:,} files and folders"
    return UnreadableError("GP011", reason, "keep only what the pack needs")


_DRIVE_OR_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]) *(?:\.|$)", re.IGNORECASE)
"""Windows takes these for devices, in whatever folder and with whatever ending."""


def refusal(name: str, span: Span) -> Diagnostic | None:
    """GP004 for a path that is not a plain relative one; None when it may be looked up."""
    hint = "copy the file into the pack and name it from there, such as art/hero.png"
    if _DRIVE_OR_URL.match(name) or name.startswith(("/", "\\", "~")):
        return Diagnostic(span, "GP004", f"{name!r} is not inside the project", hint)
    if ".." in re.split(r"[/\\]", name):
        return Diagnostic(span, "GP004", f"{name!r} leaves its folder by ..", hint)
    if "\\" in name:
        hint = f"write {name.replace(chr(92), '/')!r}, which works on every system"
        return Diagnostic(span, "GP004", f"'{name}' has a \\ in it", hint)
    if not name.strip() or plain(name) != name:
        hint = "letters, digits, - and _ do on every system, and / between folders"
        return Diagnostic(span, "GP004", f"{name!r} cannot be the name of a file", hint)
    devices = filter(is_device, name.split("/"))
    return next((device_refused(device, span) for device in devices), None)


def is_device(name: str) -> bool:
    """True for the name of a file or folder that Windows takes for a device, such as `aux.yaml`."""
    return _DEVICE.match(name) is not None


def device_refused(name: str, span: Span) -> Diagnostic:
    """GP004 for such a name, on every system: a pack is for all of them."""
    message = f"{name!r} is a device on Windows: no file or folder there can have that name"
    return Diagnostic(span, "GP004", message, "call it otherwise, such as my-" + name)


def natural(name: str) -> list[str | int]:
    """A key that sorts `crew2` before `crew10`."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]
