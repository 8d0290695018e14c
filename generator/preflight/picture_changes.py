"""Says in words in what way one picture has become another. Both are of some 50 dpi, so that a
pixel is half a millimetre.

Each way is tried, and the one that explains most of what differs is told: a picture mirrored or
turned about, moved or scaled; gone some way towards white, black, grey, its negative, a blur."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from PIL import Image, ImageFilter

from generator.geometry import MM_PER_INCH
from generator.pdf_forms import DPI, SMALLER
from generator.preflight.raster import lightest_near
from generator.preflight.undoing import (
    WHOLE_TURNS,
    Mass,
    Movement,
    Redraw,
    inked,
    mass,
    movement_between,
)

MM: Final = MM_PER_INCH * SMALLER / DPI
"""Of a pixel."""
LIKE: Final = 0.3
"""Of how far two pictures are apart: what is left where one way explains nearly all of it."""
FLAT: Final = 12
"""Levels by which the pixels of one colour differ: a proof keeps every seventeenth."""
_FEW: Final = 0.1
"""Of the pixels of one colour may be of another."""
SURE: Final = 0.8
"""Of how well one picture tells the other, from -1 to 1: it is the same one still."""
_NEARLY: Final = 0.75
"""Of what is changed of a picture: something else may lie over the rest."""
_MOSTLY: Final = 0.6
"""Of some pixels of one colour."""
_EXPLAINED: Final = 0.5
"""Of what differs, by a way that is told."""
_ABOUT: Final = 2
"""Pixels about what differs, by which a way is judged, too."""
_BENT: Final = 0.25
"""Of the shorter side of what is scaled, turned or slanted, by which its corners went far."""
_FAR: Final = 0.8
"""The same of a move by more than words are looked for, and of one of the three colours."""
_HALF: Final = 0.4
"""Of a face: where it is moved by more, what differs may only have left it."""
_LEAST: Final = 0.04
"""Pixels by which a face is moved, scaled or turned at least: less comes of how it is drawn."""
_TONED: Final = 0.65
"""The same of a picture's tones; of those of all of a face more, as shapes may be painted anew."""
_WHOLLY: Final = 0.85
_SURELY: Final = 0.95
_GONE: Final = 0.95
"""Of the way to white: nothing is left."""
_SPREAD: Final = 0.2
"""Of how much ink there is, and how far it spreads, as a logarithm: less is as before."""
_WHITE: Final = 240
"""Levels, each, of what is painted over a thing so that it is faint."""
_LEFT: Final = 0.05
"""Of what was there, seen through what lies over it, at least; and of that, too."""
_COLOUR: Final = 32
"""Levels that are one colour, where a face is looked at by its colours."""
_SHADE: Final = 16
"""The same where a picture is looked at."""
_RECOLOURED: Final = 0.15
"""Of what differs, which other colours leave."""
_LEFT_OVER: Final = 0.3
"""Of what differs, by a picture that is laid back into its frame."""
_GRAINY: Final = 0.1
"""The same where it is made even."""
_GROUND: Final = 0.1
"""Of what is looked at: a colour that others may lie on."""
_SCARCE: Final = 0.0008
"""Of a face; a colour that less of it has is not looked at."""
_NEARLY_ALL: Final = 0.96
"""Of what is looked at."""
_STRAYED: Final = 0.35
"""Of the way that a pixel should have gone, at most, by which it is elsewhere."""
_FEWEST: Final = 8
"""Pixels that went the way of a ground with it."""
_PART: Final = 0.85
"""Of a picture, from which on one colour over it is all of it."""
_CORNER: Final = 0.25
"""Of a picture, in which alone it differs."""
_LONG: Final = 16
"""Pixels of a line, and the spread along it: some 14 pixels from end to end."""
THIN: Final = 3
"""Pixels across of a line."""
REACH: Final = 3.0
"""mm by which words are looked for beside their place."""
_SQUARE: Final = 4
"""Pixels a side of those that are put together."""
_WEIGHTS: Final = 3
"""Pixels about those that differ much, which may differ less."""


class _Tone(NamedTuple):
    """What pixels go towards, how far at least (1 is all of the way), and the words for it. What is
    `fine` is told by single pixels; else several are put together, as a proof keeps few levels."""

    words: str
    towards: Callable[[Any], Any]
    least: float = 0.0
    fine: bool = False


def _grey(pixels: Any) -> Any:
    return np.broadcast_to(pixels.mean(axis=2, keepdims=True), pixels.shape)


