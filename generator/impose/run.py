"""The pieces along one axis of a page in, how many fit, where they stand and what bleed shows out.

How the room beside the trims is shared out:

- With a given gutter, neighbours share it halfway; a gutter of 0 makes one cut for two pieces.
- Without one, every piece keeps its whole bleed and so the gutter is two bleeds. Where that
  leaves out one more piece that would fit, the bleed narrows evenly, to `LEAST_BLEED` at worst,
  to take it in. That is how nine poker cards come onto A4.
- At both ends there is room for a crop mark and, where asked, for a band of ruler or slug. Where
  it is short, marks shrink to `FAIR_MARK`, then the bleed to `LEAST_BLEED`, then marks to
  `LEAST_MARK`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

LEAST_BLEED: Final = 1.0
"""mm of bleed that a cut by hand needs to leave no white edge."""
LEAST_MARK: Final = 1.0
"""mm below which a crop mark is no help."""
FAIR_MARK: Final = 1.5
"""mm that the outer bleed leaves to crop marks where room is short."""
BAND: Final = 4.0
"""mm that a ruler or slug takes off the printable length at each end."""
FOLD_CLEARANCE: Final = 0.5
"""mm between the fold of a sheet and the art on either side of it."""
_EPSILON: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Run:
    """Equal trims in a row along one axis, mm from the page's edge. Bleed shows `low` before the
    first, `high` after the last and `inner` towards neighbours."""

    first: float
    trim: float
    gap: float
    count: int
    inner: float
    low: float
    high: float

    @property
    def length(self) -> float:
        """From the first trim's start to the last one's end."""
        return self.count * self.trim + (self.count - 1) * self.gap

    @property
    def shown(self) -> float:
        """The least bleed that shows anywhere."""
        return min(self.low, self.high, self.inner if self.count > 1 else self.low)

    def spans(self) -> tuple[tuple[float, float, float], ...]:
        """For each trim its start, the bleed before it and the bleed after it."""
        last = self.count - 1
        return tuple(
            (
                self.first + i * (self.trim + self.gap),
                self.inner if i else self.low,
                self.inner if i < last else self.high,
            )
            for i in range(self.count)
        )


@dataclass(frozen=True, slots=True)
class Blank:
    """What is to stand in a row: its trim and bleed along the axis, a set gutter if any, mm."""

    trim: float
    bleed: float
    gutter: float | None = None

    @property
    def least(self) -> float:
        """The bleed that must show."""
        return min(self.bleed, LEAST_BLEED)


def centred(
    page: float, margin: float, blank: Blank, band: float = 0.0, limit: int | None = None
) -> Run | None:
    """As many as fit between the margins, in the middle of the page; None when not even one.

    `band` is kept free at either end. One alone may take all the room there is between the
    margins, marks or not, unless a band is asked for.
    """
    room = page - 2 * margin
    count, gap = _fit(room, blank, band, ends=2, limit=limit)
    if count == 0 and band == 0 and blank.trim <= room + _EPSILON:
        count = 1
    if count == 0:
        return None
    length = count * blank.trim + (count - 1) * gap
    outer = _outer(blank, (room - length) / 2 - band)
    inner = min(blank.bleed, gap / 2)
    return Run((page - length) / 2, blank.trim, gap, count, inner, outer, outer)


def before_fold(page: float, margin: float, blank: Blank, band: float = 0.0) -> Run | None:
    """As many as fit between the margin and a fold across the middle of the page, close to the
    fold, where a slanting fold does the least harm; None when not even one."""
    room = page / 2 - margin - FOLD_CLEARANCE
    count, gap = _fit(room, blank, band, ends=1)
    if count == 0 and band == 0 and blank.trim <= room + _EPSILON:
        count = 1
    if count == 0:
        return None
    length = count * blank.trim + (count - 1) * gap
    spare = room - length - band
    at_fold = min(_outer(blank, (spare + FAIR_MARK) / 2), max(spare, 0.0))
    first = page / 2 - FOLD_CLEARANCE - at_fold - length
    inner = min(blank.bleed, gap / 2)
    return Run(first, blank.trim, gap, count, inner, _outer(blank, spare - at_fold), at_fold)


def _fit(
    room: float, blank: Blank, band: float, *, ends: int, limit: int | None = None
) -> tuple[int, float]:
    """How many and how far apart; a mark and the band are kept free at each of the `ends`."""
    edge, fair_edge = ends * (LEAST_MARK + band), ends * (FAIR_MARK + band)
    most = math.inf if limit is None else limit
    if blank.gutter is not None:
        free = room - edge - 2 * blank.least + blank.gutter
        count = math.floor(free / (blank.trim + blank.gutter) + _EPSILON)
        return int(min(max(count, 0), most)), blank.gutter
    pitch = blank.trim + 2 * blank.bleed
    count = max(math.floor((room - edge) / pitch + _EPSILON), 0)
    one_more = count + 1
    if one_more > most:
        return int(most), 2 * blank.bleed
    if one_more * (blank.trim + 2 * blank.least) + edge > room + _EPSILON:
        return count, 2 * blank.bleed
    share = (room - one_more * blank.trim - fair_edge) / (2 * one_more)
    return one_more, 2 * min(blank.bleed, max(blank.least, share))


def _outer(blank: Blank, room: float) -> float:
    """The bleed at an end with this much room for bleed and mark."""
    least = min(blank.least, max(room, 0.0))
    return min(blank.bleed, max(least, room - FAIR_MARK))
