"""Outlines that are cut out, in mm: of stocks, with their areas and the waste around them, and nets
of boxes by inner size.

A net is a map: its size `w` and `h`, its outline `path`, its creases `folds`, its `panels` by name,
the `body` that the panels around a tuck box or sleeve form, and `glue`, the tabs that stay without
ink. Expressions and templates call the functions for nets: docs/boxes.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

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


XY = tuple[float, float]
Net = dict[str, Any]

_LEAST, _MOST = 1.0, 1000.0
_TAB: Final = 12.0
"""mm of a glue tab, where there is room."""
_FLAP: Final = 10.0
"""mm of a flap or tuck at least: more than any bleed, so that the art ends before their cuts."""
_LEAST_OUTSIDE: Final = (12, 4, 2)
"""mm: the least width, height and depth of a box that can be folded."""
_TAPER: Final = 3.0
"""mm that a tab narrows to its end."""


def tuck_box(width: float, height: float, depth: float, board: float = 0.4) -> Net:
    """Return a box with a lid at either end for a deck that is `height` mm high and `depth` mm
    thick; `board` is the thickness of its board."""
    w, h, d = _outer((width, height, depth), board)
    glue, tuck = min(_TAB, w / 2), min(15.0, max(_FLAP, d))
    flap = min(max(0.75 * d + 4, _FLAP), w / 2 - 1)
    top = d + tuck
    foot = top + h
    left, back, right, front, end = _steps(glue, d, w, d, w)
    notch = min(10.0, w / 6)
    middle = (front + end) / 2
    outline = _NetOutline((glue, top), board)
    outline.to((0, top + _taper(h)), (0, foot - _taper(h)), (glue, foot))
    outline.flap(left, back, foot, flap)
    outline.lid(back, right, foot, d, tuck)
    outline.flap(right, front, foot, flap)
    outline.to((front, foot), (end, foot), (end, top), (middle + notch, top))
    outline.arc(notch, (middle - notch, top))
    outline.to((front, top))
    outline.flap(front, right, top, -flap)
    outline.lid(right, back, top, -d, -tuck)
    outline.flap(back, left, top, -flap)
    upright = [((x, top), (x, foot)) for x in (left, back, right, front)]
    across = [((a, y), (b, y)) for y in (top, foot) for a, b in _pairs(left, back, right, front)]
    lids = [((back, y), (right, y)) for y in (top - d, foot + d)]
    panels = {
        "side": _panel(left, top, d, h),
        "back": _panel(back, top, w, h),
        "other_side": _panel(right, top, d, h),
        "front": _panel(front, top, w, h),
        "lid": _panel(back, top - d, w, d),
        "foot": _panel(back, foot, w, d),
    }
    body = _panel(left, top, end - left, h)
    glued = [(glue, top), (0, top + _taper(h)), (0, foot - _taper(h)), (glue, foot)]
    size = end, 2 * top + h
    return _net(size, outline.path, (*upright, *across, *lids), panels, body, [glued])


def tray(width: float, height: float, depth: float, board: float = 0.4, play: float = 0.0) -> Net:
    """Return an open box of width x height mm with walls `depth` mm high. A lid is a tray with
    `play`: mm by which it is wider than the tray that it covers."""
    air, glued = _number(play, "play"), 2 * _number(board, "board")  # tabs, within two walls
    wide, high = _size(width, "width"), _size(height, "height")
    if air:
        wide, high = wide + air + 2 * glued, high + air + glued
    w, h, d = _outer((wide, high, depth), board)
    w, d = w + glued, d - glued / 2  # walls stand on the floor's board, and have none above them
    tab = min(_TAB, d, w / 2 - 1)
    slant = min(_TAPER, d / 4)
    right, foot = d + w, d + h
    outline = _NetOutline((d, d), board)
    outline.to((d - tab, d - slant), (d - tab, slant), (d, 0), (right, 0))
    outline.to((right + tab, slant), (right + tab, d - slant), (right, d))
    outline.to((right + d, d), (right + d, foot), (right, foot))
    outline.to((right + tab, foot + slant), (right + tab, foot + d - slant), (right, foot + d))
    outline.to((d, foot + d), (d - tab, foot + d - slant), (d - tab, foot + slant), (d, foot))
    outline.to((0, foot), (0, d))
    corners = [(d, d), (right, d), (right, foot), (d, foot)]
    floor = list(zip(corners, corners[1:] + corners[:1], strict=True))
    tabs = [((x, y), (x, y + d)) for x in (d, right) for y in (0.0, foot)]
    panels = {
        "floor": _panel(d, d, w, h),
        "far": _panel(d, 0, w, d),
        "near": _panel(d, foot, w, d),
        "left": _panel(0, d, d, h),
        "right": _panel(right, d, d, h),
    }
    glue = [
        [(x, y), (x + out, y + slant), (x + out, y + d - slant), (x, y + d)]
        for x, out in ((d, -tab), (right, tab))
        for y in (0.0, foot)
    ]
    size = w + 2 * d, h + 2 * d
    return _net(size, outline.path, (*floor, *tabs), panels, _panel(d, d, w, h), glue)


def sleeve(width: float, height: float, depth: float, board: float = 0.4) -> Net:
    """Return a band around a deck or tray, open at both ends, `height` mm high."""
    w, _, d = _outer((width, height, depth), board)
    glue = min(_TAB, w / 2)
    left, back, right, front, end = _steps(glue, d, w, d, w)
    taper = _taper(height)
    outline = _NetOutline((glue, 0), board)
    outline.to((0, taper), (0, height - taper), (glue, height), (end, height), (end, 0))
    panels = {
        "side": _panel(left, 0, d, height),
        "back": _panel(back, 0, w, height),
        "other_side": _panel(right, 0, d, height),
        "front": _panel(front, 0, w, height),
    }
    folds = [((x, 0.0), (x, height)) for x in (left, back, right, front)]
    glued = [(glue, 0.0), (0.0, taper), (0.0, height - taper), (glue, height)]
    body = _panel(left, 0, end - left, height)
    return _net((end, height), outline.path, folds, panels, body, [glued])


def divider(width: float, height: float, tabs: int = 3, place: int = 1, rise: float = 10.0) -> Net:
    """Return a card, width x height mm, with a tab that rises above it at one of `tabs` places,
    counted from the left."""
    w, h, up = _size(width, "width"), _size(height, "height"), _size(rise, "rise")
    if not (isinstance(tabs, int) and isinstance(place, int) and 1 <= place <= tabs <= 20):
        raise ValueError("place must be from 1 to tabs, which must be at most 20")
    wide = w / tabs
    a, b, r = (place - 1) * wide, place * wide, min(3.0, wide / 4, up / 2)
    outline = _NetOutline((a, up), 0)
    outline.to((a, r))
    outline.arc(r, (a + r, 0))
    outline.to((b - r, 0))
    outline.arc(r, (b, r))
    outline.to((b, up))
    if place < tabs:
        outline.to((w - r, up))
        outline.arc(r, (w, up + r))
    outline.to((w, up + h - r))
    outline.arc(r, (w - r, up + h))
    outline.to((r, up + h))
    outline.arc(r, (0, up + h - r))
    if place > 1:
        outline.to((0, up + r))
        outline.arc(r, (r, up))
    panels = {"tab": _panel(a, 0, b - a, up), "front": _panel(0, up, w, h)}
    return _net((w, up + h), outline.path, (), panels, panels["front"], [])


NETS: Final[Mapping[str, Callable[..., Net]]] = {
    "tuck_box": tuck_box,
    "tray": tray,
    "sleeve": sleeve,
    "divider": divider,
}


class _NetOutline:
    """The path data of a net. Parts that slide in keep clear of their neighbours by the thickness
    of the board."""

    def __init__(self, start: XY, board: float) -> None:
        self._written = [f"M{_mm(start)}"]
        self._air = max(board, 0.4)

    @property
    def path(self) -> str:
        """Return the closed outline."""
        return " ".join((*self._written, "Z"))

    def to(self, *points: XY) -> None:
        """Draw straight lines."""
        self._written += [f"L{_mm(point)}" for point in points]

    def arc(self, r: float, end: XY) -> None:
        """Draw a quarter or half circle that bulges to the right."""
        self._written.append(f"A{r:g} {r:g} 0 0 1 {_mm(end)}")

    def flap(self, a: float, b: float, y: float, out: float) -> None:
        """Draw a dust flap at the edge from (a, y) to (b, y)."""
        way = math.copysign(1, b - a)
        near, far = self._air * way, min(_TAPER, abs(b - a) / 4) * way
        self.to((a + near, y), (a + far, y + out), (b - far, y + out), (b - near, y), (b, y))

    def lid(self, a: float, b: float, y: float, deep: float, tuck: float) -> None:
        """Draw a lid at an edge, with a tuck that has round corners."""
        way = math.copysign(self._air, b - a)
        out = y + deep
        a_in, b_in = a + way, b - way
        round_ = min(abs(tuck) * 0.6, abs(b - a) / 4)
        side, end = math.copysign(round_, b - a), math.copysign(round_, tuck)
        self.to((a, out), (a_in, out), (a_in, out + tuck - end))
        self._written.append(f"Q{_mm((a_in, out + tuck))} {_mm((a_in + side, out + tuck))}")
        self.to((b_in - side, out + tuck))
        self._written.append(f"Q{_mm((b_in, out + tuck))} {_mm((b_in, out + tuck - end))}")
        self.to((b_in, out), (b, out), (b, y))


def _net(
    size: XY,
    path: str,
    folds: Sequence[tuple[XY, XY]],
    panels: Mapping[str, Net],
    body: Net,
    glue: Sequence[Sequence[XY]],
) -> Net:
    return {
        "w": round(size[0], 3),
        "h": round(size[1], 3),
        "path": path,
        "folds": [[_round_panel(a), _round_panel(b)] for a, b in folds],
        "panels": dict(panels),
        "body": body,
        "glue": [[_round_panel(point) for point in corners] for corners in glue],
    }


def _panel(x: float, y: float, w: float, h: float) -> Net:
    return {"x": round(x, 3), "y": round(y, 3), "w": round(w, 3), "h": round(h, 3)}


def _round_panel(point: XY) -> list[float]:
    return [round(point[0], 3), round(point[1], 3)]


def _mm(point: XY) -> str:
    return f"{round(point[0], 3):g} {round(point[1], 3):g}"


def _steps(first: float, *widths: float) -> tuple[float, ...]:
    """Return where each panel begins, and where the last one ends."""
    places = [first]
    for width in widths:
        places.append(places[-1] + width)
    return tuple(places)


def _pairs(*places: float) -> list[tuple[float, float]]:
    return list(itertools.pairwise(places))


def _outer(inner: tuple[float, float, float], board: float) -> tuple[float, float, float]:
    """Return the outer size of a box."""
    thick = _number(board, "board")
    if not 0 <= thick <= 5:
        raise ValueError("board is the thickness of the board, 0 to 5 mm")
    names = ("width", "height", "depth")
    w, h, d = (_size(value, name) + 2 * thick for value, name in zip(inner, names, strict=True))
    for name, size, least in zip(names, (w, h, d), _LEAST_OUTSIDE, strict=True):
        if size < least:
            message = f"{name} is {size:.1f} mm outside; the least for a box is {least} mm"
            raise ValueError(message)
    return w, h, d


def _taper(length: float) -> float:
    return min(_TAPER, length / 4)


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} is a number of mm")
    return float(value)


def _size(value: Any, name: str) -> float:
    size = _number(value, name)
    if not _LEAST <= size <= _MOST:
        raise ValueError(f"{name} must be from {_LEAST:g} to {_MOST:g} mm")
    return size
