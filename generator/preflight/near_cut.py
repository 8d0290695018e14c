"""Finds words drawn as outlines, and such words and icons that are over the cut or out of the safe
zone. It is long, since what is a word is no icon, and what is neither is art."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from statistics import median
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium
from msgspec import Struct
from msgspec.structs import replace

from generator.geometry import Matrix, Point, Rect, around, bounds, summed
from generator.model.catalogue import Shape
from generator.outlines import polygon
from generator.preflight.page_objects import (
    Clips,
    PageObject,
    PagePoint,
    box_of,
    colour_of,
    lines_of,
    matrix_of,
)

_ICON, _WORD = (2.5, 14.0), 40.0
"""mm of what may be an icon, which is smaller than a sun that rises, or a word in outlines."""
_LETTER: Final = 1.0
"""mm of the smallest thing that may be a letter."""
_STREWN: Final = 100
"""More are strewn: a pattern."""
_PLATE: Final = 4
"""Times as long as an icon is what lies under it, if it is not of the same picture."""
_SCENERY: Final = 0.03
"""Of the shorter side of a trim: what is smaller is the grain of a large picture."""
_DETAILED: Final = 6
"""Points of its outline: fewer has a band, a corner or a ribbon."""
_ROUND, _OUT_OF_ROUND = (13, 14), 0.03
"""Points of four curves, open and closed, of a disc, and how much of its radius it may be off."""
_PARTS: Final = 24
"""Of an icon: more is a picture."""
_PARTED, _TIP = 0.3, 0.04
"""Of a shape that lies over the cut: with so much of it on either side it is cut in two; with less,
but more than a tip, it is an icon that was put too far out, or, if it goes on to the end of the
bleed, a tab."""
_BEFORE_END: Final = 0.3
"""mm before the end of the bleed where such an icon ends."""
_COMPACT: Final = 1.6
"""How much longer than wide an icon is at most."""
NEARLY: Final = 0.3
"""mm that an icon may be out of the safe zone: PDFium's boxes are loose."""
_BESIDE_CUT: Final = 1.0
"""mm from the edge of a trim within which all is noted that is painted there."""
UNSEEN: Final = 8
"""Of 255: less opaque nobody sees it."""
NEAR: Final = 0.5
"""mm between two things that surely do not share a pixel: PDFium's boxes are not exact."""
_TOUCH: Final = 0.1
"""mm between two things of one picture, at most."""
_BAND: Final = 0.9
"""Of a side of the trim: what is as long is a ground, or a band."""
_ROUNDED: Final = 0.15
"""Of the size of a letter, at the corners of its box."""
_MANY, _SEVERAL = 12, 3
"""Parts of things, and things, out of their zone: more are a picture, or strewn."""
_ODD: Final = (Shape.CIRCLE, Shape.HEXAGON)
"""Shapes that are not cut along the sides of their box."""
_SMALLER: Final = 20
"""Steps in which a box that fits into such a shape is looked for."""
_NOTHING: Final = 1e-9
_GRID: Final = 9
"""Places across, and down, a thing at which is looked whether they are beyond the cut."""


CutLine = tuple[Rect, Shape, tuple[Point, ...]]
"""What a face is cut along: its trim, of that shape, or a free outline."""


class NearCut(Struct, frozen=True):
    """A path, or a picture, that comes near the edge of the trim or lies over it: its box (mm) as
    far as clips show it, and how many segments a path has."""

    box: Rect
    segments: int
    is_picture: bool = False


class Stray(Struct, frozen=True):
    """An icon, or a word in outlines: its box, mm; how far all of it is inside of the cut, mm,
    negative outside; how much of it is within the cut."""

    box: Rect
    inside: float
    left: float
    is_word: bool = False

    @property
    def is_over(self) -> bool:
        """True when the cut takes a part of it."""
        return self.inside < 0


