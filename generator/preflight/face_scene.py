"""Finds out what lies behind and in front of a place on a face, by geometry alone.

A place is judged only where the answer is certain. An outline that crosses it, a clip path of any
shape, a gradient or a drawing of the SVG engine makes it unknown.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from generator.geometry import Matrix, Point, Rect
from generator.luminance import gamma, laid_over, luminance
from generator.model.painted import (
    FaceGeometry,
    Painted,
    PaintedArt,
    PaintedPicture,
    PaintedShape,
    PaintedText,
    PictureLooks,
    Segment,
)

OPAQUE: Final = 0.99
PAPER: Final = "#ffffff"
_CURVE: Final = 4
"""Straight lines that replace a curve."""
_MOST_STEPS: Final = 400
"""Most steps of an outline that is followed; longer ones are unknown."""
_BAND: Final = 5.0
"""mm: things are looked up by the horizontal bands that they cover."""
_FEW: Final = 100
"""Things of a face that are searched one by one."""

Edge = tuple[float, float, float, float]
"""A straight line of an outline: from x, y to x, y."""


class Ground(NamedTuple):
    """The area behind a place: its least and most luminance, and its colour ("" on a picture)."""

    least: float
    most: float
    colour: str = ""


class Cover(Enum):
    """The relation of a thing to a box."""

    BESIDE = 0
    WHOLE = 1
    PART = 2
    UNKNOWN = 3


class Scene:
    """Answers questions about one face."""

    def __init__(self, face: FaceGeometry, looks: PictureLooks) -> None:
        self.face = face
        self.painted = face.painted
        self._looks = looks
        self.boxes = [
            (box.x, box.y, box.x + box.width, box.y + box.height)
            for box in [thing.box for thing in face.painted]
        ]
        self._grounds = [
            at for at, thing in enumerate(face.painted) if not isinstance(thing, PaintedText)
        ]

    @cached_property
    def _bands(self) -> dict[int, list[int]]:
        """The numbers of things by band. Things as high as the face are in band -1,000,000."""
        bands: dict[int, list[int]] = defaultdict(list)
        for at in self._grounds:
            _, top, _, bottom = self.boxes[at]
            first, last = int(top // _BAND), int(bottom // _BAND)
            if last - first > 8:
                bands[_TALL].append(at)
            else:
                for band in range(first, last + 1):
                    bands[band].append(at)
        return bands

    def near(self, box: Rect, first: int, end: int) -> Iterator[int]:
        """Yield the numbers, from `first` to before `end`, of the things whose boxes meet a box,
        the last painted first."""
        x, y, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
        boxes = self.boxes
        for at in self._candidates(y, bottom, first, end):
            left, top, far, low = boxes[at]
            if left < right and x < far and top < bottom and y < low:
                yield at

    def _candidates(self, top: float, bottom: float, first: int, end: int) -> Iterable[int]:
        numbers: Sequence[int] = self._grounds
        if len(numbers) > _FEW:
            bands = self._bands
            rows = range(int(top // _BAND), int(bottom // _BAND) + 1)
            numbers = sorted({at for row in (*rows, _TALL) for at in bands.get(row, ())})
        return reversed(numbers[bisect_left(numbers, first) : bisect_left(numbers, end)])

    def ground(self, box: Rect, end: int) -> Ground | None:
        """Return the ground of a box below thing number `end`; None if it is unknown or not
        uniform."""
        return self._walk(box, end, None)

    def ground_at(self, point: Point, box: Rect, end: int) -> Ground | None:
        """Return the ground of a point; `box` is the part of a picture around it that counts."""
        return self._walk(box, end, point)

    def _walk(self, box: Rect, end: int, point: Point | None) -> Ground | None:
        """Return the first thing below that hides everything before it."""
        place = box if point is None else Rect(point.x, point.y, 0.0, 0.0).grown(_HAIR)
        veils: list[tuple[str, float]] = []
        for at in self.near(place, 0, end):
            thing = self.painted[at]
            if point is not None and _is_thin(thing, box):
                continue
            cover = self.cover(at, place)
            if cover is Cover.BESIDE:
                continue
            if cover is not Cover.WHOLE:
                return None
            if isinstance(thing, PaintedPicture):
                return self._picture_ground(thing, box, veils)
            assert isinstance(thing, PaintedShape)
            if not thing.colour:
                return None
            if thing.opacity >= OPAQUE:
                return _seen(thing.colour, veils)
            veils.append((thing.colour, thing.opacity))
        return _seen(PAPER, veils)

    def _picture_ground(
        self, picture: PaintedPicture, box: Rect, veils: Sequence[tuple[str, float]]
    ) -> Ground | None:
        if picture.see_through or picture.opacity < OPAQUE or not picture.matrix.area:
            return None
        look = self._looks(picture)
        if look is None:
            return None
        least, most = look.luminance(picture.matrix.inverse.box(box))
        return Ground(_veiled(least, veils), _veiled(most, veils))

    def cover(self, at: int, box: Rect) -> Cover:
        """Return the relation of a thing to a box that its own box meets."""
        thing = self.painted[at]
        if isinstance(thing, PaintedShape):
            found = self._shape_cover(at, thing, box)
        elif isinstance(thing, PaintedPicture):
            found = _picture_cover(thing, box)
        else:
            return Cover.UNKNOWN if isinstance(thing, PaintedArt) else Cover.BESIDE
        return Cover.UNKNOWN if thing.clipped and found is not Cover.BESIDE else found

    def _shape_cover(self, at: int, shape: PaintedShape, box: Rect) -> Cover:
        if shape.solid and not shape.line:
            return Cover.WHOLE if _contains(self.boxes[at], box) else Cover.PART
        if len(shape.segments) > _MOST_STEPS:
            return Cover.UNKNOWN
        lines = edges(shape.segments, shape.matrix, not shape.line)
        reach = shape.line / 2
        x, y, right, bottom = box.x - reach, box.y - reach, box.right + reach, box.bottom + reach
        for x1, y1, x2, y2 in lines:
            if (
                (x1 < right or x2 < right)
                and (x1 > x or x2 > x)
                and (y1 < bottom or y2 < bottom)
                and (y1 > y or y2 > y)
                and _crosses((x1, y1, x2, y2), (x, y, right, bottom))
            ):
                return self._beside_line(shape, lines, box) if shape.line else Cover.PART
        if shape.line:
            return Cover.BESIDE
        if not _contains(self.boxes[at], box):
            return Cover.BESIDE  # the outline may be cut by a clip path or lie elsewhere
        return _inside(lines, box.centre)

    @staticmethod
    def _beside_line(shape: PaintedShape, lines: Sequence[Edge], box: Rect) -> Cover:
        """Return whether a small box lies on a thick line."""
        farthest = math.hypot(box.width, box.height) / 2
        near = min(_distance(box.centre, line) for line in lines)
        if near + farthest <= shape.line / 2:
            return Cover.WHOLE
        return Cover.BESIDE if near - farthest >= shape.line / 2 else Cover.PART


_TALL: Final = -1_000_000
_HAIR: Final = 1e-4
_THIN: Final = 0.5
"""Share of a place: a narrower line is not its ground."""


def _is_thin(thing: Painted, box: Rect) -> bool:
    """Return whether a line through a letter is too thin to be its ground."""
    return isinstance(thing, PaintedShape) and 0 < thing.line < _THIN * min(box.width, box.height)


def _veiled(light: float, veils: Sequence[tuple[str, float]]) -> float:
    """Return the luminance of a grey seen through a translucent thing."""
    if not veils:
        return light
    level = round(255 * gamma(light))
    return _seen(f"#{level:02x}{level:02x}{level:02x}", veils).least


def _seen(colour: str, veils: Sequence[tuple[str, float]]) -> Ground:
    for veil, opacity in reversed(veils):
        colour = laid_over(veil, opacity, colour)
    light = luminance(colour)
    return Ground(light, light, colour)


def _contains(edges_: Edge, box: Rect) -> bool:
    x, y, right, bottom = edges_
    near = 0.02  # mm that nobody sees
    return (
        x <= box.x + near
        and y <= box.y + near
        and right >= box.x + box.width - near
        and bottom >= box.y + box.height - near
    )


def _picture_cover(picture: PaintedPicture, box: Rect) -> Cover:
    a, b, c, d, _, _ = picture.matrix
    if (not b and not c) or (not a and not d):
        whole = picture.box.contains(box, 0.02)
        return Cover.WHOLE if whole else Cover.PART
    if not picture.matrix.area:
        return Cover.BESIDE
    if not picture.box.contains(box, 0.02):
        return Cover.UNKNOWN
    back = picture.matrix.inverse
    inside = [0 <= p.x <= 1 and 0 <= p.y <= 1 for p in map(back.point, box.corners)]
    return Cover.WHOLE if all(inside) else Cover.UNKNOWN


@lru_cache(4096)
def edges(segments: tuple[Segment, ...], matrix: Matrix, filled: bool) -> tuple[Edge, ...]:
    """Return the straight lines of an outline on the face, mm, with curves as a few lines; filled
    parts are closed."""
    a, b, c, d, e, f = matrix
    found: list[Edge] = []
    x = y = start_x = start_y = 0.0
    if filled:
        segments = (*segments, ("M", (0.0, 0.0)))  # closes the last part
    for step, values in segments:
        points = [
            (a * px + c * py + e, b * px + d * py + f)
            for px, py in zip(values[::2], values[1::2], strict=True)
        ]
        if step == "M":
            if filled and (x, y) != (start_x, start_y):
                found.append((x, y, start_x, start_y))
            x, y = start_x, start_y = points[0]
            continue
        ends = [(start_x, start_y)] if step == "Z" else points
        for to_x, to_y in _on_curve(x, y, points) if step == "C" else ends:
            found.append((x, y, to_x, to_y))
            x, y = to_x, to_y
    return tuple(found)


def _on_curve(
    x: float, y: float, points: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, float]]:
    (x1, y1), (x2, y2), (x3, y3) = points
    for step in range(1, _CURVE):
        t = step / _CURVE
        s = 1 - t
        p, q, r, u = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        yield p * x + q * x1 + r * x2 + u * x3, p * y + q * y1 + r * y2 + u * y3
    yield x3, y3


def _crosses(line: Edge, box: Edge) -> bool:
    """Return whether a line enters a box (Liang and Barsky)."""
    x1, y1, x2, y2 = line
    left, top, right, bottom = box
    dx, dy = x2 - x1, y2 - y1
    first, last = 0.0, 1.0
    for way, room in ((-dx, x1 - left), (dx, right - x1), (-dy, y1 - top), (dy, bottom - y1)):
        if way == 0:
            if room < 0:
                return False
        elif way < 0:
            first = max(first, room / way)
        else:
            last = min(last, room / way)
    return first < last


def _inside(lines: Sequence[Edge], point: Point) -> Cover:
    """Return whether a point is inside a closed outline; unknown where the fill rules differ."""
    x, y = point.x, point.y
    crossed = turns = 0
    for x1, y1, x2, y2 in lines:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossed += 1
            turns += 1 if y2 > y1 else -1
    if bool(turns) != bool(crossed % 2):
        return Cover.UNKNOWN
    return Cover.WHOLE if turns else Cover.BESIDE


def _distance(point: Point, line: Edge) -> float:
    x1, y1, x2, y2 = line
    dx, dy = x2 - x1, y2 - y1
    long = dx * dx + dy * dy
    t = ((point.x - x1) * dx + (point.y - y1) * dy) / long if long else 0.0
    t = min(max(t, 0.0), 1.0)
    return math.hypot(point.x - x1 - t * dx, point.y - y1 - t * dy)
