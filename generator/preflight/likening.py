"""A face that is not what its proof shows in; in what way it differs, in words, out.

Both are pictures of some 50 dpi. What is changed is looked for from the whole to its parts: another
face, the same one mirrored, turned, moved or scaled; then, place by place, its pictures, its words,
and whatever lies over or is gone."""

from __future__ import annotations

import io
import math
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from PIL import Image

from generator.geometry import Rect, around
from generator.model.manifest import FormEntry, PictureEntry
from generator.preflight.faces import Trace
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.proofs import DPI, SMALLER, NoProofError, off, shown
from generator.units import MM_PER_INCH

_MM: Final = MM_PER_INCH * SMALLER / DPI
"""Of a pixel."""
_LIKE: Final = 0.3
"""Of how far two pictures are apart: what is left where one way explains nearly all of it."""
_MOSTLY: Final = 0.6
"""The same, where places are tried in steps of half a pixel."""
_BROAD: Final = 0.04
"""Of a face must differ, or its ends, before it may be another one or placed otherwise."""
_SIGNED: Final = 12
"""Pixels a side of the little pictures by which faces are told apart at a glance."""
_NEAREST: Final = 4
"""Faces that are looked at of those that are nearest at a glance."""
_BLOCK: Final = 3
"""Pixels: what differs so near to each other is one place."""
_MOST_PLACES: Final = 3
_FLAT: Final = 12
"""Levels by which the pixels of one colour differ: a proof keeps every seventeenth."""
_FEW: Final = 0.03
"""Of the pixels of one colour may be of another."""
_SURE: Final = 0.8
"""Of how well one picture tells the other, from -1 to 1: it is the same one still."""
_FAINT: Final = 0.08
"""Of its contrast that a picture has less, or more."""
_PART: Final = 0.3
"""Of a picture: what changes less of it, though the picture is there, lies over it."""
_THIN: Final = 3
"""Pixels across of a line."""
_REACH: Final = 3.0
"""mm by which words are looked for beside their place."""

Told = tuple[str, Rect | None]
"""What differs, and where in the trim of the upright face; None for all of it."""


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


class Eye:
    """Compares faces of one file with what they should show."""

    def __init__(self, expected: ExpectedFile) -> None:
        self._proofs = expected.proofs
        self._names: dict[str, Expected] = {}
        for page in expected.pages:
            for placed in page.placements:
                self._names.setdefault(placed.sha256, placed)
        self._signs: dict[str, Any] | None = None

    def differences(
        self, trace: Trace, told: FormEntry | None, made: FormEntry | None, *, strict: bool
    ) -> Iterator[Told]:
        """How a face differs from its proof. Where not `strict`, edges that another version of the
        painter draws do not count."""
        with Image.open(io.BytesIO(trace.changed), formats=("WEBP",)) as picture:
            seen = picture.convert("RGB")
        try:
            proof = shown(self._proofs[trace.expected.sha256])
        except NoProofError:
            yield "the manifest has no proof of it that can be read", None
            return
        if seen.size != proof.size:
            yield self._of_another_size(seen, trace), None
            return
        mask = _pixels(off(seen, proof)) > 0
        if not strict:
            mask = _core(mask)
        if not mask.any():
            return
        a, b = _pixels(proof), _pixels(seen)
        whole = self._other(b, trace, _LIKE * _unlike(a, b))
        if not whole and (mask.mean() > _BROAD or _spread(mask) > 1 / 2):
            whole = _placed_otherwise(a, b)
        if whole:
            yield whole, None
            return
        views = _View(trace, told, made, a, b)
        told_of: set[str] = set()
        for place in _places(mask):
            words, box = views.cause(place)
            if words not in told_of:
                told_of.add(words)
                yield words, box
            if len(told_of) == _MOST_PLACES:
                return

    def _of_another_size(self, seen: Image.Image, trace: Trace) -> str:
        return self._other(_pixels(seen), trace, 1.0) or "it is not of the size that was rendered"

    def _other(self, seen: Any, trace: Trace, least: float) -> str | None:
        """Which other face it shows, if it is less unlike that than so."""
        if self._signs is None:
            self._signs = {}
            for sha256, proof in self._proofs.items():
                try:
                    self._signs[sha256] = _sign(_pixels(shown(proof)))
                except NoProofError:
                    continue
        own, sign = trace.expected.sha256, _sign(seen)
        apart = {
            sha256: float(np.abs(other - sign).mean())
            for sha256, other in self._signs.items()
            if sha256 != own
        }
        for sha256 in sorted(apart, key=lambda sha: apart[sha])[:_NEAREST]:
            other = _pixels(shown(self._proofs[sha256]))
            if other.shape == seen.shape and _unlike(other, seen) < least:
                face = self._names[sha256]
                same = face.component == trace.expected.component
                whose = "the same component" if same else f"{face.component!r}"
                return f"it shows the {face.face} of {whose}, swapped for its own"
        return None


