"""Ruler and slug of a page, in the first free place for them: where nothing else is printed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from msgspec import Struct

from generator.geometry import MM_PER_INCH, Point, Rect, Size, pt_to_mm
from generator.impose.page_layout import LEAST_MARK
from generator.model.sheet import LineMark, Mark, PdfLayer, TextMark

_TOUCH: Final = 1e-6
"""mm that boxes may share and count as apart."""


class FreeSpace(Struct, frozen=True):
    """A place for something that reads along a line: a box on the page, mm, and whether it reads
    upwards there instead of from left to right."""

    box: Rect
    upwards: bool

    def at(self, along: float, across: float) -> Point:
        """A point of the thing, by its distance from the start and from the top, mm."""
        if self.upwards:
            return Point(round(self.box.x + across, 4), round(self.box.bottom - along, 4))
        return Point(round(self.box.x + along, 4), round(self.box.y + across, 4))

    @property
    def rotation(self) -> int:
        """Clockwise turn of text, degrees."""
        return 270 if self.upwards else 0


def find_space(
    size: Size, within: Rect, taken: Sequence[Rect], bottom_first: bool = False
) -> FreeSpace | None:
    """The first free place inside an area: at its top or bottom, at its sides reading upwards,
    then in a gutter between taken boxes. None when there is none."""
    ends = _at_ends(size, within, bottom_first)
    for spaces in (ends, _at_sides(size.turned, within), _in_gutters(size, within, taken)):
        for space in spaces:
            if within.contains(space.box) and not any(space.box.overlaps(box) for box in taken):
                return space
    return None


def _at_ends(size: Size, within: Rect, bottom_first: bool) -> Iterator[FreeSpace]:
    ys = (within.y, within.bottom - size.height)
    for y in reversed(ys) if bottom_first else ys:
        for x in (within.x, within.right - size.width):
            yield FreeSpace(Rect(x, y, size.width, size.height), upwards=False)


def _at_sides(size: Size, within: Rect) -> Iterator[FreeSpace]:
    for x in (within.x, within.right - size.width):
        for y in (within.bottom - size.height, within.y):
            yield FreeSpace(Rect(x, y, size.width, size.height), upwards=True)


def _in_gutters(size: Size, within: Rect, taken: Sequence[Rect]) -> Iterator[FreeSpace]:
    """Free places right of or below something: a gutter starts where a box ends."""
    edges = {(box.x, box.y, box.right, box.bottom) for box in taken}
    xs = sorted({within.x} | {round(right, 6) for _, _, right, _ in edges})
    ys = sorted({within.y} | {round(bottom, 6) for _, _, _, bottom in edges})
    for upwards, box in ((False, size), (True, size.turned)):
        for y in ys:
            start, end = y + _TOUCH, y + box.height - _TOUCH
            beside = [(x, right) for x, top, right, low in edges if top < end and start < low]
            for x in _free(xs, box.width, beside):
                yield FreeSpace(Rect(x, y, box.width, box.height), upwards)


def _free(
    xs: Sequence[float], width: float, beside: Sequence[tuple[float, float]]
) -> Iterator[float]:
    """Those x from which nothing starts or goes on for `width` mm; what one box covers is
    skipped."""
    beyond = -math.inf
    for x in xs:
        if x < beyond:
            continue
        end = x + width - _TOUCH
        covering = [right for left, right in beside if left < end and x < right - _TOUCH]
        if not covering:
            yield x
        else:
            beyond = max(covering) - _TOUCH


RULERS: Final = ((100, 4), (50, 2))
"""Lengths in millimetres and in inches; the shorter pair is for papers too small for the other."""
RULER_HEIGHT: Final = 3.5
"""mm across both scales."""
_LABEL_ROOM: Final = 8.5
_LABEL_GAP: Final = 1.2
_LABEL_PT: Final = 4.5
_LINE_GAP: Final = 0.3
_TICK: Final = 0.9
_END_TICK: Final = 1.6


def ruler_length(ruler: tuple[int, int]) -> float:
    """mm from the zero of a ruler to the end of its labels."""
    return max(ruler[0], ruler[1] * MM_PER_INCH) + _LABEL_ROOM


def ruler_marks(space: FreeSpace, ruler: tuple[int, int], grey: float) -> Iterator[Mark]:
    """Two scales back to back: centimetres with ticks up, half inches with ticks down."""
    mm, inches = ruler
    centimetres = [i * 10.0 for i in range(mm // 10 + 1)]
    half_inches = [i * MM_PER_INCH / 2 for i in range(2 * inches + 1)]
    label = ruler_length(ruler) - _LABEL_ROOM + _LABEL_GAP
    upper, lower = (RULER_HEIGHT - _LINE_GAP) / 2, (RULER_HEIGHT + _LINE_GAP) / 2
    yield from _scale(space, upper, -1, centimetres, grey)
    yield TextMark(PdfLayer.GUIDES, space.at(label, upper), f"{mm} mm", _LABEL_PT, space.rotation)
    yield from _scale(space, lower, 1, half_inches, grey)
    yield TextMark(
        PdfLayer.GUIDES,
        space.at(label, RULER_HEIGHT - 0.1),
        f"{inches} in",
        _LABEL_PT,
        space.rotation,
    )


def _scale(
    space: FreeSpace, line: float, out: int, ticks: list[float], grey: float
) -> Iterator[Mark]:
    yield LineMark(PdfLayer.GUIDES, space.at(0, line), space.at(ticks[-1], line), grey=grey)
    for tick in ticks:
        length = _END_TICK if tick in (0, ticks[-1]) else _TICK
        tip = space.at(tick, line + out * length)
        yield LineMark(PdfLayer.GUIDES, space.at(tick, line), tip, grey=grey)


CLEARANCE: Final = 0.4
"""mm that ruler and slug keep from art at the very least."""
_PAGE_EDGE: Final = 1.0
"""mm that they keep from the paper's edge when the printable area has no room."""
_SLUG_SIZES: Final = (6.0, 5.0)
_CHARACTER: Final = 0.58
"""Width of a character of the slug in em, on the large side for any sans."""


