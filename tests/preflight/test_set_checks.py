from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from generator.diagnostics import Span
from generator.geometry import Rect, Size
from generator.model.catalogue import Edge, Paper, PrinterProfile, Stock
from generator.model.face import Asset, Drawing, Face, Placement, Sheet, Side
from generator.model.pack import Component, Field, Kind, Pack, Print
from generator.model.packed import pack
from generator.model.painted import FaceTraits
from generator.model.values import Record
from generator.preflight.colour_sight import Sight, apart, difference
from generator.preflight.page_checks import check_sheets
from generator.preflight.set_checks import check_together

STOCK = Stock("poker", Size(60, 90))
SPAN = Span("cards.yaml")


def pack_of(
    values: Sequence[Mapping[str, Any]], choice: str = "suit", made_from: str | None = None
) -> Pack:
    """A pack of one kind, a card for each of these values, called a, b, c …"""
    kind = Kind(
        "card", "Card", SPAN, {choice: Field(choice, "choice", SPAN)}, {"front": "f"}, STOCK,
        made_from=made_from,
    )  # fmt: skip
    cards = tuple(
        Component(id_, "card", Record({"id": id_, **each}, SPAN), 1, Span("cards.yaml", line))
        for line, (id_, each) in enumerate(zip("abcdefghijkl", values, strict=False), 2)
    )
    nothing = Record({}, SPAN)
    return Pack("mini", "Mini", "1", SPAN, {"card": kind}, {"card": cards}, (), nothing)


def face(
    id_: str,
    sha256: str = "",
    name: str = "front",
    words: str = "",
    fills: Sequence[str] = (),
    forms: tuple[int, ...] | None = (1,),
    pictures: str = "",
    **more: Any,
) -> Face:
    traits = FaceTraits(tuple((colour, 0.5) for colour in fills), forms)
    assets = tuple(Asset(f"assets/{one}.jpg", Path(one), one) for one in pictures)
    drawing = Drawing(pack(b""), assets=assets)
    sha256 = sha256 or id_
    shown = Face(id_, "card", name, STOCK, drawing, sha256, SPAN, words=words, traits=traits)
    return replace(shown, **more) if more else shown


def said(pack: Pack, faces: Sequence[Face]) -> list[tuple[str, int]]:
    found = check_together(pack, faces)
    assert all(each.severity == "warning" and each.component for each in found)
    return [(each.code, each.span.line) for each in found]


RED, GREEN, BLUE = "#cc2222", "#7a6a00", "#2244cc"
SUITS = [{"suit": suit, "power": n} for n in range(2) for suit in ("sun", "moon", "star")]


def suited(colours: Mapping[str, str], **more: Any) -> list[Face]:
    return [
        face(id_, fills=["#ffffff", colours[str(each["suit"])]], words=f"Card {id_}", **more)
        for id_, each in zip("abcdef", SUITS, strict=True)
    ]


def test_values_told_by_colours_that_are_alike_to_some_are_reported() -> None:
    faces = suited({"sun": RED, "moon": GREEN, "star": BLUE})
    [found] = check_together(pack_of(SUITS), faces)
    assert (found.code, found.span) == ("GP841", SPAN)
    assert "fronts of kind 'card' show 'suit' by colour alone: 'moon' and 'sun'" in found.message
    assert "deuteranopia" in found.message


@pytest.mark.parametrize(
    "faces",
    [
        suited({"sun": "#f0d060", "moon": "#203050", "star": "#c05030"}),
        suited({"sun": RED, "moon": RED, "star": RED}),
        suited({"sun": RED, "moon": GREEN, "star": BLUE}, forms=None),
        [
            replace(one, traits=replace(one.traits, forms=(1, number % 3 + 2)))  # an icon each
            for number, one in enumerate(suited({"sun": RED, "moon": GREEN, "star": BLUE}))
        ],
        [
            replace(one, words=f"{('Sun', 'Moon', 'Star')[number % 3]} {number}")
            for number, one in enumerate(suited({"sun": RED, "moon": GREEN, "star": BLUE}))
        ],
        [
            replace(one, words=f"{'SMT'[number % 3]}{number}")
            for number, one in enumerate(suited({"sun": RED, "moon": GREEN, "star": BLUE}))
        ],
    ],
)
def test_values_that_something_else_tells_are_fair(faces: Sequence[Face]) -> None:
    assert said(pack_of(SUITS), faces) == []


def test_colours_are_as_far_apart_as_is_published() -> None:
    # two of the pairs of Sharma, Wu and Dalal
    assert difference((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert difference((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619)) == pytest.approx(
        2.0373, abs=1e-4
    )
    assert difference((50, 0, 0), (50, -1, 2)) == pytest.approx(2.3669, abs=1e-4)
    assert apart("#000000", "#ffffff", Sight.FULL) == pytest.approx(100)
    assert apart(RED, GREEN, Sight.DEUTERANOPIA) < 10 < apart(RED, GREEN, Sight.FULL)


def test_components_that_look_alike_though_their_values_differ_are_reported() -> None:
    values = [{"power": 1}, {"power": 2}, {"power": 1}]
    faces = [face("a", "x"), face("b", "x"), face("c", "y")]
    assert said(pack_of(values), faces) == [("GP852", 2)]
    assert said(pack_of([{"power": 1}] * 3), faces) == []
    assert said(pack_of(values, made_from="deck"), faces) == []
    backs = [face(id_, id_, "back") for id_ in "abc"]
    assert said(pack_of(values), [*faces, *backs]) == []  # their backs differ
    assert said(pack_of(values), [replace(one, whole=False) for one in faces]) == []


def test_components_whose_fronts_were_not_drawn_are_not_said_to_look_alike() -> None:
    pack = pack_of([{"power": 1}, {"power": 2}])
    both = replace(pack.kinds["card"], faces={"front": "f", "back": "b"})
    backs = [face(id_, "x", "back") for id_ in "ab"]
    assert said(replace(pack, kinds={"card": both}), backs) == []


def with_backs(looks: str, words: str = "") -> list[Face]:
    return [
        each
        for id_, look in zip("abcdefghijkl", looks, strict=False)
        for each in (face(id_), face(id_, look, "back", words=words or ""))
    ]


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        ("xxxxxy", [("GP858", 7)]),
        ("xxxyyy", [("GP858", 2)]),
        ("xxxxxx", []),
        ("xyzuvw", []),  # whose is whose
        ("xxy", []),  # too few for a deck
    ],
)
def test_a_deck_with_two_backs_is_reported(looks: str, expected: list[tuple[str, int]]) -> None:
    values = [{"suit": "sun", "power": n} for n in range(len(looks))]
    assert said(pack_of(values), with_backs(looks)) == expected


