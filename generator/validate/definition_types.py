"""The types of fields that only definition files have, and how such a file is read.

It is read like a component: each of its keys is a `Field`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from generator.cache import Cache
from generator.diagnostics import Span
from generator.model.pack import Field, Items, Record, SourceText
from generator.model.source import Document, Node, Scalar
from generator.model.source import Mapping as MappingNode
from generator.model.source import Sequence as SequenceNode
from generator.sandbox import SandboxError
from generator.validate.field_types import (
    ANY_SCALAR,
    FIELD_TYPES,
    NAME_PATTERN,
    compile_pattern,
    fields_schema,
    parse_bool,
    parse_int,
    parse_mm,
    parse_number,
    read_map,
)
from generator.validate.formulas import Formula, read_formula, read_message
from generator.validate.reading import INVALID, Assets, FieldType, Reading, Schema, is_sound

_NOWHERE: Final = Span("")


def key(type_: str, description: str = "", *, needed: bool = False, **limits: Any) -> Field:
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
    "type": key("choice", "What the field holds", needed=True, choices=tuple(FIELD_TYPES)),
    "description": key("text", "What it is for; shown in editors and in hints"),
    "optional": key("bool", "May be left out", default=False),
    "default": key("node", "What stands for a value that is left out"),
    "min": key("node", "The least number or length"),
    "max": key("node", "The greatest number or length"),
    "length": key("int", "Exactly so many characters, entries or rows", min=0),
    "min_length": key("int", "The fewest characters, entries or rows", min=0),
    "max_length": key("int", "The most characters, entries or rows", min=0),
    "pattern": key("pattern", "A regular expression for the whole text, or for a map's keys"),
    "unique": key("bool", "No two components of the kind have the same", default=False),
    "choices": key("list", "The words of a choice", min_length=1, of=key("text", needed=True)),
    "of": key("field", "What the entries of a list or map are"),
    "fields": key("map", "The fields of a map", pattern=NAME_PATTERN, of=key("field", needed=True)),
    "columns": key(
        "map", "The columns of a table", pattern=NAME_PATTERN, of=key("field", needed=True)
    ),
    "kind": key("name", "The kind that a ref names"),
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


def _field_rules(reading: Reading) -> Mapping[str, Field]:
    """The keys of a field, whose types may be those of guests too."""
    more = [name for name in reading.types if name not in DEFINITION_TYPES]
    if not more:
        return FIELD
    return {**FIELD, "type": replace(FIELD["type"], choices=(*FIELD_TYPES, *more))}


def read_field(node: Node, rule: Field, reading: Reading, path: str) -> Field:
    """A `Field`. One with a fault takes any value, so that it is told only once."""
    name = path.rpartition(".")[2]
    before = len(reading.faults)
    if isinstance(node, MappingNode):
        values, spans = reading.read_fields(node, _field_rules(reading), path)
        if is_sound(values.values()):
            given = _ReadDefinition(path, Record(values, node.span, spans), reading)
            _check_limits(given)
            made = _field(name, given)
            if len(reading.faults) == before:
                made = _with_default(made, given)
            if len(reading.faults) == before:
                return made
    else:
        reading.wrong_type(node, rule, path)
    return Field(name, "node", node.span, optional=True)


class _ReadDefinition(Struct, frozen=True):
    """A field definition whose parts have been read, and where it stands."""

    path: str
    values: Record
    reading: Reading

    def fault(self, part: str, code: str, message: str, hint: str = "") -> None:
        """Note a fault of one part, or of the whole where the part is not given."""
        self.reading.fault(self.values.span_of(part), code, f"{self.path}{message}", hint)


def _field(name: str, given: _ReadDefinition) -> Field:
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


def _check_limits(given: _ReadDefinition) -> None:
    """Only limits that the type knows, and all that it needs."""
    type_ = str(given.values["type"])
    limits = [limit for limit in LIMITS if given.values[limit] not in (None, (), False)]
    allowed = given.reading.types[type_].limits
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
    "ref": "{type: ref, kind: card}",
}
_PARSERS: Final = {"int": parse_int, "number": parse_number, "length": parse_mm}


def _bound(end: str, given: _ReadDefinition) -> float | None:
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


def _with_default(made: Field, given: _ReadDefinition) -> Field:
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


def _compiled(
    read: Callable[[Scalar, Cache], Any], *, words: bool = False
) -> Callable[[Node, Field, Reading, str], Any]:
    def read_compiled(node: Node, rule: Field, reading: Reading, path: str) -> Any:
        if not isinstance(node, Scalar):
            hint = "put quotes around an expression that begins with [ or {"
            return reading.wrong_type(node, rule, path, hint)
        if words:
            reading.check_cut(node, path)
        try:
            return read(node, reading.cache)
        except SandboxError as error:
            return reading.report(
                node.span,
                "GP211",
                f"{path}: {error.message}",
                error.hint or "see expressions in docs/kinds.md",
            )

    return read_compiled


read_expression: Final = _compiled(read_formula)


def read_quantity(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """One formula, or formulas by number of players."""
    if not isinstance(node, MappingNode):
        return read_expression(node, rule, reading, path)
    formulas: dict[int, Formula] = {}
    for key, value in node.entries:
        try:
            players = parse_int(key.text)
        except ValueError:
            message = f"{path}: {key.text!r} is not a number of players"
            reading.fault(key.span, "GP203", message, "such as {2: 1, 3: 2}")
            continue
        formulas[players] = read_expression(value, rule, reading, f"{path}.{key.text}")
    return formulas if formulas and is_sound(formulas.values()) else INVALID


def read_name(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """The name of something defined elsewhere, with its place."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    return SourceText(node.text, node.span)


