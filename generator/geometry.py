"""Measures in mm: lengths in text, points, rectangles, polygons, SVG transforms, and sums.

x goes right, y down, angles are clockwise in degrees. 1 inch is 25.4 mm, 1 pt is 1/72 inch.
"""

from __future__ import annotations

import functools
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from msgspec import Struct

MM_PER_INCH: Final = 25.4
PT_PER_MM: Final = 72 / MM_PER_INCH

_MM_PER_UNIT: Final = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": 1 / PT_PER_MM}
_LENGTH: Final = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*(mm|cm|in|pt)?", re.ASCII)


def mm_to_pt(mm: float) -> float:
    """Convert millimetres to points."""
    return mm * PT_PER_MM


def pt_to_mm(pt: float) -> float:
    """Convert points to millimetres."""
    return pt / PT_PER_MM


def parse_length(text: str) -> float:
    """Convert text with an optional unit (mm, cm, in, pt; default mm) to millimetres. Raises
    ValueError."""
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a length")
    number, unit = match.groups()
    return float(number) * _MM_PER_UNIT[unit or "mm"]


def format_mm(mm: float) -> str:
    """Return millimetres as the shortest text exact to 0.1 µm: `63.5`, `25.4`, `3`."""
    return f"{mm:.4f}".rstrip("0").rstrip(".") if mm else "0"


_Number = TypeVar("_Number", int, float)


def summed(numbers: Iterable[_Number]) -> _Number:
    """Add numbers one after the other. From Python 3.12 on, `sum` rounds floats differently."""
    return functools.reduce(operator.add, numbers, 0)


class Point(Struct, frozen=True):
    """A point or vector, mm."""

    x: float
    y: float

    def moved(self, dx: float, dy: float) -> Point:
        """Return the point shifted by (dx, dy)."""
        return Point(self.x + dx, self.y + dy)

    def halfway(self, other: Point) -> Point:
        """Return the point between the two."""
        return Point((self.x + other.x) / 2, (self.y + other.y) / 2)

    def turned(self, degrees: float, about: Point) -> Point:
        """Return the point turned clockwise about another."""
        angle = math.radians(degrees)
        dx, dy = self.x - about.x, self.y - about.y
        return Point(
            about.x + dx * math.cos(angle) - dy * math.sin(angle),
            about.y + dx * math.sin(angle) + dy * math.cos(angle),
        )


ORIGIN: Final = Point(0.0, 0.0)


class Size(Struct, frozen=True):
    """Width and height, mm."""

    width: float
    height: float

    @property
    def turned(self) -> Size:
        """Return the size lying on its side."""
        return Size(self.height, self.width)

    def fits_in(self, other: Size, tolerance: float = 1e-6) -> bool:
        """Return whether this size fits inside the other without turning."""
        return self.width <= other.width + tolerance and self.height <= other.height + tolerance