def _middle(pixels: Any) -> Any:
    return np.broadcast_to(pixels.mean(axis=(0, 1), keepdims=True), pixels.shape)


def _blur(radius: float) -> Callable[[Any], Any]:
    def blurred(pixels: Any) -> Any:
        picture = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
        return np.asarray(picture.filter(ImageFilter.GaussianBlur(radius))).astype(float)

    return blurred


def _channel(number: int, by: float) -> Callable[[Any], Any]:
    factors = np.ones(3)
    factors[number] = by
    return lambda pixels: np.minimum(pixels * factors, 255)


_LIGHT: Final = (
    _Tone("faint: paler than it was", lambda p: np.full_like(p, 255)),
    _Tone("darker than it was", np.zeros_like),
)
_CHANNELS: Final = tuple(
    _Tone(f"of other colours: its {name} is {how}", _channel(number, by))
    for number, name in enumerate(("red", "green", "blue"))
    for how, by in (("stronger", 2.0), ("weaker", 0.0))
)
_TONES: Final = (
    *_LIGHT,
    _Tone("brighter than it was", lambda p: np.minimum(2 * p, 255)),
    _Tone("without its colours, in grey", _grey, 0.9),
    _Tone("of weaker colours", _grey),
    _Tone("of stronger colours", lambda p: 2 * p - _grey(p)),
    _Tone("a negative of what it was", lambda p: 255 - p, 0.7),
    _Tone("of other colours: red and blue are exchanged", lambda p: p[:, :, ::-1], 0.7),
    *_CHANNELS,
    _Tone("flat: with less contrast in its tones", _middle),
    _Tone("otherwise in its tones: with more contrast", lambda p: 2 * p - _middle(p)),
    *(
        _Tone("blurred, not as sharp as it was", _blur(radius), fine=True)
        for radius in (0.7, 1.5, 4.0)
    ),
    _Tone("sharper than it was", lambda p: 2 * p - _blur(1.0)(p), fine=True),
)


def levels(picture: Image.Image) -> Any:
    """The numbers of a picture, row by row: 0 to 255, with room for their differences."""
    return np.asarray(picture).astype(np.int16)


def picture_distance(one: Any, other: Any) -> float:
    """How far two pictures are apart, levels on the whole, beyond what comes of packing."""
    return float(np.maximum(np.abs(one - other) - 16, 0).mean())


def moved(before: Any, after: Any, mask: Any, redraw: Redraw) -> Movement | None:
    """How what is seen at a place was moved, if that explains most of what differs. Where all that
    differs is of one colour, something lies there, or is gone."""
    if is_even(before[mask], 1 - _FEW) or is_even(after[mask], 1 - _FEW):
        return None
    way = movement_between(before, after, grown(mask, _ABOUT), redraw)
    if not way or not is_so(way):
        return None
    if way.way * MM > REACH or way.kind in WHOLE_TURNS:  # it may fit there by chance
        all_of_it = movement_between(before, after, np.ones_like(mask), redraw, (way.kind,))
        least = _SURELY if way.kind in WHOLE_TURNS else _EXPLAINED
        return way if all_of_it and all_of_it.explained > least else None
    return way


def laid_as_a_whole(before: Any, after: Any, redraw: Redraw) -> str | None:
    """How all of a face was moved, turned or scaled, if nothing else was."""
    way = movement_between(before, after, np.ones(before.shape[:2], bool), redraw)
    if way is None or way.explained < _FAR or way.shift > _HALF * min(way.size):
        return None
    return way.told(MM) if way.kind in WHOLE_TURNS or way.way > _LEAST else None


def toned_as_a_whole(before: Any, after: Any, mask: Any) -> str | None:
    """In which way all of a face became paler or darker; `mask` tells which of its pixels are
    others."""
    best = max(_toned(before, after, mask, _LIGHT), default=_NOT_TONED)
    if best.by > _GONE and best.tone is _LIGHT[0] and best.explained > _TONED:
        return "empty: all of it is gone"
    if _is_faint(before, after):
        return _LIGHT[0].words
    darker = best.tone is _LIGHT[1] and best.explained > _TONED
    return best.tone.words if darker and _is_all(before, after, best) else None


