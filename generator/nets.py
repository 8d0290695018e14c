"""Nets of boxes by inner size, mm, for expressions and templates: docs/face-files.md.

A net is a map: its size `w` and `h`, its outline `path`, its creases `folds`, its `panels` by name,
the `body` that the panels around a tuck box or sleeve form, and `glue`, the tabs without ink.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

XY = tuple[float, float]
Net = dict[str, Any]

_LEAST, _MOST = 1.0, 1000.0
_TAB: Final = 12.0
"""mm of a glue tab, where there is room."""
_FLAP: Final = 10.0
"""mm of a flap or tuck at least: more than any bleed, so that the art ends before their cuts."""
_LEAST_OUTSIDE: Final = (12, 4, 2)
"""mm: the least width, height and depth of a box that can be folded."""
_TAPER: Final = 3.0
"""mm that a tab narrows to its end."""


def tuck_box(width: float, height: float, depth: float, board: float = 0.4) -> Net:
    """Return a box with a lid at either end for a deck that is `height` mm high and `depth` mm
    thick; `board` is the thickness of its board."""
    w, h, d = _outer((width, height, depth), board)
    glue, tuck = min(_TAB, w / 2), min(15.0, max(_FLAP, d))
    flap = min(max(0.75 * d + 4, _FLAP), w / 2 - 1)
    top = d + tuck
    foot = top + h
    left, back, right, front, end = _steps(glue, d, w, d, w)
    notch = min(10.0, w / 6)
    middle = (front + end) / 2
    outline = _NetOutline((glue, top), board)
    outline.to((0, top + _taper(h)), (0, foot - _taper(h)), (glue, foot))
    outline.flap(left, back, foot, flap)
    outline.lid(back, right, foot, d, tuck)
    outline.flap(right, front, foot, flap)
    outline.to((front, foot), (end, foot), (end, top), (middle + notch, top))
    outline.arc(notch, (middle - notch, top))
    outline.to((front, top))
    outline.flap(front, right, top, -flap)
    outline.lid(right, back, top, -d, -tuck)
    outline.flap(back, left, top, -flap)
    upright = [((x, top), (x, foot)) for x in (left, back, right, front)]
    across = [((a, y), (b, y)) for y in (top, foot) for a, b in _pairs(left, back, right, front)]
    lids = [((back, y), (right, y)) for y in (top - d, foot + d)]
    panels = {
        "side": _panel(left, top, d, h),
        "back": _panel(back, top, w, h),
        "other_side": _panel(right, top, d, h),
        "front": _panel(front, top, w, h),
        "lid": _panel(back, top - d, w, d),
        "foot": _panel(back, foot, w, d),
    }
    body = _panel(left, top, end - left, h)
    glued = [(glue, top), (0, top + _taper(h)), (0, foot - _taper(h)), (glue, foot)]
    size = end, 2 * top + h
    return _net(size, outline.path, (*upright, *across, *lids), panels, body, [glued])


def tray(width: float, height: float, depth: float, board: float = 0.4, play: float = 0.0) -> Net:
    """Return an open box of width x height mm with walls `depth` mm high. A lid is a tray with
    `play`: mm that it is wider than its tray."""
    air, glued = _number(play, "play"), 2 * _number(board, "board")  # tabs, within two walls
    wide, high = _size(width, "width"), _size(height, "height")
    if air:
        wide, high = wide + air + 2 * glued, high + air + glued
    w, h, d = _outer((wide, high, depth), board)
    w, d = w + glued, d - glued / 2  # walls stand on the floor's board, and have none above them
    tab = min(_TAB, d, w / 2 - 1)
    slant = min(_TAPER, d / 4)
    right, foot = d + w, d + h
    outline = _NetOutline((d, d), board)
    outline.to((d - tab, d - slant), (d - tab, slant), (d, 0), (right, 0))
    outline.to((right + tab, slant), (right + tab, d - slant), (right, d))
    outline.to((right + d, d), (right + d, foot), (right, foot))
    outline.to((right + tab, foot + slant), (right + tab, foot + d - slant), (right, foot + d))
    outline.to((d, foot + d), (d - tab, foot + d - slant), (d - tab, foot + slant), (d, foot))
    outline.to((0, foot), (0, d))
    corners = [(d, d), (right, d), (right, foot), (d, foot)]
    floor = list(zip(corners, corners[1:] + corners[:1], strict=True))
    tabs = [((x, y), (x, y + d)) for x in (d, right) for y in (0.0, foot)]
    panels = {
        "floor": _panel(d, d, w, h),
        "far": _panel(d, 0, w, d),
        "near": _panel(d, foot, w, d),
        "left": _panel(0, d, d, h),
        "right": _panel(right, d, d, h),
    }
    glue = [
        [(x, y), (x + out, y + slant), (x + out, y + d - slant), (x, y + d)]
        for x, out in ((d, -tab), (right, tab))
        for y in (0.0, foot)
    ]
    size = w + 2 * d, h + 2 * d
    return _net(size, outline.path, (*floor, *tabs), panels, _panel(d, d, w, h), glue)


def sleeve(width: float, height: float, depth: float, board: float = 0.4) -> Net:
    """Return a band around a deck or tray, open at both ends, `height` mm high."""
    w, _, d = _outer((width, height, depth), board)
    glue = min(_TAB, w / 2)
    left, back, right, front, end = _steps(glue, d, w, d, w)
    taper = _taper(height)
    outline = _NetOutline((glue, 0), board)
    outline.to((0, taper), (0, height - taper), (glue, height), (end, height), (end, 0))
    panels = {
        "side": _panel(left, 0, d, height),
        "back": _panel(back, 0, w, height),
        "other_side": _panel(right, 0, d, height),
        "front": _panel(front, 0, w, height),
    }
    folds = [((x, 0.0), (x, height)) for x in (left, back, right, front)]
    glued = [(glue, 0.0), (0.0, taper), (0.0, height - taper), (glue, height)]
    body = _panel(left, 0, end - left, height)
    return _net((end, height), outline.path, folds, panels, body, [glued])


def divider(width: float, height: float, tabs: int = 3, place: int = 1, rise: float = 10.0) -> Net:
    """Return a card, width x height mm, with a tab that rises above it at one of `tabs` places,
    counted from the left."""
    w, h, up = _size(width, "width"), _size(height, "height"), _size(rise, "rise")
    if not (isinstance(tabs, int) and isinstance(place, int) and 1 <= place <= tabs <= 20):
        raise ValueError("place must be from 1 to tabs, which must be at most 20")
    wide = w / tabs
    a, b, r = (place - 1) * wide, place * wide, min(3.0, wide / 4, up / 2)
    outline = _NetOutline((a, up), 0)
    outline.to((a, r))
    outline.arc(r, (a + r, 0))
    outline.to((b - r, 0))
    outline.arc(r, (b, r))
    outline.to((b, up))
    if place < tabs:
        outline.to((w - r, up))
        outline.arc(r, (w, up + r))
    outline.to((w, up + h - r))
    outline.arc(r, (w - r, up + h))
    outline.to((r, up + h))
    outline.arc(r, (0, up + h - r))
    if place > 1:
        outline.to((0, up + r))
        outline.arc(r, (r, up))
    panels = {"tab": _panel(a, 0, b - a, up), "front": _panel(0, up, w, h)}
    return _net((w, up + h), outline.path, (), panels, panels["front"], [])


NETS: Final[Mapping[str, Callable[..., Net]]] = {
    "tuck_box": tuck_box,
    "tray": tray,
    "sleeve": sleeve,
    "divider": divider,
}


class _NetOutline:
    """The path data of a net. Parts that slide in keep clear of their neighbours by the thickness
    of the board."""

    def __init__(self, start: XY, board: float) -> None:
        self._written = [f"M{_mm(start)}"]
        self._air = max(board, 0.4)

    @property
    def path(self) -> str:
        """Return the closed outline."""
        return " ".join((*self._written, "Z"))

    def to(self, *points: XY) -> None:
        """Draw straight lines."""
        self._written += [f"L{_mm(point)}" for point in points]

    def arc(self, r: float, end: XY) -> None:
        """Draw a quarter or half circle that bulges to the right."""
        self._written.append(f"A{r:g} {r:g} 0 0 1 {_mm(end)}")

    def flap(self, a: float, b: float, y: float, out: float) -> None:
        """Draw a dust flap at the edge from (a, y) to (b, y)."""
        way = math.copysign(1, b - a)
        near, far = self._air * way, min(_TAPER, abs(b - a) / 4) * way
        self.to((a + near, y), (a + far, y + out), (b - far, y + out), (b - near, y), (b, y))

    def lid(self, a: float, b: float, y: float, deep: float, tuck: float) -> None:
        """Draw a lid at an edge, with a tuck that has round corners."""
        way = math.copysign(self._air, b - a)
        out = y + deep
        a_in, b_in = a + way, b - way
        round_ = min(abs(tuck) * 0.6, abs(b - a) / 4)
        side, end = math.copysign(round_, b - a), math.copysign(round_, tuck)
        self.to((a, out), (a_in, out), (a_in, out + tuck - end))
        self._written.append(f"Q{_mm((a_in, out + tuck))} {_mm((a_in + side, out + tuck))}")
        self.to((b_in - side, out + tuck))
        self._written.append(f"Q{_mm((b_in, out + tuck))} {_mm((b_in, out + tuck - end))}")
        self.to((b_in, out), (b, out), (b, y))


def _net(
    size: XY,
    path: str,
    folds: Sequence[tuple[XY, XY]],
    panels: Mapping[str, Net],
    body: Net,
    glue: Sequence[Sequence[XY]],
) -> Net:
    return {
        "w": round(size[0], 3),
        "h": round(size[1], 3),
        "path": path,
        "folds": [[_round_panel(a), _round_panel(b)] for a, b in folds],
        "panels": dict(panels),
        "body": body,
        "glue": [[_round_panel(point) for point in corners] for corners in glue],
    }


def _panel(x: float, y: float, w: float, h: float) -> Net:
    return {"x": round(x, 3), "y": round(y, 3), "w": round(w, 3), "h": round(h, 3)}


def _round_panel(point: XY) -> list[float]:
    return [round(point[0], 3), round(point[1], 3)]


def _mm(point: XY) -> str:
    return f"{round(point[0], 3):g} {round(point[1], 3):g}"


def _steps(first: float, *widths: float) -> tuple[float, ...]:
    """Return where each panel begins, and where the last one ends."""
    places = [first]
    for width in widths:
        places.append(places[-1] + width)
    return tuple(places)


def _pairs(*places: float) -> list[tuple[float, float]]:
    return list(itertools.pairwise(places))


def _outer(inner: tuple[float, float, float], board: float) -> tuple[float, float, float]:
    """Return the outer size of a box."""
    thick = _number(board, "board")
    if not 0 <= thick <= 5:
        raise ValueError("board is the thickness of the board, 0 to 5 mm")
    names = ("width", "height", "depth")
    w, h, d = (_size(value, name) + 2 * thick for value, name in zip(inner, names, strict=True))
    for name, size, least in zip(names, (w, h, d), _LEAST_OUTSIDE, strict=True):
        if size < least:
            message = f"{name} is {size:.1f} mm outside; the least for a box is {least} mm"
            raise ValueError(message)
    return w, h, d


def _taper(length: float) -> float:
    return min(_TAPER, length / 4)


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number of mm")
    return float(value)


def _size(value: Any, name: str) -> float:
    size = _number(value, name)
    if not _LEAST <= size <= _MOST:
        raise ValueError(f"{name} must be from {_LEAST:g} to {_MOST:g} mm")
    return size
