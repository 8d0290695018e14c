"""Components that are tiles of tracks: their value `tile`, and the pool that tracks are laid of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field

from generator.diagnostics import Diagnostic
from generator.model.pack import Record
from generator.tracks import (
    GRIDS,
    MOST_CELLS,
    SIDES,
    PoolTile,
    Tile,
    TileMeasures,
    is_call,
    measures_of,
    tile_of,
    tile_record,
)
from generator.validate.formulas import AlreadyToldError, Evaluation, Formula, quoted
from generator.validate.quantities import MAX_QUANTITY, formula_for, quantity_of
from generator.validate.reading import INVALID, is_sound
from generator.validate.unresolved import Register, UnresolvedComponent, place


class Range(Struct, frozen=True):
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


class Section(Struct, frozen=True):
    """What the formulas of a kind's section, tile: or layout:, come to for a component."""

    name: str
    formulas: Mapping[str, Formula]
    found: Mapping[str, Any]
    component: UnresolvedComponent
    evaluation: Evaluation

    def number(self, name: str, limits: Range) -> Any:
        """The number of that name, its default where it is not found; INVALID, and GP213, if it is
        not inside the limits."""
        value = self.found.get(name, limits.default)
        if name not in self.found or value is INVALID:
            return value
        if limits.holds(value):
            return int(value) if limits.whole else float(value)
        return self.refuse(name, value, str(limits))

    def refuse(self, name: str, value: Any, hint: str) -> Any:
        """GP213 for a value that will not do, or for the id that stands for it; returns INVALID."""
        formula = self.formulas.get(name)
        span = self.component.span if formula is None else formula.span
        what = "the id" if formula is None else formula.text
        message = f"{self.name}.{name}: {what} is {quoted(value)}"
        self.evaluation.refuse(span, "GP213", message, hint, self.component)
        return INVALID


_NUMBERS: Final[Mapping[str, Range]] = {
    "pitch": Range(1, 500, whole=False),
    "turn": Range(-1, 1, 0),
    "length": Range(1, MOST_CELLS, 1),
    "width": Range(1, MOST_CELLS, 1),
    "leaves": Range(1, MOST_CELLS),
    "radius": Range(0, MOST_CELLS, 0),
    "kerb": Range(0, 100, 0, whole=False),
    "slack": Range(0, 10, 0.1, whole=False),
    "starts": Range(0, 1000, 0),
    "marks": Range(0, 1000, 0),
}
_SIDE_HINT: Final = 'it must be a text, "left" or "right"'
_CALL_HINT: Final = "a call is a number or a text without spaces and #, and not such as 4x"


def tile_value(
    component: UnresolvedComponent, names: Mapping[str, Any], evaluation: Evaluation
) -> Any:
    """The record `tile`, or INVALID: GP213 for what no tile can be, GP211 where a formula fails.

    How many are `owned` is worked out when it is asked for, as it may need derived values.
    """
    plan = component.plan.tile
    assert plan is not None
    found = {
        name: evaluation.value(formula, names, component)
        for name, formula in plan.formulas.items()
        if name != "owned"
    }
    section = Section("tile", plan.formulas, found, component, evaluation)
    values = {name: section.number(name, limits) for name, limits in _NUMBERS.items()}
    call = found.get("call", component.id)
    is_text = isinstance(call, str | int) and not isinstance(call, bool)
    if call is not INVALID and not (is_text and is_call(str(call))):
        call = section.refuse("call", call, _CALL_HINT)
    side = found.get("side", "right")
    if side is not INVALID and not (isinstance(side, str) and side in SIDES):
        side = section.refuse("side", side, _SIDE_HINT)
    if not is_sound((*found.values(), *values.values(), call, side)):
        return INVALID
    enters = values["width"]
    leaves = enters if values["leaves"] is None else values["leaves"]
    measures = TileMeasures(
        grid=GRIDS[plan.grid],
        pitch=values["pitch"],
        turn=values["turn"],
        length=values["length"],
        enters=enters,
        leaves=leaves,
        side=SIDES[side],
        radius=values["radius"],
        kerb=values["kerb"],
        slack=values["slack"],
        either_way=bool(found.get("either_way", enters == leaves == 1)),
    )
    try:
        tile = Tile(
            call=str(call),
            ways=measures.ways(),
            starts=values["starts"],
            finish=bool(found.get("finish", False)),
            marks=values["marks"],
        )
        record = tile_record(tile, measures, plan.drawn, component.span)
    except ValueError as error:
        hint = "see In a pack in docs/tracks.md"
        evaluation.refuse(plan.span, "GP213", f"tile: {error}", hint, component)
        return INVALID
    record.defer(
        lambda name: _settle_owned(component, record, evaluation) if name == "owned" else None
    )
    return record


