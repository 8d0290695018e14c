"""Checks pictures: enough pixels for their size, not stretched, of a kind that shops take."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from pikepdf import Array, Stream

from generator.geometry import Rect, pt_to_mm
from generator.preflight.finding import Finding
from generator.preflight.pdf.gathered import warned
from generator.preflight.pdf.pdf_colours import LAB
from generator.preflight.pdf.pdf_subject import SubjectPage
from generator.preflight.pdf.shown_marks import FileImage, ShownPicture

COARSE_DPI: Final = 150.0
GOOD_DPI: Final = 300.0
MOST_DPI: Final = 700.0
MOST_DPI_LINE_ART: Final = 1300.0
"""Dpi for pictures in pure black and white, whose edges are sharper."""
_LIGHT: Final = 1_000_000
"""Bytes of a picture that nobody minds, however many pixels it has."""
_STRETCH: Final = 0.02
_SLANT: Final = 1.0
"""Degrees."""
_FEW: Final = 16
"""Pixels: a smaller picture is a gradient or a flat, stretched on purpose."""
_ROUNDING: Final = 1.0
"""dpi."""
_THIN: Final = 0.01
"""pt."""
_CLASS, _SPACE = slice(12, 16), slice(16, 20)
"""The places of device class and colour space in an ICC profile (ICC.1, 7.2)."""


class _Use(NamedTuple):
    """A picture as it is printed: width and height (in), by how many degrees its sides are off a
    right angle, and where it is on the page (mm)."""

    image: FileImage
    width: float
    height: float
    slant: float
    place: Rect

    @property
    def dpi(self) -> float:
        """Pixels an inch, in the direction that has fewer."""
        return min(self.image.width / self.width, self.image.height / self.height)

    @property
    def said(self) -> str:
        """Return the name of the picture for messages."""
        return f"a picture of {self.image.width} × {self.image.height} pixels"

    @property
    def enough(self) -> str:
        """Return how many pixels are enough."""
        w, h = (math.ceil(length * GOOD_DPI) for length in (self.width, self.height))
        return f"{w} × {h} pixels"


def pictures(subject: SubjectPage) -> Iterator[Finding]:
    """Find pictures that are coarse (GP831), stretched (GP833) or far too large (GP834)."""
    number, told = subject.number, set[tuple[int, str]]()
    for picture in subject.marks.pictures:
        use = _use(picture, subject)
        if use is None:
            continue
        for code, message, hint in (*_resolution(use, subject), *_shape(use), *_colours(use)):
            if (id(use.image), code) not in told:
                told.add((id(use.image), code))
                yield warned(code, f"{use.said} {message}", hint, page=number, place=use.place)


_Fault = tuple[str, str, str]
"""A code, what is wrong and what to do."""


def _use(picture: ShownPicture, subject: SubjectPage) -> _Use | None:
    """The picture as it is printed; None for what is not seen or not a picture of anything."""
    image, matrix, place = picture.image, picture.matrix, subject.placed(picture.place)
    if min(image.width, image.height) <= _FEW or not (place.width and place.height):
        return None
    if not subject.is_printed(picture.place):
        return None
    unit = subject.frame.to_page.across / pt_to_mm(72)
    across = (matrix.a * matrix.c + matrix.b * matrix.d) / max(
        matrix.across * matrix.down, _THIN**2
    )
    slant = math.degrees(math.asin(max(-1.0, min(abs(across), 1.0))))
    width, height = max(matrix.across, _THIN) * unit, max(matrix.down, _THIN) * unit
    return _Use(image, width, height, slant, place)


def _resolution(use: _Use, subject: SubjectPage) -> Iterator[_Fault]:
    least = (subject.profile.dpi if subject.profile else 0) or COARSE_DPI
    if use.dpi < least - _ROUNDING:
        hint = f"it looks blurred: use {use.enough} ({GOOD_DPI:.0f} dpi), or print it smaller"
        yield "GP831", f"is printed at {use.dpi:.0f} dpi", hint
    most = MOST_DPI_LINE_ART if use.image.bits == 1 else MOST_DPI
    if use.dpi > most and use.image.stored > _LIGHT:
        size = use.image.stored / 1e6
        hint = f"print shows no more than {use.enough} ({GOOD_DPI:.0f} dpi): scale it down"
        yield "GP834", f"is printed at {use.dpi:.0f} dpi and takes {size:.1f} MB", hint


def _shape(use: _Use) -> Iterator[_Fault]:
    if use.slant > _SLANT:
        hint = "do not skew it, and scale it before you turn it"
        yield "GP833", f"is slanted: its corners are {use.slant:.0f}° off a right angle", hint
        return
    w, h = use.image.width, use.image.height
    stretch = (use.width / w) / (use.height / h) - 1
    if abs(stretch) > _STRETCH + 1 / w + 1 / h:  # a crop to whole pixels may be off by half of one
        way = "wider" if stretch > 0 else "narrower"
        hint = "keep its proportions and crop the rest"
        yield "GP833", f"is stretched: {abs(stretch) * 100:.0f} % {way} than it should be", hint


def _colours(use: _Use) -> Iterator[_Fault]:
    """GP832: Lab, and the profiles of scanners, are for editing; shops refuse them."""
    hint = "save it as RGB, grey or CMYK"
    if use.image.kind == LAB:
        yield "GP832", "has Lab colours", hint
    elif _is_of_scanner(use.image):
        yield "GP832", "has the colour profile of a scanner or camera", hint


def _is_of_scanner(image: FileImage) -> bool:
    space = image.space
    if not (isinstance(space, Array) and len(space) == 2 and isinstance(space[1], Stream)):
        return False
    head = space[1].read_bytes()[:128]
    return head[_CLASS] == b"scnr" or head[_SPACE] == b"Lab "
