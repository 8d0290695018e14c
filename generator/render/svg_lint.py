"""Reads a drawn face once: faults that would not print, places of texts and pictures, and the
display list.

Elements repeat from face to face, so results are kept by element.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final, NamedTuple
from xml.parsers import expat

from msgspec import Struct, field

from generator.diagnostics import GridpressError, did_you_mean
from generator.fonts import FontFile, FontLibrary
from generator.geometry import IDENTITY, Matrix, parse_transform
from generator.render.display import DisplayPass, LookTable, Mark, Step, step_of
from generator.svg_parts import MAX_NESTED, RepeatError, SvgPart, elements_drawn
from generator.svg_styles import inline_style
from generator.svg_subset import (
    ELEMENTS,
    HIDDEN,
    ICON_ID,
    INSTEAD_OF_ATTRIBUTE,
    INSTEAD_OF_ELEMENT,
    SILENT,
    TEXTS,
    ValueCheck,
)

MAX_DRAWN: Final = 50_000
"""Shapes that a face may draw; a shape drawn by `<use>` counts each time."""
MOST_REPORTED: Final = 20
"""Faults reported for one face; finding their lines takes another run of the template."""

_HINTS: Final = {
    "junk after document element": "write only what goes inside <svg>, not </svg> itself",
    "XML or text declaration not at start of entity": "remove <?xml … ?>",
    "undefined entity": "write the character itself; only &amp; &lt; &gt; &quot; are known",
    "duplicate attribute": "give each attribute of an element once",
}


class SvgFault(Struct, frozen=True):
    """A fault in an SVG at a byte; `word` is the word to point at."""

    at: int
    code: str
    message: str
    hint: str = ""
    word: str = ""


class Located(Struct, frozen=True):
    """A text or art (by the number of its mark) or an image (by its attributes). `matrix` places it
    on the face; None for hidden content and for content of `<use>`."""

    what: int | Mapping[str, str]
    matrix: Matrix | None
    at: int


class NamedElement(NamedTuple):
    """The bytes of an element with an id."""

    begin: int
    end: int


class OwnText(NamedTuple):
    """The bytes of a template's own `<text>`, and whether it clips."""

    begin: int
    end: int
    clips: bool


class LintedFace(Struct, frozen=True):
    """The result of one reading. `links` are ids that elements refer to, with their places."""

    faults: tuple[SvgFault, ...]
    texts: tuple[Located, ...]
    pictures: tuple[Located, ...]
    links: tuple[tuple[str, int], ...] = ()
    named: Mapping[str, NamedElement] = field(default_factory=dict)
    own_texts: tuple[OwnText, ...] = ()
    marks: tuple[Mark, ...] = ()
    art: tuple[Located, ...] = ()


