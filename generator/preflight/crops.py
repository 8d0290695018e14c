"""Findings in a finished PDF in; of each a picture of the fault in its surroundings out."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import pypdfium2
from PIL import Image, ImageDraw

from generator.geometry import Rect
from generator.preflight.apart import answer, bound_time
from generator.preflight.finding import Finding
from generator.preflight.raster import Raster, opened, rendered
from generator.units import pt_to_mm

_DPI: Final = 150
_AROUND: Final = 6.0
"""mm of the page that are shown beyond the fault."""
_LEAST: Final = 24.0
"""mm that a picture shows at least, so that one sees where it is."""
_WIDEST: Final = 900
"""Pixels."""
_MARK: Final = (214, 31, 90)


def crops(path: Path, findings: Iterable[Finding]) -> dict[Finding, bytes]:
    """A PNG for each finding that has a place; those whose pages cannot be drawn have none."""
    placed = [finding for finding in findings if finding.page and finding.place is not None]
    return (answer(_drawn, (path, placed)) if placed else None) or {}


def _drawn(task: tuple[Path, Sequence[Finding]]) -> dict[Finding, bytes]:
    path, placed = task
    pictures: dict[Finding, bytes] = {}
    bound_time()
    with suppress(Exception), opened(path) as document:  # whatever PDFium says of odd pages
        for number in sorted({finding.page for finding in placed}):
            page = _page(document[number - 1])
            for finding in placed:
                place = finding.place if finding.page == number else None
                if place is not None and page.box.overlaps(place.grown(_AROUND)):
                    pictures[finding] = _crop(page, place)
    return pictures


def _page(page: pypdfium2.PdfPage) -> Raster:
    width, height = (pt_to_mm(size) for size in page.get_size())
    return rendered(page, width, height, _DPI)


def _crop(page: Raster, place: Rect) -> bytes:
    grow = max(_AROUND, (_LEAST - max(place.width, place.height)) / 2)
    shown = page.cut(place.grown(grow))
    picture = shown.image.copy()
    across, down = picture.width / shown.box.width, picture.height / shown.box.height
    frame = place.grown(0.4).moved(-shown.box.x, -shown.box.y)
    corners = (frame.x * across, frame.y * down, frame.right * across, frame.bottom * down)
    ImageDraw.Draw(picture).rectangle(corners, outline=_MARK, width=3)
    picture.thumbnail((_WIDEST, _WIDEST), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    picture.quantize(128).save(out, "PNG", optimize=True)
    return out.getvalue()
