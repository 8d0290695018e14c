"""A pack as read in, the `Pack` out, with every fault of every file of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from generator.diagnostics import Diagnostic, Outcome, Severity, in_order
from generator.model.pack import Component, Kind, Pack
from generator.model.source import PackSource, words_of
from generator.model.stock import Catalogue, Stock
from generator.model.values import Items, Record
from generator.validate.checks import check_component, check_set
from generator.validate.definition_types import COMPONENT_TYPES, definition_reading
from generator.validate.expressions import Evaluation
from generator.validate.generated import derive, make_components, note_companions
from generator.validate.kind_links import link_kinds
from generator.validate.kinds import KindPlan, Kinds, read_kinds
from generator.validate.pack_file import (
    make_prints,
    make_waivers,
    pack_record,
    players_for,
    read_pack_file,
    read_styles,
)
from generator.validate.quantities import check_pieces, formula_for, quantity_of, reason
from generator.validate.reading import Assets, Reading
from generator.validate.stocks import make_stocks, stock_of
from generator.validate.tiles import TilePool, finish_tiles
from generator.validate.unresolved import Draft, Register, read_drafts


@dataclass(frozen=True, slots=True)
class Loan:
    """What a pack lends: its kinds with their rules, its components, all worked out and checked,
    and what its templates ask for. It is not `complete` when faults have left something out.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    plans: Mapping[str, KindPlan] = field(default_factory=dict)
    drafts: Mapping[str, tuple[Draft, ...]] = field(default_factory=dict)
    components: Mapping[str, tuple[Component, ...]] = field(default_factory=dict)
    stocks: Mapping[str, Stock] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True

    def but(self, own: Iterable[str]) -> Loan:
        """The loan without the kinds of these names: a pack's own go before those it is lent."""
        names = frozenset(own)
        return replace(
            self,
            kinds=_without(self.kinds, names),
            plans=_without(self.plans, names),
            drafts=_without(self.drafts, names),
            components=_without(self.components, names),
        )


def together(loans: Iterable[Loan]) -> Loan:
    """The loans as one; of two kinds, stocks or options of one name the first counts."""
    all_ = Loan()
    for loan in loans:
        more = loan.but(all_.plans)
        all_ = Loan(
            kinds={**all_.kinds, **more.kinds},
            plans={**all_.plans, **more.plans},
            drafts={**all_.drafts, **more.drafts},
            components={**all_.components, **more.components},
            stocks={**loan.stocks, **all_.stocks},
            options={**loan.options, **all_.options},
            words={**loan.words, **all_.words},
            complete=all_.complete and loan.complete,
        )
    return all_


def _without(given: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in names}


def check_pack(
    source: PackSource,
    catalogue: Catalogue,
    *,
    assets: Assets | None = None,
    players: int | None = None,
    only: str | None = None,
) -> Outcome[Pack]:
    """The pack, and all that is wrong with it; with an error it holds only what is sound.

    `assets` finds pictures and icons; without it they are not looked for. `players` is the number
    that the order is for, by default the most that can play; `only` is what it asks for by name.
    Packs that it requires are checked first, each by itself; of them errors are told.
    """
    checked = _checked(source, _Order(catalogue, assets, players, only), {})
    return Outcome(checked.pack, in_order(checked.faults))


@dataclass(frozen=True, slots=True)
class _Order:
    """What a pack is checked for, and with."""

    catalogue: Catalogue
    assets: Assets | None
    players: int | None
    only: str | None


@dataclass(frozen=True, slots=True)
class _Checked:
    pack: Pack
    loan: Loan
    faults: tuple[Diagnostic, ...]


def _checked(source: PackSource, order: _Order, known: dict[str, _Checked]) -> _Checked:
    """A pack, after those that it requires; `known` are the packs that were checked already."""
    styles = read_styles(source.styles)
    definitions = definition_reading(styles.value["colours"], order.assets)
    root = read_pack_file(source.pack, definitions)
    players = players_for(root, order.players, definitions)
    required = [
        known.get(other.name) or _checked(other, replace(order, players=players), known)
        for other in source.required
    ]
    lent = together(checked.loan for checked in required)
    own_stocks = make_stocks(root["stocks"] or {}, definitions)
    stocks = {**order.catalogue.stocks, **lent.stocks, **own_stocks}
    complete = source.complete and lent.complete and len(required) == len(root["requires"] or ())
    unlinked = read_kinds(source.kinds, stocks, definitions, complete)
    lent = lent.but(unlinked.plans)
    kinds = link_kinds(unlinked, definitions, lent.plans)
    prints = make_prints(root, kinds, order.catalogue, definitions)
    printed = dict.fromkeys(kind for print_ in prints for kind in print_.kinds)
    reading = Reading(COMPONENT_TYPES, definitions.palette, order.assets)
    register = read_drafts(source.components, kinds, reading, definitions.broken, lent.drafts)
    about = pack_record(root, lent.options)
    evaluation = Evaluation(players, about, Record({}, root.values.span), order.only)
    components = _evaluate(kinds, register, evaluation, printed)
    check_pieces((c for name in printed for c in components.get(name, ())), evaluation)
    told = {name: _told(kinds.plans[name], evaluation) for name in unlinked.plans}
    pack = Pack(
        name=source.name,
        title=str(root["title"] or source.name),
        version=str(root["version"] or ""),
        span=root.values.span,
        kinds={**told, **lent.kinds},
        components={name: components[name] for name in (*told, *lent.kinds)},
        prints=prints,
        options=evaluation.pack["options"],
        credits=tuple(map(str, root["credits"])),
        language=str(root["language"]),
        words={**lent.words, **words_of(source.locale)},
        players=players,
        styles=styles.value,
        description=str(root["description"]),
        waivers=make_waivers(root, definitions),
        requires=source.requires,
        lent={name: len(drafts) for name, drafts in lent.drafts.items()},
    )
    faults = (d for checked in required for d in checked.faults if d.severity is Severity.ERROR)
    found = (
        *dict.fromkeys(faults),  # packs that two of them require are required twice
        *styles.diagnostics,
        *definitions.faults,
        *reading.faults,
        *evaluation.diagnostics(),
    )
    for draft in register.drafts():
        draft.done = True
    loan = Loan(
        pack.kinds,
        kinds.plans,
        {name: tuple(drafts) for name, drafts in register.by_kind.items()},
        pack.components,
        {**lent.stocks, **own_stocks},
        pack.options,
        pack.words,
        complete=complete and Outcome(None, found).ok,
    )
    return known.setdefault(source.name, _Checked(pack, loan, found))


