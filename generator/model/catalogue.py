"""Values that packs and commands may name: stocks, papers, label sheets, cutters, printers and
shops.

They come from cards/shared/*.yaml and a project's own files.
"""

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
    """The outline of the die, knife or scissors."""

    RECTANGLE = "rectangle"
    ROUNDED = "rounded"
    CIRCLE = "circle"
    HEXAGON = "hexagon"
    PATH = "path"


class Edge(StrEnum):
    """Ink that bleeds over the cut, or paper left white on purpose."""

    INK = "ink"
    WHITE = "white"


class Fold(Struct, frozen=True):
    """A fold line in trim coordinates, mm."""

    start: Point
    end: Point


class Stock(Struct, frozen=True):
    """The blank that a face is drawn on, mm. `path` is SVG path data in trim coordinates. A hexagon
    fills the trim box: pointy top if higher than wide, else flat top."""

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


class Paper(Struct, frozen=True):
    """A sheet of paper, portrait, mm; `margin` is the white edge of a home printer."""

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
        """Return True for one label that fills the printable area: it is cut like plain paper."""
        wide, high = (side - 2 * paper.margin for side in (paper.size.width, paper.size.height))
        return self.columns == self.rows == 1 and Size(wide, high).fits_in(self.label)


class Registration(Struct, frozen=True):
    """The marks that a cutting machine reads, mm, `inset` from the edges of the paper: a `square`
    at the top left and angles with legs of a `length` at the top right and bottom left; angles in
    all corners if `square` is 0. Nothing is nearer to them than `clear`."""

    inset: float
    length: float
    thickness: float
    square: float
    clear: float


class Cutter(Struct, frozen=True):
    """A cutting machine. It reads `marks` on a printed sheet, or its program prints a picture of at
    most `area` with marks of its own."""

    name: str
    title: str
    marks: Registration | None = None
    area: Size | None = None


class PrinterStretch(Struct, frozen=True):
    """A printer's distortion of a page about its middle: factors along the paper's short and long
    side, and a clockwise turn in degrees."""

    short: float = 1.0
    long: float = 1.0
    skew: float = 0.0

    def lands(self, page: Size) -> Matrix:
        """Return the matrix from intended to printed places, mm."""
        angle = math.radians(self.skew)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = page.width / 2, page.height / 2
        wide, high = (self.short, self.long) if x <= y else (self.long, self.short)
        turned = Matrix(cos * wide, sin * wide, -sin * high, cos * high)
        return Matrix(e=x, f=y).then(turned).then(Matrix(e=-x, f=-y))

    def farthest(self, page: Size) -> float:
        """Return the greatest distance between an intended and a printed place, mm."""
        lands, corners = self.lands(page), Rect(0, 0, page.width, page.height).corners
        return max(math.dist((p.x, p.y), (q.x, q.y)) for p in corners for q in [lands.point(p)])


TRUE: Final = PrinterStretch()
"""A printer without distortion."""


class PrinterProfile(Struct, frozen=True):
    """A printer's offsets, mm to the right and down, and distortion, of fronts and backs. Sheets
    differ from them by up to `tolerance`, mm."""

    name: str = ""
    front: Point = ORIGIN
    back: Point = ORIGIN
    tolerance: float = 0.0
    front_stretch: PrinterStretch = TRUE
    back_stretch: PrinterStretch = TRUE


class Catalogue(Struct, frozen=True):
    """The stocks, papers, label sheets and cutters that a pack or command may name."""

    stocks: dict[str, Stock]
    papers: dict[str, Paper]
    label_sheets: dict[str, LabelSheet]
    cutters: dict[str, Cutter] = field(default_factory=dict)


OUTLETS: Final[Mapping[str, str]] = {
    "images": "a picture of each face, and a table of them",
    "svg": "each face as an SVG with text as text, for a drawing program",
    "pnp": "a zip for others to download: both papers, full and low ink, and how to make it",
    "drivethru": "DriveThruCards: a PDF/X-1a for each deck in four inks, backs and fronts in turn",
    "press": "any press: PDF/X-4 in four inks, fronts and backs of a kind in a file each",
    "cutter": "sheets with marks, and where a machine cuts them: SVG, DXF, CutContour",
    "tts": "a saved object of Tabletop Simulator with all pieces",
    "pcio": "a room of playingcards.io with all pieces in piles",
    "ttpg": "a package of Tabletop Playground with all pieces as templates",
}
"""Outlets besides the home PDF and the shops, by name."""
WISHES: Final[Mapping[str, tuple[str, ...]]] = {
    "images": ("names",),
    "svg": ("names",),
    "tts": ("objects", "url", "sheet_px"),
    "ttpg": ("objects", "sheet_px"),
}
"""Settings that a pack may give to an outlet. Shops with products take `products`."""


class TableObject(StrEnum):
    """The object that a kind becomes on a virtual table."""

    DECK = "deck"
    TILE = "tile"
    TOKEN = "token"  # noqa: S105, a piece of cardboard
    FIGURINE = "figurine"
    DICE = "dice"


ADDRESS: Final = re.compile(r"https?://[^\s\x00-\x1f]+")
"""The address of pictures for a virtual table."""


class Product(Struct, frozen=True):
    """A blank of a print shop: the pixels of its picture, bleed included, and its trim, mm, in the
    shop's orientation; `sticks` for stickers."""

    name: str
    canvas: tuple[int, int]
    trim: Size
    shape: Shape
    sticks: bool = False


class AnySize(Struct, frozen=True):
    """A shop that cuts any size: its bleed, mm, and the most pixels of a side; 0 for no limit."""

    bleed: float
    most_px: int = 0


class Shop(Struct, frozen=True):
    """The pictures that a print shop takes, and its products.

    `fronts` and `backs` are file names without suffix, with {product}, {kind}, {id}, {number} and
    {copies} in them. A shop that `repeats` takes a picture for each copy. `shared_back` is the file
    for backs that are all alike. Text keeps `safe` mm from the trim. A product has at most `most`
    pictures, a file `most_bytes`; 0 for any.
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
    products: Mapping[str, Product]
    any_size: AnySize | None
    most: int = 0
    most_bytes: int = 0

    @property
    def takes(self) -> str:
        """Return in words which pictures it takes."""
        sizes = f"{len(self.products)} products" if self.products else "any size"
        copies = "a picture for each copy" if self.repeats else "a picture for each face"
        return f"{sizes}, {self.format.upper()} at {self.dpi} dpi, {copies}"


class Wish(Struct, frozen=True):
    """A pack's settings for an outlet: products or objects by kind, names of pictures, their
    address, and the most pixels of a sheet's side, 0 for any."""

    span: Span
    products: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, TableObject] = field(default_factory=dict)
    names: str = ""
    url: str = ""
    sheet_px: int = 0


class Blank(Struct, frozen=True):
    """A shop's piece and the page it is sent as, bleed included, mm."""

    name: str
    trim: Size
    page: Size


class PdfProfile(Struct, frozen=True):
    """The PDFs that a printer or shop accepts, mm. 0 and empty mean any.

    A page for a shop is one of its `blanks`, with `bleed`; `boxes` on the page say where it is cut.
    A shop of `pictures` makes a picture of each page and cuts nothing off. A page for a home
    printer is a sheet of one of its `papers`. Text keeps `safe` mm from the cut. `colours` are the
    kinds it accepts, `ink` the most ink in one place, %. The file follows one of the `standards`,
    with one of the `conditions` as output intent. Pictures have at least `dpi`. `paired` pages are
    the sides of a card in turn.
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
