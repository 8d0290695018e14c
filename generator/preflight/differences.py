"""Says in words in what way a face differs from its proof. It is long, since each place is told by
what all of the face has lost, gained and moved.

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

from generator.geometry import IDENTITY, Matrix, Rect, around, summed
from generator.model.manifest import FormEntry, PictureEntry, TextEntry
from generator.pdf_forms import NoProofError, proof_difference, proof_picture
from generator.preflight.faces import FaceTrace
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.picture_changes import (
    FLAT,
    LIKE,
    MM,
    REACH,
    SURE,
    THIN,
    are_alike,
    become,
    contrast_change,
    grown,
    is_even,
    is_flat,
    is_line,
    is_so,
    is_the_same,
    laid_as_a_whole,
    laid_otherwise,
    levels,
    moved,
    picture_distance,
    seen_through,
    toned_as_a_whole,
    turned_about,
)
from generator.preflight.undoing import (
    LAID,
    PICTURE,
    TEXT,
    WHOLE_TURNS,
    Movement,
    Redraw,
    Redrawn,
    Thing,
    inked,
    laid_back,
    mass,
    movement_between,
)

PixelBox = tuple[int, int, int, int]
"""Pixels of a face: left, top, right, bottom."""
Likened = tuple[str, Rect | None]
"""What differs, and where in the trim of the upright face; None for all of it."""

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
            proof = proof_picture(self._proofs[trace.expected.sha256])
        except NoProofError:
            yield "the manifest has no proof of it that can be read", None
            return
        if seen.size != proof.size:
            yield self._of_another_size(seen, trace), None
            return
        mask = levels(proof_difference(seen, proof)) > 0
        if not strict:
            mask = _core(mask)
        if not mask.any():
            return
        a, b = levels(proof), levels(seen)
        views = View(trace, told, made, a, b, mask, drawn)
        whole = self._other(b, trace, LIKE * picture_distance(a, b), made)
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
                    self._signs[sha256] = _sign(levels(proof_picture(proof)))
                except NoProofError:
                    continue
        own, sign = trace.expected.sha256, _sign(seen)
        apart = {
            sha256: float(np.abs(other - sign).mean())
            for sha256, other in self._signs.items()
            if sha256 != own
        }
        for sha256 in sorted(apart, key=lambda sha: apart[sha])[:_NEAREST]:
            other = levels(proof_picture(self._proofs[sha256]))
            if other.shape == seen.shape and picture_distance(other, seen) < least:
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
    redraw = _redraw_of(drawn, mask.shape, (0, 0, width, height))
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
            x, y, right, bottom = _window_of(box, face.bleed, mask.shape)
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
    left, top, right, bottom = _box_around(mask)
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


_ALL: Final = 0.9
"""Of the pixels of one colour: then it is that which is another."""
_RING: Final = 3  # pixels about a place, of which the next to it is at its edge
_BESIDE: Final = 1.5
"""mm about a place that are looked at to tell how it was moved."""
_FARTHEST: Final = 0.7
"""Of the longer side of a place, by which what is there may have been moved."""
_LINE: Final = "there is a line on it that was not drawn, or one is gone"
_OVER: Final = "there is something over it that was not drawn"
_STAMP: Final = "a stamp, a box or a mark"
_ADDED: Final = {TEXT: "words", PICTURE: "a picture"}
_MOST_ADDED: Final = 6  # things at the end of a face, together
_PART: Final = 0.3  # of a picture that is there: what changes less of it lies over it
_LITTLE: Final = 0.2
"""Of what differs in a place, by what is left when its cause is taken away."""
_HALF: Final = 0.5  # of a picture's place, or of what differs there
_SPECK, _SAME_SCALE, _SAME_PLACE, _SAME_SIZE = 0.02, 0.002, 0.03, 0.002
"""Of a picture: none is left; by which it may be larger, or moved, mm; and words larger, wider."""
_ALIKE: Final = 0.97
"""Of how well the ink of words tells what it was: it has the same shape."""
_SAME_INK: Final = 0.06
"""By which ink may be more, or less, and still be that of the same letters."""
_WORDS_SURELY: Final = 0.95
"""Of what differs, by words that are turned about or mirrored."""
_AS_LONG: Final = 0.85
"""Of what differs, by which words are moved at most."""


class View:
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
        known = made if made != told else None  # where none is another, one was kept in step
        self._now = {each.digest: each.box for each in known.pictures} if known else {}
        self._fonts = False
        if told and made:
            self._fonts = told.drawing == made.drawing and told.fonts != made.fonts
        self._lost = made is not None and len(made.pictures) < len(self._pictures)

    def undone(self) -> Likened | None:
        """What, taken back, makes it what was rendered: a state, or something that was added."""
        for words, picture in self._drawn.restated():
            if self._is_undone(picture):
                return f"{self._subject()} is {words}", None
        things = self._drawn.things
        groups = [[each] for each in reversed(things)]
        groups += [things[-count:] for count in range(2, min(_MOST_ADDED, len(things)) + 1)]
        for group in groups:
            box = around([each.box.grown(1.0) for each in group])
            if self._mask.sum() > _within(self._mask, box).sum():
                continue
            if self._is_undone(self._drawn.without(group)):
                what = "a line" if is_line(self._mask) else _ADDED.get(group[0].kind, _STAMP)
                return f"{_OVER}: {what}", self._box(_box_around(self._mask))
        return None

    def _is_undone(self, picture: Image.Image) -> bool:
        """Whether hardly a pixel is other than it was rendered."""
        off = np.abs(self._before - levels(picture)).max(axis=2) > 2 * FLAT
        return bool(off.sum() < _LITTLE / 2 * self._mask.sum())

    def _subject(self) -> str:
        """What of a face differs, all of it, one of its pictures or another part."""
        place = self._box(_box_around(self._mask))
        bleed = self._face.bleed
        boxes = (each.box.moved(-bleed, -bleed) for each in self._pictures)
        if any(box.grown(2 * MM).contains(place) for box in boxes):
            return "its picture"
        return "it" if self._mask.mean() > 1 / 2 else "a part of it"

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
        set_there, art = self._things_at(place)
        as_set, as_laid = (self._movement(place, things) for things in (set_there, art))
        if as_laid and (not as_set or as_laid.explained > as_set.explained):
            return f"a part of its art is {as_laid.told(MM)}", box
        if is_line(self._cut_mask(place)):
            return _LINE, box
        boxes = [text.box.grown(1.0) for text in texts]
        room = summed(around_it.width * around_it.height for around_it in boxes)
        near = box.width * box.height < 2 * room or as_set is not None
        if texts and near and not self._is_patch(place):
            return self._of_words(texts, set_there, box), box
        return self._of_art(place), box

    def _things_at(self, place: PixelBox) -> tuple[list[Thing], list[Thing]]:
        """The words at a place, and what else lies there and not far beyond."""
        left, top, right, bottom = place
        box = Rect(left, top, right - left, bottom - top)
        there = [each for each in self._drawn.things if each.box.overlaps(box)]
        words = [each for each in there if each.kind == TEXT]
        about = box.grown(REACH / MM)
        return words, [e for e in there if e.kind != TEXT and about.contains(e.box)]

    def _cut(self, place: PixelBox) -> tuple[Any, Any]:
        left, top, right, bottom = place
        window = (slice(top, bottom), slice(left, right))
        return self._before[window], self._after[window]

    def _redraw(self, place: PixelBox, things: Sequence[Thing] | None = None) -> Redraw:
        return _redraw_of(self._drawn, self._mask.shape, place, things)

    def _cut_mask(self, place: PixelBox) -> Any:
        left, top, right, bottom = place
        return self._mask[top:bottom, left:right]

    def _window(self, box: Rect) -> PixelBox:
        return _window_of(box, self._face.bleed, self._mask.shape)

    def _movement(self, place: PixelBox, things: Sequence[Thing] | None = None) -> Movement | None:
        """How what is at a place, or some things of it, was moved, as far as that is not beyond
        it."""
        if things is not None and not things:
            return None
        left, top, right, bottom = place
        beside = round(_BESIDE / MM)
        height, width = self._mask.shape
        window = (
            max(left - beside, 0),
            max(top - beside, 0),
            min(right + beside, width),
            min(bottom + beside, height),
        )
        redraw = self._redraw(window, things)
        way = moved(*self._cut(window), self._cut_mask(window), redraw)
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
        mask, now = self._cut_mask(window), self._now.get(picture.digest)
        things = self._painted_as(window)
        redraw = self._redraw(window, things)
        words = _placed_otherwise(picture.box, now) if now else ""
        if words or (things and (words := turned_about(before, after, redraw))):
            return f"its picture is {words}"
        if now and mask.mean() < _PART:  # something lies over it, unless it lies otherwise
            how = laid_otherwise(before, after, mask, redraw)
            return how and f"its picture is {how}"
        if self._lost and not now:
            return "its picture is lost"
        if self._is_cut_otherwise(window, things):
            return "its picture is cut out otherwise: its soft mask is another one"
        around_it = np.concatenate([before[0], before[-1], before[:, 0], before[:, -1]])
        ground = np.median(around_it, axis=0) if is_even(around_it) else None
        return f"its picture is {become(before, after, mask, redraw, ground, kept=bool(now))}"

    def _painted_as(self, place: PixelBox) -> list[Thing] | None:
        """The picture that is painted at a place."""
        left, top, right, bottom = place
        box = Rect(left, top, right - left, bottom - top)
        pictures = [each for each in self._drawn.things if each.kind == PICTURE]
        alike = [_shared(each.box, box) for each in pictures]
        return [pictures[int(np.argmax(alike))]] if alike and max(alike) > _HALF else None

    def _is_cut_otherwise(self, place: PixelBox, things: list[Thing] | None) -> bool:
        """Whether a picture shows its colours or what lies below it, but elsewhere than before."""
        unmasked = self._drawn.unmasked() if things else None
        if unmasked is None or not things:
            return False
        left, top, right, bottom = place
        whole, bare = (
            levels(picture)[top:bottom, left:right].astype(float)
            for picture in (unmasked, self._drawn.without(things))
        )
        (before, after), mask = self._cut(place), self._cut_mask(place)
        way = whole - bare
        told = mask & (np.abs(way).max(axis=2) > 2 * FLAT)
        if told.sum() < _HALF * mask.sum():
            return False
        fits, laid = told, list[Any]()
        for seen in (before, after):
            part = ((seen - bare) * way).sum(axis=2) / np.maximum((way * way).sum(axis=2), 1)
            laid.append(part.clip(0, 1)[..., None] * way)
            fits = fits & (np.abs(seen - bare - laid[-1]).max(axis=2) <= 2 * FLAT)
        by_mask = picture_distance(laid[0][told], laid[1][told]) > _HALF * picture_distance(
            before[told], after[told]
        )
        return bool(by_mask and fits.sum() > _ALL * told.sum())

    def _of_words(self, texts: Sequence[TextEntry], things: Sequence[Thing], box: Rect) -> str:
        one = around([*(text.box for text in texts), box])
        window = self._window(one.grown(REACH / 2))
        name = f"its words ({texts[0].style})"
        words = self._face.words
        if words is not None and self._face.poster is None:
            texts_ = [_letters(text) for text in words.split("\n")]
            if len(self._letters) < len("".join(dict.fromkeys(texts_))):
                return f"{name} are gone, or some of them"
            if any(text not in self._letters for text in texts_):
                return f"{name} are others: letters or lines are exchanged, or in another order"
        if self._fonts:
            return f"{name} are set in another font, or in one whose letters were changed"
        if how := _set_in_size(texts, things):
            return f"{name} are {how}"
        redraw = self._redraw(window, things or None)
        return f"{name} {set_otherwise(*self._cut(window), self._cut_mask(window), redraw)}"

    def _is_outlined(self, place: PixelBox) -> bool:
        """True where all is as it was but for lines round letters."""
        filled = self._drawn.filled()
        if filled is None:
            return False
        left, top, right, bottom = place
        before, after = self._cut(place)
        rest = picture_distance(before, levels(filled)[top:bottom, left:right])
        return bool(rest < _LITTLE * picture_distance(before, after))

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
            return f"{_OVER}: {_STAMP}"
        coloured = contrast_change(before, after)[1] > SURE
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


def set_otherwise(before: Any, after: Any, mask: Any, redraw: Redraw) -> str:
    """In what way words are set otherwise."""
    one, other = (inked(pixels) for pixels in (before, after))
    way = movement_between(before, after, grown(mask, 1), redraw)
    if way and way.kind in WHOLE_TURNS and way.explained < _WORDS_SURELY:
        way = movement_between(before, after, grown(mask, 1), redraw, LAID)
    if way and _is_of_words(way, mask) and not is_even(after[mask], _ALL):
        told = way.told(MM)
        if told.startswith("scaled") or told.endswith("height"):
            return f"are {'larger' if way.part > 1 else 'smaller'} in size: {told}"
        if told.startswith("stretched") and way.part < 1:
            return f"are squeezed {told.removeprefix('stretched ')}"
        return f"are {told}"
    _, likeness = contrast_change(one, other)
    if likeness > _ALIKE:
        return "are of another colour, or paler"
    same_ink = abs(other.sum() / max(one.sum(), 1) - 1) < _SAME_INK
    exchanged = same_ink and not is_even(after[mask])
    return _moved_over(one, other) or (
        "lie otherwise: letters or lines are exchanged, or in another order"
        if exchanged
        else "look otherwise: others, over one another, or covered"
    )


def _is_of_words(way: Movement, mask: Any) -> bool:
    """Whether words were moved so: no farther than what differs is long."""
    places = np.argwhere(mask)
    long = int(np.ptp(places, axis=0).max()) if len(places) else 0
    return is_so(way) and way.shift < _AS_LONG * long


def _moved_over(before: Any, after: Any) -> str | None:
    """How far ink was moved that may lie over other ink now: by what is gone, and what came."""
    gone, came = (mass(np.maximum(ink, 0)) for ink in (before - after, after - before))
    if gone is None or came is None:
        return None
    shift = math.dist((gone.x, gone.y), (came.x, came.y)) * MM
    if shift < MM / 2 or not are_alike(gone, came):
        return None
    return f"are moved by about {shift:.1f} mm"


def _window_of(box: Rect, bleed: float, shape: tuple[int, ...]) -> PixelBox:
    """The pixels of a place in the trim."""
    height, width = shape
    return (
        min(max(round((box.x + bleed) / MM), 0), width - 1),
        min(max(round((box.y + bleed) / MM), 0), height - 1),
        min(max(round((box.right + bleed) / MM), 1), width),
        min(max(round((box.bottom + bleed) / MM), 1), height),
    )


def _redraw_of(
    drawn: Redrawn,
    shape: tuple[int, ...],
    place: PixelBox,
    things: Sequence[Thing] | None = None,
) -> Redraw:
    """Draws a place of a face of so many pixels, laid otherwise about its middle: all that is
    there, or only some things of it."""
    left, top, right, bottom = place
    x, y = (left + right - shape[1]) / 2, (top + bottom - shape[0]) / 2

    def redraw(back: Matrix) -> tuple[Any, Any]:
        about = Matrix(e=x, f=y).then(back).then(Matrix(e=-x, f=-y))
        seen = levels(drawn.laid(about, things))
        across, down = laid_back(shape, about)
        if things is None:
            known = (abs(across) <= (shape[1] - 1) / 2) & (abs(down) <= (shape[0] - 1) / 2)
        else:  # what a picture has left was not seen; what words and shapes have is the ground
            known = np.ones(shape, bool)
            for box in (each.box for each in things if each.kind == PICTURE):
                known &= ~_inside(box, *laid_back(shape, IDENTITY)) | _inside(box, across, down)
        return seen[top:bottom, left:right], known[top:bottom, left:right]

    return redraw


def _inside(box: Rect, across: Any, down: Any) -> Any:
    """Which pixels, told by how far they are from the middle, are in a box."""
    height, width = np.broadcast_shapes(across.shape, down.shape)
    x, y = across + width / 2, down + height / 2
    return (box.x <= x) & (x <= box.right) & (box.y <= y) & (y <= box.bottom)


def _box_around(mask: Any) -> PixelBox:
    """The box around all that differs."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _within(mask: Any, box: Rect) -> Any:
    """Of a mask, what is in a box of pixels."""
    left, top = max(math.floor(box.x), 0), max(math.floor(box.y), 0)
    return mask[top : max(math.ceil(box.bottom), 0), left : max(math.ceil(box.right), 0)]


