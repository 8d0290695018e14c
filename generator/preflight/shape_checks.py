"""Checks shapes on a face: lines too thin to print, icons astray, codes that will not be read, and
words that do not go with the folds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from generator.diagnostics import Severity
from generator.geometry import Rect, summed
from generator.preflight.faces import FaceFinding, Look, Specimen
from generator.preflight.near_cut import NEAR, NEARLY, Stray
from generator.preflight.painted import FINE
from generator.preflight.qr_codes import CLOSE, QUIET, SeenCode
from generator.preflight.text_checks import box_of_runs, printed_texts, quoted

_BESIDE: Final = 0.5
"""mm from its line by which paper may be folded."""
_OFF: Final = 0.01
"""mm by which folds may lie otherwise on the two sides of a top."""
_SHAPED, _PATTERN = 3, 4
"""Corners of a thing that has a top, and how many alike are a pattern."""
_MOST_WORDS: Final = 2.0
"""Times as much of a side is covered by words that are read one way than by those of the other."""
_AHEAD: Final = 30.0
"""Degrees by which a line may be turned and still be read as upright, or as upside down."""


_BAND: Final = 0.9
"""Of a side of the trim: what is as long is a ground, or a band."""
_PICTURED: Final = 6
"""Things over the cut: more are a picture which bleeds, and no icons."""
_LONE, _TITLES = 2, 3
"""Icons and words out of their zone: more are a pattern."""
_WITHIN: Final = 0.05
"""mm before the cut where art ends that has no bleed."""
_ALIKE: Final = 0.2
"""Of the size of a shape by which another may differ, of a pattern."""


def fine_lines(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP829: no line is thinner than a printer draws; the thinnest is told."""
    lines = specimen.painted.fine
    if not lines:
        return
    thinnest = min(lines, key=lambda line: line.width)
    others = f", and {len(lines) - 1} more are too thin" if len(lines) > 1 else ""
    thin = f"{thinnest.width:.2f} mm thin" if thinnest.width else "as thin as a printer can draw it"
    yield specimen.finding(
        "GP829",
        f"a line is {thin}, a hairline{others}",
        f"printers drop lines under {FINE:g} mm, or draw them as wide as they like: make it"
        f" {FINE:g} mm wide at least",
        severity=Severity.WARNING,
        place=thinnest.box.grown(FINE),
    )


