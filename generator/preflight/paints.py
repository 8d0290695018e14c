"""Reads with what the pages of any PDF paint: kinds of colour, how much ink lies in one place, what
is transparent, what overprints or asks for what only a press shows, and where each picture is. It
is long, since a content stream has all of these in one state, which is followed once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum, auto
from functools import lru_cache
from io import BytesIO
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace
from pikepdf import (
    Array,
    Dictionary,
    Name,
    Object,
    Page,
    Pdf,
    PikepdfError,
    Stream,
    parse_content_stream,
)
from PIL import Image

from generator.geometry import IDENTITY, ORIGIN, Matrix, Point, Rect, bounds, pt_to_mm
from generator.pdf_forms import DrawnPicture
from generator.preflight.checking import Subject
from generator.preflight.inks import (
    ALL_INKS,
    CMYK,
    GREY,
    RGB,
    Paint,
    ReadsPaint,
    device,
    first_of,
    in_space,
    kind_of,
    shaded,
)
from generator.preflight.pdf_limits import is_jpx

_DEEPEST: Final = 40
_NORMAL: Final = (None, Name.Normal, Name.Compatible)
_OPAQUE: Final = 0.999
_MOST_FULL: Final = 1_000
_SCREEN: Final = "it is printed with a halftone screen of its own"
COARSE: Final = "its curves are drawn coarsely"
_BLACK: Final = "its black is made by a function of its own"
_TONES: Final = "its tones are changed by a transfer function"
_STATES: Final = {
    **dict.fromkeys(("/TR", "/TR2"), _TONES),
    "/HT": _SCREEN,
    **dict.fromkeys(("/BG", "/BG2", "/UCR", "/UCR2"), _BLACK),
}
"""What a graphics state may say that only a press shows (PDF 1.7, table 57 and chapter 10)."""
_NEUTRAL: Final = (Name.Identity, Name.Default)
FINE: Final = 1.0
"""Pixels of the printer by which a curve may be off."""
_UNIT: Final = Rect(0, 0, 1, 1)
_FLAT, _POINT = 14.0, 0.1
"""pt of what no mark is large as; and of a point, or a line's width."""


class _GraphicsState(Struct, frozen=True):
    """What a content stream has set: where to paint, with what, how opaque and whether over what
    lies below; `writing` is the text rendering mode, `line` where a line of text begins."""

    ctm: Matrix = IDENTITY
    line: Matrix = IDENTITY
    fill: Paint = field(default_factory=Paint)
    stroke: Paint = field(default_factory=Paint)
    fills_over: bool = False
    strokes_over: bool = False
    sheer: str = ""
    writing: int = 0
    font: str = ""

    @property
    def look(self) -> tuple[Any, ...]:
        """All but the places."""
        return (
            *(self.fill, self.stroke, self.fills_over, self.strokes_over),
            *(self.sheer, self.writing, self.font),
        )


Places = Mapping[str, Rect | None]
"""Where each of some things is on a page for the first time, mm; None where nobody can tell."""


class Paints(Struct, frozen=True):
    """What a page paints with: kinds of colour, the most ink of a colour outside of pictures (1 for
    one full layer), and where that is, what is transparent and what overprints, in words; the names
    of fonts that words are set in; its pictures, pt; what only a press shows."""

    kinds: Places
    ink: float
    inked: Rect | None
    sheer: Places
    over: Places
    fonts: frozenset[str]
    pictures: tuple[DrawnPicture, ...]
    unseen: Places


@lru_cache(maxsize=1)  # several checks ask for them
def paints_of(subject: Subject) -> Sequence[Paints]:
    """Of each page."""
    return list(paints_in(subject.pdf))


def paints_in(pdf: Pdf) -> Iterator[Paints]:
    """Of each page of a file."""
    return (_Painter(pdf).read(page) for page in pdf.pages)


class _Full(NamedTuple):
    """An area that is painted with all inks at once: what brings the unit square to the box around
    it, how much ink that is, and whether it is filled."""

    matrix: Matrix
    ink: float
    filled: bool


class _About(Enum):
    """What is noted of a page."""

    KIND = auto()
    INK = auto()
    SHEER = auto()
    OVER = auto()
    UNSEEN = auto()


_Note = tuple[_About, str]
_INK: Final = _About.INK, ""


