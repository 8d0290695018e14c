"""Reads the boxes of a page: its size, where it is cut, and how far it goes on beyond."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from pikepdf import Array, Dictionary, Page

from generator.geometry import Matrix, Rect, Size, pt_to_mm

_DEEPEST: Final = 100
_CORNERS: Final = 4
_SLACK: Final = 0.05
"""mm of rounding."""


class PageFrame(Struct, frozen=True):
    """A page without its content. Boxes are in mm from the top left corner as seen; `trim` and
    `bleed` may be None. `to_page` takes points of the content to these mm; `faults` are nonsensical
    boxes, in words."""

    number: int
    size: Size
    to_page: Matrix
    trim: Rect | None = None
    bleed: Rect | None = None
    faults: tuple[str, ...] = ()

    @property
    def whole(self) -> Rect:
        """The page, mm."""
        return Rect(0, 0, self.size.width, self.size.height)

    @property
    def is_cut(self) -> bool:
        """True when the page itself says that it is cut smaller."""
        trim = self.trim
        return trim is not None and (
            trim.width < self.size.width - _SLACK or trim.height < self.size.height - _SLACK
        )


def read_frame(page: Page, number: int) -> PageFrame:
    """Return the boxes of a page. Raises ValueError when it has no usable MediaBox."""
    media = _box(_inherited(page.obj, "/MediaBox"))
    if media is None or min(media.width, media.height) <= 0:
        raise ValueError("a page has no MediaBox that gives its size")
    trim = _box(page.obj.get("/TrimBox", page.obj.get("/ArtBox")))
    bleed = _box(page.obj.get("/BleedBox"))
    crop = _box(_inherited(page.obj, "/CropBox"))
    whole = media
    if trim is None and crop is not None and media.contains(crop) and crop.width * crop.height:
        whole = crop
    unit = pt_to_mm(float(page.obj.get("/UserUnit", 1)))
    width, height = whole.width * unit, whole.height * unit
    upright = Matrix(unit, 0, 0, -unit, -whole.x * unit, whole.bottom * unit)
    turns, size = _turns(_inherited(page.obj, "/Rotate"), width, height)
    to_page = turns.then(upright)
    seen = {name: box and to_page.box(box) for name, box in (("Trim", trim), ("Bleed", bleed))}
    frame = PageFrame(number, size, to_page, seen["Trim"], seen["Bleed"])
    return PageFrame(number, size, to_page, seen["Trim"], seen["Bleed"], _faults(frame))


def _faults(frame: PageFrame) -> tuple[str, ...]:
    trim, bleed, whole = frame.trim, frame.bleed, frame.whole
    found = [
        f"the {name} has no area"
        for name, box in (("TrimBox", trim), ("BleedBox", bleed))
        if box is not None and min(box.width, box.height) <= 0
    ]
    if trim is not None and not whole.contains(trim, _SLACK):
        found.append("the TrimBox reaches beyond the page")
    if trim is not None and bleed is not None and not bleed.contains(trim, _SLACK):
        found.append("the BleedBox does not enclose the TrimBox")
    return tuple(found)


def _turns(rotate: Any, width: float, height: float) -> tuple[Matrix, Size]:
    """Return the turn of a page, and its size after it."""
    degrees = int(rotate or 0) % 360
    matrices = {
        90: Matrix(0, 1, -1, 0, height, 0),
        180: Matrix(-1, 0, 0, -1, width, height),
        270: Matrix(0, -1, 1, 0, 0, width),
    }
    size = Size(height, width) if degrees in (90, 270) else Size(width, height)
    return matrices.get(degrees, Matrix()), size


def _inherited(node: Any, key: str) -> Any:
    """Return an entry of a page or of the nearest node above it."""
    for _ in range(_DEEPEST):
        if not isinstance(node, Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def _box(corners: Any) -> Rect | None:
    """A rectangle by any two opposite corners, pt."""
    if not isinstance(corners, Array) or len(corners) != _CORNERS:
        return None
    x1, y1, x2, y2 = (float(value) for value in corners)
    return Rect(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1))
