import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from export.hand_made import duplex_sheets, face, manifest_of, place, sheet

from generator import __version__
from generator.diagnostics import Span
from generator.export.manifest_entries import ManifestFile, kind_entry, source
from generator.geometry import Point
from generator.model.catalogue import PrinterProfile
from generator.model.face import Sheet
from generator.model.manifest import KindEntry, WaiverEntry, WrittenFile, manifest_bytes
from generator.model.pack import Backs, Component, Kind
from generator.model.values import Record

QUANTITIES = {"card-1": 2, "card-2": 0}
KINDS = {"card": {"title": "Card", "why": "2 each", "quantities": QUANTITIES}}
WAIVER = {"code": "GP505", "component": "card/*", "reason": "seen", "source": "pack.yaml:9:3"}
SPAN = Span("/home/ann/game/cards/race/teams.yaml", 4, 7)


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    path = tmp_path / "cards-a4.pdf"
    path.write_bytes(b"%PDF-1.7 of sorts")
    return path


def text_of(pdf: Path, sheets: list[Sheet], profile: PrinterProfile | None = None) -> str:
    written = WrittenFile(
        hashlib.sha256(pdf.read_bytes()).hexdigest(),
        {"F0a": "0b"},
        tuple(f"page {n}" for n, _ in enumerate(sheets, 1)),
    )
    file = ManifestFile(
        pdf, "cards", "a4", Backs.DUPLEX_LONG, tuple(sheets), profile or PrinterProfile(), written
    )
    card = KindEntry(title="Card", why="2 each", quantities=QUANTITIES)
    told: dict[str, Any] = {"version": "1.2.0", "players": 3, "kinds": {"card": card}}
    return manifest_bytes(manifest_of(file, waivers=(WaiverEntry(**WAIVER),), **told)).decode()


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
        "files": [
            {
                "file": "cards-a4.pdf",
                "print": "cards",
                "paper": "a4",
                "backs": "duplex-long",
                "sha256": hashlib.sha256(b"%PDF-1.7 of sorts").hexdigest(),
                "waste": round(1 - 63 * 88 / (200 * 287), 4),
                "printer": {"name": "", "front_mm": [0, 0], "back_mm": [0, 0], "tolerance_mm": 0},
                "objects": {"F0a": "0b"},
                "pages": [
                    {
                        "page": 1,
                        "side": "front",
                        "width_mm": 210,
                        "height_mm": 297,
                        "label": "1 front",
                        "digest": "page 1",
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
                                "digest": front.sha256,
                            }
                        ],
                    }
                ],
            }
        ],
    }


def test_each_placement_has_a_line_and_the_text_ends_with_one(pdf: Path) -> None:
    text = text_of(pdf, duplex_sheets())
    assert text.endswith("}\n")
    assert text.splitlines()[1].startswith('"gridpress": "')
    lines = [line for line in text.splitlines() if line.startswith('{"component"')]
    assert len(lines) == 8
    assert all(line.count('"copy"') == 1 for line in lines)


def test_numbers_are_rounded_and_never_minus_zero(pdf: Path) -> None:
    text = text_of(pdf, [sheet([place(face("a"), -0.000001, 1 / 3)])])
    assert '"x_mm":0,' in text
    assert '"y_mm":0.3333,' in text


def test_a_printer_profile_is_told(pdf: Path) -> None:
    profile = PrinterProfile("attic", Point(0.3, -0.1), Point(-0.25, 0))
    [file] = json.loads(text_of(pdf, duplex_sheets(), profile))["files"]
    assert file["printer"] == {
        "name": "attic",
        "front_mm": [0.3, -0.1],
        "back_mm": [-0.25, 0],
        "tolerance_mm": 0,
    }


def test_a_kind_is_told_with_how_many_there_are() -> None:
    kind = Kind("team", "Team", SPAN, {}, {"front": "card.svg.j2"}, None, why="one each")
    ants = Component("ants", "team", Record({"id": "ants"}, SPAN), 3, SPAN)
    expected = KindEntry(title="Team", why="one each", quantities={"ants": 3})
    assert kind_entry(kind, [ants]) == expected


def test_a_place_is_told_from_the_folder_of_the_pack_on() -> None:
    assert source(SPAN, ["race"]) == "cards/race/teams.yaml:4:7"
    assert source(Span("/x/templates/shared/a.svg.j2", 2, 1), ["race"]) == (
        "templates/shared/a.svg.j2:2:1"
    )
    assert source(Span("/x/elsewhere.yaml", 2, 1), ["race"]) == "elsewhere.yaml:2:1"
