"""A manifest read back: the printed pieces, their number, their pages and the reasons."""

import pytest
from export.hand_made import told, told_file, told_kind
from hypothesis import given
from hypothesis import strategies as st

from generator.build import packing_list
from generator.model.manifest import page_range

MANIFEST = told(
    kinds={
        "card": told_kind("Card", "its copies each", {"a": 2, "b": 0, "c": 1}),
        "mat": told_kind("Mat", "one each", {"a": 1}),
    },
    files=(
        told_file(
            "all-a4.pdf",
            [("card", "a"), ("card", "a"), ("card", "c"), ("mat", "a")],
            [("card", "a"), ("card", "a"), ("card", "c")],
        ),
        told_file("all-letter.pdf", [("card", "a")], [], [("card", "a")]),
    ),
)


def test_kinds_count_what_is_printed_and_what_is_left_out() -> None:
    card, mat = packing_list(MANIFEST)
    assert (card.title, card.different, card.count, card.pieces) == ("Card", 2, "2 of 3", 3)
    assert (mat.title, mat.count, mat.pieces, mat.why) == ("Mat", "1", 1, "one each")


def test_a_component_is_on_each_of_its_pages_once() -> None:
    card, mat = packing_list(MANIFEST)
    a, b, c = card.components
    assert a.pages == {"all-a4.pdf": (1, 2), "all-letter.pdf": (1, 3)}
    assert b.pages == {}
    assert c.pages == {"all-a4.pdf": (1, 2)}
    assert mat.components[0].pages == {"all-a4.pdf": (1,)}, "its own kind's pages only"
    assert card.pages == {"all-a4.pdf": (1, 2), "all-letter.pdf": (1, 3)}


@pytest.mark.parametrize(
    ("pages", "words"),
    [((), ""), ((4,), "4"), ((1, 2), "1–2"), ((1, 2, 3, 7, 9, 10), "1–3, 7, 9–10")],
)
def test_pages_as_people_write_them(pages: tuple[int, ...], words: str) -> None:
    assert page_range(pages) == words


@given(st.sets(st.integers(1, 60)))
def test_a_range_names_exactly_its_pages(pages: set[int]) -> None:
    named: set[int] = set()
    for part in filter(None, page_range(sorted(pages)).split(", ")):
        first, _, last = part.partition("–")
        named |= set(range(int(first), int(last or first) + 1))
    assert named == pages
