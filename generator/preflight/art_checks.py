"""Checks pictures by their pixels, each unpacked once: is anything in it, is it sharp, what was
left in it of its making, and is it there twice?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from statistics import fmean
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from pikepdf import PdfImage, Stream
from PIL import Image, ImageChops, ImageOps

from generator.diagnostics import Severity
from generator.geometry import summed
from generator.pdf_forms import Fingerprints
from generator.preflight.checking import Finding, Subject
from generator.preflight.image_checks import Use, UsedPicture, dpi, pictures
from generator.preflight.paints import NOT_READ
from generator.preflight.picture_flaws import blunt, guide_in, has_chequers, rim_of

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
_DRAWN: Final = 24
"""Levels between the darkest and the lightest of a picture in which there is something."""
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
_Flaw = tuple[str, str, str]
"""Code, message and hint."""
FEW: Final = 4
"""Cards of a kind from which on one that differs is told from the others."""
OWN: Final = 0.75
"""Of the cards that have a picture of their own, where one that two have may be a slip."""
_NEIGHBOURS: Final = 12
"""Pictures that each is compared with: those that are the most like it."""


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
        look,
        _SeenPicture,
        f"at {fewest} dpi, with its sign of 32, guides and rims of any colour",
        picture.image,
    )


def _sign(picture: UsedPicture, seen: Image.Image) -> bytes:
    """A picture so small, with its mask, that it is the same of any file that it was saved in;
    empty for one in which there is hardly anything."""
    small = seen.resize((_SIGN, _SIGN), Image.Resampling.BOX)
    ends: Any = small.getextrema()
    if max(most - least for least, most in ends) < _DRAWN:
        return b""
    mask = picture.image.get("/SMask")
    shape = None if mask is None else _unpacked(mask)
    if shape is not None:
        small.putalpha(shape.convert("L").resize(small.size, Image.Resampling.BOX))
    return small.convert("RGBA").tobytes()


def _read_flaws(picture: UsedPicture, fewest: float, seen: Image.Image) -> Iterator[_Flaw]:
    """What is wrong with the pixels of a picture, of which an inch has at least so many."""
    if has_chequers(seen):
        message = "has grey chequers painted in, as programs show where nothing is"
        yield "GP837", message, "save it with its transparency, as PNG or WebP"
        return
    yield from blunt(seen, fewest)
    guide = guide_in(seen)
    if guide:
        hint = "hide the guides, and save it again"
        yield "GP837", f"has a thin {guide} line all across, as guides are", hint
    rim = _rim(picture)
    if rim:
        message = f"has a {rim} that it was cut out of"
        yield "GP837", message, "make its mask a few pixels smaller"


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


def _rim(picture: UsedPicture) -> str:
    """What a cut-out has all along its edge of what it was cut out of; empty for nothing."""
    mask = picture.image.get("/SMask")
    if mask is None or max(picture.pixels) > _LARGE * 2:
        return ""
    colours, opaque = _unpacked(picture.image), _unpacked(mask)
    if colours is None or opaque is None or colours.size != opaque.size:
        return ""
    return rim_of(colours.convert("RGB"), opaque.convert("L"))


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
