"""Kind files in, kinds with compiled rules out; `kind_links` checks how they fit together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from generator.diagnostics import Severity, Span
from generator.files import device_refused, is_device
from generator.model.catalogue import Stock
from generator.model.pack import Kind, Record, SourceText
from generator.model.source import RESERVED, Document
from generator.validate.definition_fields import KIND
from generator.validate.definition_types import Root, read_root
from generator.validate.formulas import Formula, Message
from generator.validate.reading import Reading


class CheckPlan(Struct, frozen=True):
    """A check, compiled. `each` is a list of whose entries each must pass."""

    that: Formula
    message: Message
    span: Span
    severity: Severity
    at: Message | None = None
    hint: Message | None = None
    each: Formula | None = None

    @property
    def own_names(self) -> frozenset[str]:
        """What it asks for besides the list whose entries it is about."""
        parts = (self.at, self.message, self.hint)
        written = (formula.names for part in parts if part is not None for formula in part.formulas)
        return self.that.names.union(*written)


class SetCheckPlan(Struct, frozen=True):
    """A set check, compiled. `measure` is count, sum or unique."""

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
    """How the stock of each component is worked out: the kind's own is the one that it is like,
    and the formulas for width, height, path and folds stand in for what is given there."""

    span: Span
    formulas: Mapping[str, Formula]


class TilePlan(Struct, frozen=True):
    """How a component is a tile of a track: its grid, how its face is driven as drawn, and the
    formulas of all else."""

    span: Span
    grid: str
    drawn: str
    formulas: Mapping[str, Formula]


class LayoutPlan(Struct, frozen=True):
    """How a component is a layout: the kinds of its tiles, the field that has its course, and the
    formulas of what it is to serve."""

    span: Span
    tiles: tuple[SourceText, ...]
    course: SourceText
    formulas: Mapping[str, Formula]


class KindPlan(Struct, frozen=True):
    """A kind and its compiled rules.

    A kind that is not `sound` has a fault in its file: its components' fields are read, but
    nothing is derived from them or checked. It is not `named` when nobody knows what it derives.
    """

    kind: Kind
    sound: bool
    named: bool = True
    derived: Mapping[str, Formula] = field(default_factory=dict)
    checks: tuple[CheckPlan, ...] = ()
    set_checks: tuple[SetCheckPlan, ...] = ()
    stock: StockPlan | None = None
    quantity: Formula | None = None
    quantities: Mapping[int, Formula] = field(default_factory=dict)
    where: Formula | None = None
    why: Message | None = None
    brings: Formula | None = None
    tile: TilePlan | None = None
    layout: LayoutPlan | None = None

    @property
    def parent_name(self) -> str | None:
        """The name under which a made component knows what it is made from."""
        made_from = self.kind.made_from
        return None if made_from is None else made_from.replace("-", "_")


ENTRY: Final = frozenset(("entry", "index"))
"""What a check of each entry of a list sees besides: the entry, and its number from 0."""
MEASURES: Final = ("count", "sum", "unique")
_EMPTY: Final = Record({}, Span(""))


class Kinds(Struct, frozen=True):
    """The kinds by name; `broken` are names of those whose fields could not be read.

    They are not `complete` when there may be others, in files that could not be read at all. Of
    those that are `hidden` there may be components in such files.
    `lent` are the names of those that are of a pack that this one requires.
    """

    plans: Mapping[str, KindPlan]
    broken: frozenset[str] = frozenset()
    complete: bool = True
    lent: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    def hides(self, name: str) -> bool:
        """True when a component may be missing because of a fault told already."""
        if name in self.hidden or self.excuses(name):
            return True
        made_from = self.plans[name].kind.made_from if name in self.plans else None
        return made_from is not None and self.hides(made_from)

    def excuses(self, name: str) -> bool:
        """True when a kind that is not in `plans` is so because of a fault told already."""
        return name in self.broken or not self.complete


def read_kinds(
    documents: tuple[Document, ...],
    stocks: Mapping[str, Stock],
    reading: Reading,
    complete: bool = True,
    hidden: frozenset[str] = frozenset(),
) -> Kinds:
    """Every kind that has a name, the first of each."""
    plans: dict[str, KindPlan] = {}
    broken: set[str] = set()
    for document in documents:
        before = len(reading.faults)
        root = read_root(document, KIND, reading)
        name = root["kind"] or PurePosixPath(document.file).stem
        if root.bad & {"kind", "fields"}:
            broken.add(name)
            continue
        plan = _plan(root, stocks, reading)
        if is_device(name):
            reading.faults.append(device_refused(name, plan.kind.span))
        if name in plans:
            message = f"the kind {name!r} is defined twice"
            hint = f"it is first defined at {plans[name].kind.span}"
            reading.report(plan.kind.span, "GP206", message, hint)
        else:
            plans[name] = replace(plan, sound=len(reading.faults) == before)
    return Kinds(plans, frozenset(broken), complete, hidden=hidden)


def _plan(root: Root, stocks: Mapping[str, Stock], reading: Reading) -> KindPlan:
    given = root.values
    name, span = given["kind"], given.span_of("kind")
    quantity = given["quantity"]
    kind = Kind(
        name=name,
        title=str(given["title"]) or name.replace("-", " ").capitalize(),
        span=span,
        fields=dict(given["fields"] or {}),
        faces={side: face for side, face in (given["faces"] or {}).items() if face},
        stock=_stock(root, stocks, reading),
        made_from=given["made_from"],
        each=given["each"],
        collated=given["collated"],
        description=str(given["description"]),
        is_tile=given["tile"] is not None,
        is_layout=given["layout"] is not None,
        circuit={k: v for k, v in (given["circuit"] or {}).items() if v is not None},
    )
    _check_names(given, reading)
    return KindPlan(
        kind=kind,
        sound=True,
        named="derived" not in root.bad,
        derived=given["derived"] or {},
        stock=_stock_plan(given),
        checks=tuple(map(_check, given["checks"])),
        set_checks=tuple(_set_check(check, reading) for check in given["set_checks"]),
        quantity=quantity if isinstance(quantity, Formula) else None,
        quantities=quantity if isinstance(quantity, dict) else {},
        where=given["where"],
        why=given["why"],
        brings=given["brings"],
        tile=_tile_plan(given),
        layout=_layout_plan(given),
    )


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
        hint = f"{reading.did_you_mean(name, stocks)}\ngridpress list --stocks has them all"
        reading.report(span, "GP602", message, hint.strip())
    if faces is None and "faces" not in root.bad:
        hint = "such as faces: {front: card.svg.j2}; a kind that is only data has no stock"
        reading.fault(given.span_of("stock"), "GP213", "a stock without faces", hint)
    return stocks.get(name)


def _stock_plan(given: Record) -> StockPlan | None:
    stock = given["stock"]
    if not isinstance(stock, Record):
        return None
    formulas = {name: stock[name] for name in ("width", "height", "path", "folds") if stock[name]}
    return StockPlan(given.span_of("stock"), formulas)


def _tile_plan(given: Record) -> TilePlan | None:
    tile = given["tile"]
    if tile is None:
        return None
    formulas = {name: part for name, part in tile.items() if isinstance(part, Formula)}
    return TilePlan(given.span_of("tile"), tile["grid"], tile["drawn"], formulas)


def _layout_plan(given: Record) -> LayoutPlan | None:
    layout = given["layout"]
    if layout is None:
        return None
    formulas = {name: part for name, part in layout.items() if isinstance(part, Formula)}
    kinds = tuple(layout["tiles"])
    return LayoutPlan(given.span_of("layout"), kinds, layout["course"], formulas)


def _check_names(given: Record, reading: Reading) -> None:
    """Fields and derived values share one name space with what expressions always know."""
    fields: Mapping[str, Any] = given["fields"] or {}
    derived: Mapping[str, Any] = given["derived"] or {}
    for part, names in (("fields", fields), ("derived", derived)):
        for name in names:
            if name in RESERVED:
                message = f"{part}.{name}: this name has a meaning of its own"
                span = (given[part] or _EMPTY).span_of(name)
                reading.fault(span, "GP213", message, "choose another name")
    for section, made in (("tile", "tile"), ("layout", "layout"), ("collated", "copy")):
        for part, names in (("fields", fields), ("derived", derived)):
            if given[section] and made in names:
                message = f"{part}.{made}: {section}: makes a value of that name"
                span = given[part].span_of(made)
                reading.fault(span, "GP213", message, "choose another name")
    for name in derived:
        if name in fields:
            message = f"derived.{name}: there is a field of that name"
            span = given["derived"].span_of(name)
            reading.fault(span, "GP213", message, "choose another name")


def _check(given: Record) -> CheckPlan:
    return CheckPlan(
        that=given["that"],
        message=given["message"],
        span=given.span,
        severity=Severity(given["severity"]),
        at=given["at"],
        hint=given["hint"],
        each=given["each"],
    )


def _set_check(given: Record, reading: Reading) -> SetCheckPlan:
    measures = [measure for measure in MEASURES if given[measure] is not None]
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
    return SetCheckPlan(
        measure=measure,
        span=given.span,
        severity=Severity(given["severity"]),
        of=details.get("of"),
        where=details.get("where"),
        is_=given["is"],
        min=given["min"],
        max=given["max"],
        message=given["message"],
        hint=given["hint"],
    )
