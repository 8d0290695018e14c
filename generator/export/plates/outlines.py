"""A shape of SVG in; the path operators of PDF that draw its outline out."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from generator.export.plates.operators import number, numbers
from generator.export.plates.reading import LeftToEngineError

XY = tuple[float, float]

_KEPT: Final = 16_384
_QUARTER: Final = 4 / 3 * (math.sqrt(2) - 1)
"""How far the handles of a quarter circle of radius 1 reach, drawn as a Bézier curve."""
_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_STEP: Final = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])([^MmZzLlHhVvCcSsQqTtAa]*)")
_ARC: Final = re.compile(rf"[\s,]*({_NUMBER.pattern})[\s,]*({_NUMBER.pattern})[\s,]*"
                         rf"({_NUMBER.pattern})[\s,]*([01])[\s,]*([01])[\s,]*"
                         rf"({_NUMBER.pattern})[\s,]*({_NUMBER.pattern})")  # fmt: skip
_TAKES: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}


class Outline(NamedTuple):
    """Path operators, none for a shape without extent; and whether there is anything to fill:
    a line has no area, but PDF would fill it one dot thin."""

    path: str
    area: bool = True


@functools.lru_cache(_KEPT)
def outline(name: str, geometry: tuple[tuple[str, str], ...]) -> Outline:
    """The path of a shape by its name and the attributes that shape it. Raises LeftToEngineError
    for what cannot be read."""
    values = dict(geometry)
    try:
        path = _OUTLINES[name](values)
        return Outline(path, name not in _MAY_BE_FLAT or _has_area(path))
    except (ValueError, ZeroDivisionError) as error:
        raise LeftToEngineError(f"the outline of <{name}>: {error}") from None


def _rect(values: Mapping[str, str]) -> str:
    x, y, w, h = (float(values.get(key, "0")) for key in ("x", "y", "width", "height"))
    rx = float(values.get("rx", values.get("ry", "0")))
    ry = float(values.get("ry", values.get("rx", "0")))
    if w <= 0 or h <= 0:
        return ""
    if rx < 0 or ry < 0:
        raise ValueError("a radius below 0")
    if not (rx and ry):
        return f"{numbers(x, y, w, h)} re\n"
    rx, ry = min(rx, w / 2), min(ry, h / 2)
    return _rounded(x, y, x + w, y + h, rx, ry)


def _circle(values: Mapping[str, str]) -> str:
    return _oval(values, values.get("r", "0"), values.get("r", "0"))


def _ellipse(values: Mapping[str, str]) -> str:
    if "rx" not in values or "ry" not in values:
        raise ValueError("a radius is missing")
    return _oval(values, values["rx"], values["ry"])


def _oval(values: Mapping[str, str], across: str, down: str) -> str:
    x, y = float(values.get("cx", "0")), float(values.get("cy", "0"))
    rx, ry = float(across), float(down)
    if rx <= 0 or ry <= 0:
        return ""
    kx, ky = rx * _QUARTER, ry * _QUARTER
    quarters = (  # from the right, as dashes are counted
        ((x + rx, y + ky), (x + kx, y + ry), (x, y + ry)),
        ((x - kx, y + ry), (x - rx, y + ky), (x - rx, y)),
        ((x - rx, y - ky), (x - kx, y - ry), (x, y - ry)),
        ((x + kx, y - ry), (x + rx, y - ky), (x + rx, y)),
    )
    return f"{numbers(x + rx, y)} m\n{''.join(map(_curve, quarters))}h\n"


def _rounded(left: float, top: float, right: float, bottom: float, rx: float, ry: float) -> str:
    """A box with corners that are quarters of an ellipse; no sides between where they meet."""
    kx, ky = rx * (1 - _QUARTER), ry * (1 - _QUARTER)
    corners = (
        ((right - rx, top), (right - kx, top), (right, top + ky), (right, top + ry)),
        ((right, bottom - ry), (right, bottom - ky), (right - kx, bottom), (right - rx, bottom)),
        ((left + rx, bottom), (left + kx, bottom), (left, bottom - ky), (left, bottom - ry)),
        ((left, top + ry), (left, top + ky), (left + kx, top), (left + rx, top)),
    )
    written, pen = [f"{numbers(left + rx, top)} m\n"], (left + rx, top)
    for start, *curve in corners:
        if start != pen:
            written.append(f"{numbers(*start)} l\n")
        written.append(_curve(curve))
        pen = curve[-1]
    return "".join([*written, "h\n"])


def _line(values: Mapping[str, str]) -> str:
    x1, y1, x2, y2 = (float(values.get(key, "0")) for key in ("x1", "y1", "x2", "y2"))
    return f"{numbers(x1, y1)} m\n{numbers(x2, y2)} l\n"


def _polyline(values: Mapping[str, str]) -> str:
    found = [float(value) for value in _NUMBER.findall(values.get("points", ""))]
    if len(found) % 2 or len(found) < 4:
        raise ValueError("points")
    points = list(zip(found[::2], found[1::2], strict=True))
    lines = "".join(f"{numbers(*point)} l\n" for point in points[1:])
    return f"{numbers(*points[0])} m\n{lines}"


def _polygon(values: Mapping[str, str]) -> str:
    return _polyline(values) + "h\n"


def _path(values: Mapping[str, str]) -> str:
    return _Pen().drawn(values.get("d", ""))


_OUTLINES: Final[Mapping[str, Callable[[Mapping[str, str]], str]]] = {
    "rect": _rect,
    "circle": _circle,
    "ellipse": _ellipse,
    "line": _line,
    "polyline": _polyline,
    "polygon": _polygon,
    "path": _path,
}
_MAY_BE_FLAT: Final = frozenset(("line", "polyline", "polygon", "path"))


def _has_area(path: str) -> bool:
    """False when a path is one straight line, or all its points are on a level or upright one."""
    if path.count("\n") < 3:
        return " c" in path
    written = [float(value) for value in _NUMBER.findall(path)]
    return len(set(written[::2])) > 1 and len(set(written[1::2])) > 1


def _curve(points: Sequence[XY]) -> str:
    return " ".join(numbers(*point) for point in points) + " c\n"


class _Pen:
    """Follows path data (SVG 1.1, section 8.3)."""

    def __init__(self) -> None:
        self.at: XY = (0.0, 0.0)
        self.begun: XY = (0.0, 0.0)
        self.handle: XY | None = None
        self.bend: XY | None = None
        self.drawing = False

    def drawn(self, data: str) -> str:
        """The operators. Raises ValueError for data that ends or begins in the wrong way."""
        written: list[str] = []
        if _STEP.sub("", data).strip():
            raise ValueError("path data")
        for letter, text in _STEP.findall(data):
            upper = letter.upper()
            if upper == "Z":
                written.append("h\n")
                self.at, self.drawing = self.begun, False
                self.handle = self.bend = None
                continue
            for values in _arguments(upper, text):
                written.append(self.step(upper, values, letter.islower()))
                upper = "L" if upper == "M" else upper
        return "".join(written)

    def step(self, letter: str, values: Sequence[float], relative: bool) -> str:
        x0, y0 = self.at if relative else (0.0, 0.0)
        if letter == "H":
            points = [(x0 + values[0], self.at[1])]
        elif letter == "V":
            points = [(self.at[0], y0 + values[0])]
        elif letter == "A":
            points = [(x0 + values[5], y0 + values[6])]
        else:
            pairs = zip(values[::2], values[1::2], strict=True)
            points = [(x0 + x, y0 + y) for x, y in pairs]
        if letter == "M":
            self.at = self.begun = points[0]
            self.drawing, self.handle, self.bend = True, None, None
            return f"{number(points[0][0])} {number(points[0][1])} m\n"
        again = ""
        if not self.drawing:  # after Z, a path goes on where it began
            again, self.drawing = f"{numbers(*self.at)} m\n", True
        return again + self.to(letter, points, values)

    def to(self, letter: str, points: list[XY], values: Sequence[float]) -> str:
        """A line or curve to the last of some points."""
        start, handle, bend = self.at, self.handle, self.bend
        self.at, self.handle, self.bend = points[-1], None, None
        if letter in "LHV":
            return f"{number(self.at[0])} {number(self.at[1])} l\n"
        if letter == "A":
            return "".join(_arc(start, self.at, values))
        if letter in "QT":
            self.bend = points[0] if letter == "Q" else _mirrored(bend, start)
            return _curve(_raised(start, self.bend, self.at))
        if letter == "S":
            points = [_mirrored(handle, start), *points]
        self.handle = points[1]
        return _curve(points)


def _arguments(letter: str, text: str) -> Iterator[Sequence[float]]:
    takes = _TAKES[letter]
    if letter == "A":
        found = [float(value) for arc in _ARC.findall(text) for value in arc]
        rest = _ARC.sub("", text)
    else:
        found = [float(value) for value in _NUMBER.findall(text)]
        rest = ""
    if not found or len(found) % takes or rest.strip(" ,\t\r\n"):
        raise ValueError(f"{letter} with {len(found)} numbers")
    for start in range(0, len(found), takes):
        yield found[start : start + takes]


def _mirrored(handle: XY | None, about: XY) -> XY:
    return about if handle is None else (2 * about[0] - handle[0], 2 * about[1] - handle[1])


def _raised(start: XY, bend: XY, end: XY) -> list[XY]:
    """A quadratic curve as a cubic one."""
    first = (start[0] + 2 * (bend[0] - start[0]) / 3, start[1] + 2 * (bend[1] - start[1]) / 3)
    last = (end[0] + 2 * (bend[0] - end[0]) / 3, end[1] + 2 * (bend[1] - end[1]) / 3)
    return [first, last, end]


def _arc(start: XY, end: XY, values: Sequence[float]) -> Iterator[str]:
    """An arc as curves of at most a quarter turn (SVG 1.1, appendix F.6)."""
    rx, ry, tilt = abs(values[0]), abs(values[1]), math.radians(values[2])
    if start == end:
        return
    if not (rx and ry):
        yield f"{numbers(*end)} l\n"
        return
    cos, sin = math.cos(tilt), math.sin(tilt)
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = (cos * dx + sin * dy) / rx, (cos * dy - sin * dx) / ry
    apart = x * x + y * y
    if apart > 1:  # too small to reach: as large as it must be
        rx, ry, x, y = (v * f for v, f in ((rx, apart**0.5), (ry, apart**0.5),
                                           (x, apart**-0.5), (y, apart**-0.5)))  # fmt: skip
        apart = 1.0
    off = math.sqrt(max(0.0, 1 / apart - 1)) * (-1 if values[3] == values[4] else 1)
    u, v = off * y, -off * x
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    first = math.atan2(y - v, x - u)
    turn = math.atan2(-y - v, -x - u) - first
    if values[4] and turn < 0:
        turn += 2 * math.pi
    elif not values[4] and turn > 0:
        turn -= 2 * math.pi
    parts = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-9))
    reach = 4 / 3 * math.tan(turn / parts / 4)

    def at(x: float, y: float) -> XY:
        x, y = rx * (u + x), ry * (v + y)
        return middle[0] + cos * x - sin * y, middle[1] + sin * x + cos * y

    for a, b in pairwise(first + turn * part / parts for part in range(parts + 1)):
        ca, sa, cb, sb = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
        last = end if b == first + turn else at(cb, sb)
        yield _curve(
            [at(ca - reach * sa, sa + reach * ca), at(cb + reach * sb, sb - reach * cb), last]
        )