class _PlacedPaint(NamedTuple):
    """What a content stream paints of which the place matters, in its own space; `notes` are how
    much of something is there at most, and where first."""

    pictures: list[DrawnPicture]
    full: list[_Full]
    notes: dict[_Note, tuple[float, Rect | None]]

    def is_news(self, note: _Note, amount: float) -> bool:
        """Whether there is more of that than before."""
        return note not in self.notes or amount > self.notes[note][0]

    def add(self, inner: _PlacedPaint, ctm: Matrix) -> None:
        """What a form draws that is drawn here."""
        for note, (amount, box) in inner.notes.items():
            if self.is_news(note, amount):
                self.notes[note] = amount, box and ctm.box(box)
        self.pictures.extend(DrawnPicture(p.image, ctm.then(p.matrix)) for p in inner.pictures)
        room = _MOST_FULL - len(self.full)
        self.full.extend(f._replace(matrix=ctm.then(f.matrix)) for f in inner.full[:room])


class _PatternCell(NamedTuple):
    """What a pattern repeats."""

    pattern: Any
    pictures: list[DrawnPicture]

    def painted(self, box: Rect) -> Iterator[DrawnPicture]:
        """The pictures as they are seen first in what is painted with it, at the upper left."""
        if not self.pictures:
            return
        onto = Matrix(*map(float, self.pattern.get("/Matrix", IDENTITY)))
        if onto.area:
            seen = onto.inverse.box(box)
            x1, y1, _, _ = map(float, self.pattern.BBox)
            across, along = (abs(float(self.pattern[key])) for key in ("/XStep", "/YStep"))
            right = across * math.floor((seen.x - x1) / across) if across else 0.0
            up = along * (math.ceil((seen.bottom - y1) / along) - 1) if along else 0.0
            onto = onto.then(Matrix(e=right, f=up))
        for image, matrix in self.pictures:
            yield DrawnPicture(image, onto.then(matrix))


def _is_of_the_piece(full: _Full, page: Page) -> bool:
    """Whether it is no mark beside what is cut out: within the trim of a page that has one, else a
    large flat."""
    box = full.matrix.box(_UNIT)
    trim, whole = page.trimbox, page.mediabox
    (x1, y1, x2, y2), paper = map(float, trim), [float(value) for value in whole]
    if [x1, y1, x2, y2] == paper:
        return full.filled and min(box.width, box.height) > _FLAT
    inner = Rect(x1, y1, x2 - x1, y2 - y1).grown(-1)
    at = Rect(box.x, box.y, max(box.width, _POINT), max(box.height, _POINT))
    return inner.overlaps(at) and (full.filled or not box.contains(inner))


