"""Stocks, papers and pieces for the tests of imposition, and the order to impose them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from generator.diagnostics import Outcome, Span
from generator.geometry import Point, Rect, Size, bounds, pt_to_mm
from generator.impose import Slug, impose
from generator.model.catalogue import LabelSheet, Paper, PrinterProfile, Shape, Stock
from generator.model.face import (
    Drawing,
    Face,
    LineMark,
    PdfLayer,
    Placement,
    PrintedPiece,
    Sheet,
    TextMark,
)
from generator.model.pack import Backs, Layout, Print
from generator.model.packed import pack

A4 = Paper("a4", "A4", Size(210, 297), 5)
LETTER = Paper("letter", "US Letter", Size(215.9, 279.4), 4.2)
A3 = Paper("a3", "A3", Size(297, 420), 5)
PHOTO = Paper("photo-4x6", "4 × 6 in photo paper", Size(101.6, 152.4), 3)
POKER = Stock("poker", Size(63.5, 88.9), shape=Shape.ROUNDED, corner_radius=3)
EURO_POKER = Stock("euro-poker", Size(63, 88), shape=Shape.ROUNDED, corner_radius=3)
L7651 = LabelSheet(
    "l7651",
    "Avery L7651",
    "a4",
    Size(38.1, 21.2),
    5,
    13,
    Point(4.75, 10.7),
    Size(40.6, 21.2),
    1.76,
)
SLUG = Slug("Chariot Dash", "1.2.0", "cards-a4.pdf")
PRINT_SPAN = Span("cards/x/pack.yaml", 9, 3)


def face(component: str, stock: Stock, name: str = "front") -> Face:
    digest = sha256(f"{component} {name} {stock}".encode()).hexdigest()
    drawing, span = Drawing(pack(b"")), Span("cards/x/a.yaml", 4, 5)
    return Face(component, "card", name, stock, drawing, digest, span)


def piece(component: str, stock: Stock, copies: int = 1, back: bool = True) -> PrintedPiece:
    behind = face(component, stock, "back") if back else None
    return PrintedPiece(face(component, stock), behind, copies)


def order(
    pieces: Sequence[PrintedPiece],
    paper: Paper = A4,
    backs: Backs = Backs.DUPLEX_LONG,
    *,
    gutter: float | None = None,
    layout: Layout = Layout.NUP,
    label_sheet: LabelSheet | None = None,
    profile: PrinterProfile | None = None,
    media: str = "card, 200–300 g/m²",
    overlap: float = 10.0,
    split: bool = False,
) -> Outcome[tuple[Sheet, ...]]:
    print_ = Print(
        "cards",
        "Cards",
        PRINT_SPAN,
        ("card",),
        (paper.name,),
        layout,
        backs,
        gutter=gutter,
        media=media,
        overlap=overlap,
        split=split,
    )
    return impose(
        print_,
        pieces,
        paper,
        backs,
        label_sheet=label_sheet,
        profile=profile or PrinterProfile(),
        slug=SLUG,
    )


def sheets(*args: Any, **kwargs: Any) -> tuple[Sheet, ...]:
    outcome = order(*args, **kwargs)  # type: ignore[arg-type]
    assert outcome.diagnostics == ()
    return outcome.value


def page(sheet: Sheet) -> Rect:
    return Rect(0, 0, sheet.size.width, sheet.size.height)


def area(sheet: Sheet) -> Rect:
    return page(sheet).grown(-sheet.paper.margin)


def lines(sheet: Sheet, layer: PdfLayer) -> list[LineMark]:
    return [m for m in sheet.marks if isinstance(m, LineMark) and m.layer is layer]


def inked(mark: LineMark | TextMark) -> Rect:
    """Return the box of a level or upright line, or of text in narrow letters."""
    if isinstance(mark, TextMark):
        height = 0.7 * pt_to_mm(mark.size_pt)
        width = len(mark.text) * 0.5 * pt_to_mm(mark.size_pt)
        if mark.rotation == 270:
            return Rect(mark.at.x - height, mark.at.y - width, height, width)
        return Rect(mark.at.x, mark.at.y - height, width, height)
    box, half = bounds((mark.start, mark.end)), mark.width / 2
    if box.width > box.height:
        return Rect(box.x, box.y - half, box.width, mark.width)
    return Rect(box.x - half, box.y, mark.width, box.height)


def path_points(path: str) -> list[Point]:
    """The points of absolute path data."""
    assert set(re.findall("[A-Za-z]", path)) <= set("MLCZ")
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", path)]
    return [Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def corners(placement: Placement) -> tuple[Point, ...]:
    """The face's own corners on the page: its top left, top right, bottom right, bottom left."""
    turned = placement.rotation % 180 == 90
    width, height = placement.width, placement.height
    half_w, half_h = (height / 2, width / 2) if turned else (width / 2, height / 2)
    middle = placement.trim.centre
    upright = [(-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h)]
    return tuple(middle.moved(x, y).turned(placement.rotation, middle) for x, y in upright)


def close(a: Point, b: Point) -> bool:
    return abs(a.x - b.x) < 1e-6 and abs(a.y - b.y) < 1e-6
