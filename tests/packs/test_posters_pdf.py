"""A shipped track as a poster, measured in the finished PDF: on every page every space is where the
layout has it, and the marks at the seams bring the pages together just so."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from itertools import chain, combinations, pairwise, product
from pathlib import Path
from statistics import median
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from packs.pdf_objects import matrix_of, objects_of
from packs.shipped import ROOT, shipped_pack

from generator.build import Order, press_pack
from generator.geometry import Matrix, pt_to_mm
from generator.project import Project, Target

TRACK = "oval"
LINE, BLACK = (0xB9, 0x8D, 0x55), (0, 0, 0)
EXACT = 0.02
"""mm: how far a space may be off, across the whole poster."""
TIP = 2.6
"""mm: a side of an alignment diamond."""
PACK = """\
title: Wall
version: 1.0.0
requires: {chariot-dash: ">= 1.0"}
prints:
  posters: {title: Posters, kinds: [track-poster], papers: [a4], layout: poster}
"""

Point = tuple[float, float]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[list[Point], list[Point]]]:
    """Of each page: the middles of its spaces, and the ends of the sides of its alignment diamonds;
    mm from the upper left."""
    root = tmp_path_factory.mktemp("poster")
    (root / "cards/wall").mkdir(parents=True)
    (root / "cards/wall/pack.yaml").write_text(PACK, encoding="utf-8")
    outcome = press_pack(Target(Project(root, ROOT), "wall"), Order(only=TRACK), root / "out")
    assert outcome.diagnostics == ()
    [file] = outcome.value
    return list(_read(file.path))


def _read(pdf: Path) -> Iterator[tuple[list[Point], list[Point]]]:
    document = pypdfium2.PdfDocument(pdf)
    for number in range(len(document)):
        page = document[number]
        down = Matrix(1, 0, 0, -1, 0, page.get_height())
        spaces: list[Point] = []
        tips: list[Point] = []
        for item, outside in _paths(page.raw):
            lines = list(_lines(item, down.then(outside.then(matrix_of(item)))))
            if _stroke(item) == LINE:
                spaces += [_middle(line) for line in lines if len(line) >= 6]
            elif _stroke(item) == BLACK:
                sides = (side for line in lines for side in pairwise(line) if _is_side(*side))
                tips += chain.from_iterable(sides)
        yield spaces, tips


def _paths(page: Any) -> Iterator[tuple[Any, Matrix]]:
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            for inner in objects_of(item):
                if inner.kind == pdfium.FPDF_PAGEOBJ_PATH:
                    yield inner.item, inner.matrix
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            yield item, Matrix(1, 0, 0, 1, 0, 0)


def _lines(item: Any, to_page: Matrix) -> Iterator[list[Point]]:
    """The points of a path, those of each line that it has."""
    line: list[Point] = []
    m, x, y = to_page, ctypes.c_float(), ctypes.c_float()
    for index in range(pdfium.FPDFPath_CountSegments(item)):
        segment = pdfium.FPDFPath_GetPathSegment(item, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO and line:
            yield line
            line = []
        across, along = m.a * x.value + m.c * y.value + m.e, m.b * x.value + m.d * y.value + m.f
        line.append((pt_to_mm(across), pt_to_mm(along)))
    yield line


def _middle(line: list[Point]) -> Point:
    """The middle of the box of a line, which is that of a regular polygon with opposite sides."""
    xs, ys = zip(*line, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _stroke(item: Any) -> tuple[int, int, int] | None:
    """The colour that a path is drawn with; None for one that is only filled."""
    fill, drawn = ctypes.c_int(), ctypes.c_int()
    if not pdfium.FPDFPath_GetDrawMode(item, fill, drawn) or not drawn.value:
        return None
    r, g, b, a = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetStrokeColor(item, r, g, b, a):
        return None
    return r.value, g.value, b.value


def _is_side(one: Point, other: Point) -> bool:
    across, along = abs(one[0] - other[0]), abs(one[1] - other[1])
    return TIP < math.hypot(across, along) < 3 and min(across, along) > 1.5


def _laid() -> list[Point]:
    """Where the middle of each space of the layout lies."""
    [track] = [c for c in shipped_pack("chariot-dash").components["track"] if c.id == TRACK]
    tiles = track.values["layout"]["tiles"]
    return [(x, y) for tile in tiles for lane in tile["lanes"] for x, y in lane]


def _offset(spaces: list[Point]) -> Point:
    """Where the poster's corner lies on a page."""
    pairs = list(zip(spaces, _laid(), strict=True))
    return median(x - a for (x, _), (a, _) in pairs), median(y - b for (_, y), (_, b) in pairs)


@pytest.mark.thorough
def test_every_space_is_where_it_is_laid(pages: list[tuple[list[Point], list[Point]]]) -> None:
    assert len(pages) >= 4
    for spaces, _ in pages:
        dx, dy = _offset(spaces)
        off = [
            math.dist((x - dx, y - dy), laid) for (x, y), laid in zip(spaces, _laid(), strict=True)
        ]
        assert max(off) <= EXACT


@pytest.mark.thorough
def test_marks_bring_the_pages_together(pages: list[tuple[list[Point], list[Point]]]) -> None:
    """What two pages have in common at a seam lies at one place of the poster."""
    marks = []
    for spaces, tips in pages:
        dx, dy = _offset(spaces)
        marks.append([(x - dx, y - dy) for x, y in tips])
        assert tips
    shared = 0
    for one, other in combinations(marks, 2):
        near = [d for d in (math.dist(a, b) for a, b in product(one, other)) if d < 1]
        assert max(near, default=0.0) <= EXACT
        shared += bool(near)
    assert shared >= len(pages) - 1
