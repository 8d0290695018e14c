"""What PDFium finds in the forms of a page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from generator.geometry import IDENTITY, Matrix


class PageObject(NamedTuple):
    """A shape, picture or text, its kind as PDFium counts them, and the matrix of its form."""

    item: Any
    kind: int
    matrix: Matrix


def objects_of(form: Any, outside: Matrix = IDENTITY) -> Iterator[PageObject]:
    """Yield all that a form draws, and the forms in it draw."""
    inside = outside.then(matrix_of(form))
    for index in range(pdfium.FPDFFormObj_CountObjects(form)):
        item = pdfium.FPDFFormObj_GetObject(form, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            yield from objects_of(item, inside)
        else:
            yield PageObject(item, kind, inside)


def matrix_of(item: Any) -> Matrix:
    """Return the matrix from an object's own space to that of its holder."""
    told = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, told):
        return IDENTITY
    matrix = Matrix(told.a, told.b, told.c, told.d, told.e, told.f)
    return matrix if all(map(math.isfinite, matrix)) else IDENTITY
