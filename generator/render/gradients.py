"""Reads SVG gradients with opaque stops, and writes them as PDF shadings (ISO 32000-1, 8.7.4.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec import Struct

from generator.geometry import IDENTITY, Matrix, Rect, parse_transform
from generator.pdf_syntax import as_numbers
from generator.svg_subset import as_hex

_MOST_LINKS: Final = 20
_DEFAULTS: Final[Mapping[str, Mapping[str, str]]] = {
    "linearGradient": {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"},
    "radialGradient": {"cx": "50%", "cy": "50%", "r": "50%", "fx": "", "fy": ""},
}


class Stop(NamedTuple):
    """A colour of a gradient, its place from 0 to 1, and its opacity."""

    offset: float
    colour: str
    opacity: float


class Gradient(Struct, frozen=True):
    """A gradient of opaque colours, `#rrggbb`. `coords` are the ends of a linear gradient or the
    circles of a radial one; `matrix` takes them to the units of the shape, or of its box if
    `in_box`."""

    coords: tuple[float, ...]
    stops: tuple[tuple[float, str], ...]
    matrix: Matrix = IDENTITY
    in_box: bool = True

    def onto(self, box: Rect) -> Matrix | None:
        """Return the matrix onto a shape with that box; None if the box is flat."""
        if not self.in_box:
            return self.matrix
        if box.width <= 0 or box.height <= 0:
            return None
        return Matrix(box.width, 0, 0, box.height, box.x, box.y).then(self.matrix)

    def shading(self, colour: Callable[[str], str]) -> bytes:
        """Return the shading dictionary, with `colour` applied and %s for its colour space."""
        kind = 2 if len(self.coords) == 4 else 3
        function = _function([(offset, colour(paint)) for offset, paint in self.stops])
        return (
            f"<</ShadingType {kind} /Coords [{as_numbers(*self.coords)}] /Extend [true true] "
            f"/Function {function} /ColorSpace %s>>"
        ).encode()


def _function(stops: Sequence[tuple[float, str]]) -> str:
    pairs = [(one, other) for one, other in pairwise(stops) if other[0] > one[0]]
    parts = [
        f"<</FunctionType 2 /Domain [0 1] /N 1 /C0 [{_parts(one)}] /C1 [{_parts(other)}]>>"
        for (_, one), (_, other) in pairs
    ]
    if len(parts) == 1:
        return parts[0]
    between = as_numbers(*(offset for (offset, _), _ in pairs[1:]))
    encode = " ".join(["0 1"] * len(parts))
    return (
        f"<</FunctionType 3 /Domain [0 1] /Functions [{' '.join(parts)}] "
        f"/Bounds [{between}] /Encode [{encode}]>>"
    )


def _parts(colour: str) -> str:
    return as_numbers(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))


Known = Mapping[str, tuple[str, Mapping[str, str], Sequence[Stop]]]
"""Gradients by name: their element, attributes and stops."""


def gradient_of(name: str, known: Known) -> Gradient | None:
    """Return a gradient by its name, with what it inherits from others; None if plain shadings
    cannot paint it."""
    given: dict[str, str] = {}
    stops: Sequence[Stop] = ()
    kind, at = "", name
    for _ in range(_MOST_LINKS):
        if at not in known:
            return None
        element, attributes, own = known[at]
        kind = kind or element
        given = {**attributes, **given}
        stops = stops or own
        if "href" not in attributes:
            break
        at = attributes["href"].removeprefix("#")
    colours = _colours(stops)
    if len(colours) < 2 or given.get("spreadMethod", "pad") != "pad":
        return None
    try:
        in_box = given.get("gradientUnits", "objectBoundingBox") == "objectBoundingBox"
        coords = _coords(kind, given, in_box)
        matrix = parse_transform(given.get("gradientTransform", ""))
    except ValueError:
        return None
    return None if coords is None else Gradient(coords, colours, matrix, in_box)


def _colours(stops: Sequence[Stop]) -> tuple[tuple[float, str], ...]:
    """Return the stops in order, from 0 to 1; nothing if one is transparent, or if the colour
    changes at an end, beyond which a shading would continue."""
    found: list[tuple[float, str]] = []
    least = 0.0
    for stop in stops:
        colour = as_hex(stop.colour)
        if colour is None or len(colour) > 7 or stop.opacity < 1:
            return ()
        least = max(least, stop.offset)
        found.append((least, colour))
    if found and found[0][0] > 0:
        found.insert(0, (0.0, found[0][1]))
    if found and found[-1][0] < 1:
        found.append((1.0, found[-1][1]))
    changes_at_end = len(found) > 2 and (found[1][0] == 0 or found[-2][0] == 1)
    return () if changes_at_end else tuple(found)


def _coords(kind: str, given: Mapping[str, str], in_box: bool) -> tuple[float, ...] | None:
    """Return the coordinates of a gradient; None for an empty one. Raises ValueError if they depend
    on the size of the page."""
    values = {}
    for key, default in _DEFAULTS[kind].items():
        text = given.get(key, default)
        if text.endswith("%") and not in_box:
            raise ValueError(text)
        number = float(text.removesuffix("%")) if text else None
        values[key] = number / 100 if number is not None and text.endswith("%") else number
    if kind == "linearGradient":
        line = tuple(value or 0.0 for value in values.values())
        return line if line[:2] != line[2:] else None
    cx, cy, r, fx, fy = values.values()
    if cx is None or cy is None or not r:
        return None
    focus = (cx if fx is None else fx, cy if fy is None else fy)
    if (focus[0] - cx) ** 2 + (focus[1] - cy) ** 2 >= r * r:
        return None
    return (*focus, 0.0, cx, cy, r)
