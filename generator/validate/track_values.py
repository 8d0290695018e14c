"""Work out the values `tile` and `layout` of components that are tiles of tracks, or tracks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct, field

from generator.diagnostics import Diagnostic, Severity, Span
from generator.model.values import Record, SourceText
from generator.tracks import (
    GRIDS,
    MOST_CELLS,
    SIDES,
    Course,
    CourseError,
    CourseRequirements,
    PoolTile,
    Tile,
    TileMeasures,
    WrittenStep,
    broken_rules,
    is_call,
    lay,
    layout_record,
    measures_of,
    tile_number,
    tile_of,
    tile_record,
    tiles_of_steps,
    track_map,
)
from generator.validate.components import (
    MAX_QUANTITY,
    Register,
    UnresolvedComponent,
    formula_for,
    quantity_of,
    value_span,
)
from generator.validate.reading import (
    INVALID,
    AlreadyReportedError,
    Evaluation,
    Formula,
    is_numeric,
    is_sound,
    quoted_value,
)


class _Range(Struct, frozen=True):
    """The range of a number; `default` if the kind does not give it."""

    least: float
    most: float
    default: float | None = None
    whole: bool = True

    def __str__(self) -> str:
        what = "a whole number" if self.whole else "a number"
        return f"it must be {what} from {self.least:,.15g} to {self.most:,.15g}"

    def holds(self, found: Any) -> bool:
        """Return True for a number in range, whole if it must be."""
        fits = is_numeric(found) and self.least <= found <= self.most
        return fits and (not self.whole or float(found).is_integer())


class _Section(Struct, frozen=True):
    """The results of the formulas in a kind's section, tile: or layout:, for a component."""

    name: str
    formulas: Mapping[str, Formula]
    found: Mapping[str, Any]
    component: UnresolvedComponent
    evaluation: Evaluation

    def number(self, name: str, limits: _Range) -> Any:
        """Return the number of that name or its default; INVALID, with GP213, if it is out of
        range."""
        value = self.found.get(name, limits.default)
        if name not in self.found or value is INVALID:
            return value
        if limits.holds(value):
            return int(value) if limits.whole else float(value)
        return self.refuse(name, value, str(limits))

    def refuse(self, name: str, value: Any, hint: str) -> Any:
        """Report GP213 for an unusable value, or the id that replaces it; return INVALID."""
        formula = self.formulas.get(name)
        span = self.component.span if formula is None else formula.span
        what = "the id" if formula is None else formula.text
        message = f"{self.name}.{name}: {what} is {quoted_value(value)}"
        self.evaluation.refuse(span, "GP213", message, hint, self.component)
        return INVALID


_OF_TILES: Final[Mapping[str, _Range]] = {
    "pitch": _Range(1, 500, whole=False),
    "turn": _Range(-1, 1, 0),
    "length": _Range(1, MOST_CELLS, 1),
    "width": _Range(1, MOST_CELLS, 1),
    "leaves": _Range(1, MOST_CELLS),
    "radius": _Range(0, MOST_CELLS, 0),
    "kerb": _Range(0, 100, 0, whole=False),
    "slack": _Range(0, 10, 0.1, whole=False),
    "starts": _Range(0, 1000, 0),
    "marks": _Range(0, 1000, 0),
}
_SIDE_HINT: Final = 'it must be a text, "left" or "right"'
_CALL_HINT: Final = "a call is a number or a text without spaces and #, and not such as 4x"


def tile_value(
    component: UnresolvedComponent, names: Mapping[str, Any], evaluation: Evaluation
) -> Any:
    """Return the record `tile`, or INVALID after a fault (GP211, GP213). `owned` is worked out on
    demand, since it may need derived values."""
    plan = component.plan.tile
    assert plan is not None
    found = {
        name: evaluation.value(formula, names, component)
        for name, formula in plan.formulas.items()
        if name != "owned"
    }
    section = _Section("tile", plan.formulas, found, component, evaluation)
    values = {name: section.number(name, limits) for name, limits in _OF_TILES.items()}
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
    """Fill in how many of a tile there are. Raises AlreadyReportedError after a fault."""
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
        section = _Section("tile", component.plan.tile.formulas, found, component, evaluation)
        count = section.number("owned", _Range(0, MAX_QUANTITY))
    if count is None or count is INVALID:
        raise AlreadyReportedError("owned")
    record.fill({"owned": count})


def finish_tiles(unresolved: list[UnresolvedComponent], evaluation: Evaluation) -> None:
    """Fill in the rest of the tiles' values."""
    for component in unresolved:
        record, noted = component.record["tile"], evaluation.noted
        try:
            _settle_owned(component, record, evaluation)
        except AlreadyReportedError:
            record.fill({"owned": 0})
        record.defer(None)
        component.clean &= evaluation.noted == noted


