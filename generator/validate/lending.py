"""Packs that were checked in, what they lend to one that requires them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from generator.model.pack import Component, Kind
from generator.model.stock import Stock
from generator.validate.drafts import Draft
from generator.validate.plans import KindPlan


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
