"""A face as it is seen, with its lines, QR codes and the folds of its stock, in; findings about
lines too thin to print, colours and frames that end at the cut, codes that will not be read, and
words that do not go with the folds out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Final, cast

from PIL import Image, ImageChops

from generator.diagnostics import Severity
from generator.geometry import Point, Rect
from generator.model.stock import Edge
from generator.preflight.cut_checks import LOOK, SAME, STRAIGHT
from generator.preflight.faces import FaceFinding, Look, Specimen
from generator.preflight.painted import FINE, NEAR, NEARLY
from generator.preflight.qr_codes import QUIET, SeenCode
from generator.preflight.raster import levelled
from generator.preflight.text_checks import box_of, printed_texts, quoted

_BESIDE: Final = 0.5
"""mm from its line by which paper may be folded."""
_OFF: Final = 0.01
"""mm by which folds may lie otherwise on the two sides of a top."""
_AHEAD: Final = 30.0
"""Degrees by which a line may be turned and still be read as upright, or as upside down."""


_BAND: Final = 0.9
"""Of a side of the trim: what is as long is a ground, or a band."""
_PICTURED: Final = 6
"""Things over the cut: more are a picture which bleeds, and no icons."""
_ALIKE: Final = 0.2
"""Of the size of a shape by which another may differ, of a pattern."""
_RIM: Final = 0.5
"""mm from the cut within which a knife may leave a rim of what ends there."""
_STEP_WIDE: Final = 0.5
"""mm across which an edge of colour is seen, soft as its pixels may be."""
_SLIGHT: Final = 5
"""Levels by which colours differ on the whole where there may be such an edge."""
_PALE: Final = 240
"""Of a line that is paper nearly all along."""
_ALONG: Final = 0.6
"""Of a side of the trim that an edge runs along; what crosses the cut is on less of it."""
_END: Final = 5.0
"""mm of a side along which a shape ends at the cut, nearer than a look, even if that is not most of
it. A band does, on both sides that face each other; on one alone it may be a line of the art."""
_LONE_END: Final = 10.0
"""The same of one side alone."""
_IS_OTHER: Final = [255 * (level > SAME) for level in range(256)]


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
    if look.poster or look.shape not in STRAIGHT or not painted.astray:
        return
    wide, high = _BAND * look.box.width, _BAND * look.box.height
    things = [box.grown(NEAR) for box in painted.over if box.width < wide and box.height < high]
    if len(things) > _PICTURED:
        return
    zone = look.box.grown(-look.safe)
    astray = [box for box in painted.astray if not zone.contains(box, NEARLY)]
    for box in _lone(astray, things):
        yield specimen.finding(
            "GP823",
            f"a shape of {box.width:.0f} × {box.height:.0f} mm lies {_whereabouts(box, look.box)}",
            "move it into the safe zone, if it is an icon or a word; let it go on to the end of"
            " the bleed and be larger, if it is art",
            severity=Severity.WARNING,
            place=box,
        )


def _lone(boxes: Sequence[Rect], things: Sequence[Rect]) -> Iterator[Rect]:
    """Those that are in none of the larger things, nor in each other, and of which no other is
    about as large."""
    lone = [box for box in boxes if not any(_is_in(box, thing) for thing in (*things, *boxes))]
    for box in lone:
        size = max(box.width, box.height)
        alike = [o for o in lone if abs(max(o.width, o.height) - size) < _ALIKE * size]
        if len(alike) == 1:
            yield box


def _is_in(box: Rect, thing: Rect) -> bool:
    return thing.contains(box) and thing != box and not box.grown(NEAR).contains(thing)


def _whereabouts(box: Rect, trim: Rect) -> str:
    near = min(box.x - trim.x, box.y - trim.y, trim.right - box.right, trim.bottom - box.bottom)
    if near >= 0:
        return f"{near:.1f} mm from the cut, out of the safe zone"
    half = box.cut_to(trim)
    left = 100 * half.width * half.height / (box.width * box.height)
    return f"over the cut, which leaves {left:.0f} % of it"


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
                place=box_of(text.runs),
                text=text.number,
            )


def tents(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP817: what is folded at its top stands upside down above the fold, or its back does when it
    stands. One with a fold in the middle that is not level is no such thing."""
    fold = _top(specimen)
    if fold is None:
        return
    halves: tuple[list[Rect], list[Rect]] = [], []
    upright = [False, False]
    for text in printed_texts(specimen):
        for run in text.runs:
            if run.box.y < fold < run.box.bottom:
                continue
            half = int(run.box.y >= fold)
            halves[half].append(run.box)
            upright[half] |= min(run.turn, 360 - run.turn) < _AHEAD
    if all(halves) and all(upright):
        yield specimen.finding(
            "GP817",
            "text is upright on both sides of the fold at its top: that on the back stands upside"
            " down when it is folded",
            "turn what is above the fold by 180°; if it is to open upwards like a pad, waive this",
            severity=Severity.WARNING,
            place=halves[0][0],
        )


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


