"""Finds the QR codes on a face: where each is, how fine, how much quiet is around it, and whether
it can be read. It is long, since it finds those, too, that no reader finds, and holds both
against one picture of what a code is: its finders, the lines between them, its modules.

A code of 0.35 mm and more a module is found in the pixels that are there anyway; where the art
changes from pixel to pixel as only finer ones do, and wherever something like a code is, the place
is drawn once more, three times as large. Layout of symbols: ISO/IEC 18004.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import combinations, pairwise, permutations
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import zxingcpp
from msgspec import Struct
from PIL import Image, ImageChops, ImageFilter, ImageOps, ImageStat

from generator.geometry import Point, Rect, bounds, summed
from generator.preflight.raster import Raster, darkest_near, levelled, patches

_Spot = tuple[float, float, float]
_BESIDE: Final = 1.5
_KIND: Final = zxingcpp.barcode_formats_from_str("QRCodeModel2")
QUIET: Final = 4
"""Modules that are quiet around a code."""
CLOSE: Final = 300
"""dpi at which a code is read."""
_MOST: Final = 4
"""Places of a face that are looked at closely."""
_ROOM: Final = 6.0
"""mm around a place that may hold the rest of a code and its quiet."""
_ROUGH: Final = 55
"""Levels by which pixels side by side differ, on average, in each of four squares of 2 mm."""
_ROUGH_ALL: Final = 30
"""The same, to the right and down, in each of 25 squares of 1 mm."""
_IS_ROUGH: Final = [255 * (level >= _ROUGH_ALL) for level in range(256)]
_IS_ALL: Final = [255 * (level == 255) for level in range(256)]
_BLOCK: Final = 3.0
"""mm of a square in which a code of up to a millimetre a module changes."""
_IS_EDGE: Final = [255 * (level >= 64) for level in range(256)]
_IS_DENSE: Final = [255 * (level >= 20) for level in range(256)]
_IS_HALF_DENSE: Final = [255 * (level >= 10) for level in range(256)]
_LARGEST_CODE: Final = 55.0
"""mm of a place; larger ones are patterns."""
_CHANGES, _IN_LINE = 0.07, 7
"""Of the pixels of such a place, those that are other than the one beside, and the one above; how
many are on average in each row and column: a code of 21 modules has some ten."""
_SQUARE, _SPECKS = 1.5, 0.3
"""How much longer one side of a place is, which may have a little more in it; of the pixels of a
code, at the edges of its modules, those that are neither dark nor light."""
_LEAST_CODE: Final = 8.0
"""mm: no smaller code is looked for where a ground touches it."""
_FINE_SIDE: Final = 25.0
"""mm: no finer code is larger."""
_DRAWN_OUT: Final = 2.2
"""The same of the sides, or diagonals, of a code that was stretched or slanted."""
_FINDER: Final = 7
_LIKE_ONE: Final = 0.9
"""Of the modules of its finders and timing lines that are as they must be: then it is a code."""
_PART: Final = 4
"""Pixels of a module as it is laid straight."""
_LEAST_APART: Final = 16
"""Levels between its dark and its light."""
_MASK, _DIVISOR = 0b101010000010010, 0b10100110111
"""Of the 15 bits that tell its format: what they are covered with, and what divides them."""


class SeenCode(Struct, frozen=True):
    """A QR code: its corners (mm, in the trim of its face), how many modules it is across, how many
    are quiet on the side that has the fewest, at most `QUIET`; whether it can be read, and whether
    it is mirrored; whether it is light on dark, and how many levels there are between the two."""

    corners: tuple[Point, ...]
    across: int
    quiet: float
    read: bool
    mirrored: bool = False
    inverted: bool = False
    apart: float = 255.0

    @property
    def stretch(self) -> float:
        """How much longer its sides that are nearest to level are than the others, 1 for as long;
        what it is slanted by is no stretch."""
        one, other = self._sides
        level = self.corners[3].x - self.corners[0].x, self.corners[3].y - self.corners[0].y
        return one / other if abs(level[0]) >= abs(level[1]) else other / one

    @property
    def slant(self) -> float:
        """How much longer one diagonal is than the other, 1 for as long."""
        (a, b, c, d) = self.corners
        across = math.dist((a.x, a.y), (c.x, c.y)), math.dist((b.x, b.y), (d.x, d.y))
        return max(across) / min(across)

    @property
    def _sides(self) -> tuple[float, float]:
        """mm from its left to its right, and from its top to its bottom, as it was made."""
        left, down, right, up = (
            math.dist((a.x, a.y), (b.x, b.y)) for a, b in _around(self.corners)
        )
        return (down + up) / 2, (left + right) / 2

    @property
    def box(self) -> Rect:
        """Around it, mm."""
        return bounds(self.corners)

    @property
    def module(self) -> float:
        """Width of a module, mm."""
        return min(self._sides) / self.across


def codes_on(
    seen: Raster, ground: Raster, closer: Callable[[Rect], Raster]
) -> tuple[SeenCode, ...]:
    """The QR codes of a face that is seen so, `ground` without its words; `closer` draws a place
    of it at `CLOSE` dpi."""
    steps = dict(zip("RGB", _steps(ground.image), strict=True))
    # nearly always art changes so nowhere, in no colour, which one look at all three tells
    strongest = reduce(ImageChops.lighter, steps.values())
    some = "GRB" if _may_have_code(ground, strongest) else ""
    in_one = next((channel for channel in some if _may_have_code(ground, steps[channel])), None)
    dense = tuple(_dense_places(ground, in_one)) if in_one else ()
    fine = _fine(ground, ground.image.getchannel("G"), steps["G"])
    places = [(place, "G") for place in (*_coarse(seen, invert=bool(dense)), *fine)]
    for channel in ("R", "B") if in_one in ("R", "B") else ():
        if _may_have_code(ground, steps[channel]):
            places += ((place, channel) for place in _coarse(seen, channel, invert=True))
    found: list[SeenCode] = []
    for place, channel in places[:_MOST]:
        if not any(code.box.contains(place) for code in found):
            found += (
                code
                for code in _codes(closer(place.grown(_ROOM).cut_to(seen.box)), channel)
                if not any(code.box.overlaps(other.box) for other in found)
            )
    for place in dense[:2]:
        if _has_finders(seen.cut(place.grown(_BESIDE).cut_to(seen.box))) and not any(
            code.box.overlaps(place) for code in found
        ):
            close = closer(place.grown(_BESIDE).cut_to(seen.box))
            channel = _widest(close.image)
            found += tuple(_codes(close, channel)) or tuple(_by_finders(close, channel))
    return tuple(found)


def _coarse(seen: Raster, channel: str = "G", *, invert: bool) -> Iterator[Rect]:
    """Places of codes, or of what looks like one, that are seen as it is; light on dark, too."""
    for barcode in _read(seen.image.getchannel(channel), invert=invert):
        corners = _corners(barcode, seen)
        if _is_nearly_square(corners):
            yield bounds(corners)


def _steps(art: Image.Image) -> tuple[Image.Image, ...]:
    """How far each pixel is from the one to its left, of every second row, in each colour."""
    rows = art.resize((art.width, max(art.height // 2, 1)), Image.Resampling.NEAREST)
    return ImageChops.difference(rows, ImageChops.offset(rows, 1, 0)).split()


def _fine(ground: Raster, art: Image.Image, steps: Image.Image) -> Iterator[Rect]:
    """The place, if there is one, where art changes all over from pixel to pixel."""
    rough = steps.reduce((8, 4))
    rough = ImageChops.darker(rough, ImageChops.offset(rough, 1, 0))
    rough = ImageChops.darker(rough, ImageChops.offset(rough, 0, 1))
    most: Any = rough.getextrema()
    if most[1] < _ROUGH:
        return
    level = ImageChops.difference(art, ImageChops.offset(art, 1, 0))
    upright = ImageChops.difference(art, ImageChops.offset(art, 0, 1))
    squares = levelled(ImageChops.add(level, upright, 2).reduce(4), _IS_ROUGH)
    box = levelled(squares.filter(ImageFilter.BoxBlur(2)), _IS_ALL).getbbox()
    if box is not None:
        x, y = ground.box.width / squares.width, ground.box.height / squares.height
        left, top, right, bottom = box
        corner = ground.box.x + left * x, ground.box.y + top * y
        yield Rect(
            *corner, min((right - left) * x, _FINE_SIDE), min((bottom - top) * y, _FINE_SIDE)
        )


def _may_have_code(ground: Raster, steps: Image.Image) -> bool:
    """False where no square of art changes everywhere: so it is nearly always."""
    block = max(round(_BLOCK * steps.width / ground.box.width), 2)
    dense = levelled(levelled(steps, _IS_EDGE).reduce((block, block // 2)), _IS_HALF_DENSE)
    least = round(_LEAST_CODE / _BLOCK) - 1
    return darkest_near(dense, least | 1).getbbox() is not None


def _dense_places(ground: Raster, channel: str) -> Iterator[Rect]:
    """Squares in which art of two tones changes everywhere, as much down as across, as codes do,
    and few other things."""
    art = ground.image.getchannel(channel)
    ways = [
        levelled(ImageChops.difference(art, ImageChops.offset(art, *by)), _IS_EDGE)
        for by in ((1, 0), (0, 1))
    ]
    block = max(round(_BLOCK * art.width / ground.box.width), 1)
    dense = levelled(ImageChops.lighter(*ways).reduce(block), _IS_DENSE)
    x, y = ground.box.width / art.width * block, ground.box.height / art.height * block
    for part in patches(dense, darkest_near(dense, 3)):  # dense inside, too
        left, top, right, bottom = part.getbbox() or (0, 0, 0, 0)
        wide, high = (right - left) * x, (bottom - top) * y
        if min(wide, high) < _LEAST_CODE or max(wide, high) > _SQUARE * min(wide, high):
            continue
        if max(wide, high) > _LARGEST_CODE:
            continue
        core = left * block, top * block, right * block, bottom * block
        across, down = (ImageStat.Stat(way.crop(core)).mean[0] / 255 for way in ways)
        both = min(across, down) >= _CHANGES and max(across, down) <= 2 * min(across, down)
        both &= min(across * (core[2] - core[0]), down * (core[3] - core[1])) >= _IN_LINE
        if both and _is_two_tone(art.crop(core)):
            yield Rect(ground.box.x + left * x, ground.box.y + top * y, wide, high)


def _is_two_tone(part: Image.Image) -> bool:
    """True for pixels that are nearly all as dark, or as light, as any: not for most drawings."""
    counts = part.histogram()
    least, most = (level for level in part.getextrema() if isinstance(level, int | float))
    third = int(most - least) // 3
    between = summed(counts[int(least) + third : int(most) - third])
    return between < _SPECKS * part.width * part.height


def _read(image: Image.Image, *, invert: bool = True) -> Sequence[Any]:
    """What the reader makes of some pixels: codes, and what it takes for one that is spoilt."""
    found: Sequence[Any] = zxingcpp.read_barcodes(
        image,
        formats=_KIND,
        try_rotate=False,  # the finders are looked for whichever way they stand
        try_downscale=False,
        try_invert=invert,
        return_errors=True,
    )
    return found


def _codes(close: Raster, channel: str = "G") -> Iterator[SeenCode]:
    """The codes of a place that was drawn large, looked for in one of its colours. How far apart
    theirs are is told in light, and in green, whichever is less."""
    light = close.image.convert("L")
    for barcode in _read(ImageOps.autocontrast(close.image.getchannel(channel), 1)):
        version = (barcode.extra or {}).get("Version", "")
        corners = _corners(barcode, close)
        if not version.isdecimal() or not _is_nearly_square(corners):
            continue
        across = 17 + 4 * int(version)
        modules, lit, green = (
            _Modules(_laid_straight(image, close.box, corners, across), across)
            for image in (close.image.getchannel(channel), light, close.image.getchannel("G"))
        )
        if modules.apart >= _LEAST_APART and (barcode.valid or modules.likeness >= _LIKE_ONE):
            apart = min(lit.apart, green.apart)
            told = barcode.valid, modules.is_mirrored, lit.inverted, apart
            yield SeenCode(corners, across, modules.quiet(), *told)


def _corners(barcode: Any, raster: Raster) -> tuple[Point, ...]:
    place, (width, height) = barcode.position, raster.image.size
    x, y = raster.box.width / width, raster.box.height / height
    told = (place.top_left, place.bottom_left, place.bottom_right, place.top_right)
    return tuple(Point(raster.box.x + p.x * x, raster.box.y + p.y * y) for p in told)


def _around(corners: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return pairwise((*corners, corners[0]))


def _is_nearly_square(corners: Sequence[Point]) -> bool:
    """False for what the reader made up of three spots that are no finders of one code."""
    sides = [math.dist((a.x, a.y), (b.x, b.y)) for a, b in _around(corners)]
    (a, b, c, d) = corners
    across = math.dist((a.x, a.y), (c.x, c.y)), math.dist((b.x, b.y), (d.x, d.y))
    return (
        min(sides) > 0
        and max(sides) <= _DRAWN_OUT * min(sides)
        and max(across) <= (_DRAWN_OUT * min(across))
    )


def _laid_straight(
    image: Image.Image, place: Rect, corners: Sequence[Point], across: int
) -> Image.Image:
    """The code and what should be quiet around it, so many pixels a module, of a place."""
    a, b, c, d = corners
    by = QUIET / across
    quad = []
    for here, right, down in ((a, d, b), (b, c, a), (c, b, d), (d, a, c)):
        x = here.x + by * (2 * here.x - right.x - down.x)
        y = here.y + by * (2 * here.y - right.y - down.y)
        quad.append((x - place.x) * image.width / place.width)
        quad.append((y - place.y) * image.height / place.height)
    side = (across + 2 * QUIET) * _PART
    return image.transform(
        (side, side), Image.Transform.QUAD, quad, Image.Resampling.BILINEAR, fillcolor=255
    )


class _Modules:
    """A code that was laid straight, module by module."""

    def __init__(self, laid: Image.Image, across: int) -> None:
        self._laid, self._across = laid, across
        self._small = laid.reduce(_PART)
        core = [self._level(row, column) for row in (2, 3, 4) for column in (2, 3, 4)]
        beside = [self._level(7, column) for column in range(7)]
        dark, light = summed(core) / len(core), summed(beside) / len(beside)
        self._middle, self.inverted = (dark + light) / 2, dark > light
        self.apart = abs(dark - light)

    def _level(self, row: int, column: int) -> float:
        level: Any = self._small.getpixel((column + QUIET, row + QUIET))
        return float(level)

    def _is_dark(self, row: int, column: int) -> bool:
        return (self._level(row, column) < self._middle) != self.inverted

    @property
    def likeness(self) -> float:
        """Which part of its three finders, with what is light beside them, and of its timing lines
        is as it must be."""
        end = self._across - _FINDER
        right = [
            self._is_dark(abs(down - row), abs(over - column)) == bool(_SHAPE[row, column])
            for down, over in ((0, 0), (0, self._across - 1), (self._across - 1, 0))
            for row in range(_FINDER + 1)
            for column in range(_FINDER + 1)
        ]
        for step in range(_FINDER + 1, end - 1):
            right += (
                self._is_dark(6, step) == (not step % 2),
                self._is_dark(step, 6) == (not step % 2),
            )
        return summed(right) / len(right)

    @property
    def is_mirrored(self) -> bool:
        """True when the bits that tell its format make sense only the other way round."""
        bits = [self._is_dark(8, column) for column in (0, 1, 2, 3, 4, 5, 7, 8)]
        bits += [self._is_dark(row, 8) for row in (7, 5, 4, 3, 2, 1, 0)]
        return not _is_format(bits) and _is_format(bits[::-1])

    def quiet(self) -> float:
        """Modules around it in which nothing is."""
        side, start = self._laid.width, QUIET * _PART
        for ring in range(1, start):  # the first is half the code's edge
            near, far = start - 1 - ring, side - start + ring
            strips = (
                (near, near, far + 1, near + 1),
                (near, far, far + 1, far + 1),
                (near, near, near + 1, far + 1),
                (far, near, far + 1, far + 1),
            )
            ends: list[Any] = [self._laid.crop(strip).getextrema() for strip in strips]
            spoilt = (
                most > self._middle if self.inverted else least < self._middle
                for least, most in ends
            )
            if any(spoilt):
                return (ring if ring > 1 else 0) / _PART
        return float(QUIET)


def _is_format(bits: Sequence[bool]) -> bool:
    """Whether 15 bits tell a format: uncovered, they can be divided without a rest."""
    rest = summed(bit << place for place, bit in enumerate(reversed(bits))) ^ _MASK
    for place in range(14, 9, -1):
        if rest >> place & 1:
            rest ^= _DIVISOR << (place - 10)
    return not rest


_FINDER_RUNS: Final = np.array((1, 3, 1))
"""How long light, dark and light are, along any line through the middle of a finder."""
_CELL: Final = 4
"""Pixels of a square in which one middle is looked for."""
_MOST_ROWS, _LEAST_PIXELS = 2000, 2.4
_SEEN_IN: Final = 1.2
"""Modules of which rows tell of a finder, at least, for there are three."""
_LOOSE: Final = 0.65
"""Modules by which one of them may be otherwise."""
_MOST_FINDERS: Final = 12
_AS_WIDE: Final = 1.35
_IN_TURN, _GONE = 0.93, 3
"""Of the modules between two finders, those that are dark and light in turn; those beside a finder
that may be gone with it."""
_VERSIONS: Final = range(21, 178, 4)


def _widest(image: Image.Image) -> str:
    """The colour in which a place has the most contrast."""
    return max("GRB", key=lambda band: ImageStat.Stat(image.getchannel(band)).stddev[0])


def _by_finders(close: Raster, channel: str) -> Iterator[SeenCode]:
    """A code that no reader finds, since a finder is gone or something dark touches it: by two of
    them and what is in turn dark and light between. It is read as it would be with quiet around."""
    seen = close.image.getchannel(channel)
    dark = _is_darker(seen)
    scale = close.box.width / close.image.width
    for is_dark in (dark, ~dark):
        for one, other in permutations(_finders(is_dark), 2):
            for at, across in _between(is_dark, one, other):
                corners = tuple(
                    Point(close.box.x + x * scale, close.box.y + y * scale)
                    for x, y in at.corners(across)
                )
                laid = _laid_straight(seen, close.box, corners, across)
                modules = _Modules(laid, across)
                core = ImageOps.crop(laid, QUIET * _PART)
                if modules.inverted:
                    core = ImageOps.invert(core)
                core = ImageOps.autocontrast(core, 1)
                [*found] = _read(ImageOps.expand(core, QUIET * _PART, 255), invert=False)
                read = any(barcode.valid for barcode in found)
                light = _Modules(
                    _laid_straight(close.image.convert("L"), close.box, corners, across), across
                )
                yield SeenCode(
                    corners,
                    across,
                    modules.quiet(),
                    read,
                    inverted=modules.inverted,
                    apart=min(light.apart, modules.apart),
                )
                return


def _is_darker(seen: Image.Image) -> npt.NDArray[np.bool_]:
    """Which pixels are darker than what is around them."""
    around = seen.filter(ImageFilter.BoxBlur(max(seen.size) // 12))
    return np.asarray(seen) < np.asarray(around)


def _has_finders(coarse: Raster) -> bool:
    """Whether a place may have two finders: told of the pixels that are there anyway."""
    seen = coarse.image.getchannel(_widest(coarse.image))
    dark = _is_darker(seen.resize((seen.width * 3, seen.height * 3)))
    return any(
        max(unit, its) <= _AS_WIDE * min(unit, its)
        and math.hypot(x - a, y - b) >= (_VERSIONS[0] - _FINDER - 2) * min(unit, its)
        for each in (dark, ~dark)
        for (x, y, unit), (a, b, its) in combinations(_finders(each), 2)
    )


def _finders(dark: npt.NDArray[np.bool_]) -> Sequence[_Spot]:
    """The middles of what may be finders, and how wide a module is, pixels; those first of which
    most rows tell."""
    level, upright = _rows_of_finders(dark), _rows_of_finders(dark.T)[:, [1, 0, 2]]
    units = np.zeros((dark.shape[0] // _CELL + 3, dark.shape[1] // _CELL + 3))
    y, x = (upright[:, :2] // _CELL).astype(int).T + 1
    units[y, x] = upright[:, 2]
    y, x = (level[:, :2] // _CELL).astype(int).T + 1
    near = np.stack([units[y + down, x + right] for down in (-1, 0, 1) for right in (-1, 0, 1)])
    alike = (near > level[:, 2] / _AS_WIDE) & (near < level[:, 2] * _AS_WIDE)
    spots: list[list[tuple[float, ...]]] = []
    for spot in map(tuple, level[alike.any(axis=0)][:_MOST_ROWS].tolist()):
        for others in spots:
            a, b, unit = others[0]
            near_by = abs(a - spot[0]) + abs(b - spot[1]) < 3 * unit
            if near_by and unit / _AS_WIDE < spot[2] < _AS_WIDE * unit:
                others.append(spot)
                break
        else:
            spots.append([spot])
    spots = sorted(
        (s for s in spots if len(s) >= min(_SEEN_IN * s[0][2], 2 * _CELL)), key=len, reverse=True
    )
    middles = (np.mean(several, axis=0).tolist() for several in spots[:_MOST_FINDERS])
    return [(x, y, unit) for y, x, unit in middles]


def _rows_of_finders(dark: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """The row, the middle and the module of all runs that are as in a finder, in each row: light,
    three times as long dark, light; the dark around may be that of a ground."""
    edge = np.ones((len(dark), 1), bool)
    rows, starts = np.nonzero(np.hstack((edge, dark[:, 1:] != dark[:, :-1], edge)))
    runs = np.lib.stride_tricks.sliding_window_view(np.diff(starts), 3)
    if not len(runs):
        return np.zeros((0, 3))
    here, begins = rows[: len(runs)], starts[: len(runs)]
    unit = runs.sum(axis=1) / 5
    fits = np.abs(runs - _FINDER_RUNS * unit[:, None]).max(axis=1) <= _LOOSE * unit
    fits &= (unit >= _LEAST_PIXELS) & (rows[3:] == here)
    at = np.nonzero(fits)[0]
    at = at[~dark[here[at], begins[at]]]
    return np.stack((here[at], begins[at] + runs[at].sum(axis=1) / 2, unit[at]), axis=1)


def _between(dark: npt.NDArray[np.bool_], one: _Spot, other: _Spot) -> Iterator[tuple[_Grid, int]]:
    """Where the modules of a code are, of which these two are finders, side by side or at opposite
    corners; and how many it is across."""
    (x1, y1, unit), (x2, y2, its) = one, other
    long = math.hypot(x2 - x1, y2 - y1)
    if max(unit, its) > _AS_WIDE * min(unit, its):
        return
    for turn, side in ((0.0, long), (math.pi / 4, long / math.sqrt(2))):
        angle = math.atan2(y2 - y1, x2 - x1) + turn
        off = (angle + math.pi / 4) % (math.pi / 2) - math.pi / 4
        about = side / ((unit + its) / 2 * math.cos(off)) + _FINDER
        for across in _VERSIONS:
            if abs(across - about) > max(1.6, 0.08 * about):
                continue
            end, module = across - _FINDER, side / (across - _FINDER)
            right = math.cos(angle) * module, math.sin(angle) * module
            for way in (1, -1):
                down = -way * right[1], way * right[0]
                from_top = 3 + end if turn else 3
                start = (
                    x1 - 3 * right[0] - from_top * down[0],
                    y1 - 3 * right[1] - from_top * down[1],
                )
                at = _Grid(start, right, down)
                if _is_between(dark, at, across, opposite=bool(turn)):
                    yield at, across


class _Grid(NamedTuple):
    """The middle of the first module of a code, and the steps to the next beside and below it,
    pixels."""

    start: tuple[float, float]
    right: tuple[float, float]
    down: tuple[float, float]

    def at(self, column: Any, row: Any) -> tuple[Any, Any]:
        """The middle of a module, or of several."""
        (x, y), (across_x, across_y), (down_x, down_y) = self
        return x + column * across_x + row * down_x, y + column * across_y + row * down_y

    def corners(self, across: int) -> Iterator[tuple[float, float]]:
        """As a code is told."""
        near, far = -0.5, across - 0.5
        yield from (self.at(*each) for each in ((near, near), (near, far), (far, far), (far, near)))

    def dark(self, seen: npt.NDArray[np.bool_], column: Any, row: Any) -> npt.NDArray[np.bool_]:
        """Which modules are dark; those beyond the picture are not."""
        x, y = (np.rint(way).astype(int) for way in self.at(column, row))
        height, width = seen.shape
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        shown: npt.NDArray[np.bool_] = (
            inside & seen[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        )
        return shown


_ROWS, _COLUMNS = np.mgrid[: _FINDER + 1, : _FINDER + 1]
_SHAPE: Final = np.isin(np.maximum(abs(_ROWS - 3), abs(_COLUMNS - 3)), (2, 4), invert=True)


def _is_between(dark: npt.NDArray[np.bool_], at: _Grid, across: int, *, opposite: bool) -> bool:
    """Whether two finders, side by side above or at two opposite corners, with what is light beside
    them, and what is between are those of a code."""
    end = across - _FINDER
    for column, row in ((end, 0), (0, end if opposite else 0)):
        columns = column + _FINDER - 1 - _COLUMNS if column else _COLUMNS  # what is light beside it
        rows = row + _FINDER - 1 - _ROWS if row else _ROWS
        finder = at.dark(dark, columns, rows)
        if (finder == _SHAPE).mean() < _LIKE_ONE:
            return False
    steps = np.arange(_FINDER + _GONE * opposite, end)
    lines = [at.dark(dark, steps, 6)] + [at.dark(dark, 6, steps)] * opposite
    return any((line == (steps % 2 == 0)).mean() >= _IN_TURN for line in lines)
