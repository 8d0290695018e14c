"""Outlines of SVG's basic shapes (SVG 1.1, chapters 8 and 9)."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final
from xml.etree import ElementTree

from fontTools.misc.bezierTools import calcCubicBounds
from fontTools.svgLib.path import parse_path
from fontTools.svgLib.path.shapes import PathBuilder
from msgspec import Struct

from generator import pdf_syntax
from generator.geometry import Rect, around
from generator.model.painted import Segment
from generator.outlines import SegmentPen

UNREADABLE: Final = (ArithmeticError, AssertionError, IndexError, TypeError, ValueError)
"""Errors of fontTools for incomplete or wrong path data."""
_GEOMETRY: Final[Mapping[str, tuple[str, ...]]] = {
    "rect": ("x", "y", "width", "height", "rx", "ry"),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
    "polyline": ("points",),
    "polygon": ("points",),
}
SHAPES: Final = frozenset(("path", *_GEOMETRY))
_FLAT: Final = 1e-9
_MANY: Final = 8
_HANDLE: Final = 4 / 3 * (math.sqrt(2) - 1)
"""Length of the handles of the four curves that draw a circle of radius 1."""


class Outline(Struct, frozen=True, eq=False):
    """A shape in its own units: the PDF operators of its path, and of those parts that have an area
    (PDF would fill a lone line); its segments, box and area, and whether it is an upright
    rectangle."""

    path: str
    filled: str
    segments: tuple[Segment, ...]
    box: Rect
    area: float
    is_rect: bool = False


def shape_outline(name: str, given: Mapping[str, str]) -> Outline | None:
    """Return the outline of a shape, or None if it paints nothing. Raises one of `UNREADABLE`."""
    if name == "path":
        return path_outline(given.get("d", ""))
    return _outline(name, tuple((key, given[key]) for key in _GEOMETRY[name] if key in given))


@functools.lru_cache(4096)
def _outline(name: str, geometry: tuple[tuple[str, str], ...]) -> Outline | None:
    given = dict(geometry)
    if name == "rect":
        x, y, width, height = (float(given.get(key, 0)) for key in ("x", "y", "width", "height"))
        if width <= 0 or height <= 0:
            return None
        box = Rect(x, y, width, height)
        across, down = _radii(given, "rx", "ry")
        if across > 0 and down > 0:
            return path_outline(_rounded(box, min(across, width / 2), min(down, height / 2)))
        corners = [(p.x, p.y) for p in box.corners]
        steps = [("M", corners[0]), *(("L", corner) for corner in corners[1:]), ("Z", ())]
        written = f"{pdf_syntax.as_numbers(x, y, width, height)} re"
        return Outline(written, written, tuple(steps), box, width * height, True)
    if name in ("circle", "ellipse"):
        x, y = (float(given.get(key, 0)) for key in ("cx", "cy"))
        keys = ("r", "r") if name == "circle" else ("rx", "ry")
        across, down = _radii(given, *keys)
        return _ellipse(x, y, across, down) if across > 0 and down > 0 else None
    shapes = PathBuilder()
    shapes.add_path_from_element(ElementTree.Element(name, given))
    return path_outline(" ".join(shapes.paths))


def _ellipse(x: float, y: float, across: float, down: float) -> Outline:
    """Return an ellipse, clockwise from its rightmost point (SVG 1.1, 9.3)."""
    a, b = across * _HANDLE, down * _HANDLE
    segments: tuple[Segment, ...] = (
        ("M", (x + across, y)),
        ("C", (x + across, y + b, x + a, y + down, x, y + down)),
        ("C", (x - a, y + down, x - across, y + b, x - across, y)),
        ("C", (x - across, y - b, x - a, y - down, x, y - down)),
        ("C", (x + a, y - down, x + across, y - b, x + across, y)),
        ("Z", ()),
    )
    box = Rect(x - across, y - down, 2 * across, 2 * down)
    written = pdf_syntax.as_path(segments)
    return Outline(written, written, segments, box, math.pi * across * down)


def _radii(given: Mapping[str, str], across: str, down: str) -> tuple[float, float]:
    """Return two radii by name; a missing one equals the other."""
    wide, high = given.get(across), given.get(down)
    return float(wide or high or 0), float(high or wide or 0)


def _rounded(box: Rect, across: float, down: float) -> str:
    """Return the path data of a rounded rectangle (SVG 1.1, 9.2)."""
    x, y, right, bottom = box.x, box.y, box.right, box.bottom
    arc = f"A{across} {down} 0 0 1"
    return (
        f"M{x + across} {y}H{right - across}{arc} {right} {y + down}V{bottom - down}"
        f"{arc} {right - across} {bottom}H{x + across}{arc} {x} {bottom - down}V{y + down}"
        f"{arc} {x + across} {y}Z"
    )


@functools.lru_cache(4096)
def path_outline(data: str) -> Outline | None:
    """Return the outline of path data, or None if it paints nothing."""
    pen = SegmentPen()
    parse_path(data, pen)
    parts = [part for part in _parts(pen.segments) if len(part) > 1]
    segments = tuple(chain.from_iterable(parts))
    if not segments:
        return None
    box = _extent(segments)
    filled = [part for part in parts if _has_area(part)]
    written = pdf_syntax.as_path(segments)
    of_filled = written
    if len(filled) < len(parts):
        of_filled = " ".join(map(pdf_syntax.as_path, filled))
    return Outline(written, of_filled, segments, box, _area(segments), _is_box(segments))


def _area(segments: Sequence[Segment]) -> float:
    """Return the area of a path with closed parts, by the formulas of Gauss and Green."""
    twice = begin_x = begin_y = x = y = 0.0
    for step, points in segments:
        if step == "M":
            begin_x, begin_y = x, y = points
            continue
        end_x, end_y = points[-2:] or (begin_x, begin_y)
        twice += (x - begin_x) * (end_y - begin_y) - (end_x - begin_x) * (y - begin_y)
        if step == "C":
            x1, y1, x2, y2 = points[0] - x, points[1] - y, points[2] - x, points[3] - y
            x3, y3 = end_x - x, end_y - y
            twice += 0.3 * (x1 * (y2 + y3) - x2 * (y1 - 2 * y3) - x3 * (y1 + 2 * y2))
        x, y = end_x, end_y
    return abs(twice) / 2


def _extent(segments: Sequence[Segment]) -> Rect:
    """Return the box around a path. Handles of a curve may lie outside it."""
    box = _box(segments)
    if box == _box([(step, points[-2:]) for step, points in segments]):
        return box
    boxes, at = [], segments[0][1]
    for step, numbers in segments:
        if step == "C":
            corners = at, numbers[:2], numbers[2:4], numbers[4:]
            left, top, right, bottom = calcCubicBounds(*corners)
            boxes.append(Rect(left, top, right - left, bottom - top))
        elif numbers:
            boxes.append(Rect(numbers[0], numbers[1], 0, 0))
        at = numbers[-2:] or at
    return around(boxes)


def _box(segments: Sequence[Segment]) -> Rect:
    """Return the box around all points of a path."""
    xs = [x for _, points in segments for x in points[::2]]
    ys = [y for _, points in segments for y in points[1::2]]
    left, top = min(xs), min(ys)
    return Rect(left, top, max(xs) - left, max(ys) - top)


def _parts(segments: Sequence[Segment]) -> Iterator[Sequence[Segment]]:
    """Yield the parts of a path between two moves of the pen."""
    start = 0
    for end in range(1, len(segments) + 1):
        if end == len(segments) or segments[end][0] == "M":
            yield segments[start:end]
            start = end


def _has_area(part: Sequence[Segment]) -> bool:
    """Return whether a part of a path is more than a straight line."""
    if len(part) > _MANY:
        return True
    points = [(x, y) for _, ps in part for x, y in zip(ps[::2], ps[1::2], strict=True)]
    x, y = points[0]
    x2, y2 = max(points, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)
    return any(abs((x2 - x) * (b - y) - (y2 - y) * (a - x)) > _FLAT for a, b in points)


def _is_box(segments: Sequence[Segment]) -> bool:
    """Return whether a path is an upright rectangle."""
    steps = "".join(step for step, _ in segments).rstrip("Z")
    if steps not in ("MLLL", "MLLLL"):
        return False
    corners = [points for _, points in segments if points]
    sides = zip(corners, [*corners[1:4], corners[0]], strict=False)
    return all((a == c) != (b == d) for (a, b), (c, d) in sides) and len(set(corners[:4])) == 4
