"""A page of a finished PDF as it is in; of some faces on it a specimen, read and seen, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pypdfium2

from generator.geometry import Rect
from generator.matrices import Matrix
from generator.preflight.expectation import Expected, ExpectedPage
from generator.preflight.faces import Look, Specimen, laid_upright, specimen, stood_up
from generator.preflight.layering import read_layers, seen_and_ground
from generator.preflight.painted import Painted, PaintedReader
from generator.preflight.raster import Raster, rendered
from generator.units import pt_to_mm


@dataclass(frozen=True, slots=True)
class Sample:
    """Which drawing of a page to look at: its index among them, whose face it is, and the look."""

    index: int
    expected: Expected
    look: Look


def examine(
    sheets: Sequence[pypdfium2.PdfPage], page: ExpectedPage, samples: tuple[Sample, ...]
) -> tuple[Raster, Iterator[Specimen]]:
    """The page as it is seen, and a specimen of each sample."""
    sheet = sheets[page.number - 1]
    if not samples:
        return rendered(sheet, page.width, page.height), iter(())
    text_page = sheet.get_textpage()
    one = pt_to_mm(1)
    to_paper = Matrix(one, 0, 0, -one, 0, sheet.get_height() * one)
    reader = PaintedReader(sheet.raw, text_page.raw, to_paper)
    layers = read_layers(sheet, to_paper)
    faces = [layer for layer in layers if layer.is_face]
    painted = {
        sample.index: reader.read(faces[sample.index].objects, words_only=not sample.look.coded)
        for sample in samples
    }
    words = [painted.get(number) for number in range(len(faces))]
    seen, ground = seen_and_ground(sheet, Rect(0, 0, page.width, page.height), layers, words)
    return seen, (_specimen(sample, painted[sample.index], seen, ground) for sample in samples)


def _specimen(sample: Sample, painted: Painted, seen: Raster, ground: Raster) -> Specimen:
    told = sample.expected
    art = told.poster.shown if told.poster else told.art
    around, below = (stood_up(raster.cut(art), told) for raster in (seen, ground))
    return specimen(sample.look, laid_upright(painted, told), around, below)
