"""Changes in YAML are written, and the rest of the file stays as it was."""

from typing import Any

import msgspec
import pytest

from generator.edits import (
    Change,
    CopyItem,
    InsertItem,
    MoveItem,
    OrderItems,
    RemoveItem,
    SetValue,
    UnfitEditError,
    edited,
)
from generator.edits.yaml_tree import yaml_tree


def changed(text: str, *changes: Change) -> str:
    return edited(text, "cards/duel/cards.yaml", changes)


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("a: old  # note\nb: 1\n", "new", "a: new  # note\nb: 1\n"),
        ("a: old\n", "1: 2", 'a: "1: 2"\n'),
        ("a: old\n", "#a3571c", 'a: "#a3571c"\n'),
        ("a: old\n", "null", 'a: "null"\n'),
        ("a: old\n", "", 'a: ""\n'),
        ("a: old\n", None, "a: null\n"),
        ("a: old\n", True, "a: true\n"),
        ("a: old\n", 'say "hi" # x', "a: 'say \"hi\" # x'\n"),
        ("a: 'old'\n", "it's", "a: 'it''s'\n"),
        ('a: "old "\n', "old o", "a: old o\n"),
        ("a: |-\n  one\n  two\n", "one", "a: one\n"),
        ('a: "1"\n', "2", 'a: "2"\n'),
        ('a: "1"\n', 2, "a: 2\n"),
        ("a: 5.25\n", 5.50, "a: 5.5\n"),
        ("a: 5.50\n", 5.5, "a: 5.50\n"),
        ("a: 1\n", 52.333333333, "a: 52.33\n"),
        ("a: 1\n", 0.125, "a: 0.125\n"),
        ("a: 1\n", 0.1 + 0.2, "a: 0.3\n"),
        ("a: 1\n", -0.0001, "a: 0\n"),
        ("a:\nb: 1\n", "new", "a: new\nb: 1\n"),
        ("a:   # none yet\nb: 1\n", "new", "a: new   # none yet\nb: 1\n"),
        ("a: {b: 1}\n", "new", "a: new\n"),
        ("a:  # note\n  - x\n  - y\nb: 1\n", "new", "a: new  # note\nb: 1\n"),
        ("a: old # note\n", "two\nlines", "a: |- # note\n  two\n  lines\n"),
        ("a: |\n  old\n\nb: 1\n", "new\nwords\n", "a: |\n  new\n  words\n\nb: 1\n"),
        ("a: >- # why\n    old\nb: 1\n", "new", "a: >- # why\n    new\nb: 1\n"),
        ("a: |2-\n   old\n", " new\nx", "a: |2-\n   new\n  x\n"),
        ("a: old\n", {"b": [1, 2.5], "c": "x, y"}, 'a: {b: [1, 2.5], c: "x, y"}\n'),
        ("a: [1,   2,  3]  # x\n", [1, 5, 3], "a: [1,   5,  3]  # x\n"),
        ("a: [4, 5.5, 52.5, 9]\n", [4.0, 6.0, 52.5, 9.0], "a: [4, 6, 52.5, 9]\n"),
        ("a: [1, 2, 3]\n", [1, 3], "a: [1, 3]\n"),
        ("a: [1, 2, 3]\n", [], "a: []\n"),
        ("a: []\n", ["x", "y"], "a: [x, y]\n"),
        ("a:\n- x\n- y\n", ["x", "z", "y"], "a:\n- x\n- z\n- y\n"),
        ("a: {x: 1,  y: 2}\n", {"x": 1, "z": 3}, "a: {x: 1, z: 3}\n"),
    ],
)
def test_a_value_is_written_in_the_style_of_the_old(before: str, value: Any, after: str) -> None:
    assert changed(before, SetValue(("a",), value)) == after


def test_a_folded_text_is_folded_again_as_wide_as_it_was() -> None:
    before = "a: >-\n  The city lends it to anyone\n  who can sign a name. Forty\n  years.\nb: 1\n"
    words = "The city lends it to anyone who can write their own name. Forty years."
    after = before.replace("sign a name. Forty\n  years", "write their own\n  name. Forty years")
    assert changed(before, SetValue(("a",), words)) == after
    paragraphs = "One.\n\nTwo.\nThree."
    folded = "a: >-\n  One.\n\n\n  Two.\n\n  Three.\nb: 1\n"
    assert changed(before, SetValue(("a",), paragraphs)) == folded


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("c:\n  - id: a\n    hp: 3\n", "c:\n  - id: a\n    hp: 3\n    name: New\n"),
        ("c:\n- id: a # x\n\n- id: b\n", "c:\n- id: a # x\n  name: New\n\n- id: b\n"),
        ("c: [{id: a}]", "c: [{id: a, name: New}]"),
        ("c: [{}]", "c: [{name: New}]"),
        ("c:\n  -\n", "c:\n  - {name: New}\n"),
    ],
)
def test_a_missing_key_comes_after_the_last(before: str, after: str) -> None:
    assert changed(before, SetValue(("c", 0, "name"), "New")) == after