class Linter:
    """Reads faces, and keeps what it learns of elements and fonts."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._elements = _Elements()
        self._lettering = _OpenTexts(fonts)
        self._looks = LookTable()
        self._drawings: dict[bytes, LintedFace] = {}

    def read(self, content: bytes) -> LintedFace:
        """Read a face. An SVG that refers to later definitions is read twice."""
        first = self._read(content, DisplayPass(self._looks))
        if first.display.is_complete:
            return first.linted
        return self._read(content, DisplayPass(self._looks, first.display.definitions)).linted

    def drawing(self, content: bytes) -> LintedFace:
        """Read a drawing that many faces show; each is read once."""
        known = self._drawings.get(content)
        if known is None:
            known = self._drawings[content] = self.read(content)
        return known

    def _read(self, content: bytes, display: DisplayPass) -> _LintPass:
        self._lettering.open.clear()  # the last face may have ended in the middle of a text
        reading = _LintPass(self._elements, self._lettering, content, display)
        reading.read()
        return reading


class _LintPass:
    """The state of one reading."""

    def __init__(
        self, elements: _Elements, lettering: _OpenTexts, content: bytes, display: DisplayPass
    ) -> None:
        self.elements = elements
        self.display = display
        self.linted = LintedFace((), (), ())
        self.lettering = lettering
        self.content = content
        self.depth = -1  # of the root
        # The depth of each open element that is more than a shape, and the transform inside.
        self.around: list[tuple[int, Matrix | None]] = [(-1, IDENTITY)]
        self.silent = 0
        # The depth of the outermost open element that is hidden.
        self.hidden: int | None = None
        self.open: list[str] = []
        self.named: dict[str, NamedElement] = {}
        self.faults: list[SvgFault] = []
        self.texts: list[Located] = []
        self.pictures: list[Located] = []
        self.art: list[Located] = []
        self.own_texts: list[OwnText] = []
        # The first byte and the depth of the outermost open `<text>`.
        self.own: tuple[int, int] | None = None
        self.ids: set[str] = set()
        self.links: list[tuple[str, int]] = []
        self.parts: dict[str, SvgPart] = {}
        # The named parts that are open, and how deep they are; first the face itself.
        self.part = SvgPart()
        self.within: list[tuple[int, SvgPart]] = [(-1, self.part)]
        # Straight to expat: a tree is not needed. What makes XML dangerous cannot be here, as
        # entities are only declared in a DTD, and that must stand before the <svg> that we write.
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.ordered_attributes = True

    def read(self) -> None:
        parser = self.parser
        parser.StartElementHandler = self.start_root
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.ProcessingInstructionHandler = self.mark
        try:
            parser.Parse(self.content, True)
            self.check_links()
            self.check_repeats()
        except expat.ExpatError as error:
            self.faults.append(self.not_well_formed(error))
        # The parser and this refer to each other: part them, so that neither stays behind.
        parser.StartElementHandler = parser.EndElementHandler = None
        parser.CharacterDataHandler = parser.ProcessingInstructionHandler = None
        self.linted = LintedFace(
            tuple(self.faults),
            tuple(self.texts),
            tuple(self.pictures),
            tuple(self.links),
            self.named,
            tuple(self.own_texts),
            self.display.marks,
            tuple(self.art),
        )

    def start_root(self, _name: str, _attributes: list[str]) -> None:
        """Skip the `<svg>` around the face, which is not the template's."""
        self.depth += 1
        self.parser.StartElementHandler = self.start

    def start(self, name: str, attributes: list[str]) -> None:
        self.depth += 1
        self.open.append(name)
        element, step = self.elements[(name, *attributes)]
        self.display.start(name, step, self.parser.CurrentByteIndex)
        self.part.elements += 1
        self.part.depth = max(self.part.depth, self.depth - self.within[-1][0])
        if self.depth > MAX_NESTED:
            message = f"elements are nested deeper than {MAX_NESTED}"
            hint = "nest fewer groups; is one of them not closed?"
            self.faults.append(SvgFault(self.parser.CurrentByteIndex, "GP306", message, hint, name))
        if self.lettering.open and name not in TEXTS and name not in SILENT:
            message = f"<{name}> inside a <text> does not print"
            hint = "draw it before or after the <text>"
            self.faults.append(SvgFault(self.parser.CurrentByteIndex, "GP308", message, hint, name))
        if element is not None:
            self.note_element(element)

    def note_element(self, element: _Element) -> None:
        """Note an element that is more than a shape."""
        at = self.parser.CurrentByteIndex
        name, own = element.name, element.matrix
        _, matrix = self.around[-1]
        if matrix is not None and own is not IDENTITY:
            matrix = None if own is None else matrix.then(own)
        self.around.append((self.depth, matrix))
        for problem in element.problems:
            self.faults.append(SvgFault(at, *problem))
        if element.named:
            part = SvgPart(element.named, at)
            self.part.inside.append(part)
            self.parts.setdefault(element.named, part)
            self.within.append((self.depth, part))
            self.part = part
        self.links += [(link, at) for link in element.links]
        self.part.links += [(link, at) for link in element.draws]
        if element.id:
            self.add_id(element.id, at)
        if element.hidden and self.hidden is None:
            self.hidden = self.depth
        if name in TEXTS:
            self.begin_text(element, at)
        elif name == "image":
            self.pictures.append(Located(element.attributes or {}, self.seen(matrix), at))
        elif name in SILENT:
            self.silent += 1

    def seen(self, matrix: Matrix | None) -> Matrix | None:
        return None if self.hidden is not None else matrix

    def begin_text(self, element: _Element, at: int) -> None:
        if self.own is None:
            self.own = at, self.depth
        problem = self.lettering.begin(element.name, element.attributes or {})
        if problem is not None:
            self.faults.append(SvgFault(at, *problem))

    def end(self, name: str) -> None:
        if self.around[-1][0] == self.depth:
            self.around.pop()
            if self.hidden == self.depth:
                self.hidden = None
            if name in TEXTS:
                self.lettering.open.pop()
                if self.own is not None and self.own[1] == self.depth:
                    clips = len(self.open) > 1 and self.open[-2] == "clipPath"
                    begin = self.own[0]
                    self.own_texts.append(OwnText(begin, self.end_of(begin), clips))
                    self.own = None
            elif name in SILENT:
                self.silent -= 1
            if self.within[-1][0] == self.depth:
                _, part = self.within.pop()
                self.named.setdefault(part.name, NamedElement(part.at, self.end_of(part.at)))
                self.part = self.within[-1][1]
        if self.open:
            self.open.pop()
            self.display.end(self.end_of)
        self.depth -= 1

    def end_of(self, begin: int) -> int:
        """Return where the element that began at this byte and now ends has its last byte."""
        at = self.parser.CurrentByteIndex
        if self.content[at - 2 : at] == b"/>" and b"<" not in self.content[begin + 1 : at]:
            return at
        return self.content.find(b">", at) + 1

    def characters(self, data: str) -> None:
        if data.isspace():
            return
        if self.lettering.open and not self.silent:
            for char in self.lettering.missing(data):
                message = f"{char!r} (U+{ord(char):04X}) is in none of the fonts named"
                hint = "use text_box or text_line, which also look in the fallback fonts"
                self.faults.append(SvgFault(self.place_of(char), "GP402", message, hint, char))
        elif not self.silent:
            text = data.strip()
            shown = text if len(text) <= 40 else text[:39] + "…"
            message = f"the text {shown!r} is outside any element"
            word = text.split()[0]
            hint = "set it with text_box or text_line"
            self.faults.append(SvgFault(self.place_of(word), "GP308", message, hint, word))

    def place_of(self, word: str) -> int:
        """Find a word of the text that was just read. The parser is at the end of a short text, and
        at the start of a long one."""
        at = self.parser.CurrentByteIndex
        is_over = self.content.startswith(b"<", at)
        look, *around = (self.content.rfind, 0, at) if is_over else (self.content.find, at)
        found = look(escape(word, quote=False).encode(), *around)
        return at if found < 0 else found

    def mark(self, target: str, data: str) -> None:
        """Read the mark that a helper left for a text, or before a picture or an icon."""
        at = self.parser.CurrentByteIndex
        if target == "text" and data.isdecimal():
            matrix = self.seen(self.around[-1][1])
            self.texts.append(Located(int(data), matrix, at))
            self.display.text(int(data), at, self.content.index(b"?>", at) + 2)
        elif target == "art" and data.isdecimal():
            self.art.append(Located(int(data), self.seen(self.around[-1][1]), at))
        else:
            message = f"<?{target}?> prints nothing"
            self.faults.append(SvgFault(at, "GP308", message, "remove it", target))

    def add_id(self, name: str, at: int) -> None:
        if name in self.ids:
            message = f"the id {name!r} is on the face twice"
            hint = "give each its own id; in a macro, make it from a parameter"
            self.faults.append(SvgFault(at, "GP308", message, hint, name))
        self.ids.add(name)

    def check_repeats(self) -> None:
        """Check that `<use>`, masks and clips do not draw too much."""
        try:
            elements_drawn(self.within[0][1], self.parts, MAX_DRAWN)
        except RepeatError as error:
            name, at = error.name, error.at
            code, hint = "GP306", "draw fewer shapes, or repeat them less often"
            if error.endless:
                code, hint = "GP308", "it would not print: do not draw it inside itself"
                message = f"#{name} is drawn inside itself"
            elif error.deep:
                message = f"in #{name}, elements are nested deeper than {MAX_NESTED}"
            else:
                what = f"#{name}" if name else "the face"
                message = f"{what} draws more than {MAX_DRAWN:,} shapes"
            self.faults.append(SvgFault(at, code, message, hint, f"#{name}" if name else ""))

    def check_links(self) -> None:
        """Check that each link has a target: the engine draws nothing otherwise, without an
        error."""
        for name, at in self.links:
            if name not in self.ids and not name.startswith(ICON_ID):
                hint = did_you_mean(name, self.ids) or "give it to the element that you mean"
                message = f"there is no id {name!r} on the face"
                self.faults.append(SvgFault(at, "GP308", message, hint, name))

    def not_well_formed(self, error: expat.ExpatError) -> SvgFault:
        """Return the fault that stopped the parser, in words."""
        what, at = expat.ErrorString(error.code) or "it cannot be read", self.parser.ErrorByteIndex
        hint = _HINTS.get(what, "is a quote missing, or an & not written as &amp;?")
        if what == "mismatched tag":
            at = self.content.rfind(b"<", 0, at + 1)
            name, begin = _still_open(self.content[:at])
            hint = f"<{name}> is not closed" if name else "an end tag has no start tag"
            if name and self.content.startswith(b"</svg>", at):
                at = begin
        return SvgFault(at, "GP307", f"the SVG is not well formed: {what}", hint)


