"""The texts of a face, each with the runs that it is painted in, in; findings about their size,
place, visibility and contrast out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Severity
from generator.geometry import Point, Rect, around, depth_inside, summed
from generator.model.catalogue import Shape
from generator.model.manifest import TextEntry
from generator.outlines import polygon
from generator.preflight.drawn import SetText
from generator.preflight.faces import FaceFinding, Specimen
from generator.preflight.legibility import (
    Legibility,
    WordPixels,
    are_clear,
    contrast_at,
    illegible,
    is_painted,
    lettering,
)
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
    for run in _without_shadows([run for run in specimen.painted.texts if not is_space(run)]):
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


def is_space(run: PaintedText) -> bool:
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
        shadow = next((n for n in lately if is_again(run, kept[n])), None)
        if shadow is not None:
            below = kept.pop(shadow)
            stroke = below.stroke if run.stroke is None else run.stroke
            run = replace(run, words=run.words or below.words, stroke=stroke)  # noqa: PLW2901
            if run.mode in _LINES and below.mode not in _LINES:  # a line on letters that are filled
                run = replace(run, mode=_FILLED, colour=below.colour)  # noqa: PLW2901
        kept.append(run)
    yield from kept


def is_again(run: PaintedText, below: PaintedText) -> bool:
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


TOUCH: Final = 0.15
"""mm that nobody sees; what GP404 allows while faces are drawn."""
_ROUND_OR_SLANTED: Final = (Shape.CIRCLE, Shape.HEXAGON)
_INK: Final = 64
"""Difference of a pixel that is part of a letter, not of its soft edge."""


def reach_out(specimen: Specimen, letters: WordPixels, run: PaintedText, inside: float) -> float:
    """mm by which a run comes nearer to the cut than `inside`; 0 when that is no more than `TOUCH`.

    Rounded corners and pieces cut along a path of their own count as their box. In a circle and a
    hexagon the ink counts, not the box around it, whose corners are empty.
    """
    look, box = specimen.look, run.box
    if look.shape not in _ROUND_OR_SLANTED:
        trim = look.box
        nearest = min(
            box.x - trim.x, box.y - trim.y, trim.right - box.right, trim.bottom - box.bottom
        )
        return inside - nearest if inside - nearest > TOUCH else 0.0
    corners = polygon(look.box, look.shape)
    out = inside - min(
        depth_inside(corner, corners) for corner in polygon(run.box, Shape.RECTANGLE)
    )
    if out > TOUCH:
        out = min(out, inside - _depth_of_ink(letters, run, corners))
    return out if out > TOUCH else 0.0


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


LEAST_PT: Final = 5.0
"""pt under which print is hardly read at all; what GP405 says while faces are drawn."""
SMALL_PT: Final = 6.5
"""pt from which print is read without effort."""
ROUNDING_PT: Final = 0.02
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
        if run.size_pt < SMALL_PT - ROUNDING_PT:
            too_small = run.size_pt < LEAST_PT - ROUNDING_PT
            of_style = f" in style {style!r}" if style else ""
            yield specimen.finding(
                "GP821",
                f"text{of_style} is printed at {run.size_pt:.1f} pt: {quoted((run,))}",
                f"print of less than {LEAST_PT:g} pt is not read, of {SMALL_PT:g} pt and more it"
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
        out = [(reach_out(specimen, letters, run, safe), run) for run in text.runs]
        most, worst = max(out, key=lambda found: found[0])
        if most <= 0:
            continue
        cut = reach_out(specimen, letters, worst, 0) > 0
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
            lost = rest or letters.lost(run)
            if lost is None or (rest is None and _drowned(specimen, run, lost)):
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
