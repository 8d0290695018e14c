"""Reads what is drawn on a page of a finished PDF and where, in mm from its top left. It is long,
since what can be drawn stands above how it is read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace
from pikepdf import (
    Array,
    Dictionary,
    Name,
    Object,
    Page,
    Pdf,
    PdfError,
    Stream,
    String,
    parse_content_stream,
)

from generator.geometry import IDENTITY, ORIGIN, Matrix, Point, Rect, bounds, pt_to_mm
from generator.preflight.embedded_fonts import words_of_codes


class FormDraw(Struct, frozen=True):
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


class SetText(Struct, frozen=True):
    """A text as a face sets it: which of those that the manifest lists, its colour, its font, its
    size (pt) and how many letters it has."""

    number: int
    colour: tuple[int, int, int]
    font: str
    size_pt: float
    letters: int


class LineStroke(Struct, frozen=True):
    """A straight line that is stroked; `layer` is the name of its optional content group."""

    layer: str
    start: Point
    end: Point

    @property
    def length(self) -> float:
        """mm."""
        return math.dist((self.start.x, self.start.y), (self.end.x, self.end.y))


class ClosedStroke(Struct, frozen=True):
    """A closed path that is stroked: the box around its corners, which for a circle of four
    curves is its own; mm."""

    layer: str
    box: Rect


class Pen(Struct, frozen=True):
    """How lines are drawn: width and dash in mm, the numbers of the colour, how they end (PDF 1.7,
    8.4.3.3)."""

    width: float = 0.0
    colour: tuple[float, ...] = (0.0,)
    dash: tuple[float, ...] = ()
    cap: int = 0


PathStep = tuple[str, tuple[Point, ...]]
"""m(ove), l(ine), c(urve) or h (closed), and where to."""


class DrawnPath(Struct, frozen=True):
    """A part of a path that is stroked on a layer, inside of `window` if there is one."""

    layer: str
    steps: tuple[PathStep, ...]
    pen: Pen
    window: Rect | None = None


class DrawnWords(Struct, frozen=True):
    """A line of letters on a layer: where its baseline begins, its size and the clockwise turn;
    it is `plain` if it is black and neither squeezed nor spread."""

    layer: str
    words: str
    at: Point
    size_pt: float
    turn: float
    plain: bool


class PageRead(Struct, frozen=True):
    """A page as it is in the file, mm; the boxes count from the top left of the MediaBox.
    `others` is what is done on the page itself that is neither a face nor a line or words on a
    layer; `paths` and `words` are those; `over` tells whether a face is drawn after them."""

    number: int
    width: float
    height: float
    turned: int
    crop: Rect
    bleed: Rect | None
    trim: Rect | None
    draws: tuple[FormDraw, ...]
    strokes: tuple[LineStroke, ...]
    outlines: tuple[ClosedStroke, ...] = ()
    others: tuple[str, ...] = ()
    paths: tuple[DrawnPath, ...] = ()
    words: tuple[DrawnWords, ...] = ()
    over: bool = False


_PAINT_STROKE: Final = frozenset(("S", "s", "B", "B*", "b", "b*"))
_PAINT_NOT: Final = frozenset(("f", "F", "f*", "n"))
_SHOWS: Final = {
    **dict.fromkeys(("Tj", "TJ", "'", '"'), "text"),
    **dict.fromkeys((*_PAINT_STROKE, "f", "F", "f*"), "a shape"),
    **dict.fromkeys(("sh",), "a gradient"),
    **dict.fromkeys(("INLINE IMAGE",), "a picture"),
}
"""What operators paint that are no faces; on a layer it is a mark."""
_MARKS: Final = frozenset(("S", "s", "Tj", "TJ", "'", '"'))
"""What may be done on a layer."""
_EVEN: Final = 0.001
"""Of their size letters may be wider or narrower than they are."""
_HARMLESS: Final = frozenset(("/Type", "/SM", "/SA"))
"""What of a graphics state changes neither colours nor what is seen (PDF 1.7, table 57)."""
_REPLACED: Final = frozenset(("/DefaultGray", "/DefaultRGB", "/DefaultCMYK"))
"""Spaces by which a page has its device colours mean others (PDF 1.7, 8.6.5.6)."""
_SETS: Final = frozenset(
    "w J j M d ri i gs CS cs SC SCN sc scn G g RG rg K k Tc Tw Tz TL Tf Tr Ts BT d0 d1 BX".split()
)
"""What changes the state that a form begins with, but for where it is drawn and what cuts it."""


def hand_down(pdf: Pdf) -> None:
    """What a page has of the pages that it is in (PDF 1.7, 7.7.3.4) is its own from here on."""
    for page in pdf.pages:
        above: Object | None = page.obj.get("/Parent")
        for _ in range(_MOST_FOLDERS):
            if not isinstance(above, Dictionary):
                break
            for key in _HANDED_DOWN & set(above.keys()) - set(page.obj.keys()):
                page.obj[key] = above[key]
            above = above.get("/Parent")


_HANDED_DOWN: Final = frozenset(("/Resources", "/MediaBox", "/CropBox", "/Rotate"))
_MOST_FOLDERS: Final = 100
"""Of pages in folders of pages."""


def set_corners(pdf: Pdf) -> None:
    """A page may be told by any two of its corners (PDF 1.7, 7.9.5): by the lower left and the
    upper right from here on."""
    for page in pdf.pages:
        x1, y1, x2, y2 = map(float, page.mediabox)
        if x2 < x1 or y2 < y1:
            page.obj.MediaBox = [min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)]


def take_art_boxes(pdf: Pdf) -> None:
    """A page of PDF/X may say by its ArtBox where it is cut, in the place of a TrimBox."""
    for page in pdf.pages:
        if "/ArtBox" in page.obj and "/TrimBox" not in page.obj:
            page.obj.TrimBox = page.obj.ArtBox
            del page.obj.ArtBox


def read_page(number: int, page: Page) -> PageRead:
    """Read one page. Raises whatever pikepdf does when the page is not as it should be."""
    media = [float(value) for value in page.mediabox]
    unit = _number(page, "/UserUnit", 1)
    sight = _PageScale(media[0], media[3], unit)
    reader = _StreamReader(page, sight)
    if _REPLACED & set(page.resources.get("/ColorSpace", Dictionary()).keys()):
        reader.others.append("another meaning of grey, RGB or CMYK")
    if "/Group" in page:
        reader.others.append("a way to mix the colours of the whole page")
    for instruction in parse_content_stream(page):
        reader.obey(str(instruction.operator), list(instruction.operands))
    if reader.saved or len(reader.layers) > 1:
        reader.others.append(_UNMATCHED)
    return PageRead(
        number,
        pt_to_mm((media[2] - media[0]) * unit),
        pt_to_mm((media[3] - media[1]) * unit),
        int(_number(page, "/Rotate", 0)) % 360,
        _box(page, "/CropBox", sight) or sight.box(media),
        _box(page, "/BleedBox", sight),
        _box(page, "/TrimBox", sight),
        tuple(reader.draws),
        tuple(reader.strokes),
        tuple(reader.outlines),
        tuple(dict.fromkeys(reader.others)),
        tuple(reader.paths),
        tuple(reader.words),
        reader.over,
    )


def _number(page: Page, key: str, usual: float) -> float:
    value = page.obj.get(key, usual)
    if not isinstance(value, (int, float, Decimal)) or isinstance(value, bool):
        raise PdfError(f"its {key[1:]} is no number")
    return float(value)


def _box(page: Page, key: str, sight: _PageScale) -> Rect | None:
    """A box of a page, if it has that one."""
    corners = page.obj.get(key)
    if corners is None:
        return None
    try:
        return sight.box(corners)
    except (TypeError, ValueError) as error:
        raise PdfError(f"its {key[1:]} is not of four numbers") from error


class _LettersState(Struct, frozen=True):
    """How letters are set: the font's resource name and size, by what they are filled, and the
    operators that have asked for something else."""

    font: str = ""
    size: float = 0.0
    fill: tuple[float, ...] = (0.0,)
    odd: frozenset[str] = frozenset()


class _PageScale(Struct, frozen=True):
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


_SavedState = tuple[
    Matrix, tuple[Point, ...], Rect | None, tuple[tuple[Point, ...], ...], bool, Pen, _LettersState
]
"""What `q` saves: the matrix, the last clip path, what the boxes of all of them share, all of them
if they are polygons, whether a form would look here as it does alone, how lines are drawn and how
letters are set."""


_UNMATCHED: Final = "a state, or a layer, that begins or ends alone"
UNSAVED: Final = "a state that is restored (Q) and never was saved (q)"
_PEN: Final = Pen()
_LETTERS: Final = _LettersState()


class _StreamReader(Struct):
    """Follows a content stream: graphics state, marked content and the path being built."""

    page: Page
    sight: _PageScale
    draws: list[FormDraw] = field(default_factory=list)
    strokes: list[LineStroke] = field(default_factory=list)
    outlines: list[ClosedStroke] = field(default_factory=list)
    ctm: Matrix = IDENTITY
    others: list[str] = field(default_factory=list)
    clip: tuple[Point, ...] = ()
    window: Rect | None = None
    clips: bool = False
    cuts: tuple[tuple[Point, ...], ...] = ()
    plain: bool = True
    parts: int = 0
    curved: bool = False
    saved: list[_SavedState] = field(default_factory=list)
    layers: list[str] = field(default_factory=lambda: [""])
    path: list[tuple[Point, Point]] = field(default_factory=list)
    corners: list[Point] = field(default_factory=list)
    closed: list[Rect] = field(default_factory=list)
    start: Point = ORIGIN
    here: Point = ORIGIN
    pen: Pen = _PEN
    letters: _LettersState = _LETTERS
    steps: list[list[PathStep]] = field(default_factory=list)
    paths: list[DrawnPath] = field(default_factory=list)
    words: list[DrawnWords] = field(default_factory=list)
    over: bool = False
    line: Matrix | None = None
    tables: dict[str, Mapping[int, str]] = field(default_factory=dict)

    def obey(self, operator: str, operands: Sequence[Any]) -> None:
        if operator in ("ri", "i"):
            self._other("another way to turn colours into inks, or to draw curves,")
        if operator in _SHOWS and not (self.layers[-1] and operator in _MARKS):
            self._other(_SHOWS[operator])
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
            self.strokes += [LineStroke(self.layers[-1], *ends) for ends in self.path]
            self.outlines += [ClosedStroke(self.layers[-1], box) for box in self.closed]
            self.paths += [
                DrawnPath(self.layers[-1], tuple(steps), self.pen, self.window)
                for steps in self.steps
                if self.layers[-1]
            ]
        if self.clips:
            self.clip, self.clips = tuple(self.corners), False
            self.cuts = (*self.cuts, self.clip)
            self.plain = self.plain and self.parts == 1 and not self.curved
            cut = bounds(self.corners) if self.corners else Rect(0, 0, 0, 0)
            self.window = cut if self.window is None else self.window.cut_to(cut)
        self.path.clear()
        self.closed.clear()
        self.steps.clear()
        self.parts, self.curved = 0, False

    def _save(self, _: Sequence[Any]) -> None:
        kept = (self.ctm, self.clip, self.window, self.cuts, self.plain, self.pen, self.letters)
        self.saved.append(kept)

    def _restore(self, _: Sequence[Any]) -> None:
        if self.saved:
            kept = self.saved.pop()
            self.ctm, self.clip, self.window, self.cuts, self.plain, self.pen, self.letters = kept
        else:
            self._other(UNSAVED)

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
        else:
            self._other(_UNMATCHED)

    def _move(self, operands: Sequence[Any]) -> None:
        self.start = self.here = self._seen(operands[-2:])
        self.corners = [self.here]
        self.parts += 1
        self.steps.append([("m", (self.here,))])

    def _line(self, operands: Sequence[Any]) -> None:
        there = self._seen(operands[-2:])
        self.path.append((self.here, there))
        self.corners.append(there)
        self.here = there
        self._step("l", there)

    def _curve(self, operands: Sequence[Any]) -> None:
        self.curved = True
        points = [self._seen(operands[at : at + 2]) for at in range(0, len(operands), 2)]
        self.here = points[-1]
        self.corners.append(self.here)
        self._step("c", *points)

    def _close(self, _: Sequence[Any]) -> None:
        self.path.append((self.here, self.start))
        if self.corners:
            self.closed.append(bounds(self.corners))
        self.here = self.start
        self._step("h")

    def _step(self, name: str, *points: Point) -> None:
        if self.steps:
            self.steps[-1].append((name, points))

    def _rectangle(self, operands: Sequence[Any]) -> None:
        x, y, w, h = (float(value) for value in operands)
        self._move((x, y))
        for corner in ((x + w, y), (x + w, y + h), (x, y + h)):
            self._line(corner)
        self._close(())

    def _draw(self, operands: Sequence[Any]) -> None:
        form = self.page.resources.XObject[operands[0]]
        if form.get("/Subtype") != Name.Form:
            self._other("a picture")
            return
        self.over = self.over or bool(self.paths or self.words)
        self.draws.append(self._drawn(str(operands[0]).removeprefix("/"), form))
        if self.layers[-1]:
            self._other("a drawing on a layer")

    def _other(self, what: str) -> None:
        """Something that Gridpress does not put there."""
        self.others.append(what)

    def _set_pen(self, **changes: Any) -> None:
        self.pen = replace(self.pen, **changes)

    def _set_letters(self, **changes: Any) -> None:
        self.letters = replace(self.letters, **changes)

    def _length(self, value: Any) -> float:
        return pt_to_mm(float(value) * self.sight.unit * self.ctm.across)

    def _set_font(self, operands: Sequence[Any]) -> None:
        self._set_letters(font=str(operands[0]), size=float(operands[1]))

    def _begin_text(self, _: Sequence[Any]) -> None:
        self.line = IDENTITY

    def _set_line(self, operands: Sequence[Any]) -> None:
        self.line = Matrix(*(float(value) for value in operands))

    def _move_line(self, operands: Sequence[Any]) -> None:
        x, y = (float(value) for value in operands)
        self.line = (self.line or IDENTITY).then(Matrix(1, 0, 0, 1, x, y))

    def _show(self, operands: Sequence[Any]) -> None:
        """Letters where the line is; what follows without another line is part of it."""
        layer = self.layers[-1]
        if not layer:
            return
        said = self._said(operands[-1])
        if self.line is None and self.words:
            last = self.words[-1]
            self.words[-1] = replace(last, words=last.words + said)
            return
        a, b, c, d, e, f = self.ctm.then(self.line or IDENTITY)
        high, letters = math.hypot(c, d), self.letters
        even = abs(math.hypot(a, b) - high) < _EVEN * high and a * d > b * c
        turn = math.degrees(math.atan2(-b, a)) % 360
        at, size = self.sight.point(e, f), letters.size * high * self.sight.unit
        plain = not letters.odd and even and letters.fill == (0.0,)
        self.words.append(DrawnWords(layer, said, at, size, turn, plain))
        self.line = None

    def _said(self, shown: Any) -> str:
        """What glyphs stand for, as their font tells."""
        letters = self._table(self.letters.font)
        parts = shown.as_list() if isinstance(shown, Array) else [shown]
        codes = b"".join(bytes(part) for part in parts if isinstance(part, String))
        pairs = (codes[at : at + 2] for at in range(0, len(codes), 2))
        return "".join(letters.get(int.from_bytes(pair, "big"), "�") for pair in pairs)

    def _table(self, name: str) -> Mapping[int, str]:
        if name not in self.tables:
            font = self.page.resources.get("/Font", Dictionary()).get(name, Dictionary())
            table = font.get("/ToUnicode")
            cmap = table.read_bytes() if isinstance(table, Stream) else b""
            self.tables[name] = words_of_codes(cmap)
        return self.tables[name]

    def _set_state(self, operands: Sequence[Any]) -> None:
        """Gridpress sets none: opacity, blending and masks are in the faces."""
        state = self.page.resources.ExtGState[operands[0]]
        if not _HARMLESS.issuperset(state.keys()):
            self._other("an effect, such as transparency,")

    def _drawn(self, name: str, form: Object) -> FormDraw:
        matrix = self.ctm.then(_matrix_of(form))
        x1, y1, x2, y2 = (float(value) for value in form.BBox)
        a, b, c, d, _, _ = matrix
        return FormDraw(
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


def _usual(name: str, value: float) -> Callable[[_StreamReader, Sequence[Any]], None]:
    """An operator by which letters are as they are with that value only."""

    def step(reader: _StreamReader, operands: Sequence[Any]) -> None:
        odd = reader.letters.odd - {name}
        reader._set_letters(odd=odd if _numbers(operands) == (value,) else odd | {name})

    return step


_STEPS: Final[dict[str, Callable[[_StreamReader, Sequence[Any]], None]]] = {
    "q": _StreamReader._save,
    "Q": _StreamReader._restore,
    "cm": _StreamReader._concatenate,
    "BMC": _StreamReader._begin_marked,
    "BDC": _StreamReader._begin_marked,
    "EMC": _StreamReader._end_marked,
    "m": _StreamReader._move,
    "l": _StreamReader._line,
    "c": _StreamReader._curve,
    "v": _StreamReader._curve,
    "y": _StreamReader._curve,
    "h": _StreamReader._close,
    "re": _StreamReader._rectangle,
    "W": _StreamReader._clip,
    "W*": _StreamReader._clip,
    "Do": _StreamReader._draw,
    "gs": _StreamReader._set_state,
    "w": lambda self, v: self._set_pen(width=self._length(v[0])),
    "J": lambda self, v: self._set_pen(cap=int(v[0])),
    "d": lambda self, v: self._set_pen(dash=tuple(map(self._length, v[0]))),
    "BT": _StreamReader._begin_text,
    "Tf": _StreamReader._set_font,
    "Tm": _StreamReader._set_line,
    "Td": _StreamReader._move_line,
    "TD": _StreamReader._move_line,
    "Tj": _StreamReader._show,
    "TJ": _StreamReader._show,
    "'": _StreamReader._show,
    '"': _StreamReader._show,
    **dict.fromkeys(
        ("G", "RG", "K", "SC", "SCN", "CS"), lambda self, v: self._set_pen(colour=_numbers(v))
    ),
    **dict.fromkeys(
        ("g", "rg", "k", "sc", "scn", "cs"), lambda self, v: self._set_letters(fill=_numbers(v))
    ),
    **{name: _usual(name, 0.0) for name in ("Tr", "Tc", "Tw", "Ts")},
    "Tz": _usual("Tz", 100.0),
}


def _numbers(operands: Sequence[Any]) -> tuple[float, ...]:
    """The numbers among operands; a pattern or a space that is named counts as one."""
    return tuple(1.0 if isinstance(value, Name) else float(value) for value in operands)


def _matrix_of(form: Object) -> Matrix:
    if "/Matrix" not in form:
        return IDENTITY
    a, b, c, d, e, f = (float(value) for value in form.Matrix)
    return Matrix(a, b, c, d, e, f)


def _applied(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def point_on_page(point: Point, draw: FormDraw, form: Object) -> Point:
    """From units of the form, 1/72 in counted upwards, to mm from the page's top-left corner."""
    x1, y1, x2, y2 = (float(value) for value in form.BBox)
    across, down = draw.scale
    right = pt_to_mm(point.x - (x1 + x2) / 2) * across
    up = pt_to_mm(point.y - (y1 + y2) / 2) * down
    return draw.centre.moved(right, -up).turned(draw.rotation, draw.centre)


def box_on_page(corners: Iterable[Point], draw: FormDraw, form: Object) -> Rect:
    """The upright box on the page, mm, around points of a form."""
    return bounds([point_on_page(corner, draw, form) for corner in corners])
