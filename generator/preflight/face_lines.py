"""Checks the lines of a face: those that are too thin to print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.geometry import Point, Rect, bounds
from generator.luminance import luminance
from generator.model.painted import FaceFinding, PaintedShape
from generator.preflight.face_scene import Scene

_FINE: Final = 0.09
"""mm (0.25 pt): printers draw thinner lines in any width, or not at all."""
_FINE_PALE: Final = 0.14
"""mm (0.4 pt): thinner pale lines on a dark ground fill with ink."""
_ROUNDING: Final = 0.005
_SLIVER: Final = 0.03
"""mm of a shape that a clip path may leave through rounding."""
_LONG: Final = 15.0
"""mm: shorter lines are texture, which nobody misses."""
_FAINT: Final = 0.1
"""Opacity below which nobody misses a line."""
_PALE, _DARK = 0.5, 0.18
"""Luminance."""


def line_findings(scene: Scene) -> Iterator[FaceFinding]:
    """GP829: yield the thinnest unprintable line of each sort."""
    thin: list[tuple[float, int]] = []
    pale: list[tuple[float, int]] = []
    for at, thing in enumerate(scene.painted):
        if not isinstance(thing, PaintedShape) or thing.opacity < _FAINT:
            continue
        width = thing.line or (min(thing.box.width, thing.box.height) if thing.solid else _LONG)
        if not _SLIVER <= width < _FINE_PALE - _ROUNDING:
            continue
        if not _is_long(thing) or _is_seam(scene, at):
            continue
        if width < _FINE - _ROUNDING:
            thin.append((width, at))
        elif _is_pale_on_dark(scene, at):
            pale.append((width, at))
    yield from _told(thin, "a line", _FINE)
    yield from _told(pale, "a pale line on a dark colour", _FINE_PALE)


def _told(lines: list[tuple[float, int]], what: str, needed: float) -> Iterator[FaceFinding]:
    if lines:
        (width, at), *others = sorted(lines)
        more = f"; {len(others)} more like it" if others else ""
        message = f"{what} is {width:.2f} mm wide, too thin to print well{more}"
        hint = f"make it at least {needed:g} mm wide"
        yield FaceFinding("GP829", message, hint, about=at, topic=what)


def _is_long(shape: PaintedShape) -> bool:
    """Return whether a line has a part of at least `_LONG` mm inside its clip path."""
    if max(shape.box.width, shape.box.height) < _LONG:
        return False
    parts: list[list[Point]] = []
    for step, values in shape.segments:
        if step == "M":
            parts.append([])
        pairs = zip(values[::2], values[1::2], strict=True)
        parts[-1] += [shape.matrix.point(Point(x, y)) for x, y in pairs]
    return any(max(box.width, box.height) >= _LONG for box in map(bounds, parts))


def _is_seam(scene: Scene, at: int) -> bool:
    """Return whether a line surrounds a fill of its own colour."""
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
    """Return whether a pale line starts on, or a pale bar lies on, a ground known to be dark."""
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