def read_stock(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """The name of a stock, or what each component's is worked out from."""
    if isinstance(node, MappingNode):
        return read_map(node, rule, reading, path)
    return read_name(node, rule, reading, path)


def read_node(node: Node, _rule: Field, _reading: Reading, _path: str) -> Any:
    """The node itself, to be understood later."""
    return node


def read_free(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """Whatever is there: true and false, numbers written as such, else text; lists and maps."""
    if isinstance(node, SequenceNode):
        return Items(
            reading.read(item, rule, f"{path}[{i}]", node.span) for i, item in enumerate(node.items)
        )
    if isinstance(node, MappingNode):
        values = {
            key.text: reading.read(value, rule, f"{path}.{key.text}", key.span)
            for key, value in node.entries
        }
        return Record(values, node.span, {key.text: value.span for key, value in node.entries})
    return _free_scalar(node, reading, path)


def _free_scalar(node: Scalar, reading: Reading, path: str) -> Any:
    if node.plain and node.text in ("true", "false"):
        return parse_bool(node.text)
    if node.plain:
        try:
            return parse_number(node.text)
        except ValueError:
            pass
    if " " in node.text or not (node.cut and node.cut.text.startswith("# ")):
        reading.check_cut(node, path)  # behind a single word `# ` is a comment
    return SourceText(node.text, node.span)


def _scalar_schema(_rule: Field, _describe: object) -> Schema:
    return {"type": ANY_SCALAR}


def _stock_schema(rule: Field, describe: Callable[[Field], Schema]) -> Schema:
    return {"anyOf": [{"type": ANY_SCALAR}, fields_schema(rule.fields, describe)]}


def _any_schema(_rule: Field, _describe: object) -> Schema:
    return {}


def _quantity_schema(_rule: Field, _describe: object) -> Schema:
    by_players = {
        "type": "object",
        "propertyNames": {"pattern": "^[0-9]+$"},
        "additionalProperties": {"type": ANY_SCALAR},
        "minProperties": 1,
    }
    return {"anyOf": [{"type": ANY_SCALAR}, by_players]}


DEFINITION_TYPES: Final[Mapping[str, FieldType]] = {
    **FIELD_TYPES,
    "expression": FieldType("an expression", "cost + 1", read_expression, _scalar_schema),
    "message": FieldType(
        "text", '"{{ name }} is too fast"', _compiled(read_message, words=True), _scalar_schema
    ),
    "quantity": FieldType(
        "an expression, or a map from players to expressions",
        "{2: 1, 3: 2}",
        read_quantity,
        _quantity_schema,
    ),
    "stock": FieldType(
        "the name of a stock, or a map with like:", "poker", read_stock, _stock_schema
    ),
    "field": FieldType("a field", "{type: text, max_length: 30}", read_field, field_schema),
    "pattern": FieldType("a regular expression", "[A-Z][0-9]+", read_pattern, _scalar_schema),
    "name": FieldType("a name", "poker", read_name, _scalar_schema),
    "node": FieldType("a value", "12", read_node, _any_schema),
    "free": FieldType("a value", "12", read_free, _any_schema),
}
# A component's fields are of the types that authors know; "node" stands in for a field whose
# own definition has a fault.
COMPONENT_TYPES: Final[Mapping[str, FieldType]] = {
    **FIELD_TYPES,
    "node": DEFINITION_TYPES["node"],
}


DEFINITION: Final = "GP213"


def definition_reading(
    palette: Mapping[str, str] | None = None, assets: Assets | None = None
) -> Reading:
    """A reading of definition files: all faults of structure are GP213."""
    return Reading(DEFINITION_TYPES, palette or {}, assets, code=DEFINITION)


class Root(Struct, frozen=True):
    """The values of a file's root. Those of `bad` keys are as if they were left out."""

    values: Record
    bad: frozenset[str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def read_root(document: Document, rules: Mapping[str, Field], reading: Reading) -> Root:
    """The root of a definition file, as far as it can be used."""
    root = document.root
    values: dict[str, Any] = dict.fromkeys(rules, INVALID)
    spans: dict[str, Span] = {}
    if isinstance(root, MappingNode):
        values, spans = reading.read_fields(root, rules)
    else:
        hint = f"its keys are {', '.join(rules)}"
        reading.fault(root.span, DEFINITION, "this file must be a map, key: value", hint)
    bad = frozenset(name for name, value in values.items() if value is INVALID)
    usable = {name: _left_out(rules[name], reading) for name in bad}
    return Root(Record({**values, **usable}, root.span, spans), bad)


def _left_out(rule: Field, reading: Reading) -> object:
    """What a field holds when it is not given."""
    return reading.types[rule.type].empty if rule.default is None else rule.default
