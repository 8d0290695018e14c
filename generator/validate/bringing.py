"""Drafts and what their kind says is printed along with them in; what is so brought answers, for an
order of some components only, to the id of what brings it, too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from generator.diagnostics import Diagnostic
from generator.model.values import Record
from generator.validate.drafts import Draft
from generator.validate.evaluation import Evaluation
from generator.validate.formulas import quoted
from generator.validate.types.base import INVALID


def bring(drafts: Iterable[Draft], every: Iterable[Draft], evaluation: Evaluation) -> None:
    """Note in what is brought by the drafts who brings it: among its `origins`.

    GP211 when `brings` gives something that is none of `every` component.
    """
    bringing = [draft for draft in drafts if draft.usable and draft.plan.brings is not None]
    if not bringing:
        return
    every = tuple(every)
    by_record, made = {id(draft.record): draft for draft in every}, _made(every)
    for draft in bringing:
        formula = draft.plan.brings
        assert formula is not None
        if evaluation.skips(formula):
            continue
        found = evaluation.value(formula, evaluation.names(draft.record), draft)
        for value in found if isinstance(found, tuple) else (found,):
            brought = by_record.get(id(value)) if isinstance(value, Record) else None
            if brought is not None:
                for along in _with_made(brought, made):
                    along.origins = (*along.origins, draft.id)
            elif value is not None and value is not INVALID:
                message = f"brings: {quoted(value)} of {draft.name} is not a component"
                hint = "name fields or derived values that hold components, such as [knight]"
                evaluation.faults.append(Diagnostic(formula.span, "GP211", message, hint))
                return


def _made(every: Iterable[Draft]) -> dict[int, list[Draft]]:
    """What is already made from each draft, as in a pack that the present one requires."""
    found: dict[int, list[Draft]] = defaultdict(list)
    for draft in every:
        if draft.plan.kind.made_from is not None and draft.refs:
            found[id(draft.refs[0])].append(draft)
    return found


def _with_made(draft: Draft, made: dict[int, list[Draft]]) -> Iterator[Draft]:
    yield draft
    for other in made.get(id(draft), ()):
        yield from _with_made(other, made)
