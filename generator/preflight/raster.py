"""Draws pages of a finished PDF as pixels, with all that is on them and without the words.

Most words have nothing painted over them. These may then be painted last, on the page drawn without
them: it looks the same, and the art, which takes most of the time, is drawn once. Only around words
that something covers the page is drawn anew.
"""

from __future__ import annotations

import ctypes
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw

from generator.geometry import Matrix, Point, Rect, around, bounds
from generator.pdf_forms import DPI, lighten_all
from generator.preflight.near_cut import NEAR
from generator.preflight.page_objects import (
    Clips,
    Colour,
    PageObject,
    box_of,
    contents_of,
    matrix_of,
)
from generator.preflight.painted import Painted, PaintedText, stroke_width
from generator.writing import save

MOST_PIXELS: Final = 40_000_000
"""Of a page: of A0 at 150 dpi."""
_MOST_CLOSE: Final = 8_000_000
"""Of a place that is drawn large."""
PAPER: Final = 250
"""Red, green and blue from which a pixel is paper: a printer puts no dot there."""
_WHITE: Final = (255, 255, 255, 255)
_THIN: Final = 0.001
"""mm; what lies beyond the edge of a page has no size on it."""
_IS_PAPER: Final = [255 * (value >= PAPER) for value in range(256)]
_SOFT: Final = 5
"""Pixels across of a letter's soft edge, both sides of it."""
_COARSE: Final = (64, 16, 8)
"""Pixels that become one, to find the colour around a hole: of large holes first."""
_IS_KNOWN: Final = [255 * (value >= 32) for value in range(256)]
_IS_OFF: Final = [255 * (value >= 6) for value in range(256)]
"""Less comes of rounding."""


class PixelTrace(NamedTuple):
    """Some pixels, how many they are across and down, and the box around those that are not 0,
    None when all are."""

    pixels: Any
    size: tuple[int, int]
    box: tuple[int, int, int, int] | None

    def profile(self, *, level: bool) -> bytes:
        """How bright each column is on the whole, or each row."""
        width, height = self.size
        small = (width, 1) if level else (1, height)
        part = self.pixels.resize(small, Image.Resampling.BOX.value, (0, 0, width, height))
        return Image.Image()._new(part).tobytes()