class Cut:
    """How far places are from what a face is cut along."""

    def __init__(
        self, trim: Rect, shape: Shape = Shape.RECTANGLE, contour: Sequence[Point] = ()
    ) -> None:
        self.trim = trim
        corners = contour or (polygon(trim, shape) if shape in _ODD else ())
        self.is_odd = bool(corners)
        ends = np.array([(corner.x, corner.y) for corner in corners] or [(0.0, 0.0)])
        self._starts, self._ways = ends, np.roll(ends, -1, axis=0) - ends

    def depths(self, points: Sequence[PagePoint]) -> npt.NDArray[np.float64]:
        """How far places are inside of the cut, mm; negative outside."""
        x, y = np.array(points, dtype=float).T
        trim = self.trim
        if not self.is_odd:
            sides = (x - trim.x, y - trim.y, trim.right - x, trim.bottom - y)
            return np.asarray(np.minimum.reduce(sides))
        (left, top), (dx, dy) = self._starts.T, self._ways.T
        right, down = x[:, None] - left, y[:, None] - top
        along = (right * dx + down * dy) / np.maximum(dx * dx + dy * dy, _NOTHING)
        along = along.clip(0, 1)
        far = np.hypot(right - along * dx, down - along * dy).min(axis=1)
        between = (down < 0) != (down - dy < 0)
        beside = right < dx * down / np.where(dy == 0, 1, dy)
        inside = (between & beside).sum(axis=1) % 2 == 1
        return np.asarray(np.where(inside, far, -far))

    def core(self, safe: float) -> Rect:
        """A box of which all is so far inside."""
        trim, centre = self.trim, self.trim.centre
        for step in range(_SMALLER if self.is_odd else 0):
            part = (1 - step / _SMALLER) / 2
            box = Rect(
                centre.x - part * trim.width, centre.y - part * trim.height,
                2 * part * trim.width, 2 * part * trim.height,
            )  # fmt: skip
            if self.depths(_places(box)).min() >= safe:
                return box
        return Rect(centre.x, centre.y, 0, 0) if self.is_odd else trim.grown(-safe)

    def left(self, box: Rect) -> float:
        """How much of a box is within the cut, 0 to 1."""
        if not self.is_odd:
            inside = box.cut_to(self.trim)
            return inside.width * inside.height / ((box.width * box.height) or 1)
        return float((self.depths(_places(box)) > 0).mean())


def _places(box: Rect) -> list[PagePoint]:
    """Places all over a box."""
    x, y, wide, high = box.x, box.y, box.width, box.height
    steps = [step / (_GRID - 1) for step in range(_GRID)]
    return [(x + wide * across, y + high * down) for across in steps for down in steps]


def _corners(box: Rect) -> list[PagePoint]:
    return [(corner.x, corner.y) for corner in box.corners]


