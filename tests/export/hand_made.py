"""Faces, sheets and finished files made by hand, for the tests of export and preflight."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generator import __version__
from generator.cache import NOTHING_KEPT
from generator.diagnostics import Span
from generator.export.manifest_entries import ManifestFile, file_entry
from generator.export.sheets import PdfInfo, write_pdf
from generator.export.svg_to_pdf import compile_art
from generator.files import Roots
from generator.fonts import own_fonts
from generator.geometry import Point, Rect, Size
from generator.model.catalogue import Paper, PrinterProfile, Stock
from generator.model.face import (
    Art,
    Asset,
    Face,
    LineMark,
    Mark,
    PathMark,
    PdfLayer,
    Placement,
    Sheet,
    Side,
    TextMark,
    drawn_by_engine,
)
from generator.model.manifest import (
    MANIFEST,
    FileEntry,
    KindEntry,
    Manifest,
    PageEntry,
    PlacementEntry,
    PrinterEntry,
    manifest_bytes,
)
from generator.model.pack import Backs

FONTS = (Path(__file__).parents[2] / "fonts",)
FONT = FONTS[0] / "noto-sans" / "NotoSans_400Regular.ttf"
A4 = Paper("a4", "A4", Size(210, 297))
CARD = Stock("card", Size(63, 88), bleed=3)
RED, GREEN, BLUE = "#ff0000", "#00ff00", "#0000ff"


def face(
    component: str,
    body: str = "",
    *,
    name: str = "front",
    ground: str = "#ddccaa",
    stock: Stock = CARD,
    assets: tuple[Asset, ...] = (),
    line: int = 1,
) -> Face:
    """Return a face with a ground up to the end of the bleed, and this drawing on it."""
    b = stock.bleed
    w, h = stock.trim.width + 2 * b, stock.trim.height + 2 * b
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" '
        f'viewBox="{-b} {-b} {w} {h}">'
        f'<rect x="{-b}" y="{-b}" width="{w}" height="{h}" fill="{ground}"/>{body}</svg>'
    )
    sha = hashlib.sha256(svg.encode()).hexdigest()
    span = Span("cards/hand/made.yaml", line, 3)
    art = Art(svg, sha, Rect(-b, -b, w, h), assets)
    return Face(component, "card", name, stock, drawn_by_engine(art), sha, span)


def text(words: str, family: str = "Alegreya Sans", y: float = 20) -> str:
    """Return a line of text for a face."""
    return f'<text x="5" y="{y}" font-family="{family}" font-size="6">{words}</text>'


def place(
    drawn: Face,
    x: float,
    y: float,
    *,
    copy: int = 1,
    rotation: int = 0,
    clip: Rect | None = None,
    marked: bool = False,
) -> Placement:
    """Place a face with its full bleed, the top-left corner of its trim at (x, y) on the page."""
    size = drawn.stock.trim if rotation % 180 == 0 else drawn.stock.trim.turned
    side = Side.BACK if drawn.name == "back" else Side.FRONT
    box = (x, y, size.width, size.height)
    bleed = drawn.stock.bleed
    return Placement(drawn, copy, side, *box, rotation, bleed, clip, marked=marked)


def ruler(y: float = 290, length: float = 100) -> tuple[Mark, ...]:
    """Return the marks of a ruler: its lines, ticks and labels."""
    scales = (y, -1, 10.0, length), (y + 0.4, 1, 12.7, 101.6)
    ticks = (
        LineMark(PdfLayer.GUIDES, Point(20 + n * step, at), Point(20 + n * step, at + way))
        for at, way, step, whole in scales
        for n in range(round(whole / step) + 1)
    )
    return (
        LineMark(PdfLayer.GUIDES, Point(20, y), Point(20 + length, y)),
        LineMark(PdfLayer.GUIDES, Point(20, y + 0.4), Point(121.6, y + 0.4)),
        TextMark(PdfLayer.GUIDES, Point(123, y), "100 mm"),
        TextMark(PdfLayer.GUIDES, Point(123, y + 1.8), "4 in"),
        *ticks,
    )


def cut(y: float) -> LineMark:
    """Return a level cut line across a margin."""
    return LineMark(PdfLayer.CUT, Point(5, y), Point(9, y))


def die(path: str) -> PathMark:
    """Return a die line."""
    return PathMark(PdfLayer.CUT, path)


def sheet(
    placements: Sequence[Placement],
    marks: Sequence[Mark] | None = None,
    *,
    number: int = 1,
    side: Side = Side.FRONT,
    size: Size = A4.size,
) -> Sheet:
    """Return an A4 page with a ruler, unless other marks are given."""
    drawn = ruler() if marks is None else marks
    return Sheet(A4, size, side, number, f"{number} {side}", tuple(placements), tuple(drawn))


def duplex_sheets(pairs: int = 4) -> list[Sheet]:
    """Return two pages, fronts and backs, for printing on both sides over the long edge."""
    spots = [(20.0, 20.0), (110.0, 20.0), (20.0, 130.0), (110.0, 130.0)][:pairs]
    fronts = [place(face(f"card-{i}", text(f"Front {i}")), *at) for i, at in enumerate(spots)]
    backs = [
        place(face(f"card-{i}", text(f"Back {i}"), name="back"), 210 - x - 63, y)
        for i, (x, y) in enumerate(spots)
    ]
    return [sheet(fronts), sheet(backs, side=Side.BACK)]


def manifest_of(*files: ManifestFile, **more: Any) -> Manifest:
    """Return the manifest of finished files; without kinds, unless they are given."""
    return told(files=tuple(file_entry(file, NOTHING_KEPT) for file in files), **more)


def told(**more: Any) -> Manifest:
    """Return a manifest with these fields; the other fields are minimal."""
    least: dict[str, Any] = {
        "gridpress": __version__, "pack": "hand", "version": "1.0.0", "players": None, "kinds": {},
        "waivers": (), "files": (),
    }  # fmt: skip
    return Manifest(**(least | more))


def told_kind(title: str, why: str, quantities: Mapping[str, int]) -> KindEntry:
    """Return a kind that gives only the quantity of each component."""
    return KindEntry(title=title, why=why, quantities=quantities)


def told_file(name: str, *pages: Sequence[tuple[str, str]]) -> FileEntry:
    """Return a file from the kinds and components on each of its pages."""
    printer = PrinterEntry(name="", front=(0, 0), back=(0, 0), tolerance=0)
    return FileEntry(
        file=name, print_="all", paper="a4", backs=Backs.NONE, sha256="", waste=0, printer=printer,
        pages=tuple(told_page(number, placed) for number, placed in enumerate(pages, start=1)),
    )  # fmt: skip


def told_page(number: int, placed: Sequence[tuple[str, str]]) -> PageEntry:
    """Return a page from the kinds and components on it."""
    placements = tuple(
        PlacementEntry(
            component=component, copy=1, kind=kind, face="front", side=Side.FRONT, x=0, y=0,
            width=9, height=9, rotation=0, bleed=3, digest="0a",
        )
        for kind, component in placed
    )  # fmt: skip
    return PageEntry(
        number=number, side=Side.FRONT, width=210, height=297, placements=placements,
    )  # fmt: skip


def copied(made: Path, folder: Path) -> Path:
    """Copy a finished PDF and its manifest, to be damaged."""
    for name in (made.name, MANIFEST):
        shutil.copy(made.parent / name, folder / name)
    return folder / made.name


def write(
    folder: Path,
    sheets: Sequence[Sheet],
    *,
    backs: Backs = Backs.DUPLEX_LONG,
    name: str = "cards-a4.pdf",
    jobs: int = 1,
    profile: PrinterProfile | None = None,
) -> Path:
    """Compile, assemble and describe a finished PDF with its manifest beside it."""
    scratch = folder / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    faces = [placement.face for page in sheets for placement in page.placements]
    compiled = compile_art(faces, own_fonts(), scratch, jobs=jobs)
    assert compiled.ok, compiled.diagnostics
    target = folder / name
    fonts = own_fonts()
    info = PdfInfo("Hand made", backs)
    written = write_pdf(sheets, compiled.value, fonts, target, info, fonts, Roots((folder,)))
    file = ManifestFile(
        target, "cards", "a4", backs, tuple(sheets), profile or PrinterProfile(), written
    )
    (folder / MANIFEST).write_bytes(manifest_bytes(manifest_of(file)))
    return target
