"""Checks the texts of a face: cut off, hidden, over each other, low in contrast, on a fold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final

from generator.diagnostics import Severity
from generator.geometry import (
    IDENTITY,
    Matrix,
    Point,
    Rect,
    bounds,
    polygon_overlap,
    pt_to_mm,
    summed,
)
from generator.luminance import channels, contrast, laid_over, luminance
from generator.model.catalogue import Fold
from generator.model.painted import FaceFinding, PaintedPicture, PaintedShape, PaintedText
from generator.outlines import folds
from generator.preflight.face_scene import OPAQUE, Cover, Ground, Scene

_TOUCH: Final = 0.02
"""mm that nobody sees."""
_UNSEEN: Final = 0.02
"""Opacity below which nothing shows."""
_INSET: Final = 0.2
"""Em that may be lost on each side of a strip before a letter is lost."""
_MOST_INSET: Final = 0.3
"""The largest share of a strip's width or height for that."""


class _Text:
    """A text to read, with its number. A turned text without known strips has no cores."""

    def __init__(self, at: int, text: PaintedText) -> None:
        self.at = at
        self.text = text

    @property
    def em(self) -> float:
        """Return its size, mm."""
        return pt_to_mm(self.text.size_pt)

    @cached_property
    def strips(self) -> tuple[tuple[Rect, ...], Matrix]:
        """Return its strips of letters, and the matrix onto the face."""
        text, matrix = self.text, self.text.matrix
        if text.strips:
            return text.strips, matrix
        slants = (matrix.b or matrix.c) and (matrix.a or matrix.d)
        return () if slants else (text.box,), IDENTITY

    @cached_property
    def cores(self) -> tuple[Sequence[Point], ...]:
        """Return the corners on the face of the middle of each strip."""
        strips, matrix = self.strips
        em = self.em / (matrix.down or 1.0)
        return tuple(_core(strip, em, matrix) for strip in strips)

    @cached_property
    def boxes(self) -> tuple[Rect, ...]:
        """Return the upright boxes around its cores."""
        return tuple(map(bounds, self.cores))


def text_findings(scene: Scene) -> Iterator[FaceFinding]:
    """Yield what is wrong with texts, except decoration."""
    texts = [
        _Text(at, thing)
        for at, thing in enumerate(scene.painted)
        if isinstance(thing, PaintedText) and not thing.decoration and _has_ink(thing)
    ]
    shadows = _shadows(texts)
    behind: dict[int, list[_Text]] = defaultdict(list)
    for one in texts:
        if one.at in shadows:
            behind[shadows[one.at]].append(one)
    for one in texts:
        if one.at in shadows:
            continue
        lost = _lost(scene, one)
        if lost is not None:
            yield lost
            continue
        yield from _mirrored(one)
        yield from _folded(one, folds(scene.face.stock, scene.face.name))
        yield from _contrast(scene, one, behind[one.at])
    yield from _crossings(texts, shadows)


def _has_ink(text: PaintedText) -> bool:
    return bool(text.words.strip() and text.box.width and text.box.height)


def _core(strip: Rect, em: float, matrix: Matrix) -> Sequence[Point]:
    across = min(_INSET * em, _MOST_INSET * strip.width)
    down = min(_INSET * em, _MOST_INSET * strip.height)
    core = Rect(
        strip.x + across,
        strip.y + down,
        strip.width - 2 * across,
        strip.height - 2 * down,
    )
    return [matrix.point(corner) for corner in core.corners]


def _quoted(text: PaintedText) -> str:
    words = " ".join(text.words.split())
    return f"‘{words if len(words) <= 40 else words[:39].rstrip() + '…'}’"


def _finding(
    one: _Text,
    code: str,
    message: str,
    hint: str,
    severity: Severity = Severity.WARNING,
) -> FaceFinding:
    if severity is Severity.ERROR and one.text.may_adorn:
        severity = Severity.WARNING
    return FaceFinding(code, message, hint, severity, one.at, one.text.style)


_ADORNS: Final = "; if it is decoration, not text to read, give its style `decoration: true`"


