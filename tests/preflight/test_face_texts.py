import math

import pytest
from msgspec.structs import replace
from preflight.drawn import BLED, FlatLook, codes, findings, flat, line, picture, polygon, text

from generator.diagnostics import Severity
from generator.geometry import Matrix, Point, Rect, Size
from generator.model.catalogue import Fold, Stock
from generator.model.painted import Painted, PaintedArt, PaintedShape

WHITE = flat(BLED)
DARK = flat(BLED, "#202020")
PLACE = Rect(4, 4, 52, 12)


def turned(degrees: float) -> Matrix:
    angle = math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    return Matrix(cos, sin, -sin, cos, 30, 45)


@pytest.mark.parametrize(
    "painted",
    [
        (WHITE, text(5, 5)),
        (text(5, 5),),
        (DARK, text(5, 5, colour="#ffffff")),
        (DARK, flat(PLACE), text(5, 5)),
        (WHITE, text(5, 5, colour="#777777")),
        (flat(BLED, "#2196f3"), text(5, 5, colour="#ffffff", size=12)),
        (flat(BLED, "#2196f3"), text(5, 5, colour="#ffffff", weight=700)),
        (DARK, flat(PLACE, "#ffffff", 0.9), text(5, 5)),
        # a rounded panel with its line
        (DARK, polygon((5, 4), (55, 4), (56, 5), (56, 15), (55, 16), (4, 15), (4, 5)), text(6, 6)),
        (WHITE, line(4, 4, 56, 4, 0.5, "#000000"), text(5, 6)),
        (WHITE, line(6, 3, 6, 10, 0.5, "#c21858"), text(5, 5, "A")),
        (WHITE, text(5, 5, shown=Rect(5, 5, 23.81249, 2.857499))),  # cut by rounding alone
        # a thick line as a band behind pale words
        (WHITE, line(3, 7, 57, 7, 8, "#102040"), text(5, 5.5, colour="#ffffff")),
        # nothing certain is behind it
        (WHITE, replace(flat(PLACE, "#222222"), clipped=True), text(5, 5)),
        (WHITE, replace(flat(PLACE, "#222222"), colour=""), text(5, 5)),
        (WHITE, PaintedArt(PLACE), text(5, 5, colour="#ffffff")),
        (WHITE, picture(PLACE, see_through=True), text(5, 5, colour="#eeeeee")),
        # drawn over later, but not hidden
        (WHITE, text(5, 5), flat(Rect(4, 20, 50, 30), "#dddddd")),
        (WHITE, text(5, 5), flat(PLACE, "#dddddd", 0.2)),
        (WHITE, text(5, 5), picture(PLACE, see_through=True)),
        (WHITE, text(5, 5), replace(picture(PLACE), clipped=True)),
        (WHITE, text(5, 5), replace(flat(PLACE), colour="")),
        (WHITE, text(5, 5), polygon((4, 4), (5, 4), (4, 60))),
        # words that are only looked at, and a watermark
        (WHITE, text(5, 5, "D", "#f4f0e8", 90, decoration=True), text(6, 20)),
        (WHITE, text(-30, 0, "TEST", opacity=0.1, decoration=True, matrix=turned(45)), text(6, 20)),
        # a shadow and an outline below the words
        (WHITE, text(5.3, 5.3, colour="#999999"), text(5, 5)),
        (WHITE, text(5, 5, colour="#ffffff", outline="#000000"), text(5, 5, colour="#ffffff")),
        (DARK, text(5, 5, colour="#202020", outline="#ffffff")),
        # bold by painting it twice in its place
        (WHITE, text(5, 5), text(5.1, 5)),
        # below each other, tails and all
        (WHITE, text(5, 5), text(5, 8.0, "Then rest.")),
    ],
)  # fmt: skip
def test_a_fair_text_is_not_reported(painted: tuple[Painted, ...]) -> None:
    assert codes(*painted) == []


@pytest.mark.parametrize(
    "words", ["日本語のカード", "请抽两张牌", "كتاب", "دو کارڈ نکالیں", "שלום", "ไทย", "हिन्दी", "♠"]
)
@pytest.mark.parametrize("degrees", [0, 37, 90, 180])
def test_a_text_of_any_script_and_turn_is_fair(words: str, degrees: float) -> None:
    one = text(-20, -5, words, size=12, matrix=turned(degrees))
    other = text(-20, 0, words[::-1], size=12, matrix=turned(degrees))
    assert codes(WHITE, one, other) == []


