"""Checks the texts of a face: size, place, visibility and contrast; texts over texts, mirrored and
pale ones. It is long, since all these ask about the same runs."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from typing import Any, Final, NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from generator.diagnostics import Severity
from generator.geometry import Point, Rect, around, depth_inside, polygon_overlap, pt_to_mm, summed
from generator.model.catalogue import Shape
from generator.model.manifest import TextEntry
from generator.outlines import polygon
from generator.preflight.faces import FaceFinding, Specimen
from generator.preflight.legibility import (
    Legibility,
    WordPixels,
    are_clear,
    contrast_at,
    illegible,
    is_painted,
    lettering,
    luminance,
)
from generator.preflight.page_objects import Colour
from generator.preflight.page_reader import SetText
from generator.preflight.painted import PaintedText

_REACH: Final = 1.0
"""mm by which a run may stand out of the box of the text that it belongs to."""
_MOST: Final = 0.5
"""Share of a run that lies in the box of its text, or of a shadow that lies under its text."""
_LONGEST: Final = 40
"""Letters of a text that a message shows."""
_LATELY: Final = 100
"""Runs before one that it may be painted over: a face has few, a stranger's may have thousands."""
_LINES: Final = (1, 5)
_FILLED: Final = 2
"""Text rendering modes of letters that are outlines alone, and that are filled too."""
_AS_LARGE: Final = 0.2
"""Part of its size by which a run may differ from its shadow, or its outline."""


class PrintedText(Struct, frozen=True):
    """A text on the page: the runs that it is painted in, at least one, and what the manifest has
    about it, with its number there; None and -1 when it is of no text that it lists."""

    told: TextEntry | None
    runs: tuple[PaintedText, ...]
    number: int = -1

    @property
    def style(self) -> str:
        """The name of its style, empty when it is not known."""
        return self.told.style if self.told else ""


@lru_cache(maxsize=1)  # each check of a face asks for them
def printed_texts(specimen: Specimen) -> tuple[PrintedText, ...]:
    """The texts of a face. A run belongs to the text whose box holds most of it, of several to the
    one nearest in size; what stands alone is a text of its own. Spaces, decoration, and what is
    painted as a shadow of the same words, do not count."""
    trim = specimen.look.box
    places = [(told, told.box.moved(trim.x, trim.y).grown(_REACH)) for told in specimen.look.texts]
    groups: dict[int, list[PaintedText]] = {}
    alone: list[PrintedText] = []
    for run in _without_shadows([run for run in specimen.painted.texts if not _is_space(run)]):
        number = _belongs(run, places)
        if number is None:
            alone.append(PrintedText(None, (run,)))
        else:
            groups.setdefault(number, []).append(run)
    told = [
        PrintedText(places[number][0], tuple(groups[number]), number)
        for number in sorted(groups)
        if not places[number][0].decoration
    ]
    return (*told, *alone)


def as_set(specimen: Specimen) -> tuple[SetText, ...]:
    """How each text of a face that the manifest lists is set, by its first run."""
    return tuple(
        SetText(
            text.number,
            text.runs[0].colour,
            text.runs[0].font,
            round(text.runs[0].size_pt, 2),
            summed(len(run.words) for run in text.runs),
        )
        for text in printed_texts(specimen)
        if text.told is not None
    )


