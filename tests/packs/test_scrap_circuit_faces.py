"""What the scrap-circuit sheets show: every face is drawn without a finding, and what states a
number follows the data."""

from __future__ import annotations

import re
from pathlib import Path

from packs.shipped import ROOT, changed, drawn, said, sides, words

from generator.model.face import Face

NAME = "scrap-circuit"


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    both, one = {"front", "back"}, {"front"}
    assert sides(faces) == {
        "segment": both, "racer": both, "standee": one, "finish-line": one, "start-marker": both,
        "lap-marker": both, "boost-marker": both, "bonus-marker": both, "goal-card": both,
        "bonus-card": both, "crash-card": both, "die-face": one, "turn-sheet": both,
        "glossary-sheet": both, "credits-sheet": one, "rules-page": one, "track-map": one,
        "track-poster": one,
    }  # fmt: skip
    assert min(box.size_pt for face in faces for box in face.text_boxes) >= 7
    assert not any("[" in words(face) for face in faces)


def test_segment_has_its_number_on_the_back(faces: tuple[Face, ...]) -> None:
    backs = {f.component: words(f) for f in faces if f.kind == "segment" and f.name == "back"}
    assert len(backs) == 14
    assert all(back == component.split("-")[1] for component, back in backs.items())


def test_crash_card_shows_rule_bonus_marker_and_deck(faces: tuple[Face, ...]) -> None:
    cards = [f for f in faces if f.kind == "crash-card"]
    fronts = {f.component: words(f) for f in cards if f.name == "front"}
    backs = {f.component: words(f) for f in cards if f.name == "back"}
    assert all("Take 1 bonus marker" in front for front in fronts.values())
    assert "Move 5. Then the racer in front of you moves back 2." in fronts["dents-forward-back"]
    for component, label in (("dents", "1/2"), ("smoke", "3/4"), ("fire", "5/6")):
        of_deck = [back for name, back in backs.items() if name.startswith(component)]
        assert of_deck
        assert all(label in back.replace(" ", "") for back in of_deck)


def test_odds_are_those_of_the_die(faces: tuple[Face, ...], tmp_path: Path) -> None:
    back = words(*(f for f in faces if f.component == "turn-sheet"))
    for chance in ("100 %", "83 %", "56 %", "28 %", "9.3 %", "1.5 %"):
        assert chance in back
    fewer = changed(
        tmp_path,
        NAME,
        ("pack.yaml", "  dice: 6", "  dice: 4"),
        ("dice.yaml", "count: 6", "count: 4"),
    )
    other = said(fewer, NAME, "turn-sheet")
    assert "28 %" in other
    assert "9.3 %" not in other
    assert "as often as you dare, up to 4." in other


def test_glossary_counts_the_cards(faces: tuple[Face, ...], tmp_path: Path) -> None:
    shipped = words(*(f for f in faces if f.component == "glossary-sheet"))
    assert "56 Crash cards" in shipped
    assert "20 cards" in shipped
    more = changed(
        tmp_path,
        NAME,
        ("crash-cards.csv", "fire-back-6,fire,back-6,3", "fire-back-6,fire,back-6,5"),
        ("crash-decks.yaml", "name: Fire, size: 20", "name: Fire, size: 22"),
    )
    other = said(more, NAME, "glossary-sheet")
    assert "58 Crash cards" in other
    assert "22 cards" in other


def test_teams_of_three_players_race_six_machines(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "team_players: 2", "team_players: 3"))
    assert "Two machines each" in said(root, NAME, "turn-sheet", 3)
    assert len({f.component for f in drawn(root, NAME, players=3, kinds=("racer",))}) == 6


def test_teams_stand_on_the_overview_of_two_players_only() -> None:
    assert "Two machines each" in said(ROOT, NAME, "turn-sheet", 2)
    assert "Two machines each" not in said(ROOT, NAME, "turn-sheet", 3)


def test_dashboard_has_a_place_for_all_that_its_racer_holds(faces: tuple[Face, ...]) -> None:
    fronts = {f.component: words(f) for f in faces if f.kind == "racer" and f.name == "front"}
    for front in fronts.values():
        for place in ("Bonus cards, hidden", "Goal cards, discarded", "Boost markers", "Laps"):
            assert place in front
    assert "A bonus card costs you 2 bonus markers" in fronts["discount-navy"]
    assert "#" not in " ".join(fronts.values())


def test_backs_of_a_deck_are_all_the_same(faces: tuple[Face, ...]) -> None:
    for kind, differing in (("goal-card", 1), ("bonus-card", 1), ("boost-marker", 1), ("racer", 1)):
        backs = {f.svg for f in faces if f.kind == kind and f.name == "back"}
        assert len(backs) == differing
    assert len({f.svg for f in faces if f.kind == "crash-card" and f.name == "back"}) == 3


def test_a_hidden_boost_marker_has_the_sign_of_boosts(faces: tuple[Face, ...]) -> None:
    backs = {f.svg for f in faces if f.kind == "boost-marker" and f.name == "back"}
    icons = ROOT / "templates" / NAME / "icons"
    signs = {
        name: re.findall(r' d="([^"]*)"', (icons / f"{name}.svg").read_text(encoding="utf-8"))[0]
        for name in ("boost", "bonus")
    }
    assert [signs["boost"] in back for back in backs] == [True]
    assert [signs["bonus"] in back for back in backs] == [False]
