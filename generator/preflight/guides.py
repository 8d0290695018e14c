"""Finds guides that were left in a picture: thin lines from end to end, of a colour of guides, in
dashes, or dark ones that cross."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops

from generator.geometry import summed
from generator.preflight.raster import levelled

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
    """A thin line all across a picture: its colour, whether it is in dashes, and how many levels
    are between the light and the dark places that it goes through."""

    colour: str
    is_dashed: bool
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
    whole = [[line for line in lines if not line.is_dashed] for lines in ways]
    if all(0 < len(lines) <= _TWO for lines in whole):
        through, colour = max((line.through, line.colour) for lines in whole for line in lines)
        return colour if through >= _THROUGH else ""
    return ""


def _lines(pixels: _Pixels, apart: bytes) -> Sequence[_Line]:
    """The thin lines along the rows of a picture, of how far each row stands out; of two that are
    one, the first."""
    strength = np.frombuffer(apart, np.uint8)[_APART:-_APART].astype(np.int16)
    rows = np.argsort(-strength, kind="stable")[:_MOST_ROWS].tolist()
    found: dict[int, _Line] = {}
    for row in sorted(row for row in rows if strength[row] >= _FAINTLY):
        if row - max(found, default=-_APART) >= _APART:
            line = _line_at(pixels, row + _APART)
            if line is not None:
                found[row] = line
    return list(found.values())


def _line_at(pixels: _Pixels, row: int) -> _Line | None:
    """The line along a row, if it is thin, all of one dark or pure colour, and what is on one side
    of it goes on on the other."""
    here, one, other = (pixels[row + by].astype(np.int16) for by in (0, *_BOTH_WAYS))
    off = np.minimum(abs(here - one), abs(here - other)).max(axis=1)
    stands = off > _STANDS_OUT
    colour = np.median(here[stands], axis=0) if stands.mean() >= _STANDS else _PALE
    name = _name_of(colour)
    near = abs(here - colour).max(axis=1) <= _OF_ONE_COLOUR
    marked = stands & near
    if not (name and marked.sum() >= _OF_IT * stands.sum()) or not _goes_on(
        abs(one - other).max(axis=1) <= _GOES_ON, marked
    ):
        return None
    around = pixels[row - _APART + 1 : row + _APART, marked].astype(np.int16)
    thick = (abs(around - colour).max(axis=2) <= _OF_ONE_COLOUR).sum(axis=0)
    dark, light = np.percentile(((one + other) // 2)[marked].max(axis=1), (10, 90))
    through = 255.0 if name != "dark" else float(light - dark)
    ends = near[:_END].any() and near[-_END:].any()
    if (thick <= _THICK).mean() < _THIN_PART:
        return None
    if ends and near.mean() >= _ALL_OF_IT and marked.mean() >= _SEEN_PART:
        return _Line(name, False, through)
    beside = abs(one - colour).max(axis=1) <= _OF_ONE_COLOUR
    if beside.mean() <= _BESIDE and _has_dashes(near, off <= _GROUND):
        return _Line(name, True, through)
    return None


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
