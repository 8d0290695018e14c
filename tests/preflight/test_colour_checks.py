from collections.abc import Mapping

import pytest
from preflight.by_hand import INK, Colour, Drawn, deck

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.preflight.checking import Finding
from generator.preflight.colour_checks import choices_apart

BAND, DOT, STAR = (0, 0, 63, 10), (5, 20, 4, 4), (40, 20, 4, 4)
ART = (5, 30, 50, 20)
RED, BLUE, YELLOW = (200, 40, 40), (30, 60, 190), (250, 210, 40)
NAMES = "Ada Bo Cleo Dan Eve Finn Gus Hal Ida Jo Kit Lea Max Nan Otto Pia Quin Rex".split()
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
    names = iter(NAMES)
    return [
        Drawn(
            f"{team}-{n}",
            {field: team},
            (f"Dear {next(names)}", *((letters[team],) if letters else ())),
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
    assert "are alike to every eye (ΔE" in finding.message


def test_greys_that_a_print_in_greys_made_of_two_colours_are_told_of() -> None:
    [finding] = found(*cards({"ants": (90, 90, 90), "bees": (92, 92, 92)}))
    assert "'ants' and 'bees' are alike to every eye (ΔE" in finding.message
    assert found(*cards({"ants": (92, 91, 90), "bees": (90, 91, 92)})) == []


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


GLUED = {
    "with a number": lambda team, n: f"{team[0].upper()}{n + 3}",
    "the word with a number": lambda team, n: f"{team}{n}",
    "with a dot": lambda team, n: f"{NAMES[n]}·{team[:2]}",
    "before a name": lambda team, n: f"{team[0]}{NAMES[n]}",
    "a word before a name": lambda team, n: f"{team}{NAMES[n]}",
    "after a name": lambda team, n: f"{NAMES[n]}{team[:3]}",
    "plus signs": lambda team, n: f"{n}{'+' if team == 'ants' else '++'}",
}


@pytest.mark.parametrize("glued", GLUED)
@pytest.mark.parametrize("count", [2, 3])
def test_what_is_glued_to_a_value_that_varies_is_seen(glued: str, count: int) -> None:
    """`"F" ~ c.cost`, and the like; a letter before names may be there by chance, on two cards."""
    cards = [
        Drawn(
            f"{team}-{n}",
            {"team": team},
            (GLUED[glued](team, n), f"Dear {NAMES[9 + n]}"),
            {BAND: colour},
        )
        for team, colour in {"ants": TAN, "bees": OLIVE}.items()
        for n in range(count)
    ]
    assert bool(found(*cards)) == (glued == "before a name" and count == 2)


def test_what_no_word_tells_is_told_though_names_begin_alike() -> None:
    cards = [
        Drawn(f"{team}-{n}", {"team": team}, (name, f"{n}"), {BAND: colour})
        for team, colour, names in (("ants", TAN, "Ada Anna"), ("bees", OLIVE, "Bo Bea"))
        for n, name in enumerate(names.split())
    ]
    assert len(found(*cards)) == 1


def test_a_counter_that_follows_the_cost_tells_no_value() -> None:
    """The one that is mythic costs most, and nothing else tells it but the colour of its dot."""
    costs = [("common", 1), ("common", 2), ("common", 3), ("rare", 2), ("rare", 4), ("mythic", 5)]
    colours = {"common": TAN, "rare": OLIVE, "mythic": (150, 120, 50)}
    cards = [
        Drawn(
            f"{rarity}-{n}",
            {"rarity": rarity},
            (NAMES[n],),
            {DOT: colours[rarity], (5 + 6 * cost, 60, 4, 7): INK},
        )
        for n, (rarity, cost) in enumerate(costs)
    ]
    [finding] = found(*cards)
    assert "'mythic'" in finding.message


def test_a_bar_as_long_as_the_cost_tells_no_value() -> None:
    costs = [("common", 1), ("common", 2), ("common", 3), ("mythic", 5), ("mythic", 5)]
    colours = {"common": TAN, "mythic": OLIVE}
    cards = [
        Drawn(
            f"{rarity}-{n}",
            {"rarity": rarity},
            (NAMES[n],),
            {DOT: colours[rarity], (5, 60, 6 * cost, 4): INK},
            outlines={(5, 60, 6 * cost, 4): cost},
        )
        for n, (rarity, cost) in enumerate(costs)
    ]
    assert len(found(*cards)) == 1


def test_a_colour_that_stands_elsewhere_on_each_card_is_seen() -> None:
    """The counter in the team's colour stands where the cost says; so do words in its colour."""
    for moves in (True, False):
        cards = [
            Drawn(
                f"{team}-{n}",
                {"team": team},
                (NAMES[n],),
                {(5 + 6 * n, 60, 5, 5) if moves else (5, 60, 5 + n, 5): colour},
            )
            for team, colour in {"ants": TAN, "bees": OLIVE}.items()
            for n in range(4)
        ]
        assert len(found(*cards)) == 1


def test_words_of_any_length_in_the_colour_of_a_value_are_seen() -> None:
    cards = [
        Drawn(f"{team}-{n}", {"team": team}, ("", "Same" * (n + 1)), {ART: INK}, ink=colour)
        for team, colour in {"ants": TAN, "bees": OLIVE}.items()
        for n in range(3)
    ]
    assert len(found(*cards)) == 1


@pytest.mark.parametrize("each", [1, 2, 4])
@pytest.mark.parametrize("moves", [False, True])
def test_an_outline_tells_values_apart(each: int, moves: bool) -> None:
    """An arrow that is turned, a line that is dashed otherwise: of the same box and points."""
    cards = [
        Drawn(
            f"{team}-{n}",
            {"team": team},
            ("",),
            {BAND: colour, (20 + (8 * n if moves else 0), 40, 8, 8): INK},
            outlines={(20 + (8 * n if moves else 0), 40, 8, 8): outline},
        )
        for team, colour, outline in (("ants", TAN, 7), ("bees", OLIVE, 9))
        for n in range(each)
    ]
    assert found(*cards) == []


def test_how_many_there_are_tells_values_apart() -> None:
    """One dot, two, three, in a row that stands as low as the title is long."""
    cards = [
        Drawn(
            f"{team}-{n}",
            {"team": team},
            (),
            {BAND: colour, **{(5 + 5 * dot, 60 + 2 * n, 3, 3): INK for dot in range(dots)}},
        )
        for dots, (team, colour) in enumerate({"ants": TAN, "bees": OLIVE}.items(), start=1)
        for n in range(2)
    ]
    assert found(*cards) == []


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
    assert finding.message.count(" are alike ") == 3
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
