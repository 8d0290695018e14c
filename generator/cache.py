"""What was worked out before, kept for the next command by all that it comes from.

An entry is a file of the user's cache folder; its name is a digest of its sort, of everything that
it was made from, and of the versions of Gridpress, Python and all libraries. It is written beside
its place and renamed, so that builds share the folder without a lock, and one that is killed leaves
nothing half-written. Whatever the disk refuses costs time and nothing else.

What is read back is believed, code among it, so it must be what Gridpress wrote here: each entry
is signed with a secret that lies in the folder, and with the secret's own place on the disk (its
inode), which no archive that is unpacked in somebody's home can bring along. So an entry that is
damaged, cut short, renamed or a stranger's is not there.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from generator import __version__, guests
from generator.scratch import is_own_folder, remove_tree

T = TypeVar("T")

VARIABLE: Final = "GRIDPRESS_CACHE"
MOST: Final = 1_000_000_000
"""Bytes that the folder may have on the disk."""
KEPT: Final = 850_000_000
"""Bytes of entries that stay when those not used for longest are dropped."""
MOST_AT_HAND: Final = 100_000_000
"""Bytes of entries that one process keeps in memory."""
MOST_ENTRY: Final = 64_000_000
_MOST_MADE: Final = 20_000
"""Values that one process keeps of those that are made once."""
_PORTION: Final = 1_000_000
_PORTIONS: Final = 64
"""Portions that all processes together write before somebody looks whether it is too much."""
_BLOCK: Final = 4096
_LATELY: Final = 3600.0
"""Seconds for which an entry that is used again counts as used at the same time."""
_REFUSALS: Final = 3
"""After so many the disk is full or not ours to write to: then no more is tried."""

_NOT_MADE: Final[Any] = object()
_FORMAT: Final = "v1"
_SECRET: Final = "secret"  # noqa: S105, the name of its file
_WRITTEN: Final = "written"
_DIGEST: Final = 32
_SHORT: Final = 40
_MONTH: Final = 30 * 86400.0
_CAREFUL: Final = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CAREFUL


class Sort(StrEnum):
    """What an entry is; a folder each."""

    ART = "art"
    BUILDS = "builds"
    DOCUMENTS = "documents"
    DRAWINGS = "drawings"
    EXPRESSIONS = "expressions"
    FACES = "faces"
    PARTS = "parts"
    RACES = "races"
    SHEETS = "sheets"
    TEMPLATES = "templates"


class Same:
    """A value that nobody changes, told from all others by being the same object."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value


class CacheSize(NamedTuple):
    """How many entries, and how many bytes they take."""

    entries: int
    bytes: int


