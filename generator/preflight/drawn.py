"""What is drawn on a page of a finished PDF and where, as it was read back: values in mm from the
top left of the page."""

from __future__ import annotations

import math

from msgspec import Struct

from generator.geometry import Point, Rect


class FormDraw(Struct, frozen=True):
    """A Form XObject drawn on the page: its resource name, the middle of its box, its size when
    it stands upright at full scale (mm), clockwise turn in degrees, scale along its axes; `form`
    is the number of the object in the file; `clip` are the corners of the last clip path that it
    is drawn inside of, if there is one, and `window` is what the boxes of all of them share. It is
    `plain` when nothing that was set before changes its look, and `clips`, polygons, are all that
    cuts it."""

    name: str
    centre: Point
    width: float
    height: float
    rotation: float
    scale: tuple[float, float]
    form: tuple[int, int] = (0, 0)
    clip: tuple[Point, ...] = ()
    window: Rect | None = None
    plain: bool = False
    clips: tuple[tuple[Point, ...], ...] = ()


class SetText(Struct, frozen=True):
    """A text as a face sets it: which of those that the manifest lists, its colour, its font, its
    size (pt) and how many letters it has."""

    number: int
    colour: tuple[int, int, int]
    font: str
    size_pt: float
    letters: int


class LineStroke(Struct, frozen=True):
    """A straight line that is stroked; `layer` is the name of its optional content group."""

    layer: str
    start: Point
    end: Point

    @property
    def length(self) -> float:
        """mm."""
        return math.dist((self.start.x, self.start.y), (self.end.x, self.end.y))


class ClosedStroke(Struct, frozen=True):
    """A closed path that is stroked: the box around its corners, which for a circle of four
    curves is its own; mm."""

    layer: str
    box: Rect


class Pen(Struct, frozen=True):
    """How lines are drawn: width and dash in mm, the numbers of the colour, how they end (PDF 1.7,
    8.4.3.3)."""

    width: float = 0.0
    colour: tuple[float, ...] = (0.0,)
    dash: tuple[float, ...] = ()
    cap: int = 0


PathStep = tuple[str, tuple[Point, ...]]
"""m(ove), l(ine), c(urve) or h (closed), and where to."""


class DrawnPath(Struct, frozen=True):
    """A part of a path that is stroked on a layer, inside of `window` if there is one."""

    layer: str
    steps: tuple[PathStep, ...]
    pen: Pen
    window: Rect | None = None


class DrawnWords(Struct, frozen=True):
    """A line of letters on a layer: where its baseline begins, its size and the clockwise turn;
    it is `plain` if it is black and neither squeezed nor spread."""

    layer: str
    words: str
    at: Point
    size_pt: float
    turn: float
    plain: bool


class PageRead(Struct, frozen=True):
    """A page as it is in the file, mm; the boxes count from the top left of the MediaBox.
    `others` is what is done on the page itself that is neither a face nor a line or words on a
    layer; `paths` and `words` are those; `over` tells whether a face is drawn after them."""

    number: int
    width: float
    height: float
    turned: int
    crop: Rect
    bleed: Rect | None
    trim: Rect | None
    draws: tuple[FormDraw, ...]
    strokes: tuple[LineStroke, ...]
    outlines: tuple[ClosedStroke, ...] = ()
    others: tuple[str, ...] = ()
    paths: tuple[DrawnPath, ...] = ()
    words: tuple[DrawnWords, ...] = ()
    over: bool = False
