"""Values that describe a page: text, pictures, areas of colour and lines, with their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct

from generator.geometry import Matrix, Rect
from generator.preflight.pdf.pdf_colours import PdfPaint
from generator.preflight.pdf.pdf_fonts import PdfFont

_PLACES: Final = 40
"""Places that are kept of one colour or width of line."""


class ShownText(NamedTuple):
    """A string as it is shown. `matrix` leads from text space, where `box` and `size` are in, to
    that of the marks; `clip` is what of it can be seen at most, None for all."""

    font: PdfFont
    codes: bytes
    size: float
    matrix: Matrix
    box: Rect
    clip: Rect | None
    paint: PdfPaint

    @property
    def place(self) -> Rect:
        """Return the visible part of its box; of no size if none is."""
        place = self.matrix.box(self.box)
        return place.cut_to(self.clip) if self.clip else place


class FileImage(Struct, frozen=True, eq=False):
    """A picture in the file, with its kind of colour. `stored` are its bytes; `space` is the colour
    space as the file has it; `source` is None for one that is written between drawing commands."""

    width: int
    height: int
    kind: str
    bits: int
    stored: int
    space: Any = None
    source: Any = None
    is_stencil: bool = False
    is_sheer: bool = False


class ShownPicture(NamedTuple):
    """A picture as it is shown: `matrix` leads from the unit square to its corners. One of a
    pattern is seen in `within`."""

    image: FileImage
    matrix: Matrix
    within: Rect | None = None

    @property
    def place(self) -> Rect:
        """Return the visible part of its box."""
        return self.within or self.matrix.box(_UNIT)


class ShownColour(NamedTuple):
    """A colour, whether it overprints, and why it is transparent, in words."""

    paint: PdfPaint
    overprints: bool = False
    sheer: str = ""


class ShownLine(NamedTuple):
    """The width of a line in units of its marks, and its colour."""

    width: float
    paint: PdfPaint


_UNIT: Final = Rect(0, 0, 1, 1)


class ShownMarks:
    """All marks of a page, a form or a pattern, in one space."""

    def __init__(self) -> None:
        self.texts: list[ShownText] = []
        self.pictures: list[ShownPicture] = []
        self.areas: dict[ShownColour, list[Rect]] = {}
        self.lines: dict[ShownLine, list[Rect]] = {}
        self.notes: dict[str, None] = {}
        self.fonts: dict[str, None] = {}
        """Names of fonts that the page names and does not have."""

    def area(self, colour: ShownColour, places: Sequence[Rect]) -> None:
        """Add areas of a colour."""
        if places:
            known = self.areas.setdefault(colour, [])
            known.extend(places[: _PLACES - len(known)])

    def line(self, line: ShownLine, places: Sequence[Rect]) -> None:
        """Add lines of a width."""
        if places:
            known = self.lines.setdefault(line, [])
            known.extend(places[: _PLACES - len(known)])

    def add(self, inner: ShownMarks, ctm: Matrix, clip: Rect | None) -> None:
        """Add the marks of a form that is shown here."""
        for text in inner.texts:
            within = ctm.box(text.clip) if text.clip else None
            self.texts.append(text._replace(matrix=ctm.then(text.matrix), clip=_both(within, clip)))
        for image, matrix, within in inner.pictures:
            seen = ctm.box(within) if within else None
            self.pictures.append(ShownPicture(image, ctm.then(matrix), seen))
        for colour, places in inner.areas.items():
            self.area(colour, _seen([ctm.box(place) for place in places], clip))
        scale = abs(ctm.area) ** 0.5
        for line, places in inner.lines.items():
            width = round(line.width * scale, 4)
            self.line(line._replace(width=width), _seen([ctm.box(p) for p in places], clip))
        self.notes |= inner.notes
        self.fonts |= inner.fonts


def _both(one: Rect | None, other: Rect | None) -> Rect | None:
    if one is None or other is None:
        return one or other
    return one.cut_to(other)


def _seen(places: list[Rect], clip: Rect | None) -> list[Rect]:
    """The parts of places that a clip shows; a line has an extent in one direction only."""
    if clip is None:
        return places
    return [
        place.cut_to(clip)
        for place in places
        if place.x <= clip.right and clip.x <= place.right
        if place.y <= clip.bottom and clip.y <= place.bottom
    ]
