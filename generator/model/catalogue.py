"""What packs and commands may name: stocks, papers, label sheets, cutters, printers, shops and
what they take; cards/shared/*.yaml or a project's own files say it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from generator.diagnostics import Span
from generator.geometry import ORIGIN, Matrix, Point, Rect, Size


class Shape(StrEnum):
    """The outline that the die, knife or scissors follow."""

    RECTANGLE = "rectangle"
    ROUNDED = "rounded"
    CIRCLE = "circle"
    HEXAGON = "hexagon"
    PATH = "path"


class Edge(StrEnum):
    """What comes to the cut: ink that runs out of the bleed, or paper left white on purpose."""

    INK = "ink"
    WHITE = "white"


class Fold(Struct, frozen=True):
    """A fold line in trim coordinates, mm."""

    start: Point
    end: Point


class Stock(Struct, frozen=True):
    """The blank that a face is drawn on, mm. `path` is SVG path data in trim coordinates.

    A hexagon fills the trim box: pointy top when it is higher than wide, else flat top.
    """

    name: str
    trim: Size
    bleed: float = 3.0
    safe: float = 3.0
    corner_radius: float = 0.0
    shape: Shape = Shape.RECTANGLE
    path: str = ""
    folds: tuple[Fold, ...] = ()
    description: str = ""
    edge: Edge = Edge.INK

    @property
    def safe_zone(self) -> Rect:
        """Where text may stand, in trim coordinates."""
        return Rect(0, 0, self.trim.width, self.trim.height).grown(-self.safe)


class Paper(Struct, frozen=True):
    """A sheet of paper, portrait, mm; `margin` is what a home printer leaves white on each side."""

    name: str
    title: str
    size: Size
    margin: float = 5.0


class LabelSheet(Struct, frozen=True):
    """A die-cut label sheet, mm: `first` is the top-left corner of the first label."""

    name: str
    title: str
    paper: str
    label: Size
    columns: int
    rows: int
    first: Point
    pitch: Size
    corner_radius: float = 0.0
    start: int = 1

    def fills(self, paper: Paper) -> bool:
        """True for one label all over what a printer reaches: it is cut as any other paper is."""
        wide, high = (side - 2 * paper.margin for side in (paper.size.width, paper.size.height))
        return self.columns == self.rows == 1 and Size(wide, high).fits_in(self.label)


class Registration(Struct, frozen=True):
    """The marks by which a cutting machine finds what is printed, mm: a `square` of so much at the
    top left, and angles with legs of a `length` at the top right and the bottom left. If `square`
    is 0, an angle in each of the four corners. They stand `inset` from the edges of the paper, and
    nothing is nearer to them than `clear`."""

    inset: float
    length: float
    thickness: float
    square: float
    clear: float


class Cutter(Struct, frozen=True):
    """A cutting machine: one that looks for `marks` on a printed sheet, or one whose program prints
    a picture of at most `area` with marks of its own."""

    name: str
    title: str
    marks: Registration | None = None
    area: Size | None = None


class PrinterStretch(Struct, frozen=True):
    """How a printer draws a page about its middle: so many times as long along the paper's short
    side, and along its long side, and turned clockwise, in degrees."""

    short: float = 1.0
    long: float = 1.0
    skew: float = 0.0

    def lands(self, page: Size) -> Matrix:
        """From where ink was told to go on a page to where it lands, mm."""
        angle = math.radians(self.skew)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = page.width / 2, page.height / 2
        wide, high = (self.short, self.long) if x <= y else (self.long, self.short)
        turned = Matrix(cos * wide, sin * wide, -sin * high, cos * high)
        return Matrix(e=x, f=y).then(turned).then(Matrix(e=-x, f=-y))

    def farthest(self, page: Size) -> float:
        """mm by which ink on that page lands beside its place at most: in a corner."""
        lands, corners = self.lands(page), Rect(0, 0, page.width, page.height).corners
        return max(math.dist((p.x, p.y), (q.x, q.y)) for p in corners for q in [lands.point(p)])


TRUE: Final = PrinterStretch()
"""That of a printer that draws a page as it is."""


class PrinterProfile(Struct, frozen=True):
    """Where a printer puts ink against where it was told to, fronts and backs: so many mm to the
    right and below, and stretched. From sheet to sheet it differs from that by up to `tolerance`,
    mm."""

    name: str = ""
    front: Point = ORIGIN
    back: Point = ORIGIN
    tolerance: float = 0.0
    front_stretch: PrinterStretch = TRUE
    back_stretch: PrinterStretch = TRUE


class Catalogue(Struct, frozen=True):
    """All the stocks, papers, label sheets and cutters that a pack or a command may name."""

    stocks: dict[str, Stock]
    papers: dict[str, Paper]
    label_sheets: dict[str, LabelSheet]
    cutters: dict[str, Cutter] = field(default_factory=dict)


OUTLETS: Final[Mapping[str, str]] = {
    "images": "a picture of each face, and a table of them",
    "svg": "each face as an SVG with text as text, for a drawing program",
    "pnp": "a zip for a download page: both papers, full and low ink, and how to make it",
    "drivethru": "DriveThruCards: a PDF/X-1a a deck in four inks, backs and fronts in turn",
    "press": "any press: PDF/X-4 in four inks, fronts and backs of a kind in a file each",
    "cutter": "sheets with marks, and where a machine cuts them: SVG, DXF, CutContour",
    "tts": "a saved object of Tabletop Simulator with all pieces",
    "pcio": "a room of playingcards.io with all pieces in piles",
    "ttpg": "a package of Tabletop Playground with all pieces as templates",
}
"""What there is besides the home PDF and the shops, by name."""
WISHES: Final[Mapping[str, tuple[str, ...]]] = {
    "images": ("names",),
    "svg": ("names",),
    "tts": ("objects", "url", "sheet_px"),
    "ttpg": ("objects", "sheet_px"),
}
"""What a pack may wish of them; of a shop that makes products, which."""


class TableObject(StrEnum):
    """What a kind becomes on a virtual table."""

    DECK = "deck"
    TILE = "tile"
    TOKEN = "token"  # noqa: S105, a piece of cardboard
    FIGURINE = "figurine"
    DICE = "dice"


ADDRESS: Final = re.compile(r"https?://[^\s\x00-\x1f]+")
"""Where a table can find pictures."""


class Product(Struct, frozen=True):
    """A blank that a shop prints on: the pixels that it wants, bleed included, and what is cut out
    of them, mm, upright or lying as the shop has it; `sticks` if it is one of stickers."""

    name: str
    canvas: tuple[int, int]
    trim: Size
    shape: Shape
    sticks: bool = False


class AnySize(Struct, frozen=True):
    """A shop that cuts what it is sent: the bleed that it wants, mm, and the most pixels of a side;
    0 for no limit."""

    bleed: float
    most_px: int = 0


class Shop(Struct, frozen=True):
    """How a print shop takes pictures, and what it makes of them.

    `fronts` and `backs` are the names of files, without suffix, with {product}, {kind}, {id},
    {number} and {copies} in them. A shop that `repeats` is given a picture for each copy;
    `shared_back` names the one file for backs that are all alike, if it takes that. Text keeps
    `safe` mm clear of the trim. A product has `most` pictures, a file `most_bytes`; 0 for any.
    """

    name: str
    title: str
    span: Span
    fronts: str
    backs: str
    shared_back: str
    dpi: int
    format: str
    repeats: bool
    safe: float
    most: int
    most_bytes: int
    products: Mapping[str, Product]
    any_size: AnySize | None


class Wish(Struct, frozen=True):
    """What a pack says of an outlet: the product of a shop that a kind is to be made as, or the
    object of a table that it becomes; the names of pictures; where a table finds them, and how many
    pixels a side of a sheet of cards has there at most, 0 for as many as it takes."""

    span: Span
    products: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, TableObject] = field(default_factory=dict)
    names: str = ""
    url: str = ""
    sheet_px: int = 0


class Blank(Struct, frozen=True):
    """What a profile's shop cuts, mm: the piece, and the page with its bleed that it is sent as."""

    name: str
    trim: Size
    page: Size


class PdfProfile(Struct, frozen=True):
    """What somebody who prints takes, and refuses; lengths in mm.

    Of a shop a page is one piece of its `blanks`, any where there are none; one that takes
    `pictures` makes a picture of each page, and cuts nothing off. It has `bleed`, text keeps `safe`
    clear of the cut, and with `boxes` the page says where that is. Of a printer at home a page is a
    sheet of one of its `papers`, which stays white in their margins. `colours` are kinds of colour
    that will do, `spot` for inks of their own; of all inks `ink` % at most lie in one place. One of
    the `standards` is wanted, and one of the `conditions` as its output intent. Pictures have `dpi`
    at least; `paired` pages are the sides of a card in turn. 0 and nothing stand for any.
    """

    name: str
    title: str
    blanks: tuple[Blank, ...] = ()
    papers: tuple[Paper, ...] = ()
    pictures: bool = False
    bleed: float = 0.0
    safe: float = 0.0
    boxes: bool = False
    colours: tuple[str, ...] = ()
    ink: float = 0.0
    transparency: bool = True
    standards: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    dpi: int = 0
    most_pages: int = 0
    most_bytes: int = 0
    paired: bool = False
