"""Faces made by hand, with the notes that the renderer would have made."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from generator.diagnostics import Span
from generator.geometry import Matrix, Rect, Size
from generator.model.catalogue import Stock
from generator.model.painted import (
    FaceFinding,
    FaceGeometry,
    Painted,
    PaintedPicture,
    PaintedShape,
    PaintedText,
)
from generator.preflight.face_checks import look_over

POKER = Stock("poker", Size(60, 90))
BLED = Rect(-3, -3, 66, 96)
TRIM = Rect(0, 0, 60, 90)


class FlatLook(Struct, frozen=True):
    """A picture of one lightness, or of a range from the least to the most."""

    least: float = 0.5
    most: float = 0.5
    plain: bool = False

    def luminance(self, part: Rect) -> tuple[float, float]:
        return self.least, self.most


def geometry(*painted: Painted, stock: Stock = POKER) -> FaceGeometry:
    return FaceGeometry("ember", "card", "front", stock, Span("cards.yaml", 3), painted)


def findings(
    *painted: Painted, stock: Stock = POKER, look: FlatLook | None = None
) -> Sequence[FaceFinding]:
    return look_over(geometry(*painted, stock=stock), lambda _: look).findings


def codes(*painted: Painted, stock: Stock = POKER, look: FlatLook | None = None) -> Sequence[str]:
    return [found.code for found in findings(*painted, stock=stock, look=look)]


def flat(box: Rect, colour: str = "#ffffff", opacity: float = 1.0) -> PaintedShape:
    return PaintedShape(
        box,
        colour,
        opacity,
        solid=True,
        segments=path(box),
        path=str(path(box)),
        area=box.width * box.height,
    )


def path(box: Rect) -> tuple[tuple[str, tuple[float, ...]], ...]:
    (first, *rest) = [(corner.x, corner.y) for corner in box.corners]
    return (("M", first), *(("L", corner) for corner in rest), ("Z", ()))


def polygon(*corners: tuple[float, float], colour: str = "#ffffff") -> PaintedShape:
    xs, ys = zip(*corners, strict=True)
    box = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    first, *rest = corners
    return PaintedShape(
        box, colour, segments=(("M", first), *(("L", corner) for corner in rest), ("Z", ()))
    )


def line(x1: float, y1: float, x2: float, y2: float, width: float, colour: str) -> PaintedShape:
    box = Rect(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)).grown(width / 2)
    return PaintedShape(box, colour, line=width, segments=(("M", (x1, y1)), ("L", (x2, y2))))


def text(
    x: float,
    y: float,
    words: str = "Draw two cards.",
    colour: str = "#000000",
    size: float = 9.0,
    *,
    wide: float = 0.0,
    shown: Rect | None = None,
    opacity: float = 1.0,
    decoration: bool = False,
    outline: str = "",
    matrix: Matrix | None = None,
    weight: int = 400,
) -> PaintedText:
    """A line of text whose ink begins at (x, y), before `matrix` takes it onto the face."""
    em = size * 25.4 / 72
    strip = Rect(x, y, wide or 0.5 * em * len(words), 0.9 * em)
    onto = matrix or Matrix()
    box = onto.box(strip)
    return PaintedText(
        box,
        box if shown is None else shown,
        words,
        "body",
        size,
        colour,
        opacity,
        outline=outline,
        weight=weight,
        matrix=onto,
        decoration=decoration,
        strips=(strip,),
    )


def picture(
    box: Rect,
    px: tuple[int, int] | None = None,
    *,
    whole: Rect | None = None,
    see_through: bool = False,
    clipped: bool = False,
) -> PaintedPicture:
    place = whole or box
    px = px or (round(12 * place.width), round(12 * place.height))
    onto = Matrix(place.width, 0, 0, place.height, place.x, place.y)
    return PaintedPicture(
        box, onto, "assets/1.png", "art/1.png", *px, see_through=see_through, clipped=clipped
    )
