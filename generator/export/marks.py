"""Sheets in, a PDF with a page for each out that carries their marks and nothing else.

ReportLab draws them: page order and sizes are its own, each layer's marks stand between
`/OC /<LAYER> BDC` and `EMC`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, groupby

from fontTools.svgLib.path import parse_path
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from generator.geometry import Point, Rect, mm_to_pt
from generator.model.sheet import LineMark, Mark, PathMark, PdfLayer, Sheet, TextMark
from generator.outlines import SegmentPen

TextOperators = Callable[[TextMark, float], str]
"""A text and the height of its page, mm: the operators that print it."""


def marks_pdf(sheets: Sequence[Sheet], letters: TextOperators) -> bytes:
    """Draw the marks of all sheets, their texts by `letters`, whose fonts the pages still lack."""
    buffer = io.BytesIO()
    # Uncompressed here: pikepdf compresses when it saves, with the same zlib on every machine.
    canvas = _FontlessCanvas(buffer, invariant=1, pageCompression=0)
    for sheet in sheets:
        canvas.setPageSize((mm_to_pt(sheet.size.width), mm_to_pt(sheet.size.height)))
        pencil = _Pencil(canvas, sheet.size.height, letters)
        for layer in PdfLayer:
            marks = [mark for mark in sheet.marks if mark.layer is layer]
            if marks:
                canvas.addLiteral(f"/OC /{layer.name} BDC")
                pencil.draw(marks)
                canvas.addLiteral("EMC")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


class _FontlessCanvas(Canvas):
    """Begins no page with a font: the letters bring theirs, and readers complain of a page that
    sets one which it lacks."""

    def _make_preamble(self) -> None:
        self._preamble = "1 0 0 1 0 0 cm"


class _Pencil:
    """Draws marks, in mm from the top left, on a canvas that counts points from the bottom."""

    def __init__(self, canvas: Canvas, height: float, letters: TextOperators) -> None:
        self.canvas = canvas
        self.height = height
        self.letters = letters

    def draw(self, marks: Iterable[Mark]) -> None:
        """Marks that follow each other and look alike become one stroke of many parts."""
        for look, run in groupby(marks, key=_look):
            if look is None:
                for mark in run:
                    assert isinstance(mark, TextMark)
                    self.canvas.addLiteral(self.letters(mark, self.height))
                continue
            path = self.canvas.beginPath()
            for mark in run:
                self._trace(path, mark)
            self._stroke(path, *look)

    def _at(self, point: Point) -> tuple[float, float]:
        return mm_to_pt(point.x), mm_to_pt(self.height - point.y)

    def _trace(self, path: PDFPathObject, mark: Mark) -> None:
        if isinstance(mark, LineMark):
            path.moveTo(*self._at(mark.start))
            path.lineTo(*self._at(mark.end))
        elif isinstance(mark, PathMark):
            pen = SegmentPen()
            parse_path(mark.path, pen)
            draw: dict[str, Callable[..., None]] = {
                "M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close,
            }  # fmt: skip
            for step, values in pen.segments:
                ends = (Point(*values[at : at + 2]) for at in range(0, len(values), 2))
                draw[step](*chain.from_iterable(map(self._at, ends)))

    def _stroke(
        self,
        path: PDFPathObject,
        width: float,
        grey: float,
        dash: tuple[float, ...],
        clip: Rect | None,
    ) -> None:
        if clip is not None:
            self.canvas.saveState()
            window = self.canvas.beginPath()
            x, y = self._at(Point(clip.x, clip.bottom))
            window.rect(x, y, mm_to_pt(clip.width), mm_to_pt(clip.height))
            self.canvas.clipPath(window, stroke=0, fill=0)
        self.canvas.setLineWidth(mm_to_pt(width))
        self.canvas.setStrokeGray(grey)
        self.canvas.setDash([mm_to_pt(length) for length in dash])
        self.canvas.drawPath(path, stroke=1, fill=0)
        if clip is not None:
            self.canvas.restoreState()


def _look(mark: Mark) -> tuple[float, float, tuple[float, ...], Rect | None] | None:
    """Width, grey, dash and window of a stroke; None for text."""
    match mark:
        case LineMark():
            return (mark.width, mark.grey, mark.dash, None)
        case PathMark():
            return (mark.width, mark.grey, (), mark.clip)
        case TextMark():
            return None
