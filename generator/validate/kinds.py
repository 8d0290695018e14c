"""Read kind files into kinds with compiled rules, and check that they fit together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator.cache import Same
from generator.diagnostics import Severity, Span
from generator.files import device_refused, is_device
from generator.geometry import format_mm
from generator.model.catalogue import Stock
from generator.model.pack import Field, Kind
from generator.model.source import RESERVED, Document
from generator.model.values import Record, SourceText
from generator.validate.definition_files import KIND, Root, read_root
from generator.validate.reading import Formula, Message, Reading, struct_of


class CheckPlan(Struct, frozen=True):
    """A compiled check; with `each`, every entry of that list must pass."""

    that: Formula
    message: Message
    span: Span
    severity: Severity
    at: Message | None = None
    hint: Message | None = None
    each: Formula | None = None

    @property
    def names(self) -> frozenset[str]:
        """Return the names of values that it uses."""
        parts = (self.that, self.message, self.at, self.hint, self.each)
        return frozenset[str]().union(*(part.names for part in parts if part is not None))


class SetCheckPlan(Struct, frozen=True):
    """A compiled set check. `measure` is count, sum or unique."""

    measure: str
    span: Span
    severity: Severity
    of: Formula | None = None
    where: Formula | None = None
    is_: Formula | None = None
    min: Formula | None = None
    max: Formula | None = None
    message: Message | None = None
    hint: Message | None = None


class StockPlan(Struct, frozen=True):
    """Formulas for the width, height, path and folds of each component's stock. The rest is as in
    the kind's stock."""

    span: Span
    formulas: Mapping[str, Formula]


class TilePlan(Struct, frozen=True):
    """A tile's grid, the direction of travel on its face, and the formulas for the rest."""

    span: Span
    grid: str
    drawn: str
    formulas: Mapping[str, Formula]


class LayoutPlan(Struct, frozen=True):
    """The kinds of a layout's tiles, its course's field, and formulas for its requirements."""

    span: Span
    tiles: tuple[SourceText, ...]
    course: SourceText
    formulas: Mapping[str, Formula]


class KindPlan(Struct, frozen=True):
    """A kind and its compiled rules.

    After a fault in its file it is not `sound`: its components are read, but nothing is derived or
    checked. It is not `named` if its derived values are unknown.
    """

    kind: Kind
    sound: bool
    named: bool = True
    derived: Mapping[str, Formula] = msgspec.field(default_factory=dict)
    checks: tuple[CheckPlan, ...] = ()
    set_checks: tuple[SetCheckPlan, ...] = ()
    stock: StockPlan | None = None
    quantity: Formula | None = None
    quantities: Mapping[int, Formula] = msgspec.field(default_factory=dict)
    where: Formula | None = None
    why: Message | None = None
    brings: Formula | None = None
    tile: TilePlan | None = None
    layout: LayoutPlan | None = None

    @property
    def parent_name(self) -> str | None:
        """Return the name under which a made component knows its parent."""
        made_from = self.kind.made_from
        return None if made_from is None else made_from.replace("-", "_")

    @property
    def wide_checks(self) -> tuple[CheckPlan, ...]:
        """Return the checks that may depend on all other components."""
        return tuple(check for check in self.checks if "components" in check.names)

    @property
    def sees_components(self) -> bool:
        """Return True if values of a component may depend on all others."""
        parts = [self.where, *self.derived.values()]
        if self.tile is not None:
            parts += self.tile.formulas.values()
            if "owned" not in self.tile.formulas:
                parts += [self.quantity, *self.quantities.values()]
        if self.layout is not None:
            parts += self.layout.formulas.values()
        return any(part is not None and "components" in part.names for part in parts)


ENTRY: Final = frozenset(("entry", "index"))
"""Names that a check of each entry sees as well: the entry, and its number from 0."""
_MEASURES: Final = ("count", "sum", "unique")
_EMPTY: Final = Record({}, Span(""))


class Kinds(Struct, frozen=True):
    """The kinds by name. `broken` are names of kinds whose fields could not be read, `lent` those
    of kinds from required packs. They are not `complete` if a file could not be read, since it may
    have more kinds and components."""

    plans: Mapping[str, KindPlan]
    broken: frozenset[str] = frozenset()
    complete: bool = True
    lent: frozenset[str] = frozenset()

    def hides(self, name: str) -> bool:
        """Return True if a kind, or components of it, may be missing because of a fault."""
        if name in self.broken or not self.complete:
            return True
        made_from = self.plans[name].kind.made_from if name in self.plans else None
        return made_from is not None and self.hides(made_from)


