"""A page of a finished PDF in, what is drawn on it and where, in mm from the top left, out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pikepdf import Name, Object, Page, parse_content_stream

from generator.geometry import IDENTITY, ORIGIN, Matrix, Point, Rect, bounds
from generator.units import pt_to_mm

_PAINT_STROKE: Final = frozenset(("S", "s", "B", "B*", "b", "b*"))
_PAINT_NOT: Final = frozenset(("f", "F", "f*", "n"))
_SHOWS: Final = {
    **dict.fromkeys(("Tj", "TJ", "'", '"'), "text"),
    **dict.fromkeys((*_PAINT_STROKE, "f", "F", "f*"), "a shape"),
    **dict.fromkeys(("sh",), "a gradient"),
    **dict.fromkeys(("INLINE IMAGE",), "a picture"),
}
"""What operators paint that are no faces; on a layer it is a mark."""
_HARMLESS: Final = frozenset(
    ("/Type", "/LW", "/LC", "/LJ", "/ML", "/D", "/RI", "/FL", "/SM", "/SA")
)
"""What of a graphics state changes neither colours nor what is seen (PDF 1.7, table 57)."""
_SETS: Final = frozenset(
    "w J j M d ri i gs CS cs SC SCN sc scn G g RG rg K k Tc Tw Tz TL Tf Tr Ts BT d0 d1 BX".split()
)
"""What changes the state that a form begins with, but for where it is drawn and what cuts it."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A Form XObject drawn on the page: its resource name, the middle of its box, its size when
    it stands upright at full scale (mm), clockwise turn in degrees, scale along its axes; `form`
    is the number of the object in the file; `clip` are the corners of the last clip path that it
    is drawn inside of, if there is one, and `window` is what the boxes of all of them share. It is
    `plain` when nothing that was set before changes its look, and `clips`, polygons, are all that
    cuts it."""

    name: str
    centre: Point
    width: float
    height: float
    rotation: float
    scale: tuple[float, float]
    form: tuple[int, int] = (0, 0)
    clip: tuple[Point, ...] = ()
    window: Rect | None = None
    plain: bool = False
    clips: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line that is stroked; `layer` is the name of its optional content group."""

    layer: str
    start: Point
    end: Point

    @property
    def length(self) -> float:
        """mm."""
        return math.dist((self.start.x, self.start.y), (self.end.x, self.end.y))


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed path that is stroked: the box around its corners, which for a circle of four
    curves is its own; mm."""

    layer: str
    box: Rect


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page as it is in the file, mm; the boxes count from the top left of the MediaBox.
    `others` is what is done on the page itself that is neither a face nor on a layer."""

    number: int
    width: float
    height: float
    turned: int
    crop: Rect
    bleed: Rect | None
    trim: Rect | None
    draws: tuple[Draw, ...]
    strokes: tuple[Stroke, ...]
    outlines: tuple[Outline, ...] = ()
    others: tuple[str, ...] = ()


def read_page(number: int, page: Page) -> PageRead:
    """Read one page. Raises whatever pikepdf does when the page is not as it should be."""
    media = [float(value) for value in page.mediabox]
    unit = float(page.obj.get("/UserUnit", 1))
    sight = _Sight(media[0], media[3], unit)
    reader = _Reader(page, sight)
    for instruction in parse_content_stream(page):
        reader.obey(str(instruction.operator), list(instruction.operands))
    return PageRead(
        number,
        pt_to_mm((media[2] - media[0]) * unit),
        pt_to_mm((media[3] - media[1]) * unit),
        int(page.obj.get("/Rotate", 0)) % 360,
        sight.box(page.cropbox),
        sight.box(page.obj.BleedBox) if "/BleedBox" in page.obj else None,
        sight.box(page.obj.TrimBox) if "/TrimBox" in page.obj else None,
        tuple(reader.draws),
        tuple(reader.strokes),
        tuple(reader.outlines),
        tuple(dict.fromkeys(reader.others)),
    )