def _still_open(content: bytes) -> tuple[str, int]:
    """Return the innermost open element at the end and its first byte; "" for the root."""
    stack: list[tuple[str, int]] = []
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = lambda name, _: stack.append((name, parser.CurrentByteIndex))
    parser.EndElementHandler = lambda _: stack.pop()
    parser.Parse(content, False)
    return stack[-1] if len(stack) > 1 else ("", 0)


_KEPT: Final = 100_000
_SHOWN: Final = 60
_DRAWS: Final = ("href", "mask", "clip-path")
_NOT_SEEN: Final = (("none", None), ("none", "visible"), (None, "hidden"), ("inline", "hidden"))
_FOREIGN: Final = re.compile(r"(?!xlink:|xml:)[\w-]+:|xmlns$")
"""Attributes of drawing programs."""


class _Problem(NamedTuple):
    """A fault of an element; `word` is the word to point at."""

    code: str
    message: str
    hint: str
    word: str


class _Element(Struct, frozen=True):
    """An element that is more than a shape. `matrix` is its own transform, None if its content is
    drawn elsewhere. `id` is `named`, except for icons, whose ids may repeat. `draws` are the links
    whose shapes it draws. `hidden` is True if nothing of it is seen.
    `attributes` are kept for texts and pictures only."""

    name: str
    problems: tuple[_Problem, ...] = ()
    matrix: Matrix | None = IDENTITY
    id: str = ""
    named: str = ""
    links: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    hidden: bool = False
    attributes: Mapping[str, str] | None = None


