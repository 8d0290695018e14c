"""Words of a table that are likely misspelt."""

import pytest

from generator.importing.given_tables import given_table
from generator.importing.misspelt import misspelt
from generator.table_columns import columns_of


def notes(words: list[str]) -> list[str]:
    rows = "".join(f"Card {at},{word}\n" for at, word in enumerate(words))
    table = given_table(f"name,type\n{rows}".encode(), "t.csv", "t.csv", "", None)
    return list(misspelt(table.rows, columns_of(table.rows, "card")))


@pytest.mark.parametrize("word", ["Plaec", "Plac", "Placee", "Plyce", "place"])
def test_a_word_one_letter_off_a_usual_one_is_asked_about(word: str) -> None:
    (note,) = notes(["Place", "Creature", "Place", word, "Place"])
    assert note.startswith(f"Type: {word!r} in row 5 occurs once, 'Place' 3 times")


@pytest.mark.parametrize("word", ["Palace hall", "Plaza", "Place 2", "Spell"])
def test_another_word_is_none_of_them(word: str) -> None:
    assert notes(["Place"] * 4 + [word]) == []


def test_what_is_there_twice_is_meant() -> None:
    assert notes(["Place"] * 4 + ["Plaec"] * 2) == []
