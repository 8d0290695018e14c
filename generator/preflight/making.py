"""Finds what was left in a picture of its making: chequers that show where nothing is, a rim of
what it was cut out of."""

from __future__ import annotations

from functools import reduce
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageFilter

from generator.geometry import summed
from generator.preflight.raster import levelled

_PLAIN: Final = 3
"""Levels of 255 by which one colour may differ."""
_CHEQUERED, _REGULAR = 0.08, 0.85
"""Of a picture, what each of two greys of chequers has; how much more of it is in turn than not."""
_CHEQUER_SIDES, _CHEQUER_STEPS = (4, 33), range(12, 91)
"""Pixels of a square, from and below; levels between the greys."""
_IS_GREY: Final = [255 * (level <= 4) for level in range(256)]
_RIM: Final = 13
"""Pixels across of what is taken off a cut-out, all round, to be within its rim."""
_MOSTLY: Final = 0.7
_IS_OPAQUE: Final = [255 * (level >= 128) for level in range(256)]
_IS_WHITE: Final = [255 * (level >= 215) for level in range(256)]
_IS_SCREEN: Final = [255 * (level >= 80) for level in range(256)]
_IS_EVEN: Final = [255 * (level <= 40) for level in range(256)]
_RIMS: Final = {
    "white rim, a fringe of the paper": "white",
    "green rim, a fringe of the screen": "green",
}


def has_chequers(seen: Image.Image) -> bool:
    """Whether two greys take turns in small squares, both ways, on much of a picture."""
    red, green, blue = seen.split()
    off = ImageChops.lighter(ImageChops.difference(red, green), ImageChops.difference(green, blue))
    counts = green.histogram(levelled(off, _IS_GREY))
    one = max(range(256), key=lambda level: counts[level])
    steps = [level for level in range(256) if abs(level - one) in _CHEQUER_STEPS]
    other = max(steps, key=lambda level: counts[level])
    shades = [summed(counts[max(level - _PLAIN, 0) : level + _PLAIN + 1]) for level in (one, other)]
    if min(shades) < _CHEQUERED * seen.width * seen.height:
        return False
    grey = np.asarray(green, np.int16)
    squares = (abs(grey - one) <= _PLAIN).astype(np.int8) - (abs(grey - other) <= _PLAIN)
    return any(
        all(
            _take_turns(way[side:], way[:-side], -1)
            and _take_turns(way[2 * side :], way[: -2 * side], 1)
            for way in (squares, squares.T)
        )
        for side in range(_CHEQUER_SIDES[0], min(_CHEQUER_SIDES[1], min(squares.shape) // 4))
    )


def _take_turns(one: npt.NDArray[np.int8], other: npt.NDArray[np.int8], sign: int) -> bool:
    """Whether squares, 1 and -1 for two greys and 0 for neither, are as such a step away."""
    agree = sign * one * other
    return int(agree.sum()) > _REGULAR * max(int(np.count_nonzero(agree)), 1)


def rim_of(colours: Image.Image, opaque: Image.Image) -> str:
    """What a cut-out (RGB, and how opaque) has all along its edge, white or the green of a screen,
    and not a little further in; empty for neither."""
    opaque = opaque.point(_IS_OPAQUE)
    red, green, blue = colours.split()
    white = reduce(ImageChops.darker, (red, green, blue)).point(_IS_WHITE)
    others = ImageChops.lighter(red, blue)
    screen = ImageChops.darker(
        ImageChops.subtract(green, others).point(_IS_SCREEN),
        ImageChops.difference(red, blue).point(_IS_EVEN),
    )
    edge = ImageChops.subtract(opaque, opaque.filter(ImageFilter.MinFilter(3)))
    inside = opaque.filter(ImageFilter.MinFilter(_RIM - 2))
    inner = ImageChops.subtract(inside, inside.filter(ImageFilter.MinFilter(3)))
    for name, like in _RIMS.items():
        here = white if like == "white" else screen
        if _share(here, edge) > _MOSTLY and _share(here, inner) < 1 - _MOSTLY:
            return name
    return ""


def _share(like: Image.Image, ring: Image.Image) -> float:
    """Which part of a ring is of a colour."""
    count = ring.histogram()[255]
    return ImageChops.darker(like, ring).histogram()[255] / max(count, 1)