class _Elements(dict[tuple[str, ...], tuple[_Element | None, Step]]):
    """Elements by their name and attributes (name, value, name, value, …), None for plain shapes,
    and what they paint."""

    def __missing__(self, key: tuple[str, ...]) -> tuple[_Element | None, Step]:
        if len(self) >= _KEPT:
            self.clear()
        name, *listed = key
        attributes = _merged(dict(zip(listed[::2], listed[1::2], strict=True)))
        found = _worked_out(name, attributes), step_of(name, attributes)
        self[key] = found
        return found


def _merged(attributes: dict[str, str]) -> dict[str, str]:
    """Merge a `style` into the attributes, and drop those of drawing programs."""
    style = attributes.pop("style", "")
    styled = {
        each.name: each.value for each in inline_style(style) if not each.name.startswith("-")
    }
    plain = {key: each for key, each in attributes.items() if not _FOREIGN.match(key)}
    return plain | styled


def _worked_out(name: str, attributes: dict[str, str]) -> _Element | None:
    if name not in ELEMENTS:
        named = attributes.get("id", "")
        return _Element(name, (_unknown(name),), id=named, named=named)
    problems = tuple(_wrong(name, attributes))
    matrix = None if name in HIDDEN else _matrix(attributes)
    links = tuple(_links(name, attributes))
    named = attributes.get("id", "")
    keeps = name in TEXTS or name == "image"
    hidden = (attributes.get("display"), attributes.get("visibility")) in _NOT_SEEN
    special = problems or links or named or keeps or hidden or name in SILENT
    if matrix is IDENTITY and not special:
        return None
    unique = "" if named.startswith(ICON_ID) else named
    draws = tuple(_links(name, {key: attributes[key] for key in _DRAWS if key in attributes}))
    kept = attributes if keeps else None
    return _Element(name, problems, matrix, unique, named, links, draws, hidden, kept)


@functools.lru_cache(_KEPT)
def _problem(check: ValueCheck, value: str) -> str:
    return check(value)


def _wrong(name: str, attributes: Mapping[str, str]) -> Iterator[_Problem]:
    known = ELEMENTS[name]
    for key, value in attributes.items():
        check = known.get(key)
        if check is None:
            hint = INSTEAD_OF_ATTRIBUTE.get(key) or did_you_mean(key, known)
            yield _Problem("GP308", f"{key} of <{name}> does not print", hint, key)
            continue
        problem = _problem(check, value)
        if problem:
            shown = value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
            what, _, hint = problem.partition("; ")
            hint = hint or "correct it, or it will not print"
            yield _Problem("GP308", f'{key}="{shown}" of <{name}> {what}', hint, key)


