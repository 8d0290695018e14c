"""Lays hexagons edge to edge: one cut for two tiles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Outcome
from generator.geometry import Point, Rect, Size, bounds, summed
from generator.impose.nup import nup
from generator.impose.page_layout import (
    FOLD_CLEARANCE,
    LEAST_BLEED,
    RULER_WORTH,
    Copy,
    Flip,
    Grid,
    Guide,
    Job,
    Leaf,
    PageCell,
    PlacedFace,
    Polygon,
    bands_of,
    best_folded_grid,
    best_grid,
    bleed_box,
    by_stock,
    copies_of,
    folded_leaf,
    in_parts,
    leaf,
    printable_box,
    too_large,
    ways,
)
from generator.model.catalogue import Paper, Shape, Stock
from generator.model.face import Side
from generator.model.pack import Backs
from generator.outlines import area, hexagon, printable_area, wasted

_EPSILON: Final = 1e-6


class TileLine(Struct, frozen=True):
    """Lines of tiles that run along x: rows of pointy tiles, or columns of flat ones turned.

    `pitch` is the distance between tiles, `step` between lines, mm. Every other line starts half a
    tile later, and with `short` has one tile fewer.
    """

    tile: Size
    count: int
    pitch: float
    lines: int
    step: float
    short: bool

    @property
    def size(self) -> Size:
        """Return the size of the box around all trims."""
        later = 0.0 if self.short or self.lines == 1 else self.pitch / 2
        along = (self.count - 1) * self.pitch + self.tile.width + later
        return Size(along, (self.lines - 1) * self.step + self.tile.height)

    def places(self) -> Iterator[tuple[float, float]]:
        """Yield the corner of each trim, line by line."""
        for line in range(self.lines):
            odd = line % 2
            for number in range(self.count - (odd and self.short)):
                yield (number + odd / 2) * self.pitch, line * self.step


class Honeycomb(Struct, frozen=True):
    """Tiles on a page in `block`, the box of all trims, or fronts before a `fold`.

    Bleed shows `outer` mm beyond the block.
    """

    page: Size
    line: TileLine
    block: Rect
    columns: bool
    bleed: float
    outer: Size
    ruled: bool
    rotation: int = 0
    fold: Flip | None = None

    @property
    def count(self) -> int:
        """Return the number of tiles."""
        odd = self.line.lines // 2
        return self.line.count * self.line.lines - (odd if self.line.short else 0)

    @property
    def shown(self) -> float:
        """Return the least bleed at the outer edges, mm."""
        return min(self.outer.width, self.outer.height)

    def cells(self) -> tuple[PageCell, ...]:
        """Return the cells, line by line, with all the bleed that each would have alone."""
        beside, over = self.outer.width, self.outer.height
        frame = bleed_box(self.block, beside, over, beside, over)
        tile = self.line.tile.turned if self.columns else self.line.tile
        trims = (
            Rect(self.block.x + x, self.block.y + y, tile.width, tile.height)
            for x, y in (
                (down, along) if self.columns else (along, down)
                for along, down in self.line.places()
            )
        )
        return tuple(
            PageCell(trim, trim.grown(self.bleed).cut_to(frame), self.rotation) for trim in trims
        )


def honeycombs(stock: Stock, paper: Paper, gutter: float, folded: bool) -> Iterator[Honeycomb]:
    """Yield honeycombs for each way of the paper, turn of the tile, band and fold."""
    for page in ways(paper):
        for side, end in bands_of(page, paper.margin):
            whole = printable_box(page, paper.margin)
            area = Rect(
                whole.x + side, whole.y + end, whole.width - 2 * side, whole.height - 2 * end
            )
            for fold in tuple(Flip) if folded else (None,):
                for rotation in (0, 270):
                    half = area if fold is None else _before(fold, area, page)
                    tile = stock.trim.turned if rotation else stock.trim
                    comb = _fitted(half, tile, stock.bleed, gutter)
                    if comb is not None:
                        line, block, columns, outer = comb
                        yield Honeycomb(
                            page, line, block, columns, stock.bleed, outer, side + end > 0,
                            rotation, fold,
                        )  # fmt: skip


def line_of(tile: Size, room: Size, gutter: float) -> TileLine | None:
    """Lay as many pointy tiles as fit, with `gutter` mm across each of their edges.

    The pitch of a row is a tile and the gutter. The next row starts half a pitch along. It is 3/4 H
    + g (2L/W - H/4W) further down, with W and H of the tile and L the length of the shared edge, so
    that the gutter is measured at a right angle to that edge.
    """
    w, h = tile.width, tile.height
    edge = math.hypot(w / 2, h / 4)
    pitch, step = w + gutter, 0.75 * h + gutter * (2 * edge / w - h / (4 * w))
    count = math.floor((room.width - w) / pitch + _EPSILON) + 1
    lines = math.floor((room.height - h) / step + _EPSILON) + 1
    if count < 1 or lines < 1:
        return None
    short = (count - 0.5) * pitch + w > room.width + _EPSILON
    if short and count == 1:
        lines = 1
    return TileLine(tile, count, pitch, lines, step, short)


def _fitted(
    area: Rect, tile: Size, bleed: float, gutter: float
) -> tuple[TileLine, Rect, bool, Size] | None:
    """Return the lines, the box around all, whether lines are columns, and the outer bleed."""
    columns = tile.width >= tile.height
    least = 2 * min(bleed, LEAST_BLEED)
    room = Size(area.width - least, area.height - least)
    if columns:
        tile, room = tile.turned, room.turned
    line = line_of(tile, room, gutter)
    if line is None:
        return None
    size = line.size.turned if columns else line.size
    left, above = (area.width - size.width) / 2, (area.height - size.height) / 2
    block = Rect(area.x + left, area.y + above, size.width, size.height)
    return line, block, columns, Size(min(bleed, left), min(bleed, above))


def _before(fold: Flip, area: Rect, page: Size) -> Rect:
    if fold is Flip.SIDEWAYS:
        return Rect(area.x, area.y, page.width / 2 - FOLD_CLEARANCE - area.x, area.height)
    return Rect(area.x, area.y, area.width, page.height / 2 - FOLD_CLEARANCE - area.y)


Neighbours = tuple[int | None, ...]
"""The cell at each of the six edges, clockwise from the first corner."""
_EDGES: Final = 6
_TOUCH: Final = 0.01
"""mm; closer edges are one."""
_SLIDE: Final = 1.5
"""Largest distance of two facing edges' middles, in gutters; edges of irregular hexagons slide."""
_TIP: Final = 0.25
"""Bleed at most, as a part of a tile's shorter side, so that bleeds across a notch stay apart."""


