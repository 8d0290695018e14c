"""Pictures with captions in, one PNG with all of them in rows out."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from generator.units import summed

_GAP: Final = 0.06
"""White around a picture, in widths of a column."""
_CAPTION: Final = 0.065
"""Size of the captions, in widths of a column; no smaller than can be read on a screen."""
_LEAST_CAPTION_PX: Final = 11
_GROUND: Final = "#e9e7e2"
_INK: Final = "#1d1a17"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture file and what stands under it."""

    path: Path
    caption: str


def contact_sheet(pictures: Sequence[Picture], columns: int, width_px: int, font: Path) -> bytes:
    """The PNG of a sheet `width_px` wide; every picture keeps its proportions and fills its column.

    A row is as high as its highest picture. Raises ValueError without a picture or a column,
    OSError when a picture or the font (TrueType) cannot be read.
    """
    if not pictures or columns < 1:
        raise ValueError("a contact sheet needs pictures and columns")
    columns = min(columns, len(pictures))
    column = width_px / columns
    gap = round(column * _GAP)
    inner = max(1, round(column) - 2 * gap)
    lettering = ImageFont.truetype(font, max(_LEAST_CAPTION_PX, round(column * _CAPTION)))
    foot = 2 * round(lettering.size)
    rows = [pictures[start : start + columns] for start in range(0, len(pictures), columns)]
    heights = [max(_height(picture, inner) for picture in row) for row in rows]
    total = summed(heights) + len(rows) * (gap + foot) + gap
    sheet = Image.new("RGB", (width_px, total), _GROUND)
    pen = ImageDraw.Draw(sheet)
    top = gap
    for row, height in zip(rows, heights, strict=True):
        for number, picture in enumerate(row):
            left = round(number * column) + gap
            with Image.open(picture.path) as opened:
                small = opened.convert("RGB").resize(
                    (inner, _height(picture, inner)), Image.Resampling.LANCZOS
                )
            sheet.paste(small, (left, top + height - small.height))
            caption = _shortened(picture.caption, lettering, inner)
            pen.text((left + inner / 2, top + height + foot / 2), caption, _INK, lettering, "mm")
        top += height + gap + foot
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _height(picture: Picture, width: int) -> int:
    with Image.open(picture.path) as opened:
        return max(1, round(width * opened.height / opened.width))


def _shortened(caption: str, lettering: ImageFont.FreeTypeFont, width: int) -> str:
    """The caption, or as much of its beginning as fits, with an ellipsis."""
    if lettering.getlength(caption) <= width:
        return caption
    while caption and lettering.getlength(caption + "…") > width:
        caption = caption[:-1]
    return caption.rstrip() + "…"
