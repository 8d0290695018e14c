"""Read the fields of components, resolve their references and work out their quantities."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from collections.abc import Sequence as SequenceOf
from typing import Any, Final

from msgspec import Struct, field

from generator.diagnostics import Span
from generator.model.pack import Called, Component, Field
from generator.model.source import ComponentSource, Mapping, Node, Sequence
from generator.model.values import Record
from generator.validate.field_types import as_row
from generator.validate.kinds import KindPlan, Kinds
from generator.validate.reading import (
    INVALID,
    Evaluation,
    Formula,
    Reading,
    quoted_value,
    spoken,
)

ID_FIELD: Final = Field("id", "id", Span(""), description="the component's name among its kind")


class UnresolvedComponent(Struct, eq=False):
    """A component in the making. After a fault in it, or in a component it refers to, it is not
    `usable`, and nothing more is worked out from it: one fault makes one finding. If some of its
    own values are `wrong`, the others are still checked. It is `done` if a required pack already
    worked it out.

    It is `clean` if nothing was found while it was worked out. Then another check can take it over
    as `kept`, with its missing `drafts` and the components `made` from it, by kind.
    """

    plan: KindPlan
    id: str
    record: Record
    node: Node | None = None
    usable: bool = True
    origins: tuple[Called, ...] = ()
    refs: list[UnresolvedComponent] = field(default_factory=list)
    done: bool = False
    wrong: frozenset[str] | None = None
    clean: bool = True
    kept: bool = False
    drafts: dict[tuple[str, str], Span] = field(default_factory=dict)
    made: dict[str, tuple[UnresolvedComponent, ...]] = field(default_factory=dict)

    @property
    def span(self) -> Span:
        """Return the component's place."""
        return self.record.span

    @property
    def called(self) -> Called:
        """Return its names for users."""
        name = self.record.get("name")
        return Called(self.plan.kind.name, self.id, name if isinstance(name, str) else "")

    @property
    def name(self) -> str:
        """Return kind and id, for messages."""
        return f"{self.plan.kind.name} {self.id}"


Kept = dict[tuple[str, str], UnresolvedComponent]
"""Components that were worked out before, by kind and id."""


class Register(Struct):
    """All components by kind and id. A lookup is noted as a reference of the `current` one."""

    by_kind: dict[str, list[UnresolvedComponent]] = field(default_factory=dict)
    by_id: dict[str, dict[str, UnresolvedComponent]] = field(default_factory=dict)
    kinds: Kinds = field(default_factory=lambda: Kinds({}))
    current: UnresolvedComponent | None = None

    def find(self, kind: str, id_: str) -> Record | None:
        """Return the record of a component, perhaps still empty. If a fault may hide it, return an
        empty record."""
        component = self.by_id.get(kind, {}).get(id_)
        if component is not None:
            if self.current is not None:
                self.current.refs.append(component)
            return component.record
        if self.kinds.hides(kind):
            if self.current is not None:
                self.current.usable = False
            return Record({}, Span(""))
        return None

    def ids(self, kind: str) -> Iterable[str]:
        """Return the ids of a kind."""
        return self.by_id.get(kind, {})

    def all(self) -> Iterable[UnresolvedComponent]:
        """Return every component, by kind."""
        return (component for unresolved in self.by_kind.values() for component in unresolved)


def read_components(
    sources: SequenceOf[ComponentSource],
    kinds: Kinds,
    reading: Reading,
    strangers: Iterable[str] = (),
    lent: MappingOf[str, Iterable[UnresolvedComponent]] | None = None,
    kept: Kept | None = None,
) -> Register:
    """Read every component of a known kind, except those that are `kept`. Fields named in
    `strangers`, whose definitions are wrong, are skipped. The `lent` components of required packs
    come first."""
    given = lent or {}
    by_kind = {name: list(given.get(name, ())) for name in kinds.plans}
    by_id = {name: {d.id: d for d in unresolved} for name, unresolved in by_kind.items()}
    register = Register(by_kind, by_id, kinds)
    reading.components = register
    for source in sources:
        plan = _plan_of(source, kinds, reading)
        if plan is not None:
            _register(source, plan, register, reading, kept or {})
    any_ = {name: Field(name, "node", Span(""), optional=True) for name in strangers}
    for name, plan in kinds.plans.items():
        rules = fields_of(plan) if plan.sound else any_ | fields_of(plan)
        for component in (component for component in register.by_kind[name] if not component.done):
            if not component.kept:
                _read(component, rules, register, reading)
            for draft, place in component.drafts.items():
                reading.drafts.setdefault(draft, place)
        _check_unique(plan.kind.fields, register.by_kind[name], reading)
    _spread(register)
    return register


