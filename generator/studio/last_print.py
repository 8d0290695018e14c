"""Knows which pages of a pack were made last, and what was printed of them."""

from __future__ import annotations

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
    manifest_beside,
    of_part,
    read_manifest,
    sibling_file,
)
from generator.model.pack import Backs, Print, uncopied


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


class PdfPages(Struct, frozen=True):
    """A PDF: how the backs come behind the fronts, and its pages."""

    backs: Backs
    pages: tuple[PrintedPage, ...]


class LastPrint(Struct, frozen=True):
    """The last pages that were made: when (seconds since 1970), and their files with the number of
    pages."""

    at: float
    files: tuple[tuple[str, int], ...]


class Printed(Struct, frozen=True):
    """The last print: its time, and the digest of each face then, by `kind/id/side`."""

    at: float
    digests: dict[str, str]

    def changed(self, prints: Iterable[Print], faces: Iterable[Face]) -> tuple[str, ...]:
        """Return the components, as `kind/id`, with a face that is new or looks different now. Only
        prints with something printed count."""
        known = {key.partition("/")[0] for key in self.digests}
        kinds = {kind for one in prints if known.intersection(one.kinds) for kind in one.kinds}
        found = (
            f"{face.kind}/{uncopied(face.component)}"
            for face in faces
            if face.kind in kinds
            and self.digests.get(f"{face.kind}/{face.component}/{face.name}") != face.sha256
        )
        return tuple(dict.fromkeys(found))


_PRINTED: Final = ".printed.json"


def last_print(folder: Path, locale: str | None) -> LastPrint | None:
    """Return the last print of a whole pack in its output folder, or None."""
    path = folder / _called(MANIFEST, locale)
    whole = _manifest(path)
    if whole is None:
        return None
    files = ((file.file, len(file.pages)) for file in whole.files)
    there = tuple(one for one in files if (folder / one[0]).is_file())
    return LastPrint(path.stat().st_mtime, there)


def last_printed(folder: Path, locale: str | None) -> Printed | None:
    """Return what somebody took to print from a pack's output folder, or None."""
    return _read_printed(folder / _called(_PRINTED, locale))


def note_printed(pdf: Path) -> None:
    """Note that somebody took a PDF: its faces count as printed."""
    found = _file_entry(pdf)
    if found is None:
        return
    name = sibling_file(pdf.name, _PRINTED).replace(of_part(".json"), ".json")
    noted = pdf.with_name(name)
    with suppress(OSError):
        old = _read_printed(noted)
        digests = _digests(found) if old is None else old.digests | _digests(found)
        noted.write_bytes(msgspec.json.encode(digests))


def _read_printed(noted: Path) -> Printed | None:
    with suppress(OSError, msgspec.MsgspecError):
        digests = msgspec.json.decode(noted.read_bytes(), type=dict[str, str])
        return Printed(noted.stat().st_mtime, digests)
    return None


def _called(name: str, locale: str | None) -> str:
    return in_locale(name, locale) if locale else name


def pdf_pages(pdf: Path) -> PdfPages | None:
    """Return what the manifest beside a PDF says of it, or None."""
    found = _file_entry(pdf)
    return None if found is None else PdfPages(found.backs, tuple(_pages(found)))


def _file_entry(pdf: Path) -> FileEntry | None:
    manifest = _manifest(pdf.with_name(manifest_beside(pdf.name)))
    files = () if manifest is None else manifest.files
    return next((file for file in files if file.file == pdf.name), None)


def _pages(file: FileEntry) -> Iterable[PrintedPage]:
    for page in file.pages:
        faces = (
            PrintedFace(p.kind, p.component, p.face, p.x, p.y, p.width, p.height, p.rotation)
            for p in page.placements
        )
        yield PrintedPage(str(page.side), page.label, page.width, page.height, tuple(faces))


def _digests(file: FileEntry) -> dict[str, str]:
    return {
        f"{placed.kind}/{placed.component}/{placed.face}": placed.digest
        for page in file.pages
        for placed in page.placements
    }


def _manifest(path: Path) -> Manifest | None:
    with suppress(OSError, ManifestError):
        return read_manifest(path.read_bytes())
    return None
