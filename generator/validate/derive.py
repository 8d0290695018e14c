"""Drafts in, their derived values filled in: `tile`, `layout`, then those that their kind derives.

Values are worked out on demand: an expression that reads a derived value through a reference
has it worked out first. References may run in circles; derived values that need each other may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from generator.validate.drafts import Draft
from generator.validate.evaluation import AlreadyToldError, Evaluation
from generator.validate.formulas import Formula
from generator.validate.layouts import layout_of
from generator.validate.tiles import tile_of
from generator.validate.types.base import INVALID
from generator.validate.yard import Yard

_Step = Callable[[Mapping[str, Any]], Any]


class CircleError(Exception):
    """A derived value that is needed to work itself out."""


def derive(drafts: Iterable[Draft], yard: Yard) -> None:
    """Fill in the derived values of all usable drafts; a draft whose formula fails is not."""
    usable = [draft for draft in drafts if draft.usable and _steps(draft, yard)]
    derivations = [_Derivation(draft, yard) for draft in _referred_first(usable)]
    for derivation in derivations:
        derivation.run_to(None)
    for draft in usable:
        draft.record.defer(None)


def _steps(draft: Draft, yard: Yard) -> dict[str, _Step]:
    """How each value is worked out from the names known by then, in their order."""
    plan, evaluation = draft.plan, yard.evaluation
    steps: dict[str, _Step] = {}
    if plan.tile is not None:
        steps["tile"] = lambda names: tile_of(draft, names, evaluation)
    if plan.layout is not None:
        steps["layout"] = lambda names: layout_of(draft, names, yard)
    for name, formula in plan.derived.items():
        steps[name] = _formula_step(formula, draft, evaluation)
    return steps


def _formula_step(formula: Formula, draft: Draft, evaluation: Evaluation) -> _Step:
    def work_out(names: Mapping[str, Any]) -> Any:
        if evaluation.skips(formula):
            return INVALID
        return evaluation.value(formula, names, draft)

    return work_out


class _Derivation:
    """The derived values of one draft: which are still to come."""

    def __init__(self, draft: Draft, yard: Yard) -> None:
        self.draft = draft
        self.waiting = _steps(draft, yard)
        self.known = frozenset(self.waiting)
        self.names = yard.evaluation.names(draft.record)
        self.running = ""
        draft.record.defer(self.demand)

    def demand(self, name: str) -> None:
        """Work out a derived value that somebody asks for."""
        if name not in self.known:
            return
        if self.running:
            raise CircleError(f"{self.running} of {self.draft.name} needs its own {name}: a circle")
        self.run_to(name)
        if name not in self.names:
            raise AlreadyToldError(name)

    def run_to(self, last: str | None) -> None:
        """Work out the values in their order, up to the one named."""
        while self.waiting and self.draft.usable and (last is None or last in self.waiting):
            name = next(iter(self.waiting))
            work_out = self.waiting.pop(name)
            self.running = name
            try:
                value = work_out(self.names)
            except CircleError:
                # Told of where the circle was entered.
                self.draft.usable = False
                raise
            finally:
                self.running = ""
            if value is INVALID:
                self.draft.usable = False
                return
            self.names[name] = value
            self.draft.record.fill({name: value})


def _referred_first(drafts: list[Draft]) -> Iterator[Draft]:
    """The drafts, each after those it refers to as far as circles allow.

    A long chain of references would otherwise be followed by as many calls inside each other.
    """
    wanted = set(map(id, drafts))
    seen: set[int] = set()
    for draft in drafts:
        stack = [(draft, iter(draft.refs))]
        while stack:
            current, refs = stack[-1]
            if id(current) not in seen:
                seen.add(id(current))
            inner = next((ref for ref in refs if id(ref) not in seen), None)
            if inner is not None:
                stack.append((inner, iter(inner.refs)))
                continue
            stack.pop()
            if id(current) in wanted:
                wanted.discard(id(current))
                yield current
