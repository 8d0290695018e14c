"""A page of a finished PDF in; of each face that is new on it a specimen, read and seen, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from generator.preflight.expectation import Expected, ExpectedPage
from generator.preflight.finding import Finding
from generator.preflight.painted import Painted, PaintedReader, objects_in
from generator.preflight.raster import Raster, rendered
from generator.preflight.views import in_sight, texts_in_sight


@dataclass(frozen=True, slots=True, eq=False)
class Specimen:
    """One printed copy of a face, looked at in place of all that are alike.

    `seen` is what the eye sees of its art (trim and bleed), `ground` the same without the words.
    All places are in mm on its page. `tolerance` is how far the printer drifts, mm. Only of those
    that are `coded` the pictures and shapes are read.
    """

    expected: Expected
    page: int
    copies: int
    painted: Painted
    seen: Raster
    ground: Raster
    tolerance: float = 0.0
    coded: bool = True

    def finding(self, code: str, message: str, hint: str = "", **more: Any) -> Finding:
        """A finding about this face, with its page, component, source and number of copies."""
        return Finding(
            code,
            f"the {self.expected.face} of {self.expected.component!r}: {message}",
            hint,
            page=self.page,
            component=f"{self.expected.kind}/{self.expected.component}",
            copies=self.copies,
            **{"source": self.expected.source, "place": self.expected.finished, **more},
        )


@dataclass(frozen=True, slots=True, eq=False)
class SeenPage:
    """A page as pixels, and what should be on it."""

    expected: ExpectedPage
    seen: Raster


@dataclass(frozen=True, slots=True)
class Sample:
    """Which drawing of a page to look at: its index among them, whose face it is, how often it is
    in the file, and whether it shows a value that may be told by its colour."""

    index: int
    expected: Expected
    copies: int
    coded: bool


def examine(
    document: pypdfium2.PdfDocument, page: ExpectedPage, samples: tuple[Sample, ...]
) -> tuple[SeenPage, Iterator[Specimen]]:
    """The page as it is seen, and a specimen of each sample."""
    sheet = document[page.number - 1]
    seen = SeenPage(page, rendered(sheet, page.width, page.height))
    return seen, _specimens(sheet, seen, samples)


def _specimens(
    sheet: pypdfium2.PdfPage, seen: SeenPage, samples: tuple[Sample, ...]
) -> Iterator[Specimen]:
    if not samples:
        return
    forms = list(_forms(sheet))
    text_page = sheet.get_textpage()
    reader = PaintedReader(sheet.raw, text_page.raw, sheet.get_height())
    painted = [reader.read(forms[sample.index], words_only=not sample.coded) for sample in samples]
    for form in forms:  # also one that lies, by mistake, on a sample
        _silence(form)
    page = seen.expected
    ground = rendered(sheet, page.width, page.height)
    for sample, paint in zip(samples, painted, strict=True):
        expected = in_sight(sample.expected)
        around, below = seen.seen.cut(expected.art), ground.cut(expected.art)
        texts = paint.texts
        if expected.poster is not None:
            texts = tuple(texts_in_sight(texts, expected, around, below))
        yield Specimen(
            expected,
            page.number,
            sample.copies,
            replace(paint, texts=texts),
            around,
            below,
            page.tolerance,
            sample.coded,
        )


def _forms(sheet: pypdfium2.PdfPage) -> Iterator[Any]:
    """The forms that are drawn on the page itself, in order of painting."""
    for index in range(pdfium.FPDFPage_CountObjects(sheet.raw)):
        item = pdfium.FPDFPage_GetObject(sheet.raw, index)
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_FORM:
            yield item


def _silence(form: Any) -> None:
    """Leave out the words when the page is drawn again."""
    for item, kind, _, _ in objects_in(form):
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            pdfium.FPDFPageObj_SetIsActive(item, False)