def _is_faint(before: Any, after: Any) -> bool:
    """Whether all that a face shows is seen through: each colour has gone the same part of the way
    to white, or to what lies below it, as that is now."""
    flat, now = (pixels.reshape(-1, 3).astype(float) for pixels in (before, after))
    keys = (flat // _COLOUR) @ (1, _COLOUR, _COLOUR**2)
    _, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
    kept = np.flatnonzero(counts > _SCARCE * len(flat))
    one, other = (
        np.stack([np.bincount(which, pixels[:, c], len(counts)) for c in range(3)], 1)[kept]
        / counts[kept, None]
        for pixels in (flat, now)
    )
    area = counts[kept] / counts[kept].sum()
    grounds = np.flatnonzero(area > _GROUND)
    below = np.concatenate([np.full((1, 3), 255.0), other[grounds]])
    way = below[None] - one[:, None]
    other_colour = np.abs(way).max(axis=2) > 2 * FLAT
    other_colour[:, 0] = True
    other_colour[grounds, 1 + np.arange(len(grounds))] = False  # itself, in another colour
    for part in np.arange(0.06, 1, 0.03):
        off = np.abs(other[:, None] - one[:, None] - part * way).max(axis=2)
        off[~other_colour] = 255
        best = off.argmin(axis=1)
        fits = off.min(axis=1) < FLAT
        far = part * np.abs(way[np.arange(len(one)), best]).max(axis=1) > 1.5 * FLAT
        rest = np.delete(area * fits, grounds).sum()
        most = _MOSTLY * np.delete(area, grounds).sum()
        if area[fits].sum() > _NEARLY_ALL and (fits & far).sum() > 1 and rest >= most:
            return True
    return False


def is_so(way: Movement) -> bool:
    """Whether a movement explains enough to be told: the farther, the more."""
    near = way.way * MM < REACH and way.reach < min(way.size) * _BENT
    return way.explained > (_EXPLAINED if near else _FAR)


def _is_all(before: Any, after: Any, toned: _Toned) -> bool:
    """Whether a face has become so, and not only a ground or a picture on it: whether all that
    should have changed has gone the same way, and not only what is of one colour."""
    pixels = before.astype(float)
    way = toned.by * (toned.tone.towards(pixels) - pixels)
    length = np.abs(way).max(axis=2)
    strayed = np.abs(after - pixels - way).max(axis=2)
    went = strayed <= np.maximum(_STRAYED * length, FLAT)
    told = length > 1.5 * FLAT
    if went[told].sum() <= _FAR * told.sum() or np.median(strayed[told]) > 1.5 * FLAT:
        return False  # most of it has another hue
    ground = np.median(pixels[told], axis=0)
    others = told & (np.abs(pixels - ground).max(axis=2) > 2 * FLAT)
    return bool(went[others].sum() > max(_FAR * others.sum(), _FEWEST))


_OTHERWISE: Final = "otherwise than it was: in sharpness, colour, mask or place"
_ANOTHER: Final = "another one: swapped, lost, broken, or without its soft mask"


def become(
    before: Any, after: Any, mask: Any, redraw: Redraw, ground: Any = None, *, kept: bool = False
) -> str:
    """What has become of a picture; `mask` tells which of its pixels are others, `ground` is the
    colour that it stands on, where there is one. One that is `kept` is itself as it was."""
    now = after[mask]
    middle = np.median(now, axis=0)
    tones = _TONES if ground is None else (*_TONES, _through(ground))
    toned = _toned(before, after, mask, tones)
    best = max((t for t in toned if not _stops(before, after, mask, t)), default=_NOT_TONED)
    same = np.mean(np.abs(now - middle).max(axis=1) <= FLAT) > _NEARLY and not is_flat(before)
    room = _room(mask)
    sure = best.explained > (_WHOLLY if is_even(before[mask]) else _FAR)
    is_box = mask.mean() > _NEARLY * room
    paler = best.explained > _TONED and best.by < 1 / 2
    if same and not sure and (is_box or not paler):
        if room < _PART and is_box:
            return "covered in part: a box of one colour lies over it"
        if mask.mean() > _CORNER / 2:
            return "blank: all of it has one colour"
    words = laid_otherwise(before, after, mask, redraw)
    if (words is None or "moved" not in words) and (way := _wrapped(before, after)):
        words = f"moved by about {way * MM:.1f} mm within its frame, and comes in on the other side"
    if not words and best.explained > (_FAR if best.tone in _CHANNELS else _TONED):
        is_gone = best.tone is _LIGHT[0] and best.by > _WHOLLY
        words = "lost, or blank: only paper is left" if is_gone else best.tone.words
    return words or _otherwise(before, after, mask, kept=kept)


def _otherwise(before: Any, after: Any, mask: Any, *, kept: bool) -> str:
    """What has become of a picture that was neither laid otherwise nor toned."""
    if _room(mask) < _CORNER:
        return "covered in part: something lies over it, or was painted into it"
    if kept:
        return "covered, cut off or turned: it is itself as it was"
    if _is_recoloured(before, after, mask):
        return "of other colours or tones: each of its colours has become another"
    even, off = _blur(1.5), (after - before).astype(float)
    if _squares(even(128 + off / 2) - 128) < _GRAINY * _squares(off / 2):
        return "grainy: there is noise in it, or blocks, or its fine parts are others"
    is_like = contrast_change(before[mask], after[mask])[1] > SURE
    return _OTHERWISE if is_like else _ANOTHER


def _is_recoloured(before: Any, after: Any, mask: Any) -> bool:
    """Whether what had one colour has one colour still, another one."""
    was, now = before[mask].astype(float), after[mask].astype(float)
    if is_even(now):  # something of one colour came, or is no longer cut out
        return False
    keys = (was // _SHADE) @ (1, _SHADE, _SHADE**2)
    _, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(which, now[:, c]) / counts for c in range(3)], 1)
    several = (counts >= _FEWEST)[which]
    rest = _squares((now - means[which])[several])
    return bool(several.mean() > _FAR and rest < _RECOLOURED * _squares((now - was)[several]))


