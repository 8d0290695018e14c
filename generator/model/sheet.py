"""What impose hands on: sheets on which everything has its absolute place."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from generator.geometry import Point, Rect, Size
from generator.model.catalogue import TRUE, Paper, PrinterStretch
from generator.model.face import Face


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
