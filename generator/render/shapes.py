"""The template helper `draw`: SVG shapes that need arithmetic. See docs/templates.md.

Lengths are in mm, angles in degrees, clockwise from the right. Attributes have underscores
(`stroke_width=0.3`); colours may be names of the palette. Random shapes follow from a seed.
"""

from __future__ import annotations

import functools
import hashlib
import math
import struct
from collections.abc import Iterable, Sequence
from typing import Any, Final

from jinja2 import Undefined
from markupsafe import Markup

from generator.diagnostics import did_you_mean
from generator.geometry import Point, regular_polygon
from generator.render.styles import Palette
from generator.sandbox import as_text, described
from generator.svg_subset import ELEMENTS

_PAINTS: Final = ("fill", "stroke")
_KEPT: Final = 8192
_LINE: Final = {"fill": "none"}
_ATTRIBUTES: Final = frozenset(ELEMENTS["path"]) - {"d"}
_WRITTEN: Final = [name.replace("-", "_") for name in _ATTRIBUTES]


class Draw:
    """Shapes that need arithmetic; plain ones are written as SVG."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette

    def polygon(self, points: Any, **attributes: Any) -> Markup:
        """A closed shape with straight sides: `[[x, y], …]`."""
        return self._path(closed(point_list(points, 3)), attributes)

    def polyline(self, points: Any, **attributes: Any) -> Markup:
        """A line from point to point."""
        return self._path(open_line(point_list(points)), _LINE | attributes)

    def regular(
        self, cx: float, cy: float, r: float, sides: int, turn: float = -90, **attributes: Any
    ) -> Markup:
        """A regular polygon; r is from the middle to a corner, the first one at `turn`."""
        cx, cy, r = _circle(cx, cy, r)
        middle = Point(cx, cy)
        corners = regular_polygon(middle, parts(sides, "sides", 3), r, number(turn, "turn"))
        return self._path(closed((corner.x, corner.y) for corner in corners), attributes)

    def hexagon(
        self, cx: float, cy: float, across_flats: float, pointy: bool = True, **attributes: Any
    ) -> Markup:
        """A regular hexagon by its width across flats, a corner (pointy) or a side at the top."""
        r = size(across_flats, "across_flats") / math.sqrt(3)
        return self.regular(cx, cy, r, 6, -90 if pointy else 0, **attributes)

    def star(
        self,
        cx: float,
        cy: float,
        points: int,
        outer: float,
        inner: float,
        turn: float = -90,
        **attributes: Any,
    ) -> Markup:
        """A star of 2 points or more, the first one at `turn`."""
        cx, cy, outer = _circle(cx, cy, outer)
        count, turn = parts(points, "points", 2), number(turn, "turn")
        radii = outer, size(inner, "inner")
        corners = [
            on_circle(cx, cy, radii[i % 2], turn + 180 / count * i) for i in range(2 * count)
        ]
        return self._path(closed(corners), attributes)

    def arc(
        self, cx: float, cy: float, r: float, start: float, end: float, **attributes: Any
    ) -> Markup:
        """A line along a circle from one angle to another."""
        cx, cy, r = _circle(cx, cy, r)
        start, end = number(start, "start"), number(end, "end")
        return self._path(arc(cx, cy, r, start, end), _LINE | attributes)

    def ring_sector(
        self,
        cx: float,
        cy: float,
        inner: float,
        outer: float,
        start: float,
        end: float,
        **attributes: Any,
    ) -> Markup:
        """A piece of a ring, or of a disc when `inner` is 0, from one angle to another."""
        cx, cy, outer = _circle(cx, cy, outer)
        inner = max(0.0, number(inner, "inner"))
        start, end = number(start, "start"), number(end, "end")
        return self._path(ring_sector(cx, cy, inner, outer, start, end), attributes)

    def rounded_rect(
        self, x: float, y: float, w: float, h: float, r: Any = 2, **attributes: Any
    ) -> Markup:
        """A rectangle with round corners: one radius, or four, clockwise from the top left."""
        radii = tuple(r) if isinstance(r, (list, tuple)) else (r,) * 4
        if len(radii) != 4:
            raise ValueError("r must be one radius or four")
        path = rounded_rect(*_box(x, y, w, h), [number(radius, "r") for radius in radii])
        return self._path(path, attributes)

    def gear(
        self,
        cx: float,
        cy: float,
        teeth: int,
        outer: float,
        inner: float,
        hole: float = 0,
        **attributes: Any,
    ) -> Markup:
        """A cogwheel with its teeth between two radii; `hole` is the radius of its hole."""
        cx, cy, outer = _circle(cx, cy, outer)
        inner, hole = size(inner, "inner"), max(0.0, number(hole, "hole"))
        count = parts(teeth, "teeth", 3)
        pitch = 360 / count
        corners = [
            on_circle(cx, cy, r, i * pitch + share * pitch - 90)
            for i in range(count)
            for r, share in ((inner, -0.28), (outer, -0.17), (outer, 0.17), (inner, 0.28))
        ]
        path = closed(corners) + (ring_sector(cx, cy, 0, hole, 0, 360) if hole else "")
        return self._path(path, {"fill_rule": "evenodd"} | attributes)

    def arrow(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        width: float = 1,
        head: float = 3,
        **attributes: Any,
    ) -> Markup:
        """A filled arrow from one point to another; its head is `head` long and wide."""
        x1, y1, x2, y2 = number(x1, "x1"), number(y1, "y1"), number(x2, "x2"), number(y2, "y2")
        length = math.hypot(x2 - x1, y2 - y1)
        if not length:
            raise ValueError("an arrow must not begin where it ends")
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        half, wide = size(width, "width") / 2, size(head, "head") / 2
        neck = max(0.0, length - head)
        outline = ((0, half), (neck, half), (neck, wide), (length, 0), (neck, -wide),
                   (neck, -half), (0, -half))  # fmt: skip
        corners = (
            (x1 + ux * along - uy * aside, y1 + uy * along + ux * aside) for along, aside in outline
        )
        return self._path(closed(corners), attributes)

    def arc_arrow(
        self,
        cx: float,
        cy: float,
        r: float,
        start: float,
        end: float,
        width: float = 1,
        head: float = 3,
        **attributes: Any,
    ) -> Markup:
        """A filled arrow along a circle, from one angle to another."""
        cx, cy, r = _circle(cx, cy, r)
        start, end = number(start, "start"), number(end, "end")
        half, wide = size(width, "width") / 2, size(head, "head") / 2
        way = 1 if end >= start else -1
        neck = end - way * math.degrees(min(head / r, math.radians(abs(end - start))))
        shaft, inside = arc(cx, cy, r + half, start, neck), arc(cx, cy, r - half, neck, start)
        tip = ((r + wide, neck), (r, end), (r - wide, neck))
        corners = (on_circle(cx, cy, reach, angle) for reach, angle in tip)
        lines = "".join(f"L{mm(x)} {mm(y)}" for x, y in corners)
        return self._path(f"{shaft}{lines}L{inside[1:]}Z", attributes)

    def grid(
        self, x: float, y: float, w: float, h: float, columns: int, rows: int, **attributes: Any
    ) -> Markup:
        """The lines of a grid, its frame included."""
        x, y, w, h = _box(x, y, w, h)
        across, down = parts(columns, "columns"), parts(rows, "rows")
        upright = (f"M{mm(x + w * i / across)} {mm(y)}V{mm(y + h)}" for i in range(across + 1))
        level = (f"M{mm(x)} {mm(y + h * i / down)}H{mm(x + w)}" for i in range(down + 1))
        return self._path("".join((*upright, *level)), _LINE | attributes)

    def hatch(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        gap: float = 1,
        angle: float = 45,
        **attributes: Any,
    ) -> Markup:
        """Parallel lines that fill a box, where a pattern would not print right."""
        (x, y, w, h), gap = _box(x, y, w, h), size(gap, "gap")
        parts(math.ceil((w + h) / gap), "the number of lines")
        turn = math.radians(number(angle, "angle"))
        ux, uy = math.cos(turn), math.sin(turn)
        cx, cy = x + w / 2, y + h / 2
        count = math.floor((abs(uy) * w + abs(ux) * h) / 2 / gap)
        lines = (
            _cut(cx - uy * gap * i, cy + ux * gap * i, ux, uy, (x, y, x + w, y + h))
            for i in range(-count, count + 1)
        )
        return self._path("".join(map(open_line, filter(None, lines))), _LINE | attributes)

    def ticks(
        self,
        cx: float,
        cy: float,
        inner: float,
        outer: float,
        start: float,
        end: float,
        count: int,
        **attributes: Any,
    ) -> Markup:
        """The marks of a dial between two radii, the first at one angle, the last at another."""
        cx, cy, outer = _circle(cx, cy, outer)
        inner, start, end = number(inner, "inner"), number(start, "start"), number(end, "end")
        number_of = parts(count, "count")
        steps = max(1, number_of - 1)
        angles = (start + (end - start) * i / steps for i in range(number_of))
        lines = ([on_circle(cx, cy, r, angle) for r in (inner, outer)] for angle in angles)
        return self._path("".join(map(open_line, lines)), _LINE | attributes)

    def blob(
        self,
        cx: float,
        cy: float,
        r: float,
        seed: Any = 0,
        rough: float = 0.15,
        count: int = 9,
        **attributes: Any,
    ) -> Markup:
        """A round shape as if drawn by hand, another one for each seed."""
        cx, cy, r = _circle(cx, cy, r)
        number_of = parts(count, "count", 3)
        shifts = jitter(as_text(seed), number_of)
        radii = [r * (1 + number(rough, "rough") * shift) for shift in shifts]
        around = [on_circle(cx, cy, radius, 360 * i / number_of) for i, radius in enumerate(radii)]
        return self._path(smooth(around), attributes)

    def dots(self, points: Any, r: float = 0.5, **attributes: Any) -> Markup:
        """A disc at each point, all in one element: rivets, pips, a stipple."""
        radius = size(r, "r")
        discs = (ring_sector(x, y, 0, radius, 0, 360) for x, y in point_list(points, 1))
        return self._path("".join(discs), attributes)

    def _path(self, data: str, attributes: dict[str, Any]) -> Markup:
        checked = []
        for name, value in attributes.items():
            if name.replace("_", "-") not in _ATTRIBUTES:
                message = f"a shape has no {name!r}: {did_you_mean(name, _WRITTEN)}"
                raise AttributeError(message, name=name)
            is_paint = name in _PAINTS
            text = self._palette.paint(value) if is_paint else _attribute(value)
            checked.append((name, text))
        return _element(data, tuple(checked))


@functools.lru_cache(_KEPT)
def _element(data: str, attributes: tuple[tuple[str, str], ...]) -> Markup:
    from svgwrite.path import Path  # noqa: PLC0415, takes a while, and not all packs need it

    # svgwrite's own checks are slow, and the whole face is checked later.
    path = Path(debug=False, **dict(attributes))
    path.push(data)
    return Markup(path.tostring())  # noqa: S704, svgwrite escapes the attributes


def _attribute(value: Any) -> str:
    if isinstance(value, float):
        return mm(value)
    if isinstance(value, (list, tuple)):  # stroke_dasharray=[2, 1]
        return " ".join(mm(number(item, "an item")) for item in value)
    return as_text(value)


def _circle(cx: Any, cy: Any, r: Any) -> tuple[float, float, float]:
    return number(cx, "cx"), number(cy, "cy"), size(r, "r")


def _box(x: Any, y: Any, w: Any, h: Any) -> tuple[float, float, float, float]:
    return number(x, "x"), number(y, "y"), size(w, "w"), size(h, "h")


MAX_PARTS: Final = 2_000
MAX_PLACE: Final = 1e6
_PLAIN: Final = frozenset((int, float))


def number(value: Any, name: str) -> float:
    """Return a finite number. Raises TypeError or ValueError with the argument's name."""
    if type(value) in _PLAIN and -MAX_PLACE <= value <= MAX_PLACE:
        return value  # type: ignore[no-any-return]
    if isinstance(value, Undefined):
        str(value)  # raises, naming what is not there
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {described(value)}")
    raise ValueError(f"{name} is {value}, which is not a place on a face")