def quoted(runs: Sequence[PaintedText]) -> str:
    """The words of some runs for a message."""
    words = " ".join("".join(run.words for run in runs).split())
    if len(words) > _LONGEST:
        words = words[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return f"‘{words}’" if words else "a text without words"


def box_of_runs(runs: Sequence[PaintedText]) -> Rect:
    """The box around some runs, mm."""
    return around([run.box for run in runs])


def _is_space(run: PaintedText) -> bool:
    """True for what has no ink."""
    blank = bool(run.words) and not run.words.strip()
    return blank or not (run.box.width and run.box.height)


def _belongs(run: PaintedText, places: Sequence[tuple[TextEntry, Rect]]) -> int | None:
    best: tuple[float, float, int] | None = None
    box = run.box
    for number, (told, place) in enumerate(places):
        # Most of them, fast.
        if box.y > place.y + place.height or place.y > box.y + box.height:
            continue
        if box.x > place.x + place.width or place.x > box.x + box.width:
            continue
        share = _share(box, place)
        if share >= _MOST:
            rank = (round(share, 1), -abs(told.size_pt - run.size_pt), -number)
            best = max(best, rank) if best else rank
    return None if best is None else -best[2]


def _without_shadows(runs: Sequence[PaintedText]) -> Iterator[PaintedText]:
    """All but runs that are painted once more, later, over most of them. PDFium tells the words of
    the first alone; the last has them, and the outline that was painted below it."""
    kept: list[PaintedText] = []
    for run in runs:
        lately = range(len(kept) - 1, max(len(kept) - 1 - _LATELY, -1), -1)
        shadow = next((n for n in lately if _is_again(run, kept[n])), None)
        if shadow is not None:
            below = kept.pop(shadow)
            stroke = below.stroke if run.stroke is None else run.stroke
            run = replace(run, words=run.words or below.words, stroke=stroke)  # noqa: PLW2901
            if run.mode in _LINES and below.mode not in _LINES:  # a line on letters that are filled
                run = replace(run, mode=_FILLED, colour=below.colour)  # noqa: PLW2901
        kept.append(run)
    yield from kept


def _is_again(run: PaintedText, below: PaintedText) -> bool:
    """Whether a run is painted over most of an earlier one with the same words."""
    if run.words and run.words != below.words:
        return False
    alike = _share(below.box, run.box) > _MOST
    return alike and (bool(run.words) or _as_large(run.box, below.box))


def _as_large(one: Rect, other: Rect) -> bool:
    return all(
        abs(a - b) <= _AS_LARGE * max(a, b)
        for a, b in ((one.width, other.width), (one.height, other.height))
    )


def _share(box: Rect, place: Rect) -> float:
    """How much of a box lies in a place, 0 to 1."""
    width = min(box.x + box.width, place.x + place.width) - max(box.x, place.x)
    height = min(box.y + box.height, place.y + place.height) - max(box.y, place.y)
    return max(width, 0.0) * max(height, 0.0) / (box.width * box.height)


_TOUCH: Final = 0.15
"""mm that nobody sees; what GP404 allows while faces are drawn."""
_ROUND_OR_SLANTED: Final = (Shape.CIRCLE, Shape.HEXAGON)
_INK: Final = 64
"""Difference of a pixel that is part of a letter, not of its soft edge."""


def _reach_out(specimen: Specimen, letters: WordPixels, run: PaintedText, inside: float) -> float:
    """mm by which a run is nearer to the cut than `inside`; 0 when that is no more than `_TOUCH`.

    Rounded corners and pieces cut along a path of their own count as their box. In a circle and a
    hexagon the ink counts, not the box around it, whose corners are empty.
    """
    look, box = specimen.look, run.box
    if look.shape not in _ROUND_OR_SLANTED:
        trim = look.box
        nearest = min(
            box.x - trim.x, box.y - trim.y, trim.right - box.right, trim.bottom - box.bottom
        )
        return inside - nearest if inside - nearest > _TOUCH else 0.0
    corners = polygon(look.box, look.shape)
    out = inside - min(
        depth_inside(corner, corners) for corner in polygon(run.box, Shape.RECTANGLE)
    )
    if out > _TOUCH:
        out = min(out, inside - _depth_of_ink(letters, run, corners))
    return out if out > _TOUCH else 0.0


def _depth_of_ink(letters: WordPixels, run: PaintedText, corners: Sequence[Point]) -> float:
    """How far the ink of a run stays inside an outline, mm: to the middle of its pixels."""
    box = run.box.cut_to(letters.raster.box)
    part = letters.raster.part(box)
    across, down = box.width / part.width, box.height / part.height
    depths = [
        depth_inside(
            Point(
                box.x + (number % part.width + 0.5) * across,
                box.y + (number // part.width + 0.5) * down,
            ),
            corners,
        )
        for number, strength in enumerate(part.tobytes())
        if strength >= _INK
    ]
    return min(depths, default=0.0)


_LEAST_PT: Final = 5.0
"""pt under which print is hardly read at all; what GP405 says while faces are drawn."""
_SMALL_PT: Final = 6.5
"""pt from which print is read without effort."""
_ROUNDING_PT: Final = 0.02
"""pt within which a size is what was asked for."""
_ALIKE: Final = 1.5
"""Contrast under which letters are lost in their ground: GP825 is about that, not GP824."""
_CUT: Final = 0.1
"""mm that nobody misses, and by which PDFium's boxes are larger than the ink."""


def sizes(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP821: no text is printed too small; of each style the smallest is told."""
    smallest: dict[str, tuple[PaintedText, PrintedText]] = {}
    for text in printed_texts(specimen):
        run = min(text.runs, key=lambda run: run.size_pt)
        if text.style not in smallest or run.size_pt < smallest[text.style][0].size_pt:
            smallest[text.style] = run, text
    for style, (run, text) in smallest.items():
        if run.size_pt < _SMALL_PT - _ROUNDING_PT:
            too_small = run.size_pt < _LEAST_PT - _ROUNDING_PT
            of_style = f" in style {style!r}" if style else ""
            yield specimen.finding(
                "GP821",
                f"text{of_style} is printed at {run.size_pt:.1f} pt: {quoted((run,))}",
                f"print of less than {_LEAST_PT:g} pt is not read, of {_SMALL_PT:g} pt and more it"
                " is: make it larger (a style's size or min in styles.yaml), and give it room",
                severity=Severity.ERROR if too_small else Severity.WARNING,
                place=run.box,
                text=text.number,
            )


def safe_zone(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP823: no text comes nearer to the cut than its stock allows: a warning, an error where it
    crosses the cut."""
    texts, safe = printed_texts(specimen), specimen.look.safe
    letters = lettering(specimen)
    for text in texts:
        out = [(_reach_out(specimen, letters, run, safe), run) for run in text.runs]
        most, worst = max(out, key=lambda found: found[0])
        if most <= 0:
            continue
        cut = _reach_out(specimen, letters, worst, 0) > 0
        zone = " out of the safe zone and" if safe else ""
        yield specimen.finding(
            "GP823",
            f"text reaches {most:.1f} mm"
            f"{f'{zone} over the cut' if cut else ' out of the safe zone'}: {quoted(text.runs)}",
            f"keep text {f'{safe:g} mm ' if safe else ''}away from the cut: no knife is exact",
            severity=Severity.ERROR if cut else Severity.WARNING,
            place=box_of_runs(text.runs),
            text=text.number,
        )


def visibility(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP824: no text is cut off by a clip path or the end of the art, covered, or not painted."""
    letters = lettering(specimen)
    for text in printed_texts(specimen):
        for run in text.runs:
            rest = _cut_off(specimen, run)
            lost = _not_shown(specimen, letters, run)
            if lost is None:
                continue
            whole = letters.strength(run) == 0
            yield specimen.finding(
                "GP824",
                f"{'text' if whole else 'part of a text'} cannot be seen: {quoted((run,))}",
                _why(run, whole=whole, cut_off=rest is not None),
                place=run.box if whole else lost,
                text=text.number,
            )
            break


def _not_shown(specimen: Specimen, letters: WordPixels, run: PaintedText) -> Rect | None:
    """What of a run is cut off, covered or not painted, mm; None where all of it is there, be it in
    the colour of its ground."""
    rest = _cut_off(specimen, run)
    lost = rest or letters.lost(run)
    return None if rest is None and lost and _drowned(specimen, run, lost) else lost


def contrasts(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP825: text stands out from what is really behind it, WCAG 2.2, 1.4.3."""
    letters = lettering(specimen)
    for text in printed_texts(specimen):
        if are_clear(specimen, letters, text.runs):
            continue
        faint = [
            (found.ratio / found.needed, run, found)
            for run in text.runs
            if (found := illegible(specimen, letters, run)) is not None
            and _not_shown(specimen, letters, run) is None  # else it is told why it is not read
        ]
        if faint:
            _, run, worst = min(faint, key=lambda item: item[0])
            yield _too_faint(specimen, text, run, worst)


def _too_faint(
    specimen: Specimen, text: PrintedText, run: PaintedText, seen: Legibility
) -> FaceFinding:
    colour, ground = (f"#{r:02x}{g:02x}{b:02x}" for r, g, b in (seen.colour, seen.ground))
    return specimen.finding(
        "GP825",
        f"text has a contrast of {_floored(seen.ratio)}:1 with what is behind it, {colour} on"
        f" {ground}: {quoted((run,))}",
        f"at {run.size_pt:.1f} pt it needs {seen.needed:g}:1: take a darker or lighter colour for"
        " the one or the other",
        place=seen.place,
        text=text.number,
    )


def _floored(ratio: float) -> str:
    """So that 4.49 does not read as the 4.5 that it should be."""
    return f"{int(ratio * 10) / 10:.1f}"


def _cut_off(specimen: Specimen, run: PaintedText) -> Rect | None:
    """What of a run is outside of its clip paths and of the art; None when nothing is."""
    shown = specimen.look.art.cut_to(run.clip) if run.clip else specimen.look.art
    box = run.box
    if shown.contains(box, _CUT):
        return None
    sides = (
        (shown.x - box.x, Rect(box.x, box.y, shown.x - box.x, box.height)),
        (box.right - shown.right, Rect(shown.right, box.y, box.right - shown.right, box.height)),
        (shown.y - box.y, Rect(box.x, box.y, box.width, shown.y - box.y)),
        (
            box.bottom - shown.bottom,
            Rect(box.x, shown.bottom, box.width, box.bottom - shown.bottom),
        ),
    )
    if not shown.overlaps(box):
        return box
    return max(sides, key=lambda side: side[0])[1]


def _drowned(specimen: Specimen, run: PaintedText, lost: Rect) -> bool:
    """True when it is painted, but in the colour of its ground."""
    return is_painted(run) and contrast_at(specimen, run, lost) < _ALIKE


def _why(run: PaintedText, *, whole: bool, cut_off: bool) -> str:
    if whole and not is_painted(run):
        return "it is drawn invisible: give it a colour, or leave it out"
    if cut_off:
        return "it is cut off there: make the clip or the box larger, or the text smaller"
    return "something is painted over it, or it is cut off: draw it last, inside what holds it"


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
    return not _is_space(run) and is_painted(run)


def _is_moved(run: PaintedText, below: PaintedText) -> bool:
    alike = (run.font, run.mode, run.alpha) == (below.font, below.mode, below.alpha)
    if below.order >= run.order or not alike or abs(run.turn - below.turn) > _UPRIGHT:
        return False
    centre, under = run.box.centre, below.box.centre
    moved = max(abs(centre.x - under.x), abs(centre.y - under.y)) > _MOVED
    colours = zip(run.colour, below.colour, strict=True)
    return moved and all(abs(a - b) <= _ONE_COLOUR for a, b in colours) and _is_again(run, below)


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


_LARGE_SIGNS: Final = frozenset("∏∐∑√∛∜∫∬∭∮∯∰∱∲∳⋀⋁⋂⋃⨀⨁⨂⨄⨆")
"""Signs of formulas that stand among what belongs to them, such as the limits of an integral."""


def _is_crossed(one: PaintedText, other: PaintedText, shared: Rect) -> bool:
    if {one.words.strip(), other.words.strip()} & _LARGE_SIGNS:
        return False
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


_SMALL_ON_DARK_PT: Final = 7.0
"""pt under which pale letters on a ground of several inks close up: each ink prints a little beside
the others, and all of them spread."""
_DARK: Final = 0.18
"""Relative luminance of a middle grey."""
_GREY: Final = 16
"""Levels of 255 between the colours of what black alone may print."""
_TINGED, _VARIES = 6, 8
"""The same, of a photograph or gradient; levels between its darkest and its lightest."""


def knocked_out(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP828: no small letters are left out of a dark colour, which takes several inks."""
    for text in printed_texts(specimen):
        run = min(text.runs, key=lambda run: run.size_pt)
        if run.size_pt < _SMALL_ON_DARK_PT - _ROUNDING_PT and _is_left_out(specimen, run):
            yield specimen.finding(
                "GP828",
                f"pale letters of {run.size_pt:.1f} pt stand on a dark ground of several inks:"
                f" {quoted((run,))}",
                f"inks close up such letters: make them {_SMALL_ON_DARK_PT:g} pt and more, or the"
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
    mean = cast(Colour, part.resize((1, 1), Image.Resampling.BOX).getpixel((0, 0)))
    light = luminance(mean)
    return light < _DARK and luminance(run.colour) > light and _takes_several_inks(part)


def _takes_several_inks(part: Image.Image) -> bool:
    """Whether colours of a ground are more than black prints: of a photograph or a gradient, which
    may be grey all in all, each by itself."""
    ends: Any = part.getextrema()
    flat = max(most - least for least, most in ends) < _VARIES
    red, green, blue = part.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    least = ImageChops.darker(ImageChops.darker(red, green), blue)
    coloured: float = ImageStat.Stat(ImageChops.subtract(most, least)).mean[0]
    return coloured > (_GREY if flat else _TINGED)
