"""Keeps documents, stocks, fonts and sheets of a session for the next look at a pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from generator import load, validate
from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import Outcome
from generator.files import FolderEntry, UnreadableError
from generator.fonts import FontLibrary, fonts_of
from generator.model.catalogue import Catalogue, Shop
from generator.model.face import Face, Placement, PrintedPiece, Sheet
from generator.model.source import Document
from generator.project import Project

CATALOGUE_FILES: Final = ("stocks.yaml", "papers.yaml", "label_sheets.yaml", "cutters.yaml")
SHOPS_FILE: Final = "shops.yaml"
Sheets = Outcome[tuple[Sheet, ...]]


class Standing:
    """The standing type of one pack. documents: those that were read for other packs, if any; else
    what the `cache` has of them is found there."""

    def __init__(
        self, documents: load.Documents | None = None, cache: Cache = NOTHING_KEPT
    ) -> None:
        self.documents = documents or load.Documents(cache)
        self._catalogue: tuple[tuple[Document, ...], Outcome[Catalogue]] | None = None
        self._fonts: tuple[object, FontLibrary] | None = None
        self._sheets: dict[object, tuple[object, Sheets]] = {}

    def catalogue(self, project: Project) -> Outcome[Catalogue]:
        """The stocks, papers and the like that a project knows."""
        read = load.read_shared(project, CATALOGUE_FILES, self.documents)
        known = self._catalogue  # a document that says the same is the same one
        if known is None or [*map(id, known[0])] != [*map(id, read.value)]:
            known = self._catalogue = read.value, validate.read_catalogue(read.value)
        return Outcome(known[1].value, (*read.diagnostics, *known[1].diagnostics))

    def shops(self, project: Project) -> Outcome[Mapping[str, Shop]]:
        """The print shops that a project knows."""
        read = load.read_shared(project, (SHOPS_FILE,), self.documents)
        shops = validate.read_shops(read.value)
        return Outcome(shops.value, (*read.diagnostics, *shops.diagnostics))

    def fonts(self, project: Project) -> FontLibrary:
        """The fonts of a project, read again when there are other files in its folders."""
        folders = project.font_folders()
        now = [(entry, _stamp(project, entry)) for f in folders for entry in project.roots.walk(f)]
        if self._fonts is None or self._fonts[0] != now:
            self._fonts = None  # fonts that are not used are not kept
            self._fonts = now, fonts_of(project)
        return self._fonts[1]

    def sheets(
        self,
        name: object,
        pieces: Sequence[PrintedPiece],
        rest: object,
        impose: Callable[[], Sheets],
    ) -> Sheets:
        """The sheets of a file, by its name; `impose` makes them of the pieces and of the `rest`,
        which is any frozen values, and is asked only when these are others.

        The content of a face does not affect its place: a changed face replaces the earlier one.
        """
        asked = [(p.copies, *(_shape(side) for side in (p.front, p.back))) for p in pieces]
        made_from = asked, rest
        known = self._sheets.get(name)
        if known is None or known[0] != made_from:
            made = impose()
        else:
            sides = (side for piece in pieces for side in (piece.front, piece.back) if side)
            faces = {_which(face): face for face in sides}
            made = replace(known[1], value=tuple(_shown(s, faces) for s in known[1].value))
        self._sheets[name] = made_from, made
        return made


def _stamp(project: Project, entry: FolderEntry) -> object:
    """Return a value that changes whenever a file does."""
    try:
        status = project.roots.status(entry.path)
    except UnreadableError as error:
        return error.reason
    return status and (status.st_ino, status.st_size, status.st_mtime_ns, status.st_nlink)


def _which(face: Face) -> tuple[str, str, str]:
    return face.kind, face.component, face.name


def _shape(face: Face | None) -> object:
    """All of a face but what it shows."""
    return face and (*_which(face), face.stock, face.span)


def _shown(sheet: Sheet, faces: Mapping[tuple[str, str, str], Face]) -> Sheet:
    """The sheet with these faces on it; the same one if they are there already."""
    placements = tuple(_placed(placement, faces) for placement in sheet.placements)
    same = all(new is old for new, old in zip(placements, sheet.placements, strict=True))
    return sheet if same else replace(sheet, placements=placements)


def _placed(placement: Placement, faces: Mapping[tuple[str, str, str], Face]) -> Placement:
    face = faces[_which(placement.face)]
    return placement if face is placement.face else replace(placement, face=face)
