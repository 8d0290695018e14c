"""Follows the drawing commands of pages and forms, and says what they show (PDF 1.7, annex A)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pikepdf import Array, Dictionary, Name, Page, Pdf, Stream, String, parse_content_stream

from generator.geometry import IDENTITY, Matrix, Rect
from generator.preflight.pdf.graphics_state import DEVICES, GraphicsState, of_state, sheer_state
from generator.preflight.pdf.optional_content import UnprintedLayers
from generator.preflight.pdf.pdf_colours import (
    ColourSpace,
    PdfPaint,
    first_in,
    is_pattern,
    painted,
    shaded,
    space_of,
)
from generator.preflight.pdf.pdf_fonts import PdfFont, read_font
from generator.preflight.pdf.shown_marks import (
    FileImage,
    ShownColour,
    ShownLine,
    ShownMarks,
    ShownPicture,
    ShownText,
)

ODD: Final = "drawing commands that are damaged"
ELSEWHERE: Final = "parts that are stored in other files"
_DEEPEST: Final = 50
"""Forms in forms; others draw themselves."""
_ALMOST_NONE: Final = 0.02
"""Opacity of what nobody sees."""
_CAP: Final = 0.7
"""Height of a capital letter, in em."""
_HIDDEN: Final = (3, 7)
"""Text rendering modes that paint nothing."""
_FILLS: Final = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
_STROKES: Final = frozenset(("S", "s", "B", "B*", "b", "b*"))
_ODD: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Raised where a command is given something else than it needs."""


class ContentReader:
    """Reads the pages of one file; a form that is drawn many times is followed once."""

    def __init__(self, pdf: Pdf) -> None:
        self._fonts: dict[tuple[int, int], PdfFont] = {}
        self._images: dict[tuple[int, int], FileImage] = {}
        self._forms: dict[tuple[Any, ...], ShownMarks] = {}
        self.unprinted = UnprintedLayers(pdf)

    def read(self, page: Page) -> ShownMarks:
        """Return what a page shows, in its own space, pt. Raises PdfError."""
        resources = page.obj.get("/Resources")
        if resources is None:
            resources = page.resources
        follower = _Follower(self, resources, GraphicsState(), 0)
        follower.follow(page)
        return follower.marks

    def font(self, font: Any) -> PdfFont:
        """Return a font dictionary as a value."""
        if not font.is_indirect:
            return read_font(font)
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = read_font(font)
        return self._fonts[font.objgen]

    def image(self, stream: Any, resources: Any) -> FileImage:
        """Return a picture as a value."""
        if stream.objgen not in self._images:
            space, mask = stream.get("/ColorSpace"), stream.get("/SMask")
            stored = int(stream.get("/Length", 0))
            self._images[stream.objgen] = FileImage(
                width=int(stream.Width),
                height=int(stream.Height),
                kind=space_of(space, resources).kind,
                bits=int(stream.get("/BitsPerComponent", 1)),
                stored=stored + (int(mask.get("/Length", 0)) if mask is not None else 0),
                space=space,
                source=stream,
                is_stencil=bool(stream.get("/ImageMask", False)),
                is_sheer=mask is not None,
            )
        return self._images[stream.objgen]

    def form(self, form: Any, resources: Any, state: GraphicsState, depth: int) -> ShownMarks:
        """Return what a form or a pattern shows, in its own space."""
        key = (form.objgen, *state.look)
        if key in self._forms:
            return self._forms[key]
        self._forms[key] = ShownMarks()  # a form that draws itself comes to an end
        inside = copy.copy(state)
        inside.ctm, inside.clip = IDENTITY, None
        corners = form.get("/BBox")
        if isinstance(corners, Array) and len(corners) == 4:
            x1, y1, x2, y2 = map(float, corners)
            inside.clip = Rect(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1))
        follower = _Follower(self, form.get("/Resources", resources), inside, depth)
        follower.follow(form)
        self._forms[key] = follower.marks
        return follower.marks


