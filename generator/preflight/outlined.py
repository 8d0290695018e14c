"""The paths of what is folded in; words that are drawn as outlines, letter by letter or at one go,
and which of them stand upright, out."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, Final

import pypdfium2.raw as pdfium
from msgspec import Struct

from generator.geometry import Matrix, Point, Rect, around, bounds
from generator.preflight.page_objects import PageObject, lines_of, matrix_of

_MOST: Final = 2000
"""Corners of a path, and paths of a face: more is a picture."""
_PARTS: Final = 200
"""Of a path, with the holes in its letters: more is no line of words. Each is held against all."""
_HIGH: Final = (1.2, 25.0)
"""mm that letters are high."""
_LETTERS, _SORTS = 3, 3
"""In a row, and how many sorts of them: some things that are alike are a pattern."""
_LONG, _WIDE, _STANDING = 1.6, 1.6, 0.7
"""Times as long as high is a word, and as wide as high at most a letter; and which part of
them stand on one line, or end at one."""
_GAP, _SHARED, _TALLER = 0.6, 0.6, 2.2
"""Of the height of a letter: between it and the next; of the lower of two, next to each other; and
how many times as high as its neighbour one is."""
_LEVEL: Final = 0.06
"""Of their height, by which letters stand off their line: round ones go below it."""


class _Letter(Struct, frozen=True):
    """Its box, mm, and how many corners it has."""

    box: Rect
    corners: int


class OutlinedWord(Struct, frozen=True):
    """A row of letters: its box, mm, and whether more of them stand on one line than end at one."""

    box: Rect
    upright: bool


def outlined_words(objects: Sequence[PageObject]) -> Iterator[OutlinedWord]:
    """Rows of filled shapes that are painted after one another, such as letters are. Of words that
    read upwards or downwards none is told."""
    paths = [drawn for drawn in objects if drawn.kind == pdfium.FPDF_PAGEOBJ_PATH]
    row: list[_Letter] = []
    for drawn in paths if len(paths) <= _MOST else ():
        for letter in _letters(drawn.item, drawn.matrix):
            if row and not _goes_on(row[-1].box, letter.box):
                yield from _word(row)
                row = []
            row.append(letter)
    yield from _word(row)


def _letters(item: Any, outside: Matrix) -> Iterator[_Letter]:
    """The parts of a path, but for the holes in them."""
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fills, strokes)
    if not fills.value or pdfium.FPDFPath_CountSegments(item) > _MOST:
        return
    parts: list[list[tuple[float, float]]] = []
    for line in lines_of(item, outside.then(matrix_of(item))):
        if not parts or parts[-1][-1] != line[0]:
            parts.append([line[0]])
        parts[-1].extend(line[1:])
    if len(parts) > _PARTS:
        return
    found = [_Letter(bounds([Point(*at) for at in part]), len(part)) for part in parts]
    for letter in found:
        if not any(other is not letter and other.box.contains(letter.box) for other in found):
            yield letter


def _goes_on(one: Rect, other: Rect) -> bool:
    low, high = sorted((one.height, other.height))
    if not low or high > _TALLER * low:
        return False
    shared = min(one.bottom, other.bottom) - max(one.y, other.y)
    gap = max(one.x, other.x) - min(one.right, other.right)
    return shared > _SHARED * low and -low / 4 < gap < _GAP * high


def _word(row: Sequence[_Letter]) -> Iterator[OutlinedWord]:
    sorts = {letter.corners for letter in row}
    if len(row) < _LETTERS or len(sorts) < _SORTS:
        return
    boxes = [letter.box for letter in row]
    box, ways = around(boxes), {a.x < b.x for a, b in pairwise(boxes)}
    if len(ways) > 1 or box.width < _LONG * box.height:
        return
    if any(one.width > _WIDE * one.height for one in boxes):
        return
    if _HIGH[0] <= box.height <= _HIGH[1]:
        off = _LEVEL * box.height
        ends = [letter.box.bottom for letter in row], [letter.box.y for letter in row]
        feet, heads = (sum(abs(at - median(line)) < off for at in line) for line in ends)
        if max(feet, heads) >= _STANDING * len(row):
            yield OutlinedWord(box, feet > heads)
