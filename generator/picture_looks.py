"""Reads the brightness of picture files from a copy at an eighth of their size."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from msgspec import Struct
from PIL import Image

from generator.assets import in_8_bits
from generator.geometry import Rect
from generator.luminance import linear
from generator.model.painted import PaintedPicture

_SMALLER: Final = 8
_KEPT: Final = 256
"""Pictures kept, about 20 KB each."""
_ONE_COLOUR: Final = 3
"""Levels of 255 that a JPEG of one colour may vary."""
_LINEAR: Final = [round(255 * linear(level / 255)) for level in range(256)] * 3
_TO_LUMINANCE: Final = (0.2126, 0.7152, 0.0722, 0.0)


class SmallPicture(Struct, frozen=True):
    """The relative luminance of a picture, pixel by pixel, 255 for white. `plain` means that it is
    one colour or transparent."""

    pixels: Image.Image
    plain: bool

    def luminance(self, part: Rect) -> tuple[float, float]:
        """Return the least and the most luminance, 0 to 1, in a part of the unit square."""
        wide, high = self.pixels.size
        left = min(max(int(part.x * wide), 0), wide - 1)
        top = min(max(int(part.y * high), 0), high - 1)
        right = min(max(round(part.right * wide), left + 1), wide)
        bottom = min(max(round(part.bottom * high), top + 1), high)
        least, most = self.pixels.crop((left, top, right, bottom)).getextrema()
        assert isinstance(least, int | float)
        assert isinstance(most, int | float)
        return least / 255, most / 255


class Looks:
    """Decodes each picture once a process."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, SmallPicture | None] = OrderedDict()

    def of(self, picture: PaintedPicture, content: Callable[[], bytes]) -> SmallPicture | None:
        """Return the look of a picture, or None if it cannot be decoded; `content` returns its
        file."""
        href = picture.href
        if href not in self._known:
            self._known[href] = _decoded(content())
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(href)
        return self._known[href]


def _decoded(content: bytes) -> SmallPicture | None:
    try:
        with Image.open(io.BytesIO(content)) as file:
            file.draft(None, (max(1, file.width // _SMALLER), max(1, file.height // _SMALLER)))
            shown = in_8_bits(file)
            whole = shown.convert("RGBA" if shown.has_transparency_data else "RGB")
            smaller = max(1, _SMALLER * whole.width // file.width) if file.format != "JPEG" else 1
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    small = whole.reduce(smaller) if min(whole.size) > smaller > 1 else whole
    ends = [band.getextrema() for band in small.split()]
    plain = all(most - least <= _ONE_COLOUR for least, most in ends)  # type: ignore[operator]
    unseen = small.mode == "RGBA" and ends[3][1] == 0
    pixels = small.convert("RGB").point(_LINEAR).convert("L", _TO_LUMINANCE)
    return SmallPicture(pixels, plain or unseen)
