"""Checks art at the cut: art that ends before the bleed does, and borders along the cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from generator.geometry import Rect, format_mm
from generator.luminance import luminance
from generator.model.catalogue import Edge, Shape, Stock
from generator.model.painted import (
    FaceFinding,
    Painted,
    PaintedArt,
    PaintedPicture,
    PaintedShape,
    PaintedText,
)
from generator.preflight.face_scene import OPAQUE, PAPER, Scene

STRAIGHT: Final = (Shape.RECTANGLE, Shape.ROUNDED)
_NEARLY: Final = 0.5
"""mm before the cut where art still counts as reaching it."""
_SHORT_OF: Final = 0.4
"""mm that may be missing at the end of the bleed."""
_GAP: Final = 1.0
"""mm of an edge without bleed that are reported."""
_WHITE: Final = 0.97
"""Luminance of what leaves no visible edge beside paper."""
_HALF: Final = 0.5
_SIDES: Final = ("left", "top", "right", "bottom")

Span = tuple[float, float]
"""From and to along an edge, mm."""


class _Near(NamedTuple):
    """A thing that reaches the cut: its number, mm of its box beyond the cut on each side (negative
    inside), its box, whether it is white, and whether it surely fills its box."""

    at: int
    out: tuple[float, float, float, float]
    box: Rect
    white: bool
    filled: bool


def edge_findings(scene: Scene) -> Iterator[FaceFinding]:
    """GP811: art at the cut must reach the end of the bleed."""
    stock = scene.face.stock
    if stock.bleed <= _SHORT_OF or stock.edge is Edge.WHITE or stock.shape is Shape.PATH:
        return
    near = list(_near_cut(scene))
    sides = range(4) if stock.shape in STRAIGHT else ()
    worst: tuple[float, _Near, str] | None = None
    for one in near:
        if stock.shape not in STRAIGHT and _is_ground(one) and not _bled(near, one, stock.bleed):
            worst = min(one.out), one, "all around"
        short = [side for side in sides if _is_short(one, side, near, stock)]
        if short and (worst is None or min(one.out[side] for side in short) < worst[0]):
            names = [_SIDES[side] for side in short]
            where = "all around" if len(names) == 4 else f"on the {' and '.join(names)}"
            worst = min(one.out[side] for side in short), one, where
    if worst is not None:
        yield _unbled(*worst, stock)


def _unbled(out: float, one: _Near, where: str, stock: Stock) -> FaceFinding:
    bleed = format_mm(round(stock.bleed, 2))
    ends = f"{out:.1f} mm past the cut" if out > 0.05 else "at the cut"
    if out < -0.05:
        ends = f"{-out:.1f} mm before the cut"
    message = f"the art stops {ends} {where}; its bleed is {bleed} mm"
    hint = (
        f"extend it to {bleed} mm past the cut, or a cut that is slightly off shows a white edge;"
        " for a picture without bleed, give its kind `bleed: mirror`;"
        " if you want a white edge, give the stock `edge: white`"
    )
    return FaceFinding("GP811", message, hint, about=one.at, topic="bleed")


def _near_cut(scene: Scene) -> Iterator[_Near]:
    trim = scene.face.stock.trim
    inner_right, inner_bottom = trim.width - _NEARLY, trim.height - _NEARLY
    for at, (x, y, right, bottom) in enumerate(scene.boxes):
        if x > _NEARLY and y > _NEARLY and right < inner_right and bottom < inner_bottom:
            continue
        thing = scene.painted[at]
        if isinstance(thing, PaintedText) or (
            not isinstance(thing, PaintedArt) and thing.opacity < _HALF
        ):
            continue
        out = (-x, -y, right - trim.width, bottom - trim.height)
        yield _Near(at, out, thing.box, _is_white(thing), _fills(thing, out))


def _is_white(thing: Painted) -> bool:
    return (
        isinstance(thing, PaintedShape) and bool(thing.colour) and luminance(thing.colour) > _WHITE
    )


def _fills(thing: Painted, out: Sequence[float]) -> bool:
    """Return whether a thing is an upright rectangle, a picture, or an outline as large as the
    trim."""
    if isinstance(thing, PaintedPicture):
        upright = not (thing.matrix.b or thing.matrix.c) or not (thing.matrix.a or thing.matrix.d)
        return upright and not thing.clipped and not thing.see_through
    if not isinstance(thing, PaintedShape) or thing.line or thing.clipped:
        return False
    return thing.solid or all(abs(each) <= _NEARLY for each in out)


def _is_ground(one: _Near) -> bool:
    return one.filled and not one.white and all(abs(out) <= _NEARLY for out in one.out)


def _bled(near: Sequence[_Near], one: _Near, bleed: float) -> bool:
    """Return whether something, or a mirror image, goes on beyond every side."""
    inked = [other.out for other in near if other.filled and not other.white]
    reached = min(max(out[side] for out in inked) for side in range(4))
    return reached >= bleed - _SHORT_OF or any(
        min(other.out) >= bleed - _SHORT_OF and (other.at > one.at or not other.white)
        for other in near
    )


def _is_short(one: _Near, side: int, near: Sequence[_Near], stock: Stock) -> bool:
    """Return whether a thing ends near the cut on a side and nothing else covers the bleed
    there."""
    out = one.out[side]
    if one.white or not one.filled or not -_NEARLY <= out < stock.bleed - _SHORT_OF:
        return False
    gaps = [_along(one.box, side, stock)]
    for other in near:
        reaches = other.out[side] >= stock.bleed - _SHORT_OF and _depth(other, side, stock) <= out
        if reaches and (other.at > one.at or not other.white):
            gaps = list(_without(gaps, _along(other.box, side, stock)))
    return any(end - start > _GAP for start, end in gaps)


def _along(box: Rect, side: int, stock: Stock) -> Span:
    """Return the range of a box along an edge of the trim."""
    if side in (0, 2):
        return max(box.y, 0.0), min(box.bottom, stock.trim.height)
    return max(box.x, 0.0), min(box.right, stock.trim.width)


def _depth(one: _Near, side: int, stock: Stock) -> float:
    """Return the mm beyond the cut of the inner end of a thing; negative inside."""
    inner = (
        -one.box.right,
        -one.box.bottom,
        one.box.x - stock.trim.width,
        one.box.y - stock.trim.height,
    )
    return inner[side]


def _without(gaps: Sequence[Span], taken: Span) -> Iterator[Span]:
    for start, end in gaps:
        if taken[0] > start:
            yield start, min(end, taken[0])
        if taken[1] < end:
            yield max(start, taken[1]), end


_MOST: Final = 6.0
"""mm: a wider frame is no border."""
_LEAST: Final = 0.05
_SPREAD: Final = 0.35
"""mm that a border may differ from side to side."""


def border_width(scene: Scene) -> float:
    """Return the width of a one-colour border along a straight cut, mm; 0 without a border. It ends
    at the outermost frame, panel or picture."""
    stock = scene.face.stock
    if stock.shape not in STRAIGHT:
        return 0.0
    trim = Rect(0, 0, stock.trim.width, stock.trim.height)
    ground, first = _ground(scene, trim)
    least = _LEAST if first else _NEARLY
    widths = []
    for at in range(first, len(scene.painted)):
        x, y, right, bottom = scene.boxes[at]
        if x > _MOST or y > _MOST:
            continue
        thing = scene.painted[at]
        if not isinstance(thing, PaintedShape | PaintedPicture) or not _stands_out(thing, ground):
            continue
        insets = (x, y, trim.width - right, trim.height - bottom)
        if isinstance(thing, PaintedShape) and max(insets) <= 0:
            insets = _inner(insets, thing.line)
        if min(insets) > least and max(insets) <= _MOST and max(insets) - min(insets) < _SPREAD:
            widths.append(min(insets))
    return round(min(widths, default=0.0), 2)


def _ground(scene: Scene, trim: Rect) -> tuple[str, int]:
    """Return the colour of the last thing that covers the whole trim ("" for a picture or gradient)
    and the number of the next thing; paper and 0 by default."""
    for at in range(len(scene.painted) - 1, -1, -1):
        thing = scene.painted[at]
        if (
            isinstance(thing, PaintedShape | PaintedPicture)
            and _fills(thing, (1.0,))
            and thing.opacity >= OPAQUE
            and thing.box.contains(trim, 0.02)
        ):
            return thing.colour if isinstance(thing, PaintedShape) else "", at + 1
    return PAPER, 0


def _stands_out(thing: PaintedShape | PaintedPicture, ground: str) -> bool:
    if thing.clipped or thing.opacity < _HALF:
        return False
    if isinstance(thing, PaintedPicture):
        return not thing.see_through
    return thing.colour != ground


def _inner(insets: tuple[float, ...], line: float) -> tuple[float, float, float, float]:
    """Return the inner edge of a frame that is drawn over the cut."""
    left, top, right, bottom = (inset + line for inset in insets)
    return left, top, right, bottom
