"""Marks for cutting machines: their places on a sheet, and the room kept clear around them."""

import pytest
from impose.samples import A4, LETTER, POKER, PRINT_SPAN, SLUG, inked, lines, piece

from generator.diagnostics import Outcome
from generator.geometry import Point, Rect, Size
from generator.impose import impose
from generator.model.catalogue import Cutter, Paper, PrinterProfile, Registration, Shape, Stock
from generator.model.face import LineMark, PdfLayer, Sheet
from generator.model.pack import Backs, Layout, Print

MARKS = Registration(inset=10, length=8.89, thickness=1, square=5, clear=1)
CUTTER = Cutter("silhouette", "Silhouette", MARKS)
FOUR = Cutter("silhouette-4", "Silhouette", Registration(10, 8.89, 1, square=0, clear=1))
BOARD = Stock("board", Size(188, 270))
CHIT = Stock("chit", Size(20, 20), bleed=1, shape=Shape.CIRCLE)


def marked(
    stock: Stock,
    copies: int,
    paper: Paper = A4,
    layout: Layout = Layout.NUP,
    profile: PrinterProfile | None = None,
    cutter: Cutter = CUTTER,
) -> Outcome[tuple[Sheet, ...]]:
    print_ = Print("cards", "Cards", PRINT_SPAN, ("card",), (paper.name,), layout)
    return impose(
        print_,
        [piece("a", stock, copies)],
        paper,
        Backs.DUPLEX_LONG,
        profile=profile or PrinterProfile(),
        slug=SLUG,
        cutter=cutter,
    )


def registration(sheet: Sheet) -> list[LineMark]:
    return lines(sheet, PdfLayer.REGISTRATION)


def test_a_square_and_two_angles_on_the_fronts_alone() -> None:
    front, back = marked(POKER, 1).value
    assert registration(back) == []
    square, *legs = map(inked, registration(front))
    assert square == Rect(10, 10, 5, 5)
    width, height = front.size.width, front.size.height
    assert [leg.right for leg in legs[:2]] == pytest.approx([width - 10] * 2)
    assert [leg.y for leg in legs[:2]] == pytest.approx([10, 10])
    assert [leg.bottom for leg in legs[2:]] == pytest.approx([height - 10] * 2)
    assert [leg.x for leg in legs[2:]] == pytest.approx([10, 10])
    for leg in legs:
        assert sorted((leg.width, leg.height)) == pytest.approx([1, 8.89])


def test_four_angles_where_there_is_no_square() -> None:
    front, back = marked(POKER, 1, cutter=FOUR).value
    assert registration(back) == []
    legs = list(map(inked, registration(front)))
    far = front.size.width - 10, front.size.height - 10
    found = {
        tuple(round(side, 2) for side in (leg.x, leg.y, leg.right, leg.bottom)) for leg in legs
    }
    assert found == {
        (x1, y1, x2, y2)
        for x, dx in ((10, 1), (far[0], -1))
        for y, dy in ((10, 1), (far[1], -1))
        for wide, high in ((8.89, 1), (1, 8.89))
        for x1, x2 in [sorted((round(x, 2), round(x + dx * wide, 2)))]
        for y1, y2 in [sorted((round(y, 2), round(y + dy * high, 2)))]
    }
    assert len(legs) == 8


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize("stock", [POKER, CHIT], ids=lambda stock: stock.name)
@pytest.mark.parametrize("offset", [Point(0, 0), Point(1.5, -2)], ids=["true", "shifted"])
@pytest.mark.parametrize("cutter", [CUTTER, FOUR], ids=lambda cutter: cutter.name)
def test_nothing_else_comes_near_a_mark(
    paper: Paper, stock: Stock, offset: Point, cutter: Cutter
) -> None:
    profile = PrinterProfile("p", front=offset)
    for sheet in marked(stock, 300, paper, profile=profile, cutter=cutter).value:
        boxes = [inked(mark).grown(0.99) for mark in registration(sheet)]
        others = [placed.art for placed in sheet.placements]
        others += [
            Rect(
                min(m.start.x, m.end.x),
                min(m.start.y, m.end.y),
                abs(m.start.x - m.end.x),
                abs(m.start.y - m.end.y),
            ).grown(0.01)
            for m in sheet.marks
            if isinstance(m, LineMark) and m.layer is not PdfLayer.REGISTRATION
        ]
        assert not [(b, o) for b in boxes for o in others if b.overlaps(o)]


def test_marks_stay_where_they_are_when_a_printer_shifts() -> None:
    true = marked(CHIT, 1).value[0]
    shifted = marked(CHIT, 1, profile=PrinterProfile("p", Point(2, 1))).value[0]
    assert true.size == shifted.size
    assert true.placements[0].x - shifted.placements[0].x == pytest.approx(2)
    assert registration(true) == registration(shifted)


def test_cards_that_fit_between_the_marks_are_not_kept_from_them() -> None:
    assert len(marked(POKER, 8).value) == 2  # a front with all of them, and its back


def test_what_leaves_no_room_is_printed_without_marks() -> None:
    outcome = marked(BOARD, 1)
    assert [(d.code, d.severity) for d in outcome.diagnostics] == [("GP610", "warning")]
    assert registration(outcome.value[0]) == []
