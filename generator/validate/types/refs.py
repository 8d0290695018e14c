"""References: the id of another component in, its record out."""

from __future__ import annotations

from typing import Any, Final

from generator.model.pack import Field
from generator.model.source import Node, Scalar
from generator.validate.types.base import FieldType, Reading, Schema
from generator.validate.types.text import ID_PATTERN


def read_ref(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """The record of the component named. It may still be empty: it is filled in later."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    kind = rule.kind or ""
    if reading.components is None:
        return reading.fault(
            node.span, "GP213", f"{path}: a reference cannot be a default", "leave the default out"
        )
    found = reading.components.find(kind, node.text)
    if found is None:
        hint = reading.did_you_mean(node.text, reading.components.ids(kind))
        return reading.fault(node.span, "GP205", f"{path}: there is no {kind} {node.text!r}", hint)
    return found


def ref_schema(rule: Field, _describe: object) -> Schema:
    """An id, which an editor may take for a number."""
    return {
        "type": ["string", "integer"],
        "pattern": f"^{ID_PATTERN}$",
        "title": f"id of a {rule.kind}",
    }


REF: Final = FieldType(
    "the id of another component", "war-wagon", read_ref, ref_schema, frozenset(("kind", "unique"))
)
