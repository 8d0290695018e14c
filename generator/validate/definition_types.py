"""What definition files hold beside the field types: formulas, messages, fields, free values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from generator.model.pack import Field
from generator.model.source import Mapping as MappingNode
from generator.model.source import Node, Scalar
from generator.model.source import Sequence as SequenceNode
from generator.model.values import Items, Record, SourceText
from generator.sandbox import SandboxError
from generator.validate.fields import field_schema, read_field, read_pattern
from generator.validate.formulas import Formula, read_formula, read_message
from generator.validate.types import FIELD_TYPES
from generator.validate.types.base import INVALID, FieldType, Reading, Schema, is_sound
from generator.validate.types.choices import parse_bool
from generator.validate.types.containers import fields_schema, read_map
from generator.validate.types.numbers import parse_int, parse_number
from generator.validate.types.text import ANY_SCALAR


def _compiled(read: Callable[[Scalar], Any]) -> Callable[[Node, Field, Reading, str], Any]:
    def read_compiled(node: Node, rule: Field, reading: Reading, path: str) -> Any:
        if not isinstance(node, Scalar):
            hint = "put quotes around an expression that begins with [ or {"
            return reading.wrong_type(node, rule, path, hint)
        try:
            return read(node)
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
    return _free_scalar(node)


def _free_scalar(node: Scalar) -> Any:
    if node.plain and node.text in ("true", "false"):
        return parse_bool(node.text)
    if node.plain:
        try:
            return parse_number(node.text)
        except ValueError:
            pass
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
        "text", '"{{ name }} is too fast"', _compiled(read_message), _scalar_schema
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
