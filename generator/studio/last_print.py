"""Reads what the last print of a pack showed, from its manifests."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

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
    """Where a face is on a page, mm; turned clockwise by `rotation` degrees."""

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


def last_print(folder: Path, locale: str | None) -> LastPrint | None:
    """Return the last print in a pack's output folder; None if there is none."""
    name = in_locale(MANIFEST, locale) if locale else MANIFEST
    whole = _manifest(folder / name)
    if whole is None:
        return None
    at = (folder / name).stat().st_mtime
    digests = _digests(whole)
    part = folder / of_part(name)
    later = _manifest(part)
    if later is not None and part.stat().st_mtime > at:
        at = part.stat().st_mtime
        digests |= _digests(later)
    files = tuple((file.file, len(file.pages)) for file in whole.files)
    return LastPrint(at, tuple(one for one in files if (folder / one[0]).is_file()), digests)


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
