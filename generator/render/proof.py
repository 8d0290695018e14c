"""A drawn face in; what would not print as it is meant, and where its texts stand, out.

One pass over the SVG. A proof is what a printer looks through before the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from xml.parsers import expat

from generator.diagnostics import did_you_mean
from generator.fonts import FontLibrary
from generator.render import vocabulary
from generator.render.lettering import Lettering
from generator.render.matrices import IDENTITY, Matrix, parse_transform

_SILENT: Final = frozenset(("title", "desc"))
_KEPT: Final = 100_000
_HINTS: Final = {
    "junk after document element": "write only what goes inside of <svg>, not </svg> itself",
    "XML or text declaration not at start of entity": "leave out <?xml … ?>",
    "undefined entity": "write the character itself; known are only &amp; &lt; &gt; &quot;",
    "duplicate attribute": "the attribute stands twice in one element",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and the byte of the SVG where it stands; `word` is what to point at."""

    at: int
    code: str
    message: str
    hint: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A text (by the number of its mark) or a picture (by its attributes) that the face shows,
    and how the groups around it scale, turn and move it; None for what `<use>` places."""

    what: int | Mapping[str, str]
    matrix: Matrix | None
    at: int


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of one reading."""

    faults: tuple[Fault, ...]
    texts: tuple[Shown, ...]
    pictures: tuple[Shown, ...]


class Proofreader:
    """Reads faces; what it found to be right once it does not look at again."""

    def __init__(self, fonts: FontLibrary) -> None:
        self.lettering = Lettering(fonts)
        self.right: dict[str, set[tuple[str, str]]] = {name: set() for name in vocabulary.ELEMENTS}

    def read(self, svg: str) -> Proof:
        """Everything that is wrong with a face."""
        for known in self.right.values():
            if len(known) > _KEPT:
                known.clear()
        self.lettering.reset()
        return _Reading(self).of(svg)


