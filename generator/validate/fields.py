"""A field as a kind file defines it in, a `Field` out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from generator.diagnostics import Span
from generator.model.pack import Field
from generator.model.source import Mapping, Node, Scalar
from generator.model.values import Record
from generator.validate.patterns import compile_pattern
from generator.validate.types import FIELD_TYPES
from generator.validate.types.base import INVALID, Reading, Schema, is_sound
from generator.validate.types.numbers import parse_int, parse_mm, parse_number
from generator.validate.types.text import NAME_PATTERN

_NOWHERE: Final = Span("")


def shape(type_: str, description: str = "", *, needed: bool = False, **limits: Any) -> Field:
    """A field of a definition file; optional unless it is needed."""
    has_default = limits.get("default") is not None
    return Field(
        "",
        type_,
        _NOWHERE,
        optional=not needed and not has_default,
        description=description,
        **limits,
    )


FIELD: Final[dict[str, Field]] = {
    "type": shape("choice", "What the field holds", needed=True, choices=tuple(FIELD_TYPES)),
    "description": shape("text", "What it is for; shown in editors and in hints"),
    "optional": shape("bool", "May be left out", default=False),
    "default": shape("node", "What stands for a value that is left out"),
    "min": shape("node", "The least number or length"),
    "max": shape("node", "The greatest number or length"),
    "length": shape("int", "Exactly so many characters, entries or rows", min=0),
    "min_length": shape("int", "The fewest characters, entries or rows", min=0),
    "max_length": shape("int", "The most characters, entries or rows", min=0),
    "pattern": shape("pattern", "A regular expression for the whole text, or for a map's keys"),
    "unique": shape("bool", "No two components of the kind have the same", default=False),
    "choices": shape("list", "The words of a choice", min_length=1, of=shape("text", needed=True)),
    "of": shape("field", "What the entries of a list or map are"),
    "fields": shape(
        "map", "The fields of a map", pattern=NAME_PATTERN, of=shape("field", needed=True)
    ),
    "columns": shape(
        "map", "The columns of a table", pattern=NAME_PATTERN, of=shape("field", needed=True)
    ),
    "kind": shape("name", "The kind that a ref names"),
}
LIMITS: Final = tuple(
    "min max length min_length max_length pattern unique choices of fields columns kind".split()
)
# What a type cannot do without: any one of these.
_NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "choice": ("choices",),
    "list": ("of",),
    "map": ("fields", "of"),
    "table": ("columns",),
    "ref": ("kind",),
}


def read_field(node: Node, rule: Field, reading: Reading, path: str) -> Field:
    """A `Field`. One with a fault takes any value, so that it is told only once."""
    name = path.rpartition(".")[2]
    before = len(reading.faults)
    if isinstance(node, Mapping):
        values, spans = reading.read_fields(node, FIELD, path)
        if is_sound(values.values()):
            given = _Given(path, Record(values, node.span, spans), reading)
            _check_limits(given)
            made = _field(name, given)
            if len(reading.faults) == before:
                made = _with_default(made, given)
            if len(reading.faults) == before:
                return made
    else:
        reading.wrong_type(node, rule, path)
    return Field(name, "node", node.span, optional=True)


@dataclass(frozen=True, slots=True)
class _Given:
    """A field definition whose parts have been read, and where it stands."""

    path: str
    values: Record
    reading: Reading

    def fault(self, part: str, code: str, message: str, hint: str = "") -> None:
        """Note a fault of one part, or of the whole where the part is not given."""
        self.reading.fault(self.values.span_of(part), code, f"{self.path}{message}", hint)


def _field(name: str, given: _Given) -> Field:
    values = given.values
    low, high = _bound("min", given), _bound("max", given)
    lengths = values["min_length"], values["max_length"]
    for least, most, end in ((low, high, "max"), (*lengths, "max_length")):
        if least is not None and most is not None and least > most:
            given.fault(end, "GP204", f".{end}: less than the least", "exchange the two")
    return Field(
        name=name,
        type=str(values["type"]),
        span=values.span,
        optional=values["optional"],
        min=low,
        max=high,
        length=values["length"],
        min_length=values["min_length"],
        max_length=values["max_length"],
        pattern=values["pattern"],
        unique=values["unique"],
        choices=tuple(map(str, values["choices"])),
        of=values["of"],
        fields=dict(values["fields"] or values["columns"] or {}),
        kind=values["kind"],
        description=str(values["description"]),
    )


def _check_limits(given: _Given) -> None:
    """Only limits that the type knows, and all that it needs."""
    type_ = str(given.values["type"])
    limits = [limit for limit in LIMITS if given.values[limit] not in (None, (), False)]
    allowed = FIELD_TYPES[type_].limits
    for limit in limits:
        if limit not in allowed:
            known = ", ".join(sorted(allowed)) or "none"
            message = f": {limit} says nothing about a field of type {type_}"
            given.fault(limit, "GP202", message, f"its limits are: {known}")
    wanted = _NEEDED.get(type_, ())
    if wanted and not any(limit in limits for limit in wanted):
        message = f": a field of type {type_} needs {' or '.join(wanted)}"
        given.fault("", "GP201", message, f"such as {_EXAMPLES[type_]}")
    if "fields" in limits and "of" in limits:
        hint = "fields: named keys; of: keys that are free"
        given.fault("of", "GP202", ": a map has either fields or of", hint)


_EXAMPLES: Final = {
    "choice": "{type: choice, choices: [red, green]}",
    "list": "{type: list, of: {type: int}}",
    "map": "{type: map, fields: {name: {type: text}}}",
    "table": "{type: table, columns: {name: {type: text}, value: {type: int}}}",
    "ref": "{type: ref, kind: vehicle}",
}
_PARSERS: Final = {"int": parse_int, "number": parse_number, "length": parse_mm}


def _bound(end: str, given: _Given) -> float | None:
    """A least or greatest value, read as the field's own type."""
    node, type_ = given.values[end], str(given.values["type"])
    if node is None or type_ not in _PARSERS:
        return None
    if isinstance(node, Scalar):
        try:
            return _PARSERS[type_](node.text)
        except ValueError:
            pass
    kind = FIELD_TYPES[type_]
    given.fault(end, "GP203", f".{end}: this is not {kind.says}", f"such as {kind.example}")
    return None


def _with_default(made: Field, given: _Given) -> Field:
    node = given.values["default"]
    if node is None:
        return made
    value = given.reading.read(node, made, f"{given.path}.default", node.span)
    return made if value is INVALID else replace(made, default=value)


def read_pattern(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """A regular expression that is quick to try, as text."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    try:
        compile_pattern(node.text)
    except ValueError as error:
        message = f"{path}: {node.text!r} cannot be used as a pattern"
        return reading.fault(node.span, "GP203", message, str(error))
    return node.text


def field_schema(_rule: Field, _describe: object) -> Schema:
    """A field definition, which may hold others: described once, under `$defs`."""
    return {"$ref": "#/$defs/field"}
