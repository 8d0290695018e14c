"""Finds what was left in a picture of its making: guides, chequers that show where nothing is, a
rim of what it was cut out of."""

from __future__ import annotations

import re
from functools import reduce
from itertools import pairwise
from statistics import median
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageFilter

from generator.geometry import summed
from generator.preflight.raster import levelled

_PLAIN: Final = 3
"""Levels of 255 by which one colour may differ."""
_APART: Final = 4
"""Pixels beside a guide where it is no more."""
_BOTH_WAYS: Final = (_APART, -_APART)
_TOGETHER: Final = 10
"""Rows of which a mean is taken first, which is faster than of all at once."""
_STANDS_OUT: Final = 24
_IS_STRONG: Final = [255 * (level >= 120) for level in range(256)]
"""How much colour there is in that of a guide, even one that a JPEG has washed out."""
_HUE: Final = 12
_GUIDES: Final = {"red": 0, "yellow": 43, "green": 85, "cyan": 128, "blue": 170, "magenta": 213}
"""The hues of guides, of 256."""
_SPECKS: Final = 0.2
"""Of a line that may be otherwise, as where another line crosses it, or beyond a frame."""
_RULED: Final = 6
"""Thin lines side by side from which on they are a pattern, not guides."""
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
_DASHES, _EVEN_DASHES = 8, 0.2
"""Dashes of a guide at least, and by which part of their distance one may lie otherwise."""


def guide_in(seen: Image.Image) -> str:
    """The colour of a line of one or two pixels that goes all across or down in a colour of
    guides; empty where there is none."""
    width, height = seen.size
    upright = seen.reduce((1, _TOGETHER)).resize((width, 1), Image.Resampling.BOX)
    level = seen.reduce((width, 1)).transpose(Image.Transpose.TRANSPOSE)
    found = [(_apart(upright), 1, height), (_apart(level), width, 1)]
    if any(_count_of_lines(apart) >= _RULED for apart, _, _ in found):
        return ""
    for apart, wide, high in found:
        for at in range(_APART, len(apart) - _APART):
            if apart[at] > _STANDS_OUT:
                x, y = (0, at) if wide == width else (at, 0)
                colour = _guide_colour(seen.crop((x, y, x + wide, y + high)))
                if colour:
                    return colour
    return ""


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


def _apart(profile: Image.Image) -> bytes:
    """How far each place of a row of colours stands out from what is beside it on both sides."""
    sides = (ImageChops.difference(profile, ImageChops.offset(profile, by, 0)) for by in _BOTH_WAYS)
    return reduce(ImageChops.lighter, ImageChops.darker(*sides).split()).tobytes()


def _count_of_lines(apart: bytes) -> int:
    """How many thin lines there are, of how far each place stands out from both sides."""
    return len(re.findall(rb"[^\0-\x18]+", apart[_APART:-_APART]))


def _guide_colour(line: Image.Image) -> str:
    """What colour of guides nearly all of a line has, if any."""
    hue, strength, _ = line.convert("HSV").split()
    strong = levelled(strength, _IS_STRONG)
    for name, middle in _GUIDES.items():
        is_near = [255 * (min(abs(h - middle), 256 - abs(h - middle)) <= _HUE) for h in range(256)]
        marked = ImageChops.darker(strong, levelled(hue, is_near)).tobytes()
        if marked.count(255) >= (1 - _SPECKS) * len(marked) or _is_dashed(marked):
            return name
    return ""


def _is_dashed(marked: bytes) -> bool:
    """Whether a line is marked in dashes that are nearly all as far apart, from end to end."""
    starts = [dash.start() for dash in re.finditer(rb"\xff{2,}", marked)]
    if len(starts) < _DASHES:
        return False
    steps = [after - before for before, after in pairwise(starts)]
    step = median(steps)
    ends = starts[0] < 2 * step and len(marked) - starts[-1] < 3 * step
    even = summed(abs(each - step) <= max(_EVEN_DASHES * step, 1) for each in steps)
    return ends and even >= (1 - _SPECKS) * len(steps)


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