CARDS = """\
# Heroes of the duel.
kind: card
components:
  # the first
  - id: ash
    name: Ash   # who
    # stronger later
    at: {x: 1,  y: 2}

  - id: oat
    story: >-
      One.

  # --- the rest ---

  # the third
  - {id: elm, name: Elm}
"""


def test_rows_move_with_their_comments() -> None:
    moved = changed(CARDS, MoveItem(("components", 0), 1))
    assert moved.index("  - id: oat") < moved.index("  # the first\n  - id: ash")
    assert moved.index("    # stronger later") < moved.index("  # --- the rest ---")
    assert changed(moved, MoveItem(("components", 1), 0)) == CARDS
    ordered = changed(CARDS, OrderItems(("components",), (2, 0, 1)))
    assert ordered.index("# the third\n  - {id: elm") < ordered.index("# the first")
    assert changed(ordered, OrderItems(("components",), (1, 2, 0))) == CARDS


def test_rows_are_inserted_copied_and_removed() -> None:
    row = {"id": "yew", "name": "Yew", "story": "Words. " * 20 + "End.", "tags": ["a", "b"]}
    made = changed(CARDS, InsertItem(("components",), 1, row))
    assert "y: 2}\n\n  - id: yew\n    name: Yew\n    story: >-\n      Words." in made
    assert "    tags: [a, b]\n\n  - id: oat\n" in made
    assert changed(made, RemoveItem(("components", 1))) == CARDS
    again = changed(CARDS, CopyItem(("components", 0), 3, {"id": "ash-2", "new": 1}))
    assert again.endswith(
        "  - {id: elm, name: Elm}\n\n  - id: ash-2\n    name: Ash   # who\n"
        "    # stronger later\n    at: {x: 1,  y: 2}\n    new: 1\n"
    )
    assert changed(again, RemoveItem(("components", 3))) == CARDS
    fewer = changed(CARDS, RemoveItem(("components", 2)), RemoveItem(("components", 0)))
    assert fewer == (
        "# Heroes of the duel.\nkind: card\ncomponents:\n  - id: oat\n    story: >-\n      One.\n\n"
        "  # --- the rest ---\n"
    )
    assert changed("c:\n  - id: a\n", RemoveItem(("c", 0))) == "c: []\n"


def test_boxes_change_their_order_and_are_copied() -> None:
    face = "boxes:\n  art: {at: [1, 2]}\n  # words\n  name:\n    text: name\n    at: [3, 4]\n"
    moved = "boxes:\n  # words\n  name:\n    text: name\n    at: [3, 4]\n  art: {at: [1, 2]}\n"
    assert changed(face, MoveItem(("boxes", "name"), 0)) == moved
    copied = changed(face, CopyItem(("boxes", "art"), 1, {"at": [9, 2]}, "art-2"))
    assert copied == face.replace("  # words", "  art-2: {at: [9, 2]}\n  # words")
    added = changed(face, InsertItem(("boxes",), 0, {"frame": {"frame": "ink", "at": [0, 0]}}))
    assert added == face.replace("  art:", "  frame: {frame: ink, at: [0, 0]}\n  art:")
    most = "boxes:\n  a: {x: 1}\n  b:\n    x: 1\n  c: {x: 1}\n"
    after = most.replace("  c:", "  new: {x: 2}\n  c:")
    assert changed(most, InsertItem(("boxes",), 2, {"new": {"x": 2}})) == after
    with pytest.raises(UnfitEditError, match="taken"):
        changed(face, CopyItem(("boxes", "art"), 1, {}, "name"))


SHARED = """\
base: &b {hp: 3, art: {coat: bay}}
cards:
  - id: a
    <<: *b
  - *b
"""


