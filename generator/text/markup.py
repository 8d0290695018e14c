"""Reads rich text as paragraphs of pieces, each bold or italic or not, or an icon; and defines text
styles.

`**bold**`, `*italic*`, `***both***`, `{icon}`; `\\*`, `\\{`, `\\}` and `\\\\` are the character
itself. Emphasis follows CommonMark: it opens before a word and closes after one; a mark without a
partner is printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import accumulate
from typing import Final

from msgspec import Struct
from msgspec.structs import replace


class Align(StrEnum):
    """The alignment of lines; `start` is left, or right in a right-to-left paragraph."""

    START = "start"
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"
    JUSTIFY = "justify"


class VAlign(StrEnum):
    """The vertical alignment of all lines."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"


class TextStyle(Struct, frozen=True):
    """A named style. Sizes are in pt, `leading` and `paragraph_gap` in lines: baselines are size ×
    leading apart, paragraphs leading × (1 + paragraph_gap).

    A `decoration` may be pale, small and cut off. `family` is a name in the font library, `stretch`
    its relative width, and `fallback` are families for what it does not have. `lang` (BCP 47)
    chooses hyphenation. `features` are OpenType tags with values.
    """

    name: str
    family: str
    weight: int = 400
    italic: bool = False
    size_pt: float = 9.0
    min_pt: float = 7.0
    leading: float = 1.25
    colour: str = "#000000"
    align: str = "left"
    hyphenate: bool = False
    fallback: tuple[str, ...] = ()
    lang: str = "en"
    paragraph_gap: float = 0.5
    stretch: float = 1.0
    features: tuple[tuple[str, int], ...] = ()
    decoration: bool = False


OBJECT: Final = "\ufffc"
"""The character for an icon in a paragraph's text."""

_ALONE: Final = re.compile(r"\{[^\s{}]*+|(?<![^\s{}])[^\s{}]*+\}")
_STARRED: Final = re.compile(r"(?<!\w)\*\*+[^\s*]++|(?<=[^\s*])\*\*+(?!\w)")
_BLANK_LINES: Final = re.compile(r"\n(?:[^\S\n]*\n)+")
_TOKEN: Final = re.compile(r"\\(?P<escaped>[*{}\\])|\{(?P<icon>[\w-]+)\}|(?P<stars>\*+)")
# Possessive, so that a long run of spaces takes linear time.
_LINE_END: Final = re.compile(r"(?P<forced>(?<! ) {2,}+|\\)?+\n")

# Characters that XML cannot hold, the object character, and embeddings and overrides of direction.
_UNPRINTABLE: Final = {
    **dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029), " "),
    **dict.fromkeys((*range(0xD800, 0xE000), 0xFFFC, 0xFFFE, 0xFFFF), "\ufffd"),
    **dict.fromkeys(range(0x202A, 0x202F), "\u2060"),
    0x0A: "\n",
}


class StyledText(Struct, frozen=True):
    """Text of one look. `start` is its place in the source text. For an `icon`, the text is as
    written, with its braces."""

    text: str
    start: int
    bold: bool = False
    italic: bool = False
    icon: str = ""


class Paragraph(Struct, frozen=True):
    """Pieces to set as one. `gap` is True if a paragraph gap comes before, False for the first and
    after a forced line break."""

    pieces: tuple[StyledText, ...]
    gap: bool


def printable_text(text: str) -> str:
    """Return the text with a printable character for each of its own; line ends become `\\n`."""
    return text.replace("\r\n", "\n").translate(_UNPRINTABLE)