class Outside:
    """What is painted over the cut, and what icons and words are there or nearer to it than is
    safe, mm. Asked of thousands of shapes, nearly all of which are well inside."""

    def __init__(
        self, cut: Cut, safe: float, art: Rect | None = None, clips: Clips | None = None
    ) -> None:
        trim = cut.trim
        self._cut, self._safe, self._clips = cut, safe, clips or Clips()
        self._end = (art or trim).grown(-_BEFORE_END)
        self._beside = trim.grown(-max(safe, _BESIDE_CUT))
        self._core = cut.core(max(safe, _BESIDE_CUT))
        self._least = max(_ICON[0], _SCENERY * min(trim.width, trim.height))
        self._ends = tuple(ctypes.c_float() for _ in range(4))
        self._found: list[tuple[int, Rect]] = []
        self.near: list[NearCut] = []

    def look_at(self, item: Any, outside: Matrix, around: float, order: int = 0) -> None:
        """A path, how opaque what it is in is painted, and when."""
        if self._is_inside(item, outside):
            return
        box = box_of(item, outside)
        if not self._beside.contains(box):
            shown = self._within_clips(item, outside, box)
            self.near.append(NearCut(shown, pdfium.FPDFPath_CountSegments(item)))
        if _LETTER <= max(box.width, box.height) <= _WORD and _is_painted(item, around):
            self._found.append((order, box))

    def look_at_picture(self, item: Any, outside: Matrix) -> None:
        """A picture: of one that is well inside nothing is noted."""
        shown = self._within_clips(item, outside, box_of(item, outside))
        if not self._core.contains(shown):
            self.near.append(NearCut(shown, 0, True))

    def astray(self, objects: Sequence[PageObject]) -> Iterator[Stray]:
        """The icons, but for those that something else of their size lies half over or under, or
        anything half over: they are parts of a picture, and so are many. And the words."""
        found = [(order, box) for order, box in self._found if self._may_stray(box)]
        if not 0 < len(found) <= _STREWN:
            return
        words = list(self._words(objects, found))
        yield from words
        spelt = [word.box.grown(_TOUCH) for word in words]
        others = [one for one in found if not any(word.contains(one[1]) for word in spelt)]
        if sum(max(box.width, box.height) >= self._least / 2 for _, box in others) > _MANY:
            return
        icons = [one for one in others if min(one[1].width, one[1].height) >= self._least]
        if icons:
            yield from self._icons(objects, icons)

    def _within_clips(self, item: Any, outside: Matrix, box: Rect) -> Rect:
        clip = self._clips.box_of(item)
        return box if clip is None else box.cut_to(outside.box(clip))

    def _may_stray(self, box: Rect) -> bool:
        """Whether some of a thing is out of the safe zone, and it is not all beyond the cut."""
        if self._cut.left(box) <= 0:
            return False
        return bool(self._cut.depths(_corners(box)).min() < self._safe - NEARLY)

    def _words(
        self, objects: Sequence[PageObject], found: Sequence[tuple[int, Rect]]
    ) -> Iterator[Stray]:
        numbers = {order for order, _ in found}
        paths = [
            (n, drawn) for n, drawn in enumerate(objects) if drawn.kind == pdfium.FPDF_PAGEOBJ_PATH
        ]
        places = [number for number, (n, _) in enumerate(paths) if n in numbers]
        trim = self._cut.trim
        for letters in _words_among([drawn for _, drawn in paths], places):
            box = around(letters)
            if box.width > trim.width or box.height > trim.height:
                continue  # it begins and ends beyond the cut, as a row of other things does
            # the corners of a letter's box are empty
            inner = [one.grown(-_ROUNDED * min(one.width, one.height)) for one in letters]
            ends = [at for one in (inner if self._cut.is_odd else [box]) for at in _corners(one)]
            stray = self._stray(box, float(self._cut.depths(ends).min()), is_word=True)
            if stray is not None:
                yield stray

    def _stray(self, box: Rect, inside: float, *, is_word: bool = False) -> Stray | None:
        """What is so far inside of the cut, if that is not enough."""
        left = self._cut.left(box)
        if inside >= 0:
            return Stray(box, inside, 1.0, is_word) if inside < self._safe - NEARLY else None
        if self._cut.is_odd and not is_word:
            over = _PARTED <= left <= 1 - _PARTED
        elif left >= 1 - _PARTED and not is_word:
            over = left < 1 - _TIP and self._end.contains(box)
        else:
            over = left > _TIP
        return Stray(box, inside, left, is_word) if over else None

    def _icons(
        self, objects: Sequence[PageObject], found: Sequence[tuple[int, Rect]]
    ) -> Iterator[Stray]:
        things = [
            (n, box_of(other.item, other.matrix))
            for n, other in enumerate(objects)
            if other.kind != pdfium.FPDF_PAGEOBJ_TEXT
        ]
        boxes = [box for _, box in things]
        small = [(n, box) for n, box in things if max(box.width, box.height) <= _ICON[1]]
        seen: set[int] = set()
        trim = self._cut.trim
        several: list[tuple[Stray, Rect, list[PageObject]]] = []
        for order, box in found:
            if order in seen:
                continue
            whole, numbers = _grown_together(order, box, small)
            seen |= numbers
            parts = [objects[n] for n in numbers]
            exact, inside = self._painted(parts, whole)
            stray = self._stray(exact, inside)
            if stray and exact.width < _BAND * trim.width and exact.height < _BAND * trim.height:
                several.append((stray, whole, parts))
        for stray, whole, parts in several if len(several) <= _SEVERAL else ():
            if _is_icon(parts, stray.box) and not _is_part(whole, boxes):
                yield replace(stray, box=whole)

    def _painted(self, parts: Sequence[PageObject], whole: Rect) -> tuple[Rect, float]:
        """What they cover, which is less than PDFium's box, in which what bends a curve lies, too;
        and how far inside of the cut."""
        boxes, inside = [], math.inf
        for part in parts:
            points, pen = _painted_by(part)
            boxes.append(bounds([Point(*at) for at in points]).grown(pen / 2))
            inside = min(inside, float(self._cut.depths(points).min()) - pen / 2)
        return around(boxes).cut_to(whole), inside

    def _is_inside(self, item: Any, outside: Matrix) -> bool:
        a, b, c, d, e, f = outside
        zone = self._core
        if b or c:
            return zone.contains(box_of(item, outside))
        ends = self._ends
        pdfium.FPDFPageObj_GetBounds(item, *ends)
        left, right = a * ends[0].value + e, a * ends[2].value + e
        high, low = d * ends[1].value + f, d * ends[3].value + f
        return zone.x <= min(left, right) <= max(left, right) <= zone.right and (
            zone.y <= min(high, low) <= max(high, low) <= zone.bottom
        )


