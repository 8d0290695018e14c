"""Parts a drawn face into layers of art and set text.

Helpers leave a mark where a text stands. There the SVG is cut in two: the groups that are open are
closed before it and opened again behind it, and what a part refers to is brought along. A text
that the art itself has to show (in a group with an opacity, a mask, a gradient as its colour, or
to be drawn again) stays in it as outlines; one that can be seen where it stands is laid over these
once more, unseen, to be found and copied.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from msgspec import Struct
from msgspec.structs import replace

from generator.fonts import FontLibrary
from generator.geometry import IDENTITY, Matrix, Rect, format_mm, parse_transform, pt_to_mm
from generator.model.catalogue import Stock
from generator.model.face import Art, Asset, Clip, Layer, LetterStroke, Text, TextRun, packed_lines
from generator.render.extents import clip, extent
from generator.render.face_builder import FaceBuilder, PlacedText, TypesetText
from generator.render.styles import Ink
from generator.render.svg_lint import LintedFace, Located
from generator.svg_subset import as_hex

MAX_BYTES: Final = 5_000_000
"""Of all that the art of a face is, with what its parts have in common written for each."""
PART: Final = 2_000
"""What a part costs more, in bytes: it becomes a page of its own before it is put on the face."""
_END: Final = b"</svg>"
_DRAWS: Final = re.compile(rb"<(?:path|rect|circle|ellipse|line|poly|image|use|text)\b")
_NONE: Final = ("none", "transparent")
_NEAR: Final = 0.2
"""Art that is nearer to a text than this touches it, mm."""


class TooMuchArtError(Exception):
    """The art of a face is more than `MAX_BYTES`."""


class _InheritedLook(Struct, frozen=True):
    """What a text takes on from the elements around it."""

    fill: str = "#000000"
    opacity: float = 1.0
    stroke: str = "none"
    stroke_opacity: float = 1.0
    stroke_width: float = 1.0
    join: str = "miter"
    limit: float = 4.0
    clips: tuple[Clip, ...] = ()


class Layering:
    """Parts faces into layers, in the fonts and the ink of a pack."""

    def __init__(self, fonts: FontLibrary, ink: Ink) -> None:
        self._fonts = fonts
        self.ink = ink
        self._icons: dict[str, Art] = {}

    def for_face(self, builder: FaceBuilder, content: bytes) -> Layering:
        """Parts a face, whose SVG `content` is, in the ink that it has by rule if it has one."""
        if not self.ink.by_rule:
            return self
        paints = [text.what.paint for text in builder.texts]
        area = builder.stock.trim.width * builder.stock.trim.height
        return Layering(self._fonts, self.ink.for_face(content.decode(), paints, area))

    def layers(
        self,
        builder: FaceBuilder,
        content: bytes,
        head: int,
        linted: LintedFace,
        assets: Sequence[Asset],
    ) -> tuple[Layer, ...]:
        """The layers of a face in the order of painting. `content` is its SVG, whose first `head`
        bytes open the root. Raises TooMuchError."""
        return tuple(_FaceOnItsWay(self, builder, content, head, linted, assets).layers())

    def inked(self, icon: Art) -> Art:
        """An icon in the colours that are printed."""
        printed = self._icons.get(icon.sha256)
        if printed is None:
            svg = self.ink.printed(icon.svg)
            printed = replace(icon, svg=svg, sha256=hashlib.sha256(svg.encode()).hexdigest())
            self._icons[icon.sha256] = printed
        return replace(printed, matrix=icon.matrix)

    def art(self, svg: str, box: Rect, assets: Iterable[Asset]) -> Art:
        """A part of a face, in the colours that are printed."""
        svg = self.ink.printed(svg)
        shown = tuple(asset for asset in assets if asset.href in svg)
        return Art(svg, hashlib.sha256(svg.encode()).hexdigest(), box, shown)

    def colour(self, paint: str) -> tuple[str, float] | None:
        """What is printed for a colour, and its opacity; None for what is no plain colour."""
        if paint in _NONE:
            return "none", 1.0
        plain = as_hex(self.ink.colour(paint))
        if plain is None:
            return None
        return plain[:7], int(plain[7:] or "ff", 16) / 255

    def outlined(self, text: TypesetText) -> str:
        """A set text as shapes."""
        icons = "".join(_inside(icon) for icon in text.icons)
        outlines = letter_outlines(self._fonts, text)
        return f'<path fill="{escape(text.paint)}" d="{outlines}"/>{icons}'


class _Waiting(Struct, frozen=True):
    """A text that is painted after art which stands behind it and does not touch it; `end` is
    where its mark ends."""

    what: TypesetText
    shown: Located
    layer: Text
    end: int
    box: Rect
    """What its ink fills on the face, mm."""

    @classmethod
    def of(cls, what: TypesetText, shown: Located, layer: Text, end: int) -> _Waiting:
        """The text that is that layer."""
        stroke = layer.stroke
        around = stroke.width * stroke.limit / 2 if stroke else 0.0
        return cls(what, shown, layer, end, layer.matrix.box(what.used.grown(_NEAR + around)))


class _FaceOnItsWay:
    """One face on its way to layers."""

    def __init__(
        self,
        layering: Layering,
        builder: FaceBuilder,
        content: bytes,
        head: int,
        linted: LintedFace,
        assets: Sequence[Asset],
    ) -> None:
        self.layering = layering
        self.texts = builder.texts
        self.content = content
        self.head = head
        self.linted = linted
        self.assets = assets
        self.box = _box(builder.stock)
        self.clips: dict[tuple[str, Matrix], Clip | None] = {}
        self.room = MAX_BYTES
        # The marks of texts that are layers of their own.
        self.taken: set[int] = set()

    def layers(self) -> Iterator[Layer]:
        start, around = self.head, ""
        waiting: list[_Waiting] = []
        unseen: list[Text] = []
        for shown in self.linted.texts:
            text, look = self._text(shown), self._look(shown)
            layer = None if text is None or look is None else self._set(text, shown, look)
            if text is None:
                continue
            if layer is None:
                unseen += self._unseen(text, shown)
                continue
            if waiting and not self._may_wait(waiting, shown.at):
                yield from self._parted(start, around, waiting)
                start, around, waiting = waiting[-1].end, _opening(waiting[-1].shown), []
            waiting.append(_Waiting.of(text.what, shown, layer, self._behind(shown)))
            self.taken.add(shown.at)
        end = len(self.content) - len(_END)
        if waiting and not self._may_wait(waiting, end):
            yield from self._parted(start, around, waiting)
            start, around, waiting = waiting[-1].end, _opening(waiting[-1].shown), []
        yield from self._art(start, end, around, "")
        yield from self._painted(waiting)
        yield from unseen

    def _parted(self, start: int, around: str, waiting: Sequence[_Waiting]) -> Iterator[Layer]:
        """The art up to the last of some texts, then these."""
        last = waiting[-1].shown
        yield from self._art(start, last.at, around, _closing(last))
        yield from self._painted(waiting)

    def _painted(self, waiting: Iterable[_Waiting]) -> Iterator[Layer]:
        """Texts with the icons in their lines."""
        for one in waiting:
            if any(isinstance(run, TextRun) for line in one.what.fitted.lines for run in line.runs):
                yield one.layer
            for icon in one.what.icons:
                art = self.layering.inked(icon)
                matrix = one.layer.matrix.then(icon.matrix)
                yield replace(art, matrix=matrix, clips=one.layer.clips)

    def _behind(self, shown: Located) -> int:
        """Where the mark of a text ends."""
        return self.content.index(b"?>", shown.at) + 2

    def _may_wait(self, waiting: Sequence[_Waiting], end: int) -> bool:
        """True when what is drawn behind the last of some texts, up to the next one, touches none
        of them: it may then be drawn before them, and the art need not be cut."""
        last = waiting[-1]
        box = extent(_opening(last.shown), self.content[last.end : end])
        if box is None:
            return False
        return not (box.width or box.height) or not any(one.box.overlaps(box) for one in waiting)

    def _text(self, shown: Located) -> PlacedText | None:
        assert isinstance(shown.what, int)
        return self.texts[shown.what] if shown.what < len(self.texts) else None

    def _look(self, shown: Located) -> _InheritedLook | None:
        """What a text takes on; None where the art has to show it."""
        if shown.matrix is None:
            return None
        look, matrix = _InheritedLook(), IDENTITY
        for name, listed in shown.around:
            if name not in ("g", "svg"):
                return None
            given = dict(zip(listed[::2], listed[1::2], strict=True))
            matrix = matrix.then(parse_transform(given.get("transform", "")))
            if not given.keys().isdisjoint(_ALONE) and not _harmless(given):
                return None
            clips = look.clips
            if "clip-path" in given and given["clip-path"] != "none":
                clipped = self._clip(given["clip-path"][5:-1], matrix)
                if clipped is None:
                    return None
                clips = (*clips, clipped)
            look = _InheritedLook(
                given.get("fill", look.fill),
                _share(given.get("fill-opacity"), look.opacity),
                given.get("stroke", look.stroke),
                _share(given.get("stroke-opacity"), look.stroke_opacity),
                float(given.get("stroke-width", look.stroke_width)),
                given.get("stroke-linejoin", look.join),
                max(1.0, float(given.get("stroke-miterlimit", look.limit))),
                clips,
            )
        return look

    def _clip(self, name: str, matrix: Matrix) -> Clip | None:
        if (name, matrix) not in self.clips:
            named = self.linted.named.get(name)
            self.clips[name, matrix] = clip(self.content, named, matrix) if named else None
        return self.clips[name, matrix]

    def _set(self, text: PlacedText, shown: Located, look: _InheritedLook) -> Text | None:
        """A text as its own layer; None where the art has to show it."""
        paint = text.what.paint
        fill = self.layering.colour(look.fill if paint == "inherit" else paint)
        stroke = self.layering.colour(look.stroke)
        if fill is None or stroke is None:
            return None
        outline = None
        if stroke[0] != "none" and look.stroke_width:
            if look.stroke_opacity * stroke[1] < 1:
                return None  # PDF shows no letter through its own outline, as SVG does
            outline = LetterStroke(stroke[0], look.stroke_width, look.join, look.limit)
        opacity = round(look.opacity * fill[1], 4)
        return self._layer(text.what, shown, fill[0], opacity, outline, look.clips)

    @staticmethod
    def _layer(
        what: TypesetText,
        shown: Located,
        fill: str,
        opacity: float = 1.0,
        stroke: LetterStroke | None = None,
        clips: tuple[Clip, ...] = (),
        seen: bool = True,
    ) -> Text:
        matrix = shown.matrix or IDENTITY
        lines = packed_lines(what.fitted.lines)
        x, y = float(what.x), float(what.y)  # 14 and 14.0 are one, but not to a digest
        return Text(lines, x, y, what.sha256, fill, opacity, stroke, matrix, clips, seen)

    def _unseen(self, text: PlacedText, shown: Located) -> Iterator[Text]:
        """A text that the art shows, to be found and copied, where it can be seen for sure."""
        if shown.matrix is not None and self.linted.words is not None:
            yield self._layer(text.what, shown, "none", seen=False)

    def _art(self, start: int, end: int, opening: str, closing: str) -> Iterator[Art]:
        """What is drawn between two texts, if anything is."""
        part = self._outlined(start, end, self.taken)
        if _DRAWS.search(part) is None:
            return
        links = [*self._links(start, end), *_REFERRED.findall(opening)]
        needed = b"".join(self._definitions(links, start, end))
        if needed:
            needed = b"<defs>" + needed + b"</defs>"
        root = self.content[: self.head] + needed + opening.encode()
        svg = b"".join((root, part, closing.encode(), _END)).decode()
        self.room -= len(svg) + PART
        if self.room < 0:
            raise TooMuchArtError
        yield self.layering.art(svg, self.box, self.assets)

    def _definitions(self, links: Iterable[str], start: int, end: int) -> Iterator[bytes]:
        """What is referred to and stands elsewhere, with all that this refers to."""
        seen: dict[str, None] = {}
        waiting = list(dict.fromkeys(links))
        while waiting:
            name = waiting.pop()
            named = self.linted.named.get(name)
            if name in seen or named is None or (start <= named.begin and named.end <= end):
                continue
            seen[name] = None
            yield self._outlined(named.begin, named.end)
            waiting += self._links(named.begin, named.end)

    def _links(self, start: int, end: int) -> Iterator[str]:
        """What a part of the SVG refers to, and the texts that are shown in it."""
        yield from (name for name, at in self.linted.links if start <= at < end)
        for shown in self.linted.texts:
            text = self._text(shown) if start <= shown.at < end else None
            if text is not None:
                yield from _REFERRED.findall(text.what.paint)

    def _outlined(self, start: int, end: int, taken: Collection[int] = ()) -> bytes:
        """A part of the SVG, the marks of texts in it replaced by their outlines, or by nothing
        where they are `taken`."""
        parts, at = [], start
        for shown in self.linted.texts:
            if not start <= shown.at < end:
                continue
            text = self._text(shown)
            parts.append(self.content[at : shown.at])
            if text is not None and shown.at not in taken:
                parts.append(self.layering.outlined(text.what).encode())
                self.room -= len(parts[-1])
                if self.room < 0:
                    raise TooMuchArtError
            at = self._behind(shown)
        parts.append(self.content[at:end])
        return b"".join(parts)


_ALONE: Final = frozenset(
    ("opacity", "mask", "display", "visibility", "stroke-dasharray", "paint-order")
)
"""What draws a group by itself first, or not at all, or text in a way that PDF text has not."""
_REFERRED: Final = re.compile(r'url\(#([^()"]+)\)')


def _harmless(given: Mapping[str, str]) -> bool:
    """True when these attributes change nothing."""
    plain = {
        "opacity": ("1", "1.0", "100%"),
        "mask": ("none",),
        "display": ("inline",),
        "visibility": ("visible",),
        "stroke-dasharray": ("none",),
        "paint-order": ("normal", "fill", "fill stroke", "fill stroke markers"),
    }
    return all(given[name] in plain[name] for name in _ALONE & given.keys())


def _share(value: str | None, otherwise: float) -> float:
    if value is None:
        return otherwise
    share = float(value[:-1]) / 100 if value.endswith("%") else float(value)
    return min(1.0, max(0.0, share))


def _box(stock: Stock) -> Rect:
    return Rect(0, 0, stock.trim.width, stock.trim.height).grown(stock.bleed)


def _opening(shown: Located) -> str:
    return "".join(f"<{name}{''.join(_attributes(listed))}>" for name, listed in shown.around)


def _attributes(listed: Sequence[str]) -> Iterator[str]:
    for name, value in zip(listed[::2], listed[1::2], strict=True):
        yield f' {name}="{escape(value)}"'


def _closing(shown: Located) -> str:
    return "".join(f"</{name}>" for name, _ in reversed(shown.around))


def _inside(icon: Art) -> str:
    """An icon as part of other art: its drawing, mm from its box, in its place."""
    start, end = icon.svg.index(">") + 1, icon.svg.rindex("<")
    left, top, wide, _ = map(float, icon.svg.split('viewBox="', 1)[1].split('"', 1)[0].split())
    scale = icon.box.width / wide
    a, b, c, d, e, f = icon.matrix.then(
        Matrix(scale, 0, 0, scale, icon.box.x - left * scale, icon.box.y - top * scale)
    )
    numbers = " ".join(f"{value:.6g}" for value in (a, b, c, d, e, f))
    return f'<g transform="matrix({numbers})">{icon.svg[start:end]}</g>'


def letter_outlines(fonts: FontLibrary, text: TypesetText) -> str:
    """The letters of a set text as path data, mm."""
    steps: list[str] = []
    for line in text.fitted.lines:
        for run in line.runs:
            if isinstance(run, TextRun):
                steps += _outlines(fonts, run, text.x + run.x, text.y + line.y)
    return "".join(steps)


def _outlines(fonts: FontLibrary, run: TextRun, x: float, y: float) -> Iterator[str]:
    """The outlines of a run whose baseline begins at (x, y), mm, as path data."""
    font = fonts.font(run.font)
    size = pt_to_mm(run.size_pt)
    scale = size / font.face.upem
    for glyphs, white, _ in run.stretches:
        x += white * size
        for glyph in glyphs:
            left, base = x + glyph.dx * scale, y - glyph.dy * scale
            yield _outline(font, glyph.id, left, base, scale)
            x += glyph.advance * scale


def _outline(font: Any, glyph: int, x: float, y: float, scale: float) -> str:
    """A glyph's font units, y upwards, as millimetres, y downwards, from (x, y)."""
    pen = SVGPathPen(None, ntos=format_mm)
    font.draw_glyph_with_pen(glyph, TransformPen(pen, (scale, 0, 0, -scale, x, y)))
    return str(pen.getCommands())
