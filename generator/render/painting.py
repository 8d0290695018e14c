"""Writes the display list of a face as PDF operators, mm from the top-left corner of its trim."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator import pdf_syntax
from generator.fonts import FontFile, FontLibrary
from generator.geometry import IDENTITY, Matrix, Point, Rect, Size, pt_to_mm
from generator.model.catalogue import Stock
from generator.model.face import (
    Art,
    Asset,
    Drawing,
    Glyph,
    Group,
    InlineIcon,
    Opacity,
    SetText,
    TextLine,
    TextRun,
)
from generator.model.packed import pack
from generator.model.painted import Segment
from generator.outlines import polylines
from generator.pdf_syntax import as_number, as_numbers, moved
from generator.pdf_syntax import colour as colour_operators
from generator.render.display import (
    Clips,
    GroupMark,
    LetterMark,
    Look,
    Mark,
    PictureMark,
    PlacedClip,
    ShapeMark,
    dashes,
)
from generator.render.engine_art import Excerpt, ExcerptMaker, Source, placed_glyphs
from generator.render.face_builder import FaceBuilder, PlacedDrawing, PlacedIcon
from generator.render.gradients import Gradient
from generator.render.ink import Ink
from generator.render.svg_lint import Linter
from generator.svg_shapes import Outline
from generator.svg_subset import as_hex
from generator.text import Lettering, Used, font_uses, has_colours

_CAPS: Final = {"butt": 0, "round": 1, "square": 2}
_JOINS: Final = {"miter": 0, "round": 1, "bevel": 2}
_STEPS: Final = 32
_FRESH_LINE: Final = "1 w 0 J 0 j 10 M [] 0 d"
"""The state of lines at the start of a page (ISO 32000-1, 8.4.1)."""
_KEPT: Final = 50_000
_DIGITS: Final = 16
_EMOJI: Final = 20.0
"""The type size at which the engine draws an emoji, mm."""
_IN_GREY: Final = (
    '<filter id="grey"><feColorMatrix type="saturate" values="0"/></filter>',
    ' filter="url(#grey)"',
)


class Paint(NamedTuple):
    """A colour, `#rrggbb`, and its opacity."""

    colour: str
    opacity: float


class _Place(NamedTuple):
    """The drawing that marks belong to, its place on the face, and the clip paths around it."""

    source: Source
    onto: Matrix = IDENTITY
    clips: Clips = ()


class Painter:
    """Writes drawings in the fonts and ink of a pack. Each shape in a look is written once for all
    faces."""

    def __init__(self, fonts: FontLibrary, ink: Ink, linter: Linter) -> None:
        self.fonts = fonts
        self.ink = ink
        self.linter = linter
        self.excerpts = ExcerptMaker(fonts, ink)
        self.lettering = Lettering(fonts)
        self.shapes: dict[tuple[Outline, Look], _WrittenShape] = {}
        self.clips: dict[PlacedClip, str] = {}
        self._paints: dict[str, Paint] = {}
        self._coloured: dict[FontFile, bool] = {}
        self._emoji: dict[tuple[FontFile, str, str], tuple[Art, Rect]] = {}

    def in_ink(self, ink: Ink) -> Painter:
        """Return a painter in another ink."""
        return self if ink is self.ink else Painter(self.fonts, ink, self.linter)

    def paint(self, colour: str) -> Paint:
        """Return what is printed for a colour."""
        known = self._paints.get(colour)
        if known is None:
            plain = as_hex(self.ink.colour(colour)) or "#000000"
            known = self._paints[colour] = Paint(plain[:7], int(plain[7:] or "ff", 16) / 255)
        return known

    def parted(self, lines: tuple[TextLine, ...]) -> tuple[Sequence[TextLine], Sequence[TextLine]]:
        """Return lines without the runs in colour fonts, and lines of these runs."""
        files = {run.font for line in lines for run in line.runs if isinstance(run, TextRun)}
        for file in files - self._coloured.keys():
            self._coloured[file] = has_colours(self.fonts.font(file))
        if not any(self._coloured[file] for file in files):
            return lines, ()
        return [self._kept(line, False) for line in lines], [
            self._kept(line, True) for line in lines
        ]

    def _kept(self, line: TextLine, coloured: bool) -> TextLine:
        runs = tuple(
            run
            for run in line.runs
            if isinstance(run, TextRun) and self._coloured[run.font] == coloured
        )
        return replace(line, runs=runs)

    def has_outlines(self, run: TextRun | InlineIcon) -> bool:
        """Return True if the font of a run can be embedded in a PDF."""
        if isinstance(run, InlineIcon):
            return False
        return not {"glyf", "CFF ", "CFF2"}.isdisjoint(self.fonts.font(run.font).face.table_tags)

    def emoji(self, file: FontFile, glyph: Glyph, colour: str) -> tuple[Art, Rect]:
        """Return a cluster of letters in their own colours, and its box, ems from its origin."""
        key = file, glyph.text, colour
        if key not in self._emoji:
            em = self.fonts.font(file).face.upem
            box = Rect(-0.25, -1.25, max(glyph.advance / em, 1.0) + 0.5, 1.75)
            view = as_numbers(*(_EMOJI * each for each in (box.x, box.y, box.width, box.height)))
            look = " ".join(f'{name}="{escape(value)}"' for name, value in file.svg.items())
            in_grey = _IN_GREY if self.ink.mode == "mono" else ("", "")
            svg = (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{in_grey[0]}<text '
                f'{look} font-size="{_EMOJI:g}" fill="{colour}"{in_grey[1]}>{escape(glyph.text)}'
                "</text></svg>"
            )
            whole = Rect(0, 0, _EMOJI * box.width, _EMOJI * box.height)
            self._emoji[key] = Art(svg, _sha256(svg), whole), box
        return self._emoji[key]

    def drawing(self, builder: FaceBuilder, source: Source, on_top: Container[int] = ()) -> Drawing:
        """Return the drawing of a face without faults. Nothing is painted over the texts `on_top`.
        Raises TooMuchArtError."""
        return _Content(self, builder, on_top).drawing(source)


class _WrittenShape(Struct, frozen=True):
    """A shape in a look: the operators that set its colours, those that paint it, and its
    opacities."""

    fill: str
    line: str
    painted: str
    fill_opacity: float
    line_opacity: float


class _Content:
    """One face being written."""

    def __init__(self, painter: Painter, builder: FaceBuilder, on_top: Container[int]) -> None:
        self.painter = painter
        self.builder = builder
        self.on_top = on_top
        self.box = box_of(builder.stock)
        self.used: Used = {}
        self.texts: list[SetText] = []
        self.assets: dict[str, Asset] = {}
        self.groups: dict[str, Group] = {}
        self.opacities: dict[str, Opacity] = {}
        self.shadings: dict[str, bytes] = {}
        self.engine: dict[str, Art] = {}
        self.unseen: list[LetterMark] = []

    def drawing(self, source: Source) -> Drawing:
        stream, place = _Stream(), _Place(source)
        for mark in source.linted.marks:
            self.mark(stream, mark, place)
        stream.leave()
        for text in self.unseen:
            self.text(stream, text, place, seen=False)
        return Drawing(
            pack(stream.bytes),
            tuple(self.texts),
            font_uses(self.used),
            tuple(self.assets.values()),
            tuple(self.groups.values()),
            tuple(self.opacities.values()),
            tuple(self.shadings.items()),
            tuple(self.engine.values()),
        )

    def mark(self, stream: _Stream, mark: Mark, place: _Place) -> None:
        if isinstance(mark, LetterMark):
            self.text(stream, mark, place)
            return
        if isinstance(mark, GroupMark):
            self.group(stream, mark, place)
            return
        onto, matrix, clips = place.onto, mark.matrix, mark.clips
        if onto is not IDENTITY or place.clips:
            matrix = onto.then(matrix)
            clips = (*place.clips, *_moved(clips, onto))
        if isinstance(mark, ShapeMark):
            stream.enter(matrix, clips, self.painter)
            self.shape(stream, mark)
        elif isinstance(mark, PictureMark):
            stream.enter(matrix, clips, self.painter)
            self.picture(stream, mark)
        else:
            stream.enter(IDENTITY, clips, self.painter)
            piece = Excerpt(mark.begin, mark.end, mark.look, matrix)
            self.piece(stream, place.source, piece, mark.opacity)

    def shape(self, stream: _Stream, mark: ShapeMark) -> None:
        if mark.fill is not None:
            self.shaded(stream, mark, mark.fill)
        written = self.written(mark)
        if written.fill or written.line:
            self.plain(stream, mark, written)
        if mark.line is not None:
            self.lined(stream, mark, mark.line)

    def plain(self, stream: _Stream, mark: ShapeMark, written: _WrittenShape) -> None:
        if mark.opacity * written.fill_opacity * written.line_opacity == 1.0:
            stream.paint(written)
            return
        fill, line = (mark.opacity * each for each in (written.fill_opacity, written.line_opacity))
        state = self.opacity(fill, line)
        stream.add(f"q {state} gs {written.fill} {written.line} {written.painted} Q")

    def written(self, mark: ShapeMark) -> _WrittenShape:
        """Return a shape in its look without its gradients, written once."""
        look, known = mark.look, self.painter.shapes
        found = known.get((mark.outline, look))
        is_plain = mark.fill is None and mark.line is None
        if found is None or not is_plain:
            fill, line = Paint("", 1.0), Paint("", 1.0)
            if mark.fills and mark.fill is None:
                fill = self.painter.paint(look.fill)
            if look.strokes and mark.line is None:
                line = self.painter.paint(look.stroke)
            stroke = colour_operators(line.colour, stroke=True) if line.colour else ""
            opaque = fill.opacity * look.fill_opacity if fill.colour else 1.0
            line_opaque = line.opacity * look.stroke_opacity if line.colour else 1.0
            found = _WrittenShape(
                colour_operators(fill.colour) if fill.colour else "",
                f"{stroke} {_line(look)}" if stroke else "",
                _painted(mark, bool(fill.colour), bool(stroke), opaque * line_opaque == 1.0),
                opaque,
                line_opaque,
            )
            if is_plain:
                if len(known) >= _KEPT:
                    known.clear()
                known[mark.outline, look] = found
        return found

    def shaded(self, stream: _Stream, mark: ShapeMark, fill: Gradient) -> None:
        matrix = fill.onto(mark.outline.box)
        if matrix is None:
            return
        name = self.shading("S", self.shading_of(fill))
        opacity = mark.opacity * mark.look.fill_opacity
        state = f"{self.opacity(opacity, 1.0)} gs " if opacity < 1 else ""
        rule = "*" if mark.look.fill_rule == "evenodd" else ""
        stream.add(f"q {state}{mark.outline.filled} W{rule} n {moved(matrix)} /{name} sh Q")

    def lined(self, stream: _Stream, mark: ShapeMark, line: Gradient) -> None:
        """Draw the line of a shape as a gradient: a pattern, whose matrix is relative to the
        face."""
        matrix = line.onto(mark.outline.box)
        if matrix is None:
            return
        place = as_numbers(*stream.matrix.then(matrix)).encode()
        name = self.shading(
            "P",
            b"<</PatternType 2 /Matrix [%s] /Shading %s>>" % (place, self.shading_of(line)),
        )
        opacity = mark.opacity * mark.look.stroke_opacity
        state = f"{self.opacity(1.0, opacity)} gs " if opacity < 1 else ""
        drawn = pdf_syntax.as_path(_straightened(mark.outline.segments))
        stream.add(f"q {state}/Pattern CS /{name} SCN {_line(mark.look)} {drawn} S Q")

    def shading_of(self, gradient: Gradient) -> bytes:
        """Return the shading of a gradient in printed colours."""
        return gradient.shading(lambda colour: self.painter.paint(colour).colour)

    def shading(self, sort: str, written: bytes) -> str:
        """Keep a shading or a pattern; return its name."""
        name = f"{sort}{hashlib.sha256(written).hexdigest()[:_DIGITS]}"
        self.shadings[name] = written
        return name

    def picture(self, stream: _Stream, mark: PictureMark) -> None:
        placed = self.builder.pictures.get(mark.href)
        if mark.box.width <= 0 or mark.box.height <= 0:
            return
        if placed is None:
            if mark.href in self.builder.drawings:
                self.drawn(stream, mark, self.builder.drawings[mark.href])
            return
        self.assets[placed.asset.href] = placed.asset
        state = f"{self.opacity(mark.opacity, 1.0)} gs " if mark.opacity < 1 else ""
        shown = picture_box(mark, placed.info.size)
        place = as_numbers(shown.width, 0, 0, -shown.height, shown.x, shown.bottom)
        name = f"I{placed.asset.sha256[:_DIGITS]}"
        stream.add(f"q {state}{_cut(mark)} {place} cm /{name} Do Q")

    def drawn(self, stream: _Stream, mark: PictureMark, drawing: PlacedDrawing) -> None:
        size, box = drawing.size, picture_box(mark, drawing.size)
        svg = self.painter.ink.printed(drawing.svg)
        art = Art(svg, _sha256(svg), Rect(0, 0, size.width, size.height))
        place = as_numbers(box.width / size.width, 0, 0, box.height / size.height, box.x, box.y)
        self.art(stream, art, mark.opacity, f" {_cut(mark)} {place} cm")

    def group(self, stream: _Stream, mark: GroupMark, place: _Place) -> None:
        """Write a group that is painted by itself first."""
        inside = _Stream(is_group=True)
        for each in mark.marks:
            self.mark(inside, each, place)
        inside.leave()
        content = inside.bytes
        name = f"G{hashlib.sha256(content).hexdigest()[:_DIGITS]}"
        self.groups.setdefault(name, Group(name, pack(content)))
        stream.leave()
        stream.add(f"q {self.opacity(mark.opacity, mark.opacity)} gs /{name} Do Q")

    def opacity(self, fill: float, line: float) -> str:
        """Return the name of a state with these opacities."""
        name = f"o{round(fill * 10000)}-{round(line * 10000)}"
        self.opacities.setdefault(name, Opacity(name, round(fill, 4), round(line, 4)))
        return f"/{name}"

    def piece(self, stream: _Stream, source: Source, piece: Excerpt, opacity: float = 1.0) -> None:
        """Write a part of an SVG that the engine draws. Its texts become outlines; they are written
        again, invisible, so that readers find and copy them."""
        svg = self.painter.excerpts.svg(source, piece, self.box)
        for shown in source.linted.texts:
            if piece.begin <= shown.at < piece.end and shown.matrix is not None:
                assert isinstance(shown.what, int)
                self.unseen.append(LetterMark(shown.what, piece.look, shown.matrix, (), shown.at))
        assets = (placed.asset for placed in self.builder.pictures.values())
        inside = tuple(asset for asset in assets if asset.href in svg)
        self.art(stream, Art(svg, _sha256(svg), self.box, inside), opacity)

    def art(self, stream: _Stream, art: Art, opacity: float, place: str = "") -> None:
        self.engine[art.sha256] = art
        state = f"{self.opacity(opacity, 1.0)} gs " if opacity < 1 else ""
        stream.add(f"q {state}{_FRESH_LINE}{place} /E{art.sha256[:_DIGITS]} Do Q")

    def text(self, stream: _Stream, mark: LetterMark, place: _Place, *, seen: bool = True) -> None:
        """Write a set text, and the icons in its lines."""
        what = self.builder.texts[mark.number].what
        paint = mark.look.fill if what.paint == "inherit" else what.paint
        if seen and paint.startswith("url("):
            end = place.source.content.index(b"?>", mark.at) + 2
            stream.enter(IDENTITY, mark.clips, self.painter)
            self.piece(stream, place.source, Excerpt(mark.at, end, mark.look, mark.matrix))
            return
        x, y = float(what.x), float(what.y)
        plain, coloured = self.painter.parted(what.fitted.lines)
        lines = self.painter.lettering.write(plain, x, y, self.used)
        if coloured:
            self.emoji(stream, mark, coloured, Point(x, y))
        if lines:
            stream.leave()
            clips = "".join(f"{clip_operators(clip, self.painter)} " for clip in mark.clips)
            stream.add(f"q {clips}{moved(mark.matrix)}")
            if seen:
                self.letters(stream, mark, paint, lines)
            else:
                stream.add(f"BT 3 Tr {lines} ET Q")
        for icon in what.icons if seen else ():
            self.icon(stream, icon, mark)

    def emoji(
        self, stream: _Stream, mark: LetterMark, lines: Sequence[TextLine], at: Point
    ) -> None:
        """Write colour letters as drawings, and again invisible, so that readers find and copy
        them."""
        painter, look = self.painter, mark.look
        colour = painter.paint(look.fill).colour if look.fills else "#000000"
        stream.enter(mark.matrix, mark.clips, painter)
        for line in lines:
            for run in line.runs:
                assert isinstance(run, TextRun)
                size, font = pt_to_mm(run.size_pt), painter.fonts.font(run.font)
                for glyph, x, y in placed_glyphs(run, font, at.x + run.x, at.y + line.y):
                    if not glyph.text:  # the first of its cluster is drawn with all letters
                        continue
                    art, box = painter.emoji(run.font, glyph, colour)
                    scale = size * box.width / art.box.width
                    left, top = x + size * box.x, y + size * box.y
                    place = as_numbers(scale, 0, 0, scale, left, top)
                    self.art(stream, art, look.fill_opacity, f" {place} cm")
        outlined = [line for line in lines if all(map(painter.has_outlines, line.runs))]
        unseen = painter.lettering.write(outlined, at.x, at.y, self.used)
        if unseen:
            stream.add(f"q BT 3 Tr {unseen} ET Q")

    def letters(self, stream: _Stream, mark: LetterMark, paint: str, lines: str) -> None:
        look, begin = mark.look, stream.begin
        none = paint in ("none", "transparent")
        fill = self.painter.paint("#000000" if none else paint)
        opacity = round(fill.opacity * look.fill_opacity, 4)
        stroked = look.strokes and not look.stroke.startswith("url(")
        line = self.painter.paint(look.stroke) if stroked else Paint("", 1.0)
        line_opacity = round(line.opacity * look.stroke_opacity, 4) if stroked else 1.0
        if opacity < 1 or line_opacity < 1:
            stream.add(f"{self.opacity(opacity, line_opacity)} gs")
        paint_begin = stream.length
        stream.add(colour_operators(fill.colour))
        paint_end = stream.length
        if stroked:
            stream.add(f"{colour_operators(line.colour, stroke=True)} {_line(look)}")
        if none:
            stream.add(f"BT {1 if stroked else 3} Tr {lines} ET Q")
        elif stroked and (opacity < 1 or line_opacity < 1):  # each shows through the other
            stream.add(f"BT 0 Tr {lines} ET BT 1 Tr {lines} ET Q")
        else:
            stream.add(f"BT {2 if stroked else 0} Tr {lines} ET Q")
        plain = not (none or stroked or stream.is_group or mark.clips) and opacity == 1.0
        if plain and mark.number in self.on_top:
            self.texts.append(SetText(begin, stream.length, paint_begin, paint_end, fill.colour))

    def icon(self, stream: _Stream, icon: PlacedIcon, mark: LetterMark) -> None:
        linted = self.painter.linter.drawing(icon.svg)
        head, drawings = icon.svg.index(b">") + 1, self.builder.drawings
        source = Source(icon.svg, head, linted, drawings=drawings)
        place = _Place(source, mark.matrix.then(icon.matrix), mark.clips)
        for each in linted.marks:
            self.mark(stream, each, place)


def _sha256(svg: str) -> str:
    return hashlib.sha256(svg.encode()).hexdigest()


def _painted(mark: ShapeMark, fills: bool, strokes: bool, opaque: bool) -> str:
    """Return the operators that paint a shape: at once if fill and line are opaque; otherwise the
    fill would show through the line."""
    outline, rule = mark.outline, "*" if mark.look.fill_rule == "evenodd" else ""
    if fills and strokes and opaque and outline.filled == outline.path:
        return f"{outline.path} B{rule}"
    parts = [f"{outline.filled} f{rule}"] if fills else []
    return " ".join([*parts, f"{outline.path} S"] if strokes else parts)


def clip_operators(clip: PlacedClip, painter: Painter) -> str:
    """Return the operators of a clip path; one without shapes hides everything."""
    known = painter.clips.get(clip)
    if known is None:
        if len(painter.clips) >= _KEPT:
            painter.clips.clear()
        paths = [
            pdf_syntax.as_path(_taken(shape.outline, clip.matrix.then(shape.matrix)))
            for shape in clip.shapes
        ]
        rule = "*" if clip.shapes and clip.shapes[0].even_odd else ""
        known = painter.clips[clip] = f"{' '.join(paths) or '0 0 m'} W{rule} n"
    return known


def _taken(outline: Outline, matrix: Matrix) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the steps of an outline, transformed."""
    a, b, c, d, e, f = matrix
    for step, points in outline.segments:
        pairs = zip(points[::2], points[1::2], strict=True)
        yield step, tuple(v for x, y in pairs for v in (a * x + c * y + e, b * x + d * y + f))


