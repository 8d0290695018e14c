"""One of a few words: choices and yes-or-no."""

from __future__ import annotations

from typing import Any, Final

from generator.model.pack import Field
from generator.model.source import Node, Scalar
from generator.model.values import SourceText
from generator.validate.types.base import FieldType, Reading, Schema
from generator.validate.types.numbers import parse_number

_TRUE: Final = frozenset(("true", "True", "TRUE", "yes", "on"))
_FALSE: Final = frozenset(("false", "False", "FALSE", "no", "off"))


def read_choice(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """One of the field's choices, as text with its place."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    if node.text not in rule.choices:
        hint = reading.did_you_mean(node.text, rule.choices)
        return reading.fault(
            node.span, "GP207", f"{path}: {node.text!r} is not one of the choices", hint
        )
    return SourceText(node.text, node.span)


def parse_bool(text: str) -> bool:
    """Yes or no in the words that YAML 1.1 has for them. Raises ValueError."""
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise ValueError(f"{text[:40]!r} is neither true nor false")


def read_bool(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """True or false."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    try:
        value = parse_bool(node.text)
    except ValueError:
        return reading.wrong_type(node, rule, path)
    return value if node.plain else reading.wrong_type(node, rule, path, "remove the quotes")


def choice_schema(rule: Field, _describe: object) -> Schema:
    """The choices, also as editors (of YAML 1.1 or 1.2) read those that look like numbers or
    true and false.
    """
    words: list[Any] = list(rule.choices)
    for choice in rule.choices:
        for parse in (parse_number, parse_bool):
            try:
                words.append(parse(choice))
            except ValueError:
                continue
    return {"enum": words}


def bool_schema(_rule: Field, _describe: object) -> Schema:
    """True, false and the words that YAML 1.2 takes for text."""
    return {"enum": [True, False, "yes", "no", "on", "off"]}


CHOICE: Final = FieldType(
    "one of the choices",
    "the first of them",
    read_choice,
    choice_schema,
    frozenset(("choices", "unique")),
)
BOOL: Final = FieldType("true or false", "true", read_bool, bool_schema)
