"""Finds the edges of colour and the thin lines that run along the cut of a face. It is long, since
what is an edge, a line or a pattern is told from the same pixels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from PIL import Image

from generator.geometry import Point, Rect, around
from generator.model.catalogue import Shape
from generator.outlines import polygon
from generator.preflight.near_cut import NearCut
from generator.preflight.raster import Raster
from generator.preflight.rims import (
    BEYOND,
    FINE,
    LEAST,
    ROWS,
    STEP,
    WITHIN,
    Pixels,
    Rim,
    RimSide,
    beside,
    go_round,
    in_blocks,
    least_of,
    of_box,
    of_outline,
    strip,
)

Closer = Callable[[Rect, int], Raster]
"""Draws a part of a face, told in its trim, at so many dots an inch."""
Columns = npt.NDArray[np.bool_]
_Numbers = npt.NDArray[np.float32]
SAME: Final = 24
"""Levels of a channel up to which two pixels are one colour."""
REACH: Final = 0.5
"""mm from the cut where an edge still runs along it."""
FURTHEST: Final = 1.25
"""mm from the cut where a thin frame still is uneven, when a knife is off."""
BLED: Final = 0.8
"""The same of a face with bleed, which is cut where it should be."""
_OFF: Final = 0.06
"""mm that pixels are off where a side is drawn large; half of it where it is neither level nor
upright."""
_ROUGH: Final = 0.45
"""The same where it is not: PDFium draws a level or upright edge at the next pixel beyond."""
_CLOSE_DPI: Final = 600
_DEEP: Final = 45.0
"""mm into a face in which a pattern repeats itself."""
_BEYOND: Final = 2.0
"""mm outside of the cut from which on it is looked for."""
_PERIOD: Final = 0.6
"""mm by which the stripes of a pattern may be uneven."""
_OF_GRID: Final = 4
"""Lines further in, as far apart, of a grid: a frame has two or three."""
WIDEST: Final = 1.15
"""mm that a line is wide at most; what is wider is a band with two edges."""
_MOSTLY: Final = 0.4
"""Of such blocks beside a side that has a thin line."""
_PRESENT: Final = 18
"""Levels by which such blocks differ where there is: edges are worn down a little in them."""
_STEADY: Final = 0.2
"""mm by which an edge may come nearer and go away, and still runs along the cut."""
_STRAIGHT: Final = 0.09
"""mm by which the thirds of its length may lie otherwise: of a curve that touches the cut more."""
_GAP: Final = 4
"""Columns that may lack in the middle of an edge."""
_EVEN: Final = 14.0
"""Levels that a colour strays from its mean, where it is one all along."""
_ALONG: Final = 0.6
"""Of a side along which there are the edges of a frame."""
_SOFT: Final = 3
"""Rows that a single edge takes."""
_BLUR: Final = 4
"""Rows by which an edge may be smeared; one that goes back within as many is the other side of a
line."""
_FEW: Final = 4
"""Edges of a frame of two lines; more side by side are a pattern."""
_LINE: Final = 0.6
"""mm from an edge within which the side of a box is where it comes from."""
_PLAIN: Final = 6
"""Segments of a path that is no more than its box."""
_BOXES: Final = (Shape.RECTANGLE, Shape.ROUNDED)


class RimEdge(NamedTuple):
    """An edge of colour along a side: mm outside of the cut (within it, negative), on which part of
    the side, from where to where it goes on without a break (mm), the colours within and
    beyond; whether it is one of a pattern that `repeats` itself further in."""

    at: float
    share: float
    start: float
    end: float
    inner: tuple[float, ...]
    outer: tuple[float, ...]
    repeats: bool = False

    @property
    def length(self) -> float:
        """mm."""
        return self.end - self.start


class RimLine(NamedTuple):
    """A thin line along a side: mm of its middle outside of the cut, its width, and on which part
    of the side."""

    at: float
    width: float
    share: float

    @property
    def nearest(self) -> float:
        """mm between the cut and the nearer side of it; 0 where it is on the cut."""
        return max(abs(self.at) - self.width / 2, 0.0)


class SideNote(NamedTuple):
    """What runs along a side: an edge of colour, a thin line or both; `pictured` ones are in the
    midst of a picture."""

    side: RimSide
    edge: RimEdge | None
    line: RimLine | None
    pictured: bool


def beside_cut(
    raster: Raster,
    box: Rect,
    shape: Shape,
    contour: Sequence[Point],
    near: Sequence[NearCut],
    closer: Closer,
) -> tuple[SideNote, ...]:
    """What runs along the sides of a trim of that shape, or of a free outline; `near` is what is
    painted there, `closer` draws a part of what the raster shows at so many dots an inch."""
    reach = BLED if raster.box.contains(box.grown(STEP)) else FURTHEST
    if shape in _BOXES:
        return _beside_box(raster, box, near, closer, reach)
    if shape is Shape.PATH and not contour:
        return ()
    corners = contour or polygon(box, shape)
    rough = of_outline(raster, corners)
    blocks = in_blocks(rough)
    promising, banded = list(_promising(blocks, near)), _banded(blocks, reach)
    sides = [
        side
        for side, few in zip(rough.sides, blocks.sides, strict=True)
        if few in banded
        or (
            few in promising
            and _is_there(SideRim(rough.pixels[:, :, side.columns], side.closed, _ROUGH))
        )
    ]
    if contour and not go_round(sides, contour):
        sides = [side for side in sides if side.length >= LEAST]
    if not sides:
        return ()
    close = closer(raster.box, _CLOSE_DPI)
    soft = of_outline(close, corners)
    fine = of_outline(close, corners, FINE, WITHIN, BEYOND)
    return tuple(
        _note(
            side, SideRim(soft.pixels[:, :, side.columns], side.closed, _OFF / 2),
            fine.pixels[:, :, side.columns], raster, near,
        )
        for side in sides
    )  # fmt: skip


def _beside_box(
    raster: Raster,
    box: Rect,
    near: Sequence[NearCut],
    closer: Closer,
    reach: float,
) -> tuple[SideNote, ...]:
    notes = []
    glance = of_box(raster, box)
    promising, banded = list(_promising(glance, near)), _banded(glance, reach)
    for few in glance.sides:
        side = few._replace(columns=slice(0, round(few.length / STEP)))
        if few not in banded and not (
            few in promising and _is_there(SideRim(strip(raster, side), False, _ROUGH))
        ):
            continue
        close = closer(beside(side).cut_to(raster.box), _CLOSE_DPI)
        soft, fine = strip(close, side), strip(close, side, FINE, WITHIN, BEYOND)
        notes.append(_note(side, SideRim(soft, False, _OFF), fine, raster, near))
    return tuple(notes)


def _note(
    side: RimSide, rim: SideRim, fine: Pixels, raster: Raster, near: Sequence[NearCut]
) -> SideNote:
    line, lined = rim.line()
    edge = rim.edge(lined)
    if line is None or line.share < _MOSTLY:
        line = _line_of_bands(fine, _bands(fine)) or line
    if line is not None and _is_ruled(raster, side, line):
        line = None
    pictured = False
    if edge is not None and _ends_at(raster, side):
        # whether it goes on beyond the cut nobody sees: what is left of it is as thin as a line
        return SideNote(side, None, RimLine(edge.at / 2, -edge.at, edge.share), pictured)
    if edge is not None:
        pictured = is_pictured(_line_of(side, edge), near)
        edge = edge._replace(repeats=_repeats(raster, side, edge))
    return SideNote(side, edge, line, pictured)


def _ends_at(raster: Raster, side: RimSide) -> bool:
    """True for a straight side at which a face without bleed ends."""
    if side.out is None:
        return False
    return not raster.box.contains(side.place.moved(side.out.x * STEP, side.out.y * STEP))


def _line_of(side: RimSide, edge: RimEdge) -> Rect:
    """Where an edge is; of one that is not straight all of its side."""
    place, out = side.place, side.out
    if out is None:
        return place
    x, y = place.x + out.x * edge.at, place.y + out.y * edge.at
    if out.x:
        return Rect(x, y + edge.start, 0, edge.length)
    return Rect(x + edge.start, y, edge.length, 0)


def _banded(rim: Rim, reach: float) -> list[RimSide]:
    """The sides along which there may be two edges side by side, such as a frame has: one
    that goes the other way, or the same way again; the nearer one is within `reach`, mm."""
    raw = rim.pixels[:, 2:] - rim.pixels[:, :-2]
    lighter, darker = raw > SAME, raw < -SAME
    found = []
    for side in rim.sides:
        up, down = (way[:, :, side.columns].mean(axis=2) >= _ALONG for way in (lighter, darker))
        rows = np.flatnonzero((up | down).any(axis=0))
        if not len(rows) or np.abs(rows + 1.5 - ROWS).min() * STEP > reach:
            continue
        if len(rows) > _SOFT or (up.any(axis=1) & down.any(axis=1)).any():
            found.append(side)
    return found


def _bands(fine: Pixels) -> list[tuple[int, float]]:
    """The sharp edges along most of a side that is drawn large, from within outwards: each row, and
    on which part of the side."""
    count = fine.shape[1]

    def rows(by: int) -> Pixels:
        return fine[:, 3 + by : count - 3 + by]

    step = rows(1) - rows(-1)
    sign = np.sign(step)
    # what goes on the same way is soft; what comes back is the other side of a line
    on = np.maximum((rows(-1) - rows(-3)) * sign, (rows(3) - rows(1)) * sign)
    more = np.maximum(np.abs(step) - np.maximum(on, 0), 0) * sign
    found: list[tuple[float, int, float]] = []
    for way in (*more, *-more):
        own = way > SAME
        there = np.pad(own, ((1, 1), (0, 0)))
        shares = (there[:-2] | there[1:-1] | there[2:]).mean(axis=1)
        heights = np.where(own, way, 0).mean(axis=1)
        found += [
            (float(heights[row]), int(row), float(shares[row]))
            for row in np.flatnonzero(shares >= _ALONG)
            if heights[row] == heights[max(row - 1, 0) : row + 2].max()
        ]
    usual = step.mean(axis=2)
    kept: list[tuple[int, float]] = []
    for _, row, share in sorted(found, reverse=True):
        close = [other for other, _ in kept if abs(row - other) <= _BLUR]
        if not any(abs(row - o) < 2 or usual[:, row] @ usual[:, o] > 0 for o in close):
            kept.append((row, share))
    return [(row + 3, share) for row, share in sorted(kept)]


def _line_of_bands(fine: Pixels, bands: Sequence[tuple[int, float]]) -> RimLine | None:
    """The thin line nearest to the cut that has an edge on either side; not one of many, which are
    a pattern."""
    lines = []
    for (low, one), (high, other) in pairwise(bands if len(bands) <= _FEW else ()):
        width = (high - low) * FINE
        if width > WIDEST:
            continue
        if width > 4 * FINE and _stray(fine[:, (low + high) // 2]) > _EVEN:
            continue  # it is of many colours, as the edge of a picture is
        lines.append(RimLine(((low + high) / 2 + 0.5) * FINE - WITHIN, width, min(one, other)))
    return min(lines, key=lambda line: line.nearest, default=None)


def _is_there(rim: SideRim) -> bool:
    edge = rim.edge()
    if edge is not None and edge.length >= least_of(rim.pixels.shape[2] * STEP):
        return True
    line, _ = rim.line()
    return line is not None and line.share > _MOSTLY


def _promising(rim: Rim, near: Sequence[NearCut]) -> Iterator[RimSide]:
    """The sides beside which there may be something: most often there is nothing, and that is
    seen at a glance. Its columns must be as wide as such a glance takes in: an edge that is
    told fills two of them."""
    raw = rim.pixels[:, 2:] - rim.pixels[:, :-2]
    lighter: Columns = np.any(_most(raw) > _PRESENT, axis=0)
    darker: Columns = np.any(_most(-raw) > _PRESENT, axis=0)
    some = lighter | darker
    if not (some[1:] & some[:-1]).any():
        return
    steps, _ = _steps(rim.pixels, _ROUGH)
    ways = np.concatenate((steps > _PRESENT, steps < -_PRESENT))
    ways = ways[:, 1:] | ways[:, :-1]
    bumps = None
    for side in rim.sides:
        here = ways[:, :, side.columns]
        count = here.shape[2]
        most = here.sum(axis=2).max()
        if most >= _MOSTLY * count or (
            most > 1
            and not is_pictured(side.place, near)
            and (here[:, :, 1:] & here[:, :, :-1]).any()
        ):
            yield side
            continue
        if (lighter & darker)[side.columns].mean() < _MOSTLY:
            continue  # a thin line is both
        if bumps is None:
            bumps = _bumps(rim.pixels)[0] > _PRESENT
        if bumps[:, side.columns].any(axis=0).mean() > _MOSTLY:
            yield side


def is_pictured(line: Rect, near: Sequence[NearCut]) -> bool:
    """True where there is nothing along a line but the inside of a picture."""
    found = False
    for thing in near:
        if thing.box.overlaps(line.grown(_LINE)):
            inside = thing.box.contains(line.grown(_LINE))
            if thing.is_picture:
                found = inside
            elif not (inside and thing.segments <= _PLAIN):
                found = False
    return found


class SideRim(NamedTuple):
    """The pixels beside a side, which may come back to where it began, and mm by which they are
    off."""

    pixels: Pixels
    closed: bool
    off: float

    def edge(self, lined: Columns | None = None) -> RimEdge | None:
        """The edge of colour that runs along most of it, but for columns that have a thin line."""
        scores, first = _steps(self.pixels, self.off)
        channels, rows, count = scores.shape
        flat = np.abs(scores).reshape(channels * rows, count)
        best = flat.argmax(axis=0)
        columns = np.arange(count)
        found = np.asarray(flat[best, columns] > SAME)
        if lined is not None and lined.mean() >= _MOSTLY / 2:
            found &= ~lined
        if found.sum() * STEP < least_of(count * STEP):
            return None
        channel, row = best // rows, best % rows + first
        signs = np.sign(scores.reshape(channels * rows, count)[best, columns])
        places = self._places(channel, row)
        found &= np.abs(places) <= REACH + self.off
        return self._best(found, signs, places, row)

    def _places(self, channel: npt.NDArray[Any], row: npt.NDArray[Any]) -> _Numbers:
        """mm outside of the cut of the middle of each column's edge, of that channel near that
        row."""
        columns = np.arange(self.pixels.shape[2])
        near = [self.pixels[channel, row + step, columns].astype(np.float32) for step in _AROUND]
        slopes = np.abs(np.diff(np.stack(near), axis=0))
        weights = slopes.sum(axis=0)
        middles = np.array([(a + b) / 2 for a, b in pairwise(_AROUND)], dtype=np.float32)
        off = (slopes * middles[:, None]).sum(axis=0) / np.maximum(weights, 1)
        return cast(_Numbers, (row - ROWS + 0.5 + off) * STEP)

    def _best(
        self,
        found: Columns,
        signs: npt.NDArray[Any],
        places: _Numbers,
        row: npt.NDArray[Any],
    ) -> RimEdge | None:
        """The columns at one distance that are the most."""
        bins = np.round((places[found] + 2) / (_STEADY / 2)).astype(np.intp)
        counts = np.bincount(bins, minlength=3)
        at = float(np.convolve(counts, (1, 2, 1), "same").argmax()) * _STEADY / 2 - 2
        steady = found & (np.abs(places - at) <= _STEADY)
        edge = None
        for sign in (-1, 1, 0):
            edges = steady & (signs == sign) if sign else steady
            if not edges.any():
                continue
            columns = np.flatnonzero(edges)
            inner = self._colours(columns, row[columns] - 2)
            outer = self._colours(columns, row[columns] + 2)
            if not sign and min(_stray(inner), _stray(outer)) > _EVEN:
                continue  # it is lighter and darker by turns, as a row of squares is
            start, end = _longest(edges, closed=self.closed)
            if not _is_straight(places, np.flatnonzero(edges)):
                continue
            share = len(columns) / len(edges)
            new = RimEdge(
                float(places[columns].mean()), share, start * STEP, end * STEP,
                tuple(map(float, inner.mean(axis=1))), tuple(map(float, outer.mean(axis=1))),
            )  # fmt: skip
            if edge is None or (new.share, new.length) > (edge.share, edge.length):
                edge = new
        return edge

    def _colours(self, columns: npt.NDArray[Any], rows: npt.NDArray[Any]) -> Pixels:
        return self.pixels[:, rows.clip(0, 2 * ROWS - 1), columns]

    def line(self) -> tuple[RimLine | None, Columns]:
        """The thin line that runs along most of it, and the columns that have it."""
        bumps, first = _bumps(self.pixels)
        best = bumps.argmax(axis=0)
        heights = bumps[best, np.arange(bumps.shape[1])]
        found = np.asarray(heights > SAME)
        nothing = np.zeros_like(found)
        if not found.any():
            return None, nothing
        counts = np.bincount(best[found], minlength=bumps.shape[0])
        row = int(np.convolve(counts, (1, 2, 1), "same").argmax())
        steady = found & (np.abs(best - row) <= 1)
        profile = self.pixels[:, :, steady].mean(axis=2)
        channel, low, high = _hill(profile, row + first)
        part = profile[channel, low : high + 1]
        ground = np.linspace(part[0], part[-1], len(part))
        excess = np.abs(part - ground)
        if not excess.any():
            return None, nothing
        rows = np.arange(low, high + 1)
        at = float((excess * rows).sum() / excess.sum()) - ROWS
        width = float(excess.sum() / excess.max()) * STEP
        share = float(steady.sum()) / len(steady)
        if width > WIDEST + STEP:
            return None, nothing
        return RimLine((at + 0.5) * STEP, width, share), steady


_AROUND: Final = (-2, -1, 0, 1, 2)
"""Rows beside the middle of an edge, which is soft as its pixels are."""
_AWAY: Final = (2, 3, 4, 5)
"""Rows between the middle of a line and its ground."""


def _steps(pixels: npt.NDArray[Any], off: float) -> tuple[npt.NDArray[Any], int]:
    """How much lighter, or, negative, darker, each pixel near the cut is beyond than within, more
    than to either side of it, where that may be a gradient or a photo; the first row of these."""
    reach = math.ceil((REACH + off) / STEP)
    first, last = ROWS - reach - 1, ROWS + reach

    def rows(by: int) -> npt.NDArray[Any]:
        return pixels[:, first + by : last + 1 + by]

    step = rows(1) - rows(-1)
    beside = np.maximum(np.abs(rows(-1) - rows(-3)), np.abs(rows(3) - rows(1)))
    more = np.maximum(np.abs(step) - beside, 0)
    return np.sign(step) * more, first


def _most(channels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The most of all channels."""
    one, two, three = channels
    most: npt.NDArray[Any] = np.maximum(np.maximum(one, two), three)
    return most


