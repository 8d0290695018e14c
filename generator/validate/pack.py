"""A pack as read in, the `Pack` out, with every fault of every file of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generator.diagnostics import Outcome, in_order
from generator.model.pack import Component, Kind, Pack
from generator.model.source import PackSource
from generator.model.stock import Catalogue
from generator.model.values import Items, Record
from generator.validate.catalogue import make_stocks
from generator.validate.checks import check_component
from generator.validate.definition_types import COMPONENT_TYPES
from generator.validate.derive import derive
from generator.validate.drafts import Draft, Register, read_drafts
from generator.validate.evaluation import Evaluation
from generator.validate.kinds import Kinds, read_kinds
from generator.validate.links import link_kinds
from generator.validate.made import make
from generator.validate.packfile import (
    make_prints,
    make_waivers,
    pack_record,
    players_for,
    read_pack_file,
    read_words,
)
from generator.validate.plans import KindPlan
from generator.validate.quantities import formula_for, quantity_of
from generator.validate.reasons import reason
from generator.validate.roots import definition_reading
from generator.validate.set_checks import check_set
from generator.validate.styles import read_styles
from generator.validate.types.base import Assets, Reading


def check_pack(
    source: PackSource,
    catalogue: Catalogue,
    *,
    assets: Assets | None = None,
    players: int | None = None,
) -> Outcome[Pack]:
    """The pack, and all that is wrong with it; with an error it holds only what is sound.

    `assets` finds pictures and icons; without it they are not looked for. `players` is the number
    that the order is for, by default the most that can play.
    """
    styles = read_styles(source.styles)
    definitions = definition_reading(styles.value["colours"], assets)
    root = read_pack_file(source.pack, definitions)
    stocks = {**catalogue.stocks, **make_stocks(root["stocks"] or {}, definitions)}
    unlinked = read_kinds(source.kinds, stocks, definitions, source.complete)
    kinds = link_kinds(unlinked, definitions)
    prints = make_prints(root, kinds, catalogue, definitions)
    players = players_for(root, players, definitions)
    reading = Reading(COMPONENT_TYPES, definitions.palette, assets)
    register = read_drafts(source.components, kinds, reading, definitions.broken)
    evaluation = Evaluation(players, pack_record(root), Record({}, root.values.span))
    components = _evaluate(kinds, register, evaluation)
    pack = Pack(
        name=source.name,
        title=str(root["title"] or source.name),
        version=str(root["version"] or ""),
        span=root.values.span,
        kinds={name: _told(kinds.plans[name], evaluation) for name in unlinked.plans},
        components={name: components[name] for name in unlinked.plans},
        prints=prints,
        options=evaluation.pack["options"],
        credits=tuple(map(str, root["credits"])),
        language=str(root["language"]),
        words=read_words(source.locale),
        players=players,
        styles=styles.value,
        description=str(root["description"]),
        waivers=make_waivers(root, definitions),
    )
    found = (
        *styles.diagnostics,
        *definitions.faults,
        *reading.faults,
        *evaluation.diagnostics(),
    )
    return Outcome(pack, in_order(found))


def _evaluate(
    kinds: Kinds, register: Register, evaluation: Evaluation
) -> dict[str, tuple[Component, ...]]:
    """Derive, make what is made from others, check; the components of each kind."""
    plain = list(register.drafts())
    for name, plan in kinds.plans.items():
        # A kind that is yet to be made is not there, rather than empty.
        if plan.kind.made_from is None:
            _publish(name, register, evaluation)
    hidden = bool(kinds.broken) or not kinds.complete
    evaluation.complete = not hidden and all(draft.usable for draft in plain)
    derive(plain, evaluation)
    for name, plan in kinds.plans.items():
        if plan.kind.made_from in register.by_kind:
            _recount(register, evaluation)
            made = make(plan, register.by_kind[plan.kind.made_from], evaluation)
            register.by_kind[name] = made
            derive(made, evaluation)
            _publish(name, register, evaluation)
    _recount(register, evaluation)
    for draft in register.drafts():
        if draft.usable:
            check_component(draft, evaluation)
    _check_sets(kinds, register, evaluation)
    return {
        name: tuple(_counted(plan, register.by_kind[name], evaluation))
        for name, plan in kinds.plans.items()
    }


def _told(plan: KindPlan, evaluation: Evaluation) -> Kind:
    """The kind, knowing why so many of it are printed."""
    return replace(plan.kind, why=reason(plan, evaluation))


def _publish(name: str, register: Register, evaluation: Evaluation) -> None:
    """Let expressions see a kind's components."""
    records = Items(draft.record for draft in register.by_kind[name])
    evaluation.components.fill({name.replace("-", "_"): records})


def _recount(register: Register, evaluation: Evaluation) -> None:
    evaluation.complete = evaluation.complete and all(d.usable for d in register.drafts())


def _check_sets(kinds: Kinds, register: Register, evaluation: Evaluation) -> None:
    whole: dict[str | None, bool] = {None: kinds.complete}
    for name, plan in kinds.plans.items():
        drafts = register.by_kind[name]
        usable = [draft for draft in drafts if draft.usable]
        whole[name] = whole.get(plan.kind.made_from, False) and len(usable) == len(drafts)
        if plan.sound:
            check_set(plan.set_checks, usable, whole[name], evaluation)


def _counted(plan: KindPlan, drafts: list[Draft], evaluation: Evaluation) -> Iterator[Component]:
    """The usable drafts as components, each with its quantity."""
    formula = formula_for(plan, evaluation) if plan.sound else None
    for draft in drafts:
        if draft.usable:
            copies = quantity_of(draft, formula, evaluation)
            yield Component(
                draft.id, plan.kind.name, draft.record, copies, draft.span, draft.origins
            )