def read_kinds(
    documents: tuple[Document, ...],
    stocks: Mapping[str, Stock],
    reading: Reading,
    complete: bool = True,
) -> Kinds:
    """Return every kind that has a name; the first of two with the same name."""
    plans: dict[str, KindPlan] = {}
    broken: set[str] = set()
    faulty = frozenset(reading.broken)
    for document in documents:
        make = partial(_read_kind, document, stocks, reading, faulty)
        made_from = Same(document), stocks, reading.palette, tuple(reading.types), sorted(faulty)
        read = reading.cache.latest(make, (read_kinds, document.file), *made_from)
        if not reading.sees_assets_as(read.reading):
            read = make()
        reading.join(read.reading)
        name, plan = read.name, read.plan
        if plan is None:
            broken.add(name)
        elif name in plans:
            message = f"the kind {name!r} is defined twice"
            hint = f"it is first defined at {plans[name].kind.span}"
            reading.report(plan.kind.span, "GP206", message, hint)
        else:
            plans[name] = plan
    return Kinds(plans, frozenset(broken), complete)


class _ReadKind(NamedTuple):
    """A kind, None if it has no sound name or fields, and what was found in its file."""

    name: str
    plan: KindPlan | None
    reading: Reading


def _read_kind(
    document: Document, stocks: Mapping[str, Stock], around: Reading, faulty: frozenset[str]
) -> _ReadKind:
    """Read a kind; nobody misses the stocks among the `faulty` names, which are reported."""
    reading = around.apart()
    reading.broken |= faulty
    root = read_root(document, KIND, reading)
    name = root["kind"] or PurePosixPath(document.file).stem
    if root.bad & {"kind", "fields"}:
        return _ReadKind(name, None, reading)
    plan = _plan(root, stocks, reading)
    if is_device(name):
        reading.faults.append(device_refused(name, plan.kind.span))
    return _ReadKind(name, replace(plan, sound=not reading.faults), reading)


def _plan(root: Root, stocks: Mapping[str, Stock], reading: Reading) -> KindPlan:
    given = root.values
    name, span = given["kind"], given.span_of("kind")
    quantity = given["quantity"]
    kind = Kind(
        name=name,
        title=str(given["title"]) or name.replace("-", " ").capitalize(),
        span=span,
        fields={
            name: _as_draft(field) if given["draft"] else field
            for name, field in (given["fields"] or {}).items()
        },
        faces={side: face for side, face in (given["faces"] or {}).items() if face},
        stock=_stock(root, stocks, reading),
        made_from=given["made_from"],
        each=given["each"],
        collated=given["collated"],
        draft=given["draft"],
        mirrors=given["bleed"] == "mirror",
        description=str(given["description"]),
        is_tile=given["tile"] is not None,
        is_layout=given["layout"] is not None,
        circuit={k: v for k, v in (given["circuit"] or {}).items() if v is not None},
    )
    _check_reserved(given, reading)
    return KindPlan(
        kind=kind,
        sound=True,
        named="derived" not in root.bad,
        derived=given["derived"] or {},
        stock=_stock_plan(given),
        checks=tuple(
            struct_of(CheckPlan, check, span=check.span, severity=Severity(check["severity"]))
            for check in given["checks"]
        ),
        set_checks=tuple(_set_check(check, reading) for check in given["set_checks"]),
        quantity=quantity if isinstance(quantity, Formula) else None,
        quantities=quantity if isinstance(quantity, dict) else {},
        where=given["where"],
        why=given["why"],
        brings=given["brings"],
        tile=_tile_plan(given),
        layout=_layout_plan(given),
    )


def _as_draft(field: Field) -> Field:
    """Return a field whose pictures and icons may be missing."""
    of = None if field.of is None else _as_draft(field.of)
    fields = {name: _as_draft(inner) for name, inner in field.fields.items()}
    return replace(field, draft=True, of=of, fields=fields)


_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:mm)?\s*[x×]\s*(\d+(?:\.\d+)?)\s*(?:mm)?")
_NEAR: Final = 1.0
"""mm between a size and a stock that was probably meant."""