class Rect(Struct, frozen=True):
    """A rectangle by its top left corner and size, mm."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Return y of the bottom edge."""
        return self.y + self.height

    @property
    def centre(self) -> Point:
        """Return the centre."""
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    @property
    def size(self) -> Size:
        """Return width and height."""
        return Size(self.width, self.height)

    @property
    def corners(self) -> tuple[Point, ...]:
        """Return the corners, clockwise from the top left."""
        x, y, right, bottom = self.x, self.y, self.right, self.bottom
        return Point(x, y), Point(right, y), Point(right, bottom), Point(x, bottom)

    def grown(self, by: float) -> Rect:
        """Return the rectangle grown by `by` mm on every side."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def moved(self, dx: float, dy: float) -> Rect:
        """Return the rectangle shifted by (dx, dy)."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def cut_to(self, other: Rect) -> Rect:
        """Return the part inside the other; of no width or height if they do not meet."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(right - x, 0.0), max(bottom - y, 0.0))

    def overlaps(self, other: Rect, tolerance: float = 1e-6) -> bool:
        """Return whether the two share more than an edge."""
        return (
            self.x < other.right - tolerance
            and other.x < self.right - tolerance
            and self.y < other.bottom - tolerance
            and other.y < self.bottom - tolerance
        )

    def contains(self, other: Rect, tolerance: float = 1e-6) -> bool:
        """Return whether the other lies inside."""
        return (
            other.x >= self.x - tolerance
            and other.y >= self.y - tolerance
            and other.right <= self.right + tolerance
            and other.bottom <= self.bottom + tolerance
        )


def regular_polygon(
    centre: Point, sides: int, circumradius: float, first: float
) -> tuple[Point, ...]:
    """Return the corners of a regular polygon, clockwise; `first` is the angle of the first."""
    return tuple(
        Point(centre.x + circumradius, centre.y).turned(first + 360 * i / sides, centre)
        for i in range(sides)
    )


def bounds(points: Sequence[Point]) -> Rect:
    """Return the smallest upright rectangle around points. Raises ValueError if there are none."""
    xs = [p.x for p in points]
    ys = [p.y for p in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def around(boxes: Sequence[Rect]) -> Rect:
    """Return the smallest upright rectangle around boxes. Raises ValueError if there are none."""
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    return Rect(x, y, max(box.right for box in boxes) - x, max(box.bottom for box in boxes) - y)


def polygon_overlap(one: Sequence[Point], other: Sequence[Point]) -> float:
    """Return the least shift, mm, that separates two convex polygons, or 0 (separating axis
    theorem)."""
    depths = [_depth(one, other, axis) for axis in (*_normals(one), *_normals(other))]
    return max(0.0, min(depths))


def depth_inside(point: Point, corners: Sequence[Point]) -> float:
    """Return the distance of a point from the nearest edge of an outline, mm; negative outside."""
    return min(
        (start.x - point.x) * out.x + (start.y - point.y) * out.y
        for start, out in zip(corners, _normals(corners), strict=True)
    )


def _normals(corners: Sequence[Point]) -> list[Point]:
    """Return a unit vector across each edge."""
    normals = []
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        dx, dy = end.x - start.x, end.y - start.y
        length = math.hypot(dx, dy) or 1.0
        normals.append(Point(dy / length, -dx / length))
    return normals


def _depth(one: Sequence[Point], other: Sequence[Point], axis: Point) -> float:
    """Return how far two outlines overlap along an axis; a gap is negative."""
    a = [p.x * axis.x + p.y * axis.y for p in one]
    b = [p.x * axis.x + p.y * axis.y for p in other]
    return min(max(a), max(b)) - max(min(a), min(b))


MAX_PLACE: Final = 1e6
"""The largest number in a transform."""

# Possessive (++, *+) to avoid backtracking.
_STEP: Final = re.compile(r"\s*+(?:,\s*+)?+(\w++)\s*+\(([^()]*+)\)")
_NUMBER: Final = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?")
_SEPARATOR: Final = re.compile(r"[\s,]*")


class Matrix(NamedTuple):
    """x' = a·x + c·y + e, y' = b·x + d·y + f."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def then(self, inner: Matrix) -> Matrix:
        """Return this transform applied after the inner one."""
        a, b, c, d, e, f = self
        p, q, r, s, t, u = inner
        # Twice as fast as Matrix(…), in the most frequent step of drawing.
        return tuple.__new__(
            Matrix,
            (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s,
             a * t + c * u + e, b * t + d * u + f),
        )  # fmt: skip

    @property
    def inverse(self) -> Matrix:
        """Return the inverse. Raises ZeroDivisionError."""
        a, b, c, d, e, f = self
        area = self.area
        return Matrix(
            d / area,
            -b / area,
            -c / area,
            a / area,
            (c * f - d * e) / area,
            (b * e - a * f) / area,
        )

    def point(self, point: Point) -> Point:
        """Return the transformed point."""
        return Point(
            self.a * point.x + self.c * point.y + self.e,
            self.b * point.x + self.d * point.y + self.f,
        )

    @property
    def across(self) -> float:
        """Return the scale along x."""
        return math.hypot(self.a, self.b)

    @property
    def down(self) -> float:
        """Return the scale along y."""
        return math.hypot(self.c, self.d)

    @property
    def area(self) -> float:
        """Return the scale of areas; negative if mirrored."""
        return self.a * self.d - self.b * self.c

    def box(self, rect: Rect) -> Rect:
        """Return the upright rectangle around a transformed one."""
        if self is IDENTITY:
            return rect
        a, b, c, d, e, f = self
        if not (b or c):  # no rotation, as usual
            x, y = a * rect.x + e, d * rect.y + f
            width, height = a * rect.width, d * rect.height
            return Rect(min(x, x + width), min(y, y + height), abs(width), abs(height))
        xs = [a * x + c * y + e for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]
        ys = [b * x + d * y + f for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]
        return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


IDENTITY: Final = Matrix()


@functools.lru_cache(4096)
def parse_transform(text: str) -> Matrix:
    """Return the matrix of a list such as `translate(3 4) rotate(90)`. Raises ValueError."""
    matrix, at = IDENTITY, 0
    while found := _STEP.match(text, at):
        name, values = found.groups()
        if _SEPARATOR.sub("", _NUMBER.sub("", values)):
            raise ValueError(f"{name}({values}) has something other than numbers")
        numbers = tuple(map(float, _NUMBER.findall(values)))
        if any(abs(number) > MAX_PLACE for number in numbers):
            raise ValueError(f"{name}({values}) has a number over {MAX_PLACE:,.0f}")
        matrix = matrix.then(_step(name, numbers))
        at = found.end()
    if text[at:].strip():
        raise ValueError(f"{text[at:].strip()!r} is not a transform")
    return matrix


def _step(name: str, values: tuple[float, ...]) -> Matrix:
    """Return the matrix of one function of a transform (SVG 1.1, section 7.6)."""
    make = _STEPS.get((name, len(values)))
    if make is None:
        count = f"{len(values)} number{'s' * (len(values) != 1)}"
        raise ValueError(f"there is no {name} with {count}")
    return make(*values)


def _turn(angle: float, x: float = 0, y: float = 0) -> Matrix:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    about = Matrix(cos, sin, -sin, cos)
    return Matrix(e=x, f=y).then(about).then(Matrix(e=-x, f=-y))


_STEPS: Final[Mapping[tuple[str, int], Callable[..., Matrix]]] = {
    ("matrix", 6): Matrix,
    ("translate", 1): lambda x: Matrix(e=x),
    ("translate", 2): lambda x, y: Matrix(e=x, f=y),
    ("scale", 1): lambda x: Matrix(a=x, d=x),
    ("scale", 2): lambda x, y: Matrix(a=x, d=y),
    ("rotate", 1): _turn,
    ("rotate", 3): _turn,
    ("skewX", 1): lambda angle: Matrix(c=math.tan(math.radians(angle))),
    ("skewY", 1): lambda angle: Matrix(b=math.tan(math.radians(angle))),
}
