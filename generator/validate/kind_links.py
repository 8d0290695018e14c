"""Kinds as read in, what does not fit between them out: references, tracks, names in formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import Span
from generator.model.pack import Field, Kind
from generator.validate.formulas import Formula, Message
from generator.validate.kinds import ENTRY, KindPlan, Kinds, LayoutPlan
from generator.validate.reading import Reading

# What every expression sees beside the component's own values.
COMMON: Final = frozenset(("players", "only", "pack", "components", "stocks"))


def link_kinds(own: Kinds, reading: Reading, lent: Mapping[str, KindPlan] | None = None) -> Kinds:
    """The kinds, those that do not fit together no longer sound; parents before what they make.

    `lent` are those of required packs, already linked; they come with the own ones.
    """
    borrowed = lent or {}
    kinds = replace(own, plans={**borrowed, **own.plans}, lent=frozenset(borrowed))
    plans: dict[str, KindPlan] = dict(borrowed)
    for name, plan in own.plans.items():
        before = len(reading.faults)
        _check_refs(plan, kinds, reading)
        _check_unique(plan, reading)
        _check_made_from(plan, kinds, reading)
        check_track(plan, kinds, reading)
        if len(reading.faults) == before:
            _check_names(plan, kinds.plans, reading)
        plans[name] = replace(plan, sound=plan.sound and len(reading.faults) == before)
    return replace(kinds, plans=_parents_first(plans, reading))


def _check_refs(plan: KindPlan, kinds: Kinds, reading: Reading) -> None:
    for path, field in _all_fields(plan.kind.fields):
        if field.type != "ref" or field.kind is None:
            continue
        span = getattr(field.kind, "span", field.span)
        if field.kind not in kinds.plans:
            if kinds.excuses(field.kind):
                continue
            hint = reading.did_you_mean(field.kind, kinds.plans)
            message = f"fields.{path}: there is no kind {str(field.kind)!r}"
            reading.report(span, "GP212", message, hint)
        elif kinds.plans[field.kind].kind.made_from is not None:
            parent = kinds.plans[field.kind].kind.made_from
            message = f"fields.{path}: {field.kind} is made from {parent} and cannot be referred to"
            reading.fault(span, "GP213", message, f"refer to the {parent} itself")


def _check_unique(plan: KindPlan, reading: Reading) -> None:
    for path, field in _all_fields(plan.kind.fields):
        if field.unique and "." in path:
            message = f"fields.{path}: only a kind's own fields can be unique"
            hint = "check it with set_checks: or checks:"
            reading.fault(field.span, "GP213", message, hint)


def _all_fields(fields: Mapping[str, Field], prefix: str = "") -> Iterator[tuple[str, Field]]:
    for name, field in fields.items():
        path = f"{prefix}{name}"
        yield path, field
        inner = {} if field.of is None else {"of": field.of}
        yield from _all_fields({**field.fields, **inner}, f"{path}.")


def _check_made_from(plan: KindPlan, kinds: Kinds, reading: Reading) -> None:
    kind = plan.kind
    if kind.made_from is None:
        for name, given in (("each", kind.each), ("where", plan.where)):
            if given:
                span = getattr(kind.each, "span", kind.span)
                hint = "made_from: names the kind that the components are made from"
                reading.fault(span, "GP213", f"{name} without made_from", hint)
        return
    span = getattr(kind.made_from, "span", kind.span)
    if kind.made_from not in kinds.plans:
        if kinds.excuses(kind.made_from):
            return
        hint = reading.did_you_mean(kind.made_from, kinds.plans)
        message = f"made_from: there is no kind {str(kind.made_from)!r}"
        reading.report(span, "GP212", message, hint)
        return
    for name, field in kind.fields.items():
        hint = f"give the entries of the {kind.made_from} this field, or derive it"
        message = f"fields.{name}: a kind made from another has no fields of its own"
        reading.fault(field.span, "GP213", message, hint)
    if kind.each is not None:
        _check_each(kind.each, kinds.plans[kind.made_from], plan, reading)


def _check_each(each: str, parent: KindPlan, plan: KindPlan, reading: Reading) -> None:
    span = getattr(each, "span", plan.kind.span)
    if each in parent.derived:
        return
    field = parent.kind.fields.get(each)
    if field is None:
        known = (*parent.kind.fields, *parent.derived)
        message = f"each: {parent.kind.name} has no list {str(each)!r}"
        reading.fault(span, "GP213", message, reading.did_you_mean(each, known))
    elif field.type not in ("list", "table", "node"):
        message = f"each: {parent.kind.name}.{each} is {field.type}, not a list or table"
        reading.fault(span, "GP213", message, "without each there is one component for each parent")
    elif plan.parent_name in (entry_names(parent, each) or ()):
        message = f"each: an entry's own {plan.parent_name!r} hides the {parent.kind.name}"
        reading.fault(span, "GP213", message, "choose another name for it in the entries")


def entry_names(parent: KindPlan, each: str) -> tuple[str, ...] | None:
    """The names of an entry's values; None where only the values themselves will tell."""
    field = parent.kind.fields.get(each)
    if field is None or field.type == "node":
        return None
    if field.type == "table":
        return tuple(field.fields)
    of = field.of
    if of is None or of.type != "map":
        return ("value",)
    return tuple(of.fields) if of.of is None else None


