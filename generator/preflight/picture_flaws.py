"""Finds what is wrong with a picture by its pixels: whether it is less sharp than it has pixels
(enlarged, smoothly or each pixel as a square, blurred, crushed as a JPEG of very low quality), and
what was left in it of its making (guides, chequers, rims). It is long, since each shows in a way of
its own.

A picture that has any edges has some that rise within a pixel or two, whatever it shows; one that
was enlarged has none. Where all is smooth (a sky, a glow, a wash) nothing can be told."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from statistics import fmean, median
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
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
_OF_LINES: Final = 20
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
    if not least or not least * rest < mean < _OF_LINES:
        return False
    beside = zip(steps[_SQUARE - 2 :: _SQUARE], between, steps[_SQUARE::_SQUARE], strict=False)
    ratios: list[float] = [here / max(a, b, _SMOOTH) for a, here, b in beside]
    return median(ratios) >= _CRUSHED[0][0]  # else some few edges happen to be there


_Pixels = npt.NDArray[np.uint8]
_APART: Final = 4
"""Pixels beside a guide where it is no more."""
_BOTH_WAYS: Final = (_APART, -_APART)
_TOGETHER: Final = 10
"""Rows of which a mean is taken first, which is faster than of all at once."""
_STANDS_OUT: Final = 24
_IS_STRONG: Final = [255 * (level >= 120) for level in range(256)]
"""How much colour there is in that of a guide, even one that a JPEG has washed out;"""
_IS_LIGHT: Final = [255 * (level >= 110) for level in range(256)]
"""and how light it is: of what is darker nobody sees the hue."""
_HUE: Final = 12
_GUIDES: Final = {"red": 0, "yellow": 43, "green": 85, "cyan": 128, "blue": 170, "magenta": 213}
"""The hues of guides, of 256."""
_SPECKS: Final = 0.2
"""Of a line that may be otherwise, as where another line crosses it, or beyond a frame."""
_RULED: Final = 6
"""Thin lines side by side from which on they are a pattern, not guides."""
_DASHES, _EVEN_DASHES = 8, 0.2
"""Dashes of a guide at least, and by which part of their distance one may lie otherwise."""
_FAINTLY, _MOST_ROWS = 10, 30
"""Levels by which a row stands out that may have dashes; rows that are looked into."""
_OF_ONE_COLOUR, _GOES_ON = 36, 45
"""Levels by which pixels of a line, and what is on its two sides, differ."""
_DARK, _PURE = 100, (140, 110)
"""Levels of the lightest channel of a dark line; in a pure colour of that, and of how far it is
above the darkest."""
_STANDS, _OF_IT, _ON_BOTH, _IN_A_QUARTER = 0.25, 0.65, 0.5, 0.25
"""Of a line: what stands out; of that, what has its colour; of this, and in each quarter of it,
where what is to one side of it goes on to the other."""
_HINTED: Final = 0.3
"""Of a line, what is seen of one that is one of several, but is no guide by itself."""
_PALE: Final = np.full(3, 255.0)
"""No colour of a guide."""
_THICK, _THIN_PART = 4, 0.8
"""Pixels across, with what a JPEG leaves beside it, and of how much of a line."""
_ALL_OF_IT, _SEEN_PART, _END = 0.96, 0.5, 3
"""Of an unbroken line, what has its colour, and what is seen; pixels of its ends."""
_DASH, _MOST_BEFORE, _LONGEST = (3, 4), 40, (8, 3)
"""Pixels of a dash at least, and of most; before the first and after the last; its longest dash or
gap is at most such a part of a line, or so many times as long as most."""
_DRAWN, _OPEN, _EMPTY, _BESIDE = 0.3, 0.08, 0.65, 0.3
"""Of a line in dashes: what is drawn; what is in gaps; of these, what is as the ground; and what is
of its colour beside it."""
_GROUND: Final = 30
"""Levels by which that differs."""
_THROUGH, _VARIED = 16, 24
"""Levels between light and dark where a guide goes; and how far a picture is from its middle."""
_ROOM: Final = 300
"""Pixels of the shorter side of a picture in which a thin dark line is no part of a drawing."""
_TWO, _FOUR = 2, 4
"""Lines each way that cross, and lines in dashes: more are drawn, as on a map."""


class _Line(NamedTuple):
    """A thin line all across a picture: its colour, whether it is in dashes, whether only parts of
    it are seen, as where it is as dark as what it goes through, and how many levels are between the
    light and the dark places that it goes through."""

    colour: str
    is_dashed: bool
    is_in_parts: bool
    through: float


def guide_in(seen: Image.Image) -> str:
    """The colour of a line of up to three pixels that goes all across or down a picture (RGB) as
    guides do; empty where there is none."""
    width, height = seen.size
    upright = seen.reduce((1, _TOGETHER)).resize((width, 1), Image.Resampling.BOX)
    level = seen.reduce((width, 1)).transpose(Image.Transpose.TRANSPOSE)
    apart = _apart(upright), _apart(level)
    if all(_count_of_lines(each) < _RULED for each in apart):
        for each, wide, high in ((apart[0], 1, height), (apart[1], width, 1)):
            for at in range(_APART, len(each) - _APART):
                if each[at] > _STANDS_OUT:
                    x, y = (0, at) if wide == width else (at, 0)
                    colour = _guide_colour(seen.crop((x, y, x + wide, y + high)))
                    if colour:
                        return colour
    if min(seen.size) < _ROOM:
        return ""
    pixels = np.asarray(seen)
    ways = pixels.transpose(1, 0, 2), pixels
    return _among([_lines(way, each) for way, each in zip(ways, apart, strict=True)], pixels)


def _among(ways: Sequence[Sequence[_Line]], pixels: _Pixels) -> str:
    """The colour of guides among the lines that go down a picture, and across it: a few in dashes,
    or one or two both ways; not in an even picture, which may be a drawing of lines."""
    dashed = [line for lines in ways for line in lines if line.is_dashed]
    if 0 < len(dashed) <= _FOUR and (
        max(line.through for line in dashed) >= _THROUGH
        or float(pixels[::8, ::8].max(axis=2).std()) > _VARIED
    ):
        return dashed[0].colour
    drawn = [[line for line in lines if not line.is_dashed] for lines in ways]
    whole = [[line for line in lines if not line.is_in_parts] for lines in drawn]
    if all(whole) and max(len(lines) for lines in drawn) <= _TWO:
        through, colour = max((line.through, line.colour) for lines in whole for line in lines)
        return colour if through >= _THROUGH else ""
    return ""


def _lines(pixels: _Pixels, apart: bytes) -> Sequence[_Line]:
    """The thin lines along the rows of a picture, of how far each row stands out; of two that are
    one, the first that is seen from end to end, if any."""
    strength = np.frombuffer(apart, np.uint8)[_APART:-_APART].astype(np.int16)
    rows = np.argsort(-strength, kind="stable")[:_MOST_ROWS].tolist()
    found: dict[int, _Line] = {}
    for row in sorted(row for row in rows if strength[row] >= _FAINTLY):
        last = max(found, default=-_APART)
        is_new = row - last >= _APART
        if is_new or found[last].is_in_parts:
            line = _line_at(pixels, row + _APART)
            if line is not None and (is_new or not line.is_in_parts):
                if not is_new:
                    del found[last]
                found[row] = line
    return list(found.values())


def _line_at(pixels: _Pixels, row: int) -> _Line | None:
    """The line along a row, if it is thin, all of one dark or pure colour, and what is on one side
    of it goes on on the other; or one of which parts are seen."""
    here, one, other = (pixels[row + by].astype(np.int16) for by in (0, *_BOTH_WAYS))
    off = np.minimum(abs(here - one), abs(here - other)).max(axis=1)
    stands = off > _STANDS_OUT
    colour = np.median(here[stands], axis=0) if stands.mean() >= _STANDS else _PALE
    name = _name_of(colour)
    near = abs(here - colour).max(axis=1) <= _OF_ONE_COLOUR
    marked = stands & near
    if not name or marked.mean() < _STANDS * _OF_IT:
        return None
    around = pixels[row - _APART + 1 : row + _APART, marked].astype(np.int16)
    thick = (abs(around - colour).max(axis=2) <= _OF_ONE_COLOUR).sum(axis=0)
    dark, light = np.percentile(((one + other) // 2)[marked].max(axis=1), (10, 90))
    through = 255.0 if name != "dark" else float(light - dark)
    ends = near[:_END].any() and near[-_END:].any()
    thin = (thick <= _THICK).mean()  # of what lies in the dark some is as thick as that
    in_parts = _Line(name, False, True, through) if marked.mean() * thin >= _HINTED else None
    if (
        thin < _THIN_PART
        or marked.sum() < _OF_IT * stands.sum()
        or not _goes_on(abs(one - other).max(axis=1) <= _GOES_ON, marked)
    ):
        return in_parts
    if ends and near.mean() >= _ALL_OF_IT and marked.mean() >= _SEEN_PART:
        return _Line(name, False, False, through)
    beside = abs(one - colour).max(axis=1) <= _OF_ONE_COLOUR
    if beside.mean() <= _BESIDE and _has_dashes(near, off <= _GROUND):
        return _Line(name, True, False, through)
    return in_parts


def _goes_on(alike: npt.NDArray[np.bool_], marked: npt.NDArray[np.bool_]) -> bool:
    """Whether, where a line is, both sides of it are mostly alike, and now and then everywhere."""
    parts = zip(np.array_split(alike, 4), np.array_split(marked, 4), strict=True)
    shares = [float(part[mask].mean()) for part, mask in parts if mask.any()]
    return min(shares) >= _IN_A_QUARTER and float(alike[marked].mean()) >= _ON_BOTH


def _name_of(colour: npt.NDArray[np.float64]) -> str:
    """The colour of a guide in a word: a pure one by its hue, or dark; empty for others."""
    lightest, above = float(colour.max()), float(np.ptp(colour))
    if lightest >= _PURE[0] and above >= _PURE[1]:
        pixel = Image.new("RGB", (1, 1), tuple(int(level) for level in colour)).convert("HSV")
        hue = pixel.tobytes()[0]
        off = {name: abs(hue - middle) for name, middle in _GUIDES.items()}
        return min(off, key=lambda name: min(off[name], 256 - off[name]))
    return "dark" if lightest <= _DARK else ""


def _has_dashes(near: npt.NDArray[np.bool_], as_ground: npt.NDArray[np.bool_]) -> bool:
    """Whether a line is in dashes, however long, from end to end, and in its gaps nothing is."""
    ends = np.flatnonzero(np.diff(near.astype(np.int8), prepend=0, append=0))
    starts, stops = ends[::2], ends[1::2]
    are_long = stops - starts >= _DASH[0]
    starts, stops, length = starts[are_long], stops[are_long], len(near)
    if len(starts) < _DASHES:
        return False
    dashes, gaps = stops - starts, starts[1:] - stops[:-1]
    usual = float(np.median(dashes))
    gap = ~near
    gap[1:] &= ~near[:-1]
    gap[:-1] &= ~near[1:]
    return bool(
        usual >= _DASH[1]
        and max(starts[0], length - stops[-1]) <= _MOST_BEFORE
        and max(*dashes, *gaps) <= max(length / _LONGEST[0], _LONGEST[1] * usual)
        and dashes.sum() >= _DRAWN * length
        and gap.sum() >= _OPEN * length
        and as_ground[gap].mean() >= _EMPTY
    )


def _apart(profile: Image.Image) -> bytes:
    """How far each place of a row of colours stands out from what is beside it on both sides."""
    sides = (ImageChops.difference(profile, ImageChops.offset(profile, by, 0)) for by in _BOTH_WAYS)
    return reduce(ImageChops.lighter, ImageChops.darker(*sides).split()).tobytes()


def _count_of_lines(apart: bytes) -> int:
    """How many thin lines there are, of how far each place stands out from both sides."""
    return len(re.findall(rb"[^\0-\x18]+", apart[_APART:-_APART]))


def _guide_colour(line: Image.Image) -> str:
    """What colour of guides nearly all of a line has, if any."""
    hue, strength, light = line.convert("HSV").split()
    strong = ImageChops.darker(levelled(strength, _IS_STRONG), levelled(light, _IS_LIGHT))
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
_THIN, _LINE, _OF_A_DRAWING = 3, 60, 0.35
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
        return _RIMS["dark"] if drawn <= _OF_A_DRAWING * _count(edge) else ""
    return _RIMS["dark"] if _is_mixed_with_black(lightest, alpha, _count(edge)) else ""


def _is_mixed_with_black(lightest: _Pixels, alpha: _Pixels, edge: int) -> bool:
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


def _closed(levels: _Pixels, by: int) -> _Pixels:
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
