from collections.abc import Mapping
from itertools import combinations

import pytest
from preflight.by_hand import Colour, Drawn, deck

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.preflight.checking import Finding
from generator.preflight.colour_checks import Lab, Sight, apart, choices_apart, delta_e, seen

BAND, DOT, STAR = (0, 0, 63, 10), (5, 20, 4, 4), (40, 20, 4, 4)
ART = (5, 30, 50, 20)
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


def rarities(signs: Mapping[str, tuple[float, float, float, float]] | None = None) -> list[Drawn]:
    """Cards with art, a title and a cost of their own, and a dot in the colour of how rare they
    are, or a sign; few are very rare."""
    colours = {"common": TAN, "rare": OLIVE, "mythic": (150, 120, 50)}
    return [
        Drawn(
            f"{rarity}-{n}",
            {"rarity": rarity},
            (f"The {rarity[n:][::-1]}", str(len(rarity) + n)),
            {DOT: colours[rarity], ART: (90, 90, 90), **({signs[rarity]: RED} if signs else {})},
            {ART: 5 + 3 * n + len(rarity)},
        )
        for rarity, count in (("common", 5), ("rare", 2), ("mythic", 1))
        for n in range(count)
    ]


def test_a_dot_whose_colour_alone_tells_how_rare_a_card_is() -> None:
    """Art, titles and numbers of the one card that is mythic are its own, not its rarity's."""
    [finding] = found(*rarities())
    assert "show 'rarity' by colour alone" in finding.message
    assert "'mythic'" in finding.message
    signs = {"common": (50, 5, 4, 4), "rare": (50, 5, 8, 4), "mythic": (50, 5, 12, 4)}
    assert found(*rarities(signs)) == []


@pytest.mark.parametrize("is_told", [False, True])
def test_a_word_of_each_value_is_enough_wherever_it_stands(is_told: bool) -> None:
    """`type ~ " · " ~ rarity` on one line: the line is another one for each type."""
    cards = [
        Drawn(
            f"{team}-{n}",
            {"team": team},
            (f"Card {n}", f"{what} · {team if is_told else 'rare'}"),
            {BAND: colour},
        )
        for team, colour in {"ants": TAN, "bees": OLIVE}.items()
        for n, what in enumerate(("Creature", "Spell", "Place"))
    ]
    assert bool(found(*cards)) != is_told


def test_forms_that_stand_elsewhere_on_each_face_are_enough() -> None:
    """Trees on woods and summits on peaks, strewn otherwise on each tile."""
    tiles = [
        Drawn(
            f"{terrain}-{n}",
            {"terrain": terrain},
            (),
            {BAND: colour, (10 + n, 20 + 2 * n, 3, 4 + n): (20, 60, 20)},
            {(10 + n, 20 + 2 * n, 3, 4 + n): corners},
        )
        for terrain, colour, corners in (("woods", TAN, 7), ("peaks", OLIVE, 3))
        for n in range(3)
    ]
    assert found(*tiles) == []


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


