"""Makes the entries of `manifest.json` for finished files, pages, pieces and components."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from generator.cache import Cache, Same
from generator.diagnostics import Span
from generator.geometry import Point
from generator.model.catalogue import TRUE, PrinterProfile, PrinterStretch
from generator.model.face import Placement, Sheet
from generator.model.manifest import (
    FileEntry,
    KindEntry,
    PageEntry,
    PlacementEntry,
    PrinterEntry,
    StretchEntry,
    WaiverEntry,
    WrittenFile,
)
from generator.model.pack import Backs, Component, Kind, Waiver
from generator.outlines import waste

_PLAIN_PRINTER: Final = PrinterProfile()
_NO_DIGESTS: Final = WrittenFile()


class ManifestFile(Struct, frozen=True):
    """A finished PDF: its path, print, paper, backs, sheets, printer and digests, and whether it is
    a draft."""

    path: Path
    print_: str
    paper: str
    backs: Backs
    sheets: tuple[Sheet, ...]
    profile: PrinterProfile = _PLAIN_PRINTER
    written: WrittenFile = _NO_DIGESTS
    is_draft: bool = False


def file_entry(file: ManifestFile, cache: Cache) -> FileEntry:
    """Return the entry of a finished file, lengths to 0.1 µm."""
    profile = file.profile
    pages = file.written.pages or ("",) * len(file.sheets)
    return FileEntry(
        file=file.path.name,
        print_=file.print_,
        paper=file.paper,
        backs=file.backs,
        sha256=file.written.sha256,
        waste=round(waste(file.sheets), 4),
        draft=file.is_draft,
        printer=PrinterEntry(
            name=profile.name,
            front=_pair(profile.front),
            back=_pair(profile.back),
            tolerance=_number(profile.tolerance),
            front_stretch=_stretch(profile.front_stretch),
            back_stretch=_stretch(profile.back_stretch),
        ),
        objects=file.written.objects,
        pages=tuple(
            cache.once(partial(_page, number, sheet, shown), "page", number, shown, Same(sheet))
            for number, (sheet, shown) in enumerate(zip(file.sheets, pages, strict=True), start=1)
        ),
    )


def _stretch(told: PrinterStretch) -> StretchEntry | None:
    return None if told == TRUE else StretchEntry(short=told.short, long=told.long, skew=told.skew)


def _page(number: int, sheet: Sheet, digest: str) -> PageEntry:
    return PageEntry(
        number=number,
        side=sheet.side,
        width=_number(sheet.size.width),
        height=_number(sheet.size.height),
        label=sheet.label,
        digest=digest,
        placements=tuple(map(_placement, sheet.placements)),
    )


def _placement(placement: Placement) -> PlacementEntry:
    face = placement.face
    return PlacementEntry(
        component=face.component,
        copy=placement.copy,
        kind=face.kind,
        face=face.name,
        side=placement.side,
        x=_number(placement.x),
        y=_number(placement.y),
        width=_number(placement.width),
        height=_number(placement.height),
        rotation=placement.rotation % 360,
        bleed=_number(placement.bleed),
        digest=face.sha256,
    )


def _pair(point: Point) -> tuple[float, float]:
    return _number(point.x), _number(point.y)


def _number(value: float) -> float:
    """Round to four places; whole numbers without a point, and never -0."""
    rounded = round(value, 4)
    return int(rounded) if rounded == int(rounded) else rounded


def kind_entry(kind: Kind, components: Sequence[Component]) -> KindEntry:
    """Return how many of each component of a kind are printed, and why."""
    quantities = {component.id: component.quantity for component in components}
    return KindEntry(title=kind.title, why=kind.why, quantities=quantities)


def waiver_entry(given: Waiver, packs: Sequence[str]) -> WaiverEntry:
    """Return a waiver with the place where it was written."""
    return WaiverEntry(
        code=given.code,
        component=given.component,
        reason=given.reason,
        source=source(given.span, packs),
    )


def source(span: Span, packs: Sequence[str]) -> str:
    """Return `cards/<pack>/file.yaml:line:column`, independent of the current folder."""
    return str(Span(_below(span.file, tuple(packs)), span.line, span.column))


@lru_cache(1024)
def _below(file: str, packs: tuple[str, ...]) -> str:
    """Return the path of a file inside the project, or its name if it is of no pack."""
    own = [f"{folder}/{pack}/" for pack in packs for folder in ("cards", "templates")]
    for folder in (*own, "templates/shared/"):
        _, found, rest = file.rpartition(folder)
        if found:
            return found + rest
    return file.rpartition("/")[2]