class _Painter:
    """Follows the content stream of a page and those of the forms that it draws, each of these once
    for each way in which it is drawn."""

    def __init__(self, pdf: Pdf) -> None:
        self._pdf = pdf
        self._fonts: set[str] = set()
        self._path: list[tuple[str, list[Any]]] = []
        self._shaded: dict[bytes, Paint] = {}
        self._here = _nothing()
        self._seen: dict[tuple[Any, ...], _PlacedPaint] = {}

    def read(self, page: Page) -> Paints:
        """What a page paints with."""
        self._follow(page, page.resources, _GraphicsState(), 0)
        here, to_page = self._here, onto_page(page)
        for full in here.full:
            if here.is_news(_INK, full.ink) and _is_of_the_piece(full, page):
                here.notes[_INK] = full.ink, full.matrix.box(_UNIT)

        x1, y1, x2, y2 = map(float, page.mediabox)
        paper = to_page.box(Rect(x1, y1, x2 - x1, y2 - y1))

        def place(box: Rect | None) -> Rect | None:
            seen = box and to_page.box(box)
            return seen.cut_to(paper) if seen and seen.overlaps(paper) else seen

        def noted(about: _About) -> dict[str, Rect | None]:
            notes = {what: box for (kind, what), (_, box) in here.notes.items() if kind is about}
            return {what: place(box) for what, box in notes.items()}

        return Paints(
            noted(_About.KIND),
            here.notes.get(_INK, (0.0, None))[0],
            noted(_About.INK).get(""),
            noted(_About.SHEER),
            noted(_About.OVER),
            frozenset(self._fonts),
            tuple(here.pictures),
            noted(_About.UNSEEN),
        )

    def _follow(self, content: Any, resources: Object, state: _GraphicsState, depth: int) -> None:
        saved: list[_GraphicsState] = []
        cells: dict[str, _PatternCell] = {}
        for step in parse_content_stream(content):
            operator, operands = str(step.operator), list(step.operands)
            if operator == "q":
                saved.append(state)
            elif operator == "Q":
                state = saved.pop() if saved else state
            elif operator in _CHANGES:
                state = _CHANGES[operator](state, operands, resources)
                self._meet(operator, operands, resources, cells)
            elif operator in _DRAWS:
                self._path.append((operator, operands))
            elif operator == "Do":
                self._show(_entry(resources, "/XObject", operands[0]), resources, state, depth)
            elif operator == "INLINE IMAGE":
                self._show_inline(operands[0], state)
            elif operator == "sh":
                shading = _entry(resources, "/Shading", operands[0])
                self._paint(self._of_shading(shading, resources), False, state, _nowhere)
            else:
                self._paint_with(operator, state, cells)

    def _paint_with(
        self, operator: str, state: _GraphicsState, cells: dict[str, _PatternCell]
    ) -> None:
        fills, strokes = operator in _FILLS, operator in _STROKES
        if operator in _WRITES:
            self._fonts.add(state.font)
            fills, strokes = state.writing % 4 in (0, 2), state.writing % 4 in (1, 2)

        def where() -> Rect:
            corners = list(_corners(self._path)) or [state.line.point(ORIGIN)]
            return bounds([state.ctm.point(corner) for corner in corners])

        if fills:
            self._paint(state.fill, state.fills_over, state, where)
        if strokes:
            self._paint(state.stroke, state.strokes_over, state, where)
        for paint in (state.fill,) * fills + (state.stroke,) * strokes:
            if paint.placed:
                self._place(paint, where(), cells, filled=paint is state.fill)
        if operator in _ENDS:
            self._path.clear()

    def _place(
        self, paint: Paint, box: Rect, cells: dict[str, _PatternCell], *, filled: bool
    ) -> None:
        """Something is painted there in a colour of which that matters."""
        if paint.kind == ALL_INKS and len(self._here.full) < _MOST_FULL:
            unit = Matrix(box.width, 0, 0, box.height, box.x, box.y)
            self._here.full.append(_Full(unit, paint.ink, filled))
        elif paint.pattern in cells:  # the same picture again is no news
            self._here.pictures.extend(cells.pop(paint.pattern).painted(box))

    def _paint(
        self, paint: Paint, over: bool, state: _GraphicsState, where: Callable[[], Rect | None]
    ) -> None:
        if paint.kind:
            kind = CMYK if paint.kind == ALL_INKS else paint.kind
            self._note((_About.KIND, kind), where)
        if paint.kind != ALL_INKS:
            self._note(_INK, where, paint.ink)
        if state.sheer:
            self._note((_About.SHEER, state.sheer), where)
        if over and paint.white:
            self._note((_About.OVER, "white"), where)
        elif over and paint.kind and not (paint.black or paint.named):
            self._note((_About.OVER, "colour"), where)

    def _note(self, note: _Note, where: Callable[[], Rect | None], amount: float = 0.0) -> None:
        if self._here.is_news(note, amount):
            self._here.notes[note] = amount, where()

    def _meet(
        self, operator: str, operands: list[Any], within: Object, cells: dict[str, _PatternCell]
    ) -> None:
        """What is named there that has something to tell of its own."""
        if operator in ("scn", "SCN"):
            self._meet_pattern(operands, within, cells)
        elif operator == "gs":
            for words in of_state(_entry(within, "/ExtGState", operands[0])):
                self._note((_About.UNSEEN, words), _nowhere)

    def _meet_pattern(
        self, operands: list[Any], resources: Object, cells: dict[str, _PatternCell]
    ) -> None:
        """What a pattern repeats that is painted with from here on; its colours are noted."""
        if not (operands and isinstance(operands[-1], Name)):
            return
        pattern = _entry(resources, "/Pattern", operands[-1])
        outside, self._here = self._here, _nothing()
        if isinstance(pattern, Stream):
            self._draw(pattern, resources, _GraphicsState(), _DEEPEST - 1)
        elif "/Shading" in pattern:
            self._paint(
                self._of_shading(pattern.Shading, resources), False, _GraphicsState(), _nowhere
            )
        inside, self._here = self._here, outside
        for note, (amount, _) in inside.notes.items():
            self._note(note, _nowhere, amount)
        cells[str(operands[-1])] = _PatternCell(pattern, inside.pictures)

    def _of_shading(self, shading: Any, resources: Object) -> Paint:
        key = shading.unparse()
        if key not in self._shaded:
            self._shaded[key] = shaded(shading, resources)
        return self._shaded[key]

    def _show(self, shown: Object, resources: Object, state: _GraphicsState, depth: int) -> None:
        if shown.get("/Subtype") == Name.Image:
            self._picture(shown, state, resources)
        elif shown.get("/Subtype") == Name.Form and depth < _DEEPEST:
            if "/Matrix" in shown:
                state = replace(state, ctm=state.ctm.then(Matrix(*map(float, shown.Matrix))))
            self._draw(shown, resources, state, depth)

    def _draw(self, form: Object, resources: Object, state: _GraphicsState, depth: int) -> None:
        """A form that was followed before in this way has nothing new but where its pictures go."""
        key = (form.objgen, *state.look)
        if key not in self._seen:
            self._seen[key] = _nothing()  # one that draws itself comes to an end
            outside, self._here = self._here, _nothing()
            inside = form.get("/Resources", resources)
            self._follow(form, inside, replace(state, ctm=IDENTITY), depth + 1)
            self._seen[key], self._here = self._here, outside
        self._here.add(self._seen[key], state.ctm)

    def _picture(self, image: Object, state: _GraphicsState, resources: Object) -> None:
        self._here.pictures.append(DrawnPicture(image, state.ctm))

        def where() -> Rect:
            return state.ctm.box(_UNIT)

        if image.get("/ImageMask", False):
            self._paint(state.fill, state.fills_over, state, where)
            return
        kind = kind_of(image.get("/ColorSpace"), resources) or _own_kind(image)
        self._paint(Paint(kind, 0.0), False, state, where)
        if "/SMask" in image:
            self._note((_About.SHEER, "a picture with soft edges"), where)

    def _show_inline(self, inline: Any, state: _GraphicsState) -> None:
        """A picture that is written in the stream itself, as one that it draws. Nobody asks for its
        pixels."""
        with suppress(*NOT_READ):
            image = self._pdf.make_stream(
                inline.read_raw_bytes(),
                Subtype=Name.Image,
                Width=inline.width,
                Height=inline.height,
                BitsPerComponent=inline.bits_per_component,
                ImageMask=inline.image_mask,
            )
            if not inline.image_mask:
                image.ColorSpace = Name(inline.colorspace)
            self._picture(image, state, Dictionary())