def _evaluate(
    kinds: Kinds, register: Register, evaluation: Evaluation, printed: Collection[str]
) -> dict[str, tuple[Component, ...]]:
    """Derive, make what is made from others, check; the components of each kind."""
    plain = [draft for draft in register.drafts() if not draft.done]
    for name, plan in kinds.plans.items():
        # A kind that is yet to be made is not there, rather than empty.
        if plan.kind.made_from is None or name in kinds.lent:
            _publish(name, register, evaluation)
    hidden = bool(kinds.broken) or not kinds.complete
    _recount(register, evaluation, not hidden)
    pool = TilePool(register, evaluation)
    derive(plain, pool)
    note_companions(plain, register.drafts(), evaluation)
    for name, plan in kinds.plans.items():
        if plan.kind.made_from in register.by_kind:
            _recount(register, evaluation)
            made = make_components(plan, list(_parents(name, kinds, register)), evaluation)
            register.by_kind[name] += made
            derive(made, pool)
            note_companions(made, register.drafts(), evaluation)
            _publish(name, register, evaluation)
    _recount(register, evaluation)
    for draft in register.drafts():
        if draft.usable and not draft.done:
            check_component(draft, evaluation)
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


def _parents(name: str, kinds: Kinds, register: Register) -> Iterator[Draft]:
    """Those of which a component is yet to be made: of a kind that is lent, it was already made
    of what was there, and what is made of it now is of its own pack's parents."""
    made_from = kinds.plans[name].kind.made_from or ""
    for parent in register.by_kind[made_from]:
        if name not in kinds.lent or (made_from in kinds.lent and not parent.done):
            yield parent


def _told(plan: KindPlan, evaluation: Evaluation) -> Kind:
    """The kind, knowing why so many of it are printed."""
    return replace(plan.kind, why=reason(plan, evaluation))


def _publish(name: str, register: Register, evaluation: Evaluation) -> None:
    """Let expressions see a kind's components."""
    records = Items(draft.record for draft in register.by_kind[name])
    evaluation.components.fill({name.replace("-", "_"): records})


def _recount(register: Register, evaluation: Evaluation, before: bool | None = None) -> None:
    before = evaluation.complete if before is None else before
    evaluation.complete = before and all(d.usable for d in register.drafts())


def _check_sets(kinds: Kinds, register: Register, evaluation: Evaluation) -> None:
    whole: dict[str | None, bool] = {None: kinds.complete}
    for name, plan in kinds.plans.items():
        drafts = register.by_kind[name]
        usable = [draft for draft in drafts if draft.usable]
        whole[name] = whole.get(plan.kind.made_from, False) and len(usable) == len(drafts)
        if plan.sound and name not in kinds.lent:
            check_set(plan.set_checks, usable, whole[name], evaluation)


def _counted(plan: KindPlan, drafts: list[Draft], evaluation: Evaluation) -> Iterator[Component]:
    """The usable drafts as components, each with its quantity."""
    formula = formula_for(plan, evaluation) if plan.sound else None
    for draft in drafts:
        if draft.usable:
            copies = quantity_of(draft, formula, evaluation) or 0
            yield _component(draft, copies, stock_of(draft, evaluation))


def _uncounted(drafts: list[Draft]) -> Iterator[Component]:
    """The drafts as components of which none is printed."""
    for draft in drafts:
        if draft.usable:
            yield _component(draft, 0, draft.plan.kind.stock)


def _component(draft: Draft, copies: int, stock: Stock | None) -> Component:
    kind = draft.plan.kind.name
    return Component(draft.id, kind, draft.record, copies, draft.span, draft.origins, stock)
