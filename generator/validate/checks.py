"""Components and their kind's checks in, findings out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.diagnostics import Diagnostic
from generator.validate.drafts import Draft
from generator.validate.evaluation import Evaluation
from generator.validate.formulas import Formula, Message
from generator.validate.places import place
from generator.validate.plans import CheckPlan
from generator.validate.types.base import INVALID


def check_component(draft: Draft, evaluation: Evaluation) -> None:
    """Every check of the kind on one component: GP209 for each that does not hold."""
    checks = draft.plan.checks
    if not checks:
        return
    names = evaluation.names(draft.record)
    for check in checks:
        if evaluation.skips(check.that):
            continue
        holds = evaluation.value(check.that, names, draft)
        if holds is not INVALID and not holds:
            _report(check, draft, names, evaluation)


def _report(
    check: CheckPlan, draft: Draft, names: Mapping[str, Any], evaluation: Evaluation
) -> None:
    texts = [
        "" if part is None else evaluation.value(part, names, draft)
        for part in (check.at, check.message, check.hint)
    ]
    if any(text is INVALID for text in texts):
        return
    at, message, hint = texts
    shown = f"{at}: {message}" if at else message
    span = place(draft, at)
    evaluation.faults.append(Diagnostic(span, "GP209", shown, hint, check.severity))


def unskipped(evaluation: Evaluation, *parts: Formula | Message | None) -> bool:
    """True when no part looks at components that are left out."""
    return not any(part is not None and evaluation.skips(part) for part in parts)
