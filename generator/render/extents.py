"""What a piece of a face covers: the box of what it draws, the outline that a clip leaves; and the
flats of a whole one, of which those are told that take much ink.

By boxes art can be drawn before texts that it does not touch, so that it need not be cut up.
fontTools reads path data and shapes; what it cannot read is not known.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree
from xml.parsers import expat

from fontTools.pens.areaPen import AreaPen
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from fontTools.svgLib.path.shapes import PathBuilder

from generator.diagnostics import Severity, Span
from generator.geometry import IDENTITY, Matrix, Rect, around, parse_transform
from generator.model.face import Clip, Segment
from generator.model.pack import Record
from generator.outlines import SegmentPen
from generator.render.face_builder import FaceBuilder
from generator.render.styles import Ink
from generator.render.svg_lint import NamedElement
from generator.svg_subset import as_hex

MAX_BYTES: Final = 20_000
"""Of a `<clipPath>`: it is written once more for each text that it clips."""
_SHAPES: Final = frozenset(("path", "rect", "circle", "ellipse", "polygon", "polyline"))
_UNREADABLE: Final = (ArithmeticError, AssertionError, IndexError, TypeError, ValueError)
"""What fontTools raises over path data that says too little or nonsense."""
_BESIDE: Final = frozenset(("clip-path", "mask", "display", "visibility"))


def clip(content: bytes, named: NamedElement, matrix: Matrix) -> Clip | None:
    """The outline of the `<clipPath>` there in a face's SVG, taken onto the face by `matrix`; None
    for one that is not made of shapes alone, filled in one way."""
    element = content[named.begin : named.end]
    if len(element) > MAX_BYTES or b"<?" in element:  # the mark of a text
        return None
    root = ElementTree.fromstring(element)  # noqa: S314, no DTD can stand inside of a face
    if root.tag != "clipPath" or root.get("clipPathUnits", "userSpaceOnUse") != "userSpaceOnUse":
        return None
    pen = _FacePen()
    rules: set[str] = set()
    try:
        is_plain = _drawn(root, matrix, root.get("clip-rule", "nonzero"), pen, rules)
    except _UNREADABLE:
        return None
    if not is_plain or len(rules) > 1 or not pen.segments:
        return None
    return Clip(tuple(pen.segments), "evenodd" in rules)


def segments(content: bytes, named: NamedElement) -> tuple[Segment, ...]:
    """The outline of the shape there in a face's SVG, where it stands; nothing for none."""
    root = ElementTree.fromstring(content[named.begin : named.end])  # noqa: S314, as above
    pen = _FacePen()
    try:
        pen.matrix = parse_transform(root.get("transform", ""))
        for path in _paths(root) if root.tag in _SHAPES else ():
            parse_path(path, pen)
    except _UNREADABLE:
        return ()
    begin: tuple[float, ...] = ()
    found: list[Segment] = []
    for step, points in pen.segments:
        begin = points if step == "M" else begin
        found.append(("L", begin) if step == "Z" else (step, points))
    return tuple(found)