def _of_size(name: str, stocks: Mapping[str, Stock]) -> str:
    """Return a hint that names the stocks of a size such as 63x88; empty for any other name."""
    found = _SIZE.fullmatch(name.strip().lower())
    if found is None:
        return ""
    sides = sorted(map(float, found.groups()))
    near = {
        one.name: one.trim
        for one in stocks.values()
        if all(
            abs(a - b) <= _NEAR
            for a, b in zip(sorted((one.trim.width, one.trim.height)), sides, strict=True)
        )
    }
    listed = (
        f"{name} ({format_mm(s.width)} × {format_mm(s.height)} mm)" for name, s in near.items()
    )
    return f"write the name of a stock: {', '.join(listed)}" if near else ""


def _stock(root: Root, stocks: Mapping[str, Stock], reading: Reading) -> Stock | None:
    given = root.values
    faces = given["faces"]
    name, part, place = given["stock"], "stock", given
    if isinstance(name, Record):
        name, part, place = name["like"], "stock.like", name
    span = place.span_of(part.rpartition(".")[2])
    if name is None:
        if faces is not None and "stock" not in root.bad:
            hint = "name the stock that the faces are printed on, such as stock: poker"
            message = "faces without a stock"
            reading.fault(given.span_of("faces"), "GP213", message, hint)
        return None
    if name not in stocks and name not in reading.broken:
        message = f"{part}: there is no stock {str(name)!r}"
        hint = _of_size(str(name), stocks) or reading.did_you_mean(name, stocks)
        hint += "\ngridpress list --stocks has them all"
        reading.report(span, "GP602", message, hint.strip())
    if faces is None and "faces" not in root.bad:
        hint = "such as faces: {front: card.svg.j2}; a kind that is only data has no stock"
        reading.fault(given.span_of("stock"), "GP213", "a stock without faces", hint)
    return stocks.get(name)


def _formulas(section: Record) -> Mapping[str, Formula]:
    return {name: part for name, part in section.items() if isinstance(part, Formula)}


def _stock_plan(given: Record) -> StockPlan | None:
    stock, span = given["stock"], given.span_of("stock")
    return StockPlan(span, _formulas(stock)) if isinstance(stock, Record) else None


def _tile_plan(given: Record) -> TilePlan | None:
    tile, span = given["tile"], given.span_of("tile")
    return tile and TilePlan(span, tile["grid"], tile["drawn"], _formulas(tile))


def _layout_plan(given: Record) -> LayoutPlan | None:
    layout, span = given["layout"], given.span_of("layout")
    return layout and LayoutPlan(span, tuple(layout["tiles"]), layout["course"], _formulas(layout))


def _check_reserved(given: Record, reading: Reading) -> None:
    """Report fields and derived values with reserved names, or the same name."""
    taken = dict.fromkeys(RESERVED, "this name has another meaning already")
    for section, value in (("tile", "tile"), ("layout", "layout"), ("collated", "copy")):
        if given[section]:
            taken[value] = f"{section}: makes a value of that name"
    fields, derived = given["fields"] or _EMPTY, given["derived"] or _EMPTY
    twice = dict.fromkeys(fields, "there is a field of that name")
    for part, names, reasons in (("fields", fields, taken), ("derived", derived, twice | taken)):
        for name in names:
            if name in reasons:
                message = f"{part}.{name}: {reasons[name]}"
                reading.fault(names.span_of(name), "GP213", message, "choose another name")


def _set_check(given: Record, reading: Reading) -> SetCheckPlan:
    measures = [measure for measure in _MEASURES if given[measure] is not None]
    if len(measures) != 1:
        hint = "such as - {count: {where: label == 'A'}, is: 32}"
        message = "a set check has one of count, sum and unique"
        reading.fault(given.span, "GP213", message, hint)
    measure = measures[0] if measures else "unique"
    limits = [given[limit] for limit in ("is", "min", "max") if given[limit] is not None]
    if measures and bool(limits) != (measure != "unique"):
        message = f"{measure}: " + ("it has no limits" if limits else "is, min or max is missing")
        reading.fault(given.span, "GP213", message, "a count or sum is compared with is, min, max")
    details: Record = given[measure] or _EMPTY
    severity = Severity(given["severity"])
    return struct_of(
        SetCheckPlan,
        given.with_values(details),
        measure=measure,
        span=given.span,
        severity=severity,
        is_=given["is"],
    )


# Names that every expression sees besides the component's own values.
_COMMON: Final = frozenset(("players", "only", "pack", "components", "stocks"))


