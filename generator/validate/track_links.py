"""A kind whose components are tiles or layouts in, what does not fit between it and others out."""

from __future__ import annotations

from generator.validate.kinds import Kinds
from generator.validate.plans import KindPlan, LayoutPlan
from generator.validate.types.base import Reading


def check_track(plan: KindPlan, kinds: Kinds, reading: Reading) -> None:
    """GP212 and GP213 for sections `tile` and `layout` that name what is not there."""
    for name, section in (("tile", plan.tile), ("layout", plan.layout)):
        if section is not None and plan.kind.made_from is not None:
            message = f"{name}: a kind made from another has no {name}s of its own"
            reading.fault(section.span, "GP213", message, f"give it to the {plan.kind.made_from}")
    if plan.layout is not None:
        _check_course(plan.layout, plan, reading)
        _check_tiles(plan.layout, kinds, reading)


def _check_course(layout: LayoutPlan, plan: KindPlan, reading: Reading) -> None:
    field = plan.kind.fields.get(layout.course)
    if field is None:
        message = f"layout.course: there is no field {str(layout.course)!r}"
        hint = reading.did_you_mean(layout.course, plan.kind.fields) or "add a field of type course"
        reading.fault(layout.course.span, "GP213", message, hint)
    elif field.type not in ("course", "node"):
        message = f"layout.course: {layout.course} is a field of type {field.type}"
        reading.fault(layout.course.span, "GP213", message, f"make it {layout.course}: "
                      "{type: course}")  # fmt: skip


def _check_tiles(layout: LayoutPlan, kinds: Kinds, reading: Reading) -> None:
    grid = ""
    for name in layout.tiles:
        plan = kinds.plans.get(name)
        if plan is None and kinds.excuses(name):
            continue
        if plan is None:
            message = f"layout.tiles: there is no kind {str(name)!r}"
            reading.report(name.span, "GP212", message, reading.did_you_mean(name, kinds.plans))
        elif plan.tile is None and not plan.sound:
            continue  # its own section may be what is wrong with it
        elif plan.tile is None:
            message = f"layout.tiles: {name} is no kind of tiles"
            reading.fault(name.span, "GP213", message, f"give the kind {name} a section tile:")
        elif grid and plan.tile.grid != grid:
            message = f"layout.tiles: {name} is {plan.tile.grid}, but the kind before is {grid}"
            reading.fault(name.span, "GP213", message, "tiles of two grids do not fit together")
        else:
            grid = plan.tile.grid