def _inner(mask: Any) -> Any:
    """Of what differs, what has all its neighbours; all of it where nothing has."""
    inner = ~grown(~mask, 1)
    return inner if inner.any() else mask


def _shared(one: Rect, other: Rect) -> float:
    """What two boxes share, of all that they take."""
    both = one.cut_to(other)
    shared = max(both.width, 0) * max(both.height, 0)
    return shared / max(one.width * one.height + other.width * other.height - shared, 1)


def _placed_otherwise(was: Rect, now: Rect) -> str:
    """How a picture lies elsewhere than it did, by what its box tells; in mm."""
    wide, high = now.width / max(was.width, 1), now.height / max(was.height, 1)
    x = now.x - was.x + (now.width - was.width) / 2
    y = now.y - was.y + (now.height - was.height) / 2
    if abs(wide - high) > _SAME_SCALE:
        return ""  # it may be turned
    if wide < _SPECK:
        return "lost, or no more than a speck"
    if abs(wide - 1) > _SAME_SCALE:
        return f"scaled to about {100 * wide:.1f} % of its size within its frame"
    far = math.hypot(x, y)
    return f"moved by about {far:.2g} mm within its frame" if far > _SAME_PLACE else ""


def _set_in_size(texts: Sequence[TextEntry], things: Sequence[Thing]) -> str:
    """In which size, or how narrow, all words at a place are set, if not as they should be."""
    told = {text.size_pt for text in texts}
    parts = [each.size_pt / next(iter(told)) for each in things if len(told) == 1]
    widths = [each.narrowed for each in things]
    for found, words in ((widths, ("squeezed", "stretched")), (parts, ("smaller", "larger"))):
        if found and max(found) - min(found) < _SAME_SIZE < abs(found[0] - 1):
            percent, how = f"{100 * found[0]:.1f} %", words[found[0] > 1]
            if found is widths:
                return f"{how} to about {percent} of its width"
            return f"{how} in size: scaled to about {percent} of its size"
    return ""


def _letters(words: str) -> str:
    """The letters and digits of a text, in order."""
    plain = unicodedata.normalize("NFKD", words)
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] in "LN")
