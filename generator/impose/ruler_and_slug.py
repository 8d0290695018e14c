"""Places for ruler and slug: at the edges of a sheet, or in its gutters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from msgspec import Struct

from generator.geometry import MM_PER_INCH, Point, Rect, Size, pt_to_mm
from generator.impose.page_layout import LABEL_ROOM, LEAST_MARK, MARK_GREY, RULERS, ruler_length
from generator.model.face import LineMark, Mark, PdfLayer, TextMark

_TOUCH: Final = 1e-6
"""mm that boxes may overlap and still count as apart."""


class FreeSpace(Struct, frozen=True):
    """A box on the page, mm, for something that reads upwards or from left to right."""

    box: Rect
    upwards: bool

    def at(self, along: float, across: float) -> Point:
        """Return a point by its distance from the start and from the top, mm."""
        if self.upwards:
            return Point(round(self.box.x + across, 4), round(self.box.bottom - along, 4))
        return Point(round(self.box.x + along, 4), round(self.box.y + across, 4))

    @property
    def rotation(self) -> int:
        """Return the clockwise turn of text, degrees."""
        return 270 if self.upwards else 0


def find_space(
    size: Size, within: Rect, taken: Sequence[Rect], bottom_first: bool = False
) -> FreeSpace | None:
    """Return the first free place: at the top or bottom, at the sides, then in a gutter."""
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
    """Yield free places to the right of boxes and below them."""
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
    """Yield each x that has nothing beside it for `width` mm."""
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


HEIGHT: Final = 3.5
"""mm across both scales."""
_LABEL_GAP: Final = 1.2
_LABEL_PT: Final = 4.5
_LINE_GAP: Final = 0.3
_TICK: Final = 0.9
_END_TICK: Final = 1.6


def ruler_marks(space: FreeSpace, ruler: tuple[int, int]) -> Iterator[Mark]:
    """Yield two scales back to back: centimetres above, half inches below."""
    mm, inches = ruler
    centimetres = [i * 10.0 for i in range(mm // 10 + 1)]
    half_inches = [i * MM_PER_INCH / 2 for i in range(2 * inches + 1)]
    label = ruler_length(ruler) - LABEL_ROOM + _LABEL_GAP
    upper, lower = (HEIGHT - _LINE_GAP) / 2, (HEIGHT + _LINE_GAP) / 2
    yield from _scale(space, upper, -1, centimetres)
    yield TextMark(PdfLayer.GUIDES, space.at(label, upper), f"{mm} mm", _LABEL_PT, space.rotation)
    yield from _scale(space, lower, 1, half_inches)
    yield TextMark(
        PdfLayer.GUIDES,
        space.at(label, HEIGHT - 0.1),
        f"{inches} in",
        _LABEL_PT,
        space.rotation,
    )


def _scale(space: FreeSpace, line: float, out: int, ticks: list[float]) -> Iterator[Mark]:
    yield LineMark(PdfLayer.GUIDES, space.at(0, line), space.at(ticks[-1], line), grey=MARK_GREY)
    for tick in ticks:
        length = _END_TICK if tick in (0, ticks[-1]) else _TICK
        tip = space.at(tick, line + out * length)
        yield LineMark(PdfLayer.GUIDES, space.at(tick, line), tip, grey=MARK_GREY)


CLEARANCE: Final = 0.4
"""mm between art and ruler or slug, at least."""
_PAGE_EDGE: Final = 1.0
"""mm from the edge of the paper, if the printable area has no room."""
_SLUG_SIZES: Final = (6.0, 5.0)
_CHARACTER: Final = 0.58
"""Width of a character in em, wide for any sans."""
_Boxes = tuple[Rect, ...]
_Room = tuple[Rect, _Boxes]
"""An area and the boxes that are taken in it."""


class BoxedMarks(Struct, frozen=True):
    """Marks, and the boxes that other marks keep out of."""

    marks: tuple[Mark, ...] = ()
    boxes: tuple[Rect, ...] = ()


def ruler_and_slug(
    page: Size, area: Rect, art: Sequence[Rect], wordings: Sequence[str]
) -> BoxedMarks:
    """Return ruler and slug, clear of all art; the first of the `wordings` that fits is the slug.

    Each is at an edge of the printable area or in a gutter, with room for crop marks; else it takes
    their room; else it is in the margin, which not every printer reaches; else it is left out.
    """
    whole = Rect(0, 0, page.width, page.height).grown(-_PAGE_EDGE)
    near = tuple(box.grown(CLEARANCE) for box in art)
    far = tuple(box.grown(LEAST_MARK) for box in art)
    rooms = ((area, far), (area, near), (whole, near))
    ruler = _ruler(rooms)
    by_ruler = tuple(box.grown(CLEARANCE) for box in ruler.boxes)
    slug = _slug(tuple((within, taken + by_ruler) for within, taken in rooms), wordings)
    return BoxedMarks(ruler.marks + slug.marks, ruler.boxes + slug.boxes)


@lru_cache(maxsize=16)
def _ruler(rooms: tuple[_Room, ...]) -> BoxedMarks:
    """Return the ruler; it has the same place on most sheets of a print."""
    *printable, margin = rooms
    for ruler, (within, taken) in (*product(RULERS, printable), *product(RULERS, (margin,))):
        space = find_space(Size(ruler_length(ruler), HEIGHT), within, taken)
        if space is not None:
            return BoxedMarks(tuple(ruler_marks(space, ruler)), (space.box,))
    return BoxedMarks()


def _slug(rooms: tuple[_Room, ...], wordings: Sequence[str]) -> BoxedMarks:
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
