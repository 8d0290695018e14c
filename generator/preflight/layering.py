"""What is on a page in; its pixels with all of that, and those without the words of faces, out.

Most faces have nothing painted over their words. These may then be painted last, on the page drawn
without them: it looks the same, and the art, which takes most of the time, is drawn once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from generator.geometry import Point, Rect, around, bounds
from generator.matrices import Matrix
from generator.preflight.clipping import clip_box
from generator.preflight.page_objects import PageObject, box_of, matrix_of, objects_in
from generator.preflight.painted import NEAR, Painted, stroke_width
from generator.preflight.raster import Drawing, Raster, rendered


class Layer(NamedTuple):
    """Something that is drawn on the page itself: boxes around all that it covers (mm), and the
    objects in it, of a face several, of a mark only itself."""

    boxes: Sequence[Rect]
    objects: Sequence[PageObject]
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
            layers.append(Layer([shown], list(objects_in(item, to_paper)), is_face=True))
            continue
        # all the cut marks of a page are one path: of a path the box of each of its parts counts
        parts = _parts(item, to_paper) if kind == pdfium.FPDF_PAGEOBJ_PATH else ()
        mark = PageObject(item, kind, to_paper, 1.0, True)
        layers.append(Layer([*parts] or [box_of(item, to_paper)], [mark], is_face=False))
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
            after = (box for later in layers[number + 1 :] for box in later.boxes)
            if any(box.overlaps(words) for box in after):
                return False
    return True


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


def _show(objects: Iterable[PageObject], shown: bool) -> None:
    """Draw some objects, or leave them out, when the page is drawn again."""
    for drawn in objects:
        pdfium.FPDFPageObj_SetIsActive(drawn.item, shown)
