"""The values that render and impose return: faces as PDF operators with their findings, and sheets
with absolute placements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from generator.diagnostics import Span
from generator.fonts import FontFile
from generator.geometry import Point, Rect, Size
from generator.model.catalogue import TRUE, Paper, PrinterStretch, Stock
from generator.model.packed import Operators, pack
from generator.model.painted import FaceTraits


class Glyph(NamedTuple):
    """A glyph of a font by its number, with its advance and offset in font units, y upwards. `text`
    is what it shows; if several glyphs show something together, the leftmost has all of it."""

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
    """One set text: its box, the part that ink fills (trim coordinates, mm), its size in pt, and
    whether it is decoration. `span` is where it is written, or its component; `call` is the line of
    a template or the box of a face file that sets it."""

    box: Rect
    used: Rect
    style: str
    size_pt: float
    lines: int
    span: Span
    decoration: bool = False
    call: Span | None = None


class FacePicture(Struct, frozen=True):
    """A picture or an icon on a face: the upright box around its place (trim coordinates, mm),
    where its name is written if it comes from a field, and what places it, as in `TextBox`."""

    rect: Rect
    span: Span | None
    call: Span | None
    icon: bool = False


class PlacedBox(Struct, frozen=True):
    """A box of a face file on a face: its name, its place (trim coordinates, mm), and where the
    file has it."""

    name: str
    rect: Rect
    span: Span


class Asset(Struct, frozen=True):
    """A picture that a face shows: `href` names it in the SVG by content, `path` is the file, and
    `sha256` is that of its bytes when it was checked."""

    href: str
    path: Path
    sha256: str


class Art(Struct, frozen=True):
    """A drawing for the SVG engine: an SVG whose viewBox is `box`, in mm. `sha256` is that of the
    SVG, which is drawn once however often it is shown."""

    svg: str
    sha256: str
    box: Rect
    assets: tuple[Asset, ...] = ()


class FontUse(Struct, frozen=True):
    """The glyphs of a font that something uses, by number, each with its letters: in `shown`
    everywhere, in `beside` where the text itself gives the letters. `name` is what content calls
    the font."""

    name: str
    file: FontFile
    shown: tuple[tuple[int, str], ...]
    beside: tuple[tuple[int, str], ...]


class SetText(Struct, frozen=True):
    """The place of a text in the content of a face, bytes `begin` to `end`, and of the operators
    for its colour. `colour` is `#rrggbb` for letters that are opaque, plainly filled and under
    nothing that is painted later, else "" (a press may set the others in their own ink)."""

    begin: int
    end: int
    paint_begin: int
    paint_end: int
    colour: str


class Group(Struct, frozen=True):
    """Content that is painted as a group, with the name that other content uses for it."""

    name: str
    content: Operators


class Opacity(Struct, frozen=True):
    """The opacity of fills and lines, 0 to 1, with the name that content uses for it."""

    name: str
    fill: float
    line: float


class Drawing(Struct, frozen=True):
    """A face as PDF operators, in mm from the top-left corner of its trim, y downwards.

    `content` calls by name: pictures (`/I` and 16 digits of the file's sha256),
    `groups` (`/G`, those inside of others first), drawings of the `engine` (`/E` and 16 digits),
    `shadings` (`/S`) and patterns of such (`/P`), which have `%s` for their colour space, fonts
    (`/T`) and opacities (`/o`).
    """

    content: Operators
    texts: tuple[SetText, ...] = ()
    fonts: tuple[FontUse, ...] = ()
    assets: tuple[Asset, ...] = ()
    groups: tuple[Group, ...] = ()
    opacities: tuple[Opacity, ...] = ()
    shadings: tuple[tuple[str, bytes], ...] = ()
    engine: tuple[Art, ...] = ()


def drawn_by_engine(art: Art) -> Drawing:
    """Return a drawing that the SVG engine draws as a whole."""
    return Drawing(pack(f"q /E{art.sha256[:16]} Do Q\n".encode()), engine=(art,))


class Face(Struct, frozen=True):
    """One side of a component. `sha256` is made of all that its drawing shows and of how it is cut
    out, so faces with the same one look alike and are drawn once. `words` is all text on it, one
    text a line. One that is not `whole` has an error, such as a text that does not fit, and is only
    looked at. `flaws` are then the places of its errors, trim coordinates, mm, which pictures of it
    frame in red. `placed` are the boxes of its face file, `variants` the values that chose them.
    `pictures` are in the order of painting. `svg` is the face as one SVG with its texts as text,
    if it was asked for."""

    component: str
    kind: str
    name: str
    stock: Stock
    drawing: Drawing
    sha256: str
    span: Span
    text_boxes: tuple[TextBox, ...] = ()
    words: str = ""
    whole: bool = True
    flaws: tuple[Rect, ...] = ()
    svg: str = ""
    traits: FaceTraits = FaceTraits()
    placed: tuple[PlacedBox, ...] = ()
    variants: tuple[str | None, ...] = ()
    pictures: tuple[FacePicture, ...] = ()

    @property
    def assets(self) -> tuple[Asset, ...]:
        """Return the pictures that it shows, each once."""
        inside = (asset for art in self.drawing.engine for asset in art.assets)
        return tuple(dict.fromkeys((*self.drawing.assets, *inside)))

    @property
    def box(self) -> Rect:
        """Return the box of the face with its bleed, mm from the top-left corner of its trim."""
        return Rect(0, 0, self.stock.trim.width, self.stock.trim.height).grown(self.stock.bleed)


class Side(StrEnum):
    """The side of the paper that a page prints."""

    FRONT = "front"
    BACK = "back"


class PdfLayer(StrEnum):
    """The PDF layers, named as a viewer shows them."""

    CUT = "Cut lines"
    FOLD = "Fold lines"
    GUIDES = "Ruler and slug"
    REGISTRATION = "Registration marks"


class PrintedPiece(Struct, frozen=True):
    """A piece to be placed: a front, its back if it has one, and the number of copies."""

    front: Face
    back: Face | None
    copies: int


class PosterPage(Struct, frozen=True):
    """The page of a poster, with its row and column counted from 1. `shown` is the part of the page
    that is seen when all are trimmed and glued, page coordinates, mm. The rest is cut off or lies
    under a neighbour."""

    row: int
    column: int
    rows: int
    columns: int
    shown: Rect


class Placement(Struct, frozen=True):
    """A face on a page. (x, y) is the top-left corner of the upright box around the turned trim,
    origin at the page's top-left, mm; `rotation` is clockwise in quarter turns, degrees; width and
    height are those of the box on the page, after the turn. The face is drawn with `bleed` mm
    beyond the trim, inside `clip` (page coordinates) if there is one, and where `edge` has corners
    inside that convex polygon, whose box `clip` then is. A page of a poster shows only a part of
    the face. `marked` is False for a sticker whose label has no place for marks."""

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
        """Return the part of the trim that is left on this page when it is cut."""
        return self.trim if self.poster is None else self.trim.cut_to(self.poster.shown)

    @property
    def art(self) -> Rect:
        """Return the part of the page that the art covers: trim and bleed, cut to `clip`."""
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
    """A die line on a layer: path data in page coordinates, mm, of absolute M, L, C and Z only; if
    it runs over several pages, this one shows the part inside `clip`."""

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
    """One page: paper, its size as it lies (mm), side, placements and marks. `label` is the page
    label that a viewer shows (`3 front`), `stretch` the printer's distortion, which is cancelled
    out in print."""

    paper: Paper
    size: Size
    side: Side
    number: int
    label: str
    placements: tuple[Placement, ...]
    marks: tuple[Mark, ...]
    stretch: PrinterStretch = TRUE
