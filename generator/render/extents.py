"""What a piece of a face covers: the box of what it draws, the outline that a clip leaves.

By boxes art can be drawn before texts that it does not touch, so that it need not be cut up.
fontTools reads path data and shapes; what it cannot read is not known.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree import ElementTree
from xml.parsers import expat

from fontTools.pens.basePen import BasePen
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.svgLib.path import parse_path
from fontTools.svgLib.path.shapes import PathBuilder

from generator.geometry import IDENTITY, Matrix, Rect, around, parse_transform
from generator.model.face import Clip, Segment
from generator.render.svg_lint import Named

MAX_BYTES: Final = 20_000
"""Of a `<clipPath>`: it is written once more for each text that it clips."""
_SHAPES: Final = frozenset(("path", "rect", "circle", "ellipse", "polygon", "polyline"))
_UNREADABLE: Final = (ArithmeticError, AssertionError, IndexError, TypeError, ValueError)
"""What fontTools raises over path data that says too little or nonsense."""
_BESIDE: Final = frozenset(("clip-path", "mask", "display", "visibility"))


def clip(content: bytes, named: Named, matrix: Matrix) -> Clip | None:
    """The outline of the `<clipPath>` there in a face's SVG, taken onto the face by `matrix`; None
    for one that is not made of shapes alone, filled in one way."""
    element = content[named.begin : named.end]
    if len(element) > MAX_BYTES or b"<?" in element:  # the mark of a text
        return None
    root = ElementTree.fromstring(element)  # noqa: S314, no DTD can stand inside of a face
    if root.tag != "clipPath" or root.get("clipPathUnits", "userSpaceOnUse") != "userSpaceOnUse":
        return None
    pen = _Pen()
    rules: set[str] = set()
    try:
        is_plain = _drawn(root, matrix, root.get("clip-rule", "nonzero"), pen, rules)
    except _UNREADABLE:
        return None
    if not is_plain or len(rules) > 1 or not pen.segments:
        return None
    return Clip(tuple(pen.segments), "evenodd" in rules)


def _drawn(
    element: ElementTree.Element, matrix: Matrix, rule: str, pen: _Pen, rules: set[str]
) -> bool:
    """Draws what is in an element; False for what cannot be."""
    if not _BESIDE.isdisjoint(element.attrib):
        return False
    matrix = matrix.then(parse_transform(element.get("transform", "")))
    rule = element.get("clip-rule", rule)
    if element.tag in _SHAPES:
        rules.add("nonzero" if rule == "inherit" else rule)
        pen.matrix = matrix
        for path in _paths(element):
            parse_path(path, pen)
        return True
    if element.tag != "clipPath":
        return False
    return all(_drawn(child, matrix, rule, pen, rules) for child in element)


def _paths(element: ElementTree.Element) -> list[str]:
    if element.tag == "path":
        return [element.get("d", "")]
    shapes = PathBuilder()
    shape = ElementTree.Element(element.tag, element.attrib)
    shape.attrib.pop("transform", None)
    shapes.add_path_from_element(shape)
    return list(shapes.paths)


class _Pen(BasePen):  # type: ignore[misc]
    """Keeps what is drawn as steps on the face."""

    def __init__(self) -> None:
        super().__init__(None)
        self.matrix = IDENTITY
        self.segments: list[Segment] = []

    def _add(self, step: str, *points: tuple[float, float]) -> None:
        a, b, c, d, e, f = self.matrix
        taken = (v for x, y in points for v in (a * x + c * y + e, b * x + d * y + f))
        self.segments.append((step, tuple(round(value, 5) for value in taken)))

    def _moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802, named by fontTools
        self._add("M", pt)

    def _lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self._add("L", pt)

    def _curveToOne(  # noqa: N802
        self, pt1: tuple[float, float], pt2: tuple[float, float], pt3: tuple[float, float]
    ) -> None:
        self._add("C", pt1, pt2, pt3)

    def _closePath(self) -> None:  # noqa: N802
        self._add("Z")


LONGEST: Final = 3_000
"""Bytes of a piece that is looked at: longer ones touch most of a face."""
_KEPT: Final = 2_048
_MITRE: Final = 4.0
"""How far a pointed corner may stand out, in widths of its line, at most."""
_PLAIN: Final = frozenset(("g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"))


class _UnknownError(Exception):
    """Something is drawn whose box is not worked out."""


@functools.lru_cache(_KEPT)
def extent(opening: str, piece: bytes) -> Rect | None:
    """The box of what a piece draws behind the tags that are open before it, on the face, mm; a
    box without size for nothing, None where that is not known."""
    if len(piece) > LONGEST:
        return None
    reading = _Reading()
    try:
        reading.read(f"<svg>{opening}".encode())
        reading.boxes.clear()
        reading.read(piece)
    except (_UnknownError, expat.ExpatError, *_UNREADABLE):
        return None
    return around(reading.boxes) if reading.boxes else Rect(0, 0, 0, 0)


class _Reading:
    """What is open around the place that is being read: transforms, and widths of lines."""

    def __init__(self) -> None:
        self.boxes: list[Rect] = []
        self._open: list[tuple[Matrix, float]] = [(IDENTITY, 0.0)]
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.ProcessingInstructionHandler = self._mark

    def read(self, content: bytes) -> None:
        """A part of the SVG, which may end anywhere between two tags."""
        self._parser.Parse(content, False)

    def _start(self, name: str, given: dict[str, str]) -> None:
        matrix, width = self._open[-1]
        if name != "svg" and (name not in _PLAIN or "mask" in given):
            raise _UnknownError
        matrix = matrix.then(parse_transform(given.get("transform", "")))
        if "stroke-width" in given:
            width = float(given["stroke-width"])
        elif "stroke" in given:
            width = width or 1.0
        self._open.append((matrix, width))
        for box in _boxes(name, given):
            self.boxes.append(matrix.box(box.grown(width * _MITRE)))

    def _mark(self, _target: str, _data: str) -> None:
        """A text that the art has to show: its outlines are not there yet."""
        raise _UnknownError

    def _end(self, _name: str) -> None:
        self._open.pop()


def _boxes(name: str, given: Mapping[str, str]) -> Iterator[Rect]:
    """The box of a shape, in its own units."""

    def number(key: str) -> float:
        return float(given.get(key, 0))

    if name == "rect":
        yield Rect(number("x"), number("y"), number("width"), number("height"))
    elif name in ("circle", "ellipse"):
        across = number("rx" if name == "ellipse" else "r")
        down = number("ry" if name == "ellipse" else "r")
        yield Rect(number("cx") - across, number("cy") - down, 2 * across, 2 * down)
    elif name == "line":
        yield _box([number("x1"), number("x2")], [number("y1"), number("y2")])
    elif name in ("polyline", "polygon"):
        numbers = [float(n) for n in given.get("points", "").replace(",", " ").split()]
        if numbers:
            yield _box(numbers[::2], numbers[1::2])
    elif name == "path":
        box = _path_box(given.get("d", ""))
        if box is not None:
            yield box


@functools.lru_cache(_KEPT)
def _path_box(data: str) -> Rect | None:
    """The same paths come again in other places: icons, rules, ornaments."""
    pen = ControlBoundsPen(None)
    parse_path(data, pen)
    if pen.bounds is None:
        return None
    left, top, right, bottom = pen.bounds
    return Rect(left, top, right - left, bottom - top)


def _box(xs: list[float], ys: list[float]) -> Rect:
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