def _grown_together(
    order: int, box: Rect, small: Sequence[tuple[int, Rect]]
) -> tuple[Rect, set[int]]:
    """A thing with all that lies within it, or it within: a coin with its number."""
    for _, other in small:
        if (
            other.grown(_TOUCH).contains(box)
            and other.width * other.height > box.width * box.height
        ):
            box = other
    about = box.grown(_TOUCH)
    return box, {order, *(n for n, other in small if about.contains(other))}


def _painted_by(part: PageObject) -> tuple[list[PagePoint], float]:
    """Places on the outline of a path or a picture, and how wide its line is, mm."""
    item, outside = part.item, part.matrix
    box = box_of(item, outside)
    segments = pdfium.FPDFPath_CountSegments(item) if part.kind == pdfium.FPDF_PAGEOBJ_PATH else 0
    matrix = outside.then(matrix_of(item))
    points = [
        at
        for line in (lines_of(item, matrix) if 0 < segments <= _MOST else ())
        for at in _places_on(line)
    ]
    if not points:
        return _corners(box), 0.0
    fills, strokes, wide = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    pdfium.FPDFPath_GetDrawMode(item, fills, strokes)
    if strokes.value:
        pdfium.FPDFPageObj_GetStrokeWidth(item, wide)
    return points, wide.value * matrix.across


def _is_part(icon: Rect, boxes: Sequence[Rect]) -> bool:
    """True for what something else of its size lies half over or under, or anything half over."""
    inner, about = icon.grown(-NEAR), icon.grown(NEAR)
    large = _PLATE * max(icon.width, icon.height)
    after = False
    for box in boxes:
        if about.contains(box):
            after = True
        elif (
            box.overlaps(inner)
            and not box.grown(NEAR).contains(icon)
            and (after or max(box.width, box.height) < large)
        ):
            return True
    return False


def _is_painted(item: Any, opaque: float) -> bool:
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fills, strokes)
    for used, read in (
        (fills, pdfium.FPDFPageObj_GetFillColor),
        (strokes, pdfium.FPDFPageObj_GetStrokeColor),
    ):
        colour = colour_of(read, item) if used.value else None
        if colour is not None and colour[1] * opaque >= UNSEEN:
            return True
    return False