def fields_of(plan: KindPlan) -> dict[str, Field]:
    """Return the fields that may be written for components of a kind."""
    return {"id": ID_FIELD, **plan.kind.fields}


def _plan_of(source: ComponentSource, kinds: Kinds, reading: Reading) -> KindPlan | None:
    name = source.kind.text
    plan = kinds.plans.get(name)
    if plan is None and kinds.hides(name):
        return None
    if plan is None:
        known = (*kinds.plans, *kinds.broken)
        hint = "the pack has no kinds: add kinds/<kind>.yaml"
        reading.unknown("there is no kind", name, known, source.kind.span, "GP212", hint)
        return None
    if plan.kind.made_from is not None:
        message = f"{name} is made from {plan.kind.made_from} and has no components of its own"
        hint = f"change the {plan.kind.made_from}, or remove made_from from the kind"
        reading.report(source.kind.span, "GP213", message, hint)
        return None
    return plan


def _register(
    source: ComponentSource, plan: KindPlan, register: Register, reading: Reading, kept: Kept
) -> None:
    kind, id_, node = plan.kind.name, source.id, source.node.get("id")
    component = kept.get((kind, id_)) or UnresolvedComponent(
        plan,
        id_,
        Record({}, source.node.span),
        source.node,
        usable=plan.sound,
    )
    register.by_kind[kind].append(component)
    first = register.by_id.setdefault(kind, {}).setdefault(id_, component) if id_ else component
    if first is not component and node is not None:
        component.usable = False
        there = first.node.get("id") if isinstance(first.node, Mapping) else None
        hint = f"it is first used at {there.span if there else first.span}"
        reading.report(node.span, "GP206", f"the id {id_!r} is used twice in {kind}", hint)


def _read(
    component: UnresolvedComponent,
    rules: MappingOf[str, Field],
    register: Register,
    reading: Reading,
) -> None:
    before, noted = len(reading.faults), reading.noted
    drafts, reading.drafts = reading.drafts, component.drafts
    register.current = component
    assert isinstance(component.node, Mapping)
    values, spans = reading.read_fields(component.node, rules)
    register.current = None
    reading.drafts = drafts
    component.clean = reading.noted == noted
    component.record.fill(
        {name: None if value is INVALID else value for name, value in values.items()}, spans
    )
    if len(reading.faults) > before:
        component.usable = False
        component.wrong = frozenset(name for name, value in values.items() if value is INVALID)


def _check_unique(
    fields: MappingOf[str, Field], unresolved: SequenceOf[UnresolvedComponent], reading: Reading
) -> None:
    for name in (name for name, rule in fields.items() if rule.unique):
        seen: dict[Any, Span] = {}
        for component in unresolved:
            value = component.record[name]
            key = id(value) if isinstance(value, Record) else value
            if value is None or value == "":
                continue
            span = component.record.span_of(name)
            first = seen.setdefault(key, span)
            if first is not span and not component.done:
                message = f"{name}: {quoted_value(value)} is used twice, but must be unique"
                reading.report(span, "GP208", message, f"it is first used at {first}")


def _spread(register: Register) -> None:
    """Mark whatever refers to an unusable component, directly or not, as unusable."""
    unusable = [component for component in register.all() if not component.usable]
    for component in with_users(register.all(), unusable):
        component.usable = False


def with_users(
    components: Iterable[UnresolvedComponent], first: Iterable[UnresolvedComponent]
) -> Iterable[UnresolvedComponent]:
    """Return the first of the components, and all that refer to them, directly or not."""
    users: dict[int, list[UnresolvedComponent]] = {}
    for component in components:
        for other in component.refs:
            users.setdefault(id(other), []).append(component)
    waiting = list(first)
    found = {id(component): component for component in waiting}
    while waiting:
        for user in users.get(id(waiting.pop()), ()):
            if id(user) not in found:
                found[id(user)] = user
                waiting.append(user)
    return found.values()


_STEP: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)|\[\s*(-?\d{1,6})\s*\]")


def value_span(component: UnresolvedComponent, path: str) -> Span:
    """Return the place of a value, or of the nearest value written around it."""
    span, node = component.span, component.node
    field: Field | None = None
    for i, (name, number) in enumerate(_STEP.findall(path)):
        step = name or int(number)
        node = child(node, step, field)
        field = _inner(component, field, name, is_first=i == 0)
        if node is None:
            return component.record.span_of(name) if i == 0 and name else span
        span = node.span
    return span