class Cache:
    """Entries in a folder; without one, nothing is kept. Nothing here raises OSError.

    It may be handed to other processes. `made_by` stands for the versions of all that makes
    entries.
    """

    def __init__(self, folder: Path | None, made_by: bytes = b"") -> None:
        self._root = folder
        self._folder = None if folder is None else folder / _FORMAT
        self._made_by = made_by
        self._signing: bytes | None = None
        self._tried = folder is None
        self._refusals = 0
        self._unreported = 0
        self._trouble = ""

    def __reduce__(self) -> tuple[type[Cache], tuple[Path | None, bytes]]:
        return Cache, (self._root, self._made_by)

    @property
    def folder(self) -> Path | None:
        """Where the entries are, whether or not that is there."""
        return self._folder

    @property
    def trouble(self) -> str:
        """Why nothing is kept, in words; empty where entries are."""
        self._opened()
        return self._trouble

    @property
    def keeps(self) -> bool:
        """True when what is put here is kept, as far as is known: else nobody need write it out."""
        return self._opened() is not None and self._refusals < _REFUSALS

    @property
    def goes_on(self) -> bool:
        """True for that of a process in which what is made once is found again."""
        return False

    def get(self, sort: Sort, *made_from: bytes | str) -> bytes | None:
        """What was kept of just this; None where nothing was, or not by us."""
        signing = self._opened()
        if signing is None or self.folder is None:
            return None
        name = self._name(sort, made_from)
        path = f"{self.folder}{os.sep}{sort}{os.sep}{name}"  # asked for a thousand times
        with suppress(OSError):
            handle = os.open(path, os.O_RDONLY | _CAREFUL)
            with os.fdopen(handle, "rb", 0) as file:
                told = os.fstat(handle)
                if not stat.S_ISREG(told.st_mode) or told.st_size > MOST_ENTRY:
                    return None
                content = file.read(told.st_size)
            if abs(time.time() - told.st_mtime) > _LATELY:
                with suppress(OSError):
                    os.utime(path)
            value = content[_DIGEST:]
            if content[:_DIGEST] == _signed(signing, name, value):
                return value
        return None

    def read(self, decode: Callable[[bytes], T], sort: Sort, *made_from: bytes | str) -> T | None:
        """The same, decoded: of one sort always in the same way, into what nobody changes."""
        content = self.get(sort, *made_from)
        return None if content is None else decode(content)

    def once(self, make: Callable[[], T], *made_from: Hashable) -> T:
        """What is made of just this, by a digest of it or its `Same`. A process that goes on has it
        made once; others make it whenever they are asked."""
        return make()

    def put(self, sort: Sort, value: bytes, *made_from: bytes | str) -> None:
        """Keep what was made from this, which must be all that it depends on."""
        if len(value) > MOST_ENTRY - _DIGEST or self._refusals >= _REFUSALS:
            return
        signing = self._opened()
        if signing is None or self.folder is None:
            return
        name = self._name(sort, made_from)
        try:
            self._count(len(value))
            if os.path.lexists(self.folder / sort) and not is_own_folder(self.folder / sort):
                raise FileExistsError(str(self.folder / sort))
            _write(self.folder / sort, name, _signed(signing, name, value) + value)
        except OSError:
            self._refusals += 1

    def workshop(self, what: str, *made_from: bytes | str) -> Path | None:
        """A folder for a library that keeps files of its own and believes what it finds there, for
        just this, whatever else of Gridpress changes; None where nothing is kept. Its name is
        signed: nobody else can lay one ready. Others of this `what` go when they have not been made
        use of for a month."""
        signing = self._opened()
        if signing is None or self.folder is None:
            return None
        name = _named(what, *made_from)
        folder = self.folder / f"{what}-{_signed(signing, name, b'').hex()[:_SHORT]}"
        try:
            for path in self.folder.glob(f"{what}-*"):
                if path != folder and time.time() - path.lstat().st_mtime > _MONTH:
                    remove_tree(path)
            folder.mkdir(mode=0o700, exist_ok=True)
            os.utime(folder)
        except OSError:
            return None
        return folder if is_own_folder(folder) else None

    def sizes(self) -> dict[str, CacheSize]:
        """What is kept, by sort."""
        found: dict[str, CacheSize] = {}
        for folder, told in self._files():
            before = found.get(folder.name, CacheSize(0, 0))
            found[folder.name] = CacheSize(before.entries + 1, before.bytes + _on_disk(told))
        return dict(sorted(found.items()))

    def clear(self) -> None:
        """Forget everything, as far as the disk lets us."""
        if self.folder is not None and is_own_folder(self.folder):
            remove_tree(self.folder)
        self._tried, self._signing, self._refusals = self._root is None, None, 0

    def _name(self, sort: str, made_from: tuple[bytes | str, ...]) -> str:
        return _named(self._made_by, sort, *made_from)

    def _opened(self) -> bytes | None:
        """What to sign with, looked up when first asked for; None where nothing can be kept."""
        if not self._tried and self.folder is not None:
            self._tried = True
            try:
                self._trouble = _prepared(self.folder)
                self._signing = None if self._trouble else _secret_in(self.folder)
            except OSError as error:
                self._trouble = f"{self.folder}: {error.strerror or error}"
        return self._signing

    def _count(self, size: int) -> None:
        """Report what is written, a portion ahead; drop old entries when that has become much.

        A report is a letter at the end of a file, which processes can add at the same time.
        """
        self._unreported += size + _BLOCK
        portions = 1 + self._unreported // _PORTION if self._unreported > 0 else 0
        if portions == 0 or self.folder is None:
            return
        self._unreported -= portions * _PORTION
        path = self.folder / _WRITTEN
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _CAREFUL, 0o600)
        with os.fdopen(handle, "wb", 0) as file:
            told = os.fstat(handle)
            if not stat.S_ISREG(told.st_mode) or told.st_nlink > 1:  # it may be another's
                path.unlink()
                raise FileExistsError(str(path))
            file.write(b"." * portions)
            if os.fstat(handle).st_size >= _PORTIONS:
                file.truncate(0)  # first, so that nobody else looks meanwhile
                self._drop_old()

    def _drop_old(self) -> None:
        """Remove what was not used for longest, and what was left half-written."""
        files = sorted(
            ((told.st_mtime, folder, name, _on_disk(told)) for folder, told, name in self._named()),
            reverse=True,
        )
        total, now = 0, time.time()
        for used, folder, name, size in files:
            total += size
            if total > KEPT or (_is_unfinished(name) and now - used > _LATELY):
                with suppress(OSError):
                    os.unlink(folder / name)

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        for folder, told, name in self._named():
            if not _is_unfinished(name):
                yield folder, told

    def _named(self) -> Iterator[tuple[Path, os.stat_result, str]]:
        if self.folder is None or not is_own_folder(self.folder):
            return
        for sort in Sort:
            if not is_own_folder(self.folder / sort):  # what a link leads to is not ours to drop
                continue
            with suppress(OSError), os.scandir(self.folder / sort) as entries:
                for entry in entries:
                    with suppress(OSError):
                        told = entry.stat(follow_symlinks=False)
                        if stat.S_ISREG(told.st_mode):
                            yield self.folder / sort, told, entry.name