def own_names(plan: KindPlan, plans: Mapping[str, KindPlan]) -> frozenset[str] | None:
    """The names of a component's values before any is derived; None where they vary."""
    kind = plan.kind
    if kind.made_from is None:
        return frozenset(("id", *kind.fields))
    made = frozenset(("id", "index", plan.parent_name or ""))
    if kind.each is None:
        return made
    entries = entry_names(plans[kind.made_from], kind.each)
    return None if entries is None else made | frozenset(entries)


def _check_names(plan: KindPlan, plans: Mapping[str, KindPlan], reading: Reading) -> None:
    """Every name that an expression asks for must be known where it stands."""
    for check in plan.set_checks:
        _check_parts((check.is_, check.min, check.max), COMMON, reading)
        _check_parts((check.message, check.hint), COMMON | {"value"}, reading)
    _check_parts((plan.why,), COMMON, reading)
    if plan.kind.made_from is not None and plan.kind.made_from not in plans:
        return
    known = own_names(plan, plans)
    if known is not None and plan.named:
        _check_own(plan, known | COMMON | reading.broken, reading)


def _check_own(plan: KindPlan, known: frozenset[str], reading: Reading) -> None:
    _check_parts((plan.where,), known, reading)
    if plan.tile is not None:
        owned = plan.tile.formulas.get("owned")
        first = [part for part in plan.tile.formulas.values() if part is not owned]
        _check_parts(first, known - {"components"}, reading)
        _check_parts((owned,), known | {"tile"} | plan.derived.keys(), reading)
        known |= {"tile"}
    if plan.layout is not None:
        _check_parts(plan.layout.formulas.values(), known, reading)
        known |= {"layout"}
    for name, formula in plan.derived.items():
        later = name in formula.names or any(n in plan.derived for n in formula.names - known)
        _check_parts((formula,), known, reading, "it is derived later" if later else "")
        known |= {name}
    sizes = () if plan.stock is None else plan.stock.formulas.values()
    _check_parts(sizes, known, reading)
    _check_parts((plan.quantity, *plan.quantities.values(), plan.brings), known, reading)
    for check in plan.checks:
        _check_parts((check.each,), known, reading)
        seen = known if check.each is None else known | ENTRY
        _check_parts((check.that, check.message, check.at, check.hint), seen, reading)
        if check.at is not None:
            _check_at(check.at, known - COMMON, reading)
    for set_check in plan.set_checks:
        _check_parts((set_check.of, set_check.where), known, reading)


