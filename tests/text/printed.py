"""Printed text read back from a PDF: the true places of its letters and its ink."""

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
from PIL import ImageOps

from generator.export.font_embedding import FontWriter
from generator.export.pdf_file import PdfFile, named_references, reference
from generator.fonts import FontLibrary
from generator.geometry import MM_PER_INCH, PT_PER_MM, Matrix, Rect, Size, mm_to_pt, pt_to_mm
from generator.model.face import InlineIcon
from generator.pdf_syntax import as_numbers, moved
from generator.text import FittedText
from generator.text.operators import Lettering, Used, font_uses

FONTS = Path(__file__).parents[2] / "fonts"
PAGE_WIDTH, PAGE_HEIGHT = 120.0, 80.0
AT_X, AT_Y = 40.0, 20.0
DPI = 600


@dataclass(frozen=True)
class Letter:
    char: str
    x: float
    y: float


def engine(fitted: FittedText, fonts: FontLibrary) -> bytes:
    """Return a PDF of one page with a fitted text on it, its box at (AT_X, AT_Y), icons as
    squares."""
    used: Used = {}
    letters = Lettering(fonts).write(fitted.lines, AT_X, AT_Y, used)
    squares = [
        f"{AT_X + icon.x} {AT_Y + icon.y} {icon.height} {icon.height} re f"
        for line in fitted.lines
        for icon in line.runs
        if isinstance(icon, InlineIcon)
    ]
    content = "\n".join([f"BT {letters} ET", *squares])
    return page_of(content, used, fonts, Size(PAGE_WIDTH, PAGE_HEIGHT))


def page_of(content: str, used: Used, fonts: FontLibrary, size: Size) -> bytes:
    """Return a PDF of one page with this content, in mm from its top left, which uses these
    words."""
    onto = Matrix(PT_PER_MM, 0, 0, -PT_PER_MM, 0, PT_PER_MM * size.height)
    file = PdfFile()
    writer, tree = FontWriter(file), file.reserve()
    writer.use(fonts, font_uses(used))
    page = file.add(
        b"<</Type /Page /Parent %s /MediaBox [0 0 %s] /Contents %s /Resources <</Font %s>>>>"
        % (
            reference(tree),
            as_numbers(mm_to_pt(size.width), mm_to_pt(size.height)).encode(),
            reference(file.stream({}, f"{moved(onto)} {content}".encode(), packed=False)),
            named_references(writer.write()),
        )
    )
    file.put(tree, b"<</Type /Pages /Count 1 /Kids [%s]>>" % reference(page))
    written = io.BytesIO()
    file.write(written, file.add(b"<</Type /Catalog /Pages %s>>" % reference(tree)))
    return written.getvalue()


def drawn(body: str, fonts: FontLibrary) -> bytes:
    """Return a PDF of one page as Typst draws it from SVG."""
    size = f'width="{PAGE_WIDTH}mm" height="{PAGE_HEIGHT}mm"'
    box = f'viewBox="0 0 {PAGE_WIDTH} {PAGE_HEIGHT}"'
    source = (
        f"#set page(width: {PAGE_WIDTH}mm, height: {PAGE_HEIGHT}mm, margin: 0pt)\n"
        '#image(bytes(sys.inputs.svg), format: "svg", width: 100%)'
    )
    return compiled(
        source.encode(),
        format="pdf",
        font_paths=fonts.typst,
        sys_inputs={"svg": f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>{body}</svg>'},
        timestamp=0,
    )


def letters(text: FittedText | str, fonts: FontLibrary) -> list[Letter]:
    """Return the letters of a page, of set text or of an SVG, in the order of the PDF's text, with
    their origins in mm."""
    return letters_of(drawn(text, fonts) if isinstance(text, str) else engine(text, fonts))


def letters_of(pdf: bytes) -> list[Letter]:
    """Return the letters of the first page of a PDF."""
    document = pdfium.PdfDocument(pdf)
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


def ink(fitted: FittedText, fonts: FontLibrary) -> Rect:
    """Return the rectangle around everything that is not white, in mm, to a pixel of 0.04 mm."""
    document = pdfium.PdfDocument(engine(fitted, fonts))
    try:
        image = document[0].render(scale=DPI / 72).to_pil()
    finally:
        document.close()
    found = ImageOps.invert(image.convert("L")).point(lambda v: 255 if v > 60 else 0).getbbox()
    assert found is not None
    left, top, right, bottom = (pixel * MM_PER_INCH / DPI for pixel in found)
    return Rect(left, top, right - left, bottom - top)


def make_font(
    path: Path,
    family: str,
    *,
    width_class: int = 5,
    scale: float = 1.0,
    chars: Mapping[str, str] | None = None,
    source: str = "noto-sans/NotoSans_400Regular.ttf",
    rights: int = 0,
) -> None:
    """A copy of a font under another name: its glyphs `scale` times as wide apart, its
    characters those of `chars`, each drawn as the letter that it maps to; `rights` is fsType."""
    with TTFont(FONTS / source) as font:
        for name in (1, 16):
            font["name"].setName(family, name, 3, 1, 0x409)
            font["name"].removeNames(nameID=name, platformID=1)
        font["OS/2"].usWidthClass = width_class
        font["OS/2"].fsType = rights
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
