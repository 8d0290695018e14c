"""A face that is not what its proof shows in; in what way it differs, in words, out.

Both are pictures of some 50 dpi. What is changed is looked for from the whole to its parts: another
face, the same one mirrored, turned, moved or scaled; then, place by place, its pictures, its words,
and whatever lies over or is gone."""

from __future__ import annotations

import io
import math
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any, Final

import numpy as np
from PIL import Image

from generator.geometry import Matrix, Rect, around
from generator.model.manifest import FormEntry, PictureEntry
from generator.preflight.faces import FaceTrace
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.movement import Movement, Redraw, laid_back
from generator.preflight.page_parts import Redrawn
from generator.preflight.picture_changes import (
    FLAT,
    LIKE,
    MM,
    REACH,
    SURE,
    THIN,
    become,
    contrast,
    grown,
    is_even,
    is_flat,
    is_line,
    is_the_same,
    laid_as_a_whole,
    laid_otherwise,
    levels,
    moved,
    seen_through,
    set_otherwise,
    toned_as_a_whole,
    unlike,
)
from generator.proofs import NoProofError, off, shown
from generator.units import summed

_BROAD: Final = 0.04
"""Of a face must differ, or its ends, before it may be another one or placed otherwise."""
_NEAREST: Final = 4
"""Faces that are looked at of those that are nearest at a glance."""
_SIGNED: Final = 12
"""Pixels a side of the little pictures by which faces are told apart at a glance."""
_BLOCK: Final = 3
"""Pixels: what differs so near to each other is one place."""
_MOST_PLACES: Final = 3
_MOST_STRAYS: Final = 8
"""Of which each is compared with each."""
_ALL: Final = 0.9
"""Of the pixels of one colour: then it is that which is another."""
_RING: Final = 3
"""Pixels about a place, of which the next to it is at its edge."""
_BESIDE: Final = 1.5
"""mm about a place that are looked at to tell how it was moved."""
_FARTHEST: Final = 0.7
"""Of the longer side of a place, by which what is there may have been moved."""
_LINE: Final = "there is a line on it that was not drawn, or one is gone"
_PART_OF: Final = 0.8
"""Of a face, by a picture that is a part of it."""
_PART: Final = 0.3
"""Of a picture: what changes less of it, though the picture is there, lies over it."""
_LITTLE: Final = 0.2
"""Of what differs in a place, by what is left when its cause is taken away."""
PixelBox = tuple[int, int, int, int]
"""Pixels of a face: left, top, right, bottom."""
Likened = tuple[str, Rect | None]
"""What differs, and where in the trim of the upright face; None for all of it."""


class Eye:
    """Compares faces of one file with what they should show."""

    def __init__(self, expected: ExpectedFile) -> None:
        self._proofs = expected.proofs
        self._drawings = {form.drawing for form in expected.forms.values()}
        self._names: dict[str, Expected] = {}
        for page in expected.pages:
            for placed in page.placements:
                self._names.setdefault(placed.sha256, placed)
        self._signs: dict[str, Any] | None = None

    def differences(
        self,
        trace: FaceTrace,
        told: FormEntry | None,
        made: FormEntry | None,
        drawn: Redrawn,
        *,
        strict: bool,
    ) -> Iterator[Likened]:
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
        mask = levels(off(seen, proof)) > 0
        if not strict:
            mask = _core(mask)
        if not mask.any():
            return
        a, b = levels(proof), levels(seen)
        whole = self._other(b, trace, LIKE * unlike(a, b), made)
        if not whole and not _is_of_part(mask, trace.expected, told.pictures if told else ()):
            whole = _changed_as_a_whole(a, b, mask, drawn)
        if whole:
            yield whole, None
            return
        views = _View(trace, told, made, a, b, mask, drawn)
        told_of: set[str] = set()
        places = _places(mask)
        strays = dict(views.strays(places[:_MOST_STRAYS]))
        for place in places:
            words, box = strays.get(place) or views.cause(place)
            if words not in told_of:
                told_of.add(words)
                yield words, box
            if len(told_of) == _MOST_PLACES:
                return

    def _of_another_size(self, seen: Image.Image, trace: FaceTrace) -> str:
        other = self._other(levels(seen), trace, 1.0, None)
        return other or "it is not of the size that was rendered"

    def _other(
        self, seen: Any, trace: FaceTrace, least: float, made: FormEntry | None
    ) -> str | None:
        """Which other face it shows, if it is less unlike that than so. A face that is drawn as no
        other one has only become like it, as by another digit."""
        if made and made.drawing not in self._drawings:
            return None
        if self._signs is None:
            self._signs = {}
            for sha256, proof in self._proofs.items():
                try:
                    self._signs[sha256] = _sign(levels(shown(proof)))
                except NoProofError:
                    continue
        own, sign = trace.expected.sha256, _sign(seen)
        apart = {
            sha256: float(np.abs(other - sign).mean())
            for sha256, other in self._signs.items()
            if sha256 != own
        }
        for sha256 in sorted(apart, key=lambda sha: apart[sha])[:_NEAREST]:
            other = levels(shown(self._proofs[sha256]))
            if other.shape == seen.shape and unlike(other, seen) < least:
                face = self._names[sha256]
                same = face.component == trace.expected.component
                whose = "the same component" if same else f"{face.component!r}"
                return f"it shows the {face.face} of {whose}, swapped for its own"
        return None


