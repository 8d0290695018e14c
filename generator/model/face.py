"""What render and impose hand on: a face as layers of art and set text, with what was learned
drawing it; sheets on which everything has its absolute place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct, msgpack

from generator.diagnostics import Span
from generator.fonts import FontFile
from generator.geometry import IDENTITY, Matrix, Point, Rect, Size, format_mm
from generator.model.catalogue import TRUE, Paper, PrinterStretch, Stock


class Glyph(NamedTuple):
    """A glyph of a font by its number: how far the pen moves on and where beside it the glyph
    stands, in font units, y upwards. `text` is what it shows; of the glyphs that show something
    together the first, from left to right, has it all."""

    id: int
    text: str
    advance: int
    dx: int = 0
    dy: int = 0


def clusters(glyphs: Sequence[Glyph]) -> Iterator[Sequence[Glyph]]:
    """Glyphs that show something together, from left to right."""
    start = 0
    for end in range(1, len(glyphs) + 1):
        if end == len(glyphs) or glyphs[end].text:
            yield glyphs[start:end]
            start = end


class WordStretch(NamedTuple):
    """The glyphs of a word in a run, and the white before it, em: a `space`, or only how its first
    letter is kerned."""

    glyphs: tuple[Glyph, ...]
    white: float = 0.0
    space: bool = False


class TextRun(Struct, frozen=True, tag=True):
    """Text of one look: x of its left edge in its box and its advance, mm. `text` is in reading
    order, the words in `stretches` stand from left to right."""

    x: float
    width: float
    text: str
    font: FontFile
    size_pt: float
    right_to_left: bool = False
    stretches: tuple[WordStretch, ...] = ()


class InlineIcon(Struct, frozen=True, tag=True):
    """An icon in a line: its top-left corner in the box, its width and height, mm."""

    name: str
    x: float
    y: float
    width: float
    height: float


class TextLine(Struct, frozen=True):
    """A line: its baseline below the top of its box, its left edge and advance, mm; its runs
    from left to right."""

    y: float
    x: float
    width: float
    runs: tuple[TextRun | InlineIcon, ...]


class TextBox(Struct, frozen=True):
    """One set text: its box and what the ink fills (trim coordinates, mm), size reached, pt;
    whether it is there to be looked at only."""

    box: Rect
    used: Rect
    style: str
    size_pt: float
    lines: int
    span: Span
    decoration: bool = False


class Asset(Struct, frozen=True):
    """A picture that a face shows: `href` in the SVG is named by content, `path` is the file, and
    `sha256` what was in it when it was found fit to print."""

    href: str
    path: Path
    sha256: str


Segment = tuple[str, tuple[float, ...]]
"""A step of a path and its points, x and y in turn, mm: M(ove), L(ine), C(urve), Z (closed)."""


class Clip(Struct, frozen=True):
    """An outline on the face, trim coordinates, outside of which nothing shows."""

    segments: tuple[Segment, ...]
    even_odd: bool = False


class Art(Struct, frozen=True, tag=True):
    """A drawing: an SVG whose viewBox is `box`, in mm. `matrix` takes it onto the face, whose
    origin is the trim's top-left corner. `sha256` is that of the SVG, which is drawn once however
    often it is shown."""

    svg: str
    sha256: str
    box: Rect
    assets: tuple[Asset, ...] = ()
    matrix: Matrix = IDENTITY
    clips: tuple[Clip, ...] = ()


class LetterStroke(Struct, frozen=True):
    """How letters are outlined: `#rrggbb`, width in mm, how corners are joined (miter, round or
    bevel), and how far mitres may stand out, in widths."""

    colour: str
    width: float
    join: str = "miter"
    limit: float = 4.0


_LINES: Final = msgpack.Decoder(tuple[TextLine, ...])


def packed_lines(lines: tuple[TextLine, ...]) -> bytes:
    """Lines as a text has them."""
    return msgpack.encode(lines)


class Text(Struct, frozen=True, tag=True):
    """Set text: lines whose places are from (x, y), mm, taken onto the face by `matrix`. `fill` is
    `#rrggbb` or "none", `sha256` names what the lines show, fonts and all. Text that is not
    `shown` lies over art that already looks like it, so that it can be found and copied.

    The lines are packed: the glyphs of a deck of thousands, as values, would take half a gigabyte
    and be told from process to process, and most are looked at once or never."""

    packed: bytes
    x: float
    y: float
    sha256: str
    fill: str
    opacity: float = 1.0
    stroke: LetterStroke | None = None
    matrix: Matrix = IDENTITY
    clips: tuple[Clip, ...] = ()
    shown: bool = True

    @property
    def lines(self) -> tuple[TextLine, ...]:
        """The lines, made anew each time."""
        return _LINES.decode(self.packed)


Layer = Art | Text


class Face(Struct, frozen=True):
    """One side of a component: its layers in the order of painting. `sha256` is made of all that
    they show, so faces with the same one look alike and are drawn once. `words` are all that can
    be read on it, a text a line; None where it takes more to know what is seen how often. One that
    is not `whole` has an error, such as a text that does not fit, and is only looked at. `flaws`
    are the places of its errors, trim coordinates, mm, which pictures of it frame in red."""

    component: str
    kind: str
    name: str
    stock: Stock
    layers: tuple[Layer, ...]
    sha256: str
    span: Span
    text_boxes: tuple[TextBox, ...] = ()
    words: str | None = ""
    whole: bool = True
    flaws: tuple[Rect, ...] = ()

    @property
    def assets(self) -> tuple[Asset, ...]:
        """The pictures that it shows, each once."""
        found = (asset for layer in self.layers if isinstance(layer, Art) for asset in layer.assets)
        return tuple(dict.fromkeys(found))

    @property
    def svg(self) -> str:
        """The face as one SVG with the trim's top-left corner as its origin, mm; text is text, in
        fonts by name."""
        box = Rect(0, 0, self.stock.trim.width, self.stock.trim.height).grown(self.stock.bleed)
        size = f'width="{format_mm(box.width)}mm" height="{format_mm(box.height)}mm"'
        view = " ".join(map(format_mm, (box.x, box.y, box.width, box.height)))
        inside = "".join(_placed(layer, number) for number, layer in enumerate(self.layers))
        root = f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{view}">'
        return f"{root}{inside}</svg>"


def _placed(layer: Layer, number: int) -> str:
    """A layer as part of the SVG of its face."""
    if isinstance(layer, Art):
        start, end = layer.svg.index(">") + 1, layer.svg.rindex("<")
        inside, matrix = layer.svg[start:end], layer.matrix
        if matrix != IDENTITY:
            left, top, wide, _ = map(
                float, layer.svg.split('viewBox="', 1)[1].split('"')[0].split()
            )
            scale = layer.box.width / wide
            x, y = layer.box.x - left * scale, layer.box.y - top * scale
            matrix = matrix.then(Matrix(scale, 0, 0, scale, x, y))
    else:
        if not layer.shown:
            return ""
        from generator.text import to_svg  # noqa: PLC0415, takes a while, and few need it

        inside, matrix = to_svg(layer.lines, layer.x, layer.y, layer.fill), layer.matrix
        if layer.opacity != 1.0:
            inside = f'<g fill-opacity="{layer.opacity}">{inside}</g>'
        if layer.stroke is not None:
            look = layer.stroke
            inside = (
                f'<g stroke="{look.colour}" stroke-width="{look.width}" '
                f'stroke-linejoin="{look.join}" stroke-miterlimit="{look.limit}">{inside}</g>'
            )
    if matrix != IDENTITY:
        numbers = " ".join(f"{value:.9g}" for value in matrix)
        inside = f'<g transform="matrix({numbers})">{inside}</g>'
    for depth, clip in enumerate(layer.clips):
        name = f"clip-{number}-{depth}"
        steps = (step + " ".join(f"{v:g}" for v in points) for step, points in clip.segments)
        rule = ' clip-rule="evenodd"' if clip.even_odd else ""
        path = f'<clipPath id="{name}"><path d="{"".join(steps)}"{rule}/></clipPath>'
        inside = f'{path}<g clip-path="url(#{name})">{inside}</g>'
    return inside


class Side(StrEnum):
    """Which side of the paper a page prints."""

    FRONT = "front"
    BACK = "back"


class PdfLayer(StrEnum):
    """The PDF layers, named as a viewer shows them."""

    CUT = "Cut lines"
    FOLD = "Fold lines"
    GUIDES = "Ruler and slug"
    REGISTRATION = "Registration marks"


class PrintedPiece(Struct, frozen=True):
    """What impose places: a front, the back behind it if it has one, how many copies."""

    front: Face
    back: Face | None
    copies: int


class PosterPage(Struct, frozen=True):
    """Which page of a poster it is, row and column counted from 1. `shown` is what of the page is
    seen when all are trimmed and glued, page coordinates, mm; what is drawn beyond it is cut off
    or lies under a neighbour."""

    row: int
    column: int
    rows: int
    columns: int
    shown: Rect


class Placement(Struct, frozen=True):
    """A face on a page. (x, y) is the top-left corner of the upright box around the turned
    trim, origin at the page's top-left, mm; `rotation` is clockwise in quarter turns, degrees;
    width and height are those of the box on the page, after the turn. The face is drawn with
    `bleed` mm beyond the trim, inside `clip` (page coordinates) if there is one, and where `edge`
    has corners inside that convex polygon, whose box `clip` then is. Of a poster a page shows a
    part only. `marked` is False for a sticker whose label has no place for marks."""

    face: Face
    copy: int
    side: Side
    x: float
    y: float
    width: float
    height: float
    rotation: int
    bleed: float
    clip: Rect | None = None
    edge: tuple[Point, ...] = ()
    poster: PosterPage | None = None
    marked: bool = True

    @property
    def trim(self) -> Rect:
        """The trim on the page."""
        return Rect(self.x, self.y, self.width, self.height)

    @property
    def finished(self) -> Rect:
        """What of the trim is left of this page when it is cut."""
        return self.trim if self.poster is None else self.trim.cut_to(self.poster.shown)

    @property
    def art(self) -> Rect:
        """What of the page the art covers: trim and bleed, or what `clip` leaves of it."""
        return self.clip or self.trim.grown(self.bleed)


class LineMark(Struct, frozen=True):
    """A straight mark on a layer, mm; `dash` is on/off lengths or empty for a solid line."""

    layer: PdfLayer
    start: Point
    end: Point
    width: float = 0.15
    grey: float = 0.0
    dash: tuple[float, ...] = ()


class PathMark(Struct, frozen=True):
    """A die line on a layer: path data in page coordinates, mm, of absolute M, L, C and Z only;
    of one that runs over several pages this one shows what lies inside `clip`."""

    layer: PdfLayer
    path: str
    width: float = 0.15
    grey: float = 0.0
    clip: Rect | None = None


class TextMark(Struct, frozen=True):
    """A line of slug text; `at` is the baseline's start, mm; size in pt; `rotation` clockwise in
    degrees about `at` (270 reads upwards)."""

    layer: PdfLayer
    at: Point
    text: str
    size_pt: float = 6.0
    rotation: int = 0
    anchor: str = "start"


Mark = LineMark | PathMark | TextMark


class Sheet(Struct, frozen=True):
    """One page: paper, its size as it lies (mm), side, placements and marks. `label` is the
    page label that a viewer shows (`3 front`), `stretch` what the printer does to it, against which
    it is printed."""

    paper: Paper
    size: Size
    side: Side
    number: int
    label: str
    placements: tuple[Placement, ...]
    marks: tuple[Mark, ...]
    stretch: PrinterStretch = TRUE
