"""A face of which a page shows a part in; what of it to look at there, and its texts, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from PIL import ImageChops

from generator.geometry import Rect
from generator.preflight.expectation import Expected
from generator.preflight.painted import PaintedText
from generator.preflight.raster import Raster

_WORTH: Final = 1.0
"""mm of a text that must be on a page to be looked at there."""


def view(expected: Expected) -> str:
    """What tells the parts of one face apart that placements show: of a poster each page is looked
    at; of pieces whose neighbours leave them less bleed on some sides, each kind. Empty for a face
    that is shown whole."""
    box, page = expected.box, expected.poster
    if page is not None:
        return _seen_from(page.shown, box)
    if expected.outline:
        corners = (f"{p.x - box.x:.2f} {p.y - box.y:.2f}" for p in expected.outline)
        return f"{expected.rotation} {' '.join(corners)}"
    return f"{expected.rotation} {_seen_from(expected.clip, box)}" if expected.clip else ""


def _seen_from(part: Rect, box: Rect) -> str:
    return f"{part.x - box.x:.2f} {part.y - box.y:.2f} {part.width:.2f} {part.height:.2f}"


def in_sight(expected: Expected) -> Expected:
    """The face as it is looked at: of a poster's page only what stays in sight, for the rest lies
    under marks, and is looked at on the neighbour's page."""
    page = expected.poster
    return expected if page is None else replace(expected, clip=page.shown)


def texts_in_sight(
    texts: Iterable[PaintedText], expected: Expected, seen: Raster, ground: Raster
) -> Iterator[PaintedText]:
    """The texts of a page of a poster. Of a line that goes on beyond a seam only the ink on this
    side counts; one that a seam splits along its length is told of on no page."""
    for run in texts:
        part = run.box.cut_to(expected.art)
        if part == run.box:
            yield run
            continue
        level = min(run.turn % 180, -run.turn % 180) < 1
        split = part.height < run.box.height if level else part.width < run.box.width
        if split or min(part.width, part.height) <= 0 or max(part.width, part.height) < _WORTH:
            continue
        inked = _inked(part, seen, ground)
        if inked is not None:
            yield replace(run, box=inked)


def _inked(box: Rect, seen: Raster, ground: Raster) -> Rect | None:
    """The part of a box in which words leave a trace."""
    difference = ImageChops.difference(seen.part(box), ground.part(box))
    found = difference.getbbox()
    if found is None:
        return None
    across, down = box.width / difference.width, box.height / difference.height
    left, top, right, bottom = found
    return Rect(
        box.x + left * across, box.y + top * down, (right - left) * across, (bottom - top) * down
    )
