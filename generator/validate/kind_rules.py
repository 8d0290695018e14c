"""Apply the rules of kinds to components: derived values, components made from others, companions
and checks."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct, field

from generator.diagnostics import Span
from generator.geometry import summed
from generator.model.source import Node
from generator.model.values import Record
from generator.validate.components import UnresolvedComponent, child, value_span
from generator.validate.kinds import ENTRY, CheckPlan, KindPlan, SetCheckPlan
from generator.validate.reading import (
    INVALID,
    AlreadyReportedError,
    Evaluation,
    Formula,
    Message,
    is_numeric,
    is_sound,
    quoted_value,
    spoken,
)
from generator.validate.track_values import TilePool, layout_value, tile_value

_DerivedStep = Callable[[Mapping[str, Any]], Any]


class _CircleError(Exception):
    """Raised when a derived value needs itself."""


def derive(unresolved: Iterable[UnresolvedComponent], pool: TilePool) -> None:
    """Work out the derived values of all usable components. If a formula fails, its component is no
    longer usable."""
    usable = [component for component in unresolved if component.usable and not component.kept]
    derivations = [_Derivation(component, pool) for component in _referred_first(usable)]
    for derivation in derivations:
        derivation.run_to(None)
    for component in usable:
        component.record.defer(None)


def _steps(component: UnresolvedComponent, pool: TilePool) -> dict[str, _DerivedStep]:
    """Return how to work out each value, in order, from the names known by then."""
    plan, evaluation = component.plan, pool.evaluation
    steps: dict[str, _DerivedStep] = {}
    if plan.kind.collated:
        steps["copy"] = lambda names: 1
    if plan.tile is not None:
        steps["tile"] = lambda names: tile_value(component, names, evaluation)
    if plan.layout is not None:
        steps["layout"] = lambda names: layout_value(component, names, pool)
    for name, formula in plan.derived.items():
        steps[name] = partial(evaluation.value, formula, who=component)
    return steps


class _Derivation:
    """Works out the derived values of one component, in order or on demand."""

    def __init__(self, component: UnresolvedComponent, pool: TilePool) -> None:
        self.component = component
        self.waiting = _steps(component, pool)
        self.known = frozenset(self.waiting)
        self.evaluation = pool.evaluation
        self.names = self.evaluation.names(component.record)
        self.running = ""
        component.record.defer(self.demand)

    def demand(self, name: str) -> None:
        """Work out a derived value that another formula needs."""
        if name not in self.known:
            return
        if self.running:
            raise _CircleError(
                f"{self.running} of {self.component.name} needs its own {name}: a circle"
            )
        self.run_to(name)
        if name not in self.names:
            raise AlreadyReportedError(name)

    def run_to(self, last: str | None) -> None:
        """Work out the values up to the one named."""
        while self.waiting and self.component.usable and (last is None or last in self.waiting):
            name = next(iter(self.waiting))
            work_out = self.waiting.pop(name)
            self.running = name
            noted = self.evaluation.noted
            try:
                value = work_out(self.names)
            except _CircleError:
                # Reported by the value where the circle began.
                self.component.usable = False
                raise
            finally:
                self.running = ""
            self.component.clean &= self.evaluation.noted == noted
            if value is INVALID:
                self.component.usable = False
                return
            self.names[name] = value
            self.component.record.fill({name: value})


def _referred_first(unresolved: list[UnresolvedComponent]) -> Iterator[UnresolvedComponent]:
    """Yield each component after those it refers to, as far as circles allow. Otherwise a long
    chain of references would exhaust Python's stack."""
    wanted = set(map(id, unresolved))
    seen: set[int] = set()
    for component in unresolved:
        stack = [(component, iter(component.refs))]
        while stack:
            current, refs = stack[-1]
            seen.add(id(current))
            inner = next((ref for ref in refs if id(ref) not in seen), None)
            if inner is not None:
                stack.append((inner, iter(inner.refs)))
                continue
            stack.pop()
            if id(current) in wanted:
                wanted.discard(id(current))
                yield current


def make_components(
    plan: KindPlan, parents: list[UnresolvedComponent], evaluation: Evaluation
) -> list[UnresolvedComponent]:
    """Return the components of a kind that is made from others, in their parents' order. An id is
    the parent's, with the number of the entry if the kind has `each`."""
    made = (_made_of(plan, parent, evaluation) for parent in parents if parent.usable)
    return [component for components in made for component in components]


def _made_of(
    plan: KindPlan, parent: UnresolvedComponent, evaluation: Evaluation
) -> tuple[UnresolvedComponent, ...]:
    """Return the components made from one, those of the last check if it is kept."""
    name, noted = plan.kind.name, evaluation.noted
    known = parent.made.get(name, ()) if parent.kept and not plan.sees_components else ()
    if known and all(one.usable and one.clean for one in known):
        for one in known:
            one.kept, one.done, one.origins = True, False, (parent.called, *parent.origins)
        return known
    entries = (_generated(plan, parent, entry) for entry in _entries(plan, parent, evaluation))
    parent.made[name] = tuple(one for one in entries if _belongs(one, evaluation))
    parent.clean &= evaluation.noted == noted
    return parent.made[name]


