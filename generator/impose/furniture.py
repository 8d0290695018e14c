"""A page with its art in, ruler and slug out, where nothing else is printed.

Furniture is the printer's word for what fills a forme around the type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from generator.geometry import Rect, Size
from generator.impose.ruler import RULER_HEIGHT, RULERS, ruler_length, ruler_marks
from generator.impose.run import LEAST_MARK
from generator.impose.spot import find_spot
from generator.model.sheet import Layer, Mark, TextMark
from generator.units import pt_to_mm

CLEARANCE: Final = 0.4
"""mm that furniture keeps from art at the very least."""
_PAGE_EDGE: Final = 1.0
"""mm that furniture keeps from the paper's edge when the printable area has no room."""
_SLUG_SIZES: Final = (6.0, 5.0)
_CHARACTER: Final = 0.58
"""Width of a character of the slug in em, on the large side for any sans."""


Boxes = tuple[Rect, ...]
Room = tuple[Rect, Boxes]
"""An area, and what in it is taken."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """Marks and the boxes that they take, which other marks keep out of."""

    marks: tuple[Mark, ...] = ()
    boxes: tuple[Rect, ...] = ()


def furnish(
    page: Size, area: Rect, art: Sequence[Rect], wordings: Sequence[str], grey: float
) -> Furniture:
    """Ruler and slug for a page whose printable part is `area`, clear of all art.

    `wordings` are the slug in ever fewer words; the first that finds a place is set. Furniture
    stands at an edge of the printable area or in a gutter and leaves room for crop marks; else it
    takes their room; else it stands in the paper's margin, which not every printer reaches; where
    there is room in none of these it is left out.
    """
    rooms = _rooms(area, Rect(0, 0, page.width, page.height).grown(-_PAGE_EDGE), tuple(art))
    ruler = _ruler(rooms, grey)
    standing = tuple(box.grown(CLEARANCE) for box in ruler.boxes)
    slug = _slug(tuple((within, taken + standing) for within, taken in rooms), wordings)
    return Furniture(ruler.marks + slug.marks, ruler.boxes + slug.boxes)


def _rooms(area: Rect, page: Rect, art: Boxes) -> tuple[Room, ...]:
    near = tuple(box.grown(CLEARANCE) for box in art)
    far = tuple(box.grown(LEAST_MARK) for box in art)
    return ((area, far), (area, near), (page, near))


@lru_cache(maxsize=16)
def _ruler(rooms: tuple[Room, ...], grey: float) -> Furniture:
    """The ruler; kept, as it stands in the same place on most sheets of a print."""
    *printable, margin = rooms
    for ruler, (within, taken) in (*product(RULERS, printable), *product(RULERS, (margin,))):
        spot = find_spot(Size(ruler_length(ruler), RULER_HEIGHT), within, taken)
        if spot is not None:
            return Furniture(tuple(ruler_marks(spot, ruler, grey)), (spot.box,))
    return Furniture()


def _slug(rooms: tuple[Room, ...], wordings: Sequence[str]) -> Furniture:
    for within, taken in rooms:
        for text in wordings:
            for size in _SLUG_SIZES:
                em = pt_to_mm(size)
                box = Size(len(text) * _CHARACTER * em, 1.2 * em)
                spot = find_spot(box, within, taken, bottom_first=True)
                if spot is not None:
                    at = spot.at(0, 0.9 * em)
                    mark = TextMark(Layer.GUIDES, at, text, size, spot.rotation)
                    return Furniture((mark,), (spot.box,))
    return Furniture()
