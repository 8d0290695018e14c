"""Faces of a finished PDF in; pictures of each on its own, so that equal faces have equal pixels,
out."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from enum import Enum, auto
from functools import lru_cache
from typing import Any, Final, Self

import pypdfium2
from pikepdf import Array, Dictionary, Name, Pdf, StreamDecodeLevel
from PIL import Image, ImageChops, ImageFilter

from generator.units import mm_to_pt

Form = tuple[int, int]
"""The number of a face's object in the file."""

_DPI: Final = 150
"""A dot of 0.2 mm, about what one sees on a card in the hand, is one pixel."""
_SEEN: Final = 12
"""Levels of 255 by which a pixel must differ to count: less is not seen in print."""
_CLEAR: Final = 64
"""Levels that make another colour, not another shade."""
_SPOT: Final = 13
"""Pixels, 2.2 mm: what differs over less is a flaw, a moved line or a pencil mark, not a sign."""
_KEPT: Final = 16
"""Pictures that are kept while others are compared with them."""
_MOST_PIXELS: Final = 4_000_000
"""Of a picture, of a board of A3; larger faces are drawn smaller."""


class Likeness(Enum):
    """What one sees of two faces side by side."""

    SAME = auto()
    NEARLY_SAME = auto()
    CLEARLY_DIFFERENT = auto()


class CloseUps:
    """Compares the trims of faces, whatever their place and turn on the pages of the file.

    On the pages two equal faces differ in the grey of their edges; drawn at the same place they
    do not.
    """

    def __init__(self, pdf: Pdf, forms: Mapping[Form, float]) -> None:
        """The faces that will be compared, each with its bleed, mm."""
        self._pages = {form: number for number, form in enumerate(forms)}
        self._document = pypdfium2.PdfDocument(_one_a_page(pdf, forms)) if forms else None
        self._picture = lru_cache(maxsize=_KEPT)(self._draw)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._picture.cache_clear()
        if self._document is not None:
            self._document.close()

    def compare(self, one: Form, other: Form) -> Likeness:
        """How alike two faces are."""
        if one == other:
            return Likeness.SAME
        a, b = self._picture(one), self._picture(other)
        if a.size != b.size:
            return Likeness.CLEARLY_DIFFERENT
        red, green, blue = ImageChops.difference(a, b).split()
        off = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        extremes: Any = off.getextrema()
        if extremes[1] < _SEEN:
            return Likeness.SAME
        clear = off.point([255 * (level >= _CLEAR) for level in range(256)])
        spots = clear.filter(ImageFilter.MinFilter(_SPOT)).getbbox()
        return Likeness.CLEARLY_DIFFERENT if spots else Likeness.NEARLY_SAME

    def _draw(self, form: Form) -> Image.Image:
        assert self._document is not None
        page = self._document[self._pages[form]]
        width, height = (max(side, 1) for side in page.get_size())
        scale = min(_DPI / 72, math.sqrt(_MOST_PIXELS / (width * height)))
        picture: Image.Image = page.render(scale=scale, rev_byteorder=True).to_pil()
        return picture.convert("RGB")


def _one_a_page(pdf: Pdf, forms: Mapping[Form, float]) -> bytes:
    """A file in which every page is the trim of one face."""
    target = Pdf.new()
    for form, bleed in forms.items():
        face = target.copy_foreign(pdf.get_object(form))
        x1, y1, x2, y2 = (float(value) for value in face.BBox)
        inset = mm_to_pt(bleed)
        page = target.add_blank_page(page_size=(x2 - x1, y2 - y1))
        page.mediabox = Array([x1 + inset, y1 + inset, x2 - inset, y2 - inset])
        page.Resources = Dictionary(XObject=Dictionary(F=face))
        page.Contents = target.make_stream(b"/F Do")
        if "/Matrix" in face:
            del face[Name.Matrix]
    out = io.BytesIO()
    target.save(out, compress_streams=False, stream_decode_level=StreamDecodeLevel.none)
    return out.getvalue()
