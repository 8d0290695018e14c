"""A hexagon and a paper in, the honeycombs that fit on it out: neighbours face each other edge to
edge."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from generator.geometry import Rect, Size
from generator.impose.forme import Cell, Flip, printable, ways
from generator.impose.grid import bands_of, spread
from generator.impose.run import FOLD_CLEARANCE, LEAST_BLEED
from generator.model.stock import Paper, Stock

_EPSILON: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Line:
    """A row of pointy tiles or a column of flat ones, in a space where it runs along x: tiles,
    how far apart, and how far apart lines are, mm. Every other line starts half a tile later, and
    with `short` has one tile fewer."""

    tile: Size
    count: int
    pitch: float
    lines: int
    step: float
    short: bool

    @property
    def size(self) -> Size:
        """Of the box around all trims."""
        later = 0.0 if self.short or self.lines == 1 else self.pitch / 2
        along = (self.count - 1) * self.pitch + self.tile.width + later
        return Size(along, (self.lines - 1) * self.step + self.tile.height)

    def places(self) -> Iterator[tuple[float, float]]:
        """The corner of each trim, line by line."""
        for line in range(self.lines):
            odd = line % 2
            for number in range(self.count - (odd and self.short)):
                yield (number + odd / 2) * self.pitch, line * self.step


@dataclass(frozen=True, slots=True)
class Honeycomb:
    """Tiles on a page around `block`, the box of all trims; faces are turned clockwise by
    `rotation`. Bleed shows `outer` mm beyond the block, beside and over it. With a `fold` it holds
    the fronts."""

    page: Size
    line: Line
    block: Rect
    columns: bool
    bleed: float
    outer: Size
    ruled: bool
    rotation: int = 0
    fold: Flip | None = None

    @property
    def count(self) -> int:
        """How many tiles it takes."""
        odd = self.line.lines // 2
        return self.line.count * self.line.lines - (odd if self.line.short else 0)

    @property
    def shown(self) -> float:
        """The least bleed that shows at the outer edges, mm."""
        return min(self.outer.width, self.outer.height)

    def cells(self) -> tuple[Cell, ...]:
        """The cells, line by line, each with the box that its bleed may fill if it stood alone."""
        beside, over = self.outer.width, self.outer.height
        frame = spread(self.block, beside, over, beside, over)
        tile = self.line.tile.turned if self.columns else self.line.tile
        trims = (
            Rect(self.block.x + x, self.block.y + y, tile.width, tile.height)
            for x, y in (
                (down, along) if self.columns else (along, down)
                for along, down in self.line.places()
            )
        )
        return tuple(
            Cell(trim, trim.grown(self.bleed).cut_to(frame), self.rotation) for trim in trims
        )


def honeycombs(stock: Stock, paper: Paper, gutter: float, folded: bool) -> Iterator[Honeycomb]:
    """Every honeycomb worth a thought: both ways of the paper, the tile upright and turned, with
    and without room for ruler and slug; `folded`, before each way of folding."""
    for page in ways(paper):
        for side, end in bands_of(page, paper.margin):
            whole = printable(page, paper.margin)
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


def line_of(tile: Size, room: Size, gutter: float) -> Line | None:
    """As many pointy tiles as fit into some room, `gutter` mm apart across each of their edges;
    None when none fits.

    Tiles in a row are a tile and the gutter apart. From a tile to one in the next row the way is
    half of that along, and so far down that, measured at a right angle to the edge they share,
    it is their own way edge to edge and the gutter: with W and H of the tile and L the length of
    that edge, 3/4 H + g (2L/W - H/4W).
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
    return Line(tile, count, pitch, lines, step, short)


def _fitted(
    area: Rect, tile: Size, bleed: float, gutter: float
) -> tuple[Line, Rect, bool, Size] | None:
    """A line, the box around all, whether lines are columns, the bleed that shows outside."""
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
    """The part of an area before the fold in the middle of its page."""
    if fold is Flip.SIDEWAYS:
        return Rect(area.x, area.y, page.width / 2 - FOLD_CLEARANCE - area.x, area.height)
    return Rect(area.x, area.y, area.width, page.height / 2 - FOLD_CLEARANCE - area.y)
