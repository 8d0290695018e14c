"""Cuts a part of a face's SVG out as a drawing for the SVG engine, with outlines for its texts."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final, NamedTuple

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen

from generator.fonts import FontLibrary
from generator.geometry import IDENTITY, Matrix, Rect, format_mm, pt_to_mm
from generator.model.face import Glyph, TextRun
from generator.pdf_syntax import as_numbers
from generator.render.display import Look
from generator.render.face_builder import PlacedDrawing, PlacedIcon, PlacedText, TypesetText
from generator.render.ink import Ink
from generator.render.svg_lint import LintedFace, Located
from generator.text import to_svg

MAX_BYTES: Final = 5_000_000
"""Bytes of all engine art of a face; shared definitions count each time."""
_END: Final = b"</svg>"
_DRAWING: Final = re.compile(r' href="(drawings/\w+\.svg)"')
_ART: Final = re.compile(rb"<\?art \d+\?>")
"""Marks of pictures and icons."""
_REFERRED: Final = re.compile(r'url\(#([^()"]+)\)')


class TooMuchArtError(Exception):
    """The art of a face is more than `MAX_BYTES`."""


class Excerpt(NamedTuple):
    """Bytes of an SVG from `begin` to `end`, with the look and the place that the elements around
    them give."""

    begin: int
    end: int
    look: Look
    matrix: Matrix


class Source(NamedTuple):
    """A drawn SVG: its bytes (the first `head` open the root), its reading, its texts, and the
    drawings that it may name."""

    content: bytes
    head: int
    linted: LintedFace
    texts: Sequence[PlacedText] = ()
    drawings: Mapping[str, PlacedDrawing] = {}

    def text(self, shown: Located) -> TypesetText:
        """Return the text of a mark."""
        assert isinstance(shown.what, int)
        return self.texts[shown.what].what


class ExcerptMaker:
    """Cuts pieces in the fonts and the ink of a pack."""

    def __init__(self, fonts: FontLibrary, ink: Ink) -> None:
        self._fonts = fonts
        self._ink = ink

    def svg(self, source: Source, piece: Excerpt, box: Rect) -> str:
        """Return a piece as an SVG of what is inside `box`, in the colours that are printed. Raises
        TooMuchArtError.

        An unseen dot in each corner keeps the engine from cutting the piece to its own box, which
        is too small for lines along curves.
        """
        view = as_numbers(box.x, box.y, box.width, box.height)
        dots = f"M{as_numbers(box.x, box.y)}h.1v.1zM{as_numbers(box.right, box.bottom)}h-.1v-.1z"
        links = [*_links(source, piece.begin, piece.end), *_paints(piece.look)]
        needed = b"".join(self._definitions(source, links, piece))
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">'.encode(),
            f'<path fill-opacity="0" d="{dots}"/>'.encode(),
            b"<defs>%s</defs>" % needed if needed else b"",
            _opening(piece).encode(),
            self._outlined(source, piece.begin, piece.end),
            b"</g></svg>",
        ]
        svg = _ART.sub(b"", b"".join(parts))
        if len(svg) > MAX_BYTES:
            raise TooMuchArtError
        return self._embedded(source, self._ink.printed(svg.decode()))

    def whole(self, source: Source, size: str) -> str:
        """Return a whole face as an SVG, with its texts as text."""
        parts, at = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'.encode()], source.head
        for shown in source.linted.texts:
            parts.append(source.content[at : shown.at])
            text = source.text(shown)
            icons = "".join(map(_inside, text.icons))
            letters = to_svg(text.fitted.lines, text.x, text.y, text.paint)
            parts.append(f"{letters}{icons}".encode())
            at = source.content.index(b"?>", shown.at) + 2
        parts.append(source.content[at:])
        return self._embedded(source, self._ink.printed(_ART.sub(b"", b"".join(parts)).decode()))

    def _embedded(self, source: Source, svg: str) -> str:
        """Return an SVG with the drawings that it names embedded."""
        for name in set(_DRAWING.findall(svg)) & source.drawings.keys():
            content = self._ink.printed(source.drawings[name].svg).encode()
            embedded = f"data:image/svg+xml;base64,{b64encode(content).decode()}"
            svg = svg.replace(f'"{name}"', f'"{embedded}"')
        return svg

    def _definitions(self, source: Source, links: Iterable[str], piece: Excerpt) -> Iterator[bytes]:
        """Yield the definitions elsewhere that links lead to, directly or not."""
        seen: set[str] = set()
        waiting = list(dict.fromkeys(links))
        while waiting:
            name = waiting.pop()
            named = source.linted.named.get(name)
            if name in seen or named is None:
                continue
            if piece.begin <= named.begin and named.end <= piece.end:
                continue
            seen.add(name)
            yield self._outlined(source, named.begin, named.end)
            waiting += _links(source, named.begin, named.end)

    def _outlined(self, source: Source, start: int, end: int) -> bytes:
        """Return a part of the SVG with outlines in place of its texts."""
        parts, at = [], start
        for shown in source.linted.texts:
            if start <= shown.at < end:
                parts.append(source.content[at : shown.at])
                parts.append(self._letters(source.text(shown)).encode())
                at = source.content.index(b"?>", shown.at) + 2
        parts.append(source.content[at:end])
        return b"".join(parts)

    def _letters(self, text: TypesetText) -> str:
        icons = "".join(map(_inside, text.icons))
        outlines = letter_outlines(self._fonts, text)
        return f'<path fill="{escape(text.paint)}" d="{outlines}"/>{icons}'


def _links(source: Source, start: int, end: int) -> Iterator[str]:
    """Yield what a part of the SVG refers to, and the texts that are shown in it."""
    yield from (name for name, at in source.linted.links if start <= at < end)
    for shown in source.linted.texts:
        if start <= shown.at < end:
            yield from _REFERRED.findall(source.text(shown).paint)


def _paints(look: Look) -> Iterator[str]:
    for paint in (look.fill, look.stroke):
        yield from _REFERRED.findall(paint)


def _opening(piece: Excerpt) -> str:
    """Return a group that gives the look and the place of the elements around a piece."""
    given = dict(piece.look.attributes)
    if piece.matrix != IDENTITY:
        given["transform"] = f"matrix({' '.join(f'{value:.9g}' for value in piece.matrix)})"
    listed = "".join(f' {name}="{escape(value)}"' for name, value in given.items())
    return f"<g{listed}>"


def _inside(icon: PlacedIcon) -> str:
    """Return an icon in a line of text as part of other art."""
    start, end = icon.svg.index(b">") + 1, icon.svg.rindex(b"<")
    place = " ".join(f"{value:.6g}" for value in icon.matrix)
    return f'<g transform="matrix({place})">{icon.svg[start:end].decode()}</g>'


def letter_outlines(fonts: FontLibrary, text: TypesetText) -> str:
    """Return the letters of a set text as path data, mm."""
    steps: list[str] = []
    for line in text.fitted.lines:
        for run in line.runs:
            if isinstance(run, TextRun):
                steps += _outlines(fonts, run, text.x + run.x, text.y + line.y)
    return "".join(steps)


def _outlines(fonts: FontLibrary, run: TextRun, x: float, y: float) -> Iterator[str]:
    """Yield the outlines of a run whose baseline begins at (x, y), mm, as path data."""
    font = fonts.font(run.font)
    scale = pt_to_mm(run.size_pt) / font.face.upem
    for glyph, left, base in placed_glyphs(run, font, x, y):
        yield _outline(font, glyph.id, left, base, scale)


def placed_glyphs(
    run: TextRun, font: Any, x: float, y: float
) -> Iterator[tuple[Glyph, float, float]]:
    """Yield the glyphs of a run whose baseline begins at (x, y), mm, each with its origin."""
    size = pt_to_mm(run.size_pt)
    scale = size / font.face.upem
    for glyphs, white, _ in run.stretches:
        x += white * size
        for glyph in glyphs:
            yield glyph, x + glyph.dx * scale, y - glyph.dy * scale
            x += glyph.advance * scale


def _outline(font: Any, glyph: int, x: float, y: float, scale: float) -> str:
    pen = SVGPathPen(None, ntos=format_mm)
    font.draw_glyph_with_pen(glyph, TransformPen(pen, (scale, 0, 0, -scale, x, y)))
    return str(pen.getCommands())
