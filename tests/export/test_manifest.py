import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from export.hand_made import cut, duplex_sheets, face, place, ruler, sheet

from generator import __version__
from generator.export.manifest import ManifestFile, manifest_text
from generator.geometry import Point, Rect, Size
from generator.model.pack import Backs
from generator.model.sheet import Layer, LineMark, PosterPage, Sheet
from generator.model.stock import PrinterProfile

KINDS = {"card": {"title": "Card", "why": "2 each", "quantities": {"card-1": 2, "card-2": 0}}}
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
    return manifest_text("hand", "1.2.0", [file], KINDS, 3, TEXTS, [WAIVER])


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


def test_a_placement_is_a_line_and_the_text_ends_with_one(pdf: Path) -> None:
    text = text_of(pdf, duplex_sheets())
    assert text.endswith("}\n")
    assert sum('"copy"' in line for line in text.splitlines()) == 8


def test_numbers_are_rounded_and_never_minus_zero(pdf: Path) -> None:
    text = text_of(pdf, [sheet([place(face("a"), -0.000001, 1 / 3)])])
    assert '"x_mm": 0, "y_mm": 0.3333,' in text


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
    short = LineMark(Layer.GUIDES, Point(5, 9), Point(5, 59))
    on_another_layer = LineMark(Layer.CUT, Point(5, 5), Point(105, 5))
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
    assert '"clip_mm": [20, 17, 66, 94]' in text_of(pdf, [sheet([clipped])])


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
