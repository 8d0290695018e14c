"""Sheets whose manifest lists what is drawn: what they lack or have too much is told anyway."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from export.hand_made import A4
from msgspec.structs import replace
from preflight.laid import LEAF, SHIFTED, TENT, Laid, marked
from preflight.tampering import codes, found, messages, rewrite, tell

from generator.geometry import Point, Size
from generator.model.catalogue import Shape, Stock
from generator.model.face import LineMark, PdfLayer, TextMark
from generator.model.pack import Backs, Layout
from generator.preflight.manifest_checks import by_themselves
from generator.preflight.mark_checks import unruly
from generator.preflight.page_reader import ClosedStroke, DrawnPath, Pen

CARD = Stock("poker", Size(63, 88), bleed=3)
SMALL = Stock("small", Size(30, 40), bleed=1.5)
COIN = Stock("coin", Size(15, 15), bleed=1.5, shape=Shape.CIRCLE)


def odd(
    laid: Laid, change: Callable[[Any], Any] | None = None, *more: Any
) -> list[tuple[str, str]]:
    """Codes and words of what is wrong, of the first sheet changed and with more marks."""
    sheets = list(laid.sheets) if change is None else marked(laid.sheets, change)
    sheets[0] = replace(sheets[0], marks=(*sheets[0].marks, *more))
    expected, matched = laid.matched(sheets)
    odd = (each for match in matched for each in unruly(match, expected, "Hand made: Cards (A4)"))
    return [(each.code, each.message) for each in odd]


@pytest.mark.parametrize("stock", [LEAF, TENT, CARD, SMALL], ids=lambda stock: stock.name)
@pytest.mark.parametrize("layout", [Layout.NUP, Layout.BOOKLET, Layout.LABELS, Layout.NESTED])
@pytest.mark.parametrize("count", [1, 13])
def test_what_imposition_makes_is_in_order(
    tmp_path: Path, stock: Stock, layout: Layout, count: int
) -> None:
    if layout is Layout.LABELS and stock is not SMALL:
        pytest.skip("no label is as large")
    if layout is Layout.BOOKLET and stock is not LEAF:
        pytest.skip("it is no page")
    assert odd(Laid(tmp_path, layout, stock, count)) == []
    assert odd(Laid(tmp_path, layout, stock, count, profile=SHIFTED)) == []


def first_lost(layer: PdfLayer, number: int = 0) -> Callable[[Any], Any]:
    """Without one mark of a layer."""
    seen: list[Any] = []

    def change(mark: Any) -> Any:
        seen.append(mark) if isinstance(mark, LineMark) and mark.layer is layer else None
        return None if seen and seen[-1] is mark and len(seen) == number + 1 else mark

    return change


@pytest.mark.parametrize("number", range(12))
def test_one_mark_that_is_gone(tmp_path: Path, number: int) -> None:
    [(code, words)] = odd(Laid(tmp_path, Layout.NUP, CARD, 2), first_lost(PdfLayer.CUT, number))
    assert code == "GP814"
    assert "cut mark of the front of" in words
    assert words.endswith("is missing")


def test_on_sheets_that_are_alike_each_piece_is_named(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.NUP, CARD, 18)
    sheets = [replace(sheet, marks=()) for sheet in laid.sheets]
    expected, matched = laid.matched(sheets)
    told = [[each.message for each in unruly(match, expected, "")] for match in matched]
    first, second = (words for words in told if words)
    assert "'p0'" in first[0]
    assert [words.replace("'p9'", "'p0'") for words in second[:2]] == first[:2] != second[:2]


def line(x1: float, y1: float, x2: float, y2: float, layer: PdfLayer = PdfLayer.CUT) -> LineMark:
    return LineMark(layer, Point(x1, y1), Point(x2, y2))


def test_lines_that_are_no_marks(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.NUP, CARD, 1)
    [piece] = laid.sheets[0].placements
    x, y, bottom = piece.x, piece.y, piece.y + piece.height
    told = odd(laid, None, line(x, y, x, bottom))
    assert [code for code, _ in told] == ["GP814"]
    assert "runs over the front of" in told[0][1]
    told = odd(laid, None, line(x + 30, bottom + 20, x + 50, bottom + 22))
    assert "a line that is no cut mark of any piece is drawn" in told[0][1]
    told = odd(laid, None, line(150, 200, 170, 200, PdfLayer.GUIDES))
    assert told[0][0] == "GP805"
    assert "a line that belongs to no ruler is drawn" in told[0][1]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("sheet 1 of 1", "sheet 2 of 1", "says ‘sheet 2 of 1’ in the place of ‘sheet 1 of 1"),
        ("cards-a4.pdf", "cards-a5.pdf", "says ‘cards-a5.pdf’ in the place of ‘cards-a4.pdf’"),
        ("print at 100 %, no scaling", "fit to page", "ends with ‘fit to page’"),
        ("Hand made 1.0.0", "Hand made 1.0.1", "the pack's version is 1.0.0"),
        ("Hand made", "Had made", "says ‘Had made 1.0.0’, the title of the file is ‘Hand made: Ca"),
        (
            "Hand made",
            "Hand",
            "says ‘Hand 1.0.0’, the title of the file is ‘Hand made: C",
        ),
        ("Hand made", "Hand · made", ""),
    ],
)
def test_another_slug(tmp_path: Path, old: str, new: str, words: str) -> None:
    def change(mark: Any) -> Any:
        return (
            replace(mark, text=mark.text.replace(old, new)) if isinstance(mark, TextMark) else mark
        )

    told = odd(Laid(tmp_path, Layout.NUP, CARD, 1), change)
    assert [code for code, _ in told] == ["GP806"] * bool(words)
    assert words in str(told)


def test_words_too_many(tmp_path: Path) -> None:
    more = TextMark(PdfLayer.GUIDES, Point(150, 200), "PROOF")
    assert "‘PROOF’ is printed, which belongs to no sheet" in str(
        odd(Laid(tmp_path, Layout.NUP, CARD, 1), None, more)
    )


def test_no_ruler_and_no_slug(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.NUP, CARD, 1)
    told = odd(laid, lambda mark: None if mark.layer is PdfLayer.GUIDES else mark)
    assert {words for _, words in told if "cut mark" not in words} == {
        "the ruler is missing",
        "the slug, which says what sheet it is, is missing",
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"text": ("A4", "A3")}, "the slug says ‘A3’, the page is 210 × 297 mm"),
        ({"size_pt": 3}, "is 3.0 pt small: nobody can read it"),
        ({"at": Point(60, 60)}, "lies over the front of"),
        ({"at": Point(150, 200), "rotation": 180}, "is turned by 180°"),
        ({"at": Point(2, 292)}, "lies where no printer prints"),
        ({"at": Point(40, 7)}, "lies over the ruler"),
    ],
)
def test_a_slug_that_nobody_can_go_by(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    def changed(mark: Any) -> Any:
        if not isinstance(mark, TextMark) or "sheet 1" not in mark.text:
            return mark
        old, new = change.get("text", ("", ""))
        return replace(mark, **{**change, "text": mark.text.replace(old, new)})

    [(code, said)] = odd(Laid(tmp_path, Layout.NUP, CARD, 4), changed)
    assert code == "GP806"
    assert words in said


@pytest.mark.parametrize("profile", [None, SHIFTED])
def test_ticks_of_labels(tmp_path: Path, profile: Any) -> None:
    laid = Laid(tmp_path, Layout.LABELS, SMALL, 3, **({"profile": profile} if profile else {}))
    seen: list[Any] = []

    def moved(mark: Any) -> Any:
        first = isinstance(mark, LineMark) and not seen
        seen.append(mark) if first else None
        return (
            replace(mark, start=mark.start.moved(0.3, 0), end=mark.end.moved(0.3, 0))
            if first
            else mark
        )

    told = odd(laid, moved)
    assert [code for code, _ in told] == ["GP805", "GP815"]
    assert "the tick at a corner of the labels" in told[1][1]
    seen.clear()
    told = odd(laid, first_lost(PdfLayer.GUIDES))
    assert [code for code, _ in told] == ["GP815"]
    bare = odd(laid, lambda mark: None if mark.layer is PdfLayer.GUIDES else mark)
    assert ("GP815", "the ticks at the corners of the labels are missing") in bare


@pytest.mark.parametrize("name", ["l", "c"])
def test_a_circle_with_corners(tmp_path: Path, name: str) -> None:
    laid = Laid(tmp_path, Layout.NUP, Stock("coin", Size(25, 25), shape=Shape.CIRCLE), 1)
    expected, [match] = laid.matched(laid.sheets)
    [piece] = match.expected.placements
    middle, whole = piece.box.centre, [math.pi / 6 * n for n in range(12)]
    points = [(middle.moved(12.5 * math.cos(turn), 12.5 * math.sin(turn)),) for turn in whole]

    def told(*off: Point) -> list[str]:
        ends = [*points[1:], *((each,) for each in off)]
        steps = (("m", points[0]), *((name, each) for each in ends), ("h", ()))
        die = DrawnPath(PdfLayer.CUT, steps, Pen(0.15, (0.5,)))
        drawn = replace(match, read=replace(match.read, paths=(die,)))
        return [each.message for each in unruly(drawn, expected) if "circle" in each.message]

    is_no_circle = [f"the die line of the {piece} is no circle"]
    assert told() == ([] if name == "c" else is_no_circle)
    assert told(middle.moved(12, 0)) == is_no_circle


def test_a_ruler_over_a_piece_and_a_die_line_around_none(tmp_path: Path) -> None:
    def moved(mark: Any) -> Any:
        if mark.layer is not PdfLayer.GUIDES or isinstance(mark, TextMark):
            return mark
        return replace(mark, start=mark.start.moved(0, 60), end=mark.end.moved(0, 60))

    told = odd(Laid(tmp_path, Layout.NUP, CARD, 4), moved)
    assert {code for code, _ in told} == {"GP805"}
    assert "the ruler lies over the front of" in told[0][1]
    coin = Stock("coin", Size(25, 25), bleed=1.5, shape=Shape.CIRCLE)
    expected, [match] = (laid := Laid(tmp_path, Layout.NUP, coin, 1)).matched(laid.sheets)
    box = match.expected.placements[0].box
    for by, words in ((0.0, ""), (0.3, "a die line that goes around no piece is drawn")):
        die = ClosedStroke(PdfLayer.CUT, box.moved(by, 0))
        read = replace(match.read, outlines=(die,))
        assert words in str([o.message for o in unruly(replace(match, read=read), expected)])
        assert bool(words) == bool([*unruly(replace(match, read=read), expected)])


def test_a_poster_has_a_slug_and_a_ruler_as_others(tmp_path: Path) -> None:
    laid = Laid(
        tmp_path, Layout.POSTER, Stock("wall", Size(380, 340), bleed=3), 1, backs=Backs.NONE
    )
    assert odd(laid) == []
    lost = odd(laid, lambda m: None if "sheet" in getattr(m, "text", "") else m)
    assert [words for _, words in lost] == ["the slug, which says what sheet it is, is missing"]
    another = odd(laid, lambda m: replace(m, text=m.text.replace("sheet 1", "sheet 2"))
                  if isinstance(m, TextMark) else m)  # fmt: skip
    assert "in the place of ‘sheet 1 of" in str(another)
    bare = odd(laid, lambda m: None if m.layer is PdfLayer.GUIDES else m)
    assert ("GP805", "the ruler is missing") in bare


@pytest.mark.parametrize("width", [60, 75, 90, 105, 125, 148, 180, 297])
@pytest.mark.parametrize("layout", [Layout.POSTER, Layout.NESTED, Layout.NUP])
def test_a_paper_of_any_width_has_the_words_it_has_room_for(
    tmp_path: Path, layout: Layout, width: int
) -> None:
    paper = replace(A4, title="Strip", size=Size(width, 210))
    stock = Stock("wall", Size(100, 380), bleed=3) if layout is Layout.POSTER else COIN
    laid = Laid(tmp_path, layout, stock, 1, backs=Backs.NONE, paper=paper)
    expected, matched = laid.matched(laid.sheets)
    assert [odd for match in matched for odd in by_themselves(match, expected)] == []


@pytest.mark.parametrize("draft", [True, False])
def test_a_draft_says_so_and_nothing_else_does(tmp_path: Path, draft: bool) -> None:
    laid = Laid(tmp_path, Layout.NUP, CARD, 1)

    def stamped(mark: Any) -> Any:
        is_slug = isinstance(mark, TextMark) and "sheet 1" in mark.text
        return replace(mark, text=f"DRAFT · {mark.text}") if is_slug else mark

    for sheets, wrong in ((laid.sheets, draft), (marked(laid.sheets, stamped), not draft)):
        expected, [match] = laid.matched(sheets)
        told = [each.message for each in unruly(match, replace(expected, draft=draft))]
        assert [("DRAFT" in words) for words in told] == [True] * wrong


def test_a_ruler_of_another_length_is_told_of(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: s.replace("340.1575 19.84252 l", "331.6535 19.84252 l"))
    assert found(duplex) == [("GP805", 1)]
    assert "is 97.00 mm long, not 100 mm" in messages(duplex)


def test_a_ruler_that_is_gone_is_told_of(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: s[: s.index("/OC /GUIDES")])
    assert found(duplex) == [("GP805", 1)]
    assert "missing" in messages(duplex)


def test_a_ruler_in_another_place_is_told_of(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: s.replace(" 19.84252", " 29.84252"))
    assert found(duplex) == [("GP805", 1)]
    assert "not where" in messages(duplex)


def test_rulers_are_measured_without_a_manifest(duplex: Path) -> None:
    rewrite(duplex, 1, lambda s: s.replace("340.1575", "331.6535").replace("344.6929", "336.05"))
    (duplex.parent / "manifest.json").unlink()
    assert found(duplex) == [("GP805", 2)]


def test_a_manifest_cannot_call_97_mm_100(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: s.replace("340.1575 19.84252 l", "331.6535 19.84252 l"))
    tell(duplex, lambda file: file["pages"][0].update(ruler_mm=[20, 290, 117, 290]))
    assert codes(duplex) == {"GP805"}


def test_a_whole_page_scaled_down_is_found_by_its_ruler_too(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: f"0.97 0 0 0.97 9 12 cm {s}")
    assert {"GP805", "GP806"} <= codes(duplex)
    assert "drawn at 97.00 % of its size" in messages(duplex)
