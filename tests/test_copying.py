"""Values of one component under the comments of another."""

import pytest
import yaml

from generator.copied_values import values_of, with_values
from generator.edits import UnfitEditError

TEXT = """# Mine.
kind: car
components:
  - id: mine
    name: My Car      # as it is called
    # One for each gear.
    gears: [1, 2]
    crew:
      - {who: me}
    # What it says.
    story: >-
      Nothing
      yet.
"""
OTHERS = """kind: car
defaults: {wheels: 4}
components:
  -   id: other
      name: Other
      gears: [3, 4, 5]
      # two of them
      crew:
        - {who: you}
        - {who: them}

      # the end
      horn: loud
  - {id: flow, name: Flow, gears: [9], crew: [{who: it}]}
"""


def load(text: str, name: str) -> dict[str, object]:
    return next(c for c in yaml.safe_load(text)["components"] if c["id"] == name)


@pytest.mark.parametrize("name", ["other", "flow"])
def test_values_come_over_and_comments_stay(name: str) -> None:
    values = values_of(OTHERS, name)
    assert values is not None
    made = with_values(TEXT, "mine", values, ("id", "name"))
    meant = {"wheels": 4, **load(OTHERS, name), "id": "mine", "name": "My Car"}
    assert load(made, "mine") == meant
    assert "# as it is called" in made
    assert "# One for each gear." in made
    assert "# two of them" not in made


def test_what_is_as_it_was_leaves_the_text_as_it_was() -> None:
    values = values_of(TEXT, "mine")
    assert values is not None
    assert with_values(TEXT, "mine", values, ()) == TEXT


def test_a_component_that_is_not_there() -> None:
    assert values_of(OTHERS, "nobody") is None
    with pytest.raises(UnfitEditError, match="there is no nobody"):
        with_values(TEXT, "nobody", {}, ())


def test_numbers_are_written_as_they_were() -> None:
    others = "components:\n- {id: other, price: 1.50, code: 007, on: yes, size: 3}\n"
    values = values_of(others, "other")
    assert values == {"id": "other", "price": "1.50", "code": "007", "on": True, "size": 3}


def test_what_is_no_yaml_is_refused() -> None:
    with pytest.raises(UnfitEditError, match="not YAML"):
        values_of("components: [", "other")
