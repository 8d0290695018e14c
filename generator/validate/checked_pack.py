"""Makes the `Pack` of a pack as read, and tells every fault of every file of it; long, since other
words are put into a pack that was checked by the same steps, where no rule comes to another end.

What is worked out or checked asks for values of components: for those of another one it asks the
record, which notes it (`AskedRecord`), for those of its own a formula says itself what it asks for.
So a pack in which nothing is another but values that nobody asked for is right as it was. Where
derived values and checks of the same component ask for them, these are worked out again. Whatever
else was edited, the whole pack is checked again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Outcome,
    Severity,
    Span,
    in_order,
    warning,
)
from generator.model.catalogue import Catalogue, Shop, Stock
from generator.model.pack import (
    AskedRecord,
    Component,
    Corrected,
    Items,
    Kind,
    Pack,
    Record,
    SourceText,
    words_in,
)
from generator.model.source import ComponentSource, Document, Node, PackSource, Scalar, words_of
from generator.model.source import Mapping as MappingNode
from generator.validate.catalogue_files import make_stocks, make_wishes, stock_of
from generator.validate.definition_files import COMPONENT_TYPES, definition_reading
from generator.validate.field_types import FIELD_TYPES
from generator.validate.kind_rules import (
    CHECK,
    check_component,
    check_set,
    derive,
    make_components,
    note_companions,
    seldom_meant,
    take_checks,
)
from generator.validate.kinds import KindPlan, Kinds, link_kinds, read_kinds
from generator.validate.pack_file import (
    check_by_guests,
    find_guests,
    guest_types,
    make_prints,
    make_waivers,
    pack_record,
    players_for,
    read_pack_file,
    read_styles,
    waivers_for,
)
from generator.validate.reading import Assets, Evaluation, Reading
from generator.validate.stand_ins import VERSIONS, with_stand_ins, without_faults
from generator.validate.track_values import TilePool, finish_tiles
from generator.validate.unresolved import (
    Register,
    UnresolvedComponent,
    check_pieces,
    fields_of,
    formula_for,
    quantity_of,
    read_unresolved,
    reason,
)


class PackExports(Struct, frozen=True):
    """What a pack lends to those that require it: its kinds with their rules, its components, all
    worked out and checked, and what its templates ask for. It is not `complete` when faults have
    left something out.
    """

    plans: Mapping[str, KindPlan] = field(default_factory=dict)
    unresolved: Mapping[str, tuple[UnresolvedComponent, ...]] = field(default_factory=dict)
    stocks: Mapping[str, Stock] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True

    def but(self, own: Container[str]) -> PackExports:
        """The exports without the kinds of these names: a pack's own go before those it is lent."""
        return replace(
            self,
            plans={name: plan for name, plan in self.plans.items() if name not in own},
            unresolved={name: each for name, each in self.unresolved.items() if name not in own},
        )


def merged_exports(exported: Iterable[PackExports]) -> PackExports:
    """The exports of several packs as one; of two kinds, stocks or options of one name the first
    counts."""
    all_ = PackExports()
    for exports in exported:
        more = exports.but(all_.plans)
        all_ = PackExports(
            plans={**all_.plans, **more.plans},
            unresolved={**all_.unresolved, **more.unresolved},
            stocks={**exports.stocks, **all_.stocks},
            options={**exports.options, **all_.options},
            words={**exports.words, **all_.words},
            complete=all_.complete and exports.complete,
        )
    return all_


def check_pack(
    source: PackSource,
    catalogue: Catalogue,
    *,
    shops: Mapping[str, Shop] | None = None,
    assets: Assets | None = None,
    players: int | None = None,
    only: str | None = None,
    standing: StandingPack | None = None,
    required: dict[str, CheckedPack] | None = None,
    cache: Cache = NOTHING_KEPT,
    hidden: bool = True,
) -> Outcome[Pack]:
    """The pack, and all that is wrong with it; with an error it holds only what is sound.

    `shops` are those that `outlets:` may name, and `assets` finds pictures and icons; without them
    these are not looked for. `players` is the number
    that the order is for, by default the most that can play; `only` is what it asks for by name.
    Packs that it requires are checked first, each by itself; of them errors are told. What is
    `standing` of an earlier look need not be checked again; nor are packs that are `required` by it
    when they were checked for the same order: those that are now are put there. Unless `hidden`,
    an error ends the check: errors that it may hide are not looked for.
    """
    standing = standing or StandingPack()
    asked_for = catalogue, shops, players, only
    order = _CheckOrder(catalogue, shops, assets, players, only, cache)
    known = {} if required is None else required
    checked = standing.correct(source, asked_for, assets)
    if checked is None:
        found = _checked(source, order, known)
        read_with = found.register, found.reading, found.evaluation
        standing.keep(Checked(source, asked_for, found.pack, found.faults, *read_with))
        checked = Outcome(found.pack, found.faults)
    faults = checked.diagnostics
    if checked.ok:
        faults += tuple(check_by_guests(checked.value))
        faults += tuple(seldom_meant(checked.value, catalogue.stocks, complete=not only))
    elif hidden:
        faults += tuple(_hidden(source, checked, order, known))
    return Outcome(checked.value, in_order(faults))


