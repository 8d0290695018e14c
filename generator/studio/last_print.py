"""Knows what the last prints of a pack showed, from their manifests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from generator.model.face import Face
from generator.model.manifest import (
    MANIFEST,
    FileEntry,
    Manifest,
    ManifestError,
    in_locale,
    of_part,
    read_manifest,
)
from generator.model.pack import uncopied


class PrintedFace(Struct, frozen=True):
    """The place of a face on a page, mm; turned clockwise by `rotation` degrees."""

    kind: str
    id: str
    side: str
    x: float
    y: float
    width: float
    height: float
    rotation: int


class PrintedPage(Struct, frozen=True):
    """A page of a print, mm."""

    side: str
    label: str
    width: float
    height: float
    faces: tuple[PrintedFace, ...]


class LastPrint(Struct, frozen=True):
    """The last print: when it was (seconds since 1970), its files with their pages, and the digest
    of each face, by `kind/id/side`. Digests are also those of a later print of changes alone."""

    at: float
    files: tuple[tuple[str, int], ...]
    digests: dict[str, str]

    def changed(self, faces: Iterable[Face]) -> tuple[str, ...]:
        """Return the components, as `kind/id`, with a face that looks different now or is new."""
        found = (
            f"{face.kind}/{uncopied(face.component)}"
            for face in faces
            if self.digests.get(f"{face.kind}/{face.component}/{face.name}") != face.sha256
        )
        return tuple(dict.fromkeys(found))


class _Changes(Struct, frozen=True):
    """The digests of faces after prints of changes alone, and the sha256 of the manifest of the
    whole print before them."""

    since: str
    digests: dict[str, str]


_CHANGES: Final = ".printed.json"


def last_print(folder: Path, locale: str | None) -> LastPrint | None:
    """Return the last print in a pack's output folder, or None."""
    name = _called(MANIFEST, locale)
    whole = _manifest(folder / name)
    if whole is None:
        return None
    at, digests = (folder / name).stat().st_mtime, _digests(whole)
    noted = folder / _called(_CHANGES, locale)
    with suppress(OSError, msgspec.MsgspecError):
        changes = msgspec.json.decode(noted.read_bytes(), type=_Changes)
        if changes.since == _sha256(folder / name):
            at, digests = noted.stat().st_mtime, digests | changes.digests
    files = tuple((file.file, len(file.pages)) for file in whole.files)
    return LastPrint(at, tuple(one for one in files if (folder / one[0]).is_file()), digests)


def note_whole(folder: Path, locale: str | None) -> None:
    """Note that the whole pack was printed."""
    (folder / _called(_CHANGES, locale)).unlink(missing_ok=True)


def note_changes(folder: Path, locale: str | None) -> None:
    """Note that changes alone were printed after the last whole print."""
    name = _called(MANIFEST, locale)
    last, part = last_print(folder, locale), _manifest(folder / of_part(name))
    if last is not None and part is not None:
        changes = _Changes(_sha256(folder / name), last.digests | _digests(part))
        (folder / _called(_CHANGES, locale)).write_bytes(msgspec.json.encode(changes))


def _called(name: str, locale: str | None) -> str:
    return in_locale(name, locale) if locale else name


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def printed_pages(pdf: Path) -> tuple[PrintedPage, ...]:
    """Return the pages of a PDF that the manifest beside it lists."""
    for manifest in sorted(pdf.parent.glob("manifest*.json")):
        read = _manifest(manifest)
        for file in read.files if read else ():
            if file.file == pdf.name:
                return tuple(_pages(file))
    return ()


def _pages(file: FileEntry) -> Iterable[PrintedPage]:
    for page in file.pages:
        faces = (
            PrintedFace(p.kind, p.component, p.face, p.x, p.y, p.width, p.height, p.rotation)
            for p in page.placements
        )
        yield PrintedPage(str(page.side), page.label, page.width, page.height, tuple(faces))


def _digests(manifest: Manifest) -> dict[str, str]:
    return {
        f"{placed.kind}/{placed.component}/{placed.face}": placed.digest
        for file in manifest.files
        for page in file.pages
        for placed in page.placements
    }


def _manifest(path: Path) -> Manifest | None:
    with suppress(OSError, ManifestError):
        return read_manifest(path.read_bytes())
    return None