def _pixels(picture: Image.Image) -> Any:
    return np.asarray(picture).astype(np.int16)


def _sign(pixels: Any) -> Any:
    """The little picture of one."""
    small = Image.fromarray(pixels.astype(np.uint8)).resize(
        (_SIGNED, _SIGNED), Image.Resampling.BOX
    )
    return _pixels(small)


def _unlike(one: Any, other: Any) -> float:
    """How far two pictures are apart, levels on the whole, beyond what comes of packing."""
    return float(np.maximum(np.abs(one - other) - 16, 0).mean())


def _soft(pixels: Any) -> Any:
    """The picture with its edges washed out, so that half a pixel does not tell."""
    small = Image.fromarray(pixels.astype(np.uint8))
    return _pixels(small.reduce(2) if min(small.size) > _SIGNED else small)


def _spread(mask: Any) -> float:
    """The part of a face that the box around all that differs takes."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    wide, high = int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1
    return wide * high / int(mask.size)


def _core(mask: Any) -> Any:
    """Of what differs, what is more than an edge: three pixels each way."""
    core = mask[1:-1, 1:-1].copy()
    for down in (0, 1, 2):
        for right in (0, 1, 2):
            core &= mask[down : down + core.shape[0], right : right + core.shape[1]]
    return np.pad(core, 1)


def _way(one: Any, other: Any) -> str | None:
    """In which way a picture has become the other."""
    before, after = _soft(one), _soft(other)
    best, words = _LIKE * _unlike(before, after), None
    for way in _WAYS:
        changed = way.change(before)
        if changed.shape == after.shape and (apart := _unlike(changed, after)) < best:
            best, words = apart, way.words
    return words


def _placed_otherwise(one: Any, other: Any) -> str | None:
    """A whole face in its place, but otherwise."""
    way = _way(one, other)
    if way:
        return f"it is {way} within its place"
    still = _unlike(one, other)
    scaled, scale = min((_unlike(_scaled(one, by), other), by) for by in _SCALES)
    moved, shift = _shifted(one, other)
    if min(scaled, moved) > _MOSTLY * still:
        return None
    if scaled <= moved:
        return f"it is drawn at about {100 * scale:.0f} % of its size within its place"
    return f"all of it is moved by about {shift * _MM:.1f} mm within its place"


_SCALES: Final = tuple(percent / 100 for percent in (*range(80, 100), *range(101, 121)))


def _scaled(pixels: Any, by: float) -> Any:
    """A picture scaled about its middle."""
    height, width = pixels.shape[:2]
    matrix = (1 / by, 0, width / 2 * (1 - 1 / by), 0, 1 / by, height / 2 * (1 - 1 / by))
    picture = Image.fromarray(pixels.astype(np.uint8))
    size, how = picture.size, Image.Resampling.BILINEAR
    return _pixels(picture.transform(size, Image.Transform.AFFINE, matrix, how, fillcolor="white"))


def _shifted(one: Any, other: Any) -> tuple[float, float]:
    """How unlike the other one still is when it is moved by the best of some ways, and by how many
    pixels that is: first whole ones, then halves of one about that."""
    reach = math.ceil(_REACH / _MM)
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
    return _unlike(inner, _window(other, inset, 0, 0))


def _window(pixels: Any, inset: int, right: int, down: int) -> Any:
    height, width = pixels.shape[:2]
    return pixels[inset - down : height - inset - down, inset - right : width - inset - right]


def _places(mask: Any) -> list[tuple[int, int, int, int]]:
    """Boxes of pixels, left, top, right, bottom, around what differs, the largest first."""
    height, width = mask.shape
    rows, columns = -(-height // _BLOCK), -(-width // _BLOCK)
    padded = np.zeros((rows * _BLOCK, columns * _BLOCK), bool)
    padded[:height, :width] = mask
    blocks = padded.reshape(rows, _BLOCK, columns, _BLOCK).any((1, 3))
    left = {(int(y), int(x)) for y, x in zip(*np.nonzero(blocks), strict=True)}
    found = []
    while left:
        waiting, group = [left.pop()], []
        while waiting:
            y, x = waiting.pop()
            group.append((y, x))
            for near in ((y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-2, -1, 0, 1, 2)):
                if near in left:
                    left.remove(near)
                    waiting.append(near)
        top, bottom = min(y for y, _ in group), max(y for y, _ in group) + 1
        start, end = min(x for _, x in group), max(x for _, x in group) + 1
        part = mask[top * _BLOCK : bottom * _BLOCK, start * _BLOCK : end * _BLOCK]
        ys, xs = np.nonzero(part)
        box = (
            start * _BLOCK + int(xs.min()),
            top * _BLOCK + int(ys.min()),
            start * _BLOCK + int(xs.max()) + 1,
            top * _BLOCK + int(ys.max()) + 1,
        )
        found.append((int(part.sum()), box))
    return [box for _, box in sorted(found, reverse=True)]


class _View:
    """One face, as it should be and as it is."""

    def __init__(
        self,
        trace: Trace,
        told: FormEntry | None,
        made: FormEntry | None,
        before: Any,
        after: Any,
    ) -> None:
        self._face, self._before, self._after = trace.expected, before, after
        self._told, self._made = told, made
        self._letters = _letters(trace.words)
        self._pictures = told.pictures if told else ()

    def cause(self, place: tuple[int, int, int, int]) -> Told:
        """What is wrong at a place."""
        bleed = self._face.bleed
        left, top, right, bottom = place
        box = Rect(
            left * _MM - bleed, top * _MM - bleed, (right - left) * _MM, (bottom - top) * _MM
        )
        for picture in self._pictures:
            at = picture.box.moved(-bleed, -bleed)
            if at.grown(2 * _MM).contains(box):
                words = self._of_picture(picture, place)
                if words:
                    return words, at
        texts = [text for text in self._face.texts if text.box.grown(1.0).overlaps(box)]
        if texts and not self._is_patch(place):
            return self._of_words(texts[0].style, [text.box for text in texts], box), box
        return self._of_art(place), box

    def _cut(self, place: tuple[int, int, int, int]) -> tuple[Any, Any]:
        left, top, right, bottom = place
        window = (slice(top, bottom), slice(left, right))
        return self._before[window], self._after[window]

    def _window(self, box: Rect) -> tuple[int, int, int, int]:
        """The pixels of a place in the trim."""
        bleed = self._face.bleed
        height, width = self._before.shape[:2]
        return (
            min(max(round((box.x + bleed) / _MM), 0), width - 1),
            min(max(round((box.y + bleed) / _MM), 0), height - 1),
            min(max(round((box.right + bleed) / _MM), 1), width),
            min(max(round((box.bottom + bleed) / _MM), 1), height),
        )

    def _is_patch(self, place: tuple[int, int, int, int]) -> bool:
        """True where one colour lies over what was there."""
        before, after = self._cut(place)
        return _is_flat(after) and not _is_flat(before) and min(after.shape[:2]) > _THIN

    def _of_picture(self, picture: PictureEntry, place: tuple[int, int, int, int]) -> str:
        bleed = self._face.bleed
        before, after = self._cut(self._window(picture.box.moved(-bleed, -bleed)))
        if not before.size:
            return ""
        there = {each.digest for each in self._made.pictures} if self._made else set()
        kept = self._made is not None and picture.digest in there
        left, top, right, bottom = place
        of_all = (right - left) * (bottom - top) / (before.shape[0] * before.shape[1])
        if of_all < 0.3 and kept:
            return ""
        return f"its picture is {_become(before, after)}"

    def _of_words(self, style: str, texts: Sequence[Rect], box: Rect) -> str:
        one = around([*texts, box])
        before, after = self._cut(self._window(one.grown(_REACH / 2)))
        name = f"its words ({style})"
        words = self._face.words
        if words is not None and self._face.poster is None:
            texts_ = [_letters(text) for text in words.split("\n")]
            if len(self._letters) < len("".join(dict.fromkeys(texts_))):
                return f"{name} are gone, or some of them"
            if any(text not in self._letters for text in texts_):
                return f"{name} are others: letters or lines are exchanged, or in another order"
        apart, by = _shifted(before, after)
        if by and apart < _MOSTLY * _unlike(before, after):
            return f"{name} are moved by about {by * _MM:.1f} mm"
        return (
            f"{name} look otherwise: moved, squeezed, over one another, in another look, or covered"
        )

    def _of_art(self, place: tuple[int, int, int, int]) -> str:
        before, after = self._cut(place)
        height, width = before.shape[:2]
        if min(height, width) <= _THIN and max(height, width) > 4 * _THIN:
            return "there is a line on it that was not drawn, or one is gone"
        if _is_flat(after) and not _is_flat(before):
            return "a box lies over it, or a part of its art is gone"
        if _is_flat(before):
            return "there is something on it that was not drawn: a stamp, a box or a mark"
        if _gain(before, after)[1] > 0.9:
            return "a part of its art has other colours, or another opacity"
        return "a part of its art is another one: something lies over it, or is gone"


def _become(before: Any, after: Any) -> str:
    """What has become of a picture."""
    if _is_flat(after) and not _is_flat(before):
        return "lost, or blank"
    way = _way(before, after)
    if way:
        return way
    gain, likeness = _gain(before, after)
    if abs(likeness) < _SURE:
        return "another one: swapped, broken, or without its soft mask"
    if likeness < 0:
        return "a negative of what it was"
    if abs(gain - 1) < _FAINT:
        return "otherwise than it was: in sharpness, colour, mask or place"
    return "faint: paler than it was" if gain < 1 else "stronger in contrast than it was"


def _is_flat(pixels: Any) -> bool:
    """True where there is one colour, but for a few of the pixels."""
    middle = np.median(pixels.reshape(-1, 3), axis=0)
    apart = np.abs(pixels.reshape(-1, 3) - middle).max(axis=1)
    return bool(np.mean(apart > 2 * _FLAT) < 0.1)


def _gain(before: Any, after: Any) -> tuple[float, float]:
    """How much stronger the lights and darks of one are in the other, and how well that says all
    of it, -1 to 1."""
    a, b = (pixels.astype(float).reshape(-1) for pixels in (before, after))
    a, b = a - a.mean(), b - b.mean()
    power = float((a * a).sum()), float((b * b).sum())
    if min(power) <= 0:
        return 1.0, 0.0
    shared = float((a * b).sum())
    return shared / power[0], shared / math.sqrt(power[0] * power[1])


def _letters(words: str) -> str:
    """The letters and digits of a text, in order."""
    plain = unicodedata.normalize("NFKD", words)
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] in "LN")