class Raster(Struct, frozen=True):
    """Pixels of a page or of part of one; `box` is what they show of the page, mm."""

    image: Image.Image
    box: Rect

    def part(self, box: Rect) -> Image.Image:
        """The pixels of a place on the page, as far as they are there; at least one."""
        return self.image.crop(self._corners(box))

    def ends(self, box: Rect) -> tuple[tuple[int, int], ...]:
        """The least and the most of each channel in a place."""
        part = self._core(box)
        if part.bands == 1:
            return (cast(tuple[int, int], part.getextrema()),)
        bands = (part.getband(number) for number in range(part.bands))
        return tuple(cast(tuple[int, int], band.getextrema()) for band in bands)

    def trace(self, box: Rect) -> PixelTrace:
        """Where in a place there is anything but 0; of one channel."""
        part = self._core(box)
        return PixelTrace(part, part.size, part.getbbox())

    def _core(self, box: Rect) -> Any:
        # Pillow's own pixels, without the picture around them: most are looked at and forgotten
        return self.image.im.crop(self._corners(box))

    def _corners(self, box: Rect) -> tuple[int, int, int, int]:
        own, (width, height) = self.box, self.image.size
        across, down = width / max(own.width, _THIN), height / max(own.height, _THIN)
        x, y = box.x - own.x, box.y - own.y
        left = min(max(round(x * across), 0), width - 1)
        top = min(max(round(y * down), 0), height - 1)
        right = min(max(round((x + box.width) * across), left + 1), width)
        bottom = min(max(round((y + box.height) * down), top + 1), height)
        return left, top, right, bottom

    def at(self, point: Point) -> Colour:
        """The pixel at a place on the page; beyond the edge, the nearest one."""
        [colour] = self.colours((point,))
        return colour

    def colours(self, points: Iterable[Point]) -> list[Colour]:
        """The same of many places, which costs a third for each."""
        (width, height), box = self.image.size, self.box
        wide, high = max(box.width, _THIN), max(box.height, _THIN)
        right, bottom, pixels = width - 1, height - 1, cast(Any, self.image.load())
        return [
            pixels[
                min(max(int((point.x - box.x) * width / wide), 0), right),
                min(max(int((point.y - box.y) * height / high), 0), bottom),
            ]
            for point in points
        ]

    def paper(self) -> Raster:
        """The same place: 255 where the paper stays white, 0 where there is ink."""
        darkest = reduce(ImageChops.darker, self.image.split())
        return Raster(levelled(darkest, _IS_PAPER), self.box)

    def has_paper(self) -> bool:
        """True when the paper stays white somewhere; most often it needs but a glance to see."""
        ends = cast(tuple[tuple[int, int], ...], self.image.getextrema())
        if any(lightest < PAPER for _, lightest in ends):
            return False
        return self.paper().image.getbbox() is not None

    def filled_in(self, kept: Raster) -> Raster:
        """The same place, its pixels that are not `kept`, and those that touch them, in the colours
        of what is around."""
        mask = darkest_near(kept.image, _SOFT)
        holed = self.image.convert("RGBA")
        holed.putalpha(mask)
        filled = self.image
        for coarse in _COARSE:
            small = holed.reduce(coarse)
            size = (small.width * coarse, small.height * coarse)
            spread = small.resize(size, Image.Resampling.NEAREST).crop((0, 0, *mask.size))
            known = spread.getchannel("A").point(_IS_KNOWN)
            over = ImageChops.darker(known, ImageChops.invert(mask))
            filled = Image.composite(spread.convert("RGB"), filled, over)
        differs = ImageChops.difference(filled, self.image).convert("L").point(_IS_OFF)
        return Raster(Image.composite(filled, self.image, differs), self.box)

    def cut(self, box: Rect) -> Raster:
        """The same of a smaller place."""
        inside = box.cut_to(self.box)
        whole = self._corners(inside) == (0, 0, *self.image.size)
        return Raster(self.image if whole else self.part(inside), inside)


def levelled(picture: Image.Image, table: Sequence[int]) -> Image.Image:
    """A picture of one channel with other levels, by a table of 256 whole numbers. Pillow's own
    `point` rounds each of them first, which takes longer than a small picture itself."""
    picture.load()
    return picture._new(picture.im.point(table, None))


def lightest_near(picture: Image.Image, side: int) -> Image.Image:
    """Each pixel as light, channel by channel, as the lightest of a square about it, an odd number
    of pixels wide. Pillow's `MaxFilter` gives the same and sorts each square: with 13 pixels it
    takes hundreds of times as long."""
    by = side // 2
    width, height = (length + 2 * by for length in picture.size)
    found = picture.crop((-by, -by, width - by, height - by))
    for right, down in ((1, 0), (0, 1)):
        seen = 1
        while seen < side:
            step = min(seen, side - seen)
            x, y = step * right, step * down
            found = ImageChops.lighter(found, found.crop((x, y, width + x, height + y)))
            seen += step
    return found.crop((0, 0, *picture.size))


def darkest_near(picture: Image.Image, side: int) -> Image.Image:
    """The same with the darkest."""
    return ImageChops.invert(lightest_near(ImageChops.invert(picture), side))


class TooLargeError(ValueError):
    """A page of more pixels than are drawn."""


