"""Drafts of one kind in, drafts of the kinds that are made from it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.diagnostics import Diagnostic, Span
from generator.model.source import Node
from generator.model.values import Record
from generator.validate.drafts import Draft
from generator.validate.evaluation import Evaluation
from generator.validate.places import child
from generator.validate.plans import KindPlan
from generator.validate.types.base import INVALID


def make(plan: KindPlan, parents: list[Draft], evaluation: Evaluation) -> list[Draft]:
    """The drafts of a kind that is made from others, in their parents' order.

    Their ids are their parents', with the number of the entry when the kind has `each`.
    """
    made = (
        _draft(plan, parent, entry)
        for parent in parents
        if parent.usable
        for entry in _entries(plan, parent, evaluation)
    )
    return [draft for draft in made if _belongs(draft, evaluation)]


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one component is made of beside its parent; `suffix` ends its id."""

    values: Mapping[str, Any]
    span: Span
    node: Node | None
    spans: Mapping[str, Span] = field(default_factory=dict)
    suffix: str = ""


def _entries(plan: KindPlan, parent: Draft, evaluation: Evaluation) -> Iterator[_Entry]:
    each = plan.kind.each
    if each is None:
        yield _Entry({"index": 1}, parent.span, parent.node)
        return
    if each not in parent.record:  # told of where the kinds were linked
        evaluation.complete = False
        return
    entries = parent.record[each]
    if not isinstance(entries, tuple):
        span = getattr(each, "span", plan.kind.span)
        message = f"each: {each} of {parent.name} is not a list"
        evaluation.faults.append(Diagnostic(span, "GP213", message, "each entry makes a component"))
        evaluation.complete = False
        return
    listed = child(parent.node, each, None)
    for number, entry in enumerate(entries, 1):
        node = child(listed, number - 1, None)
        around = parent.record.span_of(each) if node is None else node.span
        yield _entry(entry, number, around, node)


def _entry(entry: Any, number: int, around: Span, node: Node | None) -> _Entry:
    suffix = f"-{number}"
    if not isinstance(entry, Record):
        return _Entry({"index": number, "value": entry}, around, node, suffix=suffix)
    spans = {name: entry.span_of(name) for name in entry}
    return _Entry({"index": number, **entry}, entry.span, node, spans, suffix)


def _draft(plan: KindPlan, parent: Draft, entry: _Entry) -> Draft:
    id_ = parent.id + entry.suffix
    assert plan.parent_name is not None
    values = {**entry.values, "id": id_, plan.parent_name: parent.record}
    record = Record(values, entry.span, entry.spans)
    origins = (parent.id, *parent.origins)
    return Draft(plan, id_, record, entry.node, plan.sound, origins, [parent])


def _belongs(draft: Draft, evaluation: Evaluation) -> bool:
    where = draft.plan.where
    if where is None or not draft.usable:
        return True
    if evaluation.skips(where):
        draft.usable = False
        return True
    value = evaluation.value(where, evaluation.names(draft.record), draft)
    if value is INVALID:
        draft.usable = False
        return True
    return bool(value)