@dataclass(frozen=True, slots=True)
class _Sight:
    """From user space, units of 1/72 in times UserUnit from the bottom, to mm from the top."""

    left: float
    top: float
    unit: float

    def point(self, x: float, y: float) -> Point:
        return Point(pt_to_mm((x - self.left) * self.unit), pt_to_mm((self.top - y) * self.unit))

    def box(self, corners: Iterable[Any]) -> Rect:
        x1, y1, x2, y2 = (float(value) for value in corners)
        start, end = self.point(min(x1, x2), max(y1, y2)), self.point(max(x1, x2), min(y1, y2))
        return Rect(start.x, start.y, end.x - start.x, end.y - start.y)


_State = tuple[Matrix, tuple[Point, ...], Rect | None, tuple[tuple[Point, ...], ...], bool]
"""What `q` saves: the matrix, the last clip path, what the boxes of all of them share, all of them
if they are polygons, and whether a form would look here as it does alone."""


@dataclass(slots=True)
class _Reader:
    """Follows a content stream: graphics state, marked content and the path being built."""

    page: Page
    sight: _Sight
    draws: list[Draw] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    outlines: list[Outline] = field(default_factory=list)
    ctm: Matrix = IDENTITY
    others: list[str] = field(default_factory=list)
    clip: tuple[Point, ...] = ()
    window: Rect | None = None
    clips: bool = False
    cuts: tuple[tuple[Point, ...], ...] = ()
    plain: bool = True
    parts: int = 0
    curved: bool = False
    saved: list[_State] = field(default_factory=list)
    layers: list[str] = field(default_factory=lambda: [""])
    path: list[tuple[Point, Point]] = field(default_factory=list)
    corners: list[Point] = field(default_factory=list)
    closed: list[Rect] = field(default_factory=list)
    start: Point = ORIGIN
    here: Point = ORIGIN

    def obey(self, operator: str, operands: Sequence[Any]) -> None:
        if operator in _SHOWS and not self.layers[-1]:
            self.others.append(_SHOWS[operator])
        if operator in _SETS:
            self.plain = False
        if operator in _PAINT_STROKE or operator in _PAINT_NOT:
            self._paint(operator)
        elif operator in _STEPS:
            _STEPS[operator](self, operands)

    def _paint(self, operator: str) -> None:
        if operator in ("s", "b", "b*"):
            self._close(())
        if operator in _PAINT_STROKE:
            self.strokes += [Stroke(self.layers[-1], *ends) for ends in self.path]
            self.outlines += [Outline(self.layers[-1], box) for box in self.closed]
        if self.clips:
            self.clip, self.clips = tuple(self.corners), False
            self.cuts = (*self.cuts, self.clip)
            self.plain = self.plain and self.parts == 1 and not self.curved
            cut = bounds(self.corners) if self.corners else Rect(0, 0, 0, 0)
            self.window = cut if self.window is None else self.window.cut_to(cut)
        self.path.clear()
        self.closed.clear()
        self.parts, self.curved = 0, False

    def _save(self, _: Sequence[Any]) -> None:
        self.saved.append((self.ctm, self.clip, self.window, self.cuts, self.plain))

    def _restore(self, _: Sequence[Any]) -> None:
        if self.saved:
            self.ctm, self.clip, self.window, self.cuts, self.plain = self.saved.pop()

    def _clip(self, _: Sequence[Any]) -> None:
        """What is drawn from the next painting operator on is cut to the path (PDF 1.7, 8.5.4)."""
        self.clips = True

    def _concatenate(self, operands: Sequence[Any]) -> None:
        a, b, c, d, e, f = (float(value) for value in operands)
        self.ctm = self.ctm.then(Matrix(a, b, c, d, e, f))

    def _begin_marked(self, operands: Sequence[Any]) -> None:
        layer = self.layers[-1]
        if len(operands) == 2 and operands[0] == "/OC":
            layer = str(self.page.resources.Properties[operands[1]].get("/Name", ""))
        self.layers.append(layer)

    def _end_marked(self, _: Sequence[Any]) -> None:
        if len(self.layers) > 1:
            self.layers.pop()

    def _move(self, operands: Sequence[Any]) -> None:
        self.start = self.here = self._seen(operands[-2:])
        self.corners = [self.here]
        self.parts += 1

    def _line(self, operands: Sequence[Any]) -> None:
        there = self._seen(operands[-2:])
        self.path.append((self.here, there))
        self.corners.append(there)
        self.here = there

    def _curve(self, operands: Sequence[Any]) -> None:
        self.curved = True
        self.here = self._seen(operands[-2:])
        self.corners.append(self.here)

    def _close(self, _: Sequence[Any]) -> None:
        self.path.append((self.here, self.start))
        if self.corners:
            self.closed.append(bounds(self.corners))
        self.here = self.start

    def _rectangle(self, operands: Sequence[Any]) -> None:
        x, y, w, h = (float(value) for value in operands)
        self._move((x, y))
        for corner in ((x + w, y), (x + w, y + h), (x, y + h)):
            self._line(corner)
        self._close(())

    def _draw(self, operands: Sequence[Any]) -> None:
        form = self.page.resources.XObject[operands[0]]
        if form.get("/Subtype") == Name.Form:
            self.draws.append(self._drawn(str(operands[0]).removeprefix("/"), form))
        elif not self.layers[-1]:
            self.others.append("a picture")

    def _set_state(self, operands: Sequence[Any]) -> None:
        """Gridpress sets none: opacity, blending and masks are in the faces."""
        state = self.page.resources.ExtGState[operands[0]]
        if not _HARMLESS.issuperset(state.keys()):
            self.others.append("an effect, such as transparency,")

    def _drawn(self, name: str, form: Object) -> Draw:
        matrix = self.ctm.then(_matrix_of(form))
        x1, y1, x2, y2 = (float(value) for value in form.BBox)
        a, b, c, d, _, _ = matrix
        return Draw(
            name,
            self.sight.point(*_applied(matrix, (x1 + x2) / 2, (y1 + y2) / 2)),
            pt_to_mm(abs(x2 - x1) * self.sight.unit),
            pt_to_mm(abs(y2 - y1) * self.sight.unit),
            math.degrees(math.atan2(-b, a)) % 360,
            (matrix.across, math.copysign(matrix.down, a * d - b * c)),
            form.objgen,
            self.clip,
            self.window,
            self.plain and len(self.layers) == 1 and "/Matrix" not in form,
            self.cuts,
        )

    def _seen(self, operands: Sequence[Any]) -> Point:
        x, y = operands
        return self.sight.point(*_applied(self.ctm, float(x), float(y)))


