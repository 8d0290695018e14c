"""Columns of tables find their places on cards."""

import pytest

from generator.roles import roles_of
from generator.table_columns import Column


def column(name: str, *cells: str, type_: str = "text") -> Column:
    return Column(name, type_, cells)


NAME = column("name", "Ant", "Bee", "Cat")


@pytest.mark.parametrize(
    ("others", "parts"),
    [
        ([column("kosten", "1", "2", "3", type_="int")], {"name": "name", "cost": "kosten"}),
        ([column("tipo", "Rey", "Rey", "As")], {"name": "name", "type": "tipo"}),
        ([column("art", "Wesen", "Ort", "Ort")], {"name": "name", "type": "art"}),
        ([column("art", "a.png", "b.png", "c.png", type_="image")], {"name": "name", "art": "art"}),
        ([column("effet", "Va.", "Viens.", "")], {"name": "name", "text": "effet"}),
        ([column("story", "Once.", "", "", type_="rich")], {"name": "name", "flavour": "story"}),
        (
            [column("effect", "Go.", "", ""), column("quote", "Ah!", "", "")],
            {"name": "name", "text": "effect", "flavour": "quote"},
        ),
        ([column("rarity", "1", "3", "", type_="int")], {"name": "name", "rank": "rarity"}),
        ([column("rarity", "1", "7", "", type_="int")], {"name": "name"}),
        ([column("number", "XVI", "0", "I")], {"name": "name", "cost": "number"}),
        ([column("hp", "3", "4", "5", type_="int")], {"name": "name", "health": "hp"}),
        ([column("price", "two hundred", "1", "2")], {"name": "name"}),
    ],
)
def test_columns_are_known_by_their_names_and_cells(
    others: list[Column], parts: dict[str, str]
) -> None:
    found = roles_of([NAME, *others]).parts
    assert {role: each.name for role, each in found.items()} == parts


def test_numbers_are_badges_and_many_are_a_table() -> None:
    few = [column(name, "1", "2", "3", type_="int") for name in ("speed", "luck", "hp")]
    roles = roles_of([NAME, *few])
    assert [each.name for each in roles.badges] == ["speed", "luck"]
    assert roles.parts["health"].name == "hp"
    many = [column(name, "2d6", "+1", "3/4") for name in ("speed", "luck", "hp", "wit", "age")]
    roles = roles_of([NAME, *many])
    assert [each.name for each in roles.values] == ["speed", "luck", "hp", "wit", "age"]
    assert roles.badges == ()


def test_cards_without_a_name_have_their_type_as_title_and_a_number_as_cost() -> None:
    suits = column("suit", "Oak", "Oak", "Tide")
    roles = roles_of([suits, column("value", "1", "2", "1", type_="int")])
    assert roles.parts["name"] is roles.parts["type"] is suits
    assert roles.parts["cost"].name == "value"
    assert roles.types == ("Oak", "Tide")


def test_the_answer_of_a_question_is_for_the_back() -> None:
    words = Column("name", "text", ("casa", "sol", "mar"), head="Word")
    roles = roles_of([words, column("translation", "house", "sun", "sea")])
    assert roles.parts == {"text": words}
    assert roles.answer is not None
    assert roles.answer.name == "translation"


def test_what_has_no_place_is_told() -> None:
    facts = [column(f"fact_{number}", "some", "other", "words") for number in range(8)]
    same = column("set", "Core", "Core", "Core")
    roles = roles_of([NAME, column("notes", "x", "y", "z"), same, *facts])
    assert [each.name for each in roles.unused] == ["notes", "set", "fact_6", "fact_7"]