def _bumps(pixels: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """How much lighter or darker than both its sides, which are alike, each pixel near the cut is;
    and the first row of these."""
    reach = math.ceil((0.5 + WIDEST / 2) / STEP)
    first, last = ROWS - reach, ROWS + reach - 1
    most = np.zeros((last + 1 - first, pixels.shape[2]), dtype=pixels.dtype)
    middle = pixels[:, first : last + 1]
    for away in _AWAY:
        within = pixels[:, max(first - away, 0) : last + 1 - away]
        beyond = pixels[:, first + away : last + 1 + away]
        missing = middle.shape[1] - beyond.shape[1]
        if missing:
            beyond = np.concatenate((beyond, *[pixels[:, -1:]] * missing), axis=1)
        missing = middle.shape[1] - within.shape[1]
        if missing:
            within = np.concatenate((*[pixels[:, :1]] * missing, within), axis=1)
        higher = middle - np.maximum(within, beyond)
        lower = np.minimum(within, beyond) - middle
        apart = _most(np.abs(within - beyond))
        bump = _most(np.maximum(higher, lower))
        calm = apart <= np.maximum(SAME, bump // 3)
        most = np.maximum(most, np.where(calm, bump - apart, 0))
    return most, first


def _hill(profile: npt.NDArray[Any], row: int) -> tuple[int, int, int]:
    """The channel in which a line is plainest, and the rows where its ground begins on both
    sides."""
    low, high = max(row - _AWAY[-1], 0), min(row + _AWAY[-1], profile.shape[1] - 1)
    best, channel = -1.0, 0
    for number in range(profile.shape[0]):
        ends = (profile[number, low] + profile[number, high]) / 2
        height = abs(float(profile[number, row] - ends))
        if height > best:
            best, channel = height, number
    curve = np.abs(profile[channel] - profile[channel, row])
    near = best * 0.9
    left = next((r for r in range(row, low - 1, -1) if curve[r] >= near), low)
    right = next((r for r in range(row, high + 1) if curve[r] >= near), high)
    return channel, left, right


def _stray(colours: Pixels) -> float:
    return float(colours.std(axis=1).max())


def _longest(found: Columns, *, closed: bool) -> tuple[int, int]:
    """The first column of the longest run, and the one after its last."""
    columns = np.flatnonzero(found)
    if closed:
        columns = np.concatenate((columns, columns + len(found)))
    breaks = np.flatnonzero(np.diff(columns) > _GAP) + 1
    runs = np.split(columns, breaks)
    longest = max(runs, key=len)
    start = int(longest[0])
    return start, min(int(longest[-1]) + 1, start + len(found))


def _is_straight(places: _Numbers, columns: npt.NDArray[Any]) -> bool:
    """False for a curve that touches the cut, and for what comes nearer and nearer."""
    thirds = np.array_split(places[columns], 3)
    means = [float(third.mean()) for third in thirds if len(third)]
    return max(means) - min(means) <= _STRAIGHT


def _repeats(raster: Raster, side: RimSide, edge: RimEdge) -> bool:
    """True for a pattern of which an edge happens to be at the cut: as far inside again the same
    colours meet in the same way, and in between the other way about: right in the middle, or
    twice."""
    if side.out is None:
        return False
    steps = _behind(raster, side, edge.start, edge.length)
    at = next((n for n, step in enumerate(steps) if abs(step[0] - edge.at) <= _ROUGH), None)
    if at is None or len(steps) < at + 3:
        return False
    one, two, three = steps[at : at + 3]
    if not _alike(one, three):
        return False
    if abs(one[0] - 2 * two[0] + three[0]) <= _PERIOD and _alike(one, [-v for v in two]):
        return True
    four = steps[at + 3] if len(steps) > at + 3 else (math.inf,)
    return abs(one[0] - two[0] - three[0] + four[0]) <= _PERIOD and _alike(two, four)


def _alike(one: Sequence[float], other: Sequence[float]) -> bool:
    return max(abs(a - b) for a, b in zip(one[1:], other[1:], strict=True)) <= SAME


def _is_ruled(raster: Raster, side: RimSide, line: RimLine) -> bool:
    """True for a line of a grid or of ruled paper: more of them go on further in, as far apart."""
    if side.out is None:
        return False
    steps = _behind(raster, side, 0, side.length)
    outer = next(
        (step for step in steps if abs(step[0] - line.at - line.width / 2) <= _ROUGH), None
    )
    if outer is None:
        return False
    alike = [s[0] for s in steps if s[0] <= outer[0] and np.dot(s[1:], outer[1:]) > 0]
    gaps = [one - two for one, two in pairwise(alike[: _OF_GRID + 1])]
    return len(gaps) == _OF_GRID and min(gaps) > WIDEST and max(gaps) - min(gaps) <= _PERIOD


def _behind(raster: Raster, side: RimSide, start: float, length: float) -> list[tuple[float, ...]]:
    """The edges of colour one behind another on a part of a straight side, told in mm of it, from
    without inwards: mm of each outside of the cut, and by how much each channel becomes lighter."""
    assert side.out is not None
    out, place = side.out, side.place
    beyond = place.moved(out.x * _BEYOND, out.y * _BEYOND)
    within = place.moved(-out.x * _DEEP, -out.y * _DEEP)
    whole = around((beyond, within))
    if out.x:
        strip = Rect(whole.x, place.y + start, whole.width, length)
    else:
        strip = Rect(place.x + start, whole.y, length, whole.height)
    strip = strip.cut_to(raster.box)
    part = raster.part(strip)
    small = (part.width, 1) if out.x else (1, part.height)
    row = np.asarray(part.resize(small, Image.Resampling.BOX)).reshape(-1, 3).astype(np.int16)
    end = {
        "upper": place.y - strip.y, "lower": strip.bottom - place.y,
        "left": place.x - strip.x, "right": strip.right - place.x,
    }[side.name]  # fmt: skip
    pixel = (strip.width if out.x else strip.height) / len(row)
    if out.x + out.y > 0:
        row = row[::-1]
    step = row[2:] - row[:-2]
    plain = np.abs(step).max(axis=1)
    return [
        (end - (n + 1.5) * pixel, *map(float, step[n]))
        for n in range(len(step))
        if plain[n] > SAME and plain[n] == plain[max(n - 2, 0) : n + 3].max()
        and (n == 0 or plain[n] > plain[n - 1])
    ]  # fmt: skip
