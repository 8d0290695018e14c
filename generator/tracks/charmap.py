"""A course in, a small map of it in characters out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from generator.tracks.courses import Course, Laid
from generator.tracks.grids import HEXAGONS, Grid, Vector

WIDEST: Final = 100
"""Characters in a line: a terminal would break a wider map."""
DOT: Final = "·"
_LARGE: Final = (4, 2)
_SMALL: Final = (2, 1)


def character_map(course: Course, labels: Mapping[int, str]) -> tuple[str, ...]:
    """Lines with the label of each tile, by its number; none for a course too wide. Dots stand for
    the other cells of pieces, and between tiles of one cell for where they meet."""
    single = all(len(laid.piece.cells) == 1 for laid in course.tiles)
    step = _LARGE if single else _SMALL
    found: dict[tuple[int, int], str] = {}
    for laid in course.tiles:
        cells = laid.cells if not single else ()
        spots = [_spot(course.grid, cell, step) for cell in cells]
        if single:
            here, there = (_spot(course.grid, cell, step) for cell in (laid.place, laid.end))
            spots.append(((here[0] + there[0]) // 2, (here[1] + there[1]) // 2))
        found.update(dict.fromkeys(spots, DOT))
    for laid in course.tiles:
        x, y = _spot(course.grid, _middle(laid), step)
        label = labels[laid.number]
        x -= (len(label) - 1) // 2
        found.update({(x + n, y): char for n, char in enumerate(label)})
    if not found:
        return ()
    left, right = min(x for x, _ in found), max(x for x, _ in found)
    top, bottom = min(y for _, y in found), max(y for _, y in found)
    if right - left >= WIDEST:
        return ()
    rows = (
        (found.get((x, y), " ") for x in range(left, right + 1)) for y in range(top, bottom + 1)
    )
    return tuple("".join(row).rstrip() for row in rows)


def _spot(grid: Grid, cell: Vector, step: tuple[int, int]) -> tuple[int, int]:
    """Column and row of a cell: characters are about twice as high as wide."""
    at = grid.point(cell, 1.0)
    row = math.sqrt(3) / 2 if grid is HEXAGONS else 1.0
    return round(at.x * step[0]), round(at.y / row * step[1])


def _middle(laid: Laid) -> Vector:
    """The cell in the middle of its middle lane."""
    lane = laid.piece.lanes[laid.piece.through[len(laid.piece.through) // 2]]
    return laid.on_table(lane[len(lane) // 2])
