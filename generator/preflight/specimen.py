"""A page of a finished PDF in; of each face that is new on it a specimen, read and seen, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2

from generator.preflight.expectation import Expected, ExpectedPage
from generator.preflight.finding import Finding
from generator.preflight.layering import read_layers, seen_and_ground
from generator.preflight.painted import Painted, PaintedReader
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
    if not samples:
        return SeenPage(page, rendered(sheet, page.width, page.height)), iter(())
    text_page = sheet.get_textpage()
    reader = PaintedReader(sheet.raw, text_page.raw, sheet.get_height())
    layers = read_layers(sheet, reader.to_paper)
    faces = [layer for layer in layers if layer.is_face]
    painted = {
        sample.index: reader.read(faces[sample.index].objects, words_only=not sample.coded)
        for sample in samples
    }
    words = [painted.get(number) for number in range(len(faces))]
    seen, ground = seen_and_ground(sheet, page.width, page.height, layers, words)
    specimens = (_specimen(sample, page, painted[sample.index], seen, ground) for sample in samples)
    return SeenPage(page, seen), specimens


def _specimen(
    sample: Sample, page: ExpectedPage, painted: Painted, seen: Raster, ground: Raster
) -> Specimen:
    expected = in_sight(sample.expected)
    around, below = seen.cut(expected.art), ground.cut(expected.art)
    texts = painted.texts
    if expected.poster is not None:
        texts = tuple(texts_in_sight(texts, expected, around, below))
    return Specimen(
        expected,
        page.number,
        sample.copies,
        replace(painted, texts=texts),
        around,
        below,
        page.tolerance,
        sample.coded,
    )
