"""A poster of which a page shows a part in; the texts to look at there out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from PIL import ImageChops

from generator.geometry import Rect
from generator.preflight.painted import PaintedText
from generator.preflight.raster import Raster

_WORTH: Final = 1.0
"""mm of a text that must be on a page to be looked at there."""


def texts_in_sight(
    texts: Iterable[PaintedText], art: Rect, seen: Raster, ground: Raster
) -> Iterator[PaintedText]:
    """The texts of a page of a poster. Of a line that goes on beyond a seam only the ink on this
    side counts; one that a seam splits along its length is told of on no page."""
    for run in texts:
        part = run.box.cut_to(art)
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