def link_kinds(own: Kinds, reading: Reading, lent: Mapping[str, KindPlan] | None = None) -> Kinds:
    """Return the kinds, parents before what is made from them; those that do not fit together are
    not sound. `lent` are the linked kinds of required packs."""
    borrowed = lent or {}
    kinds = replace(own, plans={**borrowed, **own.plans}, lent=frozenset(borrowed))
    plans: dict[str, KindPlan] = dict(borrowed)
    for name, plan in own.plans.items():
        before = len(reading.faults)
        _check_refs(plan, kinds, reading)
        _check_unique(plan, reading)
        _check_made_from(plan, kinds, reading)
        _check_track(plan, kinds, reading)
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
            if kinds.hides(field.kind):
                continue
            said = f"fields.{path}: there is no kind"
            reading.unknown(said, field.kind, kinds.plans, span, "GP212")
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
        if kinds.hides(kind.made_from):
            return
        reading.unknown("made_from: there is no kind", kind.made_from, kinds.plans, span, "GP212")
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
        reading.unknown(f"each: {parent.kind.name} has no list", each, known, span)
    elif field.type not in ("list", "table", "node"):
        message = f"each: {parent.kind.name}.{each} is {field.type}, not a list or table"
        reading.fault(span, "GP213", message, "without each there is one component for each parent")
    elif plan.parent_name in (_entry_names(parent, each) or ()):
        message = f"each: an entry's own {plan.parent_name!r} hides the {parent.kind.name}"
        reading.fault(span, "GP213", message, "choose another name for it in the entries")


def _entry_names(parent: KindPlan, each: str) -> tuple[str, ...] | None:
    """Return the names of an entry's values, None if only the values tell."""
    field = parent.kind.fields.get(each)
    if field is None or field.type == "node":
        return None
    if field.type == "table":
        return tuple(field.fields)
    of = field.of
    if of is None or of.type != "map":
        return ("value",)
    return tuple(of.fields) if of.of is None else None


def _own_names(plan: KindPlan, plans: Mapping[str, KindPlan]) -> frozenset[str] | None:
    """Return the names of a component's values before any is derived, None if they vary."""
    kind = plan.kind
    if kind.made_from is None:
        return frozenset(("id", *kind.fields))
    made = frozenset(("id", "index", plan.parent_name or ""))
    if kind.each is None:
        return made
    entries = _entry_names(plans[kind.made_from], kind.each)
    return None if entries is None else made | frozenset(entries)


def _check_names(plan: KindPlan, plans: Mapping[str, KindPlan], reading: Reading) -> None:
    """Report names in expressions that are unknown where they are used."""
    for check in plan.set_checks:
        _check_parts((check.is_, check.min, check.max), _COMMON, reading)
        _check_parts((check.message, check.hint), _COMMON | {"value"}, reading)
    _check_parts((plan.why,), _COMMON, reading)
    if plan.kind.made_from is not None and plan.kind.made_from not in plans:
        return
    known = _own_names(plan, plans)
    if known is not None and plan.named:
        _check_own(plan, known | _COMMON | reading.broken, reading)


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
            _check_at(check.at, known - _COMMON, reading)
    for set_check in plan.set_checks:
        _check_parts((set_check.of, set_check.where), known, reading)


def _check_at(at: Message, known: frozenset[str], reading: Reading) -> None:
    if not at.parts or not isinstance(at.parts[0], str):
        return
    name = at.parts[0].replace("[", ".").partition(".")[0]
    if name not in known:
        reading.unknown("at: there is no field", name, known, at.span)


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
    """Order the plans so that each follows its parent."""
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


def _check_track(plan: KindPlan, kinds: Kinds, reading: Reading) -> None:
    """Check that sections `tile` and `layout` name what exists (GP212, GP213)."""
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
        said, fields = "layout.course: there is no field", plan.kind.fields
        hint = "add a field of type course"
        reading.unknown(said, layout.course, fields, layout.course.span, otherwise=hint)
    elif field.type not in ("course", "node"):
        message = f"layout.course: {layout.course} is a field of type {field.type}"
        reading.fault(layout.course.span, "GP213", message, f"make it {layout.course}: "
                      "{type: course}")  # fmt: skip


def _check_tiles(layout: LayoutPlan, kinds: Kinds, reading: Reading) -> None:
    grid = ""
    for name in layout.tiles:
        plan = kinds.plans.get(name)
        if plan is None and kinds.hides(name):
            continue
        if plan is None:
            said = "layout.tiles: there is no kind"
            reading.unknown(said, name, kinds.plans, name.span, "GP212")
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
