"""A run of text and the outline of its piece in, how far it reaches out of that out, mm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.geometry import Point
from generator.model.stock import Shape
from generator.preflight.faces import Specimen
from generator.preflight.lettering import Lettering
from generator.preflight.outline import depth_inside, outline
from generator.preflight.painted import PaintedText

TOUCH: Final = 0.15
"""mm that nobody sees; what GP404 allows while faces are drawn."""
_ROUND_OR_SLANTED: Final = (Shape.CIRCLE, Shape.HEXAGON)
_INK: Final = 64
"""Difference of a pixel that is part of a letter, not of its soft edge."""


def reach_out(specimen: Specimen, letters: Lettering, run: PaintedText, inside: float) -> float:
    """mm by which a run comes nearer to the cut than `inside`; 0 when that is no more than `TOUCH`.

    Rounded corners and pieces cut along a path of their own count as their box. In a circle and a
    hexagon the ink counts, not the box around it, whose corners are empty.
    """
    look, box = specimen.look, run.box
    if look.shape not in _ROUND_OR_SLANTED:
        trim = look.box
        nearest = min(
            box.x - trim.x, box.y - trim.y, trim.right - box.right, trim.bottom - box.bottom
        )
        return inside - nearest if inside - nearest > TOUCH else 0.0
    corners = outline(look.box, look.shape)
    out = inside - min(
        depth_inside(corner, corners) for corner in outline(run.box, Shape.RECTANGLE)
    )
    if out > TOUCH:
        out = min(out, inside - _depth_of_ink(letters, run, corners))
    return out if out > TOUCH else 0.0


def _depth_of_ink(letters: Lettering, run: PaintedText, corners: Sequence[Point]) -> float:
    """How far the ink of a run stays inside an outline, mm: to the middle of its pixels."""
    box = run.box.cut_to(letters.raster.box)
    part = letters.raster.part(box)
    across, down = box.width / part.width, box.height / part.height
    depths = [
        depth_inside(
            Point(
                box.x + (number % part.width + 0.5) * across,
                box.y + (number // part.width + 0.5) * down,
            ),
            corners,
        )
        for number, strength in enumerate(part.tobytes())
        if strength >= _INK
    ]
    return min(depths, default=0.0)
