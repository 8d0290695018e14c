"""A face that is not what its proof shows in; in what way it differs, in words, out.

Both are pictures of some 50 dpi. What is changed is looked for from the whole to its parts: another
face, the same one mirrored, turned, moved or scaled; then, place by place, its pictures, its words,
and whatever lies over or is gone."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from PIL import Image

from generator.geometry import Matrix
from generator.model.manifest import FormEntry, PictureEntry
from generator.pdf_forms import NoProofError, off, shown
from generator.preflight.changed_places import (
    Likened,
    PixelBox,
    View,
    box_around,
    redraw_of,
    window_of,
)
from generator.preflight.faces import FaceTrace
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.movement import Redraw
from generator.preflight.picture_changes import (
    FLAT,
    LIKE,
    MM,
    REACH,
    laid_as_a_whole,
    levels,
    toned_as_a_whole,
    unlike,
)
from generator.preflight.redrawing import Redrawn

_BLOCK: Final = 3
"""Pixels: what differs so near to each other is one place."""
_BROAD: Final = 0.04
"""Of a face must differ, or its ends, before it may be another one or placed otherwise."""
_NEAREST: Final = 4
"""Faces that are looked at of those that are nearest at a glance."""
_SIGNED: Final = 12
"""Pixels a side of the little pictures by which faces are told apart at a glance."""
_MOST_PLACES: Final = 3
_MOST_STRAYS: Final = 8
"""Of which each is compared with each."""
_END: Final = 3
"""Pixels beside the ends of a face that are bare where it leans a little."""
_SEEN_BARE: Final = 40.0**2
"""Square of the levels by which a ground is darker than paper."""
_BARE: Final = 0.05
"""Pixels, in the mean of half an end."""
_TO_ONE_HAND: Final = 0.6
"""By how much more of what is bare lies in one half of an end than in the other."""
_STEP: Final = 17
"""Levels between one that a proof keeps and the next."""
_LEANING: Final = 0.04
"""By how much a face is turned of which this is told; others are found by laying them back."""
_PART_OF: Final = 0.8
"""Of a face, by a picture that is a part of it."""


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
        views = View(trace, told, made, a, b, mask, drawn)
        whole = self._other(b, trace, LIKE * unlike(a, b), made)
        of_all = (whole, None) if whole else views.undone()
        if not of_all and not _is_of_part(mask, trace.expected, told.pictures if told else ()):
            changed = _changed_as_a_whole(a, b, mask, drawn)
            of_all = (changed, None) if changed else None
        yield from [of_all] if of_all else _by_place(views, mask)

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


def _by_place(views: View, mask: Any) -> Iterator[Likened]:
    """What is wrong in the largest places."""
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


def _changed_as_a_whole(before: Any, after: Any, mask: Any, drawn: Redrawn) -> str | None:
    """In which way all of a face is otherwise than it was, in words."""
    height, width = mask.shape
    redraw = redraw_of(drawn, mask.shape, (0, 0, width, height))
    how = leaning(before, after, redraw) or laid_as_a_whole(before, after, redraw)
    broad = mask.mean() > _BROAD or _spread(mask) > _spread(_drawn_on(before) | mask) / 2
    if broad:
        how = how or toned_as_a_whole(before, after, mask)
    return how and f"it is {how} within its place"


def leaning(before: Any, after: Any, redraw: Redraw) -> str | None:
    """By how much a face with a ground to its ends leans, in words: beside each end it leaves bare
    what grows from the middle on, to the same hand on all four. What was scaled leaves as much
    everywhere; laid back either looks alike, as nobody sees what lay beyond the ends."""
    bare = np.array([_bare(*(np.rot90(p, side) for p in (before, after))) for side in range(4)])
    most, sides = bare.max(axis=1), np.array([before.shape[1], before.shape[0]] * 2)
    hand = (bare[:, 1] - bare[:, 0]) / np.maximum(bare.sum(axis=1), _BARE)
    if most.min() < _BARE or abs(hand).min() < _TO_ONE_HAND or abs(np.sign(hand).sum()) < 4:
        return None
    turn = float(np.median(4 * most / sides))
    if turn > _LEANING:
        return None
    inner = (slice(_END, -_END),) * 2
    turns = (Matrix(math.cos(v), math.sin(v), -math.sin(v), math.cos(v)) for v in (turn, -turn))
    was, *left = (
        np.maximum(np.abs(before[inner] - seen[inner]) - _STEP, 0).sum()
        for seen in (after, *(redraw(back)[0] for back in turns))
    )
    return f"turned by about {math.degrees(turn):.1f}°" if min(left) <= was else None


def _bare(before: Any, after: Any) -> tuple[float, float]:
    """How many pixels more than before, in the mean, are bare beside the first row of a picture: in
    the half at its start, and in the other."""
    depth = (_depth(after) - _depth(before)).clip(0)
    half = len(depth) // 2
    return float(depth[:half].mean()), float(depth[-half:].mean())


def _depth(pixels: Any) -> Any:
    """Pixels that are bare beside the first row, for each along it, by the ground further in."""
    rows = pixels[: _END + 1].astype(float)
    way = 255 - rows[_END]
    far = (way * way).sum(axis=1)
    part = ((rows[:_END] - rows[_END]) * way).sum(axis=2) / np.maximum(far, 1)
    return np.where(far > _SEEN_BARE, part, 0).clip(0, 1).sum(axis=0)


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
            x, y, right, bottom = window_of(box, face.bleed, mask.shape)
            left[y:bottom, x:right] = True
        if left.all():
            return True
    return False


def _sign(pixels: Any) -> Any:
    """The little picture of one."""
    picture = Image.fromarray(pixels.astype(np.uint8))
    return levels(picture.resize((_SIGNED, _SIGNED), Image.Resampling.BOX))


def _spread(mask: Any) -> float:
    """The part of a face that the box around all that differs takes."""
    left, top, right, bottom = box_around(mask)
    return (right - left) * (bottom - top) / int(mask.size)


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
