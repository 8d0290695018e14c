from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from impose.samples import A4, L7651, LETTER, PRINT_SPAN, order, piece, sheets
from msgspec.structs import replace

from generator.geometry import Point, Rect, Size
from generator.impose.labels import CORNER_TICK, LEAST_GAP, corner, on_label
from generator.model.catalogue import LabelSheet, PrinterProfile, Shape, Stock
from generator.model.face import LineMark, PathMark, PdfLayer, Side
from generator.model.pack import Backs, Layout

DIE = Stock("die-sticker", Size(14, 14), bleed=0.5)
AVERY_5167 = LabelSheet(
    "avery-5167",
    "Avery 5167",
    "letter",
    Size(44.45, 12.7),
    4,
    20,
    Point(7.14, 12.7),
    Size(52.39, 12.7),
    1.59,
)
ROUND = LabelSheet(
    "avery-5293",
    "Avery 5293",
    "letter",
    Size(41.275, 41.275),
    4,
    6,
    Point(10.56, 13.94),
    Size(51.17, 42.05),
    20.6375,
)
FULL = LabelSheet(
    "full-a4", "full A4 sheet", "a4", Size(210, 297), 1, 1, Point(0, 0), Size(210, 297)
)


def label_box(sheet: LabelSheet, index: int) -> Rect:
    at = corner(sheet, index)
    return Rect(at.x, at.y, sheet.label.width, sheet.label.height)


@settings(deadline=None)
@given(
    st.floats(4, 45), st.floats(4, 45), st.floats(0, 3), st.sampled_from([L7651, AVERY_5167, ROUND])
)
def test_pieces_on_a_label_stay_on_it_and_apart(
    width: float, height: float, bleed: float, sheet: LabelSheet
) -> None:
    stock = Stock("s", Size(width, height), bleed)
    cells = on_label(stock, sheet, None)
    label = Rect(0, 0, sheet.label.width, sheet.label.height)
    for cell in cells:
        assert label.contains(cell.art)
        assert cell.art.contains(cell.trim)
    for one, other in combinations(cells, 2):
        assert not one.art.overlaps(other.art)
        # A gap in at least one direction lets a knife pass between them.
        assert not one.trim.grown(LEAST_GAP - 1e-6).overlaps(other.trim)
    if cells and sheet is ROUND:
        radius, middle = sheet.label.width / 2, label.centre
        for cell in cells:
            for x in (cell.trim.x, cell.trim.right):
                for y in (cell.trim.y, cell.trim.bottom):
                    assert (x - middle.x) ** 2 + (y - middle.y) ** 2 <= radius**2 + 1e-3


@pytest.mark.parametrize(
    ("size", "sheet", "count"),
    [
        (Size(14, 14), L7651, 2),
        (Size(12, 12), L7651, 3),
        (Size(12, 12), AVERY_5167, 3),
        (Size(10, 10), AVERY_5167, 4),
        (Size(38.1, 21.2), L7651, 1),
        (Size(20, 36), L7651, 1),
        (Size(9, 30), L7651, 2),
        (Size(25.4, 25.4), ROUND, 1),
        (Size(13, 13), ROUND, 4),
    ],
)
def test_as_many_on_a_label_as_fit(size: Size, sheet: LabelSheet, count: int) -> None:
    assert len(on_label(Stock("s", size, 0.5), sheet, None)) == count


def test_a_round_piece_may_fill_a_round_label() -> None:
    disc = Stock("disc", ROUND.label, 1.5, shape=Shape.CIRCLE)
    (cell,) = on_label(disc, ROUND, None)
    assert cell.trim == Rect(0, 0, 41.275, 41.275)
    square = Stock("square", ROUND.label, 1.5)
    assert on_label(square, ROUND, None) == ()


def test_stickers_fill_label_after_label() -> None:
    (sheet,) = sheets(
        [piece("a", DIE, 5, back=False), piece("b", DIE, 2, back=False)],
        layout=Layout.LABELS,
        label_sheet=L7651,
    )
    boxes = [label_box(L7651, i) for i in range(4)]
    found = [[p.face.component for p in sheet.placements if box.contains(p.trim)] for box in boxes]
    assert found == [["a", "a"], ["a", "a"], ["a", "b"], ["b"]]


def test_a_used_sheet_is_printed_from_a_label_on() -> None:
    laid = sheets(
        [piece("a", DIE, 2 * 65, back=False)],
        layout=Layout.LABELS,
        label_sheet=replace(L7651, start=8),
    )
    assert [len(s.placements) for s in laid] == [2 * 58, 2 * 7]
    for sheet, index in zip(laid, (7, 0), strict=True):
        assert label_box(L7651, index).contains(sheet.placements[0].trim)
        assert len([m for m in sheet.marks if m.layer is PdfLayer.GUIDES]) > 0


