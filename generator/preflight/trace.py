"""A specimen in, the little that is kept of it to compare it with all the others out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PIL import Image

from generator.geometry import Rect
from generator.preflight.expectation import Expected
from generator.preflight.painted import Colour
from generator.preflight.specimen import Specimen

THUMBNAIL: Final = 48
"""Pixels, of the longer side of the small picture of a trim that is kept."""
_GRID: Final = 0.1
"""mm to which places are rounded where shapes are compared."""

Mark = tuple[str, float, float, float, float, int]
"""What is painted, without its colour: its words or kind, its place in the face, its segments."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What stays of a face: whose it is, on which page it was seen, how often it is printed; a
    small picture of its trim (RGB, row by row), its words, and the colour of each mark in it."""

    expected: Expected
    page: int
    copies: int
    size: tuple[int, int]
    thumbnail: bytes
    words: str
    marks: Mapping[Mark, Colour]


def trace(specimen: Specimen) -> Trace:
    """What is kept of a face."""
    picture = specimen.seen.part(specimen.expected.box)
    picture.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX)
    painted = specimen.painted
    marks: dict[Mark, Colour] = {}
    for text in painted.texts:
        marks[_mark(specimen, text.words, text.box, 0)] = text.colour
    for shape in painted.shapes:
        colour = shape.fill or shape.stroke
        if colour is not None:
            kind = "fill" if shape.fill else "stroke"
            marks[_mark(specimen, kind, shape.box, shape.segments)] = colour
    return Trace(
        specimen.expected,
        specimen.page,
        specimen.copies,
        picture.size,
        picture.tobytes(),
        " ".join(text.words for text in painted.texts),
        marks,
    )


def _mark(specimen: Specimen, what: str, box: Rect, segments: int) -> Mark:
    trim = specimen.expected.box
    x, y, w, h = (
        round(v / _GRID) * _GRID for v in (box.x - trim.x, box.y - trim.y, box.width, box.height)
    )
    return (what, x, y, w, h, segments)