class _Follower:
    """Follows one content stream."""

    def __init__(
        self, reader: ContentReader, resources: Any, state: GraphicsState, depth: int
    ) -> None:
        self.marks = ShownMarks()
        self._reader = reader
        self._resources = resources
        self._state = state
        self._depth = depth
        self._saved: list[GraphicsState] = []
        self._path: list[Any] = []
        self._clips = False
        self._text = self._line = IDENTITY
        self._hidden: list[bool] = []
        self._fonts: dict[str, PdfFont | None] = {}
        self._spaces: dict[str, ColourSpace] = {}

    def follow(self, content: Any) -> None:
        """Run through the commands. One that cannot be understood does nothing, as in viewers."""
        for step in parse_content_stream(content):
            operator = str(step.operator)
            work = _COMMANDS.get(operator)
            try:
                if work is not None:
                    work(self, step.operands)
                elif operator in _PAINTS:
                    self._paint(operator in _FILLS, operator in _STROKES)
            except _ODD:
                self.marks.notes[ODD] = None

    def save(self, _: Sequence[Any]) -> None:
        self._saved.append(copy.copy(self._state))

    def restore(self, _: Sequence[Any]) -> None:
        if self._saved:
            self._state = self._saved.pop()

    def transform(self, given: Sequence[Any]) -> None:
        self._state.ctm = self._state.ctm.then(_matrix(given))

    def set_width(self, given: Sequence[Any]) -> None:
        self._state.width = abs(float(given[0]))

    def set_state(self, given: Sequence[Any]) -> None:
        state, named = self._state, self._named("/ExtGState", given[0])
        if named is None:
            return
        state.strokes_over = bool(named.get("/OP", state.strokes_over))
        state.fills_over = bool(named.get("/op", named.get("/OP", state.fills_over)))
        state.width = abs(float(named.get("/LW", state.width)))
        state.opacity = float(named.get("/ca", state.opacity))
        sheer = sheer_state(named)
        state.sheer = state.sheer if sheer is None else sheer
        font = named.get("/Font")
        if isinstance(font, Array):
            state.font, state.size = self._reader.font(font[0]), float(font[1])
        if not self._is_hidden:
            self.marks.notes |= dict.fromkeys(of_state(named))

    # Colours

    def set_colour(self, part: str, space: ColourSpace, given: Sequence[Any]) -> None:
        setattr(self._state, part, self._coloured(space, given))
        setattr(self._state, f"{part}_space", space)

    def choose_space(self, part: str, given: Sequence[Any]) -> None:
        space = self._space(given[0])
        setattr(self._state, part, first_in(space))
        setattr(self._state, f"{part}_space", space)

    def colour(self, part: str, given: Sequence[Any]) -> None:
        space = getattr(self._state, f"{part}_space")
        setattr(self._state, part, self._coloured(space, given))

    def _space(self, named: Any) -> ColourSpace:
        name = str(named)
        if name not in self._spaces:
            self._spaces[name] = space_of(named, self._resources)
        return self._spaces[name]

    def _coloured(self, space: ColourSpace, given: Sequence[Any]) -> PdfPaint:
        if is_pattern(given):
            return PdfPaint(space.kind, 0.0, False, (), str(given[-1]))
        return painted(space, [float(value) for value in given])

    # Paths

    def move(self, given: Sequence[Any]) -> None:
        self._path.extend(given)

    def rectangle(self, given: Sequence[Any]) -> None:
        x, y, width, height = (float(value) for value in given)
        self.move((x, y, x + width, y, x + width, y + height, x, y + height))

    def clip(self, _: Sequence[Any]) -> None:
        self._clips = True

    def _paint(self, fills: bool, strokes: bool) -> None:
        path, state = self._path, self._state
        self._path, clips, self._clips = [], self._clips, False
        if not path:
            return
        numbers = list(map(float, path))
        left, top = min(numbers[::2]), min(numbers[1::2])
        width, height = max(numbers[::2]) - left, max(numbers[1::2]) - top
        box = state.ctm.box(Rect(left, top, width, height))
        if fills:
            self._area(state.fill, state.fills_over, box)
        if strokes:
            self._area(state.stroke, state.strokes_over, box)
            if self._is_seen(box) and not fills:  # of what is filled more shows than its outline
                width = state.width * abs(state.ctm.area) ** 0.5
                self.marks.line(ShownLine(round(width, 4), state.stroke), [self._seen(box)])
        if clips:
            state.clip = box if state.clip is None else box.cut_to(state.clip)

    def shade(self, given: Sequence[Any]) -> None:
        shading = self._named("/Shading", given[0])
        if shading is not None:
            place = self._state.clip or Rect(0, 0, 0, 0)
            self._area(shaded(shading, self._resources), False, place)

    def _area(self, paint: PdfPaint, over: bool, box: Rect) -> None:
        """Note that a box is painted."""
        if not self._is_seen(box):
            return
        if paint.pattern:
            self._pattern(paint.pattern, self._seen(box))
        else:
            self.marks.area(ShownColour(paint, over, self._state.sheer), [self._seen(box)])

    def _pattern(self, name: str, box: Rect) -> None:
        """Note what a pattern shows in a box."""
        pattern = self._named("/Pattern", name)
        if pattern is None:
            return
        if "/Shading" in pattern:
            paint = shaded(pattern.Shading, self._resources)
            self.marks.area(ShownColour(paint, False, self._state.sheer), [box])
        elif isinstance(pattern, Stream) and self._depth < _DEEPEST:
            cell = self._reader.form(pattern, self._resources, GraphicsState(), self._depth + 1)
            onto = _matrix(pattern.get("/Matrix", IDENTITY))
            for picture in cell.pictures:
                seen = ShownPicture(picture.image, onto.then(picture.matrix), box)
                if seen not in self.marks.pictures[-len(cell.pictures) :]:
                    self.marks.pictures.append(seen)
            for colour in cell.areas:
                self.marks.area(colour, [box])
            self.marks.notes |= cell.notes

    @property
    def _is_hidden(self) -> bool:
        return any(self._hidden) or self._state.opacity < _ALMOST_NONE

    def _is_seen(self, box: Rect) -> bool:
        clip = self._state.clip
        if self._is_hidden:
            return False
        return clip is None or (
            box.x <= clip.right
            and clip.x <= box.right
            and box.y <= clip.bottom
            and clip.y <= box.bottom
        )

    def _seen(self, box: Rect) -> Rect:
        return box.cut_to(self._state.clip) if self._state.clip else box

    # Forms and pictures

    def show(self, given: Sequence[Any]) -> None:
        shown = self._named("/XObject", given[0])
        if not isinstance(shown, Stream) or self._is_hidden:
            return
        if self._reader.unprinted.has(shown.get("/OC")):
            return
        if {"/F", "/OPI", "/Ref"} & set(shown.keys()):
            self.marks.notes[ELSEWHERE] = None
        if shown.get("/Subtype") == Name.Image:
            self._picture(self._reader.image(shown, self._resources))
        elif shown.get("/Subtype") == Name.Form and self._depth < _DEEPEST:
            marks = self._reader.form(shown, self._resources, self._state, self._depth + 1)
            ctm = self._state.ctm.then(_matrix(shown.get("/Matrix", IDENTITY)))
            self.marks.add(marks, ctm, self._state.clip)

    def show_inline(self, given: Sequence[Any]) -> None:
        """Show a picture that is written between the commands."""
        inline = given[0]
        named = inline.obj.get("/CS", inline.obj.get("/ColorSpace")) if inline.obj else None
        kind = space_of(named, self._resources).kind
        stored = len(inline.read_raw_bytes()) if hasattr(inline, "read_raw_bytes") else 0
        bits, stencil = int(inline.bits_per_component), bool(inline.image_mask)
        self._picture(
            FileImage(int(inline.width), int(inline.height), kind, bits, stored, is_stencil=stencil)
        )

    def _picture(self, image: FileImage) -> None:
        picture = ShownPicture(image, self._state.ctm)
        if not self._is_seen(picture.place):
            return
        self.marks.pictures.append(picture)
        if image.is_stencil:
            self._area(self._state.fill, self._state.fills_over, picture.place)
            return
        sheer = self._state.sheer or ("a picture with soft edges" if image.is_sheer else "")
        paint = PdfPaint(image.kind, 0.0, False, ())
        self.marks.area(ShownColour(paint, False, sheer), [self._seen(picture.place)])

    # ShownText

    def begin_text(self, _: Sequence[Any]) -> None:
        self._text = self._line = IDENTITY

    def choose_font(self, given: Sequence[Any]) -> None:
        name = str(given[0])
        if name not in self._fonts:
            found = self._named("/Font", name)
            self._fonts[name] = None if found is None else self._reader.font(found)
        if self._fonts[name] is None:
            self.marks.fonts[name[1:]] = None
        self._state.font, self._state.size = self._fonts[name], float(given[1])

    def place_text(self, given: Sequence[Any]) -> None:
        self._text = self._line = _matrix(given)

    def move_text(self, given: Sequence[Any]) -> None:
        x, y = (float(value) for value in given)
        self._text = self._line = self._line.then(Matrix(e=x, f=y))

    def move_and_lead(self, given: Sequence[Any]) -> None:
        self._state.leading = -float(given[1])
        self.move_text(given)

    def next_line(self, _: Sequence[Any]) -> None:
        self.move_text((0, -self._state.leading))

    def show_text(self, given: Sequence[Any]) -> None:
        shown = given[-1]
        self._write(list(shown) if isinstance(shown, Array) else [shown])

    def show_on_next_line(self, given: Sequence[Any]) -> None:
        if len(given) > 2:
            self._state.word_space, self._state.letter_space = float(given[0]), float(given[1])
        self.next_line(given)
        self.show_text(given)

    def _write(self, parts: Sequence[Any]) -> None:
        """Show strings, with numbers between them that move back by thousandths of an em."""
        state, font = self._state, self._state.font
        if font is None:
            return
        codes, at, first, last = b"", 0.0, None, 0.0
        for part in parts:
            if not isinstance(part, String):
                at -= float(part) / 1000 * state.size
                continue
            shown = bytes(part)
            codes += shown
            if not font.bytes_a_code:
                first = at if first is None else first
                at = last = at + len(shown) / 2 * state.size
            for code in font.codes(shown) if font.bytes_a_code else ():
                start, at = at, at + self._advance(font, code)
                if not font.is_blank(code):
                    first = start if first is None else first
                    last = at
        if first is not None:
            self._text_shown(font, codes, first, last)
        step = Matrix(f=-at) if font.down else Matrix(e=at * state.stretch)
        self._text = self._text.then(step)

    def _advance(self, font: PdfFont, code: int) -> float:
        state = self._state
        width = 1000.0 if font.down else font.widths.get(code, font.width)
        space = state.word_space if code == 32 and font.bytes_a_code == 1 else 0.0
        return width / 1000 * state.size + state.letter_space + space

    def _text_shown(self, font: PdfFont, codes: bytes, first: float, last: float) -> None:
        state = self._state
        height = 0.0 if font.drawn else _CAP * state.size
        left, right = sorted((first * state.stretch, last * state.stretch))
        box = Rect(left, min(state.rise, state.rise + height), right - left, abs(height))
        if font.down:
            box = Rect(-state.size / 2, -last, state.size, last - first)
        matrix = state.ctm.then(self._text)
        place = matrix.box(box)
        if state.mode in _HIDDEN or not self._is_seen(place):
            return
        paint = state.stroke if state.mode in (1, 5) else state.fill
        over = state.strokes_over if state.mode in (1, 5) else state.fills_over
        self.marks.texts.append(
            ShownText(font, codes, abs(state.size), matrix, box, state.clip, paint)
        )
        self._area(paint, over, place)

    # Layers

    def begin_content(self, given: Sequence[Any]) -> None:
        is_layer = len(given) > 1 and given[0] == Name.OC and isinstance(given[1], Name)
        content = self._named("/Properties", given[1]) if is_layer else None
        self._hidden.append(self._reader.unprinted.has(content))

    def end_content(self, _: Sequence[Any]) -> None:
        if self._hidden:
            self._hidden.pop()

    def set_text(self, name: str, scale: float, given: Sequence[Any]) -> None:
        setattr(self._state, name, float(given[0]) * scale)

    def set_mode(self, given: Sequence[Any]) -> None:
        self._state.mode = int(given[0])

    def _named(self, category: str, name: Any) -> Any:
        """Return the resource of a name, or None."""
        return self._resources.get(category, Dictionary()).get(str(name))


