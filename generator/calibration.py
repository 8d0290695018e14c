"""Measures where a printer prints, from a printed target that its owner or a camera reads.

The target is a page with round marks. In a picture of the sheet, the edges of the paper give the
perspective. The affine map from where the marks should be to where they are (least squares) is the
printer's error.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.lib.stride_tricks import sliding_window_view
from PIL import Image, ImageFilter

from generator.assets import FORMATS, picture_info
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import Roots
from generator.geometry import Point, Size
from generator.model.catalogue import PrinterProfile, PrinterStretch
from generator.model.face import Side

EDGE: Final = 15.0
"""mm from the paper's edge to the target's face."""
INSET: Final = 22.0
"""mm from the paper's edges to the centres of the marks."""
RADIUS: Final = 3.0
TELLTALE: Final = 1.5
"""Radius of small marks. They distinguish the first mark, the back, and a sheet printed with a
profile."""
TELLTALES: Final = (12.0, 18.0, 24.0)
"""mm from the first mark to each small mark, to the right."""
MOST_OFF: Final = 8.0
"""mm that a mark may be off."""
_RING: Final = 5.0
"""mm from the centre of a mark to the end of the white around it."""
_PER_MM: Final = 8
"""Pixels per mm of the straightened paper."""
_LONGEST_SIDE: Final = 4000
_LEAST_PER_MM: Final = 2.5
_UPRIGHT_ENOUGH: Final = 0.77
"""Cosine of the largest angle at which a sheet may lie in its picture."""
_UPRIGHT: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""The transpose that turns a picture upright, by EXIF orientation."""
_ROWS: Final = 160
"""Rows for finding the paper's edge."""
_STRAIGHT: Final = 1.5
"""Pixels that a point of an edge may be off its line."""
_TRIES: Final = 300
_STEPS: Final = 5
_CLEAR: Final = 0.5
"""The least contrast of a mark with its surroundings, 0 to 1."""
_FAINT: Final = 0.25
_BLACK: Final = 99.5
"""Percentile: half a percent of the target is black."""
_ALIKE: Final = 0.02
"""Tolerance of a picture's proportions against those of the paper that fills it."""
_ROUND: Final = 0.35
"""Tolerance of a mark's area."""
_MOST_BENT: Final = 0.6
"""mm that the marks may be off the best fit."""


class PrinterReading(Struct, frozen=True):
    """The error of a printer on one side: its shift in mm to the right and down, and its stretch
    about the middle. `rest` is the error of the fit in mm; `frame` means that edges of the picture
    counted as edges of the paper; `known` means that the sheet was printed with a profile."""

    side: Side
    shift: Point
    stretch: PrinterStretch
    rest: float = 0.0
    frame: bool = False
    known: bool = False


def face_size(paper: Size) -> Size:
    """Return the size of the target on a paper."""
    return Size(paper.width - 2 * EDGE, paper.height - 2 * EDGE)


def mark_centres(paper: Size) -> tuple[Point, ...]:
    """Return the centres of the marks on the page, from the top left."""
    xs = INSET, paper.width / 2, paper.width - INSET
    ys = INSET, paper.height / 2, paper.height - INSET
    return tuple(Point(x, y) for y in ys for x in xs if (x, y) != (xs[1], ys[1]))


def reading_by_hand(
    side: Side, paper: Size, shift: Point, measured: Size | None = None
) -> PrinterReading:
    """Return the reading from two numbers on the scales, and measured distances between corner
    marks."""
    true = Size(paper.width - 2 * INSET, paper.height - 2 * INSET)
    across, down = (
        (measured.width / true.width, measured.height / true.height) if measured else (1.0, 1.0)
    )
    return PrinterReading(side, shift, _stretch(across, down, 0.0, paper))


