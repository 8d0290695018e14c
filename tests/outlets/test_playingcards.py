"""A room of playingcards.io: what is in its file, and what the validator finds wrong with one."""

import json
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from generator.outlets.playingcards import room_faults

Export = Callable[..., tuple[int, str, str]]


@pytest.fixture
def room(project: Path, exported: Callable[..., str]) -> Path:
    """The file of a room."""
    exported("--for", "pcio")
    return project / "output/mini/pcio/mini.pcio"


def widgets(room: Path) -> list[dict[str, Any]]:
    with zipfile.ZipFile(room) as packed:
        told: list[dict[str, Any]] = json.loads(packed.read("widgets.json"))
        return told


def test_every_copy_is_a_card_of_its_deck_in_its_pile(room: Path) -> None:
    told = widgets(room)
    cards = [one["cardType"] for one in told if one["type"] == "card"]
    assert cards == ["one", "one", "one", "two", "chit", "odd"]
    piles = {one["id"]: one for one in told if one["type"] == "cardPile"}
    assert len(piles) == 3
    assert all(one["parent"] in piles for one in told if one["type"] == "card")
    deck = next(one for one in told if one["type"] == "cardDeck")
    assert deck["cardTypes"]["two"]["label"] == "Two"
    assert (deck["cardWidth"], deck["cardHeight"]) == (113, 158)
    with zipfile.ZipFile(room) as packed:
        assert packed.read("schemaVersion") == b"3"
        fronts = {kind["face"] for kind in deck["cardTypes"].values()}
        backs = {kind["back"] for kind in deck["cardTypes"].values()}
        assert (len(fronts), len(backs)) == (2, 1)
        name = deck["cardTypes"]["two"]["face"].removeprefix("package://")
        with packed.open(name) as file, Image.open(file) as picture:
            assert picture.size == (372, 520)
            assert picture.getpixel((9, 9)) == pytest.approx((0x99, 0x33, 0), abs=6)


def test_piles_lie_beside_one_another_within_the_room(room: Path) -> None:
    piles = [one for one in widgets(room) if one["type"] == "cardPile"]
    spans = [(one["x"], one["x"] + one["width"]) for one in piles]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert max(end for _, end in spans) <= 1600
    with Image.open(room.with_suffix(".png")) as picture:
        assert picture.size == (1600, 1000)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda told: told[2].update(cardType="nobody"), "its deck has no such card"),
        (lambda told: told[2].update(parent="nowhere"), "it lies in no pile"),
        (lambda told: told[0].update(width="wide"), "width is no int"),
        (lambda told: told[3].update(id=told[2]["id"]), "two widgets have one id"),
        (lambda told: told[0].update(type="heap"), "there is no widget 'heap'"),
        (lambda told: told[1]["cardTypes"]["one"].update(face="x"), "there is no picture 'x'"),
    ],
)
def test_the_validator_finds_what_a_room_would_not_take(
    change: Callable[[list[dict[str, Any]]], None], said: str, room: Path
) -> None:
    assert list(room_faults(room)) == []
    told = widgets(room)
    change(told)
    with zipfile.ZipFile(room) as packed:
        others = {n: packed.read(n) for n in packed.namelist() if n != "widgets.json"}
    with zipfile.ZipFile(room, "w") as packed:
        packed.writestr("widgets.json", json.dumps(told))
        for name, content in others.items():
            packed.writestr(name, content)
    assert any(said in fault for fault in room_faults(room))


def test_more_than_a_room_takes_is_told(project: Path, export: Export) -> None:
    cards = project / "cards/mini/cards.yaml"
    cards.write_text(cards.read_text("utf-8").replace("copies: 3", "copies: 1300"))
    status, _, err = export("--for", "pcio")
    assert status == 0
    assert "warning[GP715]: 1,309 pieces and piles; a room takes about 1,200" in err


def test_the_same_bytes_again(project: Path, export: Export) -> None:
    for name in ("one", "two"):
        assert export("--for", "pcio", "-o", name)[0] == 0
    one, two = ((project / n / "mini/pcio/mini.pcio").read_bytes() for n in ("one", "two"))
    assert one == two
