"""What a kind's rules generate: derived values, components made from others, companions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from generator.diagnostics import Span
from generator.model.source import Node
from generator.model.values import Record
from generator.validate.expressions import AlreadyToldError, Evaluation, quoted
from generator.validate.kinds import KindPlan
from generator.validate.layouts import layout_value
from generator.validate.reading import INVALID
from generator.validate.tiles import TilePool, tile_value
from generator.validate.unresolved import Draft, child

_Step = Callable[[Mapping[str, Any]], Any]


class CircleError(Exception):
    """A derived value that is needed to work itself out."""


def derive(drafts: Iterable[Draft], pool: TilePool) -> None:
    """Fill in the derived values of all usable drafts; a draft whose formula fails is not."""
    usable = [draft for draft in drafts if draft.usable and _steps(draft, pool)]
    derivations = [_Derivation(draft, pool) for draft in _referred_first(usable)]
    for derivation in derivations:
        derivation.run_to(None)
    for draft in usable:
        draft.record.defer(None)


def _steps(draft: Draft, pool: TilePool) -> dict[str, _Step]:
    """How each value is worked out from the names known by then, in their order."""
    plan, evaluation = draft.plan, pool.evaluation
    steps: dict[str, _Step] = {}
    if plan.tile is not None:
        steps["tile"] = lambda names: tile_value(draft, names, evaluation)
    if plan.layout is not None:
        steps["layout"] = lambda names: layout_value(draft, names, pool)
    for name, formula in plan.derived.items():
        steps[name] = partial(evaluation.value, formula, who=draft)
    return steps


class _Derivation:
    """The derived values of one draft: which are still to come."""

    def __init__(self, draft: Draft, pool: TilePool) -> None:
        self.draft = draft
        self.waiting = _steps(draft, pool)
        self.known = frozenset(self.waiting)
        self.names = pool.evaluation.names(draft.record)
        self.running = ""
        draft.record.defer(self.demand)

    def demand(self, name: str) -> None:
        """Work out a derived value that somebody asks for."""
        if name not in self.known:
            return
        if self.running:
            raise CircleError(f"{self.running} of {self.draft.name} needs its own {name}: a circle")
        self.run_to(name)
        if name not in self.names:
            raise AlreadyToldError(name)

    def run_to(self, last: str | None) -> None:
        """Work out the values in their order, up to the one named."""
        while self.waiting and self.draft.usable and (last is None or last in self.waiting):
            name = next(iter(self.waiting))
            work_out = self.waiting.pop(name)
            self.running = name
            try:
                value = work_out(self.names)
            except CircleError:
                # Told of where the circle was entered.
                self.draft.usable = False
                raise
            finally:
                self.running = ""
            if value is INVALID:
                self.draft.usable = False
                return
            self.names[name] = value
            self.draft.record.fill({name: value})


def _referred_first(drafts: list[Draft]) -> Iterator[Draft]:
    """The drafts, each after those it refers to as far as circles allow.

    A long chain of references would otherwise be followed by as many calls inside each other.
    """
    wanted = set(map(id, drafts))
    seen: set[int] = set()
    for draft in drafts:
        stack = [(draft, iter(draft.refs))]
        while stack:
            current, refs = stack[-1]
            if id(current) not in seen:
                seen.add(id(current))
            inner = next((ref for ref in refs if id(ref) not in seen), None)
            if inner is not None:
                stack.append((inner, iter(inner.refs)))
                continue
            stack.pop()
            if id(current) in wanted:
                wanted.discard(id(current))
                yield current


def make_components(plan: KindPlan, parents: list[Draft], evaluation: Evaluation) -> list[Draft]:
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
        evaluation.report(span, "GP213", message, "each entry makes a component")
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
    value = evaluation.value(where, evaluation.names(draft.record), draft)
    if value is INVALID:
        draft.usable = False
        return True
    return bool(value)


def note_companions(
    drafts: Iterable[Draft], every: Iterable[Draft], evaluation: Evaluation
) -> None:
    """Note in what is brought by the drafts who brings it: among its `origins`.

    GP211 when `brings` gives something that is none of `every` component.
    """
    bringing = [draft for draft in drafts if draft.usable and draft.plan.brings is not None]
    if not bringing:
        return
    every = tuple(every)
    by_record, made = {id(draft.record): draft for draft in every}, _made(every)
    for draft in bringing:
        formula = draft.plan.brings
        assert formula is not None
        found = evaluation.value(formula, evaluation.names(draft.record), draft)
        for value in found if isinstance(found, tuple) else (found,):
            brought = by_record.get(id(value)) if isinstance(value, Record) else None
            if brought is not None:
                for along in _with_made(brought, made):
                    along.origins = (*along.origins, draft.id)
            elif value is not None and value is not INVALID:
                message = f"brings: {quoted(value)} of {draft.name} is not a component"
                hint = "name fields or derived values that hold components, such as [knight]"
                evaluation.report(formula.span, "GP211", message, hint)
                return


def _made(every: Iterable[Draft]) -> dict[int, list[Draft]]:
    """What is already made from each draft, as in a pack that the present one requires."""
    found: dict[int, list[Draft]] = defaultdict(list)
    for draft in every:
        if draft.plan.kind.made_from is not None and draft.refs:
            found[id(draft.refs[0])].append(draft)
    return found


def _with_made(draft: Draft, made: dict[int, list[Draft]]) -> Iterator[Draft]:
    yield draft
    for other in made.get(id(draft), ()):
        yield from _with_made(other, made)
