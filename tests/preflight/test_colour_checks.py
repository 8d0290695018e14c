from collections.abc import Mapping

import pytest
from preflight.by_hand import Colour, Drawn, deck

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.preflight.colour_checks import choices_apart
from generator.preflight.finding import Finding

BAND, DOT, STAR = (0, 0, 63, 10), (5, 20, 4, 4), (40, 20, 4, 4)
RED, BLUE, YELLOW = (200, 40, 40), (30, 60, 190), (250, 210, 40)
TAN, OLIVE = (205, 100, 60), (130, 135, 55)


def cards(
    colours: Mapping[str, Colour],
    *,
    each: int = 3,
    marks: Mapping[str, tuple[float, float, float, float]] | None = None,
    letters: Mapping[str, str] | None = None,
    field: str = "team",
) -> list[Drawn]:
    """So many cards a team, all with a band in its colour, and a mark or letter of its own."""
    return [
        Drawn(
            f"{team}-{n}",
            {field: team},
            (f"Card {team}-{n}", *((letters[team],) if letters else ())),
            {BAND: colour, **({marks[team]: (20, 20, 20)} if marks else {})},
        )
        for team, colour in colours.items()
        for n in range(each)
    ]


def found(*faces: Drawn) -> list[Finding]:
    return list(choices_apart(*deck(*faces)))


def test_teams_that_only_red_and_green_tell_apart_are_told_of() -> None:
    [finding] = found(*cards({"ants": TAN, "bees": OLIVE}))
    assert finding.code == "GP841"
    assert finding.severity is Severity.WARNING
    assert "the fronts of 'card' show 'team' by colour alone" in finding.message
    assert "'ants' and 'bees' are alike in" in finding.message
    assert "deuteranopia (ΔE" in finding.message
    assert "full colour" not in finding.message
    assert (finding.page, finding.component) == (1, "card/ants-0")
    place = finding.place or Rect(0, 0, 0, 0)
    assert (place.x, place.y, place.width) == pytest.approx((20, 30, 63), abs=0.11)
    assert str(finding.source) == "cards/hand/ants-0.yaml:3:5"


def test_teams_that_a_grey_print_makes_alike_are_told_of() -> None:
    [finding] = found(*cards({"ants": (210, 80, 200), "bees": (90, 130, 120)}))
    assert "alike in greyscale (ΔE" in finding.message


def test_teams_that_nobody_tells_apart_are_told_of() -> None:
    [finding] = found(*cards({"ants": (200, 40, 40), "bees": (200, 60, 40)}))
    assert "full colour sight" in finding.message


def test_teams_of_another_lightness_are_in_order() -> None:
    assert found(*cards({"ants": (20, 20, 60), "bees": (240, 220, 120)})) == []


@pytest.mark.parametrize("one_only", [False, True])
def test_teams_with_a_shape_or_letter_of_their_own_are_in_order(one_only: bool) -> None:
    colours = {"ants": TAN, "bees": OLIVE}
    assert found(*cards(colours, marks={"ants": DOT, "bees": STAR})) == []
    assert found(*cards(colours, letters={"ants": "A", "bees": "" if one_only else "B"})) == []


def test_one_card_each_is_told_apart_by_its_name() -> None:
    assert found(*cards({"ants": TAN, "bees": OLIVE}, each=1)) == []


def test_one_token_each_without_words_is_not() -> None:
    tokens = [
        Drawn(name, {"team": name}, (), {BAND: colour})
        for name, colour in {"ants": TAN, "bees": OLIVE}.items()
    ]
    assert len(found(*tokens)) == 1


def test_a_field_that_no_colour_shows_is_left_in_peace() -> None:
    faces = [
        Drawn(f"c{n}", {"rank": "high" if n % 2 else "low"}, (f"Card {n}",), {BAND: colour})
        for n, colour in enumerate([RED, RED, BLUE, BLUE, YELLOW, YELLOW])
    ]
    assert found(*faces) == []


def test_a_colour_that_differs_within_a_value_shows_nothing() -> None:
    mixed = [
        Drawn(f"{team}-{n}", {"team": team}, (f"{team} {n}",), {BAND: colour})
        for team, colours in {"ants": (RED, BLUE), "bees": ((205, 50, 40), YELLOW)}.items()
        for n, colour in enumerate(colours)
    ]
    assert found(*mixed) == []


def test_a_second_mark_in_colours_that_stay_apart_is_enough() -> None:
    faces = [
        Drawn(f"{team}-{n}", {"team": team}, (f"{team} {n}",), {BAND: band, DOT: dot})
        for team, band, dot in (
            ("ants", (205, 100, 60), (0, 0, 0)),
            ("bees", (130, 135, 55), YELLOW),
        )
        for n in range(2)
    ]
    assert found(*faces) == []


def test_a_field_is_told_of_once_with_its_worst_pairs() -> None:
    colours = {f"t{n}": (100 + 2 * n, 100, 100) for n in range(0, 16, 4)}
    [finding] = found(*cards(colours))
    assert finding.message.count(" are alike in ") == 3
    assert finding.message.endswith("more pairs")


def test_each_face_counts_for_itself() -> None:
    colours = {"ants": TAN, "bees": OLIVE}
    fronts = cards(colours, letters={"ants": "A", "bees": "B"})
    backs = [
        Drawn(card.component, card.choices, (), {BAND: colours[card.choices["team"]]}, face="back")
        for card in fronts
    ]
    [finding] = found(*fronts, *backs)
    assert finding.message.startswith("the backs of 'card'")


def test_a_file_without_choices_is_left_in_peace() -> None:
    assert found(Drawn("ant", {}, ("Ant",), {BAND: RED})) == []


def test_marks_are_asked_only_of_faces_that_may_tell_a_choice_by_a_colour() -> None:
    plain, chosen = Drawn("ant"), Drawn("bee", {"team": "red"}, ("Bee",))
    shared = (Drawn("ant", face="back"), Drawn("cat", {"team": "red"}, face="back"))
    file = deck(plain, chosen, *shared)[0].expected
    assert file is not None
    ant, bee, back, same = (placed.sha256 for placed in file.pages[0].placements)
    assert back == same  # of the one that has no choice, and of the one that has
    assert file.coded == {bee, back}
    assert ant not in file.coded
