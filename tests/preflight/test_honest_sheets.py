"""Sheets as imposition makes them are right: nothing is told of any paper, piece and printer."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from export.hand_made import A4
from preflight.laid import DIE, STICKERS, Laid

from generator.geometry import Point, Size
from generator.model.catalogue import (
    Cutter,
    Fold,
    LabelSheet,
    Paper,
    PrinterProfile,
    PrinterStretch,
    Registration,
    Shape,
    Stock,
)
from generator.model.face import Side
from generator.model.pack import Backs, Layout
from generator.preflight.checking import Subject
from generator.preflight.manifest_checks import by_themselves, faces_present

A5, LETTER = (
    Paper("a5", "A5", Size(148, 210)),
    Paper("letter", "US Letter", Size(215.9, 279.4), 4.2),
)
A3 = Paper("a3", "A3", Size(297, 420), 3)
BORDERLESS = Paper("a5", "A5", Size(148, 210), 0)
BOARD = Stock("board", Size(187, 410), bleed=6)
EGG = Stock(
    "egg", Size(280.79, 411.42), bleed=6, shape=Shape.PATH,
    path="M0 205.7 C0 0 280.79 0 280.79 205.7 C280.79 411.42 0 411.42 0 205.7 Z",
)  # fmt: skip
HALVES = (Fold(Point(0, 60), Point(70, 60)),)
LEAFLET = Stock("leaflet", Size(70, 120), bleed=0, folds=HALVES)
HEX = Stock("hex", Size(32.1, 37.1), bleed=6, shape=Shape.HEXAGON)
CORNER = Stock("corner", Size(99.36, 130.18), bleed=1.5, shape=Shape.ROUNDED)
FLAG = Stock(
    "flag", Size(330, 900), bleed=6, shape=Shape.PATH,
    path="M0 0 H330 L165 450 L330 900 H0 Z",
)  # fmt: skip
WIDE = Stock("wide", Size(280, 180), bleed=6)
LEAVES = Stock(
    "leaves", Size(57.15, 88.9), bleed=3, shape=Shape.PATH, path="M0 0 H57.15 V88.9 H0 Z"
)
LONG = Paper("long", "Long", Size(155.9, 900), 15)
PHOTO = Paper("photo", "4 × 6 in photo paper", Size(101.6, 152.4), 6)
PARCEL = LabelSheet("parcel", "1 label", "a4", Size(190, 270), 1, 1, Point(10, 13), Size(190, 270))
HIGH = LabelSheet("high", "1 label", "a4", Size(70, 164), 1, 1, Point(5, 6.6), Size(70, 164))
SHEET = Stock("sheet", Size(199.6, 289.1), bleed=0)
NEARLY = LabelSheet("nearly", "1 label", "a4", SHEET.trim, 1, 1, Point(5.2, 3.95), SHEET.trim)
WHOLE = LabelSheet("whole", "1 label", "a4", Size(210, 297), 1, 1, Point(0, 0), Size(210, 297))
MOVED = PrinterProfile("moved", Point(0.7, -0.4), Point(-0.2, 0.3))
FAR = PrinterProfile("far", Point(0.89, -2.19), Point(0.08, 0.91))
STRETCHED = PrinterProfile(
    "stretched", Point(0.7, -0.4), Point(-0.2, 0.3), 0.5, PrinterStretch(0.99, 1.01, 0.3)
)
CUTTER = Cutter("cutter", "Cutter", Registration(10, 8.89, 1, 5, 1))


def told(laid: Laid, title: str = "Hand made") -> list[str]:
    expected, matched = laid.matched(laid.sheets)
    odd = (by_themselves(match, expected, f"{title}: Cards (A4)") for match in matched)
    nothing: Any = None
    subject = Subject("", nothing, nothing, "", (), expected, matched)
    lost = [finding.message for finding in faces_present(subject)]
    return [*(mark.message for marks in odd for mark in marks), *laid.told(), *lost]


@pytest.mark.parametrize(
    ("layout", "stock", "more"),
    [
        pytest.param(Layout.NUP, BOARD, {"split": True, "back": True}, id="split, with backs"),
        pytest.param(Layout.NESTED, EGG, {"split": True, "paper": A3}, id="split, and no ruler"),
        pytest.param(Layout.POSTER, BOARD, {"paper": LETTER}, id="a poster of one column"),
        pytest.param(Layout.POSTER, LEAFLET, {"paper": LETTER}, id="one page, with a fold"),
        pytest.param(Layout.BOOKLET, LEAFLET, {"paper": LETTER}, id="a page that is folded, too"),
        pytest.param(
            Layout.NUP, CORNER, {"paper": LETTER, "profile": MOVED, "copies": 4, "gutter": 0},
            id="a mark between ticks of the ruler",
        ),
        pytest.param(
            Layout.NESTED, HEX,
            {"paper": A5, "profile": FAR, "copies": 20, "draft": True, "gutter": 2, "back": True},
            id="a slug in the margin",
        ),
        pytest.param(Layout.NUP, HEX, {"paper": BORDERLESS}, id="a slug at the edge"),
        pytest.param(
            Layout.POSTER, FLAG, {"paper": LONG, "profile": STRETCHED, "overlap": 0},
            id="a cut mark at the margin of a printer that is off",
        ),
        pytest.param(
            Layout.POSTER, WIDE, {"paper": BORDERLESS, "profile": FAR, "overlap": 10},
            id="a strip that ends at the edge of the paper",
        ),
        pytest.param(
            Layout.BOOKLET, LEAVES, {"paper": PHOTO, "backs": Backs.DUPLEX_SHORT},
            id="no room for the fold of a booklet",
        ),
        pytest.param(
            Layout.LABELS, SHEET, {"labels": NEARLY, "profile": MOVED},
            id="one label nearly all over, for a printer that is off",
        ),
        pytest.param(Layout.LABELS, LEAFLET, {"labels": PARCEL}, id="one label in the middle"),
        pytest.param(Layout.LABELS, LEAFLET, {"labels": WHOLE}, id="one label all over"),
        pytest.param(
            Layout.LABELS, DIE, {"labels": HIGH}, id="a tick of labels in line with the ruler"
        ),
        pytest.param(Layout.NUP, HEX, {"media": "DRAFT · A3"}, id="media"),
        pytest.param(Layout.NUP, HEX, {"title": "A3 · DRAFT"}, id="title"),
    ],
)  # fmt: skip
def test_what_was_told_once_and_is_right(
    tmp_path: Path, layout: Layout, stock: Stock, more: dict[str, Any]
) -> None:
    assert told(Laid(tmp_path, layout, stock, 2, **more), more.get("title", "Hand made")) == []


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_told_of_any_sheet(tmp_path: Path, layout: Layout, seed: int) -> None:
    lots = random.Random(f"{layout} {seed}")
    wide, high = sorted((lots.uniform(90, 300), lots.uniform(140, 450)))
    own = Paper(
        "own", "Own paper", Size(round(wide, 1), round(high, 1)), lots.choice((0, 3, 5, 9, 15))
    )
    paper = A4 if layout is Layout.LABELS else lots.choice((own, own, A3, A5, LETTER))
    most = {Layout.POSTER: 2.0, Layout.LABELS: 0.8}.get(layout, 0.4)
    room = STICKERS.label if layout is Layout.LABELS else paper.size
    across, down = (round(lots.uniform(0.1, most) * each, 2) for each in (room.width, room.height))
    shape = lots.choice([Shape.RECTANGLE, Shape.ROUNDED, Shape.CIRCLE, Shape.HEXAGON, Shape.PATH])
    if shape in (Shape.CIRCLE, Shape.HEXAGON):
        across = min(across, down)
        down = across if shape is Shape.CIRCLE else round(across * 3**0.5 / 2, 4)
    notched = f"M0 0 H{across} L{across / 2:.2f} {down / 2:.2f} L{across} {down} H0 Z"
    stock = Stock(
        "own", Size(across, down), lots.choice((0, 1.5, 3)), shape=shape,
        path=notched if shape is Shape.PATH else "",
    )  # fmt: skip
    duplex = [Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT]
    backs = lots.choice(duplex if layout is Layout.BOOKLET else [*Backs])
    front, back = (Point(lots.uniform(-2, 2), lots.uniform(-2, 2)) for _ in Side)
    stretch = PrinterStretch(
        lots.uniform(0.99, 1.01), lots.uniform(0.99, 1.01), lots.uniform(-1, 1)
    )
    moved = PrinterProfile("", front, back, 0.5, stretch)
    laid = Laid(
        tmp_path, layout, stock, lots.choice((1, 2, 5)), paper=paper, backs=backs, back=True,
        copies=lots.choice((1, 3)), gutter=lots.choice((None, 0, 2)), draft=lots.random() < 0.3,
        overlap=lots.choice((0, 2, 4.5, 10, 30)), profile=lots.choice((MOVED, moved)),
        cutter=CUTTER if lots.random() < 0.3 else None,
    )  # fmt: skip
    assert told(laid) == []
