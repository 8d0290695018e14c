import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from export.hand_made import CARD, cut, duplex_sheets, face, manifest_of, place, ruler, sheet
from msgspec import structs
from msgspec.structs import replace

from generator import __version__
from generator.diagnostics import Span
from generator.export.manifest_entries import ManifestFile, content, kind_entry, source
from generator.geometry import Point, Rect, Size
from generator.model.catalogue import Edge, PrinterProfile
from generator.model.face import LineMark, PdfLayer, PosterPage, Sheet
from generator.model.manifest import KindEntry, TextEntry, WaiverEntry, manifest_parts, near_box
from generator.model.pack import Backs, Component, Field, Items, Kind, Record

QUANTITIES = {"card-1": 2, "card-2": 0}
KINDS = {"card": {"title": "Card", "why": "2 each", "quantities": QUANTITIES, "components": {}}}
TEXTS = {
    "0a1b": [{"style": "body", "size_pt": 8.5, "box_mm": [3, 3, 50, 9], "source": "c.yaml:2:3"}]
}
WAIVER = {"code": "GP825", "component": "card/*", "reason": "seen", "source": "pack.yaml:9:3"}


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    path = tmp_path / "cards-a4.pdf"
    path.write_bytes(b"%PDF-1.7 of sorts")
    return path


def text_of(pdf: Path, sheets: list[Sheet], profile: PrinterProfile | None = None) -> str:
    file = ManifestFile(
        pdf, "cards", "a4", Backs.DUPLEX_LONG, tuple(sheets), profile or PrinterProfile()
    )
    card = KindEntry(title="Card", why="2 each", quantities=QUANTITIES, components={})
    text = TextEntry(style="body", size_pt=8.5, box_mm=(3, 3, 50, 9), source="c.yaml:2:3")
    return b"".join(
        manifest_parts(
            manifest_of(
                file,
                version="1.2.0",
                players=3,
                kinds={"card": card},
                texts={"0a1b": (text,)},
                waivers=(WaiverEntry(**WAIVER),),
            )
        )
    ).decode()


def test_it_says_all_of_the_contract(pdf: Path) -> None:
    front = face("card-1")
    placed = place(front, 20, 30.00004, copy=2, rotation=90, marked=True)
    told = json.loads(text_of(pdf, [sheet([placed])]))
    assert told == {
        "gridpress": __version__,
        "pack": "hand",
        "version": "1.2.0",
        "players": 3,
        "kinds": KINDS,
        "waivers": [WAIVER],
        "texts": TEXTS,
        "words": {},
        "files": [
            {
                "file": "cards-a4.pdf",
                "print": "cards",
                "paper": "a4",
                "backs": "duplex-long",
                "sha256": hashlib.sha256(b"%PDF-1.7 of sorts").hexdigest(),
                "waste": round(1 - 63 * 88 / (200 * 287), 4),
                "printer": {"name": "", "front_mm": [0, 0], "back_mm": [0, 0], "tolerance_mm": 0},
                "pages": [
                    {
                        "page": 1,
                        "side": "front",
                        "width_mm": 210,
                        "height_mm": 297,
                        "margin_mm": 5,
                        "label": "1 front",
                        "ruler_mm": [20, 290, 120, 290],
                        "placements": [
                            {
                                "component": "card-1",
                                "copy": 2,
                                "kind": "card",
                                "face": "front",
                                "side": "front",
                                "x_mm": 20,
                                "y_mm": 30,
                                "w_mm": 88,
                                "h_mm": 63,
                                "rotation": 90,
                                "bleed_mm": 3,
                                "clip_mm": None,
                                "shape": "rectangle",
                                "sha256": front.sha256,
                            }
                        ],
                    }
                ],
            }
        ],
    }


def test_each_value_has_a_line_and_the_text_ends_with_one(pdf: Path) -> None:
    text = text_of(pdf, duplex_sheets())
    assert text.endswith("}\n")
    assert sum('"copy"' in line for line in text.splitlines()) == 8


