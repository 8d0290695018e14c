"""Checks pictures by their pixels: were they enlarged, crushed, cut out badly, drawn on, printed
twice? It is long, since each picture is unpacked once and asked all of that.

Nothing is in it; it was enlarged, smoothly or each pixel as a square, or is blurred, or was crushed
as a JPEG of very low quality; guides or a rim of paper were left in it; or it is there twice. A
picture that has any edges has some that rise within a pixel or two, whatever it shows; one that was
enlarged has none. Where all is smooth (a sky, a glow, a wash) nothing can be told."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import pairwise, product
from statistics import fmean, median
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from pikepdf import PdfImage, Stream
from PIL import Image, ImageChops, ImageFilter, ImageOps

from generator.diagnostics import Severity
from generator.geometry import summed
from generator.pdf_forms import Fingerprints
from generator.preflight.checking import Finding, Subject
from generator.preflight.image_checks import COARSE_DPI, Use, UsedPicture, dpi, pictures
from generator.preflight.paints import NOT_READ
from generator.preflight.raster import levelled

_LARGE: Final = 1000
"""Pixels of the middle of a picture, across and down, that tell as much as all of them."""
_PLAIN: Final = 3
"""Levels of 255 between the darkest and the lightest of what has one colour."""
_SEEN: Final = 16
"""Of 255: what is less opaque is not seen."""
_SPECK: Final = 0.0005
"""Of a picture, about a millimetre of one of 50 mm: not what it is about."""
_SQUEEZED: Final = 0.05
"""Bytes that a pixel takes at most where all are alike: only those pictures are looked into."""
_TIMES: Final = 3
"""How much smaller a picture is made that tells as much as one that is not sharp."""
_SIGN: Final = 32
"""Pixels a side of the small picture by which one is known."""
_GLANCED: Final = 36
"""Levels by which they differ at most when one is of the other, both four pixels wide."""
_PARTS: Final = (1.0, 0.98, 0.96, 0.94)
"""How much of its width and height may be left of a picture that is the same art."""
_CROPPED, _SIGNED, _RICH = 0.15, 54, 10
"""How far off they are then on average, as a part of how far apart the colours of one are, and at
most, as where one is signed, in levels; in pictures that are as full as that."""
_SAVED: Final = 8
"""Levels by which they differ at most when one picture is saved twice."""
_SAVED_FINE: Final = 48
"""The same, twice as fine, where more is left of it."""
_SHADE, _FULL = 32, 1.3
"""Levels of a colour that are one shade; bits that tell those of a picture full of things."""
_VARIED: Final = 1.8
"""Bits of a picture whose colours may be others all over: more than a head and a coat."""
_BURNT, _MOST_OPAQUE = 245, 240
"""Levels from which on a colour cannot get lighter, and that is all of a cut-out."""
_IN_LINE, _NOWHERE_OFF, _STRONGER = 0.06, 0.5, 1.6
"""How far off a colour is on average, and at most, as a part of how far its levels are from their
middle, in a picture of another tint; and how much stronger it is at most."""
_AS_LIGHT: Final = 0.8
"""How far light and dark go together in a picture and in another tint of it, of 1."""
_JPEG_ENDS: Final = b"\xff\xd9"
_NUMBERS: Final = {"1": 1, "L": 1, "P": 1, "RGB": 3, "CMYK": 4}
"""A pixel of a picture of a mode has so many."""
_CUT_SHORT: Final = "the file is damaged: put the picture in anew"
_SMALL: Final = 60
"""Pixels, of the shorter side, of a picture of which nothing can be said."""
_APART: Final = 4
"""Pixels beside a guide where it is no more."""
_BOTH_WAYS: Final = (_APART, -_APART)
_TOGETHER: Final = 10
"""Rows of which a mean is taken first, which is faster than of all at once."""
_STANDS_OUT: Final = 24
_IS_STRONG: Final = [255 * (level >= 120) for level in range(256)]
"""How much colour there is in that of a guide, even one that a JPEG has washed out."""
_HUE: Final = 12
_GUIDES: Final = {"red": 0, "yellow": 43, "green": 85, "cyan": 128, "blue": 170, "magenta": 213}
"""The hues of guides, of 256."""
_SPECKS: Final = 0.2
"""Of a line that may be otherwise, as where another line crosses it, or beyond a frame."""
_RULED: Final = 6
"""Thin lines side by side from which on they are a pattern, not guides."""
_CHEQUERED, _REGULAR = 0.08, 0.85
"""Of a picture, what each of two greys of chequers has; how much more of it is in turn than not."""
_CHEQUER_SIDES, _CHEQUER_STEPS = (4, 33), range(12, 91)
"""Pixels of a square, from and below; levels between the greys."""
_IS_GREY: Final = [255 * (level <= 4) for level in range(256)]
_RIM: Final = 13
"""Pixels across of what is taken off a cut-out, all round, to be within its rim."""
_MOSTLY: Final = 0.7
_Flaw = tuple[str, str, str]
"""Code, message and hint."""
FEW: Final = 4
"""Cards of a kind from which on one that differs is told from the others."""
OWN: Final = 0.75
"""Of the cards that have a picture of their own, where one that two have may be a slip."""
_NEIGHBOURS: Final = 12
"""Pictures that each is compared with: those that are the most like it."""
_IS_OPAQUE: Final = [255 * (level >= 128) for level in range(256)]
_IS_WHITE: Final = [255 * (level >= 215) for level in range(256)]
_IS_SCREEN: Final = [255 * (level >= 80) for level in range(256)]
_IS_EVEN: Final = [255 * (level <= 40) for level in range(256)]
_RIMS: Final = {
    "white rim, a fringe of the paper": "white",
    "green rim, a fringe of the screen": "green",
}
_DASHES, _EVEN_DASHES = 8, 0.2
"""Dashes of a guide at least, and by which part of their distance one may lie otherwise."""


class _SeenPicture(NamedTuple):
    """What is wrong with a picture, and a sign by which it is known."""

    flaws: list[_Flaw]
    sign: bytes


def emptiness(subject: Subject) -> Iterator[Finding]:
    """GP835: there is something in every picture."""
    return (finding for finding in _flaws(subject) if finding.code == "GP835")


def sharpness(subject: Subject) -> Iterator[Finding]:
    """GP836: no picture was enlarged or crushed before it came, so that its pixels tell more than
    there is."""
    return (finding for finding in _flaws(subject) if finding.code == "GP836")


def remains(subject: Subject) -> Iterator[Finding]:
    """GP837: nothing is left in a picture of the making of it: guides, a rim of the paper that it
    was cut out of."""
    return (finding for finding in _flaws(subject) if finding.code == "GP837")


def same_art(subject: Subject) -> Iterator[Finding]:
    """GP860: where nearly every card of a kind has a picture of its own, no two are the same art
    out of two files."""
    if subject.expected is None:
        return
    places: dict[tuple[object, ...], dict[str, tuple[UsedPicture, Use, bytes]]] = defaultdict(dict)
    for picture, (_, sign) in _looked_into(subject):
        for use in picture.uses if sign else ():
            if use.face is not None:
                box = use.face.upright(use.place)
                place = use.face.kind, use.face.face, *map(round, (box.x, box.y, box.width))
                places[place][use.face.component] = picture, use, sign
    for cards in places.values():
        several = {id(picture) for picture, *_ in cards.values()}
        if len(cards) < FEW or len(several) < OWN * len(cards):
            continue
        in_order = list(cards.items())
        small = [_Small.of(sign) for _, (_, _, sign) in in_order]
        again = {
            other: number
            for number, other in _akin(small)
            if in_order[number][1][0] is not in_order[other][1][0]
            and _is_same_art(small[number], small[other])
        }
        if len(cards) - len(again) < OWN * len(cards):
            continue  # one picture for each team, in its colour
        for other, number in again.items():
            name, (picture, use, _) = in_order[number][0], in_order[other][1]
            message = f"is the same art as that of {name!r}, out of another file"
            hint = "was one picture saved under two names?"
            yield picture.finding("GP860", message, hint, use, Severity.WARNING)


class _Small(NamedTuple):
    """A picture as small as its sign, also half as wide, and mirrored; how many bits tell the
    colour of a place, how far its colours are from their middle, and how much lighter than all of
    it each of a few places is."""

    shown: Image.Image
    half: Image.Image
    turned: Image.Image
    half_turned: Image.Image
    fullness: float
    spread: float
    light: npt.NDArray[np.float32]

    @classmethod
    def of(cls, sign: bytes) -> _Small:
        """It is grey where it is not seen."""
        small = Image.frombytes("RGBA", (_SIGN, _SIGN), sign)
        shown = Image.alpha_composite(Image.new("RGBA", small.size, (128, 128, 128, 255)), small)
        shown.putalpha(small.getchannel("A"))
        half, turned = shown.reduce(2), ImageOps.mirror(shown)
        mirrored, fullness, spread = ImageOps.mirror(half), _fullness(shown), _spread(half)
        few = shown.convert("L").resize((_SIGN // 4, _SIGN // 4), Image.Resampling.BOX)
        light = np.asarray(few, np.float32)
        return cls(shown, half, turned, mirrored, fullness, spread, light - light.mean())


def _akin(pictures: Sequence[_Small]) -> Iterator[tuple[int, int]]:
    """The pairs of small pictures that are worth a closer look: dark and light in the same places,
    or mirrored; of each with those that are the most so."""
    halves = []
    for picture in pictures:
        even = picture.light + picture.light[:, ::-1]
        halves.append(even.ravel() / max(float(np.linalg.norm(even)), 1.0))
    rows = np.array(halves)
    for number, row in enumerate(rows[:-1]):
        likeness = rows[number + 1 :] @ row
        for at in sorted(np.argsort(-likeness, kind="stable")[:_NEIGHBOURS].tolist()):
            yield number, number + 1 + at


def _is_same_art(one: _Small, other: _Small) -> bool:
    """Whether two small pictures are the same, but for what saving them leaves; of such as are full
    of things, though mirrored, in grey, of another tint or brightness, signed, or with a little cut
    off. An icon says something by its colour and by where it points."""
    most, mean = _off(one.half, other.half)
    if most <= _SAVED and mean <= _SAVED / 4:
        return _off(one.shown, other.shown)[0] <= _SAVED_FINE
    fullness = max(one.fullness, other.fullness)
    if fullness < _FULL:
        return False
    light, its = one.light, other.light
    if fullness >= _VARIED and any(  # any two colours are in line
        _is_other_ink(picture, other.shown)
        for picture, at in ((one.shown, light), (one.turned, light[:, ::-1]))
        if float((at * its).sum()) >= _AS_LIGHT * float(np.linalg.norm(at) * np.linalg.norm(its))
    ):
        return True
    spread = min(one.spread, other.spread)
    return spread >= _RICH and any(
        mean <= _CROPPED * spread and most <= _SIGNED
        for whole, half in ((one.shown, one.half), (one.turned, one.half_turned))
        if max(_off(whole.reduce(8), other.shown.reduce(8))) <= _GLANCED
        for picture, against in ((whole, other.half), (other.shown, half))
        for most, mean in (_off(cut, against) for cut in _cut_smaller(picture))
    )


def _fullness(picture: Image.Image) -> float:
    """How many bits tell the colour of a place of a small picture: one and less of two colours."""
    pixels = np.asarray(picture)
    shades = pixels[pixels[..., 3] > 127] // _SHADE
    counts = np.unique(shades[:, :3], axis=0, return_counts=True)[1] if len(shades) else np.ones(1)
    shares = counts / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def _is_other_ink(one: Image.Image, other: Image.Image) -> bool:
    """Whether a small picture is another one in grey, or with each of its colours a little stronger
    or weaker."""
    a, b = (np.asarray(picture, np.float32) for picture in (one, other))
    shape = np.abs(a[..., 3] - b[..., 3])
    inside = (np.minimum(a[..., 3], b[..., 3]) > _MOST_OPAQUE) & (
        np.maximum(a, b)[..., :3].max(axis=2) < _BURNT
    )
    if shape.mean() > _SAVED / 4 or shape.max() > _SIGNED or inside.sum() < _SIGN:
        return False
    greys = [np.ptp(c[inside][:, :3], axis=1).mean() < _PLAIN for c in (a, b)]
    if greys[0] != greys[1]:
        a, b = (np.asarray(picture.convert("L"), np.float32)[..., None] for picture in (one, other))
    bands = a.shape[2] if a.shape[2] == 1 else 3
    return all(_is_in_line(a[inside][:, band], b[inside][:, band]) for band in range(bands))


def _is_in_line(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> bool:
    """Whether all levels of one are those of another, times something, and more or less."""
    one, other = one - one.mean(), other - other.mean()
    spread = float(np.abs(one).mean())
    if min(spread, float(np.abs(other).mean())) < _PLAIN:
        return spread < 2 * _PLAIN
    times = float(one @ other) / float(other @ other)
    off = np.abs(one - times * other)
    return bool(
        1 / _STRONGER <= times <= _STRONGER
        and off.mean() <= _IN_LINE * spread
        and off.max() <= _NOWHERE_OFF * spread
    )


def _off(one: Image.Image, other: Image.Image) -> tuple[int, float]:
    """By how many levels two small pictures differ, at most and on average."""
    off = ImageChops.difference(one, other).tobytes()
    return max(off), fmean(off)


def _spread(small: Image.Image) -> float:
    """How far the colours of a small picture are from their middle, on average, in levels."""
    flat = small.resize((1, 1), Image.Resampling.BOX).resize(small.size)
    return _off(small, flat)[1]


def _cut_smaller(picture: Image.Image) -> Iterator[Image.Image]:
    """A small picture, half as wide, and so with some of its edge cut off, on all sides or some."""
    for part in _PARTS:
        side = part * _SIGN
        places = [share * (_SIGN - side) for share in ((0, 0.5, 1) if part < 1 else (0,))]
        for x, y in product(places, places):
            size, box = (_SIGN // 2, _SIGN // 2), (x, y, x + side, y + side)
            yield picture.resize(size, Image.Resampling.BOX, box)


@lru_cache(maxsize=1)  # each of these checks asks for them, and a picture takes long to unpack
def _looked_into(subject: Subject) -> Sequence[tuple[UsedPicture, _SeenPicture]]:
    return tuple((picture, _seen(picture, subject.prints)) for picture in pictures(subject))


def _flaws(subject: Subject) -> Iterator[Finding]:
    for picture, (flaws, _) in _looked_into(subject):
        for code, message, hint in flaws:
            yield picture.finding(code, message, hint, picture.largest, Severity.WARNING)


def _seen(picture: UsedPicture, prints: Fingerprints) -> _SeenPicture:
    fewest = dpi(picture.pixels, picture.largest)

    def look() -> _SeenPicture:
        what = _empty(picture)
        if what:
            hint = "was it saved without its layers? If it is to be so, draw a shape instead"
            return _SeenPicture([("GP835", f"is {what}", hint)], b"")
        seen = _middle(picture) if min(picture.pixels) > _SMALL else None
        if seen is None:
            cut = [("GP835", "ends before its last pixels", _CUT_SHORT)]
            return _SeenPicture(cut if _ends_early(picture.image) else [], b"")
        return _SeenPicture(list(_read_flaws(picture, fewest, seen)), _sign(picture, seen))

    return prints.of_picture(
        look, _SeenPicture, f"at {fewest} dpi, with its sign of 32, no chequers", picture.image
    )


def _sign(picture: UsedPicture, seen: Image.Image) -> bytes:
    """A picture so small, with its mask, that it is the same of any file that it was saved in;
    empty for one in which there is hardly anything."""
    small = seen.resize((_SIGN, _SIGN), Image.Resampling.BOX)
    ends: Any = small.getextrema()
    if max(most - least for least, most in ends) < _STANDS_OUT:
        return b""
    mask = picture.image.get("/SMask")
    shape = None if mask is None else _unpacked(mask)
    if shape is not None:
        small.putalpha(shape.convert("L").resize(small.size, Image.Resampling.BOX))
    return small.convert("RGBA").tobytes()


def _read_flaws(picture: UsedPicture, fewest: float, seen: Image.Image) -> Iterator[_Flaw]:
    """What is wrong with the pixels of a picture, of which an inch has at least so many."""
    if _chequers(seen):
        message = "has grey chequers painted in, as programs show where nothing is"
        yield "GP837", message, "save it with its transparency, as PNG or WebP"
        return
    yield from _blunt(seen, fewest)
    guide = _guide(seen)
    if guide:
        hint = "hide the guides, and save it again"
        yield "GP837", f"has a thin {guide} line all across, as guides are", hint
    rim = _rim(picture)
    if rim:
        message = f"has a {rim} that it was cut out of"
        yield "GP837", message, "make its mask a few pixels smaller"


def _blunt(seen: Image.Image, fewest: float) -> Iterator[_Flaw]:
    """Why a picture, of which an inch has at least so many pixels, is not sharp."""
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


def _empty(picture: UsedPicture) -> str:
    """In words what a picture is in which there is nothing; empty for others."""
    mask = picture.image.get("/SMask")
    if mask is not None and (unseen := _transparent(mask)):
        return unseen
    width, height = picture.pixels
    if mask is not None or int(picture.image.get("/Length", 0)) > _SQUEEZED * width * height:
        return ""
    seen = _middle(picture)
    if seen is not None and min(width, height) > 1:
        ends: Any = seen.getextrema()
        if all(most - least <= _PLAIN for least, most in ends):
            return "of one colour everywhere"
        if all(_is_even(band) for band in seen.split()):
            return "of one colour but for a speck"
    return ""


def _transparent(mask: Any) -> str:
    """In words that nothing, or hardly anything, is seen through a soft mask; else empty."""
    opacity = mask.read_bytes()
    if int(mask.get("/BitsPerComponent", 8)) != 8:
        return "" if opacity.strip(b"\0") else "transparent everywhere"
    seen = summed(Image.frombytes("L", (len(opacity), 1), opacity).histogram()[_SEEN:])
    if opacity and not seen:
        return "transparent everywhere"
    return "transparent but for a speck" if seen < _SPECK * len(opacity) else ""


def _is_even(band: Image.Image) -> bool:
    """True where all but a speck is within some levels of what is most often there."""
    counts = band.histogram()
    usual = counts.index(max(counts))
    near = summed(counts[max(usual - _PLAIN, 0) : usual + _PLAIN + 1])
    return near > (1 - _SPECK) * band.width * band.height


def _guide(seen: Image.Image) -> str:
    """The colour of a line of one or two pixels that goes all across or down in a colour of
    guides; empty where there is none."""
    width, height = seen.size
    upright = seen.reduce((1, _TOGETHER)).resize((width, 1), Image.Resampling.BOX)
    level = seen.reduce((width, 1)).transpose(Image.Transpose.TRANSPOSE)
    found = [(_apart(upright), 1, height), (_apart(level), width, 1)]
    if any(_count_of_lines(apart) >= _RULED for apart, _, _ in found):
        return ""
    for apart, wide, high in found:
        for at in range(_APART, len(apart) - _APART):
            if apart[at] > _STANDS_OUT:
                x, y = (0, at) if wide == width else (at, 0)
                colour = _guide_colour(seen.crop((x, y, x + wide, y + high)))
                if colour:
                    return colour
    return ""


def _chequers(seen: Image.Image) -> bool:
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


def _apart(profile: Image.Image) -> bytes:
    """How far each place of a row of colours stands out from what is beside it on both sides."""
    sides = (ImageChops.difference(profile, ImageChops.offset(profile, by, 0)) for by in _BOTH_WAYS)
    return reduce(ImageChops.lighter, ImageChops.darker(*sides).split()).tobytes()


def _count_of_lines(apart: bytes) -> int:
    """How many thin lines there are, of how far each place stands out from both sides."""
    return len(re.findall(rb"[^\0-\x18]+", apart[_APART:-_APART]))


def _guide_colour(line: Image.Image) -> str:
    """What colour of guides nearly all of a line has, if any."""
    hue, strength, _ = line.convert("HSV").split()
    strong = levelled(strength, _IS_STRONG)
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


def _rim(picture: UsedPicture) -> str:
    """What a cut-out has all along its edge, white or the green of a screen, and not a little
    further in; empty for neither."""
    mask = picture.image.get("/SMask")
    if mask is None or max(picture.pixels) > _LARGE * 2:
        return ""
    colours, opaque = _unpacked(picture.image), _unpacked(mask)
    if colours is None or opaque is None or colours.size != opaque.size:
        return ""
    opaque = opaque.convert("L").point(_IS_OPAQUE)
    red, green, blue = colours.convert("RGB").split()
    white = reduce(ImageChops.darker, (red, green, blue)).point(_IS_WHITE)
    others = ImageChops.lighter(red, blue)
    screen = ImageChops.darker(
        ImageChops.subtract(green, others).point(_IS_SCREEN),
        ImageChops.difference(red, blue).point(_IS_EVEN),
    )
    edge = ImageChops.subtract(opaque, opaque.filter(ImageFilter.MinFilter(3)))
    inside = opaque.filter(ImageFilter.MinFilter(_RIM - 2))
    inner = ImageChops.subtract(inside, inside.filter(ImageFilter.MinFilter(3)))
    for name, like in _RIMS.items():
        here = white if like == "white" else screen
        if _share(here, edge) > _MOSTLY and _share(here, inner) < 1 - _MOSTLY:
            return name
    return ""


def _share(like: Image.Image, ring: Image.Image) -> float:
    """Which part of a ring is of a colour."""
    count = ring.histogram()[255]
    return ImageChops.darker(like, ring).histogram()[255] / max(count, 1)


def _middle(picture: UsedPicture) -> Image.Image | None:
    """The middle of a picture in RGB; None of one that Pillow cannot read."""
    whole = _unpacked(picture.image, _LARGE)
    if whole is None:
        return None
    width, height = (min(side, _LARGE) for side in whole.size)
    x, y = (whole.width - width) // 2, (whole.height - height) // 2
    return whole.crop((x, y, x + width, y + height)).convert("RGB")


def _unpacked(image: Any, rows: int | None = None) -> Image.Image | None:
    """All pixels of a picture, or so many rows of its middle if that is cheaper; None of one that
    Pillow cannot read, and of grey of 16 bits, of which all but the darkest came out white."""
    if not isinstance(image, Stream):
        return None
    try:
        whole = PdfImage(image)
        seen = _rows(whole, rows) if rows and _is_simple(whole) else whole.as_pil_image()
        seen.load()
    except NOT_READ:
        return None
    return None if seen.mode.startswith("I") else seen


def _ends_early(image: Any) -> bool:
    """Whether a picture that Pillow cannot read has fewer bytes than its pixels take."""
    try:
        whole = PdfImage(image)
        if set(whole.filters) == {"/DCTDecode"}:
            return not image.read_raw_bytes().rstrip(b"\0\r\n").endswith(_JPEG_ENDS)
        if set(whole.filters) - {"/FlateDecode"} or whole.mode not in _NUMBERS:
            return False
        row = -(-whole.width * _NUMBERS[whole.mode] * whole.bits_per_component // 8)
        return len(image.read_bytes()) < row * whole.height
    except NOT_READ:
        return False


def _is_simple(image: PdfImage) -> bool:
    """True for a picture that has a byte for each number, in rows that stand one after another."""
    return (
        set(image.filters) <= {"/FlateDecode"}
        and (image.mode, image.bits_per_component) in (("RGB", 8), ("L", 8))
        and not (image.indexed or image.image_mask or "/Decode" in image.obj)
    )


def _rows(image: PdfImage, rows: int) -> Image.Image:
    """The middle of a picture that is simple, from the left edge to the right: pikepdf would unpack
    it twice, and Pillow make four bytes of each pixel."""
    width, height = image.size
    rows = min(rows, height)
    row = width * len(image.mode)
    start = (height - rows) // 2 * row
    pixels = memoryview(image.obj.read_bytes())[start : start + rows * row]
    return Image.frombytes(image.mode, (width, rows), pixels)


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
