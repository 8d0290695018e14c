"""A run of text in; the operator that shows it, and the glyphs that it uses, out.

HarfBuzz shapes here as it does where lines are broken and as it does in the engine, so letters
stand where they were measured. Words are shaped once for all their uses.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import uharfbuzz as hb

from generator.export.plates.look import Look
from generator.export.plates.operators import number
from generator.export.plates.reading import LeftToEngineError
from generator.fonts import FontFile, FontLibrary
from generator.text.unicode import runs_right_to_left

_KEPT: Final = 20_000
_LOOSE: Final = re.compile(r"^\s|\s$|  |[\t\r\n]")
_FIXED_SPACE: Final = "\u00a0"
_WEIGHTS: Final = {"normal": "400", "bold": "700"}
_OUTLINES: Final = "glyf"
_VARIABLE: Final = "fvar"


class Setting(NamedTuple):
    """Shaped text: what stands between the brackets of TJ, and the glyphs in it."""

    shown: str
    glyphs: frozenset[int]


class _Glyph(NamedTuple):
    """A glyph, the letters that it stands for, and the kerning after it, 1/1000 em to the left."""

    number: int
    letters: str
    kerning: float


class _Word(NamedTuple):
    shown: str
    glyphs: frozenset[int]
    first: _Glyph
    last: _Glyph


@dataclass(frozen=True, slots=True, eq=False)
class Fount:
    """A font file, opened, with what was set in it. `letters` are what its glyphs stand for, each
    glyph in one way: text that uses it in another is left to the engine."""

    file: FontFile
    font: Any
    em: int
    letters: dict[int, str] = field(default_factory=dict)
    _words: dict[str, _Word] = field(default_factory=dict)
    _spaces: dict[tuple[_Glyph, _Glyph], str | None] = field(default_factory=dict)

    def set(self, text: str) -> Setting:
        """Shape a run from left to right, in which each glyph stands for one letter or more.

        Raises LeftToEngineError for any other, or when the font lacks a glyph.
        """
        first, *others = text.split(" ")
        word = self._word(first)
        shown, glyphs = [word.shown], [word.glyphs]
        for other in others:
            before, word = word, self._word(other)
            space = self._space(before.last, word.first)
            if space is None:
                whole = self._word(text)
                return Setting(whole.shown, whole.glyphs)
            shown += space, word.shown
            glyphs.append(word.glyphs)
        if others:
            glyphs.append(self._word(" ").glyphs)
        return Setting("".join(shown).replace("><", ""), frozenset().union(*glyphs))

    def _word(self, text: str) -> _Word:
        word = self._words.get(text)
        if word is None:
            if len(self._words) >= _KEPT:
                self._words.clear()
            glyphs = self._shaped(text)
            numbers = frozenset(glyph.number for glyph in glyphs)
            word = self._words[text] = _Word(_shown(glyphs), numbers, glyphs[0], glyphs[-1])
        return word

    def _space(self, tail: _Glyph, head: _Glyph) -> str | None:
        """What shows the space between two words, with the kerning on both its sides; None where
        the letters around it are other ones in each other's company."""
        key = (tail, head)
        if key not in self._spaces:
            space = self._word(" ").first
            glyphs = self._shaped(f"{tail.letters} {head.letters}")
            alike = [g.number for g in glyphs] == [tail.number, space.number, head.number]
            self._spaces[key] = (
                f"{_kerned(glyphs[0])}{_shown([glyphs[1]])}{_kerned(glyphs[1])}" if alike else None
            )
        return self._spaces[key]

    def _shaped(self, text: str) -> list[_Glyph]:
        if not text or (text != " " and (runs_right_to_left(text) or _LOOSE.search(text))):
            raise LeftToEngineError("text from right to left, or loose white space")
        buffer = hb.Buffer()
        buffer.language = "und"
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(self.font, buffer)
        infos, advance_of = buffer.glyph_infos, self.font.get_glyph_h_advance
        ends = [info.cluster for info in infos[1:]] + [len(text)]
        glyphs = []
        for info, position, end in zip(infos, buffer.glyph_positions, ends, strict=True):
            letters = text[info.cluster : end].replace(_FIXED_SPACE, " ")
            if not (info.codepoint and letters) or position.x_offset or position.y_offset:
                raise LeftToEngineError("letters that are put together from glyphs")
            if self.letters.setdefault(info.codepoint, letters) != letters:
                raise LeftToEngineError("a glyph that stands for two letters")
            kerning = advance_of(info.codepoint) - position.x_advance
            glyphs.append(_Glyph(info.codepoint, letters, kerning * 1000 / self.em))
        return glyphs


def _shown(glyphs: Sequence[_Glyph]) -> str:
    """Glyphs with the kerning between them, not behind the last."""
    codes = "".join(f"{glyph.number:04x}>{_kerned(glyph)}<" for glyph in glyphs[:-1])
    return f"<{codes}{glyphs[-1].number:04x}>".replace("><", "")


def _kerned(glyph: _Glyph) -> str:
    return number(glyph.kerning) if glyph.kerning else ""


class Typecase:
    """The fonts that text can be set in without the engine: TrueType, one file to a name."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._fonts = fonts
        self._files: dict[tuple[str, str, str, str], list[FontFile]] = {}
        for file in fonts.files:
            look = file.svg
            name = (
                look["font-family"].strip("'\""),
                look["font-weight"],
                look.get("font-style", "normal"),
                look.get("font-stretch", "normal"),
            )
            self._files.setdefault(name, []).append(file)
        self.fount = functools.lru_cache(_KEPT)(self._fount_of)
        self._fount = functools.cache(self._opened)

    def _fount_of(self, look: Look) -> Fount:
        """The fount of a look. Raises LeftToEngineError when only the engine can tell."""
        weight = _WEIGHTS.get(look.weight, look.weight)
        return self._fount((look.family.strip("'\""), weight, look.style, look.stretch))

    def _opened(self, name: tuple[str, str, str, str]) -> Fount:
        files = self._files.get(name, [])
        if len(files) != 1:
            raise LeftToEngineError(f"the font {name}")
        font = self._fonts.font(files[0])
        tables = font.face.table_tags
        if _OUTLINES not in tables or _VARIABLE in tables:
            raise LeftToEngineError(f"the font {name}")
        return Fount(files[0], font, font.face.upem)