# Lightness, a, b; lightness, a, b; difference: Sharma, Wu and Dalal (2005), table 1.
PUBLISHED = """
50.0000 2.6772 -79.7751 50.0000 0.0000 -82.7485 2.0425
50.0000 3.1571 -77.2803 50.0000 0.0000 -82.7485 2.8615
50.0000 2.8361 -74.0200 50.0000 0.0000 -82.7485 3.4412
50.0000 -1.3802 -84.2814 50.0000 0.0000 -82.7485 1.0000
50.0000 -1.1848 -84.8006 50.0000 0.0000 -82.7485 1.0000
50.0000 -0.9009 -85.5211 50.0000 0.0000 -82.7485 1.0000
50.0000 0.0000 0.0000 50.0000 -1.0000 2.0000 2.3669
50.0000 -1.0000 2.0000 50.0000 0.0000 0.0000 2.3669
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0009 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0010 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0011 7.2195
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0012 7.2195
50.0000 -0.0010 2.4900 50.0000 0.0009 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0010 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0011 -2.4900 4.7461
50.0000 2.5000 0.0000 50.0000 0.0000 -2.5000 4.3065
50.0000 2.5000 0.0000 73.0000 25.0000 -18.0000 27.1492
50.0000 2.5000 0.0000 61.0000 -5.0000 29.0000 22.8977
50.0000 2.5000 0.0000 56.0000 -27.0000 -3.0000 31.9030
50.0000 2.5000 0.0000 58.0000 24.0000 15.0000 19.4535
50.0000 2.5000 0.0000 50.0000 3.1736 0.5854 1.0000
50.0000 2.5000 0.0000 50.0000 3.2972 0.0000 1.0000
50.0000 2.5000 0.0000 50.0000 1.8634 0.5757 1.0000
50.0000 2.5000 0.0000 50.0000 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""
PAIRS = [[float(number) for number in line.split()] for line in PUBLISHED.split("\n")[1:-1]]
RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)


def test_all_published_pairs_are_here() -> None:
    assert len(PAIRS) == 34


@pytest.mark.parametrize("pair", PAIRS)
def test_differences_are_as_published_both_ways(pair: list[float]) -> None:
    one, other, told = Lab(*pair[:3]), Lab(*pair[3:6]), pair[6]
    # At hues that lie opposite each other the formula jumps; that pair may fall on either side.
    near = 0.06 if pair[1:3] == [-0.0010, 2.4900] and pair[4] == 0.0010 else 0.00005
    assert delta_e(one, other) == pytest.approx(told, abs=near)
    assert delta_e(other, one) == pytest.approx(told, abs=near)


# The corners of sRGB in Lab, D65, as every converter has them.
@pytest.mark.parametrize(
    ("colour", "lab"),
    [
        ((255, 255, 255), (100, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        (RED, (53.24, 80.09, 67.20)),
        (GREEN, (87.73, -86.18, 83.18)),
        (BLUE, (32.30, 79.19, -107.86)),
        (YELLOW, (97.14, -21.55, 94.48)),
        ((119, 119, 119), (50.03, 0, 0)),
    ],
)
def test_srgb_becomes_lab(colour: tuple[int, int, int], lab: tuple[float, ...]) -> None:
    assert seen(colour) == pytest.approx(lab, abs=0.02)


@pytest.mark.parametrize("sight", Sight)
@pytest.mark.parametrize("level", [0, 1, 90, 200, 255])
def test_grey_stays_the_same_grey_to_every_eye(sight: Sight, level: int) -> None:
    assert seen((level,) * 3, sight) == pytest.approx(seen((level,) * 3), abs=0.02)


@pytest.mark.parametrize(
    ("sight", "one", "other"),
    [
        (Sight.PROTANOPIA, (200, 60, 30), (103, 103, 24)),
        (Sight.DEUTERANOPIA, (200, 90, 60), (130, 125, 60)),
        (Sight.TRITANOPIA, (40, 120, 200), (35, 130, 130)),
        (Sight.GREYSCALE, (220, 40, 40), (0, 122, 60)),
    ],
)
def test_what_only_some_eyes_tell_apart(
    sight: Sight, one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    assert apart(one, other) > 20
    assert apart(one, other, sight) < 10


@pytest.mark.parametrize("sight", [Sight.PROTANOPIA, Sight.DEUTERANOPIA])
def test_blue_and_yellow_stay_apart_without_red_or_green(sight: Sight) -> None:
    assert apart(BLUE, YELLOW, sight) > 60


def test_a_colour_is_not_apart_from_itself() -> None:
    for sight in Sight:
        assert apart(RED, RED, sight) == 0
    for one, other in combinations((RED, GREEN, BLUE, YELLOW), 2):
        assert apart(one, other) == pytest.approx(apart(other, one))
