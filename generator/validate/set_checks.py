"""All components of a kind and its set checks in, findings out."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, Final

from generator.diagnostics import Diagnostic, Span
from generator.model.values import Record
from generator.sums import summed
from generator.validate.checks import unskipped
from generator.validate.drafts import Draft
from generator.validate.evaluation import Evaluation
from generator.validate.formulas import Formula, Message, quoted, spoken
from generator.validate.places import place
from generator.validate.plans import SetCheckPlan
from generator.validate.types.base import INVALID

_PLAIN_NAME: Final = str.isidentifier


def check_set(
    checks: tuple[SetCheckPlan, ...], usable: list[Draft], whole: bool, evaluation: Evaluation
) -> None:
    """Every set check of a kind: GP210 for each that does not hold.

    A count or sum needs all the components: it is not taken unless the set is `whole`.
    """
    for check in checks:
        parts = (check.of, check.where, check.is_, check.min, check.max)
        if not unskipped(evaluation, *parts):
            continue
        values = list(_values(check, usable, evaluation))
        if any(value is INVALID for _, value in values):
            continue
        if check.measure == "unique":
            _check_unique(check, values, evaluation)
        elif whole:
            _check_limits(check, values, evaluation)


def _values(
    check: SetCheckPlan, drafts: list[Draft], evaluation: Evaluation
) -> Iterator[tuple[Draft, Any]]:
    for draft in drafts:
        names = evaluation.names(draft.record)
        chosen = check.where is None or evaluation.value(check.where, names, draft)
        if chosen is INVALID:
            yield draft, INVALID
        elif chosen:
            yield draft, 1 if check.of is None else evaluation.value(check.of, names, draft)


def _check_unique(
    check: SetCheckPlan, values: list[tuple[Draft, Any]], evaluation: Evaluation
) -> None:
    assert check.of is not None
    seen: dict[Any, Span] = {}
    for draft, value in values:
        span = place(draft, check.of.text) if _PLAIN_NAME(check.of.text) else draft.span
        first = seen.setdefault(_key(value), span)
        if first is not span:
            message = f"{check.of.text}: {quoted(value)} stands twice"
            hint = f"it is first used at {first}"
            _report(check, value, span, (message, hint), evaluation)


def _key(value: Any) -> Any:
    """The value as something that can be looked up; components are the same if their ids are."""
    if isinstance(value, Record):
        return value["id"] if "id" in value else tuple((k, _key(v)) for k, v in value.items())
    return tuple(map(_key, value)) if isinstance(value, tuple) else value


def _check_limits(
    check: SetCheckPlan, values: list[tuple[Draft, Any]], evaluation: Evaluation
) -> None:
    total = _total(check, values, evaluation)
    if total is None:
        return
    for word, limit, holds in (
        ("must be", check.is_, operator.eq),
        ("must be at least", check.min, operator.ge),
        ("must be at most", check.max, operator.le),
    ):
        wanted = None if limit is None else _limit(limit, evaluation)
        if wanted is not None and not holds(total, wanted):
            message = f"the {check.measure} is {spoken(total)}, it {word} {spoken(wanted)}"
            hint = "change the components, or what the kind expects"
            _report(check, total, check.span, (message, hint), evaluation)


def _total(
    check: SetCheckPlan, values: list[tuple[Draft, Any]], evaluation: Evaluation
) -> float | None:
    for draft, value in values:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            message = f"sum: {quoted(value)} of {draft.name} is not a number"
            evaluation.faults.append(Diagnostic(check.span, "GP211", message, "use where:"))
            return None
    total: float = summed(value for _, value in values)
    return total


def _limit(limit: Formula, evaluation: Evaluation) -> float | None:
    wanted = evaluation.value(limit, evaluation.names(), None)
    if wanted is INVALID:
        return None
    if isinstance(wanted, bool) or not isinstance(wanted, (int, float)):
        message = f"in {limit.text!r}: {spoken(wanted)} is not a number"
        hint = "a count or sum is compared with a number"
        if "players" in limit.names:
            hint = "give --players, or players: in pack.yaml"
        evaluation.faults.append(Diagnostic(limit.span, "GP211", message, hint))
        return None
    limit_value: float = wanted
    return limit_value


def _report(
    check: SetCheckPlan,
    value: Any,
    span: Span,
    plain: tuple[str, str],
    evaluation: Evaluation,
) -> None:
    """The kind's own words if it has some, with what was found; else plain ones."""
    names = {**evaluation.names(), "value": value}
    own, hint = (_written(part, names, evaluation) for part in (check.message, check.hint))
    if own is INVALID or hint is INVALID:
        return
    message = f"{own} ({plain[0]})" if own else plain[0]
    evaluation.faults.append(Diagnostic(span, "GP210", message, hint or plain[1], check.severity))


def _written(part: Message | None, names: dict[str, Any], evaluation: Evaluation) -> Any:
    return "" if part is None else evaluation.value(part, names, None)
