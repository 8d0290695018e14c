"""Faces, sheets and finished files made by hand, for the tests of export and preflight."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from generator.diagnostics import Span
from generator.export.info import PdfInfo
from generator.export.manifest import ManifestFile, manifest_text
from generator.export.sheets import write_pdf
from generator.export.svg_to_pdf import compile_art
from generator.fonts import FontLibrary
from generator.geometry import Point, Rect, Size
from generator.model.face import Art, Asset, Face
from generator.model.pack import Backs
from generator.model.sheet import Layer, LineMark, Mark, PathMark, Placement, Sheet, Side, TextMark
from generator.model.stock import Paper, PrinterProfile, Stock

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
    """A face with a ground up to the end of the bleed, and whatever is drawn on it."""
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
    return Face(component, "card", name, stock, (art,), sha, span)


def redrawn(drawn: Face, svg: str) -> Face:
    """The face with another drawing."""
    sha = hashlib.sha256(svg.encode()).hexdigest()
    [art] = drawn.layers
    assert isinstance(art, Art)
    return replace(drawn, layers=(Art(svg, sha, art.box, art.assets),), sha256=sha)


def text(words: str, family: str = "Alegreya Sans", y: float = 20) -> str:
    """A line of text for a face."""
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
    """A face with its full bleed, the top-left corner of its trim on the page at (x, y)."""
    size = drawn.stock.trim if rotation % 180 == 0 else drawn.stock.trim.turned
    side = Side.BACK if drawn.name == "back" else Side.FRONT
    box = (x, y, size.width, size.height)
    bleed = drawn.stock.bleed
    return Placement(drawn, copy, side, *box, rotation, bleed, clip, marked=marked)


def ruler(y: float = 290, length: float = 100) -> tuple[Mark, ...]:
    """What a ruler comes down to: its line and its label."""
    return (
        LineMark(Layer.GUIDES, Point(20, y), Point(20 + length, y)),
        LineMark(Layer.GUIDES, Point(20, y + 0.4), Point(121.6, y + 0.4)),
        TextMark(Layer.GUIDES, Point(123, y), "100 mm"),
    )


def cut(y: float) -> LineMark:
    """A level cut line across a margin."""
    return LineMark(Layer.CUT, Point(5, y), Point(9, y))


def die(path: str) -> PathMark:
    """A die line."""
    return PathMark(Layer.CUT, path)


def sheet(
    placements: Sequence[Placement],
    marks: Sequence[Mark] | None = None,
    *,
    number: int = 1,
    side: Side = Side.FRONT,
    size: Size = A4.size,
) -> Sheet:
    """A page of A4 with a ruler, unless other marks are given."""
    drawn = ruler() if marks is None else marks
    return Sheet(A4, size, side, number, f"{number} {side}", tuple(placements), tuple(drawn))


def duplex_sheets(pairs: int = 4) -> list[Sheet]:
    """Two pages, fronts and backs, for printing on both sides over the long edge."""
    spots = [(20.0, 20.0), (110.0, 20.0), (20.0, 130.0), (110.0, 130.0)][:pairs]
    fronts = [place(face(f"card-{i}", text(f"Front {i}")), *at) for i, at in enumerate(spots)]
    backs = [
        place(face(f"card-{i}", text(f"Back {i}"), name="back"), 210 - x - 63, y)
        for i, (x, y) in enumerate(spots)
    ]
    return [sheet(fronts), sheet(backs, side=Side.BACK)]


def write(
    folder: Path,
    sheets: Sequence[Sheet],
    *,
    backs: Backs = Backs.DUPLEX_LONG,
    name: str = "cards-a4.pdf",
    jobs: int = 1,
    profile: PrinterProfile | None = None,
) -> Path:
    """Compile, assemble and describe: a finished PDF with its manifest beside it."""
    scratch = folder / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    faces = [placement.face for page in sheets for placement in page.placements]
    compiled = compile_art(faces, FONTS, scratch, jobs=jobs)
    assert compiled.ok, compiled.diagnostics
    target = folder / name
    fonts = FontLibrary(FONTS)
    write_pdf(sheets, compiled.value, fonts, target, PdfInfo("Hand made", backs), fonts)
    file = ManifestFile(target, "cards", "a4", backs, tuple(sheets), profile or PrinterProfile())
    (folder / "manifest.json").write_text(manifest_text("hand", "1.0.0", [file]), encoding="utf-8")
    return target
