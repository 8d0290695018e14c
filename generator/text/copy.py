"""A text and its style in; its measured paragraphs, whatever size they will have, out.

"Copy" is the printer's word for text that is to be set. Lengths are in em.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from generator.fonts import FontLibrary
from generator.text.breaking import Breaks
from generator.text.hyphenate import hyphenator
from generator.text.markup import Paragraph, Piece, parse
from generator.text.paragraph import Measured
from generator.text.style import TextStyle
from generator.text.typeface import Typeface, typeface
from generator.text.words import IconMetrics, Measurer

IconSource = Callable[[str], IconMetrics | None] | Set[str]
"""The shape of each icon that a text may name (None: there is none of that name), or only the
names of icons as wide as they are high."""

BOLD: Final = 700
BLACK: Final = 900
HEAVY: Final = 600
"""From this weight on, bold is black."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A measured text: its paragraphs and where their lines may end. `ascent` and `descent` are
    how far its tallest and deepest ink may reach from a baseline, at least those of the typeface.
    `missing` are characters that no listed font has, `unknown_icons` names without a picture,
    each with its first place in the text.
    """

    style: TextStyle
    face: Typeface
    paragraphs: tuple[Measured, ...]
    breaks: tuple[Breaks, ...]
    ascent: float
    descent: float
    missing: tuple[tuple[str, int], ...]
    unknown_icons: tuple[tuple[str, int], ...]

    def hyphenated(self, i: int) -> Breaks:
        """Where the lines of paragraph i may end if words are parted as well."""
        return self.paragraphs[i].breaks(hyphenator(self.style.lang, self.face.library))


def measure_copy(
    text: str, style: TextStyle, *, rich: bool, fonts: FontLibrary, icons: IconSource
) -> Copy:
    """Parse and shape a text. Raises GridpressError (GP403) for a family that `fonts` lacks."""
    return measure_paragraphs(parse(text, rich), style, fonts, icons)


def measure_paragraphs(
    paragraphs: Sequence[Paragraph], style: TextStyle, fonts: FontLibrary, icons: IconSource
) -> Copy:
    """Shape paragraphs that are parsed already."""
    shapes, unknown = _icon_shapes(paragraphs, icons)
    if unknown:
        paragraphs = [_without_icons(paragraph, unknown) for paragraph in paragraphs]
    faces = _Faces(style, fonts)
    measurer = Measurer(faces, shapes.__getitem__, style.lang)
    measured = tuple(measurer.measure(paragraph) for paragraph in paragraphs)
    face = faces(Piece("", 0))
    words = [word for paragraph in measured for word in paragraph.words]
    missing = dict.fromkeys(char for word in words if word.missing for char in word.missing)
    return Copy(
        style,
        face,
        measured,
        tuple(paragraph.breaks() for paragraph in measured),
        max([face.ascent, *[word.top for word in words]]),
        max([face.descent, *[word.bottom for word in words]]),
        tuple(_places(missing, paragraphs)) if missing else (),
        tuple(unknown.items()),
    )


class _Faces:
    """The typeface of a piece, by its style and what is bold or italic against it."""

    def __init__(self, style: TextStyle, fonts: FontLibrary) -> None:
        self._style = style
        self._fonts = fonts
        self._families = (style.family, *style.fallback)
        self._known: dict[tuple[bool, bool], Typeface] = {}

    def __call__(self, piece: Piece) -> Typeface:
        key = (piece.bold, piece.italic)
        face = self._known.get(key)
        if face is None:
            style = self._style
            heavy = BLACK if style.weight >= HEAVY else BOLD
            weight = heavy if piece.bold else style.weight
            italic = style.italic is not piece.italic
            face = typeface(
                self._fonts, self._families, weight, italic, style.stretch, style.features
            )
            self._known[key] = face
        return face


def _icon_shapes(
    paragraphs: Sequence[Paragraph], icons: IconSource
) -> tuple[dict[str, IconMetrics], dict[str, int]]:
    """The shape of every icon named, and the first place of each name that has none."""
    named = [piece for paragraph in paragraphs for piece in paragraph.pieces if piece.icon]
    shapes: dict[str, IconMetrics] = {}
    unknown: dict[str, int] = {}
    for piece in reversed(named):
        shape = _shape(piece.icon, icons)
        if shape is None:
            unknown[piece.icon] = piece.start
        else:
            shapes[piece.icon] = shape
    return shapes, unknown


def _shape(name: str, icons: IconSource) -> IconMetrics | None:
    if callable(icons):
        return icons(name)
    return IconMetrics() if name in icons else None


def _without_icons(paragraph: Paragraph, unknown: dict[str, int]) -> Paragraph:
    """What names no icon is set as it is written."""
    pieces = (
        replace(piece, icon="") if piece.icon in unknown else piece for piece in paragraph.pieces
    )
    return replace(paragraph, pieces=tuple(pieces))


def _places(chars: dict[str, None], paragraphs: Sequence[Paragraph]) -> Iterator[tuple[str, int]]:
    pieces = [piece for paragraph in paragraphs for piece in paragraph.pieces if not piece.icon]
    for char in chars:
        for piece in pieces:
            if char in piece.text:
                yield char, piece.start + piece.text.index(char)
                break