def onto_page(page: Page) -> Matrix:
    """What brings a page's space (pt) to mm from the upper left corner of its paper."""
    left, _, _, top = (float(value) for value in page.mediabox)
    one = pt_to_mm(float(page.obj.get("/UserUnit", 1)))
    return Matrix(one, 0, 0, -one, -left * one, top * one)


def _nothing() -> _PlacedPaint:
    return _PlacedPaint([], [], {})


def _nowhere() -> None:
    """The place of what has none that is told."""


def _corners(path: Sequence[tuple[str, list[Any]]]) -> Iterator[Point]:
    """The points of a path's operators."""
    for operator, operands in path:
        told = [float(value) for value in operands]
        if operator == "re":
            x, y, width, height = told
            told = [x, y, x + width, y + height]
        yield from map(Point, told[::2], told[1::2])


_FILLS: Final = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
_STROKES: Final = frozenset(("S", "s", "B", "B*", "b", "b*"))
_DRAWS: Final = frozenset(("m", "l", "c", "v", "y", "re"))
_ENDS: Final = _FILLS | _STROKES | {"n"}
_WRITES: Final = frozenset(("Tj", "TJ", "'", '"'))


def _entry(resources: Object, category: str, name: Any) -> Any:
    """Something that a content stream names; an empty one where it is not there."""
    return resources.get(category, Dictionary()).get(str(name), Dictionary())


def font_name(font: Any) -> str:
    """What a font calls itself."""
    return str(font.get("/BaseFont", "/a font without a name")).removeprefix("/")


