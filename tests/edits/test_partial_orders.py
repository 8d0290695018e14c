"""An order may name some of the items: all others keep their places."""

from __future__ import annotations

import pytest

from generator.edits import OrderItems, UnfitEditError, edited


def test_a_table_keeps_the_rows_that_an_order_leaves_out() -> None:
    text = "name,cost\nc,3\na,1\nsum,4\n"
    assert edited(text, "t.csv", [OrderItems((), (1, 0))]) == "name,cost\na,1\nc,3\nsum,4\n"


def test_a_list_keeps_the_items_that_an_order_leaves_out() -> None:
    text = "components:\n  - {id: c}  # last\n  - {id: x}\n  - {id: a}\n"
    after = edited(text, "t.yaml", [OrderItems(("components",), (2, 0))])
    assert after == "components:\n  - {id: a}\n  - {id: x}\n  - {id: c}  # last\n"


@pytest.mark.parametrize("order", [(0, 0), (0, 5)])
def test_an_order_names_items_that_are_there_once(order: tuple[int, ...]) -> None:
    with pytest.raises(UnfitEditError, match="each item once"):
        edited("name\na\nb\n", "t.csv", [OrderItems((), order)])
