from __future__ import annotations

import pytest
from impose.samples import A4, order, piece, sheets

from generator.geometry import Size
from generator.model.catalogue import Paper, Stock
from generator.model.face import LineMark, PdfLayer, Sheet
from generator.model.pack import Backs, Layout

PAGE = Stock("booklet", Size(128, 188))
SMALL = Stock("small", Size(70, 120))


def pages(count: int, stock: Stock = PAGE, copies: int = 1) -> list:
    return [piece(str(n), stock, copies, back=False) for n in range(1, count + 1)]


def booklet(count: int, paper: Paper = A4, backs: Backs = Backs.DUPLEX_SHORT, **kwargs) -> tuple:
    return sheets(pages(count, **kwargs), paper, backs, layout=Layout.BOOKLET)


def read(sheet: Sheet) -> list[str]:
    """Return the pages from left to right."""
    return [p.face.component for p in sorted(sheet.placements, key=lambda p: p.x)]


def test_eight_pages_come_onto_two_sheets_in_saddle_order() -> None:
    assert [read(s) for s in booklet(8)] == [["8", "1"], ["2", "7"], ["6", "3"], ["4", "5"]]


def test_missing_pages_are_blank_at_the_end() -> None:
    assert [read(s) for s in booklet(6)] == [["1"], ["2"], ["6", "3"], ["4", "5"]]


def test_pages_meet_at_the_spine_without_bleed() -> None:
    (front, *_) = booklet(4)
    left, right = sorted(front.placements, key=lambda p: p.x)
    assert left.trim.right == pytest.approx(right.x)
    assert left.art.right == pytest.approx(right.art.x) == pytest.approx(front.size.width / 2)
    assert left.art.x < left.x
    assert right.art.right > right.trim.right


def test_the_spine_is_ticked_and_the_outer_corners_cropped() -> None:
    front, back = booklet(4)
    spine = front.size.width / 2
    ticks = [m for m in front.marks if isinstance(m, LineMark) and m.layer is PdfLayer.FOLD]
    assert {m.start.x for m in ticks} == {spine}
    assert len(ticks) == 2
    crops = [m for m in front.marks if m.layer is PdfLayer.CUT]
    assert len(crops) == 8
    assert not [m for m in back.marks if m.layer in (PdfLayer.CUT, PdfLayer.FOLD)]


def test_the_paper_lies_on_its_side_and_both_sides_are_upright_without_duplex() -> None:
    front, back = booklet(4, backs=Backs.NONE)
    assert front.size == A4.size.turned
    assert {p.rotation for s in (front, back) for p in s.placements} == {0}


def test_pages_of_different_sizes_are_refused() -> None:
    mixed = [piece("a", PAGE), piece("b", SMALL)]
    (fault,) = order(mixed, layout=Layout.BOOKLET).diagnostics
    assert fault.code == "GP213"
    assert "booklet, small" in fault.message


def test_a_page_larger_than_half_the_paper() -> None:
    large = [piece("a", Stock("a5", Size(148, 210)))]
    (fault,) = order(large, layout=Layout.BOOKLET).diagnostics
    assert fault.code == "GP601"
    assert "143.5 × 200 mm" in fault.message