class _CheckOrder(Struct, frozen=True):
    """What a pack is checked for, and with; `seen_assets` are what it and all that it requires
    have asked for."""

    catalogue: Catalogue
    shops: Mapping[str, Shop] | None
    assets: Assets | None
    players: int | None
    only: str | None
    cache: Cache
    seen_assets: dict[tuple[str, str], Diagnostic | None] = field(default_factory=dict)


_NAMES: Final = ("GP211", "GP212", "GP309", "GP403", "GP603", "GP604", "GP711")
"""Of names that stand for nothing."""


def _hidden(
    source: PackSource, first: Outcome[Pack], order: _CheckOrder, known: dict[str, CheckedPack]
) -> Iterator[Diagnostic]:
    """What is named that there is not, and what the checks of kinds find, once the faults are
    mended that were found `first`: what does not hang on what stands there instead."""
    told = {d.span for d in first.diagnostics if d.severity is Severity.ERROR}
    unread = [d for d in first.diagnostics if d.code != CHECK]

    def found(mended: PackSource) -> dict[tuple[Span, str], Diagnostic]:
        faults = _checked(mended, order, dict(known)).faults
        return {(d.span, d.message): d for d in faults if d.span not in told and d.span.column}

    # Here no value of a component is made up, so that of what is worked out nothing is, either.
    # Where all definitions are sound, this would be the first check again.
    while (sound := without_faults(source, unread)) != source:
        named = [d for d in found(sound).values() if d.code in _NAMES]
        if not named:
            break
        yield from named
        told.update(d.span for d in named)
        unread += named
    versions = (
        found(with_stand_ins(sound, first.value.kinds, unread, version))
        for version in range(VERSIONS)
    )
    hidden = {
        at: d for at, d in next(versions).items() if d.code == CHECK and d not in first.diagnostics
    }
    while hidden and (again := next(versions, None)) is not None:
        hidden = {at: d for at, d in hidden.items() if at in again}
    yield from hidden.values()


class CheckedPack(Struct, frozen=True):
    """A pack that was checked, with what those that require it ask for."""

    pack: Pack
    exports: PackExports
    faults: tuple[Diagnostic, ...]
    register: Register
    reading: Reading
    evaluation: Evaluation


