"""Measures of a shape in; its outline as SVG path data, or its points, out.

Lengths in mm, angles in degrees, clockwise on the page from 0 = to the right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from generator.geometry import Point, regular_polygon
from generator.render.numbers import mm

XY = tuple[float, float]

_CIRCLE = 4 / 3 * (math.sqrt(2) - 1)
"""How long the handles of a Bézier curve are that stands for a quarter of the unit circle."""


def polar(cx: float, cy: float, r: float, angle: float) -> XY:
    """The point at a distance and angle from a centre."""
    turn = math.radians(angle)
    return cx + r * math.cos(turn), cy + r * math.sin(turn)


def closed(points: Iterable[XY]) -> str:
    """A polygon."""
    return opened(points) + "Z"


def opened(points: Iterable[XY]) -> str:
    """A line from point to point."""
    return "M" + "L".join(f"{mm(x)} {mm(y)}" for x, y in points)


def regular(cx: float, cy: float, r: float, sides: int, turn: float) -> tuple[XY, ...]:
    """The corners of a regular polygon, the first one at `turn`."""
    corners = regular_polygon(Point(cx, cy), sides, r, turn)
    return tuple((corner.x, corner.y) for corner in corners)


def star(cx: float, cy: float, points: int, outer: float, inner: float, turn: float) -> list[XY]:
    """The corners of a star, its first point at `turn`."""
    step = 180 / points
    radii = (outer, inner)
    return [polar(cx, cy, radii[i % 2], turn + step * i) for i in range(2 * points)]


def arc(cx: float, cy: float, r: float, start: float, end: float) -> str:
    """A part of a circle, clockwise where `end` is the larger angle; a whole turn at most."""
    sweep = max(-360.0, min(360.0, end - start))
    # One SVG arc cannot go all the way round, so each takes a third at most.
    pieces = max(1, math.ceil(abs(sweep) / 120 - 1e-9))
    x, y = polar(cx, cy, r, start)
    data = [f"M{mm(x)} {mm(y)}"]
    for i in range(1, pieces + 1):
        x, y = polar(cx, cy, r, start + sweep * i / pieces)
        data.append(f"A{mm(r)} {mm(r)} 0 0 {int(sweep >= 0)} {mm(x)} {mm(y)}")
    return "".join(data)


def ring_sector(cx: float, cy: float, inner: float, outer: float, start: float, end: float) -> str:
    """A part of a ring; of a disc when `inner` is 0; a whole one from 360° on."""
    if abs(end - start) >= 360:
        hole = arc(cx, cy, inner, start + 360, start) + "Z" if inner else ""
        return arc(cx, cy, outer, start, start + 360) + "Z" + hole
    outside = arc(cx, cy, outer, start, end)
    if not inner:
        return f"{outside}L{mm(cx)} {mm(cy)}Z"
    return f"{outside}L{arc(cx, cy, inner, end, start)[1:]}Z"


def rounded_rect(x: float, y: float, w: float, h: float, radii: Sequence[float]) -> str:
    """A rectangle with a radius of its own for each corner, clockwise from the top left."""
    room = min(w, h) / 2
    a, b, c, d = (min(max(0.0, radius), room) for radius in radii)
    right, bottom = x + w, y + h
    corners = (
        (a, (x, y + a), (x + a, y)),
        (b, (right - b, y), (right, y + b)),
        (c, (right, bottom - c), (right - c, bottom)),
        (d, (x + d, bottom), (x, bottom - d)),
    )
    data: list[str] = []
    for radius, (x1, y1), (x2, y2) in corners:
        data.append(f"{'L' if data else 'M'}{mm(x1)} {mm(y1)}")
        if radius:
            data.append(f"A{mm(radius)} {mm(radius)} 0 0 1 {mm(x2)} {mm(y2)}")
    return "".join(data) + "Z"


def gear(cx: float, cy: float, teeth: int, outer: float, inner: float, hole: float) -> str:
    """A cogwheel: teeth from the inner to the outer radius, narrower at their tips; a round hole,
    which the fill rule evenodd leaves open."""
    pitch = 360 / teeth
    corners = [
        polar(cx, cy, r, i * pitch + share * pitch - 90)
        for i in range(teeth)
        for r, share in ((inner, -0.28), (outer, -0.17), (outer, 0.17), (inner, 0.28))
    ]
    return closed(corners) + (ring_sector(cx, cy, 0, hole, 0, 360) if hole else "")


def arrow(start: XY, end: XY, width: float, head: float) -> list[XY]:
    """The corners of an arrow with a shaft `width` thick and a head `head` long and as wide."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1)
    if not length:
        raise ValueError("an arrow must not begin where it ends")
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    neck, half, wide = max(0.0, length - head), width / 2, head / 2
    outline = ((0, half), (neck, half), (neck, wide), (length, 0), (neck, -wide), (neck, -half),
               (0, -half))  # fmt: skip
    return [
        (x1 + ux * along - uy * aside, y1 + uy * along + ux * aside) for along, aside in outline
    ]