def _straightened(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield a path with straight steps for curves: PDFium draws lines in a pattern with few."""
    at: tuple[float, ...] = ()
    for step, points in segments:
        if step == "C":
            (line,) = polylines([("M", at), (step, points)], _STEPS)
            yield from (("L", (point.x, point.y)) for point in line[1:])
        else:
            yield step, points
        at = points[-2:] or at


def _moved(clips: Clips, onto: Matrix) -> Clips:
    return tuple(clip._replace(matrix=onto.then(clip.matrix)) for clip in clips)


_NOWHERE: Final[tuple[Matrix, Clips]] = (IDENTITY, ())


class _Stream:
    """Operators being written, with the current place, clip paths and colours. `begin` and `length`
    are the bounds of the last addition."""

    def __init__(self, *, is_group: bool = False) -> None:
        self.is_group = is_group
        self._parts: list[str] = []
        self.begin = self.length = 0
        self._open = _NOWHERE
        self._fill = self._line = ""

    @property
    def matrix(self) -> Matrix:
        return self._open[0]

    @property
    def bytes(self) -> bytes:
        return "\n".join((*self._parts, "")).encode("ascii")

    def add(self, operators: str) -> None:
        self._parts.append(operators)
        self.begin, self.length = self.length, self.length + len(operators) + 1

    def enter(self, matrix: Matrix, clips: Clips, painter: Painter) -> None:
        """Draw what follows in this place."""
        open_ = self._open
        if clips == open_[1] and matrix == open_[0]:
            return
        self.leave()
        if matrix == IDENTITY and not clips:
            return
        cut = "".join(f"{clip_operators(clip, painter)} " for clip in clips)
        self.add(f"q {cut}{moved(matrix)}" if matrix != IDENTITY else f"q {cut}")
        self._open = matrix, clips

    def leave(self) -> None:
        if self._open is not _NOWHERE:
            self.add("Q")
            self._open = _NOWHERE
            self._fill = self._line = ""

    def paint(self, shape: _WrittenShape) -> None:
        """Paint an opaque shape; set only colours that change."""
        begin = ""
        if shape.fill and shape.fill != self._fill:
            begin = f"{shape.fill} "
            self._fill = shape.fill
        if shape.line and shape.line != self._line:
            begin += f"{shape.line} "
            self._line = shape.line
        self.add(begin + shape.painted)


def _line(look: Look) -> str:
    lengths, begin = dashes(look)
    return (
        f"{as_number(look.stroke_width)} w {_CAPS[look.cap]} J {_JOINS[look.join]} j "
        f"{as_number(look.limit)} M [{as_numbers(*lengths)}] {as_number(begin)} d"
    )


def _cut(mark: PictureMark) -> str:
    """Return the operators that cut a picture to its box."""
    box = mark.box
    is_cut = mark.fit.endswith("slice")
    return f"{as_numbers(box.x, box.y, box.width, box.height)} re W n" if is_cut else ""


def picture_box(mark: PictureMark, size: Size) -> Rect:
    """Return the box of a whole picture, in the mark's units, before it is cut."""
    box, width, height = mark.box, size.width, size.height
    if mark.fit == "none":
        return box
    across, down = box.width / width, box.height / height
    scale = max(across, down) if mark.fit.endswith("slice") else min(across, down)
    wide, high = width * scale, height * scale
    align = mark.fit.split()[0]
    x = {"xMin": 0.0, "xMid": 0.5, "xMax": 1.0}[align[:4]]
    y = {"YMin": 0.0, "YMid": 0.5, "YMax": 1.0}[align[4:]]
    return Rect(box.x + (box.width - wide) * x, box.y + (box.height - high) * y, wide, high)


def box_of(stock: Stock) -> Rect:
    """Return the box of a face with its bleed, mm from the top-left corner of its trim."""
    return Rect(0, 0, stock.trim.width, stock.trim.height).grown(stock.bleed)
