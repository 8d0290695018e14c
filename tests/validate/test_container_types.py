"""Fields of type course: each step knows its place in the file."""

from __future__ import annotations

import pytest

from generator.diagnostics import Span
from generator.load.documents import parse_yaml
from generator.model.pack import Field
from generator.model.source import Mapping, Scalar
from generator.model.values import Record
from generator.validate.definition_files import COMPONENT_TYPES
from generator.validate.reading import INVALID, Reading

RULE = Field("course", "course", Span("kind.yaml"))


def read(text: str) -> tuple[object, Reading]:
    root, faults = parse_yaml(text, "tracks.yaml")
    assert faults == []
    assert isinstance(root, Mapping)
    reading = Reading(COMPONENT_TYPES)
    return reading.read(root.entries[0][1], RULE, "course", root.span), reading


def places(text: str) -> list[tuple[str, int, int]]:
    value, reading = read(text)
    assert reading.faults == []
    assert isinstance(value, tuple)
    assert all(isinstance(step, Record) for step in value)
    return [(step["tile"], step.span.line, step.span.column) for step in value]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("course: 1 9L", [("1", 1, 9), ("9L", 1, 11)]),
        ("course: '1  9L'", [("1", 1, 10), ("9L", 1, 13)]),
        ('course: "1\n  9L x"', [("1", 1, 10), ("9L", 2, 3), ("x", 2, 6)]),
        ("course: 1\n  9L\n\n   x", [("1", 1, 9), ("9L", 2, 3), ("x", 4, 4)]),
        ("course: >- # all of it\n  1 9L\n\n  x", [("1", 2, 3), ("9L", 2, 5), ("x", 4, 3)]),
        ("course: |\n  1\n  9L x\n", [("1", 2, 3), ("9L", 3, 3), ("x", 3, 6)]),
        ("course: [1 9L,\n  x]", [("1", 1, 10), ("9L", 1, 12), ("x", 2, 3)]),
        ("course: 2×é 9L", [("é", 1, 11), ("é", 1, 11), ("9L", 1, 13)]),
        ("course: [1, {tile: 9,\n  way: L}]", [("1", 1, 10), ("9", 1, 13)]),
    ],
)
def test_each_step_knows_its_place(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert places(text) == expected


def test_words_after_an_escape_are_found_and_an_escaped_one_stands_at_the_beginning() -> None:
    assert places(r'course: "1 \u0039L x"') == [("1", 1, 10), ("9L", 1, 9), ("x", 1, 20)]


def test_a_cell_of_a_table_has_one_place() -> None:
    reading = Reading(COMPONENT_TYPES)
    value = reading.read(Scalar("1 9L", Span("t.csv", 3, 2)), RULE, "course", Span("t.csv"))
    assert [step.span for step in value] == [Span("t.csv", 3, 2)] * 2


def test_a_step_as_a_map_may_have_a_place() -> None:
    value, _ = read("course: [{tile: 9, way: L, at: [2, -1], turn: 4}, 8]")
    assert isinstance(value, tuple)
    first, second = value
    assert dict(first) == {"tile": "9", "way": "L", "at": (2, -1), "turn": 4}
    assert dict(second) == {"tile": "8", "way": "", "at": None, "turn": None}


def test_a_long_text_of_one_line_is_read_up_to_what_is_too_much() -> None:
    value, reading = read(f"course: {'S ' * 200_000}")
    assert value is INVALID
    (fault,) = reading.faults
    assert (fault.code, fault.span) == ("GP901", Span("tracks.yaml", 1, 9 + 2 * 500))
