"""Writes set text as PDF operators that print its glyphs as measured.

See ISO 32000-1, 9.4 for operators and 14.9.4 for ActualText, the text of glyphs that do not give it
alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

import uharfbuzz as hb
from msgspec import Struct, field

from generator.fonts import FontFile, FontLibrary
from generator.geometry import pt_to_mm
from generator.model.face import FontUse, Glyph, TextLine, TextRun, WordStretch, clusters
from generator.pdf_syntax import as_number, as_numbers

_LEAST: Final = 0.02
"""The least adjustment that is written, thousandths of an em."""
_KERNED: Final = 0.05
"""White below this between two runs, em, is kerning."""
_THOUSAND: Final = 1000
"""PDF gives widths and adjustments in thousandths of an em."""
_SMALL_CAPITALS: Final = dict.fromkeys(("smcp", "c2sc", "pcap", "c2pc", "unic"), True)
_JOINING: Final = ("R", "AL", "NSM", "BN")
"""Bidirectional classes of characters that join, or belong to others."""


class WrittenWord(Struct, frozen=True, eq=False):
    """Operators for some glyphs, and the text of these: in `shown` glyphs with the same text
    everywhere, in `beside` glyphs whose text ActualText gives."""

    written: str
    shown: Mapping[int, str] = field(default_factory=dict)
    beside: Mapping[int, str] = field(default_factory=dict)


Used = dict[str, tuple[FontFile, dict[WrittenWord, None]]]
"""The words set in each font, by the font's name in content."""


def font_uses(used: Used) -> tuple[FontUse, ...]:
    """Return the glyphs that words need of each font."""
    uses = []
    for name, (file, words) in used.items():
        shown: dict[int, str] = {}
        beside: dict[int, str] = {}
        for word in words:
            shown.update(word.shown)
            beside.update(word.beside)
        uses.append(FontUse(name, file, tuple(shown.items()), tuple(beside.items())))
    return tuple(uses)


class Lettering:
    """Writes text in the fonts of a library, each word once."""

    def __init__(self, library: FontLibrary) -> None:
        self._library = library
        self._fonts: dict[FontFile, _FontInUse] = {}

    def write(self, lines: Sequence[TextLine], x: float, y: float, used: Used) -> str:
        """Return the operators, for BT and ET, of lines whose places count from (x, y), mm, y
        downwards. Adds their words to `used`. Empty for lines without glyphs."""
        parts: list[str] = []
        last = lines[-1] if lines else None
        for line in lines:
            runs = [run for run in line.runs if isinstance(run, TextRun) and run.stretches]
            for run, behind in zip_longest(runs, runs[1:]):
                font = self._font_in_use(run.font)
                _, words = used.setdefault(font.name, (run.font, {}))
                ends = _are_apart(run, behind) if behind else line is last
                parts.append(_run(run, font, x + run.x, y + line.y, words, ends=ends))
        return "\n".join(parts)

    def _font_in_use(self, file: FontFile) -> _FontInUse:
        found = self._fonts.get(file)
        if found is None:
            library = self._library
            font = library.font(file)
            space = font.get_nominal_glyph(ord(" ")) or 0
            name = f"T{library.digest(file)[:8]}"
            found = self._fonts[file] = _FontInUse(name, font, library.letters(file), space)
        return found


class _FontInUse(Struct):
    """One font: its name in content, the text of glyphs that are a character's own, its space, and
    the words, glyphs and spaces written so far."""

    name: str
    font: Any
    said: Mapping[int, str]
    space: int
    words: dict[tuple[int, float], tuple[tuple[Glyph, ...], WrittenWord]] = field(
        default_factory=dict
    )
    glyphs: dict[Glyph, str] = field(default_factory=dict)
    whites: dict[tuple[float, bool], str] = field(default_factory=dict)
    alone: dict[tuple[int, str], bool] = field(default_factory=dict)
    small: dict[int, str] = field(default_factory=dict)
    spaced: WrittenWord | None = None

    @property
    def scale(self) -> float:
        return float(_THOUSAND / self.font.face.upem)

    @property
    def space_word(self) -> WrittenWord:
        if self.spaced is None:
            self.spaced = WrittenWord("", {self.space: " "})
        return self.spaced

    def width(self, glyph: int) -> float:
        """Return the advance that readers assume for a glyph, thousandths of an em."""
        return float(round(self.font.get_glyph_h_advance(glyph) * self.scale, 3))

    def stands(self, glyph: Glyph) -> bool:
        """Return True if the ink of a glyph touches the baseline."""
        ink = self.font.get_glyph_extents(glyph.id)
        return bool(ink and ink.width) and ink.y_bearing + ink.height <= 0 <= ink.y_bearing

    def bearing(self, glyph: Glyph) -> float:
        """Return the white at the right of a glyph's ink, thousandths of an em."""
        ink = self.font.get_glyph_extents(glyph.id)
        right = glyph.dx + ink.x_bearing + ink.width if ink else 0
        return max(0.0, (glyph.advance - right) * self.scale)

    def shows(self, glyph: Glyph) -> bool:
        """Return True if a glyph has the same text everywhere, so that the font can give it.

        Such glyphs are a character's own, ligatures, alternates, and small capitals, but not forms
        of letters that join.
        """
        own = self.said.get(glyph.id)
        if own is not None:
            return own == glyph.text
        key = glyph.id, glyph.text
        if key not in self.alone:
            text, other = glyph.text, glyph.text.swapcase()
            joins = not text or any(unicodedata.bidirectional(char) in _JOINING for char in text)
            self.alone[key] = not joins and (
                other == text
                or self._in_small_capitals(other) != [glyph.id]
                or self._small_letters().get(glyph.id) == text
            )
        return self.alone[key]

    def _small_letters(self) -> Mapping[int, str]:
        """Return the letter of each small capital that belongs to one letter alone."""
        if not self.small:
            for letter in sorted(set(self.said.values())):
                if letter != letter.swapcase() and letter == letter.upper().lower():
                    glyphs = self._in_small_capitals(letter)
                    if len(glyphs) == 1:
                        shared = glyphs[0] in self.small
                        self.small[glyphs[0]] = "" if shared else letter
        return self.small

    def _in_small_capitals(self, text: str) -> list[int]:
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(self.font, buffer, _SMALL_CAPITALS)
        return [info.codepoint for info in buffer.glyph_infos]


