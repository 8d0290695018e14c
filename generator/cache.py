"""Keeps results in one SQLite database for the next command.

An entry is found by a digest of its sort, of everything it was made from, and of the versions of
Gridpress, Python and all libraries. Entries are collected and written in one transaction, by
`flush` or when a few megabytes wait. A damaged, full, read-only or locked database costs time and
nothing else.

Compiled templates are code and are run as they are read. Ownership protects them: the folder must
belong to the user, and nobody else may write to it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sqlite3
import stat
import sys
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

from generator import __version__, guests
from generator.files import is_link

T = TypeVar("T")

VARIABLE: Final = "GRIDPRESS_CACHE"
MOST: Final = 1_000_000_000
"""Bytes at which the oldest entries are dropped."""
MOST_AT_HAND: Final = 100_000_000
"""Bytes of entries that one process keeps in memory."""
MOST_ENTRY: Final = 64_000_000
MOST_WAITING: Final = 8_000_000
"""Bytes of entries that wait to be written."""
_MOST_MADE: Final = 20_000
"""Values made by `once` that one process keeps."""
_STAYS: Final = 0.8
"""The share of all bytes that stays when entries are dropped."""
_PATIENCE: Final = 1.0
"""Seconds to wait for another writer."""
_REFUSALS: Final = 3
"""Failures after which a process no longer tries to read, or to write."""
_MOST_OPEN: Final = 8
"""Databases that one process has open; a command needs one, tests many."""

_NOT_MADE: Final[Any] = object()
_FORMAT, _BEFORE = "v2", "v1"
_DATABASE: Final = "kept.sqlite"
_DIGEST: Final = 32
_MONTH: Final = 30 * 86400.0
_OPEN: Final = """\
PRAGMA page_size = 16384;
PRAGMA synchronous = OFF;
CREATE TABLE IF NOT EXISTS kept
    (name BLOB PRIMARY KEY, sort TEXT, digest BLOB, value BLOB);
"""
_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""The database is broken, or has other tables than ours."""
_SIZE: Final = """\
SELECT (page_count - freelist_count) * page_size
FROM pragma_page_count, pragma_freelist_count, pragma_page_size"""
_DROP: Final = """\
DELETE FROM kept WHERE rowid IN (
    SELECT rowid FROM (
        SELECT rowid, sum(length(value)) OVER (ORDER BY rowid DESC) AS total FROM kept
    ) WHERE total > ? * (SELECT sum(length(value)) FROM kept)
)"""


