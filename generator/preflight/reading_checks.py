"""The texts of a face in; findings about what makes them hard to read though all of them is seen:
one over another, read from the back, small and pale on a dark ground, out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.preflight.faces import FaceFinding, Specimen
from generator.preflight.legibility import is_painted, luminance
from generator.preflight.painted import PaintedText
from generator.preflight.text_checks import printed_texts, quoted
from generator.units import pt_to_mm

_DEEP: Final = 0.4
"""Part of the height of the lower of two lines that they share where one is over the other: the
tails of letters may reach into the next line."""
_WIDE: Final = 0.35
"""Em of the smaller of two texts that they share, along their lines."""
_MOST: Final = 300
"""Runs of a face that are compared with each other."""
_UPRIGHT: Final = 1.0
"""Degrees by which a line may be off a right angle: the box of one that is turned has empty
corners."""


def crossings(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP826: no text is printed over another."""
    texts = printed_texts(specimen)
    runs = [(text, run) for text in texts for run in text.runs if _has_a_box(run)]
    told: set[frozenset[int]] = set()
    for (one, above), (other, below) in combinations(runs[:_MOST], 2):
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


def _has_a_box(run: PaintedText) -> bool:
    return is_painted(run) and min(run.turn % 90, -run.turn % 90) < _UPRIGHT


def _is_crossed(one: PaintedText, other: PaintedText, shared: Rect) -> bool:
    along, across = shared.width, shared.height
    lower = min(one.box.height, other.box.height)
    if one.turn % 180 > _UPRIGHT and other.turn % 180 > _UPRIGHT:
        along, across = across, along
        lower = min(one.box.width, other.box.width)
    em = pt_to_mm(min(one.size_pt, other.size_pt))
    return across > _DEEP * lower and along > _WIDE * em


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


SMALL_PT: Final = 7.0
"""pt under which pale letters on a ground of several inks close up: each ink prints a little beside
the others, and all of them spread."""
_ROUNDING_PT: Final = 0.02
_DARK: Final = 0.18
"""Relative luminance of a middle grey."""
_GREY: Final = 16
"""Levels of 255 between the colours of what black alone may print."""


def knocked_out(specimen: Specimen) -> Iterator[FaceFinding]:
    """GP828: no small letters are left out of a dark colour, which takes several inks."""
    for text in printed_texts(specimen):
        run = min(text.runs, key=lambda run: run.size_pt)
        if run.size_pt < SMALL_PT - _ROUNDING_PT and _is_left_out(specimen, run):
            yield specimen.finding(
                "GP828",
                f"pale letters of {run.size_pt:.1f} pt stand on a dark ground of several inks:"
                f" {quoted((run,))}",
                f"inks close up such letters: make them {SMALL_PT:g} pt and more, or the ground"
                " black, or light",
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
