"""Sets a template's own `<text>` like all other text: measured, and printed from the same fonts.

Each becomes groups with the marks that helpers leave for texts. Places follow SVG 1.1, 10.5 to
10.13: lists of x, y, dx and dy, anchors, letters along a path. White space is one space.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby, pairwise
from typing import Final, NamedTuple
from xml.etree import ElementTree

from msgspec import Struct, field
from msgspec.structs import replace

from generator.fonts import FontLibrary
from generator.geometry import (
    Point,
    around,
    format_mm,
    mm_to_pt,
    parse_transform,
    pt_to_mm,
    summed,
)
from generator.model.face import TextLine, TextRun, WordStretch, clusters
from generator.model.painted import Segment
from generator.outlines import polylines
from generator.render.engine_art import letter_outlines
from generator.render.face_builder import FaceBuilder, PlacedText, TypesetText
from generator.render.svg_lint import FONT_ATTRIBUTES, FontChoice, LintedFace, OwnText
from generator.render.texts import MARK
from generator.svg_shapes import SHAPES, UNREADABLE, shape_outline
from generator.svg_subset import TEXTS
from generator.text import SHARE_BEFORE, FittedText, TextStyle, fit_line, measure

_PLACES: Final = ("x", "y", "dx", "dy")
_OF_TEXTS: Final = frozenset(
    (*_PLACES, *FONT_ATTRIBUTES, "font-size", "text-anchor", "href", "startOffset")
)
"""Attributes of a text that a group does not have."""
_NOT_INSIDE: Final = frozenset((*_OF_TEXTS, "id", "transform"))
"""Attributes that a group has and a part of a text does not."""
_SIZE: Final = 12.0
"""The default type size, mm, as in browsers."""
_WHITE: Final = re.compile(r"[ \t\r\n]+")
_BETWEEN: Final = re.compile(r"[\s,]+")
_STEPS: Final = 64
"""Straight steps for each curve of a path with letters along it."""
_SHOWN: Final = 40

Attributes = tuple[tuple[str, str], ...]


def with_own_texts_set(
    builder: FaceBuilder, content: bytes, linted: LintedFace, fonts: FontLibrary
) -> bytes:
    """Return the SVG of a sound face with marks in place of its own texts, which are set onto the
    face. A text longer than its path is GP401."""
    parts, at = [], 0
    for own in linted.own_texts:
        put = _TextSetter(builder, content, linted, fonts).put(own)
        parts += [content[at : own.begin], put.encode()]
        at = own.end
    return b"".join((*parts, content[at:]))


class _Path(Struct, frozen=True):
    """A path by its id, and where on it letters begin: `25%` of it, or mm."""

    id: str
    begin: str


class _Look(Struct, frozen=True):
    """The properties that letters inherit. `groups` are the attributes of groups inside the text,
    outermost first."""

    font: FontChoice = FontChoice()
    size: float = _SIZE
    anchor: str = "start"
    groups: tuple[Attributes, ...] = ()
    path: _Path | None = None

    def inside(self, element: ElementTree.Element) -> _Look:
        """Return the look inside a text or a part of one."""
        look, given = self, element.attrib
        if element.tag == "textPath":
            path = _Path(given.get("href", "")[1:], given.get("startOffset", "0"))
            look = replace(look, path=path)
        groups = _attributes(given, _NOT_INSIDE) if element.tag != "text" else ()
        return replace(
            look,
            font=look.font.inside(given),
            size=float(given.get("font-size", look.size)),
            anchor=given.get("text-anchor", look.anchor),
            groups=(*look.groups, groups) if groups else look.groups,
        )


class _Letter(Struct):
    """A character, with its given place, if any."""

    char: str
    look: _Look
    place: dict[str, float] = field(default_factory=dict)


class _Stretch(Struct, frozen=True):
    """Consecutive letters of one look, set from x = 0, mm; `ahead` is the white space before them,
    `advance` the whole advance."""

    look: _Look
    place: Mapping[str, float]
    fitted: FittedText
    ahead: float
    advance: float


class _Placed(NamedTuple):
    """A stretch and the place of its first letter, mm; on a path, along it and beside it."""

    stretch: _Stretch
    x: float
    y: float


class _TextSetter:
    """One text being set."""

    def __init__(
        self, builder: FaceBuilder, content: bytes, linted: LintedFace, fonts: FontLibrary
    ) -> None:
        self.builder = builder
        self.content = content
        self.linted = linted
        self.fonts = fonts
        self.letters: list[_Letter] = []
        self.others: list[str] = []

    def put(self, own: OwnText) -> str:
        """Set the text; return its marks, or outlines inside a clip path."""
        keeper = ElementTree.TreeBuilder(insert_pis=True)
        reader = ElementTree.XMLParser(target=keeper)  # noqa: S314, has no DTD: it was read before
        tree = ElementTree.fromstring(self.content[own.begin : own.end], reader)  # noqa: S314
        self.read(tree, _Look())
        if self.letters and self.letters[-1].char == " ":
            self.letters.pop()
        outer = _attributes(tree.attrib, _OF_TEXTS)
        parts: list[str] = []
        for (groups, path), some in groupby(
            self.placed(), key=lambda one: (one.stretch.look.groups, one.stretch.look.path)
        ):
            for text, turn in self.straight(some) if path is None else self.along(path, some):
                if own.clips:
                    transform = (("transform", f"{tree.get('transform', '')} {turn}"),)
                    parts.append(
                        _tag("path", (*transform, ("d", letter_outlines(self.fonts, text))))
                    )
                else:
                    around_it = (*groups, (("transform", turn),) if turn else ())
                    parts.append(functools.reduce(_grouped, reversed(around_it), self.mark(text)))
        inside = "".join(parts)
        return (inside if own.clips else _grouped(inside, outer)) + "".join(self.others)

    def read(self, element: ElementTree.Element, look: _Look) -> None:
        """Read the letters of an element, with their looks and places."""
        start, look = len(self.letters), look.inside(element)
        self.take(element.text, look)
        for child in element:
            if not isinstance(child.tag, str):  # the mark of another text
                self.others.append(f"<?{child.text}?>")
            elif child.tag in TEXTS and child.get("display") != "none":
                self.read(child, look)
            self.take(child.tail, look)
        for name in _PLACES:
            values = filter(None, _BETWEEN.split(element.get(name, "")))
            for letter, value in zip(self.letters[start:], values, strict=False):
                letter.place.setdefault(name, float(value))  # what is inside has said it before

    def take(self, text: str | None, look: _Look) -> None:
        """Add letters, with one space for white space and none at the beginning."""
        for char in _WHITE.sub(" ", text or ""):
            if char != " " or (self.letters and self.letters[-1].char != " "):
                self.letters.append(_Letter(char, look))

    def placed(self) -> Iterator[_Placed]:
        """Yield all stretches at their places."""
        x = y = 0.0
        for stretches in self.anchored():
            first = stretches[0]
            if first.look.path is not None:
                x = y = 0.0
            x, y = first.place.get("x", x), first.place.get("y", y)
            width = summed(one.place.get("dx", 0.0) + one.advance for one in stretches)
            x -= SHARE_BEFORE[first.look.anchor] * width
            for one in stretches:
                x, y = x + one.place.get("dx", 0.0), y + one.place.get("dy", 0.0)
                yield _Placed(one, x + one.ahead, y)
                x += one.advance

    def anchored(self) -> Iterator[list[_Stretch]]:
        """Yield consecutive stretches that share an anchor."""
        together: list[_Stretch] = []
        for stretch in self.stretches():
            begins = "x" in stretch.place or "y" in stretch.place
            if together and (begins or stretch.look.path != together[-1].look.path):
                yield together
                together = []
            together.append(stretch)
        if together:
            yield together

    def stretches(self) -> Iterator[_Stretch]:
        """Yield letters that are set at once."""
        together: list[_Letter] = []
        for letter in self.letters:
            if together and (letter.place or letter.look != together[-1].look):
                yield self.stretch(together)
                together = []
            together.append(letter)
        if together:
            yield self.stretch(together)

    def stretch(self, letters: Sequence[_Letter]) -> _Stretch:
        look, text = letters[0].look, "".join(letter.char for letter in letters)
        file = look.font.file(self.fonts)
        assert file is not None, "no text is sound without its font"
        size = mm_to_pt(look.size)
        style = TextStyle(
            "", file.family, file.weight, file.italic, size, size, stretch=file.stretch
        )
        fitted = fit_line(text, style, None, rich=False, fonts=self.fonts)
        space = measure("n n", style, self.fonts) - 2 * measure("n", style, self.fonts)
        ahead = space if text.startswith(" ") else 0.0
        behind = space if text.endswith(" ") and text != " " else 0.0
        width = summed(line.width for line in fitted.lines)
        return _Stretch(look, letters[0].place, fitted, ahead, ahead + width + behind)

    def straight(self, placed: Iterable[_Placed]) -> Iterator[tuple[TypesetText, str]]:
        """Yield letters that are painted alike as one text, so that a gradient covers all of it."""
        lines, boxes, size = [], [], 0.0
        for one in placed:
            fitted = one.stretch.fitted
            lines += [_moved(line, one.x, one.y) for line in fitted.lines]
            boxes.append(fitted.used.moved(one.x, one.y))
            size = fitted.size_pt
        if lines:
            yield self.text(FittedText(tuple(lines), around(boxes), size)), ""

    def along(self, path: _Path, placed: Iterable[_Placed]) -> Iterator[tuple[TypesetText, str]]:
        """Yield each letter as a text of its own, its middle on the path, with its turn."""
        run = _Route.of(self.content, self.linted, path.id)
        lost = ""
        share = path.begin.removesuffix("%")
        begin = float(share) * (run.length / 100 if share != path.begin else 1.0)
        for one in placed:
            for x, letter in _letters(one.stretch.fitted, self.fonts):
                middle = begin + one.x + x + letter.width / 2
                if not 0 <= middle <= run.length:
                    lost += letter.text
                    continue
                point, angle = run.at(middle)
                line = TextLine(
                    one.y, -letter.width / 2, letter.width, (replace(letter, x=-letter.width / 2),)
                )
                used = one.stretch.fitted.used
                box = replace(used, x=-letter.width / 2, y=used.y + one.y, width=letter.width)
                turn = f"translate({format_mm(point.x)} {format_mm(point.y)}) rotate({angle:.4f})"
                yield self.text(FittedText((line,), box, letter.size_pt)), turn
        if lost:
            message = f"this <text> is longer than its path: {lost[:_SHOWN]!r} would be lost"
            hint = "make the path longer, or the letters smaller; textPath has href and startOffset"
            self.builder.blame_template(None, "GP401", message, hint)

    def text(self, fitted: FittedText) -> TypesetText:
        style, used = TextStyle("", ""), fitted.used
        return TypesetText(MARK, used, used, style, fitted, 0.0, 0.0, "inherit", ())

    def mark(self, text: TypesetText) -> str:
        number = len(self.builder.texts)
        self.builder.texts.append(PlacedText(text, "", None, None))
        return f"<?text {number}?>"


class _Route(Struct, frozen=True):
    """A path as straight steps: the distance of each from the beginning, mm, and its ends."""

    steps: tuple[tuple[float, Point, Point], ...]
    length: float

    @classmethod
    def of(cls, content: bytes, linted: LintedFace, name: str) -> _Route:
        """Return the path with an id on a face, or a path of no length."""
        named = linted.named.get(name)
        lines = polylines(_segments(content[named.begin : named.end]), _STEPS) if named else ()
        steps, length = [], 0.0
        for line in lines:
            for here, there in pairwise(line):
                step = math.dist((here.x, here.y), (there.x, there.y))
                if step:
                    steps.append((length, here, there))
                    length += step
        return cls(tuple(steps), length)

    def at(self, distance: float) -> tuple[Point, float]:
        """Return the point at a distance, and the direction there, degrees clockwise."""
        begin, here, there = next(s for s in reversed(self.steps) if s[0] <= distance)
        angle = math.atan2(there.y - here.y, there.x - here.x)
        on = distance - begin
        point = here.moved(on * math.cos(angle), on * math.sin(angle))
        return point, math.degrees(angle)


def _segments(element: bytes) -> tuple[Segment, ...]:
    """Return the outline of a shape's element; nothing for other elements."""
    root = ElementTree.fromstring(element)  # noqa: S314, has no DTD: it was read before
    try:
        outline = shape_outline(root.tag, root.attrib) if root.tag in SHAPES else None
    except UNREADABLE:
        outline = None
    if outline is None:
        return ()
    a, b, c, d, e, f = parse_transform(root.get("transform", ""))
    begin: tuple[float, ...] = ()
    found: list[Segment] = []
    for step, points in outline.segments:
        pairs = zip(points[::2], points[1::2], strict=True)
        taken = tuple(v for x, y in pairs for v in (a * x + c * y + e, b * x + d * y + f))
        begin = taken if step == "M" else begin
        found.append(("L", begin) if step == "Z" else (step, taken))
    return tuple(found)


