"""The pictures of a file in; what their pixels tell of where they came from out: nothing is in
them, or they were enlarged before they came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pikepdf import PdfImage, Stream
from PIL import Image, ImageChops

from generator.diagnostics import Severity
from generator.preflight.checking import Finding, Subject
from generator.preflight.image_checks import COARSE_DPI, NOT_READ, Picture, dpi, pictures
from generator.units import summed

_LARGE: Final = 1000
"""Pixels of the middle of a picture, across and down, that tell as much as all of them."""
_PLAIN: Final = 3
"""Levels of 255 between the darkest and the lightest of what has one colour."""
_SQUEEZED: Final = 0.05
"""Bytes that a pixel takes at most where all are alike: only those pictures are looked into."""
_TIMES: Final = 3
"""How much smaller a sharp picture cannot be made without losing something."""
_LOST: Final = 14
"""Levels that all but a few pixels then differ by less: a file that is squeezed may."""
_FEW: Final = 0.001
_EDGE: Final = 24
"""Levels between neighbours of a picture that is six times as small, where it has an edge: a fog
and a sky have none, and lose nothing."""
_SMALL: Final = 60
"""Pixels, of the shorter side, of a picture of which nothing can be said."""


def emptiness(subject: Subject) -> Iterator[Finding]:
    """GP835: there is something in every picture."""
    for picture in pictures(subject):
        what = _empty(picture)
        if what:
            yield picture.finding(
                "GP835",
                f"is {what}",
                "was it saved without its layers? If it is to be so, draw a shape instead",
                picture.largest,
                Severity.WARNING,
            )


def sharpness(subject: Subject) -> Iterator[Finding]:
    """GP836: no picture was enlarged before it came, so that its pixels tell more than there is."""
    for picture in pictures(subject):
        found = dpi(picture.pixels, picture.largest) / _TIMES
        if found < COARSE_DPI and min(picture.pixels) > _SMALL and _is_soft(picture):
            yield picture.finding(
                "GP836",
                f"is not sharp: it shows no more than one of {found:.0f} dpi would",
                "it was enlarged, or is blurred: take a larger original",
                picture.largest,
                Severity.WARNING,
            )


def _empty(picture: Picture) -> str:
    """In words what a picture is in which there is nothing; empty for others."""
    mask = picture.image.get("/SMask")
    if mask is not None and (opacity := mask.read_bytes()) and not opacity.strip(b"\0"):
        return "transparent everywhere"
    width, height = picture.pixels
    if mask is not None or int(picture.image.get("/Length", 0)) > _SQUEEZED * width * height:
        return ""
    seen = _middle(picture)
    if seen is not None and min(width, height) > 1:
        ends: Any = seen.getextrema()
        if all(most - least <= _PLAIN for least, most in ends):
            return "of one colour everywhere"
    return ""


def _is_soft(picture: Picture) -> bool:
    seen = _middle(picture)
    if seen is None:
        return False
    light = seen.convert("L")
    small = light.reduce(_TIMES * 2)
    across = ImageChops.difference(small, ImageChops.offset(small, 1, 0))
    inner = across.crop((1, 0, small.width, small.height))
    edges: Any = inner.getextrema()
    if edges[1] < _EDGE:
        return False
    back = light.reduce(_TIMES).resize(light.size, Image.Resampling.BICUBIC)
    counts = ImageChops.difference(light, back).histogram()
    return bool(summed(counts[_LOST:]) < _FEW * summed(counts))


def _middle(picture: Picture) -> Image.Image | None:
    """The middle of a picture in RGB; None of one that Pillow cannot read."""
    if not isinstance(picture.image, Stream):
        return None
    try:
        seen = PdfImage(picture.image).as_pil_image()
        if seen.mode.startswith("I"):
            return None  # grey of 16 bits: all but the darkest would come out white
        width, height = (min(side, _LARGE) for side in seen.size)
        x, y = (seen.width - width) // 2, (seen.height - height) // 2
        return seen.crop((x, y, x + width, y + height)).convert("RGB")
    except NOT_READ:
        return None
