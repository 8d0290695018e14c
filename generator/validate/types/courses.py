"""Courses: words, or a list of tiles in, `Items` of steps that know where they were written out."""

from __future__ import annotations

from typing import Any, Final

from generator.diagnostics import Span
from generator.model.pack import Field
from generator.model.source import Mapping, Node, Scalar, Sequence
from generator.model.values import Items, Record
from generator.tracks.measures import LETTERS
from generator.tracks.written import MOST_TILES, CourseError, words
from generator.validate.types.base import INVALID, FieldType, Reading, Schema, is_sound
from generator.validate.types.text import ANY_SCALAR

_NOWHERE: Final = Span("")
_NUMBER: Final = Field("", "int", _NOWHERE, min=-MOST_TILES, max=MOST_TILES)
STEP: Final = {
    "tile": Field("tile", "text", _NOWHERE, min_length=1, description="its call"),
    "way": Field("way", "choice", _NOWHERE, optional=True, choices=tuple(LETTERS.values())),
    "at": Field(
        "at", "list", _NOWHERE, optional=True, of=_NUMBER, description="where it lies, in cells"
    ),
    "turn": Field(
        "turn",
        "int",
        _NOWHERE,
        optional=True,
        min=-MOST_TILES,
        max=MOST_TILES,
        description="curves to the left by which it is turned there",
    ),
}
"""A step that is written as a map."""


def read_course(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """Steps in the order of travel: records of tile, way, at and turn, each tile by itself."""
    if isinstance(node, Mapping):
        return reading.wrong_type(node, rule, path)
    parts = node.items if isinstance(node, Sequence) else (node,)
    steps: list[Any] = []
    for number, part in enumerate(parts):
        inner = f"{path}[{number}]" if isinstance(node, Sequence) else path
        if isinstance(part, Sequence):
            return reading.wrong_type(part, rule, inner)
        if isinstance(part, Mapping):
            steps.append(_read_step(part, reading, inner))
        else:
            steps += _read_words(part, reading, inner)
    if not is_sound(steps):
        return INVALID
    if not steps:
        hint = "write calls with their ways, such as 1 9L 10R, or letters S, L and R"
        return reading.report(node.span, "GP901", f"{path}: the course has no tiles", hint)
    if len(steps) > MOST_TILES:
        message = f"{path}: a course of more than {MOST_TILES} tiles"
        return reading.report(node.span, "GP901", message, "make two tracks of it")
    return Items(steps)


def _read_words(node: Scalar, reading: Reading, path: str) -> list[Any]:
    try:
        found = [(word, node.place(offset)) for word, offset in words(node.text)]
    except CourseError as error:
        where = node.place(error.offset)
        return [reading.report(where, "GP901", f"{path}: {error}", error.hint)]
    return [
        Record({"tile": word, "way": "", "at": None, "turn": None}, span) for word, span in found
    ]


def _read_step(node: Mapping, reading: Reading, path: str) -> Any:
    values, spans = reading.read_fields(node, STEP, path)
    if not is_sound(values.values()):
        return INVALID
    if not values["at"] and values["turn"] is not None:
        hint = "give its place as well, or leave turn out: it is laid onto the tile before"
        return reading.report(spans["turn"], "GP901", f"{path}.turn: turn without at", hint)
    given = {"tile": str(values["tile"]), "way": values["way"] or "", "at": values["at"] or None}
    return Record({**given, "turn": values["turn"]}, node.span, spans)


def course_schema(_rule: Field, describe: Any) -> Schema:
    """Words, or a list of words and steps."""
    step = {
        "type": "object",
        "properties": {name: describe(field) for name, field in STEP.items()},
        "required": ["tile"],
        "additionalProperties": False,
    }
    listed = {"type": "array", "items": {"anyOf": [{"type": ANY_SCALAR}, step]}}
    return {"anyOf": [{"type": ANY_SCALAR}, listed]}


COURSE: Final = FieldType("a course", '"1 9L 10R 2"', read_course, course_schema, empty=Items())
