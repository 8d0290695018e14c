"""An object of PDFium in, the box of what its clip paths leave of it out."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium

from generator.geometry import Point, Rect, bounds


def clip_box(item: Any) -> Rect | None:
    """The part that the boxes of all its clip paths share, in the space of the form that it is
    in; None when nothing clips it. Where two do not meet it has no width or height."""
    path = pdfium.FPDFPageObj_GetClipPath(item)
    shared: Rect | None = None
    for number in range(pdfium.FPDFClipPath_CountPaths(path)):
        corners = list(_corners(path, number))
        if corners:
            box = bounds(corners)
            shared = shared.cut_to(box) if shared else box
    return shared


def _corners(path: Any, number: int) -> Iterator[Point]:
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(pdfium.FPDFClipPath_CountPathSegments(path, number)):
        segment = pdfium.FPDFClipPath_GetPathSegment(path, number, index)
        if pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            yield Point(x.value, y.value)
