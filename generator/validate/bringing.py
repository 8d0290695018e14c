"""Drafts and what their kind says is printed along with them in; what is so brought answers, for an
order of some components only, to the id of what brings it, too."""

from __future__ import annotations

from collections.abc import Iterable

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
    by_record = {id(draft.record): draft for draft in every}
    for draft in bringing:
        formula = draft.plan.brings
        assert formula is not None
        if evaluation.skips(formula):
            continue
        found = evaluation.value(formula, evaluation.names(draft.record), draft)
        for value in found if isinstance(found, tuple) else (found,):
            brought = by_record.get(id(value)) if isinstance(value, Record) else None
            if brought is not None:
                brought.origins = (*brought.origins, draft.id)
            elif value is not None and value is not INVALID:
                message = f"brings: {quoted(value)} of {draft.name} is not a component"
                hint = "name fields or derived values that hold components, such as [knight]"
                evaluation.faults.append(Diagnostic(formula.span, "GP211", message, hint))
                return