def size(value: Any, name: str) -> float:
    """Return a number greater than 0."""
    checked = number(value, name)
    if checked <= 0:
        raise ValueError(f"{name} is {mm(checked)}, and must be more than 0")
    return checked


def parts(value: Any, name: str, least: int = 1) -> int:
    """Return a number of things to draw, at most `MAX_PARTS`."""
    checked = number(value, name)
    if checked != int(checked) or not least <= checked <= MAX_PARTS:
        raise ValueError(f"{name} is {mm(checked)}, and must be a whole number "
                         f"from {least} to {MAX_PARTS}")  # fmt: skip
    return int(checked)


def point_list(values: Any, least: int = 2) -> tuple[tuple[float, float], ...]:
    """Return a list of points [x, y]."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"points must be a list of [x, y], not {described(values)}")
    checked = tuple(_point(value) for value in values)
    if not least <= len(checked) <= MAX_PARTS:
        raise ValueError(f"{len(checked)} points are given; from {least} to {MAX_PARTS} can be")
    return checked


def _point(value: Any) -> tuple[float, float]:
    if isinstance(value, str) or not isinstance(value, (list, tuple)) or len(value) != 2:
        raise TypeError("each of the points must be [x, y]")
    return number(value[0], "x"), number(value[1], "y")


def mm(value: float) -> str:
    """Return a length as the shortest text with an error below 0.001 mm."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


