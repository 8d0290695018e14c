"""Two pictures in; how the one was moved, scaled, stretched, turned or slanted to become the other
out.

Each way is tried in coarse steps on little pictures. Where a picture slopes, what differs then
tells by how much it really went there, to a tenth of a pixel and less."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from PIL import Image

_SMALL: Final = 64
"""Pixels of the longer side of the little pictures."""
_LARGE: Final = 300_000
"""Numbers of a picture at most; larger ones are made smaller first."""
_STEPS: Final = 6
"""Of making a way exact, at each size."""
_LEAST: Final = 8
"""Pixels a side of what can be said to have moved."""
_NOISE: Final = 8
"""Levels that come of how proofs are kept."""
_WHITE: Final = 255.0
_FARTHEST: Final = 12
"""Pixels of a little picture by which it is moved at most, and part of its sides."""
_PART: Final = 0.4
_SLIGHT: Final = 1.2
"""Pixels up to which slopes tell more of a move than the picture does that is drawn so: that comes
out soft."""
_SIMPLER: Final = 1.3
"""How much more a mere move may leave unexplained than another way, and still be taken for it."""
_NEARLY: Final = 0.04
"""The same where hardly anything is left unexplained."""
_UNSEEN: Final = 0.2
"""Pixels at the corners: what was scaled or turned by less was moved, for all that one can tell."""
_RIM: Final = 2
"""Pixels at the ends of a picture, where it does not slope into what is beyond."""

_Four = tuple[float, float, float, float]


class _Kind(NamedTuple):
    """A way to map a picture: its words, the matrix by a value (1 0 0 1 is taken off), and the
    values that are tried, the last of which is the largest that there is."""

    words: str
    matrix: Callable[[float], _Four]
    tried: tuple[float, ...]


_SCALES: Final = tuple(way * by for by in (0.04, 0.08, 0.12, 0.18, 0.26, 0.35) for way in (-1, 1))
_TURNS: Final = tuple(way * by for by in (0.04, 0.08, 0.12, 0.18) for way in (-1, 1))
_MOVED: Final = _Kind("moved by about {mm} mm", lambda _: (0.0, 0.0, 0.0, 0.0), (0.0,))
_KINDS: Final = (
    _MOVED,
    _Kind("scaled to about {part} % of its size", lambda v: (v, 0.0, 0.0, v), _SCALES),
    _Kind("stretched to about {part} % of its width", lambda v: (v, 0.0, 0.0, 0.0), _SCALES),
    _Kind("stretched to about {part} % of its height", lambda v: (0.0, 0.0, 0.0, v), _SCALES),
    _Kind(
        "turned by about {degrees:.1f}°",
        lambda v: (math.cos(v) - 1, -math.sin(v), math.sin(v), math.cos(v) - 1),
        _TURNS,
    ),
    _Kind("skewed, a slant distorts it", lambda v: (0.0, v, 0.0, 0.0), _TURNS),
    _Kind("skewed, a slant distorts it", lambda v: (0.0, 0.0, v, 0.0), _TURNS),
)


@dataclass(frozen=True, slots=True)
class Movement:
    """A way in which a picture of so many pixels (wide, high) was mapped: by `value`, and by x and
    y pixels. `explained` is how much of what differs it explains, up to 1."""

    kind: _Kind
    size: tuple[int, int]
    x: float = 0.0
    y: float = 0.0
    value: float = 0.0
    explained: float = 0.0

    @property
    def shift(self) -> float:
        """Pixels by which the middle was moved."""
        return math.hypot(self.x, self.y)

    @property
    def reach(self) -> float:
        """Pixels by which corners were moved beside that."""
        return max(map(abs, self.kind.matrix(self.value))) * math.hypot(*self.size) / 2

    @property
    def way(self) -> float:
        """The greater of the two."""
        return max(self.shift, self.reach)

    @property
    def part(self) -> float:
        """How large it is now, of 1."""
        return 1 / (1 + self.value)

    def told(self, mm: float) -> str:
        """In words, `mm` being the width of a pixel."""
        percent, shift = 100 * self.part, max(self.shift * mm, 0.01)
        return self.kind.words.format(
            mm=f"{shift:.1f}" if shift >= 0.25 else f"{shift:.2f}",
            part=f"{percent:.0f}" if abs(percent - 100) >= 2 else f"{percent:.1f}",
            degrees=max(abs(math.degrees(self.value)), 0.05),
        )


def movement(before: Any, after: Any, *, on_paper: bool = False) -> Movement | None:
    """The way in which all that was seen before became what is seen after, as far as one did; None
    where there is too little to tell. What lies beyond a picture is white, or is not known."""
    if before.shape != after.shape or min(before.shape[:2]) < _LEAST:
        return None
    last = 1
    while before[::last, ::last].size > _LARGE:
        last *= 2
    by, found = last, []
    while max(before.shape[:2]) / by > _SMALL and min(before.shape[:2]) / by >= 2 * _LEAST:
        by *= 2
    pair = _smaller(before, by), _smaller(after, by)
    found = [
        _exact(*pair, start, on_paper)
        for kind in _KINDS
        for start in _starts(*pair, kind, on_paper)
    ]
    while by > last:
        by //= 2
        pair = _smaller(before, by), _smaller(after, by)
        nearest = sorted(found, key=_rest)[:3]
        nearest += [way for way in found if way.kind is _MOVED and way not in nearest]
        starts = [_larger(way, pair[0]) for way in nearest]
        if by == last:  # what is little here is nothing on little pictures
            starts += [Movement(kind, starts[0].size) for kind in _KINDS]
        found = [_exact(*pair, start, on_paper) for start in starts]
    best, move = min(found, key=_rest), min((way for way in found if way.kind is _MOVED), key=_rest)
    near = _rest(move) <= _SIMPLER * _rest(best) + _NEARLY
    chosen = move if near or best.reach < best.shift else best
    if best.way < 1 and best.reach < _UNSEEN:
        chosen = replace(move, explained=best.explained)
    if best.way < 1 and best.reach < _UNSEEN:
        chosen = replace(move, explained=best.explained)
    high, wide = before.shape[:2]
    return replace(chosen, x=chosen.x * last, y=chosen.y * last, size=(wide, high))


def laid_upon(before: Any, after: Any) -> Any:
    """The one picture moved by part of a pixel, so that it lies upon the other as well as it can:
    what is turned about in whole pixels need not end where the picture does."""
    one, other = before.astype(np.float32), after.astype(np.float32)
    way = _exact(one, other, Movement(_MOVED, (one.shape[1], one.shape[0])), on_paper=False)
    moved, seen = _mapped(one, way, on_paper=False)
    return np.where(seen, moved, one) if way.shift < _SLIGHT else one


def _rest(way: Movement) -> float:
    return 1 - way.explained


def _larger(way: Movement, pixels: Any) -> Movement:
    """The same of a picture that is twice as large."""
    high, wide = pixels.shape[:2]
    return replace(way, x=2 * way.x, y=2 * way.y, size=(wide, high))


def _smaller(pixels: Any, by: int) -> Any:
    if by == 1:
        return pixels.astype(np.float32)
    picture = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    return np.asarray(picture.reduce(by)).astype(np.float32)


def _starts(before: Any, after: Any, kind: _Kind, on_paper: bool) -> Iterator[Movement]:
    """Where to begin: at the picture as it was, and at the best of what is tried."""
    height, width = before.shape[:2]
    none = Movement(kind, (width, height))
    yield none
    if kind is _MOVED:
        across, along = (min(round(_PART * side), _FARTHEST) for side in (width, height))
        steps = ((x, y) for y in range(-along, along + 1) for x in range(-across, across + 1))
        x, y = max(steps, key=lambda step: _explained(before, after, *step))
        yield replace(none, x=float(x), y=float(y))
        return
    tried = (replace(none, value=value) for value in kind.tried)
    best = min((_judged(before, after, way, on_paper) for way in tried), key=_rest)
    if best.explained > 0:
        yield best


def _explained(before: Any, after: Any, x: int, y: int) -> float:
    """What of the squares of what differs is explained where each pixel comes from so far away."""
    height, width = before.shape[:2]
    here = slice(max(-y, 0), height - max(y, 0)), slice(max(-x, 0), width - max(x, 0))
    there = slice(max(y, 0), height + min(y, 0)), slice(max(x, 0), width + min(x, 0))
    return _beyond(before[here] - after[here]) - _beyond(before[there] - after[here])


def _judged(before: Any, after: Any, way: Movement, on_paper: bool) -> Movement:
    """A way, and how much of what differs it explains."""
    moved, seen = _mapped(before, way, on_paper)
    off = before - after
    was, now = _beyond(off), _beyond(np.where(seen, moved - after, off))
    return replace(way, explained=1 - now / was if was else 0.0)


def _beyond(off: Any) -> float:
    """The squares of what differs by more than comes of packing."""
    return _squares(np.maximum(np.abs(off) - _NOISE, 0))


def _squares(values: Any) -> float:
    return float((values * values).sum())


def _grid(width: int, height: int) -> tuple[Any, Any]:
    """How far each pixel is to the right of the middle, and below it."""
    right = np.arange(width, dtype=np.float32) - (width - 1) / 2
    down = np.arange(height, dtype=np.float32) - (height - 1) / 2
    return right[None, :], down[:, None]


def _mapped(pixels: Any, way: Movement, on_paper: bool) -> tuple[Any, Any]:
    """A picture after it was mapped so, and where it is seen then."""
    height, width = pixels.shape[:2]
    right, down = _grid(width, height)
    a, b, c, d = way.kind.matrix(way.value)
    x = right * (1 + a) + down * b + (way.x + (width - 1) / 2)
    y = right * c + down * (1 + d) + (way.y + (height - 1) / 2)
    seen = (x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)
    left = np.clip(np.floor(x), 0, width - 2).astype(np.intp)
    top = np.clip(np.floor(y), 0, height - 2).astype(np.intp)
    across, along = np.clip(x - left, 0, 1)[..., None], np.clip(y - top, 0, 1)[..., None]
    upper = pixels[top, left] * (1 - across) + pixels[top, left + 1] * across
    lower = pixels[top + 1, left] * (1 - across) + pixels[top + 1, left + 1] * across
    moved = upper * (1 - along) + lower * along
    if on_paper:
        return np.where(seen[..., None], moved, _WHITE), np.ones_like(seen[..., None])
    return moved, seen[..., None]


def _exact(before: Any, after: Any, way: Movement, on_paper: bool) -> Movement:
    """The one of the ways near to one that explains most."""
    best = _judged(before, after, way, on_paper)
    differs = np.abs(before - after) > _NOISE
    width, height = best.size
    most = max(map(abs, way.kind.tried))
    within = np.ones((height, width, 1))
    if not on_paper:
        within[[*range(_RIM), *range(-_RIM, 0)]] = within[:, [*range(_RIM), *range(-_RIM, 0)]] = 0
    for _ in range(_STEPS):
        moved, seen = _mapped(before, best, on_paper)
        slopes = _slopes((moved + after) / 2, best, turned=most > 0)
        columns = np.stack([(slope * seen * within).ravel() for slope in slopes])
        off = ((after - moved) * seen).ravel()
        try:
            step = np.linalg.solve(columns @ columns.T, columns @ off)
        except np.linalg.LinAlgError:
            break
        x, y, value = (float(v) for v in (*step, 0.0)[:3])
        found = replace(best, x=best.x + x, y=best.y + y, value=best.value + value)
        if not (abs(found.value) <= most and math.hypot(found.x, found.y) < min(best.size)):
            break
        found = _judged(before, after, found, on_paper)
        if found.way < _SLIGHT:
            rest = (off - step @ columns).reshape(before.shape)
            linear = 1 - _squares(rest[differs]) / max(_squares((before - after)[differs]), 1.0)
            found = replace(found, explained=max(found.explained, linear))
        if found.explained <= best.explained + 0.001:
            break
        best = found
    return best


def _slopes(pixels: Any, way: Movement, *, turned: bool) -> list[Any]:
    """By how much each number of a picture changes where a way goes a little further: to the right,
    down, and, if it is more than a move, in its value."""
    down, right = np.gradient(pixels, axis=(0, 1))
    if not turned:
        return [right, down]
    x, y = _grid(*way.size)
    a, b, c, d = _by_a_little(way)
    return [right, down, right * (x * a + y * b)[..., None] + down * (x * c + y * d)[..., None]]


def _by_a_little(way: Movement) -> _Four:
    """How the matrix of a way changes with its value."""
    little = 1e-4
    pairs = zip(way.kind.matrix(way.value), way.kind.matrix(way.value + little), strict=True)
    a, b, c, d = ((after - before) / little for before, after in pairs)
    return a, b, c, d
