"""A short piece of a face's SVG in; the box that all it draws lies in out, or that nobody knows.

By this art can be drawn before texts that it does not touch, so that it need not be cut up.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Final
from xml.parsers import expat

from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.svgLib.path import parse_path

from generator.geometry import Rect, around
from generator.matrices import IDENTITY, Matrix, parse_transform

LONGEST: Final = 3_000
"""Bytes of a piece that is looked at: longer ones touch most of a face."""
_KEPT: Final = 2_048
_MITRE: Final = 4.0
"""How far a pointed corner may stand out, in widths of its line, at most."""
_PLAIN: Final = frozenset(("g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"))
_UNREADABLE: Final = (ArithmeticError, AssertionError, IndexError, TypeError, ValueError)


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