def _shadows(texts: Sequence[_Text]) -> dict[int, int]:
    """Return the texts that are a shadow or outline of the same words, with the text that they
    belong to."""
    by_words: dict[str, list[_Text]] = defaultdict(list)
    for one in texts:
        by_words[one.text.words].append(one)
    found = {}
    for group in by_words.values():
        for below, above in combinations(group, 2):
            shared = below.text.box.cut_to(above.text.box)
            least = below.text.box.width * below.text.box.height / 2
            if shared.width * shared.height > least and not _is_twice(below.text, above.text):
                found[below.at] = above.at
    return found


_MOVED: Final = 0.15
"""mm between repeated words that make them bolder."""
_ONE_COLOUR: Final = 24
"""Levels of 255 between colours that look the same."""


def _is_twice(below: PaintedText, above: PaintedText) -> bool:
    """Return whether the same words are painted twice in one colour by mistake."""
    if not (below.colour.startswith("#") and above.colour.startswith("#")) or below.outline:
        return False
    one, other = below.box.centre, above.box.centre
    if max(abs(one.x - other.x), abs(one.y - other.y)) <= _MOVED:
        return False
    pairs = zip(channels(below.colour), channels(above.colour), strict=True)
    return below.opacity == above.opacity and all(abs(a - b) <= _ONE_COLOUR for a, b in pairs)


def _lost(scene: Scene, one: _Text) -> FaceFinding | None:
    """GP824: a text is invisible, cut off by a clip path, or covered."""
    text = one.text
    if text.opacity < _UNSEEN or (text.colour == "none" and not text.outline):
        message = f"this text is invisible: {_quoted(text)}"
        hint = "give it a colour, or remove it from the template"
        return _finding(one, "GP824", message, hint)
    whole = not (text.shown.width and text.shown.height)
    if whole or not _is_shown(one):
        what = "all of this text" if whole else "part of this text"
        message = f"{what} is cut off by a clip path: {_quoted(text)}"
        hint = "make the clip path larger or the text smaller, or move the text" + _ADORNS
        return _finding(one, "GP824", message, hint, Severity.ERROR)
    return _hidden(scene, one)


def _is_shown(one: _Text) -> bool:
    shown = one.text.shown
    return shown.contains(one.text.box) or all(shown.contains(box, _TOUCH) for box in one.boxes)


def _hidden(scene: Scene, one: _Text) -> FaceFinding | None:
    later = scene.near(one.text.box, one.at + 1, len(scene.painted))
    covers = [at for at in later if _hides(scene, at)]
    if not covers:
        return None
    parts = [_hidden_part(scene, box, covers, one.em) for box in one.boxes]
    if not any(parts):
        return None
    if all(part is Cover.WHOLE for part in parts):
        message = f"this text is hidden by something drawn on top of it: {_quoted(one.text)}"
        hint = "set the text later in the template: what comes later is drawn on top" + _ADORNS
        return _finding(one, "GP824", message, hint, Severity.ERROR)
    message = f"part of this text is hidden by something drawn on top of it: {_quoted(one.text)}"
    hint = "set the text later in the template, or move it" + _ADORNS
    return _finding(one, "GP824", message, hint)


def _hides(scene: Scene, at: int) -> bool:
    """Return whether a thing is surely opaque."""
    thing = scene.painted[at]
    if isinstance(thing, PaintedPicture):
        return not thing.see_through and not thing.clipped and thing.opacity >= OPAQUE
    return (
        isinstance(thing, PaintedShape)
        and bool(thing.colour)
        and not thing.clipped
        and thing.opacity >= OPAQUE
    )


def _hidden_part(scene: Scene, box: Rect, covers: Iterable[int], em: float) -> Cover | None:
    """Return which part of a strip is hidden: all, at least a letter, or None."""
    part = None
    for at in covers:
        thing = scene.painted[at]
        found = scene.cover(at, box) if thing.box.overlaps(box) else Cover.BESIDE
        if found is Cover.WHOLE:
            return found
        upright = isinstance(thing, PaintedPicture) or (
            isinstance(thing, PaintedShape) and thing.solid and not thing.line
        )
        if found is Cover.PART and upright:
            shared = thing.box.cut_to(box)
            long, short = sorted((shared.width, shared.height), reverse=True)
            if long > em / 2 and short > min(box.width, box.height) / 2:
                part = found
    return part


