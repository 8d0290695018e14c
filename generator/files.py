"""Reads files only below the folders that the user named, and only ordinary ones.

Links are followed while they stay inside.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Final, NamedTuple

from generator.diagnostics import Diagnostic, Span, plain

MAX_ENTRIES: Final = 20_000
MAX_DEPTH: Final = 32
_MAX_PATH: Final = 4_096
_REASONS: Final = {
    errno.ENOENT: "it does not exist",
    errno.EACCES: "you have no permission to read it",
    errno.EPERM: "you have no permission to read it",
    errno.ELOOP: "it is a link that leads to itself",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EIO: "the disk reports an error",
}
_ABSENT: Final = frozenset((errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL))
_NAME_SURROGATE: Final = 0x2000_0000
"""Marks links and junctions among the reparse points of Windows. Others, such as files of a cloud
folder, are files."""
_LEAVES: Final = "is a link that leads out of the project"
_CHANGED: Final = "changed while it was being read"
_TRY_AGAIN: Final = "try again when no other program changes the project"


class UnreadableError(Exception):
    """Something that is not read. `reason` goes on from "the file …"."""

    def __init__(self, code: str, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.hint = hint

    def told(self, span: Span, what: str) -> Diagnostic:
        """Return the diagnostic at a place; `what` is "the file", "hero.png" or so."""
        return Diagnostic(span, self.code, f"{what} {self.reason}", self.hint)


class FileTooLargeError(Exception):
    """A file of more bytes than its reader takes."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


class FolderEntry(NamedTuple):
    """An entry of a folder. `is_folder` follows links; `fault` says why it is left alone."""

    path: Path
    is_folder: bool
    fault: UnreadableError | None = None


def is_link(status: os.stat_result) -> bool:
    """Return True for a symbolic link, or a link or junction of Windows."""
    tag: int = getattr(status, "st_reparse_tag", 0)
    return stat.S_ISLNK(status.st_mode) or bool(tag & _NAME_SURROGATE)


def check_plain(status: os.stat_result) -> None:
    """Raise UnreadableError for anything but an ordinary file."""
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError("GP002", "is a folder; a file is needed here", "name a file")
    if not stat.S_ISREG(status.st_mode) or is_link(status):
        hint = "put the file itself there: no link, pipe or device"
        raise UnreadableError("GP002", "is not an ordinary file", hint)


@contextlib.contextmanager
def _in_words() -> Iterator[None]:
    """Raise UnreadableError for errors of the operating system."""
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
        hint = "check that it exists and that you may read it"
        raise UnreadableError("GP002", f"cannot be read: {reason}", hint) from error
    except ValueError as error:  # a NUL, or what no file name can hold
        reason = "cannot be read: its name is not allowed"
        raise UnreadableError("GP002", reason, "give it another name") from error