def parse_markup(text: str, rich: bool) -> list[Paragraph]:
    """Parse text into paragraphs. Blank lines end paragraphs. Two spaces at a line's end, or a
    backslash in rich text, force a break; other line ends are spaces."""
    paragraphs: list[Paragraph] = []
    text = printable_text(text)
    start = 0
    ends = [match.span() for match in _BLANK_LINES.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        body = text[start:end]
        if body.strip():
            pieces = _emphasised(body, start) if rich else [StyledText(body, start)]
            lines = list(_lines(pieces, rich))
            paragraphs += [
                Paragraph(line, gap=i == 0 and bool(paragraphs)) for i, line in enumerate(lines)
            ]
        start = following
    return paragraphs


def mark_alone(text: str) -> str:
    """Return the first mark that marks nothing, with its word: a brace that is neither an icon's
    nor escaped, or two or more stars without partners. Empty if all marks are right."""
    found = _ALONE.search(_TOKEN.sub(" ", text)) if "{" in text or "}" in text else None
    if found or "**" not in text:
        return found[0] if found else ""
    pieces = (piece for paragraph in parse_markup(text, True) for piece in paragraph.pieces)
    starts = (piece.start for piece in pieces if piece.text.startswith("**"))
    text = printable_text(text)
    found = next(filter(None, (_STARRED.match(text, start) for start in starts)), None)
    return text[: found.end()].split()[-1] if found else ""


def _lines(pieces: list[StyledText], rich: bool) -> Iterator[tuple[StyledText, ...]]:
    """Yield pieces between forced breaks, with spaces for other line ends."""
    line: list[StyledText] = []
    for piece in pieces:
        if "\n" not in piece.text:
            line.append(piece)
            continue
        done = 0
        for match in _LINE_END.finditer(piece.text):
            forced = match["forced"]
            if forced is None or (forced == "\\" and not rich):
                continue
            line.append(_cut(piece, done, match.start()))
            yield tuple(line)
            line = []
            done = match.end()
        line.append(_cut(piece, done, len(piece.text)))
    if any(piece.text.strip() for piece in line):
        yield tuple(line)


def _cut(piece: StyledText, start: int, end: int) -> StyledText:
    text = piece.text[start:end].replace("\n", " ")
    return replace(piece, text=text, start=piece.start + start)


class _Stars(Struct):
    """A run of asterisks, by the index of its piece, with those `left` without partners."""

    index: int
    left: int
    opens: bool
    closes: bool


def _emphasised(body: str, offset: int) -> list[StyledText]:
    """Return the pieces of one paragraph, paired as in CommonMark's "process emphasis"."""
    pieces: list[StyledText] = []
    runs: list[_Stars] = []
    done = 0
    for match in _TOKEN.finditer(body):
        start, end = match.span()
        if start > done:
            pieces.append(StyledText(body[done:start], offset + done))
        if match["stars"]:
            before = body[start - 1 : start] or " "
            after = body[end : end + 1] or " "
            runs.append(_Stars(len(pieces), end - start, not after.isspace(), not before.isspace()))
            pieces.append(StyledText(match[0], offset + start))
        elif match["icon"]:
            pieces.append(StyledText(match[0], offset + start, icon=match["icon"]))
        else:
            pieces.append(StyledText(match["escaped"], offset + start + 1))
        done = end
    if done < len(body):
        pieces.append(StyledText(body[done:], offset + done))
    bold, italic = _pair(runs, len(pieces))
    left = {run.index: run.left for run in runs}
    return [
        replace(
            piece,
            text=piece.text[: left.get(i, len(piece.text))],
            bold=bold[i] > 0,
            italic=italic[i] > 0,
        )
        for i, piece in enumerate(pieces)
        if left.get(i) != 0
    ]


def _pair(runs: list[_Stars], count: int) -> tuple[list[int], list[int]]:
    """Match closing runs with the nearest opening ones. Return how many pairs of two asterisks, and
    of one, enclose each of `count` pieces."""
    edges = {1: [0] * count, 2: [0] * count}
    open_runs: list[_Stars] = []
    for run in runs:
        while run.closes and run.left and open_runs:
            opener = open_runs[-1]
            taken = 2 if run.left >= 2 and opener.left >= 2 else 1
            edges[taken][opener.index + 1] += 1
            edges[taken][run.index] -= 1
            run.left -= taken
            opener.left -= taken
            if not opener.left:
                open_runs.pop()
        if run.opens and run.left:
            open_runs.append(run)
    return list(accumulate(edges[2])), list(accumulate(edges[1]))
