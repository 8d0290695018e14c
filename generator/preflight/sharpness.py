"""Tells whether a picture is as sharp as it has pixels: whether it was enlarged, smoothly or each
pixel as a square, is blurred, or was crushed as a JPEG of very low quality.

A picture that has any edges has some that rise within a pixel or two, whatever it shows; one that
was enlarged has none. Where all is smooth (a sky, a glow, a wash) nothing can be told."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from PIL import Image, ImageChops

from generator.geometry import summed
from generator.preflight.image_checks import COARSE_DPI
from generator.preflight.raster import levelled

_TIMES: Final = 3
"""How much smaller a picture is made that tells as much as one that is not sharp."""
_STRIP: Final = 120
"""Rows that are looked at in one go: most pictures are sharp in the first."""
_HALVES: Final = (1, 2, 4, 4)
"""Pixels by which a window is made larger, step by step, from one to twelve."""
_WINDOW: Final = 12
_EDGE: Final = 48
"""Levels of 255 between the darkest and the lightest pixel of a window that has an edge."""
_ON: Final = 1.5
"""How much more there may be between those of a window twice as wide: else it is a slope."""
_WITHIN_ONE: Final = 0.4
"""Part of its height that a sharp edge rises from one pixel to the next."""
_SHARP: Final = 0.015
"""Of the windows with an edge, those with a sharp one in their middle: 2.8 % and more in sharp
photographs, 1.3 % and less when they were enlarged three times."""
_EDGES: Final = 0.003
"""Of all windows, those that have an edge: in fewer nothing can be told."""
_COARSER: Final = 3
"""How much smaller a picture without edges is made, to see whether it has blurred ones."""
_TOLD: Final = 500
"""Windows with an edge of which some are enough."""
_IS_EDGE: Final = [255 * (level >= _EDGE) for level in range(256)]
_STEEP: Final = [round(level * _WITHIN_ONE) for level in range(256)]
_LESS: Final = [round(level / _ON) for level in range(256)]
_IS_NONE: Final = [255 * (level == 0) for level in range(256)]

_LARGEST: Final = 16
"""How many pixels wide one is at most that was enlarged to a square."""
_BETWEEN: Final = 2
"""How much larger steps between such squares are than those to both sides."""
_PEAKS: Final = 0.45
"""Of all steps, those that are so large: half and more even in a JPEG of them, 4 % in photos."""
_A_LEVEL: Final = 0.6
"""Levels of 255 that such steps are high, a mean: a slope rises by one every few pixels."""
_EVENLY: Final = 0.6
"""Of the distances of such steps, those that are as all are, but for a pixel."""
_FEW_COLOURS: Final = 64
"""In art that is drawn pixel by pixel, and enlarged so by intent."""

_SQUARE: Final = 8
"""Pixels a side of the squares of a JPEG."""
_CRUSHED: Final = ((2.3, 4.0), (6.0, 1.0))
"""How much larger steps between squares are than those within, and how many levels at least: both
of the first in pictures full of things, of the second in smooth ones. So is a quality of 5 and
less, mostly of 10."""
_DRAWN: Final = 20
"""Levels of such steps: less is an even ground, more is drawn."""
_SMOOTH: Final = 0.1
"""Least level of a step that is divided by."""


def blunt(seen: Image.Image, fewest: float) -> Iterator[tuple[str, str, str]]:
    """Why a picture (RGB), of which an inch has at least so many pixels, is not sharp: code,
    message and hint."""
    wide, light = _as_squares(seen), seen.convert("L")
    if wide:
        if fewest / wide < COARSE_DPI and not _is_pixel_art(seen, wide):
            message = (
                f"is not sharp: each of its pixels is {wide} wide, {fewest / wide:.0f} an inch"
            )
            yield "GP836", message, "it was enlarged without smoothing: take a larger original"
    elif fewest / _TIMES < COARSE_DPI and _is_soft(light):
        message = f"is not sharp: it shows no more than one of {fewest / _TIMES:.0f} dpi would"
        yield "GP836", message, "it was enlarged, or is blurred: take a larger original"
    elif _is_crushed(light):
        message = "is not sharp: squares of 8 pixels show, of a JPEG of very low quality"
        yield "GP836", message, "take the original, or save it with a quality of 80 and more"


def _is_soft(light: Image.Image) -> bool:
    """True for shades of grey that have edges, but none that is finer than those of a picture that
    was enlarged three times."""
    sharp = edges = 0
    least, steep = _EDGES * light.width * light.height, _steep_steps(light)
    for strip in _strips(light):
        here, some = _edges(strip)
        sharp, edges = sharp + here, edges + some
        if edges >= _TOLD and sharp >= 2 * _SHARP * edges:
            return False
        if edges >= least and steep < _SHARP * edges:
            return True  # whatever the rest shows: no edge is sharp without such a step
    if edges >= least:
        return sharp < _SHARP * edges
    small = light.reduce(_COARSER)
    sharp, edges = _edges(small)
    return edges >= _EDGES * small.width * small.height and sharp < _SHARP * edges


def _steep_steps(light: Image.Image) -> int:
    """How many steps from a pixel to the next are as high as those of a sharp edge, both ways."""
    below = light.crop((0, 1, light.width, light.height))
    down = ImageChops.difference(light.crop((0, 0, light.width, light.height - 1)), below)
    steps = (ImageChops.difference(*_beside(light, 1)), down)
    return summed(count for way in steps for count in way.histogram()[_STEEP[_EDGE] :])


def _strips(light: Image.Image) -> Iterator[Image.Image]:
    for top in range(0, light.height, _STRIP):
        yield light.crop((0, top, light.width, min(top + _STRIP, light.height)))


def _edges(light: Image.Image) -> tuple[int, int]:
    """How many windows have a sharp edge in their middle, and how many have any; both ways."""
    ways = [_edges_across(way) for way in (light, light.transpose(Image.Transpose.TRANSPOSE))]
    (right, all_right), (down, all_down) = ways
    return right + down, all_right + all_down


def _edges_across(light: Image.Image) -> tuple[int, int]:
    width, height = light.size
    count = width - 2 * _WINDOW + 1
    if count <= 0:
        return 0, 0
    high = low = light
    for by in _HALVES:
        high, low = ImageChops.lighter(*_beside(high, by)), ImageChops.darker(*_beside(low, by))
    wide = ImageChops.subtract(
        ImageChops.lighter(*_beside(high, _WINDOW)), ImageChops.darker(*_beside(low, _WINDOW))
    )
    start = _WINDOW // 2
    spread = ImageChops.subtract(high, low).crop((start, 0, start + count, height))
    goes_on = levelled(ImageChops.subtract(levelled(wide, _LESS), spread), _IS_NONE)
    mask = ImageChops.darker(levelled(spread, _IS_EDGE), goes_on)
    start += _WINDOW // 2 - 1
    step = ImageChops.difference(*_beside(light, 1)).crop((start, 0, start + count, height))
    lacking: list[int] = ImageChops.subtract(levelled(spread, _STEEP), step).histogram(mask)
    return lacking[0], summed(lacking)


def _beside(image: Image.Image, by: int) -> tuple[Image.Image, Image.Image]:
    """The picture without its last columns, and without as many of its first."""
    width, height = image.size
    return image.crop((0, 0, width - by, height)), image.crop((by, 0, width, height))


def _as_squares(seen: Image.Image) -> int:
    """How many pixels wide the squares are that each pixel of a picture (RGB) was enlarged to; 0
    where it was not."""
    light = seen.convert("L")
    wide = _square_width(_steps_across(light))
    upright = light.transpose(Image.Transpose.TRANSPOSE) if wide else light
    return min(wide, _square_width(_steps_across(upright))) if wide else 0


def _is_pixel_art(seen: Image.Image, wide: int) -> bool:
    """True for squares, so wide, of few colours: they are drawn."""
    small = seen.resize((seen.width // wide, seen.height // wide), Image.Resampling.NEAREST)
    return small.getcolors(_FEW_COLOURS) is not None


def _square_width(steps: array[float]) -> int:
    """How far lines between squares are apart: steps that are far larger than those to both sides,
    if there is not much else, and they are even."""
    beside = zip(steps, steps[1:], steps[2:], strict=False)
    peaks = [at for at, (a, here, b) in enumerate(beside, 1) if here > _BETWEEN * max(a, b)]
    apart = [after - at for at, after in pairwise(peaks)]
    if not apart or summed(steps[at] for at in peaks) < _PEAKS * summed(steps):
        return 0
    if fmean(steps[at] for at in peaks) < _A_LEVEL:
        return 0
    usual = median(apart)
    even = summed(abs(by - usual) <= 1 for by in apart)
    return round(usual) if usual <= _LARGEST and even >= _EVENLY * len(apart) else 0


def _is_crushed(light: Image.Image) -> bool:
    """True where steps between the squares of a JPEG, which begin at a corner of the picture, are
    twice those within. Of squares that are drawn, the steps are larger."""
    upright = light.transpose(Image.Transpose.TRANSPOSE)
    return _is_in_squares(_steps_across(light)) and _is_in_squares(_steps_across(upright))


def _steps_across(light: Image.Image) -> array[float]:
    """How far pixels are from those to their left, a mean of each column."""
    steps = ImageChops.difference(*_beside(light, 1))
    return array("f", steps.convert("F").reduce((1, steps.height)).tobytes())


def _is_in_squares(steps: array[float]) -> bool:
    """True for steps from line to line that are as those of such a JPEG."""
    between, within = steps[_SQUARE - 1 :: _SQUARE], steps[:]
    del within[_SQUARE - 1 :: _SQUARE]
    mean, rest = fmean(between), max(fmean(within), _SMOOTH)
    least = min((times for times, level in _CRUSHED if level <= mean), default=0.0)
    if not least or not least * rest < mean < _DRAWN:
        return False
    beside = zip(steps[_SQUARE - 2 :: _SQUARE], between, steps[_SQUARE::_SQUARE], strict=False)
    ratios: list[float] = [here / max(a, b, _SMOOTH) for a, here, b in beside]
    return median(ratios) >= _CRUSHED[0][0]  # else some few edges happen to be there
