"""A component and a path such as `moves[3][1]` in, the place in the author's file out."""

from __future__ import annotations

import re
from typing import Final

from generator.diagnostics import Span
from generator.model.pack import Field
from generator.model.source import Mapping, Node, Sequence
from generator.validate.drafts import Draft
from generator.validate.types.containers import as_row

_STEP: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)|\[\s*(-?\d{1,6})\s*\]")


def place(draft: Draft, path: str) -> Span:
    """Where the value stands, or the nearest that is written around it."""
    span, node = draft.span, draft.node
    field: Field | None = None
    for i, (name, number) in enumerate(_STEP.findall(path)):
        step = name or int(number)
        node = child(node, step, field)
        field = _inner(draft, field, name, is_first=i == 0)
        if node is None:
            return draft.record.span_of(name) if i == 0 and name else span
        span = node.span
    return span


def child(node: Node | None, step: str | int, field: Field | None) -> Node | None:
    """The node one step further in; short rows of a table are read by their columns' names."""
    if isinstance(step, str):
        if isinstance(node, Sequence) and field is not None and field.fields:
            node = as_row(node, field)
        return node.get(step) if isinstance(node, Mapping) else None
    if isinstance(node, Sequence) and -len(node.items) <= step < len(node.items):
        return node.items[step]
    return None


def _inner(draft: Draft, field: Field | None, name: str, *, is_first: bool) -> Field | None:
    """The definition of the value one step further in. A row is described by its table."""
    if is_first:
        return draft.plan.kind.fields.get(name)
    if field is None:
        return None
    if name:
        return field.fields.get(name, field.of)
    return field if field.type == "table" else field.of