class Sort(StrEnum):
    """The sort of an entry."""

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
    """A value that nobody changes, compared by identity."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value


class _Store:
    """The database in one folder, opened on first use and shared by all caches of a process."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / _DATABASE
        self._line: sqlite3.Connection | None = None
        self._waiting: dict[bytes, tuple[str, bytes]] = {}
        self._size = 0
        self._refused = {"read": 0, "write": 0}
        self._one_at_a_time = threading.Lock()
        try:
            self.trouble = _prepared(folder)
        except OSError as error:
            self.trouble = f"{folder}: {error.strerror or error}"

    @property
    def keeps(self) -> bool:
        """True unless the disk has refused to keep anything."""
        return not self.trouble and self._refused["write"] < _REFUSALS

    def get(self, name: bytes) -> bytes | None:
        """Return an entry, or None where there is no sound one."""
        if name in self._waiting:
            return self._waiting[name][1]
        asked = "SELECT digest, value FROM kept WHERE name = ?"
        found = self._try("read", lambda line: line.execute(asked, (name,)).fetchone())
        digest, value = found or (None, None)
        is_sound = isinstance(value, bytes) and digest == _digest_of(name, value)
        return value if is_sound else None

    def put(self, name: bytes, sort: str, value: bytes) -> None:
        """Keep an entry, which the next `flush` writes."""
        if self.keeps:
            self._size += len(value)
            self._waiting[name] = sort, value
            if self._size > MOST_WAITING:
                self.flush()

    def flush(self) -> None:
        """Write what waits in one transaction, and drop old entries when there are too many."""
        entries = [
            (name, sort, _digest_of(name, value), value)
            for name, (sort, value) in self._waiting.items()
        ]
        self._waiting, self._size = {}, 0

        def write(line: sqlite3.Connection) -> None:
            with line:
                line.execute("BEGIN IMMEDIATE")
                line.executemany("REPLACE INTO kept VALUES (?, ?, ?, ?)", entries)
                if line.execute(_SIZE).fetchone()[0] > MOST:
                    line.execute(_DROP, (_STAYS,))

        if entries:
            self._try("write", write)

    def close(self) -> None:
        """Write what waits and close the database, until it is asked again."""
        self.flush()
        if self._line is not None:
            self._line.close()
            self._line = None

    def begin_in_copy(self) -> None:
        """Leave waiting entries and the connection to the process that this one was copied from."""
        if self._line is not None:
            _OF_PARENTS.append(self._line)  # closing it here could break the parent's locks
        self._line, self._waiting, self._size = None, {}, 0
        self._one_at_a_time = threading.Lock()

    def _try(self, what: str, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Return what `work` returns; None when SQLite or the disk refuses."""
        if self.trouble or self._refused[what] >= _REFUSALS:
            return None
        with self._one_at_a_time:
            try:
                if self._line is None:
                    self._line = self._opened()
                return work(self._line)
            except sqlite3.Error as error:
                self._refused[what] += 1
                if error.sqlite_errorcode & 0xFF in _DAMAGE:
                    self._begin_anew()
        return None

    def _opened(self) -> sqlite3.Connection:
        line = sqlite3.connect(self.file, _PATIENCE, isolation_level=None, check_same_thread=False)
        line.executescript(_OPEN)
        return line

    def _begin_anew(self) -> None:
        """Remove a damaged database, so that the next entry makes another."""
        if self._line is not None:
            self._line.close()
            self._line = None
        for end in ("", "-journal"):
            with suppress(OSError):
                os.unlink(f"{self.file}{end}")


_OF_PARENTS: Final[list[sqlite3.Connection]] = []
_STORES: Final[dict[Path, _Store]] = {}


def _store_in(folder: Path) -> _Store:
    if folder not in _STORES:
        if len(_STORES) >= _MOST_OPEN:
            _STORES.pop(next(iter(_STORES))).close()
        _STORES[folder] = _Store(folder)
    return _STORES[folder]


def flush() -> None:
    """Write all entries that this process has put and not yet written. Call it at the end of a
    step, and before this process is copied."""
    for store in _STORES.values():
        store.flush()


def _begin_in_copy() -> None:
    for store in _STORES.values():
        store.begin_in_copy()


atexit.register(flush)
if sys.platform != "win32":
    os.register_at_fork(after_in_child=_begin_in_copy)


class Cache:
    """Entries in a folder; without a folder, nothing is kept. Nothing here raises OSError.

    It may be handed to other processes. `made_by` is a digest of the versions of everything that
    makes entries.
    """

    def __init__(self, folder: Path | None, made_by: bytes = b"") -> None:
        self._root = folder
        self._folder = None if folder is None else folder / _FORMAT
        self._made_by = made_by

    def __reduce__(self) -> tuple[type[Cache], tuple[Path | None, bytes]]:
        return Cache, (self._root, self._made_by)

    @property
    def folder(self) -> Path | None:
        """The folder of the entries, which may not exist yet."""
        return self._folder

    @property
    def trouble(self) -> str:
        """The reason why nothing is kept, in words; empty if entries are."""
        return "" if self._folder is None else _store_in(self._folder).trouble

    @property
    def keeps(self) -> bool:
        """True if entries that are put here are kept, as far as is known."""
        return self._folder is not None and _store_in(self._folder).keeps

    @property
    def goes_on(self) -> bool:
        """True for the cache of a process that asks `once` for the same things again."""
        return False

    def get(self, sort: Sort, *made_from: bytes | str) -> bytes | None:
        """Return the entry made from just this, or None."""
        if self._folder is None:
            return None
        return _store_in(self._folder).get(self._name(sort, made_from))

    def read(self, decode: Callable[[bytes], T], sort: Sort, *made_from: bytes | str) -> T | None:
        """Return the entry, decoded: always by the same function for one sort, into a value that
        nobody changes."""
        content = self.get(sort, *made_from)
        return None if content is None else decode(content)

    def once(self, make: Callable[[], T], *made_from: Hashable) -> T:
        """Return what is made from just this, given by a digest or as `Same`. A process that goes
        on makes it once, others whenever they are asked."""
        return make()

    def latest(self, make: Callable[[], T], name: Hashable, *made_from: object) -> T:
        """Return what is made from values equal to these. A process that goes on remembers the
        latest result of each name."""
        return make()

    def put(self, sort: Sort, value: bytes, *made_from: bytes | str) -> None:
        """Keep a value; `made_from` must be everything it depends on. It is written by `flush`."""
        if self._folder is not None and len(value) <= MOST_ENTRY:
            _store_in(self._folder).put(self._name(sort, made_from), sort, value)

    def workshop(self, what: str, *made_from: bytes | str) -> Path | None:
        """Return a folder for a library that keeps files of its own, for just this, whatever else
        of Gridpress changes; None where nothing is kept. Folders of the same `what` that were not
        used for a month are removed."""
        if self._folder is None or self.trouble:
            return None
        folder = self._folder / f"{what}-{_named(what, *made_from).hex()[:40]}"
        try:
            for path in self._folder.glob(f"{what}-*"):
                if path != folder and time.time() - path.lstat().st_mtime > _MONTH:
                    shutil.rmtree(path, ignore_errors=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            os.utime(folder)
        except OSError:
            return None
        return folder if _is_own_folder(folder) else None

    @property
    def size(self) -> int:
        """The bytes of the database, with what waits to be written."""
        flush()
        try:
            return 0 if self._folder is None else (self._folder / _DATABASE).stat().st_size
        except OSError:
            return 0

    def clear(self) -> None:
        """Forget everything, as far as the disk lets us."""
        if self._folder is None:
            return
        if self._folder in _STORES:
            _STORES.pop(self._folder).close()
        if _is_own_folder(self._folder):
            shutil.rmtree(self._folder, ignore_errors=True)

    def _name(self, sort: str, made_from: tuple[bytes | str, ...]) -> bytes:
        return _named(self._made_by, sort, *made_from)


class InMemory(Cache):
    """A cache in front of another for a process that goes on: it has lately used entries at hand,
    decoded if they are read so. Other processes are handed the cache below."""

    def __init__(self, below: Cache) -> None:
        super().__init__(None)
        self._below = below
        self._at_hand: dict[bytes, bytes] = {}
        self._decoded: dict[bytes, Any] = {}
        self._made: dict[Hashable, Any] = {}
        self._latest: dict[Hashable, tuple[tuple[object, ...], Any]] = {}
        self._size = 0

    def __reduce__(self) -> Any:
        return self._below.__reduce__()

    @property
    def goes_on(self) -> bool:
        """True: `once` remembers."""
        return True

    @property
    def keeps(self) -> bool:
        """True: there is room in memory."""
        return True

    def get(self, sort: Sort, *made_from: bytes | str) -> bytes | None:
        """Return the entry made from just this: the same object while it is at hand."""
        name = self._name(sort, made_from)
        value = self._at_hand.pop(name, None)
        if value is not None:
            self._at_hand[name] = value  # used last
            return value
        value = self._below.get(sort, *made_from)
        if value is not None:
            self._lay(name, value)
        return value

    def read(self, decode: Callable[[bytes], T], sort: Sort, *made_from: bytes | str) -> T | None:
        """Return the entry, decoded: the same value while it is at hand."""
        content, name = self.get(sort, *made_from), self._name(sort, made_from)
        if content is None:
            return None
        if name not in self._decoded:
            self._decoded[name] = decode(content)
        found: T = self._decoded[name]
        return found

    def once(self, make: Callable[[], T], *made_from: Hashable) -> T:
        """Return what is made from just this: the same value while it is at hand."""
        value: T = self._made.pop(made_from, _NOT_MADE)
        if value is _NOT_MADE:
            value = make()
        self._made[made_from] = value  # used last
        if len(self._made) > _MOST_MADE:
            del self._made[next(iter(self._made))]
        return value

    def latest(self, make: Callable[[], T], name: Hashable, *made_from: object) -> T:
        """Return what is made from values equal to these: the same result as the last time."""
        known = self._latest.get(name)
        if known is None or known[0] != made_from:
            known = self._latest[name] = made_from, make()
        value: T = known[1]
        return value

    def put(self, sort: Sort, value: bytes, *made_from: bytes | str) -> None:
        """Keep a value here and below."""
        self._lay(self._name(sort, made_from), value)
        self._below.put(sort, value, *made_from)

    def _lay(self, name: bytes, value: bytes) -> None:
        self._drop(name)
        self._size += len(value)
        self._at_hand[name] = value
        while self._size > MOST_AT_HAND:
            self._drop(next(iter(self._at_hand)))

    def _drop(self, name: bytes) -> None:
        self._size -= len(self._at_hand.pop(name, b""))
        self._decoded.pop(name, None)


NOTHING_KEPT: Final = Cache(None)
"""For commands that are to work everything out, and for tests."""


def _named(*made_from: bytes | str) -> bytes:
    """Return a digest of all parts, each with its length so that none can pass for another."""
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for part in made_from:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(content))
        digest.update(content)
    return digest.digest()


def _digest_of(name: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=16, key=name).digest()


def user_cache() -> Cache:
    """Return the user's cache: in the folder that the environment names (`GRIDPRESS_CACHE`, an
    absolute path), or where this system keeps such folders."""
    return Cache(user_folder(), _versions())


def user_folder() -> Path:
    """Return the folder that the user keeps results of Gridpress in."""
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415, for this alone

    return user_cache_path("gridpress", appauthor=False)


def _versions() -> bytes:
    """Return a digest of Gridpress's own modules (names, sizes and times, as Python compares its
    compiled ones), Python's version, and the names and versions of all installed packages."""
    digest = hashlib.blake2b(guests.stamp(Path(__file__).parent), digest_size=_DIGEST)
    digest.update(guests.fingerprint())
    installed = set[str]()
    for folder in filter(os.path.isdir, sys.path):
        with suppress(OSError):
            names = os.listdir(folder)
            installed.update(n for n in names if n.endswith((".dist-info", ".egg-info")))
    python = f"{__version__} {sys.implementation.cache_tag} {sys.version} {sys.platform}"
    versions = "\0".join((python, *sorted(installed)))
    digest.update(versions.encode("utf-8", "surrogateescape"))
    return digest.digest()


def _prepared(folder: Path) -> str:
    """Make the folder if need be; return why it is not used, if so. Raises OSError."""
    if not folder.is_absolute():
        return f"{VARIABLE} must be an absolute path"
    if not os.path.lexists(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        shutil.rmtree(folder.with_name(_BEFORE), ignore_errors=True)
    if not _is_own_folder(folder):
        return f"{folder} is a link, not a folder, or belongs to another user"
    if os.name == "posix" and folder.lstat().st_mode & 0o022:
        return f"others may write to {folder}"
    return ""


def _is_own_folder(path: Path) -> bool:
    """Return True for a folder of this user that is not a link."""
    try:
        status = path.lstat()
    except OSError:
        return False
    is_mine = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
    return stat.S_ISDIR(status.st_mode) and not is_link(status) and is_mine