def test_numbers_are_rounded_and_never_minus_zero(pdf: Path) -> None:
    text = text_of(pdf, [sheet([place(face("a"), -0.000001, 1 / 3)])])
    assert '"x_mm": 0,' in text
    assert '"y_mm": 0.3333,' in text


def test_a_printer_profile_is_told(pdf: Path) -> None:
    profile = PrinterProfile("attic", Point(0.3, -0.1), Point(-0.25, 0))
    [file] = json.loads(text_of(pdf, duplex_sheets(), profile))["files"]
    assert file["printer"] == {
        "name": "attic",
        "front_mm": [0.3, -0.1],
        "back_mm": [-0.25, 0],
        "tolerance_mm": 0,
    }


def test_the_ruler_is_the_line_of_100_mm_else_of_50(pdf: Path) -> None:
    short = LineMark(PdfLayer.GUIDES, Point(5, 9), Point(5, 59))
    on_another_layer = LineMark(PdfLayer.CUT, Point(5, 5), Point(105, 5))
    sheets = [
        sheet([], (short, *ruler())),
        sheet([], (on_another_layer, short)),
        sheet([], (cut(9),), size=Size(50, 50)),
    ]
    [file] = json.loads(text_of(pdf, sheets))["files"]
    assert [page["ruler_mm"] for page in file["pages"]] == [
        [20, 290, 120, 290],
        [5, 9, 5, 59],
        None,
    ]


def test_a_clip_is_told(pdf: Path) -> None:
    clipped = place(face("a"), 20, 20, clip=Rect(20, 17, 66, 94))
    [file] = json.loads(text_of(pdf, [sheet([clipped])]))["files"]
    assert file["pages"][0]["placements"][0]["clip_mm"] == [20, 17, 66, 94]


def test_a_tile_and_a_page_of_a_poster_tell_what_is_shown(pdf: Path) -> None:
    corners = (Point(20, 30.00004), Point(83, 30), Point(50, 118))
    tile = replace(place(face("a"), 20, 30), edge=corners)
    shown = Rect(7, 5, 190, 270.00004)
    page = replace(place(face("b"), -180, 5), clip=Rect(5, 5, 200, 280),
                   poster=PosterPage(1, 2, 3, 4, shown))  # fmt: skip
    told = json.loads(text_of(pdf, [sheet([tile, page])]))
    first, second = told["files"][0]["pages"][0]["placements"]
    assert first["edge_mm"] == [[20, 30], [83, 30], [50, 118]]
    assert "poster" not in first
    assert second["poster"] == {
        "row": 1, "column": 2, "rows": 3, "columns": 4, "shown_mm": [7, 5, 190, 270],
    }  # fmt: skip
    assert (second["x_mm"], second["clip_mm"]) == (-180, [5, 5, 200, 280])
    assert "edge_mm" not in second


def test_it_says_that_nothing_marks_a_sticker(pdf: Path) -> None:
    stickers = [place(face("a"), 20, 20), place(face("a"), 100, 20, marked=True)]
    [page] = json.loads(text_of(pdf, [sheet(stickers)]))["files"][0]["pages"]
    assert [told.get("marked", True) for told in page["placements"]] == [False, True]


SPAN = Span("/home/ann/game/cards/race/teams.yaml", 4, 7)


def choice(name: str, *choices: str) -> Field:
    return Field(name, "choice", SPAN, choices=choices)


def kind(name: str, *fields: Field, made_from: str | None = None, each: str | None = None) -> Kind:
    return Kind(
        name, name.title(), SPAN, {field.name: field for field in fields},
        {"front": "card.svg.j2"}, CARD, made_from=made_from, each=each, why="one each",
    )  # fmt: skip


def component(kind: str, id_: str, quantity: int = 1, **values: Any) -> Component:
    return Component(id_, kind, Record({"id": id_, **values}, SPAN), quantity, SPAN)


def told(kind: Kind, *components: Component, kinds: Mapping[str, Kind] | None = None) -> KindEntry:
    return kind_entry(kind, components, ["race"], kinds or {})


