"""Components that are tracks: their value `layout`, from their course and what it is to serve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from generator.diagnostics import Severity, Span
from generator.model.pack import Record, SourceText
from generator.tracks import (
    Course,
    CourseError,
    CourseRequirements,
    PoolTile,
    TrackMap,
    WrittenStep,
    broken_rules,
    lay,
    layout_record,
    tile_number,
    tiles_of_steps,
    track_map,
    with_stand_in_tiles,
)
from generator.validate.formulas import AlreadyToldError, Evaluation
from generator.validate.reading import INVALID, is_sound
from generator.validate.tiles import Range, Section, TilePool
from generator.validate.unresolved import UnresolvedComponent, place

_MANY: Final = 1_000_000
_NUMBERS: Final[Mapping[str, Range]] = {
    "vehicles": Range(0, _MANY),
    "abreast": Range(0, _MANY),
    "markers": Range(0, _MANY),
    "heading": Range(-_MANY, _MANY, 0),
    "margin": Range(0, 1000, 0.0, whole=False),
}
_NAMES_HINT: Final = "it must be the call of a tile, or a list of calls"
MOST_CELLS: Final = 20_000
"""Cells that all tiles of a course may have together."""


class LayoutRequirements(Struct, frozen=True):
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


def layout_requirements(
    component: UnresolvedComponent, names: Mapping[str, Any], evaluation: Evaluation
) -> LayoutRequirements | None:
    """The values, or None: GP213 for what cannot be asked for, GP211 where a formula fails."""
    plan = component.plan.layout
    assert plan is not None
    values = {
        name: evaluation.value(part, names, component) for name, part in plan.formulas.items()
    }
    found = {name: value for name, value in values.items() if value is not None}
    section = Section("layout", plan.formulas, found, component, evaluation)
    numbers = {name: section.number(name, limits) for name, limits in _NUMBERS.items()}
    finish, removable = (_names(name, section) for name in ("finish", "removable"))
    if not is_sound((*found.values(), *numbers.values(), finish, removable)):
        return None
    return LayoutRequirements(
        closed=bool(values.get("closed", True)),
        finish=finish,
        finish_span=_place("finish", section),
        one_finish=bool(values.get("one_finish", True)),
        removable=removable,
        opposite=bool(values.get("opposite", False)),
        **numbers,
    )


def _names(name: str, section: Section) -> Any:
    """Names of tiles, each with the place where it is written."""
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


def _place(name: str, section: Section) -> Span:
    """Where a value that a formula takes from a field is written, or the course instead of it."""
    component, formula = section.component, section.formulas.get(name)
    assert component.plan.layout is not None
    field = "" if formula is None else formula.text
    return place(
        component, field if field in component.record.spans else str(component.plan.layout.course)
    )


def layout_value(component: UnresolvedComponent, names: Mapping[str, Any], pool: TilePool) -> Any:
    """The record `layout`, or INVALID for a course that cannot be laid. Faults are told where they
    are written: GP901 and GP902 of what is no course, GP903 to GP913 of what breaks a rule."""
    plan, evaluation = component.plan.layout, pool.evaluation
    assert plan is not None
    asked = layout_requirements(component, names, evaluation)
    try:
        pool_tiles = pool.tiles_of(tuple(map(str, plan.tiles)))
    except AlreadyToldError:
        return INVALID
    if asked is None:
        return INVALID
    telling = _Telling(component, evaluation, component.record[plan.course])
    laid = _laid(telling, pool_tiles)
    if laid is None:
        component.sketch = _sketch(telling, pool_tiles, asked)
        return INVALID
    course, used = laid
    finishes, finishes_known = telling.numbers(asked.finish, course)
    removable, removable_known = telling.numbers(asked.removable, course)
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
    for fault in broken_rules(course, required):
        span = telling.span(fault.number)
        if fault.code == "GP908":
            span = finishes.get(fault.number, asked.finish_span if not fault.number else span)
        elif fault.code == "GP912":
            span = removable.get(fault.number, span)
        telling.tell(span, fault.code, fault.message, fault.hint, fault.severity)
    on_map = _on_map(course, used, asked)
    spans = [step.span for step in telling.steps]
    return layout_record(course, on_map, pool_tiles, spans, finishes, removable, asked.vehicles)


def _on_map(course: Course, used: Mapping[str, PoolTile], asked: LayoutRequirements) -> TrackMap:
    return track_map(
        course,
        {call: pool_tile.measures for call, pool_tile in used.items()},
        {call: pool_tile.drawn for call, pool_tile in used.items()},
        asked.heading,
        asked.margin,
    )


class _Telling(Struct, frozen=True):
    """The steps of a layout's course, and where its faults are told."""

    component: UnresolvedComponent
    evaluation: Evaluation
    steps: Sequence[Record]

    @property
    def written(self) -> list[WrittenStep]:
        """The steps as courses know them."""
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
        """Where a tile of the course is written; 0 stands for the course itself."""
        plan = self.component.plan.layout
        assert plan is not None
        return self.steps[number - 1].span if number else self.component.record.span_of(plan.course)

    def tell(
        self, span: Span, code: str, message: str, hint: str, severity: Severity = Severity.ERROR
    ) -> None:
        """Note a fault."""
        self.evaluation.report(span, code, message, hint, severity)

    def numbers(self, names: Sequence[SourceText], course: Course) -> tuple[dict[int, Span], bool]:
        """The tiles of these names by their number in the course, and where each is named; and
        whether all of them lie there."""
        calls = [laid.tile.call for laid in course.tiles]
        found: dict[int, Span] = {}
        known = True
        for name in names:
            try:
                found[tile_number(name, calls)] = name.span
            except CourseError as error:
                self.tell(name.span, "GP902", str(error), error.hint)
                known = False
        return found, known


