"""Lists to `Items`, maps to records, tables (lists of rows) and courses to `Items` of records."""

from __future__ import annotations

from typing import Any, Final

from generator.diagnostics import Span
from generator.model.pack import Field, Items, Record
from generator.model.source import Mapping, Node, Scalar, Sequence, as_id
from generator.tracks import LETTERS, MOST_TILES, CourseError, course_words
from generator.validate.reading import INVALID, FieldType, Reading, Schema, is_sound
from generator.validate.text_types import (
    ANY_SCALAR,
    IN_WORDS,
    count_hint,
    matches,
    with_counts,
    wrong_count,
)

_NESTED: Final = frozenset(("list", "map", "table"))


def read_list(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """A list of values of one type."""
    assert rule.of is not None
    if isinstance(node, Scalar) and _is_cell(node) and rule.of.type not in _NESTED:
        parts = (part.strip() for part in node.text.split(";"))
        items = tuple(Scalar(part, node.span) for part in parts if part)
        node = Sequence(items, node.span)
    if not isinstance(node, Sequence):
        return reading.wrong_type(node, rule, path)
    wrong = wrong_count(len(node.items), "entries", rule)
    if wrong:
        reading.fault(node.span, "GP204", f"{path}: {wrong}", count_hint(rule))
    values = Items(
        reading.read(item, rule.of, f"{path}[{i}]", node.span) for i, item in enumerate(node.items)
    )
    return values if not wrong and is_sound(values) else INVALID


def _is_cell(node: Scalar) -> bool:
    """True for a cell of a CSV or XLSX table, in which `a; b` is how a list is written."""
    return node.span.file.partition("#")[0].lower().endswith((".csv", ".xlsx"))


def read_map(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """A record: with the named fields, or with free keys and values of one type."""
    if not isinstance(node, Mapping):
        return reading.wrong_type(node, rule, path)
    if rule.of is None:
        values, spans = reading.read_fields(node, rule.fields, path)
    else:
        values, spans = _read_free(node, rule, reading, path)
    return Record(values, node.span, spans) if is_sound(values.values()) else INVALID


def _read_free(
    node: Mapping, rule: Field, reading: Reading, path: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    assert rule.of is not None
    values: dict[str, Any] = {}
    for key, value in node.entries:
        inner = f"{path}.{key.text}"
        values[key.text] = reading.read(value, rule.of, inner, key.span)
        if rule.pattern is not None and not matches(rule.pattern, key.text):
            # The value is used, so that a wrong key hides nothing that is wrong in it; and who
            # names it as it should be called names nothing that is missing.
            slug = as_id(key.text)
            reading.broken |= {key.text, slug, slug.replace("-", "_")}
            reading.fault(
                key.span,
                "GP203",
                f"{inner}: {key.text!r} cannot be a key here",
                f"a key has {IN_WORDS.get(rule.pattern, f'the pattern {rule.pattern}')}",
            )
    spans = {key.text: value.span for key, value in node.entries}
    if reading.code is not None:
        broken = {name for name, value in values.items() if value is INVALID}
        reading.broken |= broken
        values = {name: value for name, value in values.items() if name not in broken}
    return values, spans


def read_table(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """A list of records, one a row."""
    if not isinstance(node, Sequence):
        return reading.wrong_type(node, rule, path)
    wrong = wrong_count(len(node.items), "rows", rule)
    if wrong:
        reading.fault(node.span, "GP204", f"{path}: {wrong}", count_hint(rule))
    rows = Items(
        _read_row(item, rule, reading, f"{path}[{i}]") for i, item in enumerate(node.items)
    )
    return rows if not wrong and is_sound(rows) else INVALID


def _read_row(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    columns = ", ".join(rule.fields)
    if isinstance(node, Sequence):
        if len(node.items) > len(rule.fields):
            message = f"{path}: {len(node.items)} values, but there are {len(rule.fields)} columns"
            return reading.fault(node.span, "GP204", message, f"the columns are {columns}")
        node = as_row(node, rule)
    if not isinstance(node, Mapping):
        hint = f"write a row as {{column: value}} or as [value, value]; the columns are {columns}"
        return reading.fault(node.span, "GP203", f"{path}: this is not a row", hint)
    values, spans = reading.read_fields(node, rule.fields, path)
    return Record(values, node.span, spans) if is_sound(values.values()) else INVALID


def as_row(node: Sequence, rule: Field) -> Mapping:
    """A short row, `[value, value]` in the order of the columns, as a map."""
    pairs = zip(rule.fields, node.items, strict=False)
    return Mapping(tuple((Scalar(name, item.span), item) for name, item in pairs), node.span)


def list_schema(rule: Field, describe: Any) -> Schema:
    """An array of one type."""
    return with_counts({"type": "array", "items": describe(rule.of)}, "Items", rule)


def map_schema(rule: Field, describe: Any) -> Schema:
    """An object with the named fields, or with free keys."""
    if rule.of is None:
        return fields_schema(rule.fields, describe)
    schema: Schema = {"type": "object", "additionalProperties": describe(rule.of)}
    if rule.pattern is not None:
        schema["propertyNames"] = {"pattern": f"^(?:{rule.pattern})$"}
    return schema


def table_schema(rule: Field, describe: Any) -> Schema:
    """An array of rows, each an object or an array in the order of the columns."""
    columns = list(rule.fields.values())
    needed = [i for i, column in enumerate(columns, 1) if is_needed(column)]
    short = {
        "type": "array",
        "prefixItems": [describe(column) for column in columns],
        "items": False,
        "minItems": max(needed, default=0),
    }
    row = {"anyOf": [fields_schema(rule.fields, describe), short]}
    return with_counts({"type": "array", "items": row}, "Items", rule)


def fields_schema(fields: Any, describe: Any) -> Schema:
    """An object with exactly these fields."""
    return {
        "type": "object",
        "properties": {name: describe(rule) for name, rule in fields.items()},
        "required": [name for name, rule in fields.items() if is_needed(rule)],
        "additionalProperties": False,
    }


def is_needed(rule: Field) -> bool:
    """True when a field must be written down."""
    return rule.default is None and not rule.optional


_LENGTHS: Final = frozenset(("length", "min_length", "max_length"))

LIST: Final = FieldType(
    "a list", "[one, two]", read_list, list_schema, _LENGTHS | frozenset(("of",)), empty=Items()
)
MAP: Final = FieldType(
    "a map", "{name: value}", read_map, map_schema, frozenset(("fields", "of", "pattern"))
)
TABLE: Final = FieldType(
    "a list of rows",
    "[[one, 1], [two, 2]]",
    read_table,
    table_schema,
    _LENGTHS | frozenset(("columns",)),
    empty=Items(),
)


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
        found = [(word, node.place(offset)) for word, offset in course_words(node.text)]
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
