"""A component and what its kind asks of its layout in, the values of all that out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from generator.diagnostics import Span
from generator.model.values import SourceText
from generator.validate.drafts import Draft
from generator.validate.evaluation import Evaluation
from generator.validate.formulas import Formula, quoted
from generator.validate.places import place
from generator.validate.tiles import Range
from generator.validate.types.base import INVALID


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a layout is to serve: tiles by their names in the course, each with its place."""

    closed: bool
    finish: tuple[SourceText, ...]
    finish_span: Span
    one_finish: bool
    removable: tuple[SourceText, ...]
    vehicles: int | None
    abreast: int | None
    markers: int | None
    opposite: bool
    heading: int
    margin: float


_MANY: Final = 1_000_000
_NUMBERS: Final[Mapping[str, Range]] = {
    "vehicles": Range(0, _MANY),
    "abreast": Range(0, _MANY),
    "markers": Range(0, _MANY),
    "heading": Range(-_MANY, _MANY, 0),
    "margin": Range(0, 1000, 0, whole=False),
}
_NAMES_HINT: Final = "it must be the call of a tile, or a list of calls"


def wanted(draft: Draft, names: Mapping[str, Any], evaluation: Evaluation) -> Wanted | None:
    """The values, or None: GP213 for what cannot be asked for, GP211 where a formula fails."""
    plan = draft.plan.layout
    assert plan is not None
    found: dict[str, Any] = {}
    for name, formula in plan.formulas.items():
        skipped = evaluation.skips(formula)
        found[name] = INVALID if skipped else evaluation.value(formula, names, draft)
    for name, limits in _NUMBERS.items():
        value = found.get(name)
        if value is None:
            found[name] = limits.default
        elif value is not INVALID and not limits.holds(value):
            found[name] = _blame(name, value, str(limits), draft, evaluation)
    for name in ("finish", "removable"):
        found[name] = _names(name, found.get(name), draft, evaluation)
    if any(value is INVALID for value in found.values()):
        return None
    return Wanted(
        closed=bool(found.get("closed", True)),
        finish=found["finish"],
        finish_span=_place(draft, plan.formulas.get("finish"), str(plan.course)),
        one_finish=bool(found.get("one_finish", True)),
        removable=found["removable"],
        vehicles=_whole(found["vehicles"]),
        abreast=_whole(found["abreast"]),
        markers=_whole(found["markers"]),
        opposite=bool(found.get("opposite", False)),
        heading=int(found["heading"]),
        margin=float(found["margin"]),
    )


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _names(name: str, value: Any, draft: Draft, evaluation: Evaluation) -> Any:
    """Names of tiles, each with the place where it is written."""
    if value is INVALID:
        return INVALID
    plan = draft.plan.layout
    assert plan is not None
    given = () if value is None else value if isinstance(value, tuple) else (value,)
    where = _place(draft, plan.formulas.get(name), str(plan.course))
    found: list[SourceText] = []
    for item in given:
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            return _blame(name, item, _NAMES_HINT, draft, evaluation)
        span = item.span if isinstance(item, SourceText) else where
        text = f"{item:g}" if isinstance(item, float) else str(item)
        found += (SourceText(word, span) for word in text.split())
    return tuple(found)


def _place(draft: Draft, formula: Formula | None, instead: str) -> Span:
    """Where a value that a formula takes from a field is written, or the field instead of it."""
    name = "" if formula is None else formula.text
    return place(draft, name if name in draft.record.spans else instead)


def _blame(name: str, value: Any, hint: str, draft: Draft, evaluation: Evaluation) -> Any:
    assert draft.plan.layout is not None
    formula = draft.plan.layout.formulas[name]
    message = f"layout.{name}: {formula.text} is {quoted(value)}"
    evaluation.blame(formula.span, "GP213", message, hint, draft)
    return INVALID
