"""Drafts in, their derived values filled in.

Values are worked out on demand: an expression that reads a derived value through a reference
has it worked out first. References may run in circles; derived values that need each other may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.validate.drafts import Draft
from generator.validate.evaluation import AlreadyToldError, Evaluation
from generator.validate.types.base import INVALID


class CircleError(Exception):
    """A derived value that is needed to work itself out."""


def derive(drafts: Iterable[Draft], evaluation: Evaluation) -> None:
    """Fill in the derived values of all usable drafts; a draft whose formula fails is not."""
    usable = [draft for draft in drafts if draft.usable and draft.plan.derived]
    derivations = [_Derivation(draft, evaluation) for draft in _referred_first(usable)]
    for derivation in derivations:
        derivation.run_to(None)
    for draft in usable:
        draft.record.defer(None)


class _Derivation:
    """The derived values of one draft: which are still to come."""

    def __init__(self, draft: Draft, evaluation: Evaluation) -> None:
        self.draft = draft
        self.evaluation = evaluation
        self.waiting = dict(draft.plan.derived)
        self.names = evaluation.names(draft.record)
        self.running = ""
        draft.record.defer(self.demand)

    def demand(self, name: str) -> None:
        """Work out a derived value that somebody asks for."""
        if name not in self.draft.plan.derived:
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
            formula = self.waiting.pop(name)
            if self.evaluation.skips(formula):
                self.draft.usable = False
                return
            self.running = name
            value = self.evaluation.value(formula, self.names, self.draft)
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