@pytest.mark.parametrize(("looks", "expected"), [("xxxyyy", []), ("xxxxxy", [("GP858", 7)])])
def test_two_decks_may_be_told_by_a_number(looks: str, expected: list[tuple[str, int]]) -> None:
    pack = pack_of([{"age": 1 if look == "x" else 2} for look in looks])
    fields = {"age": Field("age", "int", SPAN)}
    pack = replace(pack, kinds={"card": replace(pack.kinds["card"], fields=fields)})
    assert said(pack, with_backs(looks)) == expected


def test_two_decks_that_say_so_are_fair() -> None:
    told = [{"suit": "sun" if n < 3 else "moon", "power": n} for n in range(6)]
    assert said(pack_of(told), with_backs("xxxyyy")) == []
    faces = [
        replace(each, words="Quest" if each.sha256 == "x" else "Event")
        if each.name == "back" else each
        for each in with_backs("xxxyyy")
    ]  # fmt: skip
    assert said(pack_of([{"power": n} for n in range(6)]), faces) == []


@pytest.mark.parametrize(
    ("pictures", "expected"),
    [
        (["1", "2", "3", "4", "5", "5"], []),  # two thirds have their own: may be meant
        (["1", "2", "3", "4", "5", "6", "7", "7"], [("GP860", 8)]),
        (["1s", "2s", "3s", "4s", "5s", "6s", "7s", "7s"], []),
        (["1", "2", "3", "4", "5", "6", "7", "8"], []),
        (["1", "1", "1", "1", "2", "2", "2", "2"], []),
        (["", "", "", ""], []),
    ],
)
def test_two_cards_with_one_picture_are_reported(
    pictures: list[str], expected: list[tuple[str, int]]
) -> None:
    faces = [face(id_, pictures=one) for id_, one in zip("abcdefgh", pictures, strict=False)]
    if any("s" in one for one in pictures):
        expected = [("GP860", 8)]  # a texture on all cards is nobody's own
    assert said(pack_of([{"power": n} for n in range(len(faces))]), faces) == expected


PAPER = Paper("a4", "A4", Size(210, 297))
PRINT = Print("cards", "Cards", Span("pack.yaml", 9), ("card",), ("a4",))


def sheet(*placed: Placement) -> Sheet:
    return Sheet(PAPER, PAPER.size, Side.FRONT, 1, "1 front", placed, ())


def placement(x: float, y: float, side: Side = Side.FRONT, **more: Any) -> Placement:
    shown = face("a", **more)
    return Placement(shown, 1, side, x, y, 60, 90, 0, shown.stock.bleed)


@pytest.mark.parametrize(
    ("placed", "drift", "expected"),
    [
        (placement(20, 20), 0.5, []),
        (placement(-1, 20), 0.0, [("GP803", "error")]),
        (placement(155, 20), 0.0, [("GP803", "error")]),
        (placement(3, 20), 0.0, [("GP812", "warning")]),
        (placement(5, 5), 0.0, []),
        (placement(20, 20, traits=FaceTraits(border=0.8)), 0.0, [("GP813", "warning")]),
        (placement(20, 20, traits=FaceTraits(border=1.2)), 0.5, [("GP813", "warning")]),
        (placement(20, 20, traits=FaceTraits(border=1.2)), 0.0, []),
        (placement(20, 20, Side.BACK), 3.5, [("GP813", "warning")] * 2),
        (placement(20, 20, Side.BACK, stock=replace(STOCK, edge=Edge.WHITE)), 3.5,
         [("GP813", "warning")]),
        (placement(20, 20), 3.5, []),  # fronts are cut by their own marks
    ],
)  # fmt: skip
def test_a_sheet_is_judged_by_its_paper_and_the_drift_of_its_printer(
    placed: Placement, drift: float, expected: list[tuple[str, str]]
) -> None:
    found = check_sheets(PRINT, PAPER, [sheet(placed, placed)], PrinterProfile(tolerance=drift))
    assert [(each.code, str(each.severity)) for each in found] == expected
    assert all(each.component for each in found if each.severity == "warning")


def test_a_part_of_a_poster_may_go_over_its_page() -> None:
    from generator.model.face import PosterPage

    page = PosterPage(1, 1, 1, 2, Rect(10, 10, 190, 277))
    part = replace(placement(20, 20), x=10, y=10, width=400, height=277, poster=page)
    assert check_sheets(PRINT, PAPER, [sheet(part)], PrinterProfile()) == ()
