"""Circuits in, a contact sheet of them in a file out."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from generator.diagnostics import GridpressError, Span
from generator.export import face_pages, face_pictures
from generator.fonts import OWN_FAMILY, fonts_of
from generator.geometry import Rect
from generator.model.face import Art, Face
from generator.model.stock import Stock
from generator.project import Project, shipped_root
from generator.realfolder import at_work
from generator.tracks import ON_PAGE, Fonts, Schematic, sheet
from generator.writing import write_named

if TYPE_CHECKING:
    from generator.tracks import Candidate

_DPI: Final = 120
_BOLD: Final = 700


def write_sheet(circuits: Sequence[Candidate], tiles: str, file: Path) -> None:
    """Draw circuits of these tiles, numbered from 1, to a .pdf with pages or a .png. Its name is
    told. Raises GridpressError where it cannot be drawn or written."""
    is_pdf = file.suffix.lower() == ".pdf"
    some = ON_PAGE if is_pdf else len(circuits)
    parts = [(n, circuits[n : n + some]) for n in range(0, len(circuits), some)]
    with at_work(), tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
        fonts = fonts_of(Project(shipped_root(), shipped_root()), Path(scratch))
        names = Fonts(fonts.find(OWN_FAMILY).svg, fonts.find(OWN_FAMILY, weight=_BOLD).svg)
        faces = []
        for page, (first, shown) in enumerate(parts, 1):
            of = f", page {page} of {len(parts)}" if len(parts) > 1 else ""
            note = f"{first + 1} to {first + len(shown)} of {len(circuits)}{of}"
            faces.append(_face(sheet(shown, first + 1, f"Circuits of {tiles}", note, names)))
        if is_pdf:
            pages = face_pages(faces, fonts, Path(scratch))
            if not pages.ok:
                raise GridpressError(*pages.diagnostics)
            made = pages.value
        else:
            pictures = face_pictures(faces, fonts, Path(scratch), dpi=_DPI)
            if not pictures.ok:
                raise GridpressError(*pictures.diagnostics)
            made = pictures.value[faces[0].sha256].read_bytes()
    write_named(file, made, "choose another with -o")
    click.echo(str(file), err=True)


def _face(drawn: Schematic) -> Face:
    stock = Stock("sheet", drawn.size, bleed=0, safe=0)
    sha256 = hashlib.sha256(drawn.svg.encode()).hexdigest()
    art = Art(drawn.svg, sha256, Rect(0, 0, drawn.size.width, drawn.size.height))
    return Face("sheet", "sheet", "front", stock, (art,), sha256, Span("contact sheet"))
