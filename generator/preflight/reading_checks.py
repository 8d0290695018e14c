"""The texts of a face in; findings about what makes them hard to read though all of each is seen:
texts over texts, mirrored ones, and small pale letters on dark colours, out."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import Final, NamedTuple

from generator.diagnostics import Severity
from generator.geometry import Point, Rect, around, polygon_overlap, pt_to_mm
from generator.preflight.faces import FaceFinding, Specimen
from generator.preflight.legibility import is_painted, luminance
from generator.preflight.painted import PaintedText
from generator.preflight.text_checks import (
    ROUNDING_PT,
    PrintedText,
    is_again,
    is_space,
    printed_texts,
    quoted,
)

_DEEP: Final = 0.4
"""Part of the height of the lower of two lines that they share where one is over the other: the
tails of letters may reach into the next line."""
_WIDE: Final = 0.35
"""Em of the smaller of two texts that they share, along their lines."""
_MOST_PAIRS: Final = 1_000_000
"""Runs of a face that are compared with each other: on a page of 20,000 words there are fewer."""
_NARROW: Final = 0.4
"""Of the narrower of two texts that are one letter each."""
_UPRIGHT: Final = 1.0
"""Degrees by which a line may be off a right angle: the box of one that is turned has empty
corners."""
_TALL: Final = 0.7
"""Em that letters are high, of a line that slants."""
_A_WORD: Final = 3
"""Letters of one that slants: single ones go around a corner, and along a path."""
_MOVED: Final = 0.15
"""mm by which the same words may be painted again to make them bolder."""
_ONE_COLOUR: Final = 24
"""Levels of 255 within which they are no shadow of themselves."""


def crossings(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP826: no text is printed over another."""
    texts = printed_texts(specimen)
    runs = [(text, run) for text in texts for run in text.runs if is_painted(run)]
    yield from _twice(specimen, runs)
    told: set[frozenset[int]] = set()
    for (one, above), (other, below) in _meeting(runs):
        pair = frozenset((id(one), id(other)))
        place = above.box.cut_to(below.box)
        if pair in told or not _is_crossed(above, below, place):
            continue
        told.add(pair)
        yield specimen.finding(
            "GP826",
            f"text is printed over text: {quoted((above,))} and {quoted((below,))}",
            "move one of them, or make its box smaller; if one is there to be looked at only, give"
            " its style `decoration: true`",
            place=place,
            text=max(one.number, other.number),
        )


_Run = tuple[PrintedText, PaintedText]
"""A run of a text, and which text that is."""


def _meeting(runs: Sequence[_Run]) -> Iterator[tuple[_Run, _Run]]:
    """Those pairs of which the boxes share something, in order of painting. From top to bottom each
    run is held against those that begin above its end: on a page of rules those of its line."""
    boxes = [run.box for _, run in runs]
    edges = sorted((box.y, box.bottom, box.x, box.right, at) for at, box in enumerate(boxes))
    beside = ((one, other) for at, one in enumerate(edges) for other in _begun(edges, at))
    meeting = sorted(
        tuple(sorted((one[4], other[4])))
        for one, other in islice(beside, _MOST_PAIRS)
        if one[2] < other[3] and other[2] < one[3]
    )
    for at, to in meeting:
        yield runs[at], runs[to]


_Edges = tuple[float, float, float, float, int]
"""Top, bottom, left and right of a run, and its number."""


def _begun(edges: Sequence[_Edges], at: int) -> Iterator[_Edges]:
    """Those after one, from top to bottom, that begin above its end."""
    end = edges[at][1]
    return takewhile(lambda other: other[0] < end, islice(edges, at + 1, None))


def _twice(specimen: Specimen, runs: Sequence[_Run]) -> Iterator[FaceFinding]:
    """The same words again, moved, in one colour: a shadow has another."""
    every = sorted(map(_centred, filter(_is_seen, specimen.painted.texts)), key=_across)
    by_words: dict[str, list[_Centred]] = defaultdict(list)
    for each in every:
        by_words[each.run.words].append(each)
    left = _MOST_PAIRS
    for text, run in runs:
        below, box = by_words.get(run.words, []) if run.words else every, run.box
        # what is printed again over most of it has its middle below
        first = bisect_left(below, box.x, key=_across)
        last = bisect_right(below, box.right, key=_across)
        left -= last - first
        if left < 0:
            return
        level = (each.run for each in below[first:last] if box.y <= each.down <= box.bottom)
        again = [under for under in level if _is_moved(run, under)]
        if again:
            boxes = run.box, min(again, key=lambda under: under.order).box
            yield specimen.finding(
                "GP826",
                f"text is printed twice, a little moved: {quoted((run,))}",
                "take one of them out; if it is to be a shadow, give it a paler colour",
                place=around(boxes),
                text=text.number,
            )


class _Centred(NamedTuple):
    """A run, and where the middle of it is."""

    across: float
    down: float
    run: PaintedText


