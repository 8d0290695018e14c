"""A specimen in, findings about the size, place, visibility and contrast of its texts out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.preflight.faces import FaceFinding, Specimen
from generator.preflight.legibility import (
    Legibility,
    are_clear,
    contrast_at,
    illegible,
    is_painted,
)
from generator.preflight.lettering import lettering
from generator.preflight.painted import PaintedText
from generator.preflight.printed_texts import PrintedText, box_of, printed_texts, quoted
from generator.preflight.safety import reach_out

LEAST_PT: Final = 5.0
"""pt under which print is hardly read at all; what GP405 says while faces are drawn."""
SMALL_PT: Final = 6.5
"""pt from which print is read without effort."""
_ROUNDING_PT: Final = 0.02
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
        if run.size_pt < SMALL_PT - _ROUNDING_PT:
            too_small = run.size_pt < LEAST_PT - _ROUNDING_PT
            of_style = f" in style {style!r}" if style else ""
            yield specimen.finding(
                "GP821",
                f"text{of_style} is printed at {run.size_pt:.1f} pt: {quoted((run,))}",
                f"print of less than {LEAST_PT:g} pt is not read, of {SMALL_PT:g} pt and more it"
                " is: raise the style's size or min in styles.yaml, and give the text room",
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
        yield specimen.finding(
            "GP823",
            f"text reaches {most:.1f} mm out of the safe zone"
            f"{' and over the cut' if cut else ''}: {quoted(text.runs)}",
            f"keep text {safe:g} mm away from the cut: no knife is exact",
            severity=Severity.ERROR if cut else Severity.WARNING,
            place=box_of(text.runs),
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
                _why(run, cut_off=rest is not None),
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


def _why(run: PaintedText, *, cut_off: bool) -> str:
    if not is_painted(run):
        return "it is drawn invisible: give it a colour, or leave it out"
    if cut_off:
        return "it is cut off there: make the clip or the box larger, or the text smaller"
    return "something is painted over it, or it is cut off: draw it last, inside what holds it"
