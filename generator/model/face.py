"""What render hands on: a face as layers of art and set text, with what was learned drawing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct, msgpack

from generator.diagnostics import Span
from generator.fonts import FontFile
from generator.geometry import IDENTITY, Matrix, Rect, format_mm
from generator.model.catalogue import Stock


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
    whether it is there to be looked at only; the field that its words stand in."""

    box: Rect
    used: Rect
    style: str
    size_pt: float
    lines: int
    span: Span
    decoration: bool = False
    field: str = ""


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


def packed(lines: tuple[TextLine, ...]) -> bytes:
    """Lines as a text has them."""
    return msgpack.encode(lines)


class Text(Struct, frozen=True, tag=True):
    """Set text: lines whose places are from (x, y), mm, taken onto the face by `matrix`. `fill` is
    `#rrggbb` or "none", `sha256` names what the lines show, fonts and all. Text that is not
    `shown` lies over art that already looks like it, so that it can be found and copied.

    The lines are `packed`: the glyphs of a deck of thousands, as values, would take half a gigabyte
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
    is not `whole` has an error, such as a text that does not fit, and is only looked at."""

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
