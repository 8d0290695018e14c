"""A component and what its kind says of it as a tile in, its value `tile` out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from generator.model.values import Record
from generator.tracks.courses import Tile
from generator.tracks.grids import GRIDS
from generator.tracks.measures import MOST_CELLS, Measures
from generator.tracks.records import SIDES, tile_record
from generator.tracks.written import is_call
from generator.validate.drafts import Draft
from generator.validate.evaluation import AlreadyToldError, Evaluation
from generator.validate.formulas import quoted
from generator.validate.quantities import MAX_QUANTITY, formula_for, sound_quantity
from generator.validate.types.base import INVALID


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that a value can be; `default` where the kind says nothing."""

    least: float
    most: float
    default: float | None = None
    whole: bool = True

    def __str__(self) -> str:
        what = "a whole number" if self.whole else "a number"
        return f"it must be {what} from {self.least:,.15g} to {self.most:,.15g}"

    def holds(self, found: Any) -> bool:
        """True for a number inside, whole where it must be."""
        if isinstance(found, bool) or not isinstance(found, int | float):
            return False
        fits = math.isfinite(found) and self.least <= found <= self.most
        return fits and (not self.whole or float(found).is_integer())


_NUMBERS: Final[Mapping[str, Range]] = {
    "pitch": Range(1, 500, whole=False),
    "turn": Range(-1, 1, 0),
    "length": Range(1, MOST_CELLS, 1),
    "width": Range(1, MOST_CELLS, 1),
    "leaves": Range(1, MOST_CELLS),
    "radius": Range(0, MOST_CELLS, 0),
    "kerb": Range(0, 100, 0, whole=False),
    "starts": Range(0, 1000, 0),
    "marks": Range(0, 1000, 0),
}
_SIDE_HINT: Final = 'it must be a text, "left" or "right"'
_CALL_HINT: Final = "a call is a number or a text without spaces and #, and not such as 4x"


def tile_of(draft: Draft, names: Mapping[str, Any], evaluation: Evaluation) -> Any:
    """The record `tile`, or INVALID: GP213 for what no tile can be, GP211 where a formula fails.

    How many are `owned` is worked out when it is asked for, as it may need derived values.
    """
    plan = draft.plan.tile
    assert plan is not None
    found = {
        name: evaluation.value(formula, names, draft)
        for name, formula in plan.formulas.items()
        if name != "owned"
    }
    values = {name: _number(name, found, draft, evaluation) for name in _NUMBERS}
    values["call"] = _call(found, draft, evaluation)
    values["side"] = _side(found, draft, evaluation)
    if any(value is INVALID for value in (*found.values(), *values.values())):
        return INVALID
    enters = values["width"]
    leaves = enters if values["leaves"] is None else values["leaves"]
    measures = Measures(
        grid=GRIDS[plan.grid],
        pitch=values["pitch"],
        turn=values["turn"],
        length=values["length"],
        enters=enters,
        leaves=leaves,
        side=SIDES[values["side"]],
        radius=values["radius"],
        kerb=values["kerb"],
        either_way=bool(found.get("either_way", enters == leaves == 1)),
    )
    try:
        tile = Tile(
            call=values["call"],
            ways=measures.ways(),
            starts=values["starts"],
            finish=bool(found.get("finish", False)),
            marks=values["marks"],
        )
        record = tile_record(tile, measures, plan.drawn, draft.span)
    except ValueError as error:
        hint = "see In a pack in docs/tracks.md"
        evaluation.blame(plan.span, "GP213", f"tile: {error}", hint, draft)
        return INVALID
    record.defer(lambda name: settle_owned(draft, record, evaluation) if name == "owned" else None)
    return record


def settle_owned(draft: Draft, record: Record, evaluation: Evaluation) -> None:
    """Fill in how many of a tile there are. Raises AlreadyToldError where that cannot be told."""
    if "owned" in record.as_dict():
        return
    assert draft.plan.tile is not None
    formula = draft.plan.tile.formulas.get("owned")
    given = formula or formula_for(draft.plan, evaluation)
    for name in () if given is None else sorted(given.names & draft.plan.derived.keys()):
        draft.record[name]  # works it out
    if formula is None:
        count = sound_quantity(draft, given, evaluation)
    elif evaluation.skips(formula):
        count = None
    else:
        found = evaluation.value(formula, evaluation.names(draft.record), draft)
        limits = Range(0, MAX_QUANTITY)
        count = int(found) if limits.holds(found) else None
        if count is None and found is not INVALID:
            message = f"tile.owned: {formula.text} is {quoted(found)}"
            evaluation.blame(formula.span, "GP213", message, str(limits), draft)
    if count is None:
        raise AlreadyToldError("owned")
    record.fill({"owned": count})


def finish_tiles(drafts: list[Draft], evaluation: Evaluation) -> None:
    """Fill in what of the tiles nobody has asked for yet; nothing is left to be worked out."""
    for draft in drafts:
        record = draft.record["tile"]
        try:
            settle_owned(draft, record, evaluation)
        except AlreadyToldError:
            record.fill({"owned": 0})
        record.defer(None)


def _number(name: str, found: Mapping[str, Any], draft: Draft, evaluation: Evaluation) -> Any:
    limits = _NUMBERS[name]
    if name not in found:
        return limits.default
    value = found[name]
    if value is INVALID:
        return INVALID
    if limits.holds(value):
        return int(value) if limits.whole else float(value)
    return _blame(name, value, str(limits), draft, evaluation)


def _call(found: Mapping[str, Any], draft: Draft, evaluation: Evaluation) -> Any:
    value = found.get("call", draft.id)
    if value is INVALID:
        return INVALID
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if is_call(str(value)) and (is_number or isinstance(value, str)):
        return str(value)
    return _blame("call", value, _CALL_HINT, draft, evaluation)


def _side(found: Mapping[str, Any], draft: Draft, evaluation: Evaluation) -> Any:
    value = found.get("side", "right")
    if value is INVALID or (isinstance(value, str) and value in SIDES):
        return value if value is INVALID else str(value)
    return _blame("side", value, _SIDE_HINT, draft, evaluation)


def _blame(name: str, value: Any, hint: str, draft: Draft, evaluation: Evaluation) -> Any:
    assert draft.plan.tile is not None
    formula = draft.plan.tile.formulas[name]
    message = f"tile.{name}: {formula.text} is {quoted(value)}"
    evaluation.blame(formula.span, "GP213", message, hint, draft)
    return INVALID
