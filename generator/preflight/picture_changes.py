"""Two pictures in; in what way the one has become the other, in words, out. Both are of some 50
dpi, so that a pixel is half a millimetre."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from PIL import Image

from generator.proofs import DPI, SMALLER
from generator.units import MM_PER_INCH

MM: Final = MM_PER_INCH * SMALLER / DPI
"""Of a pixel."""
LIKE: Final = 0.3
"""Of how far two pictures are apart: what is left where one way explains nearly all of it."""
MOSTLY: Final = 0.6
"""The same, where places are tried in steps of half a pixel."""
SIGNED: Final = 12
"""Pixels a side of the little pictures by which faces are told apart at a glance."""
FLAT: Final = 12
"""Levels by which the pixels of one colour differ: a proof keeps every seventeenth."""
_FEW: Final = 0.03
"""Of the pixels of one colour may be of another."""
SURE: Final = 0.8
"""Of how well one picture tells the other, from -1 to 1: it is the same one still."""
_SLIGHT: Final = 6
"""Levels by which a picture that is the same still is lighter or darker on the whole."""
_FAINT: Final = 0.08
"""Of its contrast that a picture has less, or more."""
_NEARLY: Final = 0.75
"""Of what is changed of a picture: something else may lie over the rest."""
_ALIKE: Final = 0.97
"""Of how well the ink of words tells what it was: it has the same shape."""
_SAME_WORDS: Final = 0.4
"""The same of words that have another size, whose letters lie on each other no more."""
_CLEARLY: Final = 2
"""Pixels by which words are wider or narrower than they were."""
_EXPLAINED: Final = 0.4
"""Of the squares of what differs, where moving a picture by a part of a pixel explains it."""
_LONG: Final = 16
"""Pixels of a line, and the spread along it: some 14 pixels from end to end."""
_LARGE: Final = 200_000
"""Numbers of a picture from which it is looked at with a quarter of its pixels."""
THIN: Final = 3
"""Pixels across of a line."""
REACH: Final = 3.0
"""mm by which words are looked for beside their place."""


class _Way(NamedTuple):
    """A way in which a picture may have been changed, and its words."""

    words: str
    change: Any


_WAYS: Final = (
    _Way("mirrored left to right", np.fliplr),
    _Way("mirrored top to bottom", np.flipud),
    _Way("turned by 180°", lambda p: np.rot90(p, 2)),
    _Way("turned by 90°", lambda p: np.rot90(p, 1)),
    _Way("turned by 270°", lambda p: np.rot90(p, 3)),
)


def levels(picture: Image.Image) -> Any:
    """The numbers of a picture, row by row: 0 to 255, with room for their differences."""
    return np.asarray(picture).astype(np.int16)


def unlike(one: Any, other: Any) -> float:
    """How far two pictures are apart, levels on the whole, beyond what comes of packing."""
    return float(np.maximum(np.abs(one - other) - 16, 0).mean())


def _soft(pixels: Any) -> Any:
    """The picture with its edges washed out, so that half a pixel does not tell."""
    small = Image.fromarray(pixels.astype(np.uint8))
    return levels(small.reduce(2) if min(small.size) > SIGNED else small)


def _way(one: Any, other: Any) -> str | None:
    """In which way a picture has become the other."""
    before, after = _soft(one), _soft(other)
    best, words = LIKE * unlike(before, after), None
    for way in _WAYS:
        changed = way.change(before)
        if changed.shape == after.shape and (apart := unlike(changed, after)) < best:
            best, words = apart, way.words
    return words


def placed_otherwise(one: Any, other: Any) -> str | None:
    """A whole face, or picture, in its place, but otherwise."""
    way = _way(one, other)
    if way:
        return way
    large = one.size > _LARGE
    before, after = (_soft(one), _soft(other)) if large else (one, other)
    least, words = MOSTLY * unlike(before, after), None
    for told, matrix in _DISTORTED:
        apart = unlike(_distorted(before, matrix), after)
        if apart < least:
            least, words = apart, told
    moved, shift = shifted(one, other)
    if shift and moved < min(MOSTLY * unlike(one, other), least):
        return f"moved by about {shift * MM:.1f} mm"
    return words


_Affine = tuple[float, float, float, float]


def _ways_to_distort() -> Iterator[tuple[str, _Affine]]:
    """Words, and the matrix that undoes it about the middle of a picture."""
    for percent in (*range(80, 100), *range(101, 121)):
        by = 100 / percent
        yield f"scaled to about {percent} % of its size", (by, 0, 0, by)
        yield f"stretched to about {percent} % of its width", (by, 0, 0, 1)
        yield f"stretched to about {percent} % of its height", (1, 0, 0, by)
    for halves in (*range(-12, 0), *range(1, 13)):
        turn = math.radians(halves / 2)
        cos, sin = math.cos(turn), math.sin(turn)
        yield f"turned by about {abs(halves) / 2:g}°", (cos, sin, -sin, cos)
        yield "skewed, a slant distorts it", (1, math.tan(turn), 0, 1)


_DISTORTED: Final = tuple(_ways_to_distort())


def _distorted(pixels: Any, matrix: _Affine) -> Any:
    """A picture by a matrix about its middle, which tells whence each pixel comes."""
    a, b, c, d = matrix
    height, width = pixels.shape[:2]
    x, y = width / 2, height / 2
    affine = (a, b, x - a * x - b * y, c, d, y - c * x - d * y)
    picture = Image.fromarray(pixels.astype(np.uint8))
    size, how = picture.size, Image.Resampling.BILINEAR
    return levels(picture.transform(size, Image.Transform.AFFINE, affine, how, fillcolor="white"))


def shifted(one: Any, other: Any) -> tuple[float, float]:
    """How unlike the other one still is when it is moved by the best of some ways, and by how many
    pixels that is: first whole ones, then halves of one about that."""
    reach = math.ceil(REACH / MM)
    height, width = one.shape[:2]
    reach = min(reach, height // 3, width // 3)
    steps = [(x, y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1)]
    _, (x, y) = min((_moved(one, other, reach, *step), step) for step in steps)
    halves = [(x + across / 2, y + along / 2) for across in (-1, 0, 1) for along in (-1, 0, 1)]
    best, (right, down) = min((_moved(one, other, reach + 1, *step), step) for step in halves)
    return best, math.hypot(right, down)


def _moved(one: Any, other: Any, inset: int, right: float, down: float) -> float:
    """How unlike the other a picture is that is moved by so many pixels, without its edges."""
    height, width = one.shape[:2]
    if min(height, width) <= 2 * inset:
        return math.inf
    whole_right, whole_down = math.floor(right), math.floor(down)
    inner = _window(one, inset, whole_right, whole_down)
    if right != whole_right:
        inner = (inner + _window(one, inset, whole_right + 1, whole_down)) / 2
    if down != whole_down:
        below = _window(one, inset, whole_right, whole_down + 1)
        inner = (inner + below) / 2
    return unlike(inner, _window(other, inset, 0, 0))


def _window(pixels: Any, inset: int, right: int, down: int) -> Any:
    height, width = pixels.shape[:2]
    return pixels[inset - down : height - inset - down, inset - right : width - inset - right]


def nudged(before: Any, after: Any) -> float:
    """By how many pixels, mostly a part of one, a picture is moved if that explains most of what
    differs; else 0."""
    if min(before.shape[:2]) < THIN:
        return 0.0
    off = (after - before).astype(float)
    down, right = np.gradient(before.astype(float), axis=(0, 1))
    slopes = np.stack([right.ravel(), down.ravel()], axis=1)
    way, *_ = np.linalg.lstsq(slopes, -off.ravel(), rcond=None)
    rest = off.ravel() + slopes @ way
    explained = 1 - float((rest * rest).sum()) / max(float((off * off).sum()), 1.0)
    by = math.hypot(*map(float, way))
    return by if explained > _EXPLAINED and by < 1 else 0.0


def is_line(mask: Any) -> bool:
    """True where what differs lies along one line, however that goes."""
    places = np.argwhere(mask).astype(float)
    if len(places) < _LONG:
        return False
    across, along = np.linalg.eigvalsh(np.cov(places.T))
    return bool(across < 1 and along > _LONG)


def become(before: Any, after: Any, mask: Any) -> str:
    """What has become of a picture; `mask` tells which of its pixels are others."""
    was, now = before[mask], after[mask]
    middle = np.median(now, axis=0)
    if np.mean(np.abs(now - middle).max(axis=1) <= FLAT) > _NEARLY and not is_flat(before):
        return "blank: all of it has one colour"
    for way in _WAYS:
        changed = way.change(before)
        if changed.shape == after.shape and _explains(changed[mask], was, now):
            return way.words
    how = _recoloured(was, now)
    if how:
        return how
    how = placed_otherwise(before, after)
    if how:
        return f"{how} within its frame"
    if contrast(was, now)[1] > SURE:
        return "otherwise than it was: in sharpness, colour, mask or place"
    return "another one: swapped, lost, broken, or without its soft mask"


def _recoloured(was: Any, now: Any) -> str | None:
    """How some pixels of a picture have other colours, though it is the same."""
    if _explains(was[:, ::-1], was, now):
        return "of other colours: red and blue are exchanged"
    if np.ptp(now, axis=1).mean() < FLAT < np.ptp(was, axis=1).mean():
        return "without its colours, in grey"
    gain, likeness = contrast(was, now)
    if likeness < -SURE:
        return "a negative of what it was"
    least, *_, most = sorted(np.abs(now - was).mean(axis=0))
    if likeness > 1 / 2 and most > 2 * FLAT and least < FLAT / 2:
        return "of other colours: one of red, green and blue is stronger, or weaker"
    return _toned(was, now, gain) if likeness > SURE else None


def _toned(was: Any, now: Any, gain: float) -> str | None:
    """How some pixels are lighter or darker, or of weaker colours, though the picture is the
    same."""
    brighter, apart = float(now.mean() - was.mean()), np.abs(now - was).mean()
    grey = was.mean(axis=1, keepdims=True)
    colours, now_colours = was - grey, now - now.mean(axis=1, keepdims=True)
    vivid = float((colours * now_colours).sum() / max((colours * colours).sum(), 1.0))
    if np.abs(now - grey - vivid * colours).mean() < MOSTLY * apart:
        return f"of {'weaker' if vivid < 1 else 'stronger'} colours"
    if abs(brighter) > _SLIGHT:
        return "faint: paler than it was" if brighter > 0 else "darker than it was"
    if abs(gain - 1) >= _FAINT:
        return "otherwise in its tones: less sharp, or with less or more contrast"
    return None


def _explains(changed: Any, was: Any, now: Any) -> bool:
    """Whether pixels that were changed in one way are what they are now, and clearly nearer to it
    than without: a picture that is a little darker is like itself mirrored, if it is even."""
    same = float(np.mean(np.abs(changed - now).max(axis=1) < 2 * FLAT))
    return same > _NEARLY and np.abs(changed - now).mean() < MOSTLY * np.abs(was - now).mean()


def paled(before: Any, after: Any, mask: Any) -> str | None:
    """How a whole face is lighter or darker than it was."""
    was, now = before[mask], after[mask]
    _, likeness = contrast(was, now)
    lighter = float(now.mean() - was.mean())
    if likeness < SURE or abs(lighter) < FLAT or mask.mean() < 1 / 2:
        return None
    return "faint: paler than it was" if lighter > 0 else "darker than it was"


def set_otherwise(before: Any, after: Any) -> str:
    """In what way words are set otherwise."""
    one, other = (_inked(pixels) for pixels in (before, after))
    _, likeness = contrast(one, other)
    if likeness > _ALIKE:
        return "are of another colour, or paler"
    was, now = (_extent(ink > 2 * FLAT) for ink in (one, other))
    if was and now and likeness > _SAME_WORDS:
        across, down = now[0] - was[0], now[1] - was[1]
        if abs(across) >= _CLEARLY:
            if across * down > 0:
                return f"are {'smaller' if across < 0 else 'larger'} in size than they were"
            return "are squeezed" if across < 0 else "are stretched wide"
    return "look otherwise: moved, squeezed, in another size, over one another, or covered"


def _inked(pixels: Any) -> Any:
    """How far each pixel is from the colour of the ground."""
    ground = np.median(pixels.reshape(-1, 3), axis=0)
    return np.abs(pixels - ground).max(axis=2)


def _extent(ink: Any) -> tuple[int, int] | None:
    """How wide and how high all is that is inked."""
    rows, columns = (np.flatnonzero(ink.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return None
    return int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1


def is_flat(pixels: Any) -> bool:
    """True where there is one colour, but for a few of the pixels."""
    middle = np.median(pixels.reshape(-1, 3), axis=0)
    apart = np.abs(pixels.reshape(-1, 3) - middle).max(axis=1)
    return bool(np.mean(apart > 2 * FLAT) < 0.1)


def is_even(pixels: Any) -> bool:
    """True where most of some pixels have one colour; those at the edge of a shape are mixed."""
    apart = np.abs(pixels - np.median(pixels, axis=0)).max(axis=1)
    return bool(np.mean(apart <= 2 * FLAT) > MOSTLY)


def contrast(before: Any, after: Any) -> tuple[float, float]:
    """How much stronger the lights and darks of one are in the other, and how well that says all
    of it, -1 to 1."""
    a, b = (pixels.astype(float).reshape(-1) for pixels in (before, after))
    a, b = a - a.mean(), b - b.mean()
    power = float((a * a).sum()), float((b * b).sum())
    if min(power) <= 0:
        return 1.0, 0.0
    shared = float((a * b).sum())
    return shared / power[0], shared / math.sqrt(power[0] * power[1])
