"""Draws the boxes of face files: docs/face-files.md.

Each box becomes the SVG that a template would write, by the helpers that templates have.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from generator.cells import PICTURE_NAME
from generator.diagnostics import GridpressError, Span, did_you_mean
from generator.geometry import Point, Rect, regular_polygon
from generator.model.face import PlacedBox
from generator.model.face_file import (
    COLUMN,
    ROW,
    TABLE,
    At,
    BoxEdge,
    FaceBox,
    FaceFile,
    FaceLayout,
    FaceVariants,
)
from generator.model.values import Record, SourceText
from generator.render.artwork import IconHelper, with_own_ids
from generator.render.box_places import BODY, BoxPlaces, within
from generator.render.dependencies import Tracker
from generator.render.face_builder import CurrentFace
from generator.render.placed_pictures import PictureHelper
from generator.render.shapes import closed, mm, on_circle, rounded_rect
from generator.render.styles import Palette
from generator.render.template_lines import draws_box
from generator.render.texts import TextHelpers
from generator.sandbox import SandboxError, as_text, compile_expression, described

_EXPRESSION: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_NAME: Final = re.compile(r"[a-z]\w*(\.[a-z]\w*)*")
_MARKUP: Final = re.compile(r"([*{}\\])")
_AT_CUT: Final = 0.05
"""Distance from the cut at which a box touches it, mm."""
_MOST: Final = 200
"""Icons in a row."""
_BADGE, _BADGE_TEXT = ("mark", "ink"), ("light", "paper")
"""Names of colours that badges have by default, the first that the palette knows."""
_OTHERS: Final = {"c": ("a component", "id"), "stock": ("a stock, such as stocks.card", "bleed")}
"""Arguments of boxes() that a template may give, and a name that each has."""


class DrawnBoxes(NamedTuple):
    """The SVG of a face file, the box of each part, where the boxes are, and the values that chose
    its variants."""

    place: Span
    pieces: tuple[tuple[str, Span], ...]
    placed: tuple[PlacedBox, ...]
    variants: tuple[str | None, ...]

    @property
    def body(self) -> str:
        """Return the whole SVG."""
        return "".join(piece for piece, _ in self.pieces)

    def sites(self, offsets: Sequence[int]) -> list[Span]:
        """Return the boxes that wrote the characters at some offsets."""
        ends = list(itertools.accumulate(len(piece) for piece, _ in self.pieces))
        return [
            next(span for end, (_, span) in zip(ends, self.pieces, strict=True) if offset < end)
            for offset in offsets
        ]


class _Shared(Struct, frozen=True):
    """The tools that draw the boxes of all faces."""

    texts: TextHelpers
    pictures: PictureHelper
    icons: IconHelper
    palette: Palette
    word: Callable[[Any], str]
    names: Mapping[str, Any]
    part: Callable[[str, str, tuple[Any, ...], Mapping[str, Any]], str]


class FaceBoxes:
    """Draws face files. `part` calls a macro of a template, by file, name and arguments."""

    def __init__(
        self,
        files: Mapping[str, FaceFile],
        texts: TextHelpers,
        pictures: PictureHelper,
        icons: IconHelper,
        palette: Palette,
        names: Mapping[str, Any],
        part: Callable[[str, str, tuple[Any, ...], Mapping[str, Any]], str],
        current: CurrentFace,
        tracker: Tracker,
    ) -> None:
        self._files = files
        self._tools = _Shared(texts, pictures, icons, palette, names["word"], names, part)
        self._current = current
        self._note = tracker.source("face file", self._head)
        self._note_layout = tracker.source("layout", self._layout)

    def drawn(self, name: str, names: Mapping[str, Any]) -> DrawnBoxes | None:
        """Return the boxes of a face file for the current face, whose own `names` are the component
        `c`, its `side` and its `stock`. None if the file has faults, which are reported."""
        self._note(name)
        file = self._files.get(name)
        if file is None:
            return None
        face = _Face(self._tools, self._current, names)
        drawn, chosen = face.drawn(file), face.chosen
        self._note_layout(f"{name}\0{chosen}")
        return drawn

    def _head(self, name: str) -> FaceFile | None:
        """Return a face file without its layouts: a face depends on one of them."""
        file = self._files.get(name)
        return None if file is None else replace(file, layouts={})

    def _layout(self, asked: str) -> FaceLayout | None:
        """Return the layout for some values, by the name of its file and these."""
        name, _, chosen = asked.partition("\0")
        layouts = self._files[name].layouts if name in self._files else {}
        return next((layouts[each] for each in layouts if str(each) == chosen), None)

    def boxes(self, name: Any, c: Any = None, stock: Any = None) -> Markup:
        """Draw a face file from within a template; for another component with `c`, and on another
        stock with `stock`."""
        given = {"c": c, "stock": stock}
        own = {key: value for key, value in given.items() if value is not None}
        for key, value in own.items():
            what, its = _OTHERS[key]
            if not isinstance(value, Record) or its not in value:
                raise TypeError(f"{key} must be {what}, not {described(value)}")
        drawn = self.drawn(as_text(name), {**self._current.names, **own})
        if drawn is None:
            hint = did_you_mean(as_text(name), self._files)
            raise ValueError(f"there is no face file {as_text(name)!r}: {hint}")
        if not own:
            self._current.builder.placed += drawn.placed
        return Markup(drawn.body)  # noqa: S704, helpers escape what they write


class _Face:
    """Draws the boxes of one face."""

    def __init__(self, tools: _Shared, current: CurrentFace, names: Mapping[str, Any]) -> None:
        self._tools = tools
        self._builder = current.builder
        self._stock: Record = names["stock"]
        self._values: Record = names["c"]
        self._names = {**tools.names, **names}
        self.chosen: tuple[str | None, ...] = ()
        self._places = BoxPlaces(tools.texts, self._words_of, self._is_empty)

    def drawn(self, file: FaceFile) -> DrawnBoxes:
        pieces: list[tuple[str, Span]] = []
        placed: list[PlacedBox] = []
        self._name_values(file)
        self.chosen = tuple(self._variant(one) for one in file.variants)
        layout = file.layouts[self.chosen]
        if layout.ground is not None:
            whole = FaceBox("ground", layout.ground.span, "fill", layout.ground, self._trim)
            pieces.append((self._box(whole), whole.span))
        for box in layout.boxes:
            if box.when is not None and not self._value(box.when):
                continue
            pieces += [(self._box(one), one.span) for one in self._places.parts(box)]
            placed.append(PlacedBox(box.name, Rect(*box.at), box.span))
        return DrawnBoxes(file.span, tuple(pieces), tuple(placed), self.chosen)

    @property
    def _trim(self) -> At:
        return 0.0, 0.0, self._stock["w"], self._stock["h"]

    def _name_values(self, file: FaceFile) -> None:
        """Add the names of a face file to the values that its boxes know."""
        fields = {name: self._value(written) for name, written in file.fields.items()}
        self._values = self._values.with_values(fields)
        for name, written in file.let.items():
            self._values = self._values.with_values({name: self._value(written)})

    def _variant(self, variants: FaceVariants) -> str | None:
        """Return the value that chooses a variant; None if there is none for it."""
        value = self._value(variants.by)
        if isinstance(value, bool):
            value = "true" if value else "false"
        said = _said(value) if isinstance(value, (str, int, float)) else None
        return said if said in variants.values else None

    def _is_empty(self, box: FaceBox) -> bool:
        if box.when is not None and not self._value(box.when):
            return True
        if box.what == TABLE:
            return all(map(self._is_empty, box.boxes[1::2]))
        if box.what == "picture":
            return not self._named(box.value)
        return box.what in ("text", "badge") and not self._words_of(box)

    def _words_of(self, box: FaceBox) -> str:
        """Return the words of a box in a row or column; a value without words is reported when its
        box is drawn."""
        try:
            return str(box.value) if box.what == "words" else self._text(box)
        except TypeError:
            return "?"

    @draws_box
    def _box(self, box: FaceBox) -> str:
        """Return the SVG of a box, turned about its middle."""
        try:
            svg = _DRAWN[box.what](self, box)
        except GridpressError as error:
            self._builder.blame_error(error)
            return ""
        except (TypeError, ValueError) as error:  # a value or a size that helpers refuse
            self._builder.blame_template(box.span, "GP304", f"{box.name}: {error}")
            return ""
        if box.opacity < 1 and svg:
            svg = f'<g opacity="{mm(box.opacity)}">{svg}</g>'
        if box.turn and svg and box.what not in ("text", "words"):
            x, y, w, h = box.at
            middle = f"{mm(x + w / 2)} {mm(y + h / 2)}"
            svg = f'<g transform="rotate({mm(box.turn)} {middle})">{svg}</g>'
        return svg

    def _set_text(self, box: FaceBox) -> str:
        return self._placed_text(box, self._text(box), box.valign, box.align, box.colour)

    def _words(self, box: FaceBox) -> str:
        words = SourceText(str(box.value), box.value.span, rich=True)
        return self._placed_text(box, self._tools.word(words), box.valign, box.align, box.colour)

    def _placed_text(
        self, box: FaceBox, text: str, valign: str, align: str | None, colour: str | None
    ) -> str:
        if not text:
            return ""
        paint = None if colour is None else self._colour(colour)
        set_ = self._tools.texts.text_box(
            text, *box.at, box.style or BODY, align, valign, paint, box.turn,
            self._step(box, text),
        )  # fmt: skip
        return str(set_)

    def _step(self, box: FaceBox, text: str) -> float | None:
        """Return the first size of a text at which it fits its box, or the last one."""
        _, _, w, h = box.at
        sizes = box.size, *box.steps
        fitting = (
            size
            for size in sizes[:-1]
            if self._tools.texts.fits(text, w, h, box.style or BODY, size)
        )
        return next(fitting, sizes[-1])

    def _picture(self, box: FaceBox) -> str:
        name = self._named(box.value)
        if not name:
            return ""
        place = box.at if self._builder.mirrors else self._to_bleed(box)
        focus = None if box.focus is None else self._field(box.focus)
        outline = box.shape or ("rectangle" if box.radius or focus else None)
        fit = box.fit
        inner = place
        if focus:
            inner, fit = self._focused(place, name, focus, box.focus), "stretch"
        svg = str(self._tools.pictures.placed(name, inner, fit, seen=place))
        if outline is None or not svg:
            return svg
        path = _outline(outline, place, box.radius)
        clip = f'<clipPath id="box"><path d="{path}"/></clipPath>'
        return with_own_ids(f'{clip}<g clip-path="url(#box)">{svg}</g>')

    def _focused(self, place: At, name: str, focus: Any, at: SourceText | None) -> At:
        """Return the place of a picture that fills a box and shows a point of it in the middle, as
        far as the box stays full."""
        try:
            across, down, zoom = (float(value) for value in focus)
        except (TypeError, ValueError):
            span = at.span if at is not None else Span("")
            message = f"{str(at)!r} is not [x, y, zoom], such as [0.5, 0.3, 1.2]"
            self._builder.blame_template(span, "GP304", message)
            return place
        x, y, w, h = place
        written = name if isinstance(name, SourceText) else SourceText(name, self._values.span)
        ratio = self._tools.pictures.ratio(written)
        wide = max(w, h / ratio) * max(1.0, zoom)
        high = wide * ratio
        left = min(x, max(x + w - wide, x + w / 2 - across * wide))
        top = min(y, max(y + h - high, y + h / 2 - down * high))
        return left, top, wide, high

    def _icon(self, box: FaceBox) -> str:
        name = self._named(box.value)
        if not name:
            return ""
        times = 1 if box.times is None else self._value(box.times)
        if times is None:
            return ""
        if isinstance(times, bool) or not isinstance(times, (int, float)) or times > _MOST:
            assert box.times is not None
            message = f"times is {_said(times)}, and must be a number up to {_MOST}"
            self._builder.blame_template(box.times.span, "GP304", message)
            return ""
        count = max(0, int(times))
        if not count:
            return ""
        x, y, w, h = box.at
        each = w if box.times is None else min(h, (w - box.gap * (count - 1)) / count)
        wide = each * count + box.gap * (count - 1)
        start = x + {"left": 0.0, "right": w - wide}.get(box.align or "", (w - wide) / 2)
        paint = None if box.colour is None else self._colour(box.colour)
        return "".join(
            self._tools.icons.icon(name, start + i * (each + box.gap), y, each, h, paint)
            for i in range(count)
        )

    def _fill(self, box: FaceBox) -> str:
        place = self._to_bleed(box, _beyond(box.edge))
        path = _outline(box.shape or "rectangle", place, box.radius)
        return _painted(path, self._colour(box.value), self._stroke(box.edge))

    def _frame(self, box: FaceBox) -> str:
        x, y, w, h = box.at
        inset = min(box.width, w, h) / 2
        place = x + inset, y + inset, w - 2 * inset, h - 2 * inset
        path = _outline(box.shape or "rectangle", place, max(0.0, box.radius - inset))
        return _painted(path, "none", (self._colour(box.value), box.width))

    def _line(self, box: FaceBox) -> str:
        x, y, w, h = self._to_bleed(box) if box.at[2] > 0 and box.at[3] > 0 else box.at
        if w >= h:
            path = f"M{mm(x)} {mm(y + h / 2)}H{mm(x + w)}"
        else:
            path = f"M{mm(x + w / 2)} {mm(y)}V{mm(y + h)}"
        return _painted(path, "none", (self._colour(box.value), box.width))

    def _badge(self, box: FaceBox) -> str:
        text = self._text(box)
        if not text:
            return ""
        palette = self._tools.palette.colours
        ground = box.ground or next((name for name in _BADGE if name in palette), "#000000")
        light = box.colour or next((name for name in _BADGE_TEXT if name in palette), "#ffffff")
        path = _outline(box.shape or "circle", box.at, box.radius)
        shape = _painted(path, self._colour(ground), self._stroke(box.edge))
        inside = replace(box, at=within(box), turn=0.0)  # it is turned as a whole
        return shape + self._placed_text(inside, text, "middle", "center", light)

    def _part(self, box: FaceBox) -> str:
        file, _, macro = str(box.value).rpartition(" ")
        if not file:
            message = f"{str(box.value)!r} is no macro of a template"
            hint = "name the template and its macro, such as part: parts.svg.j2 dial"
            self._builder.blame_template(box.value.span, "GP303", message, hint)
            return ""
        given = (*self._to_bleed(box), self._values)
        try:
            return self._tools.part(file.strip(), macro, given, self._names)
        except SandboxError as error:
            hint = error.hint
            if error.line is not None:
                hint = f"{hint}\nit is at {error.template}:{error.line}".strip()
            self._builder.blame_template(box.value.span, error.kind, error.message, hint)
            return ""

    def _to_bleed(self, box: FaceBox, beyond: float = 0.0) -> At:
        """Return the place of a box, to the end of the bleed (and `beyond`) where it touches the
        cut."""
        x, y, w, h = box.at
        if box.turn:
            return x, y, w, h
        _, _, width, height = self._trim
        over = self._stock["bleed"] + beyond
        left = min(x, -over) if x <= _AT_CUT else x
        top = min(y, -over) if y <= _AT_CUT else y
        right = max(x + w, width + over) if x + w >= width - _AT_CUT else x + w
        bottom = max(y + h, height + over) if y + h >= height - _AT_CUT else y + h
        return left, top, right - left, bottom - top

    def _stroke(self, edge: BoxEdge | None) -> tuple[str, float] | None:
        return None if edge is None else (self._colour(edge.colour), edge.width)

    def _colour(self, written: str) -> str:
        """Return the paint of a colour's name, or of a field that holds one."""
        if written not in self._tools.palette.colours and self._has(str(written)):
            return self._tools.palette.paint(self._field(written))
        return self._tools.palette.paint(written)

    def _named(self, written: SourceText) -> str:
        """Return the name of a picture or an icon: a field's value, or what is written."""
        if _EXPRESSION.search(written):
            return self._sentence(written, as_markup=False)
        if PICTURE_NAME.fullmatch(written) or not self._has(str(written)):
            return written
        value = self._field(written)
        return value if isinstance(value, str) else ""

    def _text(self, box: FaceBox) -> str:
        """Return the words of a text: a field's value, or a sentence; nothing if all of its
        expressions are empty."""
        if _EXPRESSION.search(box.value):
            return self._sentence(box.value)
        if self._has(str(box.value)):
            value = self._field(box.value)
            return value if isinstance(value, SourceText) else _said(value)
        name = str(box.value)
        known = [*self._values]
        hint = did_you_mean(name, known) or "words that stay the same are words:"
        message = f"{box.name}: there is no field {name!r}"
        self._builder.blame_template(box.value.span, "GP303", message, hint, topic=name)
        return ""

    def _sentence(self, written: SourceText, *, as_markup: bool = True) -> str:
        """Return a sentence with its expressions worked out. Its markup counts, and that of rich
        fields, if it is read `as_markup`."""
        pieces = _EXPRESSION.split(written)
        values = [self._value(SourceText(piece.strip(), written.span)) for piece in pieces[1::2]]
        if all(value is None or value in ("", ()) for value in values):
            return ""
        pieces[1::2] = map(_marked if as_markup else _said, values)
        places = [value.span for value in values if isinstance(value, SourceText)]
        span = places[0] if len(places) == 1 else self._values.span
        return SourceText("".join(pieces), span, rich=as_markup)

    def _has(self, name: str) -> bool:
        return bool(_NAME.fullmatch(name)) and name.partition(".")[0] in self._values

    def _field(self, written: str) -> Any:
        """Return the value of a field, or of one inside of it: `stats.attack`."""
        value: Any = self._values
        for part in str(written).split("."):
            if not isinstance(value, Mapping) or part not in value:
                return None
            value = value[part]
        return value

    def _value(self, written: SourceText) -> Any:
        """Return the value of an expression; None if it fails, which is reported."""
        try:
            run = compile_expression(str(written))
            for name in sorted(run.names):
                if not self._knows(name):
                    hint = did_you_mean(name, [*self._values])
                    message = f"{name!r} is not known here"
                    self._builder.blame_template(written.span, "GP211", message, hint, topic=name)
                    return None
            return run({name: self._seen(name) for name in run.names})
        except SandboxError as error:
            hint = error.hint or "see expressions in docs/kinds.md"
            self._builder.blame_template(written.span, "GP211", error.message, hint)
            return None

    def _knows(self, name: str) -> bool:
        return name in self._values or name in self._names

    def _seen(self, name: str) -> Any:
        return self._values[name] if name in self._values else self._names[name]