class TilePool(Struct):
    """The tiles that tracks are laid from, by kinds."""

    register: Register
    evaluation: Evaluation
    _known: dict[tuple[str, ...], tuple[PoolTile, ...]] = field(default_factory=dict)

    def tiles_of(self, kinds: tuple[str, ...]) -> tuple[PoolTile, ...]:
        """Return all tiles of the kinds, in order; GP208 for two with one call.

        Raises AlreadyReportedError if a fault left something out.
        """
        if kinds not in self._known:
            self._known[kinds] = tuple(self._found(kinds))
        return self._known[kinds]

    def _found(self, kinds: tuple[str, ...]) -> Iterator[PoolTile]:
        calls: dict[str, UnresolvedComponent] = {}
        for kind in dict.fromkeys(kinds):
            if kind not in self.register.by_kind:
                raise AlreadyReportedError(kind)
            for component in self.register.by_kind[kind]:
                if not component.usable:
                    raise AlreadyReportedError(kind)
                record = component.record["tile"]
                record["owned"]  # works it out
                tile = tile_of(record)
                first = calls.setdefault(tile.call, component)
                if first is not component:
                    self._twice(tile.call, first, component)
                    raise AlreadyReportedError(kind)
                yield PoolTile(tile, measures_of(record), record["drawn"], kind, component.record)

    def _twice(self, call: str, first: UnresolvedComponent, second: UnresolvedComponent) -> None:
        spans = []
        for component in (first, second):
            formula = component.plan.tile and component.plan.tile.formulas.get("call")
            path = formula.text if formula and formula.text.isidentifier() else "id"
            spans.append(value_span(component, path))
        message = f"two tiles are called {call}, so a course cannot tell them apart"
        hint = f"the first is at {spans[0]}; give them calls of their own in tile: call:"
        found = Diagnostic(spans[1], "GP208", message, hint)
        if found not in self.evaluation.faults:
            self.evaluation.report(spans[1], "GP208", message, hint)


_MANY: Final = 1_000_000
_OF_LAYOUTS: Final[Mapping[str, _Range]] = {
    "vehicles": _Range(0, _MANY),
    "abreast": _Range(0, _MANY),
    "markers": _Range(0, _MANY),
    "heading": _Range(-_MANY, _MANY, 0),
    "margin": _Range(0, 1000, 0.0, whole=False),
}
_NAMES_HINT: Final = "it must be the call of a tile, or a list of calls"
_MOST_COURSE_CELLS: Final = 20_000
"""Cells of all tiles of a course."""


class _LayoutRequirements(Struct, frozen=True):
    """The requirements of a layout. Tiles are named as in the course, each with its place."""

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


def _layout_requirements(
    component: UnresolvedComponent, names: Mapping[str, Any], evaluation: Evaluation
) -> _LayoutRequirements | None:
    """Return the requirements, or None after a fault (GP211, GP213)."""
    plan = component.plan.layout
    assert plan is not None
    values = {
        name: evaluation.value(part, names, component) for name, part in plan.formulas.items()
    }
    found = {name: value for name, value in values.items() if value is not None}
    section = _Section("layout", plan.formulas, found, component, evaluation)
    numbers = {name: section.number(name, limits) for name, limits in _OF_LAYOUTS.items()}
    finish, removable = (_names(name, section) for name in ("finish", "removable"))
    if not is_sound((*found.values(), *numbers.values(), finish, removable)):
        return None
    return _LayoutRequirements(
        closed=bool(values.get("closed", True)),
        finish=finish,
        finish_span=_place("finish", section),
        one_finish=bool(values.get("one_finish", True)),
        removable=removable,
        opposite=bool(values.get("opposite", False)),
        **numbers,
    )


def _names(name: str, section: _Section) -> Any:
    """Return names of tiles, each with its place."""
    value = section.found.get(name, ())
    if value is INVALID:
        return INVALID
    where = _place(name, section)
    found: list[SourceText] = []
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            return section.refuse(name, item, _NAMES_HINT)
        span = item.span if isinstance(item, SourceText) else where
        text = f"{item:g}" if isinstance(item, float) else str(item)
        found += (SourceText(word, span) for word in text.split())
    return tuple(found)


def _place(name: str, section: _Section) -> Span:
    """Return the place of a value that comes from a field, else of the course."""
    component, formula = section.component, section.formulas.get(name)
    assert component.plan.layout is not None
    field = "" if formula is None else formula.text
    return value_span(
        component, field if field in component.record.spans else str(component.plan.layout.course)
    )


