"""Checks text: fonts embedded, glyphs there, large enough to read, clear of the cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.diagnostics import Severity
from generator.geometry import Rect, around, format_mm, pt_to_mm
from generator.preflight.finding import Finding
from generator.preflight.pdf.gathered import warned
from generator.preflight.pdf.pdf_fonts import PdfFont
from generator.preflight.pdf.pdf_glyphs import DamagedFontError, Lacks, lacking
from generator.preflight.pdf.pdf_subject import SubjectPage
from generator.preflight.pdf.shown_marks import ShownText

LEAST_SIZE: Final = 5.0
"""pt."""
_ROUNDING: Final = 0.05
"""pt of rounding in programs."""
_FEW: Final = 3
"""Letters: fewer are a raised mark or a sign, not text to read."""
SAFE: Final = 1.5
"""mm that text keeps from the cut by default; knives drift by that much."""
_DRIFT: Final = 0.1
"""mm of rounding."""
_MOST_SHOWN: Final = 40
"""Letters that a message quotes."""
_EMBED: Final = "export it again with all fonts embedded"


class FontChecks:
    """Checks the fonts of a file: each is read once, and each letter is looked up once."""

    def __init__(self) -> None:
        self._known: dict[int, Lacks | str | None] = {}
        self._fonts: list[PdfFont] = []
        self._seen: set[tuple[int, int]] = set()
        self._faults: dict[tuple[int, int], str] = {}

    def fonts(self, subject: SubjectPage) -> Iterator[Finding]:
        """GP804: find fonts that text is set in and that are not in the file, or damaged."""
        fonts = {id(text.font): text for text in subject.marks.texts}
        for text in fonts.values():
            fault = self._lacks(text.font)
            if isinstance(fault, str):
                place = subject.placed(text.place)
                yield Finding("GP804", fault, _EMBED, Severity.ERROR, subject.number, place)
        for name in subject.marks.fonts:
            message = (
                f"text is set in the font {name or 'without a name'}, which is not in the file"
            )
            yield Finding("GP804", message, _EMBED, Severity.ERROR, subject.number)

    def glyphs(self, subject: SubjectPage) -> Iterator[Finding]:
        """GP822: find letters without a glyph in their font."""
        for text in subject.marks.texts:
            lacks = self._lacks(text.font)
            if lacks is None or isinstance(lacks, str):
                continue
            for code in dict.fromkeys(text.font.codes(text.codes)):
                fault = self._fault(text.font, code, lacks)
                if fault:
                    hint = "use a font that has it, or embed the whole font"
                    place = subject.placed(text.place)
                    yield Finding("GP822", fault, hint, Severity.ERROR, subject.number, place)

    def _fault(self, font: PdfFont, code: int, lacks: Lacks) -> str:
        key = id(font), code
        if key not in self._seen:
            self._seen.add(key)
            if lacks(code):
                word = font.words.get(code, "")
                letter = f"the letter ‘{word}’" if word.isprintable() and word else "a letter"
                self._faults[key] = f"{letter} is missing from the font {font.name}"
        return self._faults.get(key, "")

    def _lacks(self, font: PdfFont) -> Lacks | str | None:
        """Return a function that finds letters without a glyph, or the fault of the whole font."""
        key = id(font)
        if key not in self._known:
            self._fonts.append(font)  # as long as it is known, no other has its id
            if not font.is_embedded:
                self._known[key] = (
                    f"the font {font.name} is not embedded: another may be printed instead"
                )
            else:
                try:
                    self._known[key] = lacking(font)
                except DamagedFontError:
                    self._known[key] = f"the font {font.name} is damaged and cannot be read"
        return self._known[key]


def sizes(subject: SubjectPage) -> Iterator[Finding]:
    """GP821: find text that is too small to read."""
    small: list[tuple[float, ShownText]] = []
    letters = 0
    for text in subject.marks.texts:
        size = printed_size(text, subject)
        if size < LEAST_SIZE - _ROUNDING and not text.font.drawn and subject.is_printed(text.place):
            said = text.font.text(text.codes)
            letters += len([*filter(str.isalnum, said)]) if said else len(text.codes)
            small.append((size, text))
    if letters < _FEW:
        return
    size, text = min(small, key=lambda each: each[0])
    message = f"text is printed at {size:.1f} pt{_quoted(text)}"
    hint = f"text below {LEAST_SIZE:g} pt is unreadable in print: use at least 6.5 pt"
    place = subject.placed(text.place)
    yield warned("GP821", message, hint, page=subject.number, place=place)


def printed_size(text: ShownText, subject: SubjectPage) -> float:
    """Return the size at which a text is printed, pt."""
    return text.size * text.matrix.down * subject.frame.to_page.down / pt_to_mm(1)


def near_cut(subject: SubjectPage) -> Iterator[Finding]:
    """GP823: find text that the knife may cut."""
    profile = subject.profile
    is_sheet = profile is not None and profile.papers
    if not subject.is_cut or is_sheet:
        return
    trim, safe = subject.trim, profile.safe if profile else SAFE
    zone = trim.grown(_DRIFT - safe)
    found: list[tuple[float, ShownText, Rect]] = []
    for text in subject.marks.texts:
        place = subject.frame.to_page.box(text.place)
        if subject.is_printed(text.place) and not zone.contains(place):
            found.append((_distance(place, trim), text, place))
    if not found:
        return
    distance, text, _ = min(found, key=lambda each: each[0])
    place = around([place for _, _, place in found]).cut_to(subject.frame.whole)
    where = f"is {format_mm(round(distance, 1))} mm from the cut" if distance > 0 else "is cut off"
    message = f"text{_quoted(text)} {where}"
    hint = f"keep text at least {format_mm(safe)} mm from the cut: paper shifts under the knife"
    yield warned("GP823", message, hint, page=subject.number, place=place)


def _distance(place: Rect, trim: Rect) -> float:
    """mm from a place to the nearest edge of the trim; negative beyond it."""
    return min(
        place.x - trim.x,
        place.y - trim.y,
        trim.right - place.right,
        trim.bottom - place.bottom,
    )


def _quoted(text: ShownText) -> str:
    """Return the words of a text for a message; empty if they are unknown."""
    said = " ".join(text.font.text(text.codes).split())
    if not said.isprintable() or not said:
        return ""
    return f" ‘{said[:_MOST_SHOWN]}{'…' * (len(said) > _MOST_SHOWN)}’"