def _mirrored(one: _Text) -> Iterator[FaceFinding]:
    """GP827: a text is mirrored."""
    if one.text.matrix.area < 0:
        message = f"this text is mirrored: {_quoted(one.text)}"
        hint = "set it outside the mirrored group" + _ADORNS
        yield _finding(one, "GP827", message, hint)


_BESIDE: Final = 0.5
"""mm from its line where paper may fold."""


def _folded(one: _Text, folds: Sequence[Fold]) -> Iterator[FaceFinding]:
    """GP816: a text lies on a fold."""
    for fold in folds:
        x1, y1, x2, y2 = fold.start.x, fold.start.y, fold.end.x, fold.end.y
        long = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
        dx, dy = (y1 - y2) / long * _BESIDE, (x2 - x1) / long * _BESIDE
        strip = [
            Point(x1 + dx, y1 + dy),
            Point(x2 + dx, y2 + dy),
            Point(x2 - dx, y2 - dy),
            Point(x1 - dx, y1 - dy),
        ]
        if any(polygon_overlap(core, strip) > 0 for core in one.cores):
            message = f"this text lies on a fold: {_quoted(one.text)}"
            hint = f"ink cracks along a fold: keep text {_BESIDE:g} mm away from it"
            yield _finding(one, "GP816", message, hint)
            return


_NEEDED: Final = 4.0
"""WCAG 2.2, success criterion 1.4.3 (AA), asks for 4.5; grey (#777777) is readable in print."""
_NEEDED_LARGE: Final = 3.0
_LARGE_PT: Final = 12.0 - 0.02
_LARGE_BOLD_PT: Final = 9.0 - 0.02
_SAME: Final = 1.02
"""Contrast of invisible letters."""
_MOST_CELLS: Final = 24
"""About the most places behind a text that are examined."""


def _contrast(scene: Scene, one: _Text, behind: Sequence[_Text]) -> Iterator[FaceFinding]:
    """GP825: a text has too little contrast with its ground; GP828."""
    text = one.text
    large = _LARGE_BOLD_PT if text.weight >= _BOLD else _LARGE_PT
    needed = _NEEDED_LARGE if text.size_pt >= large else _NEEDED
    if "" in (text.colour, *(each.text.colour for each in behind)):
        return  # a gradient
    first = min((one.at, *(each.at for each in behind)))
    ground = scene.ground(text.box, first)
    if ground is not None and ground.colour:
        ratio = _ratio(text, behind, ground)
        if ratio < needed:
            yield _faint(one, ratio, needed, ground, certain=not behind)
        else:
            yield from _left_out(one, ground)
        return
    if ground is not None and _is_clear(text, ground, needed):
        return
    seen = [(_ratio(text, behind, ground), ground) for ground in _grounds(scene, one, first)]
    bad = [each for each in seen if each[0] < needed]
    if len(bad) > 1:
        ratio, ground = min(bad)
        yield _faint(one, ratio, needed, ground, certain=False)


def _is_clear(text: PaintedText, ground: Ground, needed: float) -> bool:
    """Return whether opaque letters stand out from both the darkest and the lightest place behind
    them, and are not between the two."""
    if text.opacity < OPAQUE or not text.colour.startswith("#"):
        return False
    own = luminance(text.colour)
    beyond = own <= ground.least or own >= ground.most
    return beyond and min(contrast(own, ground.least), contrast(own, ground.most)) >= needed


def _grounds(scene: Scene, one: _Text, end: int) -> Iterator[Ground]:
    """Yield the ground of each half em of a text, where it is known."""
    strips, matrix = one.strips
    wide = summed(strip.width for strip in strips)
    step = max(one.em / (matrix.down or 1.0) / 2, wide / _MOST_CELLS)
    for strip in strips:
        count = max(2, round(strip.width / step))
        long = strip.width / count
        for number in range(count):
            cell = Rect(strip.x + number * long, strip.y, long, strip.height)
            ground = scene.ground_at(matrix.point(cell.centre), matrix.box(cell), end)
            if ground is not None:
                yield ground