class _GeneratedEntry(Struct, frozen=True):
    """The values that a made component has besides its parent; `suffix` ends its id."""

    values: Mapping[str, Any]
    span: Span
    node: Node | None
    spans: Mapping[str, Span] = field(default_factory=dict)
    suffix: str = ""


def _entries(
    plan: KindPlan, parent: UnresolvedComponent, evaluation: Evaluation
) -> Iterator[_GeneratedEntry]:
    each = plan.kind.each
    if each is None:
        yield _GeneratedEntry({"index": 1}, parent.span, parent.node)
        return
    if each not in parent.record:  # reported by link_kinds
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


def _entry(entry: Any, number: int, around: Span, node: Node | None) -> _GeneratedEntry:
    suffix = f"-{number}"
    if not isinstance(entry, Record):
        return _GeneratedEntry({"index": number, "value": entry}, around, node, suffix=suffix)
    spans = {name: entry.span_of(name) for name in entry}
    return _GeneratedEntry({"index": number, **entry}, entry.span, node, spans, suffix)


def _generated(
    plan: KindPlan, parent: UnresolvedComponent, entry: _GeneratedEntry
) -> UnresolvedComponent:
    id_ = parent.id + entry.suffix
    assert plan.parent_name is not None
    values = {**entry.values, "id": id_, plan.parent_name: parent.record}
    record = Record(values, entry.span, entry.spans)
    origins = (parent.called, *parent.origins)
    return UnresolvedComponent(plan, id_, record, entry.node, plan.sound, origins, [parent])


def _belongs(component: UnresolvedComponent, evaluation: Evaluation) -> bool:
    where = component.plan.where
    if where is None or not component.usable:
        return True
    value = evaluation.value(where, evaluation.names(component.record), component)
    if value is INVALID:
        component.usable = False
        return True
    return bool(value)


def note_companions(
    unresolved: Iterable[UnresolvedComponent],
    every: Iterable[UnresolvedComponent],
    evaluation: Evaluation,
) -> None:
    """Add each component that brings others to their `origins`. GP211 if `brings` gives anything
    else than a component."""
    bringing = [
        component
        for component in unresolved
        if component.usable and component.plan.brings is not None
    ]
    if not bringing:
        return
    every = tuple(every)
    by_record, made = {id(component.record): component for component in every}, _made(every)
    for component in bringing:
        formula = component.plan.brings
        assert formula is not None
        found = evaluation.value(formula, evaluation.names(component.record), component)
        for value in found if isinstance(found, tuple) else (found,):
            brought = by_record.get(id(value)) if isinstance(value, Record) else None
            if brought is not None:
                for along in _with_made(brought, made):
                    along.origins = (*along.origins, component.called)
            elif value is not None and value is not INVALID:
                message = f"brings: {quoted_value(value)} of {component.name} is not a component"
                hint = "name fields or derived values that hold components, such as [knight]"
                evaluation.report(formula.span, "GP211", message, hint)
                return


def _made(every: Iterable[UnresolvedComponent]) -> dict[int, list[UnresolvedComponent]]:
    """Return the components already made from each component, as in a required pack."""
    found: dict[int, list[UnresolvedComponent]] = defaultdict(list)
    for component in every:
        if component.plan.kind.made_from is not None and component.refs:
            found[id(component.refs[0])].append(component)
    return found


def _with_made(
    component: UnresolvedComponent, made: dict[int, list[UnresolvedComponent]]
) -> Iterator[UnresolvedComponent]:
    yield component
    for other in made.get(id(component), ()):
        yield from _with_made(other, made)


def check_component(
    component: UnresolvedComponent, checks: Iterable[CheckPlan], evaluation: Evaluation
) -> None:
    """Check one component: GP209 for each check that fails. If some of its values are wrong, only
    checks of the others count."""
    if not checks:
        return
    noted = evaluation.noted
    names = evaluation.names(component.record)
    if not component.usable:
        names = _sound_names(component, names, evaluation)
    for check in checks:
        if component.usable or check.names - names.keys() <= ENTRY:
            for seen in _views(check, component, names, evaluation):
                holds = evaluation.value(check.that, seen, component)
                if holds is not INVALID and not holds:
                    _report_component(check, component, seen, evaluation)
    component.clean &= evaluation.noted == noted


def _sound_names(
    component: UnresolvedComponent, names: Mapping[str, Any], evaluation: Evaluation
) -> dict[str, Any]:
    """Return the values that do not depend on the component's wrong ones."""
    found = {name: value for name, value in names.items() if name not in (component.wrong or ())}
    for name, formula in component.plan.derived.items():
        if formula.names <= found.keys():
            value = evaluation.value(formula, found, component)
            if value is not INVALID:
                found[name] = value
    return found


