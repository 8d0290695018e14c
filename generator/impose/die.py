"""A stock in its cell in, its die line and its folds out, in page coordinates."""

from __future__ import annotations

from typing import Final

from fontTools.pens.basePen import BasePen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path

from generator.geometry import Point
from generator.impose.forme import Cell, Crease
from generator.model.stock import Fold, Stock
from generator.outlines import outline
from generator.units import format_mm

_EPSILON: Final = 1e-6


class _PathText(BasePen):  # type: ignore[misc]
    """Writes absolute M, L, C and Z, the only commands that a die line has."""

    def __init__(self) -> None:
        super().__init__(None)
        self.commands: list[str] = []
        self._start = 0

    def _moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self._start = len(self.commands)
        self._write("M", point)

    def _lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self._write("L", point)

    def _curveToOne(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._write("C", *points)

    def _closePath(self) -> None:  # noqa: N802
        """Z draws the last line itself."""
        if self.commands[-1] == self.commands[self._start].replace("M", "L"):
            self.commands.pop()
        self.commands.append("Z")

    def _write(self, command: str, *points: tuple[float, float]) -> None:
        numbers = " ".join(f"{format_mm(x)} {format_mm(y)}" for x, y in points)
        self.commands.append(f"{command} {numbers}")


def die_line(stock: Stock, cell: Cell) -> str:
    """The outline of a stock on the page, as path data of absolute M, L, C and Z, mm.

    Raises ValueError when the stock's own path cannot be read.
    """
    pen = _PathText()
    origin, right, down = (on_page(stock, cell, Point(*p)) for p in ((0, 0), (1, 0), (0, 1)))
    onto_page = (
        *(right.x - origin.x, right.y - origin.y),
        *(down.x - origin.x, down.y - origin.y),
        *(origin.x, origin.y),
    )
    try:
        parse_path(outline(stock), TransformPen(pen, onto_page))
    except (ValueError, IndexError, AttributeError, TypeError, AssertionError) as error:
        raise ValueError(f"the path of stock {stock.name!r} cannot be read: {error}") from error
    return " ".join(pen.commands)


def on_page(stock: Stock, cell: Cell, point: Point) -> Point:
    """A point of the trim on the page, turned as the cell's face is."""
    middle = Point(stock.trim.width / 2, stock.trim.height / 2)
    turned = point.turned(cell.rotation, middle)
    centre = cell.trim.centre
    return turned.moved(centre.x - middle.x, centre.y - middle.y)


def crease(stock: Stock, cell: Cell, fold: Fold) -> Crease:
    """A fold of a stock on the page."""
    return Crease(on_page(stock, cell, fold.start), on_page(stock, cell, fold.end), cell.art)


def crosses_trim(stock: Stock, fold: Fold) -> bool:
    """True for a level or upright fold from one edge of the trim to the other, which can be shown
    by ticks outside of the art."""
    (x1, y1), (x2, y2) = sorted(((fold.start.x, fold.start.y), (fold.end.x, fold.end.y)))
    level = abs(y1 - y2) < _EPSILON and x1 <= _EPSILON and x2 >= stock.trim.width - _EPSILON
    upright = abs(x1 - x2) < _EPSILON and y1 <= _EPSILON and y2 >= stock.trim.height - _EPSILON
    return level or upright