def _laid(
    telling: _Telling, pool_tiles: Sequence[PoolTile]
) -> tuple[Course, dict[str, PoolTile]] | None:
    """The course, and the tiles in it by call; None, with a fault told, if it cannot be laid."""
    if not telling.steps:
        hint = "write calls with their ways, such as 1 9L 10R, or letters S, L and R"
        telling.tell(telling.span(0), "GP901", "the course has no tiles", hint)
        return None
    if not pool_tiles:
        hint = "add components of the kinds that layout: tiles: names"
        telling.tell(telling.span(0), "GP902", "there are no tiles to lay it of", hint)
        return None
    grid = pool_tiles[0].measures.grid
    tiles = [pool_tile.tile for pool_tile in pool_tiles]
    layings, misread = tiles_of_steps(telling.written, tiles, grid, telling.evaluation.suggestions)
    for fault in misread:
        telling.tell(telling.span(fault.number), fault.code, fault.message, fault.hint)
    if misread:
        return None
    course = lay(grid, [(tile, entry) for tile, entry in layings if tile is not None])
    by_call = {pool_tile.tile.call: pool_tile for pool_tile in pool_tiles}
    used = {laid.tile.call: by_call[laid.tile.call] for laid in course.tiles}
    if not (_one_size(telling, course, used) and _few_cells(telling, course)):
        return None
    return course, used


def _sketch(
    telling: _Telling, pool_tiles: Sequence[PoolTile], asked: LayoutRequirements
) -> Record | None:
    """The record of a course with stand-ins for the tiles that nobody knows, only to be shown; None
    for one of which nothing can be."""
    if not (telling.steps and pool_tiles):
        return None
    grid, steps = pool_tiles[0].measures.grid, telling.written
    tiles = [pool_tile.tile for pool_tile in pool_tiles]
    layings, _ = tiles_of_steps(steps, tiles, grid)
    laid, pool = with_stand_in_tiles(steps, layings, pool_tiles, telling.span(0))
    course = lay(grid, laid)
    by_call = {pool_tile.tile.call: pool_tile for pool_tile in pool}
    used = {tile.tile.call: by_call[tile.tile.call] for tile in course.tiles}
    sizes = {pool_tile.measures.pitch for pool_tile in used.values()}
    if len(sizes) > 1 or sum(len(tile.piece.cells) for tile in course.tiles) > MOST_CELLS:
        return None
    spans = [step.span for step in telling.steps]
    on_map = _on_map(course, used, asked)
    return layout_record(course, on_map, pool, spans, to_close=asked.closed)


def _one_size(telling: _Telling, course: Course, used: Mapping[str, PoolTile]) -> bool:
    first = used[course.tiles[0].tile.call].measures.pitch
    for laid in course.tiles:
        pitch = used[laid.tile.call].measures.pitch
        if pitch != first:
            message = f"{laid} has cells of {pitch:g} mm, but {course.tiles[0]} of {first:g} mm"
            hint = "give all tiles of a track the same pitch"
            telling.tell(telling.span(laid.number), "GP904", message, hint)
            return False
    return True


def _few_cells(telling: _Telling, course: Course) -> bool:
    count = sum(len(laid.piece.cells) for laid in course.tiles)
    if count <= MOST_CELLS:
        return True
    message = f"the course has {count} cells, and at most {MOST_CELLS} can be laid"
    telling.tell(telling.span(0), "GP901", message, "make two tracks of it")
    return False
