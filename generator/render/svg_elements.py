"""What is to be known of an SVG element and its attributes, and of the fonts of open texts.

The same elements come again on every face, so what was worked out is kept.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from msgspec import Struct

from generator.diagnostics import GridpressError, did_you_mean
from generator.fonts import FontFile, FontLibrary
from generator.geometry import IDENTITY, Matrix, parse_transform
from generator.svg_subset import (
    ELEMENTS,
    HIDDEN,
    ICON_ID,
    INSTEAD_OF_ATTRIBUTE,
    INSTEAD_OF_ELEMENT,
    SILENT,
    TEXTS,
)

_KEPT: Final = 100_000
_SHOWN: Final = 60
_MOST: Final = 20
_LAYERS: Final = frozenset(("opacity", "mask", "clip-path"))
_DRAWS: Final = ("href", "mask", "clip-path")
_MAY_HIDE: Final = frozenset(("display", "visibility"))


class Problem(NamedTuple):
    """What is wrong with an element; `word` is what to point at."""

    code: str
    message: str
    hint: str
    word: str


class Element(Struct, frozen=True):
    """An element with something to remark. `matrix` is its own transform, None when what is
    inside is drawn elsewhere; `id` is `named` unless that is an icon's, which may stand twice;
    `draws` are those of its links whose shapes are drawn there; `layers` is how many times it is
    drawn by itself first, then put down; `hides` says that it, or what is in it, may not be seen;
    `attributes` are kept for texts and pictures only."""

    name: str
    problems: tuple[Problem, ...] = ()
    matrix: Matrix | None = IDENTITY
    id: str = ""
    named: str = ""
    links: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    layers: int = 0
    hides: bool = False
    attributes: Mapping[str, str] | None = None


class Elements(dict[tuple[str, ...], Element | None]):
    """Elements by their name and attributes (name, value, name, value, …); None for a shape with
    nothing to remark."""

    def __missing__(self, key: tuple[str, ...]) -> Element | None:
        if len(self) >= _KEPT:
            self.clear()
        name, *attributes = key
        found = _worked_out(name, dict(zip(attributes[::2], attributes[1::2], strict=True)))
        self[key] = found
        return found


def _worked_out(name: str, attributes: dict[str, str]) -> Element | None:
    if name not in ELEMENTS:
        named = attributes.get("id", "")
        return Element(name, (_unknown(name),), id=named, named=named)
    problems = tuple(islice(_wrong(name, attributes), _MOST))
    matrix = None if name in HIDDEN else _matrix(attributes)
    links = tuple(_links(name, attributes))
    named = attributes.get("id", "")
    keeps = name in TEXTS or name == "image"
    layers = len(_LAYERS & attributes.keys())
    hides = not _MAY_HIDE.isdisjoint(attributes)
    special = problems or links or named or keeps or layers or hides or name in SILENT
    if matrix is IDENTITY and not special:
        return None
    unique = "" if named.startswith(ICON_ID) else named
    draws = tuple(_links(name, {key: attributes[key] for key in _DRAWS if key in attributes}))
    kept = attributes if keeps else None
    return Element(name, problems, matrix, unique, named, links, draws, layers, hides, kept)


def _wrong(name: str, attributes: Mapping[str, str]) -> Iterator[Problem]:
    known = ELEMENTS[name]
    for key, value in attributes.items():
        check = known.get(key)
        if check is None:
            hint = INSTEAD_OF_ATTRIBUTE.get(key) or did_you_mean(key, known)
            yield Problem("GP308", f"{key} of <{name}> does not print", hint, key)
            continue
        problem = check(value)
        if problem:
            shown = value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
            what, _, hint = problem.partition("; ")
            hint = hint or "correct it: it would be left out in silence"
            yield Problem("GP308", f'{key}="{shown}" of <{name}> {what}', hint, key)


def _unknown(name: str) -> Problem:
    hint = INSTEAD_OF_ELEMENT.get(name) or did_you_mean(name, ELEMENTS)
    if name.startswith("fe"):
        hint = INSTEAD_OF_ELEMENT["filter"]
    if ":" in name:
        hint = "leave out what drawing programs keep for themselves"
    return Problem("GP308", f"<{name}> does not print", hint, name)


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


MAX_SPANS: Final = 1_000
"""Pieces of one `<text>`: the engine's work grows by their square."""
MAX_LETTERS: Final = 2_000
"""Characters of one `<text>`, for the same reason."""


class FontChoice(NamedTuple):
    """The font that a text asks for, by the attributes of SVG."""

    family: str = ""
    weight: str = "normal"
    style: str = "normal"
    stretch: str = "normal"

    def inside(self, attributes: Mapping[str, str]) -> FontChoice:
        """What is asked for inside of an element with these attributes."""
        return FontChoice(
            attributes.get("font-family", self.family),
            attributes.get("font-weight", self.weight),
            attributes.get("font-style", self.style),
            attributes.get("font-stretch", self.stretch),
        )

    def file(self, fonts: FontLibrary) -> FontFile | None:
        """The face of the first family that is there; None where none is."""
        for family in self.family.split(","):
            name = family.strip(" '\"")
            weight = _WEIGHTS.get(self.weight, 400)
            stretch = _STRETCHES.get(self.stretch, 1.0)
            try:
                return fonts.find(name, weight, self.style == "italic", stretch)
            except GridpressError:
                continue
        return None


class OpenTexts:
    """The texts that are open, innermost last: their looks, and what their fonts can draw (None
    for a font that is not there)."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._fonts = fonts
        self._known: dict[FontChoice, frozenset[str] | None] = {}
        self.open: list[tuple[FontChoice, frozenset[str] | None]] = []
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

    def _characters(self, look: FontChoice) -> frozenset[str] | None:
        file = look.file(self._fonts)
        if file is None:
            return None
        return frozenset(map(chr, self._fonts.font(file).face.unicodes)) | {" ", "\n"}
