"""A stock and a paper in, the grid that takes the most pieces out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from generator.geometry import Rect, Size
from generator.impose.forme import Cell, Flip, printable, ways
from generator.impose.ruler import RULERS, ruler_length
from generator.impose.run import BAND, Blank, Run, before_fold, centred
from generator.model.stock import Paper, Stock

RULER_WORTH: Final = 0.25
"""The share of a sheet's pieces that room for ruler and slug may cost."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns of one stock on a page; faces are turned clockwise by `rotation`. With a
    `fold` the grid holds the fronts and the backs come to the other side of the fold."""

    page: Size
    across: Run
    down: Run
    ruled: bool
    rotation: int = 0
    fold: Flip | None = None

    @property
    def count(self) -> int:
        """How many pieces it takes."""
        return self.across.count * self.down.count

    @property
    def shown(self) -> float:
        """The least bleed that shows anywhere, mm."""
        return min(self.across.shown, self.down.shown)

    def cells(self) -> tuple[Cell, ...]:
        """The cells, row by row from the top left."""
        return tuple(cell for span in self.down.spans() for cell in row(self, span))


def row(grid: Grid, span: tuple[float, float, float]) -> Iterator[Cell]:
    """The cells of one row."""
    y, above, below = span
    for x, before, after in grid.across.spans():
        trim = Rect(x, y, grid.across.trim, grid.down.trim)
        yield Cell(trim, spread(trim, before, above, after, below), grid.rotation)


def spread(trim: Rect, left: float, top: float, right: float, bottom: float) -> Rect:
    """A trim with the bleed that shows on each side."""
    return Rect(trim.x - left, trim.y - top, trim.width + left + right, trim.height + top + bottom)


def best_grid(stock: Stock, paper: Paper, gutter: float | None) -> Grid | None:
    """The grid with the most pieces; of equals the one with more bleed, then upright paper.

    Room for ruler and slug is kept at the top and bottom or at the sides, unless that would cost
    more than `RULER_WORTH` of the pieces. None when nothing fits.
    """
    grids = (
        Grid(page, across, down, bands != (0, 0))
        for page in ways(paper)
        for bands in bands_of(page, paper.margin)
        if (across := centred(page.width, paper.margin, _wide(stock, gutter), bands[0]))
        and (down := centred(page.height, paper.margin, _high(stock, gutter), bands[1]))
    )
    return _best(grids)


def best_folded_grid(stock: Stock, paper: Paper, gutter: float | None) -> Grid | None:
    """The same for sheets folded in the middle: half of the page holds the fronts."""
    return _best(_folded_grids(stock, paper, gutter))


def bands_of(page: Size, margin: float) -> tuple[tuple[float, float], ...]:
    """The bands (at the sides, at the ends) that a ruler and slug may have, best first."""
    area = printable(page, margin)
    shortest = ruler_length(RULERS[-1])
    ends = ((0.0, BAND),) if area.width >= shortest else ()
    sides = ((BAND, 0.0),) if area.height >= shortest else ()
    return (*ends, *sides, (0.0, 0.0))


def _folded_grids(stock: Stock, paper: Paper, gutter: float | None) -> Iterator[Grid]:
    for page in ways(paper):
        for fold in Flip:
            for rotation in (0, 270):
                blanks = (_wide(stock, gutter), _high(stock, gutter))
                wide, high = blanks if rotation == 0 else reversed(blanks)
                along = before_fold if fold is Flip.SIDEWAYS else centred
                upright = before_fold if fold is Flip.ENDWAYS else centred
                for side, end in bands_of(page, paper.margin):
                    across = along(page.width, paper.margin, wide, side)
                    down = upright(page.height, paper.margin, high, end)
                    if across and down:
                        yield Grid(page, across, down, side + end > 0, rotation, fold)


def _best(grids: Iterable[Grid]) -> Grid | None:
    return max(grids, key=_merit, default=None)


def _merit(grid: Grid) -> tuple[float, bool, float, bool, bool]:
    upright = grid.page.height >= grid.page.width
    worth = grid.count if grid.ruled else grid.count * (1 - RULER_WORTH)
    return worth, grid.ruled, round(grid.shown, 3), grid.rotation == 0, upright


def _wide(stock: Stock, gutter: float | None) -> Blank:
    return Blank(stock.trim.width, stock.bleed, gutter)


def _high(stock: Stock, gutter: float | None) -> Blank:
    return Blank(stock.trim.height, stock.bleed, gutter)