def _letters(fitted: FittedText, fonts: FontLibrary) -> Iterator[tuple[float, TextRun]]:
    """Yield the letters of a line, clusters as one, with their distance from its beginning, mm."""
    for line in fitted.lines:
        for run in line.runs:
            if not isinstance(run, TextRun):
                continue
            size, x = pt_to_mm(run.size_pt), run.x
            unit = size / fonts.font(run.font).face.upem
            for glyphs, white, _ in run.stretches:
                x += white * size
                for cluster in clusters(glyphs):
                    width = summed(glyph.advance for glyph in cluster) * unit
                    stretches = (WordStretch(tuple(cluster)),)
                    yield x, replace(run, width=width, text=cluster[0].text, stretches=stretches)
                    x += width


def _moved(line: TextLine, x: float, y: float) -> TextLine:
    return TextLine(
        line.y + y, line.x + x, line.width, tuple(replace(run, x=run.x + x) for run in line.runs)
    )


def _attributes(given: Mapping[str, str], but: frozenset[str]) -> Attributes:
    return tuple((name, value) for name, value in given.items() if name not in but)


def _grouped(inside: str, attributes: Attributes) -> str:
    return f"{_tag('g', attributes, '>')}{inside}</g>" if attributes else inside


def _tag(name: str, attributes: Attributes, end: str = "/>") -> str:
    given = "".join(f' {key}="{escape(value)}"' for key, value in attributes)
    return f"<{name}{given}{end}"
