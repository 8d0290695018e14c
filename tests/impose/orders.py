"""Random print orders for the properties of imposition."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from impose.samples import A3, A4, L7651, LETTER, PHOTO, order, piece
from msgspec import Struct
from msgspec.structs import replace

from generator.geometry import Point, Size
from generator.model.catalogue import (
    TRUE,
    Fold,
    LabelSheet,
    Paper,
    PrinterProfile,
    PrinterStretch,
    Shape,
    Stock,
)
from generator.model.face import PrintedPiece, Sheet
from generator.model.pack import Backs, Layout

WIDE = Paper("wide", "A4 landscape", Size(297, 210), 5)
PAPERS = (A4, LETTER, A3, PHOTO, WIDE)
ROUND = LabelSheet(
    *("avery-5293", "Avery 5293", "letter", Size(41.275, 41.275), 4, 6),
    *(Point(10.56, 13.94), Size(51.17, 42.05), 20.6375),
)
WHOLE = LabelSheet(
    "full-a4", "full A4 sheet", "a4", Size(210, 297), 1, 1, Point(0, 0), Size(210, 297)
)
LABEL_SHEETS = {A4: (L7651, WHOLE), LETTER: (ROUND,)}
LARGEST_SIDE = {Layout.NESTED: 80, Layout.POSTER: 400, Layout.LABELS: 45, Layout.BOOKLET: 140}
SPLIT = (Layout.NUP, Layout.NESTED)
HEIGHT_OF_WIDTH = 2 / 3**0.5
"""Height of a regular hexagon on a corner, for a width of 1."""


class Order(Struct, frozen=True):
    """The arguments of one call of `impose`."""

    pieces: tuple[PrintedPiece, ...]
    paper: Paper
    backs: Backs
    layout: Layout
    gutter: float | None
    profile: PrinterProfile
    label_sheet: LabelSheet | None = None
    overlap: float = 10.0
    split: bool = False

    @property
    def is_die_cut(self) -> bool:
        """Return True for stickers on a sheet of labels that are already cut."""
        sheet = self.label_sheet
        return sheet is not None and not sheet.fills(self.paper)

    def sheets(self, times: int = 1) -> tuple[Sheet, ...]:
        """Impose the order with `times` as many copies. Returns no sheets if it is refused."""
        pieces = [replace(item, copies=item.copies * times) for item in self.pieces]
        names = ("layout", "gutter", "profile", "label_sheet", "overlap", "split")
        wishes: dict[str, Any] = {name: getattr(self, name) for name in names}
        return order(pieces, self.paper, self.backs, **wishes).value


def lengths(least: float, most: float) -> st.SearchStrategy[float]:
    """Lengths in mm to a hundredth, as makers write them."""
    return st.integers(round(least * 100), round(most * 100)).map(lambda number: number / 100)


def folds(trim: Size, share: float) -> list[Fold]:
    """Folds of a trim: two from edge to edge, and a slanting one inside of it."""
    x, y = trim.width * share, trim.height * share
    across = Fold(Point(0, y), Point(trim.width, y)), Fold(Point(x, trim.height), Point(x, 0))
    return [*across, Fold(Point(x / 2, y / 2), Point(x, y))]


@st.composite
def stocks(draw: st.DrawFn, name: str, layout: Layout) -> Stock:
    """A stock of any shape; mostly a hexagon where these are nested."""
    largest = LARGEST_SIDE.get(layout, 150)
    hexagons = [Shape.HEXAGON] * (8 if layout is Layout.NESTED else 0)
    shape = draw(st.sampled_from([*Shape, *hexagons]))
    sides = lengths(25 if hexagons else 9, largest)
    trim = Size(draw(sides), draw(sides))
    if shape is Shape.HEXAGON:
        ratio = HEIGHT_OF_WIDTH * draw(st.sampled_from([1, 1, 0.95, 1.06]))
        trim = Size(trim.width, trim.width * ratio)
        trim = draw(st.sampled_from([trim, trim.turned]))
    across, down = trim.width, trim.height
    path = f"M0 0 H{across} V{down / 2} Q{across} {down} {across / 2} {down} L0 {down / 3} Z"
    folded = st.lists(st.sampled_from(folds(trim, draw(st.sampled_from([0.25, 0.4])))), max_size=2)
    return Stock(
        name,
        trim,
        draw(st.sampled_from([0.0, 1.0, 2.0, 3.0])),
        corner_radius=2.0 if shape is Shape.ROUNDED else 0.0,
        shape=shape,
        path=path if shape is Shape.PATH else "",
        folds=() if shape in (Shape.CIRCLE, Shape.HEXAGON) else tuple(draw(folded)),
    )


@st.composite
def decks(draw: st.DrawFn, layout: Layout) -> tuple[PrintedPiece, ...]:
    """Pieces of up to five stocks, some without a back, some without copies; the pages of a
    booklet have one stock."""
    found: list[PrintedPiece] = []
    booklet = layout is Layout.BOOKLET
    stock_count = draw(st.integers(1, {Layout.BOOKLET: 1, Layout.NUP: 5}.get(layout, 3)))
    most = 2 if layout in (Layout.BOOKLET, Layout.POSTER) else draw(st.sampled_from([3, 3, 30]))
    for i in range(stock_count):
        stock = draw(stocks(f"stock-{i}", layout))
        for j in range(draw(st.integers(1, 13 if booklet else 3))):
            back = not booklet and draw(st.booleans())
            found.append(piece(f"{i}-{j}", stock, draw(st.integers(0, most)), back))
    return tuple(found)


stretches = st.just(TRUE) | st.builds(
    PrinterStretch, st.floats(0.99, 1.01), st.floats(0.99, 1.01), st.floats(-0.5, 0.5)
)
offsets = st.builds(Point, lengths(-2, 2), lengths(-2, 2))
profiles = st.just(PrinterProfile()) | st.builds(
    PrinterProfile, st.just("home"), offsets, offsets, st.floats(0, 1), stretches, stretches
)


@st.composite
def orders(draw: st.DrawFn, /, *layouts: Layout) -> Order:
    """An order of any layout, or of one of `layouts`."""
    layout = draw(st.sampled_from(layouts or tuple(Layout)))
    papers = tuple(LABEL_SHEETS) if layout is Layout.LABELS else PAPERS
    paper = draw(st.sampled_from(papers))
    parts: dict[str, Any] = {
        "pieces": draw(decks(layout)),
        "paper": paper,
        "backs": draw(st.sampled_from(Backs)),
        "layout": layout,
        "gutter": draw(st.sampled_from([None, 0.0, 1.0, 3.0, 8.0])),
        "profile": draw(profiles),
        "overlap": draw(st.sampled_from([4.0, 10.0, 17.5])),
        "split": layout in SPLIT and draw(st.booleans()),
    }
    if layout is Layout.LABELS:
        parts["label_sheet"] = draw(st.sampled_from(LABEL_SHEETS[paper]))
    return Order(**parts)
