"""Shapes words with HarfBuzz, each character in the first font that has it, an emoji in the first
with colours.

The glyphs found here are fitted and printed. A typeface is a family in one weight and slant, with
its fallbacks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Final

import uharfbuzz as hb
from icu4py.breakers import CharacterBreaker
from msgspec import Struct
from msgspec.structs import replace

from generator.fonts import FontFile, FontLibrary, is_unseen
from generator.geometry import summed
from generator.model.face import Glyph

_NO_LANGUAGE: Final = "und"


def has_colours(font: Any) -> bool:
    """Return True if a HarfBuzz font has glyphs in colours."""
    face = font.face
    return bool(
        face.has_color_paint or face.has_color_layers or face.has_color_png or face.has_color_svg
    )


class Shaper:
    """Shapes text in one font, with OpenType features and the forms of a language."""

    def __init__(
        self,
        library: FontLibrary,
        file: FontFile,
        features: tuple[tuple[str, int], ...] = (),
        lang: str = "",
    ) -> None:
        self.file = file
        self._lang = lang or _NO_LANGUAGE
        self._font = library.font(file)
        self.has_colours = has_colours(self._font)
        self._features = dict(features)
        self._em: float = 1 / self._font.face.upem
        self._glue: dict[str, float] = {}

    def shape(self, text: str, right_to_left: bool = False) -> Word:
        """Shape text without white space at its ends."""
        buffer = self._buffer(text, right_to_left)
        extents = self._font.get_glyph_extents
        pen = 0
        missing = ""
        lefts, rights, tops, bottoms = [], [], [], []
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            if info.codepoint == 0:
                missing += self._lacking(text, info.cluster, buffer.glyph_infos)
            box = extents(info.codepoint)
            if box is not None and box.width:
                x = pen + position.x_offset + box.x_bearing
                y = position.y_offset + box.y_bearing
                lefts.append(x)
                rights.append(x + box.width)
                tops.append(y)
                bottoms.append(y + box.height)
            pen += position.x_advance
        em = self._em
        glyphs = tuple(_glyphs(text, buffer.glyph_infos, buffer.glyph_positions))
        level = int(right_to_left)
        return Word(
            text,
            (Part(text, pen * em, self, "", level, _head(text), _tail(text), glyphs),),
            pen * em,
            max(tops, default=0) * em,
            -min(bottoms, default=0) * em,
            -min(lefts, default=0) * em,
            (max(rights, default=pen) - pen) * em,
            missing,
        )

    def _lacking(self, text: str, start: int, infos: Sequence[Any]) -> str:
        """Return the missing character of the cluster at `start`, such as the digit of a keycap."""
        end = min((info.cluster for info in infos if info.cluster > start), default=len(text))
        for sign in text[start:end]:
            if not is_unseen(sign) and not self._font.get_nominal_glyph(ord(sign)):
                return sign
        return text[start]

    def glue(self, before: str, space: str, after: str) -> float:
        """Return the space between two words, em: a space or none, and the kerning of the letters
        around it."""
        text = before + space + after
        width = self._glue.get(text)
        if width is None:
            width = self._advance(text) - self._advance(before) - self._advance(after)
            self._glue[text] = width
        return width

    def _advance(self, text: str) -> float:
        if not text:
            return 0.0
        units: int = summed(position.x_advance for position in self._buffer(text).glyph_positions)
        return units * self._em

    def _buffer(self, text: str, right_to_left: bool | None = None) -> Any:
        """Shape text, by default in the direction of its script."""
        buffer = hb.Buffer()
        buffer.language = self._lang
        buffer.add_str(text)
        buffer.guess_segment_properties()
        if right_to_left is not None:
            buffer.direction = "rtl" if right_to_left else "ltr"
        hb.shape(self._font, buffer, self._features)
        return buffer


def _glyphs(text: str, infos: Sequence[Any], positions: Sequence[Any]) -> Iterator[Glyph]:
    """Yield glyphs from left to right; the first of each cluster has its text."""
    starts = sorted({info.cluster for info in infos})
    ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
    before = -1
    for info, position in zip(infos, positions, strict=True):
        start = info.cluster
        shown = "" if start == before else text[start : ends[start]]
        before = start
        yield Glyph(info.codepoint, shown, position.x_advance, position.x_offset, position.y_offset)


class Part(Struct, frozen=True):
    """Text in one font, or an icon, with its advance `width`, em. `level` is its direction (UAX #9,
    odd for right to left). `head` and `tail` are its outer letters with their marks, for kerning.
    `glyphs` are from left to right. `own` is the typeface's first font if `font` is a fallback:
    spaces beside such text are from it, since fonts of emoji have wide spaces."""

    text: str
    width: float
    font: Shaper | None = None
    icon: str = ""
    level: int = 0
    head: str = ""
    tail: str = ""
    glyphs: tuple[Glyph, ...] = ()
    own: Shaper | None = None


class Word(Struct, frozen=True):
    """Text without a break, in em. `top` and `bottom` are the reach of its ink above and below the
    baseline, `left` and `right` beyond its advance (negative: inside). `missing` are characters
    that no font has."""

    text: str
    parts: tuple[Part, ...]
    width: float
    top: float = 0.0
    bottom: float = 0.0
    left: float = 0.0
    right: float = 0.0
    missing: str = ""


def joined_words(words: list[Word]) -> Word:
    """Join words without a break between them: `**fire**works,`."""
    if len(words) == 1:
        return words[0]
    return Word(
        "".join(word.text for word in words),
        tuple(part for word in words for part in word.parts),
        summed(word.width for word in words),
        max(word.top for word in words),
        max(word.bottom for word in words),
        words[0].left,
        words[-1].right,
        "".join(word.missing for word in words),
    )


def _head(text: str) -> str:
    end = 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return text[:end]


def _tail(text: str) -> str:
    start = len(text) - 1
    while start > 0 and unicodedata.combining(text[start]):
        start -= 1
    return text[start:]


SOFT_HYPHEN: Final = "\u00ad"
HYPHEN: Final = "-"

_IN_COLOUR: Final = "\ufe0f"
"""Asks for the character before it as emoji (VARIATION SELECTOR-16)."""

# They have done their work once the lines are broken.
_INVISIBLE: Final[dict[int, None]] = dict.fromkeys(
    (0x00AD, 0x200B, 0x2060, *range(0x2066, 0x206A), 0xFEFF)
)


class Typeface:
    """Shapes with several fonts: the first, and the next for what it does not have.

    `cap`, `ascent` and `descent` are the ink of `H`, of the taller of `H` and `d`, and of `p`, em.
    """

    def __init__(self, library: FontLibrary, shapers: tuple[Shaper, ...]) -> None:
        self.library = library
        self.first = shapers[0]
        self._shapers = shapers
        self._words: dict[tuple[str, bool], Word] = {}
        self.cap = self.first.shape("H").top
        self.ascent = max(self.cap, self.first.shape("d").top)
        self.descent = max(0.0, self.first.shape("p").bottom)

    def word(self, text: str, right_to_left: bool = False) -> Word:
        """Shape text without white space at its ends, once for all its uses."""
        word = self._words.get((text, right_to_left))
        if word is None:
            word = self._new_word(visible(text), right_to_left)
            self._words[text, right_to_left] = word
        return word

    def _new_word(self, text: str, right_to_left: bool) -> Word:
        if not text:
            return Word("", (), 0.0)
        word = self.first.shape(text, right_to_left)
        if not word.missing and _IN_COLOUR not in text:
            return word
        return joined_words(list(self._with_fallback(text, right_to_left)))

    def _with_fallback(self, text: str, right_to_left: bool) -> Iterator[Word]:
        """Yield runs of grapheme clusters, each in the first font that has all their characters."""
        run, of_run = "", self.first
        start = 0
        for end in boundaries(CharacterBreaker(text, "en"), text):
            cluster = text[start:end]
            shaper = self._shaper_for(cluster)
            if run and shaper is not of_run:
                yield self._run(of_run, run, right_to_left)
                run = ""
            run, of_run = run + cluster, shaper
            start = end
        yield self._run(of_run, run, right_to_left)

    def _run(self, shaper: Shaper, text: str, right_to_left: bool) -> Word:
        word = shaper.shape(text, right_to_left)
        if shaper is self.first:
            return word
        return replace(word, parts=tuple(replace(part, own=self.first) for part in word.parts))

    def _shaper_for(self, cluster: str) -> Shaper:
        able = [shaper for shaper in self._shapers if not shaper.shape(cluster).missing]
        if _IN_COLOUR in cluster:
            able.sort(key=lambda shaper: not shaper.has_colours)
        return able[0] if able else self.first


def visible(text: str) -> str:
    """Return the text without soft hyphens, zero-width spaces, word joiners and isolates."""
    return text.translate(_INVISIBLE)


def typeface(
    library: FontLibrary,
    families: tuple[str, ...],
    weight: int,
    italic: bool,
    stretch: float = 1.0,
    features: tuple[tuple[str, int], ...] = (),
    lang: str = "",
) -> Typeface:
    """Return the typeface of a family and its fallbacks, kept in the library. Raises GridpressError
    (GP403) for an unknown family."""
    key = (Typeface, families, weight, italic, stretch, features, lang)
    face: Typeface | None = library.cache.get(key)
    if face is None:
        files = dict.fromkeys(library.find(family, weight, italic, stretch) for family in families)
        shapers = tuple(_shaper(library, file, features, lang) for file in files)
        face = library.cache[key] = Typeface(library, shapers)
    return face


def _shaper(
    library: FontLibrary, file: FontFile, features: tuple[tuple[str, int], ...], lang: str
) -> Shaper:
    key = (Shaper, file, features, lang)
    shaper: Shaper | None = library.cache.get(key)
    if shaper is None:
        shaper = library.cache[key] = Shaper(library, file, features, lang)
    return shaper


def boundaries(breaker: Any, text: str) -> list[int]:
    """Return the ends of an ICU breaker's segments, which it counts in UTF-16, as indexes into
    `text`."""
    ends = [end for _, end in breaker.segments()]
    if not ends or ends[-1] == len(text):
        return ends
    index = 0
    by_unit: dict[int, int] = {}
    for i, char in enumerate(text):
        by_unit[index] = i
        index += 2 if char > "\uffff" else 1
    by_unit[index] = len(text)
    return [by_unit[end] for end in ends]