def neighbours(cells: Sequence[PageCell], gutter: float) -> tuple[Neighbours, ...]:
    """Return the neighbours of each cell, `gutter` mm away."""
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


def shared_length(cells: Sequence[PageCell]) -> float:
    """Return the length of cuts that two touching tiles share, mm."""
    shared = 0.0
    for cell, facing in zip(cells, neighbours(cells, 0.0), strict=True):
        for (start, end), other in zip(_edges(hexagon(cell.trim)), facing, strict=True):
            if other is not None:
                shared += math.dist((start.x, start.y), (end.x, end.y)) / 2
    return shared


def bleeding(cells: Sequence[PageCell], gutter: float) -> tuple[PageCell, ...]:
    """Return the cells with half of the gutter as bleed towards neighbours, all of it elsewhere."""
    return tuple(
        _bleeding(cell, facing, gutter)
        for cell, facing in zip(cells, neighbours(cells, gutter), strict=True)
    )


def cut_lines(cells: Sequence[PageCell]) -> tuple[Polygon, ...]:
    """Return the lines to cut touching tiles along, each shared edge once."""
    lines: list[Polygon] = []
    for number, (cell, facing) in enumerate(zip(cells, neighbours(cells, 0.0), strict=True)):
        drawn = [other is None or other > number for other in facing]
        lines += _chains(hexagon(cell.trim), drawn)
    return tuple(lines)


