"""Build the `Pack` from its files, with every finding in every file."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from generator.cache import NOTHING_KEPT, Cache, Same
from generator.diagnostics import (
    Diagnostic,
    Outcome,
    Severity,
    Span,
    in_order,
    warning,
)
from generator.model.catalogue import Catalogue, Shop, Stock
from generator.model.pack import Component, Kind, Pack, words_in
from generator.model.source import Document, PackSource, words_of
from generator.model.values import Items, Record
from generator.validate.catalogue_files import make_stocks, make_wishes, stock_of
from generator.validate.components import (
    Register,
    UnresolvedComponent,
    check_pieces,
    formula_for,
    quantity_of,
    read_components,
    reason,
)
from generator.validate.definition_files import COMPONENT_TYPES, definition_reading
from generator.validate.face_files import check_faces, read_face_files
from generator.validate.field_types import FIELD_TYPES
from generator.validate.kept_components import LastCheck
from generator.validate.kind_rules import (
    check_component,
    check_set,
    derive,
    make_components,
    note_companions,
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
from generator.validate.slips import seldom_meant
from generator.validate.track_values import TilePool, finish_tiles


class PackExports(Struct, frozen=True):
    """The kinds, components and settings that a pack lends to those that require it. They are not
    `complete` if a fault left something out."""

    plans: Mapping[str, KindPlan] = field(default_factory=dict)
    unresolved: Mapping[str, tuple[UnresolvedComponent, ...]] = field(default_factory=dict)
    stocks: Mapping[str, Stock] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True

    def but(self, own: Container[str]) -> PackExports:
        """Return the exports without these kinds: a pack's own replace them."""
        return replace(
            self,
            plans={name: plan for name, plan in self.plans.items() if name not in own},
            unresolved={name: each for name, each in self.unresolved.items() if name not in own},
        )


def merged_exports(exported: Iterable[PackExports]) -> PackExports:
    """Merge exports; of two kinds, stocks or options with one name the first counts."""
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
    cache: Cache = NOTHING_KEPT,
) -> Outcome[Pack]:
    """Return the pack with all findings. With an error it holds only the sound parts.

    Without `shops` and `assets`, names of outlets, pictures and icons are not checked. `players` is
    the number to print for, by default the most that can play; `only` is the value of `--only`.
    Required packs are checked first, and their errors are included.
    """
    order = _CheckOrder(catalogue, shops, assets, players, only, cache)
    checked = _checked(source, order, {})
    found = checked.faults
    if Outcome(None, found).ok:
        found += tuple(check_by_guests(checked.pack))
        found += tuple(seldom_meant(checked.pack, catalogue.stocks, complete=not only))
    return Outcome(checked.pack, in_order(found))


class _CheckOrder(Struct, frozen=True):
    """The order that a pack is checked for. `seen_assets` are shared with the packs it requires."""

    catalogue: Catalogue
    shops: Mapping[str, Shop] | None
    assets: Assets | None
    players: int | None
    only: str | None
    cache: Cache
    seen_assets: dict[tuple[str, str], Diagnostic | None] = field(default_factory=dict)


class CheckedPack(Struct, frozen=True):
    """A checked pack, with its exports."""

    pack: Pack
    exports: PackExports
    faults: tuple[Diagnostic, ...]