def _matrix(numbers: Any) -> Matrix:
    return Matrix(*(float(number) for number in numbers))


_Command = Callable[[_Follower, Any], None]


def _device(part: str, space: ColourSpace) -> _Command:
    return lambda follower, given: follower.set_colour(part, space, given)


def _chosen(part: str) -> _Command:
    return lambda follower, given: follower.choose_space(part, given)


def _coloured(part: str) -> _Command:
    return lambda follower, given: follower.colour(part, given)


def _set(name: str, scale: float = 1.0) -> _Command:
    return lambda follower, given: follower.set_text(name, scale, given)


_PAINTS: Final = _FILLS | _STROKES | {"n"}
_COMMANDS: Final[Mapping[str, _Command]] = {
    "q": _Follower.save,
    "Q": _Follower.restore,
    "cm": _Follower.transform,
    "w": _Follower.set_width,
    "gs": _Follower.set_state,
    **{name: _device("fill", space) for name, space in DEVICES.items()},
    **{name.upper(): _device("stroke", space) for name, space in DEVICES.items()},
    "cs": _chosen("fill"),
    "CS": _chosen("stroke"),
    **dict.fromkeys(("sc", "scn"), _coloured("fill")),
    **dict.fromkeys(("SC", "SCN"), _coloured("stroke")),
    **dict.fromkeys(("m", "l", "c", "v", "y"), _Follower.move),
    "re": _Follower.rectangle,
    **dict.fromkeys(("W", "W*"), _Follower.clip),
    "sh": _Follower.shade,
    "Do": _Follower.show,
    "INLINE IMAGE": _Follower.show_inline,
    "BT": _Follower.begin_text,
    "Tf": _Follower.choose_font,
    "Tm": _Follower.place_text,
    "Td": _Follower.move_text,
    "TD": _Follower.move_and_lead,
    "T*": _Follower.next_line,
    **dict.fromkeys(("Tj", "TJ"), _Follower.show_text),
    **dict.fromkeys(("'", '"'), _Follower.show_on_next_line),
    "Tc": _set("letter_space"),
    "Tw": _set("word_space"),
    "Tz": _set("stretch", 0.01),
    "TL": _set("leading"),
    "Ts": _set("rise"),
    "Tr": _Follower.set_mode,
    **dict.fromkeys(("BMC", "BDC"), _Follower.begin_content),
    "EMC": _Follower.end_content,
}