class InMemory(Cache):
    """What another cache keeps, and at hand what was asked for lately, decoded if it is read so,
    for a process that goes on; other processes are handed the cache below. Without a folder below,
    it is all there is."""

    def __init__(self, below: Cache) -> None:
        super().__init__(None)
        self._below = below
        self._at_hand: dict[str, bytes] = {}
        self._decoded: dict[str, Any] = {}
        self._made: dict[Hashable, Any] = {}
        self._size = 0

    def __reduce__(self) -> Any:
        return self._below.__reduce__()

    @property
    def goes_on(self) -> bool:
        """True: what is made once is found again."""
        return True

    @property
    def keeps(self) -> bool:
        """True: in memory there is room."""
        return True

    def get(self, sort: Sort, *made_from: bytes | str) -> bytes | None:
        """What was kept of just this, always the same object while it is at hand."""
        return self._found(self._name(sort, made_from), sort, made_from)

    def _found(self, name: str, sort: Sort, made_from: tuple[bytes | str, ...]) -> bytes | None:
        value = self._at_hand.pop(name, None)
        if value is not None:
            self._at_hand[name] = value  # asked for last
            return value
        value = self._below.get(sort, *made_from)
        if value is not None:
            self._lay(name, value)
        return value

    def read(self, decode: Callable[[bytes], T], sort: Sort, *made_from: bytes | str) -> T | None:
        """What was kept of just this, decoded: always the same value while it is at hand."""
        name = self._name(sort, made_from)
        content = self._found(name, sort, made_from)
        if content is None:
            return None
        if name not in self._decoded:
            self._decoded[name] = decode(content)
        found: T = self._decoded[name]
        return found

    def once(self, make: Callable[[], T], *made_from: Hashable) -> T:
        """What is made of just this, and always the same value while it is at hand."""
        value: T = self._made.pop(made_from, _NOT_MADE)
        if value is _NOT_MADE:
            value = make()
        self._made[made_from] = value  # asked for last
        if len(self._made) > _MOST_MADE:
            del self._made[next(iter(self._made))]
        return value

    def put(self, sort: Sort, value: bytes, *made_from: bytes | str) -> None:
        """Keep what was made from this, here and below."""
        self._lay(self._name(sort, made_from), value)
        self._below.put(sort, value, *made_from)

    def _lay(self, name: str, value: bytes) -> None:
        self._drop(name)
        self._size += len(value)
        self._at_hand[name] = value
        while self._size > MOST_AT_HAND:
            self._drop(next(iter(self._at_hand)))

    def _drop(self, name: str) -> None:
        self._size -= len(self._at_hand.pop(name, b""))
        self._decoded.pop(name, None)