def _wrapped(before: Any, after: Any) -> float:
    """Pixels by which a picture was moved, if what left its frame came in on the other side; else
    0. That is a phase by which the waves of which it is made up are off."""
    one, other = (np.fft.fft2(pixels.mean(axis=2) - pixels.mean()) for pixels in (before, after))
    across = one * other.conj()
    peaks = np.fft.ifft2(across / np.maximum(np.abs(across), 1.0)).real
    down, right = (int(v) for v in np.unravel_index(int(peaks.argmax()), peaks.shape))
    back, now = (np.roll(after, by, (0, 1)).astype(float) for by in ((down, right), (0, 0)))
    fits, odd = (np.abs(pixels - before).max(axis=2) > 2 * FLAT for pixels in (back, now))
    if not odd.any() or fits.mean() > _CORNER or fits[odd].mean() > _LEFT_OVER:
        return 0.0
    height, width = before.shape[:2]
    return math.hypot(min(down, height - down), min(right, width - right))


def _stops(before: Any, after: Any, mask: Any, toned: _Toned) -> bool:
    """Whether a tone stops within a picture: whether what differs is a spot, or beside it is as
    much that would have changed, too."""
    if _room(mask) < _CORNER / 10:
        return True
    pixels = before.astype(float)
    length = np.abs(toned.by * (toned.tone.towards(pixels) - pixels)).max(axis=2)
    stayed = np.abs(after - pixels).max(axis=2) < length / 2
    beside = ~grown(mask, _WEIGHTS) & (length > 2 * FLAT)
    return bool((beside & stayed).sum() > mask.sum() / 2)


def laid_otherwise(before: Any, after: Any, mask: Any, redraw: Redraw) -> str | None:
    """How a picture lies in its frame otherwise: mirrored, turned, moved, scaled."""
    best = max(_toned(before, after, mask, _TONES), default=_NOT_TONED)
    way = moved(before, after, mask, redraw)
    if way and way.explained > best.explained:
        return way.told(MM) + ("" if way.kind in WHOLE_TURNS else " within its frame")
    return None


def turned_about(before: Any, after: Any, redraw: Redraw) -> str:
    """How something was turned or mirrored about its middle, in words, if that is all."""
    for kind in WHOLE_TURNS:
        seen, known = redraw(Movement(kind, (before.shape[1], before.shape[0])).back)
        if picture_distance(before[known], seen[known]) < (1 - _FAR) * picture_distance(
            before, after
        ):
            return kind.words
    return ""


def _through(ground: Any) -> _Tone:
    return _Tone("faint: its ground is seen through it", lambda p: np.broadcast_to(ground, p.shape))


