"""Unrolls the rim of a face beside its cut: a row for each distance from the cut and a column for
each place along it, so that a circle is looked at as a straight side is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from generator.geometry import Point, Rect, bounds, summed
from generator.preflight.raster import Raster

Pixels = npt.NDArray[np.int16]
"""Channels, rows from within outwards, columns along the cut."""
STEP: Final = 0.25
"""mm between two rows, and two columns: a pixel."""
ROWS: Final = 9
"""Rows on either side of the cut."""
BLOCK: Final = 10
"""Columns that are looked at as one, to see at a glance whether there may be anything."""
LEAST: Final = 5.0
"""mm of a side that is looked at; of a short one `_PART`."""
_PART, SHORTEST = 0.7, 1.5
"""Of a side that is looked at, and mm of it that one must have."""
FINE: Final = 1 / 16
"""mm between two rows of a side that is drawn large."""
WITHIN, BEYOND = 3.0, 2.0
"""mm of such rows within the cut, where a frame may lie, and beyond it."""
_SHARP: Final = 30.0
"""Degrees by which an outline turns where one of its sides ends."""
_OFF_CORNER: Final = 1.0
"""mm from a corner where the rim of the next side begins."""
_ROUND: Final = 0.6
"""Of a free outline beside which something must be where its short sides are looked at."""
_ROUNDING: Final = 0.02
NOTHING: Final = np.zeros((3, 2 * ROWS, 0), dtype=np.int16)


class RimSide(NamedTuple):
    """A side of the cut: its name ("" where it is but a part of an outline), the way out of it
    where it is straight and level or upright, what is along it, its columns in the rim, and
    whether it comes back to where it began."""

    name: str
    out: Point | None
    place: Rect
    columns: slice
    closed: bool

    @property
    def length(self) -> float:
        """mm of it that are looked at."""
        if self.out is not None:
            return max(self.place.width, self.place.height)
        return float(self.columns.stop - self.columns.start) * STEP


def least_of(length: float) -> float:
    """mm along which something must go on of a side of which so much is looked at."""
    return LEAST if length >= LEAST else max(_PART * length, SHORTEST)


def go_round(sides: Iterable[RimSide], outline: Sequence[Point]) -> bool:
    """True for sides that are most of a free outline, which art often follows for a while."""
    ends = zip(outline, (*outline[1:], *outline[:1]), strict=True)
    whole = summed(math.dist((one.x, one.y), (other.x, other.y)) for one, other in ends)
    return summed(side.length + 2 * _OFF_CORNER for side in sides) >= _ROUND * whole


class Rim(NamedTuple):
    """What is beside a cut, side by side, each column `wide` mm."""

    pixels: Pixels
    sides: tuple[RimSide, ...]
    wide: float = STEP


def of_box(raster: Raster, box: Rect) -> Rim:
    """The four sides of a box without their corners, with wide columns of pixels as they are."""
    inset = min(box.width, box.height) / 10
    x, y = box.x + inset, box.y + inset
    wide, high = box.width - 2 * inset, box.height - 2 * inset
    parts, sides, done = [], [], 0
    for name, out, place in (
        ("upper", Point(0, -1), Rect(x, box.y, wide, 0)),
        ("lower", Point(0, 1), Rect(x, box.bottom, wide, 0)),
        ("left", Point(-1, 0), Rect(box.x, y, 0, high)),
        ("right", Point(1, 0), Rect(box.right, y, 0, high)),
    ):
        if raster.box.grown(_ROUNDING).contains(place):
            parts.append(_glanced(raster, out, place))
            count = parts[-1].shape[2]
            sides.append(RimSide(name, out, place, slice(done, done + count), False))
            done += count
    whole = np.concatenate(parts, axis=2).astype(np.int16) if parts else NOTHING
    return Rim(whole, tuple(sides), STEP * BLOCK)


def _glanced(raster: Raster, out: Point, place: Rect) -> npt.NDArray[np.uint8]:
    own, image = raster.box, raster.image
    across, down = image.width / own.width, image.height / own.height
    left, right = round((place.x - own.x) * across), round((place.right - own.x) * across)
    top, foot = round((place.y - own.y) * down), round((place.bottom - own.y) * down)
    if out.x:
        cut, end, by = left, image.width, (1, BLOCK)
        low, high = max(cut - ROWS, 0), min(cut + ROWS, end)
        area = low, top, high, top + max((foot - top) // BLOCK, 1) * BLOCK
    else:
        cut, end, by = top, image.height, (BLOCK, 1)
        low, high = max(cut - ROWS, 0), min(cut + ROWS, end)
        area = left, low, left + max((right - left) // BLOCK, 1) * BLOCK, high
    area = area[0], area[1], min(area[2], image.width), min(area[3], image.height)
    part = np.asarray(image.reduce(by, area)).transpose((2, 1, 0) if out.x else (2, 0, 1))
    if high - low < 2 * ROWS:
        lacking = (low - cut + ROWS, cut + ROWS - high)
        part = np.pad(part, ((0, 0), lacking, (0, 0)), "edge")
    return part if out.x + out.y > 0 else part[:, ::-1]


def beside(side: RimSide) -> Rect:
    """What the rim of a straight side is of, at most."""
    assert side.out is not None
    deep, place = max(ROWS * STEP, WITHIN), side.place
    if side.out.x:
        return Rect(place.x - deep, place.y, 2 * deep, place.height)
    return Rect(place.x, place.y - deep, place.width, 2 * deep)


def strip(
    raster: Raster,
    side: RimSide,
    step: float = STEP,
    within: float = ROWS * STEP,
    beyond: float = ROWS * STEP,
) -> Pixels:
    """The rows beside a straight side, from so many mm within the cut to so many beyond it; those
    that the raster does not have are as the last."""
    assert side.out is not None
    place, own, image, count = side.place, raster.box, raster.image, side.columns
    level, outwards = side.out.x == 0, side.out.x + side.out.y > 0
    across, down = image.width / own.width, image.height / own.height
    cut, begin, end = (place.y, own.y, own.bottom) if level else (place.x, own.x, own.right)
    wanted = [round(far / step) for far in ((within, beyond) if outwards else (beyond, within))]
    before = min(int((cut - begin + _ROUNDING) / step), wanted[0])
    after = min(int((end - cut + _ROUNDING) / step), wanted[1])
    low, high = cut - before * step, cut + after * step
    area = Rect(place.x, low, place.width, high - low) if level else (
        Rect(low, place.y, high - low, place.height)
    )  # fmt: skip
    edges = (
        max((area.x - own.x) * across, 0), max((area.y - own.y) * down, 0),
        min((area.right - own.x) * across, image.width),
        min((area.bottom - own.y) * down, image.height),
    )  # fmt: skip
    long, wide = count.stop - count.start, before + after
    size = (long, wide) if level else (wide, long)
    part = np.asarray(image.resize(size, Image.Resampling.BOX, edges))
    rows = part.transpose((2, 0, 1) if level else (2, 1, 0)).astype(np.int16)
    if before + after < wanted[0] + wanted[1]:
        lacking = (wanted[0] - before, wanted[1] - after)
        rows = np.pad(rows, ((0, 0), lacking, (0, 0)), "edge")
    return rows if outwards else rows[:, ::-1]


def of_outline(
    raster: Raster,
    corners: Sequence[Point],
    step: float = STEP,
    within: float = ROWS * STEP,
    beyond: float = ROWS * STEP,
) -> Rim:
    """The sides of an outline, clockwise, between its sharp corners, but for the shortest: rows
    from so many mm within the cut to so many beyond it."""
    lines, sides, done = [], [], 0
    for chain in _chains(corners):
        closed = chain[0] == chain[-1]
        samples = _samples(chain, closed=closed)
        if len(samples) * STEP < SHORTEST:
            continue
        lines.append(samples)
        place = bounds([Point(float(x), float(y)) for x, y in samples[:, :2]])
        sides.append(RimSide("", None, place, slice(done, done + len(samples)), closed))
        done += len(samples)
    if not lines:
        return Rim(NOTHING, ())
    along = np.concatenate(lines)
    far = (np.arange(round((within + beyond) / step)) + 0.5) * step - within
    x = along[None, :, 0] + far[:, None] * along[None, :, 2]
    y = along[None, :, 1] + far[:, None] * along[None, :, 3]
    return Rim(_sampled(raster, x, y, step), tuple(sides))


def in_blocks(rim: Rim) -> Rim:
    """The same with wide columns."""
    parts, sides, done = [], [], 0
    for side in rim.sides:
        count = max((side.columns.stop - side.columns.start) // BLOCK, 1)
        part = rim.pixels[:, :, side.columns][:, :, : count * BLOCK]
        parts.append(part.reshape(*part.shape[:2], count, -1).mean(axis=3))
        sides.append(side._replace(columns=slice(done, done + count)))
        done += count
    whole = np.concatenate(parts, axis=2) if parts else NOTHING
    return Rim(whole.astype(np.int16), tuple(sides), STEP * BLOCK)


def _chains(corners: Sequence[Point]) -> Iterator[list[Point]]:
    """The parts of an outline that do not turn sharply; one that never does begins anywhere."""
    points = [p for p, q in pairwise([*corners, corners[0]]) if math.dist((p.x, p.y), (q.x, q.y))]
    count = len(points)
    sharp = [n for n in range(count) if _turn(points[n - 1], points[n], points[(n + 1) % count])]
    if not sharp:
        yield [*points, points[0]]
    for begin, end in pairwise([*sharp, sharp[0] + count] if sharp else []):
        yield [points[n % count] for n in range(begin, end + 1)]


def _turn(before: Point, at: Point, after: Point) -> bool:
    one = math.atan2(at.y - before.y, at.x - before.x)
    other = math.atan2(after.y - at.y, after.x - at.x)
    return abs(math.remainder(other - one, math.tau)) > math.radians(_SHARP)


def _samples(chain: Sequence[Point], *, closed: bool) -> npt.NDArray[Any]:
    """x, y and the way out at places along a part of an outline, a step apart."""
    xy = np.array([(p.x, p.y) for p in chain])
    steps = np.diff(xy, axis=0)
    lengths = np.hypot(*steps.T)
    walked = np.concatenate(([0.0], np.cumsum(lengths)))
    off = 0.0 if closed else _OFF_CORNER
    places = np.arange(off + STEP / 2, walked[-1] - off, STEP)
    if not len(places):
        return np.zeros((0, 4))
    which = np.searchsorted(walked, places, side="right").clip(1, len(lengths)) - 1
    ways = steps[which] / lengths[which, None]
    at = xy[which] + ways * (places - walked[which])[:, None]
    return np.column_stack((at, ways[:, 1], -ways[:, 0]))


def _sampled(raster: Raster, x: npt.NDArray[Any], y: npt.NDArray[Any], step: float) -> Pixels:
    """The colours at places, between pixels those in between; of large pictures made smaller."""
    box = raster.box
    less = max(int(raster.image.width / box.width * step), 1)
    image = raster.image.reduce(less) if less > 1 else raster.image
    pixels = np.asarray(image)
    height, width = pixels.shape[:2]
    across, down = raster.image.width / less / box.width, raster.image.height / less / box.height
    right = ((x - box.x) * across - 0.5).clip(0, width - 1.001)
    low = ((y - box.y) * down - 0.5).clip(0, height - 1.001)
    left, top = right.astype(np.intp), low.astype(np.intp)
    u, v = ((a - b)[..., None].astype(np.float32) for a, b in ((right, left), (low, top)))
    upper = pixels[top, left] * (1 - u) + pixels[top, left + 1] * u
    lower = pixels[top + 1, left] * (1 - u) + pixels[top + 1, left + 1] * u
    mixed = np.round(upper * (1 - v) + lower * v).astype(np.int16)
    return mixed.transpose(2, 0, 1)
