"""Pieces and the sheets that they are on in, the share of the paper that is thrown away out."""

from __future__ import annotations

from collections.abc import Iterable

from generator.geometry import Size
from generator.model.sheet import Sheet, Side
from generator.model.stock import Paper
from generator.outlines import area
from generator.sums import summed


def waste(sheets: Iterable[Sheet]) -> float:
    """1 - outlines of all that is cut out / what the printer can print on, 0 to 1.

    Only front pages count, as each is a sheet of paper; a poster counts once, on its first page.
    """
    used = printable = 0.0
    for sheet in (sheet for sheet in sheets if sheet.side is Side.FRONT):
        printable += printable_area(sheet.paper, sheet.size)
        used += summed(
            area(placed.face.stock)
            for placed in sheet.placements
            if placed.poster is None or (placed.poster.row, placed.poster.column) == (1, 1)
        )
    return wasted(used, printable)


def wasted(used: float, printable: float) -> float:
    """The share of some mm² of paper that is not used."""
    return max(0.0, 1 - used / printable) if printable > 0 else 0.0


def printable_area(paper: Paper, page: Size) -> float:
    """mm² of a page within the paper's margins."""
    return max(0.0, page.width - 2 * paper.margin) * max(0.0, page.height - 2 * paper.margin)
