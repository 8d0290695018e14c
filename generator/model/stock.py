"""Stocks, papers, label sheets and cutters: data from cards/shared/*.yaml and a pack's own."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

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


class Registration(Struct, frozen=True):
    """The three marks by which a cutting machine finds what is printed, mm: a `square` of so much
    at the top left, angles with legs of a `length` at the top right and the bottom left. They stand
    `inset` from the edges of the paper, and nothing is nearer to them than `clear`."""

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
