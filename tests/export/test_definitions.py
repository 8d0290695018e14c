from collections.abc import Mapping
from typing import Any

from export.hand_made import CARD

from generator.diagnostics import Span
from generator.export.definitions import content, definition, source
from generator.model.pack import Component, Field, Kind
from generator.model.values import Items, Record

SPAN = Span("/home/ann/game/cards/race/teams.yaml", 4, 7)


def choice(name: str, *choices: str) -> Field:
    return Field(name, "choice", SPAN, choices=choices)


def kind(name: str, *fields: Field, made_from: str | None = None, each: str | None = None) -> Kind:
    return Kind(
        name, name.title(), SPAN, {field.name: field for field in fields},
        {"front": "card.svg.j2"}, CARD, made_from=made_from, each=each, why="one each",
    )  # fmt: skip


def component(kind: str, id_: str, quantity: int = 1, **values: Any) -> Component:
    return Component(id_, kind, Record({"id": id_, **values}, SPAN), quantity, SPAN)


def told(kind: Kind, *components: Component, kinds: Mapping[str, Kind] | None = None) -> Any:
    return definition(kind, components, ["race"], kinds or {})


TEAM = kind(
    "race-team",
    choice("colour", "red", "blue"),
    Field("look", "map", SPAN, fields={"coat": choice("coat", "bay", "grey")}),
    Field(
        "hand",
        "list",
        SPAN,
        of=Field("hand", "map", SPAN, fields={"side": choice("side", "left", "right")}),
    ),
)


def test_a_kind_is_told_with_its_stock_and_how_many_there_are() -> None:
    kind_told = told(TEAM, component("race-team", "ants", 3, colour="red"))
    components = kind_told.pop("components")
    assert kind_told == {
        "title": "Race-Team",
        "why": "one each",
        "quantities": {"ants": 3},
        "bleed_mm": 3,
        "safe_mm": 3,
        "edge": "ink",
    }
    assert components["ants"]["source"] == "cards/race/teams.yaml:4:7"


def test_choices_are_told_where_they_are() -> None:
    ants = component("race-team", "ants", colour="red", look=Record({"coat": "bay"}, SPAN))
    bees = component("race-team", "bees", colour="blue", look=None)
    listed = told(TEAM, ants, bees)["components"]
    assert listed["ants"]["choices"] == {"colour": "red", "look.coat": "bay"}
    assert listed["bees"]["choices"] == {"colour": "blue"}


def test_what_is_made_from_another_has_the_choices_of_its_entry_and_of_its_parent() -> None:
    card = kind("card", choice("own", "a", "b"), made_from="race-team", each="hand")
    token = kind("token", made_from="card")
    kinds = {each.name: each for each in (TEAM, card, token)}
    ants = Record({"id": "ants", "colour": "red", "look": Record({"coat": "bay"}, SPAN)}, SPAN)
    made = component("card", "ants-1", own="b", side="left", race_team=ants)
    assert told(card, made, kinds=kinds)["made_from"] == "race-team"
    expected = {"own": "b", "side": "left", "race_team.colour": "red", "race_team.look.coat": "bay"}
    assert told(card, made, kinds=kinds)["components"]["ants-1"]["choices"] == expected
    again = component("token", "ants-1", card=made.values)
    assert told(token, again, kinds=kinds)["components"]["ants-1"]["choices"] == {
        f"card.{name}": value for name, value in expected.items() if name != "side"
    } | {"card.side": "left"}


def test_a_digest_is_of_all_that_may_be_seen() -> None:
    one = component("card", "ants-1", index=1, name="Ant", moves=Items([1, 2]))
    same = component("card", "ants-2", index=2, name="Ant", moves=Items([1, 2]))
    other = component("card", "ants-3", index=3, name="Ant", moves=Items([1, 3]))
    assert content(one) == content(same) != content(other)


def test_another_component_counts_by_its_id() -> None:
    cards = [
        component("card", "x", team=Record({"id": id_, "name": name}, SPAN))
        for id_, name in (("ants", "Ants"), ("ants", "The ants"), ("bees", "Ants"))
    ]
    first, same, other = map(content, cards)
    assert first == same != other


def test_a_place_is_told_from_the_folder_of_the_pack_on() -> None:
    assert source(SPAN, ["race"]) == "cards/race/teams.yaml:4:7"
    assert source(Span("/x/templates/shared/a.svg.j2", 2, 1), ["race"]) == (
        "templates/shared/a.svg.j2:2:1"
    )
    assert source(Span("/x/elsewhere.yaml", 2, 1), ["race"]) == "elsewhere.yaml:2:1"
