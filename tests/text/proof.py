"""What the print engine makes of set text: an SVG in, where letters and ink really are out."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from engine import compiled
from fontTools.ttLib import TTFont
from PIL import Image, ImageOps

from generator.fonts import FontLibrary
from generator.geometry import Rect
from generator.text import FittedText, to_svg
from generator.units import MM_PER_INCH, pt_to_mm

FONTS = Path(__file__).parents[2] / "fonts"
PAGE_WIDTH, PAGE_HEIGHT = 120.0, 80.0
AT_X, AT_Y = 40.0, 20.0
DPI = 600


@dataclass(frozen=True)
class Letter:
    char: str
    x: float
    y: float


def page(body: str) -> str:
    size = f'width="{PAGE_WIDTH}mm" height="{PAGE_HEIGHT}mm"'
    box = f'viewBox="0 0 {PAGE_WIDTH} {PAGE_HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>{body}</svg>'


def engine(body: str, fonts: FontLibrary, form: str) -> bytes:
    source = (
        f"#set page(width: {PAGE_WIDTH}mm, height: {PAGE_HEIGHT}mm, margin: 0pt)\n"
        '#image(bytes(sys.inputs.svg), format: "svg", width: 100%)'
    )
    options = {"ppi": DPI} if form == "png" else {"timestamp": 0}
    return compiled(
        source.encode(),
        format=form,
        font_paths=fonts.typst,
        sys_inputs={"svg": page(body)},
        **options,
    )


def letters(body: str, fonts: FontLibrary) -> list[Letter]:
    """The letters of a page in the order of the PDF's text, with their origins in mm."""
    document = pdfium.PdfDocument(engine(body, fonts, "pdf"))
    try:
        sheet = document[0]
        text = sheet.get_textpage()
        found = []
        for i in range(text.count_chars()):
            x, y = ctypes.c_double(), ctypes.c_double()
            assert raw.FPDFText_GetCharOrigin(text, i, x, y)
            char = chr(raw.FPDFText_GetUnicode(text, i))
            if char.isprintable() and not char.isspace():
                top = sheet.get_height() - y.value
                found.append(Letter(char, pt_to_mm(x.value), pt_to_mm(top)))
        text.close()
        sheet.close()
        return found
    finally:
        document.close()


def ink(body: str, fonts: FontLibrary) -> Rect:
    """The rectangle around everything that is not white, mm, as true as a pixel of 0.04 mm."""
    with Image.open(io.BytesIO(engine(body, fonts, "png"))) as image:
        found = ImageOps.invert(image.convert("L")).point(lambda v: 255 if v > 60 else 0).getbbox()
    assert found is not None
    left, top, right, bottom = (pixel * MM_PER_INCH / DPI for pixel in found)
    return Rect(left, top, right - left, bottom - top)


def printed(fitted: FittedText) -> str:
    """A fitted text on the page, its box at (AT_X, AT_Y), an icon a square."""
    return to_svg(fitted, AT_X, AT_Y, "#000000", square)


def square(name: str, x: float, y: float, size: float, colour: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{colour}"/>'


def make_font(
    path: Path,
    family: str,
    *,
    width_class: int = 5,
    scale: float = 1.0,
    chars: Mapping[str, str] | None = None,
    source: str = "noto-sans/NotoSans_400Regular.ttf",
) -> None:
    """A copy of a font under another name: its glyphs `scale` times as wide apart, its
    characters those of `chars`, each drawn as the letter that it maps to."""
    with TTFont(FONTS / source) as font:
        for name in (1, 16):
            font["name"].setName(family, name, 3, 1, 0x409)
            font["name"].removeNames(nameID=name, platformID=1)
        font["OS/2"].usWidthClass = width_class
        metrics = font["hmtx"].metrics
        for glyph, (advance, bearing) in metrics.items():
            metrics[glyph] = (round(advance * scale), bearing)
        if chars is not None:
            best = font.getBestCmap()
            mapping = {ord(char): best[ord(letter)] for char, letter in chars.items()}
            for table in font["cmap"].tables:
                table.cmap = dict(mapping)
        path.parent.mkdir(parents=True, exist_ok=True)
        font.save(path)
