"""Boxes and the shapes in them in, how far two pieces reach over each other out, mm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from generator.geometry import Point, Rect
from generator.model.stock import Shape
from generator.outlines import hexagon

_ROUND: Final = 64
"""Corners of the polygon that stands in for a circle: off by 0.0012 of the radius at most."""
_PARALLEL: Final = 1e-9


def overlap(box: Rect, shape: Shape, other_box: Rect, other_shape: Shape) -> float:
    """The least shift, mm, that would part two convex outlines; 0 when they do not overlap.

    By the separating axis theorem. A path counts as its box.
    """
    return polygon_overlap(outline(box, shape), outline(other_box, other_shape))


def polygon_overlap(one: Sequence[Point], other: Sequence[Point]) -> float:
    """The same of two convex polygons."""
    depths = [_depth(one, other, axis) for axis in (*_normals(one), *_normals(other))]
    return max(0.0, min(depths))


def outline(box: Rect, shape: Shape) -> Sequence[Point]:
    """The corners of a shape that fills its box: a hexagon is pointy when higher than wide."""
    if shape is Shape.CIRCLE:
        c, w, h = box.centre, box.width / 2, box.height / 2
        turns = (2 * math.pi * i / _ROUND for i in range(_ROUND))
        return [Point(c.x + w * math.cos(t), c.y + h * math.sin(t)) for t in turns]
    return hexagon(box) if shape is Shape.HEXAGON else box.corners


def depth_inside(point: Point, corners: Sequence[Point]) -> float:
    """How far a point is from the nearest edge of an outline, mm; negative when it is outside."""
    return min(
        (start.x - point.x) * out.x + (start.y - point.y) * out.y
        for start, out in zip(corners, _normals(corners), strict=True)
    )


def distance_out(point: Point, way: Point, corners: Sequence[Point]) -> float:
    """mm from a point inside a convex outline to where a ray along a unit vector leaves it."""
    ends = []
    for start, out in zip(corners, _normals(corners), strict=True):
        speed = way.x * out.x + way.y * out.y
        if speed > _PARALLEL:
            ends.append(((start.x - point.x) * out.x + (start.y - point.y) * out.y) / speed)
    return min(ends, default=0.0)


def _normals(corners: Sequence[Point]) -> list[Point]:
    """A unit vector across each edge."""
    normals = []
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        dx, dy = end.x - start.x, end.y - start.y
        length = math.hypot(dx, dy) or 1.0
        normals.append(Point(dy / length, -dx / length))
    return normals


def _depth(one: Sequence[Point], other: Sequence[Point], axis: Point) -> float:
    """How far the shadows of two outlines on an axis overlap; negative is the gap between."""
    a = [p.x * axis.x + p.y * axis.y for p in one]
    b = [p.x * axis.x + p.y * axis.y for p in other]
    return min(max(a), max(b)) - max(min(a), min(b))
