"""Outlines of stocks as they are cut out, mm, with their areas and the waste around them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from fontTools.pens.areaPen import AreaPen
from fontTools.pens.basePen import AbstractPen, BasePen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path

from generator.geometry import Point, Rect, Size, summed
from generator.model.catalogue import Fold, Paper, Shape, Stock
from generator.model.face import Sheet, Side
from generator.model.painted import Segment

_UNREADABLE: Final = (ValueError, IndexError, AttributeError, TypeError, AssertionError)
"""Errors of fontTools for a path."""

_CIRCLE_HANDLE: Final = 4 / 3 * (math.sqrt(2) - 1)
"""Length of the handles of the four curves that draw a circle of radius 1."""
_CURVE: Final = 8
"""Straight lines that replace a curve."""
_ROUND: Final = 64
"""Corners of the polygon that replaces a circle, off by 0.0012 of the radius at most."""


def outline(stock: Stock) -> str:
    """Return the outline of a stock as SVG path data in trim coordinates, mm. Round corners are cut
    with a punch, so a rounded stock gives its box."""
    match stock.shape:
        case Shape.CIRCLE:
            return _ellipse(stock.trim)
        case Shape.HEXAGON:
            return _path(hexagon(Rect(0, 0, stock.trim.width, stock.trim.height)))
        case Shape.PATH:
            return stock.path
        case _:
            return _path(Rect(0, 0, stock.trim.width, stock.trim.height).corners)


def die(stock: Stock, side: str = Side.FRONT) -> tuple[Segment, ...]:
    """Return the die line of a piece, with round corners, as its `side` shows it, in trim
    coordinates, mm. Raises ValueError for an unreadable path."""
    path = _rounded(stock) if stock.shape is Shape.ROUNDED else outline(stock)
    pen = SegmentPen()
    behind = TransformPen(pen, (-1, 0, 0, 1, stock.trim.width, 0))
    trace(stock, path, behind if side == Side.BACK else pen)
    return tuple(pen.segments)


def folds(stock: Stock, side: str) -> tuple[Fold, ...]:
    """Return the folds of a stock as a `side` shows them."""
    if side != Side.BACK:
        return stock.folds
    width = stock.trim.width
    return tuple(
        Fold(Point(width - fold.start.x, fold.start.y), Point(width - fold.end.x, fold.end.y))
        for fold in stock.folds
    )


def trace(stock: Stock, path: str, pen: AbstractPen) -> None:
    """Draw a stock's path with a pen. Raises ValueError when it cannot be read."""
    try:
        parse_path(path, pen)
    except _UNREADABLE as error:
        message = f"the path of stock {stock.name!r} cannot be read: {error}"
        raise ValueError(message) from error