def _is_icon(parts: Sequence[PageObject], box: Rect) -> bool:
    """True for a filled shape, or a closed line, with what is in it, such as an icon."""
    wide, high = box.width, box.height
    if len(parts) > _PARTS or max(wide, high) > min(_COMPACT * min(wide, high), _ICON[1]):
        return False
    paths = [part.item for part in parts if part.kind == pdfium.FPDF_PAGEOBJ_PATH]
    points = summed(pdfium.FPDFPath_CountSegments(item) for item in paths)
    if points < _DETAILED or not any(map(_is_shape, paths)):
        return False
    return not all(_is_disc(part) for part in parts)


def _is_disc(part: PageObject) -> bool:
    """True for a disc or a ring: half of it at the edge is an ornament."""
    item, outside = part.item, part.matrix
    if (
        part.kind != pdfium.FPDF_PAGEOBJ_PATH
        or pdfium.FPDFPath_CountSegments(item) not in _ROUND
    ):  # fmt: skip
        return False
    lines = lines_of(item, outside.then(matrix_of(item)))
    points = [at for line in lines for at in _places_on(line)]
    if not points:
        return False
    centre = bounds([Point(*at) for at in points]).centre
    far = [math.hypot(x - centre.x, y - centre.y) for x, y in points]
    return max(far) - min(far) < _OUT_OF_ROUND * max(far)


def _is_shape(item: Any) -> bool:
    """True for what is filled, or a line that comes back to where it began."""
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fills, strokes)
    last = pdfium.FPDFPath_GetPathSegment(item, pdfium.FPDFPath_CountSegments(item) - 1)
    return bool(fills.value or pdfium.FPDFPathSegment_GetClose(last))


_MOST: Final = 2000
"""Corners of a path, and paths of a face: more is a picture, of whose paths the boxes are looked
at."""
_CONTOURS: Final = 200
"""Of a path, with the holes in its letters: more is no line of words. Each is held against all."""
_LONGER: Final = 1.5
"""Times as long as its longest bar is a letter at most."""
_LAPS: Final = 400
"""Pairs of parts of a path that may lie over one another: more is a picture."""
_HIGH: Final = (1.2, 25.0)
"""mm that letters are high."""
_LETTERS, _SORTS = 3, 3
"""In a row, and how many sorts of them: some things that are alike are a pattern."""
_LENGTH, _WIDE, _STANDING = 1.6, 1.6, 0.7
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
_TAILED: Final = 1
"""Letters more that end at a line than stand on one, or the other way, which tell nothing."""
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
    """A row of letters: its box, mm; whether more of them stand on one line than end at one; and
    how it is read, if that is known: 1 upright, -1 on its head."""

    box: Rect
    upright: bool
    way: int = 0


def outlined_words(objects: Sequence[PageObject]) -> Iterator[OutlinedWord]:
    """Rows of filled shapes that are painted after one another, such as letters are; of columns
    such as those over the cut, too, which read upwards or downwards, and are not upright."""
    paths = [drawn for drawn in objects if drawn.kind == pdfium.FPDF_PAGEOBJ_PATH]
    if len(paths) > _MOST:
        return
    parts = [list(_parts(drawn.item, drawn.matrix)) for drawn in paths]
    for row in _rows(parts, turned=False):
        yield from _word(row)
    for row in _rows(parts, turned=True):
        for boxes in _lined_up(row, turned=True):
            yield OutlinedWord(around(boxes), upright=False)


def _words_among(paths: Sequence[PageObject], numbers: Sequence[int]) -> Iterator[tuple[Rect, ...]]:
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
        for row in _rows(parts, turned=turned):
            yield from _lined_up(row, turned=turned)


