"""What is on a page in; its pixels with all of that, and those without the words of faces, out.

Most faces have nothing painted over their words. These may then be painted last, on the page drawn
without them: it looks the same, and the art, which takes most of the time, is drawn once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from generator.geometry import Point, Rect, around, bounds
from generator.matrices import Matrix
from generator.preflight.clipping import clip_box
from generator.preflight.page_objects import PageObject, box_of, matrix_of, objects_in
from generator.preflight.painted import NEAR, Painted, stroke_width
from generator.preflight.raster import Drawing, Raster, rendered


class Layer(NamedTuple):
    """Something that is drawn on the page itself, what of the page it covers at most (mm), and the
    objects in it: of a face several, of a mark only itself."""

    box: Rect
    objects: Sequence[PageObject]
    is_face: bool


def read_layers(sheet: pypdfium2.PdfPage, to_paper: Matrix) -> list[Layer]:
    """All layers of a page in order of painting. Forms are faces."""
    layers = []
    for index in range(pdfium.FPDFPage_CountObjects(sheet.raw)):
        item = pdfium.FPDFPage_GetObject(sheet.raw, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        box, clip = box_of(item, to_paper), clip_box(item)
        if clip is not None:
            box = box.cut_to(to_paper.box(clip))
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            layers.append(Layer(box, list(objects_in(item, to_paper)), is_face=True))
        else:
            layers.append(Layer(box, [PageObject(item, kind, to_paper, 1.0, True)], is_face=False))
    return layers


def seen_and_ground(
    sheet: pypdfium2.PdfPage,
    width: float,
    height: float,
    layers: Sequence[Layer],
    painted: Sequence[Painted | None],
) -> tuple[Raster, Raster]:
    """The page as it is seen, and without the words of its faces; `painted` is what is known of
    these, in order."""
    objects = [drawn for layer in layers if layer.is_face for drawn in layer.objects]
    words = [drawn for drawn in objects if drawn.kind == pdfium.FPDF_PAGEOBJ_TEXT]
    if not _words_may_come_last(layers, painted):
        seen = rendered(sheet, width, height)
        _show(words, False)
        return seen, rendered(sheet, width, height)
    drawing = Drawing(sheet, width, height)
    _show(words, False)
    ground = drawing.draw()
    _show((drawn for layer in layers for drawn in layer.objects), False)
    _show(words, True)
    return drawing.draw(), ground


def _words_may_come_last(layers: Sequence[Layer], painted: Sequence[Painted | None]) -> bool:
    """True when nothing on the page is painted over words, as far as boxes tell."""
    if not all(face is not None and face.words_last for face in painted):
        return False
    faces = iter(painted)
    for number, layer in enumerate(layers):
        texts = face.texts if layer.is_face and (face := next(faces)) else ()
        if texts:
            words = around([run.box for run in texts]).grown(NEAR)
            if any(_meets(later, words) for later in layers[number + 1 :]):
                return False
    return True


def _meets(layer: Layer, place: Rect) -> bool:
    """True when a layer covers something of a place, as far as boxes tell. All the cut marks of a
    page are one path: of a path the box of each of its parts counts."""
    if not layer.box.overlaps(place):
        return False
    drawn = layer.objects[0] if layer.objects else None
    if layer.is_face or drawn is None or drawn.kind != pdfium.FPDF_PAGEOBJ_PATH:
        return True
    return any(part.overlaps(place) for part in _parts(drawn))


def _parts(path: PageObject) -> Iterator[Rect]:
    """A box around each part of a path, its line as wide as it is."""
    outside = path.matrix.then(matrix_of(path.item))
    line = stroke_width(path.item, path.matrix)
    x, y = ctypes.c_float(), ctypes.c_float()
    corners: list[Point] = []
    for index in range(pdfium.FPDFPath_CountSegments(path.item)):
        segment = pdfium.FPDFPath_GetPathSegment(path.item, index)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO and corners:
            yield bounds(corners).grown(line)
            corners = []
        if pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            place = outside.box(Rect(x.value, y.value, 0, 0))
            corners.append(Point(place.x, place.y))
    if corners:
        yield bounds(corners).grown(line)


def _show(objects: Iterable[PageObject], shown: bool) -> None:
    """Draw some objects, or leave them out, when the page is drawn again."""
    for drawn in objects:
        pdfium.FPDFPageObj_SetIsActive(drawn.item, shown)
