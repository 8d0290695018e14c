"""Puts finished files into the output folder, all in one step.

Delivery is the end of a press where the printed sheets come to lie. Here it is all files or none,
in one step, into folders that are really there. Files that the manifest of the earlier build lists,
and the new one does not, are removed. Unknown files stay.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from time import sleep
from typing import Final

import msgspec

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.model.manifest import (
    MANIFEST,
    MOST_BYTES,
    ListedFiles,
    ManifestError,
    manifest_beside,
    manifest_bytes,
    read_manifest,
)
from generator.real_folders import RealFolder, TargetFolder, cannot_write, opened
from generator.scratch import LOCK_FILE, Lock
from generator.writing import is_plain, is_plain_path, leave, settle, swapping

DEFAULT_OUTPUT: Final = TargetFolder(Path(), ("output",))
"""The default folder of builds; since nobody named it, it may not be a link."""
PREVIEW: Final = "preview"
"""The folder of a pack's pictures, in that of its PDFs."""
_PAUSE: Final = 0.1
"""Seconds between two looks whether another build has ended."""
_BLOCK: Final = 1 << 20
_WRITER: Final = b'"gridpress": "'
_MAKER: Final = b"Gridpress "
"""Words by which our manifests and PDFs identify themselves."""
_UNKNOWN: Final = "a build would write here, but Gridpress did not make what is here now"
_KEEP: Final = "move it elsewhere, or choose another folder with -o"
_REFUSED: Final = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)

Told = Callable[[str], None]


def nobody(words: str) -> None:
    """The listener who is not there."""


class Delivery:
    """An output folder that is ours alone for the time of a build."""

    def __init__(self, folder: RealFolder) -> None:
        self._folder = folder

    def strangers(self, staged: Path, manifest: str = MANIFEST) -> tuple[Diagnostic, ...]:
        """GP706 for each file in the folder in whose place one of `staged` would come, and that
        nobody knows to be ours: not the manifest of this name there by its digest, nor its own
        words. Nothing is to be published then."""
        told = _told(self._folder, manifest)
        listed = {**told.others, **{file.file: file.sha256 for file in told.files}}
        is_build = self._says(Path(manifest), _WRITER) and not told.outlet

        def is_ours(path: Path, sha256: str) -> bool:
            if sha256 == listed.get(path.as_posix()):
                return True
            if path.suffix == ".pdf":
                return self._says(path, _MAKER)
            if path.name == manifest:
                return self._says(path, _WRITER)
            return is_build  # which lists no more than its PDFs

        new = sorted(p.relative_to(staged) for p in staged.rglob("*") if p.is_file())
        there = {path: sha256 for path in new if (sha256 := self._sha256(path)) is not None}
        return tuple(
            Diagnostic(Span(str(self._folder.path / path)), "GP706", _UNKNOWN, _KEEP)
            for path, sha256 in there.items()
            if not is_ours(path, sha256) and sha256 != _sha256(staged / path)
        )

    def publish(self, staged: Path, manifest: str = MANIFEST, papers: Collection[str] = ()) -> None:
        """Move the files of `staged` into the folder, in place of those that the `manifest` of this
        name in the folder lists. With some `papers` those for others stay, and the new manifest
        knows them.

        Raises GridpressError (GP701, GP702, GP705); the folder is then as it was.
        """
        names = sorted(path.name for path in staged.iterdir() if path.is_file())
        gone = self._outdated(names, manifest)
        left = {n: sha256 for n, sha256 in gone.items() if papers and not _is_for(n, papers)}
        if left:
            with suppress(ManifestError):  # too large to be read: they stay, and nobody knows them
                told = read_manifest((staged / manifest).read_bytes())
                told = msgspec.structs.replace(told, others=left)
                (staged / manifest).write_bytes(manifest_bytes(told))
        self._deliver(staged, names, {name: gone[name] for name in gone if name not in left})

    def publish_tree(self, staged: Path) -> None:
        """Move the files of `staged` and of the folders in it into the folder, all or none. Those
        that the manifest there lists, and the new one does not, go.

        Raises GridpressError (GP701, GP702, GP705); the folder is then as it was.
        """
        new = {p.relative_to(staged) for p in staged.rglob("*") if p.is_file()}
        gone = {path: of for path, of in _listed_tree(self._folder).items() if path not in new}
        try:
            with swapping(self._folder) as swap:
                for path in sorted(new):
                    with (staged / path).open("rb") as content:
                        swap.add(path.as_posix(), content)
                swap.commit({p.as_posix(): of for p, of in gone.items() if self._sha256(p) == of})
        except OSError as error:
            raise cannot_write(error, str(self._folder.path)) from error
        leave(self._folder, map(Path.as_posix, gone))

    def _sha256(self, path: Path) -> str | None:
        """The digest of a file below the folder, if it can be read."""
        file = self._opened(path)
        if file is None:
            return None
        with file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def _says(self, path: Path, words: bytes) -> bool:
        """Return True if a file below the folder contains these words."""
        file, end = self._opened(path), b""
        if file is None:
            return False
        with file:
            while block := file.read(_BLOCK):
                if words in end + block:
                    return True
                end = block[-len(words) :]
        return False

    def _opened(self, path: Path) -> BufferedReader | None:
        """A file below the folder, by no link."""
        with ExitStack() as stack, suppress(OSError, GridpressError):
            folder = self._folder
            for name in path.parts[:-1]:
                folder = folder.inner(name, make=False)
                stack.callback(folder.close)
            return folder.read(path.name)
        return None

    def _deliver(self, staged: Path, names: Sequence[str], gone: Mapping[str, str]) -> None:
        folder = self._folder
        try:
            if not folder.is_there():
                number, why = errno.ENOENT, "the folder was moved or removed during the build"
                raise FileNotFoundError(number, why, str(folder.path))
            with swapping(folder) as swap:
                for name in names:
                    with (staged / name).open("rb") as content:
                        swap.add(name, content)
                swap.commit(gone)
        except OSError as error:
            raise cannot_write(error, str(folder.path)) from error

    def _outdated(self, names: Sequence[str], manifest: str) -> Mapping[str, str]:
        """The files of the build before that are not among the new ones, with their digests."""
        listed = _listed(self._folder, manifest)
        left = sorted(listed.keys() - set(names))
        return {name: listed[name] for name in left if _digest(self._folder, name) == listed[name]}


