"""The font attributes of `<text>` and `<tspan>` in; which characters they cannot draw out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from generator.diagnostics import GridpressError, did_you_mean
from generator.fonts import FontLibrary
from generator.render.elements import Problem

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
_ATTRIBUTES: Final = frozenset(("font-family", "font-weight", "font-style", "font-stretch"))


MAX_SPANS: Final = 1_000
"""Pieces of one `<text>`: the engine's work grows by their square."""
MAX_LETTERS: Final = 2_000
"""Characters of one `<text>`, for the same reason."""


class _Look(NamedTuple):
    family: str = ""
    weight: str = "normal"
    style: str = "normal"
    stretch: str = "normal"


class Lettering:
    """The texts that are open, innermost last: their looks, and what their fonts can draw (None
    for a font that is not there)."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._fonts = fonts
        self._known: dict[_Look, frozenset[str] | None] = {}
        self.open: list[tuple[_Look, frozenset[str] | None]] = []
        self._spans = self._letters = 0

    def begin(self, name: str, attributes: Mapping[str, str]) -> Iterator[Problem]:
        """A text or a part of one begins; what is wrong with it."""
        if name == "text":
            self._spans = self._letters = 0
        self._spans += 1
        yield from self.count(0)
        problem = self._begin(name, attributes)
        if problem is not None:
            yield problem

    def count(self, letters: int) -> Iterator[Problem]:
        """The open text has so many letters more; that it has too many, or too many pieces."""
        self._letters += letters
        if self._spans > MAX_SPANS or self._letters > MAX_LETTERS:
            message = (
                f"one <text> has more than {MAX_LETTERS:,} characters, or {MAX_SPANS:,} pieces"
            )
            hint = "set it with text_box or text_line, or make several texts of it"
            yield Problem("GP306", message, hint, "text")

    def _begin(self, name: str, attributes: Mapping[str, str]) -> Problem | None:
        if self.open and _ATTRIBUTES.isdisjoint(attributes):
            self.open.append(self.open[-1])
            return None
        family, weight, style, stretch = self.open[-1][0] if self.open else _Look()
        look = _Look(
            attributes.get("font-family", family),
            attributes.get("font-weight", weight),
            attributes.get("font-style", style),
            attributes.get("font-stretch", stretch),
        )
        if look not in self._known:
            self._known[look] = self._characters(look)
        characters = self._known[look]
        self.open.append((look, characters))
        if characters is not None:
            return None
        if not look.family:
            hint = "use text_box or text_line, which take it from a style"
            return Problem("GP308", f"<{name}> without a font-family does not print", hint, name)
        hint = did_you_mean(look.family, self._fonts.families)
        return Problem("GP403", f"there is no font family {look.family!r}", hint, look.family)

    def missing(self, text: str) -> list[str]:
        """The characters that the font of the innermost text lacks, each once."""
        known = self.open[-1][1]
        if known is None or known.issuperset(text):
            return []
        lacking = dict.fromkeys(char for char in text if char not in known)
        # Marks that only steer (as those of the writing direction) are never drawn.
        return [c for c in lacking if not c.isspace() and unicodedata.category(c) != "Cf"]

    def _characters(self, look: _Look) -> frozenset[str] | None:
        for family in look.family.split(","):
            name = family.strip(" '\"")
            weight = _WEIGHTS.get(look.weight, 400)
            stretch = _STRETCHES.get(look.stretch, 1.0)
            try:
                file = self._fonts.find(name, weight, look.style == "italic", stretch)
            except GridpressError:
                continue
            return frozenset(map(chr, self._fonts.font(file).face.unicodes)) | {" ", "\n"}
        return None