def _chains(corners: Polygon, drawn: Sequence[bool]) -> Iterator[Polygon]:
    """Yield the drawn edges of a hexagon, joined into lines."""
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


def _bleeding(cell: PageCell, facing: Neighbours, gutter: float) -> PageCell:
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
    """Cut a convex polygon along a line moved outwards by `by` mm (Sutherland and Hodgman)."""
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


Nest = Grid | Honeycomb
"""Tiles of one stock on a page, in a honeycomb or in a grid of their boxes."""


def nested(job: Job) -> Outcome[tuple[Leaf, ...]]:
    """Lay hexagons edge to edge, each stock on sheets of its own; then all other shapes as n-up.

    Errors: GP601 for each stock too large for the paper.
    """
    faults: list[Diagnostic] = []
    leaves: list[Leaf] = []
    others = []
    gutter = job.print_.gutter or 0.0
    folded = job.backs is Backs.GUTTERFOLD
    for stock, pieces in by_stock(job.pieces).items():
        if stock.shape is not Shape.HEXAGON:
            others += pieces
            continue
        nest = best_nest(stock, job.paper, gutter, folded)
        if nest is None:
            faults.append(too_large(job, stock, pieces[0]))
            continue
        leaves += [_leaf(job, nest, part) for part in in_parts(copies_of(pieces), nest.count)]
    if others:
        rest = nup(replace(job, pieces=tuple(others)))
        faults += rest.diagnostics
        leaves += rest.value
    return Outcome(() if faults else tuple(leaves), tuple(faults))


def best_nest(stock: Stock, paper: Paper, gutter: float, folded: bool = False) -> Nest | None:
    """Return the nest with the most tiles, then the longest shared cuts, then the most outer bleed.

    It has room for ruler and slug, unless that would cost more than `RULER_WORTH` of the tiles.
    """
    rows = (best_folded_grid if folded else best_grid)(stock, paper, gutter)
    nests: list[Nest] = [*honeycombs(stock, paper, gutter, folded)]
    nests += [rows] if rows else []
    most = max((_worth(nest) for nest in nests), default=None)
    equals = [nest for nest in nests if _worth(nest) == most]
    return max(equals, key=lambda nest: _merit(nest, gutter), default=None)


def _worth(nest: Nest) -> tuple[float, bool]:
    return (nest.count if nest.ruled else nest.count * (1 - RULER_WORTH)), nest.ruled


def _merit(nest: Nest, gutter: float) -> tuple[float, float, bool, bool]:
    shared = 0.0 if gutter else round(shared_length(nest.cells()), 3)
    upright = nest.page.height >= nest.page.width
    return shared, round(nest.shown, 3), nest.rotation == 0, upright


def _leaf(job: Job, nest: Nest, copies: Sequence[Copy]) -> Leaf:
    gutter = job.print_.gutter or 0.0
    cells = nest.cells()[: len(copies)]
    if isinstance(nest, Honeycomb):
        cells = bleeding(cells, gutter)
    if job.backs is Backs.GUTTERFOLD:
        layouts = folded_leaf(nest.page, cells, copies, nest.fold or Flip.SIDEWAYS)
    else:
        layouts = leaf(nest.page, cells, copies, job.backs)
    used = summed(area(item.face.stock) for item in layouts[0].faces)
    share = wasted(used, printable_area(job.paper, nest.page))
    front = replace(layouts[0], note=f"waste {share:.0%}".replace("%", " %"))
    if gutter == 0:
        faces = tuple(map(_sharing, front.faces))
        front = replace(front, faces=faces, cuts=cut_lines(cells))
    return (front, *layouts[1:])


def _sharing(item: PlacedFace) -> PlacedFace:
    return replace(item, guide=Guide.SHARED) if item.side is Side.FRONT else item