@contextmanager
def delivering(place: TargetFolder, told: Told = nobody) -> Iterator[Delivery]:
    """The output folder for a build: made if need be, and gone in the end if nothing came into it.
    A build that is under way there is waited for; `told` hears of it. What a build that was killed
    left is completed or taken back.

    Raises GridpressError when the folder cannot be made or written (GP701, GP702), or is a link
    that the user did not name (GP705).
    """
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(opened(place))
            lock = _awaited(folder, told)
            if lock is not None:
                stack.callback(lock.release)
            settle(folder)
        except OSError as error:
            raise cannot_write(error, str(place.path)) from error
        yield Delivery(folder)


def tidy(place: TargetFolder) -> None:
    """Complete or take back what a killed build left in a folder of finished files; leave a running
    build alone, and skip steps that fail."""
    if not place.path.is_dir():
        return
    with suppress(OSError, GridpressError), opened(place) as folder:
        was_killed = folder.is_file(LOCK_FILE)
        if was_killed:
            lock = Lock.take(folder.path / LOCK_FILE, folder.handle)
            if lock is not None:
                lock.release()
        settle(folder)
        if was_killed and not folder.names():
            place.path.rmdir()


def tidy_all(output: TargetFolder) -> None:
    """The same for an output folder's packs and all that is made of them, and for the project that
    it is in."""
    tidy(TargetFolder(output.named))
    for pack in _folders(output):
        tidy(pack)
        for made in _folders(pack):
            tidy(made)


def _folders(place: TargetFolder) -> Iterator[TargetFolder]:
    """Those in a folder, none if it is not there or is a link."""
    with suppress(OSError, GridpressError):
        if place.path.is_dir():
            with opened(place) as folder:
                names = folder.names()
            yield from (place / name for name in names if (place / name).path.is_dir())


def _awaited(folder: RealFolder, told: Told) -> Lock | None:
    """The lock of a folder, waited for; None on a disk that knows no locks."""
    has_told = False
    while True:
        try:
            lock = Lock.take(folder.path / LOCK_FILE, folder.handle)
        except OSError as error:
            if error.errno in _REFUSED and not folder.is_file(LOCK_FILE):  # another user's
                raise
            return None
        if lock is not None:
            return lock
        if not has_told:
            told(f"{folder.path}: another build is writing here; waiting for it (Ctrl-C stops)")
            has_told = True
        sleep(_PAUSE)


def _listed(folder: RealFolder, manifest: str) -> Mapping[str, str]:
    """The PDFs that are its own and that a manifest names, if there is one, with their digests;
    never paths."""
    told = _told(folder, manifest)
    listed = {**told.others, **{file.file: file.sha256 for file in told.files}}
    own = (name for name in listed if _is_pdf(name) and manifest_beside(name) == manifest)
    return {name: listed[name] for name in own}


def _is_for(name: str, papers: Collection[str]) -> bool:
    return name.partition(".")[0].endswith(tuple(f"-{paper}" for paper in papers))


def _listed_tree(folder: RealFolder) -> Mapping[Path, str]:
    """The files that a manifest names, in whatever folder below this one, with their digests."""
    listed = {file.file: file.sha256 for file in _told(folder, MANIFEST).files}
    return {Path(n): d for n, d in listed.items() if is_plain_path(n)}


def _told(folder: RealFolder, manifest: str) -> ListedFiles:
    """Return the files that a manifest lists; none if it is missing or is not a manifest."""
    try:
        with folder.read(manifest) as file:
            return msgspec.json.decode(file.read(MOST_BYTES), type=ListedFiles)
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return ListedFiles()


def _is_pdf(name: str) -> bool:
    return name.endswith(".pdf") and is_plain(name)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(folder: RealFolder, name: str) -> str | None:
    """Return the sha256 of a readable file that is not a link."""
    try:
        with folder.read(name) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