def _room(mask: Any) -> float:
    """The part of a picture that the box around all that differs takes."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return 0.0
    wide, high = columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1
    return float(wide * high / mask.size)


class _Toned(NamedTuple):
    """How much of what differs a tone explains, and how far pixels went towards it."""

    explained: float
    by: float
    tone: _Tone


_NOT_TONED: Final = _Toned(0.0, 0.0, _LIGHT[0])


def _toned(before: Any, after: Any, mask: Any, tones: tuple[_Tone, ...]) -> Iterator[_Toned]:
    """The tones that pixels may have gone towards."""
    where = grown(mask, _WEIGHTS)
    pixels = before.astype(float)
    off = after - pixels
    coarse = _put_together(off, where)
    for tone in tones:
        way = tone.towards(pixels) - pixels
        one, other = (way[where], off[where]) if tone.fine else (_put_together(way, where), coarse)
        length, power = float((one * one).sum()), float((other * other).sum())
        by = float((one * other).sum()) / length if length else 0.0
        if by > tone.least and power:
            rest = other - by * one
            yield _Toned(1 - float((rest * rest).sum()) / power, by, tone)


def _put_together(pixels: Any, where: Any) -> Any:
    """The means of squares of pixels, of those that are asked for."""
    high, wide = (side // _SQUARE * _SQUARE for side in where.shape)
    if not high or not wide:
        return pixels[where]
    squares = (high // _SQUARE, _SQUARE, wide // _SQUARE, _SQUARE)
    count = where[:high, :wide].reshape(squares).sum(axis=(1, 3))
    kept = np.where(where[..., None], pixels, 0)[:high, :wide]
    total = kept.reshape(*squares, pixels.shape[2]).sum(axis=(1, 3))
    full = count > _SQUARE * _SQUARE / 2
    return total[full] / count[full][:, None]


def grown(mask: Any, by: int) -> Any:
    """A mask with the pixels about it, so many wide."""
    picture = Image.fromarray(mask.astype(np.uint8) * 255)
    return np.asarray(lightest_near(picture, 2 * by + 1)) > 0


def is_the_same(before: Any, after: Any) -> bool:
    """Whether what was in one place is what is in another now, as far as ink tells: how much there
    is, and how far it spreads."""
    gone, came = mass(inked(before)), mass(inked(after))
    apart = max(abs(a - b) for a, b in zip(before.shape, after.shape, strict=True))
    return bool(apart < THIN and gone and came and are_alike(gone, came))


def are_alike(gone: Mass, came: Mass) -> bool:
    """Whether what is gone is what came, by how much it is and how far it spreads."""
    much, wide, high = (
        abs(math.log(now / was))
        for was, now in ((gone.much, came.much), (gone.wide, came.wide), (gone.high, came.high))
    )
    return much <= _SPREAD and min(wide, high) <= _SPREAD / 2 and max(wide, high) <= 1 / 2


def is_line(mask: Any) -> bool:
    """True where what differs lies along one line, however that goes."""
    places = np.argwhere(mask).astype(float)
    if len(places) < _LONG:
        return False
    across, along = np.linalg.eigvalsh(np.cov(places.T))
    return bool(across < 1 and along > _LONG)


def seen_through(before: Any, after: Any, mask: Any, *, is_most: bool) -> str | None:
    """In words, where all of a box, whatever was there, went some part of the way to one colour.
    What `is_most` of a face shows what lies below it."""
    was, now = before.reshape(-1, 3).astype(float), after.reshape(-1, 3).astype(float)
    middle, there = was.mean(axis=0), now.mean(axis=0)
    power = _squares(was - middle)
    if mask.mean() < _PART or not power:
        return None
    part = float(((was - middle) * (now - there)).sum()) / power
    rest = _squares(there + part * (was - middle) - now)
    if not _LEFT < part < 1 - _LEFT or rest > (1 - _TONED) * _squares(now - was):
        return None
    colour = (there - part * middle) / (1 - part)
    if is_most or colour.min() > _WHITE:
        return "a part of it is faint: paler than it was"
    return "a box lies over it that one sees through"


def _squares(values: Any) -> float:
    return float((values * values).sum())


def is_flat(pixels: Any) -> bool:
    """True where there is one colour, but for a few of the pixels."""
    middle = np.median(pixels.reshape(-1, 3), axis=0)
    apart = np.abs(pixels.reshape(-1, 3) - middle).max(axis=1)
    return bool(np.mean(apart > 2 * FLAT) < _FEW)


def is_even(pixels: Any, most: float = _MOSTLY) -> bool:
    """True where most of some pixels have one colour; those at the edge of a shape are mixed."""
    apart = np.abs(pixels - np.median(pixels, axis=0)).max(axis=1)
    return bool(np.mean(apart <= 2 * FLAT) > most)


def contrast_change(before: Any, after: Any) -> tuple[float, float]:
    """How much stronger the lights and darks of one are in the other, and how well that says all
    of it, -1 to 1."""
    a, b = (pixels.astype(float).reshape(-1) for pixels in (before, after))
    a, b = a - a.mean(), b - b.mean()
    power = float((a * a).sum()), float((b * b).sum())
    if min(power) <= 0:
        return 1.0, 0.0
    shared = float((a * b).sum())
    return shared / power[0], shared / math.sqrt(power[0] * power[1])
