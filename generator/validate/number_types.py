"""Numbers, lengths, yes or no, strictly: `0123`, `1_000`, `1:30` and quoted "12" are text."""

from __future__ import annotations

import re
from typing import Any, Final

from generator.geometry import format_mm, parse_length
from generator.heads import in_digits
from generator.model.pack import Field
from generator.model.source import Node, Scalar
from generator.validate.reading import FieldType, Reading, Schema

MAX_DIGITS: Final = 15
MAX_MM: Final = 100_000.0

_INT: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_TRUE: Final = frozenset(("true", "True", "TRUE", "yes", "on"))
_FALSE: Final = frozenset(("false", "False", "FALSE", "no", "off"))
_LENGTH_PATTERN: Final = r"^\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)\s*(mm|cm|in|pt)?\s*$"


def parse_int(text: str) -> int:
    """A whole number, such as `12`, `-3` or `+1`. Raises ValueError."""
    if _INT.fullmatch(text) is None or _is_long(text):
        raise ValueError(f"{text[:40]!r} is not a whole number")
    return int(text)


def _is_long(text: str) -> bool:
    return len(text.lstrip("+-")) > MAX_DIGITS


def parse_number(text: str) -> float:
    """A number, such as `12`, `-0.5`; an int when it is written as one. Raises ValueError."""
    if _NUMBER.fullmatch(text) is None or _is_long(text):
        raise ValueError(f"{text[:40]!r} is not a number")
    return float(text) if "." in text else int(text)


def parse_mm(text: str) -> float:
    """A length in mm, of at most 100 m. Raises ValueError."""
    length = parse_length(text)
    if not abs(length) <= MAX_MM:
        raise ValueError(f"{text[:40]!r} is longer than 100 m")
    return length


def read_int(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """A whole number within the field's bounds."""
    return _read_plain(node, rule, reading, path, parse_int)


def read_number(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """A number within the field's bounds."""
    return _read_plain(node, rule, reading, path, parse_number)


def _read_plain(node: Node, rule: Field, reading: Reading, path: str, parse: Any) -> Any:
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    try:
        value = parse(node.text)
    except ValueError:
        return reading.wrong_type(node, rule, path, _number_hint(node.text))
    if not node.plain:
        return reading.wrong_type(node, rule, path, "remove the quotes")
    return _bounded(node, value, rule, reading, path)


def _number_hint(text: str) -> str:
    if _is_long(text) and _NUMBER.fullmatch(text):
        return f"a number has at most {MAX_DIGITS} digits"
    bare = text.replace("_", "").replace(",", "").strip().lstrip("+-").lstrip("0")
    if bare != text and _NUMBER.fullmatch(bare):
        return f"write {bare}; or is the field meant to be text?"
    (digits,) = in_digits([text.strip()])
    return f"write {digits}" if digits != text.strip() else ""


def read_length(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """A length in mm; without a unit it is mm already."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    try:
        value = parse_mm(node.text)
    except ValueError:
        return reading.wrong_type(node, rule, path, "the units are mm, cm, in and pt")
    return _bounded(node, value, rule, reading, path)


def _bounded(node: Scalar, value: float, rule: Field, reading: Reading, path: str) -> Any:
    unit = "mm" if rule.type == "length" else ""
    if rule.min is not None and value < rule.min:
        limit = f"less than {format_mm(rule.min)}{unit}"
    elif rule.max is not None and value > rule.max:
        limit = f"more than {format_mm(rule.max)}{unit}"
    else:
        return value
    hint = rule.description or "change it, or the limit in the kind"
    return reading.fault(node.span, "GP204", f"{path}: {node.text} is {limit}", hint)


def _bounds(rule: Field, schema: Schema) -> Schema:
    if rule.min is not None:
        schema["minimum"] = rule.min
    if rule.max is not None:
        schema["maximum"] = rule.max
    return schema


def int_schema(rule: Field, _describe: object) -> Schema:
    """A whole number with its bounds."""
    return _bounds(rule, {"type": "integer"})


def number_schema(rule: Field, _describe: object) -> Schema:
    """A number with its bounds."""
    return _bounds(rule, {"type": "number"})


def length_schema(rule: Field, _describe: object) -> Schema:
    """A number of mm with its bounds, or text with a unit."""
    return _bounds(rule, {"type": ["number", "string"], "pattern": _LENGTH_PATTERN})


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


def bool_schema(_rule: Field, _describe: object) -> Schema:
    """True, false and the words that YAML 1.2 takes for text."""
    return {"enum": [True, False, "yes", "no", "on", "off"]}


_LIMITS: Final = frozenset(("min", "max", "unique"))

INT: Final = FieldType("a whole number", "12", read_int, int_schema, _LIMITS)
NUMBER: Final = FieldType("a number", "12 or 0.5", read_number, number_schema, _LIMITS)
LENGTH: Final = FieldType("a length", "12mm or 0.5in", read_length, length_schema, _LIMITS)
BOOL: Final = FieldType("true or false", "true", read_bool, bool_schema)