def arc_arrow(
    cx: float, cy: float, r: float, start: float, end: float, width: float, head: float
) -> str:
    """An arrow bent along a circle, pointing to the angle `end`."""
    way = 1 if end >= start else -1
    neck = end - way * math.degrees(min(head / r, math.radians(abs(end - start))))
    half, wide = width / 2, head / 2
    shaft = arc(cx, cy, r + half, start, neck)
    inside = arc(cx, cy, r - half, neck, start)
    tip = (polar(cx, cy, r + wide, neck), polar(cx, cy, r, end), polar(cx, cy, r - wide, neck))
    corners = "".join(f"L{mm(x)} {mm(y)}" for x, y in tip)
    return f"{shaft}{corners}L{inside[1:]}Z"


def smooth(points: Sequence[XY], loop: bool, tension: float) -> str:
    """A curve through points: Catmull-Rom, as cubic Bézier pieces whose handles lie along the
    line from the point before to the point after. A tension of 0 is round, 1 is straight."""
    count = len(points)
    reach = (1 - tension) / 6

    def at(i: int) -> XY:
        return points[i % count] if loop else points[min(max(i, 0), count - 1)]

    data = [f"M{mm(points[0][0])} {mm(points[0][1])}"]
    for i in range(count if loop else count - 1):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = at(i - 1), at(i), at(i + 1), at(i + 2)
        handles = (x1 + (x2 - x0) * reach, y1 + (y2 - y0) * reach,
                   x2 - (x3 - x1) * reach, y2 - (y3 - y1) * reach, x2, y2)  # fmt: skip
        data.append("C" + " ".join(map(mm, handles)))
    return "".join(data) + ("Z" if loop else "")


def wave(start: XY, end: XY, height: float, count: int) -> str:
    """A wavy line of `count` whole waves, each `height` high from crest to trough."""
    (x1, y1), (x2, y2) = start, end
    dx, dy = (x2 - x1) / (2 * count), (y2 - y1) / (2 * count)
    length = math.hypot(dx, dy)
    if not length:
        raise ValueError("a wave must not begin where it ends")
    # A quadratic curve rises to half the height of its handle.
    nx, ny = -dy / length * height, dx / length * height
    data = [f"M{mm(x1)} {mm(y1)}"]
    for i in range(2 * count):
        side = -1 if i % 2 else 1
        handle = (x1 + dx * (i + 0.5) - side * nx, y1 + dy * (i + 0.5) - side * ny)
        to = (x1 + dx * (i + 1), y1 + dy * (i + 1))
        data.append("Q" + " ".join(map(mm, (*handle, *to))))
    return "".join(data)


def grid(x: float, y: float, w: float, h: float, columns: int, rows: int) -> str:
    """The lines of a grid, its frame included."""
    upright = (f"M{mm(x + w * i / columns)} {mm(y)}V{mm(y + h)}" for i in range(columns + 1))
    level = (f"M{mm(x)} {mm(y + h * i / rows)}H{mm(x + w)}" for i in range(rows + 1))
    return "".join((*upright, *level))


def hatch(x: float, y: float, w: float, h: float, gap: float, angle: float) -> str:
    """Parallel lines `gap` apart that fill a rectangle; their angle is that of the lines."""
    turn = math.radians(angle)
    ux, uy = math.cos(turn), math.sin(turn)
    cx, cy = x + w / 2, y + h / 2
    reach = (abs(uy) * w + abs(ux) * h) / 2
    count = math.floor(reach / gap)
    lines = (
        _cut(cx - uy * gap * i, cy + ux * gap * i, ux, uy, (x, y, x + w, y + h))
        for i in range(-count, count + 1)
    )
    return "".join(opened(line) for line in lines if line)


def _cut(
    px: float, py: float, ux: float, uy: float, box: tuple[float, float, float, float]
) -> tuple[XY, XY] | None:
    """The part inside a box of the line through a point (Liang and Barsky, 1984)."""
    left, top, right, bottom = box
    near, far = -math.inf, math.inf
    for origin, way, low, high in ((px, ux, left, right), (py, uy, top, bottom)):
        if abs(way) < 1e-9:
            if not low <= origin <= high:
                return None
            continue
        ends = sorted(((low - origin) / way, (high - origin) / way))
        near, far = max(near, ends[0]), min(far, ends[1])
    if far - near < 1e-3:
        return None
    return (px + ux * near, py + uy * near), (px + ux * far, py + uy * far)


def ticks(
    cx: float, cy: float, inner: float, outer: float, start: float, end: float, count: int
) -> str:
    """`count` lines of a dial, the first at `start` and the last at `end`."""
    steps = max(1, count - 1)
    angles = (start + (end - start) * i / steps for i in range(count))
    return "".join(opened((polar(cx, cy, inner, a), polar(cx, cy, outer, a))) for a in angles)