TEAM = kind(
    "race-team",
    choice("colour", "red", "blue"),
    Field("look", "map", SPAN, fields={"coat": choice("coat", "bay", "grey")}),
    Field(
        "hand",
        "list",
        SPAN,
        of=Field("hand", "map", SPAN, fields={"side": choice("side", "left", "right")}),
    ),
)


def test_a_kind_is_told_with_its_stock_and_how_many_there_are() -> None:
    kind_told = told(TEAM, component("race-team", "ants", 3, colour="red"))
    assert structs.replace(kind_told, components={}) == KindEntry(
        title="Race-Team",
        why="one each",
        quantities={"ants": 3},
        bleed=3,
        safe=3,
        edge=Edge.INK,
        components={},
    )
    assert kind_told.components["ants"].source == "cards/race/teams.yaml:4:7"


def test_choices_are_told_where_they_are() -> None:
    ants = component("race-team", "ants", colour="red", look=Record({"coat": "bay"}, SPAN))
    bees = component("race-team", "bees", colour="blue", look=None)
    listed = told(TEAM, ants, bees).components
    assert listed["ants"].choices == {"colour": "red", "look.coat": "bay"}
    assert listed["bees"].choices == {"colour": "blue"}


def test_what_is_made_from_another_has_the_choices_of_its_entry_and_of_its_parent() -> None:
    card = kind("card", choice("own", "a", "b"), made_from="race-team", each="hand")
    token = kind("token", made_from="card")
    kinds = {each.name: each for each in (TEAM, card, token)}
    ants = Record({"id": "ants", "colour": "red", "look": Record({"coat": "bay"}, SPAN)}, SPAN)
    made = component("card", "ants-1", own="b", side="left", race_team=ants)
    assert told(card, made, kinds=kinds).made_from == "race-team"
    expected = {"own": "b", "side": "left", "race_team.colour": "red", "race_team.look.coat": "bay"}
    assert told(card, made, kinds=kinds).components["ants-1"].choices == expected
    again = component("token", "ants-1", card=made.values)
    assert told(token, again, kinds=kinds).components["ants-1"].choices == {
        f"card.{name}": value for name, value in expected.items() if name != "side"
    } | {"card.side": "left"}


def test_a_digest_is_of_all_that_may_be_seen() -> None:
    one = component("card", "ants-1", index=1, name="Ant", moves=Items([1, 2]))
    same = component("card", "ants-2", index=2, name="Ant", moves=Items([1, 2]))
    other = component("card", "ants-3", index=3, name="Ant", moves=Items([1, 3]))
    assert content(one) == content(same) != content(other)


def test_another_component_counts_by_its_id() -> None:
    cards = [
        component("card", "x", team=Record({"id": id_, "name": name}, SPAN))
        for id_, name in (("ants", "Ants"), ("ants", "The ants"), ("bees", "Ants"))
    ]
    first, same, other = map(content, cards)
    assert first == same != other


@pytest.mark.parametrize(
    ("laid", "told_as"),
    [
        (Rect(4, 8.00049, 65536, 9), (4, 8.0, 20000.0, 9)),
        (Rect(-1e6, 1e6, 30, 1e5), (-20000.0, 20000.0, 30, 20000.0)),
        (Rect(1.23456, 2, 3.00051, 4), (1.235, 2, 3.001, 4)),
    ],
)
def test_a_text_that_is_laid_far_off_is_told_near(
    laid: Rect, told_as: tuple[float, float, float, float]
) -> None:
    """Else the manifest that we write would be none that we read."""
    box = near_box(laid, 3)
    assert box == told_as
    entry = TextEntry(style="small", size_pt=8, box_mm=box, source="a.svg.j2:1:1")
    assert msgspec.convert(msgspec.to_builtins(entry), TextEntry) == entry


def test_a_place_is_told_from_the_folder_of_the_pack_on() -> None:
    assert source(SPAN, ["race"]) == "cards/race/teams.yaml:4:7"
    assert source(Span("/x/templates/shared/a.svg.j2", 2, 1), ["race"]) == (
        "templates/shared/a.svg.j2:2:1"
    )
    assert source(Span("/x/elsewhere.yaml", 2, 1), ["race"]) == "elsewhere.yaml:2:1"