XY = tuple[float, float]


def on_circle(cx: float, cy: float, r: float, angle: float) -> XY:
    """Return the point at a distance and angle from a centre."""
    turn = math.radians(angle)
    return cx + r * math.cos(turn), cy + r * math.sin(turn)


def closed(points: Iterable[XY]) -> str:
    """Return the path of a polygon."""
    return open_line(points) + "Z"


def open_line(points: Iterable[XY]) -> str:
    """Return the path of a line."""
    return "M" + "L".join(f"{mm(x)} {mm(y)}" for x, y in points)


def arc(cx: float, cy: float, r: float, start: float, end: float) -> str:
    """Return a part of a circle, clockwise if `end` is the larger angle; a whole turn at most."""
    sweep = max(-360.0, min(360.0, end - start))
    # One SVG arc cannot go all the way round, so each takes a third at most.
    pieces = max(1, math.ceil(abs(sweep) / 120 - 1e-9))
    x, y = on_circle(cx, cy, r, start)
    data = [f"M{mm(x)} {mm(y)}"]
    for i in range(1, pieces + 1):
        x, y = on_circle(cx, cy, r, start + sweep * i / pieces)
        data.append(f"A{mm(r)} {mm(r)} 0 0 {int(sweep >= 0)} {mm(x)} {mm(y)}")
    return "".join(data)


