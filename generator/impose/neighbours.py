"""Hexagons in their cells in; which edges they share, where to cut and how far each bleeds out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from generator.geometry import Point, bounds
from generator.impose.forme import Cell, Polygon
from generator.outlines import hexagon

Neighbours = tuple[int | None, ...]
"""Which cell faces each of the six edges, clockwise from the first corner."""
_EDGES: Final = 6
_TOUCH: Final = 0.01
"""mm within which two edges are one."""
_SLIDE: Final = 1.5
"""Gutters that the middles of two facing edges are apart at most: in a hexagon that is not
regular they slide along each other a little."""
_TIP: Final = 0.25
"""Of the shorter side of a tile that its bleed may fill, so that the bleeds of tiles across a notch
in the outline do not meet."""


def neighbours(cells: Sequence[Cell], gutter: float) -> tuple[Neighbours, ...]:
    """For each cell, by edge, the cell that stands against it `gutter` mm away."""
    reach = _SLIDE * gutter + _TOUCH
    size = max(1.0, 2 * reach)
    middles = [tuple(_middles(hexagon(cell.trim))) for cell in cells]
    found: dict[tuple[int, int, int], list[int]] = {}
    for number, of_cell in enumerate(middles):
        for edge, middle in enumerate(of_cell):
            key = (edge, round(middle.x / size), round(middle.y / size))
            found.setdefault(key, []).append(number)

    def facing(number: int, edge: int) -> int | None:
        middle, opposite = middles[number][edge], (edge + 3) % _EDGES
        x, y = round(middle.x / size), round(middle.y / size)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                for other in found.get((opposite, x + dx, y + dy), ()):
                    there = middles[other][opposite]
                    if math.hypot(there.x - middle.x, there.y - middle.y) <= reach:
                        return other
        return None

    return tuple(
        tuple(facing(number, edge) for edge in range(_EDGES)) for number in range(len(cells))
    )


def shared_length(cells: Sequence[Cell]) -> float:
    """mm of cut that serve two touching tiles each."""
    shared = 0.0
    for cell, facing in zip(cells, neighbours(cells, 0.0), strict=True):
        for (start, end), other in zip(_edges(hexagon(cell.trim)), facing, strict=True):
            if other is not None:
                shared += math.dist((start.x, start.y), (end.x, end.y)) / 2
    return shared


def bleeding(cells: Sequence[Cell], gutter: float) -> tuple[Cell, ...]:
    """The cells with the polygon that each may cover: half of the gutter towards neighbours, so
    that neither covers the other's trim; all of the bleed where an edge is free."""
    return tuple(
        _bleeding(cell, facing, gutter)
        for cell, facing in zip(cells, neighbours(cells, gutter), strict=True)
    )


def cut_lines(cells: Sequence[Cell]) -> tuple[Polygon, ...]:
    """The lines to cut touching tiles along, an edge of two of them once; mm."""
    lines: list[Polygon] = []
    for number, (cell, facing) in enumerate(zip(cells, neighbours(cells, 0.0), strict=True)):
        drawn = [other is None or other > number for other in facing]
        lines += _chains(hexagon(cell.trim), drawn)
    return tuple(lines)


def _chains(corners: Polygon, drawn: Sequence[bool]) -> Iterator[Polygon]:
    """The drawn edges of a hexagon, those that follow each other as one line."""
    if all(drawn):
        yield (*corners, corners[0])
        return
    for first in range(_EDGES):
        if drawn[first] and not drawn[first - 1]:
            line = [corners[first]]
            edge = first
            while drawn[edge % _EDGES]:
                edge += 1
                line.append(corners[edge % _EDGES])
            yield tuple(line)


def _bleeding(cell: Cell, facing: Neighbours, gutter: float) -> Cell:
    trim = cell.trim
    bleed = max(trim.x - cell.art.x, cell.art.right - trim.right,
                trim.y - cell.art.y, cell.art.bottom - trim.bottom)  # fmt: skip
    free = min(bleed, _TIP * min(trim.width, trim.height))
    polygon = cell.art.corners
    for (start, end), other in zip(_edges(hexagon(trim)), facing, strict=True):
        by = free if other is None else min(free, gutter / 2)
        polygon = _cut(polygon, start, end, by)
    return replace(cell, art=bounds(polygon), edge=polygon)


def _cut(polygon: Polygon, start: Point, end: Point, by: float) -> Polygon:
    """What of a convex polygon is right of a line, or no more than `by` mm left of it, seen from
    start to end where y points down: the inside of a clockwise outline (Sutherland and Hodgman)."""
    length = math.dist((start.x, start.y), (end.x, end.y))
    left = Point((end.y - start.y) / length, (start.x - end.x) / length)

    def beyond(p: Point) -> float:
        return (p.x - start.x) * left.x + (p.y - start.y) * left.y - by

    kept: list[Point] = []
    for here, there in _edges(polygon):
        a, b = beyond(here), beyond(there)
        if a <= 0:
            kept.append(here)
        if (a < 0 < b) or (b < 0 < a):
            share = a / (a - b)
            kept.append(
                Point(here.x + share * (there.x - here.x), here.y + share * (there.y - here.y))
            )
    return tuple(kept)


def _edges(corners: Polygon) -> Iterator[tuple[Point, Point]]:
    return zip(corners, (*corners[1:], corners[0]), strict=True)


def _middles(corners: Polygon) -> Iterator[Point]:
    return (Point((a.x + b.x) / 2, (a.y + b.y) / 2) for a, b in _edges(corners))