class _Reading:
    """The state of one pass: what is open around the place that is being read."""

    def __init__(self, reader: Proofreader) -> None:
        self.right = reader.right
        self.lettering = reader.lettering
        # Straight to expat: a tree is not needed. What makes XML dangerous cannot be here, as
        # entities are only declared in a DTD, and that must stand before the <svg> that we write.
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start_root
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.ProcessingInstructionHandler = self.mark
        self.content = b""
        self.open: list[tuple[str, int]] = []
        self.matrices: list[Matrix | None] = [IDENTITY]
        self.faults: list[Fault] = []
        self.texts: list[Shown] = []
        self.pictures: list[Shown] = []
        self.ids: set[str] = set()
        self.links: list[tuple[str, int]] = []

    def of(self, svg: str) -> Proof:
        """Read it all."""
        self.content = svg.encode()
        try:
            self.parser.Parse(self.content, True)
        except expat.ExpatError as error:
            self.faults.append(self.not_well_formed(error))
        else:
            self.check_links()
        return Proof(tuple(self.faults), tuple(self.texts), tuple(self.pictures))

    def start_root(self, name: str, _attributes: dict[str, str]) -> None:
        """The `<svg>` around the face, which is not the template's."""
        self.open.append((name, 0))
        self.parser.StartElementHandler = self.start

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self.open.append((name, self.parser.CurrentByteIndex))
        known = vocabulary.ELEMENTS.get(name)
        if known is None:
            self.matrices.append(self.matrices[-1])
            self.unknown_element(name)
            return
        right = self.right[name]
        for item in attributes.items():
            key, value = item
            if item not in right:
                self.check(name, key, value, known, right)
            if key == "id":
                self.add_id(value)
            elif key == "href" and name != "image":
                self.links.append((value[1:], self.parser.CurrentByteIndex))
            elif value.startswith("url(#"):
                self.links.append((value[5:-1], self.parser.CurrentByteIndex))
        self.matrices.append(self.matrix(name, attributes))
        if name in vocabulary.TEXTS:
            problem = self.lettering.begin(name, attributes)
            if problem:
                self.fault(*problem)
        elif name == "image":
            self.pictures.append(Shown(attributes, self.matrices[-1], self.parser.CurrentByteIndex))

    def end(self, name: str) -> None:
        """An element ends."""
        self.open.pop()
        if self.open:
            self.matrices.pop()
        if name in vocabulary.TEXTS:
            self.lettering.end()

    def characters(self, data: str) -> None:
        """Text, white space or not."""
        if self.lettering.at_work:
            for char in self.lettering.missing(data):
                message = f"{char!r} (U+{ord(char):04X}) is in no font that is asked"
                hint = "use text_box or text_line, which know the fallback fonts"
                self.faults.append(Fault(self.place_of(char), "GP402", message, hint, char))
        elif (text := data.strip()) and self.open[-1][0] not in _SILENT:
            shown = text if len(text) <= 40 else text[:39] + "…"
            message = f"the text {shown!r} stands outside of any element"
            word = text.split()[0]
            hint = "set it with text_box or text_line"
            self.faults.append(Fault(self.place_of(word), "GP308", message, hint, word))

    def place_of(self, word: str) -> int:
        """Where a word stands in the text that was just read, at whose end the parser is."""
        end = self.parser.CurrentByteIndex
        found = self.content.rfind(word.encode(), 0, end)
        return end if found < 0 else found

    def mark(self, target: str, data: str) -> None:
        """What a helper left before the text that it set."""
        if target == "text" and data.isdecimal():
            self.texts.append(Shown(int(data), self.matrices[-1], self.parser.CurrentByteIndex))
        else:
            self.fault("GP308", f"<?{target}?> prints nothing", "leave it out", target)

    def matrix(self, name: str, attributes: Mapping[str, str]) -> Matrix | None:
        """The transform of what is inside of an element."""
        around = self.matrices[-1]
        if around is None or name in vocabulary.HIDDEN:
            return None
        transform = attributes.get("transform")
        if transform is None:
            return around
        try:
            return around.then(parse_transform(transform))
        except ValueError:
            return None  # told already

    def check(
        self, name: str, key: str, value: str, known: Mapping[str, Any], right: set[Any]
    ) -> None:
        """An attribute that was not found to be right before."""
        check = known.get(key)
        if check is None:
            hint = vocabulary.INSTEAD_OF_ATTRIBUTE.get(key) or did_you_mean(key, known)
            self.fault("GP308", f"{key} of <{name}> does not print", hint, key)
            return
        problem = check(value)
        if not problem:
            right.add((key, value))
            return
        shown = value if len(value) <= 60 else value[:59] + "…"
        self.fault("GP308", f'{key}="{shown}" of <{name}> {problem}', "", key)

    def unknown_element(self, name: str) -> None:
        """An element that would be left out."""
        hint = vocabulary.INSTEAD_OF_ELEMENT.get(name)
        if name.startswith("fe"):
            hint = vocabulary.INSTEAD_OF_ELEMENT["filter"]
        if ":" in name:
            hint = "what drawing programs keep for themselves is to be left out"
        self.fault("GP308", f"<{name}> does not print",
                   hint or did_you_mean(name, vocabulary.ELEMENTS), name)  # fmt: skip

    def add_id(self, name: str) -> None:
        """A name for something on the face."""
        if name in self.ids:
            self.fault("GP308", f"the id {name!r} stands twice on the face",
                       "give each its own: in a macro, make it from a parameter",
                       name)  # fmt: skip
        self.ids.add(name)

    def check_links(self) -> None:
        """All that is linked to must be there: else nothing is drawn, and nothing said."""
        for name, at in self.links:
            if name not in self.ids:
                hint = did_you_mean(name, self.ids)
                message = f"there is no id {name!r} on the face"
                self.faults.append(Fault(at, "GP308", message, hint, name))

    def not_well_formed(self, error: expat.ExpatError) -> Fault:
        """What stopped the reading, in words."""
        what, at = expat.ErrorString(error.code) or "it cannot be read", self.parser.ErrorByteIndex
        hint = _HINTS.get(what, "is a quote forgotten, or an & not written as &amp;?")
        if what == "mismatched tag":
            name, begin = self.open[-1]
            hint = f"<{name}> is not closed" if begin else "something is closed that is not open"
            if begin and self.content.startswith(b"</svg>", at):
                at = begin
        return Fault(at, "GP307", f"the SVG is not well formed: {what}", hint)

    def fault(self, code: str, message: str, hint: str = "", word: str = "") -> None:
        """Something wrong at the place that is being read."""
        self.faults.append(Fault(self.parser.CurrentByteIndex, code, message, hint, word))