def _rows(parts: Sequence[Sequence[_Letter]], *, turned: bool) -> Iterator[Sequence[_Letter]]:
    """What goes on from one path to the next as letters do, level or in columns, as if turned."""
    row: list[_Letter] = []
    for several in parts:
        letters = [_turned(part) for part in several] if turned else several
        for letter in _without_dots(letters):
            if row and not _goes_on(row[-1].box, letter.box):
                yield row
                row = []
            row.append(letter)
    yield row


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
    if len(parts) > _CONTOURS:
        return
    found = [
        (_Letter(bounds([Point(*at) for at in part]), len(part), curved), part)
        for part, curved in zip(parts, bent, strict=True)
    ]
    yield from _joined([
        (letter, part) for letter, part in found
        if not any(other is not letter and other.box.contains(letter.box) for other, _ in found)
    ])  # fmt: skip


def _joined(parts: Sequence[tuple[_Letter, Sequence[PagePoint]]]) -> Iterator[_Letter]:
    """Parts that lie over one another as one: fonts whose weight is chosen make a letter of bars
    and bows."""
    pairs = [
        (a, b) for a, b in combinations(range(len(parts)), 2)
        if parts[a][0].box.overlaps(parts[b][0].box)
    ]  # fmt: skip
    groups = [[letter] for letter, _ in parts]
    for a, b in pairs if len(pairs) <= _LAPS else ():
        one, other = groups[a], groups[b]
        if one is other or not _is_one_letter([*one, *other]):
            continue
        if _is_over(parts[a][1], parts[b][1]) or _is_over(parts[b][1], parts[a][1]):
            one.extend(other)
            groups = [one if group is other else group for group in groups]
    for several in {id(group): group for group in groups}.values():
        yield _Letter(
            around([letter.box for letter in several]),
            summed(letter.corners for letter in several),
            any(letter.bent for letter in several),
        )


def _is_one_letter(parts: Sequence[_Letter]) -> bool:
    """False for two letters that touch, which are longer together than the longest bar."""
    whole = around([part.box for part in parts])
    longest = max(max(part.box.width, part.box.height) for part in parts)
    return max(whole.width, whole.height) <= _LONGER * longest


def _is_over(one: Sequence[PagePoint], other: Sequence[PagePoint]) -> bool:
    """True when a corner of the one lies within the other."""
    (x, y), (left, top) = np.array(one).T, np.array(other).T
    right, down = x[:, None] - left, y[:, None] - top
    dx, dy = np.roll(left, -1) - left, np.roll(top, -1) - top
    between = (down < 0) != (down - dy < 0)
    beside = right < dx * down / np.where(dy == 0, 1, dy)
    return bool(((between & beside).sum(axis=1) % 2 == 1).any())


def _places_on(line: Sequence[PagePoint]) -> Iterator[PagePoint]:
    """Both ends of a line, and of a curve some places on it."""
    if len(line) != len(_CURVE):
        yield from line
        return
    for step in range(_BENDS + 1):
        t = step / _BENDS
        weights = [times * (1 - t) ** (3 - n) * t**n for n, times in enumerate(_CURVE)]
        yield (
            summed(w * x for w, (x, _) in zip(weights, line, strict=True)),
            summed(w * y for w, (_, y) in zip(weights, line, strict=True)),
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
    if len(ways) > 1 or box.width < _LENGTH * box.height:
        return
    if any(one.width > _WIDE * one.height for one in boxes):
        return
    if _HIGH[0] <= box.height <= _HIGH[1]:
        off = _LEVEL * box.height
        ends = [letter.box.bottom for letter in row], [letter.box.y for letter in row]
        feet, heads = (sum(abs(at - median(line)) < off for at in line) for line in ends)
        if max(feet, heads) >= _STANDING * len(row):
            yield OutlinedWord(box, feet > heads, _way(feet - heads, forwards=True in ways))


def _way(more: int, *, forwards: bool) -> int:
    """How a word is read of which so many more letters stand on a line than end at one. Capitals do
    both, but for a Q or a J: they are painted in the order in which they are read."""
    if forwards:
        return 1 if more >= -_TAILED else 0
    return -1 if more <= _TAILED else 1  # a script that is read from its right
