"""A face of a finished file in; how it looks with one of its things left out, laid otherwise or in
another state, out.

What is wrong with a face is best known by undoing it: if then it shows what was rendered, that was
it."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from pikepdf import Dictionary, Name, Pdf, Stream
from PIL import Image

from generator.geometry import IDENTITY, Matrix, Rect
from generator.pdf_forms import Form, drawn, lighten_all, on_paper
from generator.preflight.page_objects import PageObject, box_of, matrix_of
from generator.preflight.page_parts import add_face
from generator.preflight.painted import STROKED
from generator.preflight.raster import read_layers

_MOST_STATES: Final = 12
"""That are undone, one after the other."""
_SLANTED: Final = 0.001
TEXT: Final = pdfium.FPDF_PAGEOBJ_TEXT
PICTURE: Final = pdfium.FPDF_PAGEOBJ_IMAGE


class Thing(NamedTuple):
    """What a face paints at one go: where it is, in pixels of the proof, and what brings its own
    space to the points of the page."""

    drawn: PageObject
    box: Rect
    placed: Matrix

    @property
    def kind(self) -> int:
        """Words, a picture, a shape or something else, as PDFium numbers them."""
        return self.drawn.kind

    @property
    def narrowed(self) -> float:
        """How wide words are set, of how wide their letters are; 1 where they are slanted."""
        a, b, c, d, _, _ = self.placed
        slant = abs(a * c + b * d)
        area = abs(a * d - b * c)
        return 1.0 if slant >= _SLANTED * area else self.placed.across / self.placed.down

    @property
    def size_pt(self) -> float:
        """Of words, as they are printed."""
        size = ctypes.c_float()
        pdfium.FPDFTextObj_GetFontSize(self.drawn.item, size)
        return float(size.value) * abs(self.placed.area) / self.placed.across


class Redrawn:
    """Draws the face that a page shows alone as its proof was drawn, but not as it is."""

    def __init__(self, document: pypdfium2.PdfDocument, source: Pdf) -> None:
        self._source = source
        self._page = document[0]
        left, bottom, right, top = self._page.get_mediabox()
        width, height = on_paper(drawn(self._page)).size
        across, down = width / (right - left), height / (top - bottom)
        self._middle = width / 2, height / 2
        pixels = Matrix(across, 0, 0, -down, -left * across, top * down)
        points = pixels.inverse
        self.things = [
            Thing(
                each,
                box_of(each.item, each.matrix),
                points.then(each.matrix).then(matrix_of(each.item)),
            )
            for layer in read_layers(self._page, pixels)
            for each in layer.objects
        ]

    def laid(self, through: Matrix, things: Sequence[Thing] | None = None) -> Image.Image:
        """Through a matrix of the proof's pixels about its middle; all of it, or some things."""
        if things is None:
            return on_paper(drawn(self._page, through))
        x, y = self._middle
        about = Matrix(e=x, f=y).then(through).then(Matrix(e=-x, f=-y))
        moves = [
            (each.drawn.item, _within(about, each.drawn.matrix))
            for each in things
            if each.drawn.matrix.area
        ]
        for item, matrix in moves:
            pdfium.FPDFPageObj_TransformF(item, pdfium.FS_MATRIX(*matrix))
        picture = self.laid(IDENTITY)
        for item, matrix in moves:
            pdfium.FPDFPageObj_TransformF(item, pdfium.FS_MATRIX(*matrix.inverse))
        return picture

    def without(self, things: Sequence[Thing]) -> Image.Image:
        """Some things left out."""
        for each in things:
            pdfium.FPDFPageObj_SetIsActive(each.drawn.item, False)
        picture = self.laid(IDENTITY)
        for each in things:
            pdfium.FPDFPageObj_SetIsActive(each.drawn.item, True)
        return picture

    def filled(self) -> Image.Image | None:
        """With no line round its letters; None where there is none."""
        words = (each.drawn.item for each in self.things if each.kind == TEXT)
        modes = ((item, pdfium.FPDFTextObj_GetTextRenderMode(item)) for item in words)
        found = [(item, mode) for item, mode in modes if mode in STROKED]
        for item, _ in found:
            pdfium.FPDFTextObj_SetTextRenderMode(item, pdfium.FPDF_TEXTRENDERMODE_FILL)
        picture = self.laid(IDENTITY) if found else None
        for item, mode in found:
            pdfium.FPDFTextObj_SetTextRenderMode(item, mode)
        return picture

    def restated(self) -> Iterator[tuple[str, Image.Image]]:
        """With what changes its colours undone, one after the other: what that is, in words."""
        left = _MOST_STATES
        for state in _states(self._source):
            for keys, told in _UNDONE.items():
                was = {key: state[key] for key in keys if key in state}
                words = told(was)
                if not words or not left:
                    continue
                left -= 1
                for key in was:
                    del state[key]
                yield words, self._anew()
                for key, value in was.items():
                    state[key] = value

    def unmasked(self) -> Image.Image | None:
        """With no soft mask on its pictures; None where none has one."""
        masked = [
            item
            for item in self._source.objects
            if isinstance(item, Stream) and item.get("/Subtype") == Name.Image and "/SMask" in item
        ]
        masks = [item.SMask for item in masked]
        for item in masked:
            del item.SMask
        picture = self._anew() if masked else None
        for item, mask in zip(masked, masks, strict=True):
            item.SMask = mask
        return picture

    def _anew(self) -> Image.Image:
        with _opened(self._source) as document:
            return on_paper(drawn(document[0]))


def _within(about: Matrix, container: Matrix) -> Matrix:
    """A matrix of pixels as one of the space that a thing is in."""
    return container.inverse.then(about).then(container)


def _mixed(state: dict[str, Any]) -> str:
    mode = str(state.get("/BM", Name.Normal)).removeprefix("/")
    return "" if mode in ("Normal", "Compatible") else f"mixed with what lies below it ({mode})"


def _opaque(state: dict[str, Any]) -> str:
    least = min(map(float, state.values()), default=1.0)
    return "" if least >= 1 else f"faint: paler than it was, at {100 * least:.0f} % of its opacity"


def _masked(state: dict[str, Any]) -> str:
    masked = isinstance(state.get("/SMask"), Dictionary)
    return "faint: paler than it was, through a soft mask" if masked else ""


_UNDONE: Final = {("/BM",): _mixed, ("/ca", "/CA"): _opaque, ("/SMask",): _masked}
"""What a graphics state may say that changes colours, and the words for it; none where it does
not."""


def _states(pdf: Pdf) -> Iterator[Any]:
    """The graphics states that the forms of a file name, each once."""
    seen: set[tuple[int, int]] = set()
    for form in pdf.objects:
        if isinstance(form, Stream) and form.get("/Subtype") == Name.Form:
            resources = form.get("/Resources", Dictionary())
            for state in dict(resources.get("/ExtGState", {})).values():
                if not state.is_indirect or state.objgen not in seen:
                    seen.add(state.objgen)
                    yield state


@contextmanager
def redrawn(pdf: Pdf, form: Form) -> Iterator[Redrawn]:
    """What draws a face of a file anew."""
    source = Pdf.new()
    add_face(source, pdf, form)
    lighten_all(source)
    with _opened(source) as document:
        yield Redrawn(document, source)


@contextmanager
def _opened(source: Pdf) -> Iterator[pypdfium2.PdfDocument]:
    out = io.BytesIO()
    source.save(out, static_id=True)
    document = pypdfium2.PdfDocument(out.getvalue())
    try:
        yield document
    finally:
        document.close()
