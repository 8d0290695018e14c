"""Finds what was left in a picture of its making: chequers that show where nothing is, a rim of
what it was cut out of."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops

from generator.geometry import summed
from generator.preflight.raster import levelled

_Bytes = npt.NDArray[np.uint8]
_Mask = npt.NDArray[np.bool_]
_Kind = TypeVar("_Kind", np.uint8, np.bool_)
_PLAIN: Final = 3
"""Levels of 255 by which one colour may differ."""
_CHEQUERED, _REGULAR = 0.08, 0.85
"""Of a picture, what each of two greys of chequers has; how much more of it is in turn than not."""
_CHEQUER_SIDES, _CHEQUER_STEPS = (4, 33), range(12, 91)
"""Pixels of a square, from and below; levels between the greys."""
_IS_GREY: Final = [255 * (level <= 4) for level in range(256)]
_DEEP: Final = 7
"""Pixels of a rim that are looked at, from outside."""
_MOSTLY: Final = 0.7
_IS_OPAQUE, _IS_WHITE, _IS_SCREEN, _IS_EVEN, _IS_DARK = 128, 215, 80, 40, 80
"""Levels of 255 of what is opaque, white, green above red and blue, these apart, and dark."""
_RIMS: Final = {
    "white": "white rim, a fringe of the paper",
    "green": "green rim, a fringe of the screen",
    "dark": "dark rim, a fringe of the ground",
}
_DARK_RIM, _NOT_WITHIN, _STEP = 2, 0.35, 0.5
"""Pixels of a dark rim that is none of a drawing; how much of what is within may be as dark; and
by how much that is less from one pixel to the next."""
_THIN, _LINE, _DRAWN = 3, 60, 0.35
"""Pixels by which dark lines are closed, levels of what is one, and as a part of the edge how many
pixels of such make a drawing."""
_SOLID, _CLEAR, _CLOSED, _LIGHT = 250, 50, 200, 100
"""Levels of 255: what hides all, what is half clear from and to, and what is not dark."""
_SOFT_EDGE, _NEARLY, _LITTLE_LESS = 0.35, 20, 0.85
"""Of an edge, what is half clear; levels by which it is as when it was mixed with black, and which
part of the levels beside it is no darker."""


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
    """What a cut-out (RGB, and how opaque) has all along its edge, white, the green of a screen or
    dark, and not a little further in; empty for neither. A dark one may be drawn, where there are
    dark lines within, too, or it is wider."""
    alpha, pixels = np.asarray(opaque), np.asarray(colours)
    shape, lightest = alpha >= _IS_OPAQUE, pixels.max(axis=2)
    rings, within = _rings(shape, _DEEP)
    edge, inner = rings[0], rings[_DEEP - 1]
    red, green, blue = (pixels[..., band].astype(np.int16) for band in range(3))
    screen = (green - np.maximum(red, blue) >= _IS_SCREEN) & (abs(red - blue) <= _IS_EVEN)
    for name, like in (("white", pixels.min(axis=2) >= _IS_WHITE), ("green", screen)):
        if _share(like, edge) > _MOSTLY and _share(like, inner) < 1 - _MOSTLY:
            return _RIMS[name]
    dark = [_share(lightest <= _IS_DARK, ring) for ring in rings]
    if (
        dark[0] >= _MOSTLY
        and max(dark[_DARK_RIM : _DARK_RIM + 2]) <= _NOT_WITHIN
        and max(here - next_ for here, next_ in pairwise(dark[: _DARK_RIM + 1])) >= _STEP
    ):
        lines = (_closed(lightest, _THIN).astype(np.int16) - lightest > _LINE) & within
        drawn = _count(lines & (lightest <= _IS_DARK))
        return _RIMS["dark"] if drawn <= _DRAWN * _count(edge) else ""
    return _RIMS["dark"] if _is_mixed_with_black(lightest, alpha, _count(edge)) else ""


def _is_mixed_with_black(lightest: _Bytes, alpha: _Bytes, edge: int) -> bool:
    """Whether, where a cut-out lets see through, it is as much darker as it is clearer: it was
    drawn on black, and that is still in it."""
    solid = _grown(np.where(alpha >= _SOLID, lightest, 0), 2)
    part = (alpha >= _CLEAR) & (alpha <= _CLOSED) & (solid >= _LIGHT)
    if _count(part) < _SOFT_EDGE * edge:
        return False
    its, here, beside = alpha[part] / 255, lightest[part].astype(float), solid[part].astype(float)
    mixed = abs(here - beside * its) <= _NEARLY
    as_beside = here >= _LITTLE_LESS * beside
    return bool(mixed.mean() >= _MOSTLY and as_beside.mean() <= _NOT_WITHIN)


def _rings(shape: _Mask, count: int) -> tuple[list[_Mask], _Mask]:
    """The outermost pixels of a shape, those within them, and so on; and what is left."""
    rings = []
    for _ in range(count):
        less = ~_grown(~shape, 1)
        rings.append(shape & ~less)
        shape = less
    return rings, shape


def _closed(levels: _Bytes, by: int) -> _Bytes:
    """A picture without its dark lines that are thinner than twice as many pixels."""
    return 255 - _grown(255 - _grown(levels, by), by)


def _grown(levels: npt.NDArray[_Kind], by: int) -> npt.NDArray[_Kind]:
    """Each pixel with the largest value of those that are so near; in squares."""
    for _ in range(by):
        for axis in (0, 1):
            whole = np.moveaxis(levels, axis, 0)
            more = whole.copy()
            np.maximum(more[1:], whole[:-1], out=more[1:])
            np.maximum(more[:-1], whole[1:], out=more[:-1])
            levels = np.moveaxis(more, 0, axis)
    return levels


def _share(like: _Mask, ring: _Mask) -> float:
    """Which part of a ring is of a colour."""
    return _count(like & ring) / max(_count(ring), 1)


def _count(mask: _Mask) -> int:
    return int(np.count_nonzero(mask))
