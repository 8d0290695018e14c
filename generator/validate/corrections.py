"""Other words in a pack that was checked: put in their places, where no rule comes to another end.

What is worked out or checked asks for values of components: for those of another one it asks the
record, which notes it (`AskedRecord`), for those of its own a formula says itself what it asks for.
So a pack in which nothing is another but values that nobody asked for is right as it was. Where
derived values and checks of the same component ask for them, these are worked out again. Whatever
else was edited, the whole pack is checked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.model.pack import AskedRecord, Corrected, Pack, Record, SourceText
from generator.model.source import ComponentSource, Node, PackSource, Scalar
from generator.model.source import Mapping as MappingNode
from generator.validate.formulas import Evaluation
from generator.validate.kind_rules import take_checks
from generator.validate.reading import Assets, Reading
from generator.validate.unresolved import Register, UnresolvedComponent, fields_of


class Checked(Struct, frozen=True):
    """A pack without errors as it was checked: of which files, for which order, with what said; and
    how its components are read."""

    source: PackSource
    order: object
    pack: Pack
    said: tuple[Diagnostic, ...]
    register: Register
    reading: Reading
    evaluation: Evaluation


class StandingPack:
    """The pack that was checked last, for who looks at it again and again; how it was `corrected`,
    if it is the one of the look before with other words."""

    def __init__(self) -> None:
        self._checked: Checked | None = None
        self.corrected: Corrected | None = None

    def keep(self, checked: Checked) -> None:
        """This was checked now; with an error in it, it is not kept."""
        self._checked = checked if Outcome(None, checked.said).ok else None
        self.corrected = None
        for component, record in _asked(checked.register):
            component.asked = frozenset(record.asked)

    def correct(
        self, source: PackSource, order: object, assets: Assets | None
    ) -> Outcome[Pack] | None:
        """The pack with what its files say now put in, if that is as right as it was; None where
        all has to be checked."""
        checked = self._checked
        if checked is None or checked.order != order or not _is_set_alike(source, checked.source):
            return None
        if not all(_is_there(*asked, assets) for asked in checked.reading.seen_assets):
            return None
        for _, record in _asked(checked.register):
            record.asked.clear()  # those who drew asked as well
        found = []
        for new, old in zip(source.components, checked.source.components, strict=True):
            if not _is_same(new.node, old.node):
                correction = _correction(new, old, checked, assets)
                if correction is None:
                    return None
                found.append(correction)
        for component, record in _asked(checked.register):
            component.asked |= record.asked
        if any(each.component.asked.intersection(each.values) for each in found):
            return None  # by what was worked out again
        for correction in found:
            correction.put_in()
        names = {
            (each.kind, id_)
            for each in found
            for id_ in checked.pack.copies_of(each.kind, each.component.id)
        }
        self.corrected = Corrected(checked.pack, frozenset(names))
        self._checked = replace(checked, source=source, pack=replace(checked.pack))
        return Outcome(self._checked.pack, checked.said)


class _Correction(Struct, frozen=True):
    """The values of a component that are others now, and where all of them are."""

    component: UnresolvedComponent
    node: MappingNode
    values: Mapping[str, Any]
    spans: Mapping[str, Span]

    @property
    def kind(self) -> str:
        return self.component.plan.kind.name

    def put_in(self) -> None:
        self.component.node = self.node
        self.component.record.fill(self.values, self.spans)


def _correction(
    new: ComponentSource, old: ComponentSource, checked: Checked, assets: Assets | None
) -> _Correction | None:
    """None where a rule may find otherwise now, or something was said of the file."""
    id_ = new.node.get("id")
    by_id = checked.register.by_id.get(new.kind.text, {})
    component = by_id.get(id_.text) if isinstance(id_, Scalar) else None
    if component is None or component.node is None or new.node.span != old.node.span:
        return None
    if not _is_same(component.node, old.node):  # of two with one id it is the first
        return None
    if any(found.span.file == new.node.span.file for found in checked.said):
        return None
    reading = replace(checked.reading, assets=assets, faults=[], remarks=[])
    values, spans = reading.read_fields(new.node, fields_of(component.plan))
    before, places = component.record.as_dict(), component.record.spans
    if reading.faults or reading.remarks or spans.keys() != places.keys():
        return None
    others = {
        name: value
        for name, value in values.items()
        if spans.get(name) != places.get(name) or not _is_alike(value, before[name])
    }
    further = _worked_out(component, others, checked.evaluation)
    return None if further is None else _Correction(component, new.node, further, spans)


def _worked_out(
    component: UnresolvedComponent, others: dict[str, Any], evaluation: Evaluation
) -> dict[str, Any] | None:
    """These values of a component with those that are derived of them, if that is all that they
    change: nothing else was worked out of any, each names the same components, no check fails."""
    record, plan = component.record, component.plan
    before = record.as_dict()
    anew = replace(evaluation, purse=replace(evaluation.purse), faults=[], _failures={})
    names = {**anew.names(record), **others}
    found = dict(others)
    for name, formula in plan.derived.items():
        if formula.names & found.keys():
            value = names[name] = anew.value(formula, names, component)
            if not _is_alike(value, before[name]):
                found[name] = value
    asking = {at for at, part in component.parts.items() if part.names & found.keys()}
    checks = [check for check in plan.checks if {id(check.that), id(check.each)} & asking]
    again = (*plan.derived.values(), *(part for one in checks for part in (one.that, one.each)))
    if asking.difference(map(id, again)) or component.asked.intersection(found):
        return None
    if any(_named(value) != _named(before[name]) for name, value in found.items()):
        return None
    take_checks(checks, component, names, anew)
    return None if [*anew.diagnostics()] else found


def _asked(register: Register) -> Iterator[tuple[UnresolvedComponent, AskedRecord]]:
    for component in register.all():
        if isinstance(component.record, AskedRecord):
            yield component, component.record


def _is_set_alike(one: PackSource, other: PackSource) -> bool:
    """True when all but the components is the same, and these are as many of the same kinds; of the
    packs that are required they are the same as well."""
    return (
        (one.name, one.complete) == (other.name, other.complete)
        and _are_same_files(one, other)
        and len(one.components) == len(other.components)
        and all(
            new.kind == old.kind for new, old in zip(one.components, other.components, strict=True)
        )
        and len(one.required) == len(other.required)
        and all(
            _is_set_alike(new, old)
            and all(
                _is_same(a.node, b.node)
                for a, b in zip(new.components, old.components, strict=True)
            )
            for new, old in zip(one.required, other.required, strict=True)
        )
    )


def _are_same_files(one: PackSource, other: PackSource) -> bool:
    mine, theirs = (
        (source.pack, source.styles, source.locale, *source.kinds) for source in (one, other)
    )
    return len(mine) == len(theirs) and all(map(_is, mine, theirs))


def _is(one: object, other: object) -> bool:
    return one is other


def _is_there(what: str, name: str, assets: Assets | None) -> bool:
    """True for a picture or an icon that can still be had."""
    assert assets is not None, "it was looked for"
    try:
        (assets.image if what == "image" else assets.icon)(name)
    except GridpressError:
        return False
    return True


def _is_same(one: Node, other: Node) -> bool:
    """True for nodes that are written alike, at the same place."""
    if one is other:
        return True
    if one.span != other.span:
        return False
    if isinstance(one, Scalar):
        return isinstance(other, Scalar) and _written(one) == _written(other)
    if isinstance(one, MappingNode):
        return isinstance(other, MappingNode) and _are_same(
            (part for entry in one.entries for part in entry),
            (part for entry in other.entries for part in entry),
        )
    return not isinstance(other, Scalar | MappingNode) and _are_same(one.items, other.items)


def _written(node: Scalar) -> tuple[object, ...]:
    return node.text, node.plain, node.raw, node.cut


def _are_same(some: Iterable[Node], others: Iterable[Node]) -> bool:
    some, others = tuple(some), tuple(others)
    return len(some) == len(others) and all(map(_is_same, some, others))


def _is_alike(one: Any, other: Any) -> bool:
    """True for values that nobody can tell apart, not by where they are written either."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, AskedRecord):
        return False
    if isinstance(one, SourceText):
        return (str(one), one.span, one.rich) == (str(other), other.span, other.rich)
    if isinstance(one, Record):
        told = (one.span, one.spans, tuple(one)) == (other.span, other.spans, tuple(other))
        return told and all(map(_is_alike, one.values(), other.values()))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_is_alike, one, other))
    return repr(one) == repr(other)


def _named(value: Any) -> list[int]:
    """The components that a value names, each by its identity."""
    if isinstance(value, AskedRecord):
        return [id(value)]
    if not isinstance(value, (Record, tuple)):
        return []
    inside = value.values() if isinstance(value, Record) else value
    return [name for each in inside for name in _named(each)]