def _centred(run: PaintedText) -> _Centred:
    return _Centred(run.box.centre.x, run.box.centre.y, run)


def _across(each: _Centred) -> float:
    return each.across


def _is_seen(run: PaintedText) -> bool:
    return not is_space(run) and is_painted(run)


def _is_moved(run: PaintedText, below: PaintedText) -> bool:
    alike = (run.font, run.mode, run.alpha) == (below.font, below.mode, below.alpha)
    if below.order >= run.order or not alike or abs(run.turn - below.turn) > _UPRIGHT:
        return False
    centre, under = run.box.centre, below.box.centre
    moved = max(abs(centre.x - under.x), abs(centre.y - under.y)) > _MOVED
    colours = zip(run.colour, below.colour, strict=True)
    return moved and all(abs(a - b) <= _ONE_COLOUR for a, b in colours) and is_again(run, below)


def _is_straight(run: PaintedText) -> bool:
    return min(run.turn % 90, -run.turn % 90) < _UPRIGHT


def _core(run: PaintedText) -> Sequence[Point]:
    """The corners of the middle of a line that may slant: a part of it that others do not share."""
    turn = math.radians(run.turn)
    across, down = abs(math.cos(turn)), abs(math.sin(turn))
    tall = _TALL * pt_to_mm(run.size_pt)
    whole = run.box.width - tall * down, run.box.height - tall * across
    long = whole[0] / across if across > down else whole[1] / down
    x, y = math.cos(turn) * long / 2, math.sin(turn) * long / 2
    to_x, to_y = (part * tall * (1 - _DEEP) / 2 for part in (-math.sin(turn), math.cos(turn)))
    ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    at = run.box.centre
    return [Point(at.x + a * x + b * to_x, at.y + a * y + b * to_y) for a, b in ways]


def _is_slanted_over(one: PaintedText, other: PaintedText) -> bool:
    words = all(len(run.words.strip()) >= _A_WORD for run in (one, other))
    em = pt_to_mm(min(one.size_pt, other.size_pt))
    return words and polygon_overlap(_core(one), _core(other)) > _WIDE * em / 2


def _is_crossed(one: PaintedText, other: PaintedText, shared: Rect) -> bool:
    if not (_is_straight(one) and _is_straight(other)):
        return _is_slanted_over(one, other)
    along, across = shared.width, shared.height
    long = min(one.box.width, other.box.width)
    lower = min(one.box.height, other.box.height)
    if one.turn % 180 > _UPRIGHT and other.turn % 180 > _UPRIGHT:
        along, across = across, along
        lower, long = long, min(one.box.height, other.box.height)
    em = pt_to_mm(min(one.size_pt, other.size_pt))
    single = all(
        len(run.words.strip()) == 1 and run.words.strip().isalnum() for run in (one, other)
    )
    wide = min(_WIDE * em, _NARROW * long) if single else _WIDE * em
    return across > _DEEP * lower and along > wide


def mirrored(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP827: no text is mirrored."""
    for text in printed_texts(specimen):
        run = next((run for run in text.runs if run.mirrored and is_painted(run)), None)
        if run is not None:
            yield specimen.finding(
                "GP827",
                f"text is mirrored: {quoted((run,))}",
                "set it outside of what is mirrored; if it is there to be looked at only, give its"
                " style `decoration: true`",
                place=run.box,
                text=text.number,
            )


SMALL_ON_DARK_PT: Final = 7.0
"""pt under which pale letters on a ground of several inks close up: each ink prints a little beside
the others, and all of them spread."""
_DARK: Final = 0.18
"""Relative luminance of a middle grey."""
_GREY: Final = 16
"""Levels of 255 between the colours of what black alone may print."""


def knocked_out(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP828: no small letters are left out of a dark colour, which takes several inks."""
    for text in printed_texts(specimen):
        run = min(text.runs, key=lambda run: run.size_pt)
        if run.size_pt < SMALL_ON_DARK_PT - ROUNDING_PT and _is_left_out(specimen, run):
            yield specimen.finding(
                "GP828",
                f"pale letters of {run.size_pt:.1f} pt stand on a dark ground of several inks:"
                f" {quoted((run,))}",
                f"inks close up such letters: make them {SMALL_ON_DARK_PT:g} pt and more, or the"
                " ground black, or light",
                severity=Severity.WARNING,
                place=run.box,
                text=text.number,
            )


def _is_left_out(specimen: Specimen, run: PaintedText) -> bool:
    box = run.box.cut_to(specimen.ground.box)
    if not (is_painted(run) and box.width and box.height):
        return False
    part = specimen.ground.part(box)
    red, green, blue = part.resize((1, 1)).getpixel((0, 0))  # type: ignore[misc]
    several = max(red, green, blue) - min(red, green, blue) > _GREY
    dark = luminance((red, green, blue)) < _DARK
    return several and dark and luminance(run.colour) > luminance((red, green, blue))
