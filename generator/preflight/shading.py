"""A run of text that PDFium calls white in, the colours that its pixels have instead out.

PDFium knows no colour of text that is painted with a gradient or a pattern, and says white.
"""

from __future__ import annotations

from typing import Any, Final

from PIL import ImageChops

from generator.geometry import Rect
from generator.preflight.faces import Specimen
from generator.preflight.page_objects import Colour
from generator.preflight.painted import PaintedText
from generator.sums import summed

WHITE: Final = (255, 255, 255)
_SEEN: Final = 24
"""Levels of 255 by which a pixel must differ from the ground to be ink."""


def is_shaded(specimen: Specimen, run: PaintedText, box: Rect) -> bool:
    """True when something in a box, mm, is darker than what is behind the words: white is not.
    Other words in the place, such as a shadow, would be that as well, and nothing is told then."""
    if run.colour != WHITE or run.stroke is not None or _meets_others(specimen, run):
        return False
    darker = ImageChops.subtract(specimen.ground.part(box), specimen.seen.part(box))
    ends: Any = darker.getextrema()
    return any(most > _SEEN for _, most in ends)


def shade(specimen: Specimen, place: Rect) -> Colour | None:
    """The colour, in a place, that differs most from what is behind it; None without any ink."""
    seen, ground = specimen.seen.part(place), specimen.ground.part(place)
    off, colour = max(
        (summed(abs(a - b) for a, b in zip(here, behind, strict=True)), here)
        for here, behind in zip(_pixels(seen), _pixels(ground), strict=True)
    )
    return colour if off > _SEEN else None


def _meets_others(specimen: Specimen, run: PaintedText) -> bool:
    return any(
        other.colour != WHITE and other.box.overlaps(run.box) for other in specimen.painted.texts
    )


def _pixels(part: Any) -> list[Colour]:
    data = part.tobytes()
    return list(zip(data[::3], data[1::3], data[2::3], strict=True))
