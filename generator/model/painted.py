"""Values that describe a drawn face: its shapes, pictures and texts in the order of painting.

The renderer makes a `FaceGeometry` of each face that it draws; face checks read it and nothing
else. Only the findings are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from msgspec import Struct

from generator.diagnostics import Severity, Span
from generator.geometry import IDENTITY, Matrix, Rect
from generator.model.catalogue import Stock

Segment = tuple[str, tuple[float, ...]]
"""A step of a path and its points, x and y in turn: M(ove), L(ine), C(urve), Z (closed)."""


class PaintedShape(Struct, frozen=True):
    """A shape that is filled or stroked; one that is both appears twice.

    `box` is what it covers on the face (trim coordinates, mm), with half the width of its line and
    cut to the boxes of the clip paths around it. `colour` is `#rrggbb`, or "" for a gradient.
    `opacity` includes that of the groups around it. `line` is the width of a stroke as it prints,
    mm; 0 for a fill. `solid` means that it fills all of its box: an upright rectangle with square
    corners. `segments` are its outline in its own units, `matrix` takes them onto the face.
    `clipped` says that a clip path other than an upright rectangle may hide parts of its box.
    `path` is the outline in its own units as text, `area` that of a fill on the face, mm².
    """

    box: Rect
    colour: str
    opacity: float = 1.0
    line: float = 0.0
    solid: bool = False
    segments: tuple[Segment, ...] = ()
    matrix: Matrix = IDENTITY
    clipped: bool = False
    path: str = ""
    area: float = 0.0


class PaintedPicture(Struct, frozen=True):
    """A picture: `box` is what it covers on the face, mm, cut as that of a shape; `matrix` takes
    the unit square, whose y goes down, onto the face, before it is cut. `href` names its content,
    `name` is what the author calls it; `width_px` and `height_px` are what the file has.
    `see_through` means that the file has transparent parts."""

    box: Rect
    matrix: Matrix
    href: str
    name: str
    width_px: int
    height_px: int
    opacity: float = 1.0
    clipped: bool = False
    see_through: bool = False


class PaintedText(Struct, frozen=True):
    """A set text: `box` is what its ink covers on the face, mm, before anything is cut off, and
    `shown` what the clip paths around it leave of that. `colour` is that of its letters, `#rrggbb`,
    "" for a gradient, "none" for none; `outline` that of the line around them, "" without one, and
    `outline_mm` its width as printed. `size_pt` is the size as printed, `across` and `down` are how
    much groups around it stretch it. `number` is that of the text on its face. `strips` are what
    the ink of each run of letters covers before `matrix` takes it onto the face, line by line;
    empty where that is `box`."""

    box: Rect
    shown: Rect
    words: str
    style: str
    size_pt: float
    colour: str
    opacity: float = 1.0
    outline: str = ""
    outline_mm: float = 0.0
    weight: int = 400
    matrix: Matrix = IDENTITY
    across: float = 1.0
    down: float = 1.0
    decoration: bool = False
    number: int = -1
    strips: tuple[Rect, ...] = ()

    @property
    def may_adorn(self) -> bool:
        """True for pale text, and a few large letters: they may be decoration without saying so."""
        return self.opacity < 0.5 or is_ornament(self.words, self.size_pt)


def is_ornament(words: str, size_pt: float) -> bool:
    """Return True for at most three letters of 24 pt or more, and for any of 48 pt."""
    return size_pt >= 48 or (size_pt >= 24 and len(words.strip()) <= 3)


class PaintedArt(Struct, frozen=True):
    """A drawing that the SVG engine paints: the box that it covers, mm. Its inside is unknown."""

    box: Rect


Painted = PaintedShape | PaintedPicture | PaintedText | PaintedArt


class FaceGeometry(Struct, frozen=True):
    """One side of a component: `name` is front or back, `painted` all that it shows, in the order
    of painting, trim coordinates, mm."""

    component: str
    kind: str
    name: str
    stock: Stock
    span: Span
    painted: tuple[Painted, ...]


class FaceFinding(Struct, frozen=True):
    """A finding of a face check. `about` is the number of the thing in `painted`, by which the
    renderer finds the author's line; None for the face as a whole. Findings of one template line
    with one `topic` are one fault, even where their figures differ."""

    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.WARNING
    about: int | None = None
    topic: str = ""


class PictureLook(Protocol):
    """The look of a picture file, from one small copy of it."""

    @property
    def plain(self) -> bool:
        """True when all of it is one colour or transparent."""

    def luminance(self, part: Rect) -> tuple[float, float]:
        """Return the least and the most relative luminance, 0 to 1, in a part of the picture. The
        whole picture is the unit square; y goes down."""


PictureLooks = Callable[[PaintedPicture], PictureLook | None]
"""Returns the look of a picture, or None when its file cannot be read."""


class FaceTraits(Struct, frozen=True):
    """The traits that comparisons of faces use. `fills` are the colours of its shapes,
    `#rrggbb`, each with its share of the trim. `forms` are digests of its shapes and pictures
    without their colours, once as they are and once with their place; None where there are too
    many. `border` is how wide a frame of one colour along the cut is, mm; 0 without one."""

    fills: tuple[tuple[str, float], ...] = ()
    forms: tuple[int, ...] | None = ()
    border: float = 0.0


class CheckedFace(NamedTuple):
    """The findings of a face, and its traits for checks of the set."""

    findings: tuple[FaceFinding, ...] = ()
    traits: FaceTraits = FaceTraits()


FaceCheck = Callable[[FaceGeometry, PictureLooks], CheckedFace]
"""Looks over a face that was just drawn."""