def _are_apart(run: TextRun, behind: TextRun) -> bool:
    """Return True if a space or an icon is between two runs."""
    return behind.x - run.x - run.width > _KERNED * pt_to_mm(run.size_pt)


def _run(
    run: TextRun,
    font: _FontInUse,
    x: float,
    y: float,
    used: dict[WrittenWord, None],
    *,
    ends: bool = False,
) -> str:
    """Return the operators of a run with its baseline at (x, y), letters upright though y goes
    down. A space follows a last word that `ends`."""
    size = pt_to_mm(run.size_pt)
    parts = []
    for glyphs, white, space in run.stretches:
        if white or space:
            parts.append(_white(white, space, font))
            if space and font.space:
                used[font.space_word] = None
        word = _word(glyphs, font, size)
        used[word] = None
        parts.append(word.written)
    alone = ""
    if ends and font.space:
        used[font.space_word] = None
        parts, alone = _ended(run.stretches, parts, font)
    inside = _in_a_row(parts)
    return f"/{font.name} {as_number(size)} Tf 1 0 0 -1 {as_numbers(x, y)} Tm [{inside}] TJ{alone}"


def _ended(
    stretches: Sequence[WordStretch], parts: list[str], font: _FontInUse
) -> tuple[list[str], str]:
    """Return a run's parts with a space of no width at the end. If no letter touches the baseline,
    the space is apart: readers would take it for larger text."""
    if any(font.stands(glyph) for stretch in stretches for glyph in stretch.glyphs):
        last = stretches[-1].glyphs[-1]
        return [*parts, f"{_adjusted(-font.bearing(last))}<{font.space:04X}>"], ""
    return parts, f" {_with_actual_text(' ', f'<{font.space:04X}{font.space:04X}> Tj')}"


def _with_actual_text(text: str, shown: str) -> str:
    actual = ("\ufeff" + text).encode("utf-16-be").hex().upper()
    return f"/Span <</ActualText <{actual}>>> BDC {shown} EMC"


def _white(width: float, space: bool, font: _FontInUse) -> str:
    """Return white, em, as a space if the author wrote one."""
    key = width, space
    written = font.whites.get(key)
    if written is None:
        by, shown = width * _THOUSAND, ""
        if space and font.space:
            by -= font.width(font.space)
            shown = f"<{font.space:04X}>"
        written = font.whites[key] = shown + _adjusted(by)
    return written


def _word(glyphs: tuple[Glyph, ...], font: _FontInUse, size: float) -> WrittenWord:
    """Return a word for the brackets of TJ. Words are known by identity, since a typeface shapes
    each once."""
    known = font.words.get((id(glyphs), 0.0)) or font.words.get((id(glyphs), size))
    if known is not None:
        return known[1]
    parts: list[str] = []
    shown: dict[int, str] = {}
    beside: dict[int, str] = {}
    for cluster in clusters(glyphs):
        alone = len(cluster) == 1 and font.shows(cluster[0])
        for glyph in cluster:
            said = font.said.get(glyph.id) or glyph.text
            (shown if alone else beside).setdefault(glyph.id, said)
        parts.append(_cluster(cluster, font, size))
    written = _in_a_row(parts).replace("><", "")
    word = WrittenWord(written, shown, beside)
    raised = size if any(glyph.dy for glyph in glyphs) else 0.0
    font.words[id(glyphs), raised] = glyphs, word  # as long as it is known, its id is its own
    return word


def _cluster(glyphs: Sequence[Glyph], font: _FontInUse, size: float) -> str:
    first, text = glyphs[0], glyphs[0].text
    if len(glyphs) == 1 and (known := font.glyphs.get(first)):
        return known
    written = _in_a_row(_glyph(glyph, font, size) for glyph in glyphs)
    if len(glyphs) == 1 and font.shows(first):
        if not first.dy:
            font.glyphs[first] = written
    elif "".join(font.said.get(glyph.id, "") for glyph in glyphs) != text:
        return f"] TJ {_with_actual_text(text, f'[{written}] TJ')} ["
    return written


def _glyph(glyph: Glyph, font: _FontInUse, size: float) -> str:
    scale = font.scale
    before = _adjusted(glyph.dx * scale)
    after = _adjusted((glyph.advance - glyph.dx) * scale - font.width(glyph.id))
    shown = f"<{glyph.id:04X}>"
    if glyph.dy:
        rise = as_number(glyph.dy * scale / _THOUSAND * size)
        shown = f"] TJ {rise} Ts [{shown}] TJ 0 Ts ["
    return f"{before}{shown}{after}"


def _adjusted(by: float) -> str:
    return f"{-by:.2f}".rstrip("0").rstrip(".") if abs(by) >= _LEAST else ""


def _in_a_row(parts: Iterable[str]) -> str:
    """Return the content of TJ's brackets, with a space between numbers."""
    row = ""
    for part in parts:
        row += f" {part}" if row[-1:].isdigit() and not part.startswith(("<", "]")) else part
    return row