def calibrated_profile(
    before: PrinterProfile, readings: Sequence[PrinterReading], name: str
) -> PrinterProfile:
    """Return the profile after sheets printed with the profile `before` gave these readings.
    Several readings of a side are averaged; their spread is the tolerance."""
    profile = replace(before, name=name or before.name)
    spread = 0.0
    for side in Side:
        found = [reading for reading in readings if reading.side is side]
        if not found:
            continue
        by = Point(_mean(r.shift.x for r in found), _mean(r.shift.y for r in found))
        spread = max(spread, *(math.dist((r.shift.x, r.shift.y), (by.x, by.y)) for r in found))
        rest = PrinterStretch(
            _mean(r.stretch.short for r in found),
            _mean(r.stretch.long for r in found),
            _mean(r.stretch.skew for r in found),
        )
        if side is Side.FRONT:
            shift, stretch = _further(profile.front, profile.front_stretch, by, rest)
            profile = replace(profile, front=shift, front_stretch=stretch)
        else:
            shift, stretch = _further(profile.back, profile.back_stretch, by, rest)
            profile = replace(profile, back=shift, back_stretch=stretch)
    if len(readings) > len({reading.side for reading in readings}):
        profile = replace(profile, tolerance=math.ceil(spread * 10 - 1e-6) / 10)
    return profile


def _further(
    shift: Point, stretch: PrinterStretch, by: Point, rest: PrinterStretch
) -> tuple[Point, PrinterStretch]:
    """Add a reading to the known shift and stretch of a side."""
    return Point(round(shift.x + by.x, 2), round(shift.y + by.y, 2)), PrinterStretch(
        round(stretch.short * rest.short, 4),
        round(stretch.long * rest.long, 4),
        round(stretch.skew + rest.skew, 2),
    )


def _mean(values: Iterator[float]) -> float:
    given = list(values)
    return math.fsum(given) / len(given)


_UNKNOWN: Final = PrinterProfile()
_KEYS: Final = tuple("front back front_scale front_skew back_scale back_skew".split())


def profile_text(profile: PrinterProfile, before: str = "", was: PrinterProfile = _UNKNOWN) -> str:
    """Return the text of `printer.yaml`; other lines of the text before it stay. `was` is the
    profile in that text."""
    lines, changed = [], list(_KEYS)
    if profile.name and profile.name != was.name:
        changed.append("name")
        lines.append(f"name: {json.dumps(profile.name, ensure_ascii=False)}")
    for side in ("front", "back"):
        by: Point = getattr(profile, side)
        stretch: PrinterStretch = getattr(profile, f"{side}_stretch")
        lines.append(f"{side}: [{by.x:g}mm, {by.y:g}mm]")
        if stretch != PrinterStretch(skew=stretch.skew):
            lines.append(f"{side}_scale: [{stretch.short:g}, {stretch.long:g}]")
        if stretch.skew:
            lines.append(f"{side}_skew: {stretch.skew:g}")
    if profile.tolerance and profile.tolerance != was.tolerance:
        changed.append("tolerance")
        lines.append(f"tolerance: {profile.tolerance:g}mm")
    return "\n".join([*lines, *_others(before, changed)]) + "\n"


def _others(text: str, changed: Sequence[str]) -> Iterator[str]:
    """Yield the lines that are not about these keys. Indented lines continue a value."""
    ours = False
    for line in text.splitlines():
        if line[:1] not in (" ", "\t", "]", "-"):
            ours = line.partition(":")[0].strip() in changed
        if not ours and line.strip() not in ("---", "..."):
            yield line


def read_picture(path: Path, paper: Size, shown: str) -> PrinterReading:
    """Return the reading of a scan or photograph of a printed target.

    Raises GridpressError (GP501 to GP504) for an unreadable picture, (GP611) if no target is found
    in it.
    """
    place = Span(shown)
    path = path.resolve()  # may be a link
    info = picture_info(path, place, Roots((path.parent,)))  # checks the file
    with Image.open(path, formats=FORMATS) as opened:
        opened.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
        grey = _flat(opened)
    if info.orientation in _UPRIGHT:
        grey = grey.transpose(_UPRIGHT[info.orientation])
    least = _LEAST_PER_MM * min(paper.width, paper.height)
    corners, frame = _paper(grey, paper, place) if min(grey.size) >= least else ([], False)
    sides = [math.dist(a, b) for a, b in pairwise([*corners, *corners[:1]])]
    if min(sides, default=0) < least:
        hint = "scan it at 150 dpi or more, or hold the camera closer"
        raise _unseen(place, "it has too few pixels", hint)
    lying = sides[0] + sides[2] > sides[1] + sides[3]
    is_wide = paper.width > paper.height
    turns = (0, 2) if lying == is_wide else (1, 3)
    for turn in turns:
        turned = [*corners[turn:], *corners[:turn]]
        straight = _straightened(grey, turned, paper)
        told = _telltales(straight, paper)
        if told is not None:
            side = Side.BACK if told[0] else Side.FRONT
            fitted = _fitted(straight, side, paper, place)
            return replace(fitted, frame=frame, known=told[1])
    raise _unseen(place, "its marks are not visible")


