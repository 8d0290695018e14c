"""A file in, findings about letters that its fonts cannot print out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from pikepdf import Array, Dictionary, Name, Object, Page

from generator.geometry import Point, Rect
from generator.preflight.embedded import EmbeddedFont, FontReader
from generator.preflight.expectation import Expected, ExpectedText
from generator.preflight.finding import Finding
from generator.preflight.form_space import point_on_page
from generator.preflight.marks import on_page
from generator.preflight.matching import Match
from generator.preflight.reading import Draw
from generator.preflight.strings import shown, skimmed
from generator.preflight.subject import Subject

_HINT: Final = (
    "build the file again; if that does not help, name a font that has the letter under"
    " `fallback` in styles.yaml"
)
_NEAR: Final = 1.0
"""mm by which a letter may start outside of the box of its text."""
_DEEPEST: Final = 40


@dataclass(frozen=True, slots=True)
class _Odd:
    """A letter that cannot be printed: what is wrong with it, and where it starts, pt in the space
    of what is drawn on the page; None when it is in a form inside that."""

    message: str
    start: Point | None


def glyphs(subject: Subject) -> Iterator[Finding]:
    """GP822: every letter has a glyph, in the font that it was set with."""
    reader = _Reader()
    matches = [(page.read.number, match) for page in subject.matched for match in page.matches]
    copies = Counter(match.draw.form for _, match in matches if match.draw)
    for number, page in enumerate(subject.pdf.pages, start=1):
        for odd in reader.odd_on(page):
            yield subject.fault("GP822", odd.message, _HINT, number)
            break
    seen: set[tuple[int, int]] = set()
    for number, match in matches:
        if match.draw is None or match.draw.form in seen:
            continue
        seen.add(match.draw.form)
        form = subject.pdf.get_object(match.draw.form)
        for found in _one_a_text(match, match.draw, form, reader.odd_in(form)):
            yield found.finding(match.expected, number, copies[match.draw.form])


@dataclass(frozen=True, slots=True)
class _Found:
    """A letter that cannot be printed, in the text that it is of."""

    message: str
    text: ExpectedText | None
    place: Rect

    def finding(self, expected: Expected, page: int, copies: int) -> Finding:
        return Finding(
            "GP822",
            f"the {expected.face} of {expected.component!r}: {self.message}",
            _HINT,
            page=page,
            place=self.place,
            component=f"{expected.kind}/{expected.component}",
            source=self.text.source if self.text else expected.source,
            copies=copies,
        )


def _one_a_text(match: Match, draw: Draw, form: Object, odd: Iterable[_Odd]) -> Iterator[_Found]:
    told: set[ExpectedText | None] = set()
    for letter in odd:
        text, place = None, match.expected.box
        if letter.start is not None:
            start = point_on_page(letter.start, draw, form)
            place = Rect(start.x, start.y, 0, 0).grown(_NEAR)
            for candidate in match.expected.texts:
                box = on_page(candidate.box, match.expected)
                if box.overlaps(place):
                    text, place = candidate, box
                    break
        if text not in told:
            told.add(text)
            yield _Found(letter.message, text, place)


class _Reader:
    """Reads what is shown; fonts and forms that many faces share are looked at once."""

    def __init__(self) -> None:
        self._reader = FontReader()
        self._fonts: dict[tuple[int, int], EmbeddedFont] = {}
        self._forms: dict[tuple[int, int], tuple[_Odd, ...]] = {}

    def odd_on(self, page: Page) -> Iterator[_Odd]:
        """What is odd in what a page shows beside its forms."""
        contents = page.obj.get("/Contents", Array())
        parts = contents if isinstance(contents, Array) else [contents]
        data = b"\n".join(part.read_bytes() for part in parts)
        return self._letters(page, data, page.resources)

    def odd_in(self, form: Object, depth: int = 0) -> tuple[_Odd, ...]:
        """What is odd in a form and the forms in it."""
        known = self._forms.get(form.objgen)
        if known is None:
            known = self._forms[form.objgen] = tuple(self._look(form, depth))
        return known

    def _look(self, form: Object, depth: int) -> Iterator[_Odd]:
        resources = form.get("/Resources", Dictionary())
        yield from self._letters(form, form.read_bytes(), resources)
        for inner in dict(resources.get("/XObject", {})).values():
            if inner.get("/Subtype") == Name.Form and depth < _DEEPEST:
                yield from (replace(odd, start=None) for odd in self.odd_in(inner, depth + 1))

    def _letters(self, source: Page | Object, data: bytes, resources: Object) -> Iterator[_Odd]:
        fonts = {
            name.removeprefix("/"): self._font(font)
            for name, font in dict(resources.get("/Font", {})).items()
        }
        if all(font not in fonts or fonts[font].shows(c) for font, c in skimmed(data).items()):
            return
        for string in shown(source):
            fault = fonts[string.font].fault(string.codes) if string.font in fonts else ""
            if fault:
                yield _Odd(fault, Point(string.x, string.y))

    def _font(self, font: Object) -> EmbeddedFont:
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = self._reader.read(font)
        return self._fonts[font.objgen]
