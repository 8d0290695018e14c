"""What the scrap-circuit sheets show: every face is drawn without a finding, and what states a
number follows the data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packs.shipped import ROOT, changed, drawn, printed, said, shipped_pack, sides, words

from generator.model.face import Face

NAME = "scrap-circuit"


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    both, one = {"front", "back"}, {"front"}
    assert sides(faces) == {
        "segment": both, "racer": both, "standee": one, "finish-line": one, "start-marker": both,
        "lap-marker": both, "boost-marker": both, "bonus-marker": both, "goal-card": both,
        "bonus-card": both, "crash-card": both, "die-face": one, "turn-sheet": both,
        "glossary-sheet": both, "credits-sheet": both, "rules-page": one, "track-map": one,
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
    elbow = "First the racer in front of you moves back 2. Then you move 5."
    assert elbow in fronts["dents-forward-back"]
    assert all("You move" in fronts[f"dents-advance-{n}"] for n in (2, 3, 5))
    for component, label in (("dents", "1/2"), ("smoke", "3/4"), ("fire", "5/6")):
        of_deck = [back for name, back in backs.items() if name.startswith(component)]
        assert of_deck
        assert all(label in back.replace(" ", "") for back in of_deck)


@pytest.mark.thorough
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
    assert "roll one more, up to 4 dice" in other


@pytest.mark.thorough
def test_glossary_and_booklet_count_the_cards(faces: tuple[Face, ...], tmp_path: Path) -> None:
    shipped = words(*(f for f in faces if f.component in ("glossary-sheet", "box")))
    assert "56 crash cards 18, 18, 20 in three decks" in shipped
    assert "20 cards" in shipped
    more = changed(
        tmp_path,
        NAME,
        ("crash-cards.csv", "fire-back-6,fire,back-6,3", "fire-back-6,fire,back-6,5"),
        ("crash-decks.yaml", "name: Fire, size: 20", "name: Fire, size: 22"),
    )
    other = said(more, NAME, "glossary-sheet") + said(more, NAME, "box")
    assert "58 crash cards 18, 18, 22 in three decks" in other
    assert "22 cards" in other


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("players", "one", "teams"),
    [(2, False, True), (3, True, True), (4, True, False), (5, True, False), (6, True, True)],
)
def test_what_holds_for_some_numbers_of_players_is_printed_for_them(
    players: int, one: bool, teams: bool
) -> None:
    """Two race in teams, three may, more do not; a print for six is the whole box."""
    only = "turn-sheet,setup,teams,drivers,overview"
    found = drawn(ROOT, NAME, only, players=players, kinds=("turn-sheet", "rules-page"))
    sheet = words(*(f for f in found if f.kind == "turn-sheet"))
    assert ("Of those home, the furthest along wins." in sheet) == one
    assert ("the second racers decide" in sheet) == teams
    booklet = [f for f in found if f.kind == "rules-page"]
    assert printed(shipped_pack(NAME, players))["rules-page"] == 24
    said = words(*booklet)
    assert ("Each player draws two dashboards" in said) == teams
    assert ("Each player draws one at random" in said) == one
    assert ("The drivers" in said) == (not teams)
    for number, told in ((2, "2 players race"), (3, "3 players race"), (4, "4 to 6 players race")):
        assert (told in said) == (players == 6 or min(players, 4) == number)


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
