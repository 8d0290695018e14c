"""What the dragon-draft sheets show: every face is drawn without a finding, what must be hidden
looks alike, a tile has the same spaces on both sides, what states a figure follows the data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packs.shipped import ROOT, changed, drawn, shipped_pack, words

from generator.model.face import Face
from generator.model.pack import uncopied

NAME = "dragon-draft"
SPACE = re.compile(r'translate\(([-\d.]+) ([-\d.]+)\) scale\([\d.]+\)"><circle r="')
LARGEST = 48_000
"""Characters of a face's SVG."""


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    assert {face.kind for face in faces} == {
        "dragon", "character-card", "trophy", "token", "tile", "turn-overview", "tile-chart",
        "setup-sheet", "credits-sheet", "rules-page", "blank-dragon", "blank-character", "ring-map",
        "ring-poster",
    }  # fmt: skip
    assert min(box.size_pt for face in faces for box in face.text_boxes) >= 7
    sizes = {(face.kind, face.component): len(face.svg) for face in faces}
    cards = {key: size for key, size in sizes.items() if key[0] in ("dragon", "tile", "token")}
    assert max(cards.values()) < LARGEST


def test_no_two_dragons_look_alike(faces: tuple[Face, ...]) -> None:
    dragons = [face for face in faces if face.kind == "dragon" and face.name == "front"]
    fronts = [face.svg for face in dragons if uncopied(face.component) == face.component]
    assert len(set(fronts)) == len(fronts) == 64


def test_cards_of_the_second_copy_are_marked(faces: tuple[Face, ...]) -> None:
    read = [face for face in faces if face.kind in ("dragon", "character-card") and face.words]
    marked = {face.component for face in read if "II" in str(face.words).split()}
    assert marked == {face.component for face in read if uncopied(face.component) != face.component}
    assert len(marked) == 64 + 6


def test_backs_hide_what_must_be_hidden(faces: tuple[Face, ...]) -> None:
    backs = [face for face in faces if face.name == "back"]
    assert len({face.svg for face in backs if face.kind in ("dragon", "trophy")}) == 1
    places: dict[str, set[str]] = {}
    for face in backs:
        if face.kind == "tile":
            places.setdefault(place_of(face.component), set()).add(face.svg)
    assert {place: len(found) for place, found in places.items()} == dict.fromkeys(places, 1)
    assert len(places) == 3


def place_of(tile: str) -> str:
    (place,) = (c.values["place"] for c in shipped_pack(NAME).components["tile"] if c.id == tile)
    return str(place)


def test_a_tile_that_turns_over_has_its_spaces_in_the_same_places(
    faces: tuple[Face, ...],
) -> None:
    spaces: dict[str, list[list[tuple[str, str]]]] = {}
    for face in faces:
        if face.kind == "tile":
            spaces.setdefault(face.component, []).append(SPACE.findall(face.svg))
    assert len(spaces) == 12
    for tile, (front, back) in spaces.items():
        is_corner = place_of(tile) == "corner"
        assert len(set(front)) == (4 if is_corner else 5), tile
        assert back == ([] if is_corner else front), tile


def test_each_character_shows_the_turns_of_the_chart(tmp_path: Path) -> None:
    last = "turn_up: lower}\n\n"
    edit = (f"{{cards: 9, boost: 3, {last}", f"{{cards: 8, boost: 5, {last}")
    root = changed(tmp_path, NAME, ("turn-charts.yaml", *edit))
    shown = drawn(root, NAME, "sweepers")
    assert len(shown) == 4
    for face in shown:
        assert re.search(r"7 8 \+5$", words(face))
        assert "Move" in words(face) or "move" in words(face)


@pytest.mark.thorough
def test_the_tile_chart_follows_the_dragons(faces: tuple[Face, ...], tmp_path: Path) -> None:
    shown = words(*(face for face in faces if face.kind == "tile-chart"))
    for row in (ROOT / "cards" / NAME / "dragons.csv").read_text(encoding="utf-8").splitlines()[1:]:
        assert row.split(",")[1] in shown
    root = changed(tmp_path, NAME, ("dragons.csv", ",Pebblecough,", ",Gritgulp,"))
    renamed = words(*drawn(root, NAME, "tile-chart"))
    assert "Gritgulp" in renamed
    assert "Pebblecough" not in renamed


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("players", "cards"), [(2, "label A, 32 cards"), (6, "labels A B, 96 cards")]
)
def test_the_setup_sheet_is_for_those_who_play(players: int, cards: str) -> None:
    shown = words(*drawn(ROOT, NAME, "setup-sheet", players))
    assert f"dragons of {cards}" in shown
    assert ("Only cards without a star" in shown) == (players == 2)
    assert ("Shuffle both copies together" in shown) == (players == 6)


@pytest.mark.thorough
def test_the_words_of_the_rules_follow_the_options(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "team: 3", "team: 2"))
    assert "2 dragons" in words(*drawn(root, NAME, "fire-up"))
    assert "3 dragons" in words(*drawn(root, NAME, "characters"))


def test_no_words_are_left_to_be_filled_in(faces: tuple[Face, ...]) -> None:
    assert not re.search(r"&lt;|[#@$]", words(*faces))


def test_the_sides_of_a_token_differ_by_more_than_colour(faces: tuple[Face, ...]) -> None:
    notched = {
        (face.component, face.name): max(
            path.count("M") for path in re.findall(r'd="([^"]*)"', face.svg)
        )
        for face in faces
        if face.kind == "token"
    }
    assert len(notched) == 16
    assert all((count == 24) == (side == "back") for (_, side), count in notched.items())
