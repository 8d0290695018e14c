"""What is painted in a face in; its marks, told apart by all but their colour, packed, out.

Two faces drawn from one template share most of their marks. Where the same mark has another colour
the colour says something; where one face has a mark that the other lacks, its shape or words do.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final, NamedTuple

from generator.geometry import Rect
from generator.preflight.manifest_reader import Expected
from generator.preflight.page_objects import Colour
from generator.preflight.painted import Painted, PaintedShape

_GRID: Final = 0.1
"""mm to which places are rounded, so that one mark in two faces is the same."""
_OFF_GRID: Final = 0.0237
"""mm; lengths that people choose (5.25) must not lie between two lines of the grid, where the last
digit, which depends on the place on the page, would decide."""
_LAYOUT: Final = struct.Struct("<Q3B4h")
_ORDER: Final = itemgetter(0)
_WHITE: Final = (255, 255, 255)
_OPAQUE: Final = 255
_FARTHEST: Final = 32767  # of 16 bits


class Mark(NamedTuple):
    """A line of text, a shape or a picture: its colour as it is seen, and x, y, width and height
    of its place in trim coordinates of the upright face, in tenths of a millimetre."""

    colour: Colour
    corners: tuple[int, int, int, int]

    @property
    def place(self) -> Rect:
        """mm."""
        x, y, w, h = (steps * _GRID for steps in self.corners)
        return Rect(x, y, w, h)


def packed(painted: Painted, trim: Rect) -> bytes:
    """All marks of an upright face with that trim, in the order of painting, 19 bytes each."""
    grounds = [shape for shape in reversed(painted.shapes) if shape.fill and shape.alpha == _OPAQUE]
    marks = []
    for order, what, colour, alpha, box in sorted(_things(painted), key=_ORDER):
        seen = colour if alpha == _OPAQUE else _over(colour, alpha, _ground(grounds, order, box))
        lengths = (box.x - trim.x, box.y - trim.y, box.width, box.height)
        x, y, w, h = steps = [round((length + _OFF_GRID) / _GRID) for length in lengths]
        if min(steps) < -_FARTHEST or max(steps) > _FARTHEST:
            x, y, w, h = (min(max(step, -_FARTHEST), _FARTHEST) for step in steps)
        digest = hashlib.blake2b(f"{what}|{x}|{y}|{w}|{h}".encode(), digest_size=8).digest()
        marks.append(_LAYOUT.pack(int.from_bytes(digest, "little"), *seen, x, y, w, h))
    return b"".join(marks)


def unpacked(marks: bytes) -> dict[int, Mark]:
    """Marks by a digest of what they are and where in the face; of two in one place the one
    painted last, which is the one seen."""
    return {
        identity: Mark((r, g, b), (x, y, w, h))
        for identity, r, g, b, x, y, w, h in _LAYOUT.iter_unpack(marks)
    }


def upright(box: Rect, expected: Expected) -> Rect:
    """A place on the page in trim coordinates of the face, however that is turned; mm."""
    trim = expected.box
    place = Rect(box.x - trim.x, box.y - trim.y, box.width, box.height)
    width, height = trim.width, trim.height
    for _ in range(expected.rotation // 90 % 4):
        place = Rect(place.y, width - place.right, place.height, place.width)
        width, height = height, width
    return place


def on_page(place: Rect, expected: Expected) -> Rect:
    """A place in trim coordinates of the face on the page that it is drawn on; mm."""
    turns = expected.rotation // 90 % 4
    trim = expected.box
    height = trim.height if turns % 2 == 0 else trim.width
    width = trim.width if turns % 2 == 0 else trim.height
    for _ in range(turns):
        place = Rect(height - place.bottom, place.x, place.height, place.width)
        width, height = height, width
    return Rect(trim.x + place.x, trim.y + place.y, place.width, place.height)


def _things(painted: Painted) -> Iterator[tuple[int, str, Colour, int, Rect]]:
    """Order, what it is, its colour and how opaque that is, box."""
    for text in painted.texts:
        yield text.order, f"text {text.words}", text.colour, text.alpha, text.box
    for image in painted.images:
        # Its pixels are not looked at: another picture is another mark.
        yield image.order, f"picture {image.pixels} {image.stored}", _WHITE, _OPAQUE, image.box
    for shape in painted.shapes:
        for what, colour in (("fill", shape.fill), ("stroke", shape.stroke)):
            if colour is not None:
                yield shape.order, f"{what} {shape.segments}", colour, shape.alpha, shape.box


def _ground(grounds: Iterable[PaintedShape], order: int, box: Rect) -> Colour:
    """The colour of the last opaque shape, of those given last first, under all of the box."""
    for ground in grounds:
        if ground.order < order and ground.fill and ground.box.contains(box, _GRID):
            return ground.fill
    return _WHITE


def _over(colour: Colour, alpha: int, ground: Colour) -> Colour:
    r, g, b = (
        round((c * alpha + under * (_OPAQUE - alpha)) / _OPAQUE)
        for c, under in zip(colour, ground, strict=True)
    )
    return r, g, b