def _checked(source: PackSource, order: _CheckOrder, known: dict[str, CheckedPack]) -> CheckedPack:
    """Check a pack after those it requires; `known` are the packs already checked."""
    # In an incomplete pack styles.yaml may exist: findings on missing styles have no place.
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
    unlinked = read_kinds(source.kinds, stocks, definitions, complete)
    face_files = read_face_files(source.face_files, definitions)
    if source.complete:
        own = (plan.kind for plan in unlinked.plans.values())
        check_faces(own, source.face_files, face_files, stocks, definitions)
    lent = lent.but(unlinked.plans)
    kinds = link_kinds(unlinked, definitions, lent.plans)
    prints = make_prints(root, kinds, order.catalogue, definitions)
    printed = dict.fromkeys(kind for print_ in prints for kind in print_.kinds)
    reading = Reading(
        {**COMPONENT_TYPES, **of_guests},
        definitions.palette,
        order.assets,
        seen_assets=order.seen_assets,
    )
    last = _last_check(source, players, order)
    kept = last.kept(source.components, lent.unresolved, reading)
    register = read_components(
        source.components, kinds, reading, definitions.broken, lent.unresolved, kept
    )
    about = pack_record(root, lent.options)
    evaluation = Evaluation(
        players,
        about,
        Record({}, root.values.span),
        _asked(register, order.only),
        stocks=_sizes(kinds, root.values.span),
        cache=order.cache,
    )
    components = _evaluate(kinds, register, evaluation, printed)
    check_pieces((c for name in printed for c in components.get(name, ())), evaluation)
    own_kinds = {name: _with_reason(kinds.plans[name], evaluation) for name in unlinked.plans}
    lent_kinds = {
        name: _with_reason(plan, evaluation) if name in printed else plan.kind
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
        kinds=own_kinds | lent_kinds,
        components={name: components[name] for name in (*own_kinds, *lent.plans)},
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
        face_files=face_files,
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
    last.note(register, reading)
    exports = PackExports(
        {name: replace(kinds.plans[name], kind=kind) for name, kind in pack.kinds.items()},
        {name: tuple(unresolved) for name, unresolved in register.by_kind.items()},
        {**lent.stocks, **own_stocks},
        pack.options,
        pack.words,
        complete=complete and Outcome(None, found).ok,
    )
    known[source.name] = CheckedPack(pack, exports, found)
    return known[source.name]


def _last_check(source: PackSource, players: int | None, order: _CheckOrder) -> LastCheck:
    """Return the last check with the same definitions, or an empty one."""
    if order.only:  # which expressions see, with ids for names
        return LastCheck()
    packs = (source, *source.lenders)
    around = [(one.pack, one.kinds, one.styles, one.locale, one.complete) for one in packs]
    name = (LastCheck, source.name)
    return order.cache.latest(LastCheck, name, Same(order.catalogue), players, around)


_NAMED: Final = 8


def _drafts(reading: Reading, pack: str) -> Iterator[Diagnostic]:
    """Yield one warning each for all missing pictures (GP501) and icons (GP502) of drafts."""
    ways = (
        ("image", "GP501", "placeholders are printed for missing pictures", "", f"cards/{pack}"),
        ("icon", "GP502", "printed as words, because there are no such icons", ".svg",
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
    """Return the width and height of each kind's stock, as templates see them."""
    trims = {n.replace("-", "_"): p.kind.stock.trim for n, p in kinds.plans.items() if p.kind.stock}
    sizes = {name: Record({"w": t.width, "h": t.height}, where) for name, t in trims.items()}
    return Record(sizes, where)


def _evaluate(
    kinds: Kinds, register: Register, evaluation: Evaluation, printed: Collection[str]
) -> dict[str, tuple[Component, ...]]:
    """Derive values, make components from others, and check; return the components of each kind."""
    plain = [component for component in register.all() if not component.done]
    for name, plan in kinds.plans.items():
        # A kind that is made later is missing, not empty.
        if plan.kind.made_from is None or name in kinds.lent:
            _publish(name, register, evaluation)
    _recount(register, evaluation, kinds.complete and not kinds.broken)
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
    for name, plan in kinds.plans.items():
        wide = plan.wide_checks
        for component in (one for one in register.by_kind[name] if not one.done):
            is_partly = component.wrong is not None and all(ref.usable for ref in component.refs)
            if component.usable or (is_partly and plan.sound):
                check_component(component, wide if component.kept else plan.checks, evaluation)
    new = (component for component in plain if component.usable and not component.kept)
    finish_tiles([component for component in new if component.plan.tile is not None], evaluation)
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
    """Yield the parents that still need made components. A lent kind was already made from lent
    parents."""
    made_from = kinds.plans[name].kind.made_from or ""
    for parent in register.by_kind[made_from]:
        if name not in kinds.lent or (made_from in kinds.lent and not parent.done):
            yield parent


_TAG: Final = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*")


def _language(locale: Document | None) -> str:
    """Return the language that a locale is named after, "" for another setting."""
    name = PurePath(locale.file).stem if locale else ""
    return name.replace("_", "-") if _TAG.fullmatch(name) else ""


def _asked(register: Register, only: str | None) -> str | None:
    """Return `--only` as expressions see it, with ids in place of kind/id and names."""
    called = [component.called for component in register.all()] if only else []

    def as_id(word: str) -> str:
        return next((one.id for one in called if one.fits(word)), word)

    words = (word if {"*", "?"} & {*word} else as_id(word) for word in words_in(only))
    return ", ".join(words) or None


def _with_reason(plan: KindPlan, evaluation: Evaluation) -> Kind:
    """Return the kind with the reason for its quantity."""
    return replace(plan.kind, why=reason(plan, evaluation))


def _publish(name: str, register: Register, evaluation: Evaluation) -> None:
    """Let expressions see a kind's components."""
    records = Items(component.record for component in register.by_kind[name])
    evaluation.components.fill({name.replace("-", "_"): records})


def _recount(register: Register, evaluation: Evaluation, before: bool | None = None) -> None:
    before = evaluation.complete if before is None else before
    evaluation.complete = before and all(d.usable for d in register.all())


def _check_sets(kinds: Kinds, register: Register, evaluation: Evaluation) -> None:
    whole: dict[str | None, bool] = {None: kinds.complete}
    for name, plan in kinds.plans.items():
        unresolved = register.by_kind[name]
        usable = [component for component in unresolved if component.usable]
        whole[name] = whole.get(plan.kind.made_from, False) and len(usable) == len(unresolved)
        if plan.sound and name not in kinds.lent:
            check_set(plan.set_checks, usable, whole[name], evaluation)


def _counted(
    plan: KindPlan, unresolved: list[UnresolvedComponent], evaluation: Evaluation
) -> Iterator[Component]:
    """Yield usable components with their quantities."""
    formula = formula_for(plan, evaluation) if plan.sound else None
    for component in unresolved:
        if component.usable:
            copies = quantity_of(component, formula, evaluation) or 0
            yield _component(component, copies, stock_of(component, evaluation))


def _uncounted(unresolved: list[UnresolvedComponent]) -> Iterator[Component]:
    """Yield components without copies."""
    for component in unresolved:
        if component.usable:
            yield _component(component, 0, component.plan.kind.stock)


def _component(component: UnresolvedComponent, copies: int, stock: Stock | None) -> Component:
    kind = component.plan.kind.name
    return Component(
        component.id, kind, component.record, copies, component.span, component.origins, stock
    )
