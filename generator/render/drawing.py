"""The helper `draw` of templates: SVG shapes that need arithmetic; see docs/templates.md.

Lengths in mm, angles in degrees, clockwise from 0 = to the right. Attributes are written with
underscores (`stroke_width=0.3`), colours may be names of the pack's palette.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final

from markupsafe import Markup

from generator.diagnostics import did_you_mean
from generator.render import shapes
from generator.render.shapes import XY, jitter, mm, number, parts, points, size
from generator.render.styles import Palette
from generator.sandbox import as_text
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
        return self._path(shapes.closed(_points(points, 3)), attributes)

    def polyline(self, points: Any, **attributes: Any) -> Markup:
        """A line from point to point."""
        return self._path(shapes.opened(_points(points)), _LINE | attributes)

    def regular(
        self, cx: float, cy: float, r: float, sides: int, turn: float = -90, **attributes: Any
    ) -> Markup:
        """A regular polygon; r is from the middle to a corner, the first one at `turn`."""
        cx, cy, r = _circle(cx, cy, r)
        corners = shapes.regular(cx, cy, r, parts(sides, "sides", 3), number(turn, "turn"))
        return self._path(shapes.closed(corners), attributes)

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
        corners = shapes.star(
            cx, cy, parts(points, "points", 2), outer, size(inner, "inner"), number(turn, "turn")
        )
        return self._path(shapes.closed(corners), attributes)

    def arc(
        self, cx: float, cy: float, r: float, start: float, end: float, **attributes: Any
    ) -> Markup:
        """A line along a circle from one angle to another."""
        cx, cy, r = _circle(cx, cy, r)
        start, end = number(start, "start"), number(end, "end")
        return self._path(shapes.arc(cx, cy, r, start, end), _LINE | attributes)

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
        return self._path(shapes.ring_sector(cx, cy, inner, outer, start, end), attributes)

    def rounded_rect(
        self, x: float, y: float, w: float, h: float, r: Any = 2, **attributes: Any
    ) -> Markup:
        """A rectangle with round corners: one radius, or four, clockwise from the top left."""
        radii = tuple(r) if isinstance(r, (list, tuple)) else (r,) * 4
        if len(radii) != 4:
            raise ValueError("r must be one radius or four")
        path = shapes.rounded_rect(*_box(x, y, w, h), [number(radius, "r") for radius in radii])
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
        path = shapes.gear(cx, cy, parts(teeth, "teeth", 3), outer, inner, hole)
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
        """A filled arrow from one point to another."""
        start, end = (number(x1, "x1"), number(y1, "y1")), (number(x2, "x2"), number(y2, "y2"))
        corners = shapes.arrow(start, end, size(width, "width"), size(head, "head"))
        return self._path(shapes.closed(corners), attributes)

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
        path = shapes.arc_arrow(cx, cy, r, start, end, size(width, "width"), size(head, "head"))
        return self._path(path, attributes)

    def grid(
        self, x: float, y: float, w: float, h: float, columns: int, rows: int, **attributes: Any
    ) -> Markup:
        """The lines of a grid, its frame included."""
        counts = parts(columns, "columns"), parts(rows, "rows")
        return self._path(shapes.grid(*_box(x, y, w, h), *counts), _LINE | attributes)

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
        box, gap = _box(x, y, w, h), size(gap, "gap")
        parts(math.ceil((box[2] + box[3]) / gap), "the number of lines")
        return self._path(shapes.hatch(*box, gap, number(angle, "angle")), _LINE | attributes)

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
        path = shapes.ticks(cx, cy, inner, outer, start, end, parts(count, "count"))
        return self._path(path, _LINE | attributes)

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
        around = [
            shapes.on_circle(cx, cy, radius, 360 * i / number_of) for i, radius in enumerate(radii)
        ]
        return self._path(shapes.smooth(around), attributes)

    def dots(self, points: Any, r: float = 0.5, **attributes: Any) -> Markup:
        """A disc at each point, all in one element: rivets, pips, a stipple."""
        radius = size(r, "r")
        discs = (shapes.ring_sector(x, y, 0, radius, 0, 360) for x, y in _points(points, 1))
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

    # What svgwrite would check is checked with all the rest of the face, and faster.
    path = Path(debug=False, **dict(attributes))
    path.push(data)
    return Markup(path.tostring())  # noqa: S704, svgwrite escapes the attributes


def _attribute(value: Any) -> str:
    if isinstance(value, float):
        return mm(value)
    if isinstance(value, (list, tuple)):  # stroke_dasharray=[2, 1]
        return " ".join(mm(number(item, "an item")) for item in value)
    return as_text(value)


def _points(values: Any, least: int = 2) -> Sequence[XY]:
    return points(values, least)


def _circle(cx: Any, cy: Any, r: Any) -> tuple[float, float, float]:
    return number(cx, "cx"), number(cy, "cy"), size(r, "r")


def _box(x: Any, y: Any, w: Any, h: Any) -> tuple[float, float, float, float]:
    return number(x, "x"), number(y, "y"), size(w, "w"), size(h, "h")