class SegmentPen(BasePen):  # type: ignore[misc]
    """Records a path as segments, quadratic curves as cubic ones."""

    def __init__(self) -> None:
        super().__init__(None)
        self.segments: list[Segment] = []

    def note(self, step: str, *points: tuple[float, float]) -> None:
        """Add a segment."""
        self.segments.append((step, tuple(value for point in points for value in point)))

    def _moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802, named by fontTools
        self.note("M", pt)

    def _lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self.note("L", pt)

    def _curveToOne(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self.note("C", *points)

    def _closePath(self) -> None:  # noqa: N802
        self.note("Z")


def _rounded(stock: Stock) -> str:
    w, h, r = stock.trim.width, stock.trim.height, stock.corner_radius
    arc = f"A {r} {r} 0 0 1"
    return (
        f"M {r} 0 L {w - r} 0 {arc} {w} {r} L {w} {h - r} {arc} {w - r} {h} "
        f"L {r} {h} {arc} 0 {h - r} L 0 {r} {arc} {r} 0 Z"
    )


def hexagon(box: Rect) -> tuple[Point, ...]:
    """Return the corners, clockwise, of the hexagon that fills a box, with a point at the top if
    the box is higher than wide. It is regular if the sides are as 2 : √3."""
    x, y, w, h = box.x, box.y, box.width, box.height
    if h > w:
        corners = [(w / 2, 0), (w, h / 4), (w, 3 * h / 4), (w / 2, h), (0, 3 * h / 4), (0, h / 4)]
    else:
        corners = [(w / 4, 0), (3 * w / 4, 0), (w, h / 2), (3 * w / 4, h), (w / 4, h), (0, h / 2)]
    return tuple(Point(x + right, y + down) for right, down in corners)


def polygon(box: Rect, shape: Shape) -> Sequence[Point]:
    """Return the corners of a shape that fills a box; a path counts as its box."""
    if shape is Shape.CIRCLE:
        c, w, h = box.centre, box.width / 2, box.height / 2
        turns = (2 * math.pi * i / _ROUND for i in range(_ROUND))
        return [Point(c.x + w * math.cos(t), c.y + h * math.sin(t)) for t in turns]
    return hexagon(box) if shape is Shape.HEXAGON else box.corners


@lru_cache(maxsize=256)
def area(stock: Stock) -> float:
    """Return the area of a piece, mm², ignoring holes. Raises ValueError for an unreadable path."""
    w, h = stock.trim.width, stock.trim.height
    match stock.shape:
        case Shape.CIRCLE:
            return math.pi / 4 * w * h
        case Shape.HEXAGON:
            return 0.75 * w * h
        case Shape.ROUNDED:
            return w * h - (4 - math.pi) * stock.corner_radius**2
        case Shape.PATH:
            pen = AreaPen()
            trace(stock, stock.path, pen)
            return abs(float(pen.value))
        case _:
            return w * h


@lru_cache(maxsize=256)
def corners(stock: Stock) -> tuple[Point, ...]:
    """Return the corners of a stock's outline in trim coordinates, mm. Raises ValueError for an
    unreadable path."""
    pen = RecordingPen()
    trace(stock, outline(stock), pen)
    return tuple(Point(*points[-1]) for _, points in pen.value if points)


def polylines(segments: Iterable[Segment], steps: int = _CURVE) -> list[list[Point]]:
    """Return each part of a path as points, with `steps` points for each curve."""
    parts: list[list[Point]] = []
    for name, values in segments:
        points = [Point(*values[at : at + 2]) for at in range(0, len(values), 2)]
        if name == "M":
            parts.append(points)
        elif name == "L":
            parts[-1] += points
        elif name == "C":
            parts[-1] += _curve(parts[-1][-1], points, steps)
    return parts


def _curve(a: Point, others: Sequence[Point], steps: int) -> list[Point]:
    """Return points on a cubic curve after its first."""
    b, c, d = others
    found = []
    for step in range(1, steps + 1):
        t = step / steps
        u = 1 - t
        of_a, of_b, of_c, of_d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        x = of_a * a.x + of_b * b.x + of_c * c.x + of_d * d.x
        found.append(Point(x, of_a * a.y + of_b * b.y + of_c * c.y + of_d * d.y))
    return found


def _path(corners: tuple[Point, ...]) -> str:
    return "M " + " L ".join(f"{p.x:.6f} {p.y:.6f}" for p in corners) + " Z"


def _ellipse(trim: Size) -> str:
    rx, ry = trim.width / 2, trim.height / 2
    kx, ky = rx * _CIRCLE_HANDLE, ry * _CIRCLE_HANDLE
    w, h = trim.width, trim.height
    curves = [
        (rx + kx, 0, w, ry - ky, w, ry),
        (w, ry + ky, rx + kx, h, rx, h),
        (rx - kx, h, 0, ry + ky, 0, ry),
        (0, ry - ky, rx - kx, 0, rx, 0),
    ]
    body = " ".join("C " + " ".join(f"{number:.6f}" for number in curve) for curve in curves)
    return f"M {rx:.6f} 0 {body} Z"


def waste(sheets: Iterable[Sheet]) -> float:
    """Return the unused share of the printable paper, 0 to 1.

    Only front pages count; a poster counts once, on its first page.
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
    """Return the share of paper that is not used."""
    return max(0.0, 1 - used / printable) if printable > 0 else 0.0


def printable_area(paper: Paper, page: Size) -> float:
    """Return the mm² of a page inside the paper's margins."""
    return max(0.0, page.width - 2 * paper.margin) * max(0.0, page.height - 2 * paper.margin)
