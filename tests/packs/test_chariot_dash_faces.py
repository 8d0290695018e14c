"""What the chariot-dash sheets show: every face is drawn without a finding, the tracks take a
paperclip, and what states a rule follows the data."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from packs.shipped import changed, drawn, most_faces, shipped_faces, words

from generator.model.face import Face

NAME = "chariot-dash"
CLIP = 8.0
SEAT = re.compile(r'translate\(([-\d.]+) ([-\d.]+)\) rotate\((90|180|270)\)" fill="#ffffff"')
FASTER = re.compile(r'<rect x="([-\d.]+)" y="-3" width="([-\d.]+)" height="10.4"')


@pytest.fixture
def faces(request: pytest.FixtureRequest) -> tuple[Face, ...]:
    """Those of the track are drawn, and looked at, in another module."""
    tracks = ("track-piece", "track-map", "track-poster")
    if request.config.getoption("--thorough"):
        return tuple(face for face in shipped_faces(NAME) if face.kind not in tracks)
    return most_faces(NAME, tracks)


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    kinds = {face.kind for face in faces}
    assert kinds == {
        "vehicle", "blank-licence", "blank-card", "guide-page", "glossary-page", "crew-card",
        "die-face", "counter", "standee", "marker", "crib-sheet",
        "movement-summary", "rules-page", "credits-sheet",
    }  # fmt: skip
    assert all(face.text_boxes for face in faces if face.kind == "vehicle")
    assert min(box.size_pt for face in faces for box in face.text_boxes) >= 7


def test_edge_tracks_take_a_paperclip(faces: tuple[Face, ...]) -> None:
    licences = [f for f in faces if f.kind in ("vehicle", "blank-licence") and f.name == "front"]
    assert len(licences) >= 10
    for face in licences:
        seats = [(float(x), float(y), int(turn)) for x, y, turn in SEAT.findall(face.svg)]
        for turn, axis, edge in ((90, 1, 258.0), (270, 1, 0.0), (180, 0, 186.0)):
            track = [seat for seat in seats if seat[2] == turn]
            assert len(track) >= 5
            assert {seat[1 - axis] for seat in track} == {edge}
            places = sorted(seat[axis] for seat in track)
            gaps = [after - before for before, after in pairwise(places)]
            assert min(gaps) >= CLIP - 1e-3, (face.component, turn)
        boxes = [(float(x), float(w)) for x, w in FASTER.findall(face.svg)]
        assert len(boxes) >= 7
        assert min(width for _, width in boxes) >= CLIP - 1e-3, face.component
        assert all(abs(a[0] + a[1] - b[0]) < 3e-3 for a, b in pairwise(boxes))


def test_back_spells_out_traits_with_their_numbers(faces: tuple[Face, ...]) -> None:
    backs = (f for f in faces if f.kind == "vehicle" and f.name == "back")
    back = next(f for f in backs if f.component == "last-orders")
    said = words(back)
    assert "Anchor 2" in said
    assert "To decelerate, never roll: choose 0 to 2 boxes, without cards too." in said
    assert "#" not in said


@pytest.mark.thorough
def test_crib_sheet_shows_the_options_in_force(faces: tuple[Face, ...], tmp_path: Path) -> None:
    shipped = words(*(f for f in faces if f.component == "crib-sheet"))
    assert "First-round truce" in shipped
    assert "Friendly race" not in shipped
    assert "2 hexes or more straight on" in shipped
    jumps = "{id: jumps, name: Jumps, in_force: "
    root = changed(tmp_path, NAME, ("options.yaml", f"{jumps}true,", f"{jumps}false,"))
    without = words(*drawn(root, NAME, "crib-sheet"))
    assert "2 hexes or more straight on" not in without


@pytest.mark.thorough
def test_points_of_scoring_are_printed_as_the_pack_sets_them(
    faces: tuple[Face, ...], tmp_path: Path
) -> None:
    shipped = words(*(f for f in faces if f.kind in ("rules-page", "crib-sheet")))
    assert "3 or 4 if hard to reach, 3 or 4 for a runner" in shipped
    assert "Points for a runner" not in shipped
    assert "[score-" not in shipped
    root = changed(
        tmp_path,
        NAME,
        ("pack.yaml", "options:\n", "options:\n  rules: {score-runner: 7, score-damage: 6}\n"),
    )
    assert "Scoring: 7 or 1 more for a runner." in words(*drawn(root, NAME, "crib-sheet"))
    booklet = words(*drawn(root, NAME, "page-8"), *drawn(root, NAME, "page-7"))
    assert "7 or 8 for a runner; 6 a damage you inflict" in booklet
    assert "a runner 7 or 8" in booklet, booklet[:2500]


@pytest.mark.thorough
def test_crib_sheet_reads_pairs_off_the_die(faces: tuple[Face, ...], tmp_path: Path) -> None:
    shipped = words(*(f for f in faces if f.component == "crib-sheet"))
    assert "both spins are 2; slow and haste are 1." in shipped
    root = changed(
        tmp_path,
        NAME,
        ("dice.yaml", "right-spin, value: 2", "right-spin, value: 3"),
        ("dice.yaml", "slow, value: 1", "slow, value: 2"),
    )
    other = words(*drawn(root, NAME, "crib-sheet"))
    assert "left spin is 2, right spin 3; slow is 2, haste 1." in other


def test_blank_licence_has_the_tracks_and_no_values(faces: tuple[Face, ...]) -> None:
    blank = next(f for f in faces if f.kind == "blank-licence" and f.name == "front")
    said = words(blank)
    for name in ("Speed", "Control", "Stamina", "Damage", "Traits", "Spent", "Recovery"):
        assert name in said
    assert "wipe-out" not in said.lower()


def test_both_sides_of_a_score_marker_say_the_same(faces: tuple[Face, ...]) -> None:
    score = [face for face in faces if face.kind == "marker" and "score" in face.component]
    assert len(score) == 4
    assert all(words(face) == face.component.removeprefix("score-") for face in score)


def test_back_says_which_card_a_level_costs(faces: tuple[Face, ...]) -> None:
    backs = (f for f in faces if f.kind == "vehicle" and f.name == "back")
    back = next(f for f in backs if f.component == "last-orders")
    assert "Choose 1 card (Reins), wherever it lies" in words(back)
