"""`gridpress track show`: a track in, a table and map of it, or its plan as a picture, out; and
circuits that were found on a contact sheet."""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from generator.cli import terminal
from generator.cli.track_lookup import is_wrong, layout_of, open_track, tiles_for
from generator.diagnostics import GridpressError, Span, plain
from generator.export import face_pages, face_pictures
from generator.fonts import OWN_FAMILY, FontLibrary, fonts_of
from generator.geometry import Rect
from generator.model.catalogue import Stock
from generator.model.face import Art, Face
from generator.model.pack import Component
from generator.print_runs import OpenPack
from generator.project import Project, shipped_root
from generator.realfolder import at_work
from generator.tracks import (
    ON_PAGE,
    Candidate,
    Fonts,
    Schematic,
    draw_schematic,
    sheet,
    track_listing,
)
from generator.writing import write_named

_BOLD: Final = 700
_SHEET_DPI: Final = 120
_ENDINGS: Final = ("", "svg", "png", "txt", "text", "md")
"""What a file's name may end in, where nothing is said of the format."""


@click.command("show")
@click.argument("layout", metavar="LAYOUT")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "svg", "png"]),
    help="text: a table and a small map; svg, png: a plan.  [default: by FILE's ending, else text]",
)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write it to; the terminal by default.",
)
@click.option(
    "--dpi", type=click.IntRange(36, 600), default=150, show_default=True, help="Of a PNG."
)
def command(layout: str, format_: str | None, file: Path | None, dpi: int) -> int:
    """Show a track: which tile lies where and turns which way, and how long and wide it is.

    The plan is drawn from the tiles' shapes alone, with their numbers, the finish line, arrows of
    travel and the tiles that can leave; its legend lists what to lay. A track that is wrong is
    shown as well, with its gaps and what would close them, hatched where tiles lie on each other,
    and with stand-ins for tiles that there are not; the exit status is 1 then.
    """
    ending = file.suffix[1:].lower() if file else ""
    if format_ is None and ending not in _ENDINGS:
        raise click.UsageError(f"no picture is drawn as {ending}: name it .svg, .png or .txt")
    wanted = format_ or (ending if ending in ("svg", "png") else "text")
    if wanted == "png" and file is None and sys.stdout.isatty():
        raise click.UsageError("a PNG needs a file: add -o track.png")
    outcome, component = open_track(layout, wrong_too=True)
    terminal.show(outcome.diagnostics)
    if component is None or outcome.value is None:
        return 1
    if wanted == "text":
        lines = _text(outcome.value, component).split("\n")
        made = "\n".join(map(plain, lines)).encode()
    else:
        drawn = _drawn(outcome.value, component)
        made = drawn.svg.encode() if wanted == "svg" else _png(outcome.value, drawn, dpi)
    _deliver(made, file)
    return int(is_wrong(outcome, component))


def _name(opened: OpenPack, component: Component) -> str:
    return f"{opened.pack.name}/{component.id}"


def _title(component: Component) -> str:
    """Its name, if it has one that is a text; else what its id says."""
    name = component.values.get("name") or component.values.get("title")
    return str(name) if isinstance(name, str) else component.id.replace("-", " ").capitalize()


def _text(opened: OpenPack, component: Component) -> str:
    head = f"{_title(component)}  ({_name(opened, component)})"
    pool = tiles_for(opened.pack, component)
    return "\n".join((head, "", *track_listing(layout_of(component), pool), ""))


def _drawn(opened: OpenPack, component: Component) -> Schematic:
    fonts = _lettering(fonts_of(opened.target.project))
    note = f"{opened.pack.title}: {_name(opened, component)}"
    pool = tiles_for(opened.pack, component)
    return draw_schematic(layout_of(component), _title(component), note, fonts, pool)


def _lettering(library: FontLibrary) -> Fonts:
    return Fonts(library.find(OWN_FAMILY).svg, library.find(OWN_FAMILY, weight=_BOLD).svg)


def _png(opened: OpenPack, drawn: Schematic, dpi: int) -> bytes:
    """The picture as the print engine draws it. Raises GridpressError when it cannot."""
    with at_work(), tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
        fonts = fonts_of(opened.target.project, Path(scratch))
        return _picture(_face(drawn, "plan", opened.pack.span), fonts, Path(scratch), dpi)


def _face(drawn: Schematic, what: str, span: Span) -> Face:
    stock = Stock(what, drawn.size, bleed=0, safe=0)
    sha256 = hashlib.sha256(drawn.svg.encode()).hexdigest()
    art = Art(drawn.svg, sha256, Rect(0, 0, drawn.size.width, drawn.size.height))
    return Face(what, what, "front", stock, (art,), sha256, span)


def _picture(face: Face, fonts: FontLibrary, scratch: Path, dpi: int) -> bytes:
    pictures = face_pictures([face], fonts, scratch, dpi=dpi)
    if not pictures.ok:
        raise GridpressError(*pictures.diagnostics)
    return pictures.value[face.sha256].read_bytes()


def _deliver(made: bytes, file: Path | None) -> None:
    """To a file, whose name is then told, or to standard output."""
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(made)
        return
    write_named(file, made, "choose another with -o")
    terminal.say(str(file))


def write_sheet(circuits: Sequence[Candidate], tiles: str, file: Path) -> None:
    """Draw circuits of these tiles, numbered from 1, to a .pdf with pages or a .png. Its name is
    told. Raises GridpressError where it cannot be drawn or written."""
    is_pdf = file.suffix.lower() == ".pdf"
    some = ON_PAGE if is_pdf else len(circuits)
    parts = [(n, circuits[n : n + some]) for n in range(0, len(circuits), some)]
    with at_work(), tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
        fonts = fonts_of(Project(shipped_root(), shipped_root()), Path(scratch))
        faces = []
        for page, (first, shown) in enumerate(parts, 1):
            of = f", page {page} of {len(parts)}" if len(parts) > 1 else ""
            note = f"{first + 1} to {first + len(shown)} of {len(circuits)}{of}"
            title = f"Circuits of {tiles}"
            drawn = sheet(shown, first + 1, title, note, _lettering(fonts))
            faces.append(_face(drawn, "sheet", Span("contact sheet")))
        if is_pdf:
            pages = face_pages(faces, fonts, Path(scratch))
            if not pages.ok:
                raise GridpressError(*pages.diagnostics)
            made = pages.value
        else:
            made = _picture(faces[0], fonts, Path(scratch), _SHEET_DPI)
    write_named(file, made, "choose another with -o")
    terminal.note(str(file))