@pytest.mark.parametrize(("start", "sound"), [(65, True), (66, False)])
def test_the_label_to_start_at_is_on_the_sheet(start: int, sound: bool) -> None:
    used = replace(L7651, start=start)
    outcome = order([piece("a", DIE)], layout=Layout.LABELS, label_sheet=used)
    assert outcome.ok == sound
    assert sound or "--start-label 66: Avery L7651" in outcome.diagnostics[0].message
    assert order([piece("a", DIE)], layout=Layout.LABELS, label_sheet=replace(FULL, start=2)).ok


def test_labels_have_no_backs_and_no_crop_marks() -> None:
    laid = sheets(
        [piece("a", DIE, 3)], backs=Backs.DUPLEX_LONG, layout=Layout.LABELS, label_sheet=L7651
    )
    assert [s.side for s in laid] == [Side.FRONT]
    assert not [m for m in laid[0].marks if m.layer is PdfLayer.CUT]
    assert not any(placement.marked for placement in laid[0].placements)


def test_round_stickers_have_a_die_line_unless_the_label_is_cut_so() -> None:
    disc = Stock("disc", Size(19, 19), 1, shape=Shape.CIRCLE)
    filling = Stock("filling", ROUND.label, 1, shape=Shape.CIRCLE)
    for stock, dies in ((disc, 1), (filling, 0)):
        (sheet,) = sheets(
            [piece("a", stock, back=False)], LETTER, layout=Layout.LABELS, label_sheet=ROUND
        )
        assert len([m for m in sheet.marks if isinstance(m, PathMark)]) == dies
        assert sheet.placements[0].marked == bool(dies)


def test_ticks_show_the_corners_of_the_labels() -> None:
    shift = PrinterProfile("p", Point(1, 0.5))
    for profile in (PrinterProfile(), shift):
        (sheet,) = sheets(
            [piece("a", DIE, back=False)], layout=Layout.LABELS, label_sheet=L7651, profile=profile
        )
        x, y = L7651.first.x - profile.front.x, L7651.first.y - profile.front.y
        lines = [
            m
            for m in sheet.marks
            if isinstance(m, LineMark) and m.layer is PdfLayer.GUIDES and m.start.y == m.end.y
        ]
        ticks = [m for m in lines if m.start.y == pytest.approx(y) and m.start.x < x]
        assert [abs(m.start.x - m.end.x) for m in ticks] == pytest.approx([CORNER_TICK])
        assert ticks[0].start.x == pytest.approx(x - 0.5)


def test_a_full_sheet_is_imposed_like_paper() -> None:
    (sheet,) = sheets(
        [piece("a", DIE, 20)], layout=Layout.LABELS, label_sheet=FULL, backs=Backs.DUPLEX_LONG
    )
    assert [m for m in sheet.marks if m.layer is PdfLayer.CUT]
    assert len(sheet.placements) == 20


def test_larger_than_a_label() -> None:
    large = Stock("large", Size(40, 25))
    outcome = order([piece("a", large)], layout=Layout.LABELS, label_sheet=L7651)
    (fault,) = outcome.diagnostics
    assert (fault.code, fault.span, outcome.value) == ("GP604", PRINT_SPAN, ())
    assert "40 × 25 mm" in fault.message
    assert "38.1 × 21.2 mm" in fault.message


@pytest.mark.parametrize(("paper", "sheet"), [(A4, None), (LETTER, L7651)])
def test_no_label_sheet_for_the_paper(paper: object, sheet: LabelSheet | None) -> None:
    outcome = order([piece("a", DIE)], paper, layout=Layout.LABELS, label_sheet=sheet)  # type: ignore[arg-type]
    (fault,) = outcome.diagnostics
    assert (fault.code, fault.span) == ("GP604", PRINT_SPAN)


def test_samples_are_as_shipped() -> None:
    text = (Path(__file__).parents[2] / "cards/shared/label_sheets.yaml").read_text("utf-8")
    for sheet in (L7651, AVERY_5167, ROUND):
        line = next(li for li in text.splitlines() if li.strip().startswith(f"{sheet.name}:"))
        assert f"label: [{sheet.label.width}mm, {sheet.label.height}mm]" in line
        assert f"columns: {sheet.columns}, rows: {sheet.rows}" in line
        assert f"first: [{sheet.first.x}mm, {sheet.first.y}mm]" in line