def ring_sector(cx: float, cy: float, inner: float, outer: float, start: float, end: float) -> str:
    """Return a part of a ring, or of a disc if `inner` is 0; all of it from 360° on."""
    if abs(end - start) >= 360:
        hole = arc(cx, cy, inner, start + 360, start) + "Z" if inner else ""
        return arc(cx, cy, outer, start, start + 360) + "Z" + hole
    outside = arc(cx, cy, outer, start, end)
    if not inner:
        return f"{outside}L{mm(cx)} {mm(cy)}Z"
    return f"{outside}L{arc(cx, cy, inner, end, start)[1:]}Z"


def rounded_rect(x: float, y: float, w: float, h: float, radii: Sequence[float]) -> str:
    """Return a rectangle with a radius for each corner, clockwise from the top left."""
    room = min(w, h) / 2
    a, b, c, d = (min(max(0.0, radius), room) for radius in radii)
    right, bottom = x + w, y + h
    corners = (
        (a, (x, y + a), (x + a, y)),
        (b, (right - b, y), (right, y + b)),
        (c, (right, bottom - c), (right - c, bottom)),
        (d, (x + d, bottom), (x, bottom - d)),
    )
    data: list[str] = []
    for radius, (x1, y1), (x2, y2) in corners:
        data.append(f"{'L' if data else 'M'}{mm(x1)} {mm(y1)}")
        if radius:
            data.append(f"A{mm(radius)} {mm(radius)} 0 0 1 {mm(x2)} {mm(y2)}")
    return "".join(data) + "Z"


