"""Finds large flats that take much ink on a face in low ink, and reports where to replace their
colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from generator.diagnostics import Severity, Span
from generator.geometry import Rect
from generator.model.values import Record
from generator.render.display import GroupMark, Mark, PictureMark, ShapeMark
from generator.render.face_builder import FaceBuilder
from generator.render.ink import Ink
from generator.svg_subset import as_hex


class Flat(NamedTuple):
    """A colour of the SVG and the `part` of the face that it covers."""

    colour: str
    part: float


_STEPS: Final = 16
"""Places across and down a face where the topmost shape is looked up."""
_FULL: Final = 0.6
"""The part of its box that a shape fills to be a flat: a disc and a hexagon are, a star is not."""
_DEEP: Final = 0.9
"""The least opacity of a flat."""


def flats(marks: Sequence[Mark], width: float, height: float) -> list[Flat]:
    """Return the topmost flats of a face of that size, mm. A gradient counts as its darkest colour;
    a picture is no flat."""
    shapes = list(_shapes(marks, 1.0))
    found: Counter[str] = Counter()
    for down in range(_STEPS):
        for across in range(_STEPS):
            x, y = (across + 0.5) / _STEPS * width, (down + 0.5) / _STEPS * height
            for colour, box in reversed(shapes):
                if box.x <= x <= box.right and box.y <= y <= box.bottom:
                    found[colour] += 1
                    break
    return [Flat(colour, times / _STEPS**2) for colour, times in found.items()]


def _shapes(marks: Sequence[Mark], opacity: float) -> Iterator[tuple[str, Rect]]:
    """Yield the colour and box of opaque shapes, in painting order."""
    for mark in marks:
        if isinstance(mark, GroupMark):
            yield from _shapes(mark.marks, opacity * mark.opacity)
        elif isinstance(mark, PictureMark):
            yield "image", mark.matrix.box(mark.box)
        elif isinstance(mark, ShapeMark) and mark.fills:
            look, box = mark.look, mark.outline.box
            if opacity * mark.opacity * look.fill_opacity < _DEEP:
                continue
            if not mark.outline.is_rect and mark.outline.area < _FULL * box.width * box.height:
                continue
            colour = look.fill
            if mark.fill is not None:
                colour = min((paint for _, paint in mark.fill.stops), key=_strength)
            yield colour, mark.matrix.box(box)


def _strength(colour: str) -> int:
    plain = as_hex(colour) or "#ffffff"
    return sum(int(plain[at : at + 2], 16) for at in (1, 3, 5))


_PART: Final = 0.2
_OWN_PART: Final = 0.5
"""The least part of a face that a reported flat covers, for a component's own colour, which
distinguishes it, and for others."""
_AREA: Final = 1_000.0
_OWN_AREA: Final = 1_500.0
"""The least area of a reported flat, mm². On small pieces a flat over `_MOST` of the face is
reported, too."""
_MOST: Final = 0.35
_LONGEST: Final = 40


def blame_flats(
    ink: Ink,
    builder: FaceBuilder,
    marks: Sequence[Mark],
    colours: Mapping[str, str],
    styles: str,
) -> None:
    """Report flats of a face that take much ink in low ink (GP310), at the styles file, by their
    names in the pack's `colours`."""
    trim = builder.stock.trim
    for flat in flats(marks, trim.width, trim.height):
        colour, area = as_hex(flat.colour), flat.part * trim.width * trim.height
        if colour is None or not ink.is_costly(colour):
            continue
        is_own = _is_own(colour, builder.component.values)
        if is_own and (flat.part < _OWN_PART or area < _OWN_AREA):
            continue
        if flat.part < _PART or (flat.part < _MOST and area < _AREA):
            continue
        name = next((name for name, known in colours.items() if known == colour), "")
        shown = f"{name} ({flat.colour})" if name else flat.colour
        whose = ", the component's own colour," if is_own else ""
        message = f"{shown}{whose} still uses full ink with --ink low"
        given, whom = (name, "it") if name else ("field", "that name")
        hint = "" if name else f'name it under colours: in styles.yaml, as field: "{flat.colour}"\n'
        hint += f"give {whom} a light colour under ink: low: in styles.yaml"
        hint += f', as {given}: "#f4efe6"'
        hint += '\nor draw less in the template, {% if ink == "low" %}'
        builder.blame_template(Span(styles), "GP310", message, hint, Severity.WARNING)


def _is_own(colour: str, value: Any, depth: int = 3) -> bool:
    """Return True if a colour is a value of a component, or of one it refers to."""
    if isinstance(value, str):
        return len(value) < _LONGEST and as_hex(value) == colour
    inside = value.values() if isinstance(value, Record) else value
    return (
        depth > 0
        and isinstance(value, (Record, tuple))
        and any(_is_own(colour, inner, depth - 1) for inner in inside)
    )
