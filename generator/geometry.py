"""Plane geometry in millimetres: x to the right, y down, angles clockwise in degrees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Point:
    """A point or a vector, mm."""

    x: float
    y: float

    def moved(self, dx: float, dy: float) -> Point:
        """The point shifted by (dx, dy)."""
        return Point(self.x + dx, self.y + dy)

    def halfway(self, other: Point) -> Point:
        """The point between the two."""
        return Point((self.x + other.x) / 2, (self.y + other.y) / 2)

    def turned(self, degrees: float, about: Point) -> Point:
        """The point turned clockwise on the page about another."""
        angle = math.radians(degrees)
        dx, dy = self.x - about.x, self.y - about.y
        return Point(
            about.x + dx * math.cos(angle) - dy * math.sin(angle),
            about.y + dx * math.sin(angle) + dy * math.cos(angle),
        )


_PARALLEL: Final = 1e-9
ORIGIN: Final = Point(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height, mm."""

    width: float
    height: float

    @property
    def turned(self) -> Size:
        """The same size lying on its side."""
        return Size(self.height, self.width)

    def fits_in(self, other: Size, tolerance: float = 1e-6) -> bool:
        """True when this size, unturned, fits inside the other."""
        return self.width <= other.width + tolerance and self.height <= other.height + tolerance


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle by its top-left corner and size, mm."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """y of the bottom edge."""
        return self.y + self.height

    @property
    def centre(self) -> Point:
        """The middle."""
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    @property
    def size(self) -> Size:
        """Width and height."""
        return Size(self.width, self.height)

    @property
    def corners(self) -> tuple[Point, ...]:
        """Clockwise from the top left."""
        x, y, right, bottom = self.x, self.y, self.right, self.bottom
        return Point(x, y), Point(right, y), Point(right, bottom), Point(x, bottom)

    def grown(self, by: float) -> Rect:
        """Larger by `by` mm on every side (smaller if negative)."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def moved(self, dx: float, dy: float) -> Rect:
        """The rectangle shifted by (dx, dy)."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def cut_to(self, other: Rect) -> Rect:
        """The part inside the other; of no width or height when they do not meet."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(right - x, 0.0), max(bottom - y, 0.0))

    def overlaps(self, other: Rect, tolerance: float = 1e-6) -> bool:
        """True when the two share more than an edge."""
        return (
            self.x < other.right - tolerance
            and other.x < self.right - tolerance
            and self.y < other.bottom - tolerance
            and other.y < self.bottom - tolerance
        )

    def contains(self, other: Rect, tolerance: float = 1e-6) -> bool:
        """True when the other lies wholly inside."""
        return (
            other.x >= self.x - tolerance
            and other.y >= self.y - tolerance
            and other.right <= self.right + tolerance
            and other.bottom <= self.bottom + tolerance
        )


def regular_polygon(
    centre: Point, sides: int, circumradius: float, first: float
) -> tuple[Point, ...]:
    """Corners of a regular polygon, clockwise; `first` is the first corner's angle from +x."""
    return tuple(
        Point(centre.x + circumradius, centre.y).turned(first + 360 * i / sides, centre)
        for i in range(sides)
    )


def bounds(points: Sequence[Point]) -> Rect:
    """The smallest upright rectangle around the points. Raises ValueError for none."""
    xs = [p.x for p in points]
    ys = [p.y for p in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def around(boxes: Sequence[Rect]) -> Rect:
    """The smallest upright rectangle around the boxes. Raises ValueError for none."""
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    return Rect(x, y, max(box.right for box in boxes) - x, max(box.bottom for box in boxes) - y)


def polygon_overlap(one: Sequence[Point], other: Sequence[Point]) -> float:
    """The least shift, mm, that would part two convex polygons; 0 when they do not overlap. By the
    separating axis theorem."""
    depths = [_depth(one, other, axis) for axis in (*_normals(one), *_normals(other))]
    return max(0.0, min(depths))


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