_STEPS: Final = {
    "q": _Reader._save,
    "Q": _Reader._restore,
    "cm": _Reader._concatenate,
    "BMC": _Reader._begin_marked,
    "BDC": _Reader._begin_marked,
    "EMC": _Reader._end_marked,
    "m": _Reader._move,
    "l": _Reader._line,
    "c": _Reader._curve,
    "v": _Reader._curve,
    "y": _Reader._curve,
    "h": _Reader._close,
    "re": _Reader._rectangle,
    "W": _Reader._clip,
    "W*": _Reader._clip,
    "Do": _Reader._draw,
    "gs": _Reader._set_state,
}


def _matrix_of(form: Object) -> Matrix:
    if "/Matrix" not in form:
        return IDENTITY
    a, b, c, d, e, f = (float(value) for value in form.Matrix)
    return Matrix(a, b, c, d, e, f)


def _applied(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def point_on_page(point: Point, draw: Draw, form: Object) -> Point:
    """From units of the form, 1/72 in counted upwards, to mm from the page's top-left corner."""
    x1, y1, x2, y2 = (float(value) for value in form.BBox)
    across, down = draw.scale
    right = pt_to_mm(point.x - (x1 + x2) / 2) * across
    up = pt_to_mm(point.y - (y1 + y2) / 2) * down
    return draw.centre.moved(right, -up).turned(draw.rotation, draw.centre)


def box_on_page(corners: Iterable[Point], draw: Draw, form: Object) -> Rect:
    """The upright box on the page, mm, around points of a form."""
    return bounds([point_on_page(corner, draw, form) for corner in corners])
