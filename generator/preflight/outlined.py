"""The paths of a face in; words that are drawn as outlines, letter by letter or at one go, and
which of them stand upright, out."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, Final

import pypdfium2.raw as pdfium
from msgspec import Struct

from generator.geometry import Matrix, Point, Rect, around, bounds
from generator.preflight.page_objects import PageObject, PagePoint, box_of, lines_of, matrix_of

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
_DOT: Final = 0.45
"""Of the height of a letter: what is lower and right above or below it is its dot."""
_HEADS, _FEET = 3, 2
"""Levels at which letters end at most, above (capitals, t, x) and below (p, x): houses and trees
end anywhere."""
_SMALL: Final = 14.0
"""mm that such words are high at most: what is higher is art, and may be cut."""
_CURVE, _BENDS = (1, 3, 3, 1), 6
"""How often each point of a curve counts in its middle, and in how many parts it is looked at."""
_CHAIN: Final = 60
"""Paths that are painted after one another and may be a line of words."""


class _Letter(Struct, frozen=True):
    """Its box, mm, how many corners it has, and whether it is bent anywhere."""

    box: Rect
    corners: int
    bent: bool


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


def words_among(paths: Sequence[PageObject], numbers: Sequence[int]) -> Iterator[tuple[Rect, ...]]:
    """The letters' boxes, mm, of words that have those of the paths among their letters: of level
    ones, and of such as read upwards or downwards. They are told from rows of other things by where
    letters end."""
    boxes: dict[int, Rect] = {}
    done = -1

    def box(number: int) -> Rect:
        if number not in boxes:
            boxes[number] = box_of(paths[number].item, paths[number].matrix)
        return boxes[number]

    for number in numbers:
        if number <= done:
            continue
        first = last = number
        while first > max(done + 1, number - _CHAIN) and _beside(box(first - 1), box(first)):
            first -= 1
        while last + 1 < min(len(paths), number + _CHAIN) and _beside(box(last), box(last + 1)):
            last += 1
        done = last
        yield from _words_of(paths[first : last + 1])


def _words_of(paths: Sequence[PageObject]) -> Iterator[tuple[Rect, ...]]:
    parts = [list(_parts(drawn.item, drawn.matrix)) for drawn in paths]
    for turned in (False, True):
        row: list[_Letter] = []
        for several in parts:
            letters = [_turned(part) for part in several] if turned else several
            for letter in _without_dots(letters):
                if row and not _goes_on(row[-1].box, letter.box):
                    yield from _lined_up(row, turned=turned)
                    row = []
                row.append(letter)
        yield from _lined_up(row, turned=turned)


def _lined_up(row: Sequence[_Letter], *, turned: bool) -> Iterator[tuple[Rect, ...]]:
    for word in _word(row):
        box, off = word.box, 2 * _LEVEL * word.box.height
        heads = _levels([letter.box.y for letter in row], off)
        feet = _levels([letter.box.bottom for letter in row], off)
        if not word.upright:
            heads, feet = feet, heads
        if box.height > _SMALL or heads > min(_HEADS, len(row) // 2 + 1) or feet > _FEET:
            continue
        if any(letter.bent for letter in row) or (heads == 1 and len(row) > _LETTERS):
            yield tuple((_turned(letter) if turned else letter).box for letter in row)


def _levels(ends: Sequence[float], off: float) -> int:
    count, level = 0, -math.inf
    for end in sorted(ends):
        if end - level > off:
            count, level = count + 1, end
    return count


def _turned(letter: _Letter) -> _Letter:
    """As if what reads down a column read along a line, mirrored."""
    box = letter.box
    return _Letter(Rect(box.y, box.x, box.height, box.width), letter.corners, letter.bent)


def _beside(one: Rect, other: Rect) -> bool:
    turned = (Rect(box.y, box.x, box.height, box.width) for box in (one, other))
    return _goes_on(one, other) or _goes_on(*turned)


def _letters(item: Any, outside: Matrix) -> Iterator[_Letter]:
    return _without_dots(list(_parts(item, outside)))


def _without_dots(parts: Sequence[_Letter]) -> Iterator[_Letter]:
    """But for what stands above or below a larger part."""
    for part in parts:
        if not any(_is_dot_of(part.box, other.box) for other in parts):
            yield part


def _is_dot_of(dot: Rect, letter: Rect) -> bool:
    middle = dot.x + dot.width / 2
    return (
        dot.height < _DOT * letter.height
        and letter.x - dot.width / 2 < middle < letter.right + dot.width / 2
        and min(abs(dot.bottom - letter.y), abs(dot.y - letter.bottom)) < _DOT * letter.height
    )


def _parts(item: Any, outside: Matrix) -> Iterator[_Letter]:
    """The parts of a path, but for the holes in them."""
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fills, strokes)
    if not fills.value or pdfium.FPDFPath_CountSegments(item) > _MOST:
        return
    parts: list[list[tuple[float, float]]] = []
    bent: list[bool] = []
    for line in lines_of(item, outside.then(matrix_of(item))):
        if not parts or parts[-1][-1] != line[0]:
            parts.append([line[0]])
            bent.append(False)
        parts[-1].extend(line[1:])
        bent[-1] = bent[-1] or len(line) > 2
    if len(parts) > _PARTS:
        return
    found = [
        _Letter(bounds([Point(*at) for at in part]), len(part), curved)
        for part, curved in zip(parts, bent, strict=True)
    ]
    for letter in found:
        if not any(other is not letter and other.box.contains(letter.box) for other in found):
            yield letter


def places_on(line: Sequence[PagePoint]) -> Iterator[PagePoint]:
    """Both ends of a line, and of a curve some places on it."""
    if len(line) != len(_CURVE):
        yield from line
        return
    for step in range(_BENDS + 1):
        t = step / _BENDS
        weights = [times * (1 - t) ** (3 - n) * t**n for n, times in enumerate(_CURVE)]
        yield (
            sum(w * x for w, (x, _) in zip(weights, line, strict=True)),
            sum(w * y for w, (_, y) in zip(weights, line, strict=True)),
        )


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