@pytest.mark.parametrize(
    ("painted", "code", "severity", "said"),
    [
        ((WHITE, text(5, 5), flat(PLACE, "#dddddd")), "GP824", "error", "this text is hidden"),
        ((WHITE, text(5, 5), picture(PLACE)), "GP824", "error", "this text is hidden"),
        (
            (WHITE, text(5, 5), flat(Rect(4, 4, 10, 12), "#dddddd")),
            "GP824", "warning", "part of this text is hidden",
        ),
        ((WHITE, text(5, 5, shown=Rect(5, 5, 0, 0))), "GP824", "error", "all of this text is cut"),
        ((WHITE, text(5, 5, shown=Rect(5, 5, 8, 3))), "GP824", "error", "part of this text is cut"),
        ((WHITE, text(5, 5, opacity=0.0)), "GP824", "warning", "this text is invisible"),
        ((WHITE, text(5, 5, colour="none")), "GP824", "warning", "this text is invisible"),
        ((WHITE, text(5, 5, colour="#ffffff")), "GP825", "error", "this text has the same colour"),
        ((WHITE, text(5, 5, colour="#aaaaaa")), "GP825", "warning", "this text stands out"),
        ((WHITE, text(5, 5, opacity=0.3)), "GP825", "warning", "this text stands out"),
        # half on a dark shape
        (
            (WHITE, polygon((15, 0), (40, 0), (40, 40), (15, 41), colour="#222222"), text(5, 5)),
            "GP825", "warning", "this text stands out too little from its background, #222222",
        ),
        ((WHITE, text(5, 5, colour="#888888")), "GP825", "warning", "this text stands out"),
        (
            (WHITE, text(5, 5, matrix=Matrix(-1, 0, 0, 1, 60, 0))),
            "GP827", "warning", "this text is mirrored",
        ),
        ((WHITE, text(5, 5), text(12, 5.5, "Then rest.")), "GP826", "warning", "one text"),
        ((WHITE, text(5, 5), text(5.6, 5.4)), "GP826", "warning", "this text is printed twice"),
        (
            (flat(BLED, "#402010"), text(5, 5, colour="#ffffff", size=6.5)),
            "GP828", "warning", "small pale letters on a dark colour",
        ),
    ],
)  # fmt: skip
def test_a_text_that_cannot_be_read_is_reported(
    painted: tuple[Painted, ...], code: str, severity: str, said: str
) -> None:
    [found] = findings(*painted)
    assert (found.code, found.severity) == (code, severity)
    assert found.message.startswith(said)
    assert found.about is not None
    assert "‘" in found.message


def test_a_large_pale_letter_that_does_not_say_it_is_decoration_is_a_warning() -> None:
    letter = text(5, 5, "D", "#fdfdfd", 90)
    found = findings(WHITE, letter, text(8, 20))
    assert {each.severity for each in found} == {Severity.WARNING}
    assert all("decoration: true" in each.hint for each in found)
    assert [each.severity for each in findings(WHITE, letter, flat(BLED, "#dddddd"))] == ["warning"]


@pytest.mark.parametrize(
    ("look", "colour", "expected"),
    [
        (FlatLook(0.0, 0.1), "#ffffff", []),
        (FlatLook(0.6, 0.9), "#ffffff", ["GP825"]),
        (FlatLook(0.0, 0.9), "#ffffff", []),  # somewhere it stands out
        (None, "#ffffff", []),
    ],
)
def test_text_on_a_picture_is_judged_by_what_lies_behind_each_letter(
    look: FlatLook | None, colour: str, expected: list[str]
) -> None:
    assert codes(WHITE, picture(BLED, (660, 960)), text(5, 5, colour=colour), look=look) == expected


def test_small_letters_on_black_and_bold_ones_are_fair() -> None:
    brown = flat(BLED, "#402010")
    assert codes(DARK, text(5, 5, colour="#ffffff", size=6.5)) == []
    assert codes(brown, text(5, 5, colour="#ffffff", size=6.5, weight=700)) == []


@pytest.mark.parametrize(("y", "expected"), [(44, ["GP816"]), (30, []), (46, [])])
def test_text_on_a_fold_is_reported(y: float, expected: list[str]) -> None:
    tent = Stock("tent", Size(60, 90), folds=(Fold(Point(0, 45), Point(60, 45)),))
    assert codes(WHITE, text(5, y), stock=tent) == expected


def test_a_page_number_beside_a_last_line_is_not_over_it() -> None:
    lines = (Rect(5, 5, 40, 3), Rect(5, 9, 40, 3), Rect(5, 13, 10, 3))
    box = Rect(5, 5, 40, 11)
    paragraph = replace(text(5, 5), box=box, shown=box, strips=lines)
    assert codes(WHITE, paragraph, text(35, 13, "12")) == []
    assert codes(WHITE, paragraph, text(7, 13, "12")) == ["GP826"]


def test_an_icon_between_words_hides_none() -> None:
    one = text(5, 5)
    strips = (Rect(5, 5, 8, 3), Rect(17, 5, 8, 3))
    one = replace(one, box=Rect(5, 5, 20, 3), shown=Rect(5, 5, 20, 3), strips=strips)
    assert codes(WHITE, one, flat(Rect(13.5, 5, 3, 3), "#cc0000")) == []


def test_a_turned_text_is_cut_off_only_where_its_letters_are() -> None:
    one = text(-20, -2, "Draw two cards, then rest.", matrix=turned(37))
    near = one.box.grown(-0.5)  # takes empty corners
    assert codes(WHITE, replace(one, shown=near)) == []
    assert codes(WHITE, replace(one, shown=Rect(20, 30, 10, 10))) == ["GP824"]


def test_what_is_known_of_thousands_of_shapes_is_known_as_well() -> None:
    grain = [polygon((x, y), (x + 0.4, y), (x, y + 0.4), colour="#223344")
             for x in range(60) for y in range(20, 90)]  # fmt: skip
    assert codes(WHITE, *grain, text(5, 5)) == []
    assert codes(WHITE, *grain, text(5, 5, colour="#ffffff")) == ["GP825"]
    assert codes(WHITE, text(5, 5), *grain, flat(PLACE, "#dddddd")) == ["GP824"]


def test_a_ring_has_nothing_in_its_middle() -> None:
    outer, inner = Rect(2, 2, 56, 30), Rect(3, 3, 54, 28)
    back = tuple(reversed([(p.x, p.y) for p in inner.corners]))
    ring = PaintedShape(
        outer, "#000000",
        segments=(
            *(("ML"[bool(n)], (p.x, p.y)) for n, p in enumerate(outer.corners)), ("Z", ()),
            *(("ML"[bool(n)], p) for n, p in enumerate(back)), ("Z", ()),
        ),
    )  # fmt: skip
    assert codes(WHITE, ring, text(5, 5)) == []