def smooth(points: Sequence[XY]) -> str:
    """Return a closed Catmull-Rom curve through points, as Béziers."""
    count, reach = len(points), 1 / 6
    data = [f"M{mm(points[0][0])} {mm(points[0][1])}"]
    for i in range(count):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (points[(i + k) % count] for k in (-1, 0, 1, 2))
        handles = (x1 + (x2 - x0) * reach, y1 + (y2 - y0) * reach,
                   x2 - (x3 - x1) * reach, y2 - (y3 - y1) * reach, x2, y2)  # fmt: skip
        data.append("C" + " ".join(map(mm, handles)))
    return "".join(data) + "Z"


def _cut(
    px: float, py: float, ux: float, uy: float, box: tuple[float, float, float, float]
) -> tuple[XY, XY] | None:
    """Return the part inside a box of the line through a point (Liang and Barsky, 1984)."""
    left, top, right, bottom = box
    near, far = -math.inf, math.inf
    for origin, way, low, high in ((px, ux, left, right), (py, uy, top, bottom)):
        if abs(way) < 1e-9:
            if not low <= origin <= high:
                return None
            continue
        ends = sorted(((low - origin) / way, (high - origin) / way))
        near, far = max(near, ends[0]), min(far, ends[1])
    if far - near < 1e-3:
        return None
    return (px + ux * near, py + uy * near), (px + ux * far, py + uy * far)


_PER_BLOCK = 16


def jitter(seed: Any, count: int) -> tuple[float, ...]:
    """Return `count` numbers from −1 to 1, spread evenly; the first ones do not depend on the
    count."""
    wanted, text = parts(count, "count"), as_text(seed)
    words = (word for block in range(-(-wanted // _PER_BLOCK)) for word in _words(block, text))
    return tuple(word / 0x7FFF_FFFF - 1 for word, _ in zip(words, range(wanted), strict=False))


def _words(block: int, seed: str) -> tuple[int, ...]:
    """Return 16 whole numbers from 0 to 2³² − 2."""
    digest = hashlib.sha512(f"{block}:{seed}".encode()).digest()
    return tuple(min(word, 0xFFFF_FFFE) for word in struct.unpack(f">{_PER_BLOCK}I", digest))


def scatter(x: float, y: float, w: float, h: float, count: int, seed: Any = 0) -> tuple[XY, ...]:
    """Return points scattered over a box, one in each cell of a grid, so that they neither clump
    nor line up."""
    x, y, w, h = number(x, "x"), number(y, "y"), size(w, "w"), size(h, "h")
    wanted = parts(count, "count")
    columns = max(1, round((wanted * w / h) ** 0.5))
    rows = -(-wanted // columns)
    across, down = jitter(f"{seed} across", wanted), jitter(f"{seed} down", wanted)
    return tuple(
        (
            x + w * (i % columns + 0.5 + 0.45 * across[i]) / columns,
            y + h * (i // columns + 0.5 + 0.45 * down[i]) / rows,
        )
        for i in range(wanted)
    )


def polar(cx: float, cy: float, r: float, angle: float) -> XY:
    """Return the point at a distance and angle from a middle."""
    return on_circle(number(cx, "cx"), number(cy, "cy"), number(r, "r"), number(angle, "angle"))