def test_what_an_alias_stands_for_is_written_in_its_place() -> None:
    own = changed(SHARED, SetValue(("cards", 0, "hp"), 5))
    assert own == SHARED.replace("<<: *b\n", "<<: *b\n    hp: 5\n")
    inner = changed(SHARED, SetValue(("cards", 0, "art", "coat"), "grey"))
    assert inner == SHARED.replace("<<: *b\n", "<<: *b\n    art: {coat: grey}\n")
    whole = changed(SHARED, SetValue(("cards", 1, "art", "coat"), "grey"))
    assert whole == SHARED.replace("  - *b\n", "  - hp: 3\n    art: {coat: grey}\n")
    for change in (RemoveItem(("base",)), MoveItem(("base",), 1), RemoveItem(("cards", 0, "hp"))):
        with pytest.raises(UnfitEditError):
            changed(SHARED, change)


def test_marks_and_line_ends_stay() -> None:
    before = "\ufeffa: 1\r\nb:\r\n  - c: >-\r\n      one\r\n      two\r\n    d: \U0001f600\r\n"
    row = {"c": "x" * 50 + " " + "y" * 60}
    after = changed(before, SetValue(("b", 0, "c"), "one"), InsertItem(("b",), 1, row))
    assert after.startswith(
        "\ufeffa: 1\r\nb:\r\n  - c: >-\r\n      one\r\n    d: \U0001f600\r\n  - c: >-\r\n"
    )
    assert after.count("\n") == after.count("\r\n")


def test_an_empty_file_takes_its_first_value() -> None:
    assert changed("# mine\n", SetValue(("a",), [1])) == "# mine\na: [1]\n"
    assert changed("", InsertItem((), 0, {"a": {"b": "c"}})) == "a: {b: c}\n"
    assert changed("a:\n", InsertItem(("a",), 0, "x")) == "a: [x]\n"


def test_many_values_are_set_at_once() -> None:
    rows = "".join(f"- {{id: c{n}, hp: 1}}\n" for n in range(50))
    sets = [SetValue((n, "hp"), 2) for n in range(50)] + [SetValue((n, "x"), n) for n in range(50)]
    after = "".join(f"- {{id: c{n}, hp: 2, x: {n}}}\n" for n in range(50))
    assert changed(rows, *sets) == after


@pytest.mark.parametrize(
    ("text", "change", "why"),
    [
        ("a: [1", SetValue(("a",), 1), "not valid YAML at line"),
        ("a: 1\na: 2\n", SetValue(("a",), 3), "is in one mapping twice"),
        ("a: 1\n", SetValue(("a", "b"), 3), "single value"),
        ("a: [1]\n", SetValue(("a", 3), 3), "no item 3"),
        ("a: 1\n", RemoveItem(("b",)), "no 'b'"),
        ("a: 1\n", RemoveItem(()), "whole of a file"),
        ("a: {b: 1}\n", InsertItem(("a",), 0, 5), "each with a key"),
        ("a: 1\n", SetValue(("a",), float("nan")), "not a number"),
        ("a: 1\n", SetValue(("a",), "\ud800"), "half a character"),
        ("? [a]\n: 1\n", SetValue(("a",), 1), "not text"),
        ("a: 1\n---\nb: 2\n", SetValue(("a",), 2), "second document"),
    ],
)
def test_what_cannot_be_written_is_refused_with_a_word_why(
    text: str, change: Change, why: str
) -> None:
    with pytest.raises(UnfitEditError, match=why):
        changed(text, change)


def test_changes_come_as_json() -> None:
    value = {"do": "set", "path": ["c", 0, "hp"], "value": 4}
    sent = msgspec.json.encode([value, {"do": "move", "path": ["c", 1], "at": 0}])
    changes = msgspec.json.decode(sent, type=list[Change])
    assert changed("c:\n- hp: 3\n- x: 1\n", *changes) == "c:\n- x: 1\n- hp: 4\n"


def test_many_rows_take_one_look_at_the_file_before_and_one_after() -> None:
    text = "components:\n" + "".join(f"  - id: a{n}\n    name: A\n" for n in range(9))
    rows = [InsertItem(("components",), 9 + n, {"id": f"b{n}", "name": "B"}) for n in range(9)]
    yaml_tree.cache_clear()
    more = changed(text, *rows)
    assert more.startswith(text)
    assert more.endswith("  - id: b8\n    name: B\n")
    assert changed(more, *(RemoveItem(("components", n)) for n in range(17, 8, -1))) == text
    assert yaml_tree.cache_info().misses == 2, "the text without the rows, and with them"