def _own_kind(image: Any) -> str:
    """Of which kind the colours of a picture are that tells that itself, as JPEG 2000 may."""
    if not is_jpx(image):
        return ""
    with (
        suppress(*NOT_READ),
        Image.open(BytesIO(image.read_raw_bytes()), formats=["JPEG2000"]) as own,
    ):
        return _BY_MODE.get(own.mode, "")
    return ""


_BY_MODE: Final = {"L": GREY, "LA": GREY, "RGB": RGB, "RGBA": RGB, "CMYK": CMYK}


def _font(within: Object, named: str) -> str:
    """What words are set in, by the name that its font has there."""
    font = within.get("/Font", Dictionary()).get(named)
    return f"{LACKING}{named[1:]}" if font is None else font_name(font)


LACKING: Final = "/"
"""Begins the name of a font that a page names and does not have: no font's own name does."""


def of_state(state: Any) -> Iterator[str]:
    """What a graphics state asks of a press, in words, whatever program wrote it."""
    for key, words in _STATES.items():
        if state.get(key, Name.Default) not in _NEUTRAL:
            yield words
    if _number(state.get("/FL")) > FINE:
        yield COARSE


def _number(value: Any) -> float:
    return float(value) if value is not None and not isinstance(value, Object) else 0.0


def _with_graphics(state: _GraphicsState, given: Any) -> _GraphicsState:
    """A state after the entries of a graphics state that matter here (PDF 1.7, table 57)."""
    strokes_over = bool(given.get("/OP", state.strokes_over))
    # /OP alone is for fills too
    fills_over = bool(given.get("/op", given.get("/OP", state.fills_over)))
    sheer = state.sheer
    if {"/ca", "/CA", "/BM", "/SMask"} & set(given.keys()):
        sheer = _sheer(given)
    return replace(state, strokes_over=strokes_over, fills_over=fills_over, sheer=sheer)


def _sheer(given: Any) -> str:
    if min(float(given.get("/ca", 1)), float(given.get("/CA", 1))) < _OPAQUE:
        return "a colour that is not opaque"
    if given.get("/SMask", Name("/None")) != Name("/None"):
        return "a soft mask"
    blend = given.get("/BM")
    first = blend[0] if isinstance(blend, Array) and len(blend) else blend
    return "" if first in _NORMAL else f"the blend mode {str(first).removeprefix('/')}"


_Operator = Callable[[_GraphicsState, list[Any], Object], _GraphicsState]


def _fill(read: ReadsPaint) -> _Operator:
    return lambda state, given, resources: replace(state, fill=read(state.fill, given, resources))


def _stroke(read: ReadsPaint) -> _Operator:
    return lambda state, given, resources: replace(
        state, stroke=read(state.stroke, given, resources)
    )


def _next_line(state: _GraphicsState, given: list[Any], resources: Object) -> _GraphicsState:
    x, y = map(float, given)
    return replace(state, line=state.line.then(Matrix(e=x, f=y)))


_CHANGES: Final[Mapping[str, _Operator]] = {
    "cm": lambda state, given, _: replace(state, ctm=state.ctm.then(Matrix(*map(float, given)))),
    "BT": lambda state, given, _: replace(state, line=IDENTITY),
    "Tm": lambda state, given, _: replace(state, line=Matrix(*map(float, given))),
    **dict.fromkeys(("Td", "TD"), _next_line),
    "Tr": lambda state, given, _: replace(state, writing=int(given[0])),
    "Tf": lambda state, given, within: replace(state, font=_font(within, str(given[0]))),
    "gs": lambda state, given, within: _with_graphics(
        state, _entry(within, "/ExtGState", given[0])
    ),
    **{name: _fill(device(kind)) for name, kind in (("g", GREY), ("rg", RGB), ("k", CMYK))},
    **{name: _stroke(device(kind)) for name, kind in (("G", GREY), ("RG", RGB), ("K", CMYK))},
    "cs": _fill(first_of),
    "CS": _stroke(first_of),
    **dict.fromkeys(("sc", "scn"), _fill(in_space)),
    **dict.fromkeys(("SC", "SCN"), _stroke(in_space)),
}
"""What changes the state, and how."""


NOT_READ: Final = (
    PikepdfError,
    Image.DecompressionBombError,
    LookupError,
    NotImplementedError,
    OSError,
    TypeError,
    ValueError,
)
"""What is raised of a picture that neither pikepdf nor Pillow can read, such as one of 16 bits:
most printers can, so that it is no fault of the file."""