def _settle_owned(component: UnresolvedComponent, record: Record, evaluation: Evaluation) -> None:
    """Fill in how many of a tile there are. Raises AlreadyToldError where that cannot be told."""
    if "owned" in record.as_dict():
        return
    assert component.plan.tile is not None
    formula = component.plan.tile.formulas.get("owned")
    given = formula or formula_for(component.plan, evaluation)
    for name in () if given is None else sorted(given.names & component.plan.derived.keys()):
        component.record[name]  # works it out
    count: Any
    if formula is None:
        count = quantity_of(component, given, evaluation)
    else:
        found = {"owned": evaluation.value(formula, evaluation.names(component.record), component)}
        section = Section("tile", component.plan.tile.formulas, found, component, evaluation)
        count = section.number("owned", Range(0, MAX_QUANTITY))
    if count is None or count is INVALID:
        raise AlreadyToldError("owned")
    record.fill({"owned": count})


def finish_tiles(unresolved: list[UnresolvedComponent], evaluation: Evaluation) -> None:
    """Fill in what of the tiles nobody has asked for yet; nothing is left to be worked out."""
    for component in unresolved:
        record = component.record["tile"]
        try:
            _settle_owned(component, record, evaluation)
        except AlreadyToldError:
            record.fill({"owned": 0})
        record.defer(None)


class TilePool(Struct):
    """What there is to lay tracks of: the tiles of each set of kinds, which are looked at once."""

    register: Register
    evaluation: Evaluation
    _known: dict[tuple[str, ...], tuple[PoolTile, ...]] = field(default_factory=dict)

    def tiles_of(self, kinds: tuple[str, ...]) -> tuple[PoolTile, ...]:
        """All tiles of the kinds, in order. GP208 for two of one call.

        Raises AlreadyToldError when a fault has left something out.
        """
        if kinds not in self._known:
            self._known[kinds] = tuple(self._found(kinds))
        return self._known[kinds]

    def _found(self, kinds: tuple[str, ...]) -> Iterator[PoolTile]:
        calls: dict[str, UnresolvedComponent] = {}
        for kind in dict.fromkeys(kinds):
            if kind not in self.register.by_kind:
                raise AlreadyToldError(kind)
            for component in self.register.by_kind[kind]:
                if not component.usable:
                    raise AlreadyToldError(kind)
                record = component.record["tile"]
                record["owned"]  # works it out
                tile = tile_of(record)
                first = calls.setdefault(tile.call, component)
                if first is not component:
                    self._twice(tile.call, first, component)
                    raise AlreadyToldError(kind)
                yield PoolTile(tile, measures_of(record), record["drawn"], kind, component.record)

    def _twice(self, call: str, first: UnresolvedComponent, second: UnresolvedComponent) -> None:
        spans = []
        for component in (first, second):
            formula = component.plan.tile and component.plan.tile.formulas.get("call")
            path = formula.text if formula and formula.text.isidentifier() else "id"
            spans.append(place(component, path))
        message = f"two tiles are called {call}, and a course could not tell them apart"
        hint = f"the first is at {spans[0]}; give them calls of their own in tile: call:"
        found = Diagnostic(spans[1], "GP208", message, hint)
        if found not in self.evaluation.faults:
            self.evaluation.faults.append(found)
