"""Reads rich text: paragraphs of pieces, each bold or italic or not, or an icon; and how a text is
to look, the values of one entry under `styles:` in a pack's styles.yaml.

`**bold**`, `*italic*`, `***both***`, `{icon}`; `\\*`, `\\{`, `\\}` and `\\\\` stand for the
character itself. Emphasis works as in CommonMark: it opens before a word and closes after one,
and what has no partner stays as it is written.
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
    """Where lines stand in their box; `start` is left, or right in a right-to-left paragraph."""

    START = "start"
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"
    JUSTIFY = "justify"


class VAlign(StrEnum):
    """Where the lines as a whole stand in their box."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"


class TextStyle(Struct, frozen=True):
    """A named style. Sizes in pt; `leading` and `paragraph_gap` in line heights: the distance
    between baselines is size × leading, paragraphs stand leading × (1 + paragraph_gap) apart.

    Text that is a `decoration` is there to be looked at: it may be pale, small and cut off.
    `family` is a name that the font library knows, `stretch` the width of the face wanted over
    the normal one; `fallback` are families asked, in order, for what it lacks. `lang` (BCP 47)
    chooses hyphenation. `features` are OpenType features by their tags, each with its value.
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
"""Stands for an icon in a paragraph's text, as Unicode has it."""

_ALONE: Final = re.compile(r"\{[^\s{}]*+|(?<![^\s{}])[^\s{}]*+\}")
_STARRED: Final = re.compile(r"(?<!\w)\*\*+[^\s*]++|(?<=[^\s*])\*\*+(?!\w)")
_BLANK_LINES: Final = re.compile(r"\n(?:[^\S\n]*\n)+")
_TOKEN: Final = re.compile(r"\\(?P<escaped>[*{}\\])|\{(?P<icon>[\w-]+)\}|(?P<stars>\*+)")
# Not from each of many spaces anew.
_LINE_END: Final = re.compile(r"(?P<forced>(?<! ) {2,}+|\\)?+\n")

# What XML cannot hold, and the object character, which is ours; none of them prints. Of what
# steers direction marks and isolates are obeyed, embeddings and overrides are not.
_UNPRINTABLE: Final = {
    **dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029), " "),
    **dict.fromkeys((*range(0xD800, 0xE000), 0xFFFC, 0xFFFE, 0xFFFF), "\ufffd"),
    **dict.fromkeys(range(0x202A, 0x202F), "\u2060"),
    0x0A: "\n",
}


class StyledText(Struct, frozen=True):
    """A stretch of one look. `start` is its place in the source text; `icon` names a picture,
    and then the text is as written, braces and all."""

    text: str
    start: int
    bold: bool = False
    italic: bool = False
    icon: str = ""


class Paragraph(Struct, frozen=True):
    """Pieces to set as one. `gap` is True when a paragraph gap stands before it, False for the
    first and after a forced line break."""

    pieces: tuple[StyledText, ...]
    gap: bool


def printable_text(text: str) -> str:
    """The text with one printable character for each of its own; line ends become `\\n`."""
    return text.replace("\r\n", "\n").translate(_UNPRINTABLE)


def parse_markup(text: str, rich: bool) -> list[Paragraph]:
    """Text to paragraphs. Blank lines part paragraphs, two spaces (or, in rich text, a
    backslash) at a line's end force a break, every other line end is a space."""
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
    """The first mark of a rich text that marks nothing, with the word at it: a brace that is
    neither an icon's nor written `\\{`, or two stars and more at a word whose partners are missing.
    Nothing if there is none."""
    found = _ALONE.search(_TOKEN.sub(" ", text)) if "{" in text or "}" in text else None
    if found or "**" not in text:
        return found[0] if found else ""
    pieces = (piece for paragraph in parse_markup(text, True) for piece in paragraph.pieces)
    starts = (piece.start for piece in pieces if piece.text.startswith("**"))
    text = printable_text(text)
    found = next(filter(None, (_STARRED.match(text, start) for start in starts)), None)
    return text[: found.end()].split()[-1] if found else ""


def _lines(pieces: list[StyledText], rich: bool) -> Iterator[tuple[StyledText, ...]]:
    """Pieces parted at forced breaks; other line ends made spaces."""
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
    """A run of asterisks, a piece by its index, while partners are sought for those left."""

    index: int
    left: int
    opens: bool
    closes: bool


def _emphasised(body: str, offset: int) -> list[StyledText]:
    """Pieces of one paragraph. The pairing is CommonMark's "process emphasis"."""
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
    """Match closing runs with the nearest opening ones. For each of `count` pieces: how many
    pairs of two asterisks, and of one, it stands between."""
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