def _unknown(name: str) -> _Problem:
    hint = INSTEAD_OF_ELEMENT.get(name) or did_you_mean(name, ELEMENTS)
    if name.startswith("fe"):
        hint = INSTEAD_OF_ELEMENT["filter"]
    if ":" in name:
        hint = "remove it: it is data of a drawing program"
    return _Problem("GP308", f"<{name}> does not print", hint, name)


def _matrix(attributes: Mapping[str, str]) -> Matrix | None:
    transform = attributes.get("transform")
    if transform is None:
        return IDENTITY
    try:
        return parse_transform(transform)
    except ValueError:
        return None  # a problem already


def _links(name: str, attributes: Mapping[str, str]) -> Iterator[str]:
    for key, value in attributes.items():
        if key == "href" and name != "image":
            if value.startswith("#"):  # another is a problem already
                yield value[1:]
        elif value.startswith("url(#"):
            yield value[5:-1]


_WEIGHTS: Final = {"normal": 400, "bold": 700} | {str(n): n for n in range(1, 1001)}
_STRETCHES: Final = {
    "ultra-condensed": 0.5,
    "extra-condensed": 0.625,
    "condensed": 0.75,
    "semi-condensed": 0.875,
    "semi-expanded": 1.125,
    "expanded": 1.25,
    "extra-expanded": 1.5,
    "ultra-expanded": 2.0,
}
FONT_ATTRIBUTES: Final = frozenset(("font-family", "font-weight", "font-style", "font-stretch"))


class FontChoice(NamedTuple):
    """The font that a text asks for, by SVG attributes."""

    family: str = ""
    weight: str = "normal"
    style: str = "normal"
    stretch: str = "normal"

    def inside(self, attributes: Mapping[str, str]) -> FontChoice:
        """Return the choice inside an element with these attributes."""
        return FontChoice(
            attributes.get("font-family", self.family),
            attributes.get("font-weight", self.weight),
            attributes.get("font-style", self.style),
            attributes.get("font-stretch", self.stretch),
        )

    def file(self, fonts: FontLibrary) -> FontFile | None:
        """Return the face of the first installed family, or None."""
        for family in self.family.split(","):
            name = family.strip(" '\"")
            weight = _WEIGHTS.get(self.weight, 400)
            stretch = _STRETCHES.get(self.stretch, 1.0)
            try:
                return fonts.find(name, weight, self.style == "italic", stretch)
            except GridpressError:
                continue
        return None


class _OpenTexts:
    """The open texts, innermost last: their fonts and the characters that these have (None for a
    missing font)."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._fonts = fonts
        self._known: dict[FontChoice, frozenset[str] | None] = {}
        self.open: list[tuple[FontChoice, frozenset[str] | None]] = []

    def begin(self, name: str, attributes: Mapping[str, str]) -> _Problem | None:
        """Open a text or a part of one; return what is wrong with it."""
        if self.open and FONT_ATTRIBUTES.isdisjoint(attributes):
            self.open.append(self.open[-1])
            return None
        look = (self.open[-1][0] if self.open else FontChoice()).inside(attributes)
        if look not in self._known:
            self._known[look] = self._characters(look)
        characters = self._known[look]
        self.open.append((look, characters))
        if characters is not None:
            return None
        if not look.family:
            hint = "use text_box or text_line, which take it from a style"
            return _Problem("GP308", f"<{name}> without a font-family does not print", hint, name)
        hint = did_you_mean(look.family, self._fonts.families)
        return _Problem("GP403", f"there is no font family {look.family!r}", hint, look.family)

    def missing(self, text: str) -> list[str]:
        """Return the characters that the font of the innermost text does not have, each once."""
        known = self.open[-1][1]
        if known is None or known.issuperset(text):
            return []
        lacking = dict.fromkeys(char for char in text if char not in known)
        # Marks that only steer (as those of the writing direction) are never drawn.
        return [c for c in lacking if not c.isspace() and unicodedata.category(c) != "Cf"]

    def _characters(self, look: FontChoice) -> frozenset[str] | None:
        file = look.file(self._fonts)
        if file is None:
            return None
        return frozenset(map(chr, self._fonts.font(file).face.unicodes)) | {" ", "\n"}