_DRAWN: Final[Mapping[str, Callable[[_Face, FaceBox], str]]] = {
    "text": _Face._set_text,
    "words": _Face._words,
    "picture": _Face._picture,
    "icon": _Face._icon,
    "fill": _Face._fill,
    "frame": _Face._frame,
    "line": _Face._line,
    "badge": _Face._badge,
    "part": _Face._part,
    TABLE: lambda face, box: "",
    ROW: lambda face, box: "",
    COLUMN: lambda face, box: "",
}


def _beyond(edge: BoxEdge | None) -> float:
    """Return how far past the bleed a filled box goes, so that its edge is only seen inside."""
    return 0.0 if edge is None else edge.width


def _said(value: Any) -> str:
    """Return a value in words; a list with commas."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ", ".join(filter(None, map(_said, value)))
    return as_text(value)


def _marked(value: Any) -> str:
    """Return a value as markup; stars and braces of plain texts are read as they are."""
    text = _said(value)
    if isinstance(value, SourceText) and value.rich:
        return text
    return _MARKUP.sub(r"\\\1", text)


def _painted(path: str, fill: str, stroke: tuple[str, float] | None) -> str:
    line = "" if stroke is None else f' stroke="{stroke[0]}" stroke-width="{mm(stroke[1])}"'
    return f'<path d="{path}" fill="{fill}"{line}/>'


def _outline(shape: str, at: At, radius: float) -> str:
    """Return the path of a shape that fills a box."""
    x, y, w, h = at
    cx, cy = x + w / 2, y + h / 2
    if shape == "rectangle":
        return rounded_rect(x, y, w, h, (radius,) * 4)
    if shape == "circle":
        a, b = mm(w / 2), mm(h / 2)
        return (
            f"M{mm(x)} {mm(cy)}A{a} {b} 0 0 1 {mm(x + w)} {mm(cy)}A{a} {b} 0 0 1 {mm(x)} {mm(cy)}Z"
        )
    if shape == "shield":
        return (
            f"M{mm(x)} {mm(y)}H{mm(x + w)}V{mm(y + h * 0.5)}"
            f"C{mm(x + w)} {mm(y + h * 0.8)} {mm(cx + w * 0.15)} {mm(y + h * 0.93)} "
            f"{mm(cx)} {mm(y + h)}"
            f"C{mm(cx - w * 0.15)} {mm(y + h * 0.93)} {mm(x)} {mm(y + h * 0.8)} "
            f"{mm(x)} {mm(y + h * 0.5)}Z"
        )
    if shape == "banner":
        tip = min(h / 2, w / 4)
        return closed(
            ((x, y), (x + w, y), (x + w - tip / 2, cy), (x + w, y + h), (x, y + h),
             (x + tip / 2, cy))
        )  # fmt: skip
    return closed((cx + px * w / 2, cy + py * h / 2) for px, py in _CORNERS[shape])


def _polygon(sides: int, turn: float) -> tuple[tuple[float, float], ...]:
    """Return a regular polygon, stretched to fill a square of side 2 about (0, 0)."""
    corners = [(p.x, p.y) for p in regular_polygon(Point(0, 0), sides, 1.0, turn)]
    wide, high = (max(abs(corner[axis]) for corner in corners) for axis in (0, 1))
    return tuple((x / wide, y / high) for x, y in corners)


def _star(points: int) -> tuple[tuple[float, float], ...]:
    """Return a star of radius 1, a little fuller than a pentagram, so that words fit on it."""
    waist = math.cos(math.radians(72)) / math.cos(math.radians(36)) * 1.25
    return tuple(
        on_circle(0, 0, (1.0, waist)[i % 2], 180 / points * i - 90) for i in range(2 * points)
    )


_CORNERS: Final = {
    "hexagon": _polygon(6, -90),
    "octagon": _polygon(8, -90 + 22.5),
    "diamond": ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)),
    "star": _star(5),
}
