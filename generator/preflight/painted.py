"""A face as it is painted in a finished PDF in; its texts, pictures and shapes, in mm, out.

PDFium reads the objects; nothing of what wrote the file is asked.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import pypdfium2.raw as pdfium

from generator.geometry import Rect
from generator.matrices import IDENTITY, Matrix
from generator.preflight.clipping import clip_box
from generator.preflight.runs import joined
from generator.units import mm_to_pt, pt_to_mm

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255, as a screen would show it."""

STROKED: Final = (1, 2, 5, 6)
"""Text rendering modes that draw the outlines of the glyphs."""
_LONGEST: Final = 1024
"""Letters of a text that are asked for at once: PDFium takes its time for each time it is asked."""
_DEEPEST: Final = 40
"""Forms within forms that are followed."""


@dataclass(frozen=True, slots=True)
class PaintedText:
    """A run of glyphs of one font and colour: box on the page (mm), printed size (pt) and its
    words; `alpha` counts what it is in as well; `mode` is the text rendering mode (PDF 1.7, 9.3.6:
    0 filled, 3 invisible); `turn` is clockwise, degrees; `order` counts what is painted in the
    face, lowest first; `stroke` is the colour of its outline; `clip` is the box of what it is cut
    to by clip paths, mm."""

    box: Rect
    size_pt: float
    font: str
    words: str
    colour: Colour
    alpha: int
    mode: int
    turn: float
    order: int
    stroke: Colour | None = None
    clip: Rect | None = None


@dataclass(frozen=True, slots=True)
class PaintedImage:
    """A picture: box on the page (mm), pixels, printed width and height (mm) before any turn,
    bits a pixel, colour space (PDFium's FPDF_COLORSPACE_*), the filters of its stream, and the
    bytes that this takes."""

    box: Rect
    pixels: tuple[int, int]
    printed: tuple[float, float]
    bits: int
    colour_space: int
    filters: tuple[str, ...]
    order: int
    stored: int = 0

    @property
    def dpi(self) -> tuple[float, float]:
        """Pixels an inch as printed, across and down."""
        (w, h), (mm_w, mm_h) = self.pixels, self.printed
        return w * 25.4 / max(mm_w, 1e-6), h * 25.4 / max(mm_h, 1e-6)


@dataclass(frozen=True, slots=True)
class PaintedShape:
    """A path or shading: box on the page (mm), how many segments, fill and stroke, either None,
    and the width of the stroke, mm."""

    box: Rect
    segments: int
    fill: Colour | None
    stroke: Colour | None
    stroke_width: float
    alpha: int
    order: int


@dataclass(frozen=True, slots=True)
class Painted:
    """All that a face paints, each list in order of painting."""

    texts: tuple[PaintedText, ...]
    images: tuple[PaintedImage, ...]
    shapes: tuple[PaintedShape, ...]


class PaintedReader:
    """Reads faces of one page; `text_page` is PDFium's own of the same page."""

    def __init__(self, page: Any, text_page: Any, height_pt: float) -> None:
        self._page = page
        self._text_page = text_page
        one = pt_to_mm(1)
        self._to_paper = Matrix(one, 0, 0, -one, 0, height_pt * one)  # mm from the top left
        self._letters = (ctypes.c_ushort * _LONGEST)()
        self._fonts: dict[int, str] = {}

    def read(self, form: Any, *, words_only: bool = False) -> Painted:
        """What the form object, drawn on the page itself, paints; of it only the texts, if nobody
        asks for pictures and shapes."""
        texts: list[PaintedText] = []
        images: list[PaintedImage] = []
        shapes: list[PaintedShape] = []
        first: dict[int, tuple[Any, Matrix]] = {}
        for order, (item, kind, matrix, alpha) in enumerate(objects_in(form, self._to_paper)):
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                texts.append(self._text(item, matrix, alpha, order))
                first[order] = item, matrix
            elif words_only:
                continue
            elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                images.append(self._image(item, matrix, order))
            else:
                shapes.append(_shape(item, kind, matrix, alpha, order))
        # what clips one glyph of a run clips them all, and asking takes time
        runs = (_clipped(run, *first[run.order]) for run in joined(texts))
        return Painted(tuple(runs), tuple(images), tuple(shapes))

    def _text(self, item: Any, outside: Matrix, around: float, order: int) -> PaintedText:
        size = ctypes.c_float()
        pdfium.FPDFTextObj_GetFontSize(item, size)
        a, b, c, d, _, _ = outside.then(_matrix(item))
        mode = pdfium.FPDFTextObj_GetTextRenderMode(item)
        colour, alpha = _colour(pdfium.FPDFPageObj_GetFillColor, item) or ((0, 0, 0), 255)
        outline = _colour(pdfium.FPDFPageObj_GetStrokeColor, item) if mode in STROKED else None
        return PaintedText(
            _box(item, outside),
            mm_to_pt(size.value * math.hypot(c, d)),
            self._font(item),
            self._words(item),
            colour,
            round(alpha * around),
            mode,
            math.degrees(math.atan2(b, a)) % 360,
            order,
            outline and outline[0],
        )

    def _image(self, item: Any, outside: Matrix, order: int) -> PaintedImage:
        told = pdfium.FPDF_IMAGEOBJ_METADATA()
        pdfium.FPDFImageObj_GetImageMetadata(item, self._page, told)
        a, b, c, d, _, _ = outside.then(_matrix(item))
        filters = tuple(
            _filter(item, number) for number in range(pdfium.FPDFImageObj_GetImageFilterCount(item))
        )
        return PaintedImage(
            _box(item, outside),
            (told.width, told.height),
            (math.hypot(a, b), math.hypot(c, d)),
            told.bits_per_pixel,
            told.colorspace,
            filters,
            order,
            pdfium.FPDFImageObj_GetImageDataRaw(item, None, 0),
        )

    def _font(self, item: Any) -> str:
        font = pdfium.FPDFTextObj_GetFont(item)
        address = ctypes.addressof(font.contents) if font else 0
        if address not in self._fonts:
            name = _string(lambda buffer, room: pdfium.FPDFFont_GetBaseFontName(font, buffer, room))
            self._fonts[address] = name.decode("utf-8", "replace") if font else ""
        return self._fonts[address]

    def _words(self, item: Any) -> str:
        def ask(letters: Any) -> int:
            room = ctypes.sizeof(letters)
            return int(pdfium.FPDFTextObj_GetText(item, self._text_page, letters, room))

        letters = self._letters
        size = ask(letters)
        if size > ctypes.sizeof(letters):
            letters = (ctypes.c_ushort * size)()
            size = ask(letters)
        return ctypes.string_at(letters, max(size - 2, 0)).decode("utf-16-le", "replace")


