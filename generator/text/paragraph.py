"""Shapes and measures a text in paragraphs, and finds the best line ends.

Measures are in em, so they hold for all sizes. ICU gives line breaks (UAX #14), python-bidi
directions (UAX #9), pyphen hyphens. Lines are the fewest that the width allows, and of those the
best: the least sum of the squared white of lines (Knuth and Plass, "Breaking paragraphs into
lines", 1981), with a cost for hyphens and for a single word on the last line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from operator import sub
from typing import Any, Final

import pyphen
from icu4py.breakers import LineBreaker
from msgspec import Struct, field
from msgspec.structs import replace

from generator.fonts import FontLibrary
from generator.text.direction import bidi_levels, runs_right_to_left
from generator.text.markup import OBJECT, Paragraph, StyledText, TextStyle, parse_markup
from generator.text.shaper import (
    HYPHEN,
    SOFT_HYPHEN,
    Part,
    Shaper,
    Typeface,
    Word,
    boundaries,
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
    """Set unknown icons as they are written."""
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


EPSILON: Final = 1e-6

# In the currency of one wholly white line.
HYPHEN_COST: Final = 0.1
SECOND_HYPHEN_COST: Final = 0.3
WIDOW_COST: Final = 0.6

# A justified line whose words stand this many em further apart counts as a white line.
_WORST_STRETCH: Final = 0.5


BreakPlace = tuple[int, int]
"""A line end: the number of a word and the letters before it, WHOLE for all; otherwise a hyphen is
printed."""

WHOLE: Final = -1


class Breaks:
    """The places where the lines of a paragraph may end, in order; the last is its end.

    Place 0 is its start. A line from place i to place k is ends[k] − begins[i] wide and has
    spaces_to_end[k] − spaces_to_begin[i] spaces. Neither `ends` nor `begins` ever falls. `widest`
    is the widest unbroken text.
    """

    def __init__(
        self,
        ends: list[float],
        begins: list[float],
        spaces_to_end: list[int],
        spaces_to_begin: list[int],
        places: list[BreakPlace],
    ) -> None:
        self.ends = ends
        self.begins = begins
        self.spaces_to_end = spaces_to_end
        self.spaces_to_begin = spaces_to_begin
        self.places = places
        self.widest = max(map(sub, ends[1:], begins), default=0.0)

    def count(self, width: float) -> int:
        """Return the fewest lines for a width; unbroken text may be wider."""
        return len(self.latest(width)) - 1

    def latest(self, width: float) -> list[int]:
        """Return the last place at which each of the fewest lines can end, after the start (0)."""
        ends, begins, total = self.ends, self.begins, len(self.ends) - 1
        found, place = [0], 0
        while place < total:
            place = max(place + 1, bisect_right(ends, begins[place] + width + EPSILON) - 1)
            found.append(place)
        return found

    def earliest(self, width: float) -> list[int]:
        """Return the first place at which each can end, so that the rest still fits."""
        ends, begins, place = self.ends, self.begins, len(self.ends) - 1
        found = [place]
        while place > 0:
            place = min(place - 1, bisect_left(begins, ends[place] - width - EPSILON))
            found.append(place)
        return found[::-1]

    def widest_line(self) -> tuple[int, int]:
        """Return the places around the widest unbroken text."""
        places = range(1, len(self.ends))
        end = max(places, key=lambda k: self.ends[k] - self.begins[k - 1])
        return end - 1, end

    def spaces(self, start: int, end: int) -> int:
        """Return the number of spaces in a line."""
        return self.spaces_to_end[end] - self.spaces_to_begin[start]

    def stretch(self, start: int, end: int, width: float) -> float:
        """Return how much wider each space must be to fill a width; 0 without spaces."""
        spaces = self.spaces(start, end)
        return max(0.0, width - self.ends[end] + self.begins[start]) / spaces if spaces else 0.0

    def white(self, start: int, end: int, width: float, justified: bool) -> float:
        """Return the white of a line: 0 for a full line, 1 for an empty one or, justified, for
        spaces _WORST_STRETCH wider; negative if it does not fit."""
        left = width - self.ends[end] + self.begins[start] + EPSILON
        if not justified or left < 0.0:
            return left / max(width, EPSILON)
        return left / (max(self.spaces(start, end), 1) * _WORST_STRETCH)


class BreakingRules(Struct, frozen=True):
    """The measure of lines: `justified` by the spaces between words, else by the white at their
    end; `balanced` if the last line counts."""

    justified: bool = False
    balanced: bool = False


def best_lines(breaks: Breaks, width: float, manner: BreakingRules) -> list[int]:
    """Return the places where the lines end. Each line tries only the places between its first and
    last possible end, from those of the line before."""
    costs = {0: 0.0}
    origins: dict[int, int] = {}
    ends, begins, scale = breaks.ends, breaks.begins, 1 / max(width, EPSILON)
    total, justified = len(ends) - 1, manner.justified
    windows = zip(breaks.earliest(width)[1:], breaks.latest(width)[1:], strict=True)
    for first, last in windows:
        before, costs = costs, {}
        for place in range(first, last + 1):
            room = width - ends[place] + EPSILON
            judged = manner.balanced or place != total
            priced = place == total or breaks.places[place][1] != WHOLE
            best = float("inf")
            for start, so_far in before.items():
                white = room + begins[start]
                if white < 0.0 and start != place - 1:
                    continue
                cost = so_far
                if judged:
                    share = white * scale
                    if justified:
                        share = breaks.white(start, place, width, justified=True)
                    cost += share * share
                if priced:
                    cost += _price(breaks, start, place)
                if cost < best:
                    best, origins[place] = cost, start
            costs[place] = best
    chosen = [total]
    while origins.get(chosen[-1]):
        chosen.append(origins[chosen[-1]])
    return chosen[::-1]


def _price(breaks: Breaks, start: int, end: int) -> float:
    if breaks.places[end][1] != WHOLE:
        return HYPHEN_COST if breaks.places[start][1] == WHOLE else SECOND_HYPHEN_COST
    if end < len(breaks.ends) - 1 or start == 0 or breaks.spaces(start, end):
        return 0.0
    return WIDOW_COST


_BEFORE: Final = 2
_AFTER: Final = 3

_CAPITAL_NOUNS: Final = frozenset(("de", "gsw", "lb", "nds"))
"""Languages that write nouns with capitals. In others a capital means a name or a sentence, and the
word is not hyphenated."""
_CORE: Final = re.compile(r"\W*([^\W\d_]+)\W*(?<!-)")

Hyphenator = Callable[[str], tuple[int, ...]]


def hyphenator(lang: str, library: FontLibrary) -> Hyphenator:
    """Return a function from a word to the indexes where a hyphen may be, kept in the library; for
    a language without patterns, nowhere."""
    key = (hyphenator, lang)
    found = library.cache.get(key)
    if found is None:
        found = library.cache[key] = _new_hyphenator(lang)
    return found


def _new_hyphenator(lang: str) -> Hyphenator:
    language, *region = lang.lower().replace("-", "_").split("_")  # whatever case it is written in
    parts = (part.upper() if len(part) == 2 else part.title() for part in region)
    name = pyphen.language_fallback("_".join((language, *parts)))
    nouns = language in _CAPITAL_NOUNS
    patterns: Any = pyphen.Pyphen(lang=name, left=_BEFORE, right=_AFTER) if name else None
    known: dict[str, tuple[int, ...]] = {}

    def positions(word: str) -> tuple[int, ...]:
        points = known.get(word)
        if points is None:
            points = known[word] = _positions(word, patterns, nouns) if patterns else ()
        return points

    return positions


def _positions(word: str, patterns: Any, nouns: bool) -> tuple[int, ...]:
    match = _CORE.fullmatch(word)
    if match is None or not match[1][nouns:].islower():
        return ()
    return tuple(match.start(1) + int(p) for p in patterns.positions(match[1]) if not p.data)


def line_breaks(text: str, lang: str) -> list[int]:
    """Return the indexes where a line may end. An icon behaves like a letter, so that `2{coin}.`
    keeps together and icons break only at spaces."""
    return boundaries(LineBreaker(text.replace(OBJECT, "x"), lang), text)
