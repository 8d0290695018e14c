"""The room of playingcards.io."""

import json
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from outlets.helpers import change, is_valid
from PIL import Image

Export = Callable[..., tuple[int, str, str]]


@pytest.fixture
def room(project: Path, exported: Callable[..., str]) -> Path:
    """The file of a room."""
    exported("--for", "pcio")
    return project / "output/mini/pcio/mini.pcio"


def widgets(room: Path) -> list[dict[str, Any]]:
    with zipfile.ZipFile(room) as packed:
        read: list[dict[str, Any]] = json.loads(packed.read("widgets.json"))
        return read


def test_every_copy_is_a_card_of_its_deck_in_its_pile(room: Path) -> None:
    found = widgets(room)
    is_valid(found, "pcio")
    by_id = {one["id"]: one for one in found}
    assert len(by_id) == len(found)
    cards = [one for one in found if one["type"] == "card"]
    assert [one["cardType"] for one in cards] == ["one", "one", "one", "two", "chit", "odd"]
    assert all(one["cardType"] in by_id[one["deck"]]["cardTypes"] for one in cards)
    assert {by_id[one["parent"]]["type"] for one in found if "parent" in one} == {"cardPile"}


def test_a_deck_shows_its_pictures(room: Path) -> None:
    deck = next(one for one in widgets(room) if one["type"] == "cardDeck")
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


def test_more_pieces_than_a_room_takes(project: Path, export: Export) -> None:
    change(project / "cards/mini/cards.yaml", "copies: 3", "copies: 1300")
    status, _, err = export("--for", "pcio")
    assert status == 0
    assert "warning[GP715]: 1,309 pieces and piles; a room takes about 1,200" in err