class PageDrawing:
    """White paper on which PDFium draws what of a page is active; `box` is what that shows, mm."""

    def __init__(self, page: pypdfium2.PdfPage, box: Rect, dpi: int = DPI) -> None:
        self._page = page
        self._box = box
        width, height = (max(math.ceil(length * dpi / 72), 1) for length in page.get_size())
        self._size = width, height
        if math.prod(self._size) > MOST_PIXELS:
            raise TooLargeError(f"it would have over {MOST_PIXELS // 1_000_000} million pixels")
        self._bitmap = pypdfium2.PdfBitmap.new_native(
            *self._size, pdfium.FPDFBitmap_BGRx, rev_byteorder=True
        )
        self._bitmap.fill_rect(_WHITE, 0, 0, *self._size)

    def draw(self, place: Rect | None = None, *, anew: bool = False) -> None:
        """Draw what is active at present over all that was drawn; only that in a place of the page,
        if one is told, which is cleared before if it is to be drawn `anew`."""
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        if place is None:
            pdfium.FPDF_RenderPageBitmap(self._bitmap, self._page, 0, 0, *self._size, 0, flags)
        else:
            width, height = self._page.get_size()
            across, down = self._size[0] / width, self._size[1] / height
            matrix = pdfium.FS_MATRIX(across, 0, 0, down, 0, 0)
            left, top, right, bottom = self._corners(place)
            if anew:
                self._bitmap.fill_rect(_WHITE, left, top, right - left, bottom - top)
            clip = pdfium.FS_RECTF(left, top, right, bottom)
            pdfium.FPDF_RenderPageBitmapWithMatrix(self._bitmap, self._page, matrix, clip, flags)

    def raster(self) -> Raster:
        """All that is drawn by now."""
        # four bytes a pixel, as Pillow has them: PDFium fills and draws these faster than three
        pixels, row = self._bitmap.buffer, self._bitmap.stride
        return Raster(Image.frombytes("RGB", self._size, pixels, "raw", "RGBX", row, 1), self._box)

    def _corners(self, place: Rect) -> tuple[int, int, int, int]:
        """The pixels that hold a place: left, top, right, bottom."""
        (width, height), box = self._size, self._box
        x, y = width / box.width, height / box.height
        return (
            max(math.floor((place.x - box.x) * x), 0),
            max(math.floor((place.y - box.y) * y), 0),
            min(math.ceil((place.right - box.x) * x), width),
            min(math.ceil((place.bottom - box.y) * y), height),
        )


def rendered(page: pypdfium2.PdfPage, width: float, height: float, dpi: int = DPI) -> Raster:
    """A page of that size, mm, as PDFium draws it."""
    drawing = PageDrawing(page, Rect(0, 0, width, height), dpi)
    drawing.draw()
    return drawing.raster()


def close_up(page: pypdfium2.PdfPage, shown: Rect, place: Rect, dpi: int) -> Raster:
    """A place of a page, `shown` of which is on it (mm), drawn large: at so many dots an inch, if
    that does not make too many."""
    part = place.cut_to(shown)
    scale = min(dpi / 25.4, math.sqrt(_MOST_CLOSE / max(part.width * part.height, _THIN)))
    size = max(round(part.width * scale), 1), max(round(part.height * scale), 1)
    bitmap = pypdfium2.PdfBitmap.new_native(*size, pdfium.FPDFBitmap_BGR, rev_byteorder=True)
    bitmap.fill_rect(_WHITE, 0, 0, *size)
    width, height = page.get_size()
    x, y = size[0] / max(part.width, _THIN), size[1] / max(part.height, _THIN)
    across, down = shown.width / width * x, shown.height / height * y
    left, top = (shown.x - part.x) * x, (shown.y - part.y) * y
    matrix = pdfium.FS_MATRIX(across, 0, 0, down, left, top)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
    clip = pdfium.FS_RECTF(0, 0, *size)
    pdfium.FPDF_RenderPageBitmapWithMatrix(bitmap, page, matrix, clip, flags)
    return Raster(bitmap.to_pil(), part)