def _checked(source: PackSource, order: _CheckOrder, known: dict[str, CheckedPack]) -> CheckedPack:
    """A pack, after those that it requires; `known` are the packs that were checked already."""
    # Of a file that could not be read nobody knows what it lacks: its place is nowhere.
    place = Span(source.pack.file) if source.complete else Span("")
    styles = read_styles(source.styles, place)
    definitions = definition_reading(styles.value["colours"], order.assets)
    definitions.seen_assets = order.seen_assets
    definitions.cache = order.cache
    root = read_pack_file(source.pack, definitions)
    asked = find_guests(root["guests"], definitions)
    players = players_for(root, order.players, definitions)
    required = [
        known.get(other.name) or _checked(other, replace(order, players=players, shops=None), known)
        for other in source.required
    ]
    if players is None:  # who makes pieces for another game is as many as that is for
        players = next((c.pack.players for c in required if c.pack.players is not None), None)
    guests = dict.fromkeys((*asked, *(name for other in required for name in other.pack.guests)))
    of_guests = guest_types(guests, FIELD_TYPES)
    definitions.types = {**definitions.types, **of_guests}
    lent = merged_exports(checked.exports for checked in required)
    own_stocks = make_stocks(root["stocks"] or {}, definitions)
    stocks = {**order.catalogue.stocks, **lent.stocks, **own_stocks}
    whole = lent.complete and len(required) == len(root["requires"] or ())
    complete = source.complete and whole
    hidden = frozenset[str]() if source.complete else source.hidden
    all_kinds = whole and hidden is not None
    unlinked = read_kinds(source.kinds, stocks, definitions, all_kinds, hidden or frozenset())
    lent = lent.but(unlinked.plans)
    kinds = link_kinds(unlinked, definitions, lent.plans)
    prints = make_prints(root, kinds, order.catalogue, definitions)
    printed = dict.fromkeys(kind for print_ in prints for kind in print_.kinds)
    types = {**COMPONENT_TYPES, **of_guests}
    reading = Reading(types, definitions.palette, order.assets, seen_assets=order.seen_assets)
    register = read_unresolved(
        source.components, kinds, reading, definitions.broken, lent.unresolved
    )
    about = pack_record(root, lent.options)
    evaluation = Evaluation(
        players, about, Record({}, root.values.span), _asked(register, order.only)
    )
    evaluation.stocks = _sizes(kinds, root.values.span)
    components = _evaluate(kinds, register, evaluation, printed)
    check_pieces((c for name in printed for c in components.get(name, ())), evaluation)
    told = {name: _told(kinds.plans[name], evaluation) for name in unlinked.plans}
    lent_kinds = {
        name: _told(plan, evaluation) if name in printed else plan.kind
        for name, plan in lent.plans.items()
    }
    waivers = make_waivers(root, definitions)
    if complete and not definitions.faults:
        waivers = tuple(waivers_for(components, waivers, definitions))
    pack = Pack(
        name=source.name,
        title=str(root["title"] or source.name),
        version=str(root["version"] or ""),
        span=root.values.span,
        kinds=told | lent_kinds,
        components={name: components[name] for name in (*told, *lent.plans)},
        prints=prints,
        options=evaluation.pack["options"],
        credits=tuple(map(str, root["credits"])),
        licence=str(root["licence"]),
        language=_language(source.locale) or str(root["language"]),
        words={**lent.words, **words_of(source.locale)},
        players=players,
        styles=styles.value,
        description=str(root["description"]),
        waivers=waivers,
        outlets=make_wishes(root, kinds, order.shops, definitions),
        requires=source.requires,
        guests=tuple(guests),
        lent={name: len(unresolved) for name, unresolved in lent.unresolved.items()},
        sketches=tuple(_sketches(register)),
    )
    faults = (d for checked in required for d in checked.faults if d.severity is Severity.ERROR)
    found = (
        *dict.fromkeys(faults),  # packs that two of them require are required twice
        *styles.diagnostics,
        *definitions.found,
        *reading.found,
        *_drafts(reading, source.name),
        *evaluation.diagnostics(),
    )
    for component in register.all():
        component.done = True
    exports = PackExports(
        {name: replace(kinds.plans[name], kind=kind) for name, kind in pack.kinds.items()},
        {name: tuple(unresolved) for name, unresolved in register.by_kind.items()},
        {**lent.stocks, **own_stocks},
        pack.options,
        pack.words,
        complete=complete and Outcome(None, found).ok,
    )
    known[source.name] = CheckedPack(pack, exports, found, register, reading, evaluation)
    return known[source.name]


_NAMED: Final = 8


def _drafts(reading: Reading, pack: str) -> Iterator[Diagnostic]:
    """GP501, GP502: the pictures and icons of drafts that are missing, all in one warning each."""
    ways = (
        ("image", "GP501", "placeholders are printed for missing pictures", "", f"cards/{pack}"),
        ("icon", "GP502", "printed as words, as there are no such icons", ".svg",
         f"templates/{pack}/icons"),
    )  # fmt: skip
    for what, code, message, suffix, folder in ways:
        found = {name: place for (sort, name), place in reading.drafts.items() if sort == what}
        if found:
            names = [name if what == "image" else f"{{{name}}}" for name in found]
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            listed = f"{', '.join(names[:_NAMED])}{more}"
            hint = f"put {next(iter(found))}{suffix} into {folder}"
            yield warning(next(iter(found.values())), code, f"{message}: {listed}", hint)


def _sizes(kinds: Kinds, where: Span) -> Record:
    """The width and height of what each kind is printed on, as templates know it."""
    trims = {n.replace("-", "_"): p.kind.stock.trim for n, p in kinds.plans.items() if p.kind.stock}
    sizes = {name: Record({"w": t.width, "h": t.height}, where) for name, t in trims.items()}
    return Record(sizes, where)


def _evaluate(
    kinds: Kinds, register: Register, evaluation: Evaluation, printed: Collection[str]
) -> dict[str, tuple[Component, ...]]:
    """Derive, make what is made from others, check; the components of each kind."""
    plain = [component for component in register.all() if not component.done]
    for name, plan in kinds.plans.items():
        # A kind that is yet to be made is not there, rather than empty.
        if plan.kind.made_from is None or name in kinds.lent:
            _publish(name, register, evaluation)
    hidden = bool(kinds.broken) or not kinds.complete or bool(kinds.hidden)
    _recount(register, evaluation, not hidden)
    pool = TilePool(register, evaluation)
    derive(plain, pool)
    note_companions(plain, register.all(), evaluation)
    for name, plan in kinds.plans.items():
        if plan.kind.made_from in register.by_kind:
            _recount(register, evaluation)
            made = make_components(plan, list(_parents(name, kinds, register)), evaluation)
            register.by_kind[name] += made
            derive(made, pool)
            note_companions(made, register.all(), evaluation)
            _publish(name, register, evaluation)
    _recount(register, evaluation)
    for component in register.all():
        if component.usable and not component.done:
            check_component(component, evaluation)
    finish_tiles([d for d in plain if d.usable and d.plan.tile is not None], evaluation)
    _check_sets(kinds, register, evaluation)
    return {
        name: tuple(
            _counted(plan, register.by_kind[name], evaluation)
            if name in printed or name not in kinds.lent
            else _uncounted(register.by_kind[name])
        )
        for name, plan in kinds.plans.items()
    }


