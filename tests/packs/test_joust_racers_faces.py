"""What the joust-racers sheets show: every face is drawn without a finding, and what states a
number follows the data."""

from __future__ import annotations

import re
from pathlib import Path

from packs.shipped import ROOT, changed, drawn, said, sides, words

from generator.model.face import Face

NAME = "joust-racers"


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    both, one = {"front", "back"}, {"front"}
    assert sides(faces) == {
        "part-card": both, "knight": both, "racer": one, "racer-token": both, "ruler": both,
        "blocker": both, "waypoint": both, "token": both, "falcon": both, "turn-sheet": both,
        "ability-sheet": both, "credits-sheet": one, "rules-page": one,
    }  # fmt: skip
    assert min(box.size_pt for face in faces for box in face.text_boxes) >= 7
    assert not any("[" in words(face) for face in faces)


def test_costs_angles_and_glory_follow_the_options(tmp_path: Path) -> None:
    sheet = said(ROOT, NAME, "turn-sheet")
    assert "Fire, once a round 2 SP" in sheet
    assert "First at the last one, in all +2" in sheet
    assert "You are wrecked −1" in sheet
    assert "135°" in sheet
    root = changed(
        tmp_path,
        NAME,
        ("pack.yaml", "fire: 2", "fire: 3"),
        ("pack.yaml", "last_waypoint_glory: 1", "last_waypoint_glory: 4"),
        ("pack.yaml", "turn_step: 45", "turn_step: 30"),
    )
    sheet = said(root, NAME, "turn-sheet")
    assert "Fire, once a round 3 SP" in sheet
    assert "First at the last one, in all +5" in sheet
    assert "Handling × 30°" in sheet
    assert "135°" not in sheet
    assert "+5" in said(root, NAME, "page-7")


def test_odds_are_those_of_two_dice() -> None:
    back = next(f for f in drawn(ROOT, NAME, "turn-sheet") if f.name == "back")
    found = re.search(r"36 1 35 2 33 3 30 4 26 5 21 6 15 7 10 8 6 9 3 10 1 11\b", words(back))
    assert found, words(back)
    assert "1M +1 2M +1 3M +2 4M +2 5M +3 6M +3" in words(back)


def test_waypoints_in_the_rules_are_one_more_than_players() -> None:
    assert "waypoints 1 to 4" in said(ROOT, NAME, "page-3", players=3)


def test_build_sheet_names_the_cards_to_cut(tmp_path: Path) -> None:
    sheet = next(f for f in drawn(ROOT, NAME, "low-tide") if f.kind == "racer")
    assert "part cards 6a, 6b, 7, 8; knight 9" in words(sheet)
    assert "a perfect racer of the Karkin" in words(sheet)
    root = changed(tmp_path, NAME, ("racers.yaml", "engine: karkin-engine", "engine: tock-engine"))
    sheet = next(f for f in drawn(root, NAME, "low-tide") if f.kind == "racer")
    assert "part cards 6a, 6b, 17, 8, 7; knight 9" in words(sheet)
    assert "a racer of many makers" in words(sheet)
