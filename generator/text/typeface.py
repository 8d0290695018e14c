"""Words in; shaped words out, each character in the first font that has it.

A typeface is a family in one weight and slant, with the families asked for what it lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from icu4py.breakers import CharacterBreaker

from generator.fonts import FontFile, FontLibrary
from generator.text.shaper import Shaper, Word, joined
from generator.text.unicode import boundaries

SOFT_HYPHEN: Final = "\u00ad"
HYPHEN: Final = "-"

# They have done their work once the lines are broken.
_INVISIBLE: Final[dict[int, None]] = dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF))


class Typeface:
    """Shapes with a list of fonts: the first, and for what it lacks the next.

    `cap`, `ascent` and `descent` are in em: the ink of `H`, of the taller of `H` and `d`, of `p`.
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
        """A stretch of text without white space at its ends, shaped once for all its uses."""
        word = self._words.get((text, right_to_left))
        if word is None:
            word = self._new_word(visible(text), right_to_left)
            self._words[text, right_to_left] = word
        return word

    def _new_word(self, text: str, right_to_left: bool) -> Word:
        if not text:
            return Word("", (), 0.0)
        word = self.first.shape(text, right_to_left)
        return joined(list(self._with_fallback(text, right_to_left))) if word.missing else word

    def _with_fallback(self, text: str, right_to_left: bool) -> Iterator[Word]:
        """Runs of grapheme clusters, each in the first font that has all of its characters."""
        run, of_run = "", self.first
        start = 0
        for end in boundaries(CharacterBreaker(text, "en"), text):
            cluster = text[start:end]
            shaper = self._shaper_for(cluster)
            if run and shaper is not of_run:
                yield of_run.shape(run, right_to_left)
                run = ""
            run, of_run = run + cluster, shaper
            start = end
        yield of_run.shape(run, right_to_left)

    def _shaper_for(self, cluster: str) -> Shaper:
        shapers = (shaper for shaper in self._shapers if not shaper.shape(cluster).missing)
        return next(shapers, self.first)


def visible(text: str) -> str:
    """The text without soft hyphens, zero-width spaces and word joiners."""
    return text.translate(_INVISIBLE)


def typeface(
    library: FontLibrary,
    families: tuple[str, ...],
    weight: int,
    italic: bool,
    stretch: float = 1.0,
    features: tuple[tuple[str, int], ...] = (),
) -> Typeface:
    """The typeface of a family and its fallbacks, kept in the library.

    Raises GridpressError (GP403) for a family that the library does not have.
    """
    key = (Typeface, families, weight, italic, stretch, features)
    face: Typeface | None = library.cache.get(key)
    if face is None:
        files = dict.fromkeys(library.find(family, weight, italic, stretch) for family in families)
        shapers = tuple(_shaper(library, file, features) for file in files)
        face = library.cache[key] = Typeface(library, shapers)
    return face


def _shaper(library: FontLibrary, file: FontFile, features: tuple[tuple[str, int], ...]) -> Shaper:
    key = (Shaper, file, features)
    shaper: Shaper | None = library.cache.get(key)
    if shaper is None:
        shaper = library.cache[key] = Shaper(library, file, features)
    return shaper
