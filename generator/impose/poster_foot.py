"""A page of a poster in; at its foot its name, a small map with this page filled, and in words what
to do with it, out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from generator.geometry import Point, Rect
from generator.impose.poster_marks import Label, Sides
from generator.impose.windows import Tiling
from generator.model.sheet import Layer, LineMark, TextMark
from generator.units import pt_to_mm

HEIGHT: Final = 7.5
"""mm."""
_NAME_PT: Final = 18.0
_SIZES: Final = (6.0, 5.0)
_LINES: Final = 3
_CHARACTER: Final = 0.55
"""Width of a character in em, on the large side for words."""
_NAME_CHARACTER: Final = 0.66
"""The same for capitals and digits."""
_GAP: Final = 3.0
_WIDEST_MAP: Final = 26.0
_GREY: Final = 0.45
_FILL: Final = 0.15


def page_name(row: int, column: int) -> str:
    """A letter for the row, a number for the column, both counted from 0: `B3`; AA follows Z."""
    letters = ""
    rest = row + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{column + 1}"


def foot(box: Rect, tiling: Tiling, row: int, column: int) -> Iterator[Label]:
    """The marks that fill the box, `HEIGHT` mm high, from the left as far as they need."""
    name = page_name(row, column)
    yield TextMark(Layer.GUIDES, Point(box.x, box.bottom - 1.2), name, _NAME_PT)
    x = box.x + len(name) * _NAME_CHARACTER * pt_to_mm(_NAME_PT) + _GAP
    grid = _map_box(Rect(x, box.y, _WIDEST_MAP, box.height), tiling)
    yield from _map(grid, tiling, row, column)
    x = grid.right + _GAP
    yield from _words(Rect(x, box.y, box.right - x, box.height), tiling, row, column)


def _map_box(room: Rect, tiling: Tiling) -> Rect:
    width = tiling.across.count * tiling.across.length
    height = tiling.down.count * tiling.down.length
    scale = min(room.width / width, room.height / height)
    return Rect(room.x, room.y, width * scale, height * scale)


def _map(box: Rect, tiling: Tiling, row: int, column: int) -> Iterator[LineMark]:
    """All pages of the poster, this one dark."""
    across, down = box.width / tiling.across.count, box.height / tiling.down.count
    y = box.y + (row + 0.5) * down
    left, right = box.x + column * across, box.x + (column + 1) * across
    yield LineMark(Layer.GUIDES, Point(left, y), Point(right, y), down, _FILL)
    for number in range(tiling.across.count + 1):
        x = box.x + number * across
        yield LineMark(Layer.GUIDES, Point(x, box.y), Point(x, box.bottom), grey=_GREY)
    for number in range(tiling.down.count + 1):
        y = box.y + number * down
        yield LineMark(Layer.GUIDES, Point(box.x, y), Point(box.right, y), grey=_GREY)


def _words(box: Rect, tiling: Tiling, row: int, column: int) -> Iterator[TextMark]:
    """The fullest wording that fits, in the larger size if it can be."""
    for text in _wordings(tiling, row, column):
        for size in _SIZES:
            em = pt_to_mm(size)
            lines = textwrap.wrap(text, max(1, int(box.width / (_CHARACTER * em))))
            if len(lines) <= _LINES:
                step = HEIGHT / _LINES
                for number, line in enumerate(lines):
                    at = Point(box.x, box.y + number * step + 0.8 * em)
                    yield TextMark(Layer.GUIDES, at, line, size)
                return


def _wordings(tiling: Tiling, row: int, column: int) -> tuple[str, ...]:
    sides = sides_of(tiling, row, column)
    cut = [word for word, seam in (("left", sides.left), ("upper", sides.above)) if seam]
    before = [page_name(row, column - 1)] if sides.left else []
    before += [page_name(row - 1, column)] if sides.above else []
    keep = [word for word, seam in (("right", sides.right), ("lower", sides.below)) if seam]
    after = [page_name(row, column + 1)] if sides.right else []
    after += [page_name(row + 1, column)] if sides.below else []
    edges = "edges" if len(cut) > 1 else "edge"
    strips = "strips" if len(keep) > 1 else "strip"
    comes = "come" if len(after) > 1 else "comes"
    onto, first, last = " and ".join(before), " and ".join(cut), " and ".join(keep)
    short = f"Cut the {first} {edges}; glue onto {onto}." if cut else "Start with this page."
    if cut:
        full = (
            f"Cut off the {first} {edges} from mark to mark. Glue the page onto {onto}: its corners"
            " come to the middles of the diamonds there."
        )
    else:
        full = "Start with this page; go on row by row."
    if keep:
        full += f" Leave the {last} {strips}: {' and '.join(after)} {comes} on top."
    return f"{full} The poster's own edges are cut last of all.", full, short


def sides_of(tiling: Tiling, row: int, column: int) -> Sides:
    """Where a page has neighbours."""
    return Sides(column > 0, row > 0, column < tiling.across.count - 1, row < tiling.down.count - 1)
