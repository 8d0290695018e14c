"""Many sizes share few sheets, and rows hold different stocks side by side."""

from __future__ import annotations

from collections import Counter

from impose.samples import POKER, area, piece, sheets
from msgspec.structs import replace

from generator.geometry import Size
from generator.model.catalogue import Shape, Stock
from generator.model.face import PrintedPiece, Sheet


def sized(width: float, height: float, bleed: float = 3) -> Stock:
    return Stock("track", Size(width, height), bleed=bleed)


def curved(stock: Stock) -> Stock:
    """Return the same size, cut along a path of its own."""
    path = f"M0 0 H{stock.trim.width} V{stock.trim.height} L0 {stock.trim.height / 2} Z"
    return replace(stock, shape=Shape.PATH, path=path)


EIGHT = [(90, 45), (80, 60), (70, 55), (60, 60), (110, 40), (45, 95), (50, 50), (65, 75)]


def eight(backs: bool = True) -> list[PrintedPiece]:
    return [
        piece(f"p{i}", curved(sized(*size)), 2 if i < 4 else 1, back=backs)
        for i, size in enumerate(EIGHT)
    ]


def assert_sound(laid: tuple[Sheet, ...]) -> None:
    """Pieces keep apart and to the part of the page that a printer reaches."""
    for sheet in laid:
        trims = [p.trim for p in sheet.placements]
        arts = [p.clip or p.trim.grown(p.bleed) for p in sheet.placements]
        for i, art in enumerate(arts):
            assert area(sheet).contains(art)
            assert not any(art.overlaps(other) for other in arts[i + 1 :])
            assert not any(trims[i].overlaps(other) for other in trims[i + 1 :])


def test_twelve_pieces_of_eight_sizes_come_on_few_sheets() -> None:
    laid = sheets(eight(backs=False))
    assert len(laid) == 2
    assert_sound(laid)
    assert sum(len(sheet.placements) for sheet in laid) == 12


def test_a_sheet_that_is_half_full_is_shared_where_that_saves_one() -> None:
    long, short = curved(sized(88, 180)), curved(sized(88, 66))
    laid = sheets([piece("long", long, 2, back=False), piece("short", short, 2, back=False)])
    assert len(laid) == 1
    assert_sound(laid)


def test_a_long_piece_is_turned_where_that_saves_a_sheet() -> None:
    long, longer = sized(60, 180), sized(59, 184)
    laid = sheets([piece("a", long, 2, back=False), piece("b", longer, 1, back=False)])
    assert len(laid) == 1
    wide = [piece(f"w{i}", sized(180, 50 + i), back=False) for i in range(4)]
    tall = [piece(f"t{i}", sized(50 + i / 2, 180), back=False) for i in range(2)]
    (sheet,) = sheets([*wide[:2], *tall])
    assert {p.rotation for p in sheet.placements} == {0, 90}
    assert_sound((sheet,))


def test_a_piece_too_large_for_a_row_keeps_its_sheet() -> None:
    laid = sheets([piece("large", sized(199, 286), back=False), *eight(backs=False)])
    assert len(laid) == 3
    assert [p.face.component for p in laid[0].placements] == ["large"]


def test_sheets_that_are_well_used_stay_whole() -> None:
    laid = sheets([piece("card", POKER, 27, back=False), *eight(backs=False)])
    assert [Counter(p.face.stock.name for p in s.placements) for s in laid[:3]] == [
        {"poker": 9},
    ] * 3
