"""Checks the lines of a face: those that are too thin to print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from generator.geometry import Point, Rect
from generator.luminance import luminance
from generator.model.painted import FaceFinding, Painted, PaintedShape
from generator.preflight.face_scene import Scene

_FINE: Final = 0.1
"""mm: printers draw a thinner line as wide as they like, or not at all."""
_FINE_PALE: Final = 0.2
"""mm: a thinner pale line on a dark ground fills in with ink."""
_ROUNDING: Final = 0.005
_SLIVER: Final = 0.03
"""mm of a shape that a clip path may leave by rounding."""
_LONG, _SHORT = 15.0, 3.0
"""mm: shorter lines are the grain of a drawing, where there are more than a few."""
_FEW: Final = 6
_IN_SMALL, _SHORT_IN_SMALL = 0.35, 0.6
"""mm of a unit: a drawing in a smaller scale may lose its lines, long and short."""
_FAINT: Final = 0.1
"""Opacity below which nobody misses a line."""
_PALE, _DARK = 0.5, 0.18
"""Luminance."""


def line_findings(scene: Scene) -> Iterator[FaceFinding]:
    """GP829: no line is too thin to print; the thinnest is reported, of each sort."""
    thin: list[tuple[float, int, float]] = []
    pale: list[tuple[float, int, float]] = []
    for at, thing in enumerate(scene.painted):
        if not isinstance(thing, PaintedShape) or thing.opacity < _FAINT:
            continue
        long = max(thing.box.width, thing.box.height)
        width = thing.line or (min(thing.box.width, thing.box.height) if thing.solid else _LONG)
        if (
            width < _SLIVER
            or long < _SHORT
            or width >= _FINE_PALE - _ROUNDING
            or _is_seam(scene, at)
        ):
            continue
        if width < _FINE - _ROUNDING:
            thin.append((width, at, long))
        elif _is_pale_on_dark(scene, at):
            pale.append((width, at, long))
    yield from _told(scene, thin, "a line", _FINE)
    yield from _told(scene, pale, "a pale line on a dark colour", _FINE_PALE)


def _told(
    scene: Scene, lines: list[tuple[float, int, float]], what: str, needed: float
) -> Iterator[FaceFinding]:
    if not lines:
        return
    least = _SHORT if len(lines) <= _FEW else _LONG
    scales = Counter(map(_scale, scene.painted))
    counted = sorted(
        (width, at, long)
        for width, at, long in lines
        if long >= least and not _is_in_small(_scale(scene.painted[at]), long, scales)
    )
    if counted:
        (width, at, _), *others = counted
        more = f"; {len(others)} more like it" if others else ""
        message = f"{what} is {width:.2f} mm wide, too thin to print well{more}"
        hint = f"make it at least {needed:g} mm wide"
        yield FaceFinding("GP829", message, hint, about=at, topic=what)


def _scale(thing: Painted) -> float:
    return round(thing.matrix.across, 3) if isinstance(thing, PaintedShape) else 0.0


def _is_in_small(scale: float, long: float, scales: Counter[float]) -> bool:
    """True for a line of a drawing of several parts that is shown in a small scale."""
    return scale < (_SHORT_IN_SMALL if long < _LONG else _IN_SMALL) and scales[scale] > _FEW


def _is_seam(scene: Scene, at: int) -> bool:
    """True for the line around a fill of its own colour."""
    shape, below = scene.painted[at], scene.painted[at - 1] if at else None
    return (
        isinstance(shape, PaintedShape)
        and isinstance(below, PaintedShape)
        and bool(shape.line)
        and not below.line
        and shape.colour == below.colour
        and shape.segments == below.segments
    )


def _is_pale_on_dark(scene: Scene, at: int) -> bool:
    """True where the ground is known and dark at the start of a pale line, or around a pale bar."""
    shape = scene.painted[at]
    assert isinstance(shape, PaintedShape)
    if not shape.colour or luminance(shape.colour) < _PALE:
        return False
    point = shape.box.centre
    if shape.line and shape.segments and shape.segments[0][1]:
        x, y = shape.segments[0][1][:2]
        point = shape.matrix.point(Point(x, y))
    ground = scene.ground_at(point, Rect(point.x, point.y, 0, 0).grown(0.5), at)
    return ground is not None and ground.most < _DARK
