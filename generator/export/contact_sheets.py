"""Puts pictures side by side on one sheet, each with a caption."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from generator.geometry import summed

_GAP: Final = 0.06
"""White around a picture, in widths of a column."""
_CAPTION: Final = 0.065
"""Size of captions, in widths of a column."""
_LEAST_CAPTION_PX: Final = 11
_GROUND: Final = "#e9e7e2"
_INK: Final = "#1d1a17"


class PreviewPicture(Struct, frozen=True):
    """A picture file and its caption."""

    path: Path
    caption: str


def contact_sheet(
    pictures: Sequence[PreviewPicture], columns: int, width_px: int, font: Path
) -> bytes:
    """Return the PNG of a sheet `width_px` wide; every picture fills its column.

    Raises ValueError without a picture or a column, OSError for an unreadable picture or font.
    """
    if not pictures or columns < 1:
        raise ValueError("a contact sheet needs pictures and columns")
    columns = min(columns, len(pictures))
    column = width_px / columns
    gap = round(column * _GAP)
    inner = max(1, round(column) - 2 * gap)
    lettering = ImageFont.truetype(font, max(_LEAST_CAPTION_PX, round(column * _CAPTION)))
    foot = 2 * round(lettering.size) if any(picture.caption for picture in pictures) else 0
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
                small = _on_ground(opened).resize(
                    (inner, _height(picture, inner)), Image.Resampling.LANCZOS
                )
            sheet.paste(small, (left, top + height - small.height))
            caption = _shortened(picture.caption, lettering, inner)
            pen.text((left + inner / 2, top + height + foot / 2), caption, _INK, lettering, "mm")
        top += height + gap + foot
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _on_ground(picture: Image.Image) -> Image.Image:
    if picture.mode != "RGBA":
        return picture.convert("RGB")
    ground = Image.new("RGB", picture.size, _GROUND)
    ground.paste(picture, mask=picture)
    return ground


def _height(picture: PreviewPicture, width: int) -> int:
    with Image.open(picture.path) as opened:
        return max(1, round(width * opened.height / opened.width))


def _shortened(caption: str, lettering: ImageFont.FreeTypeFont, width: int) -> str:
    """Return as much of a caption as fits, with an ellipsis."""
    if lettering.getlength(caption) <= width:
        return caption
    while caption and lettering.getlength(caption + "…") > width:
        caption = caption[:-1]
    return caption.rstrip() + "…"
