"""The pages of any PDF in; what they and all that they draw paint with out: kinds of colour, how
much ink lies in one place, what is transparent, what overprints, and where each picture is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
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
    PikepdfError,
    Stream,
    parse_content_stream,
)
from PIL import Image

from generator.geometry import IDENTITY, Matrix
from generator.pdf_forms import DrawnPicture
from generator.preflight.checking import Subject
from generator.units import summed

GREY, RGB, CMYK, LAB = "grey", "RGB", "CMYK", "Lab"
"""Kinds of colour; an ink of its own is known by its name, in quotation marks."""
_DEEPEST: Final = 40
_DEVICES: Final = {
    **dict.fromkeys(("/DeviceGray", "/CalGray", "/G"), GREY),
    **dict.fromkeys(("/DeviceRGB", "/CalRGB", "/RGB"), RGB),
    **dict.fromkeys(("/DeviceCMYK", "/CMYK"), CMYK),
    "/Lab": LAB,
}
_BY_CHANNELS: Final = {1: GREY, 3: RGB, 4: CMYK}
_PROCESS: Final = frozenset(("/Cyan", "/Magenta", "/Yellow", "/Black"))
_NORMAL: Final = (None, Name.Normal, Name.Compatible)
_OPAQUE: Final = 0.999
_STEPS, _STEPS_DEEP = 16, 2
"""Of a shading that are looked at; a function may hold others, in which these are."""
_SLIGHT: Final = 0.005
"""Of full ink: less is none."""


class Paint(Struct, frozen=True):
    """A colour: its kind, empty for a pattern, whose own colours count; how much ink it is, 1 for
    one full layer; whether it is no more than white paper, and whether no ink but black."""

    kind: str = GREY
    ink: float = 1.0
    white: bool = False
    black: bool = True

    @property
    def named(self) -> bool:
        """True for an ink of its own."""
        return self.kind.startswith("‘")


class _State(Struct, frozen=True):
    """What a content stream has set: where to paint, with what, how opaque and whether over what
    lies below; `writing` is the text rendering mode."""

    ctm: Matrix = IDENTITY
    fill: Paint = field(default_factory=Paint)
    stroke: Paint = field(default_factory=Paint)
    fills_over: bool = False
    strokes_over: bool = False
    sheer: str = ""
    writing: int = 0
    font: str = ""

    @property
    def look(self) -> tuple[Any, ...]:
        """All but the place."""
        return (
            *(self.fill, self.stroke, self.fills_over, self.strokes_over),
            *(self.sheer, self.writing, self.font),
        )


class Paints(Struct, frozen=True):
    """What a page paints with: kinds of colour, the most ink of a colour outside of pictures (1 for
    one full layer), what is transparent and what overprints, in words; the names of fonts that
    words are set in; its pictures, pt."""

    kinds: frozenset[str]
    ink: float
    sheer: tuple[str, ...]
    over: tuple[str, ...]
    fonts: frozenset[str]
    pictures: tuple[DrawnPicture, ...]


@lru_cache(maxsize=1)  # several checks ask for them
def paints_of(subject: Subject) -> Sequence[Paints]:
    """Of each page."""
    return list(paints_in(subject.pdf))


def paints_in(pdf: Pdf) -> Iterator[Paints]:
    """Of each page of a file."""
    return (_Painter(pdf).read(page) for page in pdf.pages)


class _Painter:
    """Follows the content stream of a page and those of the forms that it draws, each of these once
    for each way in which it is drawn."""

    def __init__(self, pdf: Pdf) -> None:
        self._pdf = pdf
        self._kinds: dict[str, None] = {}
        self._ink = 0.0
        self._sheer: dict[str, None] = {}
        self._over: dict[str, None] = {}
        self._fonts: set[str] = set()
        self._pictures: list[DrawnPicture] = []
        self._seen: dict[tuple[Any, ...], tuple[DrawnPicture, ...]] = {}

    def read(self, page: Page) -> Paints:
        """What a page paints with."""
        self._follow(page, page.resources, _State(), 0)
        return Paints(
            frozenset(self._kinds),
            self._ink,
            tuple(self._sheer),
            tuple(self._over),
            frozenset(self._fonts),
            tuple(self._pictures),
        )

    def _follow(self, content: Any, resources: Object, state: _State, depth: int) -> None:
        saved: list[_State] = []
        for step in parse_content_stream(content):
            operator, operands = str(step.operator), list(step.operands)
            if operator == "q":
                saved.append(state)
            elif operator == "Q":
                state = saved.pop() if saved else state
            elif operator in _CHANGES:
                state = _CHANGES[operator](state, operands, resources)
                if operator in ("scn", "SCN") and operands and isinstance(operands[-1], Name):
                    self._note_pattern(_entry(resources, "/Pattern", operands[-1]), resources)
            elif operator == "Do":
                self._show(_entry(resources, "/XObject", operands[0]), resources, state, depth)
            elif operator == "INLINE IMAGE":
                self._show_inline(operands[0], state)
            elif operator == "sh":
                shading = _entry(resources, "/Shading", operands[0])
                self._paint(_shaded(shading, resources), False, state)
            else:
                self._paint_with(operator, state)

    def _paint_with(self, operator: str, state: _State) -> None:
        fills, strokes = operator in _FILLS, operator in _STROKES
        if operator in _WRITES:
            self._fonts.add(state.font)
            fills, strokes = state.writing % 4 in (0, 2), state.writing % 4 in (1, 2)
        if fills:
            self._paint(state.fill, state.fills_over, state)
        if strokes:
            self._paint(state.stroke, state.strokes_over, state)

    def _paint(self, paint: Paint, over: bool, state: _State) -> None:
        if paint.kind:
            self._kinds[paint.kind] = None
        self._ink = max(self._ink, paint.ink)
        if state.sheer:
            self._sheer[state.sheer] = None
        if over and paint.white:
            self._over["white"] = None
        elif over and paint.kind and not (paint.black or paint.named):
            self._over["colour"] = None

    def _note_pattern(self, pattern: Any, resources: Object) -> None:
        """The colours of a pattern that is painted with."""
        if isinstance(pattern, Stream):
            self._draw(pattern, resources, _State(), _DEEPEST - 1)
        elif "/Shading" in pattern:
            self._paint(_shaded(pattern.Shading, resources), False, _State())

    def _show(self, shown: Object, resources: Object, state: _State, depth: int) -> None:
        if shown.get("/Subtype") == Name.Image:
            self._picture(shown, state, resources)
        elif shown.get("/Subtype") == Name.Form and depth < _DEEPEST:
            if "/Matrix" in shown:
                state = replace(state, ctm=state.ctm.then(Matrix(*map(float, shown.Matrix))))
            self._draw(shown, resources, state, depth)

    def _draw(self, form: Object, resources: Object, state: _State, depth: int) -> None:
        """A form that was followed before in this way has nothing new but where its pictures go."""
        key = (form.objgen, *state.look)
        if key not in self._seen:
            self._seen[key] = ()  # one that draws itself comes to an end
            outside, self._pictures = self._pictures, []
            inside = form.get("/Resources", resources)
            self._follow(form, inside, replace(state, ctm=IDENTITY), depth + 1)
            self._seen[key], self._pictures = tuple(self._pictures), outside
        self._pictures += (
            DrawnPicture(inner.image, state.ctm.then(inner.matrix)) for inner in self._seen[key]
        )

    def _picture(self, image: Object, state: _State, resources: Object) -> None:
        self._pictures.append(DrawnPicture(image, state.ctm))
        if image.get("/ImageMask", False):
            self._paint(state.fill, state.fills_over, state)
            return
        self._paint(Paint(_kind(image.get("/ColorSpace"), resources), 0.0), False, state)
        if "/SMask" in image:
            self._sheer["a picture with soft edges"] = None

    def _show_inline(self, inline: Any, state: _State) -> None:
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


_FILLS: Final = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
_STROKES: Final = frozenset(("S", "s", "B", "B*", "b", "b*"))
_WRITES: Final = frozenset(("Tj", "TJ", "'", '"'))


def _entry(resources: Object, category: str, name: Any) -> Any:
    """Something that a content stream names; an empty one where it is not there."""
    return resources.get(category, Dictionary()).get(str(name), Dictionary())


def font_name(font: Any) -> str:
    """What a font calls itself."""
    return str(font.get("/BaseFont", "/a font without a name")).removeprefix("/")


def _with_graphics(state: _State, given: Any) -> _State:
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


def _kind(space: Any, resources: Object) -> str:
    """Of which kind the colours of a space are; empty for patterns and what nobody knows."""
    first = space[0] if isinstance(space, Array) and len(space) else space
    name = "" if first is None else str(first)
    if name in _DEVICES:
        return _DEVICES[name]
    if isinstance(space, Array) and len(space) > 1:
        if name == "/ICCBased":
            return _BY_CHANNELS.get(int(space[1].get("/N", 0)), "")
        if name in ("/Indexed", "/I", "/Pattern"):
            return _kind(space[1], resources)
        if name in ("/Separation", "/DeviceN"):
            return _of_inks([space[1]] if name == "/Separation" else list(space[1]))
    if name and not isinstance(space, Array):
        given = resources.get("/ColorSpace", Dictionary()).get(name)
        return "" if given is None or given == space else _kind(given, resources)
    return ""


def _shaded(shading: Any, resources: Object) -> Paint:
    """The colours of a shading, with the most ink at an end of one of its steps."""
    kind = _kind(shading.get("/ColorSpace"), resources)
    ink = _most_ink(shading.get("/Function")) if kind == CMYK else 0.0
    return Paint(kind, ink)


def _most_ink(function: Any, depth: int = 0) -> float:
    if depth > _STEPS_DEEP or isinstance(function, Stream):
        return 0.0
    if isinstance(function, Array):  # each gives one channel
        return summed(_most_ink(one, depth + 1) for one in islice(function, _STEPS))
    if not isinstance(function, Dictionary):
        return 0.0
    steps = [_most_ink(one, depth + 1) for one in islice(function.get("/Functions", ()), _STEPS)]
    ends = [summed(map(float, function[key])) for key in ("/C0", "/C1") if key in function]
    return max((*steps, *ends), default=0.0)


def _of_inks(names: Sequence[Any]) -> str:
    own = [str(n)[1:] for n in names if str(n) not in _PROCESS and str(n) not in ("/All", "/None")]
    return f"‘{own[0]}’" if own else CMYK


def _painted(kind: str, numbers: Sequence[float], *, tints: bool) -> Paint:
    """A colour of so much of each channel; of inks they are `tints`, and white is none of them."""
    if kind == CMYK or tints:
        ink = summed(numbers)
        only_black = kind == CMYK and (len(numbers) != 4 or summed(numbers[:3]) < _SLIGHT)
        return Paint(kind, ink, ink < _SLIGHT, only_black)
    white = bool(numbers) and min(numbers) > 1 - _SLIGHT
    if kind == GREY:
        return Paint(kind, 1 - numbers[0] if numbers else 1.0, white)
    # what overprints in RGB is left out by every printer, but for white, which may be meant so
    return Paint(kind, 0.0, white and kind == RGB, black=True)


_Read = Callable[[Paint, list[Any], Object], Paint]
"""The colour after an operator: from that before, what is given, and the resources."""


def _device(kind: str) -> _Read:
    return lambda before, given, resources: _painted(kind, list(map(float, given)), tints=False)


def _space(before: Paint, given: list[Any], resources: Object) -> Paint:
    """The first colour of a space: black, and full ink of one of its own."""
    kind = _kind(given[0], resources)
    return Paint(kind, 0.0 if kind in ("", RGB, LAB) else 1.0)


def _in_space(before: Paint, given: list[Any], resources: Object) -> Paint:
    numbers = [float(value) for value in given if not isinstance(value, Name)]
    if not numbers:
        return replace(before, ink=0.0, white=False)
    return _painted(before.kind, numbers, tints=before.named)


_Change = Callable[[_State, list[Any], Object], _State]


def _fill(read: _Read) -> _Change:
    return lambda state, given, resources: replace(state, fill=read(state.fill, given, resources))


def _stroke(read: _Read) -> _Change:
    return lambda state, given, resources: replace(
        state, stroke=read(state.stroke, given, resources)
    )


_CHANGES: Final[Mapping[str, _Change]] = {
    "cm": lambda state, given, _: replace(state, ctm=state.ctm.then(Matrix(*map(float, given)))),
    "Tr": lambda state, given, _: replace(state, writing=int(given[0])),
    "Tf": lambda state, given, within: replace(
        state, font=font_name(_entry(within, "/Font", given[0]))
    ),
    "gs": lambda state, given, within: _with_graphics(
        state, _entry(within, "/ExtGState", given[0])
    ),
    **{name: _fill(_device(kind)) for name, kind in (("g", GREY), ("rg", RGB), ("k", CMYK))},
    **{name: _stroke(_device(kind)) for name, kind in (("G", GREY), ("RG", RGB), ("K", CMYK))},
    "cs": _fill(_space),
    "CS": _stroke(_space),
    **dict.fromkeys(("sc", "scn"), _fill(_in_space)),
    **dict.fromkeys(("SC", "SCN"), _stroke(_in_space)),
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
