"""A component and its kind's stock in, the stock that it is printed on out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from generator.geometry import Size
from generator.model.stock import Shape, Stock
from generator.validate.catalogue import stock_faults
from generator.validate.drafts import Draft
from generator.validate.evaluation import Evaluation
from generator.validate.formulas import quoted
from generator.validate.plans import StockPlan
from generator.validate.types.base import INVALID

LEAST: Final = 0.1
MOST: Final = 3000.0
"""mm that a side may be: less is no piece, more is not to be put together from sheets."""
_DIGITS: Final = 4
"""Of a side in mm: pieces that differ by less are of one stock."""
_INSTEAD: Final = {
    "width": f"it must be a number of mm from {LEAST:g} to {MOST:g}",
    "height": f"it must be a number of mm from {LEAST:g} to {MOST:g}",
    "path": 'it must be SVG path data in mm, such as "M0 0 L10 0 L10 20 Z"',
}


def stock_of(draft: Draft, evaluation: Evaluation) -> Stock | None:
    """The kind's stock, or what is worked out from it for this component: GP213 where that cannot
    be cut, GP211 where an expression fails. After a fault the kind's counts, and so it does where
    it cannot be cut itself, which has been told."""
    plan, like = draft.plan.stock, draft.plan.kind.stock
    if plan is None or like is None or not draft.plan.sound or stock_faults(like):
        return like
    found = {name: _value(name, plan, draft, evaluation) for name in plan.formulas}
    if any(value is INVALID for value in found.values()):
        return like
    trim = Size(found.get("width", like.trim.width), found.get("height", like.trim.height))
    stock = replace(like, trim=trim)
    if "path" in found:
        stock = replace(stock, shape=Shape.PATH, corner_radius=0.0, path=found["path"])
    for field, message, hint in stock_faults(stock):
        span = plan.formulas[field].span if field in plan.formulas else plan.span
        evaluation.blame(span, "GP213", f"stock.{field}: {message}", hint, draft)
    return stock


def _value(name: str, plan: StockPlan, draft: Draft, evaluation: Evaluation) -> Any:
    """A side in mm or path data, or INVALID."""
    formula = plan.formulas[name]
    if evaluation.skips(formula):
        return INVALID
    found = evaluation.value(formula, evaluation.names(draft.record), draft)
    if found is INVALID:
        return INVALID
    if name == "path" and isinstance(found, str) and found.strip():
        return str(found)
    if name != "path" and _is_side(found):
        return round(float(found), _DIGITS)
    message = f"stock.{name}: {formula.text} is {quoted(found)}"
    evaluation.blame(formula.span, "GP213", message, _INSTEAD[name], draft)
    return INVALID


def _is_side(found: Any) -> bool:
    number = isinstance(found, int | float) and not isinstance(found, bool)
    return number and LEAST <= found <= MOST
