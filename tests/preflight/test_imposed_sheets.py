"""Sheets as impose lays them out, printed and read back: preflight must have nothing to say."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from export.hand_made import A4, face, text, write
from preflight.tampering import messages

from generator.diagnostics import Span
from generator.geometry import Point, Size
from generator.impose import Slug, impose
from generator.model.catalogue import (
    Fold,
    LabelSheet,
    Paper,
    PrinterProfile,
    PrinterStretch,
    Shape,
    Stock,
)
from generator.model.face import PrintedPiece
from generator.model.pack import Backs, Layout, Print
from generator.preflight import preflight

LETTER = Paper("letter", "Letter", Size(215.9, 279.4))
PHOTO = Paper("photo", "4 × 6 in", Size(101.6, 152.4), margin=3)
L7651 = LabelSheet(
    "l7651", "L7651", "a4", Size(38.1, 21.2), 5, 13, Point(4.7, 10.9), Size(40.6, 21.2), 1.76
)
STOCKS = {
    "poker": Stock("poker", Size(63, 88), corner_radius=3, shape=Shape.ROUNDED),
    "tile": Stock("tile", Size(50.8, 43.99), bleed=2, shape=Shape.HEXAGON),
    "token": Stock("token", Size(25, 25), bleed=2, shape=Shape.CIRCLE),
    "arrow": Stock("arrow", Size(30, 20), bleed=2, shape=Shape.PATH, path="M0 0 L30 10 L0 20 Z"),
    "standee": Stock("standee", Size(25, 80), folds=(Fold(Point(0, 40), Point(25, 40)),)),
    "board": Stock("board", Size(180, 120), bleed=3),
}


def printed(
    folder: Path,
    stock: Stock,
    backs: Backs,
    *,
    paper: Paper = A4,
    layout: Layout = Layout.NUP,
    gutter: float | None = None,
    profile: PrinterProfile | None = None,
    label_sheet: LabelSheet | None = None,
    pieces: int = 7,
) -> Path:
    """The finished PDF of a print of some pieces, two copies of each, of which one has no back."""
    y = (0.6 if stock.folds else min(20 / stock.trim.height, 0.6)) * stock.trim.height  # in front
    made = [
        PrintedPiece(
            face(f"c{n}", text(f"{n}", y=y), stock=stock),
            None
            if n == 3 or backs is Backs.NONE
            else face(f"c{n}", text(f"b{n}", y=y), name="back", stock=stock),
            2,
        )
        for n in range(pieces)
    ]
    print_ = Print(
        "cards", "Cards", Span("pack.yaml"), ("card",), (paper.name,), layout, backs, gutter
    )
    outcome = impose(
        print_,
        made,
        paper,
        backs,
        label_sheet=label_sheet,
        profile=profile or PrinterProfile(),
        slug=Slug("Hand made", "1.0.0", "cards-a4.pdf"),
    )
    assert outcome.ok, outcome.diagnostics
    return write(folder, outcome.value, backs=backs, profile=profile or PrinterProfile())


def test_all_pages_are_looked_at(tmp_path: Path) -> None:
    path = printed(tmp_path, STOCKS["board"], Backs.DUPLEX_LONG, pieces=2)
    with pikepdf.open(path) as pdf:
        assert preflight(path, own=True).pages == len(pdf.pages) > 2


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize("backs", list(Backs))
@pytest.mark.parametrize("stock", STOCKS)
def test_every_shape_with_every_kind_of_backs(tmp_path: Path, stock: str, backs: Backs) -> None:
    if stock == "board" and backs is Backs.GUTTERFOLD:
        pytest.skip("two of it do not go on one sheet")
    assert messages(printed(tmp_path, STOCKS[stock], backs)) == ""


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("gutter", [0, 3, 6])
def test_every_gutter(tmp_path: Path, gutter: float) -> None:
    path = printed(tmp_path, STOCKS["poker"], Backs.DUPLEX_LONG, gutter=gutter)
    assert messages(path) == ""


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("backs", [Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT])
@pytest.mark.parametrize("paper", [LETTER, PHOTO])
def test_other_papers(tmp_path: Path, paper: Paper, backs: Backs) -> None:
    assert messages(printed(tmp_path, STOCKS["poker"], backs, paper=paper)) == ""


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("backs", [Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT, Backs.GUTTERFOLD])
def test_a_printer_that_is_off(tmp_path: Path, backs: Backs) -> None:
    profile = PrinterProfile("attic", Point(0.3, -0.2), Point(-0.4, 0.5))
    assert messages(printed(tmp_path, STOCKS["poker"], backs, profile=profile)) == ""


@pytest.mark.thorough
def test_a_printer_that_drifts_further_than_backs_reach(tmp_path: Path) -> None:
    """Of fronts nobody minds: their marks drift with them."""
    profile = PrinterProfile("shed", tolerance=3.5)
    said = messages(printed(tmp_path, STOCKS["poker"], Backs.DUPLEX_LONG, profile=profile))
    assert said.count("your drift is 3.5 mm, the bleed of the back") == 1
    assert "of the front" not in said
    assert messages(printed(tmp_path, STOCKS["poker"], Backs.NONE, profile=profile)) == ""


STRETCHED = PrinterProfile(
    "cellar",
    Point(0.3, -0.2),
    Point(-0.4, 0.5),
    0.0,
    PrinterStretch(1.004, 0.997, 0.3),
    PrinterStretch(0.999),
)


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("backs", [Backs.DUPLEX_LONG, Backs.GUTTERFOLD])
@pytest.mark.parametrize("gutter", [None, 0])
def test_a_printer_that_stretches(tmp_path: Path, backs: Backs, gutter: float | None) -> None:
    path = printed(tmp_path, STOCKS["poker"], backs, profile=STRETCHED, gutter=gutter)
    assert messages(path) == ""


@pytest.mark.parametrize("shown", ["0.3", "1.004"])
def test_a_file_for_a_printer_that_stretches_otherwise(tmp_path: Path, shown: str) -> None:
    path = printed(tmp_path, STOCKS["poker"], Backs.NONE, profile=STRETCHED)
    manifest = tmp_path / "manifest.json"
    told = manifest.read_text(encoding="utf-8")
    manifest.write_text(told.replace(shown, f"{float(shown) + 0.5}"), encoding="utf-8")
    assert "mm" in messages(path)


def test_a_label_sheet(tmp_path: Path) -> None:
    sticker = Stock("sticker", Size(16, 16), bleed=1)
    path = printed(
        tmp_path, sticker, Backs.NONE, layout=Layout.LABELS, label_sheet=L7651, pieces=40
    )
    assert messages(path) == ""


@pytest.mark.parametrize("backs", [Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT])
def test_a_booklet(tmp_path: Path, backs: Backs) -> None:
    page = Stock("page", Size(105, 148), bleed=0)
    made = [PrintedPiece(face(f"p{n}", text(f"{n}"), stock=page), None, 1) for n in range(10)]
    print_ = Print("rules", "Rules", Span("pack.yaml"), ("page",), ("a4",), Layout.BOOKLET, backs)
    outcome = impose(
        print_, made, A4, backs, profile=PrinterProfile(), slug=Slug("Hand made", "1", "x.pdf")
    )
    assert outcome.ok
    assert messages(write(tmp_path, outcome.value, backs=backs)) == ""