def edges(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP811: no edge of colour and no thin frame runs along the cut: a knife is off by as much as
    they lie beside it, and leaves a rim of the other colour, or a frame on one side only. A line on
    one side, or on two that face each other, is what a ruler or a strip is made of."""
    look = specimen.look
    if not look.bleed or look.shape not in STRAIGHT or look.poster or look.edge is Edge.WHITE:
        return
    thin: dict[str, float] = {}
    ends: dict[str, tuple[float, float] | None] = {}
    for name, side, out in _sides(look.box):
        if not (_bleeds(specimen, side, out) and _may_step(specimen, side)):
            continue
        lines = _lines_along(specimen, side, out)
        edge, ends[name] = _edge_along(lines)
        if edge is not None:
            where = "at the cut" if abs(edge) <= LOOK else f"{abs(edge):.1f} mm from the cut"
            message = f"an edge of colour runs along the {name} edge, {where}"
            hint = _ON_TO_THE_END
            yield specimen.finding("GP811", message, hint, severity=Severity.WARNING, place=side)
        elif (line := _line_along(lines)) is not None:
            thin[name] = line
    for where, length in _ends_at(ends):
        message = f"an edge of colour runs along {length:.0f} mm of the {where} edge, at the cut"
        yield specimen.finding("GP811", message, _ON_TO_THE_END, severity=Severity.WARNING)
    if _is_frame(thin):
        where = "whole" if len(thin) == 4 else " and ".join(thin)
        message = f"a thin frame runs along the {where} edge, within {_RIM:g} mm of the cut"
        yield specimen.finding("GP811", message, _INWARD, severity=Severity.WARNING)


def _ends_at(ends: Mapping[str, tuple[float, float] | None]) -> Iterator[tuple[str, float]]:
    """The sides, and mm of them, at which a shape ends: the same part of two that face each other,
    or so much of one that it is no line of the art."""
    for one, other in (("left", "right"), ("upper", "lower")):
        here, there = ends.get(one), ends.get(other)
        if here and there and math.dist(here, there) < _RIM:
            yield f"{one} and of the {other}", here[1] - here[0]
            continue
        for name, part in ((one, here), (other, there)):
            if part and part[1] - part[0] >= _LONE_END:
                yield name, part[1] - part[0]


def _is_frame(thin: Mapping[str, float]) -> bool:
    """Whether lines along sides go around a corner, as far from the cut on the one side as on the
    other."""
    return any(
        abs(thin[across] - thin[down]) <= LOOK
        for across in ("upper", "lower")
        for down in ("left", "right")
        if across in thin and down in thin
    )


_ON_TO_THE_END: Final = (
    "draw what comes to the cut on to the end of the bleed, or end it 1 mm inside: a knife that is"
    " off by a hair leaves a rim of the other colour"
)
_INWARD: Final = (
    "move it 2 mm or more inside, or do without: a knife that is off by a hair leaves it on one"
    " side and not on the other"
)


def _sides(trim: Rect) -> Iterator[tuple[str, Rect, Point]]:
    """The sides of a trim without their corners, and the direction out of each."""
    inset = min(trim.width, trim.height) / 10
    across, down = trim.width - 2 * inset, trim.height - 2 * inset
    yield "upper", Rect(trim.x + inset, trim.y, across, 0), Point(0, -1)
    yield "lower", Rect(trim.x + inset, trim.bottom, across, 0), Point(0, 1)
    yield "left", Rect(trim.x, trim.y + inset, 0, down), Point(-1, 0)
    yield "right", Rect(trim.right, trim.y + inset, 0, down), Point(1, 0)


def _bleeds(specimen: Specimen, side: Rect, out: Point) -> bool:
    """True where the face is shown far enough beyond the cut."""
    reach = _RIM + 2 * _STEP_WIDE
    return specimen.look.art.contains(side.moved(out.x * reach, out.y * reach), LOOK)


_Lines = Mapping[int, Image.Image]
"""The pixels along a side, by how many looks further out than the cut."""


def _lines_along(specimen: Specimen, side: Rect, out: Point) -> _Lines:
    reach = round(2 * _RIM / LOOK) + 2
    return {
        step: specimen.seen.part(side.moved(out.x * LOOK * step, out.y * LOOK * step))
        for step in range(-reach, reach + 1)
    }


def _line_along(lines: _Lines) -> float | None:
    """How far outside of a side a line of up to a millimetre runs along it, mm, lighter or darker
    than what is to either side of it; None where none does."""
    reach = round(_RIM / LOOK)
    for step in sorted(range(-reach, reach + 1), key=abs):
        for away in range(round(_STEP_WIDE / LOOK), max(lines) - reach + 1):
            line, within, beyond = lines[step], lines[step - away], lines[step + away]
            ways = (
                ImageChops.subtract(line, ImageChops.lighter(within, beyond)),
                ImageChops.subtract(ImageChops.darker(within, beyond), line),
            )
            bands = [band for way in ways for band in way.split() if _shows(band)]
            if not bands:
                continue
            calm = ImageChops.invert(_other(ImageChops.difference(within, beyond)))
            odd = (levelled(band, _IS_OTHER) for band in bands)
            most = max(ImageChops.darker(band, calm).histogram()[255] for band in odd)
            if most >= _ALONG * line.width * line.height:
                return step * LOOK
    return None


def _shows(difference: Image.Image) -> bool:
    """True for colours that differ somewhere: they seldom do, and that is seen at a glance."""
    _, most = cast(tuple[int, int], difference.getextrema())
    return most > SAME


def _edge_along(lines: _Lines) -> tuple[float | None, tuple[float, float] | None]:
    """How far outside of a side an edge of colour runs along it, mm, None where none does; or from
    where to where one runs at the cut on a part of it. Where colours go on changing to either side
    of it, as in a photo, it is no edge."""
    half = round(_STEP_WIDE / LOOK / 2)
    reach = round(_RIM / LOOK)
    best: tuple[float, int] | None = None
    part: tuple[float, float] = 0.0, 0.0
    for step in range(-reach, reach + 1):
        before, after = lines[step - half], lines[step + half]
        apart = _apart_along(
            (before, after), (lines[step - half - 1], before), (after, lines[step + half + 1])
        )
        if min(after.resize((1, 1), Image.Resampling.BOX).tobytes()) >= _PALE:
            continue  # art that ends at white paper has no bleed, which is told
        share = apart.histogram()[255] / (apart.width * apart.height)
        if share >= _ALONG and (best is None or share > best[0]):
            best = share, step
        if abs(step) <= 1:
            part = max(part, _longest(apart.tobytes()), key=lambda run: run[1] - run[0])
    if best is not None:
        return best[1] * LOOK, None
    return None, part if part[1] - part[0] >= _END else None


def _longest(line: bytes) -> tuple[float, float]:
    """Where the longest part of a line begins and ends at which something is, mm."""
    longest = max(line.split(b"\0"), key=len)
    start = line.find(longest) if longest else 0
    return start * LOOK, (start + len(longest)) * LOOK


def _may_step(specimen: Specimen, side: Rect) -> bool:
    """False where the colours on the whole are the same on both sides of every line beside a side:
    so it is nearly always, and is seen at a glance."""
    level = side.width > 0
    strip = specimen.seen.part(side.grown(_RIM + _STEP_WIDE))
    small = (1, strip.height) if level else (strip.width, 1)
    profile = strip.resize(small, Image.Resampling.BOX).tobytes()
    across = 3 * round(_STEP_WIDE / LOOK)
    pairs = zip(profile, profile[across:], strict=False)
    return any(abs(one - other) >= _SLIGHT for one, other in pairs)


def _apart_along(
    across: tuple[Image.Image, Image.Image], *beside: tuple[Image.Image, Image.Image]
) -> Image.Image:
    """Where the one of two lines of pixels is lighter, or darker, than the other in some channel,
    though the lines beside them are not, in the channel and way in which that is most of it: a row
    of squares is both by turns."""
    calm = Image.new("L", across[0].size, 255)
    for one, other in beside:
        calm = ImageChops.subtract(calm, _other(ImageChops.difference(one, other)))
    one, other = across
    ways = (ImageChops.subtract(one, other), ImageChops.subtract(other, one))
    odd = (
        ImageChops.darker(levelled(band, _IS_OTHER), calm) for way in ways for band in way.split()
    )
    return max(odd, key=lambda line: line.histogram()[255])


def _other(difference: Image.Image) -> Image.Image:
    """255 where colours differ, else 0."""
    return levelled(reduce(ImageChops.lighter, difference.split()), _IS_OTHER)