def _window(box: Rect, bleed: float, shape: tuple[int, ...]) -> PixelBox:
    """The pixels of a place in the trim."""
    height, width = shape
    return (
        min(max(round((box.x + bleed) / MM), 0), width - 1),
        min(max(round((box.y + bleed) / MM), 0), height - 1),
        min(max(round((box.right + bleed) / MM), 1), width),
        min(max(round((box.bottom + bleed) / MM), 1), height),
    )


def _changed_as_a_whole(before: Any, after: Any, mask: Any, drawn: Redrawn) -> str | None:
    """In which way all of a face is otherwise than it was, in words."""
    height, width = mask.shape
    redraw = _redraw(drawn, mask.shape, (0, 0, width, height))
    how = laid_as_a_whole(before, after, redraw)
    broad = mask.mean() > _BROAD or _spread(mask) > _spread(_drawn_on(before) | mask) / 2
    if broad:
        how = how or toned_as_a_whole(before, after, mask)
    return how and f"it is {how} within its place"


def _is_of_part(mask: Any, face: Expected, pictures: Sequence[PictureEntry]) -> bool:
    """Whether all that differs is where words of a face are, or one of its pictures that does not
    take all of it."""
    words = [text.box.grown(2 * REACH) for text in face.texts]
    size = mask.size * MM * MM
    parts = (each.box for each in pictures if each.box.width * each.box.height < _PART_OF * size)
    framed = ([box.moved(-face.bleed, -face.bleed).grown(MM)] for box in parts)
    for boxes in (words, *framed):
        left = ~mask
        for box in boxes:
            x, y, right, bottom = _window(box, face.bleed, mask.shape)
            left[y:bottom, x:right] = True
        if left.all():
            return True
    return False


def _redraw(drawn: Redrawn, shape: tuple[int, ...], place: PixelBox) -> Redraw:
    """Draws a place of a face of so many pixels, laid otherwise about its middle."""
    left, top, right, bottom = place
    x, y = (left + right - shape[1]) / 2, (top + bottom - shape[0]) / 2

    def redraw(back: Matrix) -> tuple[Any, Any]:
        about = Matrix(e=x, f=y).then(back).then(Matrix(e=-x, f=-y))
        across, down = laid_back(shape, about)
        known = (abs(across) <= (shape[1] - 1) / 2) & (abs(down) <= (shape[0] - 1) / 2)
        seen = levels(drawn.laid(about))
        return seen[top:bottom, left:right], known[top:bottom, left:right]

    return redraw


def _sign(pixels: Any) -> Any:
    """The little picture of one."""
    picture = Image.fromarray(pixels.astype(np.uint8))
    return levels(picture.resize((_SIGNED, _SIGNED), Image.Resampling.BOX))


