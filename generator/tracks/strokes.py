"""Points in; lines, arcs and words of a drawing out, as SVG elements or their data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from svgwrite.path import Path
from svgwrite.text import Text

from generator.geometry import Point

INK: Final = "#2d2a26"
_STRAIGHT: Final = 1e-6
Ends = Sequence[Sequence[float]]
"""The left and the right end of a port."""


def words(
    text: str,
    x: float,
    y: float,
    size: float,
    font: Mapping[str, str],
    *,
    anchor: str = "start",
    colour: str = INK,
) -> Text:
    """A line of text on its baseline; `size` in mm."""
    attributes = {name.replace("-", "_"): value for name, value in font.items()}
    return Text(
        text,
        insert=(round(x, 3), round(y, 3)),
        debug=False,
        font_size=size,
        text_anchor=anchor,
        fill=colour,
        **attributes,
    )


def heading(port: Ends) -> Point:
    """The direction of travel through a port, from its ends on the left and the right."""
    (x1, y1), (x2, y2) = port
    length = math.dist((x1, y1), (x2, y2))
    return Point((y2 - y1) / length, (x1 - x2) / length)


def curved(points: Sequence[Point], **attributes: object) -> Path:
    """A path that takes its corners as arcs; each begins and ends half a cell from its corner."""
    path = Path(debug=False, fill="none", **attributes)
    first, *corners, last = points
    data = f"M{told(first)}"
    for at, corner in enumerate(corners):
        start = first if at == 0 else between(points[at], corner)
        end = last if at == len(corners) - 1 else between(corner, points[at + 2])
        data += f"L{told(start)}{_arc(start, corner, end)}"
    path.push(data)
    return path


def _arc(start: Point, corner: Point, end: Point) -> str:
    """From start to end, which are as far from the corner: straight on, or touching both legs."""
    before = Point(corner.x - start.x, corner.y - start.y)
    after = Point(end.x - corner.x, end.y - corner.y)
    across = before.x * after.y - before.y * after.x
    turn = math.atan2(across, before.x * after.x + before.y * after.y)
    if abs(turn) < _STRAIGHT:
        return f"L{told(end)}"
    radius = math.hypot(before.x, before.y) / math.tan(abs(turn) / 2)
    return f"A{radius:.3f} {radius:.3f} 0 0 {int(turn > 0)} {told(end)}"


def between(one: Point, other: Point) -> Point:
    """The point halfway."""
    return Point((one.x + other.x) / 2, (one.y + other.y) / 2)


def xy(point: Point) -> tuple[float, float]:
    """Its coordinates, rounded."""
    return round(point.x, 3), round(point.y, 3)


def told(point: Point) -> str:
    """As path data has it."""
    return f"{point.x:.3f} {point.y:.3f}"