NOTHING_KEPT: Final = Cache(None)
"""Of commands that are to work everything out, and of tests."""


def _named(*made_from: bytes | str) -> str:
    """Of all that is given, each with its length, so that none of it can pass for another."""
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for part in made_from:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(content))
        digest.update(content)
    return digest.hexdigest()


def user_cache() -> Cache:
    """The user's: in the folder that the environment names (`GRIDPRESS_CACHE`, an absolute path),
    or where this system keeps such."""
    return Cache(_user_folder(), _versions())


def _user_folder() -> Path:
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415, for this alone

    return user_cache_path("gridpress", appauthor=False)


def _versions() -> bytes:
    """A digest of Gridpress's own modules, of Python's version, and of the names and versions of
    all that is installed for it: what takes part need not be listed, so none can be left out."""
    digest = hashlib.blake2b(digest_size=_DIGEST)
    package = Path(__file__).parent
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(hashlib.blake2b(path.read_bytes()).digest())
    installed = set[str]()
    for folder in filter(os.path.isdir, sys.path):
        with suppress(OSError):
            installed.update(
                n for n in os.listdir(folder) if n.endswith((".dist-info", ".egg-info"))
            )
    digest.update(guests.fingerprint())
    versions = (
        __version__,
        sys.implementation.cache_tag or "",
        sys.version,
        sys.platform,
        *sorted(installed),
    )
    digest.update("\0".join(versions).encode("utf-8", "surrogateescape"))
    return digest.digest()


def _prepared(folder: Path) -> str:
    """Make the folder if need be; why it is not to be trusted, if so. Raises OSError."""
    if not folder.is_absolute():
        return f"{VARIABLE} must be an absolute path"
    if not os.path.lexists(folder):
        above = next(path for path in folder.parents if path.exists())
        if hasattr(os, "geteuid") and above.stat().st_uid not in (0, os.geteuid()):
            return f"{above} belongs to another user"
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
    if not is_own_folder(folder):
        return f"{folder} is a link, no folder, or belongs to another user"
    if os.name == "posix" and folder.lstat().st_mode & 0o022:
        return f"others may write to {folder}"
    return ""


def _secret_in(folder: Path) -> bytes:
    """What entries are signed with here, made if need be. Raises OSError.

    Two processes that make it at once: one of them signs with what is soon replaced, and what it
    writes will be made once more.
    """
    path = folder / _SECRET
    for _ in range(2):
        with suppress(FileNotFoundError):
            handle = os.open(path, os.O_RDONLY | _CAREFUL)
            with os.fdopen(handle, "rb", 0) as file:
                told, secret = os.fstat(handle), file.read(_DIGEST + 1)
            if stat.S_ISREG(told.st_mode) and len(secret) == _DIGEST:
                place = f"{told.st_ino}".encode()
                return hashlib.blake2b(secret + place, digest_size=_DIGEST).digest()
        _write(folder, _SECRET, secrets.token_bytes(_DIGEST))
    raise FileNotFoundError(str(path))


def _signed(signing: bytes, name: str, value: bytes) -> bytes:
    digest = hashlib.blake2b(name.encode(), key=signing, digest_size=_DIGEST)
    digest.update(value)
    return digest.digest()


def _write(folder: Path, name: str, content: bytes) -> None:
    """Put a file in its place as a whole. Raises OSError."""
    unfinished = folder / f".{secrets.token_hex(8)}"
    try:
        handle = os.open(unfinished, _NEW, 0o600)
    except FileNotFoundError:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        handle = os.open(unfinished, _NEW, 0o600)
    try:
        with os.fdopen(handle, "wb", 0) as file:
            rest = memoryview(content)
            while rest:
                rest = rest[file.write(rest) :]
        os.replace(unfinished, folder / name)
    except OSError:
        with suppress(OSError):
            os.unlink(unfinished)
        raise


def _is_unfinished(name: str) -> bool:
    return name.startswith(".")


def _on_disk(told: os.stat_result) -> int:
    """Bytes in whole blocks, as most file systems give them out."""
    return -(-told.st_size // _BLOCK) * _BLOCK