Boxes = tuple[Rect, ...]
FreeRoom = tuple[Rect, Boxes]
"""An area, and what in it is taken."""


class BoxedMarks(Struct, frozen=True):
    """Marks and the boxes that they take, which other marks keep out of."""

    marks: tuple[Mark, ...] = ()
    boxes: tuple[Rect, ...] = ()


def ruler_and_slug(
    page: Size, area: Rect, art: Sequence[Rect], wordings: Sequence[str], grey: float
) -> BoxedMarks:
    """Ruler and slug for a page whose printable part is `area`, clear of all art.

    `wordings` are the slug in ever fewer words; the first that finds a place is set. Each
    stands at an edge of the printable area or in a gutter and leaves room for crop marks; else it
    takes their room; else it stands in the paper's margin, which not every printer reaches; where
    there is room in none of these it is left out.
    """
    rooms = _rooms(area, Rect(0, 0, page.width, page.height).grown(-_PAGE_EDGE), tuple(art))
    ruler = _ruler(rooms, grey)
    standing = tuple(box.grown(CLEARANCE) for box in ruler.boxes)
    slug = _slug(tuple((within, taken + standing) for within, taken in rooms), wordings)
    return BoxedMarks(ruler.marks + slug.marks, ruler.boxes + slug.boxes)


def _rooms(area: Rect, page: Rect, art: Boxes) -> tuple[FreeRoom, ...]:
    near = tuple(box.grown(CLEARANCE) for box in art)
    far = tuple(box.grown(LEAST_MARK) for box in art)
    return ((area, far), (area, near), (page, near))


@lru_cache(maxsize=16)
def _ruler(rooms: tuple[FreeRoom, ...], grey: float) -> BoxedMarks:
    """The ruler; kept, as it stands in the same place on most sheets of a print."""
    *printable, margin = rooms
    for ruler, (within, taken) in (*product(RULERS, printable), *product(RULERS, (margin,))):
        space = find_space(Size(ruler_length(ruler), RULER_HEIGHT), within, taken)
        if space is not None:
            return BoxedMarks(tuple(ruler_marks(space, ruler, grey)), (space.box,))
    return BoxedMarks()


def _slug(rooms: tuple[FreeRoom, ...], wordings: Sequence[str]) -> BoxedMarks:
    for within, taken in rooms:
        for text in wordings:
            for size in _SLUG_SIZES:
                em = pt_to_mm(size)
                box = Size(len(text) * _CHARACTER * em, 1.2 * em)
                space = find_space(box, within, taken, bottom_first=True)
                if space is not None:
                    at = space.at(0, 0.9 * em)
                    mark = TextMark(PdfLayer.GUIDES, at, text, size, space.rotation)
                    return BoxedMarks((mark,), (space.box,))
    return BoxedMarks()
