"""Puts finished files into the output folder, and removes those of the build before."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from generator.diagnostics import Diagnostic, Span
from generator.model.manifest import (
    MANIFEST,
    MOST_BYTES,
    ListedFiles,
    ManifestError,
    manifest_beside,
    manifest_bytes,
    read_manifest,
)
from generator.writing import (
    TargetFolder,
    cannot_write,
    file_digest,
    is_plain_path,
    leftovers,
    locked,
    made,
    replace_files,
)

DEFAULT_OUTPUT: Final = TargetFolder(Path(), ("output",))
"""The default folder of builds; since nobody named it, it may not be a link."""
PREVIEW: Final = "preview"
"""The folder of a pack's pictures, in that of its PDFs."""
_WRITER: Final = b'"gridpress": "'
_MAKER: Final = b"Gridpress "
"""Words in all our manifests and PDFs."""
_UNKNOWN: Final = "a build would write here, but Gridpress did not make what is here now"
_KEEP: Final = "move it elsewhere, or choose another folder with -o"

Told = Callable[[str], None]


def nobody(words: str) -> None:
    """Ignore what is reported."""


class Delivery:
    """An output folder that belongs to one build until its end."""

    def __init__(self, place: TargetFolder) -> None:
        self._place = place
        self._folder = place.path

    def strangers(self, staged: Path, manifest: str = MANIFEST) -> tuple[Diagnostic, ...]:
        """Return GP706 for each file that one of `staged` would replace and that Gridpress did not
        make, by the manifest there or by its own words."""
        lists = self._listings(manifest)
        found = []
        for name in sorted(_files_below(staged)):
            now = file_digest(self._place, name)
            is_known = any(now == listed.get(name) for listed in map(_digests, lists))
            if now is None or is_known or now == _sha256(staged / name):
                continue
            if not self._is_ours(name, manifest, lists[0]):
                place = Span(str(self._folder / name))
                found.append(Diagnostic(place, "GP706", _UNKNOWN, _KEEP))
        return tuple(found)

    def _is_ours(self, name: str, manifest: str, listed: ListedFiles) -> bool:
        content = (self._folder / name).read_bytes()
        if name.endswith(".pdf"):
            return _MAKER in content
        if name == manifest:
            return _WRITER in content
        # The manifest of a build lists only its PDFs.
        if listed.outlet or file_digest(self._place, manifest) is None:
            return False
        return _WRITER in (self._folder / manifest).read_bytes()

    def publish(self, staged: Path, manifest: str = MANIFEST, papers: Collection[str] = ()) -> None:
        """Put the files of `staged` into the folder, and remove the other PDFs that the manifest
        there lists. With some `papers` those for others stay, and the new manifest lists them.

        Raises GridpressError (GP701, GP702, GP705).
        """
        gone = {
            name: sha256
            for name, sha256 in self._outdated(staged, manifest).items()
            if name.endswith(".pdf") and "/" not in name and manifest_beside(name) == manifest
        }
        left = {name: gone[name] for name in gone if papers and not _is_for(name, papers)}
        if left:
            with suppress(ManifestError):  # too large to be read: they stay, unlisted
                new = read_manifest((staged / manifest).read_bytes())
                new = msgspec.structs.replace(new, others=left)
                (staged / manifest).write_bytes(manifest_bytes(new))
        self._put(staged, gone.keys() - left.keys(), manifest)

    def publish_tree(self, staged: Path) -> None:
        """Put the files of `staged` and of the folders in it into the folder, and remove the others
        that the manifest there lists.

        Raises GridpressError (GP701, GP702, GP705).
        """
        self._put(staged, self._outdated(staged, MANIFEST), MANIFEST)

    def _put(self, staged: Path, gone: Collection[str], manifest: str) -> None:
        old = leftovers(self._folder)
        files = {name: staged / name for name in _files_below(staged)}
        try:
            self._place.refuse_links()
            replace_files(self._folder, files, sorted(gone), manifest)
        except OSError as error:
            raise cannot_write(error, str(self._folder)) from error
        for folder in old:
            shutil.rmtree(folder, ignore_errors=True)

    def _outdated(self, staged: Path, manifest: str) -> Mapping[str, str]:
        """Return the files of the build before that the new one does not have, as long as nobody
        has changed them, with their digests."""
        new = _files_below(staged)
        return {
            name: sha256
            for listed in map(_digests, self._listings(manifest))
            for name, sha256 in listed.items()
            if name not in new and is_plain_path(name) and file_digest(self._place, name) == sha256
        }

    def _listings(self, manifest: str) -> list[ListedFiles]:
        """Return what the manifest there lists, and what those list of builds that were cut off."""
        places = [self._place, *(self._place / path.name for path in leftovers(self._folder))]
        return [_listed(place, manifest) for place in places]


@contextmanager
def delivering(place: TargetFolder, told: Told = nobody) -> Iterator[Delivery]:
    """Make the output folder for a build, and wait for another build there, which `told` reports.
    A folder that stays empty is removed.

    Raises GridpressError when the folder cannot be made or written (GP701, GP702), or is a link
    that the user did not name (GP705).
    """
    words = f"{place.path}: another build is writing here; waiting for it (Ctrl-C stops)"
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(made(place))
            stack.enter_context(locked(folder, lambda: told(words)))
        except OSError as error:
            raise cannot_write(error, str(place.path)) from error
        yield Delivery(place)


def _files_below(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def _listed(place: TargetFolder, manifest: str) -> ListedFiles:
    """Return the files that a manifest lists; none if it is missing or is not a manifest."""
    if file_digest(place, manifest) is None:
        return ListedFiles()
    try:
        with (place.path / manifest).open("rb") as file:
            return msgspec.json.decode(file.read(MOST_BYTES), type=ListedFiles)
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return ListedFiles()


def _digests(listed: ListedFiles) -> Mapping[str, str]:
    return {**listed.others, **{file.file: file.sha256 for file in listed.files}}


def _is_for(name: str, papers: Collection[str]) -> bool:
    return name.partition(".")[0].endswith(tuple(f"-{paper}" for paper in papers))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
