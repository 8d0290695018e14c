"""Checks the pictures of a face: stretched, slanted, far too fine, empty."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from generator.geometry import MM_PER_INCH
from generator.model.painted import FaceFinding, PaintedPicture, PictureLooks
from generator.preflight.face_scene import Scene

_STRETCH: Final = 0.02
_SLANT: Final = 0.6
"""Degrees that the sides may be off a right angle."""
_MOST_DPI: Final = 1200.0
_GOOD_DPI: Final = 300.0
_LARGE: Final = 4_000_000
"""Pixels of a picture that takes time to print."""
_RIGHT_ANGLE: Final = 90.0


def picture_findings(scene: Scene, looks: PictureLooks) -> Iterator[FaceFinding]:
    """Yield what is wrong with the pictures of a face."""
    for at, thing in enumerate(scene.painted):
        if isinstance(thing, PaintedPicture) and thing.matrix.area:
            yield from _stretched(at, thing)
            yield from _too_fine(at, thing)
            look = looks(thing)
            if look is not None and look.plain:
                message = f"{thing.name} is empty: all of it is one colour or transparent"
                hint = (
                    "export the picture again with its layers visible; if you want a plain colour,"
                    " draw a shape"
                )
                yield FaceFinding("GP835", message, hint, about=at, topic=thing.name)


def _stretched(at: int, picture: PaintedPicture) -> Iterator[FaceFinding]:
    """GP833: a picture is wider, narrower or more slanted than its file; mirrored is fine."""
    across, down = picture.matrix.across, picture.matrix.down
    a, b, c, d, _, _ = picture.matrix
    slant = abs(_RIGHT_ANGLE - math.degrees(math.acos((a * c + b * d) / (across * down))))
    if slant > _SLANT:
        message = f"{picture.name} is slanted by {slant:.1f}°"
        hint = "do not skew it, and scale it before you turn it"
        yield FaceFinding("GP833", message, hint, about=at, topic=picture.name)
        return
    wide, high = picture.width_px, picture.height_px
    stretch = across / wide / (down / high) - 1
    if abs(stretch) > _STRETCH + 1 / wide + 1 / high:
        way = "wider" if stretch > 0 else "narrower"
        message = f"{picture.name} is stretched: {100 * abs(stretch):.0f} % {way} than its file"
        hint = "give it a box of its own proportions, or crop it (fit='cover')"
        yield FaceFinding("GP833", message, hint, about=at, topic=picture.name)


def _too_fine(at: int, picture: PaintedPicture) -> Iterator[FaceFinding]:
    """GP834: a picture has far more pixels than paper can show, and is slow to print."""
    wide, high = picture.width_px, picture.height_px
    dpi = min(wide / picture.matrix.across, high / picture.matrix.down) * MM_PER_INCH
    if dpi > _MOST_DPI and wide * high > _LARGE:
        share = _GOOD_DPI / dpi
        message = f"{picture.name} ({wide:,} × {high:,} pixels) is printed at {dpi:,.0f} dpi"
        hint = (
            f"this is slow to print; scale it down to {math.ceil(wide * share):,} ×"
            f" {math.ceil(high * share):,} pixels ({_GOOD_DPI:.0f} dpi), which look the same"
        )
        yield FaceFinding("GP834", message, hint, about=at, topic=picture.name)
