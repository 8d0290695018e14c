"""Shapes and measures a text in paragraphs. Measures are in em, so they hold for all sizes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from generator.fonts import FontLibrary
from generator.text.direction import bidi_levels, runs_right_to_left
from generator.text.line_breaking import (
    WHOLE,
    BreakPlace,
    Breaks,
    Hyphenator,
    hyphenator,
    line_breaks,
)
from generator.text.markup import OBJECT, Paragraph, StyledText, TextStyle, parse_markup
from generator.text.shaper import (
    HYPHEN,
    SOFT_HYPHEN,
    Part,
    Shaper,
    Typeface,
    Word,
    joined_words,
    typeface,
    visible,
)

MAX_PARTED: Final = 250
"""Letters of a word that may be hyphenated: each point means two more words to shape."""


class MeasuredParagraph(Struct):
    """A measured paragraph; `base` is its direction, 1 for right to left.

    `spaces[i]` is the level of the space after word i, or None; `glue[i]` is the distance to the
    next word with kerning. `faces[i]` is the typeface of a word of one look, None for others; such
    a word may break at its soft hyphens, `soft[i]`.
    """

    base: int
    gap: bool
    words: list[Word] = field(default_factory=list)
    spaces: list[int | None] = field(default_factory=list)
    glue: list[float] = field(default_factory=list)
    faces: list[Typeface | None] = field(default_factory=list)
    soft: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def breaks(self, hyphenate: Hyphenator | None = None) -> Breaks:
        """Return the places where lines may end; with a hyphenator, inside words too."""
        ends, begins, spaces_to_end, spaces_to_begin = [0.0], [0.0], [0], [0]
        places: list[BreakPlace] = [(-1, WHOLE)]
        start, spaces = 0.0, 0
        parted = hyphenate is not None or bool(self.soft)
        of_words = zip(self.words, self.glue, self.spaces, strict=True)
        for i, (word, glue, space) in enumerate(of_words):
            end = start + word.width
            if parted and (points := self._points(i, hyphenate)):
                for letters, head, tail in self._parted(i, points):
                    ends.append(start + head)
                    begins.append(end - tail)
                    spaces_to_end.append(spaces)
                    spaces_to_begin.append(spaces)
                    places.append((i, letters))
            start = end + glue
            ends.append(end)
            begins.append(start)
            spaces_to_end.append(spaces)
            if space is not None:
                spaces += 1
            spaces_to_begin.append(spaces)
            places.append((i, WHOLE))
        return Breaks(ends, begins, spaces_to_end, spaces_to_begin, places)

    def _parted(self, i: int, points: tuple[int, ...]) -> list[tuple[int, float, float]]:
        """Return the useful points to hyphenate word i: letters before, width before with the
        hyphen, width after. A later point that is no wider is always better."""
        useful: list[tuple[int, float, float]] = []
        widest = self.words[i].width
        for letters in reversed(points):
            head = self._part(i, 0, letters).width
            if head <= widest:
                useful.append((letters, head, self._part(i, letters, WHOLE).width))
                widest = head
        return useful[::-1]

    def _points(self, i: int, hyphenate: Hyphenator | None) -> tuple[int, ...]:
        if len(self.words[i].text) > MAX_PARTED:
            return ()
        soft = self.soft.get(i, ())
        if soft or hyphenate is None or self.faces[i] is None:
            return soft
        return hyphenate(self.words[i].text)

    def line(self, breaks: Breaks, start: int, end: int) -> tuple[int, list[Word]]:
        """Return the number of the first word of the line between two places, and its words."""
        first, cut_from = breaks.places[start]
        last, cut_to = breaks.places[end]
        if cut_from == WHOLE:
            first, cut_from = first + 1, 0
        words = self.words[first : last + 1]
        if cut_to != WHOLE:
            words[-1] = self._part(last, cut_from if first == last else 0, cut_to)
        if cut_from and (first != last or cut_to == WHOLE):
            words[0] = self._part(first, cut_from, WHOLE)
        return first, words

    def _part(self, i: int, start: int, end: int) -> Word:
        """Return letters of a word, with a hyphen unless they are its last."""
        face, word = self.faces[i], self.words[i]
        assert face is not None
        text = word.text[start:] if end == WHOLE else word.text[start:end] + HYPHEN
        level = word.parts[0].level
        return _at_level(face.word(text, level % 2 == 1), level)


def _at_level(word: Word, level: int) -> Word:
    if word.parts and word.parts[0].level == level:
        return word
    return replace(word, parts=tuple(replace(part, level=level) for part in word.parts))


ICON_BEARING: Final = 0.06
"""The space on both sides of an icon, em."""

_SPACES: Final = re.compile(" {2,}")


class IconMetrics(Struct, frozen=True):
    """The shape of an icon: its width over its height."""

    aspect: float = 1.0


class _TextSpan(Struct, frozen=True):
    """Text up to `end` of one look and one direction."""

    end: int
    piece: StyledText
    face: Typeface
    level: int = 0


class _Measurer(Struct, frozen=True):
    """Measures paragraphs: `face_of` gives the typeface of a piece, `icon_of` the shape of an icon,
    `lang` the rules of line breaks."""

    face_of: Callable[[StyledText], Typeface]
    icon_of: Callable[[str], IconMetrics]
    lang: str

    def measure(self, paragraph: Paragraph) -> MeasuredParagraph:
        """Shape every word of a paragraph."""
        pieces = [piece for piece in paragraph.pieces if piece.text]
        text = "".join(OBJECT if piece.icon else piece.text for piece in pieces)
        base, of_chars = bidi_levels(text) if runs_right_to_left(text) else (0, None)
        measured = MeasuredParagraph(base, paragraph.gap)
        spans = deque(self._spans(pieces, of_chars))
        for start, end, space in _segments(text, self.lang):
            if start < end:
                while spans[0].end <= start:
                    spans.popleft()
                self._add_word(measured, text, start, end, spans)
            if space and measured.words:
                measured.spaces[-1] = of_chars[end] if of_chars else 0
        if measured.words:
            _add_glue(measured, spans[0].face.first)
        return measured

    def _spans(
        self, pieces: Sequence[StyledText], of_chars: list[int] | None
    ) -> Iterator[_TextSpan]:
        start = 0
        for piece in pieces:
            face = self.face_of(piece)
            end = start + (1 if piece.icon else len(piece.text))
            if of_chars is None:
                yield _TextSpan(end, piece, face)
            else:
                for i in range(start + 1, end):
                    if of_chars[i] != of_chars[i - 1]:
                        yield _TextSpan(i, piece, face, of_chars[i - 1])
                yield _TextSpan(end, piece, face, of_chars[end - 1])
            start = end

    def _add_word(
        self, measured: MeasuredParagraph, text: str, start: int, end: int, spans: deque[_TextSpan]
    ) -> None:
        span = spans[0]
        if end <= span.end and not span.piece.icon:
            text = text[start:end]
            word, face = self._shaped(text, span), span.face
            if SOFT_HYPHEN in text:
                measured.soft[len(measured.words)] = tuple(_soft_points(text))
        else:
            word, face = joined_words(list(self._parts(text, start, end, spans))), None
        if word.parts:
            measured.words.append(word)
            measured.faces.append(face)
            measured.spaces.append(None)

    def _parts(self, text: str, start: int, end: int, spans: Iterable[_TextSpan]) -> Iterator[Word]:
        for span in spans:
            stop = min(end, span.end)
            yield self._shaped(text[start:stop], span)
            if stop == end:
                return
            start = stop

    def _shaped(self, text: str, span: _TextSpan) -> Word:
        if span.piece.icon:
            word = _icon_word(span.piece, self.icon_of(span.piece.icon), span.face)
        else:
            plain = _SPACES.sub(" ", text) if "  " in text else text
            word = span.face.word(plain, span.level % 2 == 1)
        return _at_level(word, span.level) if span.level else word


def _segments(text: str, lang: str) -> Iterator[tuple[int, int, bool]]:
    """Yield unbroken text: its start, its end without spaces, and True if spaces follow. Soft
    hyphens do not end it."""
    start = 0
    for end in line_breaks(text, lang):
        last = text[end - 1]
        if last == SOFT_HYPHEN and end < len(text):
            continue
        inked = start + len(text[start:end].rstrip(" ")) if last == " " else end
        yield start, inked, inked < end
        start = end


def _soft_points(source: str) -> Iterator[int]:
    """Yield the soft hyphens' indexes in the shaped word, which has no invisible characters."""
    *heads, _ = source.split(SOFT_HYPHEN)
    index, length = 0, len(visible(source))
    for head in heads:
        index += len(visible(head))
        if 0 < index < length:
            yield index


