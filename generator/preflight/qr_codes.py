"""Finds the QR codes on a face: where each is, how fine, how much quiet is around it, and whether
it can be read.

A code of 0.35 mm and more a module is found in the pixels that are there anyway; where the art
changes from pixel to pixel as only finer ones do, and wherever something like a code is, the place
is drawn once more, three times as large. Layout of symbols: ISO/IEC 18004.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, Final

import zxingcpp
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageFilter, ImageOps

from generator.geometry import Point, Rect, bounds, summed
from generator.preflight.raster import Raster, levelled, patches

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
_IS_DARK: Final = 128
_SPECKS: Final = 0.3
"""Of the pixels of a code, at the edges of its modules, that are neither dark nor light."""
_LEAST_CODE: Final = 8.0
"""mm: no smaller code is looked for where a ground touches it."""
_FINE_SIDE: Final = 25.0
"""mm: no finer code is larger."""
_SQUARE: Final = 1.12
"""How much longer one side of a square is than another."""
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
    art, all_steps = (
        ground.image.getchannel("G"),
        dict(zip("RGB", _steps(ground.image), strict=True)),
    )
    # nearly always there is no such place in any colour, which one look at all three tells
    some = _may_be_closed_in(ground, reduce(ImageChops.lighter, all_steps.values()))
    dense = some and _may_be_closed_in(ground, all_steps["G"])
    fine = _fine(ground, art, all_steps["G"])
    places = [(place, "G") for place in (*_coarse(seen, invert=dense), *fine)]
    for channel in ("R", "B") if some and not dense else ():
        if _may_be_closed_in(ground, all_steps[channel]):
            places += ((place, channel) for place in _coarse(seen, channel, invert=True))
    found: list[SeenCode] = []
    for place, channel in places[:_MOST]:
        if not any(code.box.contains(place) for code in found):
            found += (
                code
                for code in _codes(closer(place.grown(_ROOM).cut_to(seen.box)), channel)
                if not any(code.box.overlaps(other.box) for other in found)
            )
    for place in _closed_in(ground, art) if dense else ():
        if not any(code.box.overlaps(place) for code in found):
            codes = _codes(_on_white(closer(place)))
            found += (replace(code, quiet=0.0) for code in codes)
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


def _may_be_closed_in(ground: Raster, steps: Image.Image) -> bool:
    """False where no square of art changes everywhere: so it is nearly always."""
    block = max(round(_BLOCK * steps.width / ground.box.width), 2)
    dense = levelled(levelled(steps, _IS_EDGE).reduce((block, block // 2)), _IS_HALF_DENSE)
    least = round(_LEAST_CODE / _BLOCK) - 1
    return dense.filter(ImageFilter.MinFilter(least | 1)).getbbox() is not None


def _closed_in(ground: Raster, art: Image.Image) -> Iterator[Rect]:
    """Squares in which art changes everywhere, and beside which it does not: a code whose finders a
    dark ground touches is none for a reader, until it stands on white."""
    level = ImageChops.difference(art, ImageChops.offset(art, 1, 0))
    upright = ImageChops.difference(art, ImageChops.offset(art, 0, 1))
    edges = levelled(ImageChops.lighter(level, upright), _IS_EDGE)
    edges.paste(0, (0, 0, edges.width, 1))
    edges.paste(0, (0, 0, 1, edges.height))
    block = max(round(_BLOCK * art.width / ground.box.width), 1)
    dense = levelled(edges.reduce(block), _IS_DENSE)
    box = dense.getbbox()
    if box is None or min(box[2] - box[0], box[3] - box[1]) * _BLOCK < _LEAST_CODE:
        return
    for part in patches(dense):
        left, top, right, bottom = part.getbbox() or (0, 0, 0, 0)
        if min(right - left, bottom - top) * _BLOCK < _LEAST_CODE:
            continue
        x1, y1 = max(left * block - 2, 0), max(top * block - 2, 0)
        x2, y2 = min(right * block + 2, art.width), min(bottom * block + 2, art.height)
        inner = edges.crop((x1, y1, x2, y2)).getbbox()
        if inner is not None:
            x, y = ground.box.width / art.width, ground.box.height / art.height
            wide, high = (inner[2] - 1 - inner[0]) * x, (inner[3] - 1 - inner[1]) * y
            a, b, c, d = x1 + inner[0], y1 + inner[1], x1 + inner[2] - 1, y1 + inner[3] - 1
            is_square = max(wide, high) <= _SQUARE * min(wide, high)
            if is_square and _is_two_tone(art.crop((a, b, c, d))) and _is_on_dark(art, a, b, c, d):
                right_by, down_by = (x1 + inner[0]) * x, (y1 + inner[1]) * y
                yield Rect(ground.box.x + right_by, ground.box.y + down_by, wide, high)


def _is_two_tone(part: Image.Image) -> bool:
    """True for pixels that are nearly all as dark, or as light, as any: not for a drawing."""
    counts = part.histogram()
    least, most = (level for level in part.getextrema() if isinstance(level, int | float))
    third = int(most - least) // 3
    between = summed(counts[int(least) + third : int(most) - third])
    return between < _SPECKS * part.width * part.height


def _is_on_dark(art: Image.Image, left: int, top: int, right: int, bottom: int) -> bool:
    """True where all that is beside a box is dark: else a reader finds its finders by itself."""
    sides = (
        *((left, top - 2, right, top - 1), (left, bottom + 1, right, bottom + 2)),
        *((left - 2, top, left - 1, bottom), (right + 1, top, right + 2, bottom)),
    )
    ends: list[Any] = [art.crop(side).getextrema() for side in sides]
    return all(most < _IS_DARK for _, most in ends)


def _on_white(close: Raster) -> Raster:
    """A place with as much white around it as a code needs."""
    room = max(close.image.size) // _FINDER
    image = ImageOps.expand(close.image, room, "white")
    return Raster(image, close.box.grown(room * close.box.width / close.image.width))


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
    for barcode in _read(close.image.getchannel(channel)):
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
        """Which part of its three finders and of its timing lines is as it must be."""
        end = self._across - _FINDER
        right = [
            self._is_dark(row + down, column + over) == (max(abs(row - 3), abs(column - 3)) != 2)
            for down, over in ((0, 0), (0, end), (end, 0))
            for row in range(_FINDER)
            for column in range(_FINDER)
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