def patches(mask: Image.Image, cores: Image.Image | None = None) -> Iterator[Image.Image]:
    """Each patch of pixels that are 255 and touch, as a mask of its own; all others are 0. Of some
    only those in which are `cores`."""
    left = cores or mask
    while (box := left.getbbox()) is not None:
        seed = left.crop((0, box[1], mask.width, box[1] + 1)).getbbox()
        assert seed is not None
        filled = mask.copy()
        ImageDraw.floodfill(filled, (seed[0], box[1]), _FILLED)
        patch = filled.point(_IS_FILLED)
        left = ImageChops.subtract(left, patch)
        yield patch


_FILLED: Final = 128
_IS_FILLED: Final = [255 * (level == _FILLED) for level in range(256)]


@contextmanager
def opened_pdf(path: Path) -> Iterator[pypdfium2.PdfDocument]:
    """The file for PDFium."""
    document = pypdfium2.PdfDocument(path)
    try:
        yield document
    finally:
        document.close()


def write_light_copy(pdf: pikepdf.Pdf, target: Path, *, upright: bool = False) -> None:
    """The same file with large JPEGs made smaller, so that its pages are drawn in no time; if asked
    for, with all of each page as it stands before it is cropped or turned.

    At `DPI` nobody sees the difference; what the checks say of pictures comes from the file
    itself. Pictures that Pillow does not read stay as they are.
    """
    with warnings.catch_warnings():  # of forms that are left behind: nobody fills them in
        warnings.simplefilter("ignore")
        _write_light_copy(pdf, target, upright=upright)


def _write_light_copy(pdf: pikepdf.Pdf, target: Path, *, upright: bool) -> None:
    light = pikepdf.Pdf.new()
    light.pages.extend(pdf.pages)
    for page in light.pages if upright else ():
        page.obj.MediaBox = page.mediabox
        page.obj.CropBox = page.mediabox
        page.obj.Rotate = 0
        if "/UserUnit" in page.obj:
            del page.obj["/UserUnit"]
    lighten_all(light)
    plain = pikepdf.StreamDecodeLevel.none
    save(light, target, compress_streams=False, stream_decode_level=plain)


_LETTERS: Final = 5.0
"""mm by which letters may stand out of the boxes that PDFium tells of them."""


class PageLayer(NamedTuple):
    """Something that is drawn on the page itself: boxes around all that it covers (mm), and the
    objects in it, of a face several, of a mark only itself; `art` is all of it but words of faces,
    in as few objects and forms as may be."""

    boxes: Sequence[Rect]
    objects: Sequence[PageObject]
    art: Sequence[Any]
    is_face: bool