def _icon_word(piece: StyledText, icon: IconMetrics, face: Typeface) -> Word:
    """Return an icon, 1 em high, its middle at half the height of capitals."""
    half = face.cap / 2
    width = icon.aspect + 2 * ICON_BEARING
    part = Part(piece.text, width, icon=piece.icon)
    return Word(piece.text, (part,), width, 0.5 + half, 0.5 - half, -ICON_BEARING, -ICON_BEARING)


def _add_glue(measured: MeasuredParagraph, default: Shaper) -> None:
    """Set the distance from each word to the next. Spaces between icons are of the `default` font,
    spaces beside fallback text of the style's font."""
    words, spaces = measured.words, measured.spaces
    spaces[-1] = None
    for before, after, space in zip(words, words[1:], spaces, strict=False):
        first, second = before.parts[-1], after.parts[0]
        font, text = first.font, "" if space is None else " "
        if font is not None and font is second.font and not (text and first.own):
            glue = font.glue(first.tail, text, second.head)
        else:
            blank = first.own or font or second.own or second.font or default
            glue = blank.glue("", text, "")
        measured.glue.append(glue)
    measured.glue.append(0.0)


IconSource = Callable[[str], IconMetrics | None] | Set[str]
"""The shape of each icon by name (None: no such icon), or only the names of square icons."""