def _flat(picture: Image.Image) -> Image.Image:
    """Return the picture in grey, with transparent parts white."""
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        ground = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(ground, clear).convert("L")
    if picture.mode.startswith("I"):  # Pillow would cut 16 bits to the darkest 8
        return Image.fromarray((np.asarray(picture, dtype=np.float32) / 257).astype(np.uint8))
    return picture.convert("L")


class _EdgeLine(NamedTuple):
    """The line x·a + y·b = c, in pixels; `frame` if it is an edge of the picture."""

    a: float
    b: float
    c: float
    frame: bool = False

    def crossing(self, other: _EdgeLine) -> tuple[float, float]:
        """Return the point on both lines."""
        apart = self.a * other.b - other.a * self.b
        x = (self.c * other.b - other.c * self.b) / apart
        return x, (self.a * other.c - other.a * self.c) / apart


def _paper(grey: Image.Image, paper: Size, place: Span) -> tuple[list[tuple[float, float]], bool]:
    """Return the paper's corners in the picture, clockwise from the top left, and whether an edge
    of the picture counts as an edge of the paper."""
    pixels = np.asarray(grey.filter(ImageFilter.BoxBlur(1)), dtype=np.float32)
    level, (height, width) = _threshold(pixels), pixels.shape
    left = _edge(pixels, level)
    top = _edge(pixels.T, level)
    right = _edge(pixels[:, ::-1], level)
    bottom = _edge(pixels.T[:, ::-1], level)
    if left is None or top is None or right is None or bottom is None:
        raise _unseen(place, "the edges of the paper are not visible", _DARK)
    around = (
        left,
        _EdgeLine(top.b, top.a, top.c, top.frame),
        _EdgeLine(-right.a, right.b, right.c - right.a * width, right.frame),
        _EdgeLine(bottom.b, -bottom.a, bottom.c - bottom.a * height, bottom.frame),
    )
    corners = [around[n].crossing(around[(n + 1) % 4]) for n in range(4)]
    if not _turns_right(corners):
        raise _unseen(place, "the edges of the paper are not visible", _DARK)
    if all(edge.frame for edge in around):
        shape = max(width, height) / min(width, height)
        true = max(paper.width, paper.height) / min(paper.width, paper.height)
        if abs(shape / true - 1) > _ALIKE:
            raise _unseen(place, "the edges of the paper are not visible", _DARK)
    return corners, any(edge.frame for edge in around)


def _turns_right(corners: Sequence[tuple[float, float]]) -> bool:
    """Return whether the path through the corners turns right at each; otherwise they belong to
    other things."""
    ways = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise([*corners, *corners[:1]])]
    turns = [a * d - b * c for (a, b), (c, d) in pairwise([*ways, ways[0]])]
    return min(turns) > 0


