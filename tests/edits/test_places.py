"""Places: from a line and column to a value, and back."""

from pathlib import Path
from random import Random

import pytest

from generator.edits import CsvLookup, Place, places
from generator.load import document_in
from generator.model.source import Mapping, Node, Scalar, Sequence

ROOT = Path(__file__).parent.parent.parent
FILES = sorted((ROOT / "cards").rglob("*.yaml"))
CARDS = """\
kind: card
components:
  - id: ash
    at: {x: 1, y: 2}
    story: >-
      One.
      Two.

  - id: oat
    tags: [a, \U0001f600b]
    name:
"""


@pytest.mark.parametrize(
    ("line", "column", "path"),
    [
        (1, 1, ("kind",)),
        (1, 8, ("kind",)),
        (2, 4, ("components",)),
        (3, 3, ("components", 0)),
        (3, 9, ("components", 0, "id")),
        (4, 6, ("components", 0, "at")),
        (4, 13, ("components", 0, "at", "x")),
        (4, 16, ("components", 0, "at", "y")),
        (7, 9, ("components", 0, "story")),
        (8, 1, ("components",)),
        (10, 12, ("components", 1, "tags", 0)),
        (10, 16, ("components", 1, "tags", 1)),
        (11, 10, ("components", 1, "name")),
    ],
)
def test_the_innermost_value_is_found(line: int, column: int, path: tuple[str | int, ...]) -> None:
    found = places(CARDS, "cards.yaml").at(line, column)
    assert found is not None
    assert found.path == path or (path == ("components", 0) and found.path[:2] == path)


def test_places_and_nodes_are_found_by_path() -> None:
    found = places(CARDS, "cards.yaml")
    assert not isinstance(found, CsvLookup)
    assert found.of(("components", 1, "tags", 1)) == Place(
        ("components", 1, "tags", 1), 10, 15, 10, 17
    )
    assert found.of(("components", 0, "story")) == Place(("components", 0, "story"), 5, 12, 7, 11)
    assert found.of(("components", 4)) is None
    assert found.node(("components", 0, "at")) == {
        "entries": [["x", {"text": "1", "plain": True}], ["y", {"text": "2", "plain": True}]]
    }
    assert found.node(("components", 1, "tags")) == {
        "items": [{"text": "a", "plain": True}, {"text": "\U0001f600b", "plain": True}]
    }


def test_a_text_with_a_fault_has_the_places_before_it() -> None:
    found = places(CARDS + "    hp: [1, 2\nmore: 3\n", "cards.yaml")
    assert not isinstance(found, CsvLookup)
    assert not found.is_whole
    before = found.at(4, 16)
    assert before is not None
    assert before.path == ("components", 0, "at", "y")
    assert found.of(("components", 1, "id")) is not None
    assert found.at(13, 7) is None
    assert not places("a: &x [*y", "a.yaml").is_whole
    assert places("", "a.yaml").at(1, 1) is None


def spans(node: Node, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], Node]]:
    if isinstance(node, Scalar):
        return [(path, node)]
    inner = enumerate(node.items) if isinstance(node, Sequence) else ()
    if isinstance(node, Mapping):
        inner = ((key.text, value) for key, value in node.entries)  # type: ignore[assignment]
    return [found for key, each in inner for found in spans(each, (*path, key))]


def test_places_are_those_of_findings() -> None:
    random = Random(1)
    for path in FILES:
        text = path.read_text("utf-8")
        document = document_in(text, "a.yaml").value
        if document is None or "<<" in text or "*" in text:
            continue
        every = [(where, node) for where, node in spans(document.root, ()) if node.raw]
        found = places(text, "a.yaml")
        assert not isinstance(found, CsvLookup)
        for where, node in random.sample(every, min(len(every), 20)):
            place = found.of(where)
            assert place is not None
            assert (place.line, place.column) == (node.span.line, node.span.column), (path, where)
            at = found.at(place.line, place.column)
            assert at is not None
            assert at.path == where, path


def test_cells_are_found_by_place_row_and_number() -> None:
    text = 'id,Card Name\n\nash,"Ash,\ntree"\noat,Oat,more\n'
    found = places(text, "cards.csv")
    assert isinstance(found, CsvLookup)
    cell = Place((0, "Card Name"), 3, 5, 4, 6)
    assert found.at(4, 2) == found.cell(3, 2) == cell
    assert found.at(1, 2) is None
    row = found.at(5, 10)
    assert row is not None
    assert row.path == (1,)
    assert found.node((1,)) == {
        "entries": [
            ["id", {"text": "oat", "plain": True}],
            ["Card Name", {"text": "Oat", "plain": True}],
        ]
    }
    assert not places('name\n"A', "cards.csv").is_whole