def _views(
    check: CheckPlan,
    component: UnresolvedComponent,
    names: Mapping[str, Any],
    evaluation: Evaluation,
) -> Iterator[Mapping[str, Any]]:
    """Yield the names that a check sees: once, or for each entry of its list."""
    if check.each is None:
        yield names
        return
    entries = evaluation.value(check.each, names, component)
    for index, entry in enumerate(entries if isinstance(entries, tuple) else ()):
        yield {**names, "entry": entry, "index": index}


def _report_component(
    check: CheckPlan,
    component: UnresolvedComponent,
    names: Mapping[str, Any],
    evaluation: Evaluation,
) -> None:
    parts = (check.at, check.message, check.hint)
    at, message, hint = (_written(part, names, component, evaluation) for part in parts)
    if is_sound((at, message, hint)):
        shown = f"{at}: {message}" if at else message
        evaluation.report(value_span(component, at), "GP209", shown, hint, check.severity)


def _written(
    part: Message | None,
    names: Mapping[str, Any],
    component: UnresolvedComponent | None,
    evaluation: Evaluation,
) -> Any:
    return "" if part is None else evaluation.value(part, names, component)


def check_set(
    checks: tuple[SetCheckPlan, ...],
    usable: list[UnresolvedComponent],
    whole: bool,
    evaluation: Evaluation,
) -> None:
    """Check a whole kind: GP210 for each set check that fails. Counts and sums are checked only if
    the set is `whole`."""
    for check in checks:
        values = list(_values(check, usable, evaluation))
        if not is_sound(value for _, value in values):
            continue
        if check.measure == "unique":
            _check_unique(check, values, evaluation)
        elif whole:
            _check_limits(check, values, evaluation)


def _values(
    check: SetCheckPlan, unresolved: list[UnresolvedComponent], evaluation: Evaluation
) -> Iterator[tuple[UnresolvedComponent, Any]]:
    for component in unresolved:
        names = evaluation.names(component.record)
        chosen = check.where is None or evaluation.value(check.where, names, component)
        if chosen is INVALID:
            yield component, INVALID
        elif chosen:
            yield component, 1 if check.of is None else evaluation.value(check.of, names, component)


def _check_unique(
    check: SetCheckPlan, values: list[tuple[UnresolvedComponent, Any]], evaluation: Evaluation
) -> None:
    assert check.of is not None
    seen: dict[Any, Span] = {}
    for component, value in values:
        span = (
            value_span(component, check.of.text) if check.of.text.isidentifier() else component.span
        )
        first = seen.setdefault(_key(value), span)
        if first is not span:
            message = f"{check.of.text}: {quoted_value(value)} is used twice"
            hint = f"it is first used at {first}"
            _report_set(check, value, span, (message, hint), evaluation)


def _key(value: Any) -> Any:
    """Return a hashable form of the value. Components are equal if their ids are."""
    if isinstance(value, Record):
        return value["id"] if "id" in value else tuple((k, _key(v)) for k, v in value.items())
    return tuple(map(_key, value)) if isinstance(value, tuple) else value


def _check_limits(
    check: SetCheckPlan, values: list[tuple[UnresolvedComponent, Any]], evaluation: Evaluation
) -> None:
    total = _total(check, values, evaluation)
    if total is None:
        return
    for word, limit, holds in (
        ("must be", check.is_, operator.eq),
        ("must be at least", check.min, operator.ge),
        ("must be at most", check.max, operator.le),
    ):
        wanted = None if limit is None else _limit(limit, evaluation)
        if wanted is not None and not holds(total, wanted):
            message = f"the {check.measure} is {spoken(total)}, it {word} {spoken(wanted)}"
            hint = "change the components, or what the kind expects"
            _report_set(check, total, check.span, (message, hint), evaluation)


def _total(
    check: SetCheckPlan, values: list[tuple[UnresolvedComponent, Any]], evaluation: Evaluation
) -> float | None:
    for component, value in values:
        if not is_numeric(value):
            message = f"sum: {quoted_value(value)} of {component.name} is not a number"
            evaluation.report(check.span, "GP211", message, "use where:")
            return None
    total: float = summed(value for _, value in values)
    return total


def _limit(limit: Formula, evaluation: Evaluation) -> float | None:
    wanted = evaluation.value(limit, evaluation.names(), None)
    if wanted is INVALID:
        return None
    if not is_numeric(wanted):
        message = f"in {limit.text!r}: {spoken(wanted)} is not a number"
        hint = "a count or sum is compared with a number"
        if "players" in limit.names:
            hint = "give --players, or players: in pack.yaml"
        evaluation.report(limit.span, "GP211", message, hint)
        return None
    return wanted


def _report_set(
    check: SetCheckPlan,
    value: Any,
    span: Span,
    plain: tuple[str, str],
    evaluation: Evaluation,
) -> None:
    """Report the kind's own message with the value found, else a plain one."""
    names = {**evaluation.names(), "value": value}
    own, hint = (_written(part, names, None, evaluation) for part in (check.message, check.hint))
    if is_sound((own, hint)):
        message = f"{own} ({plain[0]})" if own else plain[0]
        evaluation.report(span, "GP210", message, hint or plain[1], check.severity)
