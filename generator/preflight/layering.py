"""What is on a page in; its pixels with all of that, and those without the words of faces, out.

Most words have nothing painted over them. These may then be painted last, on the page drawn without
them: it looks the same, and the art, which takes most of the time, is drawn once. Only around words
that something covers the page is drawn anew.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from generator.geometry import Point, Rect, around, bounds
from generator.matrices import Matrix
from generator.preflight.page_objects import (
    PageObject,
    box_of,
    clip_box,
    colour_of,
    contents_of,
    matrix_of,
)
from generator.preflight.painted import NEAR, Painted, PaintedText, stroke_width
from generator.preflight.raster import Drawing, Raster
from generator.sums import summed

_LETTERS: Final = 5.0
"""mm by which letters may stand out of the boxes that PDFium tells of them."""


class Layer(NamedTuple):
    """Something that is drawn on the page itself: boxes around all that it covers (mm), and the
    objects in it, of a face several, of a mark only itself; `art` is all of it but words of faces,
    in as few objects and forms as may be."""

    boxes: Sequence[Rect]
    objects: Sequence[PageObject]
    art: Sequence[Any]
    is_face: bool


def read_layers(sheet: pypdfium2.PdfPage, to_paper: Matrix) -> list[Layer]:
    """All layers of a page in order of painting. Forms are faces."""
    layers = []
    for index in range(pdfium.FPDFPage_CountObjects(sheet.raw)):
        item = pdfium.FPDFPage_GetObject(sheet.raw, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            box, clip = box_of(item, to_paper), clip_box(item)
            shown = box if clip is None else box.cut_to(to_paper.box(clip))
            layers.append(Layer([shown], *contents_of(item, to_paper), is_face=True))
            continue
        # all the cut marks of a page are one path: of a path the box of each of its parts counts
        parts = _parts(item, to_paper) if kind == pdfium.FPDF_PAGEOBJ_PATH else ()
        mark = PageObject(item, kind, to_paper, 1.0, True)
        layers.append(Layer([*parts] or [box_of(item, to_paper)], [mark], [item], is_face=False))
    return layers


_Place = tuple[float, float]
_CHORDS: Final = 16
"""Lines that stand in for a curve: of a quarter of a circle, off by 0.0012 of its radius."""


class Ink(NamedTuple):
    """Where a mark may be, mm: within half its width of the line between two places, or of the
    curve of Bézier that four tell; of one that is no line, in the box of which two are corners.
    `dark` is how much of solid ink its colour takes, 0 to 1."""

    places: tuple[_Place, ...]
    width: float
    is_line: bool
    dark: float = 0.0

    @property
    def area(self) -> float:
        """mm² that are inked; of a box, at most."""
        (x, y), (right, bottom) = self.places[0], self.places[-1]
        if not self.is_line:
            return abs((right - x) * (bottom - y))
        return self.width * summed(math.dist(*line) for line in pairwise(self.places))

    def meets(self, box: Rect) -> bool:
        """True when some of it may be in a box."""
        grown = box.grown(self.width / 2)
        right, bottom = grown.right, grown.bottom
        xs, ys = zip(*self.places, strict=True)
        if max(xs) < grown.x or min(xs) > right or max(ys) < grown.y or min(ys) > bottom:
            return False
        if not self.is_line:
            return True
        places = self.places if len(self.places) == 2 else (self.places[0], *_chords(*self.places))
        return any(_crosses(*line, grown) for line in pairwise(places))


def _crosses(start: _Place, end: _Place, box: Rect) -> bool:
    """True when a line is in a box somewhere (Liang and Barsky)."""
    first, last = 0.0, 1.0
    for at, to, least, most in (
        (start[0], end[0], box.x, box.right),
        (start[1], end[1], box.y, box.bottom),
    ):
        if at == to:
            if not least <= at <= most:
                return False
            continue
        ends = sorted(((least - at) / (to - at), (most - at) / (to - at)))
        first, last = max(first, ends[0]), min(last, ends[1])
    return first <= last


def _chords(one: _Place, two: _Place, three: _Place, four: _Place) -> Iterator[_Place]:
    for step in range(1, _CHORDS + 1):
        t = step / _CHORDS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x = a * one[0] + b * two[0] + c * three[0] + d * four[0]
        y = a * one[1] + b * two[1] + c * three[1] + d * four[1]
        yield x, y


def ink_on(sheet: pypdfium2.PdfPage, to_paper: Matrix) -> Iterator[Ink]:
    """All that is drawn on a page itself."""
    for index in range(pdfium.FPDFPage_CountObjects(sheet.raw)):
        item = pdfium.FPDFPage_GetObject(sheet.raw, index)
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_PATH and not _is_filled(item):
            width, dark = (
                stroke_width(item, to_paper),
                _darkness(pdfium.FPDFPageObj_GetStrokeColor, item),
            )
            for places in _lines(item, to_paper.then(matrix_of(item))):
                yield Ink(places, width, True, dark)
        else:
            box, dark = box_of(item, to_paper), _darkness(pdfium.FPDFPageObj_GetFillColor, item)
            yield Ink(((box.x, box.y), (box.right, box.bottom)), 0.0, False, dark)


def _darkness(read: Callable[..., Any], item: Any) -> float:
    painted = colour_of(read, item)
    return (1 - summed(painted[0]) / (3 * 255)) * painted[1] / 255 if painted else 0.0


def _is_filled(path: Any) -> bool:
    fills = ctypes.c_int()
    told = pdfium.FPDFPath_GetDrawMode(path, fills, ctypes.c_int())
    return not told or bool(fills.value)


def _lines(path: Any, outside: Matrix) -> Iterator[tuple[_Place, ...]]:
    """The lines and curves of a path."""
    x, y = ctypes.c_float(), ctypes.c_float()
    to_x, to_y = ctypes.byref(x), ctypes.byref(y)
    a, b, c, d, e, f = outside
    start = here = (0.0, 0.0)
    bend: list[_Place] = []
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, to_x, to_y)
        there = (a * x.value + c * y.value + e, b * x.value + d * y.value + f)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = here = there
            continue
        if kind == pdfium.FPDF_SEGMENT_BEZIERTO:
            bend.append(there)
            if len(bend) == 3:
                yield (here, *bend)
                here, bend = there, []
        else:
            yield here, there
            here = there
        if not bend and pdfium.FPDFPathSegment_GetClose(segment):
            yield here, start
            here = start


def seen_and_ground(
    sheet: pypdfium2.PdfPage,
    page: Rect,
    layers: Sequence[Layer],
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
    drawing = Drawing(sheet, page)
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
    drawing = Drawing(sheet, page)
    drawing.draw()
    return drawing.raster()


def _covered(
    layers: Sequence[Layer], painted: Sequence[Painted | None]
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
