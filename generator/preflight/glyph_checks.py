"""Checks that the fonts of a file can print all letters that its content streams show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, Object, Page, String, parse_content_stream

from generator.geometry import IDENTITY, Matrix, Point, Rect
from generator.model.manifest import TextEntry
from generator.pdf_forms import Fingerprints
from generator.preflight.checking import Finding, Match, Subject, finding_of
from generator.preflight.embedded_fonts import EmbeddedFont, FontReader
from generator.preflight.manifest_reader import Expected
from generator.preflight.page_reader import FormDraw, point_on_page
from generator.preflight.pdf_limits import content_streams

_TOKENS: Final = re.compile(
    rb"/ActualText\s*(?:\((?:[^()\\]|\\.)*+\)?|<[0-9A-Fa-f\s]*>)"  # read, but not shown
    rb"|/([^\s/()<>\[\]{}%]+)\s+[-+.\d]+\s+Tf\b|\(((?:[^()\\]|\\.)*+)\)?|<([0-9A-Fa-f\s]+)>",
    re.S,
)
_ESCAPE: Final = re.compile(rb"\\(?:([0-7]{1,3})|\r\n|(.))", re.S)
_UNLIKE_PYTHON: Final = re.compile(rb"\\[^0-3nrtbf()\\]")
"""What may be an escape that Python reads in another way than PDF, if it is one."""
_LETTERS: Final = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b""}


class ShownString(NamedTuple):
    """A string: the font's name in the resources, its bytes, and where it starts in the space of
    the stream."""

    font: str
    codes: bytes
    x: float
    y: float


def skimmed(stream: bytes) -> Mapping[str, Sequence[bytes]]:
    """The strings of each font of a stream, quickly: some that are not shown are among them, and a
    font that is put back by `Q` is not seen. What is odd here deserves a second look."""
    found: dict[str, list[bytes]] = {}
    font = ""
    for name, literal, digits in _TOKENS.findall(stream):
        if name:
            font = name.decode("latin-1")
        elif literal or digits:
            found.setdefault(font, []).append(_from_hex(digits) if digits else _unescaped(literal))
    return found


def shown(drawn: Page | Object) -> Iterator[ShownString]:
    """Every string that a page or form shows itself, in order. Raises whatever pikepdf does."""
    state = _TextState()
    for instruction in parse_content_stream(drawn):
        operator, operands = str(instruction.operator), list(instruction.operands)
        if operator in _STEPS:
            _STEPS[operator](state, operands)
        if operator in _SHOWING:
            yield state.shown(_joined(operands[-1]))


_SHOWING: Final = frozenset(("Tj", "TJ", "'", '"'))


class _TextState(Struct):
    """Follows a content stream as far as text is concerned (PDF 1.7, 8.4.4, 9.3 and 9.4)."""

    ctm: Matrix = IDENTITY
    font: str = ""
    leading: float = 0.0
    line: Matrix = IDENTITY
    saved: list[tuple[Matrix, str, float]] = field(default_factory=list)

    def shown(self, codes: bytes) -> ShownString:
        place = self.ctm.then(self.line)
        return ShownString(self.font, codes, place.e, place.f)

    def save(self, _: Sequence[Any]) -> None:
        self.saved.append((self.ctm, self.font, self.leading))

    def restore(self, _: Sequence[Any]) -> None:
        if self.saved:
            self.ctm, self.font, self.leading = self.saved.pop()

    def concatenate(self, operands: Sequence[Any]) -> None:
        self.ctm = self.ctm.then(_matrix(operands))

    def begin(self, _: Sequence[Any]) -> None:
        self.line = IDENTITY

    def choose(self, operands: Sequence[Any]) -> None:
        self.font = str(operands[0]).removeprefix("/")

    def lead(self, operands: Sequence[Any]) -> None:
        self.leading = float(operands[0])

    def put(self, operands: Sequence[Any]) -> None:
        self.line = _matrix(operands)

    def move(self, operands: Sequence[Any]) -> None:
        x, y = map(float, operands)
        self.line = self.line.then(Matrix(e=x, f=y))

    def move_and_lead(self, operands: Sequence[Any]) -> None:
        self.leading = -float(operands[1])
        self.move(operands)

    def next_line(self, _: Sequence[Any]) -> None:
        self.line = self.line.then(Matrix(f=-self.leading))


_STEPS: Final = {
    "q": _TextState.save,
    "Q": _TextState.restore,
    "cm": _TextState.concatenate,
    "BT": _TextState.begin,
    "Tf": _TextState.choose,
    "TL": _TextState.lead,
    "Tm": _TextState.put,
    "Td": _TextState.move,
    "TD": _TextState.move_and_lead,
    "T*": _TextState.next_line,
    "'": _TextState.next_line,
    '"': _TextState.next_line,
}


def _joined(operand: Any) -> bytes:
    parts = operand if isinstance(operand, Array) else [operand]
    return b"".join(bytes(part) for part in parts if isinstance(part, String))


def _matrix(operands: Sequence[Any]) -> Matrix:
    return Matrix(*(float(value) for value in operands))


def _from_hex(digits: bytes) -> bytes:
    try:
        return bytes.fromhex(digits.decode())
    except ValueError:  # blanks between the digits of a byte, or one that lacks its last
        together = b"".join(digits.split()).decode()
        return bytes.fromhex(together + "0" * (len(together) % 2))


def _unescaped(literal: bytes) -> bytes:
    """The bytes of a string as it is written in brackets (PDF 1.7, 7.3.4.2)."""
    if b"\\" not in literal:
        return literal
    if _UNLIKE_PYTHON.search(literal):
        return _ESCAPE.sub(_letter, literal)
    # Many times as fast: all escapes but those of brackets are Python's too.
    plain = literal.replace(b"\\(", b"\\050").replace(b"\\)", b"\\051")
    return plain.decode("unicode_escape").encode("latin-1")


def _letter(escape: re.Match[bytes]) -> bytes:
    octal, other = escape.groups()
    if octal:
        return bytes((int(octal, 8) & 0xFF,))
    return _LETTERS.get(other, other or b"")


_HINT: Final = (
    "build the file again; if that does not help, name a font that has the letter under"
    " `fallback` in styles.yaml"
)
_BY_ANOTHER: Final = "embed the whole font in the program that made the file, or take another one"
_NEAR: Final = 1.0
"""mm by which a letter may start outside of the box of its text."""
_DEEPEST: Final = 40


class _OddLetter(Struct, frozen=True):
    """A letter that cannot be printed: what is wrong with it, and where it starts, pt in the space
    of what is drawn on the page; None when it is in a form inside that."""

    message: str
    start: Point | None


def glyphs(subject: Subject) -> Iterator[Finding]:
    """GP822: every letter has a glyph, in the font that it was set with."""
    reader = _GlyphReader(subject.prints, own=subject.expected is not None)
    hint = _HINT if subject.expected else _BY_ANOTHER
    matches = [(page.read.number, match) for page in subject.matched for match in page.matches]
    copies = Counter(match.draw.form for _, match in matches if match.draw)
    for number, page in enumerate(subject.pdf.pages, start=1):
        forms = () if subject.expected else _forms_of(page)
        for odd in chain(reader.odd_on(page), *map(reader.odd_in, forms)):
            yield subject.fault("GP822", odd.message, hint, number)
            break
    seen: set[tuple[int, int]] = set()
    for number, match in matches:
        if match.draw is None or match.draw.form in seen:
            continue
        seen.add(match.draw.form)
        form = subject.pdf.get_object(match.draw.form)
        for found in _one_a_text(match, match.draw, form, reader.odd_in(form)):
            yield found.finding(match.expected, number, copies[match.draw.form])


def _forms_of(page: Page) -> Iterator[Object]:
    """What a page draws that may have letters."""
    named = dict(page.resources.get("/XObject", {})).values()
    return (each for each in named if each.get("/Subtype") == Name.Form)


class _BadLetter(Struct, frozen=True):
    """A letter that cannot be printed, in the text that it is of."""

    message: str
    text: TextEntry | None
    place: Rect

    def finding(self, expected: Expected, page: int, copies: int) -> Finding:
        return finding_of(
            expected,
            "GP822",
            f"the {expected.face} of {expected.component!r}: {self.message}",
            _HINT,
            page=page,
            place=self.place,
            source=self.text.source if self.text else expected.source,
            copies=copies,
        )


def _one_a_text(
    match: Match, draw: FormDraw, form: Object, odd: Iterable[_OddLetter]
) -> Iterator[_BadLetter]:
    told: set[TextEntry | None] = set()
    for letter in odd:
        text, place = None, match.expected.box
        if letter.start is not None:
            start = point_on_page(letter.start, draw, form)
            place = Rect(start.x, start.y, 0, 0).grown(_NEAR)
            for candidate in match.expected.texts:
                box = match.expected.on_page(candidate.box)
                if box.overlaps(place):
                    text, place = candidate, box
                    break
        if text not in told:
            told.add(text)
            yield _BadLetter(letter.message, text, place)


class _GlyphReader:
    """Reads what is shown; fonts and forms that many faces share are looked at once."""

    def __init__(self, prints: Fingerprints, *, own: bool) -> None:
        self._prints = prints
        self._reader = FontReader(own=own)
        self._fonts: dict[tuple[int, int], EmbeddedFont] = {}
        self._forms: dict[tuple[int, int], tuple[_OddLetter, ...]] = {}

    def odd_on(self, page: Page) -> Iterator[_OddLetter]:
        """What is odd in what a page shows beside its forms."""
        return self._letters(page, content_streams(page), page.resources)

    def odd_in(self, form: Object, depth: int = 0) -> tuple[_OddLetter, ...]:
        """What is odd in a form and the forms in it."""
        known = self._forms.get(form.objgen)
        if known is None:
            known = self._forms[form.objgen] = self._prints.once(
                lambda: tuple(self._look(form, depth)), "odd letters", form.objgen
            )
        return known

    def _look(self, form: Object, depth: int) -> Iterator[_OddLetter]:
        resources = form.get("/Resources", Dictionary())
        yield from self._letters(form, (form,), resources)
        for inner in dict(resources.get("/XObject", {})).values():
            if inner.get("/Subtype") == Name.Form and depth < _DEEPEST:
                yield from (replace(odd, start=None) for odd in self.odd_in(inner, depth + 1))

    def _letters(
        self, source: Page | Object, streams: Iterable[Object], resources: Object
    ) -> Iterator[_OddLetter]:
        fonts = {
            name.removeprefix("/"): self._font(font)
            for name, font in dict(resources.get("/Font", {})).items()
        }
        if not fonts:  # most forms in forms are a part of a drawing
            return
        data = b"\n".join(stream.read_bytes() for stream in streams)
        if all(font not in fonts or fonts[font].shows(c) for font, c in skimmed(data).items()):
            return
        for string in shown(source):
            fault = fonts[string.font].fault(string.codes) if string.font in fonts else ""
            if fault:
                yield _OddLetter(fault, Point(string.x, string.y))

    def _font(self, font: Object) -> EmbeddedFont:
        if not font.is_indirect:  # it has no number of its own
            return self._reader.read(font)
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = self._reader.read(font)
        return self._fonts[font.objgen]