def child(node: Node | None, step: str | int, field: Field | None) -> Node | None:
    """Return the node one step further in. Short rows of a table are read by column name."""
    if isinstance(step, str):
        if isinstance(node, Sequence) and field is not None and field.fields:
            node = as_row(node, field)
        return node.get(step) if isinstance(node, Mapping) else None
    if isinstance(node, Sequence) and -len(node.items) <= step < len(node.items):
        return node.items[step]
    return None


def _inner(
    component: UnresolvedComponent, field: Field | None, name: str, *, is_first: bool
) -> Field | None:
    """Return the definition of the value one step further in. A table's definition describes its
    rows."""
    if is_first:
        return component.plan.kind.fields.get(name)
    if field is None:
        return None
    if name:
        return field.fields.get(name, field.of)
    return field if field.type == "table" else field.of


MAX_QUANTITY: Final = 9999
MAX_SETS: Final = 99
"""Each copy of a collated kind is drawn by itself."""
MAX_PIECES: Final = 20_000
"""Two thousand sheets of cards."""


def _chosen_players(plan: KindPlan, evaluation: Evaluation) -> int:
    """Return the number of players whose quantity counts: as asked, else the greatest listed."""
    return max(plan.quantities) if evaluation.players is None else evaluation.players


def formula_for(plan: KindPlan, evaluation: Evaluation) -> Formula | None:
    """Return the quantity for the asked number of players, else for the greatest listed. GP214 if
    the kind does not list the number."""
    listed = plan.quantities
    if not listed:
        return plan.quantity
    players = _chosen_players(plan, evaluation)
    if players not in listed:
        span: Span = next(iter(listed.values())).span
        known = ", ".join(map(str, sorted(listed)))
        message = f"quantity: there is none for {players} players"
        hint = f"it is given for {known}; add a line for {players}"
        evaluation.report(span, "GP214", message, hint)
        return None
    return listed[players]


def check_pieces(components: Iterable[Component], evaluation: Evaluation) -> None:
    """Report GP214 where the pack exceeds `MAX_PIECES`."""
    pieces = 0
    for component in components:
        pieces += component.quantity
        if pieces > MAX_PIECES:
            message = f"with this {component.kind} the pack prints more than {MAX_PIECES:,} pieces"
            hint = "print fewer copies of each, or make several packs"
            evaluation.report(component.span, "GP214", message, hint)
            return


def quantity_of(
    component: UnresolvedComponent, formula: Formula | None, evaluation: Evaluation
) -> int | None:
    """Return the number of copies, 1 by default; None after a fault (GP214)."""
    if formula is None:
        return 1
    found = evaluation.value(formula, evaluation.names(component.record), component)
    if found is INVALID:
        return None
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    most = MAX_SETS if component.plan.kind.collated else MAX_QUANTITY
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= most:
        return found
    span = value_span(component, formula.text) if formula.text.isidentifier() else component.span
    message = f"the quantity of {component.name}, {formula.text}, is {spoken(found)}"
    hint = f"it must be a whole number from 0 to {most}"
    if found is None and "players" in formula.names:
        hint += "; give --players, or players: in pack.yaml"
    evaluation.report(span, "GP214", message, hint)
    return None


def reason(plan: KindPlan, evaluation: Evaluation) -> str:
    """Return the kind's own `why:`, else words for its quantity; "" for a kind that is only data,
    and after a fault."""
    if not plan.kind.faces or not plan.sound:
        return ""
    if plan.why is None:
        return _words(plan, evaluation)
    if evaluation.skips(plan.why):
        return ""
    written = evaluation.value(plan.why, evaluation.names(), None)
    return " ".join(written.split()) if isinstance(written, str) else ""


def _words(plan: KindPlan, evaluation: Evaluation) -> str:
    """Return such words as `one each`, `3 for each vehicle`."""
    kind, formula, order = plan.kind, plan.quantity, ""
    number = "1" if formula is None else formula.text
    if plan.quantities:
        players = _chosen_players(plan, evaluation)
        formula, order = plan.quantities.get(players), f", for {players} players"
        number = "0" if formula is None else formula.text
    if number == "players":
        number, order = "one", ", for each player"
    elif number == "1":
        number = "one"
    elif number.isidentifier():
        number = f"its {number}"
    if kind.made_from is None:
        return f"{number} each{order}"
    of = f"in a {kind.made_from}'s {kind.each}" if kind.each else kind.made_from
    return f"{number} for each {of}{order}"