def _spread(mask: Any) -> float:
    """The part of a face that the box around all that differs takes."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    wide, high = int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1
    return wide * high / int(mask.size)


def _inner(mask: Any) -> Any:
    """Of what differs, what has all its neighbours; all of it where nothing has."""
    inner = ~grown(~mask, 1)
    return inner if inner.any() else mask


def _drawn_on(pixels: Any) -> Any:
    """Where a face is not as its ground, or one of its grounds."""
    ground = np.median(pixels.reshape(-1, 3), axis=0)
    return np.abs(pixels - ground).max(axis=2) > 2 * FLAT


def _core(mask: Any) -> Any:
    """Of what differs, what is more than an edge: three pixels each way."""
    core = mask[1:-1, 1:-1].copy()
    for down in (0, 1, 2):
        for right in (0, 1, 2):
            core &= mask[down : down + core.shape[0], right : right + core.shape[1]]
    return np.pad(core, 1)


def _places(mask: Any) -> list[PixelBox]:
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
        trace: FaceTrace,
        told: FormEntry | None,
        made: FormEntry | None,
        before: Any,
        after: Any,
        mask: Any,
        drawn: Redrawn,
    ) -> None:
        self._drawn = drawn
        self._said: dict[PictureEntry, str | None] = {}
        self._face, self._before, self._after, self._mask = trace.expected, before, after, mask
        self._letters = _letters(trace.words)
        self._pictures = told.pictures if told else ()
        kept = {each.digest for each in made.pictures} if made else set[str]()
        self._kept = {each.digest for each in self._pictures if each.digest in kept}
        self._lost = made is not None and len(made.pictures) < len(self._pictures)

    def strays(self, places: Sequence[PixelBox]) -> Iterator[tuple[PixelBox, Likened]]:
        """What has left one place for another, beyond it: both places, and how far it went."""
        for one, other in permutations(places, 2):
            (before, bare), (ground, after) = self._cut(one), self._cut(other)
            if is_flat(bare) and is_flat(ground) and is_the_same(before, after):
                box = self._box(one)
                far = MM * math.dist(one[:2], other[:2])
                texts = [t for t in self._face.texts if t.box.grown(1.0).overlaps(box)]
                what = f"its words ({texts[0].style}) are" if texts else "a part of its art is"
                told = f"{what} moved by about {far:.1f} mm", box
                yield one, told
                yield other, told

    def _box(self, place: PixelBox) -> Rect:
        bleed = self._face.bleed
        left, top, right, bottom = place
        return Rect(left * MM - bleed, top * MM - bleed, (right - left) * MM, (bottom - top) * MM)

    def cause(self, place: PixelBox) -> Likened:
        """What is wrong at a place."""
        box, bleed = self._box(place), self._face.bleed
        for picture in self._pictures:
            at = picture.box.moved(-bleed, -bleed)
            if at.grown(2 * MM).contains(box):
                if picture not in self._said:
                    self._said[picture] = self._of_picture(picture)
                words = self._said[picture]
                if words:
                    return words, at
        texts = [text for text in self._face.texts if text.box.grown(1.0).overlaps(box)]
        if self._is_outlined(place):
            whose = f"its words ({texts[0].style})" if texts else "words in its art"
            return f"{whose} are outlined, or bolder: a line is drawn round their letters", box
        if is_line(self._cut_mask(place)):
            return _LINE, box
        boxes = [text.box.grown(1.0) for text in texts]
        room = summed(around_it.width * around_it.height for around_it in boxes)
        near = box.width * box.height < 2 * room or self._movement(place) is not None
        if texts and near and not self._is_patch(place):
            return self._of_words(texts[0].style, [text.box for text in texts], box), box
        return self._of_art(place), box

    def _cut(self, place: PixelBox) -> tuple[Any, Any]:
        left, top, right, bottom = place
        window = (slice(top, bottom), slice(left, right))
        return self._before[window], self._after[window]

    def _redraw(self, place: PixelBox) -> Redraw:
        return _redraw(self._drawn, self._mask.shape, place)

    def _cut_mask(self, place: PixelBox) -> Any:
        left, top, right, bottom = place
        return self._mask[top:bottom, left:right]

    def _window(self, box: Rect) -> PixelBox:
        return _window(box, self._face.bleed, self._mask.shape)

    def _movement(self, place: PixelBox) -> Movement | None:
        """How what is at a place was moved, as far as that is not beyond it."""
        left, top, right, bottom = place
        beside = round(_BESIDE / MM)
        height, width = self._mask.shape
        window = (
            max(left - beside, 0),
            max(top - beside, 0),
            min(right + beside, width),
            min(bottom + beside, height),
        )
        way = moved(*self._cut(window), self._cut_mask(window), self._redraw(window))
        far = max(right - left, bottom - top, beside) * _FARTHEST
        return way if way and way.way < far else None

    def _is_patch(self, place: PixelBox) -> bool:
        """True where one colour lies over what was there."""
        before, after = self._cut(place)
        return is_flat(after) and not is_flat(before) and min(after.shape[:2]) > THIN

    def _of_picture(self, picture: PictureEntry) -> str | None:
        bleed = self._face.bleed
        window = self._window(picture.box.moved(-bleed, -bleed))
        before, after = self._cut(window)
        if not before.size:
            return None
        mask, redraw = self._cut_mask(window), self._redraw(window)
        kept = picture.digest in self._kept
        if kept and mask.mean() < _PART:  # something lies over it, unless it lies otherwise
            how = laid_otherwise(before, after, mask, redraw)
            return how and f"its picture is {how}"
        if self._lost and not kept:
            return "its picture is lost"
        around_it = np.concatenate([before[0], before[-1], before[:, 0], before[:, -1]])
        ground = np.median(around_it, axis=0) if is_even(around_it) else None
        return f"its picture is {become(before, after, mask, redraw, ground)}"

    def _of_words(self, style: str, texts: Sequence[Rect], box: Rect) -> str:
        one = around([*texts, box])
        window = self._window(one.grown(REACH / 2))
        name = f"its words ({style})"
        words = self._face.words
        if words is not None and self._face.poster is None:
            texts_ = [_letters(text) for text in words.split("\n")]
            if len(self._letters) < len("".join(dict.fromkeys(texts_))):
                return f"{name} are gone, or some of them"
            if any(text not in self._letters for text in texts_):
                return f"{name} are others: letters or lines are exchanged, or in another order"
        how = set_otherwise(*self._cut(window), self._cut_mask(window), self._redraw(window))
        return f"{name} {how}"

    def _is_outlined(self, place: PixelBox) -> bool:
        """True where all is as it was but for lines round letters."""
        filled = self._drawn.filled()
        if filled is None:
            return False
        left, top, right, bottom = place
        before, after = self._cut(place)
        rest = unlike(before, levels(filled)[top:bottom, left:right])
        return bool(rest < _LITTLE * unlike(before, after))

    def _of_art(self, place: PixelBox) -> str:
        before, after = self._cut(place)
        height, width = before.shape[:2]
        if min(height, width) <= THIN and max(height, width) > 4 * THIN:
            return _LINE
        way = self._movement(place)
        if way:
            return f"a part of its art is {way.told(MM)}"
        mask = self._cut_mask(place)
        inner = _inner(mask)
        one_for_one = is_even(before[inner]) and is_even(after[inner])
        on_ground = is_flat(before) and not self._stood_out(place)
        if not on_ground and (one_for_one or is_flat(after)):
            return "a part of its art has another colour or is gone, or a box lies over it"
        if on_ground:
            return "there is something over it that was not drawn: a stamp, a box or a mark"
        coloured = contrast(before, after)[1] > SURE
        is_most = height * width > self._mask.size / 2
        return seen_through(before, after, mask, is_most=is_most) or (
            "a part of its art has other colours, or another opacity"
            if coloured
            else "a part of its art is another one: something lies over it, or is gone"
        )

    def _stood_out(self, place: PixelBox) -> bool:
        """True for a place that was of another colour than what is around it, or that is all."""
        left, top, right, bottom = place
        window = (
            slice(max(top - _RING, 0), bottom + _RING),
            slice(max(left - _RING, 0), right + _RING),
        )
        before, mask = self._before[window], self._mask[window]
        ring = grown(mask, _RING) & ~grown(mask, 1)
        inner = np.median(before[mask], axis=0)
        alike = np.abs(self._before - inner).max(axis=2) <= 2 * FLAT
        left = np.abs(before[ring] - inner).max(axis=1) <= 2 * FLAT
        return bool(self._mask[alike].mean() > _ALL) or not left.size or left.mean() < 1 / 2


def _letters(words: str) -> str:
    """The letters and digits of a text, in order."""
    plain = unicodedata.normalize("NFKD", words)
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] in "LN")