@dataclass(frozen=True, slots=True)
class Roots:
    """The folders that may be read from, with all that is below them.

    A root may be a link itself: the user named it. `trusted` ones came with Gridpress or an
    installed game.
    """

    folders: tuple[Path, ...]
    trusted: tuple[Path, ...] = ()
    unsaved: Mapping[Path, bytes] = field(default_factory=dict, compare=False, repr=False)
    """Texts that take the place of files, by the path that `real` returns."""
    _real: tuple[tuple[Path, Path], ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        named = dict.fromkeys((*self.folders, *self.trusted))
        real = [(folder, Path(os.path.realpath(folder))) for folder in named]
        real.sort(key=lambda one: len(one[1].parts))  # outermost first
        object.__setattr__(self, "_real", tuple(real))

    def also(self, *folders: Path) -> Roots:
        """Return these roots and more."""
        return Roots((*self.folders, *folders), self.trusted, self.unsaved)

    def real(self, path: Path) -> Path:
        """Return the path of a file without links. Raises UnreadableError where it leads out."""
        with _in_words():
            if len(str(path)) > _MAX_PATH:
                raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
            real = Path(os.path.realpath(path))
        if not any(real.is_relative_to(root) for _, root in self._real):
            raise UnreadableError("GP004", _LEAVES, "copy what it leads to into the project")
        return real

    def read(self, path: Path, most: int) -> bytes:
        """Return the content of an ordinary file of at most `most` bytes.

        Raises UnreadableError and FileTooLargeError.
        """
        content = self.unsaved.get(self.real(path)) if self.unsaved else None
        if content is None:
            with self.open(path, most) as file, _in_words():
                content = file.read(most + 1)  # it may have grown since
        if len(content) > most:
            raise FileTooLargeError(len(content))
        return content

    def open(self, path: Path, most: int) -> BufferedReader:
        """Open such a file, to be read piece by piece. Raises the same."""
        real = self.real(path)
        with _in_words():
            status = os.stat(real)
            check_plain(status)
            if status.st_size > most:
                raise FileTooLargeError(status.st_size)
            return real.open("rb")

    def read_again(self, path: Path, sha256: str, most: int) -> bytes:
        """Return the content of a file that was read before. Raises UnreadableError, too when it
        has changed since."""
        try:
            content = self.read(path, most)
        except FileTooLargeError as error:
            raise UnreadableError("GP002", _CHANGED, _TRY_AGAIN) from error
        if hashlib.sha256(content).hexdigest() != sha256:
            raise UnreadableError("GP002", _CHANGED, _TRY_AGAIN)
        return content

    def status(self, path: Path) -> os.stat_result | None:
        """Return the status of what a path leads to; None where nothing is. Raises
        UnreadableError."""
        try:
            here = self.real(path)
            with _in_words():
                if here in self.unsaved:
                    return _as_saved(self.unsaved[here])
                if self._unsaved_in(here) and not here.exists():
                    return os.stat_result((stat.S_IFDIR | 0o755, 0, 0, 1, 0, 0, 0, 0, 0, 0))
                return os.stat(here)
        except UnreadableError as error:
            cause = error.__cause__
            if isinstance(cause, ValueError) or getattr(cause, "errno", None) in _ABSENT:
                return None
            raise

    def holds(self, path: Path) -> bool:
        """Return True where something is, even a link that leads nowhere or out."""
        try:
            here = self.real(path.parent) / path.name
        except UnreadableError as error:
            return error.code == "GP004"
        return os.path.lexists(here) or here in self.unsaved or bool(self._unsaved_in(here))

    def has_file(self, path: Path) -> bool:
        """Return True for a file that is no folder. Raises UnreadableError for a link that leads
        out."""
        status = self.status(path)
        return status is not None and not stat.S_ISDIR(status.st_mode)

    def entries(self, folder: Path) -> Iterator[FolderEntry]:
        """Yield what a folder holds, in no order. Raises UnreadableError, too after `MAX_ENTRIES`
        entries if there are more."""
        here = self.real(folder)
        unsaved = self._unsaved_in(here)
        found: list[tuple[str, bool, bool]] = []
        crowded = False
        with _in_words():
            if not unsaved or here.exists():
                with os.scandir(here) as listed:
                    for entry in listed:
                        if len(found) == MAX_ENTRIES:
                            crowded = True
                            break
                        linked = is_link(entry.stat(follow_symlinks=False))
                        found.append((entry.name, linked, not linked and entry.is_dir()))
        others = sorted(unsaved.keys() - {name for name, *_ in found})
        found += ((name, False, unsaved[name]) for name in others)
        for name, linked, is_folder in found:
            yield self._behind(folder / name) if linked else FolderEntry(folder / name, is_folder)
        if crowded:
            raise _crowded()

    def walk(self, folder: Path, skip: frozenset[Path] = frozenset()) -> Iterator[FolderEntry]:
        """Yield all below a folder in the order of names, each folder once and before what it
        holds, except what begins with a dot or is in `skip`.

        An entry that cannot be read has a fault. No more than `MAX_ENTRIES` are looked at.
        """
        waiting = [(folder, 0)]
        seen: set[Path] = set()
        looked = 0
        while waiting:
            current, depth = waiting.pop()
            within: list[Path] = []
            try:
                real = self.real(current)
                if real in seen:
                    continue
                seen.add(real)
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
        """Return the names in a folder that lead to unsaved texts, and whether they are folders."""
        found: dict[str, bool] = {}
        for path in self.unsaved:
            if path.is_relative_to(folder) and path != folder:
                name, *further = path.relative_to(folder).parts
                found[name] = bool(further)
        return found

    def _behind(self, link: Path) -> FolderEntry:
        try:
            status = self.status(link)
        except UnreadableError as error:  # other faults are reported when it is read
            return FolderEntry(link, False, error if error.code == "GP004" else None)
        return FolderEntry(link, status is not None and stat.S_ISDIR(status.st_mode))

    def trusts(self, folder: Path) -> bool:
        """Return True below a trusted root, unless another root lies between. Raises
        UnreadableError."""
        real = self.real(folder)
        around = [named for named, root in self._real if real.is_relative_to(root)]
        return around[-1] in self.trusted


def _as_saved(content: bytes) -> os.stat_result:
    """Return the status of a file with this content; its time differs for each content."""
    digest = hashlib.blake2b(content, digest_size=7).digest()
    status = (stat.S_IFREG | 0o644, 0, 0, 1, 0, 0, len(content), 0, 0, 0)
    return os.stat_result(status, {"st_mtime_ns": -int.from_bytes(digest)})


def _crowded() -> UnreadableError:
    reason = f"holds more than {MAX_ENTRIES:,} files and folders"
    return UnreadableError("GP011", reason, "keep only what the pack needs")


_DRIVE_OR_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]) *(?:\.|$)", re.IGNORECASE)
"""Names of devices on Windows, in any folder and with any ending."""


def refusal(name: str, span: Span) -> Diagnostic | None:
    """Return GP004 for a path that is not a plain relative one; None when it may be looked up."""
    hint = "copy the file into the pack and name it from there, such as art/hero.png"
    if _DRIVE_OR_URL.match(name) or name.startswith(("/", "\\", "~")):
        return Diagnostic(span, "GP004", f"{name!r} is not inside the project", hint)
    if ".." in re.split(r"[/\\]", name):
        return Diagnostic(span, "GP004", f"{name!r} leaves its folder with ..", hint)
    if "\\" in name:
        hint = f"write {name.replace(chr(92), '/')!r}, which works on every system"
        return Diagnostic(span, "GP004", f"'{name}' has a \\ in it", hint)
    if not name.strip() or plain(name) != name:
        hint = "letters, digits, - and _ do on every system, and / between folders"
        return Diagnostic(span, "GP004", f"{name!r} cannot be the name of a file", hint)
    devices = filter(is_device, name.split("/"))
    return next((device_refused(device, span) for device in devices), None)


def is_device(name: str) -> bool:
    """Return True for the name of a device on Windows, such as `aux.yaml`."""
    return _DEVICE.match(name) is not None


def device_refused(name: str, span: Span) -> Diagnostic:
    """Return GP004 for the name of a device, on every system: a pack is for all of them."""
    message = f"{name!r} is a device on Windows: no file or folder there can have that name"
    return Diagnostic(span, "GP004", message, "call it otherwise, such as my-" + name)


def natural(name: str) -> list[str | int]:
    """Return a key that sorts `crew2` before `crew10`."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]