def _drawn(
    element: ElementTree.Element, matrix: Matrix, rule: str, pen: _FacePen, rules: set[str]
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


class _FacePen(SegmentPen):
    """Keeps what is drawn as steps on the face."""

    def __init__(self) -> None:
        super().__init__()
        self.matrix = IDENTITY

    def note(self, step: str, *points: tuple[float, float]) -> None:
        a, b, c, d, e, f = self.matrix
        taken = (v for x, y in points for v in (a * x + c * y + e, b * x + d * y + f))
        self.segments.append((step, tuple(round(value, 5) for value in taken)))


LONGEST: Final = 3_000
"""Bytes of a piece that is looked at: longer ones touch most of a face."""
_KEPT: Final = 2_048
_MITRE: Final = 4.0
"""How far a pointed corner may stand out, in widths of its line, at most."""
_PLAIN: Final = frozenset(("g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"))


class _NoExtentError(Exception):
    """Something is drawn whose box is not worked out."""


@functools.lru_cache(_KEPT)
def extent(opening: str, piece: bytes) -> Rect | None:
    """The box of what a piece draws behind the tags that are open before it, on the face, mm; a
    box without size for nothing, None where that is not known."""
    if len(piece) > LONGEST:
        return None
    reading = _ExtentPass()
    try:
        reading.read(f"<svg>{opening}".encode())
        reading.boxes.clear()
        reading.read(piece)
    except (_NoExtentError, expat.ExpatError, *_UNREADABLE):
        return None
    return around(reading.boxes) if reading.boxes else Rect(0, 0, 0, 0)


class _ExtentPass:
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
            raise _NoExtentError
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
        raise _NoExtentError

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


class Flat(NamedTuple):
    """A colour, as the SVG has it, that covers that `part` of a face."""

    colour: str
    part: float


_STEPS: Final = 16
"""Places across a face, and down, at which it is looked what lies on top."""
_FULL: Final = 0.6
"""Of its box, that a shape fills which counts as one: a disc and a hexagon do, a star does not."""
_DEEP: Final = 0.9
"""How opaque a flat is, at least."""


def flats(content: bytes, width: float, height: float) -> list[Flat]:
    """What covers a face of that size, mm, about: shapes that fill their boxes, without those that
    lie below others. A gradient counts as its darkest colour; pictures are no flat."""
    reading = _PaintedShapes()
    reading.parse(content)
    found: Counter[str] = Counter()
    for down in range(_STEPS):
        for across in range(_STEPS):
            x, y = (across + 0.5) / _STEPS * width, (down + 0.5) / _STEPS * height
            for colour, box in reversed(reading.shapes):
                if box.x <= x <= box.right and box.y <= y <= box.bottom:
                    found[colour] += 1
                    break
    return [Flat(reading.plain(colour), times / _STEPS**2) for colour, times in found.items()]


class _PaintedShapes:
    """The opaque shapes of a face in the order of painting: colour and box."""

    def __init__(self) -> None:
        self.shapes: list[tuple[str, Rect]] = []
        self._stops: dict[str, list[str]] = {}
        self._gradient = ""
        self._open: list[tuple[Matrix, str, float]] = [(IDENTITY, "#000000", 1.0)]
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = lambda _: self._open.pop()

    def plain(self, paint: str) -> str:
        """A colour; of a gradient the darkest one."""
        stops = self._stops.get(paint[5:-1], ()) if paint.startswith("url(#") else ()
        return min(stops, key=_strength, default=paint)

    def parse(self, content: bytes) -> None:
        """Read a whole face, which the linter found sound."""
        self._parser.Parse(content, True)

    def _start(self, name: str, given: dict[str, str]) -> None:
        matrix, fill, opacity = self._open[-1]
        matrix = matrix.then(parse_transform(given.get("transform", "")))
        fill = given.get("fill", fill)
        opacity *= float(given.get("opacity", 1)) if name not in _ELSEWHERE else 0
        self._open.append((matrix, fill, opacity))
        opacity *= float(given.get("fill-opacity", 1))
        if name.endswith("Gradient"):
            self._gradient = given.get("id", "")
        elif name == "stop":
            self._stops.setdefault(self._gradient, []).append(given.get("stop-color", "#000000"))
        elif name == "image":
            name, fill = "rect", name
        if opacity < _DEEP or fill == "none" or name == "line":
            return
        try:
            for box in _boxes(name, given):
                area = _area(given["d"]) if name == "path" else box.width * box.height
                if area and area >= _FULL * box.width * box.height:
                    self.shapes.append((fill, matrix.box(box)))
        except _UNREADABLE:
            return


def _strength(colour: str) -> int:
    """Of a colour's light: 0 is black."""
    plain = as_hex(colour) or "#ffffff"
    return sum(int(plain[at : at + 2], 16) for at in (1, 3, 5))


_ELSEWHERE: Final = frozenset(("defs", "clipPath", "mask", "symbol", "pattern"))


@functools.lru_cache(_KEPT)
def _area(data: str) -> float:
    """Of what a path fills; an open one is closed, as filling does. One that goes round some places
    the other way has so much less."""
    kept = RecordingPen()
    parse_path(data, kept)
    pen = AreaPen(None)
    for step, points in kept.value:
        getattr(pen, "closePath" if step == "endPath" else step)(*points)
    return abs(float(pen.value))


_PART: Final = 0.2
_OWN_PART: Final = 0.5
"""How much of a face a flat covers that low ink is told of, at least; one in a component's own
colour, which tells it from others, may cover more."""
_AREA: Final = 1_000.0
_OWN_AREA: Final = 1_500.0
"""And how large it is, mm²; a part of it as large as `_MOST` is told of on small pieces, too."""
_MOST: Final = 0.35
_LONGEST: Final = 40


def blame_flats(
    ink: Ink, builder: FaceBuilder, content: bytes, colours: Mapping[str, str], styles: str
) -> None:
    """Flats of a face, whose SVG `content` is, that take much ink though low ink is asked for, as
    nobody says what takes their place; told at the file where one would say so, by the name that
    they have in the pack's `colours`."""
    trim = builder.stock.trim
    for flat in flats(content, trim.width, trim.height):
        colour, area = as_hex(flat.colour), flat.part * trim.width * trim.height
        if colour is None or not ink.is_costly(colour):
            continue
        is_own = _is_own(colour, builder.component.values)
        if is_own and (flat.part < _OWN_PART or area < _OWN_AREA):
            continue
        if flat.part < _PART or (flat.part < _MOST and area < _AREA):
            continue
        name = next((name for name, known in colours.items() if known == colour), "")
        told = f"{name} ({flat.colour})" if name else flat.colour
        whose = ", the component's own colour," if is_own else ""
        message = f"a flat in {told}{whose} takes as much ink as without --ink low"
        hint = f'write under ink: low: what takes its place, as {name or "field"}: "#f4efe6"'
        if not name:
            hint += f'\nit needs a name for that, under colours:, as field: "{flat.colour}"'
        hint += '\nor draw less in the template, {% if ink == "low" %}'
        builder.blame_template(Span(styles), "GP310", message, hint, Severity.WARNING)


def _is_own(colour: str, value: Any, depth: int = 3) -> bool:
    """Whether a colour stands in a component's values, or in those that they refer to."""
    if isinstance(value, str):
        return len(value) < _LONGEST and as_hex(value) == colour
    inside = value.values() if isinstance(value, Record) else value
    return (
        depth > 0
        and isinstance(value, (Record, tuple))
        and any(_is_own(colour, inner, depth - 1) for inner in inside)
    )
