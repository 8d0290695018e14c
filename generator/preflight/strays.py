"""The paths and pictures of a face in; what of them lies near the cut, and icons that are over it
or out of the safe zone, out."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pypdfium2.raw as pdfium
from msgspec import Struct

from generator.geometry import Matrix, Rect
from generator.preflight.page_objects import PageObject, box_of, clip_box, colour_of

_ICON, _WORD = (2.5, 14.0), 40.0
"""mm of what may be an icon, which is smaller than a sun that rises, or a word in outlines."""
_STREWN: Final = 100
"""More are strewn: a pattern."""
_PLATE: Final = 4
"""Times as long as an icon is what lies under it, if it is not of the same picture."""
_SCENERY: Final = 0.03
"""Of the shorter side of a trim: what is smaller is the grain of a large picture."""
_DETAILED, _WORDY = 6, 40
"""Points of its outline: fewer has a band, a corner or a ribbon; and of those of a word."""
_ROUND: Final = (13, 14)
"""Points of four curves, open and closed: half a disc at the edge is an ornament."""
_PARTED, _TIP = 0.3, 0.04
"""Of a shape that lies over the cut: with so much of it on either side it is cut in two; with less,
but more than a tip, it is an icon that was put too far out, or, if it goes on to the end of the
bleed, a tab."""
_BEFORE_END: Final = 0.3
"""mm before the end of the bleed where such an icon ends."""
_COMPACT: Final = 1.6
"""How much longer than wide an icon is at most."""
NEARLY: Final = 0.3
"""mm that an icon may be out of the safe zone: PDFium's boxes are loose."""
_BESIDE_CUT: Final = 1.0
"""mm from the edge of a trim within which all is noted that is painted there."""
UNSEEN: Final = 8
"""Of 255: less opaque nobody sees it."""
NEAR: Final = 0.5
"""mm between two things that surely do not share a pixel: PDFium's boxes are not exact."""


class NearCut(Struct, frozen=True):
    """A path, or a picture, that comes near the edge of the trim or lies over it: its box (mm) as
    far as clips show it, and how many segments a path has."""

    box: Rect
    segments: int
    is_picture: bool = False


class Outside:
    """What is painted over the edge of a trim, and what icons are there or nearer to it than is
    safe, mm. Asked of thousands of shapes, nearly all of which are well inside."""

    def __init__(self, trim: Rect | None, safe: float, art: Rect | None = None) -> None:
        self._trim = trim or Rect(0, 0, 0, 0)
        self._end = (art or self._trim).grown(-_BEFORE_END)
        self._zone = self._trim.grown(-safe)
        self._core = self._trim.grown(-max(safe, _BESIDE_CUT))
        self._least = max(_ICON[0], _SCENERY * min(self._trim.width, self._trim.height))
        self._ends = tuple(ctypes.c_float() for _ in range(4))
        self._icons: list[Rect] = []
        self.near: list[NearCut] = []

    def look_at(self, item: Any, outside: Matrix, around: float) -> None:
        """A path, and how opaque what it is in is painted."""
        if self._is_inside(item, outside):
            return
        box = box_of(item, outside)
        shown = _within_clips(item, outside, box)
        self.near.append(NearCut(shown, pdfium.FPDFPath_CountSegments(item)))
        if min(box.width, box.height) < self._least or not self._strays(box):
            return
        if _is_icon(item, box, around):
            self._icons.append(box)

    def look_at_picture(self, item: Any, outside: Matrix) -> None:
        """A picture: of one that is well inside nothing is noted."""
        shown = _within_clips(item, outside, box_of(item, outside))
        if not self._core.contains(shown):
            self.near.append(NearCut(shown, 0, True))

    def astray(self, objects: Sequence[PageObject]) -> Iterator[Rect]:
        """The icons, but for those that something else of their size lies half over or under, or
        anything half over: they are parts of a picture, and so are many."""
        if not 0 < len(self._icons) <= _STREWN:
            return
        boxes = [
            box_of(other.item, other.matrix)
            for other in objects
            if other.kind != pdfium.FPDF_PAGEOBJ_TEXT
        ]
        for icon in self._icons:
            inner, around = icon.grown(-NEAR), icon.grown(NEAR)
            large = _PLATE * max(icon.width, icon.height)
            after = False
            for box in boxes:
                after = after or box == icon
                if (
                    not box.overlaps(inner)
                    or around.contains(box)
                    or box.grown(NEAR).contains(icon)
                ):
                    continue
                if after or max(box.width, box.height) < large:
                    break
            else:
                yield icon

    def _is_inside(self, item: Any, outside: Matrix) -> bool:
        a, b, c, d, e, f = outside
        zone = self._core
        if b or c:
            return zone.contains(box_of(item, outside))
        ends = self._ends
        pdfium.FPDFPageObj_GetBounds(item, *ends)
        left, right = a * ends[0].value + e, a * ends[2].value + e
        high, low = d * ends[1].value + f, d * ends[3].value + f
        return zone.x <= min(left, right) <= max(left, right) <= zone.right and (
            zone.y <= min(high, low) <= max(high, low) <= zone.bottom
        )

    def _strays(self, box: Rect) -> bool:
        """Whether some of a thing is inside the edge of the trim and some outside, or all of it
        inside, but some out of the safe zone."""
        if self._trim.contains(box):
            return not self._zone.contains(box, NEARLY)
        inside = box.cut_to(self._trim)
        left = inside.width * inside.height / (box.width * box.height)
        if left >= 1 - _PARTED:
            return left < 1 - _TIP and self._end.contains(box)
        return left > _TIP


def _within_clips(item: Any, outside: Matrix, box: Rect) -> Rect:
    clip = clip_box(item)
    return box if clip is None else box.cut_to(outside.box(clip))


def _is_icon(item: Any, box: Rect, around: float) -> bool:
    """True for a filled shape such as an icon, or a word in outlines."""
    wide, high = box.width, box.height
    if max(wide, high) > _WORD:
        return False
    compact = max(wide, high) <= min(_COMPACT * min(wide, high), _ICON[1])
    points = pdfium.FPDFPath_CountSegments(item)
    is_disc = points in _ROUND and abs(wide - high) < NEAR
    if is_disc or points < (_DETAILED if compact else _WORDY):
        return False
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fills, strokes)
    colour = colour_of(pdfium.FPDFPageObj_GetFillColor, item) if fills.value else None
    return colour is not None and colour[1] * around >= UNSEEN
