from __future__ import annotations

import pytest
from impose.samples import L7651, PHOTO, POKER, piece, sheets
from msgspec.structs import replace

from generator.geometry import Rect, Size
from generator.model.catalogue import Stock
from generator.model.face import LineMark, PdfLayer, Sheet, TextMark
from generator.model.pack import Layout


def guides(sheet: Sheet) -> list[LineMark]:
    return [m for m in sheet.marks if isinstance(m, LineMark) and m.layer is PdfLayer.GUIDES]


def texts(sheet: Sheet) -> list[TextMark]:
    return [m for m in sheet.marks if isinstance(m, TextMark)]


def longest(sheet: Sheet) -> list[float]:
    lengths = [abs(m.start.x - m.end.x) + abs(m.start.y - m.end.y) for m in guides(sheet)]
    return sorted(lengths)[-2:]


def test_a_ruler_has_a_tick_for_each_centimetre_and_half_inch() -> None:
    (sheet, _) = sheets([piece("a", POKER)])
    ticks = [m for m in guides(sheet) if m.start.x == m.end.x]
    assert len(ticks) == 11 + 9
    zero = min(m.start.x for m in ticks)
    up = sorted(m.start.x - zero for m in ticks if m.end.y < m.start.y)
    down = sorted(m.start.x - zero for m in ticks if m.end.y > m.start.y)
    assert up == pytest.approx([10 * i for i in range(11)])
    assert down == pytest.approx([12.7 * i for i in range(9)])


def test_a_small_paper_has_a_short_ruler() -> None:
    (sheet, _) = sheets([piece("a", POKER, 2)], PHOTO)
    assert longest(sheet) == pytest.approx([50, 50.8])
    assert {"50 mm", "2 in"} < {t.text for t in texts(sheet)}


def test_the_slug_says_what_a_sheet_is() -> None:
    laid = sheets([piece("a", POKER, 10)])
    slug = texts(laid[3])[-1].text
    assert slug == (
        "Chariot Dash 1.2.0 · cards-a4.pdf · sheet 2 of 2, back · A4 · card, 200–300 g/m²"
        " · print at 100 %, no scaling"
    )


def test_a_slug_without_room_says_less() -> None:
    tiny = replace(PHOTO, name="tiny", size=Size(70, 70))
    (sheet,) = sheets([piece("a", Stock("s", Size(20, 20)), back=False)], tiny)
    slug = texts(sheet)[-1].text
    assert slug.startswith("sheet 1 of 1")


def test_a_face_as_large_as_the_printable_area_leaves_the_margin_to_the_ruler() -> None:
    (sheet,) = sheets([piece("a", Stock("s", Size(200, 287), bleed=0), back=False)])
    assert longest(sheet) == pytest.approx([100, 101.6])
    assert max(m.start.y for m in guides(sheet)) < 5


def test_the_ruler_may_stand_in_a_gutter() -> None:
    half = Stock("half", Size(195, 138), bleed=0)
    (sheet,) = sheets([piece("a", half, 2, back=False)], gutter=9)
    below, above = (p.trim for p in sorted(sheet.placements, key=lambda p: -p.y))
    assert {above.bottom < m.start.y < below.y for m in guides(sheet)} == {True}


def test_ruler_and_slug_keep_off_labels() -> None:
    stock = Stock("die", Size(14, 14), bleed=0.5)
    (sheet,) = sheets([piece("a", stock, 3, back=False)], layout=Layout.LABELS, label_sheet=L7651)
    block = Rect(4.75, 10.7, 4 * 40.6 + 38.1, 13 * 21.2)
    assert longest(sheet) == pytest.approx([100, 101.6])
    for mark in guides(sheet):
        assert not block.contains(Rect(mark.start.x, mark.start.y, 0, 0))
    assert "Avery L7651" in texts(sheet)[-1].text