def _check_at(at: Message, known: frozenset[str], reading: Reading) -> None:
    if not at.parts or not isinstance(at.parts[0], str):
        return
    name = at.parts[0].replace("[", ".").partition(".")[0]
    if name not in known:
        message = f"at: there is no field {name!r}"
        reading.fault(at.span, "GP213", message, reading.did_you_mean(name, known))


def _check_parts(
    parts: Iterable[Formula | Message | None],
    known: frozenset[str],
    reading: Reading,
    hint: str = "",
) -> None:
    for part in parts:
        if part is None:
            continue
        for formula in part.formulas if isinstance(part, Message) else (part,):
            for name in sorted(formula.names - known):
                message = f"in {formula.text!r}: {name!r} is not known here"
                reading.report(
                    formula.span, "GP211", message, hint or reading.did_you_mean(name, known)
                )


def _parents_first(plans: dict[str, KindPlan], reading: Reading) -> dict[str, KindPlan]:
    """The plans in an order in which each comes after what it is made from."""
    ordered: dict[str, KindPlan] = {}
    waiting = dict(plans)
    while waiting:
        ready = [
            name
            for name, plan in waiting.items()
            if plan.kind.made_from is None or plan.kind.made_from not in waiting
        ]
        if not ready:
            for plan in waiting.values():
                _report_circle(plan.kind, reading)
            return ordered | {name: replace(plan, sound=False) for name, plan in waiting.items()}
        ordered |= {name: waiting.pop(name) for name in ready}
    return ordered


def _report_circle(kind: Kind, reading: Reading) -> None:
    span: Span = getattr(kind.made_from, "span", kind.span)
    message = f"made_from: {kind.name} is, in the end, made from itself"
    reading.fault(span, "GP213", message, "one of the kinds needs components of its own")


def check_track(plan: KindPlan, kinds: Kinds, reading: Reading) -> None:
    """GP212 and GP213 for sections `tile` and `layout` that name what is not there."""
    for name, section in (("tile", plan.tile), ("layout", plan.layout)):
        if section is not None and plan.kind.made_from is not None:
            message = f"{name}: a kind made from another has no {name}s of its own"
            reading.fault(section.span, "GP213", message, f"give it to the {plan.kind.made_from}")
    if plan.layout is not None:
        _check_course(plan.layout, plan, reading)
        _check_tiles(plan.layout, kinds, reading)


def _check_course(layout: LayoutPlan, plan: KindPlan, reading: Reading) -> None:
    field = plan.kind.fields.get(layout.course)
    if field is None:
        message = f"layout.course: there is no field {str(layout.course)!r}"
        hint = reading.did_you_mean(layout.course, plan.kind.fields) or "add a field of type course"
        reading.fault(layout.course.span, "GP213", message, hint)
    elif field.type not in ("course", "node"):
        message = f"layout.course: {layout.course} is a field of type {field.type}"
        reading.fault(layout.course.span, "GP213", message, f"make it {layout.course}: "
                      "{type: course}")  # fmt: skip


def _check_tiles(layout: LayoutPlan, kinds: Kinds, reading: Reading) -> None:
    grid = ""
    for name in layout.tiles:
        plan = kinds.plans.get(name)
        if plan is None and kinds.excuses(name):
            continue
        if plan is None:
            message = f"layout.tiles: there is no kind {str(name)!r}"
            reading.report(name.span, "GP212", message, reading.did_you_mean(name, kinds.plans))
        elif plan.tile is None and not plan.sound:
            continue  # its own section may be what is wrong with it
        elif plan.tile is None:
            message = f"layout.tiles: {name} is no kind of tiles"
            reading.fault(name.span, "GP213", message, f"give the kind {name} a section tile:")
        elif grid and plan.tile.grid != grid:
            message = f"layout.tiles: {name} is {plan.tile.grid}, but the kind before is {grid}"
            reading.fault(name.span, "GP213", message, "tiles of two grids do not fit together")
        else:
            grid = plan.tile.grid