def _parents(name: str, kinds: Kinds, register: Register) -> Iterator[UnresolvedComponent]:
    """Those of which a component is yet to be made: of a kind that is lent, it was already made
    of what was there, and what is made of it now is of its own pack's parents."""
    made_from = kinds.plans[name].kind.made_from or ""
    for parent in register.by_kind[made_from]:
        if name not in kinds.lent or (made_from in kinds.lent and not parent.done):
            yield parent


_TAG: Final = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*")


def _language(locale: Document | None) -> str:
    """The language that a locale is called by; nothing where it is another setting."""
    name = PurePath(locale.file).stem if locale else ""
    return name.replace("_", "-") if _TAG.fullmatch(name) else ""


def _asked(register: Register, only: str | None) -> str | None:
    """What expressions know of what is asked for: the ids of what is called by kind/id or name."""
    called = [component.called for component in register.all()] if only else []

    def as_id(word: str) -> str:
        return next((one.id for one in called if one.fits(word)), word)

    words = (word if {"*", "?"} & {*word} else as_id(word) for word in words_in(only))
    return ", ".join(words) or None


def _told(plan: KindPlan, evaluation: Evaluation) -> Kind:
    """The kind, knowing why so many of it are printed."""
    return replace(plan.kind, why=reason(plan, evaluation))


def _publish(name: str, register: Register, evaluation: Evaluation) -> None:
    """Let expressions see a kind's components."""
    records = Items(component.record for component in register.by_kind[name])
    evaluation.components.fill({name.replace("-", "_"): records})


def _recount(register: Register, evaluation: Evaluation, before: bool | None = None) -> None:
    before = evaluation.complete if before is None else before
    evaluation.complete = before and all(d.usable and not d.unsure for d in register.all())


def _check_sets(kinds: Kinds, register: Register, evaluation: Evaluation) -> None:
    whole: dict[str | None, bool] = {None: kinds.complete and not kinds.hidden}
    for name, plan in kinds.plans.items():
        unresolved = register.by_kind[name]
        usable = [component for component in unresolved if component.usable]
        whole[name] = whole.get(plan.kind.made_from, False) and len(usable) == len(unresolved)
        if plan.sound and name not in kinds.lent:
            check_set(plan.set_checks, usable, whole[name], evaluation)


def _counted(
    plan: KindPlan, unresolved: list[UnresolvedComponent], evaluation: Evaluation
) -> Iterator[Component]:
    """Those that are usable, each with its quantity."""
    formula = formula_for(plan, evaluation) if plan.sound else None
    for component in unresolved:
        if component.usable:
            copies = quantity_of(component, formula, evaluation) or 0
            yield _component(component, copies, stock_of(component, evaluation))


def _sketches(register: Register) -> Iterator[Component]:
    """The tracks that cannot be laid, each with what can be shown of it."""
    for component in register.all():
        if component.sketch is not None and not component.done:
            found = _component(component, 0, None)
            yield replace(found, values=found.values.with_values({"layout": component.sketch}))


def _uncounted(unresolved: list[UnresolvedComponent]) -> Iterator[Component]:
    """The components, of which none is printed."""
    for component in unresolved:
        if component.usable:
            yield _component(component, 0, component.plan.kind.stock)


def _component(component: UnresolvedComponent, copies: int, stock: Stock | None) -> Component:
    kind = component.plan.kind.name
    return Component(
        component.id, kind, component.record, copies, component.span, component.origins, stock
    )


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
        for component, record in _asking(checked.register):
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
        for _, record in _asking(checked.register):
            record.asked.clear()  # those who drew asked as well
        found = []
        for new, old in zip(source.components, checked.source.components, strict=True):
            if not _is_same(new.node, old.node):
                correction = _correction(new, old, checked, assets)
                if correction is None:
                    return None
                found.append(correction)
        for component, record in _asking(checked.register):
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
    reading = replace(checked.reading, assets=assets, faults=[], remarks=[], drafts={})
    values, spans = reading.read_fields(new.node, fields_of(component.plan))
    before, places = component.record.as_dict(), component.record.spans
    if reading.faults or reading.remarks or reading.drafts or spans.keys() != places.keys():
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


def _asking(register: Register) -> Iterator[tuple[UnresolvedComponent, AskedRecord]]:
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
    return node.text, node.plain, node.raw, node.cut, node.cell


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