def _shape(item: Any, kind: int, outside: Matrix, around: float, order: int) -> PaintedShape:
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    segments = 0
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        pdfium.FPDFPath_GetDrawMode(item, fills, strokes)
        segments = pdfium.FPDFPath_CountSegments(item)
    filled = _colour(pdfium.FPDFPageObj_GetFillColor, item) if fills.value else None
    stroked = _colour(pdfium.FPDFPageObj_GetStrokeColor, item) if strokes.value else None
    return PaintedShape(
        _box(item, outside),
        segments,
        filled and filled[0],
        stroked and stroked[0],
        _stroke_width(item, outside) if stroked else 0.0,
        round(max((paint[1] for paint in (filled, stroked) if paint), default=255) * around),
        order,
    )


def _stroke_width(item: Any, outside: Matrix) -> float:
    width = ctypes.c_float()
    pdfium.FPDFPageObj_GetStrokeWidth(item, width)
    return width.value * outside.then(_matrix(item)).across


def _box(item: Any, outside: Matrix) -> Rect:
    left, bottom, right, top = (
        ctypes.c_float(),
        ctypes.c_float(),
        ctypes.c_float(),
        ctypes.c_float(),
    )
    pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    x, y = left.value, bottom.value
    return outside.box(Rect(x, y, right.value - x, top.value - y))


def _clipped(run: PaintedText, item: Any, outside: Matrix) -> PaintedText:
    box = clip_box(item)
    return run if box is None else replace(run, clip=outside.box(box))


def objects_in(
    form: Any, outside: Matrix = IDENTITY, around: float = 1.0, depth: int = 0
) -> Iterator[tuple[Any, int, Matrix, float]]:
    """Every object in a form and the forms in it, its PDFium type, what brings the space that its
    bounds are told in to the page's, and how opaque what it is in is painted, 0 to 1."""
    inside = outside.then(_matrix(form))
    painted = _colour(pdfium.FPDFPageObj_GetFillColor, form)
    opaque = around * painted[1] / 255 if painted else around
    for index in range(pdfium.FPDFFormObj_CountObjects(form)):
        item = pdfium.FPDFFormObj_GetObject(form, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind != pdfium.FPDF_PAGEOBJ_FORM:
            yield item, kind, inside, opaque
        elif depth < _DEEPEST:
            yield from objects_in(item, inside, opaque, depth + 1)


def _filter(item: Any, number: int) -> str:
    def fill(buffer: Any, room: int) -> int:
        return int(pdfium.FPDFImageObj_GetImageFilter(item, number, buffer, room))

    return _string(fill).decode("latin-1")


def _matrix(item: Any) -> Matrix:
    told = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, told):
        return IDENTITY
    return Matrix(told.a, told.b, told.c, told.d, told.e, told.f)


def _colour(read: Callable[..., Any], item: Any) -> tuple[Colour, int] | None:
    r, g, b, a = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    if not read(item, r, g, b, a):
        return None
    return (r.value, g.value, b.value), a.value


def _string(fill: Callable[[Any, int], int]) -> bytes:
    """What a function of PDFium writes, which first tells how many bytes it needs."""
    size = fill(None, 0)
    if not size:
        return b""
    buffer = ctypes.create_string_buffer(size)
    fill(buffer, size)
    return buffer.raw[: size - 1]