def stray_icons(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP823: no icon, and no word that is drawn as outlines, is cut in two or out of the safe zone.
    Two and more that are as large may be a pattern; what lies within a larger thing, or is one of
    many, is a part of a picture. Grounds and bands are no such things."""
    look, painted = specimen.look, specimen.painted
    if look.poster or not painted.astray:
        return
    wide, high = _BAND * look.box.width, _BAND * look.box.height
    within = look.box.grown(-_WITHIN)
    over = [near.box for near in painted.near if not (near.is_picture or within.contains(near.box))]
    things = [box.grown(NEAR) for box in over if box.width < wide and box.height < high]
    astray = [one for one in painted.astray if one.inside < look.safe - NEARLY]
    words = [one for one in astray if one.is_word]
    icons = [one for one in astray if not one.is_word]
    if len(words) > _TITLES:
        words = []  # a pattern
    if len(things) > _PICTURED or len(icons) > _LONE:
        icons = []
    apart = [
        one for one in (*words, *_lone(icons, things)) if not _is_joined(one.box, over, look.art)
    ]
    for one in apart:
        box, what = one.box, "a word in outlines" if one.is_word else "a shape"
        yield specimen.finding(
            "GP823",
            f"{what} of {box.width:.0f} × {box.height:.0f} mm lies {_whereabouts(one)}",
            "move it into the safe zone, if it is an icon or a word; let it go on to the end of"
            " the bleed and be larger, if it is art",
            severity=Severity.WARNING,
            place=box,
        )


def _lone(icons: Sequence[Stray], things: Sequence[Rect]) -> Iterator[Stray]:
    """Those that are in none of the larger things, nor in each other, and of which no other is
    about as large."""
    boxes = [icon.box for icon in icons]
    lone = [
        icon for icon in icons
        if not any(_is_in(icon.box, thing) for thing in (*things, *boxes))
    ]  # fmt: skip
    for one in lone:
        size = max(one.box.width, one.box.height)
        sizes = (max(other.box.width, other.box.height) for other in lone)
        if sum(abs(other - size) < _ALIKE * size for other in sizes) == 1:
            yield one


def _is_joined(box: Rect, over: Sequence[Rect], art: Rect) -> bool:
    """True for what stands on something that the cut takes a part of, or half behind it."""
    around, shown = box.grown(NEAR), box.cut_to(art)
    return any(
        other.overlaps(around) and not around.contains(other) and not other.contains(shown, NEAR)
        for other in over
    )


def _is_in(box: Rect, thing: Rect) -> bool:
    return thing.contains(box) and thing != box and not box.grown(NEAR).contains(thing)


def _whereabouts(stray: Stray) -> str:
    if not stray.is_over:
        return f"{stray.inside:.1f} mm from the cut, out of the safe zone"
    return f"over the cut, which leaves {100 * stray.left:.0f} % of it"


def readable_codes(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP838: every QR code can be read, is not too fine, and has its quiet zone."""
    for code in specimen.codes:
        fault = _fault_of(code, specimen.look)
        if fault is not None:
            message, hint, severity = fault
            place = code.box
            yield specimen.finding("GP838", message, hint, severity=severity, place=place)


_LEAST_MODULE: Final = 0.4
"""mm: finer modules run together where ink spreads, and at arm's length a telephone does not tell
them apart."""
_FINER: Final = 0.01
"""mm that come of pixels."""
_LEAST_APART: Final = 80.0
"""Levels of 255 of green between dark and light modules: a telephone in the shade takes no less."""
_STRETCHED: Final = 0.03
"""How much longer than high a code may be."""
_PIXEL: Final = 25.4 / CLOSE
"""mm of those by which a code is measured."""
_NOT_QUITE: Final = 0.5
"""Modules that may lack of the quiet zone, as rounding does."""


def _fault_of(code: SeenCode, look: Look) -> tuple[str, str, Severity] | None:
    """What is wrong with a code, what to do, and how bad it is: the worst alone."""
    if not code.read:
        hint = (
            "leave it as it was made: no picture over more than a tenth of it, dark on light, sharp"
        )
        return "a QR code cannot be read", hint, Severity.ERROR
    if code.mirrored:
        return (
            "a QR code is mirrored",
            "do not mirror it: not every reader takes it",
            Severity.ERROR,
        )
    amiss = _colours_of(code) or _proportions_of(code)
    if amiss is not None:
        return (*amiss, Severity.WARNING)
    if code.module < _LEAST_MODULE - _FINER:
        side = math.ceil(code.across * _LEAST_MODULE)
        return (
            f"a QR code of {code.across} × {code.across} modules is so small that one is"
            f" {code.module:.2f} mm wide",
            f"make it {side} mm wide, or its text shorter: {_LEAST_MODULE:g} mm a module is what"
            " printers and telephones tell apart",
            Severity.WARNING,
        )
    quiet = min(code.quiet, _to_the_cut(code, look) / code.module)
    if quiet < QUIET - _NOT_QUITE:
        return (
            f"a QR code has {max(quiet, 0):.2g} modules of quiet zone",
            f"leave {QUIET} modules, {QUIET * code.module:.1f} mm, of the colour of its ground all"
            " around it, and nothing in them: readers look for it by that",
            Severity.WARNING,
        )
    return None


def _colours_of(code: SeenCode) -> tuple[str, str] | None:
    """What is wrong with the colours of a code, and what to do."""
    if code.apart < _LEAST_APART:
        message = f"a QR code has too little contrast: {code.apart / 2.55:.0f} % of black on white"
        return message, "take a darker colour for its modules, or a lighter one for its ground"
    if code.inverted:
        hint = "print it dark on light: many readers take it no other way round"
        return "a QR code is light on dark", hint
    return None


def _proportions_of(code: SeenCode) -> tuple[str, str] | None:
    """What a code of another shape than a square is told as, and what to do."""
    hint = "make it as wide as high: readers look for squares"
    off = max(code.stretch, 1 / code.stretch) - 1
    if off > _STRETCHED + _PIXEL / (code.module * code.across):
        much = 100 * abs(code.stretch - 1)
        way = "wider" if code.stretch > 1 else "narrower"
        return f"a QR code is stretched: {much:.0f} % {way} than it is high", hint
    if code.slant - 1 > 2 * _STRETCHED + _PIXEL / (code.module * code.across):
        return "a QR code is slanted", hint
    return None


def _to_the_cut(code: SeenCode, look: Look) -> float:
    """mm between a code and the nearest side of the trim: beyond may lie anything."""
    box, trim = code.box, look.box
    left, top = box.x - trim.x, box.y - trim.y
    return min(left, top, trim.right - box.right, trim.bottom - box.bottom)


def folded_words(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP816: no word lies on a fold of its stock."""
    trim = specimen.look.box
    folds = [fold.moved(trim.x, trim.y).grown(_BESIDE) for fold in specimen.look.folds]
    for text in printed_texts(specimen) if folds else ():
        broken = [run for run in text.runs if any(map(run.box.overlaps, folds))]
        if broken:
            yield specimen.finding(
                "GP816",
                f"text lies on a fold: {quoted(broken)}",
                f"ink cracks in a fold: keep text {_BESIDE:g} mm away from it, on one side",
                severity=Severity.WARNING,
                place=box_of_runs(text.runs),
                text=text.number,
            )
    for word in specimen.painted.outlined if folds else ():
        if any(map(word.box.overlaps, folds)):
            yield specimen.finding(
                "GP816",
                f"a word in outlines, {word.box.width:.0f} × {word.box.height:.0f} mm, lies on a"
                " fold",
                f"ink cracks in a fold: keep it {_BESIDE:g} mm away from it, on one side",
                severity=Severity.WARNING,
                place=word.box,
            )


def tents(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP817: what is folded at its top stands upside down above the fold, or its back does when it
    stands. One with a fold in the middle that is not level is no such thing."""
    fold = _top(specimen)
    if fold is None:
        return
    back, front = _words_beside(specimen, fold)
    unturned = _unturned(specimen, fold)
    if unturned is not None:
        yield specimen.finding(
            "GP817",
            "a drawing on the back is as upright as on the front, on both sides of the fold at its"
            " top: that on the back stands upside down when it is folded",
            "turn what is above the fold by 180°; if it is to open upwards like a pad, waive this",
            severity=Severity.WARNING,
            place=unturned,
        )
    elif back.upright and (front.upright or not front.words):
        yield specimen.finding(
            "GP817",
            f"text is upright {'on both sides of' if front.words else 'above'} the fold at its top:"
            " that on the back stands upside down when it is folded",
            "turn what is above the fold by 180°; if it is to open upwards like a pad, waive this",
            severity=Severity.WARNING,
            place=back.words[0],
        )
    elif front.on_head and (back.on_head or not back.words):
        yield specimen.finding(
            "GP817",
            "text below the fold at its top is upside down, and so is the front when it stands",
            "turn what is below the fold by 180°, and what is above it the other way",
            severity=Severity.WARNING,
            place=front.words[0],
        )


class _Half:
    """The words on one side of a fold: their boxes, and how much of it those cover that are
    upright, and those that are on their head."""

    def __init__(self) -> None:
        self.words: list[Rect] = []
        self._ways = {1: 0.0, -1: 0.0}

    def add(self, box: Rect, way: int) -> None:
        self.words.append(box)
        if way:
            self._ways[way] += box.width * box.height

    @property
    def upright(self) -> bool:
        """True when that is how most of it is read: some pieces are read from both sides."""
        return self._ways[1] > _MOST_WORDS * self._ways[-1]

    @property
    def on_head(self) -> bool:
        return self._ways[-1] > _MOST_WORDS * self._ways[1]


def _words_beside(specimen: Specimen, fold: float) -> tuple[_Half, _Half]:
    """Those above a fold and those below it, which are not on it."""
    words: list[tuple[Rect, int]] = [(word.box, word.way) for word in specimen.painted.outlined]
    for text in printed_texts(specimen):
        for run in text.runs:
            off = min(run.turn, 360 - run.turn)
            words.append((run.box, 1 if off < _AHEAD else -1 if off > 180 - _AHEAD else 0))
    halves = _Half(), _Half()
    for box, way in words:
        if not box.y < fold < box.bottom:
            halves[int(box.y >= fold)].add(box, way)
    return halves


def _unturned(specimen: Specimen, fold: float) -> Rect | None:
    """Where a thing is above a fold that is below it, too, and not turned, nor even, nor one of a
    pattern."""
    motifs = specimen.painted.motifs
    above = [one for one in motifs if one.box.bottom <= fold + _BESIDE]
    below = [one for one in motifs if one.box.y >= fold - _BESIDE]
    for one in above:
        if len(one.corners) < _SHAPED or one.is_even:
            continue
        upright = summed(one.is_as(other, one.corners) for other in below)
        turned = any(one.is_as(other, one.turned) for other in below)
        if 0 < upright < _PATTERN and not turned:
            return one.box
    return None


def _top(specimen: Specimen) -> float | None:
    """Where a tent, or a standee with its feet, has its top: the level fold in the middle of a
    stock whose folds are all level and lie alike on both sides of that."""
    trim, folds = specimen.look.box, specimen.look.folds
    if len(folds) % 2 == 0 or not all(fold.width for fold in folds):
        return None
    middle = trim.height / 2
    off = sorted(fold.y - middle for fold in folds)
    alike = all(
        math.isclose(-one, other, abs_tol=_OFF)
        for one, other in zip(off, reversed(off), strict=True)
    )
    return trim.y + middle if alike else None
