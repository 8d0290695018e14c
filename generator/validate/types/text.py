"""Scalars that stay text: ids, plain text and rich text."""

from __future__ import annotations

import functools
import re
from typing import Any, Final

from generator.model.pack import Field
from generator.model.source import Node, Scalar
from generator.model.values import SourceText
from generator.validate.patterns import MAX_TESTED, matches
from generator.validate.types.base import FieldType, Reading, Schema

ID_PATTERN: Final = "[a-z0-9][a-z0-9-]{0,79}"
NAME_PATTERN: Final = "[a-z][a-z0-9_]{0,39}"
STYLE_PATTERN: Final = "[a-z][a-z0-9_-]{0,39}"
IN_WORDS: Final = {
    ID_PATTERN: "lower-case letters a–z, digits and hyphens",
    NAME_PATTERN: "lower-case letters a–z, digits and underscores, a letter first",
    STYLE_PATTERN: "lower-case letters a–z, digits, - and _, a letter first",
}
_ONE: Final = {"characters": "character", "entries": "entry", "rows": "row"}
_ID: Final = re.compile(ID_PATTERN)
# Whatever an editor's YAML makes of a plain scalar (12, true), to us it is text.
ANY_SCALAR: Final = ["string", "number", "boolean"]


def read_id(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """An id, as text."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    if _ID.fullmatch(node.text) is None:
        hint = f"an id has {IN_WORDS[ID_PATTERN]}, at most 80"
        return reading.wrong_type(node, rule, path, hint)
    return node.text


def read_text(
    node: Node, rule: Field, reading: Reading, path: str, rich: bool = False
) -> SourceText | Any:
    """Text of any kind within the field's limits, with its place."""
    if not isinstance(node, Scalar):
        hint = "put quotes around text that begins with [ or {"
        return reading.wrong_type(node, rule, path, hint)
    wrong = wrong_count(len(node.text), "characters", rule)
    if wrong:
        return reading.fault(node.span, "GP204", f"{path}: {wrong}", count_hint(rule))
    if rule.pattern is not None and not matches(rule.pattern, node.text):
        return reading.fault(
            node.span,
            "GP204",
            f"{path}: {node.text[:MAX_TESTED]!r} does not follow the pattern {rule.pattern}",
            rule.description or "the kind says how it is written",
        )
    return SourceText(node.text, node.span, rich)


read_rich: Final = functools.partial(read_text, rich=True)


def wrong_count(count: int, things: str, rule: Field) -> str:
    """What is wrong with a number of characters or entries; empty when nothing is."""
    if rule.length is not None and count != rule.length:
        wanted = f"{rule.length} are needed"
    elif rule.min_length is not None and count < rule.min_length:
        wanted = f"at least {rule.min_length} are needed"
    elif rule.max_length is not None and count > rule.max_length:
        wanted = f"at most {rule.max_length} are allowed"
    else:
        return ""
    return f"{count} {_ONE[things] if count == 1 else things}, {wanted}"


def count_hint(rule: Field) -> str:
    """What to do about a wrong number of characters or entries."""
    return rule.description or "make it fit, or change the limit in the kind"


def id_schema(_rule: Field, _describe: object) -> Schema:
    """An id, which an editor may take for a number."""
    return {"type": ["string", "integer"], "pattern": f"^{ID_PATTERN}$"}


def text_schema(rule: Field, _describe: object) -> Schema:
    """Any scalar; the limits bind what is text to the editor too."""
    schema: Schema = {"type": ANY_SCALAR}
    least, most = rule.min_length, rule.max_length
    if rule.length is not None:
        least = most = rule.length
    if least is not None:
        schema["minLength"] = least
    if most is not None:
        schema["maxLength"] = most
    if rule.pattern is not None:
        schema["pattern"] = f"^(?:{rule.pattern})$"
    return schema


_LIMITS: Final = frozenset(("length", "min_length", "max_length", "pattern", "unique"))

ID: Final = FieldType("an id", "war-wagon", read_id, id_schema, frozenset(("unique",)))
TEXT: Final = FieldType("text", "War Wagon", read_text, text_schema, _LIMITS, empty="")
RICH: Final = FieldType("text", '"Roll **1** {die}."', read_rich, text_schema, _LIMITS, empty="")
