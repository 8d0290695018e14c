"""A paragraph's pieces in; its words, shaped and measured, out."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.text.markup import OBJECT, Paragraph, Piece
from generator.text.paragraph import Measured, at_level
from generator.text.shaper import Part, Shaper, Word, joined
from generator.text.typeface import SOFT_HYPHEN, Typeface, visible
from generator.text.unicode import levels, line_breaks, runs_right_to_left

ICON_BEARING: Final = 0.06
"""The air on both sides of an icon, em."""

_SPACES: Final = re.compile(" {2,}")


@dataclass(frozen=True, slots=True)
class IconMetrics:
    """An icon's shape: its width over its height."""

    aspect: float = 1.0


@dataclass(frozen=True, slots=True)
class _Span:
    """A stretch of the paragraph's text of one look and one direction, up to `end`."""

    end: int
    piece: Piece
    face: Typeface
    level: int = 0


@dataclass(frozen=True, slots=True)
class Measurer:
    """Measures paragraphs: `face_of` is the typeface of a piece, `icon_of` the shape of an icon,
    `lang` the language whose rules part lines."""

    face_of: Callable[[Piece], Typeface]
    icon_of: Callable[[str], IconMetrics]
    lang: str

    def measure(self, paragraph: Paragraph) -> Measured:
        """Shape every word of a paragraph."""
        pieces = [piece for piece in paragraph.pieces if piece.text]
        text = "".join(OBJECT if piece.icon else piece.text for piece in pieces)
        base, of_chars = levels(text) if runs_right_to_left(text) else (0, None)
        measured = Measured(base, paragraph.gap)
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

    def _spans(self, pieces: Sequence[Piece], of_chars: list[int] | None) -> Iterator[_Span]:
        start = 0
        for piece in pieces:
            face = self.face_of(piece)
            end = start + (1 if piece.icon else len(piece.text))
            if of_chars is None:
                yield _Span(end, piece, face)
            else:
                for i in range(start + 1, end):
                    if of_chars[i] != of_chars[i - 1]:
                        yield _Span(i, piece, face, of_chars[i - 1])
                yield _Span(end, piece, face, of_chars[end - 1])
            start = end

    def _add_word(
        self, measured: Measured, text: str, start: int, end: int, spans: deque[_Span]
    ) -> None:
        span = spans[0]
        if end <= span.end and not span.piece.icon:
            text = text[start:end]
            word, face = self._shaped(text, span), span.face
            if SOFT_HYPHEN in text:
                measured.soft[len(measured.words)] = tuple(_soft_points(text))
        else:
            word, face = joined(list(self._parts(text, start, end, spans))), None
        if word.parts:
            measured.words.append(word)
            measured.faces.append(face)
            measured.spaces.append(None)

    def _parts(self, text: str, start: int, end: int, spans: Iterable[_Span]) -> Iterator[Word]:
        for span in spans:
            stop = min(end, span.end)
            yield self._shaped(text[start:stop], span)
            if stop == end:
                return
            start = stop

    def _shaped(self, text: str, span: _Span) -> Word:
        if span.piece.icon:
            word = _icon_word(span.piece, self.icon_of(span.piece.icon), span.face)
        else:
            plain = _SPACES.sub(" ", text) if "  " in text else text
            word = span.face.word(plain, span.level % 2 == 1)
        return at_level(word, span.level) if span.level else word


def _segments(text: str, lang: str) -> Iterator[tuple[int, int, bool]]:
    """What lines may not part: start, end without the spaces behind it, whether there are any.
    Soft hyphens do not part here: the word is shaped whole."""
    start = 0
    for end in line_breaks(text, lang):
        last = text[end - 1]
        if last == SOFT_HYPHEN and end < len(text):
            continue
        inked = start + len(text[start:end].rstrip(" ")) if last == " " else end
        yield start, inked, inked < end
        start = end


def _soft_points(source: str) -> Iterator[int]:
    """Indexes into the word as it is shaped, which is without what is invisible."""
    *heads, _ = source.split(SOFT_HYPHEN)
    index, length = 0, len(visible(source))
    for head in heads:
        index += len(visible(head))
        if 0 < index < length:
            yield index


def _icon_word(piece: Piece, icon: IconMetrics, face: Typeface) -> Word:
    """An icon is 1 em high, its middle at half the height of a capital."""
    half = face.cap / 2
    width = icon.aspect + 2 * ICON_BEARING
    part = Part(piece.text, width, icon=piece.icon)
    return Word(piece.text, (part,), width, 0.5 + half, 0.5 - half, -ICON_BEARING, -ICON_BEARING)


def _add_glue(measured: Measured, default: Shaper) -> None:
    """Fill in how far each word stands from the next. Between icons stands a space of the
    `default` font."""
    words, spaces = measured.words, measured.spaces
    spaces[-1] = None
    for before, after, space in zip(words, words[1:], spaces, strict=False):
        first, second = before.parts[-1], after.parts[0]
        font, text = first.font, "" if space is None else " "
        if font is not None and font is second.font:
            glue = font.glue(first.tail, text, second.head)
        else:
            glue = (font or second.font or default).glue("", text, "")
        measured.glue.append(glue)
    measured.glue.append(0.0)