def layout_value(component: UnresolvedComponent, names: Mapping[str, Any], pool: TilePool) -> Any:
    """Return the record `layout`, or INVALID if the course cannot be laid. GP901 and GP902 are
    faults of the course, GP903 to GP913 broken rules."""
    plan, evaluation = component.plan.layout, pool.evaluation
    assert plan is not None
    asked = _layout_requirements(component, names, evaluation)
    try:
        pool_tiles = pool.tiles_of(tuple(map(str, plan.tiles)))
    except AlreadyReportedError:
        return INVALID
    if asked is None:
        return INVALID
    report = _CourseReport(component, evaluation, component.record[plan.course])
    laid = _laid(report, pool_tiles)
    if laid is None:
        return INVALID
    course, used = laid
    finishes, finishes_known = report.numbers(asked.finish, course)
    removable, removable_known = report.numbers(asked.removable, course)
    required = CourseRequirements(
        pitch=next(iter(used.values())).measures.pitch,
        closed=asked.closed,
        finish=asked.one_finish and finishes_known,
        finishes=tuple(finishes),
        vehicles=asked.vehicles,
        abreast=asked.abreast,
        markers=asked.markers,
        removable=tuple(removable) if removable_known else (),
        opposite=asked.opposite,
    )
    cache, name = evaluation.cache, (component.span.file, component.name)
    found = cache.latest(
        partial(broken_rules, course, required), (broken_rules, *name), course, required
    )
    for fault in found:
        span = report.span(fault.number)
        if fault.code == "GP908":
            span = finishes.get(fault.number, asked.finish_span if not fault.number else span)
        elif fault.code == "GP912":
            span = removable.get(fault.number, span)
        report.add(span, fault.code, fault.message, fault.hint, fault.severity)
    placing = (
        course,
        {call: pool_tile.measures for call, pool_tile in used.items()},
        {call: pool_tile.drawn for call, pool_tile in used.items()},
        asked.heading,
        asked.margin,
    )
    on_map = cache.latest(partial(track_map, *placing), (track_map, *name), *placing)
    spans = [step.span for step in report.steps]
    return layout_record(
        course, on_map, pool_tiles, spans, finishes, removable, asked.vehicles, asked.closed
    )


class _CourseReport(Struct, frozen=True):
    """The steps of a layout's course, to report faults at their places."""

    component: UnresolvedComponent
    evaluation: Evaluation
    steps: Sequence[Record]

    @property
    def written(self) -> list[WrittenStep]:
        """Return the steps as the track solver takes them."""
        return [
            WrittenStep(
                str(step["tile"]),
                str(step["way"]),
                None if step["at"] is None else tuple(step["at"]),
                step["turn"],
            )
            for step in self.steps
        ]

    def span(self, number: int) -> Span:
        """Return the place of a tile in the course; 0 is the course itself."""
        plan = self.component.plan.layout
        assert plan is not None
        return self.steps[number - 1].span if number else self.component.record.span_of(plan.course)

    def add(
        self, span: Span, code: str, message: str, hint: str, severity: Severity = Severity.ERROR
    ) -> None:
        self.evaluation.report(span, code, message, hint, severity)

    def numbers(self, names: Sequence[SourceText], course: Course) -> tuple[dict[int, Span], bool]:
        """Return the named tiles by their number in the course, each with its place, and whether
        all of them are in it."""
        calls = [laid.tile.call for laid in course.tiles]
        found: dict[int, Span] = {}
        known = True
        for name in names:
            try:
                found[tile_number(name, calls)] = name.span
            except CourseError as error:
                self.add(name.span, "GP902", str(error), error.hint)
                known = False
        return found, known


def _laid(
    report: _CourseReport, pool_tiles: Sequence[PoolTile]
) -> tuple[Course, dict[str, PoolTile]] | None:
    """Return the course and its tiles by call, or None after a fault."""
    if not report.steps:
        hint = "write calls with their ways, such as 1 9L 10R, or letters S, L and R"
        report.add(report.span(0), "GP901", "the course has no tiles", hint)
        return None
    if not pool_tiles:
        hint = "add components of the kinds that layout: tiles: names"
        report.add(report.span(0), "GP902", "there are no tiles to lay", hint)
        return None
    grid = pool_tiles[0].measures.grid
    tiles = [pool_tile.tile for pool_tile in pool_tiles]
    layings, misread = tiles_of_steps(report.written, tiles, grid, report.evaluation.suggestions)
    for fault in misread:
        report.add(report.span(fault.number), fault.code, fault.message, fault.hint)
    if misread:
        return None
    course = lay(grid, [(tile, entry) for tile, entry in layings if tile is not None])
    by_call = {pool_tile.tile.call: pool_tile for pool_tile in pool_tiles}
    used = {laid.tile.call: by_call[laid.tile.call] for laid in course.tiles}
    if not (_one_size(report, course, used) and _few_cells(report, course)):
        return None
    return course, used


def _one_size(report: _CourseReport, course: Course, used: Mapping[str, PoolTile]) -> bool:
    first = used[course.tiles[0].tile.call].measures.pitch
    for laid in course.tiles:
        pitch = used[laid.tile.call].measures.pitch
        if pitch != first:
            message = f"{laid} has cells of {pitch:g} mm, but {course.tiles[0]} of {first:g} mm"
            hint = "give all tiles of a track the same pitch"
            report.add(report.span(laid.number), "GP904", message, hint)
            return False
    return True


def _few_cells(report: _CourseReport, course: Course) -> bool:
    count = sum(len(laid.piece.cells) for laid in course.tiles)
    if count <= _MOST_COURSE_CELLS:
        return True
    message = f"the course has {count} cells, and at most {_MOST_COURSE_CELLS} can be laid"
    report.add(report.span(0), "GP901", message, "split it into two tracks")
    return False
