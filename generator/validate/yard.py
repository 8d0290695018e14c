"""Drafts of tiles in, what there is to lay a track of out: each tile and how it is shaped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.diagnostics import Diagnostic
from generator.tracks.records import Holding, measures_of, tile_of
from generator.validate.drafts import Draft, Register
from generator.validate.evaluation import AlreadyToldError, Evaluation
from generator.validate.places import place


@dataclass(slots=True)
class Yard:
    """The tiles of each set of kinds; they are looked at once."""

    register: Register
    evaluation: Evaluation
    _known: dict[tuple[str, ...], tuple[Holding, ...]] = field(default_factory=dict)

    def holdings(self, kinds: tuple[str, ...]) -> tuple[Holding, ...]:
        """All tiles of the kinds, in order. GP208 for two of one call.

        Raises AlreadyToldError when a fault has left something out.
        """
        if kinds not in self._known:
            self._known[kinds] = tuple(self._stocks(kinds))
        return self._known[kinds]

    def _stocks(self, kinds: tuple[str, ...]) -> Iterator[Holding]:
        calls: dict[str, Draft] = {}
        for kind in dict.fromkeys(kinds):
            if kind not in self.register.by_kind:
                raise AlreadyToldError(kind)
            for draft in self.register.by_kind[kind]:
                if not draft.usable:
                    raise AlreadyToldError(kind)
                record = draft.record["tile"]
                record["owned"]  # works it out
                tile = tile_of(record)
                first = calls.setdefault(tile.call, draft)
                if first is not draft:
                    self._twice(tile.call, first, draft)
                    raise AlreadyToldError(kind)
                yield Holding(tile, measures_of(record), record["drawn"], kind, draft.record)

    def _twice(self, call: str, first: Draft, second: Draft) -> None:
        spans = []
        for draft in (first, second):
            formula = draft.plan.tile and draft.plan.tile.formulas.get("call")
            path = formula.text if formula and formula.text.isidentifier() else "id"
            spans.append(place(draft, path))
        message = f"two tiles are called {call}, and a course could not tell them apart"
        hint = f"the first is at {spans[0]}; give them calls of their own in tile: call:"
        found = Diagnostic(spans[1], "GP208", message, hint)
        if found not in self.evaluation.faults:
            self.evaluation.faults.append(found)