def _ratio(text: PaintedText, behind: Sequence[_Text], ground: Ground) -> float:
    """Return the contrast of a text's colour, outline or shadow, whichever stands out most. On a
    picture, the best of its darkest and lightest place counts."""
    ratio = max(_against(colour, text.opacity, ground) for colour in (text.colour, text.outline))
    for each in behind:
        ratio = max(ratio, _against(each.text.outline, text.opacity, ground))
        if text.colour.startswith("#") and each.text.colour.startswith("#"):
            shadow = contrast(luminance(text.colour), luminance(each.text.colour))
            ratio = max(ratio, shadow)
    return ratio


@lru_cache(4096)
def _against(colour: str, opacity: float, ground: Ground) -> float:
    """Return the contrast of a colour with a ground; 1 for no colour."""
    if not colour.startswith("#"):
        return 1.0
    if ground.colour:
        light = luminance(laid_over(colour, opacity, ground.colour))
        return contrast(light, ground.least)
    own = luminance(colour)
    return max(
        contrast(own * opacity + level * (1 - opacity), level)
        for level in (ground.least, ground.most)
    )


def _faint(
    one: _Text, ratio: float, needed: float, ground: Ground, *, certain: bool
) -> FaceFinding:
    text = one.text
    if certain and ratio <= _SAME:
        message = (
            f"this text has the same colour as its background, {ground.colour}: {_quoted(text)}"
        )
        hint = "give the text or the background another colour" + _ADORNS
        return _finding(one, "GP825", message, hint, Severity.ERROR)
    floored = int(ratio * 10) / 10  # 4.49 must not read as 4.5
    where = f"its background, {ground.colour}" if ground.colour else "the picture behind it"
    message = f"this text stands out too little from {where}: {_quoted(text)}"
    hint = (
        f"its contrast is {floored:.1f}:1; at {text.size_pt:.1f} pt it needs {needed:g}:1. Make the"
        f" text or its background lighter or darker{_ADORNS}"
    )
    return _finding(one, "GP825", message, hint)


_SMALL_PT: Final = 7.0 - 0.02
_BOLD: Final = 600
_DARK: Final = 0.18
"""Luminance of a middle grey."""
_GREY: Final = 16
"""Levels of 255 between the channels of a colour printed with black ink alone."""


def _left_out(one: _Text, ground: Ground) -> Iterator[FaceFinding]:
    """GP828: small thin letters are left white in a dark ground of several inks."""
    text = one.text
    if text.size_pt >= _SMALL_PT or text.weight >= _BOLD or text.outline or ground.least >= _DARK:
        return
    levels = channels(ground.colour)
    if luminance(text.colour) > ground.least and max(levels) - min(levels) > _GREY:
        message = f"small pale letters on a dark colour may fill in with ink: {_quoted(text)}"
        least = round(_SMALL_PT)
        hint = f"set them in {least} pt or more, or in bold, or make the background black or light"
        yield _finding(one, "GP828", message, hint)


def _crossings(texts: Sequence[_Text], shadows: dict[int, int]) -> Iterator[FaceFinding]:
    """GP826: a text is printed over another, or twice."""
    open_: list[_Text] = []
    for one in sorted(texts, key=lambda each: each.text.box.y):
        box = one.text.box
        if one.at in shadows:
            continue
        open_ = [other for other in open_ if other.text.box.bottom > box.y]
        for other in open_:
            if other.text.box.overlaps(box) and _meet(one, other):
                below, above = sorted((one, other), key=lambda each: each.at)
                yield _crossing(below, above)
        open_.append(one)


def _meet(one: _Text, other: _Text) -> bool:
    if min(one.text.opacity, other.text.opacity) < _UNSEEN:
        return False
    return any(
        a.overlaps(b) and polygon_overlap(core, under) > 0
        for core, a in zip(one.cores, one.boxes, strict=True)
        for under, b in zip(other.cores, other.boxes, strict=True)
    )


def _crossing(below: _Text, above: _Text) -> FaceFinding:
    if below.text.words == above.text.words and _is_twice(below.text, above.text):
        message = f"this text is printed twice, slightly shifted: {_quoted(above.text)}"
        hint = "remove one of them; if it is a shadow, make it paler or darker"
    else:
        message = (
            f"one text is printed over another: {_quoted(above.text)} over {_quoted(below.text)}"
        )
        hint = "move one of them, or make its box smaller" + _ADORNS
    return _finding(above, "GP826", message, hint)
