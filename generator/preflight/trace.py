"""A specimen in, the little that is kept of it to compare it with all the others out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image

from generator.preflight import marks
from generator.preflight.expectation import Expected
from generator.preflight.specimen import Specimen

THUMBNAIL: Final = 48
"""Pixels, of the longer side of the small picture of a trim that is kept."""
_UPRIGHT: Final = (
    None,
    Image.Transpose.ROTATE_90,
    Image.Transpose.ROTATE_180,
    Image.Transpose.ROTATE_270,
)
"""What undoes a clockwise turn of so many quarters; Pillow's own go the other way about."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What stays of a face: whose it is, on which page it was seen, how often it is printed; a
    small picture of its upright trim (RGB, row by row), its words, and, if it is coded, its marks,
    packed. About 10 KB in all."""

    expected: Expected
    page: int
    copies: int
    size: tuple[int, int]
    thumbnail: bytes
    words: str
    marks: bytes


def trace(specimen: Specimen) -> Trace:
    """What is kept of a face."""
    picture = specimen.seen.part(specimen.expected.box)
    turned = _UPRIGHT[specimen.expected.rotation // 90 % 4]
    if turned is not None:
        picture = picture.transpose(turned)
    picture.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX)
    return Trace(
        specimen.expected,
        specimen.page,
        specimen.copies,
        picture.size,
        picture.tobytes(),
        " ".join(text.words for text in specimen.painted.texts),
        marks.packed(specimen.painted, specimen.expected) if specimen.coded else b"",
    )
