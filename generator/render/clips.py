"""A `<clipPath>` in; the outline that it leaves to be seen out, where it is made of plain shapes.

fontTools reads path data and shapes.
"""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from fontTools.svgLib.path.shapes import PathBuilder

from generator.matrices import IDENTITY, Matrix, parse_transform
from generator.model.face import Clip, Segment
from generator.render.proof import Named

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