BOLD: Final = 700
BLACK: Final = 900
HEAVY: Final = 600
"""The least weight whose bold is black."""


class MeasuredText(Struct, frozen=True):
    """A measured text: its paragraphs and the places where their lines may end. `ascent` and
    `descent` are the reach of its tallest and deepest ink, at least the typeface's. `missing` are
    characters that no font has, `unknown_icons` names without icons, each with its first index."""

    style: TextStyle
    face: Typeface
    paragraphs: tuple[MeasuredParagraph, ...]
    breaks: tuple[Breaks, ...]
    ascent: float
    descent: float
    missing: tuple[tuple[str, int], ...]
    unknown_icons: tuple[tuple[str, int], ...]

    def hyphenated(self, i: int) -> Breaks:
        """Return where the lines of paragraph i may end with hyphenation."""
        return self.paragraphs[i].breaks(hyphenator(self.style.lang, self.face.library))


def measure_text(
    paragraphs: Sequence[Paragraph], style: TextStyle, fonts: FontLibrary, icons: IconSource
) -> MeasuredText:
    """Shape parsed text. Raises GridpressError (GP403) for an unknown family."""
    shapes, unknown = _icon_shapes(paragraphs, icons)
    if unknown:
        paragraphs = [_without_icons(paragraph, unknown) for paragraph in paragraphs]
    faces = _Faces(style, fonts)
    measurer = _Measurer(faces, shapes.__getitem__, style.lang)
    measured = tuple(measurer.measure(paragraph) for paragraph in paragraphs)
    face = faces(StyledText("", 0))
    words = [word for paragraph in measured for word in paragraph.words]
    missing = dict.fromkeys(char for word in words if word.missing for char in word.missing)
    return MeasuredText(
        style,
        face,
        measured,
        tuple(paragraph.breaks() for paragraph in measured),
        max([face.ascent, *[word.top for word in words]]),
        max([face.descent, *[word.bottom for word in words]]),
        tuple(_places(missing, paragraphs)) if missing else (),
        tuple(unknown.items()),
    )


def lost_marks(text: str, style: TextStyle, fonts: FontLibrary) -> list[str]:
    """Return the marks of a rich text that the family has no face for: bold (unless the style is),
    italic."""
    faces = _Faces(style, fonts)
    paragraphs = parse_markup(text, True)
    pieces = [piece for paragraph in paragraphs for piece in paragraph.pieces if not piece.icon]
    lost = {
        mark: any(
            getattr(piece, mark)
            and faces(piece).first.file == faces(replace(piece, **{mark: False})).first.file
            for piece in pieces
        )
        for mark in ("bold", "italic")[style.weight >= HEAVY :]
    }
    return [mark for mark, is_lost in lost.items() if is_lost]


class _Faces:
    """The typefaces of pieces, by style and emphasis."""

    def __init__(self, style: TextStyle, fonts: FontLibrary) -> None:
        self._style = style
        self._fonts = fonts
        self._families = (style.family, *style.fallback)
        self._known: dict[tuple[bool, bool], Typeface] = {}

    def __call__(self, piece: StyledText) -> Typeface:
        key = (piece.bold, piece.italic)
        face = self._known.get(key)
        if face is None:
            style = self._style
            heavy = BLACK if style.weight >= HEAVY else BOLD
            weight = heavy if piece.bold else style.weight
            italic = style.italic is not piece.italic
            face = typeface(
                self._fonts,
                self._families,
                weight,
                italic,
                style.stretch,
                style.features,
                style.lang,
            )
            self._known[key] = face
        return face


def _icon_shapes(
    paragraphs: Sequence[Paragraph], icons: IconSource
) -> tuple[dict[str, IconMetrics], dict[str, int]]:
    """Return the shape of every named icon, and the first place of each unknown name."""
    named = [piece for paragraph in paragraphs for piece in paragraph.pieces if piece.icon]
    shapes: dict[str, IconMetrics] = {}
    unknown: dict[str, int] = {}
    for piece in reversed(named):
        known = IconMetrics() if not callable(icons) and piece.icon in icons else None
        shape = icons(piece.icon) if callable(icons) else known
        if shape is None:
            unknown[piece.icon] = piece.start
        else:
            shapes[piece.icon] = shape
    return shapes, unknown


def _without_icons(paragraph: Paragraph, unknown: dict[str, int]) -> Paragraph:
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