def _edge(pixels: Any, level: float) -> _EdgeLine | None:
    """Return the left edge of the bright area: the line through the first bright pixel of most
    rows. It is the picture's own edge if most rows start bright; None if it is not found."""
    height, width = pixels.shape
    run = max(width // 60, 3)
    rows = np.linspace(0.02 * height, 0.98 * height, _ROWS).astype(int)
    bright = np.cumsum(np.pad(pixels[rows] > level, ((0, 0), (1, 0))), axis=1)
    steady = bright[:, run:] - bright[:, :-run] == run
    seen, first = steady.any(axis=1), steady.argmax(axis=1)
    if np.count_nonzero(seen & (first == 0)) > _ROWS / 2:
        return _EdgeLine(1.0, 0.0, 0.0, frame=True)
    inside = seen & (first > 0)
    y, x = rows[inside], first[inside]
    if len(x) < _ROWS / 4:
        return None
    before, after = pixels[y, x - 1], pixels[y, x]
    points = np.column_stack((x - 0.5 + (level - before) / (after - before), y + 0.5))
    lot, best = np.random.default_rng(1), np.zeros(len(points), dtype=bool)
    for _ in range(_TRIES):
        one, other = points[lot.choice(len(points), 2, replace=False)]
        along = other - one
        off = np.abs((points - one) @ np.array((along[1], -along[0]))) / np.hypot(*along)
        if np.count_nonzero(off < _STRAIGHT) > np.count_nonzero(best):
            best = off < _STRAIGHT
    if np.count_nonzero(best) < _ROWS / 4:
        return None
    middle = points[best].mean(axis=0)
    a, b = np.linalg.svd(points[best] - middle)[2][1]
    a, b = (a, b) if a > 0 else (-a, -b)
    if a < _UPRIGHT_ENOUGH:
        return None
    return _EdgeLine(float(a), float(b), float(a * middle[0] + b * middle[1]))


def _threshold(pixels: Any) -> float:
    """Return the grey level between paper and dark ground (Otsu 1979, A threshold selection
    method)."""
    counts, _ = np.histogram(pixels, bins=256, range=(0, 256))
    below = np.cumsum(counts).astype(np.float64)
    sums = np.cumsum(counts * np.arange(256.0))
    above = below[-1] - below
    means = sums / np.maximum(below, 1), (sums[-1] - sums) / np.maximum(above, 1)
    apart = below * above * np.square(means[0] - means[1])
    return float(np.flatnonzero(apart == apart.max()).mean()) + 0.5


def _straightened(grey: Image.Image, corners: Sequence[tuple[float, float]], paper: Size) -> Any:
    """Return the ink on the paper, seen from above, 0 to 1 per pixel."""
    width, height = round(paper.width * _PER_MM), round(paper.height * _PER_MM)
    wanted = ((0, 0), (width, 0), (width, height), (0, height))
    rows, values = [], []
    for (x, y), (u, v) in zip(wanted, corners, strict=True):
        rows += [(x, y, 1, 0, 0, 0, -u * x, -u * y), (0, 0, 0, x, y, 1, -v * x, -v * y)]
        values += [u, v]
    seen = np.linalg.solve(np.array(rows, dtype=float), np.array(values))
    flat = grey.transform(
        (width, height), Image.Transform.PERSPECTIVE, list(seen), Image.Resampling.BICUBIC
    )
    # relative to the white nearby, since light is uneven
    small = flat.reduce(2 * _PER_MM).filter(ImageFilter.MaxFilter(5))
    white = small.filter(ImageFilter.GaussianBlur(2)).resize(flat.size, Image.Resampling.BICUBIC)
    ink = 1 - np.asarray(flat, dtype=np.float32) / np.maximum(np.asarray(white), 1)
    return np.clip(ink / max(float(np.percentile(ink, _BLACK)), _CLEAR), 0, 1)


def _found(ink: Any, place: Point) -> Point | None:
    """Return the centre of the mark near a place on the paper, mm."""
    first = Point(place.x - MOST_OFF, place.y - MOST_OFF)
    _, xs, ys = _around(ink, first, _RING)
    far = np.hypot(xs - first.x, ys - first.y)
    disc, ring = far <= RADIUS, (far >= _RING - 1) & (far <= _RING)
    # compare all places, 1 mm apart, with the same disc
    left, top, side = int(xs[0, 0] * _PER_MM), int(ys[0, 0] * _PER_MM), 2 * int(MOST_OFF) + 1
    places = sliding_window_view(ink[top:, left:], far.shape)[::_PER_MM, ::_PER_MM][:side, :side]
    darker = np.tensordot(places, disc / disc.sum() - ring / ring.sum())
    down, right = np.unravel_index(darker.argmax(), darker.shape)
    best, where = darker[down, right], first.moved(float(right), float(down))
    if best < _CLEAR:
        return None
    for _ in range(_STEPS):
        part, xs, ys = _around(ink, where, RADIUS + 1.5)
        weight = np.where(part > _FAINT, part, 0)
        total = float(weight.sum())
        if not total:
            return None
        where = Point(float((weight * xs).sum()) / total, float((weight * ys).sum()) / total)
    area = total / _PER_MM**2 / (math.pi * RADIUS**2)
    return where if abs(area - 1) < _ROUND else None


def _around(ink: Any, at: Point, radius: float) -> tuple[Any, Any, Any]:
    """Return the pixels within a radius of a place, 0 beyond it, and the coordinates of each,
    mm."""
    left, top = (max(int((v - radius) * _PER_MM), 0) for v in (at.x, at.y))
    right, bottom = (int((v + radius) * _PER_MM) + 2 for v in (at.x, at.y))
    part = ink[top:bottom, left:right]
    ys, xs = np.indices(part.shape)
    xs, ys = (xs + left + 0.5) / _PER_MM, (ys + top + 0.5) / _PER_MM
    return np.where(np.hypot(xs - at.x, ys - at.y) <= radius, part, 0), xs, ys


def _inked(ink: Any, at: Point, inner: float, outer: float) -> float:
    """Return the mean ink between two distances from a place."""
    part, xs, ys = _around(ink, at, outer)
    far = np.hypot(xs - at.x, ys - at.y)
    ring = (far >= inner) & (far <= outer)
    return float(part[ring].mean()) if ring.any() else 0.0


def _telltales(ink: Any, paper: Size) -> tuple[bool, bool] | None:
    """Return whether the small marks say that this is a back, and that the sheet was printed with a
    profile; None if this is not the first mark."""
    first = _found(ink, mark_centres(paper)[0])
    if first is None:
        return None
    small = TELLTALE - 0.3
    one, back, known = (_inked(ink, first.moved(by, 0), 0, small) > _CLEAR for by in TELLTALES)
    return (back, known) if one else None


def _fitted(ink: Any, side: Side, paper: Size, place: Span) -> PrinterReading:
    """Return the reading that takes the marks to where they are."""
    middle = Point(paper.width / 2, paper.height / 2)
    pairs = [(mark, _found(ink, mark)) for mark in mark_centres(paper)]
    seen = [(mark, at) for mark, at in pairs if at is not None]
    if len(seen) < len(pairs) - 2:
        raise _unseen(place, f"{len(pairs) - len(seen)} of its {len(pairs)} marks are not visible")
    told = np.array([(m.x - middle.x, m.y - middle.y, 1.0) for m, _ in seen])
    lies = np.array([(at.x - middle.x, at.y - middle.y) for _, at in seen])
    fit, *_ = np.linalg.lstsq(told, lies, rcond=None)
    rest = float(np.sqrt(np.square(told @ fit - lies).sum(axis=1).mean()))
    if rest > _MOST_BENT:
        raise _unseen(place, "the sheet is bent", "lay it flat, or scan it")
    (xx, xy), (yx, yy), (dx, dy) = fit.tolist()
    turn = math.degrees(math.atan2(xy, xx) + math.atan2(-yx, yy)) / 2
    stretch = _stretch(math.hypot(xx, xy), math.hypot(yx, yy), turn, paper)
    return PrinterReading(side, Point(dx, dy), stretch, rest)


def _stretch(across: float, down: float, skew: float, paper: Size) -> PrinterStretch:
    """Return the stretch along the paper's short and long sides."""
    if paper.width <= paper.height:
        return PrinterStretch(across, down, skew)
    return PrinterStretch(down, across, skew)


_DARK: Final = "lay the whole sheet on something dark, with nothing bright beside it"


def _unseen(place: Span, why: str, hint: str = "") -> GridpressError:
    message = f"no calibration target was found in this picture: {why}"
    hint = hint or "photograph a sheet from `gridpress calibrate` from straight above, or scan it"
    return GridpressError(Diagnostic(place, "GP611", message, hint))