def read_layers(sheet: pypdfium2.PdfPage, to_paper: Matrix) -> list[PageLayer]:
    """All layers of a page in order of painting. Forms are faces."""
    layers, clips = [], Clips()
    for index in range(pdfium.FPDFPage_CountObjects(sheet.raw)):
        item = pdfium.FPDFPage_GetObject(sheet.raw, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            box, clip = box_of(item, to_paper), clips.box_of(item)
            shown = box if clip is None else box.cut_to(to_paper.box(clip))
            layers.append(PageLayer([shown], *contents_of(item, to_paper), is_face=True))
            continue
        # all the cut marks of a page are one path: of a path the box of each of its parts counts
        parts = _parts(item, to_paper) if kind == pdfium.FPDF_PAGEOBJ_PATH else ()
        mark = PageObject(item, kind, to_paper, 1.0, True)
        layers.append(
            PageLayer([*parts] or [box_of(item, to_paper)], [mark], [item], is_face=False)
        )
    return layers


def seen_and_ground(
    sheet: pypdfium2.PdfPage,
    page: Rect,
    layers: Sequence[PageLayer],
    painted: Sequence[Painted | None],
) -> tuple[Raster, Raster]:
    """The page as it is seen, and without the words of its faces; `page` is what it shows, mm;
    `painted` is what is known of the faces, in order. Where words are there only to be found, what
    shapes in the art show of them is gone as well."""
    objects = [drawn for layer in layers if layer.is_face for drawn in layer.objects]
    words = [drawn for drawn in objects if drawn.kind == pdfium.FPDF_PAGEOBJ_TEXT]
    if not words:
        seen = drawn_on(sheet, page)
        return seen, seen
    letters = [drawn.item for drawn in words]
    covered = _covered(layers, painted)
    if covered is None:
        seen = drawn_on(sheet, page)
        _show(letters, False)
        return seen, _without_outlines(sheet, drawn_on(sheet, page), objects, words)
    art = [item for layer in layers for item in layer.art]
    drawing = PageDrawing(sheet, page)
    _show(letters, False)
    drawing.draw()
    ground = drawing.raster()
    _show(art, False)
    _show(letters, True)
    drawing.draw(_reach(run for face in painted if face for run in face.texts))
    if covered:
        _show(art, True)
        drawing.draw(_reach(covered), anew=True)
    return drawing.raster(), _without_outlines(sheet, ground, objects, words)


def _reach(runs: Iterable[PaintedText]) -> Rect:
    """Where letters of some runs may be."""
    return around([run.box for run in runs]).grown(_LETTERS)


def _without_outlines(
    sheet: pypdfium2.PdfPage,
    ground: Raster,
    objects: Sequence[PageObject],
    words: Sequence[PageObject],
) -> Raster:
    """The ground without what lies in the letters of words that are not painted themselves."""
    mode = pdfium.FPDFTextObj_GetTextRenderMode
    unpainted = [
        drawn for drawn in words if mode(drawn.item) == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
    ]
    if not unpainted:
        return ground
    _show((drawn.item for drawn in objects), False)
    _show((drawn.item for drawn in unpainted), True)
    for drawn in unpainted:
        pdfium.FPDFTextObj_SetTextRenderMode(drawn.item, pdfium.FPDF_TEXTRENDERMODE_FILL)
        pdfium.FPDFPageObj_SetFillColor(drawn.item, 0, 0, 0, 255)
    letters = drawn_on(sheet, ground.box)
    for drawn in unpainted:
        pdfium.FPDFTextObj_SetTextRenderMode(drawn.item, pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)
    return ground.filled_in(letters.paper())


def drawn_on(sheet: pypdfium2.PdfPage, page: Rect) -> Raster:
    """All that is on a page, whose places are told so."""
    drawing = PageDrawing(sheet, page)
    drawing.draw()
    return drawing.raster()


def _covered(
    layers: Sequence[PageLayer], painted: Sequence[Painted | None]
) -> list[PaintedText] | None:
    """The words that something on the page is painted over, as far as boxes tell; all others may
    come last. None where the order of painting tells in other ways."""
    faces = iter(painted)
    found: list[PaintedText] = []
    for number, layer in enumerate(layers):
        if not layer.is_face:
            continue
        face = next(faces)
        if face is None or face.covered is None:
            return None
        found += face.covered
        if face.texts:
            words = around([run.box for run in face.texts]).grown(NEAR)
            after = [box for later in layers[number + 1 :] for box in later.boxes]
            near = [box for box in after if box.overlaps(words)]
            found += (r for r in face.texts if any(b.overlaps(r.box.grown(NEAR)) for b in near))
    return found


def _parts(path: Any, to_paper: Matrix) -> Iterator[Rect]:
    """A box around each part of a path, its line as wide as it is."""
    outside = to_paper.then(matrix_of(path))
    line = stroke_width(path, to_paper)
    x, y = ctypes.c_float(), ctypes.c_float()
    corners: list[Point] = []
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO and corners:
            yield bounds(corners).grown(line)
            corners = []
        if pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            place = outside.box(Rect(x.value, y.value, 0, 0))
            corners.append(Point(place.x, place.y))
    if corners:
        yield bounds(corners).grown(line)


def _show(items: Iterable[Any], shown: bool) -> None:
    """Draw some objects, or leave them out, when the page is drawn again."""
    for item in items:
        pdfium.FPDFPageObj_SetIsActive(item, shown)
